"""The puzzle of Figure 1 and the sixteen named puzzles: Figures 3 and 4, Table 1, and their numbers of solutions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.stats import spearmanr

from sudokulab.formats import parse
from sudokulab.lab.power import Rate, compare_pairs, compare_rates, compare_values, compare_with_rate, puzzle_pairs
from sudokulab.logic.steps import deduce
from sudokulab.papers.lloyd_2019.common import (
    ANTS,
    ANTS_SINGLES,
    BS_SINGLES,
    FOUR,
    STILL_ANTS,
    STILL_SINGLES,
    groups,
    limit_of,
    net_times,
    shown,
    value_sets,
)
from sudokulab.papers.reproduction import Context, Findings
from sudokulab.puzzle import Puzzle
from sudokulab.solvers import Dlx

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["figure_3", "figure_4", "judge_figure_4", "judge_named_unique", "judge_table_1", "named_unique", "table_1"]

_STAND_INS = {"AI Escargot": "aiescargot", "Golden Nugget": "goldennugget", "Platinum Blonde": "platinumblond"}
_MOST_SOLUTIONS = 1000
_INKALA = 23
"""Number of givens of AI Escargot as published by its author."""


def figure_3(context: Context) -> Findings:
    """Compare the value sets after the initial propagation of the puzzle of Figure 1, cell by cell."""
    printed = context.printed["figure-3"]
    puzzle = parse("".join(printed["puzzle"]))
    theirs = [cell for line in printed["value_sets"] for cell in line.split()]
    ours = _texts(value_sets(puzzle))
    fixed_point = _texts(deduce(puzzle, "NS,HS").candidates)
    findings = Findings()
    findings.add_table(
        "Cells whose value set is the printed one",
        ["propagation", "cells of 81"],
        [
            ["the paper's", sum(a == b for a, b in zip(ours, theirs, strict=True))],
            ["to the fixed point (not judged)", sum(a == b for a, b in zip(fixed_point, theirs, strict=True))],
        ],
    )
    findings.check("the value sets of all 81 cells are the printed ones", ours == theirs)
    num_solutions = Dlx().count(puzzle, _MOST_SOLUTIONS)
    if num_solutions != 1:
        findings.add_error(
            f"Figure 1 shows a puzzle and *its solution*; the puzzle has {num_solutions} solutions. The printed grid "
            "is one of them."
        )
    findings.add_error("Section 3 speaks of the sizes 16×15 and 25×25; the former is a slip for 16×16.")
    return findings


def named_unique(context: Context) -> Findings:
    """Count the solutions of the sixteen named puzzles."""
    return judge_named_unique(context.public("named-16"))


def judge_named_unique(puzzles: Sequence[Puzzle] | None) -> Findings:
    """Check that every puzzle has one solution; without the puzzles nothing can be checked."""
    findings = Findings()
    if not puzzles:
        findings.notes.append(
            "The sixteen puzzles are missing: they belong in a file named-16.txt, in a directory registered with "
            "`sudokulab instances add`."
        )
        return findings
    counts = {puzzle.name: Dlx().count(puzzle, _MOST_SOLUTIONS) for puzzle in puzzles}
    rows = [[puzzle.name, puzzle.num_givens, counts[puzzle.name]] for puzzle in puzzles]
    findings.add_table("Givens and solutions", ["puzzle", "givens", "solutions"], rows)
    several = next((f"`{name}` has {number} solutions" for name, number in counts.items() if number != 1), None)
    findings.check_claim("each of the sixteen named puzzles has a unique solution", several)
    num_givens = {puzzle.name: puzzle.num_givens for puzzle in puzzles}.get("aiescargot")
    if num_givens not in (None, _INKALA):
        findings.add_error(f"Its `aiescargot` has {num_givens} givens; the cited puzzle of Inkala has {_INKALA}.")
    findings.add_error("One puzzle is spelled *tarrx0134* in the text and *tarx0134* in Table 1.")
    findings.notes.append("The puzzles are the paper's.")
    return findings


def figure_4(context: Context) -> Findings:
    """Compare the times of the four solvers on the named puzzles."""
    sets, note = _puzzles(context)
    printed = context.printed["figure-4"]
    limit = printed["seconds"]
    runs = context.run(
        "figure-4",
        sets,
        [*FOUR, ANTS_SINGLES, BS_SINGLES],
        runs=context.pick(smoke=2, quick=10, published=10, full=printed["num_runs"]),
        cpu_seconds=context.pick(smoke=0.2, quick=limit, published=limit, full=limit),
    )
    is_trivial = {
        puzzle.name: (_is_solved(value_sets(puzzle)), deduce(puzzle, "NS,HS").is_solved)
        for puzzles in sets.values()
        for puzzle in puzzles
    }
    findings = judge_figure_4(context, runs, is_trivial)
    findings.notes.append(note)
    return findings


def judge_figure_4(context: Context, runs: pl.DataFrame, is_trivial: dict[str, tuple[bool, bool]]) -> Findings:
    """Check what the text says about the figure.

    Parameters
    ----------
    context
        Scale and printed numbers.
    runs
        Runs of the four solvers, and of two with propagation to the fixed point, on the sets ``sabuncu`` and ``hard``.
    is_trivial
        Whether the paper's propagation alone solves a puzzle, and whether that to the fixed point does, by name.
    """
    printed = context.printed["figure-4"]
    table_1 = context.printed["table-1"]["puzzles"]
    findings = Findings()
    runs = _by_puzzle(context, runs)
    found = groups(runs, "puzzle")
    puzzles = runs["puzzle"].unique(maintain_order=True).to_list()
    four = [spec.title for spec in FOUR]
    names = [*four, ANTS_SINGLES.title, BS_SINGLES.title]
    columns = ["puzzle", "propagation alone: paper", "ours", "ours, singles", *(f"{name}, ms" for name in names)]
    columns += ["ILS / ACS", "ACS / DLX", *(f"{name}, solved %" for name in four)]
    times = {puzzle: {name: found[puzzle, name].median for name in names} for puzzle in puzzles}
    rows = []
    for puzzle, seconds in times.items():
        said = _yes(puzzle in printed["trivial"]) if puzzle in table_1 else None
        ratios = [seconds["ILS"] / seconds["ACS"], seconds["ACS"] / seconds["DLX"]]
        medians = [shown(seconds[name], 1000) for name in names]
        success = [found[puzzle, name].success for name in four]
        rows.append([puzzle, said, *map(_yes, is_trivial[puzzle]), *medians, *map(shown, ratios), *success])
    findings.add_table("Median times of successful runs", columns, rows)
    paper_ms = {puzzle: table_1[puzzle][3] for puzzle in puzzles if puzzle in table_1}
    findings.figures["times"] = partial(_draw, runs, paper_ms)

    by_set = groups(runs, "instance_set")
    factor = printed["times_faster_than_ils"]
    is_hard = {puzzle: label == "hard" for puzzle, label in runs.select("puzzle", "instance_set").unique().rows()}
    for name in four:
        solved = [by_set[label, name].num_solved for label in ("sabuncu", "hard")]
        number = [by_set[label, name].number for label in ("sabuncu", "hard")]
        findings.check_rate(f"success of {name}", (sum(solved), sum(number)), (printed["num_solved"],) * 2)
        easy, hard = ([times[p][name] for p in puzzles if is_hard[p] == which] for which in (False, True))
        findings.check_difference(
            f"{name} needs less time for the first ten puzzles than for the harder ones, by medians",
            compare_values(easy, hard, ratio=factor),
        )
    trivial = sorted(puzzle for puzzle in puzzles if is_trivial[puzzle][0])
    if set(printed["trivial"]) <= set(puzzles):
        findings.check(
            f"propagation alone solves exactly the paper's four puzzles (ours: {', '.join(trivial)})",
            trivial == sorted(printed["trivial"]),
        )
    # median over puzzles: BS and DLX run only once on each, and runs of microseconds are easily disturbed
    typical = {name: float(np.median([times[puzzle][name] for puzzle in trivial])) for name in four}
    findings.check_shape(
        "where propagation suffices, BS has the lowest median time of the four", min(typical.values()) == typical["BS"]
    )
    num = sum(ms["ACS"] < inf and ms["ILS"] >= factor * ms["ACS"] for ms in times.values())
    findings.check_shape(
        f"on most puzzles ACS is at least {factor} times as fast as ILS ({num} of {len(times)})", num > len(times) / 2
    )
    num = sum(ms["ACS"] <= factor * ms["DLX"] for ms in times.values())
    findings.check_shape(
        f"on most puzzles ACS is competitive with DLX: it needs at most {factor} times as long ({num} of {len(times)})",
        num > len(times) / 2,
    )
    findings.notes += [
        "The paper used an Intel i7-3770 (2012) and other programs, so times are compared here and below only as "
        "ratios and rankings, never as absolute values. Our times of ACS and BS include the initial propagation; the "
        "authors' program starts its clock after it. The paper's remark that DLX needs at least a millisecond concerns "
        "an absolute value and is not checked; nor is the remark that the times of ACS *seem* to vary more than those "
        "of ILS. The power of the comparisons of easier and harder puzzles is that for a factor of "
        f"{factor}; the paper prints none. The paper's times in the figure are the means of ACS from its Table 1.",
        "*Singles*: the same solver with propagation to the fixed point instead of the paper's; not judged.",
    ]
    return findings


def table_1(context: Context) -> Findings:
    """Compare the ant colony with and without best value evaporation on the named puzzles."""
    sets, note = _puzzles(context)
    printed = context.printed["table-1"]
    runs = context.run(
        "table-1",
        sets,
        [STILL_ANTS, ANTS, STILL_SINGLES, ANTS_SINGLES],
        # 64 against 100 %, the smallest difference on a harder puzzle: power 99 % with 30 runs
        runs=context.pick(smoke=3, quick=20, published=20, full=printed["num_runs"]),
        cpu_seconds=context.pick(smoke=0.25, quick=1, published=2, full=printed["seconds"]),
    )
    findings = judge_table_1(context, runs)
    findings.notes.append(note)
    return findings


def judge_table_1(context: Context, runs: pl.DataFrame) -> Findings:
    """Compare success and time with the paper's.

    Parameters
    ----------
    context
        Scale and printed numbers.
    runs
        Runs of the ant colony with both propagations, with and without evaporation, on the sets ``sabuncu`` and
        ``hard``.
    """
    printed = context.printed["table-1"]
    paper = printed["puzzles"]
    findings = Findings()
    runs = _by_puzzle(context, runs)
    found = groups(runs, "puzzle")
    puzzles = runs["puzzle"].unique(maintain_order=True).to_list()
    hard = runs.filter(instance_set="hard")["puzzle"].unique(maintain_order=True).to_list()
    known = [puzzle for puzzle in puzzles if puzzle in paper]
    speeds = {puzzle: paper[puzzle][3] / (1000 * found[puzzle, ANTS.title].mean) for puzzle in known}
    speed = max(float(np.median([speeds[puzzle] for puzzle in known if puzzle in hard])), 1e-9)
    theirs_here = printed["seconds"] / speed
    is_comparable = theirs_here <= limit_of(runs)
    limit = min(theirs_here, limit_of(runs))
    in_time = groups(runs.with_columns(pl.col("is_success") & (pl.col("seconds") <= limit)), "puzzle")

    columns = ["puzzle", "no BVE: paper, %", "ours, %", f"ours in {limit:.2g} s, %", "p", "paper, ms", "ours, ms"]
    columns += ["BVE: paper, %", "ours, %", "paper, ms", "ours, ms", "paper / ours"]
    rows: list[Sequence[object]] = []
    for puzzle in puzzles:
        still, ants = found[puzzle, STILL_ANTS.title], found[puzzle, ANTS.title]
        said = paper.get(puzzle, [None] * 4)
        within = in_time[puzzle, STILL_ANTS.title]
        p_value = (
            compare_with_rate(within.rate, _total(said[:1], printed)).p_value
            if is_comparable and puzzle in paper
            else None
        )
        row = [puzzle, said[0], still.success, within.success, p_value, said[1], shown(still.mean, 1000)]
        rows.append([*row, said[2], ants.success, said[3], shown(ants.mean, 1000), speeds.get(puzzle)])
    findings.add_table("Success, and mean time of successful runs", columns, rows)
    specs = [STILL_SINGLES, ANTS_SINGLES]
    columns = ["puzzle", *(f"{spec.title}: {what}" for spec in specs for what in ("solved %", "ms"))]
    ours = [[found[puzzle, spec.title] for spec in specs] for puzzle in puzzles]
    findings.add_table(
        "The same with propagation to the fixed point; not judged",
        columns,
        [
            [puzzle, *(cell for group in both for cell in (group.success, shown(group.mean, 1000)))]
            for puzzle, both in zip(puzzles, ours, strict=True)
        ],
    )

    by_set = groups(runs, "instance_set")
    with_bve = [by_set[label, ANTS.title] for label in ("sabuncu", "hard")]
    findings.check_rate(
        "success with BVE on all puzzles",
        (sum(group.num_solved for group in with_bve), sum(group.number for group in with_bve)),
        _total([numbers[2] for numbers in paper.values()], printed),
    )
    for label, which in (("sabuncu", "first ten"), ("hard", "harder")) if is_comparable else ():
        mine = [in_time[puzzle, STILL_ANTS.title] for puzzle in puzzles if (puzzle in hard) == (label == "hard")]
        theirs = [numbers[0] for name, numbers in paper.items() if ("sabuncu" in name) == (label == "sabuncu")]
        findings.check_rate(
            f"success without BVE on the {which} puzzles within {limit:.2g} s, which correspond to the paper's "
            f"{printed['seconds']} s",
            (sum(group.num_solved for group in mine), sum(group.number for group in mine)),
            _total(theirs, printed),
        )
    typical = float(np.mean([numbers[0] for name, numbers in paper.items() if "sabuncu" not in name]))
    for puzzle in hard:
        said = paper[puzzle][0] if puzzle in paper else typical
        findings.check_difference(
            f"fewer runs on {puzzle} succeed without BVE",
            compare_rates(
                fewer=in_time[puzzle, STILL_ANTS.title].rate,
                more=in_time[puzzle, ANTS.title].rate,
                expected=(said / 100, 1.0),
            ),
        )
    on_hard = runs.filter("is_success", instance_set="hard")
    times = puzzle_pairs(on_hard.filter(solver=ANTS.title), on_hard.filter(solver=STILL_ANTS.title), "seconds")
    said = [[numbers[place] for name, numbers in paper.items() if "sabuncu" not in name] for place in (1, 3)]
    findings.check_difference(
        f"successful runs on the harder puzzles take longer without BVE, by means of {len(times[0])} puzzles",
        compare_pairs(*times, ratio=float(np.mean(said[0]) / np.mean(said[1]))),
    )
    if len(known) >= 10:
        least = context.pick(smoke=0.6, quick=0.8, published=0.8, full=0.8)
        means = [found[puzzle, ANTS.title].mean for puzzle in known]
        rank = float(spearmanr([paper[puzzle][3] for puzzle in known], means)[0])
        findings.check_shape(
            f"with BVE, the times rank the puzzles as in the paper (rank correlation {rank:.2f}, at least {least})",
            rank >= least,
        )
        off = max(max(speeds[puzzle] / speed, speed / speeds[puzzle]) for puzzle in hard)
        findings.check(
            "with BVE, the times of the harder puzzles relative to each other are within a factor of 2 of the paper's "
            f"(ours: {off:.2f})",
            off <= 2,
        )
    findings.notes += [
        f"On the harder puzzles our ants with BVE are {speed:.1f} times as fast as the paper's (median of the ratios "
        f"of mean times). By this calibration on the runs with BVE, the paper's limit of {printed['seconds']} s "
        f"corresponds to {theirs_here:.2g} s here. "
        + (
            f"The other columns use our full limit of {limit_of(runs):g} s. The column *p* compares each rate with the "
            "paper's (two-sided Fisher test); with the paper's hundred runs such a test is underpowered for a single "
            "puzzle, so the verdict rests on the sums."
            if is_comparable
            else f"Our limit of {limit_of(runs):g} s is shorter, so the rates without BVE are not compared with the "
            "paper's."
        ),
        "The choice rule is implemented as printed (eq. 3): greedy if q > q0, the reverse of the usual rule.",
    ]
    return findings


def _total(percentages: Sequence[float], printed: dict[str, Any]) -> Rate:
    """Return the paper's successes and runs on puzzles with these percentages of success."""
    number = printed["num_runs"]
    return round(sum(percentages) * number / 100), number * len(percentages)


def _puzzles(context: Context) -> tuple[dict[str, Sequence[Puzzle]], str]:
    """Return the named puzzles (Sabuncu's, and the harder ones) or stand-ins, and a note on their origin."""
    if puzzles := context.public("named-16"):
        order = list(context.printed["table-1"]["puzzles"])
        puzzles = sorted(puzzles, key=lambda puzzle: order.index(puzzle.name))
        return {"sabuncu": puzzles[:10], "hard": puzzles[10:]}, ("The puzzles are the paper's.")
    easy = [
        replace(puzzle, name=f"{name}-{number}")
        for name, count in (("easy", 4), ("medium", 6))
        for number, puzzle in enumerate((context.public(name) or [])[:count], start=1)
    ]
    famous = [puzzle for puzzle in context.public("famous") or [] if puzzle.num_givens > 17]
    hard = [replace(puzzle, name=_STAND_INS.get(puzzle.name, puzzle.name)) for puzzle in famous]
    return {"sabuncu": easy, "hard": hard}, (
        "The sixteen puzzles are missing (they belong in a file named-16.txt, in a directory registered with "
        "`sudokulab instances add`), so these puzzles are stand-ins. Sabuncu's ten are replaced by four bundled "
        "puzzles that singles solve and six that need more, the six harder ones by the famous puzzles. Three of those "
        "are in the paper, though its `aiescargot` has one more given and its `goldennugget` is arranged differently."
    )


def _by_puzzle(context: Context, runs: pl.DataFrame) -> pl.DataFrame:
    """Add a column with the puzzle name and sort by the paper's order."""
    order = list(context.printed["table-1"]["puzzles"])
    puzzle = pl.col("instance").str.split("/").list.last()
    place = puzzle.replace_strict(order, range(len(order)), default=len(order), return_dtype=pl.Int64)
    runs = net_times(runs).with_columns(puzzle.alias("puzzle"))
    return runs.sort(pl.col("instance_set") == "hard", place, "puzzle", "run")


def _draw(runs: pl.DataFrame, paper_ms: dict[str, float], ax: Axes) -> None:
    """Draw box plots for the two stochastic solvers and medians for the other two, by puzzle.

    Parameters
    ----------
    runs
        Runs with the name of their puzzle.
    paper_ms
        The paper's mean times of the ant colony, by puzzle.
    ax
        The axis to draw on.
    """
    puzzles = runs["puzzle"].unique(maintain_order=True).to_list()
    places = np.arange(len(puzzles))
    for name, color, shift in (("ACS", "#0072B2", -0.2), ("ILS", "#E69F00", 0.2)):
        mine = runs.filter("is_success", solver=name)
        boxes = ax.boxplot(
            [mine.filter(puzzle=puzzle)["seconds"].to_list() for puzzle in puzzles],
            positions=places + shift,
            widths=0.35,
            whis=(0, 100),
            patch_artist=True,
            manage_ticks=False,
            medianprops={"color": "black"},
        )
        for box in boxes["boxes"]:
            box.set(facecolor=color, alpha=0.6)
        ax.plot([], [], "s", color=color, alpha=0.6, label=name)
    found = groups(runs, "puzzle")
    for name, color, marker in (("DLX", "#009E73", "^"), ("BS", "#D55E00", "D")):
        ax.plot(places, [found[puzzle, name].median for puzzle in puzzles], marker, color=color, label=name)
    x, y = [puzzles.index(puzzle) - 0.2 for puzzle in paper_ms], [ms / 1000 for ms in paper_ms.values()]
    ax.plot(x, y, "s", color="#666666", markerfacecolor="none", markeredgewidth=1.2, label="paper, ACS")
    ax.set_yscale("log")
    ax.set_xticks(places, puzzles, rotation=60, ha="right")
    ax.set_ylabel("CPU time (s) of successful runs")
    ax.grid(axis="y", alpha=0.3)
    ax.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)


def _texts(sets: NDArray[np.bool_]) -> list[str]:
    """Return the values of each cell as a string of digits, in reading order."""
    return ["".join(str(digit + 1) for digit in np.flatnonzero(cell)) for cell in sets.reshape(-1, sets.shape[-1])]


def _is_solved(sets: NDArray[np.bool_]) -> bool:
    return bool((sets.sum(axis=-1) == 1).all())


def _yes(is_true: bool) -> str:
    return "yes" if is_true else "no"

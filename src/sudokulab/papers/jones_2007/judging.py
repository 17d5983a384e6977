"""Jones, Roach & Perkins 2007: comparison of our numbers with the paper's, and the checks."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import factorial, nan, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from sudokulab.formats import parse
from sudokulab.papers.analysis import num_moves, num_states
from sudokulab.papers.reproduction import Findings
from sudokulab.solving import is_unique

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

__all__ = [
    "LEVELS",
    "PAIRINGS",
    "Placement",
    "judge_counts",
    "judge_givens",
    "judge_initialisation",
    "judge_levels",
    "judge_solved",
    "judge_weights",
    "mean",
    "pairing",
]

LEVELS = ("easy", "medium", "hard", "hardest")
# w1 and w2; only their signs and ratio matter
PAIRINGS = ((1.0, 0.0), (4.0, -1.0), (2.0, -1.0), (1.0, -1.0), (1.0, -2.0), (1.0, -5.0), (0.0, -1.0), (1.0, 1.0))
# Felgenhauer & Jarvis 2005: 9! relabellings × 72² × the number printed in the paper
NUM_SOLUTIONS_OF_EMPTY = 6_670_903_752_021_072_936_960


def judge_counts(printed: Mapping[str, Any]) -> Findings:
    """Compare our counts for the paper's grid with the printed ones."""
    findings = Findings()
    puzzle = parse(printed["grid"])
    num_open = len(puzzle.cells) - puzzle.num_givens
    anywhere = num_open * (num_open - 1) // 2
    rows: list[tuple[str, int, int]] = [
        ("givens", printed["num_givens"], puzzle.num_givens),
        ("moves: swaps of any two open cells", printed["num_moves_anywhere"], anywhere),
        ("moves: swaps inside boxes", printed["num_moves"], num_moves(puzzle)),
        (f"states, printed as {printed['states']}", prod(printed["states_factors"]), num_states(puzzle)),
        ("solutions of the empty grid", printed["num_solutions_of_empty"], NUM_SOLUTIONS_OF_EMPTY),
    ]
    findings.add_table("Figure 1 of the paper, and the empty grid", ["", "paper", "ours"], rows)
    for what, theirs, ours in rows:
        findings.check(f"{what.partition(',')[0]}: same number as in the paper", theirs == ours)
    findings.check("the grid has exactly one solution", is_unique(puzzle))
    findings.check_shape(
        "restricting swaps to boxes leaves fewer moves, and fewer states than permutations of all open cells",
        num_moves(puzzle) < anywhere and num_states(puzzle) < factorial(num_open),
    )
    findings.notes += [
        "The number of states is (6!)⁶ · 7! · (5!)²; the paper prints the exponents 6 and 2 as factors.",
        "The paper, citing Felgenhauer & Jarvis, gives 3,546,146,300,288 solutions of the empty grid. Their count is "
        "9! · 72² times larger, 6,670,903,752,021,072,936,960: the paper mistakes the last factor of the product for "
        "the product.",
        "The paper introduces Σ n(n−1)/2 as the number of states; its example shows that it is the number of moves.",
    ]
    return findings


def judge_weights(printed: Mapping[str, Any], runs: pl.DataFrame, *, slack: float, large: float) -> Findings:
    """Judge the pairings by puzzles solved and iterations.

    Parameters
    ----------
    printed
        The pairing chosen in the paper.
    runs
        Runs labelled by pairing.
    slack
        Pairings within this factor of the fewest iterations count as among the best.
    large
        Share of the largest success rate that counts as a large number.
    """
    findings = Findings()
    pairings = [pairing(w1, w2) for w1, w2 in PAIRINGS]
    iterations = {name: mean(runs.filter(solver=name)["stats_iterations"]) for name in pairings}
    solved = {name: 100 * mean(runs.filter(solver=name)["is_success"]) for name in pairings}
    rows = [
        (name, solved[name], iterations[name], mean(runs.filter(solver=name, is_success=True)["stats_iterations"]))
        for name in pairings
    ]
    findings.add_table(
        f"{len(runs) // len(pairings)} runs per pairing",
        ["w1, w2", "solved %", "iterations", "iterations of solved runs"],
        rows,
    )
    chosen = pairing(*printed["chosen"])
    fewest, most = min(iterations.values()), max(solved.values())
    best = min(iterations, key=lambda name: iterations[name])
    findings.check(f"{chosen} needs the fewest iterations (ours: {best})", iterations[chosen] == fewest)
    findings.check_shape(
        f"{chosen} is among the best: at most {slack:g} times the fewest iterations "
        f"({iterations[chosen] / fewest:.2f} times)",
        iterations[chosen] <= slack * fewest,
    )
    findings.check_shape(
        f"{chosen} solves a large number: at least {100 * large:.0f} % of the maximum", solved[chosen] >= large * most
    )
    findings.check_shape("some pairings do not solve all puzzles", min(solved.values()) < 100)
    findings.figures["weights"] = partial(_draw_weights, solved=solved, iterations=iterations)
    return findings


def _draw_weights(axis: Axes, *, solved: Mapping[str, float], iterations: Mapping[str, float]) -> None:
    places = np.arange(len(solved))
    bars = axis.bar(places - 0.2, list(solved.values()), 0.4, color="#0072B2", label="solved")
    axis.set_xticks(places, list(solved))
    axis.set_xlabel("w1, w2")
    axis.set_ylabel("solved (%)")
    other = axis.twinx()
    more = other.bar(places + 0.2, list(iterations.values()), 0.4, color="#E69F00", hatch="//", label="iterations")
    other.set_ylabel("mean iterations")
    axis.set_ylim(0, 115)
    other.set_ylim(0, 1.15 * max(iterations.values()))
    axis.legend(handles=[bars, more], loc="upper center", ncols=2, frameon=False)


@dataclass(frozen=True)
class Placement:
    """Mean properties of the initial states of one kind.

    Parameters
    ----------
    ms
        Milliseconds to construct one.
    iterations
        Iterations of the climbs that reach the goal without a restart.
    f1
        Distinct digits summed over rows and columns.
    clashes
        Clashes between a given and another cell.
    """

    ms: float
    iterations: float
    f1: float
    clashes: float


def judge_initialisation(printed: Mapping[str, Any], alone: Placement, swapped: Placement, *, slack: float) -> Findings:
    """Judge the effect of post-swapping; comparisons of random or timed quantities allow the factor `slack`."""
    findings = Findings()
    rows = [
        ("ms to initialise", *_beside(printed["ms"], (alone.ms, swapped.ms))),
        ("iterations", *_beside(printed["iterations"], (alone.iterations, swapped.iterations))),
        ("f1", *_beside(printed["f1"], (alone.f1, swapped.f1))),
        ("remaining clashes with givens", *_beside(printed["clashes"], (alone.clashes, swapped.clashes))),
    ]
    findings.add_table("", ["", "paper: greedy", "ours", "paper: with post-swapping", "ours"], rows)
    gain, their_gain = swapped.f1 - alone.f1, printed["f1"][1] - printed["f1"][0]
    findings.check(
        f"f1 rises by {their_gain} as in the paper, within 3 (ours: {gain:.1f})", abs(gain - their_gain) <= 3
    )
    for name, ours in (
        ("iterations", (alone.iterations, swapped.iterations)),
        ("clashes", (alone.clashes, swapped.clashes)),
    ):
        findings.check(f"{name}: within a factor of 2 of the paper's", _within(2, printed[name], ours))
    theirs = max(printed["ms"])
    findings.check(
        f"both kinds of initial state take at most the paper's {theirs} ms", max(alone.ms, swapped.ms) <= theirs
    )
    findings.check_shape("post-swapping raises f1", gain > 0)
    findings.check_shape("post-swapping removes more than half of the clashes", swapped.clashes < alone.clashes / 2)
    allowing = f", allowing a factor of {slack:g}" if slack > 1 else ""
    findings.check_shape(
        f"the climb takes fewer iterations with post-swapping{allowing}", swapped.iterations < slack * alone.iterations
    )
    findings.check_shape(f"post-swapping takes more time{allowing}", slack * swapped.ms > alone.ms)
    return findings


def judge_levels(printed: Mapping[str, Sequence[float]], runs: pl.DataFrame, *, outlier: float) -> Findings:
    """Judge iterations and restarts by level; an outlier needs at least `outlier` times the median restarts."""
    findings = Findings()
    ours = {}
    for level in LEVELS:
        mine = runs.filter(instance_set=level)
        ours[level] = [mean(mine[name]) for name in ("num_givens", "stats_iterations", "stats_restarts", "seconds")]
        ours[level][3] *= 1000
    _add_means(findings, "level", ("givens", "iterations", "restarts", "ms"), printed, ours)
    _check_means(findings, "level", [(printed[level][1:], ours[level][1:]) for level in LEVELS])
    for place, name in ((1, "iterations"), (2, "restarts")):
        rising = all(ours[a][place] < ours[b][place] for a, b in pairwise(LEVELS))
        findings.check_shape(f"{name} rise from level to level", rising)
    has_outliers = all(_max_over_median(runs.filter(instance_set=level)) >= outlier for level in LEVELS)
    findings.check_shape(
        f"at every level some runs need far more restarts than others (at least {outlier:g} times the median)",
        has_outliers,
    )
    return findings


def _max_over_median(runs: pl.DataFrame) -> float:
    restarts = runs["stats_restarts"].drop_nulls().to_list()
    return float(max(restarts) / max(1.0, statistics.median(restarts))) if restarts else nan


def judge_givens(printed: Mapping[str, Sequence[float]], runs: pl.DataFrame) -> Findings:
    """Judge iterations and restarts by the number of givens."""
    findings = Findings()
    ours = {}
    previous = -1
    for name in printed:
        last = int(name.partition("-")[2] or 81)
        mine = runs.filter((runs["num_givens"] > previous) & (runs["num_givens"] <= last))
        ours[name] = [mean(mine[column]) for column in ("stats_iterations", "stats_restarts", "seconds")]
        ours[name][2] *= 1000
        previous = last
    _add_means(findings, "givens", ("iterations", "restarts", "ms"), printed, ours)
    _check_means(findings, "class", [(printed[name], ours[name]) for name in printed])
    at_once = int((mine["stats_iterations"] == 0).sum())
    findings.check(f"initialisation alone solves some puzzles of the last class (ours: {at_once})", at_once > 0)
    classes = list(printed)
    for place, name, compared in ((0, "iterations", classes), (1, "restarts", classes[:3])):
        falling = all(ours[a][place] > ours[b][place] for a, b in pairwise(compared))
        findings.check_shape(f"{name} fall as givens rise, {compared[0]} to {compared[-1]}", falling)
    return findings


def judge_solved(printed: Mapping[str, int], runs: pl.DataFrame) -> Findings:
    """Judge whether all runs solve their puzzle."""
    findings = Findings()
    rows: list[tuple[object, ...]] = []
    for level in LEVELS:
        mine = runs.filter(instance_set=level)
        num_puzzles = mine["instance"].n_unique()
        num_solved = mine.filter(is_success=True)["instance"].n_unique()
        rows.append((level, num_puzzles, num_solved, len(mine), int(mine["is_success"].sum()), max(mine["seconds"])))
    findings.add_table(
        f"Solved in the paper: {printed['num_solved']} of {printed['num_puzzles']}",
        ["level", "puzzles", "solved", "runs", "successes", "longest run, s"],
        rows,
    )
    mine = runs.filter(instance_set="hardest")
    escargot = mine.filter(mine["instance"].str.ends_with("AI Escargot"))
    findings.check(
        "every puzzle is solved in every run", runs.filter(runs["instance_set"].is_in(LEVELS))["is_success"].all()
    )
    findings.check("AI Escargot is in the set and is solved", len(escargot) > 0 and escargot["is_success"].all())
    return findings


def pairing(w1: float, w2: float) -> str:
    """Return the label of a pairing of weights."""
    return f"{w1:g}, {w2:g}".replace("-", "−")


def mean(column: pl.Series) -> float:
    """Return the mean of the non-null values; NaN if all are null."""
    values = column.drop_nulls().to_list()
    return statistics.fmean(values) if values else nan


def _beside(theirs: Sequence[float], ours: Sequence[float]) -> list[float]:
    return [value for pair in zip(theirs, ours, strict=True) for value in pair]


def _within(factor: float, theirs: Sequence[float], ours: Sequence[float]) -> bool:
    return all(one / factor <= other <= one * factor for one, other in zip(theirs, ours, strict=True))


def _add_means(
    findings: Findings,
    what: str,
    names: Sequence[str],
    printed: Mapping[str, Sequence[float]],
    ours: Mapping[str, Sequence[float]],
) -> None:
    columns = [what, *(column for name in names for column in (f"paper: {name}", "ours"))]
    findings.add_table("", columns, [(key, *_beside(printed[key], ours[key])) for key in printed])


def _check_means(findings: Findings, what: str, pairs: Sequence[tuple[Sequence[float], Sequence[float]]]) -> None:
    """Check our iterations, restarts and ms against the paper's."""
    for place, name in enumerate(("iterations", "restarts")):
        holds = all(_within(2, theirs[place : place + 1], ours[place : place + 1]) for theirs, ours in pairs)
        findings.check(f"{name}: within a factor of 2 of the paper's for every {what}", holds)
    findings.check(f"ms: at most the paper's for every {what}", all(ours[2] <= theirs[2] for theirs, ours in pairs))

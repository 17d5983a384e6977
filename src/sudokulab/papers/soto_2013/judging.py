"""Soto et al. 2013: our numbers beside the paper's, and the checks."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import spearmanr

from sudokulab.papers.reproduction import Findings

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

__all__ = ["GENETIC", "HYBRID", "judge_comparison", "judge_times", "judge_tries", "tries_for"]

HYBRID, GENETIC = "hybrid", "GA"
LEVELS = ("easy", "medium", "hard")


def tries_for(wanted: int, successes: Iterable[bool]) -> int | None:
    """Return how many tries in a row it takes until so many are solved; None if they do not suffice."""
    num_solved = 0
    for number, is_success in enumerate(successes, start=1):
        num_solved += is_success
        if num_solved == wanted:
            return number
    return None


def judge_tries(
    printed: Mapping[str, Any], runs: pl.DataFrame, *, wanted: int, has_originals: bool, noise: int
) -> Findings:
    """Judge Table 1.

    Parameters
    ----------
    printed
        The paper's.
    runs
        The tries, on puzzles named as the paper's.
    wanted
        How many are to be solved; the paper's tries are scaled to it.
    has_originals
        Whether the puzzles are the paper's.
    noise
        How many tries more or less are chance.
    """
    findings = Findings()
    puzzles = printed["puzzles"]
    rows = []
    tries: dict[str, int | None] = {}
    theirs = {name: wanted * puzzle["tries"] / printed["num_solved"] for name, puzzle in puzzles.items()}
    for name, puzzle in puzzles.items():
        mine = _of(runs, name)
        tries[name] = tries_for(wanted, mine["is_success"])
        first = mine.head(tries[name] or len(mine)).filter(is_success=True)
        seconds = _beside(puzzle["seconds"], _range(first["seconds"]))
        rows.append((puzzle["title"], name, theirs[name], tries[name], *seconds, _mean(mine["stats_iterations"])))
    findings.add_table(
        f"Tries until {wanted} are solved within {printed['num_iterations']} iterations",
        [
            "",
            "puzzle",
            "paper: tries",
            "ours",
            *_beside(("paper: least s", "mean s", "most s"), ("ours",) * 3),
            "iterations",
        ],
        rows,
    )
    _check_levels(findings, puzzles, runs, "stats_iterations", "iterations rise with the level")
    findings.check_shape(
        "easy puzzles are solved in every try",
        all(tries[name] == wanted for name, puzzle in puzzles.items() if puzzle["level"] == "easy"),
    )
    if has_originals:
        ours = {name: nan if number is None else number for name, number in tries.items()}
        farthest = max(abs(ours[name] - theirs[name]) for name in puzzles)
        findings.check(
            f"every number of tries is within {noise} of the paper's (farthest: {farthest:.0f})",
            all(abs(ours[name] - theirs[name]) <= noise for name in puzzles),
        )
        findings.check_shape(
            f"no puzzle needs more tries than the paper's, with {noise} for chance",
            all(ours[name] <= theirs[name] + noise for name in puzzles),
        )
        seconds_held = all(
            _mean(_of(runs, name).filter(is_success=True)["seconds"]) <= puzzle["seconds"][1]
            for name, puzzle in puzzles.items()
        )
        findings.check("every mean time is at most the paper's", seconds_held)
    return findings


def judge_times(
    printed: Mapping[str, Any], runs: pl.DataFrame, *, has_originals: bool, least_correlation: float
) -> Findings:
    """Judge the times of Table 1 as Figure 4 compares them; ranks must correlate at least so much."""
    findings = Findings()
    puzzles = printed["puzzles"]
    solved = {name: _of(runs, name).filter(is_success=True) for name in puzzles}
    theirs = {name: puzzle["seconds"] for name, puzzle in puzzles.items()}
    ours = {name: _range(one["seconds"]) for name, one in solved.items()}
    first = next(iter(puzzles))
    findings.add_table(
        "Mean seconds of what is solved, and how many times those of the first puzzle",
        ["puzzle", "paper: s", "ours", "paper: times", "ours"],
        [
            (
                name,
                theirs[name][1],
                ours[name][1],
                theirs[name][1] / theirs[first][1],
                ours[name][1] / ours[first][1],
            )
            for name in puzzles
        ],
    )
    _check_levels(findings, puzzles, runs.filter(is_success=True), "seconds", "the median time rises with the level")
    still = [len(set(solved[name]["stats_iterations"])) == 1 for name in puzzles if puzzles[name]["level"] == "easy"]
    findings.check_shape("an easy puzzle takes the same course in every try", all(still))
    if has_originals:
        medians = [_median(solved[name]["seconds"]) for name in puzzles]
        correlation = float(spearmanr([theirs[name][1] for name in puzzles], medians).statistic)
        findings.check_shape(
            f"the order of the times is the paper's: their ranks correlate by {least_correlation:g} or more "
            f"(ours: {correlation:.2f})",
            correlation >= least_correlation,
        )
    findings.figures["times"] = partial(_draw_times, theirs=theirs, ours=ours)
    return findings


def _draw_times(axis: Axes, *, theirs: Mapping[str, Sequence[float]], ours: Mapping[str, Sequence[float]]) -> None:
    for label, times, color, marker, shift in (
        ("paper", theirs, "#E69F00", "s", 0.1),
        ("ours", ours, "#0072B2", "o", -0.1),
    ):
        least, mean, most = np.array(list(times.values())).T
        axis.errorbar(
            np.arange(len(times)) + shift,
            mean,
            yerr=[mean - least, most - mean],
            color=color,
            marker=marker,
            linestyle="none",
            capsize=3,
            label=label,
        )
    axis.set_yscale("log")
    axis.set_xticks(np.arange(len(theirs)), list(theirs))
    axis.set_ylabel("CPU time (s): least, mean, most")
    axis.legend(frameon=False)


def judge_comparison(
    printed: Mapping[str, Any], limited: pl.DataFrame, unlimited: pl.DataFrame, *, has_originals: bool, noise: float
) -> Findings:
    """Judge Table 2; shares of what is solved may be off by `noise`."""
    findings = Findings()
    puzzles = printed["puzzles"]
    columns = ("hybrid, no limit", "hybrid", "GA, no limit", "GA")
    sources = ((unlimited, HYBRID), (limited, HYBRID), (unlimited, GENETIC), (limited, GENETIC))
    shares = {
        name: [_mean(_of(runs.filter(solver=solver), name)["is_success"]) for runs, solver in sources]
        for name in puzzles
    }
    theirs = {name: [number / printed["num_tries"] for number in numbers] for name, numbers in puzzles.items()}
    tries = len(_of(limited.filter(solver=GENETIC), next(iter(puzzles))))
    findings.add_table(
        f"% solved, of {tries} tries (the paper: of {printed['num_tries']})",
        ["puzzle", *_beside([f"paper: {name}" for name in columns], ["ours"] * 4)],
        [(name, *_beside(_percent(theirs[name]), _percent(shares[name]))) for name in puzzles],
    )
    hybrid = [share for name in puzzles for share in shares[name][:2]]
    findings.check("the hybrid solves every try, with the limit and without", min(hybrid) == 1)
    if has_originals:
        farthest = max(abs(theirs[name][3] - shares[name][3]) for name in puzzles)
        findings.check(
            f"the GA's share at the limit is within {100 * noise:.0f} points of the paper's "
            f"(farthest: {100 * farthest:.0f})",
            farthest <= noise,
        )
        findings.check("the GA solves every try without limit", all(shares[name][2] == 1 for name in puzzles))
    findings.check_shape(
        "the hybrid solves as much as the GA or more, everywhere",
        all(shares[name][0] >= shares[name][2] and shares[name][1] >= shares[name][3] for name in puzzles),
    )
    easy, medium, hard = (
        statistics.fmean(shares[name][3] for name in puzzles if name.startswith(prefix))
        for prefix in ("s10", "s11", "s12")
    )
    slack = noise if noise >= 1 else 0.0
    findings.check_shape(
        "at the limit the GA solves less of the medium one than of the easy ones, and no more of the hard one"
        + (" (too few tries to tell)" if slack else ""),
        medium < easy + slack and hard <= medium + slack,
    )
    findings.check_shape(
        "the GA solves no less without limit than with it",
        all(shares[name][2] >= shares[name][3] - slack for name in puzzles),
    )
    return findings


def _check_levels(
    findings: Findings, puzzles: Mapping[str, Mapping[str, Any]], runs: pl.DataFrame, column: str, statement: str
) -> None:
    """Check that the mean over a level's puzzles of a column's median rises."""
    levels = [
        statistics.fmean(_median(_of(runs, name)[column]) for name in puzzles if puzzles[name]["level"] == level)
        for level in LEVELS
    ]
    shown = ", ".join(f"{value:.2g}" for value in levels)
    findings.check_shape(f"{statement} ({shown})", all(a < b for a, b in pairwise(levels)))


def _of(runs: pl.DataFrame, puzzle: str) -> pl.DataFrame:
    return runs.filter(runs["instance"].str.ends_with(f"/{puzzle}")).sort("run")


def _mean(column: pl.Series) -> float:
    values = column.drop_nulls().to_list()
    return statistics.fmean(values) if values else nan


def _median(column: pl.Series) -> float:
    values = column.drop_nulls().to_list()
    return float(statistics.median(values)) if values else nan


def _range(column: pl.Series) -> list[float]:
    """Return the least, the mean and the most."""
    values = column.drop_nulls().to_list()
    return [min(values), statistics.fmean(values), max(values)] if values else [nan] * 3


def _percent(shares: Iterable[float]) -> list[float]:
    return [100 * share for share in shares]


def _beside(theirs: Sequence[Any], ours: Sequence[Any]) -> list[Any]:
    return [value for pair in zip(theirs, ours, strict=True) for value in pair]

"""Soto et al. 2013: comparison of our numbers with the paper's, and the checks."""

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
    """Return the number of tries until `wanted` have succeeded; None if there are too few."""
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
        The paper's Table 1.
    runs
        The tries, on puzzles with the paper's names.
    wanted
        Number of successes to reach; the paper's tries are scaled to it.
    has_originals
        Whether the puzzles are the paper's.
    noise
        Difference in tries that chance can explain.
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
        f"Tries needed to solve a puzzle {wanted} times within {printed['num_iterations']} iterations",
        [
            "",
            "puzzle",
            "paper: tries",
            "ours",
            *_beside(("paper: min s", "mean s", "max s"), ("ours",) * 3),
            "iterations",
        ],
        rows,
    )
    _check_levels(findings, puzzles, runs, "stats_iterations", "iterations rise with the level")
    findings.check_shape(
        "every try on an easy puzzle succeeds",
        all(tries[name] == wanted for name, puzzle in puzzles.items() if puzzle["level"] == "easy"),
    )
    if has_originals:
        ours = {name: nan if number is None else number for name, number in tries.items()}
        farthest = max(abs(ours[name] - theirs[name]) for name in puzzles)
        findings.check(
            f"every number of tries is within {noise} of the paper's (largest difference: {farthest:.0f})",
            all(abs(ours[name] - theirs[name]) <= noise for name in puzzles),
        )
        findings.check_shape(
            f"no puzzle needs more tries than in the paper, allowing {noise} for chance",
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
    """Judge the times of Table 1 as shown in Figure 4; `least_correlation` is the required rank correlation."""
    findings = Findings()
    puzzles = printed["puzzles"]
    solved = {name: _of(runs, name).filter(is_success=True) for name in puzzles}
    theirs = {name: puzzle["seconds"] for name, puzzle in puzzles.items()}
    ours = {name: _range(one["seconds"]) for name, one in solved.items()}
    first = next(iter(puzzles))
    findings.add_table(
        "Mean seconds of successful tries, and their ratio to the first puzzle",
        ["puzzle", "paper: s", "ours", "paper: ratio", "ours"],
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
    findings.check_shape("every try on an easy puzzle takes the same number of iterations", all(still))
    if has_originals:
        medians = [_median(solved[name]["seconds"]) for name in puzzles]
        correlation = float(spearmanr([theirs[name][1] for name in puzzles], medians).statistic)
        findings.check_shape(
            f"the times rank the puzzles as in the paper: rank correlation of at least {least_correlation:g} "
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
    """Judge Table 2; success rates may differ by `noise`."""
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
        f"% of {tries} tries solved (the paper: of {printed['num_tries']})",
        ["puzzle", *_beside([f"paper: {name}" for name in columns], ["ours"] * 4)],
        [(name, *_beside(_percent(theirs[name]), _percent(shares[name]))) for name in puzzles],
    )
    hybrid = [share for name in puzzles for share in shares[name][:2]]
    findings.check("the hybrid succeeds in every try, with and without the limit", min(hybrid) == 1)
    if has_originals:
        farthest = max(abs(theirs[name][3] - shares[name][3]) for name in puzzles)
        findings.check(
            f"the GA's success rate with the limit is within {100 * noise:.0f} points of the paper's "
            f"(largest difference: {100 * farthest:.0f})",
            farthest <= noise,
        )
        findings.check("the GA succeeds in every try without the limit", all(shares[name][2] == 1 for name in puzzles))
    findings.check_shape(
        "on every puzzle the hybrid succeeds at least as often as the GA",
        all(shares[name][0] >= shares[name][2] and shares[name][1] >= shares[name][3] for name in puzzles),
    )
    easy, medium, hard = (
        statistics.fmean(shares[name][3] for name in puzzles if name.startswith(prefix))
        for prefix in ("s10", "s11", "s12")
    )
    slack = noise if noise >= 1 else 0.0
    findings.check_shape(
        "with the limit, the GA succeeds less often on the medium puzzle than on the easy ones, and no more often on "
        "the hard one" + (" (too few tries to decide)" if slack else ""),
        medium < easy + slack and hard <= medium + slack,
    )
    findings.check_shape(
        "the GA succeeds at least as often without the limit as with it",
        all(shares[name][2] >= shares[name][3] - slack for name in puzzles),
    )
    return findings


def _check_levels(
    findings: Findings, puzzles: Mapping[str, Mapping[str, Any]], runs: pl.DataFrame, column: str, statement: str
) -> None:
    """Check that the median of a column, averaged over the puzzles of a level, rises with the level."""
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
    """Return the minimum, mean and maximum."""
    values = column.drop_nulls().to_list()
    return [min(values), statistics.fmean(values), max(values)] if values else [nan] * 3


def _percent(shares: Iterable[float]) -> list[float]:
    return [100 * share for share in shares]


def _beside(theirs: Sequence[Any], ours: Sequence[Any]) -> list[Any]:
    return [value for pair in zip(theirs, ours, strict=True) for value in pair]

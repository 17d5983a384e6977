"""Soto et al. 2013: comparison of our numbers with the paper's, and the checks."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from sudokulab.lab.power import Rate, compare_rates
from sudokulab.papers.numbers import beside, interval_of_mean, mean, rate_of, share_of
from sudokulab.papers.reproduction import Findings
from sudokulab.papers.soto_2013.readings import (
    GENETIC,
    HYBRID,
    PRINTED,
    expected_tries,
    printed_tries,
    rates_of,
    seconds_per_iteration,
    starting_seconds,
)

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

__all__ = ["judge_comparison", "judge_times", "judge_tries"]

LEVELS = ("easy", "medium", "hard")
FACTOR = 2  # tolerance of the value checks
_LEVEL_OF = {"s10": "Easy", "s11": "Medium", "s12": "Hard"}
_EASY, _MEDIUM, _HARD = "the easy puzzles", "Medium a", "Hard a"  # of Table 2

_PAPER: dict[str, Any] = {"color": "#777777", "marker": "s", "markersize": 8, "markerfacecolor": "none"}
_OURS: dict[str, Any] = {"color": "#0072B2", "marker": "o"}
_AS_PRINTED: dict[str, Any] = {"color": "#0072B2", "marker": "^", "markerfacecolor": "white"}
_HYBRIDS, _GENETICS = (
    ({"color": color, "marker": marker, "markerfacecolor": "white"}, {"color": color, "marker": marker})
    for color, marker in (("#0072B2", "o"), ("#D55E00", "^"))
)
"""The styles of the paper's rates and ours, in Table 2."""


def judge_tries(printed: Mapping[str, Any], runs: pl.DataFrame, *, has_originals: bool) -> Findings:
    """Judge Table 1.

    Parameters
    ----------
    printed
        The paper's Table 1.
    runs
        The tries of the hybrid and of algorithm 4 as printed, on puzzles with the paper's names.
    has_originals
        Whether the puzzles are the paper's.
    """
    findings = Findings()
    puzzles = printed["puzzles"]
    wanted = printed["num_solved"]
    hybrid = runs.filter(solver=HYBRID)
    ours, as_printed = (rates_of(runs, label, puzzles) for label in (HYBRID, PRINTED))
    theirs = printed_tries(printed)
    rows = []
    for name, puzzle in puzzles.items():
        solved = _of(hybrid, name).filter(is_success=True)
        seconds = beside(puzzle["seconds"], _range(solved["seconds"]))
        tries = [expected_tries(rate, wanted) for rate in (theirs[name], ours[name], as_printed[name])]
        rows.append((puzzle["title"], name, *tries, *seconds, mean(solved["stats_iterations"])))
    findings.add_table(
        f"Expected tries for {wanted} successes within {printed['num_iterations']} iterations, from "
        f"{next(iter(ours.values()))[1]} tries per puzzle; seconds and iterations of successful tries",
        [
            "",
            "puzzle",
            "paper: tries",
            "ours",
            "as printed",
            *beside(("paper: min s", "mean s", "max s"), ("ours",) * 3),
            "iterations",
        ],
        rows,
    )
    for easier, harder in pairwise(LEVELS):
        low, high = (_pooled(ours, puzzles, level) for level in (harder, easier))
        expected = tuple(share_of(_pooled(theirs, puzzles, level)) for level in (harder, easier))
        findings.check_difference(
            f"fewer tries succeed on {harder} puzzles than on {easier} ones "
            f"(paper: {100 * expected[0]:.0f} and {100 * expected[1]:.0f} %, ours: {100 * share_of(low):.0f} and "
            f"{100 * share_of(high):.0f} %)",
            compare_rates(fewer=low, more=high, expected=(expected[0], expected[1])),
        )
    if has_originals:
        for level in LEVELS:  # single puzzles have too few tries in the paper
            rates = (_pooled(table, puzzles, level) for table in (ours, theirs))
            findings.check_rate(f"share of tries that succeed on {level} puzzles", *rates)
    text = printed["text"]
    title, tries = puzzles[text["puzzle"]]["title"], puzzles[text["puzzle"]]["tries"]
    if text["tries"] != tries:
        findings.add_error(f"The text gives {text['tries']} tries for {title}, the table {tries}. We follow the table.")
    findings.figures["tries"] = partial(
        _draw_rates,
        titles=[puzzle["title"] for puzzle in puzzles.values()],
        rates={
            "paper": ([*theirs.values()], _PAPER),
            "ours": ([*ours.values()], _OURS),
            "ours, as printed": ([*as_printed.values()], _AS_PRINTED),
        },
    )
    return findings


def judge_times(printed: Mapping[str, Any], runs: pl.DataFrame, *, has_originals: bool) -> Findings:
    """Judge the times of Table 1 as shown in Figure 4, in seconds and in iterations."""
    findings = Findings()
    puzzles = printed["puzzles"]
    solved = {name: _of(runs.filter(solver=HYBRID), name).filter(is_success=True) for name in puzzles}
    theirs = {name: puzzle["seconds"] for name, puzzle in puzzles.items()}
    ours = {name: _range(one["seconds"]) for name, one in solved.items()}
    first = next(iter(puzzles))
    ratios = {name: (theirs[name][1] / theirs[first][1], ours[name][1] / ours[first][1]) for name in puzzles}
    start, seconds = starting_seconds(printed), statistics.fmean(seconds_per_iteration(printed).values())
    iterations = {
        name: (max(0, theirs[name][1] - start) / seconds, mean(solved[name]["stats_iterations"])) for name in puzzles
    }
    findings.add_table(
        "Mean seconds of successful tries, their ratio to the first puzzle, and mean iterations; the paper's "
        f"iterations are its seconds, without {start:.3g} s to start, divided by {seconds:.3g} s",
        ["puzzle", "paper: s", "ours", "paper: ratio", "ours", "paper: iterations", "ours"],
        [
            (puzzles[name]["title"], theirs[name][1], ours[name][1], *ratios[name], *iterations[name])
            for name in puzzles
        ],
    )
    for what, measured in (("seconds", ours), ("iterations", iterations)):
        means = [
            statistics.fmean(measured[name][1] for name in puzzles if puzzles[name]["level"] == level)
            for level in LEVELS
        ]
        shown = ", ".join(f"{one:.3g}" for one in means)
        findings.check_shape(f"the mean {what} rise with the level (ours: {shown})", means == sorted(set(means)))
    if has_originals:
        for name, puzzle in puzzles.items():
            if puzzle["level"] != "easy":
                expected, own = iterations[name]
                findings.check(
                    f"{puzzle['title']} takes the {expected:.0f} iterations that follow from the paper's seconds, "
                    f"within a factor of {FACTOR} (ours: {own:.0f})",
                    expected / FACTOR <= own <= expected * FACTOR,
                )
        for name, puzzle in puzzles.items():
            if puzzle["level"] == "hard":
                expected, own = ratios[name]
                findings.check(
                    f"{puzzle['title']} takes {expected:.0f} times as long as {puzzles[first]['title']}, within a "
                    f"factor of {FACTOR} (ours: {own:.1f} times)",
                    expected / FACTOR <= own <= expected * FACTOR,
                )
    titles = [puzzle["title"] for puzzle in puzzles.values()]
    findings.figures["times"] = partial(_draw_times, titles=titles, theirs=theirs, ours=ours)
    findings.figures["iterations"] = partial(
        _draw_iterations,
        titles=titles,
        theirs=[iterations[name][0] for name in puzzles],
        ours=[solved[name]["stats_iterations"].drop_nulls().to_list() for name in puzzles],
    )
    return findings


def judge_comparison(
    printed: Mapping[str, Any],
    limited: pl.DataFrame,
    by_trials: pl.DataFrame,
    unlimited: pl.DataFrame,
    *,
    has_originals: bool,
) -> Findings:
    """Judge Table 2.

    Parameters
    ----------
    printed
        The paper's Table 2.
    limited
        The tries of the hybrid and the GA with the paper's limit, for the GA in generations. These are judged.
    by_trials
        The tries of the GA with the paper's limit in evaluations of the fitness.
    unlimited
        The tries of both without the limit.
    has_originals
        Whether the puzzles are the paper's.
    """
    findings = Findings()
    puzzles = printed["puzzles"]
    columns = ("hybrid, no limit", "hybrid", "GA, no limit", "GA")
    sources = ((unlimited, HYBRID), (limited, HYBRID), (unlimited, GENETIC), (limited, GENETIC), (by_trials, GENETIC))
    ours = {name: [rate_of(_of(runs.filter(solver=solver), name)) for runs, solver in sources] for name in puzzles}
    theirs = {name: [(number, printed["num_tries"]) for number in numbers] for name, numbers in puzzles.items()}
    first = next(iter(puzzles))
    findings.add_table(
        f"% solved of {ours[first][1][1]} tries with the limit and {ours[first][0][1]} without (the paper: of "
        f"{printed['num_tries']}); the limit of the GA is counted in generations, in the last column in trials",
        ["puzzle", *beside([f"paper: {name}" for name in columns], ["ours"] * 4), "ours: GA, trials"],
        [
            (_title(name), *(100 * share_of(rate) for rate in (*beside(theirs[name], ours[name][:4]), ours[name][4])))
            for name in puzzles
        ],
    )
    findings.figures["solved"] = partial(
        _draw_rates,
        titles=[_title(name) for name in puzzles],
        rates={
            f"{solver}: {whose}": ([table[name][place] for name in puzzles], style)
            for solver, place, styles in (("hybrid", 1, _HYBRIDS), ("GA", 3, _GENETICS))
            for whose, table, style in zip(("paper", "ours"), (theirs, ours), styles, strict=True)
        },
    )
    paper_rates, our_rates = (
        {
            title: [_sum(table[name][place] for name in puzzles if name.startswith(prefix)) for place in range(4)]
            for title, prefix in ((_EASY, "s10"), (_MEDIUM, "s11"), (_HARD, "s12"))
        }
        for table in (theirs, ours)
    )
    for title in paper_rates:
        (_, hybrid_paper, _, genetic_paper), (_, hybrid, _, genetic) = paper_rates[title], our_rates[title]
        if share_of(hybrid_paper) > share_of(genetic_paper):
            findings.check_difference(
                f"with the limit, the hybrid succeeds more often than the GA on {title}",
                compare_rates(fewer=genetic, more=hybrid, expected=(share_of(genetic_paper), share_of(hybrid_paper))),
            )
        if has_originals:
            findings.check_rate(f"hybrid with the limit on {title}", hybrid, hybrid_paper)
    if has_originals:  # single puzzles have too few tries in the paper for rates between 0 and 1
        for title, group in ((_EASY, (_EASY,)), (f"{_MEDIUM} and {_HARD}", (_MEDIUM, _HARD))):
            rates = (_sum(table[one][3] for one in group) for table in (our_rates, paper_rates))
            findings.check_rate(f"GA with the limit on {title}", *rates)
    for easier, harder in pairwise(paper_rates):
        findings.check_difference(
            f"with the limit, the GA succeeds less often on {harder} than on {easier}",
            compare_rates(
                fewer=our_rates[harder][3],
                more=our_rates[easier][3],
                expected=(share_of(paper_rates[harder][3]), share_of(paper_rates[easier][3])),
            ),
        )
    return findings


def _draw_rates(
    axis: Axes, *, titles: Sequence[str], rates: Mapping[str, tuple[Sequence[Rate], dict[str, Any]]]
) -> None:
    """Draw success rates with their 95 % intervals, by puzzle."""
    from sudokulab.lab.statistics import success_rate

    for place, (label, (own, style)) in enumerate(rates.items()):
        shares, intervals = zip(*(success_rate(*rate) for rate in own), strict=True)
        middle, bounds = 100 * np.array(shares), 100 * np.array(intervals).T
        reach = np.maximum([middle - bounds[0], bounds[1] - middle], 0)  # rounding can put the rate just outside
        shifted = np.arange(len(titles)) + 0.2 * (place - (len(rates) - 1) / 2)
        axis.errorbar(shifted, middle, yerr=reach, linestyle="none", capsize=2, label=label, **style)
    axis.set_xticks(np.arange(len(titles)), list(titles), rotation=20)
    axis.set_ylim(-3, 105)
    axis.set_ylabel("tries that succeed (%), 95 % interval")
    axis.grid(axis="y", alpha=0.3)
    axis.legend(frameon=False)


def _draw_times(
    axis: Axes, *, titles: Sequence[str], theirs: Mapping[str, Sequence[float]], ours: Mapping[str, Sequence[float]]
) -> None:
    """Draw the times relative to the first puzzle, so that the two machines can be compared."""
    from sudokulab.lab.figures import log_axis

    for label, times, style, shift in (("paper", theirs, _PAPER, 0.1), ("ours", ours, _OURS, -0.1)):
        rows = np.array(list(times.values()))
        least, mean, most = (rows / rows[0, 1]).T
        reach = [mean - least, most - mean]
        axis.errorbar(
            np.arange(len(times)) + shift, mean, yerr=reach, linestyle="none", capsize=3, label=label, **style
        )
    log_axis(axis, "y")
    axis.set_xticks(np.arange(len(titles)), list(titles), rotation=20)
    axis.set_ylabel(f"time, mean of {titles[0]} = 1: least, mean, most")
    axis.grid(axis="y", alpha=0.3)
    axis.legend(frameon=False, loc="upper left")


def _draw_iterations(
    axis: Axes, *, titles: Sequence[str], theirs: Sequence[float], ours: Sequence[Sequence[float]]
) -> None:
    """Draw the iterations that follow from the paper's seconds, and our means with their 95 % intervals."""
    places = np.arange(len(titles))
    means = np.array([statistics.fmean(own) if own else nan for own in ours])
    low, high = zip(*(interval_of_mean(own) for own in ours), strict=True)
    axis.plot(places + 0.1, theirs, linestyle="none", label="paper, from its seconds", **_PAPER)
    reach = [means - low, high - means]
    axis.errorbar(places - 0.1, means, yerr=reach, linestyle="none", capsize=3, label="ours", **_OURS)
    axis.set_xticks(places, list(titles), rotation=20)
    axis.set_ylim(bottom=-10)
    axis.set_ylabel("mean iterations of successful tries, 95 % interval")
    axis.grid(axis="y", alpha=0.3)
    axis.legend(frameon=False, loc="upper left")


def _title(puzzle: str) -> str:
    """Return the paper's name of a puzzle: s10a is Easy a."""
    return f"{_LEVEL_OF[puzzle[:3]]} {puzzle[3:]}"


def _of(runs: pl.DataFrame, puzzle: str) -> pl.DataFrame:
    return runs.filter(runs["instance"].str.ends_with(f"/{puzzle}")).sort("run")


def _sum(rates: Iterable[Rate]) -> Rate:
    successes, tries = zip(*rates, strict=True)
    return sum(successes), sum(tries)


def _pooled(rates: Mapping[str, Rate], puzzles: Mapping[str, Mapping[str, Any]], level: str) -> Rate:
    return _sum(rate for name, rate in rates.items() if puzzles[name]["level"] == level)


def _range(column: pl.Series) -> list[float]:
    """Return the minimum, mean and maximum."""
    values = column.drop_nulls().to_list()
    return [min(values), statistics.fmean(values), max(values)] if values else [nan] * 3

"""Jones, Roach & Perkins 2007: comparison of our numbers with the paper's, and the checks."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, product
from math import nan
from typing import TYPE_CHECKING, Any

from sudokulab.lab.power import compare_paired_values, compare_values, puzzle_means, puzzle_pairs
from sudokulab.papers.jones_2007.figures import draw_means, draw_weights
from sudokulab.papers.numbers import beside, mean, rate_of
from sudokulab.papers.reproduction import Findings

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "LEVELS",
    "PAIRINGS",
    "VARIANTS",
    "Placement",
    "judge_givens",
    "judge_initialisation",
    "judge_levels",
    "judge_solved",
    "judge_weights",
    "pairing",
    "possible_numbers",
]

LEVELS = ("easy", "medium", "hard", "hardest")
VARIANTS = {"best-first": "without restarts", "random-restart": "with restarts"}
# w1 and w2; only their signs and ratio matter
PAIRINGS = ((1.0, 0.0), (4.0, -1.0), (2.0, -1.0), (1.0, -1.0), (1.0, -2.0), (1.0, -5.0), (0.0, -1.0), (1.0, 1.0))
NUM_PUZZLES = 100  # in the paper's test set
MAX_F1 = 2 * 81  # nine digits in each of nine rows and nine columns
FACTOR = 2  # tolerance of the value checks
_NOTABLE_RATIO = 1.25  # of iterations; any claimed ratio gives the same p-value


def judge_weights(printed: Mapping[str, Any], runs: Mapping[str, pl.DataFrame]) -> Findings:
    """Judge the pairings by puzzles solved and iterations.

    Parameters
    ----------
    printed
        The pairing chosen in the paper.
    runs
        Runs labelled by pairing, by variant of the search. The checks concern the first variant.
    """
    findings = Findings()
    pairings = [pairing(w1, w2) for w1, w2 in PAIRINGS]
    solved = {
        variant: [100 * mean(table.filter(solver=name)["is_success"]) for name in pairings]
        for variant, table in runs.items()
    }
    iterations = {
        variant: [mean(table.filter(solver=name)["stats_iterations"]) for name in pairings]
        for variant, table in runs.items()
    }
    first = next(iter(runs))
    chosen = pairing(*printed["chosen"])
    counts, shares = (dict(zip(pairings, column, strict=True)) for column in (iterations[first], solved[first]))
    p_values = {name: _p_value_of_fewer(runs[first], chosen, name) for name in pairings if name != chosen}
    findings.add_table(
        f"{len(runs[first]) // len(pairings)} runs per pairing and variant",
        [
            "w1, w2",
            *(f"{what}, {VARIANTS[variant]}" for variant in runs for what in ("solved %", "iterations")),
            f"p: {chosen} needs fewer, {VARIANTS[first]}",
        ],
        [
            (
                name,
                *(column[place] for variant in runs for column in (solved[variant], iterations[variant])),
                p_values.get(name),
            )
            for place, name in enumerate(pairings)
        ],
    )
    fewest = min(counts, key=lambda name: counts[name])
    findings.check_shape(f"{chosen} needs the fewest iterations on average (ours: {fewest})", fewest == chosen)
    findings.check_shape(
        f"{chosen} solves a large number: more than half of the runs ({shares[chosen]:.0f} %)", shares[chosen] > 50
    )
    findings.figures["weights"] = partial(
        draw_weights,
        names=pairings,
        labels=VARIANTS,
        solved={variant: [rate_of(table.filter(solver=name)) for name in pairings] for variant, table in runs.items()},
        iterations={
            variant: [_by_puzzle(table.filter(solver=name), "stats_iterations") for name in pairings]
            for variant, table in runs.items()
        },
    )
    return findings


def _p_value_of_fewer(runs: pl.DataFrame, chosen: str, other: str) -> float:
    pairs = puzzle_pairs(runs.filter(solver=chosen), runs.filter(solver=other), "stats_iterations")
    return compare_paired_values(*pairs, ratio=_NOTABLE_RATIO).p_value


@dataclass(frozen=True)
class Placement:
    """Properties of the initial states of one kind, and of the climbs from them.

    Parameters
    ----------
    ms
        Milliseconds to construct one, on average.
    f1
        Distinct digits summed over rows and columns, on average.
    clashes
        Clashes between a given and another cell, on average.
    runs
        The climbs.
    """

    ms: float
    f1: float
    clashes: float
    runs: pl.DataFrame

    @property
    def solved(self) -> pl.DataFrame:
        """The climbs that reach the goal."""
        return self.runs.filter(is_success=True)


def judge_initialisation(printed: Mapping[str, Any], alone: Placement, swapped: Placement) -> Findings:
    """Judge the effect of post-swapping."""
    findings = Findings()
    iterations = mean(alone.solved["stats_iterations"]), mean(swapped.solved["stats_iterations"])
    rows = [
        ("ms to initialise", *beside(printed["ms"], (alone.ms, swapped.ms))),
        ("iterations of successful climbs", *beside(printed["iterations"], iterations)),
        ("f1", *beside(printed["f1"], (alone.f1, swapped.f1))),
        ("remaining clashes with givens", *beside(printed["clashes"], (alone.clashes, swapped.clashes))),
    ]
    findings.add_table("", ["", "paper: greedy", "ours", "paper: with post-swapping", "ours"], rows)
    gain, their_gain = swapped.f1 - alone.f1, printed["f1"][1] - printed["f1"][0]
    findings.check(
        f"f1 rises by {their_gain} as in the paper, within 3 (ours: {gain:.1f})", abs(gain - their_gain) <= 3
    )
    for name, pair in (("iterations", iterations), ("clashes", (alone.clashes, swapped.clashes))):
        findings.check(f"{name}: within a factor of {FACTOR} of the paper's", _within(printed[name], pair))
    _check_ratio(findings, "time with post-swapping to time without", printed["ms"], (alone.ms, swapped.ms))
    findings.check_shape("post-swapping raises f1", gain > 0)
    findings.check_shape("post-swapping removes more than half of the clashes", swapped.clashes < alone.clashes / 2)
    more, fewer = printed["iterations"]
    findings.check_difference(
        "successful climbs take fewer iterations with post-swapping on the same puzzles",
        compare_paired_values(*puzzle_pairs(swapped.solved, alone.solved, "stats_iterations"), ratio=more / fewer),
    )
    findings.check_consistency(
        f"the printed f1 scores are possible: at most {MAX_F1}",
        max(printed["f1"]) <= MAX_F1,
        f"The paper prints f1 scores of {printed['f1'][0]} and {printed['f1'][1]}. By its definition f1 counts the "
        f"distinct digits of 9 rows and 9 columns, and cannot exceed {MAX_F1}. We compare the gain, not the level.",
    )
    return findings


def judge_levels(printed: Mapping[str, Sequence[float]], runs: pl.DataFrame, *, outlier: float) -> Findings:
    """Judge iterations and restarts by level; an outlier needs at least `outlier` times the median restarts."""
    findings = Findings()
    groups = {level: runs.filter(instance_set=level) for level in LEVELS}
    ours = {level: [mean(mine["num_givens"]), *_means(mine)] for level, mine in groups.items()}
    _add_means(findings, "level", ("givens", "iterations", "restarts", "ms"), printed, ours)
    numbers = [possible_numbers(printed[level], [2, 2, 2, 2])[0] for level in LEVELS]
    _add_totals(findings, LEVELS, [printed[level][1] for level in LEVELS], numbers)
    _check_means(findings, "level", [(printed[level][1:], ours[level][1:]) for level in LEVELS])
    for place, what in ((1, "iterations"), (3, "ms")):
        pair = [(table["easy"][place], table["hardest"][place]) for table in (printed, ours)]
        _check_ratio(findings, f"{what} of the hardest puzzles to those of the easy ones", *pair)
    for place, name in ((1, "iterations"), (2, "restarts")):
        for low, high in pairwise(LEVELS):
            findings.check_difference(
                f"{name} rise from {low} to {high}",
                compare_values(
                    *(_by_puzzle(groups[level], f"stats_{name}") for level in (low, high)),
                    ratio=printed[high][place] / printed[low][place],
                    runs_per_count=_runs_per_puzzle(runs) if name == "restarts" else None,
                ),
            )
    has_outliers = all(_max_over_median(group) >= outlier for group in groups.values())
    findings.check_shape(
        f"at every level some runs need far more restarts than others (at least {outlier:g} times the median)",
        has_outliers,
    )
    findings.check_consistency(
        f"the printed averages can be those of {NUM_PUZZLES} puzzles",
        sum(numbers) <= NUM_PUZZLES,
        f"The printed averages cannot be those of {NUM_PUZZLES} puzzles: their decimals need at least "
        f"{_listed(numbers)} puzzles, {sum(numbers)} in total.",
    )
    slower, faster = printed["easy"][3], printed["medium"][3]
    if slower > faster:
        findings.notes.append(
            f"In the paper, the easy puzzles take longer ({slower:,.0f} ms) than the medium ones ({faster:,.0f} ms), "
            "with fewer iterations and restarts."
        )
    _add_figures(findings, "level", LEVELS, {key: row[1:3] for key, row in printed.items()}, list(groups.values()))
    return findings


def _max_over_median(runs: pl.DataFrame) -> float:
    restarts = runs["stats_restarts"].drop_nulls().to_list()
    return float(max(restarts) / max(1.0, statistics.median(restarts))) if restarts else nan


def judge_givens(printed: Mapping[str, Sequence[float]], runs: pl.DataFrame) -> Findings:
    """Judge iterations and restarts by the number of givens."""
    findings = Findings()
    groups = {}
    previous = -1
    for name in printed:
        last = int(name.partition("-")[2] or 81)
        groups[name] = runs.filter((runs["num_givens"] > previous) & (runs["num_givens"] <= last))
        previous = last
    classes = list(printed)
    ours = {name: _means(mine) for name, mine in groups.items()}
    _add_means(findings, "givens", ("iterations", "restarts", "ms"), printed, ours)
    decimals = ([3, 6], [4, 6], [5, 6], [0, 6])
    possible = [possible_numbers(printed[name][:2], digits) for name, digits in zip(classes, decimals, strict=True)]
    numbers = [counts[0] for counts in possible]
    _add_totals(findings, classes, [printed[name][0] for name in classes], numbers)
    _check_means(findings, "class", [(printed[name], ours[name]) for name in classes])
    fewest, most = classes[-2], classes[0]
    for place, what in ((0, "iterations"), (2, "ms")):
        pair = [(table[fewest][place], table[most][place]) for table in (printed, ours)]
        _check_ratio(findings, f"{what} with {most} givens to those with {fewest}", *pair)
    at_once = int((groups[classes[-1]]["stats_iterations"] == 0).sum())
    findings.check(f"initialisation alone solves some puzzles of the last class (ours: {at_once})", at_once > 0)
    for place, name, compared in ((0, "iterations", classes), (1, "restarts", classes[:3])):
        for more, less in pairwise(compared):
            findings.check_difference(
                f"{name} fall from {more} to {less} givens",
                compare_values(
                    *(_by_puzzle(groups[key], f"stats_{name}") for key in (less, more)),
                    ratio=printed[more][place] / printed[less][place],
                    runs_per_count=_runs_per_puzzle(runs) if name == "restarts" else None,
                ),
            )
    findings.check_consistency(
        f"the printed averages can be those of {NUM_PUZZLES} puzzles",
        any(sum(counts) == NUM_PUZZLES for counts in product(*possible)),
        f"The printed averages cannot be those of {NUM_PUZZLES} puzzles: their decimals need at least "
        f"{_listed(numbers)} puzzles, {sum(numbers)} in total, and no larger numbers that they allow add up to "
        f"{NUM_PUZZLES}.",
    )
    findings.add_error("Two of the classes, 24-30 and 30-36, include puzzles with 30 givens.")
    iterations, restarts = printed[classes[-1]][:2]
    if restarts > iterations:
        findings.add_error(
            f"In the last class there are more restarts ({restarts:.2f}) than iterations ({iterations:g}), although a "
            "restart can only follow the exploration of a state."
        )
    _add_figures(findings, "givens", classes, {key: row[:2] for key, row in printed.items()}, list(groups.values()))
    return findings


def judge_solved(printed: Mapping[str, int], runs: pl.DataFrame) -> Findings:
    """Judge whether all puzzles are solved."""
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
    mine = runs.filter(runs["instance_set"].is_in(LEVELS))
    solved = set(mine.filter(is_success=True)["instance"])
    unsolved = [name for name in dict.fromkeys(mine["instance"]) if name not in solved]
    shown = f" (unsolved: {', '.join(unsolved)})" if unsolved else ""
    findings.check(f"every puzzle is solved in at least one run within our limit{shown}", not unsolved)
    findings.check_rate(
        "share of runs that solve their puzzle",
        rate_of(mine),
        (printed["num_solved"], printed["num_puzzles"]),
    )
    escargot = mine.filter(mine["instance"].str.ends_with("AI Escargot"))
    findings.check("AI Escargot is in the set and is solved", len(escargot) > 0 and escargot["is_success"].any())
    return findings


def pairing(w1: float, w2: float) -> str:
    """Return the label of a pairing of weights."""
    return f"{w1:g}, {w2:g}".replace("-", "−")


def possible_numbers(values: Sequence[float], decimals: Sequence[int]) -> list[int]:
    """Return the numbers of puzzles, up to 100, for which all printed values can be means of integers."""
    return [
        number
        for number in range(1, NUM_PUZZLES + 1)
        if all(round(round(value * number) / number, d) == value for value, d in zip(values, decimals, strict=True))
    ]


def _means(runs: pl.DataFrame) -> list[float]:
    """Return the mean iterations, restarts and milliseconds."""
    return [mean(runs["stats_iterations"]), mean(runs["stats_restarts"]), 1000 * mean(runs["seconds"])]


def _by_puzzle(runs: pl.DataFrame, column: str) -> list[float]:
    return list(puzzle_means(runs, column).values())


def _runs_per_puzzle(runs: pl.DataFrame) -> int:
    return max(1, len(runs) // max(1, runs["instance"].n_unique()))


def _within(theirs: Sequence[float], ours: Sequence[float]) -> bool:
    return all(one / FACTOR <= other <= one * FACTOR for one, other in zip(theirs, ours, strict=True))


def _listed(numbers: Sequence[int]) -> str:
    return f"{', '.join(str(number) for number in numbers[:-1])} and {numbers[-1]}"


def _check_ratio(findings: Findings, what: str, theirs: Sequence[float], ours: Sequence[float]) -> None:
    """Check the ratio of the second value to the first."""
    theirs_ratio, ours_ratio = theirs[1] / theirs[0], ours[1] / ours[0] if ours[0] else nan
    findings.check(
        f"ratio of {what}: within a factor of {FACTOR} of the paper's {theirs_ratio:.1f} (ours: {ours_ratio:.1f})",
        _within([theirs_ratio], [ours_ratio]),
    )


def _add_means(
    findings: Findings,
    what: str,
    names: Sequence[str],
    printed: Mapping[str, Sequence[float]],
    ours: Mapping[str, Sequence[float]],
) -> None:
    columns = [what, *(column for name in names for column in (f"paper: {name}", "ours"))]
    findings.add_table("", columns, [(key, *beside(printed[key], ours[key])) for key in printed])


def _add_totals(findings: Findings, keys: Sequence[str], iterations: Sequence[float], numbers: Sequence[int]) -> None:
    totals = [round(number * value) for number, value in zip(numbers, iterations, strict=True)]
    findings.add_table(
        "Smallest numbers of puzzles that the paper's decimals allow, and iterations in total",
        ["", "puzzles", "iterations"],
        [*zip(keys, numbers, totals, strict=True), ("sum", sum(numbers), sum(totals))],
    )


def _check_means(findings: Findings, what: str, pairs: Sequence[tuple[Sequence[float], Sequence[float]]]) -> None:
    """Check our iterations and restarts against the paper's."""
    for place, name in enumerate(("iterations", "restarts")):
        holds = all(_within(theirs[place : place + 1], ours[place : place + 1]) for theirs, ours in pairs)
        findings.check(f"{name}: within a factor of {FACTOR} of the paper's for every {what}", holds)


def _add_figures(
    findings: Findings,
    what: str,
    keys: Sequence[str],
    printed: Mapping[str, Sequence[float]],
    groups: Sequence[pl.DataFrame],
) -> None:
    for place, name in enumerate(("iterations", "restarts")):
        findings.figures[name] = partial(
            draw_means,
            what=what,
            name=name,
            keys=keys,
            theirs=[printed[key][place] for key in keys],
            ours=[_by_puzzle(group, f"stats_{name}") for group in groups],
        )

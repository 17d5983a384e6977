"""Soto et al. 2013: the printed numbers choose between readings of the two algorithms.

The paper does not say what happens when AC3 wipes out a domain. As printed, algorithm 4 stays in such a dead end. The
times of Table 1 fit a program that starts again (`seconds_per_iteration`), so we start again from the board that AC3
filtered before the search. Of the lengths of the tabu list, which the paper does not print either, we choose the one
under which the paper's numbers of tries are most probable (`choose_size`). The choice uses the tries with even numbers,
and Table 1 is judged on the others.

What is not known of the genetic algorithm (GA) is chosen in the same way: by the probability of the GA's successes in
Table 2 (`choose_genetic`), in tries that judge nothing.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from math import exp, log, nan
from typing import TYPE_CHECKING, Any

from sudokulab.lab import SolverSpec
from sudokulab.papers.numbers import rate_of, share_of
from sudokulab.solvers import Ac3Tabu, Genetic

if TYPE_CHECKING:
    import polars as pl

    from sudokulab.lab.power import Rate
    from sudokulab.papers.reproduction import Findings

__all__ = [
    "GENETIC",
    "GENETIC_SPECS",
    "HYBRID",
    "PRINTED",
    "SIZES",
    "SPECS",
    "add_genetic_readings",
    "add_tabu_readings",
    "choose_genetic",
    "choose_size",
    "expected_tries",
    "judged_tries",
    "log_likelihood",
    "printed_tries",
    "rates_of",
    "seconds_per_iteration",
    "starting_seconds",
]

HYBRID, PRINTED = "hybrid", "hybrid as printed"
SIZES = (5, 10, 15, 20, 25, 30, 35, 40)
"""Lengths of the tabu list to choose from."""
SPECS = [
    *(SolverSpec(name="ac3-tabu", label=f"{HYBRID} {size}", params={"tabu_size": size}) for size in SIZES),
    SolverSpec(name="ac3-tabu", label=PRINTED, params={"restart_after": 0}),
]

GENETIC = "GA"
GENETIC_SPECS = [
    SolverSpec(
        name="genetic",
        label=f"{name}, {cells}",
        params={"three_swap": share, "insertion": share, "ends_at_given": ends_at_given},
    )
    for name, share in (("10 % each", 0.1), ("20 % each", 0.2), ("a third each", 1 / 3))
    for cells, ends_at_given in (("open cells", False), ("all cells", True))
]
"""The GA with its two further mutations in several shares, and with two rules for the cells of a swap."""


def starting_seconds(printed: Mapping[str, Any]) -> float:
    """Return the paper's mean time on the easy puzzles, which AC3 solves before the first iteration."""
    return statistics.fmean(puzzle["seconds"][1] for puzzle in printed["puzzles"].values() if puzzle["level"] == "easy")


def seconds_per_iteration(printed: Mapping[str, Any]) -> dict[str, float]:
    """Return the duration of an iteration of the authors' program for each puzzle of Table 1 with failed tries.

    Suppose that the program starts again after a failure. Then the search is memoryless: every iteration finds the
    solution with the same probability q. The share of tries that succeed within L iterations, 1 - (1 - q)^L, is 30 over
    the number of tries, which gives q. The mean number of iterations of a successful try is then
    1/q - L (1 - q)^L / (1 - (1 - q)^L). The mean time, without the time to start, divided by this number is the
    duration of an iteration.
    """
    limit, start = printed["num_iterations"], starting_seconds(printed)
    seconds = {}
    for name, puzzle in printed["puzzles"].items():
        share = printed["num_solved"] / puzzle["tries"]
        if share < 1:
            q = 1 - (1 - share) ** (1 / limit)
            seconds[name] = (puzzle["seconds"][1] - start) / (1 / q - limit * (1 - share) / share)
    return seconds


def printed_tries(printed: Mapping[str, Any]) -> dict[str, Rate]:
    """Return the paper's successes and tries on each puzzle of Table 1."""
    return {name: (printed["num_solved"], puzzle["tries"]) for name, puzzle in printed["puzzles"].items()}


def log_likelihood(printed: Mapping[str, Rate], rates: Mapping[str, Rate]) -> float:
    """Return the logarithm of the probability of the paper's successes under our success rates, up to a constant.

    A rate of s successes in n tries counts as (s + 1) / (n + 2), so that nothing is impossible.
    """
    total = 0.0
    for name, (successes, tries) in printed.items():
        num_solved, num_tries = rates[name]
        share = (num_solved + 1) / (num_tries + 2)
        total += successes * log(share) + (tries - successes) * log(1 - share)
    return total


def expected_tries(rate: Rate, wanted: int) -> float:
    """Return the expected number of tries for so many successes; NaN without a success."""
    return wanted / share_of(rate) if rate[0] else nan


def rates_of(runs: pl.DataFrame, label: str, puzzles: Mapping[str, Any]) -> dict[str, Rate]:
    """Return the success rate of a solver on each puzzle."""
    own = runs.filter(solver=label)
    return {name: rate_of(own.filter(own["instance"].str.ends_with(f"/{name}"))) for name in puzzles}


def choose_size(printed: Mapping[str, Any], runs: pl.DataFrame) -> tuple[int, dict[int, float]]:
    """Return the length of the tabu list under which the paper's tries are most probable, and all log-likelihoods."""
    even, theirs = runs.filter(runs["run"] % 2 == 0), printed_tries(printed)
    fits = {size: log_likelihood(theirs, rates_of(even, f"{HYBRID} {size}", theirs)) for size in SIZES}
    return max(fits, key=fits.__getitem__), fits


def choose_genetic(printed: Mapping[str, Any], runs: pl.DataFrame) -> tuple[SolverSpec, dict[str, float]]:
    """Return the GA under which the paper's successes with the limit are most probable, and all log-likelihoods."""
    theirs = {name: (row[-1], printed["num_tries"]) for name, row in printed["puzzles"].items()}
    fits = {spec.title: log_likelihood(theirs, rates_of(runs, spec.title, theirs)) for spec in GENETIC_SPECS}
    return max(GENETIC_SPECS, key=lambda spec: fits[spec.title]), fits


def judged_tries(printed: Mapping[str, Any], runs: pl.DataFrame) -> pl.DataFrame:
    """Return the tries that did not take part in the choice: those of the chosen hybrid, and those as printed."""
    import polars as pl

    size, _ = choose_size(printed, runs)
    odd = runs.filter(runs["run"] % 2 == 1, pl.col("solver").is_in([f"{HYBRID} {size}", PRINTED]))
    return odd.with_columns(pl.col("solver").replace(f"{HYBRID} {size}", HYBRID))


def add_tabu_readings(findings: Findings, printed: Mapping[str, Any], runs: pl.DataFrame) -> None:
    """Show the duration of an iteration in the paper, and what each length of the tabu list gives."""
    puzzles, wanted, seconds = printed["puzzles"], printed["num_solved"], seconds_per_iteration(printed)
    findings.add_table(
        "Seconds per iteration that the paper's Table 1 implies",
        ["puzzle", "paper: tries", "mean s", "s per iteration"],
        [
            (puzzles[name]["title"], puzzles[name]["tries"], puzzles[name]["seconds"][1], seconds[name])
            for name in seconds
        ],
    )
    size, fits = choose_size(printed, runs)
    even, theirs = runs.filter(runs["run"] % 2 == 0), printed_tries(printed)
    uncertain = [name for name, (successes, tries) in theirs.items() if tries > successes]
    rates = {str(one): rates_of(even, f"{HYBRID} {one}", theirs) for one in SIZES}
    default = Ac3Tabu().tabu_size
    rates[f"{default}, as printed"] = rates_of(even, PRINTED, theirs)
    best, number = fits[size], next(iter(rates[str(size)].values()))[1]
    findings.add_table(
        f"Expected tries for {wanted} successes by the length of the tabu list, and how much less probable than under "
        f"the best length the paper's tries are; from {number} tries per puzzle",
        ["length", *(puzzles[name]["title"] for name in uncertain), "less probable by"],
        [
            ("paper", *(puzzles[name]["tries"] for name in uncertain), None),
            *(
                (
                    one,
                    *(expected_tries(own[name], wanted) for name in uncertain),
                    exp(best - log_likelihood(theirs, own)),
                )
                for one, own in rates.items()
            ),
        ],
    )
    findings.check(f"the best length, {size}, is the default of `tabu_size` ({default})", size == default)


def add_genetic_readings(findings: Findings, printed: Mapping[str, Any], runs: pl.DataFrame) -> None:
    """Show what each reading of the GA solves with the limit of Table 2."""
    spec, fits = choose_genetic(printed, runs)
    puzzles, number = printed["puzzles"], printed["num_tries"]
    rates = {title: rates_of(runs, title, puzzles) for title in fits}
    num_tries = next(iter(rates[spec.title].values()))[1]
    findings.add_table(
        f"GA: % solved within {printed['num_iterations']:,} generations, by the shares of the two further mutations "
        f"and the cells that a swap draws, from {num_tries} tries per puzzle; and how much less probable the paper's "
        "successes are than under the best reading",
        ["mutations, cells", *puzzles, "less probable by"],
        [
            ("paper", *(100 * row[-1] / number for row in puzzles.values()), None),
            *(
                (title, *(100 * share_of(rate) for rate in rates[title].values()), exp(fits[spec.title] - fit))
                for title, fit in fits.items()
            ),
        ],
    )
    findings.check(
        f"the best reading of the GA, {spec.title}, is the default of `genetic`", Genetic(**spec.params) == Genetic()
    )

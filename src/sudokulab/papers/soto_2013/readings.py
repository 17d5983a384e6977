"""Soto et al. 2013: what the printed numbers say about the authors' program, and the choice of our default.

The paper does not say what happens when AC3 wipes out a domain. As printed, algorithm 4 stays in such a dead end. The
times of Table 1 show that the program did not (`seconds_per_iteration`). We therefore start again from the board that
AC3 filtered before the search. Of the lengths of the tabu list, which the paper does not print either, we choose the
one under which the paper's numbers of tries are most probable (`choose_size`). The choice uses the tries with even
numbers, and Table 1 is judged on the others.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from math import log
from typing import TYPE_CHECKING, Any

from sudokulab.lab import SolverSpec
from sudokulab.papers.numbers import rate_of

if TYPE_CHECKING:
    import polars as pl

    from sudokulab.lab.power import Rate

__all__ = [
    "HYBRID",
    "PRINTED",
    "SIZES",
    "SPECS",
    "choose_size",
    "judged_tries",
    "log_likelihood",
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


def log_likelihood(printed: Mapping[str, Any], rates: Mapping[str, Rate]) -> float:
    """Return the logarithm of the probability of the paper's tries under our success rates, up to a constant.

    A rate of s successes in n tries counts as (s + 1) / (n + 2), so that nothing is impossible.
    """
    wanted, total = printed["num_solved"], 0.0
    for name, puzzle in printed["puzzles"].items():
        num_solved, num_tries = rates[name]
        share = (num_solved + 1) / (num_tries + 2)
        total += wanted * log(share) + (puzzle["tries"] - wanted) * log(1 - share)
    return total


def rates_of(runs: pl.DataFrame, label: str, puzzles: Mapping[str, Any]) -> dict[str, Rate]:
    """Return the success rate of a solver on each puzzle."""
    own = runs.filter(solver=label)
    return {name: rate_of(own.filter(own["instance"].str.ends_with(f"/{name}"))) for name in puzzles}


def choose_size(printed: Mapping[str, Any], runs: pl.DataFrame) -> tuple[int, dict[int, float]]:
    """Return the length of the tabu list under which the paper's tries are most probable, and all log-likelihoods."""
    even = runs.filter(runs["run"] % 2 == 0)
    fits = {size: log_likelihood(printed, rates_of(even, f"{HYBRID} {size}", printed["puzzles"])) for size in SIZES}
    return max(fits, key=fits.__getitem__), fits


def judged_tries(printed: Mapping[str, Any], runs: pl.DataFrame) -> pl.DataFrame:
    """Return the tries that did not take part in the choice: those of the chosen hybrid, and those as printed."""
    import polars as pl

    size, _ = choose_size(printed, runs)
    odd = runs.filter(runs["run"] % 2 == 1, pl.col("solver").is_in([f"{HYBRID} {size}", PRINTED]))
    return odd.with_columns(pl.col("solver").replace(f"{HYBRID} {size}", HYBRID))

"""What the artefacts share: the solvers, and groups of runs as numbers."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt
from typing import Any

import polars as pl

from sudokulab.lab import SolverSpec

__all__ = ["ANTS", "FOUR", "STILL_ANTS", "Group", "groups", "limit_of", "net_times", "noise", "shown"]

ANTS = SolverSpec(name="ant-colony", label="ACS")
STILL_ANTS = SolverSpec(name="ant-colony", label="ACS, no BVE", params={"evaporation": 0.0})
FOUR = (
    ANTS,
    SolverSpec(name="iterated-local-search", label="ILS"),
    SolverSpec(name="dlx", label="DLX"),
    SolverSpec(name="backtracking", label="BS"),
)
"""The four that the paper compares, by its names for them."""


@dataclass(frozen=True)
class Group:
    """Runs of one solver, as numbers; times are of the successful ones, infinite if there are none.

    Parameters
    ----------
    number
        How many runs.
    success
        The percentage of them that succeeded.
    mean, median
        Seconds.
    par2
        Mean seconds of all runs, a failure counted as twice its limit.
    """

    number: int
    success: float
    mean: float
    median: float
    par2: float


def groups(runs: pl.DataFrame, column: str) -> dict[tuple[Any, str], Group]:
    """Return the runs by the value of a column and the solver."""
    seconds = pl.col("seconds").filter("is_success")
    table = runs.group_by(column, "solver", maintain_order=True).agg(
        pl.len().alias("number"),
        (100 * pl.col("is_success").mean()).alias("success"),
        seconds.mean().fill_null(inf).alias("mean"),
        seconds.median().fill_null(inf).alias("median"),
        pl.when("is_success").then("seconds").otherwise(2 * pl.col("budget_seconds")).mean().alias("par2"),
    )
    return {(value, solver): Group(*numbers) for value, solver, *numbers in table.iter_rows()}


def net_times(runs: pl.DataFrame) -> pl.DataFrame:
    """Take the solver's own time, without the call from Python, which is longer than many a 9×9 search."""
    return runs.with_columns(pl.min_horizontal("seconds", "reported_seconds").alias("seconds"))


def limit_of(runs: pl.DataFrame) -> float:
    """Return the seconds that a run might take."""
    return float(runs["budget_seconds"][0])


def noise(percent: float, number: int, of_paper: int = 100) -> float:
    """Return how many points two percentages of so many runs may differ by chance, 19 times in 20."""
    share = min(max(percent / 100, 0.02), 0.98)
    return 196 * sqrt(share * (1 - share) * (1 / number + 1 / of_paper))


def shown(seconds: float, unit: float = 1.0) -> float | None:
    """Return a time as a table shows it, in another unit; None if there is none."""
    return None if seconds == inf else seconds * unit

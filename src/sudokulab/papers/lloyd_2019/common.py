"""Solvers and run statistics shared by the artefacts."""

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
"""The four solvers compared in the paper, under the paper's names."""


@dataclass(frozen=True)
class Group:
    """Statistics of runs of one solver; times are of successful runs, infinite if every run failed.

    Parameters
    ----------
    number
        Number of runs.
    success
        Percentage of successful runs.
    mean, median
        Mean and median seconds.
    par2
        Mean seconds of all runs, counting a failure as twice its limit.
    """

    number: int
    success: float
    mean: float
    median: float
    par2: float


def groups(runs: pl.DataFrame, column: str) -> dict[tuple[Any, str], Group]:
    """Group the runs by the value of a column and by solver."""
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
    """Use the time reported by the solver, without Python's call overhead, which exceeds many 9×9 searches."""
    return runs.with_columns(pl.min_horizontal("seconds", "reported_seconds").alias("seconds"))


def limit_of(runs: pl.DataFrame) -> float:
    """Return the time limit of the runs in seconds."""
    return float(runs["budget_seconds"][0])


def noise(percent: float, number: int, of_paper: int = 100) -> float:
    """Return the half-width, in points, of a 95 % interval for the difference between two success percentages."""
    share = min(max(percent / 100, 0.02), 0.98)
    return 196 * sqrt(share * (1 - share) * (1 / number + 1 / of_paper))


def shown(seconds: float, unit: float = 1.0) -> float | None:
    """Return a time as shown in tables, scaled by `unit`; None if infinite."""
    return None if seconds == inf else seconds * unit

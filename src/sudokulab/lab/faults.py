"""Runs that cannot be taken at face value: late, wrong, crashed, or with misreported times."""

from __future__ import annotations

import polars as pl

from sudokulab.lab.records import Outcome

__all__ = ["MISREPORTED", "errors_by_solver", "faults"]

MISREPORTED = "misreported time"
"""The fault of a successful run whose own time is far below the measured one."""


def faults(runs: pl.DataFrame) -> pl.DataFrame:
    """Return the faulty runs with a column ``fault``: their outcome, or `MISREPORTED`.

    A run that used up its budget without an answer is not a fault.
    """
    return runs.with_columns(
        pl.when(pl.col("outcome").is_in(Outcome.FAULTS))
        .then(pl.col("outcome"))
        .when(pl.col("error").is_not_null())
        .then(pl.lit(MISREPORTED))
        .alias("fault")
    ).filter(pl.col("fault").is_not_null())


def errors_by_solver(runs: pl.DataFrame) -> pl.DataFrame:
    """Count the faulty runs of each solver.

    Returns
    -------
    pl.DataFrame
        ``solver``, ``outcome``, ``num_runs``, and ``instance``, ``seed`` and ``message`` of the first such run.
    """
    faulty = faults(runs).select("solver", "instance", "seed", outcome="fault", message="error")
    groups = faulty.group_by("solver", "outcome", maintain_order=True)
    return groups.agg(pl.len().alias("num_runs"), pl.first("instance", "seed", "message")).sort("solver", "outcome")

"""What a comparison of runs is based on: penalised times, success, or final costs.

`runs` is always a frame with one row per run and the columns ``solver``, ``instance``, ``run``, ``is_success`` (a
verified answer within the budget), ``seconds`` (CPU time, of failed runs as well) and ``budget_seconds`` (null if
unlimited). ``cost``, the cost of the best state found, is optional. The frame is of polars or pandas.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, get_args

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from sudokulab.errors import SudokulabError

__all__ = [
    "SHORTEST_SECONDS",
    "Basis",
    "Floats",
    "Measure",
    "Runs",
    "as_frame",
    "basis_of",
    "checked_runs",
    "complete_rows",
    "instance_scores",
    "par2",
    "penalised_seconds",
    "run_scores",
    "times_of",
]

Measure = Literal["par2", "success", "cost"]
Floats = NDArray[np.float64]


class PandasFrame(Protocol):
    """What is used of a frame of pandas."""

    def astype(self, dtype: Any) -> Any:
        """Return a frame with values of another type."""

    def notna(self) -> object:
        """Return a frame of booleans: False for missing values."""


Runs: TypeAlias = pl.DataFrame | PandasFrame
"""A table of runs."""

SHORTEST_SECONDS = 1e-6
"""The resolution of the clock; shorter times count as this in ratios and logarithms."""


@dataclass(frozen=True)
class Basis:
    """The measure by which solvers are compared, and the solvers that it applies to.

    Parameters
    ----------
    measure
        See `run_scores`.
    solvers
        The solvers that can be compared.
    note
        The choice in words, for tables and reports.
    """

    measure: Measure
    solvers: tuple[str, ...]
    note: str


def as_frame(table: Runs) -> pl.DataFrame:
    """Return a table as a frame of polars; NaN in a frame of pandas becomes null, and its index is dropped."""
    if isinstance(table, pl.DataFrame):
        return table
    if not hasattr(table, "notna"):
        raise SudokulabError(f"{type(table).__name__} is no table of runs; pass a frame of polars or pandas")
    return pl.DataFrame(table.astype(object).where(table.notna(), None).to_dict("list"), strict=False)


def basis_of(runs: Runs) -> Basis:
    """Choose the measure: PAR-2 seconds, or final costs if no run was solved."""
    runs = as_frame(runs)
    solvers = sorted(runs["solver"].unique())
    if runs["is_success"].any():
        note = "Failed runs count as infinite in the median, and as twice their budget in PAR-2. Seconds are CPU time."
        return Basis("par2", tuple(solvers), note)
    with_cost = runs.filter(pl.col("cost").is_not_null()) if "cost" in runs.columns else runs.clear()
    able = sorted(with_cost["solver"].unique())
    if not able:
        return Basis("par2", (), "No run was solved and no solver reports a cost, so nothing can be compared.")
    others = [name for name in solvers if name not in able]
    if not others:
        note = "No run was solved: final costs are compared."
    elif len(able) == 1:
        note = f"No run was solved and only {able[0]} reports a cost, so nothing can be compared."
    else:
        note = f"No run was solved: the final costs of {', '.join(able)} are compared. "
        note += f"No cost reported: {', '.join(others)}."
    num_lacking = len(runs.filter(pl.col("solver").is_in(able))) - len(with_cost)
    if num_lacking:
        note += f" Runs without a cost ({num_lacking:,}) count as worse than any cost."
    return Basis("cost", tuple(able), note)


def checked_runs(runs: Runs, *columns: str) -> pl.DataFrame:
    """Return the runs ordered by solver, instance and run.

    Raises
    ------
    SudokulabError
        If a column is missing.
    """
    runs = as_frame(runs)
    needed = ("solver", "instance", "run", "is_success", "seconds", "budget_seconds", *columns)
    missing = [name for name in needed if name not in runs.columns]
    if missing:
        raise SudokulabError(f"missing columns {', '.join(missing)}; the table needs {', '.join(needed)}")
    return runs.sort("solver", "instance", "run", maintain_order=True)


def times_of(runs: pl.DataFrame) -> tuple[Floats, NDArray[np.bool_], Floats]:
    """Return the seconds, the successes and the budgets (NaN if unlimited) of the runs."""
    budget = runs["budget_seconds"].cast(pl.Float64)  # null becomes NaN
    return runs["seconds"].cast(pl.Float64).to_numpy(), runs["is_success"].to_numpy(), budget.to_numpy()


def penalised_seconds(seconds: ArrayLike, is_success: ArrayLike, budget_seconds: ArrayLike | None) -> Floats:
    """Return the time of each run; failed runs count as twice the budget, or infinity without one (None or NaN)."""
    budget = np.asarray(np.nan if budget_seconds is None else budget_seconds, float)
    penalty = np.where(np.isnan(budget), np.inf, 2 * budget)
    return np.where(np.asarray(is_success, bool), np.asarray(seconds, float), penalty)


def par2(seconds: ArrayLike, is_success: ArrayLike, budget_seconds: ArrayLike | None) -> float:
    """Return the mean time of all runs, with failed runs counted as twice their budget.

    Examples
    --------
    >>> par2([1, 3, 10], [True, True, False], 10)
    8.0
    """
    return float(penalised_seconds(seconds, is_success, budget_seconds).mean())


def run_scores(runs: Runs, measure: Measure) -> pl.DataFrame:
    """Return the runs with a column ``score``; lower is better.

    Parameters
    ----------
    runs
        One row per run.
    measure
        ``"par2"``: the penalised seconds. ``"success"``: 0 for a success, 1 for a failure. ``"cost"``: the final cost,
        infinity for runs without one.
    """
    if measure not in get_args(Measure):
        raise SudokulabError(f"unknown measure {measure!r}; choose {' or '.join(get_args(Measure))}")
    checked = checked_runs(runs, *(["cost"] if measure == "cost" else []))
    if measure == "cost":
        return checked.with_columns(score=pl.col("cost").cast(pl.Float64).fill_null(np.inf))
    seconds, is_success, budget = times_of(checked)
    scores = penalised_seconds(seconds, is_success, budget) if measure == "par2" else 1.0 - is_success
    return checked.with_columns(pl.Series("score", scores, pl.Float64))


def instance_scores(scored: pl.DataFrame, average: Callable[[str], pl.Expr] = pl.mean) -> tuple[list[str], Floats]:
    """Return the solvers, and their average scores as instances × solvers; NaN where a solver has no run."""
    averages = scored.group_by("instance", "solver").agg(average("score"))
    instances, rows = np.unique(averages["instance"].to_list(), return_inverse=True)
    solvers, columns = np.unique(averages["solver"].to_list(), return_inverse=True)
    table = np.full((len(instances), len(solvers)), np.nan)
    table[rows, columns] = averages["score"].to_numpy()
    return solvers.tolist(), table


def complete_rows(table: Floats) -> Floats:
    """Return the rows without NaN: the instances on which all solvers ran."""
    return table[~np.isnan(table).any(axis=1)]

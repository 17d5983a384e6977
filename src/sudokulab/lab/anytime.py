"""Fixed-target and anytime results of traced runs: what effort each cost takes.

`progress` is always a frame with a row for each fall of the best cost of a run, and one for its end: the columns
``solver``, ``instance_set``, ``instance``, ``size``, ``run``, ``best_cost``, ``cost`` and the efforts so far
(``iterations``, ``evaluations``, ``moves``, ``seconds``; null for solvers that do not count them). Compare only solvers
with the same cost function: swaps count missing digits, and ants count empty cells. The frame is of polars or pandas.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sudokulab.errors import SudokulabError
from sudokulab.lab.measures import SHORTEST_SECONDS, Runs, as_frame
from sudokulab.lab.records import Outcome
from sudokulab.lab.store import Store

__all__ = [
    "EFFORTS",
    "Effort",
    "area_over_curve",
    "ecdf_over_targets",
    "fixed_targets",
    "hitting_efforts",
    "least_effort",
    "progress_of",
    "targets_of",
]

Effort = Literal["evaluations", "moves", "iterations", "seconds"]
EFFORTS: tuple[Effort, ...] = get_args(Effort)
"""The units in which the effort of a run is counted; seconds are CPU time."""

_RUN = ("solver", "instance", "run")
_COLUMNS = {
    **dict.fromkeys(("solver", "instance_set", "instance"), pl.String),
    **dict.fromkeys(("size", "run"), pl.Int64),
    **dict.fromkeys(("best_cost", "cost", *EFFORTS), pl.Float64),
}
_UNVERIFIED = (Outcome.WRONG, Outcome.ERROR)


def progress_of(store: Store, experiment: str) -> pl.DataFrame:
    """Return the progress of all traced runs of an experiment that record a best cost.

    Runs with a wrong or unreadable answer are left out. Runs that crashed or were killed have no trace.
    """
    frames = [pl.DataFrame(schema=_COLUMNS)]
    for run in store.traces(experiment):
        if "best_cost" not in run.trace or run.outcome in _UNVERIFIED:
            continue
        kept = _falls(run.trace["best_cost"])
        columns = {name: run.trace[name][kept] for name in ("best_cost", "cost", *EFFORTS) if name in run.trace}
        place = {name: getattr(run, name) for name in ("solver", "instance_set", "instance", "size", "run")}
        rows = pl.DataFrame(columns).with_columns(**{name: pl.lit(value) for name, value in place.items()})
        frames.append(rows.cast({name: _COLUMNS[name] for name in rows.columns}))
    return pl.concat(frames, how="diagonal")


def targets_of(progress: Runs, number: int = 20) -> list[float]:
    """Return costs to reach: whole numbers from the median first cost to 0, evenly spaced on a logarithmic scale."""
    progress = as_frame(progress)
    if progress.is_empty():
        return []
    first = progress.group_by(_RUN).agg(pl.col("best_cost").max())["best_cost"].median()
    assert isinstance(first, float)
    spaced = np.rint(np.geomspace(1, first + 1, number) - 1)
    return sorted({float(cost) for cost in spaced}, reverse=True)


def hitting_efforts(progress: Runs, targets: Sequence[float], effort: Effort = "evaluations") -> pl.DataFrame:
    """Return the effort of each run to reach each target.

    Returns
    -------
    pl.DataFrame
        ``solver``, ``instance``, ``run``, ``target``, ``effort`` (null if the run did not reach the target) and
        ``spent``, the effort of the whole run. Runs that do not count this effort are left out.
    """
    _check(effort)
    is_reached = pl.col("best_cost") <= pl.col("target")
    goals = pl.DataFrame({"target": list(targets)}, {"target": pl.Float64})
    return (
        as_frame(progress)
        .filter(pl.col(effort).is_not_null())
        .join(goals, how="cross")
        .group_by(*_RUN, "target")
        .agg(pl.col(effort).filter(is_reached).min().alias("effort"), pl.col(effort).max().alias("spent"))
        .sort(*_RUN, "target", descending=[False, False, False, True])
    )


def fixed_targets(progress: Runs, targets: Sequence[float], effort: Effort = "evaluations") -> pl.DataFrame:
    """Return what it takes to reach each target, one row per solver and target.

    Returns
    -------
    pl.DataFrame
        ``solver``, ``target``, ``num_runs``, ``num_success``, ``median`` (infinite if half of the runs or more did not
        reach the target) and ``expected``: the effort until the first success if failed runs are repeated, which is the
        effort of all runs divided by the number of successes.
    """
    hits = hitting_efforts(progress, targets, effort)
    spent = pl.coalesce("effort", "spent").sum()
    return (
        hits.group_by("solver", "target")
        .agg(
            pl.len().cast(pl.Int64).alias("num_runs"),
            pl.col("effort").count().cast(pl.Int64).alias("num_success"),
            pl.col("effort").fill_null(np.inf).median().alias("median"),
            (spent / pl.col("effort").count()).alias("expected"),
        )
        .sort("solver", "target", descending=[False, True])
    )


def ecdf_over_targets(progress: Runs, targets: Sequence[float], effort: Effort = "evaluations") -> pl.DataFrame:
    """Return the share of all pairs of runs and targets that each solver has reached within an effort.

    Returns
    -------
    pl.DataFrame
        ``solver``, ``effort`` (increasing) and ``share``, one row per step.

    References
    ----------
    .. [1] N. Hansen, A. Auger, D. Brockhoff, T. Tušar, "Anytime performance assessment in blackbox optimization
       benchmarking", IEEE Transactions on Evolutionary Computation 26 (2022) 1293-1305.
    """
    hits = hitting_efforts(progress, targets, effort)
    num_pairs = pl.len().over("solver")
    return (
        hits.with_columns(num_pairs.alias("pairs"))
        .filter(pl.col("effort").is_not_null())
        .sort("solver", "effort")
        .select("solver", "effort", (pl.int_range(1, pl.len() + 1).over("solver") / pl.col("pairs")).alias("share"))
        .unique(("solver", "effort"), keep="last", maintain_order=True)
    )


def area_over_curve(
    progress: Runs, targets: Sequence[float], effort: Effort = "evaluations", limit: float | None = None
) -> pl.DataFrame:
    """Return the area over the curve of `ecdf_over_targets`, from 0 (all targets at once) to 1 (none reached).

    The effort axis is logarithmic, from one unit (or a microsecond) to the limit, so the area is the mean logarithm of
    the efforts, scaled. Targets that were not reached within the limit count as reached at the limit.

    Parameters
    ----------
    progress, targets, effort
        See `hitting_efforts`.
    limit
        The right end of the axis. Default: the largest effort of a run. Set it to compare areas of several experiments.

    Returns
    -------
    pl.DataFrame
        ``solver``, ``num_runs`` and ``area``, the smallest area first.
    """
    hits = hitting_efforts(progress, targets, effort)
    start = least_effort(effort)
    largest = hits["spent"].max() if limit is None else limit
    end = max(float(largest) if isinstance(largest, int | float) else start, 2 * start)
    share = (pl.col("effort").fill_null(end).clip(start, end) / start).log() / np.log(end / start)
    return (
        hits.group_by("solver")
        .agg(pl.struct("instance", "run").n_unique().cast(pl.Int64).alias("num_runs"), share.mean().alias("area"))
        .sort("area", "solver")
    )


def least_effort(effort: Effort) -> float:
    """Return the least effort on a logarithmic axis: one unit, or a microsecond."""
    return SHORTEST_SECONDS if effort == "seconds" else 1.0


def _falls(best_cost: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which rows of a trace are the first with their best cost, or the last."""
    is_kept = np.ones(len(best_cost), bool)
    is_kept[1:-1] = best_cost[1:-1] < np.minimum.accumulate(best_cost)[:-2]
    return is_kept


def _check(effort: str) -> None:
    if effort not in EFFORTS:
        raise SudokulabError(f"unknown effort {effort!r}; choose {', '.join(EFFORTS)}")

"""The curves behind the plots: empirical distributions, performance profiles and cactus plots."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from sudokulab.errors import SudokulabError
from sudokulab.lab.measures import (
    SHORTEST_SECONDS,
    Floats,
    Runs,
    checked_runs,
    complete_rows,
    instance_scores,
    run_scores,
)

__all__ = ["cactus", "ecdf", "performance_profile"]


def ecdf(seconds: ArrayLike, num_runs: int) -> tuple[Floats, Floats]:
    """Return the sorted times of the successful runs, and the share of all runs solved by each time.

    Examples
    --------
    >>> times, shares = ecdf([3, 1], num_runs=4)
    >>> times.tolist(), shares.tolist()
    ([1.0, 3.0], [0.25, 0.5])
    """
    times = np.sort(np.asarray(seconds, float))
    if len(times) > num_runs:
        raise ValueError(f"{len(times)} successes in {num_runs} runs")
    return times, np.arange(1, len(times) + 1) / max(num_runs, 1)


def performance_profile(runs: Runs, measure: Literal["par2", "median"] = "par2") -> pl.DataFrame:
    """Return the share of instances on which each solver is within a ratio of the best solver.

    Only instances on which all solvers ran count. The ratio of a solver that never succeeds is infinite.

    Parameters
    ----------
    runs
        One row per run.
    measure
        The score on an instance: ``"par2"``, the mean of the penalised seconds, or ``"median"``, the median time with
        infinity for failed runs.

    Returns
    -------
    pl.DataFrame
        ``solver``, ``ratio`` (finite, increasing) and ``share``, one row per step.

    References
    ----------
    .. [1] E. D. Dolan, J. J. Moré, "Benchmarking optimization software with performance profiles", Mathematical
       Programming 91 (2002) 201-213.
    """
    if measure not in ("par2", "median"):
        raise SudokulabError(f"unknown measure {measure!r}; choose par2 or median")
    scored = run_scores(runs, "par2")
    succeeded = pl.col("is_success")
    score = {
        "par2": pl.when(succeeded.any().over("solver", "instance")).then("score").otherwise(math.inf),
        "median": pl.when(succeeded).then("seconds").otherwise(math.inf),
    }[measure]
    solvers, table = instance_scores(scored.with_columns(score=score), pl.median if measure == "median" else pl.mean)
    table = np.maximum(complete_rows(table), SHORTEST_SECONDS)
    best = table.min(axis=1, keepdims=True, initial=np.inf)
    ratios = np.divide(table, best, out=np.full_like(table, np.inf), where=np.isfinite(best))
    schema = {"solver": pl.String, "ratio": pl.Float64, "share": pl.Float64}
    frames = [pl.DataFrame(schema=schema)]
    for solver, column in zip(solvers, ratios.T, strict=True):
        ratio, share = ecdf(column[np.isfinite(column)], len(column))
        frames.append(pl.DataFrame({"solver": [solver] * len(ratio), "ratio": ratio, "share": share}, schema))
    return pl.concat(frames).unique(("solver", "ratio"), keep="last", maintain_order=True)


def cactus(runs: Runs) -> pl.DataFrame:
    """Return the points of a cactus plot: ``solver``, ``num_solved`` and the ``seconds`` that its slowest run took."""
    solved = checked_runs(runs).filter("is_success").sort("solver", "seconds")
    num_solved = pl.int_range(1, pl.len() + 1).over("solver").alias("num_solved")
    return solved.select("solver", num_solved, "seconds")

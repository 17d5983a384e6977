"""Statistics of a table of runs (see `sudokulab.lab.measures`): rates, times, costs and their intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
import scipy  # loads its parts on first use
from numpy.typing import ArrayLike

from sudokulab.lab.measures import SHORTEST_SECONDS, Floats, Runs, checked_runs, par2, times_of

__all__ = [
    "Interval",
    "cost_summary",
    "expected_running_time",
    "median",
    "success_by",
    "success_rate",
    "summary",
]

_COUNTS = ("num_runs", "num_success")
_RATES = ("success_rate", "success_low", "success_high")
_TIMES = (
    "median_seconds",
    "median_low",
    "median_high",
    "median_solved_seconds",
    "mean_seconds",
    "par2",
    "expected_seconds",
)
_COSTS = ("best_cost", "median_cost", "median_cost_low", "median_cost_high", "median_seconds")
_NUM_RESAMPLES = 2000
_UNSOLVED = 1e100  # stands for infinity where percentiles are interpolated
_BATCH_CELLS = 1_000_000  # numbers resampled at once, which bounds memory


class Interval(NamedTuple):
    """A confidence interval; NaN if there are too few values."""

    low: float
    high: float


def success_rate(num_success: int, num_runs: int, confidence: float = 0.95) -> tuple[float, Interval]:
    """Return the share of successes and its Wilson interval.

    References
    ----------
    .. [1] E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the American
       Statistical Association 22 (1927) 209-212.

    Examples
    --------
    >>> rate, (low, high) = success_rate(8, 10)
    >>> print(f"{rate:.2f} in {low:.3f}..{high:.3f}")
    0.80 in 0.490..0.943
    """
    if not 0 <= num_success <= num_runs or num_runs == 0:
        raise ValueError(
            f"{num_success} successes in {num_runs} runs; pass at least one run and no more successes than runs"
        )
    interval = scipy.stats.binomtest(num_success, num_runs).proportion_ci(confidence, method="wilson")
    return num_success / num_runs, Interval(float(interval.low), float(interval.high))


def median(values: ArrayLike, confidence: float = 0.95, seed: int = 0) -> tuple[float, Interval]:
    """Return the median and its percentile bootstrap interval.

    Both are NaN without values; the interval is NaN for a single value. Values can be infinite.

    Parameters
    ----------
    values
        The sample.
    confidence
        The confidence level of the interval.
    seed
        Random seed for the resampling.
    """
    sample = np.minimum(np.asarray(values, float), _UNSOLVED)
    if not len(sample):
        return math.nan, Interval(math.nan, math.nan)
    found = (np.median(sample), *_bootstrap(np.median, (sample,), confidence, seed))
    middle, low, high = (math.inf if value > _UNSOLVED / 1e9 else float(value) for value in found)
    return middle, Interval(low, high)


def expected_running_time(
    seconds: ArrayLike, is_success: ArrayLike, confidence: float = 0.95, seed: int = 0
) -> tuple[float, Interval]:
    """Return the expected time to a success if failed runs are repeated, and its percentile bootstrap interval.

    This is the total time of all runs divided by the number of successes; infinity without a success.

    References
    ----------
    .. [1] N. Hansen, A. Auger, R. Ros, O. Mersmann, T. Tušar, D. Brockhoff, "COCO: a platform for comparing continuous
       optimizers in a black-box setting", Optimization Methods and Software 36 (2021) 114-144.
    .. [2] H. H. Hoos, T. Stützle, "Stochastic Local Search: Foundations and Applications", Morgan Kaufmann, 2004,
       chapter 4.

    Examples
    --------
    >>> expected_running_time([1, 3, 10], [True, True, False])[0]
    7.0
    """
    times, wins = np.asarray(seconds, float), np.asarray(is_success, float)
    num_success = wins.sum()
    expected = float(times.sum() / num_success) if num_success else math.inf

    # Successes per second stay finite for resamples without a success, and percentiles can be inverted.
    def rate(times: Floats, wins: Floats, axis: int) -> Floats:
        return np.asarray(wins.sum(axis) / np.maximum(times.sum(axis), SHORTEST_SECONDS))

    low, high = _bootstrap(rate, (times, wins), confidence, seed)
    return expected, Interval(1 / high if high else math.inf, 1 / low if low else math.inf)


def summary(runs: Runs, by: Collection[str] = (), *, confidence: float = 0.95, seed: int = 0) -> pl.DataFrame:
    """Return success rates and times, one row per solver, or per solver and value of the columns `by`.

    A failed run counts as infinitely long in `median_seconds`, as twice its budget in `par2`, and as a reason to start
    again in `expected_seconds`. Only `median_solved_seconds` and `mean_seconds` leave failed runs out; they are null
    without a success.

    Parameters
    ----------
    runs
        One row per run, in any order.
    by
        Columns to group by in addition to the solver, such as ``("instance_set",)``.
    confidence
        The confidence level of the intervals.
    seed
        Random seed for the resampling.
    """
    keys, checked = [*by, "solver"], checked_runs(runs, *by)
    rows = []
    for values, group in checked.group_by(keys, maintain_order=True):
        seconds, is_success, budget = times_of(group)
        num_success = int(is_success.sum())
        rate, interval = success_rate(num_success, len(group), confidence)
        middle, within = median(np.where(is_success, seconds, np.inf), confidence, seed)
        mean = float(seconds[is_success].mean()) if num_success else math.nan
        expected = float(seconds.sum()) / num_success if num_success else math.inf
        solved = float(np.median(seconds[is_success])) if num_success else math.nan
        times = (middle, *within, solved, mean, par2(seconds, is_success, budget), expected)
        rows.append((*values, len(group), num_success, rate, *interval, *times))
    return _frame(rows, checked, keys, (*_RATES, *_TIMES))


def cost_summary(runs: Runs, by: Collection[str] = (), *, confidence: float = 0.95, seed: int = 0) -> pl.DataFrame:
    """Return the final costs, one row per solver, or per solver and value of the columns `by`.

    Costs cover the runs that report one and are null without one; `median_seconds` covers all runs.

    Parameters
    ----------
    runs, by, confidence, seed
        See `summary`; `runs` needs the column ``cost``.
    """
    keys, checked = [*by, "solver"], checked_runs(runs, *by, "cost")
    rows = []
    for values, group in checked.group_by(keys, maintain_order=True):
        costs = group["cost"].drop_nulls().to_numpy()
        middle, within = median(costs, confidence, seed)
        best = float(costs.min()) if len(costs) else math.nan
        counts = (len(group), int(group["is_success"].sum()))
        rows.append((*values, *counts, best, middle, *within, float(np.median(group["seconds"].to_numpy()))))
    return _frame(rows, checked, keys, _COSTS)


def success_by(runs: Runs, column: str, *, confidence: float = 0.95, seed: int = 0) -> pl.DataFrame:
    """Return the `summary` for each solver and value of a numeric column: the curve of a phase transition."""
    return summary(runs, (column,), confidence=confidence, seed=seed).sort("solver", column)


def _frame(rows: list[tuple[object, ...]], runs: pl.DataFrame, keys: list[str], columns: Sequence[str]) -> pl.DataFrame:
    schema: dict[str, pl.DataType] = {key: runs.schema[key] for key in keys}
    schema |= {name: pl.Int64() for name in _COUNTS} | {name: pl.Float64() for name in columns}
    return pl.DataFrame(rows, schema=schema, orient="row").fill_nan(None).sort(keys)


def _bootstrap(statistic: Callable[..., Floats], samples: tuple[Floats, ...], confidence: float, seed: int) -> Interval:
    num = len(samples[0])
    if num < 2:
        return Interval(math.nan, math.nan)
    result = scipy.stats.bootstrap(
        samples,
        statistic,
        paired=True,
        vectorized=True,
        n_resamples=_NUM_RESAMPLES,
        batch=max(1, _BATCH_CELLS // num),
        confidence_level=confidence,
        method="percentile",
        rng=seed,
    )
    return Interval(float(result.confidence_interval.low), float(result.confidence_interval.high))

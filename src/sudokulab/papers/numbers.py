"""Numbers of runs, and how the tables of the papers show them."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from math import exp, log, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from sudokulab.lab.power import Rate

if TYPE_CHECKING:
    import polars as pl

__all__ = ["beside", "interval_of_mean", "mean", "rate_of", "share_of", "typical_factor"]


def beside(theirs: Sequence[Any], ours: Sequence[Any]) -> list[Any]:
    """Return the paper's values and ours alternately, for columns next to each other.

    Examples
    --------
    >>> beside(["paper", "paper"], [1, 2])
    ['paper', 1, 'paper', 2]
    """
    return [value for pair in zip(theirs, ours, strict=True) for value in pair]


def mean(column: pl.Series) -> float:
    """Return the mean of the non-null values; NaN if all are null."""
    values = column.drop_nulls().to_list()
    return statistics.fmean(values) if values else nan


def interval_of_mean(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % percentile bootstrap interval of a mean; NaN without values.

    Examples
    --------
    >>> low, high = interval_of_mean([1, 2, 3, 4, 5])
    >>> 1 < low < 3 < high < 5
    True
    """
    if not values:
        return nan, nan
    means = np.random.default_rng(0).choice(np.asarray(values, float), (2000, len(values))).mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


def rate_of(runs: pl.DataFrame) -> Rate:
    """Return the number of successes and of runs."""
    return int(runs["is_success"].sum()), len(runs)


def share_of(rate: Rate) -> float:
    """Return the share of successes; NaN without runs."""
    return rate[0] / rate[1] if rate[1] else nan


def typical_factor(ours: Sequence[float], printed: Sequence[float], floors: Sequence[float]) -> float:
    """Return the typical factor between our numbers and the printed ones: the mean of the absolute logarithms.

    Parameters
    ----------
    ours, printed
        The numbers.
    floors
        Smaller numbers count as these: what our sample cannot tell from 0.

    Examples
    --------
    >>> round(typical_factor([2, 50], [4, 100], [1, 1]), 3)
    2.0
    """
    logs = [abs(log(max(a, floor) / max(b, floor))) for a, b, floor in zip(ours, printed, floors, strict=True)]
    return exp(statistics.fmean(logs))

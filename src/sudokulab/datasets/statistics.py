"""Statistics of all minimal 9×9 puzzles, estimated from a sample with a controlled bias.

A removal order has a given minimal puzzle with n givens with probability 1 / (grids · C(81, n)); see `sample_minimal`.
So a puzzle of the sample stands for grids · C(81, n) / orders minimal puzzles: sums and means with these weights
estimate those over all minimal puzzles. Standard errors are clustered by grid.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sudokulab._internal.progress import progress_bar
from sudokulab.instances.sampling import MinimalSample, sample_minimal
from sudokulab.logic.rating import rate_many
from sudokulab.puzzle import NINE, BoxShape, Puzzle

__all__ = ["PUBLISHED", "ByGivens", "Estimate", "MinimalStatistics", "estimate", "minimal_statistics"]

_NUM_GRIDS = {
    BoxShape(2, 2): 288,
    BoxShape(2, 3): 28_200_960,
    BoxShape(3, 2): 28_200_960,
    NINE: 6_670_903_752_021_072_936_960,
}
_BLOCKS_AT_ONCE = 256

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A value with its standard error."""

    value: float
    error: float

    def deviation_from(self, other: Estimate | float) -> float:
        """Return the distance from another value, in standard errors of the difference."""
        value, error = (other.value, other.error) if isinstance(other, Estimate) else (other, 0.0)
        return (self.value - value) / math.hypot(self.error, error)


@dataclass(frozen=True)
class ByGivens:
    """The minimal puzzles with a number of givens."""

    givens: int
    num_sampled: int
    number: Estimate
    share: Estimate
    """Of all minimal puzzles."""
    mean_er: Estimate | None
    """Mean rating of Sudoku Explainer; None with fewer than two rated puzzles."""


@dataclass(frozen=True)
class MinimalStatistics:
    """Estimates for all minimal puzzles."""

    num_grids: int
    num_orders: int
    num_sampled: int
    total: Estimate
    """The number of minimal puzzles."""
    mean_givens: Estimate
    sd_givens: float
    sampled_givens: Estimate
    """Mean number of givens of the sample itself, without weights."""
    mean_er: Estimate | None
    """Mean rating of Sudoku Explainer; None without rated puzzles."""
    sampled_er: Estimate | None
    """Mean rating of the sample itself, without weights."""
    by_givens: list[ByGivens]
    ratings: dict[float, float]
    """The share of each rating among all minimal puzzles."""
    sampled_ratings: dict[float, float]
    """The share of each rating in the sample itself."""
    cpu_seconds: float | None = None
    """CPU time of the sampling, without the ratings."""


@dataclass(frozen=True)
class Published:
    """Published values, from a larger sample of the same kind (Berthier 2009)."""

    total: Estimate
    mean_givens: float
    sd_givens: float
    shares: dict[int, float]
    sampled_er: float
    """Mean rating of the published puzzles, without weights."""
    collection_size: int
    """Number of published puzzles from which the next two values are computed here."""
    collection_er: Estimate
    """Mean rating without weights."""
    collection_corrected_er: Estimate
    """Mean rating with weights."""


PUBLISHED = Published(
    total=Estimate(3.1055e37, 0.00065 * 3.1055e37),
    mean_givens=26.577,
    sd_givens=1.116,
    shares={25: 0.134, 26: 0.319, 27: 0.327, 28: 0.155},
    sampled_er=4.29,
    collection_size=43_070,
    collection_er=Estimate(4.312, 0.012),
    collection_corrected_er=Estimate(4.731, 0.017),
)


def minimal_statistics(
    blocks: int, *, seed: int = 0, threads: int | None = None, progress: bool = False
) -> MinimalStatistics:
    """Sample and rate minimal 9×9 puzzles, and estimate the statistics of all of them.

    Parameters
    ----------
    blocks
        Blocks of `sample_minimal`: 32,768 removal orders each. One block in eight has a puzzle.
    seed, threads
        See `sample_minimal`.
    progress
        Whether to show a progress bar on standard error, if that is a terminal.
    """
    parts = []
    start = time.process_time()
    with progress_bar("sampling", blocks, is_shown=progress) as update:
        for first in range(0, blocks, _BLOCKS_AT_ONCE):
            number = min(_BLOCKS_AT_ONCE, blocks - first)
            parts.append(sample_minimal(number, seed=seed, first=first, threads=threads))
            update(first + number)
    seconds = time.process_time() - start
    puzzles = [Puzzle(row.tobytes()) for part in parts for row in part.puzzles]
    ratings = [rating.er for rating in rate_many(puzzles, scale="se", threads=threads)]
    return estimate(parts, np.array(ratings, np.float64), cpu_seconds=seconds)  # None becomes NaN


def estimate(
    parts: Iterable[MinimalSample], er: Floats | None = None, *, cpu_seconds: float | None = None
) -> MinimalStatistics:
    """Estimate the statistics of all minimal puzzles from a sample, in one or more parts.

    Parameters
    ----------
    parts
        Samples of the same shape, of different blocks.
    er
        The rating of each puzzle; NaN for one without, which is left out of means and shares of ratings.
    cpu_seconds
        CPU time of the sampling, for the record.
    """
    parts = list(parts)
    shape = parts[0].shape
    num_orders, num_grids = sum(part.num_orders for part in parts), sum(part.num_grids for part in parts)
    givens = np.concatenate([np.count_nonzero(part.puzzles, axis=1) for part in parts])
    grids = np.unique(np.concatenate([part.grids for part in parts]), return_inverse=True)[1]
    each = _NUM_GRIDS[shape] / num_orders
    weights = np.array([each * math.comb(shape.size**2, int(n)) for n in givens])
    ones = np.ones(len(givens))
    ratings = np.full(len(givens), math.nan) if er is None else er
    is_rated = ~np.isnan(ratings)
    mean = _mean(givens, weights, grids)
    by_givens = []
    for n in sorted(set(givens.tolist())):
        is_own = givens == n
        rated = _mean_of(is_own & is_rated, ratings, ones, grids, least=2)
        number, share = _sum(weights * is_own, grids, num_grids), _mean(is_own, weights, grids)
        by_givens.append(ByGivens(n, int(is_own.sum()), number, share, rated))
    return MinimalStatistics(
        num_grids=num_grids,
        num_orders=num_orders,
        num_sampled=len(givens),
        total=_sum(weights, grids, num_grids),
        mean_givens=mean,
        sd_givens=math.sqrt(float(np.average((givens - mean.value) ** 2, weights=weights))),
        sampled_givens=_mean(givens, ones, grids),
        mean_er=_mean_of(is_rated, ratings, weights, grids),
        sampled_er=_mean_of(is_rated, ratings, ones, grids),
        by_givens=by_givens,
        ratings=_shares(ratings[is_rated], weights[is_rated]),
        sampled_ratings=_shares(ratings[is_rated], ones[is_rated]),
        cpu_seconds=cpu_seconds,
    )


def _sum(weights: Floats, grids: NDArray[np.int64], num_grids: int) -> Estimate:
    """Return the sum of the weights; grids without a puzzle count as observations of 0."""
    own = np.bincount(grids, weights)
    total = float(own.sum())
    return Estimate(total, math.sqrt(float((own**2).sum()) - total**2 / num_grids))


def _mean(values: NDArray[np.float64 | np.int64 | np.bool_], weights: Floats, grids: NDArray[np.int64]) -> Estimate:
    """Return the weighted mean, with the error of a ratio of two sums over grids."""
    mean = float(np.average(values, weights=weights))
    residuals = np.bincount(grids, weights * (values.astype(np.float64) - mean))
    return Estimate(mean, math.sqrt(float((residuals**2).sum())) / float(weights.sum()))


def _mean_of(
    is_chosen: NDArray[np.bool_], values: Floats, weights: Floats, grids: NDArray[np.int64], *, least: int = 1
) -> Estimate | None:
    """Return the weighted mean of the chosen values; None if there are fewer than `least`."""
    if is_chosen.sum() < least:
        return None
    return _mean(values[is_chosen], weights[is_chosen], grids[is_chosen])


def _shares(values: Floats, weights: Floats) -> dict[float, float]:
    total = float(weights.sum())
    return {float(value): float(weights[values == value].sum()) / total for value in np.unique(values)}

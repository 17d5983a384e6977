"""The difficulty of a split: ratings of a random sample, and a column of ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sudokulab._internal.progress import progress_bar
from sudokulab.logic import Level, rate_many
from sudokulab.logic.techniques import LARGEST_SIZE
from sudokulab.puzzle import BoxShape, Digits, Puzzle
from sudokulab.search.budget import Budget

__all__ = ["Difficulty", "Ratings", "Sample", "rate_sample", "summarize_ratings"]

_SECONDS = 5.0  # of CPU time, per puzzle and scale; hardly any 9×9 puzzle takes as long
_NUM_BINS = 30
_LARGE = 1e280  # from which sums and differences of ratings may overflow
_SCALE = 2.0**64  # keeps all bits
_PERCENTS = (0, 5, 25, 50, 75, 95, 100)


class Sample:
    """A uniform random sample of a stream of puzzles.

    Parameters
    ----------
    size
        The number of puzzles to keep.
    seed
        The random seed. The sample depends on it and on the puzzles, not on the sizes of blocks.
    """

    def __init__(self, size: int, seed: int) -> None:
        self._size = size
        self._rng = np.random.default_rng(seed)
        self._kept: list[tuple[float, Puzzle]] = []

    def add(self, cells: Digits, box: BoxShape) -> None:
        """Offer puzzles, one per row. Those with the smallest random numbers are kept."""
        keys = self._rng.random(len(cells))
        bound = self._kept[-1][0] if len(self._kept) == self._size and self._kept else np.inf
        places = np.flatnonzero(keys < bound)
        places = places[np.argsort(keys[places])[: self._size]]
        self._kept += [(float(keys[place]), Puzzle(cells[place].tobytes(), box)) for place in places]
        self._kept = sorted(self._kept, key=lambda pair: pair[0])[: self._size]

    @property
    def puzzles(self) -> list[Puzzle]:
        """The puzzles kept so far."""
        return [puzzle for _, puzzle in self._kept]


@dataclass(frozen=True)
class Difficulty:
    """The ratings of a random sample of uniquely solvable puzzles.

    Parameters
    ----------
    num_puzzles
        The size of the sample.
    levels
        The number of puzzles by level of the ten rules.
    se
        The number of puzzles by ER of Sudoku Explainer.
    num_unrated
        The number of puzzles without an ER: too large, or not rated within 5 seconds of CPU time.
    """

    num_puzzles: int
    levels: Mapping[str, int]
    se: Mapping[float, int]
    num_unrated: int


def rate_sample(puzzles: Iterable[Puzzle], threads: int, *, progress: bool = False) -> Difficulty:
    """Rate puzzles with one solution; `progress` shows a bar."""
    some = list(puzzles)
    limits = Budget(seconds=_SECONDS, is_cpu_time=True)
    levels = Counter(rating.level for rating in rate_many(some, relabelings=0, budget=limits, threads=threads))
    small = [puzzle for puzzle in some if puzzle.size <= LARGEST_SIZE]
    ers: Counter[float | None] = Counter()
    with progress_bar("rating", len(small), is_shown=progress) as update:
        for number, rating in enumerate(rate_many(small, scale="se", budget=limits, threads=threads), start=1):
            ers[rating.er] += 1
            update(number)
    by_level = {level.value: levels[level] for level in Level if levels[level]}
    by_er = dict(sorted((er, number) for er, number in ers.items() if er is not None))
    return Difficulty(len(some), by_level, by_er, len(some) - sum(by_er.values()))


@dataclass(frozen=True)
class Ratings:
    """A column of ratings.

    Parameters
    ----------
    num_rated, num_missing
        The number of rows with a number, and without one.
    mean
        The mean.
    percentiles
        The value below which so many percent of the ratings are.
    edges, counts
        A histogram: the bounds of the bins, and the number of rows in each.
    """

    num_rated: int
    num_missing: int
    mean: float
    percentiles: Mapping[int, float]
    edges: tuple[float, ...]
    counts: tuple[int, ...]


def _histogram(values: NDArray[np.floating]) -> tuple[NDArray[np.intp], NDArray[np.floating]]:
    """Return the counts and the bounds of bins: of one bin if the values are too close for more."""
    try:
        return np.histogram(values, bins=_NUM_BINS)
    except ValueError:
        return np.array([len(values)]), np.array([values.min(), values.max()])


def summarize_ratings(values: NDArray[np.floating]) -> Ratings | None:
    """Return a summary of a column; None if no row has a number."""
    known = values[np.isfinite(values)]
    if not len(known):
        return None
    scale = _SCALE if np.abs(known).max() > _LARGE else 1.0
    scaled = known / scale
    counts, edges = _histogram(scaled)
    found = (scale * np.percentile(scaled, _PERCENTS)).tolist()
    return Ratings(
        num_rated=len(known),
        num_missing=len(values) - len(known),
        mean=float(scale * scaled.mean(dtype=np.float64)),
        percentiles=dict(zip(_PERCENTS, found, strict=True)),
        edges=tuple((scale * edges).tolist()),
        counts=tuple(counts.tolist()),
    )

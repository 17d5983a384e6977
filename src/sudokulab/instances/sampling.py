"""Samples of minimal puzzles with a known bias, from which statistics of all minimal puzzles can be estimated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sudokulab import _core
from sudokulab._internal.native import checked_range, checked_seed, checked_threads, native_puzzle
from sudokulab.instances.grids import Box
from sudokulab.instances.spec import PuzzleSpec
from sudokulab.puzzle import BoxShape, Digits, Puzzle

__all__ = ["MinimalSample", "sample_minimal"]


@dataclass(frozen=True)
class MinimalSample:
    """Minimal puzzles of random removal orders."""

    shape: BoxShape
    num_grids: int
    """Number of random grids."""
    num_orders: int
    """Number of removal orders, of all grids together; most of them have no minimal puzzle."""
    puzzles: Digits
    """The minimal puzzles, one per row, with 0 for a blank."""
    solutions: Digits
    grids: NDArray[np.int64]
    """The number of each puzzle's grid, in ascending order. Puzzles of different grids are independent."""


def sample_minimal(
    blocks: int, box: Box = 9, *, seed: int = 0, first: int = 0, threads: int | None = None
) -> MinimalSample:
    """Sample minimal puzzles by the controlled-bias generator.

    Each order removes the digits of a uniformly random grid one by one. It passes through at most one minimal puzzle.
    An order ends in a given puzzle with n givens with probability 1 / (number of grids · C(cells, n)).

    Parameters
    ----------
    blocks
        Number of blocks. A block has 32,768 removal orders on 9×9 grids, and 64 on other grids. About one 9×9 block in
        eight has a puzzle.
    box
        The box shape or the size: 4, 6 or 9.
    seed, first
        The same seed gives the same puzzles. `first` is the number of the first block, to extend a sample.
    threads
        Number of threads (default: all cores). It does not change the puzzles.

    References
    ----------
    D. Berthier, Unbiased statistics of a CSP: a controlled-bias generator. In: Innovations in Computing Sciences and
    Software Engineering, Springer, 2010.

    Examples
    --------
    >>> sample = sample_minimal(2, 4, seed=1)
    >>> sample.num_orders, sample.puzzles.shape
    (128, (13, 16))
    """
    shape = PuzzleSpec(box=box, bias="controlled").box
    first, blocks = checked_range(first, blocks)
    empty = native_puzzle(Puzzle.empty(shape))
    num_grids, num_orders = _core.sampling_plan(empty)
    made = _core.sample_minimal(empty, checked_seed(seed), first, blocks, checked_threads(threads))
    puzzles, solutions, grids = made
    return MinimalSample(
        shape, blocks * num_grids, blocks * num_grids * num_orders, puzzles, solutions, grids + first * num_grids
    )

"""Near neighbours: puzzles that are equivalent once one given is moved, added or removed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sudokulab.equivalence import class_hash_array
from sudokulab.puzzle import BoxShape, Digits

__all__ = ["joined", "neighbour_keys"]

Keys = tuple[NDArray[np.int64], NDArray[np.uint64]]
"""Rows, and a key of each; rows with a key in common are near neighbours."""


def neighbour_keys(puzzles: Digits, box: BoxShape, threads: int | None = None) -> Keys:
    """Return the keys of each row: the classes of the puzzle, and of the puzzle less each of its givens."""
    rows, cells = np.nonzero(puzzles)
    fewer = puzzles[rows]
    fewer[np.arange(len(rows)), cells] = 0
    all_rows = np.concatenate([np.arange(len(puzzles)), rows])
    return all_rows, class_hash_array(np.concatenate([puzzles, fewer]), box=box, threads=threads)


def joined(labels: NDArray[np.uint64], keys: Keys) -> NDArray[np.uint64]:
    """Join the groups of rows with the same label that have a key in common.

    Returns
    -------
    numpy.ndarray
        The new label of each row: the smallest label of its group.

    Examples
    --------
    >>> joined(np.array([5, 7, 9], np.uint64), (np.array([0, 1, 2]), np.array([1, 1, 2], np.uint64))).tolist()
    [5, 5, 9]
    """
    rows, starts = _sharing(keys)
    groups, group_of = np.unique(labels, return_inverse=True)
    owners = group_of[rows]
    lowest = np.arange(len(groups))
    while len(starts):
        shared = np.minimum.reduceat(lowest[owners], starts)
        spread = lowest.copy()
        np.minimum.at(spread, owners, shared.repeat(np.diff(np.append(starts, len(rows)))))
        if (spread == lowest).all():
            break
        lowest = spread[spread]  # two steps at once
    return groups[lowest[group_of]]


def _sharing(keys: Keys) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows that share a key with others, ordered by key, and where each key starts."""
    rows, values = keys
    order = values.argsort(kind="stable")
    is_new = np.append(True, np.diff(values[order]) != 0) if len(values) else np.zeros(0, np.bool_)
    number_of = is_new.cumsum() - 1
    is_shared = np.bincount(number_of)[number_of] > 1
    kept = number_of[is_shared]
    return rows[order][is_shared], np.flatnonzero(np.append(True, np.diff(kept) != 0)) if len(kept) else kept

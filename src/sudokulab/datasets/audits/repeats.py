"""Rows that repeat others, within a split and across splits, found by hashes of 64 bits.

A hash of 0 stands for a row that is not compared. Ten million different rows have two equal hashes with probability
0.000003.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Flags", "Hashes", "is_repeated_across", "is_repeated_within"]

Flags = NDArray[np.bool_]
Hashes = NDArray[np.uint64]


def is_repeated_within(hashes: Hashes) -> Flags:
    """Return for each row whether an earlier row has its hash.

    Examples
    --------
    >>> is_repeated_within(np.array([7, 0, 8, 7, 0, 7], np.uint64)).tolist()
    [False, False, False, True, False, True]
    """
    order = np.argsort(hashes, kind="stable")
    in_order = hashes[order]
    found = np.zeros(len(hashes), np.bool_)
    found[order[1:][in_order[1:] == in_order[:-1]]] = True
    found[hashes == 0] = False
    return found


def is_repeated_across(earlier: Hashes, later: Hashes) -> Flags:
    """Return for each row of the later split whether a row of the earlier one has its hash.

    Examples
    --------
    >>> is_repeated_across(np.array([0, 7, 8, 7], np.uint64), np.array([7, 0, 9], np.uint64)).tolist()
    [True, False, False]
    """
    if not len(earlier):
        return np.zeros(len(later), np.bool_)
    known = np.sort(earlier)
    places = np.minimum(np.searchsorted(known, later), len(known) - 1)
    found: Flags = (known[places] == later) & (later != 0)
    return found

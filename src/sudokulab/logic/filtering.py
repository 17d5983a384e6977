"""Filtering before a search, and arc consistency on any network of binary constraints.

`cp` and `ac3` are the first stages of the papers' hybrid solvers; `ConstraintNetwork` is the network that `ac3`
runs on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from sudokulab import _core
from sudokulab._internal.native import candidate_array, native_puzzle
from sudokulab.formats.coercion import PuzzleLike, as_puzzle
from sudokulab.puzzle import Puzzle

__all__ = ["ConstraintNetwork", "ac3", "cp", "share_fixed"]


def cp(puzzle: PuzzleLike) -> Puzzle:
    """Fix all cells that Lewis's five-step procedure fixes: naked and hidden singles, until nothing changes.

    His steps fix one cell at a time and start over. Their order does not affect the result, so the native propagation
    does the work. A puzzle found to be contradictory is returned unchanged.

    References
    ----------
    R. Lewis, "On the combination of constraint programming and stochastic search: the Sudoku case", 2007, section 3.

    Examples
    --------
    >>> cp("1.....3..4.....2").line
    '1324423124133142'
    """
    puzzle = as_puzzle(puzzle)
    return Puzzle(_core.filtered_givens(native_puzzle(puzzle), "cp"), puzzle.box)


def share_fixed(puzzle: PuzzleLike) -> float:
    """Return the fraction of cells that are given or fixed by `cp`."""
    fixed = cp(puzzle)
    return fixed.num_givens / len(fixed.cells)


def ac3(puzzle: PuzzleLike) -> NDArray[np.bool_]:
    """Return the domains after AC3, as an array of shape (size, size, size) indexed by ``[row, col, digit - 1]``.

    The network has one variable per cell and a disequality between any two peers. An empty domain means that the puzzle
    is contradictory; the other domains are then those at the moment of detection.

    References
    ----------
    R. Soto et al., "A hybrid AC3-tabu search algorithm for solving Sudoku puzzles", 2013, algorithms 2 and 3.

    Examples
    --------
    >>> domains = ac3("1.....3..4.....2")
    >>> [digit + 1 for digit in range(4) if domains[0, 1, digit]]
    [3]
    """
    puzzle = as_puzzle(puzzle)
    return candidate_array(_core.ac3(native_puzzle(puzzle)), puzzle.size)


class ConstraintNetwork:
    """Variables with small domains, and binary constraints between them.

    Parameters
    ----------
    domains
        The values of each variable, integers from 0 to 63.

    Examples
    --------
    The network of the paper's Figure 2: x1 < x2 and x2 = x3 over {0, 1, 2}.

    >>> network = ConstraintNetwork([{0, 1, 2}] * 3)
    >>> network.add(0, 1, lambda a, b: a < b)
    >>> network.add(1, 2, lambda a, b: a == b)
    >>> network.ac3(), network.domains
    (True, [{0, 1}, {1, 2}, {1, 2}])
    """

    def __init__(self, domains: Sequence[Iterable[int]]) -> None:
        self.domains = [set(domain) for domain in domains]
        """The remaining values of each variable. Callers may narrow them, but must keep one set per variable."""
        self._num_variables = len(self.domains)
        self._masks()
        self._num_constraints = 0
        self._arcs: dict[tuple[int, int], list[int]] = {}
        self._native = _core.ConstraintNetwork(len(self.domains))

    def add(self, first: int, second: int, allows: Callable[[int, int], bool]) -> None:
        """Add a constraint between two variables; `allows` tells which pairs of values are allowed."""
        if first == second or not {first, second} <= set(range(self._num_variables)):
            raise ValueError(f"constraint between {first} and {second}; use two distinct variables of the network")
        supports = _supports(self.domains[first], self.domains[second], allows)
        reverse = _supports(self.domains[second], self.domains[first], lambda b, a: allows(a, b))
        self._native.add_constraint(first, second, supports, reverse)
        for pair, arc in (
            ((first, second), 2 * self._num_constraints),
            ((second, first), 2 * self._num_constraints + 1),
        ):
            self._arcs.setdefault(pair, []).append(arc)
        self._num_constraints += 1

    def revise(self, variable: int, other: int) -> bool:
        """Apply Revise3: drop values of `variable` without support in `other`; return whether any were dropped."""
        before = self.domains[variable]
        for arc in self._arcs.get((variable, other), []):
            self._set(self._native.revise(arc, self._masks()))
        return self.domains[variable] != before

    def ac3(self) -> bool:
        """Make every constraint arc consistent; return False as soon as a domain is empty."""
        is_consistent, masks = self._native.ac3(self._masks())
        self._set(masks)
        return is_consistent

    def _masks(self) -> list[int]:
        """Return the domains as bit sets, after validation: callers may have changed the public sets."""
        if len(self.domains) != self._num_variables:
            raise ValueError(f"{len(self.domains)} domains for {self._num_variables} variables; pass one each")
        for variable, domain in enumerate(self.domains):
            if not all(0 <= value < 64 for value in domain):
                raise ValueError(f"domain of variable {variable}: {domain}; use values from 0 to 63")
        return [_mask(set(domain)) for domain in self.domains]

    def _set(self, masks: list[int]) -> None:
        self.domains = [{value for value in range(64) if mask >> value & 1} for mask in masks]


def _supports(domain: set[int], other: set[int], allows: Callable[[int, int], bool]) -> list[int]:
    """Return the supports of each value up to 63 in the other domain, as bit sets; 0 for values outside the domain."""
    return [_mask(b for b in other if allows(a, b)) if a in domain else 0 for a in range(64)]


def _mask(values: Iterable[int]) -> int:
    return sum(1 << value for value in values)

"""Limited discrepancy search for Sudoku, as an example of a solver in a package of its own."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from typing import Annotated

from pydantic import Field

from sudokulab import Budget, Puzzle, Result, Solver, Status
from sudokulab.parameters import parameters
from sudokulab.search import Clock, Trace

Domains = dict[int, set[int]]
"""The possible digits of each open cell."""


@parameters
class LimitedDiscrepancy(Solver):
    """Depth-first search that trusts its heuristic, except a limited number of times.

    The heuristic orders the digits of the most constrained cell. The search first follows it everywhere; if that fails,
    it tries all paths that contradict it once, then twice, and so on.

    Parameters
    ----------
    first_limit
        Number of contradictions to the heuristic that the first round allows.
    step
        How much the limit rises from round to round.

    Notes
    -----
    The search recurses once per open cell, so it is meant for grids of up to 25×25.

    Statistics: ``nodes`` (digits tried), ``rounds``. Digits that occur least often in the domains of the peers come
    first; ties are broken at random.

    References
    ----------
    W. D. Harvey and M. L. Ginsberg, "Limited discrepancy search", IJCAI 1995.
    """

    name = "limited-discrepancy"
    unit = "nodes"
    is_complete = True
    is_stochastic = True

    first_limit: Annotated[int, Field(ge=0)] = 0
    step: Annotated[int, Field(ge=1)] = 1

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        """Search in rounds with a rising limit, until a round was not limited at all."""
        search = _Search(puzzle, Clock(budget), random.Random(seed), trace)
        rounds, limit, solution = 0, self.first_limit, None
        domains = search.start()
        search.was_limited = domains is not None
        while domains is not None and search.was_limited and solution is None and not search.clock.is_over:
            rounds, search.was_limited = rounds + 1, False
            solution = search.descend(domains, limit)
            limit += self.step
        stats = {"nodes": search.clock.steps, "rounds": rounds}
        if solution is not None:
            return Result(Status.SOLVED, puzzle, self.name, solution=solution, stats=stats)
        status = Status.UNKNOWN if search.was_limited or search.is_stopped else Status.UNSATISFIABLE
        return Result(status, puzzle, self.name, stats=stats)


class _Search:
    """One run: the grid, the peers of each cell, and the limits."""

    def __init__(self, puzzle: Puzzle, clock: Clock, rng: random.Random, trace: Trace) -> None:
        self.puzzle, self.clock, self.rng, self.trace = puzzle, clock, rng, trace
        self.grid = puzzle.givens.copy()
        self.peers = _peers(puzzle)
        self.was_limited = False
        self.is_stopped = False

    def start(self) -> Domains | None:
        """Return the domains of the open cells, or None if givens clash."""
        digits = range(1, self.puzzle.size + 1)
        givens = {cell: int(digit) for cell, digit in enumerate(self.grid.flat) if digit}
        if any(givens.get(peer) == digit for cell, digit in givens.items() for peer in self.peers[cell]):
            return None
        return {
            cell: set(digits) - {givens[peer] for peer in self.peers[cell] if peer in givens}
            for cell in self.peers
            if cell not in givens
        }

    def descend(self, domains: Domains, limit: int) -> Puzzle | None:
        """Fill the open cells with at most `limit` contradictions to the heuristic."""
        if not domains:
            return Puzzle.from_array(self.grid, self.puzzle.box)
        cell = min(domains, key=lambda open_cell: len(domains[open_cell]))
        digits = self._in_order(cell, domains)
        if len(digits) - 1 > limit:
            self.was_limited = True
        for contradictions, digit in enumerate(digits[: limit + 1]):
            if not self.clock.step():
                self.is_stopped = True
                return None
            self.grid.flat[cell] = digit
            self.trace.record(nodes=self.clock.steps, cells_fixed=int((self.grid > 0).sum()), grid=self.grid)
            solution = self.descend(self._after(domains, cell, digit), limit - contradictions)
            if solution is not None or self.is_stopped:
                return solution
            self.grid.flat[cell] = 0
        return None

    def _in_order(self, cell: int, domains: Domains) -> list[int]:
        """Return the digits of a cell, the least constraining one first."""
        uses = Counter(digit for peer in self.peers[cell] if peer in domains for digit in domains[peer])
        return sorted(domains[cell], key=lambda digit: (uses[digit], self.rng.random()))

    def _after(self, domains: Domains, cell: int, digit: int) -> Domains:
        """Return the domains of the other cells once a cell has its digit."""
        return {
            other: domain - {digit} if other in self.peers[cell] else domain
            for other, domain in domains.items()
            if other != cell
        }


def _peers(puzzle: Puzzle) -> dict[int, set[int]]:
    """Return the cells that share a row, a column or a box with each cell."""
    units: dict[tuple[int, int], set[int]] = defaultdict(set)
    for cell in range(puzzle.size**2):
        for unit in enumerate(puzzle.box.units_of(cell)):
            units[unit].add(cell)
    return {
        cell: set().union(*(units[unit] for unit in enumerate(puzzle.box.units_of(cell)))) - {cell}
        for cell in range(puzzle.size**2)
    }

"""The default: the fastest engine for the puzzle at hand."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from operator import itemgetter

import numpy as np
from pydantic.dataclasses import dataclass

from sudokulab import _core
from sudokulab.budget import Budget
from sudokulab.puzzle import BoxShape, Puzzle
from sudokulab.result import Result, Status
from sudokulab.solvers.backtracking import Backtracking
from sudokulab.solvers.base import STRICT
from sudokulab.solvers.conflict_driven import ConflictDriven

__all__ = ["Auto"]

_BOX = BoxShape(3, 3)
_FEW = 1000  # solutions that the bulk engine counts in a moment; it cannot be stopped


@dataclass(frozen=True, kw_only=True, config=STRICT)
class Auto(ConflictDriven):
    """Whatever is fastest: the bulk engine for 9×9, conflict-driven search for all else.

    Notes
    -----
    The bulk engine (see `sudokulab.bulk`) solves a 9×9 puzzle in microseconds, the hardest known in a fraction of a
    millisecond, and has neither nodes nor a clock: a budget of seconds is not looked at, while for a budget of nodes or
    a trace conflict-driven search is used for 9×9, too. Solutions of 9×9 grids and smaller ones are counted in large
    numbers, and enumerated, by backtracking, which is quicker where there is little to learn.

    Statistics: those of `ConflictDriven`; none for the bulk engine.

    References
    ----------
    Those of `ConflictDriven`; what the bulk engine does is in ``cpp/bulk.h``.
    """

    name = "auto"

    def _run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: bool) -> Result:
        if trace or not _is_for_bulk(puzzle, budget):
            return super()._run(puzzle, budget, seed, trace)
        start = time.perf_counter()
        cells = _core.solve_one(puzzle.cells)
        return self._answer(puzzle, cells, seed, time.perf_counter() - start)

    def solve_batch(
        self, puzzles: Sequence[Puzzle], budget: Budget | None, seeds: Sequence[int], threads: int
    ) -> list[Result]:
        """Solve puzzles side by side, those of 9×9 in the lanes of vectors."""
        checked = self._checked(budget)
        is_bulk = [_is_for_bulk(puzzle, checked) for puzzle in puzzles]
        if all(is_bulk):
            return self._solve_bulk(puzzles, seeds, threads)
        bulk, others = ([i for i, mine in enumerate(is_bulk) if mine is wanted] for wanted in (True, False))
        results = self._solve_bulk([puzzles[i] for i in bulk], [seeds[i] for i in bulk], threads)
        results += super().solve_batch([puzzles[i] for i in others], budget, [seeds[i] for i in others], threads)
        return [result for _, result in sorted(zip(bulk + others, results, strict=True), key=itemgetter(0))]

    def count(self, puzzle: Puzzle, limit: int | None = None, budget: Budget | None = None) -> int:
        """Return the number of solutions, or the limit if there are at least that many; see `CompleteSolver.count`."""
        if limit is not None and 0 < limit <= _FEW and _is_for_bulk(puzzle, self._checked(budget)):
            _, counts, _ = _core.solve_bulk(_rows([puzzle]), limit, False, 1, "best")
            return int(counts[0])
        if puzzle.size <= _BOX.size:
            return Backtracking().count(puzzle, limit, budget)
        return super().count(puzzle, limit, budget)

    def enumerate(self, puzzle: Puzzle, budget: Budget | None = None) -> Iterator[Puzzle]:
        """Yield the solutions one by one; see `CompleteSolver.enumerate`."""
        if puzzle.size <= _BOX.size:
            return Backtracking().enumerate(puzzle, budget)
        return super().enumerate(puzzle, budget)

    def _solve_bulk(self, puzzles: Sequence[Puzzle], seeds: Sequence[int], threads: int) -> list[Result]:
        if not puzzles:
            return []
        start = time.perf_counter()
        solutions, counts, are_right = _core.solve_bulk(_rows(puzzles), 1, True, threads, "best")
        seconds = (time.perf_counter() - start) / len(puzzles)
        cells = [row.tobytes() if number else None for row, number in zip(solutions, counts.tolist(), strict=True)]
        results = [self._answer(*answer, seconds) for answer in zip(puzzles, cells, seeds, strict=True)]
        return results if are_right else list(self._verified(results))

    def _answer(self, puzzle: Puzzle, cells: bytes | None, seed: int, seconds: float) -> Result:
        if cells is None:
            return Result(Status.UNSATISFIABLE, puzzle, self.name, seconds=seconds, seed=seed)
        return Result(Status.SOLVED, puzzle, self.name, Puzzle(cells, _BOX), 0, seconds=seconds, seed=seed)


def _is_for_bulk(puzzle: Puzzle, budget: Budget) -> bool:
    return puzzle.box == _BOX and budget.nodes is None


def _rows(puzzles: Sequence[Puzzle]) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    return np.frombuffer(b"".join(puzzle.cells for puzzle in puzzles), np.uint8).reshape(-1, 81)

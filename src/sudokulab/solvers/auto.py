"""The default: the fastest engine for the puzzle at hand."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from pydantic.dataclasses import dataclass

from sudokulab import _core
from sudokulab.budget import Budget
from sudokulab.puzzle import BoxShape, Puzzle
from sudokulab.result import Result, Status
from sudokulab.solvers.backtracking import Backtracking
from sudokulab.solvers.base import STRICT, CompleteSolver
from sudokulab.solvers.conflict_driven import ConflictDriven

__all__ = ["Auto"]

_BOX = BoxShape(3, 3)
_FEW = 1000  # solutions, as many as the bulk engine may count
_PLAIN = Backtracking()
_LEARNING = ConflictDriven()


@dataclass(frozen=True, kw_only=True, config=STRICT)
class Auto(CompleteSolver):
    """Whatever is fastest: the bulk engine for 9×9, backtracking for smaller ones, conflict-driven search for all else.

    Notes
    -----
    The bulk engine has neither nodes nor a clock. It gives up a puzzle that needs more than
    10,000 guesses, ten times what any puzzle of the public collections needs; conflict-driven search then takes over,
    as it does for a budget of nodes and for a trace. Solutions of 9×9 grids and smaller ones are counted in large
    numbers, and enumerated, by backtracking, which is quicker where there is little to learn.

    Statistics: those of `ConflictDriven` or `Backtracking`; none of the bulk engine.

    References
    ----------
    Those of `ConflictDriven`; what the bulk engine does is in ``cpp/bulk.h``.
    """

    name = "auto"

    def _run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: bool) -> Result:
        engine = _engine(puzzle, budget, trace)
        if engine is None:
            start = time.perf_counter()
            is_done, cells = _core.solve_one(puzzle.cells)
            if is_done:
                return self._answer(puzzle, cells, seed, time.perf_counter() - start)
        return replace((engine or _LEARNING)._run(puzzle, budget, seed, trace), solver=self.name)

    def solve_batch(
        self, puzzles: Sequence[Puzzle], budget: Budget | None, seeds: Sequence[int], threads: int
    ) -> list[Result]:
        """Solve puzzles side by side, those of 9×9 in the lanes of vectors."""
        checked = self._checked(budget)
        engines = [_engine(puzzle, checked) for puzzle in puzzles]
        results: dict[int, Result] = {}
        for engine in (None, _PLAIN, _LEARNING):  # the last one also gets what the first has given up
            mine = [i for i, chosen in enumerate(engines) if chosen is engine]
            batch, own_seeds = [puzzles[i] for i in mine], [seeds[i] for i in mine]
            solved: Sequence[Result | None] = (
                engine.solve_batch(batch, budget, own_seeds, threads)
                if engine
                else self._solve_bulk(batch, own_seeds, threads)
            )
            for i, result in zip(mine, solved, strict=True):
                if result is None:
                    engines[i] = _LEARNING
                else:
                    results[i] = result if engine is None else replace(result, solver=self.name)
        return [results[i] for i in range(len(puzzles))]

    def count(self, puzzle: Puzzle, limit: int | None = None, budget: Budget | None = None) -> int:
        """Return the number of solutions, or the limit if there are at least that many; see `CompleteSolver.count`."""
        checked = self._checked(budget)
        if limit is not None and 0 < limit <= _FEW and _engine(puzzle, checked) is None:
            number = _core.count_one(puzzle.cells, limit)
            if number is not None:
                return number
        return _counter(puzzle).count(puzzle, limit, checked)

    def enumerate(self, puzzle: Puzzle, budget: Budget | None = None) -> Iterator[Puzzle]:
        """Yield the solutions one by one; see `CompleteSolver.enumerate`."""
        return _counter(puzzle).enumerate(puzzle, self._checked(budget))

    def _solve_bulk(self, puzzles: Sequence[Puzzle], seeds: Sequence[int], threads: int) -> list[Result | None]:
        """Return a result for each puzzle, nothing for one that is given up."""
        if not puzzles:
            return []
        start = time.perf_counter()
        array = np.frombuffer(b"".join(puzzle.cells for puzzle in puzzles), np.uint8).reshape(-1, 81)
        solutions, counts, are_right = _core.solve_bulk(array, 1, True, threads, "best", _core.patient_guesses)
        seconds = (time.perf_counter() - start) / len(puzzles)
        results: list[Result | None] = []
        for puzzle, row, number, seed in zip(puzzles, solutions, counts.tolist(), seeds, strict=True):
            cells = row.tobytes() if number == 1 else None
            results.append(self._answer(puzzle, cells, seed, seconds) if number <= 1 else None)
        if are_right:
            return results
        verified = iter(self._verified([result for result in results if result]))
        return [result and next(verified) for result in results]

    def _answer(self, puzzle: Puzzle, cells: bytes | None, seed: int, seconds: float) -> Result:
        if cells is None:
            return Result(Status.UNSATISFIABLE, puzzle, self.name, seconds=seconds, seed=seed)
        return Result(Status.SOLVED, puzzle, self.name, Puzzle(cells, _BOX), 0, seconds=seconds, seed=seed)


def _engine(puzzle: Puzzle, budget: Budget, trace: bool = False) -> CompleteSolver | None:
    """Choose for one solution; None is the bulk engine."""
    if trace or budget.nodes is not None or puzzle.size > _BOX.size:
        return _LEARNING
    return None if puzzle.box == _BOX else _PLAIN


def _counter(puzzle: Puzzle) -> CompleteSolver:
    """Choose for all solutions."""
    return _LEARNING if puzzle.size > _BOX.size else _PLAIN

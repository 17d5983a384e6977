"""What a solver is.

A solver is a frozen dataclass whose fields are its parameters; it can be shared by threads and used again. To add one,
derive from `Solver`, implement `_run`, and register the class (see `sudokulab.solvers`): the conformance suite
and the command line then know it. Solvers of the native core derive from `NativeSolver` and only name parameters.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from functools import lru_cache
from itertools import groupby
from typing import Any, ClassVar, Literal

import numpy as np

from sudokulab import _core
from sudokulab._internal.native import checked_seed, native_budget, native_puzzle
from sudokulab.budget import MAX_COUNT, Budget, checked_budget
from sudokulab.errors import BudgetError, WrongAnswerError
from sudokulab.formats.coercion import PuzzleLike, as_puzzle
from sudokulab.puzzle import Puzzle
from sudokulab.result import Result, Status
from sudokulab.verify import are_solutions, is_solution

__all__ = [
    "CompleteSolver",
    "Filter",
    "NativeSolver",
    "Solver",
]

Filter = Literal["none", "cp", "ac3"]
"""What is fixed before a search: nothing, or what `sudokulab.logic.filtering.cp` or `ac3` can deduce."""

_TRACE_CAPACITY = 4096


class Solver(ABC):
    """The interface of every solver."""

    name: ClassVar[str]
    """The name on the command line and in tables, such as ``ant-colony``."""
    unit: ClassVar[Literal["nodes", "iterations"] | None]
    """What it counts its steps in."""
    is_complete: ClassVar[bool] = False
    """Whether it can prove that there is no solution."""
    is_stochastic: ClassVar[bool] = True
    """Whether the seed matters."""

    @abstractmethod
    def _run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: bool) -> Result:
        """Search; the caller verifies what comes back."""

    def prepare(self) -> None:  # noqa: B027  # most have nothing to load
        """Load what the first run would have to load, so that it is not counted as its time."""

    def solve(self, puzzle: PuzzleLike, budget: Budget | None = None, *, seed: int = 0, trace: bool = False) -> Result:
        """Look for a solution.

        Parameters
        ----------
        puzzle
            What to solve.
        budget
            When to give up; by default never.
        seed
            The same seed repeats the run exactly, another one gives an unrelated run.
        trace
            Whether to sample the course of the search into `Result.trace`.
        """
        result = self._run(as_puzzle(puzzle), self._checked(budget), checked_seed(seed), trace)
        complaint = self._complaint(result)
        if complaint:
            raise WrongAnswerError(complaint)
        return result

    def solve_batch(
        self, puzzles: Sequence[Puzzle], budget: Budget | None, seeds: Sequence[int], threads: int
    ) -> list[Result]:
        """Solve puzzles side by side, one seed each, and return the results in order; a failure becomes a result.

        `sudokulab.solve_many` is what a user calls; it cuts long inputs into batches.
        """
        checked = self._checked(budget)

        def run(puzzle: Puzzle, seed: int) -> Result:
            try:
                return self.solve(puzzle, checked, seed=seed)
            except Exception as error:  # whatever a plug-in raises, it must not take the batch with it
                return self._failure(puzzle, seed, f"{type(error).__name__}: {error}")

        executor = ThreadPoolExecutor(threads)
        try:
            return list(executor.map(run, puzzles, seeds))
        finally:
            executor.shutdown(wait=False, cancel_futures=True)  # after Ctrl-C nobody waits for a run in Python

    def _checked(self, budget: Budget | None) -> Budget:
        return checked_budget(budget, self.name, self.unit)

    def _complaint(self, result: Result) -> str:
        """Say what is wrong with an answer, nothing if it will do."""
        if result.status is Status.UNSATISFIABLE and not self.is_complete:
            return (
                f"{self.name} says unsatisfiable, which an incomplete solver cannot know; this is a bug in the solver"
            )
        if result.is_solved and (result.puzzle is None or not is_solution(result, result.puzzle)):
            return f"{self.name} returned a grid that is no solution; this is a bug in the solver"
        return ""

    def _failure(self, puzzle: Puzzle, seed: int, error: str) -> Result:
        return Result(Status.UNKNOWN, puzzle, self.name, seed=seed, error=error)


class NativeSolver(Solver):
    """A solver of the native core: a class there has its name, or that of a base, and takes the same parameters."""

    def _make_native(self) -> Any:
        parameters = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        name = next(base.__name__ for base in type(self).__mro__ if hasattr(_core, base.__name__))
        return getattr(_core, name)(**parameters)

    def _native(self) -> Any:
        return _native_of(self)

    def _run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: bool) -> Result:
        capacity = _TRACE_CAPACITY if trace else 0
        return self._result(
            puzzle, seed, self._native().solve(native_puzzle(puzzle), native_budget(budget), seed, capacity)
        )

    def solve_batch(
        self, puzzles: Sequence[Puzzle], budget: Budget | None, seeds: Sequence[int], threads: int
    ) -> list[Result]:
        """Solve puzzles side by side in native threads."""
        givens = [native_puzzle(puzzle) for puzzle in puzzles]
        found = self._native().solve_many(givens, seeds, native_budget(self._checked(budget)), threads)
        results = map(self._result, puzzles, seeds, found)
        groups = groupby(results, key=lambda result: result.puzzle and result.puzzle.box)
        return [result for _, group in groups for result in self._verified(list(group))]

    def _result(self, puzzle: Puzzle, seed: int, found: _core.Result) -> Result:
        status, cells = Status(found.status), found.grid
        state = None if cells is None else Puzzle(cells, puzzle.box)
        return Result(
            status=status,
            puzzle=puzzle,
            solver=self.name,
            solution=state if status is Status.SOLVED else None,
            best=None if status is Status.SOLVED else state,
            cost=found.cost,
            stats=found.stats,
            trace=found.trace,
            seconds=found.seconds,
            seed=seed,
            error=found.error or None,
        )

    def _verified(self, results: list[Result]) -> Iterable[Result]:
        """Judge the results on puzzles of one box shape at once, and turn wrong ones into failures."""
        solved = [(result.puzzle, result.solution) for result in results if result.puzzle and result.solution]
        are_answers = len(solved) == sum(result.is_solved for result in results)
        if solved and are_answers:
            box = solved[0][0].box
            givens, grids = (
                np.frombuffer(b"".join(puzzle.cells for puzzle in puzzles), np.uint8).reshape(-1, box.size, box.size)
                for puzzles in zip(*solved, strict=True)
            )
            are_answers = bool(are_solutions(grids, givens, box).all())
        if are_answers and (self.is_complete or all(r.status is not Status.UNSATISFIABLE for r in results)):
            return results
        return [
            replace(result, status=Status.UNKNOWN, solution=None, error=complaint)
            if (complaint := self._complaint(result))
            else result
            for result in results
        ]


@lru_cache(maxsize=256)
def _native_of(solver: NativeSolver) -> Any:
    """Return the solver of the core; immutable, and so shared by equal solvers."""
    return solver._make_native()


class CompleteSolver(NativeSolver):
    """A native solver that visits the whole space: it proves, counts and enumerates."""

    unit = "nodes"
    is_complete = True
    is_stochastic = False

    def count(self, puzzle: PuzzleLike, limit: int | None = None, budget: Budget | None = None) -> int:
        """Return the number of solutions, or the limit if there are at least that many.

        Raises
        ------
        BudgetError
            If the budget runs out first.
        """
        if limit is not None and limit < 0:
            raise ValueError(f"limit: {limit}, expected 0 or more")
        bound = MAX_COUNT if limit is None else min(limit, MAX_COUNT)
        number, is_exact = self._native().count(
            native_puzzle(as_puzzle(puzzle)), bound, native_budget(self._checked(budget))
        )
        if not is_exact:
            raise BudgetError(f"stopped counting at {number} solutions: the budget ran out")
        return int(number)

    def enumerate(self, puzzle: PuzzleLike, budget: Budget | None = None) -> Iterator[Puzzle]:
        """Yield the solutions one by one, each verified, searching only as far as they are asked for.

        Raises
        ------
        BudgetError
            If the budget, which is for all of them together, runs out.
        """
        puzzle = as_puzzle(puzzle)
        enumeration = _core.Enumeration(self._native(), native_puzzle(puzzle), native_budget(self._checked(budget)))
        while (status := Status(enumeration.next())) is Status.SOLVED:
            solution = Puzzle(enumeration.grid(), puzzle.box)
            if not is_solution(solution, puzzle):
                raise WrongAnswerError(
                    f"{self.name} enumerated a grid that is no solution; this is a bug in the solver"
                )
            yield solution
        if status is Status.UNKNOWN:
            raise BudgetError("stopped enumerating: the budget ran out")

"""What a solver is.

A solver is a frozen dataclass whose fields are its parameters; it can be shared by threads and used again. To add one,
derive from `Solver`, implement `_run`, and register the class (see `sudokulab.solvers`): the conformance suite, the
command line and the bench then know it. Solvers of the native core derive from `NativeSolver` and only name parameters.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from itertools import groupby
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import ConfigDict

from sudokulab import _core
from sudokulab.budget import Budget
from sudokulab.errors import BudgetError, WrongAnswerError
from sudokulab.puzzle import Puzzle
from sudokulab.result import Result, Status
from sudokulab.verify import are_solutions, is_solution

__all__ = ["STRICT", "CompleteSolver", "NativeSolver", "Solver"]

STRICT = ConfigDict(extra="forbid")
"""The configuration of a solver's dataclass: a parameter that it does not have is refused."""

_TRACE_CAPACITY = 4096
_WRONG = "{} returned a grid that is no solution; this is a bug in the solver"


class Solver(ABC):
    """The interface of every solver."""

    name: ClassVar[str]
    """The name on the command line and in tables, such as ``ant-colony``."""
    unit: ClassVar[Literal["nodes", "iterations"]]
    """What it counts its steps in."""
    is_complete: ClassVar[bool] = False
    """Whether it can prove that there is no solution."""
    is_stochastic: ClassVar[bool] = True
    """Whether the seed matters."""

    @abstractmethod
    def _run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: bool) -> Result:
        """Search; the caller verifies what comes back."""

    def solve(self, puzzle: Puzzle, budget: Budget | None = None, *, seed: int = 0, trace: bool = False) -> Result:
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
        result = self._run(puzzle, self._checked(budget), seed, trace)
        if result.is_solved and not is_solution(result.grid, puzzle):
            raise WrongAnswerError(_WRONG.format(self.name))
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
            executor.shutdown(cancel_futures=True)

    def _checked(self, budget: Budget | None) -> Budget:
        other: Literal["nodes", "iterations"] = "iterations" if self.unit == "nodes" else "nodes"
        if budget is not None and getattr(budget, other) is not None:
            raise ValueError(f"{self.name} counts {self.unit}, not {other}: limit {self.unit} or seconds instead")
        return budget or Budget()

    def _failure(self, puzzle: Puzzle | None, seed: int, error: str) -> Result:
        return Result(Status.UNKNOWN, puzzle, self.name, seed=seed, error=error)


class NativeSolver(Solver):
    """A solver of the native core: a class of the same name there takes the same parameters."""

    def _native(self) -> Any:
        parameters = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        return getattr(_core, type(self).__name__)(**parameters)

    def _run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: bool) -> Result:
        capacity = _TRACE_CAPACITY if trace else 0
        return self._result(puzzle, seed, self._native().solve(_problem(puzzle), _limits(budget), seed, capacity))

    def solve_batch(
        self, puzzles: Sequence[Puzzle], budget: Budget | None, seeds: Sequence[int], threads: int
    ) -> list[Result]:
        """Solve puzzles side by side in native threads."""
        problems = [_problem(puzzle) for puzzle in puzzles]
        outcomes = self._native().solve_many(problems, seeds, _limits(self._checked(budget)), threads)
        results = map(self._result, puzzles, seeds, outcomes)
        return [result for box, group in groupby(results, _box) for result in self._verified(list(group))]

    def _result(self, puzzle: Puzzle, seed: int, outcome: _core.Outcome) -> Result:
        return Result(
            status=Status(outcome.status),
            puzzle=puzzle,
            solver=self.name,
            solution=None if outcome.grid is None else Puzzle(outcome.grid, puzzle.box),
            cost=outcome.cost,
            stats=outcome.stats,
            trace=outcome.trace,
            seconds=outcome.seconds,
            seed=seed,
            error=outcome.error or None,
        )

    def _verified(self, results: list[Result]) -> Iterable[Result]:
        """Judge the results on puzzles of one box shape at once, and turn wrong ones into failures."""
        solved = [(result.puzzle, result.solution) for result in results if result.puzzle and result.solution]
        if not solved:
            return results
        box = solved[0][0].box
        givens, grids = (
            np.frombuffer(b"".join(puzzle.cells for puzzle in puzzles), np.uint8).reshape(-1, box.size, box.size)
            for puzzles in zip(*solved, strict=True)
        )
        if are_solutions(grids, givens, box).all():
            return results
        return [
            replace(self._failure(result.puzzle, result.seed, _WRONG.format(self.name)), seconds=result.seconds)
            if result.puzzle and result.is_solved and not is_solution(result.grid, result.puzzle)
            else result
            for result in results
        ]


class CompleteSolver(NativeSolver):
    """A native solver that visits the whole space: it proves, counts and enumerates."""

    unit = "nodes"
    is_complete = True
    is_stochastic = False

    def count(self, puzzle: Puzzle, limit: int | None = None, budget: Budget | None = None) -> int:
        """Return the number of solutions, or the limit if there are at least that many.

        Raises
        ------
        BudgetError
            If the budget runs out first.
        """
        bound = 2**63 - 1 if limit is None else limit
        number, is_exact = self._native().count(_problem(puzzle), bound, _limits(self._checked(budget)))
        if not is_exact:
            raise BudgetError(f"stopped counting at {number} solutions: the budget ran out")
        return int(number)

    def enumerate(self, puzzle: Puzzle, budget: Budget | None = None) -> Iterator[Puzzle]:
        """Yield the solutions one by one, each verified, searching only as far as they are asked for.

        Raises
        ------
        BudgetError
            If the budget, which is for all of them together, runs out.
        """
        enumeration = _core.Enumeration(self._native(), _problem(puzzle), _limits(self._checked(budget)))
        while (status := Status(enumeration.next())) is Status.SOLVED:
            solution = Puzzle(enumeration.grid(), puzzle.box)
            if not is_solution(solution.givens, puzzle):
                raise WrongAnswerError(_WRONG.format(self.name))
            yield solution
        if status is Status.UNKNOWN:
            raise BudgetError("stopped enumerating: the budget ran out")


def _problem(puzzle: Puzzle) -> _core.Problem:
    return _core.Problem(puzzle.box.rows, puzzle.box.cols, puzzle.cells)


def _limits(budget: Budget) -> _core.Budget:
    return _core.Budget(budget.seconds, budget.iterations, budget.nodes)


def _box(result: Result) -> Any:
    return result.puzzle.box if result.puzzle else None

"""The interface of solvers.

A solver is immutable, so threads can share it. To write one, derive from `Solver` and implement `run`;
docs/how-to/own-solver.md shows how. Parameters are the fields of a frozen dataclass (see `sudokulab.parameters`).
Solvers of the native core derive from `NativeSolver` and only declare their parameters.
"""

from __future__ import annotations

import re
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, ClassVar, Literal

from sudokulab import _core
from sudokulab._internal.native import checked_limit, checked_seed, checked_threads, native_budget, native_puzzle
from sudokulab.errors import BudgetError, ParameterError, SudokulabError, WrongAnswerError
from sudokulab.formats.coercion import PuzzleLike, as_puzzle
from sudokulab.parameters import parameter_values
from sudokulab.puzzle import BoxLike, Puzzle
from sudokulab.search.budget import Budget, checked_budget
from sudokulab.search.clock import LISTENING_SECONDS, VIEWER
from sudokulab.search.frames import LiveView, Recorder, recorded_frames, viewer_for
from sudokulab.search.result import Result, Status
from sudokulab.search.trace import CAPACITY, Trace
from sudokulab.verify import is_solution

__all__ = ["RESULT_CLASSES", "CompleteSolver", "NativeSolver", "Solver"]

RESULT_CLASSES = (Result, Puzzle, Status.SOLVED, Status.UNSATISFIABLE, Status.UNKNOWN)
"""What the core makes results of."""

_NO_TRACE = Trace(is_on=False)


class Solver(ABC):
    """Base class of all solvers. To write a solver, implement `run`.

    Examples
    --------
    >>> class LookUp(Solver):
    ...     def run(self, puzzle, budget, seed, trace):
    ...         return "1324423124133142" if puzzle.line == "1.....3..4.....2" else None
    >>> LookUp().solve("1.....3..4.....2")  # doctest: +ELLIPSIS
    <Result solved, look-up, ..., '1324423124133142'>
    """

    name: ClassVar[str] = ""
    """The name on the command line and in tables. Default: the name of the class, as in ``ant-colony``."""
    unit: ClassVar[Literal["nodes", "iterations"] | None] = None
    """The unit of its steps; None if it can only limit its time."""
    is_complete: ClassVar[bool] = False
    """Whether it can prove that a puzzle has no solution."""
    is_stochastic: ClassVar[bool] = True
    """Whether it uses the seed."""
    watch_speed: ClassVar[float] = 10
    """Steps per second at which people can follow the search."""

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        if not cls.name:
            cls.name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", cls.__name__).lower()

    @abstractmethod
    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result | PuzzleLike | None:
        """Search for a solution. Users call `solve`, which verifies the answer.

        Parameters
        ----------
        puzzle
            The puzzle.
        budget
            The limits of the run; a `sudokulab.search.Clock` checks them.
        seed
            Random seed. The same seed must give the same run.
        trace
            Records samples of the search, if they were requested: ``trace.record(iterations=1, cost=12)``. With
            ``grid=...`` people can watch the run.

        Returns
        -------
        Result | PuzzleLike | None
            The solution in any form, None if the budget ran out, or a `Result` with further details. The puzzle, the
            solver, the seed, and by default the time and the trace of a `Result` are filled in.
        """

    def prepare(self) -> None:  # noqa: B027  # most solvers have nothing to load
        """Load everything that the first run needs, so that loading does not count as its time."""

    def solve(
        self,
        puzzle: PuzzleLike,
        budget: Budget | None = None,
        *,
        seconds: float | None = None,
        iterations: int | None = None,
        nodes: int | None = None,
        seed: int = 0,
        trace: bool = False,
        frames: bool | LiveView | Recorder = False,
        threads: int | None = 1,
        box: BoxLike | None = None,
    ) -> Result:
        """Solve a puzzle.

        Parameters
        ----------
        puzzle
            A `Puzzle`, text in any format, bytes, nested lists or an array.
        budget
            Limits of the run. Default: no limit.
        seconds, iterations, nodes
            Limits without a `Budget`. Metaheuristics count iterations, tree searches count nodes.
        seed
            Random seed. The same seed repeats the run exactly.
        trace
            Whether to record samples of the search in `Result.trace`.
        frames
            Whether to record snapshots of the search in `Result.frames`, or a `sudokulab.search.LiveView` to watch the
            search while it runs. A `sudokulab.search.Recorder` keeps the snapshots of interrupted runs.
        threads
            Number of threads, at most one per core; None for all cores. `Auto` uses them on hard puzzles larger than
            9×9, `ConflictDriven` on all hard puzzles: each thread runs a different search, and the first answer counts.
            Such runs are not repeatable, and cannot record a trace or frames. Other solvers and smaller puzzles use one
            thread. Limits on nodes, and on CPU time, hold for each thread.
        box
            The box shape, for sizes with several, such as ``"2x6"``.

        Raises
        ------
        SudokulabError
            If the puzzle cannot be read, a parameter is invalid, or a trace or frames of several threads are requested.
        WrongAnswerError
            If the solver returns an invalid solution.
        """
        limits = checked_budget(budget, self.name, self.unit, seconds, iterations, nodes)
        puzzle, seed, threads = as_puzzle(puzzle, box), checked_seed(seed), checked_threads(threads)
        if threads > 1 and (trace or frames) and self._uses_threads(puzzle):
            raise ParameterError(f"threads: {threads}; trace and frames record one search, so set threads=1")
        viewer = viewer_for(frames, puzzle.size)
        samples = _NO_TRACE
        if trace or viewer:
            samples = Trace(is_on=trace, viewer=viewer, puzzle=puzzle, is_cpu_time=limits.is_cpu_time)
        result = self._answer(puzzle, limits, seed, samples, threads)
        if viewer:
            result = replace(result, frames=recorded_frames(viewer), parameters=parameter_values(self))
        complaint = self._complaint(result)
        if complaint:
            raise WrongAnswerError(complaint)
        return result

    def _uses_threads(self, puzzle: Puzzle) -> bool:
        """Return whether it can run several searches of the puzzle."""
        return False

    def _answer(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace, threads: int) -> Result:
        """Run the solver, on one thread, and make a result of what it returns."""
        viewer = trace.viewer
        if viewer:
            viewer.begin(puzzle.cells)
        token = VIEWER.set(viewer)
        start = time.perf_counter()
        try:
            found = self.run(puzzle, budget, seed, trace)
        finally:
            VIEWER.reset(token)
        seconds = time.perf_counter() - start - (viewer.seconds_waited if viewer else 0.0)
        if not isinstance(found, Result):
            if found is None:
                found = Result(Status.UNKNOWN, puzzle, self.name)
            else:
                found = Result(Status.SOLVED, puzzle, self.name, self._as_solution(found, puzzle), 0)
        result = replace(
            found,
            puzzle=puzzle,
            solver=self.name,
            solution=None if found.solution is None else self._as_solution(found.solution, puzzle),
            trace=found.trace or trace.columns(),
            seconds=found.seconds or seconds,
            seed=seed,
        )
        if viewer:
            state = result.solution or result.best
            viewer.end(result.seconds, b"" if state is None else state.cells)
        return result

    def _as_solution(self, grid: PuzzleLike, puzzle: Puzzle) -> Puzzle:
        try:
            return as_puzzle(grid, puzzle.box)
        except SudokulabError as error:
            raise WrongAnswerError(f"{self.name} did not return a grid: {error}") from None

    def solve_batch(
        self, puzzles: Sequence[Puzzle], budget: Budget | None, seeds: Sequence[int], threads: int
    ) -> Iterable[Result]:
        """Solve puzzles in parallel, one seed each, and return the results in order. Failures become results.

        Users call `sudokulab.solve_many`, which splits long inputs into batches.
        """
        from concurrent.futures import ThreadPoolExecutor, wait  # native solvers do without

        checked = checked_budget(budget, self.name, self.unit)

        def run(puzzle: Puzzle, seed: int) -> Result:
            try:
                return self.solve(puzzle, checked, seed=seed)
            except Exception as error:  # an error in a plug-in must not end the whole batch
                return self._failure(puzzle, seed, f"{type(error).__name__}: {error}")

        executor = ThreadPoolExecutor(threads)
        try:
            futures = [executor.submit(run, puzzle, seed) for puzzle, seed in zip(puzzles, seeds, strict=True)]
            for future in futures:
                while not future.done():
                    wait([future], LISTENING_SECONDS)
                    _core.raise_if_cancelled()
            return [future.result() for future in futures]
        finally:
            executor.shutdown(wait=False, cancel_futures=True)  # after Ctrl-C, do not wait for runs

    def _complaint(self, result: Result) -> str:
        """Return what is wrong with an answer; empty if it is valid."""
        if result.status is Status.UNSATISFIABLE and not self.is_complete:
            return f"{self.name} returned UNSATISFIABLE, but is not a complete solver; this is a bug in the solver"
        if _core.invalid_results([result], Status.SOLVED):
            return f"{self.name} returned an invalid solution; this is a bug in the solver"
        return ""

    def _failure(self, puzzle: Puzzle, seed: int, error: str) -> Result:
        return Result(Status.UNKNOWN, puzzle, self.name, seed=seed, error=error)


class NativeSolver(Solver):
    """A solver of the native core. The core has a class of the same name, or of a base class, with its parameters."""

    def native_parameters(self) -> dict[str, object]:
        """Return the parameters of the core's solver."""
        return parameter_values(self)

    def check_size(self, puzzle: Puzzle) -> None:
        """Raise `ParameterError` if the puzzle is too large for the solver."""

    def _make_native(self) -> Any:
        name = next(base.__name__ for base in type(self).__mro__ if hasattr(_core, base.__name__))
        return getattr(_core, name)(**self.native_parameters())

    def _native(self) -> Any:
        return _native_of(self)

    def _answer(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace, threads: int) -> Result:
        if type(self).run is NativeSolver.run:
            return self._search(puzzle, budget, seed, trace, threads)
        return self.run(puzzle, budget, seed, trace)  # replaced by a subclass, for one thread

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        """Run the solver of the core."""
        return self._search(puzzle, budget, seed, trace, 1)

    def _search(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace, threads: int) -> Result:
        self.check_size(puzzle)
        capacity = CAPACITY if trace.is_on else 0
        limits = native_budget(budget)
        native = self._native()
        found: Result = native.solve(puzzle, limits, seed, capacity, trace.viewer, threads, self.name, RESULT_CLASSES)
        return found

    def solve_batch(
        self, puzzles: Sequence[Puzzle], budget: Budget | None, seeds: Sequence[int], threads: int
    ) -> Iterable[Result]:
        """Solve puzzles in parallel, in native threads."""
        limits = native_budget(checked_budget(budget, self.name, self.unit))
        failures = self._failures(puzzles, seeds)
        if failures:
            rest = [place for place in range(len(puzzles)) if place not in failures]
            puzzles, seeds = [puzzles[place] for place in rest], [seeds[place] for place in rest]
        found = self._native().solve_many(tuple(puzzles), seeds, limits, threads, self.name, RESULT_CLASSES)
        results = found if found.are_valid and self.is_complete else map(self._verified, found)
        if failures:
            results = list(results)
            for place, failure in failures.items():
                results.insert(place, failure)
        return results

    def _failures(self, puzzles: Sequence[Puzzle], seeds: Sequence[int]) -> dict[int, Result]:
        """Return the results of the puzzles that are too large, by their places."""
        if type(self).check_size is NativeSolver.check_size:
            return {}  # a loop would take as long as the search
        failures = {}
        for place, puzzle in enumerate(puzzles):
            try:
                self.check_size(puzzle)
            except ParameterError as error:
                failures[place] = self._failure(puzzle, seeds[place], f"{type(error).__name__}: {error}")
        return failures

    def _verified(self, result: Result) -> Result:
        """Return the result, or a failure if it is wrong."""
        complaint = self._complaint(result)
        return replace(result, status=Status.UNKNOWN, solution=None, error=complaint) if complaint else result


@lru_cache(maxsize=256)
def _native_of(solver: NativeSolver) -> Any:
    """Return the solver of the core. It is immutable, so equal solvers share it."""
    return solver._make_native()


class CompleteSolver(NativeSolver):
    """A native solver that searches the whole space: it can prove, count and enumerate."""

    unit = "nodes"
    is_complete = True
    is_stochastic = False

    def count(
        self,
        puzzle: PuzzleLike,
        limit: int | None = None,
        budget: Budget | None = None,
        *,
        seconds: float | None = None,
        box: BoxLike | None = None,
    ) -> int:
        """Count the solutions of a puzzle, up to the limit.

        Raises
        ------
        BudgetError
            If the budget runs out.
        """
        bound = checked_limit(limit)
        limits = native_budget(checked_budget(budget, self.name, self.unit, seconds))
        number, is_exact = self._native().count(native_puzzle(as_puzzle(puzzle, box)), bound, limits)
        if not is_exact:
            raise BudgetError(f"the budget ran out after {number:,} solutions")
        return int(number)

    def solutions(
        self,
        puzzle: PuzzleLike,
        budget: Budget | None = None,
        *,
        seconds: float | None = None,
        box: BoxLike | None = None,
    ) -> Iterator[Puzzle]:
        """Yield the solutions of a puzzle one by one, as they are found. Each is verified.

        Raises
        ------
        BudgetError
            If the budget runs out. It covers all solutions together.
        """
        puzzle = as_puzzle(puzzle, box)
        limits = native_budget(checked_budget(budget, self.name, self.unit, seconds))
        return self._solutions(puzzle, _core.Enumeration(self._native(), native_puzzle(puzzle), limits))

    def _solutions(self, puzzle: Puzzle, enumeration: _core.Enumeration) -> Iterator[Puzzle]:
        while (status := Status(enumeration.next())) is Status.SOLVED:
            solution = Puzzle(enumeration.grid(), puzzle.box)
            if not is_solution(solution, puzzle):
                raise WrongAnswerError(f"{self.name} enumerated an invalid solution; this is a bug in the solver")
            yield solution
        if status is Status.UNKNOWN:
            raise BudgetError("the budget ran out before all solutions were found")

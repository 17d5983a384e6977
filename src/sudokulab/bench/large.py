"""Time each solver on each large grid, interleaved, with every answer verified."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, median

from sudokulab._internal.machine import one_core
from sudokulab._internal.progress import progress_bar
from sudokulab.errors import WrongAnswerError
from sudokulab.external import ExternalSolver
from sudokulab.puzzle import Puzzle
from sudokulab.search.budget import Budget
from sudokulab.search.result import Status
from sudokulab.solvers import Solver
from sudokulab.verify import is_solution

__all__ = ["STATISTICS", "TimedRun", "Times", "measure", "reference_among"]

STATISTICS = ("mean_seconds", "median_seconds", "longest_seconds", "mean_search_seconds")
_GRACE_SECONDS = 1.0  # tolerated overrun of the budget; later answers do not count as solved


@dataclass(frozen=True)
class TimedRun:
    """The outcome of one solver on one instance.

    Parameters
    ----------
    is_solved
        Whether it found a solution within its budget.
    seconds
        Total wall time, measured from outside.
    search_seconds
        The same without the time a rival needs to encode the puzzle, if it reports its search time.
    complaint
        What is wrong with the answer, or why there is none; empty if only the time ran out.
    """

    is_solved: bool
    seconds: float
    search_seconds: float
    complaint: str = ""


@dataclass(frozen=True)
class Times:
    """The runs of a solver, one per instance."""

    solver: str
    is_rival: bool
    runs: list[TimedRun]

    @property
    def solved(self) -> set[int]:
        """The indices of the solved instances."""
        return {place for place, run in enumerate(self.runs) if run.is_solved}

    @property
    def complaints(self) -> list[str]:
        """The complaints of all runs."""
        return [run.complaint for run in self.runs if run.complaint]

    @property
    def statistics(self) -> dict[str, float]:
        """The values of `STATISTICS` over the solved instances; empty if none was solved."""
        solved = [run for run in self.runs if run.is_solved]
        if not solved:
            return {}
        seconds = [run.seconds for run in solved]
        values = (mean(seconds), median(seconds), max(seconds), mean(run.search_seconds for run in solved))
        return dict(zip(STATISTICS, values, strict=True))

    def ratio_to(self, reference: Times) -> float | None:
        """Return the speed relative to the reference: the ratio of mean search times over instances that both solve.

        Encoding is not counted. Returns None if no instance was solved by both.
        """
        both = self.solved & reference.solved
        if not both:
            return None
        own, other = (sum(times.runs[place].search_seconds for place in both) for times in (self, reference))
        return other / own


def measure(
    solvers: Sequence[Solver],
    puzzles: Sequence[Puzzle],
    budget: Budget,
    *,
    seed: int = 0,
    progress: bool = True,
) -> list[Times]:
    """Run all solvers on each instance in turn, rotating their order, on one core.

    Parameters
    ----------
    solvers
        The solvers to compare, with distinct names.
    puzzles
        The instances; all must be solvable.
    budget
        The budget of each run.
    seed
        Random seed of the first instance; it increases by one per instance.
    progress
        Whether to show a progress bar when standard error is a terminal.
    """
    for solver in solvers:
        solver.prepare()
    runs: dict[str, list[TimedRun]] = {solver.name: [] for solver in solvers}
    with progress_bar("measuring", len(puzzles) * len(solvers), is_shown=progress) as update, one_core():
        for number, puzzle in enumerate(puzzles):
            start = number % len(solvers)
            for place, solver in enumerate([*solvers[start:], *solvers[:start]]):
                runs[solver.name].append(_try(solver, puzzle, budget, (seed + number) % 2**64))
                update(number * len(solvers) + place + 1, solver.name)
    return [Times(solver.name, isinstance(solver, ExternalSolver), runs[solver.name]) for solver in solvers]


def reference_among(measured: Sequence[Times], name: str | None = None) -> Times:
    """Return the named baseline; by default the rival that solves most (then fastest), without rivals the first."""
    if name is not None:
        return next(times for times in measured if times.solver == name)
    rivals = [times for times in measured if times.is_rival and times.solved]
    return max(rivals, key=lambda t: (len(t.solved), -t.statistics["mean_search_seconds"]), default=measured[0])


def _try(solver: Solver, puzzle: Puzzle, budget: Budget, seed: int) -> TimedRun:
    start = time.perf_counter()
    try:
        result = solver.solve(puzzle, budget, seed=seed)
    except Exception as error:  # one failing solver must not stop the comparison
        seconds = time.perf_counter() - start
        word = "wrong" if isinstance(error, WrongAnswerError) else f"failed: {type(error).__name__}"
        return TimedRun(False, seconds, seconds, f"{word}: {error}")
    seconds = time.perf_counter() - start
    search_seconds = float(result.stats.get("search_seconds", seconds))
    complaint = ""
    if result.error:
        complaint = f"failed: {result.error}"
    elif result.is_solved and not is_solution(result, puzzle):
        complaint = "wrong: returned an invalid solution"
    elif result.status is Status.UNSATISFIABLE:
        complaint = "wrong: claimed that there is no solution"
    is_late = budget.seconds is not None and seconds > budget.seconds + _GRACE_SECONDS
    return TimedRun(result.is_solved and not complaint and not is_late, seconds, search_seconds, complaint)

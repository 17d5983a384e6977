"""What a run returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudokulab.puzzle import Digits, Puzzle

__all__ = ["Result", "Status"]


class Status(Enum):
    """The answer to a puzzle."""

    SOLVED = "solved"
    UNSATISFIABLE = "unsatisfiable"
    """There is no solution. Only a complete solver may say so."""
    UNKNOWN = "unknown"
    """Out of budget, interrupted, or broken down; see `Result.error`."""


@dataclass(frozen=True)
class Result:
    """What one solver found on one puzzle. A result that says ``SOLVED`` has been verified by `is_solution`.

    Results are equal if all but their times and traces are.

    Parameters
    ----------
    status
        Solved, proven to have no solution, or unknown.
    puzzle
        What was to be solved; None if the text given could not be read as a puzzle.
    solver
        The name of the solver.
    solution
        The full grid, None unless solved.
    cost
        The cost of the best state found, 0 for a solution; None for solvers without a cost.
    best
        The best state of an unsolved run, the one that `cost` belongs to; its open cells are blank. None if solved, and
        for solvers without a cost.
    stats
        Counters in the units of the papers.
    trace
        Sampled columns of equal length, such as nodes and depth; empty unless asked for.
    seconds
        Wall-clock time of the search.
    seed
        The seed that repeats this run.
    error
        Why there is no answer, if the run broke down.
    """

    status: Status
    puzzle: Puzzle | None
    solver: str
    solution: Puzzle | None = None
    cost: float | None = None
    best: Puzzle | None = None
    stats: Mapping[str, int | float] = field(default_factory=dict)
    trace: Mapping[str, NDArray[np.float64]] = field(default_factory=dict, repr=False, compare=False)
    seconds: float = field(default=0.0, compare=False)
    seed: int = 0
    error: str | None = None

    @property
    def grid(self) -> Digits | None:
        """The solution, or the best state of an unsolved run, as a read-only array of size × size digits."""
        state = self.solution or self.best
        return None if state is None else state.givens

    @property
    def is_solved(self) -> bool:
        """Whether there is a solution."""
        return self.status is Status.SOLVED

    def to_dict(self) -> dict[str, Any]:
        """Return the result as it is written in JSON."""
        return {
            "status": self.status.value,
            "solution": None if self.solution is None else str(self.solution),
            **({"best": str(self.best)} if self.best else {}),
            "seconds": self.seconds,
            "cost": self.cost,
            "seed": self.seed,
            "stats": dict(self.stats),
            **({"error": self.error} if self.error else {}),
        }

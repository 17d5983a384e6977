"""What is known of a run that is over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sudokulab._internal.machine import Machine, machine

__all__ = ["Outcome", "RunRecord"]


class Outcome:
    """How a run ended, as the store has it."""

    SOLVED = "solved"
    UNSATISFIABLE = "unsatisfiable"
    UNSOLVED = "unsolved"
    """The budget was used up."""
    LATE = "late"
    """It answered, or gave up, only after its budget."""
    WRONG = "wrong"
    """The solver returned an invalid solution."""
    ERROR = "error"
    """It broke down with an exception."""
    CRASHED = "crashed"
    """Its process died."""
    KILLED = "killed"
    """It did not stop, and was killed."""

    SUCCESSES = (SOLVED, UNSATISFIABLE)
    FAULTS = (LATE, WRONG, ERROR, CRASHED, KILLED)


@dataclass(frozen=True)
class RunRecord:
    """What came of a run.

    Parameters
    ----------
    outcome
        One of `Outcome`.
    cpu_seconds, wall_seconds
        What it used, measured from outside the solver.
    reported_seconds
        What the solver says it used.
    solution
        The verified grid as text.
    cost, stats
        As in `Result`.
    error
        What went wrong.
    trace
        The course of the run, if it was to be kept.
    machine
        Where it was made.
    """

    outcome: str
    cpu_seconds: float
    wall_seconds: float
    reported_seconds: float | None = None
    solution: str | None = None
    cost: float | None = None
    stats: Mapping[str, int | float] = field(default_factory=dict)
    error: str | None = None
    trace: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    machine: Machine = field(default_factory=machine)

    @property
    def is_success(self) -> bool:
        """Whether there was a right answer within the budget."""
        return self.outcome in Outcome.SUCCESSES

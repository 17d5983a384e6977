"""The outcome of a finished run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sudokulab._internal.machine import Machine, machine

__all__ = ["Outcome", "RunRecord"]


class Outcome:
    """The outcomes of a run, as stored."""

    SOLVED = "solved"
    UNSATISFIABLE = "unsatisfiable"
    UNSOLVED = "unsolved"
    """The budget was used up."""
    LATE = "late"
    """The run ended after its budget."""
    WRONG = "wrong"
    """The solver returned an invalid solution."""
    ERROR = "error"
    """The solver raised an exception or returned an unreadable answer."""
    CRASHED = "crashed"
    """The worker process died."""
    KILLED = "killed"
    """The run did not stop and was killed."""

    SUCCESSES = (SOLVED, UNSATISFIABLE)
    FAULTS = (LATE, WRONG, ERROR, CRASHED, KILLED)
    ALL = (*SUCCESSES, UNSOLVED, *FAULTS)


@dataclass(frozen=True)
class RunRecord:
    """The record of a finished run.

    Parameters
    ----------
    outcome
        One of `Outcome`.
    cpu_seconds, wall_seconds
        The time used, measured outside the solver.
    reported_seconds
        The time reported by the solver.
    solution
        The verified grid as text.
    cost, stats
        As in `Result`.
    error
        The error message, if any.
    trace
        The trace of the search, if the run was traced.
    machine
        The machine that executed the run.
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
        """Whether the run gave a correct answer within its budget."""
        return self.outcome in Outcome.SUCCESSES

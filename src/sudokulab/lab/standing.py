"""The standing of an experiment whose runs may still be under way."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["RATE_SECONDS", "SolverStanding", "Standing"]

RATE_SECONDS = 60
"""The period over which the rate of finished runs is measured."""


@dataclass(frozen=True)
class SolverStanding:
    """The runs of one solver: how many are planned, done, successful and faulty, and the CPU time of those done."""

    solver: str
    num_planned: int
    num_done: int
    num_success: int
    num_faults: int
    cpu_seconds: float


@dataclass(frozen=True)
class Standing:
    """The standing of an experiment.

    Parameters
    ----------
    solvers
        The standing of each solver.
    num_claimed
        Number of runs that processes have claimed and not finished.
    num_recent, recent_seconds
        Number of runs that finished in the last seconds, and that period: at most `RATE_SECONDS`.
    last_finished
        Time of the last finished run in UTC, such as ``2026-01-31T12:00:00Z``; None before the first.
    """

    solvers: tuple[SolverStanding, ...]
    num_claimed: int
    num_recent: int
    recent_seconds: float
    last_finished: str | None

    @property
    def num_planned(self) -> int:
        """Number of runs in the plan."""
        return sum(solver.num_planned for solver in self.solvers)

    @property
    def num_done(self) -> int:
        """Number of finished runs of the plan."""
        return sum(solver.num_done for solver in self.solvers)

    @property
    def rate(self) -> float:
        """Finished runs per second, lately."""
        return self.num_recent / self.recent_seconds

    @property
    def remaining_seconds(self) -> float | None:
        """Estimated time to the end of the experiment; None if no run has finished lately."""
        num_open = self.num_planned - self.num_done
        return num_open / self.rate if self.rate else 0.0 if not num_open else None

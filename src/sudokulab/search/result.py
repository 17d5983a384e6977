"""The result of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from sudokulab.puzzle import Digits, Puzzle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sudokulab.search.frames import Frame

__all__ = ["Result", "Status"]


class Status(Enum):
    """The outcome of a run."""

    SOLVED = "solved"
    UNSATISFIABLE = "unsatisfiable"
    """The puzzle has no solution. Only complete solvers can prove this."""
    UNKNOWN = "unknown"
    """The budget ran out, or the solver failed; see `Result.error`."""


@dataclass(frozen=True, repr=False)
class Result:
    """The result of one solver on one puzzle. The solution of every ``SOLVED`` result has been verified.

    A result is true if the puzzle was solved. Results compare equal if everything except times, traces and frames is
    equal.

    Parameters
    ----------
    status
        Solved, proven unsatisfiable, or unknown.
    puzzle
        The puzzle; None if the input could not be read.
    solver
        The name of the solver.
    solution
        The solution; None unless solved. Type checkers know that it is a puzzle after ``if result.solution:``.
    cost
        The cost of the best state, 0 for a solution; None for solvers without a cost.
    best
        The best state of an unsolved run, with blanks for open cells. None if solved, and for solvers without a cost.
    stats
        Counters, such as iterations or nodes, as the papers define them.
    trace
        Samples of the search, if requested: columns of equal length. See `sudokulab.search.trace`.
    matrices
        Two-dimensional data recorded with the trace, such as the final pheromone of ant colonies.
    frames
        Snapshots of the search, if requested. See `sudokulab.search.frames`.
    parameters
        The parameters of the solver, if frames were requested.
    seconds
        Time of the search: wall time, or CPU time of a native search whose budget counts it.
    seed
        The seed of the run.
    error
        Why the run failed, if it did.
    """

    status: Status
    puzzle: Puzzle | None
    solver: str
    solution: Puzzle | None = None
    cost: float | None = None
    best: Puzzle | None = None
    stats: Mapping[str, int | float] = field(default_factory=dict)
    trace: Mapping[str, NDArray[np.float64]] = field(default_factory=dict, compare=False)
    matrices: Mapping[str, NDArray[np.float64]] = field(default_factory=dict, compare=False)
    frames: tuple[Frame, ...] = field(default=(), compare=False)
    parameters: Mapping[str, object] = field(default_factory=dict, compare=False)
    seconds: float = field(default=0.0, compare=False)
    seed: int = 0
    error: str | None = None

    def __repr__(self) -> str:
        """Summarise the result: the status, the solver, its time, and the solution, cost or error."""
        words = f"{self.status.value}, {self.solver}, {_duration(self.seconds)}"
        if self.solution is not None:
            words += f", {_shortened(self.solution.line)!r}"
        elif self.error is not None:
            words += f", error {_shortened(self.error)!r}"
        elif self.cost is not None:
            words += f", cost {self.cost:g}"
        return f"<Result {words}>"

    def __bool__(self) -> bool:
        """Whether a solution was found."""
        return self.is_solved

    def __hash__(self) -> int:
        return hash((self.status, self.puzzle, self.solver, self.solution, self.seed))

    def _repr_html_(self) -> str:
        """Show the solution, or the best state, and the statistics in a notebook."""
        from sudokulab.drawing import svg  # a later layer
        from sudokulab.drawing.notebooks import figure

        words = [f"{self.status.value} by {self.solver} in {_duration(self.seconds)}"]
        words += [f"cost {self.cost:g}"] if self.cost and not self.is_solved else []
        words += [self.error] if self.error is not None else []
        words += [f"{name} {value:,}" for name, value in self.stats.items()]
        picture = "" if self.puzzle is None else svg(self.puzzle, self.solution or self.best)
        return figure(picture, " · ".join(words))

    @property
    def grid(self) -> Digits | None:
        """The solution, or the best state of an unsolved run, as a read-only array of size × size digits."""
        state = self.solution or self.best
        return None if state is None else state.givens

    @property
    def is_solved(self) -> bool:
        """Whether a solution was found."""
        return self.status is Status.SOLVED

    def to_dict(self) -> dict[str, object]:
        """Return the result as JSON-compatible values; the keys are always the same, None means unknown."""
        return {
            "puzzle": _line(self.puzzle),
            "box": None if self.puzzle is None else str(self.puzzle.box),
            "solver": self.solver,
            "status": self.status.value,
            "solution": _line(self.solution),
            "best": _line(self.best),
            "cost": self.cost,
            "seconds": self.seconds,
            "seed": self.seed,
            "stats": dict(self.stats),
            "error": self.error,
        }


def _line(puzzle: Puzzle | None) -> str | None:
    return None if puzzle is None else puzzle.line


def _shortened(text: str, length: int = 81) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


def _duration(seconds: float) -> str:
    """Return a time with three digits and a unit, such as ``12.3 µs``."""
    factor, unit = (1, "s") if seconds >= 1 else (1e3, "ms") if seconds >= 1e-3 else (1e6, "µs")
    return f"{seconds * factor:.3g} {unit}"

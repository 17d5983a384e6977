"""The errors of the package."""

from __future__ import annotations

__all__ = [
    "BudgetError",
    "CancelledError",
    "DeviceError",
    "FormatError",
    "MissingExtraError",
    "NoSolutionError",
    "ParameterError",
    "PuzzleError",
    "SudokulabError",
    "WrongAnswerError",
]


class SudokulabError(Exception):
    """Base class of all errors that the package raises."""


class ParameterError(SudokulabError, ValueError):
    """An unknown parameter, or a value out of range."""


class MissingExtraError(SudokulabError, ImportError):
    """An optional dependency is not installed; the message says how to install it."""


class DeviceError(SudokulabError):
    """No usable GPU, or the requested one is unavailable."""


class PuzzleError(SudokulabError, ValueError):
    """The cells or the box shape do not form a valid puzzle."""


class FormatError(SudokulabError, ValueError):
    """The text is not a puzzle in a known format.

    Parameters
    ----------
    problem
        What is wrong.
    advice
        What to do instead.
    source
        The name of the file or stream.
    line, column
        The position, counted from 1.
    name
        The name of the puzzle, if that could be read.
    """

    def __init__(
        self,
        problem: str,
        advice: str,
        *,
        source: str = "<text>",
        line: int = 1,
        column: int = 1,
        name: str = "",
    ) -> None:
        super().__init__(problem, advice)
        self.problem = problem
        self.advice = advice
        self.source = source
        self.line = line
        self.column = column
        self.name = name

    def __str__(self) -> str:
        return f"{self.source}:{self.line}:{self.column}: {self.problem}; {self.advice}"


class BudgetError(SudokulabError):
    """The budget ran out before the question was answered."""


class CancelledError(BaseException):
    """A search was stopped by its `Cancellation`.

    Like KeyboardInterrupt, this is no `Exception`: handlers of other errors let it pass.
    """


class NoSolutionError(SudokulabError):
    """An external program reported that the puzzle has no solution."""


class WrongAnswerError(SudokulabError):
    """The solver returned an invalid solution. This is a bug in the solver, not in the input."""

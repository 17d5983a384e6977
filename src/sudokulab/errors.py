"""The errors of the package, beside the ValueErrors for parameters out of range."""

from __future__ import annotations

__all__ = ["BudgetError", "FormatError", "NoSolutionError", "PuzzleError", "SudokulabError", "WrongAnswerError"]


class SudokulabError(Exception):
    """The root of the package's errors."""


class PuzzleError(SudokulabError, ValueError):
    """A grid, a box shape or a puzzle that cannot be what was asked for."""


class FormatError(SudokulabError, ValueError):
    """Text that cannot be read as a puzzle.

    Parameters
    ----------
    problem
        What is wrong.
    expected
        What would have been right.
    source
        The file's name, or what stands for it.
    line, column
        Where, counted from 1.
    """

    def __init__(self, problem: str, expected: str, *, source: str = "<text>", line: int = 1, column: int = 1) -> None:
        super().__init__(problem, expected)
        self.problem = problem
        self.expected = expected
        self.source = source
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return f"{self.source}:{self.line}:{self.column}: {self.problem}, expected {self.expected}"


class BudgetError(SudokulabError):
    """A question that could not be settled within its budget."""


class NoSolutionError(SudokulabError):
    """An answer of another program that says there is no solution."""


class WrongAnswerError(SudokulabError):
    """A solver called a grid a solution that is none. A bug in the solver, never in the input."""

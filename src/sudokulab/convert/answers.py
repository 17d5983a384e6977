"""Shared by the decoders: parsing a solver's answer and judging the resulting grid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from sudokulab.errors import NoSolutionError, SudokulabError, WrongAnswerError
from sudokulab.puzzle import Puzzle, cell_name
from sudokulab.verify import is_solution

__all__ = ["integers", "lines_of", "solved"]

_NO = {"UNSAT", "UNSATISFIABLE"}
_YES = {"SAT", "SATISFIABLE"}
_UNDECIDED = {"UNKNOWN", "INDET", "INDETERMINATE"}


def lines_of(text: str) -> Iterator[list[str]]:
    """Yield the words of each line that carries data; raise NoSolutionError if a line states that there is none."""
    if not isinstance(text, str):
        raise SudokulabError(f"the answer is of type {type(text).__name__}; pass the solver's output as text")
    for line in text.splitlines():
        words = line.split()
        if not words or words[0] == "c" or words[0].startswith(("#", "%")):
            continue
        status = {word.strip("=").upper() for word in words}  # MiniZinc: =====UNSATISFIABLE=====
        if status & _NO:
            raise NoSolutionError("the answer says that there is no solution")
        if status & _UNDECIDED:
            raise SudokulabError("the answer says that the solver reached no verdict: give it more time")
        if words[0] != "s" and not status & _YES:
            yield words


def integers(words: Iterable[object]) -> list[int]:
    """Convert words or numbers to integers."""
    numbers = []
    for word in words:
        try:
            numbers.append(int(cast(str, word)))
        except (TypeError, ValueError, OverflowError):
            raise SudokulabError(f"{word!r} in the answer is not an integer") from None
    return numbers


def solved(puzzle: Puzzle, cells: bytes | bytearray) -> Puzzle:
    """Return the grid with these cells, verified as a solution of the puzzle."""
    grid = Puzzle(bytes(cells), puzzle.box, name=puzzle.name)
    if not grid.is_full:
        blank = cell_name(grid.cells.index(0), grid.size)
        raise SudokulabError(f"the answer has no digit for {blank}; pass the solver's complete output")
    if not is_solution(grid.givens, puzzle):
        raise WrongAnswerError("the answer does not solve this puzzle: check that it was computed for this puzzle")
    return grid

"""Sudoku for MiniZinc: a puzzle as data, the model for it, both in one file, and the decoder for the output."""

from __future__ import annotations

from typing import TextIO

from sudokulab._internal.documents import parse_json
from sudokulab.convert.answers import integers, lines_of, solved
from sudokulab.errors import SudokulabError
from sudokulab.formats.base import one_line
from sudokulab.formats.coercion import PuzzleLike, as_puzzle
from sudokulab.puzzle import Puzzle

__all__ = ["decode_minizinc", "minizinc_model", "write_minizinc", "write_minizinc_model"]

_MODEL = """\
% Sudoku with any box shape; sudokulab writes the data file.
include "alldifferent.mzn";

int: box_rows;
int: box_cols;
int: size = box_rows * box_cols;
array[1..size, 1..size] of 0..size: givens;  % 0 for a blank
array[1..size, 1..size] of var 1..size: grid;

constraint forall(r, c in 1..size where givens[r, c] > 0)(grid[r, c] = givens[r, c]);
constraint forall(r in 1..size)(alldifferent([grid[r, c] | c in 1..size]));
constraint forall(c in 1..size)(alldifferent([grid[r, c] | r in 1..size]));
constraint forall(band in 0..box_cols - 1, stack in 0..box_rows - 1)(
  alldifferent([grid[band * box_rows + r, stack * box_cols + c] | r in 1..box_rows, c in 1..box_cols])
);

solve satisfy;
output [show(grid[r, c]) ++ if c == size then "\\n" else " " endif | r, c in 1..size];
"""


def minizinc_model() -> str:
    """Return the model, the contents of a ``.mzn`` file; it prints the solved grid as rows of integers."""
    return _MODEL


def write_minizinc(puzzle: PuzzleLike, stream: TextIO) -> None:
    """Write a puzzle as MiniZinc data (``.dzn``): the box shape, and the givens with 0 for a blank.

    Examples
    --------
    >>> import sys
    >>> from sudokulab import parse
    >>> write_minizinc(parse("1.....3..4.....2"), sys.stdout)
    % puzzle 1.....3..4.....2
    box_rows = 2;
    box_cols = 2;
    givens = [|
      1, 0, 0, 0 |
      0, 0, 3, 0 |
      0, 4, 0, 0 |
      0, 0, 0, 2 |];
    """
    puzzle = as_puzzle(puzzle)
    rows = " |\n  ".join(", ".join(map(str, row)) for row in puzzle.givens.tolist())
    stream.write(
        f"% puzzle {puzzle.line} {one_line(puzzle.name)}".rstrip()
        + f"\nbox_rows = {puzzle.box.rows};\nbox_cols = {puzzle.box.cols};\ngivens = [|\n  {rows} |];\n"
    )


def write_minizinc_model(puzzle: PuzzleLike, stream: TextIO) -> None:
    """Write the model and the puzzle as one file (``.mzn``), which needs no data file."""
    stream.write(f"{_MODEL}\n")
    write_minizinc(puzzle, stream)


def decode_minizinc(puzzle: PuzzleLike, answer: str) -> Puzzle:
    r"""Decode the output of the model into the solved grid; of several solutions, the first.

    Parameters
    ----------
    puzzle
        The puzzle that was written.
    answer
        The output of MiniZinc: rows of integers, ``----------`` after each solution, or ``=====UNSATISFIABLE=====``.
        With ``--json-stream``, the same texts inside messages.

    Raises
    ------
    NoSolutionError
        If the answer states that there is no solution.
    SudokulabError
        If the answer cannot be read, is incomplete, or is not a solution.

    Examples
    --------
    >>> from sudokulab import parse
    >>> decode_minizinc(parse("1.....3..4......"), "1 3 2 4\n4 2 3 1\n2 4 1 3\n3 1 4 2\n----------\n==========").line
    '1324423124133142'
    """
    puzzle = as_puzzle(puzzle)
    digits: list[int] = []
    for words in lines_of(_without_messages(answer)):
        if not words[0].strip("-="):
            break
        digits += integers(words)
    size = puzzle.size
    if len(digits) != size * size or not 1 <= min(digits) <= max(digits) <= size:
        raise SudokulabError(
            f"{len(digits)} numbers in the answer; write {size * size} from 1 to {size}: rows of the grid, as the "
            "model prints them"
        )
    return solved(puzzle, bytes(digits))


def _without_messages(answer: str) -> str:
    """Return the texts in the messages of ``minizinc --json-stream``; any other output as it is."""
    if not isinstance(answer, str) or not answer.lstrip().startswith("{"):
        return answer
    texts = []
    for line in filter(None, map(str.strip, answer.splitlines())):
        try:
            message = parse_json(line)
        except ValueError as error:
            raise SudokulabError(f"{line[:40]!r} in the answer is not JSON: {error}") from None
        match message:
            case {"type": "solution", "output": {"default": str(text)}}:
                texts += [text, "----------"]
            case {"type": "status", "status": str(status)}:
                texts.append(status)
    return "\n".join(texts)

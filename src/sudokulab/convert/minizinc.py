"""Sudoku for MiniZinc: a puzzle as data, and the model for it."""

from __future__ import annotations

from typing import TextIO

from sudokulab.formats.base import one_line
from sudokulab.formats.coercion import PuzzleLike, as_puzzle

__all__ = ["minizinc_model", "write_minizinc"]

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

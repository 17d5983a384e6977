"""Sudoku as exact cover: the matrix as text, and the decoder for a selection of rows."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import TextIO

import numpy as np

from sudokulab.convert.answers import integers, lines_of, solved
from sudokulab.convert.candidates import Numbers, constraints, given_candidates
from sudokulab.errors import SudokulabError
from sudokulab.formats.base import one_line
from sudokulab.formats.coercion import PuzzleLike, as_puzzle
from sudokulab.puzzle import Puzzle, cell_name

__all__ = ["decode_exact_cover", "exact_cover", "write_exact_cover"]


def exact_cover(puzzle: PuzzleLike) -> Numbers:
    """Return the exact cover matrix: a set of rows that covers every column exactly once is a solution.

    Columns are constraints, numbered from 1, size² of each kind: cell has a digit, row has a digit, column has a digit,
    box has a digit. Rows are candidates, ordered by cell and digit; those that contradict a given are left out.

    Returns
    -------
    An array of shape (num_rows, 4): the columns of each row.

    References
    ----------
    D. E. Knuth, "Dancing links", 2000.

    Examples
    --------
    >>> from sudokulab import parse
    >>> matrix = exact_cover(parse("1.....3..4.....2"))
    >>> len(matrix), matrix[0].tolist()
    (24, [1, 17, 33, 49])
    """
    puzzle = as_puzzle(puzzle)
    return _columns(puzzle)[_candidates(puzzle)]


def write_exact_cover(puzzle: PuzzleLike, stream: TextIO) -> None:
    """Write the matrix: comment lines starting with ``c``, then one line per row with the numbers of its columns."""
    puzzle = as_puzzle(puzzle)
    matrix = exact_cover(puzzle)
    cells = len(puzzle.cells)
    stream.write(
        f"c Sudoku as exact cover, {len(matrix)} rows, {4 * cells} columns, written by sudokulab\n"
        + f"c puzzle {puzzle.line} box {puzzle.box} {one_line(puzzle.name)}".rstrip()
        + f"\nc columns: 1 to {cells} cell by cell, then from {cells + 1} row and digit, from {2 * cells + 1} column "
        + f"and digit, from {3 * cells + 1} box and digit\n"
        + "c each line is a candidate, ordered by cell and digit: the columns it covers\n"
    )
    stream.writelines(" ".join(map(str, row)) + "\n" for row in matrix.tolist())


def decode_exact_cover(puzzle: PuzzleLike, answer: Iterable[int] | str) -> Puzzle:
    """Decode a selection of rows into the solved grid.

    Parameters
    ----------
    puzzle
        The puzzle that was encoded.
    answer
        The numbers of the selected rows, counted from 1, in any order; or a text with these numbers.

    Raises
    ------
    SudokulabError
        If the answer cannot be read, is incomplete, or is not a solution.

    Examples
    --------
    >>> from sudokulab import parse
    >>> decode_exact_cover(parse("123434122143432."), range(1, 17)).line
    '1234341221434321'
    """
    puzzle = as_puzzle(puzzle)
    rows = integers(chain.from_iterable(lines_of(answer))) if isinstance(answer, str) else integers(answer)
    candidates = _candidates(puzzle)
    cells = bytearray(len(puzzle.cells))
    for row in rows:
        if not 1 <= row <= len(candidates):
            raise SudokulabError(f"row {row} in the answer; use 1 to {len(candidates)}")
        cell, digit = divmod(int(candidates[row - 1]), puzzle.size)
        if cells[cell]:
            raise SudokulabError(f"the answer covers {cell_name(cell, puzzle.size)} more than once")
        cells[cell] = digit + 1
    return solved(puzzle, cells)


def _columns(puzzle: Puzzle) -> Numbers:
    """Return the four columns of every candidate of the empty grid."""
    groups = constraints(puzzle.box)
    return np.argsort(groups.ravel(), kind="stable").reshape(-1, 4) // puzzle.size + 1


def _candidates(puzzle: Puzzle) -> Numbers:
    """Return the candidates that contradict no given, in order; two contradictory givens exclude each other."""
    givens = given_candidates(puzzle)
    clashing = constraints(puzzle.box)[_columns(puzzle)[givens] - 1].reshape(len(givens), 4 * puzzle.size)
    is_left = np.ones(puzzle.size**3, dtype=np.bool_)
    is_left[clashing[clashing != givens[:, np.newaxis]]] = False
    return np.flatnonzero(is_left)

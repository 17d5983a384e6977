"""Sudoku as graph colouring in the DIMACS ``.col`` format, and the decoder for a colouring."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from sudokulab.convert.answers import integers, lines_of, solved
from sudokulab.convert.candidates import Numbers
from sudokulab.errors import SudokulabError
from sudokulab.formats.base import one_line
from sudokulab.formats.coercion import PuzzleLike, as_puzzle
from sudokulab.puzzle import Puzzle, cell_name

__all__ = ["colouring", "decode_colouring", "write_colouring"]


def colouring(puzzle: PuzzleLike) -> Numbers:
    """Return the edges of the graph whose colourings with size colours are the solutions of a puzzle.

    Vertices are the cells, row by row, numbered from 1. Edges join all peers, and all givens with different digits.

    Returns
    -------
    An array of shape (num_edges, 2): each edge once, the smaller vertex first.

    Notes
    -----
    This is the graph of the paper, which does not say what forces givens of the same digit to share a colour. If every
    digit is given somewhere, nothing more is needed: each given is adjacent to givens of all other digits, so only one
    colour is left for it. Otherwise two givens of one digit could differ. The row of the first one contains every
    colour once; we join each later given to the other cells of that row (of that column, if both are in one row).
    Contradictory givens leave no colouring in either case.

    References
    ----------
    R. Lewis, "On the combination of constraint programming and stochastic search: the Sudoku case", 2007, section 4.

    Examples
    --------
    >>> from sudokulab import parse
    >>> len(colouring(parse("." * 81))), len(colouring(parse("." * 16)))
    (810, 56)
    >>> colouring(parse("1.....3..4.....2"))[:4].tolist()
    [[1, 2], [1, 3], [1, 4], [1, 5]]
    """
    puzzle = as_puzzle(puzzle)
    size, box = puzzle.size, puzzle.box
    digits = puzzle.givens.ravel()
    row, col = np.divmod(np.arange(size * size), size)
    is_edge = _equal(row) | _equal(col) | _equal(row // box.rows * box.rows + col // box.cols)
    is_given = digits > 0
    is_edge |= ~_equal(digits) & is_given & is_given[:, np.newaxis]
    given_digits = np.unique(digits[is_given])
    for digit in given_digits if len(given_digits) < size else ():
        first, *others = np.flatnonzero(digits == digit)
        for other in others:
            line = col if row[first] == row[other] else row
            clique = np.flatnonzero(line == line[first])
            is_edge[other, clique[clique != first]] = True
    return np.argwhere(np.triu(is_edge | is_edge.T, k=1)) + 1


def write_colouring(puzzle: PuzzleLike, stream: TextIO) -> None:
    """Write the graph of a puzzle in the DIMACS format: a ``p edge`` line, then one ``e`` line per edge."""
    puzzle = as_puzzle(puzzle)
    edges = colouring(puzzle)
    size = puzzle.size
    stream.write(
        f"c Sudoku as graph colouring with {size} colours, written by sudokulab\n"
        + f"c puzzle {puzzle.line} box {puzzle.box} {one_line(puzzle.name)}".rstrip()
        + f"\nc row r, column c: vertex (r - 1) * {size} + c\n"
        + f"p edge {size * size} {len(edges)}\n"
    )
    stream.writelines(f"e {first} {second}\n" for first, second in edges.tolist())


def decode_colouring(puzzle: PuzzleLike, answer: Iterable[int] | str) -> Puzzle:
    """Decode a colouring into the solved grid.

    The colour of a given means its digit. The remaining colours get the remaining digits in order of first appearance.

    Parameters
    ----------
    puzzle
        The puzzle that was encoded.
    answer
        The colours of the vertices in order, as arbitrary integers; or a text with these numbers, or with lines
        ``l vertex colour`` or ``v vertex colour``.

    Raises
    ------
    SudokulabError
        If the answer cannot be read, is incomplete, or is not a solution.

    Examples
    --------
    >>> from sudokulab import parse
    >>> decode_colouring(parse("1.....3..4.....2"), "0 2 1 3  3 1 2 0  1 3 0 2  2 0 3 1").line
    '1324423124133142'
    """
    puzzle = as_puzzle(puzzle)
    size = puzzle.size
    colours = _colours(answer) if isinstance(answer, str) else integers(answer)
    if len(colours) != size * size:
        raise SudokulabError(f"{len(colours)} colours in the answer; use {size * size}, one per cell")
    if (num_colours := len(set(colours))) != size:
        raise SudokulabError(f"{num_colours} different colours in the answer; use {size}")
    digit_of: dict[int, int] = {}
    colour_of: dict[int, int] = {}
    for cell, (colour, digit) in enumerate(zip(colours, puzzle.cells, strict=True)):
        if digit and (digit_of.setdefault(colour, digit), colour_of.setdefault(digit, colour)) != (digit, colour):
            name = cell_name(cell, size)
            raise SudokulabError(f"the colour of {name} in the answer contradicts the givens before it")
    left = iter([digit for digit in range(1, size + 1) if digit not in colour_of])
    return solved(puzzle, bytes(digit_of[c] if c in digit_of else digit_of.setdefault(c, next(left)) for c in colours))


def _colours(text: str) -> list[int]:
    plain: list[int] = []
    colour_of: dict[int, int] = {}
    for line in lines_of(text):
        if line[0] not in ("l", "v"):
            plain += integers(line)
            continue
        if len(line) != 3:
            raise SudokulabError(f"{' '.join(line)!r} in the answer; write '{line[0]} vertex colour'")
        vertex, colour = integers(line[1:])
        if colour_of.setdefault(vertex, colour) != colour:
            raise SudokulabError(f"the answer has two colours for vertex {vertex}")
    if plain and colour_of:
        raise SudokulabError("the answer mixes lines with and without a vertex; use one form")
    if sorted(colour_of) != list(range(1, len(colour_of) + 1)):
        raise SudokulabError(f"vertices from {min(colour_of)} to {max(colour_of)} in the answer; colour all from 1")
    return plain or [colour_of[vertex] for vertex in sorted(colour_of)]


def _equal(values: NDArray[np.integer]) -> NDArray[np.bool_]:
    matrix: NDArray[np.bool_] = values[:, np.newaxis] == values
    return matrix

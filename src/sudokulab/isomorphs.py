"""Isomorphic puzzles, and their canonical form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from sudokulab import _core
from sudokulab._internal.batches import batches
from sudokulab._internal.native import checked_threads, native_puzzle
from sudokulab.errors import PuzzleError
from sudokulab.formats.coercion import PuzzleLike, as_many, as_puzzle
from sudokulab.puzzle import Puzzle

__all__ = ["LARGEST_SIZE", "canonical", "canonical_many", "is_isomorphic", "num_automorphisms"]

LARGEST_SIZE = 9


def canonical(puzzle: PuzzleLike) -> Puzzle:
    """Return the canonical form of a puzzle or grid: its smallest isomorph, read row by row with 0 for a blank.

    Isomorphs result from permuting the rows within bands, the columns within stacks, the bands and the stacks, from
    transposing where boxes are square, and from relabelling the digits. Two puzzles are isomorphic if and only if they
    have the same canonical form. Name and comment are kept; a stated solution is transformed as well.

    Parameters
    ----------
    puzzle
        The puzzle, up to size 9.

    Raises
    ------
    PuzzleError
        If the puzzle is too large.

    Examples
    --------
    >>> print(canonical("1.....3..4.....2"))
    . . | . 1
    . 2 | . .
    ----+----
    . . | 3 .
    4 . | . .
    """
    (form,) = canonical_many([puzzle], threads=1)
    return form


def canonical_many(puzzles: Iterable[PuzzleLike], *, threads: int | None = None) -> Iterator[Puzzle]:
    """Return the canonical forms of puzzles, computed on all cores, lazily and in order; see `canonical`."""
    num_threads = checked_threads(threads)
    for batch in batches(map(_checked, as_many(puzzles)), num_threads):
        forms = _core.canonical_many([native_puzzle(puzzle) for puzzle in batch], num_threads)
        for puzzle, form in zip(batch, forms, strict=True):
            yield _transformed(puzzle, form)


def is_isomorphic(one: PuzzleLike, other: PuzzleLike) -> bool:
    """Return whether two puzzles up to size 9 are the same up to symmetries of the grid and names of the digits.

    Examples
    --------
    >>> is_isomorphic("1.....3..4.....2", "2.....1..4.....3")
    True
    """
    return canonical(one) == canonical(other)


def num_automorphisms(puzzle: PuzzleLike) -> int:
    """Return the number of symmetries of the grid that map a puzzle up to size 9 to itself.

    A symmetry counts if some relabelling of the digits completes it. Every puzzle has at least one, the identity.

    Examples
    --------
    >>> num_automorphisms("1234341221434321")
    32
    """
    return _core.canonical(native_puzzle(_checked(puzzle))).num_automorphisms


def _checked(puzzle: PuzzleLike) -> Puzzle:
    parsed = as_puzzle(puzzle)
    if parsed.size > LARGEST_SIZE:
        raise PuzzleError(f"size {parsed.size} is too large for a canonical form, expected at most {LARGEST_SIZE}")
    return parsed


def _transformed(puzzle: Puzzle, form: _core.Canonical) -> Puzzle:
    if puzzle.solution is None:
        return replace(puzzle, cells=form.cells)
    turned = puzzle.transpose() if form.is_transposed else puzzle
    return turned.permute_rows(form.rows).permute_cols(form.cols).relabel(form.digits)

"""Equivalent puzzles: canonical forms, hashes and an exact test.

Two puzzles are equivalent if one results from the other by permuting the rows within bands, the columns within stacks,
the bands and the stacks, by transposing where boxes are square, and by relabelling the digits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal

import numpy as np

from sudokulab import _core
from sudokulab._internal.native import checked_threads, native_puzzle
from sudokulab.errors import ParameterError, PuzzleError, WrongAnswerError
from sudokulab.formats.arrays import Errors, PuzzleArray, array_and_box, masked_rows, readable_rows
from sudokulab.formats.coercion import PuzzleLike, as_puzzle
from sudokulab.gpu.devices import chosen_device, is_masking, require_device
from sudokulab.puzzle import BoxLike, BoxShape, Digits, Puzzle

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "Canonical",
    "CanonicalArrays",
    "Through",
    "Transformation",
    "canonical",
    "canonical_array",
    "class_hash",
    "class_hash_array",
    "is_equivalent",
]

Through = Literal["puzzle", "solution"]
"""What is brought to its minimum: the puzzle itself, or its solution."""

_THROUGH = ("puzzle", "solution")
_NUM_SOLUTIONS = {0: "no solution", 2: "several solutions"}


@dataclass(frozen=True)
class Transformation:
    """A transformation to an equivalent puzzle: transpose, then permute rows and columns, then relabel the digits.

    Parameters
    ----------
    is_transposed
        Whether rows and columns are swapped first.
    rows, cols
        The source of each row and column, counted from 0.
    digits
        The digits that replace 1, 2, and so on.
    """

    is_transposed: bool
    rows: tuple[int, ...]
    cols: tuple[int, ...]
    digits: tuple[int, ...]

    def apply(self, puzzle: PuzzleLike) -> Puzzle:
        """Return the transformed puzzle, with its name, its comment and its stated solution."""
        parsed = as_puzzle(puzzle)
        turned = parsed.transpose() if self.is_transposed else parsed
        return turned.permute_rows(self.rows).permute_cols(self.cols).relabel(self.digits)

    def inverse(self) -> Transformation:
        """Return the transformation that undoes this one."""
        rows, cols = _inverse(self.rows), _inverse(self.cols)
        digits = tuple(digit + 1 for digit in _inverse([digit - 1 for digit in self.digits]))
        return Transformation(self.is_transposed, *((cols, rows) if self.is_transposed else (rows, cols)), digits)


@dataclass(frozen=True)
class Canonical:
    """The canonical form of a puzzle; see `canonical`.

    Parameters
    ----------
    puzzle
        The form, with the name and the comment of the puzzle. A stated solution is transformed as well.
    transformation
        A transformation from the puzzle to the form. With automorphisms, it is one of several.
    num_automorphisms
        The number of symmetries of the grid that map the puzzle to itself after some relabelling of the digits. Every
        puzzle has at least one, the identity. A puzzle with one solution has the same number in both conventions.
    hash
        A hash of 64 bits of the form: FNV-1a of the rows and columns of a box and the cells, one byte each, then the
        finaliser of SplitMix64. It is the same on every machine and will not change.
    """

    puzzle: Puzzle
    transformation: Transformation
    num_automorphisms: int
    hash: int


@dataclass(frozen=True, eq=False)
class CanonicalArrays:
    """The canonical forms of n puzzles as arrays; see `canonical_array`.

    Parameters
    ----------
    forms
        The forms, of shape (n, cells).
    is_transposed, rows, cols, digits
        The transformations, of shapes (n,) and (n, size); see `Transformation`.
    num_automorphisms, hashes
        See `Canonical`.
    """

    forms: Digits
    is_transposed: NDArray[np.bool_]
    rows: NDArray[np.uint8]
    cols: NDArray[np.uint8]
    digits: NDArray[np.uint8]
    num_automorphisms: NDArray[np.uint32]
    hashes: NDArray[np.uint64]


def canonical(puzzle: PuzzleLike, *, through: Through = "puzzle") -> Canonical:
    """Return the canonical form of a puzzle or grid, up to size 9.

    Two puzzles are equivalent if and only if they have the same form. Grids are compared cell by cell, row by row, with
    0 for a blank.

    Parameters
    ----------
    puzzle
        The puzzle. It may break the rules.
    through
        The convention. ``"puzzle"``: the form is the smallest of all equivalent puzzles. ``"solution"``: only
        transformations that make the solution smallest are considered; the form is the smallest image of the puzzle
        under them, and its solution is the canonical form of the solution. For a full grid, both are the same.

    Raises
    ------
    PuzzleError
        If the puzzle is too large, or has no unique solution and `through` is ``"solution"``.

    Examples
    --------
    >>> form = canonical("1.....3..4.....2")
    >>> print(form.puzzle)
    . . | . 1
    . 2 | . .
    ----+----
    . . | 3 .
    4 . | . .
    >>> form.num_automorphisms, f"{form.hash:016x}"
    (8, '13a156b8ecebb269')
    >>> canonical("1.....3..4.....2", through="solution").puzzle.line
    '...43....1....2.'
    """
    parsed = as_puzzle(puzzle)
    found = canonical_array([parsed], through=through, threads=1)
    transformation = Transformation(
        bool(found.is_transposed[0]), *(tuple(of[0].tolist()) for of in (found.rows, found.cols, found.digits))
    )
    return Canonical(
        transformation.apply(parsed), transformation, int(found.num_automorphisms[0]), int(found.hashes[0])
    )


def canonical_array(
    puzzles: PuzzleArray,
    *,
    through: Through = "puzzle",
    box: BoxLike | None = None,
    threads: int | None = None,
    device: str | None = None,
    errors: Errors = "raise",
) -> CanonicalArrays:
    """Return the canonical forms of puzzles of one size, up to size 9.

    Parameters
    ----------
    puzzles, box, threads
        See `solve_array`.
    through
        See `canonical`.
    device
        See `solve_array`. On a GPU, puzzles must be 9×9, and either solution grids or brought to their form through the
        solution. For PyTorch, unsigned integers become ``int64``.
    errors
        See `solve_array`. With ``"mask"``, all answers are masked arrays.

    Examples
    --------
    >>> canonical_array(["1.....3..4.....2", "2.....1..4.....3"]).hashes.tolist()
    [1414507110219887209, 1414507110219887209]
    """
    if through not in _THROUGH:
        raise ParameterError(f"through: {through!r}; choose one of {', '.join(_THROUGH)}")
    num_threads = checked_threads(threads)
    gpu = chosen_device(puzzles, device)
    if is_masking(errors, puzzles):
        array, shape, missing = readable_rows(puzzles, box)
        found = canonical_array(array, through=through, box=shape, threads=threads, device=device)
        return CanonicalArrays(*(masked_rows(getattr(found, field.name), missing) for field in fields(found)))
    if gpu is not None:
        require_device(gpu)
        from sudokulab.gpu.canonical import canonical_forms

        return CanonicalArrays(*canonical_forms(puzzles, box, through == "solution", gpu, num_threads))
    array, shape = array_and_box(puzzles, box)
    advice = f"use class hashes (--hash) up to {_core.max_equivalence_size}"
    _check_size(shape, _core.max_canonical_size, "canonical forms", advice)
    solutions = _solutions(array, shape, num_threads) if through == "solution" else None
    return CanonicalArrays(*_core.canonical_array(array, solutions, *shape, num_threads))


def class_hash(puzzle: PuzzleLike) -> int:
    """Return a hash of 64 bits that equivalent puzzles share, up to size 16.

    It is the same on every machine and will not change. Up to size 9, it is the hash of the canonical form (see
    `Canonical`), so two puzzles with the same hash are equivalent, except for one in 2**64. Above, a few puzzles that
    are not equivalent share a hash, such as some highly symmetric ones; `is_equivalent` distinguishes them.

    Examples
    --------
    >>> class_hash("1.....3..4.....2") == class_hash("2.....1..4.....3")
    True
    """
    return int(class_hash_array([as_puzzle(puzzle)], threads=1)[0])


def class_hash_array(
    puzzles: PuzzleArray, *, box: BoxLike | None = None, threads: int | None = None, errors: Errors = "raise"
) -> NDArray[np.uint64]:
    """Return the hashes of puzzles of one size, up to size 16; see `class_hash`, and `solve_array` for the parameters.

    Examples
    --------
    >>> len(set(class_hash_array(["." * 16, "1" + "." * 15, "." * 15 + "4"]).tolist()))
    2
    """
    num_threads = checked_threads(threads)
    if is_masking(errors, puzzles):
        array, shape, missing = readable_rows(puzzles, box)
        return masked_rows(class_hash_array(array, box=shape, threads=threads), missing)
    array, shape = array_and_box(puzzles, box)
    _check_size(shape, _core.max_equivalence_size, "class hashes")
    return _core.class_hash_array(array, *shape, num_threads)


def is_equivalent(one: PuzzleLike, other: PuzzleLike) -> bool:
    """Return whether two puzzles up to size 16 are equivalent. Puzzles with different box shapes are not.

    Examples
    --------
    >>> is_equivalent("1.....3..4.....2", "2.....1..4.....3")
    True
    """
    first, second = as_puzzle(one), as_puzzle(other)
    if first.box != second.box:
        return False
    _check_size(first.box, _core.max_equivalence_size, "tests of equivalence")
    return _core.is_equivalent(native_puzzle(first), native_puzzle(second))


def _check_size(box: BoxShape, largest: int, what: str, advice: str = "use a smaller puzzle") -> None:
    if box.size > largest:
        raise PuzzleError(f"{what} support sizes up to {largest}, not {box.size}; {advice}")


def _solutions(puzzles: Digits, box: BoxShape, num_threads: int) -> Digits:
    """Return the solutions of puzzles; raise PuzzleError if one has none, or several."""
    solutions, counts, are_right = _core.solve_array(puzzles, *box, 2, True, num_threads, "best")
    if not are_right:
        raise WrongAnswerError("the solver returned an invalid solution; this is a bug in the solver")
    for index in np.flatnonzero(counts != 1)[:1]:
        name = f"puzzle {index + 1}" if len(puzzles) > 1 else "the puzzle"
        raise PuzzleError(f"{name} has {_NUM_SOLUTIONS[int(counts[index])]}; use puzzles with exactly one")
    return solutions


def _inverse(order: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(range(len(order)), key=order.__getitem__))

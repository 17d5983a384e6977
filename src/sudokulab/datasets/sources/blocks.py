"""Blocks of rows, and the conversion of texts and integers to cells."""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudokulab import _core
from sudokulab.datasets.errors import DatasetError
from sudokulab.errors import FormatError, PuzzleError
from sudokulab.formats import symbols
from sudokulab.formats.base import Text, one_line, size_of
from sudokulab.puzzle import MAX_SIZE, NINE, BoxShape, Digits, Puzzle

__all__ = ["Block", "BlockMaker", "as_ratings", "as_splits", "shown"]

Texts = Sequence[object]
"""A column of texts; other values count as missing."""

_BLOCK_CELLS = (1 << 16) * 81
_ONE_SIZE = "one file holds grids of one shape, so split it"
_SHOWN = 40  # characters of an invalid value in messages


@dataclass(frozen=True, eq=False)
class Block:
    """Consecutive rows of a file.

    Parameters
    ----------
    first_row
        The number of the first row, counted from 1 without a header.
    box
        The box shape, the same in all blocks of a file.
    puzzles
        The cells, of shape (n, cells), 0 for a blank; zeros in unreadable rows.
    solutions
        The stated solutions; zeros in rows without one. None if the file states none.
    problems
        Why rows are unreadable, by index in the block.
    ratings
        A column of ratings, NaN where it is empty; None if the file has none.
    splits
        A column with the name of the split, an empty text where it is missing; None if the file has none.
    """

    first_row: int
    box: BoxShape
    puzzles: Digits
    solutions: Digits | None
    problems: Mapping[int, str]
    ratings: NDArray[np.float64] | None = None
    splits: NDArray[np.str_] | None = None

    def __len__(self) -> int:
        return len(self.puzzles)

    @property
    def is_readable(self) -> NDArray[np.bool_]:
        """Whether each row is readable."""
        readable = np.ones(len(self), np.bool_)
        readable[list(self.problems)] = False
        return readable


class BlockMaker:
    """Makes the blocks of one file, all with the box shape of the first readable row.

    Parameters
    ----------
    path
        The file, for errors.
    box
        The box shape. Default: the shape of the first row, or the most square one.

    Attributes
    ----------
    num_rows
        The number of rows so far.
    """

    def __init__(self, path: Path, box: BoxShape | None = None) -> None:
        self.path = path
        self.num_rows = 0
        self.box = box

    def error(self, row: int, problem: str) -> DatasetError:
        """Return the error for a row of the file."""
        return DatasetError(f"{self.path}: row {row:,}: {problem}")

    def limited(self, num_rows: int, num_cells: int | None = None) -> int:
        """Return how many of the next rows fit into one block: fewer for large grids, or grids of unknown size.

        A short row takes as much memory as a whole grid.
        """
        size = MAX_SIZE if self.box is None else self.box.size
        return max(1, min(num_rows, _BLOCK_CELLS // (num_cells or size**2)))

    def use_box(self, box: BoxShape, row: int) -> None:
        """Set the box shape of the file; raise DatasetError if an earlier row has another."""
        self.box = self.box or box
        if box != self.box:
            raise self.error(row, f"boxes of {box}, after boxes of {self.box}; {_ONE_SIZE}")

    def use_boxes(self, names: Sequence[object]) -> None:
        """Set the box shape by a column with values such as ``3x3``, of the rows that follow."""
        for name in dict.fromkeys(names):
            row = self.num_rows + 1 + names.index(name)
            try:
                box = BoxShape.parse(str(name))
            except PuzzleError:
                raise self.error(
                    row, f"column box: {shown(name)} is not a box shape; use rows and columns such as 3x4"
                ) from None
            self.use_box(box, row)

    def from_texts(self, puzzles: Texts, solutions: Texts | None = None, **columns: object) -> Block:
        """Return a block of rows given as texts."""
        box = self.box or self._box_of(puzzles)
        problems: dict[int, str] = {}
        cells = self._cells(puzzles, solutions, box, problems, "puzzle")
        solved = None if solutions is None else self._cells(solutions, puzzles, box, problems, "solution")
        return self._block(box, cells, solved, problems, columns)

    def from_integers(
        self, puzzles: NDArray[np.generic], solutions: NDArray[np.generic] | None = None, **columns: object
    ) -> Block:
        """Return a block of rows given as digits, of shape (n, cells) or (n, size, size)."""
        num_cells = int(np.prod(puzzles.shape[1:]))
        if not size_of(num_cells):
            raise DatasetError(f"{self.path}: arrays of {num_cells} cells; use 81 (or 16, 36, 64, 256, …) per row")
        box = self.box or BoxShape.of_size(size_of(num_cells))
        problems: dict[int, str] = {}
        cells, solved = (
            None if grids is None else self._digits(grids, box, problems, what)
            for grids, what in ((puzzles, "puzzle"), (solutions, "solution"))
        )
        assert cells is not None, "there are puzzles"
        return self._block(box, cells, solved, problems, columns)

    def from_puzzles(self, puzzles: Sequence[Puzzle | FormatError]) -> Block:
        """Return a block of rows given as puzzles, with errors in place of unreadable ones."""
        problems: dict[int, str] = {}
        for index, puzzle in enumerate(puzzles):
            if isinstance(puzzle, FormatError):
                problems[index] = one_line(f"{puzzle.problem}; {puzzle.advice}")
            else:
                self.use_box(puzzle.box, self.num_rows + 1 + index)
        if self.box is None:
            raise self.error(self.num_rows + 1, problems[0])
        blank = bytes(self.box.size**2)
        grids = [blank if isinstance(puzzle, FormatError) else puzzle.cells for puzzle in puzzles]
        solved = [
            blank if isinstance(puzzle, FormatError) or puzzle.solution is None else puzzle.solution.cells
            for puzzle in puzzles
        ]
        has_solutions = any(grid != blank for grid in solved)
        return self._block(self.box, _joined(grids), _joined(solved) if has_solutions else None, problems, {})

    def _block(
        self, box: BoxShape, cells: Digits, solved: Digits | None, problems: dict[int, str], columns: dict[str, Any]
    ) -> Block:
        self.box = box
        first_row = self.num_rows + 1
        self.num_rows += len(cells)
        for grids in (cells, solved):
            if grids is not None:
                grids[list(problems)] = 0
        return Block(first_row, box, cells, solved, problems, **columns)

    def _box_of(self, puzzles: Texts) -> BoxShape:
        texts = [text for text in puzzles if isinstance(text, str)]
        for text in texts:
            size = size_of(len(text)) or size_of(len(text.strip()))
            if size and not symbols.is_pencilmarks(text.strip()):
                return BoxShape.of_size(size)
        is_known = bool(texts) and symbols.is_pencilmarks(texts[0].strip())
        found = symbols.PENCILMARKS if is_known else "not a puzzle"
        raise self.error(self.num_rows + 1, f"{shown(puzzles[0])} is {found}; use 81 (or 16, 36, …) symbols")

    def _cells(self, texts: Texts, others: Texts | None, box: BoxShape, problems: dict[int, str], what: str) -> Digits:
        """Decode a column; the other column of the same rows helps to recognise the alphabet."""
        if box == NINE:
            cells, unread = _core.decode_nines(list(texts))
        else:
            cells, unread = np.zeros((len(texts), box.size**2), np.uint8), list(range(len(texts)))
        for index in unread:
            other = others[index] if others is not None else ""
            found = self._read(texts[index], str(other or ""), box, self.num_rows + 1 + index)
            if isinstance(found, bytes):
                cells[index] = np.frombuffer(found, np.uint8)
            elif found or what == "puzzle":
                problems.setdefault(index, f"{what}: {found or 'missing'}")
            else:
                cells[index] = 0
        return cells

    def _read(self, value: object, other: str, box: BoxShape, row: int) -> bytes | str:
        """Return the cells of a text, or what is wrong with it: an empty string if it is missing."""
        if not isinstance(value, str) or not value.strip():
            return ""
        text = value if len(value) == box.size**2 else value.strip()
        size = size_of(len(text))
        if size and size != box.size and not symbols.is_pencilmarks(text):
            raise self.error(row, f"{size}×{size} grid after {box.size}×{box.size} grids; {_ONE_SIZE}")
        found = Text(io.StringIO(), str(self.path), box).cells(text, like=text + other)
        if isinstance(found, FormatError):
            return one_line(f"{found.problem}; {found.advice}")
        return found

    def _digits(self, grids: NDArray[Any], box: BoxShape, problems: dict[int, str], what: str) -> Digits:
        rows = grids.reshape(len(grids), -1)
        if rows.shape[1] != box.size**2:
            raise DatasetError(
                f"{self.path}: array of {what}s with {rows.shape[1]} cells after grids of {box.size**2}; {_ONE_SIZE}"
            )
        is_wrong = (rows < 0) | (rows > box.size)
        for index in np.flatnonzero(is_wrong.any(axis=1)).tolist():
            value = rows[index][is_wrong[index]][0]
            problems.setdefault(index, f"{what}: digit {value}; use 0 to {box.size}")
        return np.where(is_wrong, 0, rows).astype(np.uint8)


def _joined(grids: Sequence[bytes]) -> Digits:
    return np.frombuffer(bytearray(b"".join(grids)), np.uint8).reshape(len(grids), -1)


def as_ratings(values: Sequence[object]) -> NDArray[np.float64]:
    """Return a column of numbers; NaN for everything else.

    Examples
    --------
    >>> as_ratings(["7.1", "", None])
    array([7.1, nan, nan])
    """
    try:
        return np.array(values, np.float64)
    except (TypeError, ValueError):
        return np.fromiter(map(_number, values), np.float64, len(values))


def _number(value: object) -> float:
    try:
        return float(str(value))
    except ValueError:
        return float("nan")


def as_splits(values: Sequence[object]) -> NDArray[np.str_]:
    """Return a column of names; an empty text for a missing one.

    Examples
    --------
    >>> as_splits(["train", None, float("nan")]).tolist()
    ['train', '', '']
    """
    return np.array(["" if _is_missing(value) else str(value) for value in values], np.str_)


def _is_missing(value: object) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def shown(value: object) -> str:
    """Return an invalid value for a message: quoted, on one line, and not too long."""
    text = one_line(str(value))
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")

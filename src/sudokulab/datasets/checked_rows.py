"""The rows of a data set, checked, in blocks of bounded size."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sudokulab.datasets.errors import DatasetError
from sudokulab.datasets.folder import Dataset, read_shard
from sudokulab.errors import PuzzleError
from sudokulab.formats import symbols
from sudokulab.puzzle import BoxShape, Digits
from sudokulab.verify import are_solutions

__all__ = ["CheckedRows", "box_of", "checked_rows"]

_BLOCK_ROWS = 4096
_NONE = 255  # the code of characters that are not symbols


@dataclass(frozen=True)
class CheckedRows:
    """Consecutive rows of a shard.

    Parameters
    ----------
    table
        The rows with all columns.
    puzzles, solutions
        The grids of the rows, of shape (n, cells), with 0 for a blank.
    """

    table: pa.Table
    puzzles: Digits
    solutions: Digits


def checked_rows(path: Path, box: BoxShape) -> Iterator[CheckedRows]:
    """Yield the rows of a shard in order.

    Raises
    ------
    DatasetError
        If the shard is corrupt, or a row has another box shape, an unreadable grid or a wrong solution.
    """
    table = read_shard(path)
    for start in range(0, table.num_rows, _BLOCK_ROWS):
        yield _checked(table.slice(start, _BLOCK_ROWS), box, path, start + 1)


def box_of(dataset: Dataset) -> BoxShape:
    """Return the box shape of the first row; other rows are compared with it when they are read."""
    for path in (path for paths in dataset.shards.values() for path in paths):
        boxes = read_shard(path)["box"]
        if len(boxes):
            try:
                return BoxShape.parse(boxes[0].as_py())
            except PuzzleError as error:
                raise DatasetError(f"{path}: row 1: {error}") from None
    raise DatasetError(f"{dataset.folder}: the data set has no rows; make it again")


def _checked(table: pa.Table, box: BoxShape, path: Path, first_row: int) -> CheckedRows:
    def fail(index: int, problem: str) -> DatasetError:
        return DatasetError(f"{path}: row {first_row + index:,}: {problem}; make the data set again")

    other = pc.index(pc.not_equal(table["box"], str(box)), True).as_py()
    if other >= 0:
        raise fail(other, f"boxes of {table['box'][other]}; use {box} in all rows")
    puzzles, solutions = (_digits(table, column, box, fail) for column in ("puzzle", "solution"))
    is_right = are_solutions(solutions, puzzles, box)
    if not is_right.all():
        raise fail(int(is_right.argmin()), "the solution does not solve the puzzle")
    return CheckedRows(table, puzzles, solutions)


def _digits(table: pa.Table, column: str, box: BoxShape, fail: Callable[[int, str], DatasetError]) -> Digits:
    """Return a column of grids as digits."""
    num_cells = box.size**2
    lengths = pc.binary_length(table[column])
    other = pc.index(pc.not_equal(lengths, num_cells), True).as_py()
    if other >= 0:
        raise fail(other, f"{column} with {lengths[other]} symbols; use {num_cells}")
    text = "".join(table[column].to_pylist()).encode()
    digits = _decoder(box.size)[np.frombuffer(text, np.uint8)].reshape(-1, num_cells)
    is_unknown = (digits == _NONE).any(axis=1)
    if is_unknown.any():
        index = int(is_unknown.argmax())
        raise fail(index, f"{column} {table[column][index].as_py()!r} is not a grid of size {box.size}")
    return digits


@cache
def _decoder(size: int) -> Digits:
    codes = np.full(256, _NONE, np.uint8)
    for digit, symbol in enumerate("." + symbols.alphabet(size)):
        codes[ord(symbol)] = digit
    return codes

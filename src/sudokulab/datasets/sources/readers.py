"""Read data sets block by block: Parquet, CSV, NPZ, and puzzles in any text format.

A row that is not a puzzle becomes a problem of its block; a file that cannot be read raises `DatasetError`.
"""

from __future__ import annotations

import csv
import math
import textwrap
import tokenize
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from sudokulab import formats
from sudokulab.datasets.errors import DatasetError
from sudokulab.datasets.folder import opened
from sudokulab.datasets.sources.blocks import Block, BlockMaker, as_ratings, as_splits, shown
from sudokulab.errors import FormatError, PuzzleError, SudokulabError
from sudokulab.formats.arrow import is_text, repeated_columns, values_of
from sudokulab.formats.base import Text, one_line
from sudokulab.formats.columns import PUZZLE, SOLUTION, Columns, index_of
from sudokulab.formats.compression import DamagedFileError, open_parts
from sudokulab.formats.csv import find_columns
from sudokulab.formats.files import EXTENSIONS
from sudokulab.formats.recognition import as_text
from sudokulab.puzzle import BoxShape

__all__ = ["Reader", "read_csv", "read_npz", "read_parquet", "read_text"]

Reader = Callable[[BlockMaker, int], Iterator[Block]]
"""Yields the blocks of a file, of at most so many rows."""

_RATING = ("rating", "difficulty", "se")
_OTHERS = {"ratings": _RATING, "splits": ("split",), "boxes": ("box",)}
_BOX = "box"
_MAX_ROW_BYTES = 1 << 20
_CELLS = "text, one symbol per cell"
_NAMED = "text or numbers; rename or remove the column"
_NPZ_ERRORS = (
    *(zipfile.BadZipFile, zlib.error, tokenize.TokenError, EOFError, OSError),  # damaged
    *(KeyError, RuntimeError),  # an entry without .npy; an encrypted one, or of another compression
    *(ValueError, OverflowError),  # an array that ends too early, or is too large
)
_PAIRS = "puzzle and solution, quizzes and solutions, question and answer, or inputs and labels"


def read_parquet(maker: BlockMaker, num_rows: int) -> Iterator[Block]:
    """Read a Parquet file with columns of text."""
    try:
        with opened(maker.path) as stream:
            repeated = repeated_columns(pq.read_metadata(stream))
            stream.seek(0)
            # a buffer would keep all bytes read so far
            file = pq.ParquetFile(stream, pre_buffer=False, read_dictionary=repeated)
            names = file.schema_arrow.names
            puzzle, solution = _pair(names, maker.path)
            others = {role: _among(names, synonyms) for role, synonyms in _OTHERS.items()}
            wanted = [name for name in (puzzle, solution, *others.values()) if name]
            spelled = [_plain(name) for name in names]
            for name in wanted:
                if spelled.count(_plain(name)) > 1:
                    raise DatasetError(f"{maker.path}: two columns {shown(name)}; rename or remove one")
            for name in wanted:
                allowed = _NAMED if name not in (puzzle, solution) else _CELLS
                _check_type(file.schema_arrow.field(name), allowed, maker.path)
            for batch in file.iter_batches(num_rows, columns=wanted):
                columns = {role: values_of(batch.column(name)) for role, name in others.items() if name}
                solutions = values_of(batch.column(solution)) if solution else None
                yield from _text_blocks(maker, values_of(batch.column(puzzle)), solutions, columns)
    except UnicodeDecodeError:
        raise DatasetError(f"{maker.path}: the name of a column is not UTF-8; rename it") from None
    except (pa.ArrowException, OSError) as error:
        raise _corrupt(maker, "Parquet file", error) from None


def _check_type(field: pa.Field, allowed: str, path: Path) -> None:
    is_valid = is_text(field.type) or (allowed == _NAMED and _is_number(field.type))
    if not is_valid:
        kind = textwrap.shorten(one_line(str(field.type)), 60, placeholder="…")
        raise DatasetError(f"{path}: column {shown(field.name)} has type {kind}; use {allowed}")


def _is_number(kind: pa.DataType) -> bool:
    """Return whether a column has numbers, truth values, or nothing but missing values."""
    values = kind.value_type if pa.types.is_dictionary(kind) else kind
    types = pa.types
    checks = (types.is_integer, types.is_floating, types.is_decimal, types.is_boolean, types.is_null)
    return any(check(values) for check in checks)


def read_csv(maker: BlockMaker, num_rows: int) -> Iterator[Block]:
    """Read a file of comma-separated values, compressed or not, with or without a header."""
    try:
        for part in open_parts(maker.path.open("rb"), str(maker.path), EXTENSIONS):
            with as_text(part.stream) as stream:
                yield from _read_table(Text(stream, part.name), maker, num_rows)
    except DamagedFileError as error:
        raise DatasetError(f"{error}, after row {maker.num_rows:,}; download or make it again") from None


def _read_table(text: Text, maker: BlockMaker, num_rows: int) -> Iterator[Block]:
    header = text.peek_line() or ""
    columns = find_columns(text)
    if isinstance(columns, FormatError):
        raise _no_pair(header.split(","), maker.path)
    if columns is None:
        return
    keys = {key: index for index, key in columns.others}
    others = {role: keys[name] for role, synonyms in _OTHERS.items() if (name := _among(list(keys), synonyms))}
    rows = (row for row in csv.reader(text, delimiter=columns.delimiter) if row)
    try:
        while some := list(islice(rows, num_rows)):
            yield from _table_blocks(maker, some, columns, others)
    except csv.Error as error:
        raise maker.error(maker.num_rows + 1, f"{error}; correct or remove the row") from None


def _table_blocks(
    maker: BlockMaker, rows: list[list[str]], columns: Columns, others: dict[str, int]
) -> Iterator[Block]:
    for index, row in enumerate(rows):
        if len(row) < columns.count:
            rows[index] = [*row, *[""] * (columns.count - len(row))]
    puzzles = [row[columns.puzzle] for row in rows]
    solutions = None if columns.solution is None else [row[columns.solution] for row in rows]
    yield from _text_blocks(
        maker, puzzles, solutions, {role: [row[place] for row in rows] for role, place in others.items()}
    )


def read_npz(maker: BlockMaker, num_rows: int) -> Iterator[Block]:
    """Read the arrays of an NPZ file, of digits or of text."""
    try:
        with zipfile.ZipFile(maker.path) as archive:
            names = [name.removesuffix(".npy") for name in archive.namelist()]
            puzzle, solution = _pair(names, maker.path)
            rating = _among(names, _RATING)
            if _BOX in names:
                maker.use_box(_read_box(_Array(archive, _BOX, maker), maker), 1)
            arrays = [_Array(archive, name, maker) for name in (puzzle, solution, rating) if name]
            if len({array.length for array in arrays}) > 1:
                lengths = ", ".join(f"{array.length:,} in {array.name!r}" for array in arrays)
                raise DatasetError(f"{maker.path}: arrays of different lengths ({lengths}); save them again")
            num_at_once = maker.limited(num_rows, max(array.row_bytes for array in arrays))
            for start in range(0, arrays[0].length, num_at_once):
                number = min(num_at_once, arrays[0].length - start)
                read = {array.name: array.read(number) for array in arrays}
                columns = {"ratings": as_ratings(read[rating].tolist())} if rating else {}
                yield _array_block(maker, read[puzzle], read[solution] if solution else None, columns)
    except _NPZ_ERRORS as error:
        if isinstance(error, DatasetError):
            raise
        raise _corrupt(maker, "NPZ file", error) from None


class _Array:
    """An array in an NPZ file, read a few rows at a time."""

    def __init__(self, archive: zipfile.ZipFile, name: str, maker: BlockMaker) -> None:
        self.name = name
        self._stream: IO[bytes] = archive.open(f"{name}.npy")
        version = np.lib.format.read_magic(self._stream)
        read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, is_fortran, self._dtype = read_header(self._stream)
        if is_fortran and len(shape) > 1:
            order = f"array {name!r} is in Fortran order; save it in C order"
            raise DatasetError(f"{maker.path}: {order}; save numpy.ascontiguousarray of it")
        if self._dtype.kind not in "iubfUS" or not shape:
            found = f"array {name!r} has shape {shape} and type {self._dtype}"
            raise DatasetError(f"{maker.path}: {found}; use rows of digits, or text")
        self.length, self._row_shape = shape[0], shape[1:]
        self.row_bytes = max(1, self._dtype.itemsize * math.prod(self._row_shape))
        if self.row_bytes > _MAX_ROW_BYTES:
            found = f"array {name!r} has rows of {self.row_bytes:,} bytes"
            raise DatasetError(f"{maker.path}: {found}; use one puzzle per row")

    def read(self, number: int) -> NDArray[np.generic]:
        """Return the next rows; raise ValueError if the array ends too early."""
        num_bytes = number * self.row_bytes
        return np.frombuffer(self._stream.read(num_bytes), self._dtype).reshape(number, *self._row_shape)


def _read_box(array: _Array, maker: BlockMaker) -> BoxShape:
    """Return the box shape in an array of its rows and columns."""
    values = array.read(min(array.length, 3)).tolist()  # a third one is one too many
    try:
        return BoxShape.of(values)
    except PuzzleError:
        advice = "use the rows and columns of a box, such as [3, 4]"
        raise DatasetError(f"{maker.path}: array {_BOX!r}: {shown(values)}; {advice}") from None


def _array_block(
    maker: BlockMaker,
    puzzles: NDArray[np.generic],
    solutions: NDArray[np.generic] | None,
    columns: Mapping[str, object],
) -> Block:
    kinds = {array.dtype.kind for array in (puzzles, solutions) if array is not None}
    if kinds <= set("US"):
        return maker.from_texts(_texts(puzzles), None if solutions is None else _texts(solutions), **columns)
    if kinds <= set("iu"):
        return maker.from_integers(puzzles, solutions, **columns)
    raise DatasetError(f"{maker.path}: arrays of type {puzzles.dtype}; use integers from 0, or text")


def _texts(array: NDArray[Any]) -> list[str]:
    decoded = np.char.decode(array, "ascii", "replace") if array.dtype.kind == "S" else array
    texts: list[str] = decoded.tolist()
    return texts


def read_text(maker: BlockMaker, num_rows: int) -> Iterator[Block]:
    """Read puzzles in any format of `sudokulab.read`."""
    try:
        with formats.read(maker.path, box=maker.box, keep_going=True) as reader:
            records = reader.records()
            while some := list(islice(records, maker.limited(num_rows))):
                yield maker.from_puzzles(some)
    except DatasetError:
        raise
    except SudokulabError as error:
        raise DatasetError(f"{error}, after row {maker.num_rows:,}") from None


def _text_blocks(
    maker: BlockMaker,
    puzzles: Sequence[object],
    solutions: Sequence[object] | None,
    columns: Mapping[str, Sequence[object]],
) -> Iterator[Block]:
    start = 0
    while start < len(puzzles):
        rows = slice(start, start + maker.limited(len(puzzles)))
        some = {role: column[rows] for role, column in columns.items()}
        yield _text_block(maker, puzzles[rows], solutions and solutions[rows], some)
        start = rows.stop


def _text_block(
    maker: BlockMaker,
    puzzles: Sequence[object],
    solutions: Sequence[object] | None,
    columns: Mapping[str, Sequence[object]],
) -> Block:
    if "boxes" in columns:
        maker.use_boxes(columns["boxes"])
    ratings = as_ratings(columns["ratings"]) if "ratings" in columns else None
    splits = as_splits(columns["splits"]) if "splits" in columns else None
    return maker.from_texts(puzzles, solutions, ratings=ratings, splits=splits)


def _among(names: Sequence[str], synonyms: Sequence[str]) -> str | None:
    """Return the name of a column, in any case, by the first of its synonyms."""
    place = index_of(names, synonyms)
    return None if place is None else names[place]


def _plain(name: str) -> str:
    return name.strip().lower()


def _pair(names: Sequence[str], path: Path) -> tuple[str, str | None]:
    """Return the names of the columns of puzzles and of solutions."""
    puzzle = _among(names, PUZZLE)
    if puzzle is None:
        raise _no_pair(names, path)
    return puzzle, _among(names, SOLUTION)


def _no_pair(names: Sequence[str], path: Path) -> DatasetError:
    found = ", ".join(map(shown, names[:10])) or "none"
    return DatasetError(f"{path}: no column of puzzles among {found}; use {_PAIRS}")


def _corrupt(maker: BlockMaker, kind: str, error: Exception) -> DatasetError:
    problem = (str(error).splitlines() or [type(error).__name__])[0]
    where = f"after row {maker.num_rows:,}" if maker.num_rows else "at its start"
    return DatasetError(f"{maker.path}: corrupt or truncated {kind}, {where} ({problem}); download or make it again")

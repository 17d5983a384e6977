"""Tables in binary files: Parquet, and Arrow IPC, which is also called Feather.

Rows are read in batches, so memory does not grow with the file. Columns have the meanings of `columns`. A puzzle is a
text, in bytes or not, or a list of integers, flat or nested. See `table_fields` for values as text, and `tables` for
writing.
"""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from sudokulab._internal.extras import require
from sudokulab.errors import FormatError, SudokulabError
from sudokulab.formats import csv, jsonl
from sudokulab.formats.base import Record, Text, one_line, read_pair
from sudokulab.formats.columns import Columns, MissingColumnError, named_columns

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "BATCH_ROWS",
    "FILE",
    "PARQUET",
    "STREAM",
    "Table",
    "import_arrow",
    "is_bytes",
    "is_text",
    "kind_of",
    "read",
    "repeated_columns",
    "values_of",
]

BATCH_ROWS = 1 << 15
"""The maximum number of rows that are read or written at once."""
_BATCH_BYTES = 1 << 25
_DISTINCT_BYTES = 16  # fewer per row show that values are repeated
PARQUET, FILE, STREAM = "parquet", "arrow", "arrow-stream"
_MAGIC = {b"PAR1": PARQUET, b"ARROW1": FILE, b"\xff\xff\xff\xff": STREAM}
_LONGEST_HEAD = 6


def kind_of(head: bytes) -> str | None:
    """Return the name of the format that the first bytes of a file show; None for other files."""
    return next((kind for magic, kind in _MAGIC.items() if head[:_LONGEST_HEAD].startswith(magic)), None)


def import_arrow() -> Any:
    """Import pyarrow, and leave signals to Python: its own handlers lose those that arrive as they are removed."""
    require("tables")
    import pyarrow

    pyarrow.enable_signal_handlers(False)
    return pyarrow


class Table:
    """A table in a binary file, opened for reading.

    Parameters
    ----------
    stream
        The file.
    source
        The name of the file in errors.
    column
        The column of puzzles that the user has named.

    Raises
    ------
    SudokulabError
        If the file is damaged, or has no column of puzzles.
    """

    def __init__(self, stream: BinaryIO, source: str = "<table>", column: str | None = None) -> None:
        self._pa = import_arrow()
        self._source = source
        self._kind = kind_of(stream.peek(_LONGEST_HEAD))  # type: ignore[attr-defined]
        self._num_rows = 0
        self._stack = ExitStack()
        with self._explaining():
            self.schema, self._batches = self._open(stream)
        names = self.schema.names
        columns = named_columns(names, column, delimiter="")
        if columns is None:
            raise MissingColumnError.of(Text(cast(Any, stream), source, column=column), names)
        self.columns: Columns = columns
        """The columns."""
        with self._explaining():
            self._first = next(self._batches, None)

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        """Raise the errors of pyarrow as errors that name the file."""
        try:
            yield
        except (self._pa.ArrowException, OSError, UnicodeDecodeError) as error:
            problem = (str(error).splitlines() or [type(error).__name__])[0]
            where = f"after row {self._num_rows:,}" if self._num_rows else "at its start"
            found = "damaged or incomplete table" if self._kind else "neither a Parquet nor an Arrow file"
            raise SudokulabError(f"{self._source}: {found}, {where} ({one_line(problem)})") from None

    def _open(self, stream: BinaryIO) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
        ipc = self._pa.ipc
        if self._kind == STREAM:
            reader = ipc.open_stream(stream)
            return reader.schema, _pieces(reader, reader.schema)
        file = self._stack.enter_context(_seekable(stream))
        if self._kind == FILE:
            reader = ipc.open_file(file)
            batches = (reader.get_batch(index) for index in range(reader.num_record_batches))
            return reader.schema, _pieces(batches, reader.schema)
        import pyarrow.parquet as pq

        metadata = pq.read_metadata(file)
        schema = metadata.schema.to_arrow_schema()
        num_bytes = sum(metadata.row_group(group).total_byte_size for group in range(metadata.num_row_groups))
        num_rows = max(1, min(BATCH_ROWS, _BATCH_BYTES * metadata.num_rows // max(1, num_bytes)))
        file.seek(0)
        # a buffer would keep all bytes read so far
        # texts inside lists and structures cannot be read as dictionaries from several row groups
        texts = {field.name for field in schema if is_text(field.type) or is_bytes(field.type)}
        repeated = [name for name in repeated_columns(metadata) if name in texts]
        opened = pq.ParquetFile(file, pre_buffer=False, read_dictionary=repeated)
        return schema, _pieces(opened.iter_batches(num_rows), schema)

    def first(self) -> pa.RecordBatch:
        """Return the first batch, without consuming it; an empty one if the table has no rows."""
        return self._first or self._pa.RecordBatch.from_arrays(
            [self._pa.array([], field.type) for field in self.schema], schema=self.schema
        )

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows in batches that have the schema of the table."""
        with self._stack:
            if self._first is not None:
                self._num_rows += self._first.num_rows
                yield self._first
            while True:
                with self._explaining():
                    batch = next(self._batches, None)
                if batch is None:
                    return
                self._num_rows += batch.num_rows
                yield batch


@contextmanager
def _seekable(stream: BinaryIO) -> Iterator[BinaryIO]:
    """Return the stream, or a temporary copy of a pipe or compressed file: the end of a table is read first."""
    if stream.seekable():
        yield stream
        return
    with tempfile.TemporaryFile() as copy:
        shutil.copyfileobj(stream, copy)
        copy.seek(0)
        yield cast(BinaryIO, copy)


def repeated_columns(metadata: Any) -> list[str]:
    """Return the columns that store each value once: a small file can repeat a large text a million times."""
    num_bytes: Counter[str] = Counter()
    for group in range(metadata.num_row_groups):
        for index in range(metadata.num_columns):
            column = metadata.row_group(group).column(index)
            num_bytes[column.path_in_schema] += column.total_uncompressed_size
    return [name for name, number in num_bytes.items() if number < _DISTINCT_BYTES * metadata.num_rows]


def _pieces(batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Yield the rows with the types of a schema, in batches that stay small when repeated values are decoded."""
    import pyarrow as pa

    for batch in batches:
        longest = max([1, *map(_longest_value, batch.columns)])
        num_rows = max(1, min(BATCH_ROWS, _BATCH_BYTES // longest))
        for start in range(0, batch.num_rows, num_rows):
            piece = batch.slice(start, num_rows)
            arrays = [
                column if column.type == field.type else _cast(column, field.type)
                for column, field in zip(piece.columns, schema, strict=True)
            ]
            yield pa.RecordBatch.from_arrays(arrays, schema=schema)


def _cast(column: pa.Array, kind: pa.DataType) -> pa.Array:
    """Return a column that was read as a dictionary with the type that it has in the file."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    return column if column.type == kind else column.cast(kind)


def _longest_value(column: pa.Array) -> int:
    """Return the length in bytes of the longest repeated value of a column."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_dictionary(column.type) or not (is_text(column.type) or is_bytes(column.type)):
        return 0
    return pc.max(pc.binary_length(column.dictionary.cast(pa.large_binary()))).as_py() or 0


def read(text: Text) -> Iterator[Record]:
    """Read a puzzle from each row.

    Raises
    ------
    MissingColumnError
        If no column is named for puzzles.
    """
    table = text.opened or Table(cast(BinaryIO, text.stream), text.source, text.column)
    text.table = table.columns
    text.fields = (table.first(), 0)
    for batch in table.batches():
        yield from _read_batch(text, table.columns, batch)


def _read_batch(text: Text, columns: Columns, batch: pa.RecordBatch) -> Iterator[Record]:
    missing = [None] * batch.num_rows
    puzzles, solutions, names, comments = (
        missing if place is None else values_of(batch.column(place))
        for place in (columns.puzzle, columns.solution, columns.name, columns.comment)
    )
    others = [(key, values_of(batch.column(place))) for place, key in columns.others if _is_scalar(batch, place)]
    for index in range(batch.num_rows):
        text.line += 1
        text.fields = (batch, index)
        name = _text(names[index])
        remarks = [f"{key}={values[index]}" for key, values in others if values[index] is not None]
        comment = "; ".join(filter(None, [_text(comments[index]), *remarks]))
        record = _record(text, puzzles[index], solutions[index], name, comment)
        if isinstance(record, FormatError):
            record.name = one_line(name)
        yield record


def _record(text: Text, puzzle: object, solution: object, name: str, comment: str) -> Record:
    if not isinstance(puzzle, list) and not isinstance(solution, list):
        return csv.read_fields(text, _text(puzzle), _text(solution), name, comment)
    pair = read_pair(text, partial(jsonl.read_cells, text), puzzle, solution)
    if isinstance(pair, FormatError):
        return pair
    cells, stated, remark = pair
    return text.puzzle(cells, name=name, comment="; ".join(filter(None, (comment, remark))), solution=stated)


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="replace")
    return "" if value is None else str(value)


def _is_scalar(batch: pa.RecordBatch, place: int) -> bool:
    import pyarrow as pa

    kind = batch.schema.field(place).type
    types = pa.types
    checks = (types.is_integer, types.is_floating, types.is_boolean, types.is_decimal)
    return is_text(kind) or any(check(kind) for check in checks)


def is_text(kind: pa.DataType) -> bool:
    """Return whether a column contains texts, stored once or repeatedly."""
    import pyarrow as pa

    values = kind.value_type if pa.types.is_dictionary(kind) else kind
    return any(check(values) for check in (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view))


def is_bytes(kind: pa.DataType) -> bool:
    """Return whether a column contains bytes that need not be text, stored once or repeatedly."""
    import pyarrow as pa

    values, types = kind.value_type if pa.types.is_dictionary(kind) else kind, pa.types
    checks = (types.is_binary, types.is_large_binary, types.is_binary_view, types.is_fixed_size_binary)
    return any(check(values) for check in checks)


def values_of(column: pa.Array) -> list[Any]:
    """Return the values of a column; text that is not UTF-8 gets replacement characters."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        values = values_of(column.dictionary)
        return [None if index is None else values[index] for index in column.indices.to_pylist()]
    if not is_text(column.type):
        return cast(list[Any], column.to_pylist())
    try:
        return cast(list[Any], column.cast(pa.string()).to_numpy(zero_copy_only=False).tolist())
    except pa.ArrowException:
        texts = column.cast(pa.binary()).to_pylist()
        return [text if text is None else text.decode("utf-8", errors="replace") for text in texts]

"""Tables in binary files: Parquet, and Arrow IPC, which is also called Feather.

Rows are read and written in batches, so memory does not grow with the file. Columns have the meanings of `columns`. A
puzzle is a text, or a list of integers, flat or nested. All values of other columns are kept when a table is solved.
"""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO, Self, cast

from sudokulab._internal.extras import require
from sudokulab.errors import FormatError, SudokulabError
from sudokulab.formats import csv, jsonl
from sudokulab.formats.base import Format, Record, Text, comment_of, one_line, placeholder
from sudokulab.formats.columns import ANSWERS, HEADER, PUZZLE, Columns, named_columns
from sudokulab.puzzle import Puzzle

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["FORMATS", "TableWriter", "is_text", "kind_of", "repeated_columns", "row_values", "values_of"]

_BATCH_ROWS = 1 << 14
_DISTINCT_BYTES = 16  # fewer per row show that values are repeated
_PARQUET, _FILE, _STREAM = "parquet", "arrow", "arrow-stream"
_MAGIC = {b"PAR1": _PARQUET, b"ARROW1": _FILE, b"\xff\xff\xff\xff": _STREAM}
_LONGEST_HEAD = 6


def kind_of(head: bytes) -> str | None:
    """Return the name of the format that the first bytes of a file show; None for other files."""
    return next((kind for magic, kind in _MAGIC.items() if head[:_LONGEST_HEAD].startswith(magic)), None)


def _arrow() -> Any:
    """Import pyarrow, and leave signals to Python: its own handlers lose those that arrive as they are removed."""
    require("tables")
    import pyarrow

    pyarrow.enable_signal_handlers(False)
    return pyarrow


def read(text: Text) -> Iterator[Record]:
    """Read a puzzle from each row."""
    pa = _arrow()
    stream = cast(BinaryIO, text.stream)
    kind = kind_of(stream.peek(_LONGEST_HEAD))  # type: ignore[attr-defined]
    try:
        yield from _read_batches(text, _batches(pa, stream, kind))
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        problem = (str(error).splitlines() or [type(error).__name__])[0]
        where = f"after row {text.line:,}" if text.line else "at its start"
        found = "damaged or incomplete table" if kind else "neither a Parquet nor an Arrow file"
        raise SudokulabError(f"{text.source}: {found}, {where} ({one_line(problem)})") from None


def _batches(pa: Any, stream: BinaryIO, kind: str | None) -> Iterator[pa.RecordBatch]:
    if kind == _STREAM:
        yield from pa.ipc.open_stream(stream)
        return
    with _seekable(stream) as file:
        if kind == _FILE:
            reader = pa.ipc.open_file(file)
            yield from (reader.get_batch(index) for index in range(reader.num_record_batches))
            return
        import pyarrow.parquet as pq

        repeated = repeated_columns(pq.read_metadata(file))
        file.seek(0)
        # a buffer would keep all bytes read so far
        yield from pq.ParquetFile(file, pre_buffer=False, read_dictionary=repeated).iter_batches(_BATCH_ROWS)


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


def _read_batches(text: Text, batches: Iterable[pa.RecordBatch]) -> Iterator[Record]:
    for batch in batches:
        if text.table is None:
            text.table = named_columns(batch.schema.names, text.column, delimiter="")
        if text.table is None:
            names = ", ".join(map(one_line, batch.schema.names))
            advice = f"use a column named {text.column or f'{PUZZLE[0]} or {PUZZLE[3]}'}"
            yield text.error(f"found no column of puzzles among {names}", advice)
            return
        for start in range(0, batch.num_rows, _BATCH_ROWS):
            yield from _read_batch(text, text.table, batch.slice(start, _BATCH_ROWS))


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
    both = "".join(part for part in (puzzle, solution) if isinstance(part, str))
    cells = jsonl.read_cells(text, puzzle, both)
    if isinstance(cells, FormatError):
        return cells
    stated = jsonl.read_cells(text, solution, both) if solution else None
    if isinstance(stated, FormatError):
        return stated
    return text.puzzle(cells, name=name, comment=comment, solution=stated)


def _text(value: object) -> str:
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


def row_values(batch: pa.RecordBatch, index: int) -> list[Any]:
    """Return the values of a row."""
    return [column[index].as_py() for column in batch.columns]


class TableWriter:
    """Writes a table to a stream, in batches.

    Parameters
    ----------
    stream
        The file.
    kind
        The name of the format.
    """

    def __init__(self, stream: BinaryIO, kind: str) -> None:
        self._stream = stream
        self._kind = kind
        self._writer: Any = None
        self._columns: Columns | None = None
        self._rows: list[tuple[Any, int]] = []
        self._answers: dict[str, list[str | None]] = {name: [] for name in ANSWERS}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: object, *_: object) -> None:
        try:
            if error is None:
                self._flush()
        finally:
            if self._writer is not None:
                self._writer.close()

    def write_batch(self, batch: pa.RecordBatch) -> None:
        """Write rows; all batches must have the same columns."""
        if self._writer is None:
            self._writer = _make_writer(self._stream, self._kind, batch.schema)
            self._schema = batch.schema
        if batch.schema != self._schema:
            raise SudokulabError("the inputs have different columns; solve each into an output file of its own")
        self._writer.write_batch(batch)

    def write_answer(self, columns: Columns, row: Sequence[Any], solution: str | None, status: str) -> None:
        """Write a row with its answer.

        Parameters
        ----------
        columns
            The columns of the table that contains the row.
        row
            A batch and an index, or the fields of a row of CSV.
        solution, status
            The answer.
        """
        if self._columns is not None and columns != self._columns:
            self._flush()
        self._columns = columns
        self._rows.append(cast(Any, row))
        self._answers["solution"].append(solution)
        self._answers["status"].append(status)
        if len(self._rows) >= _BATCH_ROWS:
            self._flush()

    def _flush(self) -> None:
        if self._columns is None or not self._rows:
            return
        start = 0
        for batch in _joined(self._columns, self._rows):
            answers = {name: values[start : start + batch.num_rows] for name, values in self._answers.items()}
            self.write_batch(_answered(batch, self._columns, answers))
            start += batch.num_rows
        self._rows.clear()
        for values in self._answers.values():
            values.clear()


def _make_writer(stream: BinaryIO, kind: str, schema: pa.Schema) -> Any:
    pa = _arrow()
    if kind == _PARQUET:
        import pyarrow.parquet as pq

        return pq.ParquetWriter(stream, schema, compression="zstd")
    make = pa.ipc.new_file if kind == _FILE else pa.ipc.new_stream
    return make(stream, schema, options=pa.ipc.IpcWriteOptions(compression="lz4"))


def _joined(columns: Columns, rows: Sequence[Any]) -> Iterator[pa.RecordBatch]:
    """Yield rows as batches: consecutive rows of a batch as a part of it, rows of CSV as texts."""
    import pyarrow as pa

    if columns.delimiter:
        names = columns.names()
        fields = [[*map(csv.value_of, row[: columns.count])] for row in rows]
        for row in fields:
            row += [""] * (columns.count - len(row))
        arrays = [pa.array([row[place] for row in fields], pa.string()) for place in range(columns.count)]
        yield pa.RecordBatch.from_arrays(arrays, names)
        return
    start = 0
    for end in range(1, len(rows) + 1):
        batch, index = rows[start]
        if end == len(rows) or rows[end][0] is not batch:
            yield batch.slice(index, end - start)
            start = end


def _answered(batch: pa.RecordBatch, columns: Columns, answers: dict[str, list[str | None]]) -> pa.RecordBatch:
    """Return rows with the columns of their answers, in place of columns that they have already."""
    import pyarrow as pa

    arrays, names = list(batch.columns), list(batch.schema.names)
    for name, place in columns.answers().items():
        array = pa.array(answers[name], pa.string())
        if place < len(arrays):
            arrays[place] = array
        else:
            arrays.append(array)
            names.append(name)
    schema = pa.schema(
        [pa.field(name, array.type) for name, array in zip(names, arrays, strict=True)], batch.schema.metadata
    )
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def write(records: Iterable[Record], stream: BinaryIO, kind: str) -> None:
    """Write a row for each puzzle: puzzle, solution, name and comment."""
    pa = _arrow()
    schema = pa.schema([(name, pa.string()) for name in HEADER])
    rows = enumerate(records, start=1)
    with TableWriter(stream, kind) as writer:
        while True:
            some = [_fields(record, number) for number, record in islice(rows, _BATCH_ROWS)]
            columns = [list(column) for column in zip(*some, strict=True)] or [[]] * len(HEADER)
            arrays = [pa.array(column, pa.string()) for column in columns]
            writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=schema))
            if len(some) < _BATCH_ROWS:
                return


def _fields(record: Record, number: int) -> tuple[str | None, str | None, str, str]:
    if isinstance(record, Puzzle):
        solution = record.solution.line if record.solution else None
        return record.line, solution, one_line(record.name), comment_of(record)
    return None, None, one_line(record.name), placeholder(number, record)


FORMATS = tuple(
    Format(kind, title, extensions, read, partial(write, kind=kind), has_placeholders=True, is_binary=True)
    for kind, title, extensions in (
        (_PARQUET, "Parquet tables", (".parquet", ".pq")),
        (_FILE, "Arrow IPC and Feather tables", (".arrow", ".feather", ".ipc")),
        (_STREAM, "streams of Arrow IPC", (".arrows",)),
    )
)

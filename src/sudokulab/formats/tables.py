"""Write binary tables in batches, to Parquet or Arrow IPC."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO, Self

from sudokulab.errors import SudokulabError
from sudokulab.formats import arrow
from sudokulab.formats.arrow import FILE, PARQUET, STREAM, import_arrow
from sudokulab.formats.base import Format, Record, comment_of, one_line, placeholder
from sudokulab.formats.columns import HEADER, PUZZLE, SOLUTION
from sudokulab.puzzle import Puzzle

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["FORMATS", "TableWriter"]

_ADVICE = "write .parquet or .arrows instead"


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
        self._pool = ThreadPoolExecutor(1)
        self._writing: Future[None] = self._pool.submit(lambda: None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: object, *_: object) -> None:
        self._pool.shutdown()  # pyarrow crashes if a writer is closed while it writes
        with ExitStack() as stack:
            if self._writer is not None:
                stack.enter_context(self._writer)
            if error is None:
                self._writing.result()
                if isinstance(self._writer, _UnifyingWriter):
                    self._writer.finish()

    def write_batch(self, batch: pa.RecordBatch) -> None:
        """Write rows, in a thread; all batches must have the same columns."""
        if self._writer is None:
            self._schema = batch.schema
            with _explaining():
                self._writer = _make_writer(self._stream, self._kind, batch.schema)
        if batch.schema != self._schema:
            raise SudokulabError("the inputs have different columns; solve each into an output file of its own")
        self._writing.result()
        self._writing = self._pool.submit(self._write, batch)

    def _write(self, batch: pa.RecordBatch) -> None:
        with _explaining():
            self._writer.write_batch(batch)


@contextmanager
def _explaining() -> Iterator[None]:
    """Say what to do about a column that a format cannot hold."""
    try:
        yield
    except import_arrow().ArrowNotImplementedError as error:
        raise SudokulabError(f"cannot write a column ({error}); write .arrows instead") from None


def _make_writer(stream: BinaryIO, kind: str, schema: pa.Schema) -> Any:
    pa = import_arrow()
    if kind == PARQUET:
        import pyarrow.parquet as pq

        others = [name for name in schema.names if name.strip().lower() not in (*PUZZLE, *SOLUTION)]
        # grids differ in each row: a dictionary would only take time
        return pq.ParquetWriter(stream, schema, compression="zstd", use_dictionary=others, write_statistics=others)
    if kind == FILE and any(pa.types.is_dictionary(field.type) for field in schema):
        return _UnifyingWriter(stream, schema)
    make = pa.ipc.new_file if kind == FILE else pa.ipc.new_stream
    return make(stream, schema, options=pa.ipc.IpcWriteOptions(compression="lz4"))


class _UnifyingWriter:
    """Writes an IPC file, whose dictionaries may not change between batches as those of other tables do.

    The batches are in a temporary file until all values are known.
    """

    def __init__(self, stream: BinaryIO, schema: pa.Schema) -> None:
        self._pa = import_arrow()
        self._stream = stream
        self._schema = schema
        self._spool = tempfile.TemporaryFile()  # noqa: SIM115  # closed at the end
        self._writer = self._pa.ipc.new_stream(self._spool, schema)
        places = [place for place, field in enumerate(schema) if self._pa.types.is_dictionary(field.type)]
        self._values = {place: _comparable(self._pa.array([], schema.field(place).type.value_type)) for place in places}
        self._last: dict[int, Any] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._spool.close()

    def write_batch(self, batch: pa.RecordBatch) -> None:
        """Write rows, and collect new values."""
        import pyarrow.compute as pc

        self._writer.write_batch(batch)
        for place, known in self._values.items():
            values = batch.column(place).dictionary
            if place in self._last and values.equals(self._last[place]):
                continue
            self._last[place] = values
            values = _comparable(values)
            new = values.filter(pc.invert(pc.is_in(values, value_set=known)))
            self._values[place] = self._pa.concat_arrays([known, new.unique()])

    def finish(self) -> None:
        """Write the file."""
        pa = self._pa
        self._writer.close()
        self._spool.seek(0)
        options = pa.ipc.IpcWriteOptions(compression="lz4")
        with pa.ipc.new_file(self._stream, self._schema, options=options) as writer:
            for batch in pa.ipc.open_stream(self._spool):
                writer.write_batch(pa.RecordBatch.from_arrays([*self._unified(batch)], schema=self._schema))

    def _unified(self, batch: pa.RecordBatch) -> Iterator[pa.Array]:
        import pyarrow.compute as pc

        for place, column in enumerate(batch.columns):
            if place not in self._values:
                yield column
                continue
            field, values = self._schema.field(place), self._values[place]
            indices = pc.index_in(_comparable(column.dictionary), value_set=values).take(column.indices)
            values = values.cast(field.type.value_type)
            try:
                indices = indices.cast(field.type.index_type)
                yield self._pa.DictionaryArray.from_arrays(indices, values, ordered=field.type.ordered)
            except self._pa.ArrowInvalid:
                problem = f"column {field.name!r} has too many values for its type {field.type.index_type}"
                raise SudokulabError(f"{problem} in an Arrow file; {_ADVICE}") from None


def _comparable(values: pa.Array) -> pa.Array:
    """Return values in a type that can be searched, as views cannot."""
    pa = import_arrow()
    if pa.types.is_string_view(values.type):
        return values.cast(pa.large_string())
    return values.cast(pa.large_binary()) if pa.types.is_binary_view(values.type) else values


def write(records: Iterable[Record], stream: BinaryIO, kind: str) -> None:
    """Write a row for each puzzle: puzzle, solution, name and comment."""
    pa = import_arrow()
    schema = pa.schema([(name, pa.string()) for name in HEADER])
    rows = enumerate(records, start=1)
    with TableWriter(stream, kind) as writer:
        while True:
            some = [_fields(record, number) for number, record in islice(rows, arrow.BATCH_ROWS)]
            columns = [list(column) for column in zip(*some, strict=True)] or [[]] * len(HEADER)
            arrays = [pa.array(column, pa.string()) for column in columns]
            writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=schema))
            if len(some) < arrow.BATCH_ROWS:
                return


def _fields(record: Record, number: int) -> tuple[str | None, str | None, str, str]:
    if isinstance(record, Puzzle):
        solution = record.solution.line if record.solution else None
        return record.line, solution, one_line(record.name), comment_of(record)
    return None, None, one_line(record.name), placeholder(number, record)


FORMATS = tuple(
    Format(kind, title, extensions, arrow.read, partial(write, kind=kind), has_placeholders=True, is_binary=True)
    for kind, title, extensions in (
        (PARQUET, "Parquet tables", (".parquet", ".pq")),
        (FILE, "Arrow IPC and Feather tables", (".arrow", ".feather", ".ipc")),
        (STREAM, "streams of Arrow IPC", (".arrows",)),
    )
)

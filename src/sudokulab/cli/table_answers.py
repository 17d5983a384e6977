"""The form in which ``solve`` writes its answers to Parquet and Arrow files."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sudokulab.cli.answers import Answer, Answers, Rows, Write
from sudokulab.cli.common import UNREADABLE
from sudokulab.errors import FormatError
from sudokulab.formats import arrow
from sudokulab.formats.columns import Columns
from sudokulab.formats.compression import compressed_bytes
from sudokulab.formats.tables import TableWriter
from sudokulab.questions.lines import Part, Row, Solved
from sudokulab.search.result import Status

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["TableAnswers"]

_TEXT_BYTES = 1 << 23
_GRID = 81  # characters of a solution in `Solved`


class TableAnswers(Answers):
    """Binary tables: those of the input with all columns, and rows of text with columns of text.

    Parameters
    ----------
    kind
        The name of the format.
    """

    keeps_rows = True

    def __init__(self, kind: str) -> None:
        self._pa = arrow.import_arrow()
        self._kind = kind
        self._rows = Rows()
        self._text: list[bytes] = []  # answers in rows of CSV
        self._num_bytes = 0
        self.batches: deque[tuple[Columns, pa.RecordBatch]] = deque()
        """The batches of rows that have not been answered."""
        self._answered: list[tuple[pa.Array, pa.Array]] = []  # solutions and statuses of the first of these batches
        self._num_answered = 0
        self._single: list[tuple[str | None, str]] = []  # those that follow, one by one

    def layout(self, columns: Columns | None) -> list[Part]:
        """Return the form of the answers to rows of text."""
        return self._rows.layout(columns)

    def bare_layout(self, columns: Columns | None) -> list[Part]:
        """Return the form of the answers to rows of `batches`."""
        return [("", "solution", 0, 0)]

    def text_of(self, number: int, answer: Answer, row: Row) -> str:
        """Return an answer as a row of CSV."""
        return self._rows.text_of(number, answer, row)

    @contextmanager
    def writing(self, output: Path | None) -> Iterator[Write]:
        """Return the function that writes answers to a file."""
        assert output is not None, "binary tables are written to files only"
        with compressed_bytes(output) as stream, TableWriter(stream, self._kind) as writer:
            yield partial(self._write, writer)
            self._write_text(writer)
            assert not self.batches, "every row has an answer"

    def _write(self, writer: TableWriter, number: int, answer: Solved | Answer | None, row: Row) -> None:
        columns, values = row
        if columns is not None and not columns.delimiter and values[1] == 0:
            self.batches.append((columns, values[0]))
        if self.batches:
            self._write_text(writer)
            self._add(answer)
            self._write_answered(writer)
            return
        if answer is None:
            self._rows.begin(row)
        elif isinstance(answer, Solved):
            self._text.append(answer.text)
        else:
            self._text.append(self.text_of(number, answer, row).encode(errors="surrogateescape"))
        self._num_bytes += len(self._text[-1]) if self._text else 0
        if self._num_bytes >= _TEXT_BYTES:
            self._write_text(writer)
        elif answer is None:
            self._write_table(writer, self._read_text(b""))

    def _add(self, answer: Solved | Answer | None) -> None:
        if isinstance(answer, Solved):
            import numpy as np

            self._join_single()
            offsets = np.arange(0, len(answer.text) + 1, _GRID, dtype=np.int32)
            buffers = [self._pa.py_buffer(data) for data in (offsets, answer.text)]
            solutions = self._pa.StringArray.from_buffers(answer.number, *buffers)
            self._answered.append((solutions, self._pa.repeat(Status.SOLVED.value, answer.number)))
            self._num_answered += answer.number
        elif answer is not None:
            if isinstance(answer, FormatError):
                self._single.append((None, UNREADABLE))
            else:
                self._single.append((answer.solution.line if answer.solution else None, answer.status.value))
            self._num_answered += 1

    def _join_single(self) -> None:
        """Join answers that came one by one."""
        if self._single:
            self._answered.append(
                tuple(self._pa.array(some, self._pa.string()) for some in zip(*self._single, strict=True))
            )
            self._single.clear()

    def _write_answered(self, writer: TableWriter) -> None:
        """Write the batches whose rows have been answered."""
        while self.batches and self._num_answered >= (number := self.batches[0][1].num_rows):
            columns, batch = self.batches.popleft()
            self._join_single()
            empty = [(self._pa.array([], self._pa.string()),) * 2]
            joined = [self._pa.concat_arrays(some) for some in zip(*(self._answered or empty), strict=True)]
            for (name, place), array in zip(columns.answers().items(), joined, strict=True):
                batch = self._with_column(batch, name, place, array.slice(0, number))
            writer.write_batch(batch)
            self._answered = [(joined[0].slice(number), joined[1].slice(number))]
            self._num_answered -= number

    def _with_column(self, batch: pa.RecordBatch, name: str, place: int, array: pa.Array) -> pa.RecordBatch:
        """Return a batch with a new column, or one in place of another."""
        arrays, field = list(batch.columns), self._pa.field(name, array.type)
        is_new = place == len(arrays)
        arrays[place:] = [array, *arrays[place + 1 :]]
        schema = batch.schema.append(field) if is_new else batch.schema.set(place, field)
        return self._pa.RecordBatch.from_arrays(arrays, schema=schema)

    def _write_text(self, writer: TableWriter) -> None:
        """Write the rows of text."""
        if self._text:
            self._write_table(writer, self._read_text(b"".join(self._text)))
        self._text.clear()
        self._num_bytes = 0

    def _write_table(self, writer: TableWriter, table: pa.Table) -> None:
        for batch in table.to_batches(arrow.BATCH_ROWS) or [self._pa.RecordBatch.from_pylist([], schema=table.schema)]:
            writer.write_batch(batch)

    def _read_text(self, text: bytes) -> pa.Table:
        """Return rows of CSV as a table of texts; a missing solution is null."""
        import pyarrow.compute as pc
        from pyarrow import csv

        names = [str(place) for place in range(len(self._rows.names))]  # distinct
        found = self._pa.table([self._pa.array([], self._pa.string())] * len(names), names=names)
        if text:
            found = csv.read_csv(
                self._pa.BufferReader(text.decode(errors="replace").encode()),
                csv.ReadOptions(column_names=names, block_size=2 * len(text)),
                csv.ParseOptions(delimiter=self._rows.delimiter, newlines_in_values=True),
                csv.ConvertOptions(column_types=dict.fromkeys(names, self._pa.string()), strings_can_be_null=False),
            )
        solutions = found.column(self._rows.place_of_solution)
        solutions = pc.if_else(pc.equal(solutions, ""), self._pa.scalar(None, self._pa.string()), solutions)
        found = found.set_column(self._rows.place_of_solution, "solution", solutions)
        return found.rename_columns(self._rows.names)

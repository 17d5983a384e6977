"""The forms in which ``solve`` writes its answers: lines, rows of a table, JSON lines, or drawings on a terminal."""

from __future__ import annotations

import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from sudokulab.cli.common import UNREADABLE
from sudokulab.cli.schema import VERSION, fields_of
from sudokulab.cli.tables import checked_fields
from sudokulab.errors import FormatError, SudokulabError
from sudokulab.formats import csv, table_fields
from sudokulab.formats.base import one_line, placeholder
from sudokulab.formats.columns import NO_TABLE, Columns
from sudokulab.formats.compression import compressed_bytes
from sudokulab.puzzle import Puzzle, cell_name
from sudokulab.questions.blocks import write_behind
from sudokulab.questions.lines import Part, Row, Solved, solution_lines
from sudokulab.search.result import Result, Status
from sudokulab.solvers import Solver

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["FIELDS", "Answer", "Answers", "Drawings", "JsonLines", "Lines", "Rows", "Write", "puzzle_of"]

Answer = Result | FormatError
Write = Callable[[int, Solved | Answer | None, Row], object]
"""Writes the answer to the puzzle with this number, from this row; None for a table without rows."""

FIELDS = fields_of("solve")
"""The fields of a JSON line."""


class Answers(ABC):
    """A form of answers."""

    keeps_rows = False
    """Whether an answer contains the row of its puzzle."""
    keeps_members = False
    """Whether an answer contains the members of its puzzle's object in JSON lines."""
    takes_members = False
    """Whether `layout` takes the members of objects."""

    def layout(self, columns: Columns | None) -> list[Part]:
        """Return the form of the answers for the core; None for puzzles that come from no table."""
        return solution_lines(columns)

    def take_head(self) -> str:
        """Return the text before the next answer."""
        return ""

    @abstractmethod
    def text_of(self, number: int, answer: Answer, row: Row) -> str:
        """Return the text of an answer to the puzzle with this number, from this row."""

    def begin(self, row: Row) -> None:
        """Begin with the columns of a table that has no rows."""
        return

    @contextmanager
    def writing(self, output: Path | None) -> Iterator[Write]:
        """Return the function that writes answers to a file or to standard output."""
        with ExitStack() as stack:
            stream = stack.enter_context(compressed_bytes(output)) if output else sys.stdout.buffer
            write = stack.enter_context(write_behind(stream))

            def write_answer(number: int, answer: Solved | Answer | None, row: Row) -> None:
                text = answer.text if isinstance(answer, Solved) else b""
                if answer is None:
                    self.begin(row)
                elif not isinstance(answer, Solved):
                    text = self.text_of(number, answer, row).encode(errors="surrogateescape")
                if head := self.take_head():
                    write(head.encode(errors="surrogateescape"))
                if text:
                    write(text)

            yield write_answer


class Lines(Answers):
    """Solutions, one per line, or comments with the reason why there is none."""

    takes_members = True

    def text_of(self, number: int, answer: Answer, row: Row) -> str:
        """Return a line."""
        if isinstance(answer, FormatError):
            return f"# {placeholder(number, answer)}\n"
        return f"{answer.solution.line if answer.solution else f'# {_describe_status(number, answer)}'}\n"


class Rows(Answers):
    """Comma-separated values: the columns of the table as they are, then solution and status.

    The delimiter is that of the table, unless tabs are requested, or found and not requested.

    Parameters
    ----------
    has_tabs
        Whether tabs separate the columns.
    """

    keeps_rows = True

    def __init__(self, *, has_tabs: bool = False) -> None:
        self._has_tabs = has_tabs
        self._source: Columns | None = None  # of the first puzzle
        self._columns = NO_TABLE
        self._head = ""
        self._batch: object = None  # the last batch, and its rows
        self._batch_rows: list[list[str]] = []

    @property
    def delimiter(self) -> str:
        """The character between the columns of the output."""
        return self._columns.delimiter

    @property
    def place_of_solution(self) -> int:
        """The place of the solution in a row of the output."""
        return next(iter(self._columns.answers().values()))

    @property
    def names(self) -> list[str]:
        """The names of the columns of the output."""
        return [*self._columns.names(), *_new_names(self._columns)]

    def take_head(self) -> str:
        """Return the header before the first row."""
        head, self._head = self._head, ""
        return head

    def layout(self, columns: Columns | None) -> list[Part]:
        """Return the form of the rows of this table."""
        table = self._begin(columns)
        slot = "fields" if columns is None or columns.delimiter == table.delimiter else "quoted"
        place_of_solution, place_of_status = table.answers().values()
        parts: list[Part] = []
        for place in range(_width(table)):
            text = table.delimiter if place else ""
            if place == table.puzzle:
                parts.append((text, "grid", 0, 0))
            elif place == place_of_solution:
                parts += [(f'{text}"', "solution", 0, 0), ('"', "", 0, 0)]
            elif place == place_of_status:
                parts.append((f"{text}{Status.SOLVED.value}", "", 0, 0))
            elif columns:
                parts.append((text, slot, place, place + 1))
            else:
                parts.append((text, "", 0, 0))
        return [*parts, ("\n", "", 0, 0)]

    def text_of(self, number: int, answer: Answer, row: Row) -> str:
        """Return a row."""
        columns, values = row
        table = self._begin(columns)
        record = answer if isinstance(answer, FormatError) else puzzle_of(answer)
        fields = csv.record_fields(record, number) if columns is None else self._fields_of(columns, values)
        fields = fields[: table.count]
        fields += [""] * (_width(table) - len(fields))
        solution = "" if isinstance(answer, FormatError) or not answer.solution else answer.solution.line
        status = UNREADABLE if isinstance(answer, FormatError) else answer.status.value
        if fields[table.puzzle].isdecimal():
            fields[table.puzzle] = csv.field_of(fields[table.puzzle])
        for place, value in zip(table.answers().values(), (solution, status), strict=True):
            fields[place] = csv.field_of(value)
        return f"{table.delimiter.join(fields)}\n"

    def begin(self, row: Row) -> None:
        """Write the header of a table that has no rows."""
        self._begin(row[0])

    def _begin(self, columns: Columns | None) -> Columns:
        """Return the columns of the output, which must be the same for all puzzles, and write the header."""
        source = columns or NO_TABLE
        if not source.delimiter:
            source = table_fields.csv_columns(source)
        if source == self._source:
            return self._columns
        if self._source is not None:
            raise SudokulabError("the inputs have different columns; solve each into an output file of its own")
        self._source = self._columns = source
        if self._has_tabs != (source.delimiter == "\t"):
            header = tuple(map(_requoted, source.header))
            self._columns = replace(source, header=header, delimiter="\t" if self._has_tabs else ",")
        names = [*self._columns.header, *_new_names(self._columns)]
        self._head = f"{self._columns.delimiter.join(names)}\n" if source.header else ""
        return self._columns

    def _fields_of(self, columns: Columns, values: Sequence[Any]) -> list[str]:
        """Return the fields of a row as text: those of CSV as they are."""
        if columns.delimiter:
            is_same = columns.delimiter == self._columns.delimiter
            return list(values) if is_same else list(map(_requoted, values))
        batch, index = values
        if batch is not self._batch:
            self._batch, self._batch_rows = batch, table_fields.rows_of(batch, columns)
        return list(self._batch_rows[index])


class JsonLines(Answers):
    """JSON objects, one per line, always with the same fields.

    Parameters
    ----------
    solver
        The solver of the puzzles.
    fields
        The names of the fields in order (default: all, then the other members of an object that was read).
    """

    takes_members = True

    def __init__(self, solver: Solver, fields: Sequence[str] | None = None) -> None:
        self._solver = solver
        self._fields = checked_fields(fields or FIELDS, FIELDS)
        self.keeps_members = not fields

    def layout(self, columns: Columns | None) -> list[Part]:
        """Return the form of an object."""
        known = {
            "version": [str(VERSION)],
            "row": ["", "row", ""],
            "id": ['"', "id", '"'],
            "puzzle": ['"', "puzzle", '"'],
            "box": ['"3x3"'],
            "solver": [json.dumps(self._solver.name)],
            "status": [json.dumps(Status.SOLVED.value)],
            "solution": ['"', "solution", '"'],
            "clashes": ["[]"],
            "cost": ["0.0"],
            "seconds": ["", "seconds", ""],
            "stats": ['{"nodes": ', "nodes", ', "backtracks": ', "backtracks", ', "max_depth": ', "max_depth", "}"],
        }
        parts: list[Part] = []
        for place, field in enumerate(self._fields):
            first, *rest = known.get(field, ["null"])
            texts = [f"{', ' if place else '{'}{json.dumps(field)}: {first}", *rest[1::2]]
            parts += [(text, slot, 0, 0) for text, slot in zip(texts, [*rest[::2], ""], strict=True)]
        if self.keeps_members and columns is not None and columns.are_members:
            others = [(place, key) for place, key in enumerate(columns.header) if json.loads(key) not in self._fields]
            parts += [(f", {key}: ", "fields", place, place + 1) for place, key in others]
        return [*parts, ("}\n", "", 0, 0)]

    def text_of(self, number: int, answer: Answer, row: Row) -> str:
        """Return an object."""
        record = self._record(number, answer)
        chosen = {field: record[field] for field in self._fields}
        columns, values = row
        if self.keeps_members and columns is None and values:
            members = cast(dict[str, object], values[0])
            chosen |= {name: value for name, value in members.items() if name not in chosen}
        return f"{json.dumps(chosen)}\n"

    def _record(self, number: int, answer: Answer) -> dict[str, object]:
        empty: dict[str, object] = dict.fromkeys(FIELDS)
        if isinstance(answer, FormatError):
            id = answer.name or str(number)
            solver = self._solver.name
            head = {"version": VERSION, "row": number, "id": id, "solver": solver}
            return {**empty, **head, "status": UNREADABLE, "error": str(answer)}
        puzzle = puzzle_of(answer)
        clashes = puzzle.clashes() if answer.status is not Status.SOLVED else []
        return {
            **empty,
            **answer.to_dict(),
            "version": VERSION,
            "row": number,
            "id": one_line(puzzle.name) or str(number),
            "clashes": [cell_name(cell, puzzle.size) for cell in clashes],
            "seed": answer.seed if self._solver.is_stochastic else None,
        }


class Drawings(Answers):
    """Grids on a terminal, each with a sentence."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def text_of(self, number: int, answer: Answer, row: Row) -> str:
        """Draw the answer, and return nothing more to write."""
        if isinstance(answer, FormatError):
            self._console.print(placeholder(number, answer), highlight=False, markup=False)
            return ""
        from sudokulab.drawing import draw

        puzzle = puzzle_of(answer)
        drawn = draw(puzzle, answer.solution, puzzle.clashes() if not answer.is_solved else ())
        self._console.print(drawn, soft_wrap=True)
        self._console.print(_describe(number, answer), highlight=False, markup=False)
        return ""


def _new_names(table: Columns) -> list[str]:
    """Return the names of the columns that an answered table gains."""
    return [name for name, place in table.answers().items() if place >= table.count]


def _requoted(field: str) -> str:
    """Return a field of CSV for another delimiter."""
    return field if field[:1] == '"' or not set(",;\t") & set(field) else csv.field_of(field)


def _width(table: Columns) -> int:
    """Return the number of columns of an answered table."""
    return max(table.count, *(place + 1 for place in table.answers().values()))


def puzzle_of(result: Result) -> Puzzle:
    """Return the puzzle of a result."""
    assert result.puzzle is not None, "the command line passes only puzzles"
    return result.puzzle


def _describe(number: int, result: Result) -> str:
    counts = ", ".join(f"{value} {name.replace('_', ' ')}" for name, value in result.stats.items())
    work = f"({result.solver}: {result.seconds:.3g} s{', ' + counts if counts else ''})"
    return f"{_describe_status(number, result)} {work}"


def _describe_status(number: int, result: Result) -> str:
    puzzle = puzzle_of(result)
    words = f"{one_line(puzzle.name) or number}: {result.status.value}"
    clashes = puzzle.clashes() if result.status is not Status.SOLVED else []
    if clashes:
        names = [cell_name(cell, puzzle.size) for cell in clashes]
        words += f", {', '.join(names)} clash"
    elif result.error:
        words += f", {one_line(result.error)}"
    return words

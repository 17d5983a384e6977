"""The forms in which ``solve`` writes its answers: lines, rows of a table, JSON lines, or drawings on a terminal."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sudokulab.cli.common import UNREADABLE
from sudokulab.cli.schema import VERSION, fields_of
from sudokulab.cli.tables import checked_fields
from sudokulab.errors import FormatError, SudokulabError
from sudokulab.formats import arrow, csv
from sudokulab.formats.base import one_line, placeholder
from sudokulab.formats.columns import NO_TABLE, Columns
from sudokulab.puzzle import Puzzle, cell_name
from sudokulab.questions.lines import Part, Row, solution_lines
from sudokulab.search.result import Result, Status
from sudokulab.solvers import Solver

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["FIELDS", "Answer", "Answers", "Drawings", "JsonLines", "Lines", "Rows", "puzzle_of"]

Answer = Result | FormatError

FIELDS = fields_of("solve")
"""The fields of a JSON line."""


class Answers(ABC):
    """A form of answers."""

    keeps_rows = False
    """Whether an answer contains the row of its puzzle."""

    def layout(self, columns: Columns | None) -> list[Part]:
        """Return the form of the answers for the core; None for puzzles that come from no table."""
        return solution_lines(columns)

    def take_head(self) -> str:
        """Return the text before the next answer."""
        return ""

    @abstractmethod
    def text_of(self, number: int, answer: Answer, row: Row) -> str:
        """Return the text of an answer to the puzzle with this number, from this row."""


class Lines(Answers):
    """Solutions, one per line, or comments with the reason why there is none."""

    def text_of(self, number: int, answer: Answer, row: Row) -> str:
        """Return a line."""
        if isinstance(answer, FormatError):
            return f"# {placeholder(number, answer)}\n"
        return f"{answer.solution.line if answer.solution else f'# {_describe_status(number, answer)}'}\n"


class Rows(Answers):
    """Comma-separated values: the columns of the table as they are, then solution and status."""

    keeps_rows = True

    def __init__(self) -> None:
        self._columns: Columns | None = None
        self._head = ""

    def take_head(self) -> str:
        """Return the header before the first row."""
        head, self._head = self._head, ""
        return head

    def layout(self, columns: Columns | None) -> list[Part]:
        """Return the form of the rows of this table."""
        table = self._begin(columns)
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
                parts.append((text, "fields", place, place + 1))
            else:
                parts.append((text, "", 0, 0))
        return [*parts, ("\n", "", 0, 0)]

    def text_of(self, number: int, answer: Answer, row: Row) -> str:
        """Return a row."""
        columns, values = row
        table = self._begin(columns)
        record = answer if isinstance(answer, FormatError) else puzzle_of(answer)
        fields = csv.record_fields(record, number) if columns is None else _fields_of(columns, values)[: table.count]
        fields += [""] * (_width(table) - len(fields))
        solution = "" if isinstance(answer, FormatError) or not answer.solution else answer.solution.line
        status = UNREADABLE if isinstance(answer, FormatError) else answer.status.value
        if fields[table.puzzle].isdecimal():
            fields[table.puzzle] = csv.field_of(fields[table.puzzle])
        for place, value in zip(table.answers().values(), (solution, status), strict=True):
            fields[place] = csv.field_of(value)
        return f"{table.delimiter.join(fields)}\n"

    def _begin(self, columns: Columns | None) -> Columns:
        """Return the columns of the output, which must be the same for all puzzles, and write the header."""
        table = columns or NO_TABLE
        if not table.delimiter:
            table = replace(table, header=tuple(map(csv.field_of, table.header)), delimiter=",")
        if self._columns is None:
            names = [*table.header, *[name for name, place in table.answers().items() if place >= table.count]]
            self._head = f"{table.delimiter.join(names)}\n" if table.header else ""
        elif table != self._columns:
            raise SudokulabError("the inputs have different columns; solve each into an output file of its own")
        self._columns = table
        return table


class JsonLines(Answers):
    """JSON objects, one per line, always with the same fields.

    Parameters
    ----------
    solver
        The solver of the puzzles.
    fields
        The names of the fields in order (default: all).
    """

    def __init__(self, solver: Solver, fields: Sequence[str] = FIELDS) -> None:
        self._solver = solver
        self._fields = checked_fields(fields, FIELDS)

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
        texts, slots = [""], []
        for place, field in enumerate(self._fields):
            first, *rest = known.get(field, ["null"])
            texts[-1] += f"{', ' if place else '{'}{json.dumps(field)}: {first}"
            slots += rest[::2]
            texts += rest[1::2]
        texts[-1] += "}\n"
        return [(text, slot, 0, 0) for text, slot in zip(texts, [*slots, ""], strict=True)]

    def text_of(self, number: int, answer: Answer, row: Row) -> str:
        """Return an object."""
        record = self._record(number, answer)
        return f"{json.dumps({field: record[field] for field in self._fields})}\n"

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


def _fields_of(columns: Columns, values: Sequence[Any]) -> list[str]:
    """Return the fields of a row as text: those of CSV as they are."""
    return list(values) if columns.delimiter else list(map(csv.field_of, arrow.row_values(*values)))


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

"""Sudoku as an integer program in the LP format, and the decoder for the solution files of its solvers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TextIO

from sudokulab.convert.answers import lines_of, solved
from sudokulab.convert.candidates import constraints, given_candidates
from sudokulab.errors import NoSolutionError, SudokulabError
from sudokulab.formats.base import one_line
from sudokulab.formats.coercion import PuzzleLike, as_puzzle
from sudokulab.puzzle import Puzzle, cell_name

__all__ = ["decode_lp", "write_lp"]

_TERMS_PER_LINE = 16  # readers limit the length of a line
_VALUE = re.compile(
    r"\bx_(?P<row>\d+)_(?P<col>\d+)_(?P<digit>\d+)\b"  # the variable, then its value in the first of:
    r'(?:"[^<>]*?\bvalue="'  # CPLEX, XML: name="x_1_1_1" index="0" value="1"
    r"|\s+(?:\*\s+)?)"  # CBC, Gurobi, HiGHS, SCIP: x_1_1_1 1; GLPK: x_1_1_1 * 1
    r"(?P<value>[-+]?\d[\d.]*(?:e[-+]?\d+)?)",
    re.IGNORECASE,
)
_PRETTY_HEADER = "Index Status"
_PRETTY_ROW = re.compile(
    r"^ *\d+ +(?:[A-Z]{2} +)?\S+ +\S+ +"  # HiGHS with solution_style 1: index, status, lower and upper bound,
    r"(?P<value>[-+]?\d[\d.]*(?:e[-+]?\d+)?) .*"  # then the value, and at the end of the line the name
    r"\bx_(?P<row>\d+)_(?P<col>\d+)_(?P<digit>\d+)\b",
    re.IGNORECASE | re.MULTILINE,
)
_INFEASIBLE = re.compile(r"\binfeasible\b|\binteger empty\b", re.IGNORECASE)


def write_lp(puzzle: PuzzleLike, stream: TextIO) -> None:
    """Write a puzzle as a 0-1 program: x_r_c_d is 1 if row r, column c holds digit d; there is nothing to minimise."""
    puzzle = as_puzzle(puzzle)
    size = puzzle.size
    names = [f"x_{r}_{c}_{d}" for r in range(1, size + 1) for c in range(1, size + 1) for d in range(1, size + 1)]
    stream.write(
        "\\ Sudoku as an integer program, written by sudokulab\n"
        + f"\\ puzzle {puzzle.line} box {puzzle.box} {one_line(puzzle.name)}".rstrip()
        + f"\nMinimize\n obj: 0 {names[0]}\nSubject To\n"
    )
    for number, group in enumerate(constraints(puzzle.box).tolist(), start=1):
        stream.write(f" c{number}: {_joined([names[candidate] for candidate in group], ' + ')} = 1\n")
    for number, candidate in enumerate(given_candidates(puzzle).tolist(), start=1):
        stream.write(f" g{number}: {names[candidate]} = 1\n")
    stream.write(f"Binary\n {_joined(names, ' ')}\nEnd\n")


def decode_lp(puzzle: PuzzleLike, answer: str) -> Puzzle:
    r"""Decode the solution of an integer program into the solved grid.

    Parameters
    ----------
    puzzle
        The puzzle that was written.
    answer
        The solution file of CBC, CPLEX, GLPK, Gurobi, HiGHS (raw or pretty style) or SCIP; variables that it leaves out
        are 0.

    Raises
    ------
    NoSolutionError
        If the answer states that the program is infeasible.
    SudokulabError
        If the answer cannot be read, is incomplete, or is not a solution.

    Examples
    --------
    >>> from sudokulab import parse
    >>> decode_lp(parse("123434122143432."), "x_4_4_4 0\\nx_4_4_1 1")
    Traceback (most recent call last):
    sudokulab.errors.SudokulabError: the answer has no digit for r1c1; pass the solver's complete output
    """
    puzzle = as_puzzle(puzzle)
    if _INFEASIBLE.search(answer):
        raise NoSolutionError("the answer says that there is no solution")
    values: dict[tuple[int, int, int], float] = {}
    for name, value in _found_values(answer):
        values.setdefault(name, value)  # a later section has dual values
    if not values:
        list(lines_of(answer))  # raises if they state a verdict
        raise SudokulabError("the answer has no values of the variables x_1_1_1, …: pass the solver's solution file")
    size = puzzle.size
    cells = bytearray(size * size)
    for (row, col, digit), value in values.items():
        if not 1 <= min(row, col, digit) <= max(row, col, digit) <= size:
            raise SudokulabError(f"x_{row}_{col}_{digit} in the answer, but the puzzle has size {size}")
        if value < 0.5:
            continue
        cell = (row - 1) * size + col - 1
        if cells[cell]:
            raise SudokulabError(f"the answer has two digits for {cell_name(cell, size)}, {cells[cell]} and {digit}")
        cells[cell] = digit
    return solved(puzzle, cells)


def _found_values(answer: str) -> Iterator[tuple[tuple[int, int, int], float]]:
    """Yield the row, the column and the digit of each variable, and its value."""
    pattern = _PRETTY_ROW if _PRETTY_HEADER in answer else _VALUE
    for found in pattern.finditer(answer):
        yield (int(found["row"]), int(found["col"]), int(found["digit"])), float(found["value"])


def _joined(names: list[str], separator: str) -> str:
    lines = [names[start : start + _TERMS_PER_LINE] for start in range(0, len(names), _TERMS_PER_LINE)]
    return f"{separator}\n  ".join(separator.join(line) for line in lines)

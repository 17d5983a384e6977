"""Sudoku as a constraint network in the XCSP3 format, and the decoder for an instantiation."""

from __future__ import annotations

import re
from typing import TextIO

from sudokulab.convert.answers import integers, lines_of, solved
from sudokulab.errors import SudokulabError
from sudokulab.formats.base import one_line
from sudokulab.formats.coercion import PuzzleLike, as_puzzle
from sudokulab.puzzle import Puzzle

__all__ = ["decode_xcsp", "write_xcsp"]

_CELL = re.compile(r"x\[(\d+)\]\[(\d+)\]")
_REPEATED = re.compile(r"(\d+)x(\d+)")


def write_xcsp(puzzle: PuzzleLike, stream: TextIO) -> None:
    """Write a puzzle in the XCSP3 format: x[r][c], counted from 0, is the digit of a cell.

    References
    ----------
    F. Boussemart, C. Lecoutre, G. Audemard and C. Piette, "XCSP3: an integrated format for benchmarking combinatorial
    constrained problems", 2016.

    Examples
    --------
    >>> import sys
    >>> from sudokulab import parse
    >>> write_xcsp(parse("1.....3..4......"), sys.stdout)
    <instance format="XCSP3" type="CSP">
      <!-- Sudoku, written by sudokulab: puzzle 1.....3..4...... box 2x2 -->
      <variables>
        <array id="x" size="[4][4]"> 1..4 </array>
      </variables>
      <constraints>
        <allDifferent> <matrix> x[][] </matrix> </allDifferent>
        <allDifferent> x[0..1][0..1] </allDifferent>
        <allDifferent> x[0..1][2..3] </allDifferent>
        <allDifferent> x[2..3][0..1] </allDifferent>
        <allDifferent> x[2..3][2..3] </allDifferent>
        <instantiation>
          <list> x[0][0] x[1][2] x[2][1] </list>
          <values> 1 3 4 </values>
        </instantiation>
      </constraints>
    </instance>
    """
    puzzle = as_puzzle(puzzle)
    size, box = puzzle.size, puzzle.box
    title = f"puzzle {puzzle.line} box {box} {one_line(puzzle.name)}".strip().replace("--", "- -")
    stream.write(
        f'<instance format="XCSP3" type="CSP">\n  <!-- Sudoku, written by sudokulab: {title} -->\n'
        f'  <variables>\n    <array id="x" size="[{size}][{size}]"> 1..{size} </array>\n  </variables>\n'
        "  <constraints>\n    <allDifferent> <matrix> x[][] </matrix> </allDifferent>\n"
    )
    for row in range(0, size, box.rows):
        for col in range(0, size, box.cols):
            cells = f"x[{row}..{row + box.rows - 1}][{col}..{col + box.cols - 1}]"
            stream.write(f"    <allDifferent> {cells} </allDifferent>\n")
    givens = [(cell, digit) for cell, digit in enumerate(puzzle.cells) if digit]
    if givens:
        names = " ".join(f"x[{cell // size}][{cell % size}]" for cell, _ in givens)
        digits = " ".join(str(digit) for _, digit in givens)
        stream.write(
            f"    <instantiation>\n      <list> {names} </list>\n      <values> {digits} </values>\n"
            "    </instantiation>\n"
        )
    stream.write("  </constraints>\n</instance>\n")


def decode_xcsp(puzzle: PuzzleLike, answer: str) -> Puzzle:
    r"""Decode an instantiation into the solved grid.

    Parameters
    ----------
    puzzle
        The puzzle that was written.
    answer
        The solver's output: ``s SATISFIABLE`` and an ``<instantiation>`` in lines that may begin with ``v``. Its list
        names cells or ``x[][]``; a value such as ``3x5`` is five times 3.

    Raises
    ------
    NoSolutionError
        If the answer states that there is no solution.
    SudokulabError
        If the answer cannot be read, is incomplete, or is not a solution.

    Examples
    --------
    >>> from sudokulab import parse
    >>> values = "1 3 2 4 4 2 3 1 2 4 1 3 3 1 4 2"
    >>> text = f"s SATISFIABLE\nv <instantiation> <list> x[][] </list>\nv <values> {values} </values> </instantiation>"
    >>> decode_xcsp(parse("1.....3..4......"), text).line
    '1324423124133142'
    """
    puzzle = as_puzzle(puzzle)
    size = puzzle.size
    text = " ".join(" ".join(words[1:] if words[0] == "v" else words) for words in lines_of(answer))
    found = re.search(r"<list>(.*?)</list>\s*<values>(.*?)</values>", text)
    if not found:
        raise SudokulabError("the answer has no <instantiation> with a <list> and <values>")
    values: list[int] = []
    for word in found[2].split():
        repeated = _REPEATED.fullmatch(word)
        values += [int(repeated[1])] * int(repeated[2]) if repeated else integers([word])
    if found[1].split() == ["x[][]"]:
        names = [(row, col) for row in range(size) for col in range(size)]
    else:
        names = [(int(row), int(col)) for row, col in _CELL.findall(found[1])]
    if len(names) != len(values):
        raise SudokulabError(f"the answer has {len(names)} cells and {len(values)} values")
    cells = bytearray(size * size)
    for (row, col), digit in zip(names, values, strict=True):
        if max(row, col) >= size or not 1 <= digit <= size:
            raise SudokulabError(f"x[{row}][{col}] = {digit} in the answer, but the puzzle has size {size}")
        cells[row * size + col] = digit
    return solved(puzzle, cells)

"""Convert puzzles to formulas, graphs, matrices, data and drawings for other programs, and decode their answers.

A writer takes a puzzle and a stream. A decoder takes the puzzle and an answer; it returns the verified solution or
raises an error that says what is wrong with the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TextIO

from sudokulab.convert.cnf import ENCODINGS, Cnf, cnf, decode_cnf, write_cnf
from sudokulab.convert.colouring import colouring, decode_colouring, write_colouring
from sudokulab.convert.exact_cover import decode_exact_cover, exact_cover, write_exact_cover
from sudokulab.convert.linear import decode_lp, write_lp
from sudokulab.convert.minizinc import decode_minizinc, minizinc_model, write_minizinc, write_minizinc_model
from sudokulab.convert.xcsp import decode_xcsp, write_xcsp
from sudokulab.drawing import svg
from sudokulab.formats.coercion import PuzzleLike, as_puzzle
from sudokulab.puzzle import Puzzle

__all__ = [
    "DECODERS",
    "ENCODINGS",
    "TARGETS",
    "Cnf",
    "cnf",
    "colouring",
    "decode_cnf",
    "decode_colouring",
    "decode_exact_cover",
    "decode_lp",
    "decode_minizinc",
    "decode_xcsp",
    "exact_cover",
    "minizinc_model",
    "write_cnf",
    "write_colouring",
    "write_exact_cover",
    "write_lp",
    "write_minizinc",
    "write_minizinc_model",
    "write_svg",
    "write_xcsp",
]


def write_svg(puzzle: PuzzleLike, stream: TextIO) -> None:
    """Draw a puzzle, with its stated solution if it has one."""
    puzzle = as_puzzle(puzzle)
    stream.write(svg(puzzle, puzzle.solution))


TARGETS: dict[str, Callable[[Puzzle, TextIO], None]] = {
    "cnf": write_cnf,
    "col": write_colouring,
    "cover": write_exact_cover,
    "dzn": write_minizinc,
    "lp": write_lp,
    "mzn": write_minizinc_model,
    "svg": write_svg,
    "xcsp": write_xcsp,
}
"""Conversion targets of a single puzzle, by file extension."""

DECODERS: dict[str, Callable[[Puzzle, Any], Puzzle]] = {
    "cnf": decode_cnf,
    "col": decode_colouring,
    "cover": decode_exact_cover,
    "dzn": decode_minizinc,
    "lp": decode_lp,
    "mzn": decode_minizinc,
    "xcsp": decode_xcsp,
}
"""Decoders for answers to these targets."""

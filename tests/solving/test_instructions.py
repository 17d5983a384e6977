"""The environment variable SUDOKULAB_INSTRUCTIONS selects the instruction set of the bulk engine."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from sudokulab.solving.arrays import INSTRUCTIONS
from tests.puzzles import EASY, INKALA

pytestmark = pytest.mark.native


def run(instructions: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "SUDOKULAB_INSTRUCTIONS": instructions}
    return subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", INSTRUCTIONS)
def test_the_variable_selects_the_instruction_set(name: str) -> None:
    assert run(name, "-c", "from sudokulab import _core; print(_core.best_instructions())").stdout.strip() == name


def test_the_widest_set_is_the_default() -> None:
    program = "from sudokulab import _core; print(_core.best_instructions())"
    assert run("", "-c", program).stdout.strip() == INSTRUCTIONS[-1]


def test_an_unknown_instruction_set_is_reported() -> None:
    done = run("sse", "-m", "sudokulab", "solve", EASY.line)
    assert (done.returncode, done.stdout) == (2, "")
    assert "SUDOKULAB_INSTRUCTIONS: sse, expected portable, avx2 or avx512" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "call",
    ["solve(line)", "count(line)", "solve_array([line])", "generate_array(5)", "list(solve_many([line]))"],
)
def test_every_entry_point_respects_the_variable(call: str) -> None:
    done = run("sse", "-c", f"from sudokulab import *; line = {EASY.line!r}; {call}")
    assert "ValueError: SUDOKULAB_INSTRUCTIONS: sse" in done.stderr


def test_every_instruction_set_makes_the_same_steps_alone_and_in_bulk() -> None:
    """Without a given or two, a hard puzzle has many solutions, and cells with two candidates are few or many."""
    program = f"""
import itertools, sudokulab
line = {INKALA.line!r}
givens = [cell for cell, digit in enumerate(line) if digit != "."]
lines = [
    "".join("." if cell in blanks else digit for cell, digit in enumerate(line))
    for blanks in itertools.chain(itertools.combinations(givens, 1), itertools.combinations(givens, 2))
]
bulk = [(result.solution, result.stats) for result in sudokulab.solve_many(lines)]
assert bulk == [(result.solution, result.stats) for result in map(sudokulab.solve, lines)]
print(sum(stats["nodes"] for _, stats in bulk), bulk)
"""
    steps = [run(name, "-c", program).stdout for name in INSTRUCTIONS]
    assert int(steps[0].split()[0]) > 1000
    assert len(set(steps)) == 1

"""The environment variable SUDOKULAB_INSTRUCTIONS selects the instruction set of the bulk engine."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from sudokulab.questions.arrays import INSTRUCTIONS
from tests.cases import for_each
from tests.puzzles import EASY, INKALA

pytestmark = pytest.mark.native


def run(instructions: str | bytes, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "SUDOKULAB_INSTRUCTIONS": os.fsdecode(instructions)}
    return subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, check=False)


@for_each("name", INSTRUCTIONS)
def test_the_variable_selects_the_instruction_set(name: str) -> None:
    assert run(name, "-c", "from sudokulab import _core; print(_core.best_instructions())").stdout.strip() == name


@pytest.mark.parametrize("value", ["", "best"])
def test_the_widest_set_is_the_default(value: str) -> None:
    program = "from sudokulab import _core; print(_core.best_instructions())"
    assert run(value, "-c", program).stdout.strip() == INSTRUCTIONS[-1]


@pytest.mark.heavy
@for_each(("value", "shown"), [("sse", "'sse'"), ("avx2 ", "'avx2 '"), (b"\xff\xfe", r"'\udcff\udcfe'"), ("ü", "'ü'")])
def test_an_unknown_instruction_set_is_reported(value: str | bytes, shown: str) -> None:
    done = run(value, "-m", "sudokulab", "solve", EASY.line)
    assert (done.returncode, done.stdout) == (2, "")
    known = ", ".join(["best", *INSTRUCTIONS])
    assert f"SUDOKULAB_INSTRUCTIONS: {shown}; choose one of {known} on this machine" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_variable_and_the_parameter_have_the_same_message() -> None:
    program = """
from sudokulab import SudokulabError, _core, solve_array
for call in (lambda: solve_array([], instructions="sse"), _core.best_instructions):
    try:
        call()
    except SudokulabError as error:
        print(str(error).partition(":")[2])
"""
    one, other = run("sse", "-c", program).stdout.splitlines()
    assert one == other


@pytest.mark.slow
@for_each(
    "call",
    ["solve(line)", "count(line)", "solve_array([line])", "generate_array(5)", "list(solve_many([line]))"],
)
def test_every_entry_point_respects_the_variable(call: str) -> None:
    done = run("sse", "-c", f"from sudokulab import *; line = {EASY.line!r}; {call}")
    assert "sudokulab.errors.ParameterError: SUDOKULAB_INSTRUCTIONS: 'sse'" in done.stderr


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


def test_every_instruction_set_makes_the_same_steps_on_puzzles_with_several_and_no_solutions() -> None:
    program = """
import random, sudokulab
from sudokulab.instances import random_grids
rng = random.Random(1)
lines = []
for line in sudokulab.as_strings(random_grids(100, seed=1)):
    kept = set(rng.sample(range(81), rng.randint(20, 32)))
    lines.append("".join(digit if cell in kept else "." for cell, digit in enumerate(line)))
    wrong = rng.choice(sorted(kept))  # another digit in its place leaves few puzzles solvable
    lines.append(lines[-1][:wrong] + str(int(line[wrong]) % 9 + 1) + lines[-1][wrong + 1 :])
results = list(sudokulab.solve_many(lines))
counts = sudokulab.count_array(lines, 100).tolist()
print(sum(result.stats["nodes"] for result in results if not result.is_solved), sum(number > 1 for number in counts))
print(counts, [(result.solution, result.stats) for result in results])
"""
    answers = [run(name, "-c", program).stdout for name in INSTRUCTIONS]
    num_nodes_without, num_with_several = map(int, answers[0].partition("\n")[0].split())
    assert num_nodes_without > 100
    assert num_with_several > 50
    assert len(set(answers)) == 1


def test_every_instruction_set_generates_the_same_puzzles() -> None:
    program = """
from sudokulab import as_strings, generate_array
for fields in ({"minimal": True}, {"symmetry": "half-turn"}, {"level": "hard"}):
    for array in generate_array(20, seed=3, **fields):
        print(as_strings(array))
"""
    made = [run(name, "-c", program).stdout for name in INSTRUCTIONS]
    assert made[0].count("\n") == 6
    assert len(set(made)) == 1

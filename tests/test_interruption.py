"""Ctrl-C ends every call and command on many puzzles at once.

    python -m tests.test_interruption [PART OF A NAME] [--number 1000000]

prints the longest of several delays from Ctrl-C to the KeyboardInterrupt or to the end of the command, in CPU time.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.cases import for_each
from tests.puzzles import INKALA, SEVENTEEN
from tests.timing import NUM_CORES, TOLERANCE_SECONDS, command_stopping_seconds

pytestmark = [pytest.mark.timing, pytest.mark.slow]

NUMBER = 100_000
ROOT = Path(__file__).parent.parent

CALLS = {
    "solve_many, 1 thread": "for _ in solve_many(texts, threads=1): pass",
    "solve_many, 2 threads": "for _ in solve_many(texts, threads=2): pass",
    "solve_many, list": "list(solve_many(texts))",
    "solve_many, puzzles": "for _ in solve_many(puzzles, threads=2): pass",
    "solve_array, list": "solve_array(texts)",
    "solve_array, text array": "solve_array(text_array)",
    "solve_array, bytes array": "solve_array(bytes_array)",
    "solve_array, digits": "solve_array(digits)",
    "solve_array, integers": "solve_array(integers)",
    "count_array": "count_array(text_array, 2)",
    "is_unique_array": "is_unique_array(digits)",
    "as_array": "as_array(text_array)",
    "as_strings": "as_strings(digits)",
    "solve_array, 64×64": "solve_array(large)",
    "as_array, 64×64 integers": "as_array(large_integers)",
    "as_array, 64×64 Fortran order": "as_array(large_columns)",
    "as_strings, 64×64": "as_strings(large)",
    "are_solutions": "verify.are_solutions(digits.reshape(-1, 9, 9), digits.reshape(-1, 9, 9), BoxShape(3, 3))",
    "are_solutions, 64×64 integers": "verify.are_solutions(large_integers, large, BoxShape(8, 8))",
    "are_solutions, 64×64 Fortran order": "verify.are_solutions(large_columns, large_columns, BoxShape(8, 8))",
    "generate": "for _ in generate(number, progress=False): pass",
    "generate_array": "generate_array(number, minimal=True)",
    "random_grids": "random_grids(10 * number)",
    "rate_many": "for _ in logic.rate_many(texts): pass",
    "canonical_array": "canonical_array(digits)",
    "canonical_array, through solutions": "canonical_array(digits, through='solution')",
    "class_hash_array": "class_hash_array(digits)",
    "class_hash_array, 16×16": "class_hash_array(np.tile(as_array([root_grid(16)]), (number // 10, 1)))",
}
"""Statements that are executed again and again."""

COMMANDS = {
    "solve, lines": ["solve", "{folder}/puzzles.txt", "-o", "{folder}/out.txt"],
    "solve, csv": ["solve", "{folder}/puzzles.csv", "-o", "{folder}/out.csv"],
    "solve, json": ["solve", "{folder}/puzzles.txt", "-o", "{folder}/out.jsonl"],
    "check": ["check", "{folder}/puzzles.txt"],
    "rate": ["rate", "{folder}/puzzles.txt"],
    "canonical": ["canonical", "{folder}/puzzles.txt"],
    "convert": ["convert", "{folder}/puzzles.txt", "-o", "{folder}/out.csv"],
    "generate": ["generate", "--count", "100000000", "-o", "{folder}/made.txt"],
    "bench": ["bench", "{folder}/few.txt", "--rounds", "1000"],
}

LARGE = """
large = np.tile(as_array([root_grid(64)]), (number // 10, 1))
large_integers = large.astype(np.int64)
large_columns = np.asfortranarray(large)
"""
"""Only for the statements that need them."""

PROGRAM = """
import numpy as np
from sudokulab import *
from sudokulab import logic, verify
from sudokulab.instances import random_grids, root_grid
from tests.timing import stopping_seconds

number = {number}
some = [{seventeen!r}, {inkala!r}]
puzzles = [parse(text) for text in some] * (number // 2)
texts = some * (number // 2)
text_array, bytes_array = np.array(texts, "U81"), np.array(texts, "S81")
digits = as_array(texts)
integers = digits.astype(np.int64)
{large}

def repeat():
    while True:
        {call}

print(stopping_seconds(repeat, {after}))
"""


def delay_of_call(name: str, number: int, after: float) -> float:
    """Return the CPU time from Ctrl-C, pressed after some CPU time, to the KeyboardInterrupt."""
    call = CALLS[name]
    large = LARGE if "large" in call else ""
    program = PROGRAM.format(
        number=number, seventeen=SEVENTEEN.line, inkala=INKALA.line, large=large, call=call, after=after
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return float(done.stdout)


def write_files(folder: Path, number: int) -> None:
    lines = f"{SEVENTEEN.line}\n{INKALA.line}\n"
    (folder / "few.txt").write_text(lines)
    (folder / "puzzles.txt").write_text(lines * (number // 2))
    (folder / "puzzles.csv").write_text(f"puzzle\n{lines * (number // 2)}")


def delay_of_command(name: str, folder: Path, after: float) -> float:
    """Return the CPU time from Ctrl-C, pressed after some CPU time, to the end of the process."""
    arguments = [argument.format(folder=folder) for argument in COMMANDS[name]]
    delay, done = command_stopping_seconds(*arguments, after=after)
    assert done.returncode == 130, (done.returncode, done.stderr)
    assert "Traceback" not in done.stderr
    return delay


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("interrupted")
    write_files(folder, 20 * NUMBER)
    return folder


@pytest.mark.thorough
@for_each("name", CALLS)
def test_ctrl_c_ends_a_call(name: str) -> None:
    for after in (0.3, 0.41, 0.77):
        assert 0 < delay_of_call(name, NUMBER, after) < NUM_CORES * TOLERANCE_SECONDS


@for_each("name", COMMANDS)
def test_ctrl_c_ends_a_command(name: str, folder: Path) -> None:
    assert delay_of_command(name, folder, 0.5) < NUM_CORES * TOLERANCE_SECONDS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="?", default="")
    parser.add_argument("--number", type=int, default=1_000_000)
    args = parser.parse_args()
    moments = [0.1, 0.23, 0.41, 0.77, 1.1]
    for name in CALLS:
        if args.part in name:
            delays = [delay_of_call(name, args.number, after) for after in moments]
            print(f"{name:28} {1000 * max(delays):6.0f} ms")
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder), 5 * args.number)
        for name in COMMANDS:
            if args.part in name:
                delays = [delay_of_command(name, Path(folder), after) for after in moments]
                print(f"sudokulab {name:18} {1000 * max(delays):6.0f} ms")


if __name__ == "__main__":
    main()

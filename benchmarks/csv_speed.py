"""Compare the speed of CSV files with that of lines: ``python benchmarks/csv_speed.py [ROWS] [THREADS]``.

Solves the same puzzles as lines and as rows of puzzle and solution, from file to file, and reads the CSV file in
Python. Prints rows per second and the ratio to lines.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from typer.testing import CliRunner

from sudokulab import read, solve_array
from sudokulab.cli import app
from sudokulab.instances import fixed_fraction

NUM_DIFFERENT = 2000
ROUNDS = 3


def write_inputs(folder: Path, num_rows: int) -> tuple[Path, Path]:
    """Write the same puzzles as lines and as CSV: random relabelings of some thousand puzzles."""
    givens = np.array([list(fixed_fraction(9, fixed=0.4, seed=seed).cells) for seed in range(NUM_DIFFERENT)])
    solutions = solve_array(givens)
    rng = np.random.default_rng(1)
    lines, rows = folder / "puzzles.txt", folder / "puzzles.csv"
    with lines.open("wb") as line_file, rows.open("wb") as row_file:
        row_file.write(b"puzzle,solution\n")
        for start in range(0, num_rows, NUM_DIFFERENT):
            table = np.concatenate([[0], rng.permutation(9) + 1]).astype(np.uint8) + ord("0")
            number = min(NUM_DIFFERENT, num_rows - start)
            end = np.full((number, 1), ord("\n"), np.uint8)
            comma = np.full((number, 1), ord(","), np.uint8)
            puzzles, solved = table[givens[:number]], table[solutions[:number]]
            line_file.write(np.hstack([puzzles, end]).tobytes())
            row_file.write(np.hstack([puzzles, comma, solved, end]).tobytes())
    return lines, rows


def solve(source: Path, target: Path, threads: int) -> None:
    done = CliRunner().invoke(app, ["solve", str(source), "-o", str(target), "--threads", str(threads)])
    assert done.exit_code == 0, done.stderr


def seconds(work: Callable[[], object]) -> float:
    """Return the shortest time of some rounds."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main(num_rows: int = 2_000_000, threads: int = 2) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines, rows = write_inputs(folder, num_rows)
        line_time = seconds(lambda: solve(lines, folder / "out.txt", threads))
        row_time = seconds(lambda: solve(rows, folder / "out.csv", threads))
        start = time.perf_counter()
        num_read = sum(1 for _ in read(rows))
        read_time = time.perf_counter() - start
    assert num_read == num_rows
    print(f"lines: {num_rows / line_time:,.0f} per second ({line_time:.2f} s for {num_rows:,}, {threads} threads)")
    print(f"csv:   {num_rows / row_time:,.0f} per second ({row_time:.2f} s), {row_time / line_time:.2f} × lines")
    print(f"read:  {num_rows / read_time:,.0f} rows per second in Python ({read_time:.1f} s)")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

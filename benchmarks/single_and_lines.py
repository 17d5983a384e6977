"""Overhead over the bulk engine: of a single call, from text to result, and of the program, from file to file.

    python benchmarks/single_and_lines.py FILE [--lines 3000000]

FILE holds 9×9 puzzles, one per line, and is repeated as needed. One thread on one core (``taskset --cpu-list 0``). The
program is timed from outside; its start is measured on a file with one puzzle.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
import timeit
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path

from sudokulab import _core, as_array, count_array, read, solve
from sudokulab._internal.native import native_budget, native_puzzle

ROUNDS = 5


def median_seconds(work: Callable[[], object]) -> float:
    seconds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def run_program(source: Path, target: Path) -> None:
    command = [sys.executable, "-m", "sudokulab", "solve", str(source), "--threads", "1", "-o", str(target)]
    subprocess.run(command, check=True)


def microseconds(work: Callable[[], object]) -> float:
    return 1e6 * min(timeit.repeat(work, number=1000, repeat=ROUNDS)) / 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--lines", type=int, default=3_000_000)
    args = parser.parse_args()
    puzzles = list(read(args.file))
    text = str(puzzles[0])
    problem, budget, native = native_puzzle(puzzles[0]), native_budget(None), _core.Auto()
    single = microseconds(lambda: solve(text))
    engine = microseconds(lambda: native.solve(problem, budget, 0, 0))
    print(f"one puzzle: {single:.1f} µs from text to result, {engine:.1f} µs of that in the engine")

    array = as_array(puzzles)
    engine_rate = len(array) / median_seconds(lambda: count_array(array, 1, threads=1))
    with tempfile.TemporaryDirectory() as folder:
        source, target, one = (Path(folder, name) for name in ("puzzles.txt", "solutions.txt", "one.txt"))
        source.write_text("".join(f"{puzzle.line}\n" for puzzle in islice(cycle(puzzles), args.lines)))
        one.write_text(f"{text}\n")
        start = median_seconds(lambda: run_program(one, target))
        rate = args.lines / (median_seconds(lambda: run_program(source, target)) - start)
    print(f"engine: {engine_rate:,.0f} puzzles per second")
    print(f"program, after a start of {start:.2f} s: {rate:,.0f} lines per second, ratio {rate / engine_rate:.2f}")


if __name__ == "__main__":
    main()

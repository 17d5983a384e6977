"""Overhead of the program, from file to file, over the bulk engine. `benchmarks/calls.py` measures single calls.

    python benchmarks/lines.py FILE [--lines 3000000]

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
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path

from sudokulab import as_array, count_array, read

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--lines", type=int, default=3_000_000)
    args = parser.parse_args()
    puzzles = list(read(args.file))
    array = as_array(puzzles)
    engine_rate = len(array) / median_seconds(lambda: count_array(array, 1, threads=1))
    with tempfile.TemporaryDirectory() as folder:
        source, target, one = (Path(folder, name) for name in ("puzzles.txt", "solutions.txt", "one.txt"))
        source.write_text("".join(f"{puzzle.line}\n" for puzzle in islice(cycle(puzzles), args.lines)))
        one.write_text(f"{puzzles[0].line}\n")
        start = median_seconds(lambda: run_program(one, target))
        rate = args.lines / (median_seconds(lambda: run_program(source, target)) - start)
    print(f"engine: {engine_rate:,.0f} puzzles per second")
    print(f"program, after a start of {start:.2f} s: {rate:,.0f} lines per second, ratio {rate / engine_rate:.2f}")


if __name__ == "__main__":
    main()

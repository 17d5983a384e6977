"""Puzzles per second brought to canonical form, and their full grids, on one thread.

    python benchmarks/canonical.py royle-17-clue.txt

CPU time, the best of several rounds. Pin the process to a core (``taskset --cpu-list 0``).
"""

from __future__ import annotations

import argparse
import time
from itertools import islice

from sudokulab import Puzzle, _core, read, solve_many
from sudokulab._internal.native import native_puzzle

ROUNDS = 5


def rate(puzzles: list[Puzzle]) -> float:
    natives = [native_puzzle(puzzle) for puzzle in puzzles]
    seconds = []
    for _ in range(ROUNDS):
        start = time.process_time()
        _core.canonical_many(natives, 1)
        seconds.append(time.process_time() - start)
    return len(puzzles) / min(seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="9×9 puzzles with unique solutions")
    parser.add_argument("--number", type=int, default=10_000, help="read at most this many puzzles (default: 10,000)")
    args = parser.parse_args()
    with read(args.file) as reader:
        puzzles = list(islice(reader, args.number))
    grids = [result.solution for result in solve_many(puzzles[: args.number // 50]) if result.solution]
    print(f"puzzles:    {rate(puzzles):10,.0f} per second")
    print(f"full grids: {rate(grids):10,.0f} per second")


if __name__ == "__main__":
    main()

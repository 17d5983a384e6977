"""Time of a hint from Python: median and maximum over puzzles of two sizes.

    python benchmarks/hints.py [FILE]

FILE holds 9×9 puzzles with unique solutions; by default, minimal puzzles are generated from a seed. Pin the process to
a core (``taskset --cpu-list 0``).
"""

from __future__ import annotations

import statistics
import sys
import time
from itertools import islice

from sudokulab import Puzzle, generate, logic, read
from sudokulab.instances import fixed_fraction


def seconds_of_hint(puzzle: Puzzle) -> float:
    start = time.perf_counter()
    logic.hint(puzzle)
    return time.perf_counter() - start


def main() -> None:
    if len(sys.argv) > 1:
        small = list(islice(read(sys.argv[1]), 1000))
    else:
        small = list(generate(1000, minimal=True, progress=False))
    large = [fixed_fraction(25, fixed=0.68 - 0.008 * seed, seed=seed) for seed in range(20)]
    for name, puzzles in (("9×9", small), ("25×25", large)):
        times = [1000 * seconds_of_hint(puzzle) for puzzle in puzzles]
        print(f"{name}: {len(times)} puzzles, median {statistics.median(times):.2f} ms, slowest {max(times):.2f} ms")


if __name__ == "__main__":
    main()

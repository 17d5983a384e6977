"""How long a hint takes from Python: the slowest and the median over puzzles of two sizes.

    python benchmarks/hints.py [FILE]

FILE holds 9×9 puzzles with one solution each; without one, minimal puzzles are made from a seed. Pin it to a core
(``taskset --cpu-list 0``).
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from itertools import islice

from sudokulab import AntColony, Puzzle, logic, minimize, read


def seconds_of_hint(puzzle: Puzzle) -> float:
    start = time.perf_counter()
    logic.hint(puzzle)
    return time.perf_counter() - start


def full_grid(size: int, seed: int) -> Puzzle:
    grid = AntColony().solve(Puzzle.empty(size), seed=seed).solution
    assert grid is not None
    return grid.shuffle(seed)


def with_blanks(full: Puzzle, num_blanks: int, seed: int) -> Puzzle:
    cells = bytearray(full.cells)
    for cell in random.Random(seed).sample(range(len(cells)), num_blanks):
        cells[cell] = 0
    return Puzzle(bytes(cells), full.box)


def main() -> None:
    if len(sys.argv) > 1:
        small = list(islice(read(sys.argv[1]), 1000))
    else:
        small = [minimize(full_grid(9, seed), seed=seed) for seed in range(1000)]
    large = [with_blanks(full_grid(25, seed), 200 + 5 * seed, seed) for seed in range(20)]
    for name, puzzles in (("9×9", small), ("25×25", large)):
        times = [1000 * seconds_of_hint(puzzle) for puzzle in puzzles]
        print(f"{name}: {len(times)} puzzles, median {statistics.median(times):.2f} ms, slowest {max(times):.2f} ms")


if __name__ == "__main__":
    main()

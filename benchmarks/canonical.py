"""Canonical forms per second as array calls, on one thread, of puzzles and of their solution grids.

    python benchmarks/canonical.py royle-17-clue.txt controlled-bias-000.txt

CPU time, the best of several rounds. Pin the process to a core (``taskset --cpu-list 0``).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np

from sudokulab import as_array, canonical_array, generate_array, read, solve_array
from sudokulab.equivalence import class_hash_array
from sudokulab.instances import random_grids
from sudokulab.puzzle import Digits

ROUNDS = 5


def rate(puzzles: Digits, work: Callable[[Digits], object]) -> str:
    seconds = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work(puzzles)
        seconds.append(time.process_time() - start)
    return f"{len(puzzles) / min(seconds):10,.0f} per second"


def sets(files: list[str], number: int) -> Iterator[tuple[str, Digits]]:
    """Yield 9×9 puzzles with their names."""
    minimal, _ = generate_array(number, minimal=True)
    yield f"generated, minimal, {(minimal > 0).sum(axis=1).mean():.1f} givens on average", minimal
    for file in files:
        with read(file) as reader:
            yield file, as_array(islice(reader, number))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE", help="9×9 puzzles with unique solutions")
    parser.add_argument("--number", type=int, default=20_000, help="puzzles per set at most (default: 20,000)")
    args = parser.parse_args()
    for name, puzzles in sets(args.files, args.number):
        print(f"{name} ({len(puzzles):,} puzzles)")
        print("  puzzles:                ", rate(puzzles, lambda some: canonical_array(some, threads=1)))
        through = rate(puzzles, lambda some: canonical_array(some, through="solution", threads=1))
        print("  through their solutions:", through)
        print("  solution grids:         ", rate(solve_array(puzzles), lambda some: canonical_array(some, threads=1)))
    large = random_grids(100, 16)
    half = large * (np.random.default_rng(1).random(large.shape) < 0.5)
    print("class hashes of 16×16 grids")
    print("  full:                   ", rate(large, lambda some: class_hash_array(some, threads=1)))
    print("  half:                   ", rate(half, lambda some: class_hash_array(some, threads=1)))


if __name__ == "__main__":
    main()

"""CPU time per puzzle of the trial-and-error depth and the backdoors, and how both are distributed.

    python benchmarks/trial_depth.py royle-17-clue.txt

One thread. Pin the process to a core (``taskset --cpu-list 0``).
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from itertools import islice

from sudokulab import Budget, read
from sudokulab.logic import rate

SECONDS = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="puzzles with unique solutions")
    parser.add_argument("--number", type=int, default=1000, help="read at most this many puzzles (default: 1,000)")
    args = parser.parse_args()
    with read(args.file) as reader:
        puzzles = list(islice(reader, args.number))
    depths: Counter[int | None] = Counter()
    sizes: Counter[int | None] = Counter()
    seconds = []
    for puzzle in puzzles:
        start = time.process_time()
        rating = rate(puzzle, scale="trial", budget=Budget(seconds=SECONDS))
        seconds.append(time.process_time() - start)
        depths[rating.depth] += 1
        sizes[rating.backdoor_size] += 1
    print(f"{len(puzzles)} puzzles: mean {1000 * sum(seconds) / len(seconds):.2f} ms, max {1000 * max(seconds):.2f} ms")
    print("depth:        ", ", ".join(f"{depth}: {number}" for depth, number in depths.most_common()))
    print("backdoor size:", ", ".join(f"{size}: {number}" for size, number in sizes.most_common()))


if __name__ == "__main__":
    main()

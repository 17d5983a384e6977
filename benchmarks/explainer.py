"""Puzzles per second that are rated as by Sudoku Explainer, and how many ratings are as published.

    python benchmarks/explainer.py controlled-bias-000.txt [-n 500] [--jar SukakuExplainer.jar]
    python benchmarks/explainer.py extreme-5000.txt --first-step

Each line of FILE holds a 9×9 puzzle and its ER, and optionally its EP and ED; other columns are ignored. One thread on
one core. With --jar, Sukaku Explainer, restricted to the techniques of Sudoku Explainer 1.2.1, rates the same puzzles
in turn with Sudokulab, in blocks; its start is not counted. With --first-step, Sudokulab only takes the first step of
every puzzle, as for a hint.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sudokulab import _core, parse
from sudokulab._internal.native import native_budget, native_puzzle
from sudokulab.logic import rate_many

Ratings = tuple[float, ...]  # ER, EP, ED
Rate = Callable[[Sequence[str]], list[Ratings]]

BLOCK = 20
SUKAKU = (
    "--techs=1111000011010111011011011011000010100010111111",
    "--revisedRating=0",
    "--islkSudokuBUG=0",
    "--islkSudokuURUL=0",
    "--threads=1",
)
# Names of techniques in the order of Sudoku Explainer, without direct locked candidates and hidden subsets.
ORDER = [
    "full-house",
    "hidden-single",
    "naked-single",
    "pointing",
    "claiming",
    "naked-pair",
    "x-wing",
    "hidden-pair",
    "naked-triplet",
    "swordfish",
    "hidden-triplet",
    "xy-wing",
    "xyz-wing",
    "unique-rectangle",
    "unique-loop",
    "naked-quad",
    "jellyfish",
    "hidden-quad",
    "bug",
    "aligned-pair-exclusion",
    "x-cycle",
    "y-cycle",
    "forcing-x-chain",
    "forcing-chain",
    "xy-cycle",
    "aligned-triplet-exclusion",
    "nishio",
    "cell-forcing-chains",
    "region-forcing-chains",
    "double-forcing-chains",
    "dynamic-cell-forcing-chains",
    "dynamic-region-forcing-chains",
    "contradiction-forcing-chains",
    "nested-forcing-chains",
]


def read_ratings(path: Path) -> list[tuple[str, Ratings]]:
    """Return the puzzles of a file with their published ratings."""
    lines = [line.split() for line in path.read_text().splitlines() if line and not line.startswith("#")]
    num_ratings = 3 if all("." in field for field in lines[0][1:4]) else 1  # W- and B-ratings are integers
    return [(line[0], tuple(map(float, line[1 : 1 + num_ratings]))) for line in lines]


def rate_here(puzzles: Sequence[str]) -> list[Ratings]:
    ratings = rate_many(puzzles, scale="se", threads=1)
    return [(rating.er or 0.0, rating.ep or 0.0, rating.ed or 0.0) for rating in ratings]


@contextmanager
def sukaku_explainer(jar: Path) -> Iterator[Rate]:
    """Start Sukaku Explainer and return a function that rates puzzles with it."""
    command = ["java", "-cp", str(jar), "diuf.sudoku.test.serate", *SUKAKU, "--format=%r %p %d", "--input=-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as program:
        source, target = program.stdout, program.stdin
        assert source
        assert target

        def rate(puzzles: Sequence[str]) -> list[Ratings]:
            ratings: list[Ratings] = []
            for puzzle in puzzles:
                target.write(puzzle + "\n")
                ratings.append(tuple(map(float, source.readline().split())))
            return ratings

        yield rate
        target.close()


@dataclass
class Contender:
    """A program that rates puzzles, its wall time, and its ratings so far."""

    name: str
    rate: Rate
    seconds: float = 0
    ratings: list[Ratings] = field(default_factory=list)

    def take(self, puzzles: Sequence[str]) -> None:
        start = time.perf_counter()
        self.ratings += self.rate(puzzles)
        self.seconds += time.perf_counter() - start

    @property
    def speed(self) -> float:
        return len(self.ratings) / self.seconds

    def print_report(self, published: Sequence[Ratings]) -> None:
        print(f"{self.name}: {self.speed:,.1f} puzzles per second")
        for k, label in enumerate(("ER", "EP", "ED")[: len(published[0])]):
            pairs = zip(self.ratings, published, strict=True)
            num_equal = sum(own[k : k + 1] == other[k : k + 1] for own, other in pairs)
            print(f"  {label} as published: {num_equal:,} of {len(published):,}")


def print_first_steps(puzzles: Sequence[str]) -> None:
    budget = native_budget(None)
    seconds = []
    for puzzle in puzzles:
        problem = native_puzzle(parse(puzzle))
        start = time.process_time()
        _core.deduce(problem, ORDER, 1, budget)
        seconds.append(time.process_time() - start)
    print(f"first step: median {statistics.median(seconds):.3f} s, slowest {max(seconds):.3f} s of processor time")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="Puzzles with ratings.")
    parser.add_argument("-n", type=int, default=500, help="Size of the random sample (default: 500).")
    parser.add_argument("--seed", type=int, default=0, help="Random seed of the sample.")
    parser.add_argument("--jar", type=Path, help="Sukaku Explainer, as a jar or a folder of classes.")
    parser.add_argument("--first-step", action="store_true", help="Measure the time of the first step only.")
    args = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    lines = read_ratings(args.file)
    sample = random.Random(args.seed).sample(lines, min(args.n, len(lines)))
    puzzles = [puzzle for puzzle, _ in sample]
    published = [ratings for _, ratings in sample]
    if args.first_step:
        print_first_steps(puzzles)
        return
    with ExitStack() as stack:
        contenders = [Contender("Sudokulab", rate_here)]
        if args.jar:
            contenders.append(Contender("Sukaku Explainer", stack.enter_context(sukaku_explainer(args.jar))))
        for contender in contenders:
            contender.rate(puzzles[:1])  # starts the program
        processor_start = time.process_time()
        for first in range(0, len(puzzles), BLOCK):
            for contender in contenders:
                contender.take(puzzles[first : first + BLOCK])
        processor_seconds = time.process_time() - processor_start
    for contender in contenders:
        contender.print_report(published)
    print(f"Sudokulab: {len(puzzles) / processor_seconds:,.1f} puzzles per second of processor time")
    if args.jar:
        print(f"ratio: {contenders[0].speed / contenders[1].speed:,.0f}")


if __name__ == "__main__":
    main()

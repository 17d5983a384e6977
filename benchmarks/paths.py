"""Solution paths per second, with every step recorded, without forcing chains.

    python benchmarks/paths.py royle-17-clue.txt --limit 5000

One thread; the puzzles go through the native core in one call. Times are CPU time of the process, so other processes
disturb them little. With ``--hints`` single steps are timed instead, with forcing chains as the last resort: how long a
user who asks for a hint waits.
"""

from __future__ import annotations

import argparse
import statistics
import time

from sudokulab import _core, read
from sudokulab._internal.native import native_puzzle

ROUNDS = 5
LIMIT = 0.020  # seconds that a hint may take

ORDER = [
    "full-house",
    "hidden-single",
    "naked-single",
    "locked-pair",
    "locked-triplet",
    "pointing",
    "claiming",
    "naked-pair",
    "hidden-pair",
    "naked-triplet",
    "hidden-triplet",
    "naked-quad",
    "hidden-quad",
    "x-wing",
    "swordfish",
    "jellyfish",
    "skyscraper",
    "two-string-kite",
    "turbot-fish",
    "empty-rectangle",
    "remote-pair",
    "xy-wing",
    "w-wing",
    "xyz-wing",
    "simple-colouring",
    "multi-colouring",
    "bug+1",
    "unique-rectangle-1",
    "unique-rectangle-2",
    "unique-rectangle-3",
    "unique-rectangle-4",
    "unique-rectangle-5",
    "unique-rectangle-6",
    "hidden-rectangle",
    "avoidable-rectangle-1",
    "avoidable-rectangle-2",
    "finned-x-wing",
    "sashimi-x-wing",
    "finned-swordfish",
    "sashimi-swordfish",
    "finned-jellyfish",
    "sashimi-jellyfish",
    "wxyz-wing",
    "sue-de-coq",
    "x-chain",
    "xy-chain",
    "continuous-nice-loop",
    "discontinuous-nice-loop",
    "alternating-inference-chain",
    "grouped-continuous-nice-loop",
    "grouped-discontinuous-nice-loop",
    "grouped-alternating-inference-chain",
    "als-xz",
    "als-xy-wing",
    "als-xy-chain",
    "death-blossom",
]

CHAINS = [
    "nishio",
    "cell-forcing-chains",
    "region-forcing-chains",
    "contradiction-forcing-chains",
    "double-forcing-chains",
    "dynamic-cell-forcing-chains",
    "dynamic-region-forcing-chains",
    "nested-forcing-chains",
]


def measure_paths(puzzles: list[_core.Puzzle]) -> None:
    rates = []
    paths: list[_core.Deduced] = []
    for _ in range(ROUNDS):
        paths.clear()
        start = time.process_time()
        paths = _core.deduce_many(puzzles, ORDER, _core.Budget(), 1)
        rates.append(len(puzzles) / (time.process_time() - start))
    num_steps = sum(len(path.steps) for path in paths)
    num_solved = sum(0 not in path.grid for path in paths)
    print(f"{statistics.median(rates):,.0f} paths per second ({min(rates):,.0f} – {max(rates):,.0f})")
    print(f"{num_solved:,} of {len(puzzles):,} solved, {num_steps / len(puzzles):.1f} steps per path")


def measure_hints(puzzles: list[_core.Puzzle]) -> None:
    """Time the steps of each path; only slow paths are timed step by step."""
    order = ORDER + CHAINS
    num_steps = 0
    slow = []
    for puzzle in puzzles:
        start = time.process_time()
        path = _core.deduce(puzzle, order, 1_000_000, _core.Budget())
        num_steps += len(path.steps)
        if time.process_time() - start > LIMIT:
            slow.append(max(seconds_of_step(puzzle, order, k) for k, step in enumerate(path.steps) if is_hard(step)))
    print(f"{num_steps:,} hints for {len(puzzles):,} puzzles")
    print(f"{len(slow)} puzzles have paths over {1000 * LIMIT:.0f} ms; all steps of the others are faster")
    num_late = sum(seconds > LIMIT for seconds in slow)
    print(
        f"{num_late} of them contain a step over {1000 * LIMIT:.0f} ms; slowest: {1000 * max(slow, default=0):.1f} ms"
    )


def is_hard(step: _core.Step) -> bool:
    return "single" not in step.technique and step.technique != "full-house"


def seconds_of_step(puzzle: _core.Puzzle, order: list[str], number: int) -> float:
    """Return the time that a path takes longer with this step than without it."""
    start = time.process_time()
    _core.deduce(puzzle, order, number, _core.Budget())
    middle = time.process_time()
    _core.deduce(puzzle, order, number + 1, _core.Budget())
    return (time.process_time() - middle) - (middle - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="9×9 puzzles with unique solutions")
    parser.add_argument("--limit", type=int, help="use only this many puzzles, evenly spaced")
    parser.add_argument("--hints", action="store_true", help="time single steps")
    args = parser.parse_args()
    puzzles = [native_puzzle(puzzle) for puzzle in read(args.file)]
    if args.limit is not None and args.limit < len(puzzles):
        puzzles = [puzzles[k * len(puzzles) // args.limit] for k in range(args.limit)]
    (measure_hints if args.hints else measure_paths)(puzzles)


if __name__ == "__main__":
    main()

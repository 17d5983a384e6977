"""The engine of 9×9 puzzles against a peer library, in arrays and one puzzle at a time.

    python benchmarks/engine.py FILE... --library tdoku=./libtdoku.so [--count 4000] [--rounds 7]

Two sets of puzzles with several solutions join the files: random grids with 30 to 40 givens left, and minimal puzzles
with one or two givens blanked. Every contender counts the solutions up to two, and all must agree; ``solve`` finds the
first one. ``one`` counts one puzzle per call from Python, while the library loops in native code. One thread, CPU time;
a ratio is the median over the rounds, in which contenders take turns.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable

import numpy as np

from sudokulab import _core, as_array, generate, read, solve_array
from sudokulab._internal.native import native_budget, native_puzzle
from sudokulab.bench.contenders import Engine, Library, Sample
from sudokulab.puzzle import Digits, Puzzle
from sudokulab.solving.arrays import INSTRUCTIONS

Work = Callable[[Sample], object]


def blanked(grids: Digits, least: int, most: int, rng: random.Random) -> Digits:
    """Blank `least` to `most` of the givens of each grid."""
    copy = grids.copy()
    for grid in copy:
        givens = np.flatnonzero(grid).tolist()
        grid[rng.sample(givens, rng.randint(least, most))] = 0
    return copy


def single_calls(sample: Sample) -> Work:
    """Return the work of counting the solutions with one call per puzzle."""
    native, budget = _core.Auto(), native_budget(None)
    problems = [native_puzzle(Puzzle(bytes(row))) for row in sample.array]
    return lambda _: [native.count(problem, 2, budget)[0] for problem in problems]


def rates(ways: dict[str, Work], sample: Sample, rounds: int) -> dict[str, list[float]]:
    """Return the puzzles per second of each way, by round."""
    found: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(rounds):
        names = list(ways)
        for name in names[number % len(names) :] + names[: number % len(names)]:
            start = time.process_time()
            ways[name](sample)
            found[name].append(len(sample) / (time.process_time() - start))
    return found


def report(title: str, array: Digits, library: Library, rounds: int) -> None:
    sample = Sample(array).first(len(array))
    engines = [Engine(name) for name in INSTRUCTIONS]
    count_singly = single_calls(sample)
    expected = np.asarray(library.count(sample))
    for engine in engines:
        assert (engine.count(sample) == expected).all()
    assert count_singly(sample) == expected.tolist()
    ways: dict[str, Work] = {f"{library.name} solve": library.solve, f"{library.name} count": library.count}
    for engine in engines:
        ways |= {f"{engine.name} solve": engine.solve, f"{engine.name} count": engine.count}
    ways["one count"] = count_singly
    found = rates(ways, sample, rounds)
    print(f"{title}: {len(array):,} puzzles, {np.mean(expected > 1):.0%} with several solutions")
    for name, values in found.items():
        peers = found[f"{library.name} {name.split()[-1]}"]
        ratios = [value / peer for value, peer in zip(values, peers, strict=True)]
        print(f"  {name:22} {statistics.median(values):12,.0f} per second, ratio {statistics.median(ratios):5.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="*")
    parser.add_argument("--library", type=Library.parse, required=True)
    parser.add_argument("--count", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()
    rng = random.Random(1)
    for file in args.file:
        puzzles = list(read(file))
        report(file, as_array(rng.sample(puzzles, min(args.count, len(puzzles)))), args.library, args.rounds)
    minimal = as_array(generate(args.count, seed=1, progress=False))
    random_givens = blanked(solve_array(minimal), 41, 51, rng)
    report("30 to 40 random givens", random_givens, args.library, args.rounds)
    report("minimal, one or two blanked", blanked(minimal, 1, 2, rng), args.library, args.rounds)


if __name__ == "__main__":
    main()

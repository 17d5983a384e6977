"""Speed of generation beyond `sudokulab bench --workload generate`, and uniformity of random grids.

    python benchmarks/generation.py [--rival 'qqwing --generate {count} --one-line']

One thread. Our rates are per second of CPU time, those of a rival command per second of wall time. A rival prints
{count} puzzles, one per line. All take turns. Pin the process to a core (``taskset --cpu-list 0``).
"""

from __future__ import annotations

import argparse
import math
import shlex
import statistics
import subprocess
import time
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from sudokulab import Puzzle, _core, generate, generate_array, is_minimal, is_unique
from sudokulab._internal.native import native_puzzle
from sudokulab.instances import random_grid, random_grids

ORDERS: list[tuple[str, int, dict[str, Any]]] = [
    ("9×9 half-turn, minimal", 200, {"symmetry": "half-turn", "minimal": True}),
    ("9×9 beyond", 2000, {"level": "beyond"}),
    ("9×9 20 givens", 20, {"givens": 20}),
    ("16×16", 10, {"box": 16}),
    ("25×25", 1, {"box": 25}),
]
ITERATED = "9×9 minimal, through generate"
ROUNDS = 3


def rate_of_ours(count: int, fields: dict[str, Any], seed: int) -> float:
    start = time.process_time()
    made = generate_array(count, seed=seed, threads=1, **fields)
    seconds = time.process_time() - start
    for row in made.puzzles[:50]:
        puzzle = Puzzle(row.tobytes())
        assert is_unique(puzzle)
        assert not fields.get("minimal") or is_minimal(puzzle)
    return count / seconds


def rate_of_iterator(count: int, fields: dict[str, Any], seed: int) -> float:
    start = time.process_time()
    assert sum(1 for _ in generate(count, seed=seed, threads=1, **fields)) == count
    return count / (time.process_time() - start)


def rate_of_rival(command: str, count: int) -> float:
    start = time.perf_counter()
    done = subprocess.run(shlex.split(command.format(count=count)), capture_output=True, text=True, check=True)
    seconds = time.perf_counter() - start
    assert all(is_unique(line) for line in done.stdout.split())
    return count / seconds


def measure(only: str, rival: str | None) -> dict[str, list[float]]:
    """Return the rates of the rows whose name contains a text, and of the rival."""
    random_grids(1)  # builds the tables
    rates: dict[str, list[float]] = {}
    for seed in range(ROUNDS):
        if only in ITERATED:
            rates.setdefault(ITERATED, []).append(rate_of_iterator(10_000, {"minimal": True}, seed))
        for name, count, fields in ORDERS:
            if only in name:
                rates.setdefault(name, []).append(rate_of_ours(count, fields, seed))
        if rival:
            rates.setdefault(rival, []).append(rate_of_rival(rival, 200))
    return rates


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rival", help="a command that prints {count} puzzles, one per line")
    parser.add_argument("--only", default="", help="measure only the rows whose name contains this text")
    args = parser.parse_args()
    table = Table("puzzles", "per second, median", "min – max", title="unique puzzles, one core")
    for name, found in measure(args.only, args.rival).items():
        table.add_row(name, f"{statistics.median(found):,.1f}", f"{min(found):,.1f} – {max(found):,.1f}")
    console = Console(width=120)
    console.print(table)
    if args.only:
        return

    table = Table("grid", "completed descents", "Knuth's estimate of the number", "effective share", "ms per grid")
    for size, number in ((4, 20_000), (6, 20_000), (9, 20_000), (16, 2_000), (25, 0), (36, 0), (64, 0)):
        table.add_row(f"{size}×{size}", *uniformity(size, number))
    console.print(table)
    console.print(f"9×9 grids to choose from, counted from the tables: {_core.num_grid_classes() * 560 * 6**6:,}")


def uniformity(size: int, num_descents: int) -> tuple[str, str, str, str]:
    start = time.perf_counter()
    for seed in range(10):
        random_grid(size, seed=seed)
    milliseconds = f"{100 * (time.perf_counter() - start):.2f}"
    if not num_descents:
        return "", "", "", milliseconds
    empty = native_puzzle(Puzzle.empty(size))
    logs = [one[1] for seed in range(num_descents) if (one := _core.random_descent(empty, seed)) is not None]
    weights = np.exp(np.array(logs) - max(logs))
    exponent = (max(logs) + math.log(weights.sum() / num_descents)) / math.log(10)
    estimate = f"{10 ** (exponent % 1):.3f}e{int(exponent)}"
    share = weights.sum() ** 2 / (weights**2).sum() / len(weights)
    return f"{len(logs) / num_descents:.1%}", estimate, f"{share:.2f}", milliseconds


if __name__ == "__main__":
    main()

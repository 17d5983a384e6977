"""The bulk engine with each instruction set of this machine: puzzles a second on one thread, first solution or two.

    python benchmarks/bulk.py FILE...

Puzzles are randomly relabeled and permuted first, and every grid is verified. Contenders take turns; the figure is the
median over the rounds. Pin it to a core (``taskset --cpu-list 0``).
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from functools import partial

from rich.console import Console
from rich.table import Table

from sudokulab import count_many, read, solve_array
from sudokulab.bulk import INSTRUCTIONS, as_array

ROUNDS = 5


def rate(work: Callable[[], object], number: int) -> float:
    start = time.perf_counter()
    work()
    return number / (time.perf_counter() - start)


def main() -> None:
    table = Table("file", "instructions", "first solution, a second", "up to two, a second", "least – most of these")
    for file in sys.argv[1:]:
        puzzles = as_array(puzzle.shuffle(number) for number, puzzle in enumerate(read(file)))
        solve_array(puzzles)  # raises if one grid is wrong
        rates: dict[tuple[str, int], list[float]] = {}
        for _ in range(ROUNDS):
            for instructions in INSTRUCTIONS:
                for limit in (1, 2):
                    work = partial(count_many, puzzles, limit, threads=1, instructions=instructions)
                    rates.setdefault((instructions, limit), []).append(rate(work, len(puzzles)))
        for instructions in INSTRUCTIONS:
            one, two = rates[instructions, 1], rates[instructions, 2]
            medians = (f"{statistics.median(found):,.0f}" for found in (one, two))
            table.add_row(file, instructions, *medians, f"{min(two):,.0f} – {max(two):,.0f}")
    Console(width=140).print(table)


if __name__ == "__main__":
    main()

"""Swap evaluations per second of simulated annealing at orders 3, 4 and 5.

    python benchmarks/annealing.py

The temperature stays high, so each run uses its whole budget. One thread; pin it to a core (``taskset --cpu-list 0``).
"""

from __future__ import annotations

import statistics
import time

from rich.console import Console
from rich.table import Table

from sudokulab import Annealing, Budget
from sudokulab.instances import shuffled_root

ROUNDS = 9


def main() -> None:
    table = Table("order", "million swap evaluations per second", "minimum – maximum")
    solver = Annealing(cooling=0.9999999)
    for order in (3, 4, 5):
        puzzle = shuffled_root(order**2, fixed=0.4, seed=1)
        rates = []
        for seed in range(ROUNDS):
            start = time.perf_counter()
            result = solver.solve(puzzle, Budget(seconds=0.5), seed=seed)
            rates.append(result.stats["iterations"] / (time.perf_counter() - start) / 1e6)
        table.add_row(str(order), f"{statistics.median(rates):.1f}", f"{min(rates):.1f} – {max(rates):.1f}")
    Console().print(table)


if __name__ == "__main__":
    main()

"""Swap evaluations per second of simulated annealing at orders 3, 4 and 5.

    python benchmarks/annealing.py [--seconds 0.5]

The temperature stays high, so each run uses its whole budget. One thread; pin it to a core (``taskset --cpu-list 0``).
"""

from __future__ import annotations

import argparse
import statistics
import time

from sudokulab import Budget
from sudokulab.cli.tables import print_table
from sudokulab.instances import shuffled_root
from sudokulab.solvers import Annealing

ROUNDS = 9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=0.5, help="time of a run")
    budget = Budget(seconds=parser.parse_args().seconds)
    solver = Annealing(cooling=0.9999999)
    rows = []
    for order in (3, 4, 5):
        puzzle = shuffled_root(order**2, fixed=0.4, seed=1)
        rates = []
        for seed in range(ROUNDS):
            start = time.perf_counter()
            result = solver.solve(puzzle, budget, seed=seed)
            rates.append(result.stats["iterations"] / (time.perf_counter() - start) / 1e6)
        rows.append((order, f"{statistics.median(rates):.1f}", f"{min(rates):.1f} – {max(rates):.1f}"))
    print_table(["order", "million swap evaluations per second", "minimum – maximum"], rows)


if __name__ == "__main__":
    main()

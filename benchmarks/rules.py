"""Puzzles per second that the ten rules filter, in standard order.

    python benchmarks/rules.py royle-17-clue.txt

One thread; the puzzles go through the native filter one by one, from Python. Pin the process to a core
(``taskset --cpu-list 0``). For the rules that the puzzles need, see
``sudokulab reproduce san-segundo-2009 table-2``.
"""

from __future__ import annotations

import argparse
import statistics
import time

from sudokulab import _core, read
from sudokulab._internal.native import native_puzzle
from sudokulab.logic.selection import rule_numbers

ROUNDS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="9×9 puzzles with unique solutions")
    args = parser.parse_args()
    problems = [native_puzzle(puzzle) for puzzle in read(args.file)]
    order = rule_numbers(None)
    rates = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for problem in problems:
            _core.is_solved_by_rules(problem, order)
        rates.append(len(problems) / (time.perf_counter() - start))
    print(f"{statistics.median(rates):,.0f} puzzles per second ({min(rates):,.0f} – {max(rates):,.0f})")


if __name__ == "__main__":
    main()

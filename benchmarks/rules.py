"""Table 2 of San Segundo & Jiménez: puzzles by highest rule needed, in five orders of the ten rules, and the speed.

    python benchmarks/rules.py 17-clue.txt

One thread, one puzzle after the other through the native filter, from Python. Shares are of all puzzles in the file;
the paper's set had 48,072. Pin it to a core (``taskset --cpu-list 0``).
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

from rich.console import Console
from rich.table import Table

from sudokulab import _core, read
from sudokulab._internal.native import native_puzzle
from sudokulab.logic.rules import RULES, rule_numbers

PAPER_TOTAL = 48_072
# by highest rule: standard order, then with a pair of rules swapped
PAPER = {
    "HS": (21487, 21487, 21487, 21487, 21487),
    "BRC": (14043, 1706, 14043, 14043, 14043),
    "RCB": (1097, 13434, 1097, 1097, 1097),
    "NP": (2313, 2313, 158, 2313, 2313),
    "HP": (1775, 1775, 3930, 1775, 1775),
    "NT": (36, 36, 36, 7, 36),
    "HT": (17, 17, 17, 46, 17),
    "NQ": (3, 3, 3, 3, 0),
    "HQ": (0, 0, 0, 0, 3),
}
SWAPS = [(), ("BRC", "RCB"), ("NP", "HP"), ("NT", "HT"), ("NQ", "HQ")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="9×9 puzzles with one solution each")
    args = parser.parse_args()
    problems = [native_puzzle(puzzle) for puzzle in read(args.file)]
    shares: list[dict[str, float]] = []
    for swap in SWAPS:
        order = [dict(zip(swap, swap[::-1], strict=True)).get(rule.name, rule.name) for rule in RULES]
        numbers = rule_numbers(order)
        start = time.perf_counter()
        deduced = [_core.deduce(problem, numbers, 0) for problem in problems]
        rate = len(problems) / (time.perf_counter() - start)
        solved = [found for found in deduced if 0 not in found.grid and not found.is_contradiction]
        highest = Counter(order[found.highest] for found in solved)
        highest["HS"] += highest.pop("NS", 0)
        shares.append({name: 100 * highest[name] / len(problems) for name in PAPER})
        swapped = f" with {swap[1]} before {swap[0]}" if swap else ""
        solved_share = 100 * len(solved) / len(problems)
        print(f"standard order{swapped}: {solved_share:.2f} % solved (paper 84.81), {rate:,.0f} puzzles a second")
    table = Table("highest rule, %", "standard (paper)", *(f"{two} before {one}" for one, two in SWAPS[1:]))
    for name, printed in PAPER.items():
        cells = [
            f"{share[name]:.2f} ({100 * number / PAPER_TOTAL:.2f})"
            for share, number in zip(shares, printed, strict=True)
        ]
        table.add_row(name, *cells)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()

"""Speed of this version relative to another one, in turns: every workload of `sudokulab bench`.

    python benchmarks/versions.py OTHER/.venv/bin/python [--rounds 5] [-- ARGUMENTS OF BENCH]

Each round runs `sudokulab bench` once with each version, in alternating order. A row gives the ratio of the rates of
the same contender; over 1, this version is faster. Rivals are the same in both versions and show the noise of the
machine.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from typing import Any

Row = tuple[str, str, str]


def rates(python: str, arguments: list[str]) -> dict[Row, float]:
    """Run all workloads once and return the rate of each contender, by set, workload and name."""
    done = subprocess.run(
        [python, "-m", "sudokulab", "bench", "--json", *arguments], stdout=subprocess.PIPE, text=True, check=True
    )
    found: dict[Row, float] = {}
    for one in json.loads(done.stdout)["sets"]:
        for contender in one["contenders"]:
            row = one["name"], contender.get("workload", "solve"), contender["contender"]
            if rate := rate_of(contender):
                found[row] = rate
    return found


def rate_of(contender: dict[str, Any]) -> float:
    """Return puzzles per second; 0 if a large grid was never solved."""
    if "median" in contender:
        return float(contender["median"])
    seconds = contender["mean_seconds"]
    return 1 / seconds if seconds else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", help="Python interpreter that has the other version installed")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("arguments", nargs="*", metavar="ARGUMENT", help="arguments of `sudokulab bench`")
    args = parser.parse_args()
    ratios: dict[Row, list[float]] = {}
    for number in range(args.rounds):
        pythons = [sys.executable, args.other]
        found = {python: rates(python, args.arguments) for python in (pythons, pythons[::-1])[number % 2]}
        for row, rate in found[sys.executable].items():
            if row in found[args.other]:
                ratios.setdefault(row, []).append(rate / found[args.other][row])
        print(f"round {number + 1} of {args.rounds}", file=sys.stderr)
    print("set\tworkload\tcontender\tratio\tleast\tmost")
    for row, values in ratios.items():
        print(*row, *(f"{value:.2f}" for value in (statistics.median(values), min(values), max(values))), sep="\t")


if __name__ == "__main__":
    main()

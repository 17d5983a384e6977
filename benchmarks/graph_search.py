"""Table 3 of San Segundo & Jiménez: depth and backtracks of decision heuristics on random 16×16 instances.

    python benchmarks/graph_search.py [--instances 500] [--failures 15] [--k 1] [--first 0]

An instance is a random full grid with givens removed in random order. A removal that leaves the grid unsolvable for the
ten rules is taken back, except the last of `--failures` such removals; then k more are removed. The paper does not say
after how many it stops; see docs/graph-search.md.
"""

from __future__ import annotations

import argparse
import statistics
import time

from rich.console import Console
from rich.table import Table

from sudokulab import Budget, GraphSearch
from sudokulab.instances import past_rules

# depth, backtracks of 500 instances
PAPER = {
    "Lv": (8.372, 5834),
    "Dv r1r2(EP)": (6.898, 2000),
    "DvGvmax r1r2(GmaxEP)": (6.120, 542),
    "DvGvmin r1r2(GmaxEP)": (6.934, 1066),
    "D r1r2(GmaxEP)": (2.316, 80),
    "Gmax r1r2(EP)": (2.444, 68),
}
OTHERS = ["DvGvmax r1r2(GminEP)", "DvGvmin r1r2(GminEP)", "D r1r2(GminEP)", "D r1r2(EP)", "r1r2(GminEP)"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instances", type=int, default=500)
    parser.add_argument("--failures", type=int, default=15)
    parser.add_argument("--k", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the first seed: another sample")
    args = parser.parse_args()
    puzzles = [
        past_rules(16, extra=args.k, failures=args.failures, seed=seed)
        for seed in range(args.first, args.first + args.instances)
    ]
    givens = statistics.mean(puzzle.num_givens for puzzle in puzzles)
    table = Table(
        "heuristic", "solved", "depth", "paper", "backtracks", "paper, of 500", "s", title=f"{givens:.1f} givens"
    )
    for heuristic in [*PAPER, *OTHERS]:
        start = time.perf_counter()
        results = [GraphSearch(heuristic=heuristic).solve(puzzle, Budget(seconds=5)) for puzzle in puzzles]
        depth = statistics.mean(result.stats["max_depth"] for result in results)
        backtracks = sum(result.stats["backtracks"] for result in results)
        paper = [str(number) for number in PAPER[heuristic]] if heuristic in PAPER else ["", ""]
        num_solved = f"{sum(result.is_solved for result in results)} of {len(results)}"
        seconds = f"{time.perf_counter() - start:.2f}"
        table.add_row(heuristic, num_solved, f"{depth:.3f}", paper[0], f"{backtracks:,}", paper[1], seconds)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()

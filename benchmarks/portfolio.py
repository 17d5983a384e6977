"""One hard puzzle on several threads: solved instances, wall time and stopping time, with and without shared clauses.

    python benchmarks/portfolio.py [36:0.475 36:0.5 49:0.45] --threads 2,4 --number 20 --seconds 60

Instances are random grids with a fraction of their cells kept (``fixed_fraction``). The settings take turns on each
instance. An unsolved instance counts with its time limit. Leave as many cores free as there are threads.
"""

from __future__ import annotations

import argparse
import os
import time
from dataclasses import dataclass, field

from rich.console import Console
from rich.table import Table

from sudokulab import Puzzle, _core, is_solution
from sudokulab._internal.native import native_puzzle
from sudokulab.instances import fixed_fraction

DEFAULTS = ("36:0.475", "36:0.5", "49:0.45")


@dataclass
class Setting:
    """A portfolio and its outcomes."""

    name: str
    portfolio: _core.Portfolio
    wall_seconds: list[float] = field(default_factory=list)
    cpu_seconds: list[float] = field(default_factory=list)
    stopping_seconds: list[float] = field(default_factory=list)
    num_solved: int = 0

    def run(self, puzzle: Puzzle, seconds: float) -> None:
        wall, cpu = time.perf_counter(), time.process_time()
        found = self.portfolio.solve(native_puzzle(puzzle), _core.Budget(seconds), 0, 0)
        self.wall_seconds.append(time.perf_counter() - wall)
        self.cpu_seconds.append(time.process_time() - cpu)
        if found.status == "unknown":
            return
        assert found.grid is not None, "every instance has a solution"
        assert is_solution(Puzzle(found.grid, puzzle.box), puzzle)
        self.num_solved += 1
        if found.stats["threads"] > 1:
            self.stopping_seconds.append(found.stats["stopping_seconds"])

    def row(self, number: int) -> list[str]:
        wall, cpu = (sum(times) / number for times in (self.wall_seconds, self.cpu_seconds))
        stopping = f"{1000 * max(self.stopping_seconds):.0f} ms" if self.stopping_seconds else "–"
        return [self.name, f"{self.num_solved} of {number}", f"{wall:.2f} s", f"{cpu:.2f} s", stopping]


def settings_for(thread_counts: list[int]) -> list[Setting]:
    settings = [Setting("1 thread", _core.Portfolio(1))]
    for threads in thread_counts:
        settings.append(Setting(f"{threads} threads", _core.Portfolio(threads)))
        settings.append(Setting(f"{threads} threads, nothing shared", _core.Portfolio(threads, max_shared_levels=0)))
    return settings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", default=DEFAULTS, metavar="SIZE:FRACTION", help="kinds of instances")
    parser.add_argument("--threads", default="2", help="numbers of threads, separated by commas (default: 2)")
    parser.add_argument("--number", type=int, default=10, help="instances of each kind (default: 10)")
    parser.add_argument("--seconds", type=float, default=60, help="time limit (default: 60)")
    parser.add_argument("--seed", type=int, default=0, help="random seed of the first instance (default: 0)")
    args = parser.parse_args()
    console = Console()
    thread_counts = [int(number) for number in args.threads.split(",")]
    for kind in args.kinds:
        size, fraction = kind.split(":")
        settings = settings_for(thread_counts)
        for number in range(args.number):
            puzzle = fixed_fraction(int(size), fixed=float(fraction), seed=args.seed + number)
            first = number % len(settings)
            for setting in [*settings[first:], *settings[:first]]:
                setting.run(puzzle, args.seconds)
        table = Table(title=f"{size}×{size} at {fraction}, {args.seconds:g} s, {os.cpu_count()} cores")
        for heading in ("", "solved", "mean time", "mean CPU time", "longest stop"):
            table.add_column(heading)
        for setting in settings:
            table.add_row(*setting.row(args.number))
        console.print(table)


if __name__ == "__main__":
    main()

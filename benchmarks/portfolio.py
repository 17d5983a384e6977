"""One hard puzzle on several threads: solved instances, time and stopping time, with and without shared clauses.

    python benchmarks/portfolio.py [36:0.475 36:0.5 49:0.45] --threads 2,4 --number 20 --seconds 60

Instances are random grids with a fraction of their cells kept (``fixed_fraction``). The settings take turns on each
instance. The limit is CPU time of each thread, and an unsolved instance counts with it. The CPU time per thread is the
wall time on a machine with enough free cores. Conflicts are those of the search that answered. The last column is the
longest time from an answer until all threads had stopped. The last lines are the effect of sharing over all instances:
geometric means of the ratios, with 95 % intervals (Student's t). A pair with a zero has no ratio and is left out.
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import time
from dataclasses import dataclass, field

from rich.console import Console
from rich.table import Table
from scipy.stats import t

from sudokulab import Puzzle, Result, Status, _core, is_solution
from sudokulab.instances import fixed_fraction
from sudokulab.solvers.base import RESULT_CLASSES

DEFAULTS = ("36:0.475", "36:0.5", "49:0.45")


@dataclass
class Setting:
    """A portfolio and its outcomes."""

    name: str
    portfolio: _core.Portfolio
    wall_seconds: list[float] = field(default_factory=list)
    cpu_seconds: list[float] = field(default_factory=list)  # per thread
    stopping_seconds: list[float] = field(default_factory=list)
    conflicts: list[float] = field(default_factory=list)
    num_solved: int = 0

    def run(self, puzzle: Puzzle, seconds: float) -> None:
        wall, cpu = time.perf_counter(), time.process_time()
        limits = _core.Budget(seconds, is_cpu_time=True)
        found: Result = self.portfolio.solve(puzzle, limits, 0, 0, None, 1, "portfolio", RESULT_CLASSES)
        self.wall_seconds.append(time.perf_counter() - wall)
        self.cpu_seconds.append((time.process_time() - cpu) / found.stats["threads"])
        self.conflicts.append(found.stats["conflicts"])
        if found.status is Status.UNKNOWN:
            return
        assert is_solution(found, puzzle), "every instance has a solution"
        self.num_solved += 1
        if found.stats["threads"] > 1:
            self.stopping_seconds.append(found.stats["stopping_seconds"])

    def row(self, number: int) -> list[str]:
        wall, cpu = (sum(times) / number for times in (self.wall_seconds, self.cpu_seconds))
        stopping = f"{1000 * max(self.stopping_seconds):.0f} ms" if self.stopping_seconds else "–"
        conflicts = f"{sum(self.conflicts) / number:,.0f}"
        return [self.name, f"{self.num_solved} of {number}", f"{cpu:.2f} s", f"{wall:.2f} s", conflicts, stopping]


def settings_for(thread_counts: list[int]) -> list[Setting]:
    settings = [Setting("1 thread", _core.Portfolio(1))]
    for threads in thread_counts:
        settings.append(Setting(f"{threads} threads", _core.Portfolio(threads)))
        settings.append(Setting(f"{threads} threads, nothing shared", _core.Portfolio(threads, max_shared_levels=0)))
    return settings


def effect(shared: list[float], alone: list[float]) -> str:
    logs = [math.log(one / other) for one, other in zip(shared, alone, strict=True) if one and other]
    if not logs:
        return "–"
    middle = statistics.mean(logs)
    if len(logs) == 1:
        return f"{math.exp(middle):.2f}"
    reach = t.ppf(0.975, len(logs) - 1) * statistics.stdev(logs) / math.sqrt(len(logs))
    low, high = math.exp(middle - reach), math.exp(middle + reach)
    return f"{math.exp(middle):.2f} ({low:.2f} to {high:.2f})"


def print_effects(measured: list[list[Setting]]) -> None:
    for place in range(1, len(measured[0]), 2):
        shared, alone = ([settings[place + shift] for settings in measured] for shift in (0, 1))
        ratios = {}
        for what in ("cpu_seconds", "wall_seconds", "conflicts"):
            ratios[what] = effect(*([x for one in side for x in getattr(one, what)] for side in (shared, alone)))
        number = sum(len(one.conflicts) for one in shared)
        print(
            f"{shared[0].name}, shared / not, {number} instances: CPU time {ratios['cpu_seconds']}, wall time "
            f"{ratios['wall_seconds']}, conflicts {ratios['conflicts']}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", default=DEFAULTS, metavar="SIZE:FRACTION", help="kinds of instances")
    parser.add_argument("--threads", default="2", help="numbers of threads, separated by commas (default: 2)")
    parser.add_argument("--number", type=int, default=10, help="instances of each kind (default: 10)")
    parser.add_argument("--seconds", type=float, default=60, help="CPU time limit of a thread (default: 60)")
    parser.add_argument("--seed", type=int, default=0, help="random seed of the first instance (default: 0)")
    args = parser.parse_args()
    console = Console()
    thread_counts = [int(number) for number in args.threads.split(",")]
    measured = []
    for kind in args.kinds:
        size, fraction = kind.split(":")
        settings = settings_for(thread_counts)
        for number in range(args.number):
            puzzle = fixed_fraction(int(size), fixed=float(fraction), seed=args.seed + number)
            first = number % len(settings)
            for setting in [*settings[first:], *settings[:first]]:
                setting.run(puzzle, args.seconds)
        table = Table(title=f"{size}×{size} at {fraction}, {args.seconds:g} s, {os.cpu_count()} cores")
        for heading in ("", "solved", "CPU time per thread", "wall time", "conflicts", "longest stop"):
            table.add_column(heading)
        for setting in settings:
            table.add_row(*setting.row(args.number))
        console.print(table)
        measured.append(settings)
    print_effects(measured)


if __name__ == "__main__":
    main()

"""Success rates of conflict-driven search at the phase transition, and a plot of it.

    python benchmarks/wall.py --size 36 --fixed 0.475,0.5 --count 20 --seconds 60 --output runs.jsonl
    python benchmarks/wall.py --size 25,36 --fixed 0.45 --count 20 --output runs.jsonl --plot transition.svg

Instances come from `fixed_fraction`, `shuffled_root` or both, with consecutive seeds. Seconds are
CPU time of one thread. Each ``--variant`` sets parameters of the solver (``restart_unit=1024,first_reduction=300``);
the variants take turns on each instance. Every run is appended to the output file, and runs already in the file are not
repeated, so an interrupted job resumes. `Solver.solve` has every solution judged independently of the search.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from itertools import groupby, product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sudokulab import Budget
from sudokulab.cli.tables import print_table
from sudokulab.instances import fixed_fraction, shuffled_root
from sudokulab.lab.plots import plot_phase_transition, save, stacked
from sudokulab.lab.statistics import success_rate
from sudokulab.solvers import make_solver

GENERATORS = {"fixed_fraction": fixed_fraction, "shuffled_root": shuffled_root}
KEY = ("size", "generator", "fixed", "seed", "variant", "budget_seconds")
COLUMNS = [
    "size",
    "generator",
    "given",
    "variant",
    "limit",
    "solved",
    "95 % interval",
    "median s",
    "longest s",
    "conflicts per s",
]

Run = dict[str, Any]


def run(size: int, generator: str, fixed: float, seed: int, variant: str, budget_seconds: float) -> Run:
    puzzle = GENERATORS[generator](size, fixed=fixed, seed=seed)
    parameters = {name: int(value) for name, _, value in (part.partition("=") for part in variant.split(",") if part)}
    solver = make_solver("conflict-driven", **parameters)
    start = time.thread_time()
    result = solver.solve(puzzle, Budget(seconds=budget_seconds, is_cpu_time=True))
    seconds = time.thread_time() - start
    key = dict(zip(KEY, (size, generator, fixed, seed, variant, budget_seconds), strict=True))
    return key | {"is_success": result.is_solved, "seconds": seconds, "conflicts": result.stats["conflicts"]}


def missing_runs(arguments: argparse.Namespace, done: list[Run]) -> Iterator[tuple[Any, ...]]:
    known = {tuple(one[name] for name in KEY) for one in done}
    seeds = range(arguments.seed, arguments.seed + arguments.count)
    generators = list(GENERATORS) if arguments.generator == "both" else [arguments.generator]
    wanted = product(arguments.size, generators, arguments.fixed, seeds, arguments.variant or [""], [arguments.seconds])
    return (key for key in wanted if key not in known)


def rows_of(runs: list[Run]) -> Iterator[tuple[str, ...]]:
    """Yield a row of the table for each group of runs, then one for all."""

    def group_of(one: Run) -> tuple[Any, ...]:
        return tuple(one[name] for name in KEY if name != "seed")

    for (size, generator, fixed, variant, limit), members in groupby(sorted(runs, key=group_of), group_of):
        labels = (f"{size}×{size}", generator, f"{100 * fixed:g} %", variant or "default", f"{limit:g} s")
        yield *labels, *summary(list(members))
    yield "all", "", "", "", "", *summary(runs)


def summary(runs: list[Run]) -> tuple[str, ...]:
    num_solved = sum(one["is_success"] for one in runs)
    _, (low, high) = success_rate(num_solved, len(runs))
    # an unsolved run counts as longer than any solved one
    median = np.median([one["seconds"] if one["is_success"] else np.inf for one in runs])
    longest = max((one["seconds"] for one in runs if one["is_success"]), default=np.inf)
    num_conflicts = sum(one["conflicts"] for one in runs)
    return (
        f"{num_solved} of {len(runs)}",
        f"{100 * low:.0f} – {100 * high:.0f} %",
        *(f"{seconds:.2g}" if np.isfinite(seconds) else "–" for seconds in (median, longest)),
        f"{num_conflicts / sum(one['seconds'] for one in runs):,.0f}",
    )


def list_of(kind: Callable[[str], Any]) -> Callable[[str], list[Any]]:
    return lambda text: [kind(entry) for entry in text.split(",")]


def plot(runs: list[Run], path: str) -> None:
    """Draw success rate and median time by fraction, one curve per size."""
    data = pl.DataFrame(runs).select(
        (pl.format("{}×{}", "size", "size")).alias("solver"),
        pl.format("{}-{}-{}", "generator", "fixed", "seed").alias("instance"),
        pl.lit(0).alias("run"),
        pl.col("fixed").alias("fraction_given"),
        "is_success",
        "seconds",
        "budget_seconds",
    )
    figure, axes = stacked(2)
    plot_phase_transition(axes[0], data, "fraction_given", "success")
    plot_phase_transition(axes[1], data, "fraction_given", "seconds")
    save(figure, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=list_of(int), action="extend", required=True)
    parser.add_argument("--fixed", type=list_of(float), action="extend", required=True, help="fractions of given cells")
    parser.add_argument("--generator", choices=[*GENERATORS, "both"], default="fixed_fraction")
    parser.add_argument("--count", type=int, default=20, help="instances per size, fraction and generator")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first instance")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--variant", action="append", help="parameters of the solver, e.g. restart_unit=1024")
    parser.add_argument("--output", type=Path, help="JSON lines, one per run; an interrupted job resumes")
    parser.add_argument("--plot", help="SVG, PNG or PDF file for the phase transition, from all runs of the output")
    arguments = parser.parse_args()
    runs: list[Run] = []
    if arguments.output is not None and arguments.output.exists():
        runs = [json.loads(line) for line in arguments.output.read_text(encoding="utf-8").splitlines()]
    for key in missing_runs(arguments, runs):
        runs.append(run(*key))
        if arguments.output is not None:
            with arguments.output.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(runs[-1]) + "\n")
    print_table(COLUMNS, rows_of(runs))
    if arguments.plot:
        plot(runs, arguments.plot)


if __name__ == "__main__":
    main()

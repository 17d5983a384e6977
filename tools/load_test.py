"""Run an experiment on an idle machine and again beside busy processes, and compare outcomes and CPU times.

    python -m tools.load_test [--busy 8] [--stores FOLDER]

Exit code 0 if every run has the same outcome both times, and the CPU times agree within 25 %: those of each solver in
total, and those of each run, from a tenth of a second. Runs are limited by their steps, so both times they do the same
work; the CPU budget is more than twice what the slowest one needs. With --stores, an interrupted test resumes.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from sudokulab.lab import BudgetSpec, Experiment, InstanceSet, SolverSpec, Store, run_experiment
from sudokulab.lab.specs import Generation

TOLERANCE = 0.25
_MEASURABLE_SECONDS = 0.1


def experiment(name: str, solvers: Sequence[str], instances: Sequence[InstanceSet]) -> Experiment:
    """Return an experiment whose runs end by their steps."""
    budget = BudgetSpec(cpu_seconds=20, iterations=500_000, nodes=100_000)
    specs = tuple(SolverSpec(name=solver) for solver in solvers)
    return Experiment(name=name, runs=3, seed=1, budget=budget, instances=tuple(instances), solvers=specs)


EXPERIMENTS = (
    experiment(
        "metaheuristics",
        ("annealing", "tabu", "iterated-local-search", "ant-colony"),
        [
            InstanceSet(set="famous", limit=3),
            InstanceSet(label="16x16", generate=Generation(size=16, fixed=0.45, count=2, seed=3)),
        ],
    ),
    experiment(
        "complete solvers",
        ("backtracking", "dlx", "cadical", "cp-sat"),
        [InstanceSet(set="25x25-0.45", limit=3)],
    ),
)


@contextmanager
def busy_processes(number: int) -> Iterator[None]:
    """Keep the cores busy until the end of the block."""
    processes = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(number)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def measure(path: Path) -> pl.DataFrame:
    """Run the experiments with one worker and return their runs."""
    with Store(path) as store:
        for one in EXPERIMENTS:
            run_experiment(one, store, workers=1)
        return store.runs().select("solver", "instance", "run", "outcome", "seconds", "wall_seconds")


def compare(idle: pl.DataFrame, busy: pl.DataFrame) -> bool:
    """Print a table by solver and the runs that differ; return whether all is well."""
    both = idle.join(busy, on=["solver", "instance", "run"], suffix="_busy").with_columns(
        ratio=pl.col("seconds_busy") / pl.col("seconds")
    )
    changed = both.filter(pl.col("outcome") != pl.col("outcome_busy"))
    times = pl.col("seconds", "seconds_busy", "wall_seconds", "wall_seconds_busy").sum()
    totals = both.group_by("solver", maintain_order=True).agg(pl.len().alias("runs"), times)
    totals = totals.with_columns(ratio=pl.col("seconds_busy") / pl.col("seconds"))
    is_apart = (pl.col("seconds") >= _MEASURABLE_SECONDS) & ((pl.col("ratio") - 1).abs() > TOLERANCE)
    apart, solvers_apart = both.filter(is_apart), totals.filter(is_apart)
    with pl.Config(tbl_rows=-1, tbl_cols=-1, tbl_width_chars=160):
        print(totals)
        print(f"{len(changed)} of {len(both)} runs have another outcome beside busy processes")
        num_measurable = len(both.filter(pl.col("seconds") >= _MEASURABLE_SECONDS))
        print(
            f"{len(apart)} of {num_measurable} runs of {_MEASURABLE_SECONDS:g} s or more, and the totals of "
            f"{len(solvers_apart)} solvers, differ by more than {TOLERANCE:.0%} in CPU time"
        )
        for different in (changed, apart):
            if len(different):
                print(different)
    return len(both) == len(idle) == len(busy) and not any(map(len, (changed, apart, solvers_apart)))


def main() -> int:
    """Run the test."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--busy", type=int, default=8, help="number of busy processes (default: 8)")
    parser.add_argument("--stores", type=Path, help="folder for the runs (default: a temporary one)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.stores or Path(temporary)
        folder.mkdir(exist_ok=True)
        idle = measure(folder / "idle.sqlite")
        with busy_processes(options.busy):
            busy = measure(folder / "busy.sqlite")
    return 0 if compare(idle, busy) else 1


if __name__ == "__main__":
    sys.exit(main())

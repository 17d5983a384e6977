"""Stores of runs for the tests: written directly, so that they are the same every time."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from sudokulab.lab.experiment import BudgetSpec, Experiment, InstanceSet, Run, SolverSpec
from sudokulab.lab.records import Outcome, RunRecord
from sudokulab.lab.store import Store

EXPERIMENT = Experiment(
    name="ants",
    title="Ants and annealing",
    runs=4,
    trace=True,
    budget=BudgetSpec(cpu_seconds=2),
    instances=(InstanceSet(set="famous", limit=3),),
    solvers=(SolverSpec(name="ant-colony"), SolverSpec(name="annealing"), SolverSpec(name="backtracking")),
)
PLAN = EXPERIMENT.plan()
NUM_OPEN = 5
"""The number of runs that have not finished."""


def write_store(path: Path) -> Path:
    """Write a store whose experiment has a few runs left."""
    with Store(path) as store:
        store.begin(EXPERIMENT, PLAN)
        store.add(EXPERIMENT.name, [(run, record_of(run)) for run in PLAN[:-NUM_OPEN]])
    return path


def record_of(run: Run) -> RunRecord:
    """Return a plausible record: ants always succeed, and every third run of annealing fails."""
    is_success = run.solver.name != "annealing" or run.number % 3 != 2
    seconds = {"ant-colony": 0.2, "annealing": 0.5, "backtracking": 0.01}[run.solver.title] * (1 + run.number)
    iterations = np.arange(0.0, 3000.0)
    cost = np.maximum(40 * np.exp(-iterations / 500), 0 if is_success else 2).round()
    return RunRecord(
        Outcome.SOLVED if is_success else Outcome.UNSOLVED,
        seconds,
        seconds,
        solution="1" * run.puzzle.size**2 if is_success else None,
        cost=float(cost[-1]),
        stats={"iterations": 3000},
        trace={"iterations": iterations, "cost": cost},
    )

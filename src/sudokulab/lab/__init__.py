"""Experiments: design → runs → store → statistics → plots → report; needs the extra ``lab``."""

from sudokulab.lab.execution import run_experiment
from sudokulab.lab.experiment import (
    BudgetSpec,
    Experiment,
    ExperimentError,
    InstanceSet,
    Run,
    SolverSpec,
    load_experiment,
)
from sudokulab.lab.records import Outcome, RunRecord
from sudokulab.lab.store import Store

__all__ = [
    "BudgetSpec",
    "Experiment",
    "ExperimentError",
    "InstanceSet",
    "Outcome",
    "Run",
    "RunRecord",
    "SolverSpec",
    "Store",
    "load_experiment",
    "run_experiment",
]

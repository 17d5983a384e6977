"""Experiments: design → runs → store → statistics → plots → report. Needs the extra ``lab``."""

from typing import TYPE_CHECKING, Any

from sudokulab._internal.extras import require

require("lab")

from sudokulab.lab.execution import run_experiment  # noqa: E402
from sudokulab.lab.experiment import (  # noqa: E402
    BudgetSpec,
    Experiment,
    ExperimentError,
    InstanceSet,
    Run,
    SolverSpec,
    load_experiment,
)
from sudokulab.lab.records import Outcome, RunRecord  # noqa: E402
from sudokulab.lab.store import Store  # noqa: E402

if TYPE_CHECKING:
    from sudokulab.lab.comparison import Comparison, compare

__all__ = [
    "BudgetSpec",
    "Comparison",
    "Experiment",
    "ExperimentError",
    "InstanceSet",
    "Outcome",
    "Run",
    "RunRecord",
    "SolverSpec",
    "Store",
    "compare",
    "load_experiment",
    "run_experiment",
]


def __getattr__(name: str) -> Any:
    """Import `compare` on first use: it needs polars and scipy, which would slow down the start of each worker."""
    if name not in ("Comparison", "compare"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from sudokulab.lab import comparison

    return getattr(comparison, name)

"""Jones, Roach & Perkins 2007: the printed means of Figure 5 choose between readings of the search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sudokulab.lab import SolverSpec
from sudokulab.papers.numbers import mean, typical_factor
from sudokulab.solvers import HillClimbing

if TYPE_CHECKING:
    import polars as pl

    from sudokulab.papers.reproduction import Findings

__all__ = ["READINGS", "add_readings"]

READINGS = [
    SolverSpec(name="hill-climbing", label=f"{ties}, {successors}", params={"ties": ties, "successors": successors})
    for successors in ("all", "unexplored")
    for ties in ("newest", "oldest", "random")
]
"""Which of several states with the same score is explored first, and which successors count against a plateau."""


def add_readings(findings: Findings, printed: Mapping[str, Sequence[float]], runs: pl.DataFrame) -> None:
    """Add the typical factor between the iterations and restarts of each reading and the printed ones."""
    theirs = [number for row in printed.values() for number in row[1:3]]
    rows: list[tuple[object, ...]] = [("paper", *theirs, None)]
    factors = []
    for spec in READINGS:
        groups = [runs.filter(solver=spec.title, instance_set=level) for level in printed]
        ours = [mean(group[f"stats_{name}"]) for group in groups for name in ("iterations", "restarts")]
        floors = [1 / max(1, len(group)) for group in groups for _ in range(2)]  # one in our sample
        factors.append(typical_factor(ours, theirs, floors))
        rows.append((spec.title, *ours, factors[-1]))
    columns = ["ties, successors", *(f"{one}: {name}" for one in printed for name in ("iterations", "restarts"))]
    findings.add_table(f"{len(runs) // len(READINGS)} runs each", [*columns, "typical factor"], rows)
    best = READINGS[factors.index(min(factors))]
    is_default = HillClimbing(**best.params) == HillClimbing()
    findings.check(f"the closest reading, {best.title}, is the default of `hill-climbing`", is_default)

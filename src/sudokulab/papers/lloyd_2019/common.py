"""Solvers, random instances and run statistics shared by the artefacts."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sudokulab import _core
from sudokulab._internal.native import candidate_array, native_puzzle
from sudokulab.formats import read
from sudokulab.instances import fixed_fraction
from sudokulab.lab import SolverSpec
from sudokulab.lab.power import Rate
from sudokulab.papers.reproduction import Context
from sudokulab.puzzle import Puzzle

__all__ = [
    "ANTS",
    "ANTS_SINGLES",
    "BS_SINGLES",
    "FOUR",
    "MOST_SOLUTIONS",
    "SIZES",
    "STILL_ANTS",
    "STILL_SINGLES",
    "Group",
    "groups",
    "instances_of",
    "is_solved",
    "limit_of",
    "net_times",
    "origin_note",
    "shown",
    "value_sets",
    "with_times",
]

SIZES = (9, 16, 25)
"""The sizes of the paper's random instances."""
MOST_SOLUTIONS = 1000
"""Solutions are counted up to this number."""

_SINGLES = {"propagation": "singles"}

ANTS = SolverSpec(name="ant-colony", label="ACS")
STILL_ANTS = SolverSpec(name="ant-colony", label="ACS, no BVE", params={"evaporation": 0.0})
FOUR = (
    ANTS,
    SolverSpec(name="iterated-local-search", label="ILS"),
    SolverSpec(name="dlx", label="DLX"),
    SolverSpec(name="backtracking", label="BS"),
)
"""The four solvers compared in the paper, under the paper's names; ACS and BS with the paper's propagation."""

ANTS_SINGLES = SolverSpec(name="ant-colony", label="ACS, singles", params=_SINGLES)
BS_SINGLES = SolverSpec(name="backtracking", label="BS, singles", params=_SINGLES)
STILL_SINGLES = SolverSpec(name="ant-colony", label="ACS, no BVE, singles", params={"evaporation": 0.0, **_SINGLES})
"""The same with propagation to the fixed point; shown, but not judged."""


@dataclass(frozen=True)
class Group:
    """Statistics of runs of one solver; times are of successful runs, infinite if every run failed.

    Parameters
    ----------
    number
        Number of runs.
    num_solved
        Number of successful runs.
    mean, median
        Mean and median seconds.
    par2
        Mean seconds of all runs, counting a failure as twice its limit.
    """

    number: int
    num_solved: int
    mean: float
    median: float
    par2: float

    @property
    def success(self) -> float:
        """Percentage of successful runs."""
        return 100 * self.num_solved / self.number

    @property
    def success_and_ms(self) -> tuple[float, float | None]:
        """Percentage of successful runs, and their mean time in milliseconds as shown in tables."""
        return self.success, shown(self.mean, 1000)

    @property
    def rate(self) -> Rate:
        """Successes and runs."""
        return self.num_solved, self.number


def groups(runs: pl.DataFrame, column: str) -> dict[tuple[Any, str], Group]:
    """Group the runs by the value of a column and by solver."""
    seconds = pl.col("seconds").filter("is_success")
    table = runs.group_by(column, "solver", maintain_order=True).agg(
        pl.len().alias("number"),
        pl.col("is_success").sum().alias("num_solved"),
        seconds.mean().fill_null(inf).alias("mean"),
        seconds.median().fill_null(inf).alias("median"),
        pl.when("is_success").then("seconds").otherwise(2 * pl.col("budget_seconds")).mean().alias("par2"),
    )
    return {(value, solver): Group(*numbers) for value, solver, *numbers in table.iter_rows()}


def with_times(runs: pl.DataFrame) -> pl.DataFrame:
    """Add a column ``time`` with the seconds of all runs, counting a failure as its limit."""
    return runs.with_columns(pl.when("is_success").then("seconds").otherwise("budget_seconds").alias("time"))


def net_times(runs: pl.DataFrame) -> pl.DataFrame:
    """Use the time reported by the solver, without Python's call overhead, which exceeds many 9×9 searches."""
    return runs.with_columns(pl.min_horizontal("seconds", "reported_seconds").alias("seconds"))


def limit_of(runs: pl.DataFrame) -> float:
    """Return the time limit of the runs in seconds."""
    return float(runs["budget_seconds"][0])


def shown(seconds: float, unit: float = 1.0) -> float | None:
    """Return a time as shown in tables, scaled by `unit`; None if infinite."""
    return None if seconds == inf else seconds * unit


def value_sets(puzzle: Puzzle) -> NDArray[np.bool_]:
    """Return the value sets after the paper's propagation, indexed by ``[row, col, digit - 1]``."""
    return candidate_array(_core.peer_value_sets(native_puzzle(puzzle)), puzzle.size)


def is_solved(sets: NDArray[np.bool_]) -> bool:
    """Return whether every cell has one value left."""
    return bool((sets.sum(axis=-1) == 1).all())


def instances_of(context: Context, size: int, percent: int, number: int) -> list[Puzzle]:
    """Return up to `number` published instances if the user has added them, otherwise generated ones."""
    if context.has("general"):
        files = {file.stem: file for file in context.files("general")}
        names = [f"inst{size}x{size}_{percent}_{place}" for place in range(number)]
        return [puzzle for name in names if name in files for puzzle in read(files[name])]
    return [fixed_fraction(size, fixed=percent / 100, seed=1000 * percent + place) for place in range(number)]


def origin_note(context: Context) -> str:
    """Return a note on the origin of the random instances."""
    if context.has("general"):
        return "The instances are the published ones, as far as available."
    return (
        "The instances are generated like the paper's (`fixed_fraction`), but from random full grids instead of grids "
        "that ants construct. To use the published instances, run `sudokulab instances add` with the directory that "
        "contains the folder `general` of the authors' repository huwlloyd-mmu/sudoku_acs."
    )

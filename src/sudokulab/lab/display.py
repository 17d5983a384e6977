"""Results as tables of text, for terminals, reports and `str`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import polars as pl

from sudokulab.formats.base import one_line
from sudokulab.lab.faults import errors_by_solver
from sudokulab.lab.measures import basis_of
from sudokulab.lab.significance import PairTests
from sudokulab.lab.statistics import cost_summary, summary

__all__ = ["TextTable", "as_text", "error_table", "pair_table", "summary_table"]


class TextTable(NamedTuple):
    """Column names, and rows of as many cells."""

    columns: list[str]
    rows: list[list[str]]

    def __str__(self) -> str:
        """Align the columns; the first one to the left, the others to the right."""
        lines = [[one_line(cell) for cell in row] for row in [self.columns, *self.rows]]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]).rstrip() for line in lines
        )

    def _repr_html_(self) -> str:
        """Show the table in a notebook."""
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        lines = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in self.rows)
        body = "".join(f"<tr>{line}</tr>" for line in lines)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def summary_table(runs: pl.DataFrame, by: Sequence[str] = ()) -> TextTable:
    """Return success rates and times by solver, best first; costs instead of times if only costs can be compared."""
    groups = [name.replace("_", " ") for name in by]
    if basis_of(runs).measure == "cost":
        columns = ["solver", "solved", "best cost", "median cost", "95 % CI", "median CPU s"]
        frame = cost_summary(runs, by).sort([*by, "median_cost"], nulls_last=True)
        rows = [[*(str(row[name]) for name in by), *_cost_cells(row)] for row in frame.iter_rows(named=True)]
    else:
        columns = ["solver", "solved", "success", "success 95 % CI", "median s", "median 95 % CI", "PAR-2 s"]
        columns += ["expected s"]
        frame = summary(runs, by).sort([*by, "par2"])
        rows = [[*(str(row[name]) for name in by), *_time_cells(row)] for row in frame.iter_rows(named=True)]
    return TextTable([*groups, *columns], rows)


def pair_table(tests: PairTests) -> TextTable:
    """Return the p-values and effect sizes of all pairs of solvers."""
    columns = ["solver A", "solver B", "statistic", "p", "p (Holm)", tests.effect_title, "better"]
    rows = [
        [
            row["solver_a"],
            row["solver_b"],
            as_text(row["statistic"]),
            f"{row['p_value']:.2g}",
            f"{row['p_holm']:.2g}",
            "–" if row["effect_size"] is None else f"{row['effect_size']:.2f}",
            row["better"] if row["is_significant"] else "not significant",
        ]
        for row in tests.table.iter_rows(named=True)
    ]
    return TextTable(columns, rows)


def error_table(runs: pl.DataFrame) -> TextTable:
    """Return the errors by solver: their number and the first message."""
    rows = [
        [row["solver"], row["outcome"], f"{row['num_runs']:,}", row["message"] or ""]
        for row in errors_by_solver(runs).iter_rows(named=True)
    ]
    return TextTable(["solver", "outcome", "runs", "first message"], rows)


def as_text(value: float | None) -> str:
    """Return a number with three significant digits, a dash if it is missing, or ∞."""
    return "–" if value is None or math.isnan(value) else "∞" if math.isinf(value) else f"{value:.3g}"


def _interval(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"{as_text(low)} – {as_text(high)}"


def _time_cells(row: dict[str, float]) -> list[str]:
    return [
        str(row["solver"]),
        f"{row['num_success']:,} of {row['num_runs']:,}",
        f"{row['success_rate']:.1%}",
        f"{row['success_low']:.1%} – {row['success_high']:.1%}",
        as_text(row["median_seconds"]),
        _interval(row["median_low"], row["median_high"]),
        as_text(row["par2"]),
        as_text(row["expected_seconds"]),
    ]


def _cost_cells(row: dict[str, float]) -> list[str]:
    return [
        str(row["solver"]),
        f"{row['num_success']:,} of {row['num_runs']:,}",
        as_text(row["best_cost"]),
        as_text(row["median_cost"]),
        _interval(row["median_cost_low"], row["median_cost_high"]),
        as_text(row["median_seconds"]),
    ]

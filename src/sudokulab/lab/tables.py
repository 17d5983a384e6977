"""The runs of a store as a polars table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sudokulab._internal.documents import parse_json
from sudokulab._internal.machine import Machine
from sudokulab.lab.records import Outcome

if TYPE_CHECKING:
    import polars as pl

__all__ = ["runs_table"]

_OPTIONAL = (
    *("budget_seconds", "budget_iterations", "budget_nodes"),
    *("solution", "cost", "reported_seconds", "error", "trace"),
)
"""The columns that can be null."""


def runs_table(columns: Sequence[str], rows: Sequence[Sequence[object]], solved: Sequence[str]) -> pl.DataFrame:
    """Return rows of the store as a table, with ``seconds``, ``fixed_fraction``, and statistics as ``stats_…``.

    Parameters
    ----------
    columns, rows
        The contents of the store.
    solved
        The solved puzzles, each as its box shape and cells in one string. A run that reports one of them as
        unsatisfiable is ``wrong``.
    """
    import polars as pl

    try:
        table = pl.DataFrame(rows, schema=_schema(columns), orient="row")
    except pl.exceptions.PolarsError as error:
        raise ValueError(str(error)) from None
    _check_complete(table)
    stats = [parse_json(text) for text in table["stats"]]
    names = sorted({name for one in stats for name in one})
    is_refuted = (pl.col("outcome") == Outcome.UNSATISFIABLE) & (pl.col("box") + pl.col("puzzle")).is_in(solved)
    return (
        table.drop("stats")
        .with_columns(
            pl.when(is_refuted).then(pl.lit(Outcome.WRONG)).otherwise(pl.col("outcome")).alias("outcome"),
            pl.when(is_refuted).then(pl.lit("another solver has solved it")).otherwise(pl.col("error")).alias("error"),
            pl.when(is_refuted).then(0).otherwise(pl.col("is_success")).alias("is_success"),
        )
        .with_columns(
            pl.col("is_success").cast(pl.Boolean),
            pl.col("cpu_seconds").alias("seconds"),
            (pl.col("num_givens") / (pl.col("size") * pl.col("size"))).alias("fixed_fraction"),
            *(pl.Series(f"stats_{name}", [one.get(name) for one in stats], dtype=pl.Float64) for name in names),
        )
    )


def _check_complete(table: pl.DataFrame) -> None:
    """Refuse invalid rows, as in a damaged store."""
    for name in table.columns:
        if name not in _OPTIONAL and table[name].null_count():
            raise ValueError(f"a run has no {name}")
    for text in table["machine"].unique():
        Machine(**parse_json(text))
    for name in ("cpu_seconds", "wall_seconds"):
        if not (table[name].is_finite() & (table[name] >= 0)).all():
            raise ValueError(f"a run has an invalid value of {name}")


def _schema(columns: Sequence[str]) -> dict[str, type[pl.DataType]]:
    import polars as pl

    whole = ("size", "num_givens", "run", "budget_iterations", "budget_nodes", "is_success")
    numbers = ("budget_seconds", "cost", "cpu_seconds", "wall_seconds", "reported_seconds")
    return {name: pl.Int64 if name in whole else pl.Float64 if name in numbers else pl.String for name in columns}

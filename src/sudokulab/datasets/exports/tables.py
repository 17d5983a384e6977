"""``csv``, ``kaggle-csv`` and ``sudoku-extreme-csv``: one file of comma-separated values per part.

They have the columns of public data sets, so programs written for those sets can read them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from sudokulab.datasets.columns import SCHEMA
from sudokulab.datasets.exports.source import Source

__all__ = ["write_csv", "write_kaggle_csv", "write_sudoku_extreme_csv"]

_ROWS_ONLY = csv.WriteOptions(include_header=False, quoting_style="none")  # pyarrow puts the header into quotes


def write_csv(source: Source, output: Path) -> None:
    """Write ``puzzle,solution``, with ``.`` for a blank."""
    _write(source, output, lambda table: table.select(["puzzle", "solution"]))


def write_kaggle_csv(source: Source, output: Path) -> None:
    """Write ``quizzes,solutions``, with ``0`` for a blank: the columns of the set of a million puzzles on Kaggle."""
    _write(source, output, _kaggle_columns)


def write_sudoku_extreme_csv(source: Source, output: Path) -> None:
    """Write ``source,question,answer,rating``, with ``.`` for a blank: the columns of Sudoku-Extreme.

    The source is the hash of the recipe. The rating is the number of search nodes, an integer as in the original; it is
    empty if the recipe does not ask for it.
    """
    _write(source, output, _sudoku_extreme_columns)


def _kaggle_columns(table: pa.Table) -> pa.Table:
    quizzes = pc.replace_substring(table["puzzle"], ".", "0")
    return pa.table({"quizzes": quizzes, "solutions": table["solution"]})


def _sudoku_extreme_columns(table: pa.Table) -> pa.Table:
    columns = {"source": "recipe", "question": "puzzle", "answer": "solution", "rating": "search_nodes"}
    return pa.table({name: table[column] for name, column in columns.items()})


def _write(source: Source, output: Path, select: Callable[[pa.Table], pa.Table]) -> None:
    for part in source.parts:
        with (output / f"{part}.csv").open("wb") as stream:
            names = select(SCHEMA.empty_table()).column_names
            stream.write(",".join(names).encode() + b"\n")
            for block in source.blocks(part):
                csv.write_csv(select(block.table), stream, _ROWS_ONLY)

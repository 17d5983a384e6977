"""The columns of a data set."""

from __future__ import annotations

import pyarrow as pa

__all__ = ["SCHEMA"]

SCHEMA = pa.schema(
    [
        pa.field("puzzle", pa.string(), nullable=False),  # one symbol per cell, `.` for a blank
        pa.field("solution", pa.string(), nullable=False),
        pa.field("box", pa.string(), nullable=False),  # rows and columns of a box, such as 3x3
        pa.field("num_givens", pa.int16(), nullable=False),
        pa.field("is_unique", pa.bool_()),  # null for kinds that may have several solutions
        pa.field("is_minimal", pa.bool_()),  # whether every given is necessary
        pa.field("puzzle_class", pa.uint64()),  # a hash that equivalent puzzles share; null above 16×16
        pa.field("solution_class", pa.uint64()),
        pa.field("se", pa.float32()),  # ER of Sudoku Explainer; ratings are null unless the recipe asks for them
        pa.field("hardest_technique", pa.string()),
        pa.field("level", pa.string()),  # by the ten rules
        pa.field("trial_depth", pa.int8()),  # of trial and error
        pa.field("search_nodes", pa.int64()),  # of backtracking
        pa.field("seed", pa.uint64(), nullable=False),
        pa.field("index", pa.uint64(), nullable=False),  # the number of the puzzle for its seed
        pa.field("version", pa.string(), nullable=False),  # of sudokulab
        pa.field("recipe", pa.string(), nullable=False),  # the hash of the recipe
    ]
)
"""The columns of every shard. docs/reference/datasets.md describes them."""

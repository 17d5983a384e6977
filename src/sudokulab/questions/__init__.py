"""Questions about puzzles: solve, count and check them one by one, in bulk, or line by line."""

from sudokulab.questions.arrays import as_array, as_strings, count_array, is_unique_array, solve_array
from sudokulab.questions.puzzles import (
    count,
    is_minimal,
    is_unique,
    minimize,
    redundant_givens,
    solutions,
    solve,
    solve_many,
)

__all__ = [
    "as_array",
    "as_strings",
    "count",
    "count_array",
    "is_minimal",
    "is_unique",
    "is_unique_array",
    "minimize",
    "redundant_givens",
    "solutions",
    "solve",
    "solve_array",
    "solve_many",
]

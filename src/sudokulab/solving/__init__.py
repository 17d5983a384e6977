"""Solve, count and check puzzles: one by one, in bulk, or line by line."""

from sudokulab.solving.arrays import as_array, as_strings, count_array, is_unique_array, solve_array
from sudokulab.solving.questions import count, is_minimal, is_unique, minimize, redundant_givens, solve, solve_many
from sudokulab.solving.questions import enumerate as enumerate
from sudokulab.solving.registry import DEFAULT_SOLVER, SolverLike, all_solvers, make_solver

# `enumerate` is left out, so that a star import does not hide the built-in
__all__ = [
    "DEFAULT_SOLVER",
    "SolverLike",
    "all_solvers",
    "as_array",
    "as_strings",
    "count",
    "count_array",
    "is_minimal",
    "is_unique",
    "is_unique_array",
    "make_solver",
    "minimize",
    "redundant_givens",
    "solve",
    "solve_array",
    "solve_many",
]

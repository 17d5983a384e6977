"""Sudokulab: one laboratory for Sudoku search."""

from sudokulab.budget import Budget
from sudokulab.errors import BudgetError, FormatError, PuzzleError, SudokulabError, WrongAnswerError
from sudokulab.formats import parse, read, write
from sudokulab.puzzle import BoxShape, Puzzle
from sudokulab.result import Result, Status
from sudokulab.solvers import SOLVERS, Backtracking, Dlx, Solver, make_solver
from sudokulab.solving import count, is_minimal, is_unique, minimize, redundant_givens, solve, solve_many
from sudokulab.solving import enumerate as enumerate
from sudokulab.verify import is_solution

__version__ = "0.1.0"

# `enumerate` is left out, so that a star import does not hide the built-in
__all__ = [
    "SOLVERS",
    "Backtracking",
    "BoxShape",
    "Budget",
    "BudgetError",
    "Dlx",
    "FormatError",
    "Puzzle",
    "PuzzleError",
    "Result",
    "Solver",
    "Status",
    "SudokulabError",
    "WrongAnswerError",
    "count",
    "is_minimal",
    "is_solution",
    "is_unique",
    "make_solver",
    "minimize",
    "parse",
    "read",
    "redundant_givens",
    "solve",
    "solve_many",
    "write",
]

"""Sudokulab: one laboratory for Sudoku search."""

from sudokulab.budget import Budget
from sudokulab.errors import BudgetError, FormatError, PuzzleError, SudokulabError, WrongAnswerError
from sudokulab.formats import parse, read, write
from sudokulab.instances import generate, random_grid
from sudokulab.logic.filtering import ConstraintNetwork, ac3, cp, share_fixed
from sudokulab.puzzle import BoxShape, Puzzle
from sudokulab.result import Result, Status
from sudokulab.solvers import (
    SOLVERS,
    Ac3Annealing,
    Ac3AntColony,
    Ac3Genetic,
    Ac3Tabu,
    Annealing,
    AntColony,
    Auto,
    Backtracking,
    ConflictDriven,
    CpAnnealing,
    CpHillClimbing,
    CpTabu,
    Dlx,
    Genetic,
    GraphSearch,
    HillClimbing,
    IteratedLocalSearch,
    Solver,
    Tabu,
)
from sudokulab.solving import (
    all_solvers,
    as_array,
    count,
    count_many,
    is_minimal,
    is_unique,
    is_unique_many,
    make_solver,
    minimize,
    redundant_givens,
    solve,
    solve_many,
)
from sudokulab.solving import enumerate as enumerate
from sudokulab.verify import is_solution

__version__ = "0.1.0"

# `enumerate` is left out, so that a star import does not hide the built-in
__all__ = [
    "SOLVERS",
    "Ac3Annealing",
    "Ac3AntColony",
    "Ac3Genetic",
    "Ac3Tabu",
    "Annealing",
    "AntColony",
    "Auto",
    "Backtracking",
    "BoxShape",
    "Budget",
    "BudgetError",
    "ConflictDriven",
    "ConstraintNetwork",
    "CpAnnealing",
    "CpHillClimbing",
    "CpTabu",
    "Dlx",
    "FormatError",
    "Genetic",
    "GraphSearch",
    "HillClimbing",
    "IteratedLocalSearch",
    "Puzzle",
    "PuzzleError",
    "Result",
    "Solver",
    "Status",
    "SudokulabError",
    "Tabu",
    "WrongAnswerError",
    "ac3",
    "all_solvers",
    "as_array",
    "count",
    "count_many",
    "cp",
    "generate",
    "is_minimal",
    "is_solution",
    "is_unique",
    "is_unique_many",
    "make_solver",
    "minimize",
    "parse",
    "random_grid",
    "read",
    "redundant_givens",
    "share_fixed",
    "solve",
    "solve_many",
    "write",
]

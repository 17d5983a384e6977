"""The border to the native core, seen from Python."""

from __future__ import annotations

from sudokulab import _core
from sudokulab.budget import Budget
from sudokulab.puzzle import Puzzle

__all__ = ["native_budget", "native_problem"]


def native_problem(puzzle: Puzzle) -> _core.Problem:
    """Return the puzzle as the core sees it."""
    return _core.Problem(puzzle.box.rows, puzzle.box.cols, puzzle.cells)


def native_budget(budget: Budget | None) -> _core.Budget:
    """Return the budget as the core sees it."""
    return _core.Budget(budget.seconds, budget.iterations, budget.nodes) if budget else _core.Budget()

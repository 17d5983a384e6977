"""To be filled."""

from sudokulab.papers.reproduction import Paper

__all__ = ["PAPER"]

PAPER = Paper("all-solvers", "all-solvers", ())

"""To be filled."""

from sudokulab.papers.reproduction import Paper

__all__ = ["PAPER"]

PAPER = Paper("jones-2007", "jones-2007", ())

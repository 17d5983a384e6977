"""To be filled."""

from sudokulab.papers.reproduction import Paper

__all__ = ["PAPER"]

PAPER = Paper("lewis-2007", "lewis-2007", ())

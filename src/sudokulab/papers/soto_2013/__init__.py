"""To be filled."""

from sudokulab.papers.reproduction import Paper

__all__ = ["PAPER"]

PAPER = Paper("soto-2013", "soto-2013", ())

"""To be filled."""

from sudokulab.papers.reproduction import Paper

__all__ = ["PAPER"]

PAPER = Paper("lloyd-2019", "lloyd-2019", ())

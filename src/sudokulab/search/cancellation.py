"""Stop searches from another thread."""

from sudokulab._core import Cancellation

__all__ = ["Cancellation"]

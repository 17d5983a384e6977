"""The error of data sets."""

from __future__ import annotations

from sudokulab.errors import SudokulabError

__all__ = ["DatasetError"]


class DatasetError(SudokulabError, ValueError):
    """A recipe, a folder or a file of a data set is invalid; the message names the file and, where known, the row."""

"""The folder of the pages of the papers."""

from __future__ import annotations

from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

__all__ = ["pages_folder"]


def pages_folder() -> Traversable:
    """Return the folder of the pages: the copy in the package, or docs/papers in a checkout."""
    packaged = resources.files("sudokulab") / "docs" / "papers"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "docs" / "papers"

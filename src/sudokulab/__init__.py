"""Sudokulab: solve, rate, generate and compare Sudoku.

The public names are listed in ``__init__.pyi``. Each is imported on first use, so that ``import sudokulab`` is fast.
"""

from __future__ import annotations

import lazy_loader

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
# A star import must not need the extras `data` and `lab`.
__all__ = [name for name in __all__ if name not in ("datasets", "lab")]

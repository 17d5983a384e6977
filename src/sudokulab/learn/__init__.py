"""Score the predictions of models, and train agents; the environment needs the extra ``learn``.

The public names are listed in ``__init__.pyi``. Each is imported on first use. Importing this module registers the
environment ``sudokulab/Sudoku-v0`` if Gymnasium is installed.
"""

from __future__ import annotations

from importlib.util import find_spec

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

if find_spec("gymnasium"):
    import gymnasium

    gymnasium.register("sudokulab/Sudoku-v0", entry_point="sudokulab.learn.environment:SudokuEnv")

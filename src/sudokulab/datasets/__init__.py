"""Data sets: make, split, audit and export. Needs the extra ``data``.

The public names are listed in ``__init__.pyi``. Each is imported on first use.
"""

from __future__ import annotations

import lazy_loader

from sudokulab._internal.extras import require

require("data")

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""Experiments: design → runs → store → statistics → plots → report. Needs the extra ``lab``.

The public names are listed in ``__init__.pyi``. Each is imported on first use, so that workers start quickly.
"""

from __future__ import annotations

import lazy_loader

from sudokulab._internal.extras import require

require("lab")

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""A run of a solver: its budget, clock, trace, frames and result.

The names are listed in ``__init__.pyi``. Each is imported on first use, so that the default solver starts fast.
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

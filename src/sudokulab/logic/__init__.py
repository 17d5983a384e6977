"""Human techniques, and explanations, hints, ratings and trials based on them.

The public names are listed in ``__init__.pyi``. Each is imported on first use.
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

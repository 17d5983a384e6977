"""numpy as ``np``, imported on first use: to solve one puzzle takes less time than to import numpy."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["np"]


class _LazyNumpy(ModuleType):
    def __getattr__(self, name: str) -> Any:
        import numpy

        value = getattr(numpy, name)
        setattr(self, name, value)  # found without this method from now on
        return value


if TYPE_CHECKING:
    import numpy as np
else:
    np = _LazyNumpy("numpy")

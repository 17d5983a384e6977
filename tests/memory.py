"""The memory that a call uses."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable


def most_bytes(call: Callable[[], object]) -> int:
    """Return the most memory that a call used at a time, with its result."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

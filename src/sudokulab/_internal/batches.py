"""Split work into batches: large enough to be efficient, small enough to stream."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

__all__ = ["batches"]

T = TypeVar("T")

_SECONDS = 0.2
_LARGEST = 8192
_LARGEST_SHARE = 2048  # per thread: enough for the bulk engine, and the results stay in the cache


def batches(items: Iterable[T], smallest: int) -> Iterator[list[T]]:
    """Yield items in lists, sized so that reading and processing one takes at most about a fifth of a second.

    The smallest size is the number of threads that process a list. If iteration raises an exception, the items before
    it are yielded first.
    """
    iterator, size, largest = iter(items), smallest, min(_LARGEST, _LARGEST_SHARE * smallest)
    error: Exception | None = None
    while error is None:
        start = time.perf_counter()
        batch, error = _take(iterator, size)
        if batch:
            yield batch
        elif error is None:
            return
        is_quick = time.perf_counter() - start < _SECONDS
        size = min(2 * size, largest) if is_quick else max(size // 2, smallest)
    raise error


def _take(iterator: Iterator[T], number: int) -> tuple[list[T], Exception | None]:
    batch: list[T] = []
    try:
        for item in islice(iterator, number):
            batch.append(item)
    except Exception as error:  # raised again after the items before it have been processed
        return batch, error
    return batch, None

"""NPY files that are written row by row."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.lib import format as npy_format
from numpy.typing import DTypeLike, NDArray

__all__ = ["ArrayFile", "array_file"]


class ArrayFile:
    """An array on disk that grows. Use `array_file`.

    numpy pads the header so that it keeps its length when the number of rows changes; `finish` writes it again.

    Parameters
    ----------
    path
        The file, which is replaced.
    dtype
        The type of the numbers.
    width
        The number of columns; without it, the array has one dimension.
    """

    def __init__(self, path: Path, dtype: DTypeLike, width: int | None) -> None:
        self._stream = path.open("wb")
        self._dtype = np.dtype(dtype)
        self._row_shape = () if width is None else (width,)
        self._num_rows = 0
        self._write_header()

    def append(self, rows: NDArray[np.generic]) -> None:
        """Add rows of the declared type and width."""
        assert rows.shape[1:] == self._row_shape, "rows of another width"
        self._stream.write(np.ascontiguousarray(rows, self._dtype).tobytes())
        self._num_rows += len(rows)

    def finish(self) -> None:
        """Write the number of rows into the header."""
        self._stream.seek(0)
        self._write_header()

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def _write_header(self) -> None:
        header = {
            "descr": npy_format.dtype_to_descr(self._dtype),
            "fortran_order": False,
            "shape": (self._num_rows, *self._row_shape),
        }
        npy_format.write_array_header_1_0(self._stream, header)


@contextmanager
def array_file(path: Path, dtype: DTypeLike, width: int | None = None) -> Iterator[ArrayFile]:
    """Open an array to append rows to; it is readable after the block."""
    file = ArrayFile(path, dtype, width)
    try:
        yield file
        file.finish()
    finally:
        file.close()

"""Stored traces: zip files of ``.npy`` arrays, without pickles."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

__all__ = ["pack_trace", "unpack_trace"]


def pack_trace(trace: Mapping[str, NDArray[np.float64]]) -> bytes | None:
    """Return the columns of a trace as bytes; None if it is empty."""
    if not trace:
        return None
    with io.BytesIO() as buffer:
        # numpy.savez would take a column named "file" for its own parameter
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, column in trace.items():
                with archive.open(f"{name}.npy", "w") as stream:
                    np.lib.format.write_array(stream, np.asarray(column), allow_pickle=False)
        return buffer.getvalue()


def unpack_trace(data: bytes) -> dict[str, NDArray[np.float64]]:
    """Return the columns of a trace. Pickles are never loaded.

    Raises
    ------
    ValueError
        If the data are damaged.
    """
    columns: dict[str, NDArray[np.float64]] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for entry in archive.infolist():
                content = io.BytesIO(archive.read(entry))  # the archive has checksums, so damage is detected here
                column = np.lib.format.read_array(content, allow_pickle=False)
                columns[entry.filename.removesuffix(".npy")] = np.asarray(column, np.float64)
    except Exception as error:  # damaged archives cause many kinds of errors
        raise ValueError(str(error) or type(error).__name__) from None
    return columns

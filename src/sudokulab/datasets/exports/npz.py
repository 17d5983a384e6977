"""``npz``: one compressed archive of numpy arrays per part.

The arrays ``puzzles`` and ``solutions`` have shape (n, cells) and 0 for a blank; ``box`` has the rows and columns of a
box. Columns of numbers keep their names and types. Where a value is missing, floating-point numbers are NaN, signed
integers -1, unsigned ones 0, and truth values false.
"""

from __future__ import annotations

import shutil
import zipfile
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sudokulab.datasets.columns import SCHEMA
from sudokulab.datasets.exports.npy import array_file
from sudokulab.datasets.exports.source import Source

__all__ = ["write_npz"]

_NUMBERS = [field for field in SCHEMA if not pa.types.is_string(field.type)]
_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip file can hold


def write_npz(source: Source, output: Path) -> None:
    """Write the parts of a data set as NPZ files."""
    for part in source.parts:
        arrays = output / f"{part}-arrays"
        arrays.mkdir()
        _write_arrays(source, part, arrays)
        _pack(arrays, output / f"{part}.npz")
        shutil.rmtree(arrays)


def _write_arrays(source: Source, part: str, folder: Path) -> None:
    num_cells = source.box.size**2
    np.save(folder / "box.npy", np.array(source.box, np.uint8))
    with ExitStack() as stack:
        puzzles, solutions = (
            stack.enter_context(array_file(folder / f"{name}.npy", np.uint8, num_cells))
            for name in ("puzzles", "solutions")
        )
        numbers = {
            field.name: stack.enter_context(array_file(folder / f"{field.name}.npy", field.type.to_pandas_dtype()))
            for field in _NUMBERS
        }
        for block in source.blocks(part):
            puzzles.append(block.puzzles)
            solutions.append(block.solutions)
            for name, file in numbers.items():
                file.append(_values(block.table[name]))


def _values(column: pa.ChunkedArray) -> NDArray[np.generic]:
    if column.null_count:
        kind = column.type
        missing = np.nan if pa.types.is_floating(kind) else -1 if pa.types.is_signed_integer(kind) else 0
        missing = False if pa.types.is_boolean(kind) else missing
        column = pc.fill_null(column, pa.scalar(missing, kind))
    values: NDArray[np.generic] = column.to_numpy()
    return values


def _pack(folder: Path, archive: Path) -> None:
    """Pack files into an archive that depends only on their names and contents."""
    with zipfile.ZipFile(archive, "w") as packed:
        for path in sorted(folder.iterdir()):
            entry = zipfile.ZipInfo(path.name, _LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.file_size = path.stat().st_size
            with path.open("rb") as stored, packed.open(entry, "w") as stream:
                shutil.copyfileobj(stored, stream)

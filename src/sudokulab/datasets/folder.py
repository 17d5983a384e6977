"""The folder of a data set: Parquet shards, and a description in ``dataset.json``.

``all`` holds the shards as they were made. After `split`, ``train``, ``validation`` and ``test`` hold the same rows;
``leakage.json`` marks them as complete.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from os import fsencode
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.parquet as pq

from sudokulab._internal.documents import parse_json
from sudokulab.datasets.columns import SCHEMA
from sudokulab.datasets.errors import DatasetError

__all__ = [
    "COMPRESSION",
    "DESCRIPTION",
    "LOCK",
    "RECIPE",
    "REPORT",
    "SPLITS",
    "WHOLE",
    "Dataset",
    "open_dataset",
    "opened",
    "read_shard",
    "shard_name",
]

DESCRIPTION = "dataset.json"
RECIPE = "recipe.json"
REPORT = "leakage.json"
LOCK = ".lock"
COMPRESSION = "zstd"
WHOLE = "all"
SPLITS = ("train", "validation", "test")


@dataclass(frozen=True)
class Dataset:
    """A data set on disk.

    Parameters
    ----------
    folder
        The folder.
    description
        The contents of ``dataset.json``: the recipe, its hash, the version, and the number of rows.
    shards
        The files of each part: ``all``, or the splits.
    num_rows
        The number of rows of each part.
    """

    folder: Path
    description: dict[str, Any]
    shards: dict[str, list[Path]]
    num_rows: dict[str, int]

    def tables(self, part: str) -> Iterator[pa.Table]:
        """Yield the shards of a part, one after the other."""
        return map(read_shard, self.shards[part])


def open_dataset(folder: str | Path, *, whole: bool = False) -> Dataset:
    """Open a data set that `make` has finished.

    Parameters
    ----------
    folder
        The folder.
    whole
        Whether to open the shards as they were made, even if there are splits.

    Raises
    ------
    DatasetError
        If the folder is not a finished data set, or rows are missing.
    """
    folder = Path(folder)
    if not (folder / DESCRIPTION).exists():
        raise DatasetError(f"{folder}: not a finished data set; `sudokulab dataset make` makes one, or completes it")
    description = _read_json(folder / DESCRIPTION, num_rows=int, recipe=dict)
    num_rows = {WHOLE: description["num_rows"]}
    if (folder / REPORT).exists() and not whole:
        num_rows = _read_json(folder / REPORT, num_rows=dict)["num_rows"]
        if not num_rows or not all(part in SPLITS and type(number) is int for part, number in num_rows.items()):
            raise DatasetError(f"{folder / REPORT}: the numbers of rows are damaged: split the data set again")
    shards = {part: sorted((folder / part).glob("part-*.parquet")) for part in num_rows}
    for part, paths in shards.items():
        found = sum(map(_num_rows_of, paths))
        if found != num_rows[part]:
            again = "make the data set again" if part == WHOLE else "split the data set again"
            raise DatasetError(f"{folder / part}: {found:,} of {num_rows[part]:,} rows; {again}")
    return Dataset(folder, description, shards, num_rows)


def _read_json(path: Path, **kinds: type) -> dict[str, Any]:
    """Return an object whose members with these names have these types."""
    try:
        content = parse_json(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise DatasetError(f"{path}: cannot be read: {error}") from None
    for name, kind in kinds.items():
        if not isinstance(content, dict) or type(content.get(name)) is not kind:
            raise DatasetError(f"{path}: no valid {name}; choose a data set of `sudokulab dataset make`")
    return dict(content)


def opened(path: Path, mode: Literal["rb", "wb"] = "rb") -> pa.NativeFile:
    """Open a file for pyarrow, which takes paths as text only if they are UTF-8.

    Python's own files are not safe here: threads of pyarrow may release them while the interpreter shuts down, which
    aborts the process.
    """
    return pa.OSFile(fsencode(path), mode)


def _num_rows_of(path: Path) -> int:
    try:
        with opened(path) as file:
            return int(pq.read_metadata(file).num_rows)
    except (pa.ArrowException, OSError):
        return len(read_shard(path))  # raises an error that names the shard


def read_shard(path: Path) -> pa.Table:
    """Read a shard.

    Raises
    ------
    DatasetError
        If the file is corrupt or has other columns.
    """
    try:
        with opened(path) as file:
            table = pq.read_table(file, partitioning=None)
    except (pa.ArrowException, OSError) as error:
        problem = str(error).splitlines()[0]
        raise DatasetError(f"{path}: corrupt shard ({problem}); delete it and make the data set again") from None
    if not table.schema.equals(SCHEMA):  # metadata do not count
        missing = [name for name in SCHEMA.names if name not in table.schema.names]
        what = f"no column {missing[0]!r}" if missing else "columns of other types"
        raise DatasetError(f"{path}: {what}; delete it and make the data set again")
    return table


def shard_name(number: int) -> str:
    """Return the file name of a shard.

    Examples
    --------
    >>> shard_name(7)
    'part-00007.parquet'
    """
    return f"part-{number:05}.parquet"

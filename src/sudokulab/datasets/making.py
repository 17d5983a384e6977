"""Make a data set, shard by shard.

A shard depends only on the recipe and its number, and appears only once it is complete. So a killed job resumes, and
any number of threads or machines makes the same bytes.
"""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import sudokulab
from sudokulab._internal.cluster import connected, finished
from sudokulab._internal.documents import parse_json
from sudokulab._internal.files import locked, remove_leftovers, whole_bytes, whole_file
from sudokulab._internal.progress import is_terminal, progress_bar, progress_lines, progress_text
from sudokulab.datasets.columns import SCHEMA
from sudokulab.datasets.errors import DatasetError
from sudokulab.datasets.folder import (
    COMPRESSION,
    DESCRIPTION,
    LOCK,
    RECIPE,
    WHOLE,
    Dataset,
    open_dataset,
    opened,
    shard_name,
)
from sudokulab.datasets.recipe import Recipe, load_recipe
from sudokulab.datasets.rows import make_rows

__all__ = ["make"]

_RECIPE_KEY = b"sudokulab.recipe"


def make(
    recipe: Recipe | Mapping[str, object] | str | Path,
    folder: str | Path,
    *,
    threads: int | None = None,
    dask: str | None = None,
    progress: bool = False,
) -> Dataset:
    """Make a data set, or resume making it: existing shards are kept.

    Parameters
    ----------
    recipe
        The recipe, its fields, or a TOML file with them.
    folder
        Where to put it; created if it is missing.
    threads
        Number of threads (default: all cores). It does not change the data.
    dask
        The address of a dask scheduler, to make the shards there instead of on this machine.
    progress
        Whether to report progress on standard error.

    Raises
    ------
    DatasetError
        If the recipe is invalid, the folder has other contents, or a puzzle is not found.
    """
    recipe = recipe if isinstance(recipe, Recipe) else load_recipe(recipe)
    folder = Path(folder)
    _check_folder(folder)
    (folder / WHOLE).mkdir(parents=True, exist_ok=True)
    with locked(folder / LOCK):  # a second process waits, then finds all shards
        remove_leftovers(folder / WHOLE)
        _note_recipe(recipe, folder / RECIPE)
        missing = [number for number in range(recipe.num_shards) if not _is_made(recipe, folder, number)]
        num_made = recipe.num_rows - sum(_num_rows(recipe, number) for number in missing)
        with _progress(num_made, recipe.num_rows, progress) as advance:
            for number, data in _shards(recipe, missing, threads, dask):
                with whole_bytes(folder / WHOLE / shard_name(number)) as stream:
                    stream.write(data)
                advance(_num_rows(recipe, number))
        _describe(recipe, folder)
    return open_dataset(folder, whole=True)


def shard_bytes(recipe: Recipe, threads: int | None, number: int) -> bytes:
    """Return a shard as a Parquet file."""
    buffer = io.BytesIO()
    schema = SCHEMA.with_metadata({_RECIPE_KEY: recipe.hash.encode()})
    with pq.ParquetWriter(buffer, schema, compression=COMPRESSION) as writer:
        writer.write_table(pa.concat_tables(make_rows(recipe, number, threads)).cast(schema))
    return buffer.getvalue()


def _shards(recipe: Recipe, numbers: list[int], threads: int | None, dask: str | None) -> Iterator[tuple[int, bytes]]:
    if dask is None:
        for number in numbers:
            yield number, shard_bytes(recipe, threads, number)
        return
    with connected(dask) as client:
        for done in finished(client, partial(shard_bytes, recipe, threads or 1), iter(numbers)):
            for number, future in done:
                if future.status != "finished":
                    raise DatasetError(f"the cluster failed to make shard {number}: {future.exception()}")
                yield number, future.result()


def _check_folder(folder: Path) -> None:
    """Refuse a folder with contents that no interrupted start leaves."""
    if folder.exists() and not folder.is_dir():
        raise DatasetError(f"{folder}: not a folder")
    if not folder.exists() or (folder / RECIPE).exists():
        return
    others = [path for path in folder.iterdir() if path.name != WHOLE and not path.name.startswith(".")]
    if others or ((folder / WHOLE).is_dir() and any((folder / WHOLE).iterdir())):
        raise DatasetError(f"{folder}: has other contents; choose a new folder")


def _note_recipe(recipe: Recipe, path: Path) -> None:
    """Write the recipe, or compare it with the recipe of an earlier run."""
    note = {"hash": recipe.hash, "version": sudokulab.__version__, "recipe": recipe.plain}
    if not path.exists():
        with whole_file(path) as stream:
            json.dump(note, stream, indent=2)
        return
    try:
        known = parse_json(path.read_text(encoding="utf-8"))
        same = {key: known.get(key) == note[key] for key in ("hash", "version")}
    except (ValueError, AttributeError):
        raise DatasetError(f"{path}: cannot be read; make the data set in a new folder") from None
    if not same["hash"]:
        raise DatasetError(f"{path.parent}: made by another recipe, with hash {known.get('hash')}; use a new folder")
    if not same["version"]:
        words = f"begun by sudokulab {known.get('version')}, whose puzzles may differ"
        raise DatasetError(f"{path.parent}: {words}; finish it with that version, or use a new folder")


def _is_made(recipe: Recipe, folder: Path, number: int) -> bool:
    """Return whether a shard exists and, judging by its metadata, is the right one."""
    path = folder / WHOLE / shard_name(number)
    if not path.exists():
        return False
    try:
        with opened(path) as file:
            metadata = pq.read_metadata(file)
    except (pa.ArrowException, OSError) as error:
        problem = str(error).splitlines()[0]
        raise DatasetError(f"{path}: corrupt shard ({problem}); delete it and run the command again") from None
    is_ours = (metadata.metadata or {}).get(_RECIPE_KEY) == recipe.hash.encode()
    if not is_ours or metadata.num_rows != _num_rows(recipe, number):
        raise DatasetError(f"{path}: not shard {number} of this recipe; delete it and run the command again")
    return True


def _num_rows(recipe: Recipe, number: int) -> int:
    return min(recipe.shard_size, recipe.num_rows - number * recipe.shard_size)


def _describe(recipe: Recipe, folder: Path) -> None:
    """Write the description, which marks the data set as finished."""
    description: dict[str, object] = {
        "name": recipe.name,
        "num_rows": recipe.num_rows,
        "num_shards": recipe.num_shards,
        "version": sudokulab.__version__,
        "recipe_hash": recipe.hash,
        "recipe": recipe.plain,
    }
    with whole_file(folder / DESCRIPTION) as stream:
        json.dump(description, stream, indent=2)


@contextmanager
def _progress(num_made: int, num_rows: int, is_shown: bool) -> Iterator[Callable[[int], None]]:
    """Yield a function that is told the number of rows of each new shard."""
    start, num_new = time.monotonic(), 0

    def describe() -> str:
        return progress_text(num_new, num_rows - num_made, "puzzles", time.monotonic() - start)

    def advance(number: int) -> None:
        nonlocal num_new
        num_new += number
        update(num_made + num_new)

    with progress_bar("making", num_rows, is_shown=is_shown) as update:
        update(num_made)
        if is_shown and not is_terminal():
            with progress_lines(describe):
                yield advance
        else:
            yield advance

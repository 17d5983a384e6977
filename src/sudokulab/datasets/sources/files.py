"""The files of a data set: which there are, to which split each belongs, and their rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from sudokulab.datasets.errors import DatasetError
from sudokulab.datasets.folder import DESCRIPTION, RECIPE, SPLITS, WHOLE, open_dataset
from sudokulab.datasets.sources.blocks import Block, BlockMaker
from sudokulab.datasets.sources.readers import Reader, read_csv, read_npz, read_parquet, read_text
from sudokulab.formats.compression import extension_of
from sudokulab.formats.files import EXTENSIONS
from sudokulab.puzzle import BoxLike, BoxShape

__all__ = ["BLOCK_ROWS", "Source", "SourcesLike", "find_sources", "read_blocks", "split_named", "split_order"]

SourcesLike: TypeAlias = "str | Path | Iterable[str | Path] | Mapping[str, str | Path | Iterable[str | Path]]"
"""A file, a folder, several of them, or a mapping from the names of splits to them."""

BLOCK_ROWS = 1 << 16
"""The number of rows read at a time."""

_READERS: dict[str, Reader] = {
    ".parquet": read_parquet,
    ".csv": read_csv,
    ".tsv": read_csv,
    ".npz": read_npz,
}
_TRAIN, _VALIDATION, _TEST = SPLITS
_SYNONYMS = {"training": _TRAIN, "valid": _VALIDATION, "val": _VALIDATION, "dev": _VALIDATION, "testing": _TEST}
_WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True)
class Source:
    """A file, and the split that it belongs to."""

    path: Path
    split: str


def find_sources(data: SourcesLike) -> list[Source]:
    """Return the files of a data set, in order.

    The folder of a data set made by `sudokulab dataset make` has one split per part; of other folders, all Parquet,
    CSV, TSV and NPZ files and all text files of puzzles are used. The split of a file is the first word in its name
    that is train, validation (valid, val, dev) or test, or else the name of its folder; ``all`` if neither is.

    Raises
    ------
    DatasetError
        If there is no file, a file is missing or given twice, or a folder contains no data set.
    """
    if isinstance(data, Mapping):
        sources = [Source(path, str(split)) for split, paths in data.items() for path in _files(paths)]
    else:
        sources = [Source(path, _split_of(path)) for path in _files(data)]
    if not sources:
        raise DatasetError("no file to read; name files or folders")
    seen: set[Path] = set()
    for source in sources:
        if source.path.resolve() in seen:
            raise DatasetError(f"{source.path}: given twice; every row would be a duplicate")
        seen.add(source.path.resolve())
    return sources


def _files(paths: str | Path | Iterable[str | Path]) -> Iterator[Path]:
    several = [paths] if isinstance(paths, str | Path) else paths
    if not isinstance(several, Iterable) or hasattr(several, "columns"):  # a data frame would yield its columns
        raise DatasetError(f"got {type(paths).__name__}; pass files or folders")
    for path in several:
        if not isinstance(path, str | Path):
            raise DatasetError(f"got {type(path).__name__}; pass the name of a file or folder")
        yield from _files_in(Path(path)) if Path(path).is_dir() else [_existing(Path(path))]


def _existing(path: Path) -> Path:
    if not path.exists():
        raise DatasetError(f"{path}: no such file or folder")
    return path


def _files_in(folder: Path) -> list[Path]:
    if (folder / DESCRIPTION).exists() or (folder / RECIPE).exists():
        return [shard for shards in open_dataset(folder).shards.values() for shard in shards]
    known = (*_READERS, *(extension for extension in EXTENSIONS if extension not in _READERS))
    found = sorted(path for path in folder.rglob("*") if extension_of(path) in known and path.is_file())
    if not found:
        raise DatasetError(f"{folder}: no data set; add files with {', '.join(known)}")
    return found


def _split_of(path: Path) -> str:
    """Return the split that a word in the name of a file, or the name of its folder, shows."""
    for word in (*_WORD.findall(path.name.lower()), path.absolute().parent.name.lower()):
        if (split := split_named(word)) in SPLITS:
            return split
    return WHOLE


def split_named(name: str) -> str:
    """Return the usual name of a split.

    Examples
    --------
    >>> split_named("val"), split_named("extra")
    ('validation', 'extra')
    """
    return _SYNONYMS.get(name.lower(), name)


def split_order(names: Iterable[str]) -> list[str]:
    """Return the names of splits in order: train, validation, test, then the others by name.

    Examples
    --------
    >>> split_order(["test", "extra", "train"])
    ['train', 'test', 'extra']
    """
    return sorted(set(names), key=lambda name: (SPLITS.index(name) if name in SPLITS else len(SPLITS), name))


def read_blocks(path: str | Path, *, box: BoxLike | None = None, num_rows: int = BLOCK_ROWS) -> Iterator[Block]:
    """Read the rows of a file, block by block.

    Parameters
    ----------
    path
        A Parquet, CSV or NPZ file, or puzzles in any text format; text may be compressed.
    box
        The box shape, for sizes with several (default: the most square one).
    num_rows
        The maximum number of rows of a block.

    Raises
    ------
    DatasetError
        If the file is corrupt, has no column of puzzles, contains grids of several shapes, or is empty. Rows that are
        not puzzles raise no error: they are problems of their block.
    """
    maker = BlockMaker(Path(path), None if box is None else BoxShape.of(box))
    yield from _READERS.get(extension_of(path), read_text)(maker, num_rows)
    if not maker.num_rows:
        raise DatasetError(f"{path}: no rows; add at least one puzzle")

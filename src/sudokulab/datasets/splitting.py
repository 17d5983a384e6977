"""Split a data set so that no test puzzle or solution is equivalent to one in training."""

from __future__ import annotations

import hashlib
import json
import math
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from sudokulab import _core
from sudokulab._internal.files import locked, whole_file
from sudokulab._internal.native import checked_seed
from sudokulab._internal.progress import progress_bar
from sudokulab._internal.suggestions import unknown_name
from sudokulab.datasets.checked_rows import CheckedRows, box_of, checked_rows
from sudokulab.datasets.errors import DatasetError
from sudokulab.datasets.folder import (
    COMPRESSION,
    LOCK,
    REPORT,
    SPLITS,
    WHOLE,
    Dataset,
    open_dataset,
    opened,
    shard_name,
)
from sudokulab.datasets.neighbours import Keys, joined, neighbour_keys
from sudokulab.datasets.recipe import load_recipe
from sudokulab.equivalence import class_hash_array
from sudokulab.errors import ParameterError
from sudokulab.formats.base import counted
from sudokulab.puzzle import BoxShape, Digits

__all__ = ["DEFAULT_SHARES", "Leak", "Split", "split"]

DEFAULT_SHARES = {"train": 0.8, "validation": 0.1, "test": 0.1}

Hashes = NDArray[np.uint64]
_NO_KEYS: Keys = (np.zeros(0, np.int64), np.zeros(0, np.uint64))
_DROPPED = -1
_PART = ".split"


@dataclass(frozen=True)
class Leak:
    """What two splits share.

    Parameters
    ----------
    first, second
        The splits.
    num_puzzle_classes, num_solution_classes
        Number of classes that occur in both; None above 16×16, where they are unknown.
    num_neighbour_keys
        Number of classes that puzzles of both have in common, with or without one given; None unless near neighbours
        were joined.
    """

    first: str
    second: str
    num_puzzle_classes: int | None
    num_solution_classes: int | None
    num_neighbour_keys: int | None


@dataclass(frozen=True)
class Split:
    """The result of `split`.

    Parameters
    ----------
    num_rows
        Number of rows of each split.
    num_groups
        Number of groups of rows that had to stay together.
    leaks
        What each pair of splits shares, determined from the written files.
    """

    num_rows: Mapping[str, int]
    num_groups: int
    leaks: tuple[Leak, ...]

    @property
    def is_clean(self) -> bool:
        """Whether no two splits were found to share anything."""
        return not any(
            leak.num_puzzle_classes or leak.num_solution_classes or leak.num_neighbour_keys for leak in self.leaks
        )

    def to_dict(self) -> dict[str, object]:
        """Return the result as JSON-compatible data."""
        return {**asdict(self), "num_rows": dict(self.num_rows), "is_clean": self.is_clean}


def split(
    folder: str | Path,
    *,
    shares: Mapping[str, float] = DEFAULT_SHARES,
    seed: int = 0,
    join_neighbours: bool = False,
    distinct: bool = False,
    force: bool = False,
    threads: int | None = None,
    progress: bool = False,
) -> Split:
    """Split a data set into train, validation and test by class of the solution grid.

    Rows whose solutions or puzzles are equivalent stay together, so no test puzzle or solution is equivalent to one
    in training. The same rows, shares and seed give the same splits. Shares are kept as closely as the groups allow.
    Grids above 16×16 have no class: there, only equal solutions and puzzles stay together.

    Parameters
    ----------
    folder
        A data set that `make` has finished. The splits are written into it, as ``train``, ``validation`` and ``test``;
        ``leakage.json`` says what they share.
    shares
        The share of each split; splits without a share are left out.
    seed
        Decides which groups go where.
    join_neighbours
        Whether near neighbours stay together, too: puzzles that are equivalent once one given is moved, added or
        removed. This hashes every puzzle without each of its givens.
    distinct
        Whether to keep only the first of several equivalent puzzles.
    force
        Whether to replace existing splits.
    threads
        Number of threads (default: all cores).
    progress
        Whether to show a progress bar on standard error, if that is a terminal.

    Raises
    ------
    DatasetError
        If the folder is not a finished data set or is split already, or if there are too few groups.
    """
    dataset = open_dataset(folder, whole=True)
    wanted = _checked(shares)
    with locked(dataset.folder / LOCK), progress_bar("splitting", 3, is_shown=progress) as update:
        if not force and (dataset.folder / REPORT).exists():
            raise DatasetError(f"{dataset.folder}: is split already; --force (force=True) replaces the splits")
        box = box_of(dataset)
        rows = _hashed(dataset.shards[WHOLE], box, join_neighbours, threads)
        groups = joined(rows.groups, (np.arange(len(rows.classes)), rows.classes))
        groups = joined(groups, rows.keys)
        is_kept = ~_repeated(rows.classes) if distinct else np.ones(len(groups), np.bool_)
        parts = np.full(len(groups), _DROPPED, np.int8)
        parts[is_kept] = _assigned(groups[is_kept], wanted, seed)
        update(1, "writing")
        with _replaced(dataset.folder) as target:
            num_rows = _write(dataset, parts, list(wanted), target)
            update(2, "looking for leaks")
            leaks = _leaks(target, list(wanted), box, join_neighbours, threads)
            made = Split(num_rows, len(np.unique(groups[is_kept])), tuple(leaks))
            with whole_file(target / REPORT) as stream:
                json.dump(made.to_dict(), stream, indent=2)
        update(3)
    return made


@dataclass(frozen=True)
class _Rows:
    """The hashes of the rows: of the solution, of the puzzle, and the keys of near neighbours if wanted."""

    groups: Hashes
    classes: Hashes
    keys: Keys


def _hashed(shards: Sequence[Path], box: BoxShape, with_neighbours: bool, threads: int | None) -> _Rows:
    """Hash the puzzles and solutions of shards, whatever their columns say."""
    if box.size > _core.max_equivalence_size and with_neighbours:
        raise DatasetError(f"near neighbours are found up to 16×16, the puzzles have size {box.size}")
    blocks = (block for path in shards for block in checked_rows(path, box))
    return _concatenated([_hashed_block(block, box, with_neighbours, threads) for block in blocks])


def _hashed_block(block: CheckedRows, box: BoxShape, with_neighbours: bool, threads: int | None) -> _Rows:
    if box.size > _core.max_equivalence_size:
        return _Rows(_text_hashes(block.solutions), _text_hashes(block.puzzles), _NO_KEYS)
    groups, classes = (class_hash_array(grids, box=box, threads=threads) for grids in (block.solutions, block.puzzles))
    return _Rows(groups, classes, neighbour_keys(block.puzzles, box, threads) if with_neighbours else _NO_KEYS)


def _concatenated(shards: Sequence[_Rows]) -> _Rows:
    ends = np.cumsum([len(shard.groups) for shard in shards])
    rows = [shard.keys[0] + end - len(shard.groups) for shard, end in zip(shards, ends, strict=True)]
    return _Rows(
        groups=np.concatenate([shard.groups for shard in shards]),
        classes=np.concatenate([shard.classes for shard in shards]),
        keys=(np.concatenate(rows), np.concatenate([shard.keys[1] for shard in shards])),
    )


def _text_hashes(grids: Digits) -> Hashes:
    digests = (hashlib.blake2b(cells.tobytes(), digest_size=8).digest() for cells in grids)
    return np.frombuffer(b"".join(digests), np.uint64)


def _checked(shares: Mapping[str, float]) -> dict[str, float]:
    """Return the positive shares in the order of `SPLITS`, as fractions of their sum."""
    for name, share in shares.items():
        if name not in SPLITS:
            raise ParameterError(unknown_name("split", name, SPLITS))
        if not 0 <= share < math.inf:
            raise ParameterError(f"share of {name}: {share!r}; choose 0 or more")
    total = sum(shares.values())
    if not total:
        raise ParameterError("pass at least one positive share")
    are_parts = all(float(share).is_integer() for share in shares.values())  # such as 8, 1 and 1
    if not are_parts and not math.isclose(total, 1):
        raise ParameterError(f"the shares add up to {total:g}; choose shares that add up to 1")
    return {name: shares[name] / total for name in SPLITS if shares.get(name)}


def _assigned(groups: Hashes, shares: Mapping[str, float], seed: int) -> NDArray[np.int8]:
    """Return the number of the split of each row: the groups in random order, cut where the shares are reached."""
    labels, group_of, counts = np.unique(groups, return_inverse=True, return_counts=True)
    order = _mixed(labels ^ _mixed(np.array([checked_seed(seed)], np.uint64))).argsort(kind="stable")
    ends = counts[order].cumsum()
    cuts = np.cumsum(list(shares.values()))[:-1] * len(groups)
    part_of = np.empty(len(labels), np.int8)
    part_of[order] = np.searchsorted(cuts, ends - counts[order] / 2)
    for number, name in enumerate(shares):
        if number not in part_of:
            found = counted(len(labels), "group")
            raise DatasetError(f"only {found} of rows that must stay together: none is left for {name}")
    return part_of[group_of]


def _mixed(values: Hashes) -> Hashes:
    """Return hashes of numbers, the same everywhere: the finaliser of SplitMix64."""
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def _repeated(classes: Hashes) -> NDArray[np.bool_]:
    """Return which rows have the class of an earlier row."""
    is_repeated = np.ones(len(classes), np.bool_)
    is_repeated[np.unique(classes, return_index=True)[1]] = False
    return is_repeated


@contextmanager
def _replaced(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder, whose contents replace the splits once they are complete."""
    target = folder / _PART
    shutil.rmtree(target, ignore_errors=True)  # of a killed process
    target.mkdir()
    try:
        yield target
        (folder / REPORT).unlink(missing_ok=True)  # from here on, the data set counts as not split
        for name in SPLITS:
            if (folder / name).exists():
                shutil.rmtree(folder / name)
        for path in sorted(target.iterdir(), key=lambda path: path.name == REPORT):
            path.replace(folder / path.name)
    finally:
        shutil.rmtree(target, ignore_errors=True)


def _write(dataset: Dataset, parts: NDArray[np.int8], names: list[str], target: Path) -> dict[str, int]:
    """Write the rows of each split into shards of the same size; return the numbers of rows."""
    first = 0
    size = load_recipe(dataset.description["recipe"]).shard_size
    waiting: dict[str, list[pa.Table]] = {name: [] for name in names}
    num_shards, num_rows = dict.fromkeys(names, 0), dict.fromkeys(names, 0)

    def flush(name: str, count: int) -> None:
        table = pa.concat_tables(waiting[name])
        waiting[name] = [table.slice(count)]
        with opened(target / name / shard_name(num_shards[name]), "wb") as file:
            pq.write_table(table.slice(0, count), file, compression=COMPRESSION)
        num_shards[name] += 1

    for name in names:
        (target / name).mkdir()
    for table in dataset.tables(WHOLE):
        chosen = parts[first : first + len(table)]
        first += len(table)
        for number, name in enumerate(names):
            rows = table.filter(pa.array(chosen == number))
            waiting[name].append(rows)
            num_rows[name] += len(rows)
            while sum(map(len, waiting[name])) >= size:
                flush(name, size)
    for name in names:
        if any(map(len, waiting[name])):
            flush(name, size)
    return num_rows


def _leaks(target: Path, names: list[str], box: BoxShape, with_neighbours: bool, threads: int | None) -> Iterator[Leak]:
    """Yield what each pair of splits shares, from the files as they were written."""
    written = {name: _hashed(sorted((target / name).iterdir()), box, with_neighbours, threads) for name in names}
    has_classes = box.size <= _core.max_equivalence_size
    for first, second in combinations(names, 2):
        one, other = written[first], written[second]
        yield Leak(
            first,
            second,
            num_puzzle_classes=_num_shared(one.classes, other.classes) if has_classes else None,
            num_solution_classes=_num_shared(one.groups, other.groups) if has_classes else None,
            num_neighbour_keys=_num_shared(one.keys[1], other.keys[1]) if with_neighbours else None,
        )


def _num_shared(one: Hashes, other: Hashes) -> int:
    return len(np.intersect1d(one, other))

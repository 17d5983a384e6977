"""What an audit remembers of every row: its split and three hashes, 25 bytes in all."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudokulab.datasets.audits.checks import MAX_EXAMPLES, Place
from sudokulab.datasets.audits.judging import Judged
from sudokulab.datasets.audits.repeats import Flags, Hashes, is_repeated_across, is_repeated_within
from sudokulab.datasets.sources.files import read_blocks
from sudokulab.puzzle import BoxLike, Puzzle

__all__ = ["AuditedRows", "Relation", "Repeats"]

Rows = NDArray[np.intp]


class Repeats(NamedTuple):
    """Rows that repeat others: their number, and the first of them as pairs of the original and its repeat."""

    number: int
    pairs: Sequence[tuple[int, int]]


class Relation(NamedTuple):
    """The rows of a split that repeat others, by how they are related."""

    identical: Repeats
    equivalent: Repeats
    solution: Repeats


class AuditedRows:
    """The rows of all files, numbered from 0 in the order in which they were read."""

    def __init__(self) -> None:
        self._files: list[Path] = []
        self._starts: list[int] = []
        self._codes = _Column()
        self._puzzles, self._classes, self._solutions = _Column(), _Column(), _Column()
        self.number = 0

    def start_file(self, path: Path) -> None:
        """Begin with the rows of the next file."""
        self._files.append(path)
        self._starts.append(self.number)

    def add(self, codes: NDArray[np.uint8], judged: Judged) -> None:
        """Add the rows of a block, with the number of the split of each."""
        none = np.zeros(len(codes), np.uint64)
        self._codes.add(codes)
        self._puzzles.add(judged.puzzle_hashes)
        self._classes.add(none if judged.puzzle_classes is None else judged.puzzle_classes)
        self._solutions.add(none if judged.solution_classes is None else judged.solution_classes)
        self.number += len(codes)

    def within(self, code: int) -> Relation:
        """Return the rows of a split that repeat earlier rows of it."""
        rows = self._rows_of(code)
        return self._relation(rows, rows, lambda hashes, _: is_repeated_within(hashes))

    def across(self, earlier: int, later: int) -> Relation:
        """Return the rows of a split that repeat rows of an earlier one."""
        return self._relation(self._rows_of(earlier), self._rows_of(later), is_repeated_across)

    def _relation(self, earlier: Rows, later: Rows, is_repeated: Callable[[Hashes, Hashes], Flags]) -> Relation:
        def repeats(column: _Column, but: Flags | None = None) -> tuple[Flags, Repeats]:
            hashes = column.array()
            known = hashes[earlier]
            found = is_repeated(known, hashes[later])
            if but is not None:
                found &= ~but
            examples = later[np.flatnonzero(found)[:MAX_EXAMPLES]].tolist()
            pairs = [(int(earlier[np.argmax(known == hashes[row])]), row) for row in examples]
            return found, Repeats(int(found.sum()), pairs)

        is_identical, identical = repeats(self._puzzles)
        _, equivalent = repeats(self._classes, is_identical)
        _, solution = repeats(self._solutions)
        return Relation(identical, equivalent, solution)

    def _rows_of(self, code: int) -> Rows:
        return np.flatnonzero(self._codes.array() == code)

    def place(self, row: int) -> Place:
        """Return where a row is."""
        number = bisect_right(self._starts, row) - 1
        return Place(str(self._files[number]), row - self._starts[number] + 1)

    def read_again(self, rows: Iterable[int], box: BoxLike | None) -> dict[int, Puzzle]:
        """Return some rows with their stated solutions, except unreadable ones."""
        wanted = np.unique(np.fromiter(rows, np.int64))
        found: dict[int, Puzzle] = {}
        ends = [*self._starts[1:], self.number]
        for path, start, end in zip(self._files, self._starts, ends, strict=True):
            here = wanted[(wanted >= start) & (wanted < end)] - start
            found |= {start + row: puzzle for row, puzzle in _read_rows(path, here.tolist(), box)}
        return found


class _Column:
    """An array that grows by blocks, joined when it is first used."""

    def __init__(self) -> None:
        self._blocks: list[NDArray[np.generic]] = []

    def add(self, block: NDArray[np.generic]) -> None:
        self._blocks.append(block)

    def array(self) -> NDArray[Any]:
        self._blocks = [np.concatenate(self._blocks)] if len(self._blocks) > 1 else self._blocks
        return self._blocks[0]


def _read_rows(path: Path, rows: list[int], box: BoxLike | None) -> Iterator[tuple[int, Puzzle]]:
    """Yield some rows of a file, counted from 0."""
    if not rows:
        return
    for block in read_blocks(path, box=box):
        first, last = block.first_row - 1, block.first_row - 1 + len(block)
        for row in rows:
            if first <= row < last and row - first not in block.problems:
                stated = None if block.solutions is None else block.solutions[row - first].tobytes()
                solution = Puzzle(stated, block.box) if stated and any(stated) else None
                yield row, Puzzle(block.puzzles[row - first].tobytes(), block.box, solution=solution)
        if last > rows[-1]:
            return

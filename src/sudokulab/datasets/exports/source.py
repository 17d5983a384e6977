"""A data set to export."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sudokulab.datasets.checked_rows import CheckedRows, checked_rows
from sudokulab.datasets.folder import Dataset
from sudokulab.puzzle import BoxShape

__all__ = ["Source"]


@dataclass(frozen=True)
class Source:
    """A data set to export.

    Parameters
    ----------
    dataset
        The data set.
    box
        The box shape of all its puzzles.
    on_rows
        Called with the number of rows of each block, once it has been exported.
    """

    dataset: Dataset
    box: BoxShape
    on_rows: Callable[[int], None]

    @property
    def parts(self) -> list[str]:
        """The names of the parts: ``all``, or the splits."""
        return list(self.dataset.shards)

    def blocks(self, part: str) -> Iterator[CheckedRows]:
        """Yield the rows of a part in order; see `checked_rows`."""
        for path in self.dataset.shards[part]:
            yield from self.blocks_of(path)

    def blocks_of(self, path: Path) -> Iterator[CheckedRows]:
        """Yield the rows of a shard in order; see `checked_rows`."""
        for block in checked_rows(path, self.box):
            yield block
            self.on_rows(block.table.num_rows)

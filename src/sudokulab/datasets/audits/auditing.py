"""Audit data sets: unsound puzzles, wrong solutions, duplicates, leaks between splits, and distributions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudokulab import __version__
from sudokulab._internal.native import checked_seed, checked_threads
from sudokulab._internal.progress import progress_bar
from sudokulab.datasets.audits.checks import ACROSS, MAX_EXAMPLES, OF_ROWS, WITHIN, Check, Example
from sudokulab.datasets.audits.difficulty import Difficulty, Ratings, Sample, rate_sample, summarize_ratings
from sudokulab.datasets.audits.judging import Judged, judge
from sudokulab.datasets.audits.rows import AuditedRows, Relation
from sudokulab.datasets.errors import DatasetError
from sudokulab.datasets.folder import WHOLE
from sudokulab.datasets.sources.blocks import Block
from sudokulab.datasets.sources.files import Source, SourcesLike, find_sources, read_blocks, split_named, split_order
from sudokulab.equivalence import is_equivalent
from sudokulab.errors import ParameterError
from sudokulab.puzzle import BoxLike, Puzzle
from sudokulab.questions import solve
from sudokulab.verify import is_solution

__all__ = ["Audit", "AuditedFile", "AuditedSplit", "audit"]

_MAX_SPLITS = 20


@dataclass(frozen=True)
class AuditedFile:
    """A file that was audited."""

    file: str
    num_rows: int
    box: str


@dataclass(frozen=True)
class AuditedSplit:
    """The distributions of a split.

    Parameters
    ----------
    num_rows, num_readable, num_unique
        The number of rows; of those that can be read; of those with exactly one solution.
    givens
        The number of readable rows by number of givens.
    trivial
        The number of uniquely solvable rows that are full grids; that have at most 5 blanks; that naked and hidden
        singles solve.
    difficulty
        The ratings of a random sample.
    ratings
        The column of ratings; None if there is none.
    """

    num_rows: int
    num_readable: int
    num_unique: int
    givens: Mapping[int, int]
    trivial: Mapping[str, int]
    difficulty: Difficulty
    ratings: Ratings | None


@dataclass(frozen=True)
class Audit:
    """The result of an audit.

    Parameters
    ----------
    files
        The files that were read.
    splits
        The distributions by split.
    checks
        The results of all checks, also of those that found nothing.
    """

    files: tuple[AuditedFile, ...]
    splits: Mapping[str, AuditedSplit]
    checks: tuple[Check, ...]

    @property
    def num_rows(self) -> int:
        """The number of rows."""
        return sum(file.num_rows for file in self.files)

    @property
    def defects(self) -> list[Check]:
        """The checks that found a defect."""
        return [check for check in self.checks if check.is_defect]

    @property
    def is_clean(self) -> bool:
        """Whether no check found a defect."""
        return not self.defects

    def to_dict(self) -> dict[str, object]:
        """Return the audit as JSON-compatible data."""
        return {
            "sudokulab": __version__,
            "is_clean": self.is_clean,
            "num_rows": self.num_rows,
            "files": [asdict(file) for file in self.files],
            "checks": [check.to_dict() for check in self.checks],
            "splits": {name: asdict(split) for name, split in self.splits.items()},
        }


def audit(
    data: SourcesLike,
    *,
    box: BoxLike | None = None,
    sample: int = 1000,
    seed: int = 0,
    threads: int | None = None,
    progress: bool = False,
) -> Audit:
    """Audit a data set.

    Parameters
    ----------
    data
        Files or folders; see `SourcesLike`. The names of files show their splits, unless a mapping gives them.
    box
        The box shape, for sizes with several (default: the most square one).
    sample
        The number of puzzles per split whose difficulty is rated.
    seed
        The random seed of the samples.
    threads
        Number of threads (default: all cores).
    progress
        Whether to show a progress bar.

    Raises
    ------
    DatasetError
        If a file cannot be read, or contains grids of several shapes.
    """
    if sample < 0:
        raise ParameterError(f"sample: {sample}; choose 0 or more")
    num_threads = checked_threads(threads)
    auditor = _Auditor(box, sample, checked_seed(seed), num_threads)
    with progress_bar("auditing", is_shown=progress) as update:
        for source in find_sources(data):
            for num_done in auditor.read(source):
                update(num_done, source.path.name)
    return auditor.result(progress)


@dataclass
class _Tally:
    """What is counted of a split while its rows are read."""

    code: int
    sample: Sample
    counts: Counter[str] = field(default_factory=Counter)
    unchecked: set[str] = field(default_factory=set)
    faulty: dict[str, list[int]] = field(default_factory=lambda: {kind: [] for kind in OF_ROWS})
    givens: Counter[int] = field(default_factory=Counter)
    ratings: list[NDArray[np.float64]] = field(default_factory=list)

    def add(self, block: Block, judged: Judged, rows: NDArray[np.intp], first: int) -> None:
        """Count some rows of a block whose first row has a number in the whole data set."""
        self.counts["rows"] += len(rows)
        self.counts["unique"] += int(judged.is_unique[rows].sum())
        for kind, flags in judged.faults.items():
            if flags is None:
                self.unchecked.add(kind)
                continue
            found = rows[flags[rows]]
            self.counts[kind] += len(found)
            self.faulty[kind] += (first + found[: MAX_EXAMPLES - len(self.faulty[kind])]).tolist()
        if judged.puzzle_classes is None:
            self.unchecked.add("classes")
        for reason, flags in judged.trivial.items():
            self.counts[reason] += int(flags[rows].sum())
        num_cells = block.puzzles.shape[1]
        for givens, number in enumerate(np.bincount(num_cells - judged.num_blanks[rows][block.is_readable[rows]])):
            if number:
                self.givens[givens] += int(number)
        self.sample.add(block.puzzles[rows[judged.is_unique[rows]]], block.box)
        if block.ratings is not None:
            self.ratings.append(block.ratings[rows])

    def split(self, num_threads: int, progress: bool) -> AuditedSplit:
        """Return the distributions."""
        return AuditedSplit(
            num_rows=self.counts["rows"],
            num_readable=self.givens.total(),
            num_unique=self.counts["unique"],
            givens=dict(sorted(self.givens.items())),
            trivial={reason: self.counts[reason] for reason in ("full", "nearly-full", "singles")},
            difficulty=rate_sample(self.sample.puzzles, num_threads, progress=progress),
            ratings=summarize_ratings(np.concatenate(self.ratings)) if self.ratings else None,
        )


class _Auditor:
    def __init__(self, box: BoxLike | None, sample: int, seed: int, num_threads: int) -> None:
        self._box = box
        self._sample = sample
        self._seed = seed
        self._num_threads = num_threads
        self._rows = AuditedRows()
        self._files: list[AuditedFile] = []
        self._tallies: dict[str, _Tally] = {}
        self._problems: dict[int, str] = {}

    def read(self, source: Source) -> Iterator[int]:
        """Judge the rows of a file; yield the number of rows after each block."""
        self._rows.start_file(source.path)
        num_before = self._rows.number
        for block in read_blocks(source.path, box=self._box):
            self._add(block, source)
            yield self._rows.number
        self._files.append(AuditedFile(str(source.path), self._rows.number - num_before, str(block.box)))

    def _add(self, block: Block, source: Source) -> None:
        judged = judge(block, self._num_threads)
        codes = np.zeros(len(block), np.uint8)
        for name, rows in _rows_by_split(block, source):
            tally = self._tally(name, source)
            codes[rows] = tally.code
            tally.add(block, judged, rows, self._rows.number)
            for row in tally.faulty["unreadable"]:
                if row >= self._rows.number:
                    self._problems[row] = block.problems[row - self._rows.number]
        self._rows.add(codes, judged)

    def _tally(self, name: str, source: Source) -> _Tally:
        if name not in self._tallies:
            code = len(self._tallies)
            if code == _MAX_SPLITS:
                raise DatasetError(f"{source.path}: more than {_MAX_SPLITS} splits; check the column split")
            self._tallies[name] = _Tally(code, Sample(self._sample, self._seed + code))
        return self._tallies[name]

    def result(self, progress: bool) -> Audit:
        """Compare the rows with each other, and rate the samples."""
        found = list(self._found())
        wanted = (row for one in found for rows in one.examples for row in rows)
        puzzles = self._rows.read_again(wanted, self._box)
        return Audit(
            files=tuple(self._files),
            splits={
                name: self._tallies[name].split(self._num_threads, progress) for name in split_order(self._tallies)
            },
            checks=tuple(self._check(one, puzzles) for one in found),
        )

    def _found(self) -> Iterator[_Found]:
        names = split_order(self._tallies)
        for name in names:
            tally = self._tallies[name]
            for kind in OF_ROWS:
                number = None if kind in tally.unchecked else tally.counts[kind]
                yield _Found(kind, (name,), number, [(row,) for row in tally.faulty[kind]])
            yield from self._repeats(WITHIN, (name,), self._rows.within(tally.code))
        for pair in combinations(names, 2):
            earlier, later = (self._tallies[name].code for name in pair)
            yield from self._repeats(ACROSS, pair, self._rows.across(earlier, later))

    def _repeats(self, kinds: Iterable[str], splits: tuple[str, ...], relation: Relation) -> Iterator[_Found]:
        has_classes = all("classes" not in self._tallies[name].unchecked for name in splits)
        for kind, repeats in zip(kinds, relation, strict=True):
            is_checked = has_classes or repeats is relation.identical
            yield _Found(kind, splits, repeats.number if is_checked else None, repeats.pairs)

    def _check(self, found: _Found, puzzles: Mapping[int, Puzzle]) -> Check:
        examples = [
            Example(
                tuple(self._rows.place(row) for row in rows),
                tuple(puzzles[row].line if row in puzzles else "" for row in rows),
                self._problems.get(rows[0], ""),
            )
            for rows in found.examples
            if len(rows) == 1 or _is_related(found.kind, *(puzzles[row] for row in rows))
        ]
        return Check(found.kind, found.splits, found.num_rows, tuple(examples))


class _Found(NamedTuple):
    """The result of a check, with the numbers of the rows of its examples."""

    kind: str
    splits: tuple[str, ...]
    num_rows: int | None
    examples: Sequence[tuple[int, ...]]


def _rows_by_split(block: Block, source: Source) -> Iterator[tuple[str, NDArray[np.intp]]]:
    """Yield the rows of each split in a block; the column counts if nothing else tells the split."""
    if block.splits is None or source.split != WHOLE:
        yield source.split, np.arange(len(block))
        return
    names, codes = np.unique(block.splits, return_inverse=True)
    for code, name in enumerate(names.tolist()):
        yield split_named(name) or WHOLE, np.flatnonzero(codes == code)


def _is_related(kind: str, one: Puzzle, other: Puzzle) -> bool:
    """Return whether a pair with equal hashes really matches."""
    if kind.endswith("solutions"):
        return is_equivalent(_solution_of(one), _solution_of(other))
    return one == other if kind in ("duplicates", "shared-puzzles") else is_equivalent(one, other)


def _solution_of(puzzle: Puzzle) -> Puzzle:
    if puzzle.solution is not None and is_solution(puzzle.solution, puzzle):
        return puzzle.solution
    return solve(puzzle).solution or puzzle

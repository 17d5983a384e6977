"""The search for puzzles with exactly one solution.

The search for a puzzle is a sequence of independent attempts (``cpp/generation/generator.h``), each with its own seed.
The first attempt that meets the specification wins.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudokulab import _core
from sudokulab._internal.native import checked_range, checked_seed, checked_threads, native_budget, native_puzzle
from sudokulab._internal.progress import progress_bar
from sudokulab.errors import SudokulabError
from sudokulab.instances.feasibility import LEVELS, cell_groups, rating_in_tenths
from sudokulab.instances.kinds import Bias
from sudokulab.instances.spec import PuzzleSpec
from sudokulab.logic.rating import rate
from sudokulab.logic.selection import select_techniques
from sudokulab.logic.techniques import RULES, TECHNIQUES, Level, Technique
from sudokulab.puzzle import BoxShape, Digits, Puzzle
from sudokulab.search.budget import MAX_COUNT, Budget, checked_budget

__all__ = ["GeneratedArrays", "NotFoundError", "Search", "native_spec", "puzzles_in"]

_DESCRIPTION_BUDGET = Budget(seconds=2)

_LARGEST_ROUND = 8192
_ROUND_SECONDS = 0.2
_MOST_GROWTH = 8  # of the number of attempts from one round to the next
_PATIENCE_SECONDS = 60.0  # per puzzle, if there is no budget


class NotFoundError(SudokulabError):
    """The budget ran out before a puzzle was found.

    Parameters
    ----------
    message
        Which puzzle was not found, and how close the attempts came.
    closest
        The closest puzzle with exactly one solution, or None.
    num_attempts
        Number of attempts at this puzzle.
    """

    def __init__(self, message: str, closest: Puzzle | None, num_attempts: int) -> None:
        super().__init__(message, closest, num_attempts)  # unpickling passes the arguments again
        self.closest = closest
        self.num_attempts = num_attempts

    def __str__(self) -> str:
        return str(self.args[0])


class GeneratedArrays(NamedTuple):
    """Puzzles and their solutions, one per row of two arrays of shape (n, cells), with 0 for a blank."""

    puzzles: Digits
    solutions: Digits


def native_spec(spec: PuzzleSpec) -> _core.PuzzleSpec:
    """Convert a specification to its native form."""
    solved_by, not_solved_by = _technique_lists(spec)
    return _core.PuzzleSpec(
        native_puzzle(Puzzle.empty(spec.box)),
        cell_groups(spec),
        spec.pattern is not None,
        None if spec.pattern is not None else spec.num_givens,
        spec.minimal,
        solved_by,
        not_solved_by,
        None if spec.se is None else rating_in_tenths(*spec.se),
        spec.bias is Bias.CONTROLLED,
    )


def _technique_lists(spec: PuzzleSpec) -> tuple[list[str] | None, list[list[str]]]:
    """Return the techniques that must suffice (None if nothing is required) and the lists that must not."""
    wanted, barred = select_techniques(spec.technique, families=False), select_techniques(spec.without)
    level = spec.level
    if level is Level.BEYOND and not wanted:
        return None, [[rule.name for rule in RULES]]
    if level is None and not wanted and not any(technique.code for technique in barred):
        return None, []  # without some of the others, every puzzle is still solvable
    allowed = [technique for technique in _allowed(wanted, level) if technique not in barred]
    insufficient = [[other.name for other in allowed if other != technique] for technique in wanted]
    if level is not None and level is not Level.EASY:
        insufficient.append([rule.name for rule in RULES if LEVELS.index(rule.level) < LEVELS.index(level)])
    return [technique.name for technique in allowed], insufficient


def _allowed(wanted: list[Technique], level: Level | None) -> list[Technique]:
    """Return the rules, or the techniques up to the hardest required one if that is not a rule."""
    if all(technique.code for technique in wanted):
        highest = LEVELS.index(level or Level.VERY_HARD)
        return [rule for rule in RULES if LEVELS.index(rule.level) <= highest]
    last = max(map(TECHNIQUES.index, wanted))
    return [technique for technique in TECHNIQUES[: last + 1] if technique.is_default or technique in wanted]


def puzzles_in(block: GeneratedArrays, box: BoxShape) -> Iterator[Puzzle]:
    """Yield the puzzles of a block, with their solutions."""
    for cells, solution in zip(block.puzzles, block.solutions, strict=True):
        yield Puzzle(cells.tobytes(), box, solution=Puzzle(solution.tobytes(), box))


_NONE = np.iinfo(np.int64).max  # the distance of a puzzle without attempts


@dataclass
class _PuzzlesInProgress:
    """The puzzles in progress, in order: the number of attempts at each, and the closest one so far."""

    indices: NDArray[np.uint64]
    num_attempts: NDArray[np.int64]
    distances: NDArray[np.int64]  # 0 if the puzzle is found
    made: GeneratedArrays

    @classmethod
    def begin(cls, first: int, number: int, num_cells: int) -> _PuzzlesInProgress:
        """Begin `number` puzzles from index `first` on."""
        return cls(
            np.arange(number, dtype=np.uint64) + np.uint64(first),
            np.zeros(number, np.int64),
            np.full(number, _NONE),
            GeneratedArrays(*(np.zeros((number, num_cells), np.uint8) for _ in range(2))),
        )

    def __len__(self) -> int:
        return len(self.indices)

    def __add__(self, others: _PuzzlesInProgress) -> _PuzzlesInProgress:
        return _PuzzlesInProgress(
            np.concatenate([self.indices, others.indices]),
            np.concatenate([self.num_attempts, others.num_attempts]),
            np.concatenate([self.distances, others.distances]),
            GeneratedArrays(*(np.concatenate(pair) for pair in zip(self.made, others.made, strict=True))),
        )

    def __getitem__(self, chosen: slice) -> _PuzzlesInProgress:
        made = GeneratedArrays(*(digits[chosen] for digits in self.made))
        return _PuzzlesInProgress(self.indices[chosen], self.num_attempts[chosen], self.distances[chosen], made)

    def num_found(self) -> int:
        """Return the number of puzzles found before the first one that is not."""
        is_open = self.distances > 0
        return int(is_open.argmax()) if is_open.any() else len(self)


class Search:
    """A search for consecutive puzzles, which puts many attempts side by side."""

    def __init__(self, spec: PuzzleSpec, seed: int, threads: int | None, budget: Budget | None) -> None:
        limits = checked_budget(budget, "generation", "iterations")
        self.box = spec.box
        self._spec = spec
        self._native = native_spec(spec)
        self._seed = checked_seed(seed)
        self._threads = checked_threads(threads)
        self._max_attempts = MAX_COUNT if limits.iterations is None else limits.iterations
        self._has_patience = limits.seconds is None and limits.iterations is None
        self._seconds = _PATIENCE_SECONDS if self._has_patience else limits.seconds
        self._deadline: float | None = None  # set when the iteration starts

    def run(self, first: int, count: int, progress: bool) -> Iterator[GeneratedArrays]:
        """Check the arguments, then yield the puzzles in order, in blocks. The clock starts with the iteration."""
        first, count = checked_range(first, count)
        return self._blocks(first, first + count, progress)

    def _blocks(self, first: int, end: int, progress: bool) -> Iterator[GeneratedArrays]:
        self._start_clock()
        num_cells = self.box.size**2
        open_puzzles = _PuzzlesInProgress.begin(first, 0, num_cells)
        num_begun = first
        round_size = self._threads
        with progress_bar("generating", end - first, is_shown=progress) as update:
            while len(open_puzzles) or num_begun < end:
                num_new = max(0, min(round_size - len(open_puzzles), end - num_begun))
                open_puzzles += _PuzzlesInProgress.begin(num_begun, num_new, num_cells)
                num_begun += num_new
                start = time.monotonic()
                self._attempt(open_puzzles, round_size)
                growth = _ROUND_SECONDS / max(time.monotonic() - start, _ROUND_SECONDS / _MOST_GROWTH)
                round_size = max(self._threads, min(int(round_size * max(growth, 0.5)), _LARGEST_ROUND))
                num_found = open_puzzles.num_found()
                if num_found:
                    yield open_puzzles[:num_found].made
                    open_puzzles = open_puzzles[num_found:]
                    if self._has_patience:
                        self._start_clock()
                if len(open_puzzles):
                    self._check(open_puzzles)
                update(num_begun - first - len(open_puzzles), _note(open_puzzles))

    def _attempt(self, open_puzzles: _PuzzlesInProgress, round_size: int) -> None:
        """Make about `round_size` attempts, shared evenly among the puzzles that may have more."""
        is_allowed = (open_puzzles.distances > 0) & (open_puzzles.num_attempts < self._max_attempts)
        owners = np.flatnonzero(is_allowed)
        if not len(owners):
            return
        num_before = open_puzzles.num_attempts[owners]
        num_own = np.maximum(num_before // 4, self._threads)  # those after the first success are wasted
        num_own = num_own.clip(max=np.minimum(max(1, round_size // len(owners)), self._max_attempts - num_before))
        begin = num_own.cumsum() - num_own
        rows = np.arange(num_own.sum())
        indices = open_puzzles.indices[owners].repeat(num_own)
        attempts = (rows + (num_before - begin).repeat(num_own)).astype(np.uint64)
        seconds = None if self._deadline is None else max(0.0, self._deadline - time.monotonic())
        budget = native_budget(Budget(seconds=seconds))
        *made, num_unmet, num_off = _core.attempt_many(
            self._native, self._seed, indices, attempts, budget, self._threads
        )
        distances = np.where(num_unmet > 0, num_unmet.astype(np.int64) << 32 | num_off, 0)
        distances[num_unmet < 0] = _NONE
        if self._is_late():  # attempts without a puzzle may have been stopped: they, and those after them, do not count
            num_stopped = (num_unmet < 0).cumsum()
            is_cut_off = num_stopped > (num_stopped - (num_unmet < 0))[begin].repeat(num_own)
            distances[is_cut_off] = _NONE
            num_own = num_own - np.add.reduceat(is_cut_off, begin, dtype=np.int64)
        open_puzzles.num_attempts[owners] += num_own
        best = np.lexsort((rows, distances, indices))[begin]  # the first of the closest attempts at each puzzle
        is_closer = distances[best] < open_puzzles.distances[owners]
        open_puzzles.distances[owners[is_closer]] = distances[best[is_closer]]
        for target, digits in zip(open_puzzles.made, made, strict=True):
            target[owners[is_closer]] = digits[best[is_closer]]

    def _start_clock(self) -> None:
        self._deadline = None if self._seconds is None else time.monotonic() + self._seconds

    def _is_late(self) -> bool:
        return self._deadline is not None and time.monotonic() >= self._deadline

    def _check(self, open_puzzles: _PuzzlesInProgress) -> None:
        """Raise `NotFoundError` if the first puzzle may have no more attempts."""
        num_attempts = int(open_puzzles.num_attempts[0])
        if not self._is_late() and num_attempts < self._max_attempts:
            return
        closest = next(puzzles_in(open_puzzles[:1].made, self.box)) if open_puzzles.distances[0] < _NONE else None
        message = f"puzzle {int(open_puzzles.indices[0]) + 1} was not found"
        if not num_attempts:
            message += "; no time was left for a complete attempt"
        elif closest and self._spec.se is None:  # otherwise the rating decides, which the attempts do not compare
            message += f" in {num_attempts:,} attempts; the closest has {_describe(closest)}"
        elif closest:
            message += f" in {num_attempts:,} attempts; allow more time, or a wider range of ratings"
        else:
            message += f" in {num_attempts:,} attempts; none gave a puzzle with exactly one solution"
        raise NotFoundError(message, closest, num_attempts)


def _describe(puzzle: Puzzle) -> str:
    rating = rate(puzzle, relabelings=0, budget=_DESCRIPTION_BUDGET)
    needs = f", hardest rule {rating.highest.name}" if rating.highest else ""
    level = rating.level.value if rating.level else "unknown"
    return f"{puzzle.num_givens} givens and level {level}{needs}: {puzzle.line}"


def _note(open_puzzles: _PuzzlesInProgress) -> str:
    if not len(open_puzzles) or open_puzzles.num_attempts[0] < 100:
        return ""
    num_givens = np.count_nonzero(open_puzzles.made.puzzles[0])
    closest = f", closest {num_givens} givens" if num_givens else ""
    return f"{open_puzzles.num_attempts[0]:,} attempts at puzzle {int(open_puzzles.indices[0]) + 1}{closest}"

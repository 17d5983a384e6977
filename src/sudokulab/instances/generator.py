"""Generate puzzles with exactly one solution to a specification.

The search for a puzzle is a sequence of independent attempts (``cpp/generation/generator.h``), each with its own seed.
The first attempt that meets the specification wins. A puzzle depends only on its specification, seed and index, so
generation can be parallelised and resumed at any index.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, fields
from numbers import Integral
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudokulab import _core
from sudokulab._internal.native import checked_seed, checked_threads, native_budget
from sudokulab._internal.progress import progress_bar
from sudokulab._internal.suggestions import unknown_name
from sudokulab.budget import MAX_COUNT, Budget, checked_budget
from sudokulab.errors import ParameterError, SudokulabError
from sudokulab.instances.spec import PuzzleSpec
from sudokulab.logic.rating import rate
from sudokulab.puzzle import BoxShape, Digits, Puzzle

__all__ = ["GeneratedArrays", "NotFoundError", "generate", "generate_array", "generate_blocks"]

_DESCRIPTION_BUDGET = Budget(seconds=2)

_LARGEST_ROUND = 4096
_ROUND_SECONDS = 0.2
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
        super().__init__(message)
        self.closest = closest
        self.num_attempts = num_attempts


class GeneratedArrays(NamedTuple):
    """Puzzles and their solutions, one per row of two arrays of shape (n, cells), with 0 for a blank."""

    puzzles: Digits
    solutions: Digits


def generate(
    count: int = 1,
    spec: PuzzleSpec | None = None,
    *,
    seed: int = 0,
    first: int = 0,
    threads: int | None = None,
    budget: Budget | None = None,
    progress: bool = False,
    **wishes: object,
) -> Iterator[Puzzle]:
    """Generate puzzles with exactly one solution; each puzzle carries its solution.

    Parameters
    ----------
    count
        Number of puzzles.
    spec
        The specification; alternatively, pass the parameters of `PuzzleSpec` as keywords.
    seed, first
        The same seed gives the same puzzles. `first` is the index of the first puzzle, to resume a sequence.
    threads
        Number of parallel attempts (default: all cores). It does not change the puzzles.
    budget
        Seconds for all puzzles together, iterations (attempts) for each. Default: one minute per puzzle.
    progress
        Whether to show a progress bar on standard error, if that is a terminal.
    **wishes
        Parameters of `PuzzleSpec`.

    Raises
    ------
    SpecError
        Immediately, if no puzzle can meet the specification.
    NotFoundError
        If the budget runs out; it carries the closest puzzle found.

    Examples
    --------
    >>> (puzzle,) = generate(level="easy", symmetry="half-turn", seed=1)
    >>> rate(puzzle).level
    <Level.EASY: 'easy'>
    """
    search = _Search(_specification(spec, wishes), seed, threads, budget)
    blocks = search.run(first, count, progress)
    return (puzzle for block in blocks for puzzle in _puzzles(block, search.shape))


def generate_array(
    count: int,
    spec: PuzzleSpec | None = None,
    *,
    seed: int = 0,
    first: int = 0,
    threads: int | None = None,
    budget: Budget | None = None,
    progress: bool = False,
    **wishes: object,
) -> GeneratedArrays:
    """Generate the puzzles of `generate` as arrays, which is faster by the million.

    See `generate` for the parameters and errors.

    Examples
    --------
    >>> made = generate_array(1000, minimal=True, seed=1)
    >>> made.puzzles.shape, (made.solutions > 0).all()
    ((1000, 81), np.True_)
    """
    search = _Search(_specification(spec, wishes), seed, threads, budget)
    shape = _checked_count("count", count), search.shape.size**2
    made = GeneratedArrays(np.zeros(shape, dtype=np.uint8), np.zeros(shape, dtype=np.uint8))
    num_done = 0
    for block in search.run(first, count, progress):
        for target, digits in zip(made, block, strict=True):
            target[num_done : num_done + len(digits)] = digits
        num_done += len(block.puzzles)
    return made


def generate_blocks(
    count: int,
    spec: PuzzleSpec,
    *,
    seed: int = 0,
    first: int = 0,
    threads: int | None = None,
    budget: Budget | None = None,
    progress: bool = False,
) -> Iterator[GeneratedArrays]:
    """Generate the puzzles of `generate` in blocks of arrays, as soon as they are found."""
    return _Search(spec, seed, threads, budget).run(first, count, progress)


def _specification(spec: PuzzleSpec | None, wishes: dict[str, object]) -> PuzzleSpec:
    if spec is not None and wishes:
        raise ParameterError("expected either a specification or its parameters, got both")
    known = [field.name for field in fields(PuzzleSpec) if field.init]
    for name in wishes:
        if name not in known:
            raise ParameterError(unknown_name("parameter of generate", name, known))
    return spec or PuzzleSpec(**wishes)  # type: ignore[arg-type]


def _checked_count(name: str, number: int) -> int:
    if not isinstance(number, Integral) or number < 0:
        raise ParameterError(f"{name}: {number!r}, expected an integer at least 0")
    return int(number)


def _puzzles(block: GeneratedArrays, shape: BoxShape) -> Iterator[Puzzle]:
    for cells, solution in zip(block.puzzles, block.solutions, strict=True):
        yield Puzzle(cells.tobytes(), shape, solution=Puzzle(solution.tobytes(), shape))


@dataclass
class _Closest:
    """The closest attempt at a puzzle so far."""

    distance: tuple[int, int]
    cells: bytes
    solution: bytes


@dataclass
class _Quest:
    """The attempts at one puzzle so far."""

    index: int
    num_attempts: int = 0
    found: tuple[Digits, Digits] | None = None
    closest: _Closest | None = None


class _Search:
    def __init__(self, spec: PuzzleSpec, seed: int, threads: int | None, budget: Budget | None) -> None:
        limits = checked_budget(budget, "generation", "iterations")
        self.shape = spec.shape
        self._spec = spec
        self._native = spec.to_native()
        self._seed = checked_seed(seed)
        self._threads = checked_threads(threads)
        self._max_attempts = MAX_COUNT if limits.iterations is None else limits.iterations
        self._has_patience = limits.seconds is None and limits.iterations is None
        seconds = _PATIENCE_SECONDS if self._has_patience else limits.seconds
        self._deadline = None if seconds is None else time.monotonic() + seconds

    def run(self, first: int, count: int, progress: bool) -> Iterator[GeneratedArrays]:
        """Check the arguments, then yield the puzzles in order, in blocks."""
        first, count = _checked_count("first", first), _checked_count("count", count)
        return self._blocks(first, first + count, progress)

    def _blocks(self, first: int, end: int, progress: bool) -> Iterator[GeneratedArrays]:
        quests: deque[_Quest] = deque()
        num_begun = first
        round_size = self._threads
        with progress_bar("generating", end - first, is_shown=progress) as update:
            while quests or num_begun < end:
                num_new = max(0, min(round_size - len(quests), end - num_begun))
                quests.extend(map(_Quest, range(num_begun, num_begun + num_new)))
                num_begun += num_new
                start = time.monotonic()
                self._attempt([quest for quest in quests if quest.found is None], round_size)
                is_quick = time.monotonic() - start < _ROUND_SECONDS
                round_size = min(2 * round_size, _LARGEST_ROUND) if is_quick else max(round_size // 2, self._threads)
                found = []
                while quests and (rows := quests[0].found):
                    found.append(rows)
                    quests.popleft()
                if found:
                    yield GeneratedArrays(*map(np.stack, zip(*found, strict=True)))
                    if self._has_patience:
                        self._deadline = time.monotonic() + _PATIENCE_SECONDS
                if quests:
                    self._check(quests[0])
                    update(quests[0].index - first, _note(quests[0]))

    def _attempt(self, quests: list[_Quest], round_size: int) -> None:
        """Make about `round_size` attempts, shared evenly among the puzzles that may have more."""
        num_each = max(1, round_size // max(1, len(quests)))
        numbers = []
        for quest in quests:
            start = quest.num_attempts
            num_own = min(num_each, max(self._threads, start // 2))  # those after the first success are wasted
            numbers.append(range(start, min(start + num_own, self._max_attempts)))
        owners = np.repeat(np.arange(len(quests)), [len(own) for own in numbers])
        indices = np.array([quest.index for quest in quests], dtype=np.uint64)[owners]
        attempts = np.array([number for own in numbers for number in own], dtype=np.uint64)
        seconds = None if self._deadline is None else max(0.0, self._deadline - time.monotonic())
        budget = native_budget(Budget(seconds=seconds))
        made = _core.attempt_many(self._native, self._seed, indices, attempts, budget, self._threads)
        is_late = self._deadline is not None and time.monotonic() >= self._deadline
        cut_off: set[int] = set()  # puzzles with an attempt that the deadline may have stopped; it is made again
        for row, (owner, num_unmet) in enumerate(zip(owners.tolist(), made[2].tolist(), strict=True)):
            if is_late and num_unmet < 0:
                cut_off.add(owner)
            if quests[owner].found is None and owner not in cut_off:
                _take(quests[owner], num_unmet, row, made)

    def _check(self, quest: _Quest) -> None:
        is_late = self._deadline is not None and time.monotonic() >= self._deadline
        if not is_late and quest.num_attempts < self._max_attempts:
            return
        closest = None
        if quest.closest is not None:
            closest = Puzzle(quest.closest.cells, self.shape, solution=Puzzle(quest.closest.solution, self.shape))
        message = f"puzzle {quest.index + 1} was not found in {quest.num_attempts:,} attempts; "
        nearest = (
            f"the closest has {_describe(closest, self._spec)}"
            if closest
            else "none gave a puzzle with exactly one solution"
        )
        raise NotFoundError(message + nearest, closest, quest.num_attempts)


_Made = tuple[Digits, Digits, NDArray[np.int32], NDArray[np.int32]]
"""Givens, solutions, numbers of unmet requirements (-1 if there is no puzzle) and distances of attempts."""


def _take(quest: _Quest, num_unmet: int, row: int, made: _Made) -> None:
    givens, solutions, _, distances = made
    quest.num_attempts += 1
    if num_unmet == 0:
        quest.found = givens[row].copy(), solutions[row].copy()  # not views of all attempts of the round
    elif num_unmet > 0:
        distance = num_unmet, int(distances[row])
        if quest.closest is None or distance < quest.closest.distance:
            quest.closest = _Closest(distance, givens[row].tobytes(), solutions[row].tobytes())


def _describe(puzzle: Puzzle, spec: PuzzleSpec) -> str:
    rating = rate(puzzle, relabelings=0, budget=_DESCRIPTION_BUDGET)
    if spec.se is not None:
        er = rate(puzzle, scale="se", budget=_DESCRIPTION_BUDGET).er
        return f"{puzzle.num_givens} givens and ER {er or 'unknown'}: {puzzle.line}"
    needs = f", hardest rule {rating.highest.name}" if rating.highest else ""
    level = rating.level.value if rating.level else "unknown"
    return f"{puzzle.num_givens} givens and level {level}{needs}: {puzzle.line}"


def _note(quest: _Quest) -> str:
    if quest.num_attempts < 100:
        return ""
    num_givens = len(quest.closest.cells) - quest.closest.cells.count(0) if quest.closest else 0
    closest = f", closest {num_givens} givens" if num_givens else ""
    return f"{quest.num_attempts:,} attempts at puzzle {quest.index + 1}{closest}"

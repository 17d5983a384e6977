"""Generate puzzles with exactly one solution to a specification.

The search for a puzzle is a sequence of independent attempts (``cpp/generation/generator.h``), each with its own seed.
The first attempt that meets the specification wins. A puzzle depends only on its specification, seed and index, so
generation can be parallelised and resumed at any index.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from numbers import Integral

from sudokulab import _core
from sudokulab._internal.native import checked_seed, checked_threads, native_budget
from sudokulab._internal.progress import progress_bar
from sudokulab._internal.suggestions import unknown_name
from sudokulab.budget import MAX_COUNT, Budget, checked_budget
from sudokulab.errors import ParameterError, SudokulabError
from sudokulab.instances.spec import PuzzleSpec
from sudokulab.logic.rating import rate
from sudokulab.puzzle import BoxShape, Puzzle

__all__ = ["NotFoundError", "generate"]

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
    if spec is not None and wishes:
        raise ParameterError("expected either a specification or its parameters, got both")
    known = [field.name for field in fields(PuzzleSpec) if field.init]
    for name in wishes:
        if name not in known:
            raise ParameterError(unknown_name("parameter of generate", name, known))
    spec = spec or PuzzleSpec(**wishes)  # type: ignore[arg-type]
    for name, number in (("count", count), ("first", first)):
        if not isinstance(number, Integral) or number < 0:
            raise ParameterError(f"{name}: {number!r}, expected an integer at least 0")
    limits = checked_budget(budget, "generation", "iterations")
    search = _Search(spec, checked_seed(seed), checked_threads(threads), limits)
    return search.run(first, count, progress)


@dataclass
class _Quest:
    """The attempts at one puzzle so far."""

    number: int
    num_attempts: int = 0
    found: Puzzle | None = None
    closest: _core.Attempt | None = None

    def take(self, attempts: Iterable[_core.Attempt], shape: BoxShape) -> None:
        for attempt in attempts:
            self.num_attempts += 1
            if attempt.is_met:
                self.found = Puzzle(attempt.givens, shape, solution=Puzzle(attempt.solution, shape))
                return
            if attempt.givens and (self.closest is None or _distance(attempt) < _distance(self.closest)):
                self.closest = attempt


class _Search:
    def __init__(self, spec: PuzzleSpec, seed: int, threads: int, budget: Budget) -> None:
        self._spec = spec
        self._native = spec.to_native()
        self._seed = seed
        self._threads = threads
        self._max_attempts = budget.iterations
        self._has_patience = budget.seconds is None and budget.iterations is None
        seconds = _PATIENCE_SECONDS if self._has_patience else budget.seconds
        self._deadline = None if seconds is None else time.monotonic() + seconds

    def run(self, first: int, count: int, progress: bool) -> Iterator[Puzzle]:
        quests: list[_Quest] = []
        num_begun = num_done = 0
        round_size = self._threads
        with progress_bar("generating", count, is_shown=progress) as update:
            while num_done < count:
                while len(quests) < round_size and num_begun < count:
                    quests.append(_Quest(first + num_begun))
                    num_begun += 1
                start = time.monotonic()
                self._attempt([quest for quest in quests if quest.found is None], round_size)
                is_quick = time.monotonic() - start < _ROUND_SECONDS
                round_size = min(2 * round_size, _LARGEST_ROUND) if is_quick else max(round_size // 2, self._threads)
                while quests and (found := quests[0].found):
                    yield found
                    quests.pop(0)
                    num_done += 1
                    if self._has_patience:
                        self._deadline = time.monotonic() + _PATIENCE_SECONDS
                if quests:
                    self._check(quests[0])
                    update(num_done, _note(quests[0]))

    def _attempt(self, quests: Sequence[_Quest], round_size: int) -> None:
        """Make about `round_size` attempts, shared evenly among the puzzles that may have more."""
        num_each = max(1, round_size // max(1, len(quests)))
        most = MAX_COUNT if self._max_attempts is None else self._max_attempts
        numbers = [range(q.num_attempts, min(q.num_attempts + num_each, most)) for q in quests]
        seeds = [
            _core.derive_seed(_core.derive_seed(self._seed, quest.number + 1), attempt + 1)
            for quest, own in zip(quests, numbers, strict=True)
            for attempt in own
        ]
        seconds = None if self._deadline is None else max(0.0, self._deadline - time.monotonic())
        made = _core.attempt_many(self._native, seeds, native_budget(Budget(seconds=seconds)), self._threads)
        attempts = iter(made)
        for quest, own in zip(quests, numbers, strict=True):
            quest.take(list(islice(attempts, len(own))), self._spec.shape)

    def _check(self, quest: _Quest) -> None:
        is_late = self._deadline is not None and time.monotonic() >= self._deadline
        if not is_late and (self._max_attempts is None or quest.num_attempts < self._max_attempts):
            return
        closest = None
        if quest.closest is not None:
            shape = self._spec.shape
            closest = Puzzle(quest.closest.givens, shape, solution=Puzzle(quest.closest.solution, shape))
        message = f"puzzle {quest.number + 1} was not found in {quest.num_attempts:,} attempts; "
        nearest = (
            f"the closest has {_describe(closest, self._spec)}"
            if closest
            else "none gave a puzzle with exactly one solution"
        )
        raise NotFoundError(message + nearest, closest, quest.num_attempts)


def _distance(attempt: _core.Attempt) -> tuple[int, int]:
    return attempt.num_unmet, attempt.distance


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
    num_givens = len(quest.closest.givens) - quest.closest.givens.count(0) if quest.closest else 0
    closest = f", closest {num_givens} givens" if num_givens else ""
    return f"{quest.num_attempts:,} attempts at puzzle {quest.number + 1}{closest}"

"""Puzzles with exactly one solution, made to order.

The search for a puzzle is a row of independent attempts (``cpp/generator.h``), each with a seed of its own; the first
that meets the order is taken. So a puzzle depends on the order, on the seed and on its number alone, not on how many
threads or how much time there was, and a long row of puzzles can be gone on with at any place.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from sudokulab import _core
from sudokulab._internal.native import checked_seed, checked_threads, native_budget, native_problem
from sudokulab._internal.progress import progress_bar
from sudokulab.budget import MAX_COUNT, Budget, checked_budget
from sudokulab.errors import SudokulabError
from sudokulab.instances.grids import Box
from sudokulab.instances.symmetries import Symmetry, orbits
from sudokulab.logic.rating import rate
from sudokulab.logic.rules import RULES, Level, Rules, rule_numbers
from sudokulab.puzzle import BoxShape, Puzzle

__all__ = ["NotFoundError", "OrderError", "PuzzleOrder", "generate", "pattern_cells"]

# The fewest givens of a puzzle with one solution, where they are known: by hand or by exhaustive search (9×9: McGuire,
# Tugemann & Civario 2014).
_FEWEST_GIVENS = {BoxShape(2, 2): 4, BoxShape(2, 3): 8, BoxShape(3, 2): 8, BoxShape(3, 3): 17}
# The most givens of any minimal puzzle: 4×4 by exhaustive search, 9×9 as far as is known.
_MOST_MINIMAL_GIVENS = {BoxShape(2, 2): 6, BoxShape(3, 3): 40}
_LEVELS = list(Level)
_LARGEST_ROUND = 4096
_ROUND_SECONDS = 0.2
_PATIENCE_SECONDS = 60.0  # for each puzzle, if there is no budget


class OrderError(SudokulabError, ValueError):
    """An order that no puzzle can meet."""


class NotFoundError(SudokulabError):
    """No puzzle was found within the budget.

    Parameters
    ----------
    message
        What was looked for, and how near it came.
    closest
        The puzzle that came nearest, with exactly one solution; None if there was none.
    num_attempts
        How many attempts were made at it.
    """

    def __init__(self, message: str, closest: Puzzle | None, num_attempts: int) -> None:
        super().__init__(message)
        self.closest = closest
        self.num_attempts = num_attempts


@dataclass(frozen=True, kw_only=True)
class PuzzleOrder:
    """What puzzles are to be like; what cannot be met is refused at once, with the reason.

    Parameters
    ----------
    box
        The box shape, or the size; by default that of the pattern if it is a puzzle, or 9.
    givens
        How many givens; by default as few as blanking leads to.
    minimal
        Whether every given must be needed.
    symmetry
        Of the pattern of givens.
    pattern
        Where the givens stand: text with a ``.`` or ``0`` for each blank cell and anything else for a given, or a
        puzzle whose givens stand there.
    level
        The level that `rate` must give it.
    techniques
        Rules that must be needed: without any one of them, the others that are allowed do not solve it.
    without
        Rules that must not be needed.
    """

    box: Box | None = None
    givens: int | None = None
    minimal: bool = False
    symmetry: Symmetry | str = Symmetry.NONE
    pattern: str | Puzzle | None = None
    level: Level | str | None = None
    techniques: Rules = ()
    without: Rules = ()
    _shape: BoxShape = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        box = self.box or (self.pattern.box if isinstance(self.pattern, Puzzle) else 9)
        object.__setattr__(self, "_shape", Puzzle.empty(box).box)
        object.__setattr__(self, "symmetry", _member(Symmetry, self.symmetry, "symmetry"))
        if self.level is not None:
            object.__setattr__(self, "level", _member(Level, self.level, "level"))
        self._check_givens(len(pattern_cells(self.pattern, self._shape)) if self.pattern is not None else self.givens)
        self._check_pattern()
        self._check_rules()

    @property
    def _groups(self) -> list[list[int]]:
        """The cells that are given or blank together; with a pattern, only those that it fills."""
        groups = orbits(Symmetry(self.symmetry), self._shape.size)
        if self.pattern is None:
            return groups
        filled = set(pattern_cells(self.pattern, self._shape))
        return [group for group in groups if group[0] in filled]

    def _check_givens(self, number: int | None) -> None:
        if number is None:
            return
        size = self._shape.size
        least = _FEWEST_GIVENS.get(self._shape, size - 1)
        if not least <= number <= size**2:
            why = "with fewer there is always a second solution" if number < least else "there are no more cells"
            raise OrderError(f"{number} givens on a {size}×{size}, expected {least} to {size**2}: {why}")
        most = _MOST_MINIMAL_GIVENS.get(self._shape, size**2 - 1)
        if self.minimal and number > most:
            raise OrderError(f"no minimal puzzle with more than {most} givens is known, got {number}")
        if number == size**2 and (self.techniques or self.level not in (None, Level.EASY)):
            raise OrderError("a grid without blanks needs no rule")
        sums = {0}
        for group in self._groups:
            sums |= {total + len(group) for total in sums}
        if self.pattern is None and number not in sums:
            raise OrderError(f"{number} givens cannot stand in {self._symmetry_name} on a {size}×{size}")

    def _check_pattern(self) -> None:
        if self.pattern is None:
            return
        filled, shape = set(pattern_cells(self.pattern, self._shape)), self._shape
        size = shape.size
        for group in orbits(Symmetry(self.symmetry), size):
            if filled & set(group) not in (set(), set(group)):
                raise OrderError(f"the pattern has no {self._symmetry_name}")
        if self.givens is not None and self.givens != len(filled):
            raise OrderError(f"{self.givens} givens for a pattern of {len(filled)}")
        for name, width, used in (
            ("rows", shape.rows, {cell // size for cell in filled}),
            ("columns", shape.cols, {cell % size for cell in filled}),
        ):
            for first in range(0, size, width):
                empty = [line + 1 for line in range(first, first + width) if line not in used]
                if len(empty) > 1:
                    raise OrderError(
                        f"the pattern leaves {name} {empty[0]} and {empty[1]} empty: they can be exchanged, "
                        "so there is always a second solution"
                    )

    def _check_rules(self) -> None:
        wanted = [RULES[number] for number in rule_numbers(self.techniques or [])]
        barred = [RULES[number] for number in rule_numbers(self.without or [])]
        if {"NS", "HS"} <= {rule.name for rule in barred}:
            raise OrderError("without NS and HS no cell is ever filled, expected one of them to be allowed")
        both = [rule.name for rule in wanted if rule in barred]
        if both:
            raise OrderError(f"{both[0]} is to be needed, and not to be needed")
        if self.level is Level.BEYOND and (wanted or barred):
            raise OrderError(f"level {Level.BEYOND.value}: the rules do not solve it, so none of them can be asked for")
        if isinstance(self.level, Level):
            for rule in wanted:
                if _LEVELS.index(rule.level) > _LEVELS.index(self.level):
                    raise OrderError(f"a puzzle of level {self.level.value} never needs a {rule.title} ({rule.name})")
            if self.level is not Level.BEYOND and not any(r.level is self.level for r in RULES if r not in barred):
                raise OrderError(f"level {self.level.value} without any of its rules")

    @property
    def _symmetry_name(self) -> str:
        return f"symmetry {Symmetry(self.symmetry).value!r}"

    def _rule_sets(self) -> tuple[list[int] | None, list[list[int]]]:
        """Return the rules that must suffice, if any must, and the sets of rules that must not."""
        wanted, barred = rule_numbers(self.techniques or []), rule_numbers(self.without or [])
        level = Level(self.level) if self.level is not None else None
        if level is Level.BEYOND:
            return None, [rule_numbers(None)]
        if level is None and not wanted and not barred:
            return None, []
        highest = _LEVELS.index(level or Level.VERY_HARD)
        allowed = [n for n, rule in enumerate(RULES) if _LEVELS.index(rule.level) <= highest and n not in barred]
        insufficient = [[n for n in allowed if n != rule] for rule in wanted]
        lower = [n for n, rule in enumerate(RULES) if _LEVELS.index(rule.level) < highest]
        if level is not None and highest > 0:
            insufficient.append(lower)
        return allowed, insufficient

    def _native(self) -> _core.Order:
        solved_by, not_solved_by = self._rule_sets()
        empty = native_problem(Puzzle.empty(self._shape))
        is_pattern = self.pattern is not None
        return _core.Order(empty, self._groups, is_pattern, self.givens, self.minimal, solved_by, not_solved_by)


def generate(
    count: int = 1,
    order: PuzzleOrder | None = None,
    *,
    seed: int = 0,
    first: int = 0,
    threads: int | None = None,
    budget: Budget | None = None,
    progress: bool = True,
    **wishes: object,
) -> Iterator[Puzzle]:
    """Make puzzles with exactly one solution, which they carry along.

    Parameters
    ----------
    count
        How many.
    order
        What they are to be like; or, in its place, the parameters of `PuzzleOrder`.
    seed, first
        The same seed gives the same puzzles; `first` is the number of the first one, to go on with a row.
    threads
        How many attempts at once; by default one for each core. It does not change the puzzles.
    budget
        Seconds for all of them together, iterations (attempts) for each. By default a minute for each.
    progress
        Whether to show on standard error how far it has come, if that is a terminal.
    **wishes
        See `PuzzleOrder`.

    Raises
    ------
    OrderError
        At once, if no puzzle can be like that.
    NotFoundError
        If the budget runs out; it carries the closest puzzle it met.

    Examples
    --------
    >>> (puzzle,) = generate(level="easy", symmetry="half-turn", seed=1)
    >>> rate(puzzle).level
    <Level.EASY: 'easy'>
    """
    if order is not None and wishes:
        raise TypeError("either an order or its parameters, not both")
    order = order or PuzzleOrder(**wishes)  # type: ignore[arg-type]
    if count < 0 or first < 0:
        raise ValueError(f"count: {count}, first: {first}, expected 0 or more")
    limits = checked_budget(budget, "generation", "iterations")
    search = _Search(order, checked_seed(seed), checked_threads(threads), limits)
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
                self.found = Puzzle(attempt.givens, shape, solution=attempt.solution)
                return
            if attempt.givens and (self.closest is None or _distance(attempt) < _distance(self.closest)):
                self.closest = attempt


class _Search:
    def __init__(self, order: PuzzleOrder, seed: int, threads: int, budget: Budget) -> None:
        self._order = order
        self._native = order._native()
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
        """Make about so many attempts, shared out evenly among those that may have more."""
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
            quest.take(list(islice(attempts, len(own))), self._order._shape)

    def _check(self, quest: _Quest) -> None:
        is_late = self._deadline is not None and time.monotonic() >= self._deadline
        if not is_late and (self._max_attempts is None or quest.num_attempts < self._max_attempts):
            return
        closest = None
        if quest.closest is not None:
            closest = Puzzle(quest.closest.givens, self._order._shape, solution=quest.closest.solution)
        message = f"puzzle {quest.number + 1} was not found in {quest.num_attempts:,} attempts; "
        nearest = f"the closest has {_describe(closest)}" if closest else "none of them had just one solution"
        raise NotFoundError(message + nearest, closest, quest.num_attempts)


def _distance(attempt: _core.Attempt) -> tuple[int, int]:
    return attempt.num_unmet, attempt.distance


def _describe(puzzle: Puzzle) -> str:
    rating = rate(puzzle, relabelings=0)
    needs = f", needs a {rating.highest.title}" if rating.highest else ""
    level = rating.level.value if rating.level else "unknown"
    return f"{puzzle.num_givens} givens and level {level}{needs}: {puzzle}"


def _note(quest: _Quest) -> str:
    if quest.num_attempts < 100:
        return ""
    num_givens = len(quest.closest.givens) - quest.closest.givens.count(0) if quest.closest else 0
    closest = f", closest {num_givens} givens" if num_givens else ""
    return f"{quest.num_attempts:,} attempts at puzzle {quest.number + 1}{closest}"


def pattern_cells(pattern: str | Puzzle, box: BoxShape) -> list[int]:
    """Return the cells that a pattern fills."""
    if isinstance(pattern, Puzzle):
        cells = [cell for cell, digit in enumerate(pattern.cells) if digit]
        length = len(pattern.cells)
    else:
        text = "".join(pattern.split())
        cells, length = [cell for cell, char in enumerate(text) if char not in ".0"], len(text)
    if length != box.size**2:
        raise OrderError(f"a pattern of {length} cells, expected {box.size**2}: . or 0 for a blank, X for a given")
    return cells


def _member(kind: type[Symmetry] | type[Level], value: object, what: str) -> Symmetry | Level:
    try:
        return kind(value)
    except ValueError:
        names = ", ".join(repr(member.value) for member in kind)
        raise OrderError(f"no {what} named {value!r}, expected one of {names}") from None

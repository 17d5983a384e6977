"""The specification of generated puzzles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from sudokulab import _core
from sudokulab._internal.arguments import checked_count, checked_text
from sudokulab._internal.native import native_puzzle
from sudokulab._internal.suggestions import unknown_name
from sudokulab.errors import SudokulabError
from sudokulab.instances.grids import Box
from sudokulab.instances.symmetries import Symmetry, orbits
from sudokulab.logic.selection import Techniques, select_techniques
from sudokulab.logic.steps import native_order
from sudokulab.logic.techniques import LARGEST_SIZE, RULES, TECHNIQUES, Level, Technique
from sudokulab.puzzle import NINE, BoxShape, Puzzle

__all__ = ["Bias", "PuzzleSpec", "SpecError", "pattern_cells"]

# The fewest givens of a puzzle with a unique solution, where known: by hand or by exhaustive search (9×9: McGuire,
# Tugemann & Civario 2014).
_FEWEST_GIVENS = {BoxShape(2, 2): 4, BoxShape(2, 3): 8, BoxShape(3, 2): 8, NINE: 17}
# The most givens of a minimal puzzle: 4×4 by exhaustive search, 9×9 the best known.
_MOST_MINIMAL_GIVENS = {BoxShape(2, 2): 6, NINE: 40}
_LEVELS = list(Level)
_LOWEST_ER, _HIGHEST_ER = 1.0, 12.0
_SUBSUMED = {
    "last-digit": "hidden single",
    "dual-two-string-kite": "two-string kite",
    "dual-empty-rectangle": "empty rectangle",
}
"""Techniques that are never necessary, and the simpler ones that do the same."""


_CONTROLLED_SHAPES = (BoxShape(2, 2), BoxShape(2, 3), BoxShape(3, 2), NINE)


class Bias(Enum):
    """How the probability of a puzzle depends on the puzzle."""

    TOP_DOWN = "top-down"
    """In an unknown way: digits that cannot be removed stay, which favours puzzles with few givens."""
    CONTROLLED = "controlled"
    """Only through the number of givens, n: it is proportional to 1 / C(cells, n); see `sample_minimal`."""


class SpecError(SudokulabError, ValueError):
    """A specification that no puzzle can meet."""


@dataclass(frozen=True, kw_only=True)
class PuzzleSpec:
    """Requirements on generated puzzles; impossible ones are rejected immediately, with the reason.

    Parameters
    ----------
    box
        The box shape or the size. Default: the shape of the pattern if it is a puzzle, else 9.
    givens
        Number of givens; by default as few as blanking reaches.
    minimal
        Whether every given must be necessary.
    symmetry
        Symmetry of the pattern of givens.
    pattern
        Positions of the givens: text with ``.`` or ``0`` for each blank cell and any other character for a given, or a
        puzzle with givens at these positions.
    level
        The required level according to `rate`.
    technique
        Required techniques, such as ``"swordfish"`` or ``"HP"``, one or several. Each of them is necessary: without it,
        the other allowed techniques do not solve the puzzle. All together, they do. If all required techniques are
        among the ten rules, all rules are allowed; otherwise all techniques that `explain` tries up to the hardest
        required one.
    without
        Excluded techniques or families, such as ``"uniqueness"``: they are not allowed.
    se
        The required rating of Sudoku Explainer (ER): a number or a range such as ``(7.0, 7.2)``.
    bias
        How puzzles are chosen. With ``"controlled"``, all of them are minimal, and those with the same number of givens
        are equally likely (4×4, 6×6 and 9×9 only).
    """

    box: Box | None = None
    givens: int | None = None
    minimal: bool = False
    symmetry: Symmetry | str = Symmetry.NONE
    pattern: str | Puzzle | None = None
    level: Level | str | None = None
    technique: Techniques = ()
    without: Techniques = ()
    se: float | tuple[float, float] | None = None
    bias: Bias | str = Bias.TOP_DOWN
    shape: BoxShape = field(init=False, repr=False, compare=False)
    """The box shape, even if only a size was given."""

    def __post_init__(self) -> None:
        box = self.box or (self.pattern.box if isinstance(self.pattern, Puzzle) else 9)
        object.__setattr__(self, "shape", Puzzle.empty(box).box)
        object.__setattr__(self, "symmetry", _member(Symmetry, self.symmetry, "symmetry"))
        if self.level is not None:
            object.__setattr__(self, "level", _member(Level, self.level, "level"))
        object.__setattr__(self, "bias", _member(Bias, self.bias, "bias"))
        self._check_bias()
        self._check_givens(len(pattern_cells(self.pattern, self.shape)) if self.pattern is not None else self.givens)
        self._check_pattern()
        self._check_techniques()
        self._check_rating()

    @property
    def _groups(self) -> list[list[int]]:
        """Groups of cells that are given or blank together; with a pattern, only the groups it fills."""
        groups = orbits(Symmetry(self.symmetry), self.shape.size)
        if self.pattern is None:
            return groups
        filled = set(pattern_cells(self.pattern, self.shape))
        return [group for group in groups if group[0] in filled]

    def _check_givens(self, number: int | None) -> None:
        if number is None:
            return
        checked_count("givens", number)
        size = self.shape.size
        least = _FEWEST_GIVENS.get(self.shape, size - 1)
        if not least <= number <= size**2:
            why = "with fewer there is always a second solution" if number < least else "there are no more cells"
            raise SpecError(f"{number} givens on a {size}×{size}, expected {least} to {size**2}: {why}")
        most = _MOST_MINIMAL_GIVENS.get(self.shape, size**2 - 1)
        if (self.minimal or self.bias is Bias.CONTROLLED) and number > most:
            raise SpecError(f"no minimal puzzle with more than {most} givens is known, got {number}")
        if number == size**2 and (self.technique or self.se or self.level not in (None, Level.EASY)):
            raise SpecError("a full grid needs no techniques, expected fewer givens")
        sums = {0}
        for group in self._groups:
            sums |= {total + len(group) for total in sums}
        if self.pattern is None and number not in sums:
            raise SpecError(f"{number} givens are impossible with {self._symmetry_name} on a {size}×{size} grid")

    def _check_bias(self) -> None:
        if self.bias is Bias.TOP_DOWN:
            return
        if self.symmetry is not Symmetry.NONE or self.pattern is not None:
            what = "a pattern" if self.pattern is not None else self._symmetry_name
            raise SpecError(f"a controlled bias needs random positions of the givens, got {what}")
        if self.shape not in _CONTROLLED_SHAPES:
            shapes = ", ".join(map(str, _CONTROLLED_SHAPES[:-1]))
            raise SpecError(f"a controlled bias with {self.shape} boxes, expected {shapes} or {NINE}")

    def _check_pattern(self) -> None:
        if self.pattern is None:
            return
        filled, shape = set(pattern_cells(self.pattern, self.shape)), self.shape
        size = shape.size
        for group in orbits(Symmetry(self.symmetry), size):
            if filled & set(group) not in (set(), set(group)):
                raise SpecError(f"the pattern does not have {self._symmetry_name}")
        if self.givens is not None and self.givens != len(filled):
            raise SpecError(f"{self.givens} givens, but the pattern has {len(filled)}")
        for name, width, used in (
            ("rows", shape.rows, {cell // size for cell in filled}),
            ("columns", shape.cols, {cell % size for cell in filled}),
        ):
            for first in range(0, size, width):
                empty = [line + 1 for line in range(first, first + width) if line not in used]
                if len(empty) > 1:
                    raise SpecError(
                        f"the pattern leaves {name} {empty[0]} and {empty[1]} empty: they can be swapped, "
                        "so there is always a second solution"
                    )

    def _check_techniques(self) -> None:
        wanted, barred = self._wanted, select_techniques(self.without)
        if {"NS", "HS"} <= {technique.code for technique in barred}:
            raise SpecError("without naked and hidden singles no cell can be filled, expected at least one of them")
        both = [technique.name for technique in wanted if technique in barred]
        if both:
            raise SpecError(f"the same technique is both required and excluded: {both[0]}")
        native_order(wanted, self.shape.size)  # raises if the grid is too large
        self._check_possible(wanted)
        if self.level is Level.BEYOND and any(technique.code for technique in wanted):
            raise SpecError(f"level {Level.BEYOND.value} puzzles are not solvable by rules, so none can be required")
        if self.level is Level.BEYOND and any(technique.code for technique in barred):
            raise SpecError(f"level {Level.BEYOND.value} puzzles are not solvable by rules, so none can be excluded")
        if isinstance(self.level, Level):
            for technique in wanted:
                if _LEVELS.index(technique.level) > _LEVELS.index(self.level):
                    raise SpecError(f"a puzzle of level {self.level.value} never needs the technique {technique.name}")
            if self.level is not Level.BEYOND and not any(r.level is self.level for r in RULES if r not in barred):
                raise SpecError(f"level {self.level.value} is impossible without any of its rules")

    def _check_possible(self, wanted: list[Technique]) -> None:
        for technique in wanted:
            if other := _SUBSUMED.get(technique.name):
                raise SpecError(f"a {technique.title.lower()} is never necessary, because it is also a {other}")
            if technique.name == "junior-exocet" and self.shape != NINE:
                raise SpecError(f"a junior exocet needs 3x3 boxes, got {self.shape}")

    def _check_rating(self) -> None:
        if self.se is None:
            return
        low, high = self._er_range()
        if not 10 * _LOWEST_ER <= low <= high <= 10 * _HIGHEST_ER:
            expected = f"a rating in tenths, or a range such as (7.0, 7.2), from {_LOWEST_ER} to {_HIGHEST_ER}"
            raise SpecError(f"se: {self.se!r}, expected {expected}")
        if self.shape.size > LARGEST_SIZE:
            raise SpecError(f"se: the grid has size {self.shape.size}, expected at most {LARGEST_SIZE}")

    def _er_range(self) -> tuple[int, int]:
        """Return the lowest and highest rating in tenths; an empty range if `se` is not a range of ratings."""
        try:
            low, high = map(float, self.se if isinstance(self.se, Sequence) else (self.se, self.se))  # type: ignore[arg-type]
            return math.ceil(round(10 * low, 6)), math.floor(round(10 * high, 6))
        except (OverflowError, TypeError, ValueError):
            return 1, 0

    @property
    def _wanted(self) -> list[Technique]:
        return select_techniques(self.technique, families=False)

    @property
    def _symmetry_name(self) -> str:
        return f"symmetry {Symmetry(self.symmetry).value!r}"

    def _technique_lists(self) -> tuple[list[str] | None, list[list[str]]]:
        """Return the techniques that must suffice (None if nothing is required) and the lists that must not."""
        wanted, barred = self._wanted, select_techniques(self.without)
        level = Level(self.level) if self.level is not None else None
        rules = [rule.name for rule in RULES]
        if level is Level.BEYOND and not wanted:
            return None, [rules]
        if level is None and not wanted and not any(technique.code for technique in barred):
            return None, []  # without some of the others, every puzzle is still solvable
        allowed = [technique for technique in self._allowed(wanted, level) if technique not in barred]
        insufficient = [[other.name for other in allowed if other != technique] for technique in wanted]
        if level is not None and level is not Level.EASY:
            insufficient.append([rule.name for rule in RULES if _LEVELS.index(rule.level) < _LEVELS.index(level)])
        return [technique.name for technique in allowed], insufficient

    def _allowed(self, wanted: list[Technique], level: Level | None) -> list[Technique]:
        if all(technique.code for technique in wanted):
            highest = _LEVELS.index(level or Level.VERY_HARD)
            return [rule for rule in RULES if _LEVELS.index(rule.level) <= highest]
        last = max(map(TECHNIQUES.index, wanted))
        return [technique for technique in TECHNIQUES[: last + 1] if technique.is_default or technique in wanted]

    def to_native(self) -> _core.PuzzleSpec:
        """Convert the specification to its native form."""
        solved_by, not_solved_by = self._technique_lists()
        empty = native_puzzle(Puzzle.empty(self.shape))
        er = None if self.se is None else self._er_range()
        return _core.PuzzleSpec(
            empty,
            self._groups,
            self.pattern is not None,
            self.givens,
            self.minimal,
            solved_by,
            not_solved_by,
            er,
            self.bias is Bias.CONTROLLED,
        )


def pattern_cells(pattern: str | Puzzle, box: BoxShape) -> list[int]:
    """Return the cells filled by a pattern."""
    if isinstance(pattern, Puzzle):
        cells = [cell for cell, digit in enumerate(pattern.cells) if digit]
        length = len(pattern.cells)
    else:
        text = "".join(checked_text("pattern", pattern).split())
        cells, length = [cell for cell, char in enumerate(text) if char not in ".0"], len(text)
    if length != box.size**2:
        raise SpecError(f"pattern of {length} cells, expected {box.size**2}: . or 0 for a blank, X for a given")
    return cells


def _member(kind: type[Enum], value: object, what: str) -> Enum:
    try:
        return kind(value)
    except ValueError:
        raise SpecError(unknown_name(what, str(value), [member.value for member in kind])) from None

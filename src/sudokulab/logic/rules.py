"""The ten deduction rules and their application to a puzzle.

A rule is a row of `RULES`; its index is its position in the standard order. The native core searches for its pattern;
`sudokulab.logic.hints` phrases the sentence that explains it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from sudokulab import _core
from sudokulab._internal.native import candidate_array, native_puzzle
from sudokulab.errors import ParameterError, SudokulabError
from sudokulab.formats.coercion import PuzzleLike, as_puzzle
from sudokulab.puzzle import Puzzle, cell_name

__all__ = ["RULES", "Deduction", "Level", "Rule", "Rules", "Step", "deduce", "rule_numbers"]


class Level(Enum):
    """How hard a puzzle is for a person."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    VERY_HARD = "very hard"
    BEYOND = "beyond"
    """The rules do not solve the puzzle."""

    @classmethod
    def _missing_(cls, value: object) -> Level | None:
        """Accept any case, and ``very-hard`` or ``very_hard`` for ``very hard``."""
        text = str(value).strip().lower().replace("-", " ").replace("_", " ")
        return next((level for level in cls if level.value == text), None)


@dataclass(frozen=True)
class Rule:
    """A deduction rule: its name in the paper, its common name, and the level of puzzles that need it."""

    name: str
    title: str
    level: Level


RULES: tuple[Rule, ...] = (
    Rule("NS", "naked single", Level.EASY),
    Rule("HS", "hidden single", Level.EASY),
    Rule("BRC", "box-line interaction", Level.MEDIUM),
    Rule("RCB", "line-box interaction", Level.MEDIUM),
    Rule("NP", "naked pair", Level.HARD),
    Rule("HP", "hidden pair", Level.HARD),
    Rule("NT", "naked triplet", Level.VERY_HARD),
    Rule("HT", "hidden triplet", Level.VERY_HARD),
    Rule("NQ", "naked quadruplet", Level.VERY_HARD),
    Rule("HQ", "hidden quadruplet", Level.VERY_HARD),
)
"""The rules in standard order, which is also the order of the core's `Rule`."""

Rules = Sequence[str] | str
"""Rules by name, in order: a list, or text such as ``NS,HS,BRC``."""

_NUMBERS = {rule.name: number for number, rule in enumerate(RULES)}


@dataclass(frozen=True)
class Step:
    """One application of a rule.

    Parameters
    ----------
    rule
        The applied rule.
    unit
        The unit that contains the pattern, such as ``row 4``; empty for a naked single.
    other_unit
        For an interaction, the unit that loses candidates.
    cells, digits
        The pattern.
    placements
        The filled cells, with their digits.
    eliminations
        The removed candidates, as pairs of cell and digit.
    """

    rule: Rule
    unit: str
    other_unit: str
    cells: tuple[int, ...]
    digits: tuple[int, ...]
    placements: tuple[tuple[int, int], ...]
    eliminations: tuple[tuple[int, int], ...]

    def to_dict(self, size: int) -> dict[str, object]:
        """Return the step as JSON-compatible data."""
        return {
            "rule": self.rule.name,
            "unit": self.unit,
            **({"other_unit": self.other_unit} if self.other_unit else {}),
            "cells": [cell_name(cell, size) for cell in self.cells],
            "digits": list(self.digits),
            "placements": [[cell_name(cell, size), digit] for cell, digit in self.placements],
            "eliminations": [[cell_name(cell, size), digit] for cell, digit in self.eliminations],
        }


@dataclass(frozen=True, repr=False, eq=False)  # arrays have no single truth value for ==
class Deduction:
    """The result of applying rules to a puzzle.

    Parameters
    ----------
    puzzle
        The puzzle with every cell filled that the rules could fill.
    candidates
        The remaining candidates, of shape (size, size, size), indexed by ``[row, col, digit - 1]``.
    is_contradiction
        Whether the rules proved that there is no solution.
    firings
        How often each rule was applied, by name.
    highest
        The last rule needed, in the given order; None if none was.
    steps
        The steps in order, if requested.
    """

    puzzle: Puzzle
    candidates: NDArray[np.bool_]
    is_contradiction: bool
    firings: Mapping[str, int]
    highest: Rule | None
    steps: tuple[Step, ...] = ()

    def __repr__(self) -> str:
        state = "contradiction" if self.is_contradiction else "solved" if self.is_solved else "open"
        return f"<Deduction {state}, {sum(self.firings.values())} firings, {self.puzzle!r}>"

    @property
    def is_solved(self) -> bool:
        """Whether every cell is filled."""
        return self.puzzle.is_full and not self.is_contradiction


def deduce(
    puzzle: PuzzleLike, rules: Rules | None = None, *, steps: bool = False, max_steps: int | None = None
) -> Deduction:
    """Apply rules in order until nothing changes; each rule applies only after all earlier ones are exhausted.

    Parameters
    ----------
    puzzle
        The puzzle to work on.
    rules
        The names of the rules in the order they are tried, as a list or as text (``"NS,HS"``); by default all ten in
        standard order.
    steps
        Whether to record the steps.
    max_steps
        Stop after this many steps, and record them; by default there is no limit.

    References
    ----------
    P. San Segundo and A. Jiménez, "Using graphs to derive CSP heuristics and its application to Sudoku", 2009, section
    3.1.

    Examples
    --------
    >>> deduction = deduce("1.....3..4.....2")
    >>> deduction.is_solved, deduction.highest.title
    (True, 'naked single')
    """
    puzzle = as_puzzle(puzzle)
    order = rule_numbers(rules)
    if max_steps is not None and max_steps < 1:
        raise ParameterError(f"max_steps: {max_steps}, expected 1 or more")
    limit = max_steps or (2**62 if steps else 0)
    found = _core.deduce(native_puzzle(puzzle), order, limit)
    return Deduction(
        puzzle=Puzzle(puzzle.cells if found.is_contradiction else found.grid, puzzle.box, name=puzzle.name),
        candidates=candidate_array(found.candidates, puzzle.size),
        is_contradiction=found.is_contradiction,
        firings={rule.name: number for rule, number in zip(RULES, found.firings, strict=True)},
        highest=None if found.highest < 0 else RULES[order[found.highest]],
        steps=tuple(_step(step, puzzle.size) for step in found.steps),
    )


def rule_numbers(rules: Rules | None) -> list[int]:
    """Convert rule names, as a list or comma-separated text, to the core's rule numbers; None means all rules."""
    if rules is None:
        return list(range(len(RULES)))
    names = [name.strip().upper() for name in (rules.split(",") if isinstance(rules, str) else rules)]
    for name in names:
        if name not in _NUMBERS:
            raise SudokulabError(f"no rule named {name!r}, expected some of {', '.join(_NUMBERS)}")
    return [_NUMBERS[name] for name in names]


def _step(step: _core.Step, size: int) -> Step:
    return Step(
        rule=RULES[step.rule],
        unit=_unit_name(step.unit, size),
        other_unit=_unit_name(step.other_unit, size),
        cells=tuple(step.cells),
        digits=tuple(step.digits),
        placements=tuple(step.placements),
        eliminations=tuple(step.eliminations),
    )


def _unit_name(unit: int, size: int) -> str:
    return "" if unit < 0 else f"{('row', 'column', 'box')[unit // size]} {unit % size + 1}"

"""The next step, or all steps to the solution, explained in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from sudokulab import _core
from sudokulab._internal.native import native_budget, native_puzzle
from sudokulab.budget import Budget
from sudokulab.formats.coercion import PuzzleLike, as_puzzle
from sudokulab.formats.symbols import alphabet
from sudokulab.logic.rules import Rules, Step, deduce
from sudokulab.puzzle import Puzzle, cell_name

__all__ = ["HINT_BUDGET", "Ending", "Explanation", "describe", "explain", "hint"]


class Ending(Enum):
    """How an explanation ends."""

    SOLVED = "solved"
    OPEN = "open"
    """More steps follow, but fewer were requested."""
    STUCK = "stuck"
    """The rules make no further progress."""
    NO_SOLUTION = "no solution"
    SEVERAL_SOLUTIONS = "several solutions"
    UNKNOWN = "unknown"
    """The budget ran out before the number of solutions was known."""


_LAST_WORDS = {
    Ending.SOLVED: "The puzzle is solved.",
    Ending.OPEN: "",
    Ending.STUCK: "The rules make no further progress here.",
    Ending.NO_SOLUTION: "The puzzle has no solution.",
    Ending.SEVERAL_SOLUTIONS: "The puzzle has several solutions, so no step is certain.",
    Ending.UNKNOWN: "Time ran out before it was clear whether the solution is unique.",
}


@dataclass(frozen=True, eq=False, repr=False)  # arrays have no single truth value for ==
class Explanation:
    """Steps from a puzzle towards its solution.

    Parameters
    ----------
    puzzle
        The starting point.
    steps
        The steps in order; empty unless the solution is unique.
    ending
        How the explanation ends.
    states
        The candidates before each step and after the last, as arrays of shape (size, size, size) indexed by
        ``[row, col, digit - 1]``.
    """

    puzzle: Puzzle
    steps: tuple[Step, ...]
    ending: Ending
    states: tuple[NDArray[np.bool_], ...]

    @property
    def sentences(self) -> list[str]:
        """The steps as sentences, followed by a closing sentence unless more steps follow."""
        words = [describe(step, self.puzzle.size) for step in self.steps]
        return [*words, *filter(None, [_LAST_WORDS[self.ending]])]

    def __repr__(self) -> str:
        number = f"{len(self.steps)} step{'' if len(self.steps) == 1 else 's'}"
        return f"<Explanation {self.ending.value}, {number}, {self.puzzle!r}>"

    def __str__(self) -> str:
        """Return the steps as a numbered list, followed by the closing sentence."""
        leads = [f"{number}. " for number in range(1, len(self.steps) + 1)]
        return "\n".join(lead + sentence for lead, sentence in zip_longest(leads, self.sentences, fillvalue=""))

    def filled(self, number: int) -> Puzzle:
        """Return the puzzle before a step: the givens and the digits placed by earlier steps."""
        cells = bytearray(self.puzzle.cells)
        for step in self.steps[:number]:
            for cell, digit in step.placements:
                cells[cell] = digit
        return Puzzle(bytes(cells), self.puzzle.box)

    def to_dict(self) -> dict[str, object]:
        """Return the explanation as JSON-compatible data."""
        size = self.puzzle.size
        return {
            "puzzle": self.puzzle.line,
            "ending": self.ending.value,
            "steps": [{**step.to_dict(size), "sentence": describe(step, size)} for step in self.steps],
        }


HINT_BUDGET = Budget(seconds=0.8)
"""Budget that keeps a hint within one second, including the uniqueness check."""


def hint(puzzle: PuzzleLike, rules: Rules | None = None, *, budget: Budget | None = HINT_BUDGET) -> Explanation:
    """Return an explanation with at most one step, the next one; see `explain`.

    Examples
    --------
    >>> print(hint("1.....3..4.....2"))
    1. r3c3 can only be 1.
    """
    return _explain(puzzle, rules, 1, budget)


def explain(puzzle: PuzzleLike, rules: Rules | None = None, *, budget: Budget | None = None) -> Explanation:
    """Return an explanation with all steps, up to the solution or as far as the rules go.

    Parameters
    ----------
    puzzle
        The puzzle to explain.
    rules
        The rules in the order they are tried; by default all ten in standard order.
    budget
        The budget of the uniqueness check.
    """
    return _explain(puzzle, rules, None, budget)


def _explain(puzzle: PuzzleLike, rules: Rules | None, max_steps: int | None, budget: Budget | None) -> Explanation:
    puzzle = as_puzzle(puzzle)
    start = deduce(puzzle, []).candidates
    # if rules fill the whole grid, that proves the solution unique
    if not deduce(puzzle, rules).is_solved:
        number, is_exact = _core.Auto().count(native_puzzle(puzzle), 2, native_budget(budget))
        if not is_exact:
            return Explanation(puzzle, (), Ending.UNKNOWN, (start,))
        if number != 1:
            return Explanation(puzzle, (), Ending.SEVERAL_SOLUTIONS if number else Ending.NO_SOLUTION, (start,))
    deduction = deduce(puzzle, rules, steps=True, max_steps=max_steps)
    is_cut_short = len(deduction.steps) == max_steps
    ending = Ending.SOLVED if deduction.is_solved else Ending.OPEN if is_cut_short else Ending.STUCK
    states = [start]
    for step in deduction.steps:
        states.append(_after(step, states[-1], puzzle.size))
    return Explanation(puzzle, deduction.steps, ending, tuple(states))


def _after(step: Step, state: NDArray[np.bool_], size: int) -> NDArray[np.bool_]:
    state = state.copy()
    for cell, digit in step.eliminations:
        state[cell // size, cell % size, digit - 1] = False
    for cell, digit in step.placements:
        state[cell // size, cell % size] = np.arange(1, size + 1) == digit
    return state


def describe(step: Step, size: int) -> str:
    """Describe in one sentence what a step does and why."""
    symbols = alphabet(size)
    cells = _join([cell_name(cell, size) for cell in step.cells])
    digits = _join([symbols[digit - 1] for digit in step.digits])
    match step.rule.name:
        case "NS":
            return f"{cells} can only be {digits}."
        case "HS":
            return f"In {step.unit}, {digits} can only go in {cells}."
        case "BRC" | "RCB":
            reason = f"In {step.unit}, {digits} can only go in the cells shared with {step.other_unit}"
            return f"{reason}, so {_removals(step, size)}."
        case "NP" | "NT" | "NQ":
            return f"In {step.unit}, {cells} can only hold {digits}, so {_removals(step, size)}."
        case _:
            return f"In {step.unit}, {digits} can only go in {cells}, so no other digits can go there."


def _removals(step: Step, size: int) -> str:
    """Describe the eliminations: "1 can be removed from r1c3, and 2 from r1c3 and r1c4"."""
    cells_of: dict[int, list[int]] = {}
    for cell, digit in sorted(step.eliminations):
        cells_of.setdefault(digit, []).append(cell)
    parts: list[str] = []
    for digit, cells in sorted(cells_of.items()):
        verb = " can be removed" if not parts else ""
        parts.append(f"{alphabet(size)[digit - 1]}{verb} from {_join([cell_name(cell, size) for cell in cells])}")
    return ", and ".join(parts)


def _join(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)

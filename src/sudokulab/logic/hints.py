"""The next step, or all steps to the solution, explained in sentences."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from enum import Enum
from html import escape
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from sudokulab import _core
from sudokulab._internal.native import native_budget, native_puzzle
from sudokulab.drawing.notebooks import figure
from sudokulab.formats.base import counted
from sudokulab.formats.coercion import PuzzleLike, as_puzzle
from sudokulab.logic.selection import Techniques, chosen_techniques
from sudokulab.logic.sentences import describe
from sudokulab.logic.steps import Step, deduce
from sudokulab.puzzle import BoxShape, Puzzle
from sudokulab.search.budget import Budget, checked_budget

__all__ = ["HINT_SECONDS", "Ending", "Explanation", "explain", "hint"]


class Ending(Enum):
    """How an explanation ends."""

    SOLVED = "solved"
    OPEN = "open"
    """More steps follow, but fewer were requested."""
    STUCK = "stuck"
    """The techniques make no further progress."""
    NO_SOLUTION = "no solution"
    SEVERAL_SOLUTIONS = "several solutions"
    STOPPED = "stopped"
    """The budget ran out before the next step was found."""
    UNKNOWN = "unknown"
    """The budget ran out before the number of solutions was known."""


_LAST_WORDS = {
    Ending.SOLVED: "The puzzle is solved.",
    Ending.OPEN: "",
    Ending.STUCK: "The techniques make no further progress here.",
    Ending.STOPPED: "Time ran out before the next step was found.",
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
        words = [describe(step, self.filled(number)) for number, step in enumerate(self.steps)]
        return [*words, *filter(None, [_LAST_WORDS[self.ending]])]

    def __repr__(self) -> str:
        return f"<Explanation {self.ending.value}, {counted(len(self.steps), 'step')}, {self.puzzle!r}>"

    def __str__(self) -> str:
        """Return the steps as a numbered list, followed by the closing sentence."""
        leads = [f"{number}. " for number in range(1, len(self.steps) + 1)]
        return "\n".join(lead + sentence for lead, sentence in zip_longest(leads, self.sentences, fillvalue=""))

    def _repr_html_(self) -> str:
        """Show the next step and all sentences in a notebook."""
        from sudokulab.logic.pictures import svg_of_step  # which imports this module

        items = "".join(f"<li>{escape(sentence)}</li>" for sentence in self.sentences[: len(self.steps)])
        ending = "".join(f"<p>{escape(sentence)}</p>" for sentence in self.sentences[len(self.steps) :])
        return f"{figure(svg_of_step(self))}<ol>{items}</ol>{ending}"

    def filled(self, number: int) -> Puzzle:
        """Return the puzzle before a step: the givens and the digits placed by earlier steps."""
        cells = bytearray(self.puzzle.cells)
        for step in self.steps[:number]:
            for cell, digit in step.placements:
                cells[cell] = digit
        return Puzzle(bytes(cells), self.puzzle.box)

    def to_dict(self) -> dict[str, object]:
        """Return the explanation as JSON-compatible data."""
        steps = [
            {**step.to_dict(), "sentence": sentence} for step, sentence in zip(self.steps, self.sentences, strict=False)
        ]
        return {"puzzle": self.puzzle.line, "ending": self.ending.value, "steps": steps}


HINT_SECONDS = 0.8
"""Time limit that keeps a hint within one second, including the uniqueness check."""
_HINT_BUDGET = Budget(seconds=HINT_SECONDS)


def hint(
    puzzle: PuzzleLike,
    techniques: Techniques | None = None,
    *,
    without: Techniques = (),
    budget: Budget | None = _HINT_BUDGET,
) -> Explanation:
    """Return an explanation with at most one step, the next one; see `explain`.

    Examples
    --------
    >>> print(hint("1.....3..4.....2"))
    1. Hidden single: in box 1, 3 fits only in r1c2, because the 3 in r2c3 blocks the other open cells.
    """
    return explain(puzzle, techniques, without=without, max_steps=1, budget=budget)


def explain(
    puzzle: PuzzleLike,
    techniques: Techniques | None = None,
    *,
    without: Techniques = (),
    max_steps: int | None = None,
    budget: Budget | None = None,
) -> Explanation:
    """Return an explanation with all steps, up to the solution or as far as the techniques go.

    Parameters
    ----------
    puzzle
        The puzzle to explain.
    techniques
        The techniques in the order to try them, as a list or as text: names of techniques or families
        (``"singles,x-wing"``), or codes of rules (``"NS,HS"``). By default, all techniques of `TECHNIQUES` with
        ``is_default``, from easy to hard, which solve every puzzle up to size 25; the ten rules on larger grids.
    without
        Techniques or families to leave out, such as ``"uniqueness"``.
    max_steps
        Stop after this many steps; by default there is no limit.
    budget
        A limit in seconds, for the uniqueness check and for the steps.
    """
    puzzle = as_puzzle(puzzle)
    order = chosen_techniques(techniques, without, puzzle.size)
    budget = checked_budget(budget, "an explanation", None)
    start_time = time.perf_counter()
    start = deduce(puzzle, []).candidates
    number, is_exact = _core.Auto().count(native_puzzle(puzzle), 2, native_budget(budget))
    if is_exact and number != 1:
        return Explanation(puzzle, (), Ending.SEVERAL_SOLUTIONS if number else Ending.NO_SOLUTION, (start,))
    if not is_exact:  # steps that do not assume a unique solution may prove it
        order = [technique for technique in order if not technique.assumes_uniqueness]
    if budget and budget.seconds is not None:
        budget = replace(budget, seconds=max(0.0, budget.seconds - (time.perf_counter() - start_time)))
    deduction = deduce(puzzle, [technique.name for technique in order], steps=True, max_steps=max_steps, budget=budget)
    if not is_exact and not deduction.is_solved:
        return Explanation(puzzle, (), Ending.UNKNOWN, (start,))
    is_cut_short = len(deduction.steps) == max_steps
    ending = Ending.STOPPED if deduction.is_stopped else Ending.OPEN if is_cut_short else Ending.STUCK
    ending = Ending.SOLVED if deduction.is_solved else ending
    states = [start]
    for step in deduction.steps:
        states.append(_after(step, states[-1], puzzle.box))
    return Explanation(puzzle, deduction.steps, ending, tuple(states))


def _after(step: Step, state: NDArray[np.bool_], box: BoxShape) -> NDArray[np.bool_]:
    """Return the candidates after a step. A placed digit disappears from all cells that see it."""
    state, size = state.copy(), box.size
    for cell, digit in step.eliminations:
        state[cell // size, cell % size, digit - 1] = False
    for cell, digit in step.placements:
        row, col, number = box.units_of(cell)
        top, left = number // box.rows * box.rows, number % box.rows * box.cols
        state[row, :, digit - 1] = state[:, col, digit - 1] = False
        state[top : top + box.rows, left : left + box.cols, digit - 1] = False
        state[row, col] = np.arange(1, size + 1) == digit
    return state

"""Steps of techniques as JSON, with what a page needs to draw them, and steps from the state of a player."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from sudokulab import _core
from sudokulab._internal.native import candidate_array, candidate_masks, native_budget, native_puzzle
from sudokulab.errors import BudgetError, ParameterError, PuzzleError
from sudokulab.logic import Ending, Explanation, describe
from sudokulab.logic.hints import explain
from sudokulab.logic.pictures import shown_links
from sudokulab.logic.selection import chosen_techniques
from sudokulab.logic.steps import Candidate, Link, Step, cells_of_unit, deduce, native_order, step_of
from sudokulab.puzzle import BoxShape, Puzzle, cell_name
from sudokulab.questions import solutions
from sudokulab.search.budget import Budget

__all__ = ["PlayerState", "explain_from", "marks_of", "step_to_json"]


def step_to_json(step: Step, board: Puzzle, candidates: NDArray[np.bool_]) -> dict[str, object]:
    """Return a step as JSON-compatible data.

    Parameters
    ----------
    step
        The step.
    board, candidates
        The digits and the candidates before the step.
    """
    return {
        **step.to_dict(),
        "name": step.technique.title,
        "sentence": describe(step, board),
        "board": list(board.cells),
        "candidates": candidate_masks(candidates),
        "marks": marks_of(step, board.box),
    }


def marks_of(step: Step, box: BoxShape) -> dict[str, object]:
    """Return what to draw for a step; see `MarksBody`."""
    return {
        "cells": list(step.cells),
        "units": [[unit.split()[0], *cells_of_unit(unit, box)] for unit in step.units],
        "candidates": [[cell, digit, role] for (cell, digit), role in _roles(step).items()],
        "links": list(_links(step)),
        "placements": [list(pair) for pair in step.placements],
        "eliminations": [list(pair) for pair in step.eliminations],
    }


def _roles(step: Step) -> dict[Candidate, str]:
    """Return the role of each candidate; later ones replace earlier ones."""
    roles = dict.fromkeys(step.candidates, "pattern")
    for number, node in enumerate(step.nodes):
        roles |= dict.fromkeys(node, "pattern" if step.is_chain else f"set-{chr(ord('a') + number % 26)}")
    for link in shown_links(step):
        for end in (link.start, link.end):
            roles.setdefault(end, "pattern")
    roles |= dict.fromkeys(step.fins, "fin")
    roles |= dict.fromkeys(step.eliminations, "eliminated")
    return roles | dict.fromkeys(step.placements, "placed")


def _links(step: Step) -> Iterator[dict[str, object]]:
    links: Sequence[Link] = shown_links(step)
    has_nodes = step.is_chain and len(step.nodes) == len(links) + 1
    for number, link in enumerate(links):
        start, end = (step.nodes[number], step.nodes[number + 1]) if has_nodes else ((link.start,), (link.end,))
        yield {"from": [list(pair) for pair in start], "to": [list(pair) for pair in end], "is_strong": link.is_strong}


@dataclass(frozen=True)
class PlayerState:
    """What a player has filled in.

    Parameters
    ----------
    puzzle
        The givens.
    board
        The givens and the player's digits.
    masks
        The candidates that the player has left, one mask per cell; None if there are no pencil marks.

    Raises
    ------
    SudokulabError
        If the parts do not belong together.
    """

    puzzle: Puzzle
    board: Puzzle
    masks: list[int] | None = None

    def __post_init__(self) -> None:
        if self.board.box != self.puzzle.box:
            raise PuzzleError(f"the board has {self.board.box} boxes, but the puzzle {self.puzzle.box}")
        for cell, (given, digit) in enumerate(zip(self.puzzle.cells, self.board.cells, strict=True)):
            if given and digit != given:
                raise PuzzleError(f"the board lacks the given {given} in {cell_name(cell, self.puzzle.size)}")
        if self.masks is not None and len(self.masks) != len(self.puzzle.cells):
            raise ParameterError(f"candidates: {len(self.masks)} masks; send {len(self.puzzle.cells)}, one per cell")
        if self.masks is not None and not all(0 <= mask < 1 << self.puzzle.size for mask in self.masks):
            raise ParameterError(f"candidates: send masks from 0 to {(1 << self.puzzle.size) - 1}")

    @property
    def full_masks(self) -> list[int]:
        """The masks, with all candidates where the player has marked none."""
        everything = (1 << self.puzzle.size) - 1
        return [mask or everything for mask in self.masks or [0] * len(self.puzzle.cells)]

    def mistakes(self, solution: Puzzle) -> tuple[list[int], list[int]]:
        """Return the cells with a wrong digit, and the open cells whose marks lack the digit of the solution."""
        board, right = self.board.cells, solution.cells
        digits = [cell for cell, digit in enumerate(board) if digit and digit != right[cell]]
        marks = [
            cell for cell, mask in enumerate(self.full_masks) if not board[cell] and not mask >> (right[cell] - 1) & 1
        ]
        return digits, marks


def explain_from(
    state: PlayerState, techniques: str | None, without: str, max_steps: int | None, seconds: float
) -> dict[str, object]:
    """Return the steps from a player's state towards the solution as JSON-compatible data; see `ExplainResponse`."""
    deadline = time.monotonic() + seconds
    solutions = _solutions(state.puzzle, seconds)
    if len(solutions) == 1:
        wrong_cells, wrong_candidates = state.mistakes(solutions[0])
        if wrong_cells or wrong_candidates:
            return _mistakes(wrong_cells, wrong_candidates, state.puzzle.size)
    if len(solutions) != 1 or state.masks is None:
        found = explain(
            state.board, techniques, without=without, max_steps=max_steps, budget=Budget(seconds=_left(deadline))
        )
    else:
        found = _walk(state, techniques, without, max_steps, deadline)
    steps = [step_to_json(step, found.filled(place), found.states[place]) for place, step in enumerate(found.steps)]
    closing = found.sentences[len(found.steps) :]
    return _response(found.ending.value, steps, closing[0] if closing else "")


def _solutions(puzzle: Puzzle, seconds: float) -> list[Puzzle]:
    """Return up to two solutions; none if the time ran out."""
    try:
        return list(islice(solutions(puzzle, seconds=seconds), 2))
    except BudgetError:
        return []


def _response(ending: str, steps: list[dict[str, object]], closing: str) -> dict[str, object]:
    return {"ending": ending, "steps": steps, "closing": closing, "wrong_cells": [], "wrong_candidates": []}


def _left(deadline: float) -> float:
    return max(0.0, deadline - time.monotonic())


def _mistakes(cells: list[int], marks: list[int], size: int) -> dict[str, object]:
    if cells:
        verb = "is" if len(cells) == 1 else "are"
        words = f"{_listed(cells, size)} {verb} wrong."
    else:
        words = f"The pencil marks of {_listed(marks, size)} lack the right digit."
    return {**_response("mistakes", [], words), "wrong_cells": cells, "wrong_candidates": marks}


def _listed(cells: list[int], size: int) -> str:
    names = [cell_name(cell, size) for cell in cells]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _walk(
    state: PlayerState, techniques: str | None, without: str, max_steps: int | None, deadline: float
) -> Explanation:
    """Take the first instance of the first technique that applies to the player's candidates, again and again."""
    size = state.puzzle.size
    order = native_order(chosen_techniques(techniques, without, size), size)
    board, masks = bytearray(state.board.cells), state.full_masks
    steps: list[Step] = []
    states = [_candidates(bytes(board), masks, state)]
    ending = Ending.OPEN
    while max_steps is None or len(steps) < max_steps:
        if all(board):
            ending = Ending.SOLVED
            break
        step = _next_step(state.puzzle, bytes(board), masks, order, deadline)
        if step is None:
            ending = Ending.STUCK if _left(deadline) > 0 else Ending.STOPPED
            break
        steps.append(step)
        for cell, digit in step.eliminations:
            masks[cell] &= ~(1 << (digit - 1))
        for cell, digit in step.placements:
            board[cell], masks[cell] = digit, 1 << (digit - 1)
        states.append(_candidates(bytes(board), masks, state))
    if ending is Ending.OPEN and all(board):
        ending = Ending.SOLVED
    return Explanation(state.board, tuple(steps), ending, tuple(states))


def _next_step(puzzle: Puzzle, board: bytes, masks: list[int], order: list[str], deadline: float) -> Step | None:
    placed = [(cell, digit) for cell, digit in enumerate(board) if digit and not puzzle.cells[cell]]
    native = native_puzzle(puzzle)
    for name in order:
        if _left(deadline) <= 0:
            return None
        budget = native_budget(Budget(seconds=_left(deadline)))
        found = _core.find_steps(native, masks, name, placed, budget)
        if found:
            return step_of(found[0], puzzle.box)
    return None


def _candidates(board: bytes, masks: list[int], state: PlayerState) -> NDArray[np.bool_]:
    """Return the candidates that the digits on the board and the player's marks leave."""
    size = state.puzzle.size
    left = deduce(Puzzle(board, state.puzzle.box), []).candidates
    return left & candidate_array(masks, size)

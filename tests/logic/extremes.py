"""Puzzles with exotic techniques, and their boards on which basic techniques no longer apply."""

from __future__ import annotations

import sudokulab
from sudokulab import Puzzle, _core
from sudokulab._internal.native import native_puzzle
from sudokulab.solvers import Dlx
from tests.logic.boards import Board
from tests.puzzles import INKALA

EASTER_MONSTER = sudokulab.parse("1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1")
GOLDEN_NUGGET = sudokulab.parse(".......39....1...5..3..58....8..9..6.7..2....1..4.......9..8.5..2....6..4..7.....")
FATA_MORGANA = sudokulab.parse("........3..1..56...9..4..7......9.5.7.......8.5.4.2....8..2..9...35..1..6........")
PLATINUM_BLONDE = sudokulab.parse(".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6...")
COMPENDIUM_2 = sudokulab.parse("..2.8..6767....8.....67......6...78..2..16.54..5...612.61...4.5..8.5.1.6457361298")
"""From the JExocet compendium; the forum explains its eliminations."""
TRIVALUE = sudokulab.parse("57....9..........8.1.........168..42...1.28.9..2.9416.....26....6.9.82.4...41.6..")
"""A tridagon with one guardian, discussed on the forum."""
FIREWORK = sudokulab.parse("1.....5.82.........4..9.7.6..3..2....26.8.9..5....92......73....8....1.....9...42")
EXTREMES = [EASTER_MONSTER, GOLDEN_NUGGET, FATA_MORGANA, PLATINUM_BLONDE, COMPENDIUM_2, TRIVALUE, FIREWORK, INKALA]
PATTERNS = ["junior-exocet", "tridagon", "fireworks", "sk-loop"]
BASIC = [
    "full-house",
    "hidden-single",
    "naked-single",
    "pointing",
    "claiming",
    *(f"{kind}-{size}" for size in ("pair", "triplet", "quad") for kind in ("naked", "hidden")),
]
NO_LIMIT = 100_000

Outcome = tuple[tuple[int, ...], frozenset[tuple[int, int]]]


class StuckBoard(Board):
    """The board of a puzzle on which singles, locked candidates and subsets no longer apply."""

    def __init__(self, puzzle: Puzzle) -> None:
        super().__init__(puzzle.box)
        self.native = native_puzzle(puzzle)
        deduced = _core.deduce(self.native, BASIC, NO_LIMIT, _core.Budget())
        self.masks = list(deduced.candidates)
        self.cells = [{digit for digit in range(1, self.size + 1) if mask >> digit - 1 & 1} for mask in self.masks]
        self.placed = [
            (number, digit) for number, digit in enumerate(deduced.grid) if digit and not puzzle.cells[number]
        ]
        self.is_open = [not digit for digit in deduced.grid]

    def remove(self, number: int, digit: int) -> None:
        self.cells[number].discard(digit)
        self.masks[number] &= ~(1 << digit - 1)

    def steps(self, technique: str) -> list[_core.Step]:
        return _core.find_steps(self.native, self.masks, technique, self.placed)


def is_open(board: Board, number: int) -> bool:
    return not isinstance(board, StuckBoard) or board.is_open[number]


def outcomes(board: Board, technique: str) -> list[Outcome]:
    return [(tuple(step.cells), frozenset(step.eliminations)) for step in board.steps(technique)]


def assert_sound(steps: list[_core.Step], solution: list[int]) -> None:
    for step in steps:
        assert all(solution[number] != digit for number, digit in step.eliminations), step.technique
        assert all(solution[number] == digit for number, digit in step.placements), step.technique
        assert len(set(step.eliminations)) == len(step.eliminations)
        assert step.eliminations or step.placements


def solution_of(puzzle: Puzzle) -> list[int]:
    grid = sudokulab.solve(puzzle, Dlx()).grid
    assert grid is not None
    digits: list[int] = grid.ravel().tolist()
    return digits

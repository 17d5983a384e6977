"""Boards of candidates for the tests of techniques."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from sudokulab import BoxShape, Puzzle, _core
from sudokulab._internal.native import native_puzzle
from sudokulab.logic import Technique

Candidates = set[tuple[int, int]]


def cell(name: str) -> int:
    """Return the number of a cell such as ``r1c1``."""
    return (int(name[1]) - 1) * 9 + int(name[3]) - 1


def row(number: int) -> list[int]:
    return [(number - 1) * 9 + position for position in range(9)]


def column(number: int) -> list[int]:
    return [position * 9 + number - 1 for position in range(9)]


def box(number: int) -> list[int]:
    first = (number - 1) // 3 * 27 + (number - 1) % 3 * 3
    return [first + position // 3 * 9 + position % 3 for position in range(9)]


def candidates(digits: Iterable[int], names: str) -> Candidates:
    return {(cell(name), digit) for digit in digits for name in names.split()}


def eliminated(steps: list[_core.Step]) -> Candidates:
    return {candidate for step in steps for candidate in step.eliminations}


class Board:
    """An empty board with all candidates, except for what a test restricts. Cell names are those of 9×9 boards."""

    def __init__(self, shape: tuple[int, int] = (3, 3)) -> None:
        self.shape = BoxShape(*shape)
        self.cells: list[set[int]] = [set(range(1, self.size + 1)) for _ in range(self.size**2)]

    @property
    def size(self) -> int:
        return self.shape.size

    def only(self, names: str, digits: Iterable[int]) -> Board:
        """Leave only these digits in the cells."""
        for name in names.split():
            self.cells[cell(name)] = set(digits)
        return self

    def confine(self, digit: int, unit: list[int], names: str) -> Board:
        """Leave the digit only in these cells of the unit."""
        kept = {cell(name) for name in names.split()}
        for number in set(unit) - kept:
            self.cells[number].discard(digit)
        return self

    def only_at(self, digit: int, names: str) -> Board:
        """Leave the digit only in these cells of the whole board."""
        return self.confine(digit, list(range(81)), names)

    def units(self) -> list[list[int]]:
        """Return the cells of the rows, columns and boxes, in the order of the core."""
        size, (rows, cols) = self.size, self.shape
        lines = [[line * size + position for position in range(size)] for line in range(size)]
        columns = [[position * size + line for position in range(size)] for line in range(size)]
        corners = [(top, left) for top in range(0, size, rows) for left in range(0, size, cols)]
        boxes = [[(top + i) * size + left + j for i in range(rows) for j in range(cols)] for top, left in corners]
        return lines + columns + boxes

    def peers(self) -> list[set[int]]:
        """Return the cells that each cell sees."""
        seen: list[set[int]] = [set() for _ in self.cells]
        for unit in self.units():
            for number in unit:
                seen[number] |= set(unit) - {number}
        return seen

    def positions(self, digit: int) -> set[int]:
        return {number for number, digits in enumerate(self.cells) if digit in digits}

    def steps(self, technique: str) -> list[_core.Step]:
        masks = [sum(1 << digit - 1 for digit in digits) for digits in self.cells]
        return _core.find_steps(native_puzzle(Puzzle.empty(self.shape)), masks, technique)


def random_board(shape: tuple[int, int], density: float, seed: int) -> tuple[Board, list[int]]:
    """Return a board that has a solution and other candidates at random, and the solution."""
    rng = random.Random(seed)
    board = Board(shape)
    (rows, cols), size = shape, board.size
    digits = rng.sample(range(1, size + 1), size)
    bands = [rng.sample(range(rows), rows) for _ in range(cols)]
    stacks = [rng.sample(range(cols), cols) for _ in range(rows)]
    row_order = [band * rows + line for band in rng.sample(range(cols), cols) for line in bands[band]]
    column_order = [stack * cols + line for stack in rng.sample(range(rows), rows) for line in stacks[stack]]
    solution = [
        digits[(cols * (line % rows) + line // rows + position) % size]
        for line in row_order
        for position in column_order
    ]
    for number, digit in enumerate(solution):
        board.cells[number] = {digit} | {other for other in range(1, size + 1) if rng.random() < density}
    return board, solution


LARGE_FISH = {"jellyfish", "squirmbag", "whale", "leviathan"}
"""Sizes of fish that have very many instances with boxes or fins."""


def has_many_instances(technique: Technique) -> bool:
    """Return whether a technique has too many instances to list on 9×9 boards with random candidates."""
    words = set(technique.name.split("-"))
    is_large_fish = bool(words & LARGE_FISH and words & {"finned", "sashimi", "franken", "mutant"})
    is_set = technique.family == "almost-locked-sets" and technique.name != "sue-de-coq"
    return is_large_fish or is_set or "als" in words or technique.name == "nested-forcing-chains"


def sample_boards(technique: Technique, seeds: Iterable[int]) -> Iterator[tuple[Board, list[int]]]:
    """Yield random boards with a solution, of several sizes, on which the technique is quickly listed."""
    shapes = [((2, 2), 0.5), ((2, 3), 0.3)]
    if not has_many_instances(technique):
        shapes += [((3, 3), 0.12), ((3, 3), 0.2), ((3, 4), 0.1)]
    for seed in seeds:
        for shape, density in shapes:
            yield random_board(shape, density, seed)

"""Full grids with every digit once in each box, in plain Python: the states of the swap searches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from sudokulab import Puzzle
from tests.rng import Rng

Move = TypeVar("Move")


def boxes_of(puzzle: Puzzle) -> list[list[int]]:
    """Return the cells of each box."""
    size, (rows, cols) = puzzle.size, (puzzle.box.rows, puzzle.box.cols)
    corners = [(row, col) for row in range(0, size, rows) for col in range(0, size, cols)]
    return [[(row + i) * size + col + j for i in range(rows) for j in range(cols)] for row, col in corners]


def fill_at_random(cells: bytes, boxes: Sequence[Sequence[int]], rng: Rng) -> bytes:
    """Give the blanks of each box its missing digits in random order."""
    filled = bytearray(cells)
    for box in boxes:
        missing = sorted(set(range(1, len(box) + 1)) - {cells[cell] for cell in box})
        rng.shuffle(missing)
        for cell, digit in zip([cell for cell in box if not cells[cell]], missing, strict=True):
            filled[cell] = digit
    return bytes(filled)


def swapped(cells: bytes, first: int, second: int) -> bytes:
    """Return the grid with the digits of two cells swapped."""
    result = bytearray(cells)
    result[first], result[second] = cells[second], cells[first]
    return bytes(result)


def lines_of(cells: bytes, size: int) -> list[bytes]:
    """Return the rows, then the columns."""
    return [cells[size * i : size * (i + 1)] for i in range(size)] + [cells[i::size] for i in range(size)]


def cost_of(cells: bytes, size: int) -> int:
    """Count the digits missing from rows and columns."""
    return sum(size - len(set(line)) for line in lines_of(cells, size))


def occurrences(cells: bytes, cell: int, size: int) -> int:
    """Count the digit of a cell in its row and in its column."""
    row, col = divmod(cell, size)
    digit = cells[cell]
    return cells[row * size : (row + 1) * size].count(digit) + cells[col::size].count(digit)


class Cheapest(Generic[Move]):
    """The cheapest of the moves offered; one of n equally cheap moves is drawn with probability 1/n."""

    def __init__(self, rng: Rng) -> None:
        self.rng = rng
        self.move: Move | None = None
        self.cost = float("inf")
        self.num_equal = 0

    def offer(self, move: Move, cost: int) -> None:
        if cost < self.cost:
            self.move, self.cost, self.num_equal = move, cost, 1
        elif cost == self.cost:
            self.num_equal += 1
            if self.rng.below(self.num_equal) == 0:
                self.move = move

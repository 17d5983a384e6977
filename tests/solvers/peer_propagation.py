"""The propagation of Lloyd & Amos (2019, section 3.1), written for clarity: sets, recursion and no bookkeeping."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sudokulab import BoxShape, Puzzle

Order = Callable[[Sequence[int]], Sequence[int]]


class SlowBoard:
    """The value sets of a grid. Setting a cell applies the two rules to its peers, recursively.

    Parameters
    ----------
    box
        The box shape.
    order
        Rearranges the peers before they are visited.
    """

    def __init__(self, box: BoxShape, order: Order = list) -> None:
        self.box = box
        self.sets = [set(range(1, box.size + 1)) for _ in range(box.size**2)]
        self._order = order

    def copy(self) -> SlowBoard:
        other = SlowBoard(self.box, self._order)
        other.sets = [set(values) for values in self.sets]
        return other

    def units(self, cell: int) -> list[list[int]]:
        """Return the cells of the row, the column and the box of a cell."""
        size, (rows, cols) = self.box.size, (self.box.rows, self.box.cols)
        row, col = divmod(cell, size)
        top, left = row // rows * rows, col // cols * cols
        return [
            [row * size + i for i in range(size)],
            [i * size + col for i in range(size)],
            [(top + i) * size + left + j for i in range(rows) for j in range(cols)],
        ]

    def peers(self, cell: int) -> Sequence[int]:
        """Return the cells in the order in which the authors' program visits them, some of them twice."""
        row, column, box = self.units(cell)
        return self._order([peer for three in zip(box, column, row, strict=True) for peer in three])

    def set_cell(self, cell: int, value: int) -> None:
        self.sets[cell] = {value}
        for peer in self.peers(cell):
            if len(self.sets[peer]) > 1:
                self.constrain(peer)

    def constrain(self, cell: int) -> None:
        others = [[other for other in unit if other != cell] for unit in self.units(cell)]
        fixed = {value for unit in others for other in unit if len(self.sets[other]) == 1 for value in self.sets[other]}
        left = self.sets[cell] - fixed
        if len(left) == 1:
            self.set_cell(cell, left.pop())
            return
        self.sets[cell] = left
        for unit in others:
            only_here = left.difference(*(self.sets[other] for other in unit))
            if len(only_here) == 1:
                self.set_cell(cell, only_here.pop())
                return

    @property
    def is_consistent(self) -> bool:
        return all(self.sets)

    @property
    def is_full(self) -> bool:
        return self.num_fixed == len(self.sets)

    @property
    def num_fixed(self) -> int:
        return sum(len(values) == 1 for values in self.sets)

    @property
    def cells(self) -> bytes:
        """The fixed values, 0 for cells with several values or none."""
        return bytes(min(values) if len(values) == 1 else 0 for values in self.sets)


def slow_board(puzzle: Puzzle, order: Order = list) -> SlowBoard:
    """Return the board after setting the givens in reading order."""
    board = SlowBoard(puzzle.box, order)
    for cell, digit in enumerate(puzzle.cells):
        if digit and len(board.sets[cell]) > 1:
            board.set_cell(cell, digit)
    return board


class SlowBacktracking:
    """Depth-first search on the first cell with the fewest values, which are tried in numeric order."""

    def __init__(self) -> None:
        self.num_nodes = 0
        """Values tried so far."""

    def solutions(self, board: SlowBoard) -> Iterator[bytes]:
        if board.is_full:
            yield board.cells
            return
        open_cells = [cell for cell, values in enumerate(board.sets) if len(values) > 1]
        cell = min(open_cells, key=lambda each: len(board.sets[each]))
        for value in sorted(board.sets[cell]):
            child = board.copy()
            child.set_cell(cell, value)
            self.num_nodes += 1
            if child.is_consistent:
                yield from self.solutions(child)

"""The words of sentences about steps: names of cells, digits, units and sets, and the conclusion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from operator import eq

from sudokulab.formats.symbols import alphabet
from sudokulab.logic.steps import Candidate, Step, cells_of_unit
from sudokulab.puzzle import BoxShape, Puzzle, cell_name

__all__ = ["Words", "join"]


class Words:
    """Names of the parts of a step.

    Parameters
    ----------
    step
        The step.
    board
        The puzzle before the step.
    """

    def __init__(self, step: Step, board: Puzzle) -> None:
        self.step, self.board, self.size = step, board, board.size
        self._symbols = alphabet(board.size)

    def cell(self, cell: int) -> str:
        """Name a cell: ``r1c2``."""
        return cell_name(cell, self.size)

    def cells(self, cells: Iterable[int], last: str = "and") -> str:
        """Name several cells: ``r1c2 and r1c3``."""
        return join([self.cell(cell) for cell in cells], last)

    def digit(self, digit: int) -> str:
        """Name a digit by its symbol."""
        return self._symbols[digit - 1]

    def digits(self, digits: Iterable[int], last: str = "and") -> str:
        """Name several digits: ``1, 2 and 5``."""
        return join([self.digit(digit) for digit in digits], last)

    @property
    def pattern_cells(self) -> str:
        """The cells of the pattern."""
        return self.cells(self.step.cells)

    @property
    def pattern_digits(self) -> str:
        """The digits of the pattern."""
        return self.digits(self.step.digits)

    def node(self, node: Sequence[Candidate]) -> str:
        """Name a node of a chain in the usual notation.

        A candidate is written as ``5r1c2``, a group as ``5r1c2/r1c3`` and an almost locked set as ``{r1c2, r1c3}``.
        """
        digits = {digit for _, digit in node}
        if len(digits) > 1:
            return self.cell_set(node)
        return self.digit(min(digits)) + "/".join(self.cell(cell) for cell in sorted({cell for cell, _ in node}))

    def cell_set(self, node: Sequence[Candidate]) -> str:
        """Name the cells of a set: ``{r1c2, r1c3}``."""
        return f"{{{', '.join(self.cell(cell) for cell in sorted({cell for cell, _ in node}))}}}"

    def set_of(self, node: Sequence[Candidate]) -> str:
        """Name a set of cells with its digits: ``r1c2 and r1c3 (1, 2 and 5)``."""
        cells = self.cells(dict.fromkeys(cell for cell, _ in node))
        return f"{cells} ({self.digits(sorted({digit for _, digit in node}))})"

    @property
    def conclusion(self) -> str:
        """What the step places, or else removes."""
        step = self.step
        if step.placements:
            return join([f"{self.cell(cell)} must be {self.digit(digit)}" for cell, digit in step.placements])
        cells_of: dict[int, list[int]] = {}
        for cell, digit in sorted(step.eliminations):
            cells_of.setdefault(digit, []).append(cell)
        digits_of: dict[tuple[int, ...], list[int]] = {}
        for digit, cells in sorted(cells_of.items()):
            digits_of.setdefault(tuple(cells), []).append(digit)
        parts: list[str] = []
        for group, digits in digits_of.items():
            verb = " can be removed" if not parts else ""
            parts.append(f"{self.digits(digits)}{verb} from {self.cells(group)}")
        return ", and ".join(parts)

    def units(self, names: Sequence[str]) -> str:
        """Name several units: ``rows 2 and 7``, or ``row 2 and box 3``."""
        kinds: dict[str, list[str]] = {}
        for name in names:
            kind, number = name.split()
            kinds.setdefault(kind, []).append(number)
        plural = {"row": "rows", "column": "columns", "box": "boxes"}
        return join(
            [f"{plural[kind] if len(numbers) > 1 else kind} {join(numbers, 'and')}" for kind, numbers in kinds.items()]
        )

    def is_in(self, cell: int, unit: str) -> bool:
        """Return whether a unit contains a cell."""
        return cell in cells_of_unit(unit, self.board.box)

    def sees(self, cell: int, other: int) -> bool:
        """Return whether two cells share a unit."""
        return other in _peers_of(cell, self.board.box)


@cache
def _peers_of(cell: int, box: BoxShape) -> frozenset[int]:
    units = box.units_of(cell)
    others = (other for other in range(box.size**2) if other != cell)
    return frozenset(other for other in others if any(map(eq, units, box.units_of(other))))


def join(words: Sequence[str], last: str = "and") -> str:
    """Join words as in a sentence: ``r1c1, r1c2 and r1c3``."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)

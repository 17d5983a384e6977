"""Generation of 9×9 puzzles and full grids: makers take turns, and what they make is verified."""

from __future__ import annotations

import ctypes
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sudokulab.bench.throughput import Rates, Turn, Workload, cpu_seconds, take_turns
from sudokulab.instances import generate_array, random_grids
from sudokulab.logic.rating import rate
from sudokulab.puzzle import NINE, Digits, Puzzle
from sudokulab.solvers import Backtracking
from sudokulab.verify import are_solutions

__all__ = ["PRODUCTS", "Generator", "Maker", "Minimizer", "Product", "measure"]

_MOST = 200_000
_NUM_JUDGED = 25

MINIMIZE = "TdokuMinimize"
"""The function that makes a puzzle minimal in a library with tdoku's interface."""


@dataclass(frozen=True)
class Product:
    """Something to generate.

    Parameters
    ----------
    name
        The name in tables.
    fields
        Fields of `PuzzleSpec`; None for full grids.
    """

    name: str
    fields: dict[str, Any] | None

    def complaint(self, grids: Digits) -> str:
        """Describe what is wrong with the grids; return an empty string if they are right.

        Full grids are all judged; of puzzles, the first few, by a solver that shares no code with the generator.
        """
        if self.fields is None:
            is_right = are_solutions(grids.reshape(-1, 9, 9), np.zeros_like(grids).reshape(-1, 9, 9), NINE)
            return "" if is_right.all() else f"{np.sum(~is_right):,} of {len(grids):,} grids are invalid"
        for cells in grids[:_NUM_JUDGED]:
            puzzle = Puzzle(cells.tobytes(), NINE)
            if not self._is_met_by(puzzle, self.fields):
                return f"{puzzle.line} is not as ordered"
        return ""

    def _is_met_by(self, puzzle: Puzzle, fields: dict[str, object]) -> bool:
        if not _is_unique(puzzle):
            return False
        if fields.get("minimal") and any(map(_is_unique, _with_one_given_less(puzzle))):
            return False
        if fields.get("symmetry") == "half-turn" and not _is_symmetric(puzzle):
            return False
        level = rate(puzzle).level if "level" in fields else None
        return level is None or level.value == fields["level"]


PRODUCTS: tuple[Product, ...] = (
    Product("full grids", None),
    Product("minimal", {"minimal": True}),
    Product("half-turn", {"symmetry": "half-turn"}),
    *(Product(level, {"level": level}) for level in ("easy", "medium", "hard", "very-hard")),
)


def _is_unique(puzzle: Puzzle) -> bool:
    return Backtracking(propagation="singles").count(puzzle, 2) == 1


def _with_one_given_less(puzzle: Puzzle) -> Iterator[Puzzle]:
    for cell, digit in enumerate(puzzle.cells):
        if digit:
            yield Puzzle(puzzle.cells[:cell] + b"\0" + puzzle.cells[cell + 1 :], puzzle.box)


def _is_symmetric(puzzle: Puzzle) -> bool:
    is_given = [digit > 0 for digit in puzzle.cells]
    return is_given == is_given[::-1]


class Maker(ABC):
    """Something that makes puzzles on one thread."""

    name: str
    is_rival: bool = False

    @abstractmethod
    def can_make(self, product: Product) -> bool:
        """Return whether it can make this product."""

    def load(self, number: int) -> None:  # noqa: B027  # most need nothing
        """Prepare a call, outside the timed section."""

    @abstractmethod
    def make(self, product: Product, number: int) -> Digits:
        """Make `number` grids of shape (n, 81), different ones in each call. This call is timed."""


class Generator(Maker):
    """`sudokulab.generate_array`, and `sudokulab.instances.random_grids` for full grids.

    Parameters
    ----------
    seed
        The random seed of all grids.
    """

    name = "sudokulab"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._num_made = 0

    def can_make(self, product: Product) -> bool:
        """Return True."""
        return True

    def make(self, product: Product, number: int) -> Digits:
        """Continue the sequence of the seed."""
        first, self._num_made = self._num_made, self._num_made + number
        if product.fields is None:
            return random_grids(number, NINE, seed=self._seed, first=first, threads=1)
        return generate_array(number, seed=self._seed, first=first, threads=1, **product.fields).puzzles


class Minimizer(Maker):
    """The minimiser of a library with tdoku's interface, on full grids of ours, which are not timed.

    Parameters
    ----------
    name
        The name shown in tables.
    path
        Path of the library. Without the function ``TdokuMinimize``, it makes nothing.
    seed
        The random seed of the full grids.
    """

    is_rival = True

    def __init__(self, name: str, path: str, seed: int = 0) -> None:
        self.name = name
        self._minimize = getattr(ctypes.CDLL(path), MINIMIZE, None)
        self._seed = seed
        self._num_made = 0
        self._grids: list[ctypes.Array[ctypes.c_char]] = []

    def can_make(self, product: Product) -> bool:
        """Return whether the product is minimal puzzles."""
        return product.fields == {"minimal": True} and self._minimize is not None

    def load(self, number: int) -> None:
        """Generate the full grids."""
        first, self._num_made = self._num_made, self._num_made + number
        grids = random_grids(number, NINE, seed=self._seed, first=first) + np.uint8(ord("0"))
        self._grids = [ctypes.create_string_buffer(grid.tobytes(), 82) for grid in grids]

    def make(self, product: Product, number: int) -> Digits:
        """Make the grids minimal in place."""
        assert self._minimize is not None
        for grid in self._grids[:number]:
            self._minimize(False, False, grid)
        cells = np.frombuffer(b"".join(grid.raw[:81] for grid in self._grids[:number]), np.uint8).reshape(-1, 81)
        return np.where(cells == ord("."), 0, cells - ord("0")).astype(np.uint8)


def measure(makers: Sequence[Maker], product: Product, rounds: int = 7, *, progress: bool = True) -> list[Rates]:
    """Measure all makers of a product in turn on one core; see `throughput.take_turns`."""
    turns = [_Making(maker, product) for maker in makers if maker.can_make(product)]
    return take_turns(turns, _MOST, rounds, progress=progress)


class _Making(Turn):
    def __init__(self, maker: Maker, product: Product) -> None:
        super().__init__(maker.name, maker.is_rival, Workload.GENERATE)
        self._maker = maker
        self._product = product
        self._number = 0

    def prepare(self, number: int) -> None:
        self._number = number

    def answer(self) -> tuple[Digits, float]:
        self._maker.load(self._number)
        start = cpu_seconds()
        grids = self._maker.make(self._product, self._number)
        return grids, cpu_seconds() - start

    def complaint(self, answers: Digits) -> str:
        if len(answers) != self._number:
            return f"{len(answers):,} grids instead of {self._number:,}"
        return self._product.complaint(answers)

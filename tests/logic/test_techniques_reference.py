"""Techniques against slow, obvious versions, on random candidates."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import combinations, permutations

import pytest

from sudokulab import BoxShape, Puzzle, _core
from sudokulab._internal.native import native_puzzle
from tests.cases import for_each

pytestmark = pytest.mark.native

Cells = dict[int, set[int]]
Removed = frozenset[tuple[int, int]]
BOXES = [BoxShape(2, 2), BoxShape(2, 3), BoxShape(3, 3)]


class Grid:
    """An empty grid with random candidates."""

    def __init__(self, box: BoxShape, density: float, seed: int) -> None:
        rng = random.Random(seed)
        self.box, self.size = box, box.size
        self.cells: Cells = {
            cell: {digit for digit in range(1, self.size + 1) if rng.random() < density} for cell in range(self.size**2)
        }
        self.rows = [[row * self.size + col for col in range(self.size)] for row in range(self.size)]
        self.columns = [[row * self.size + col for row in range(self.size)] for col in range(self.size)]
        self.boxes = [
            [
                (band * box.rows + row) * self.size + stack * box.cols + col
                for row in range(box.rows)
                for col in range(box.cols)
            ]
            for band in range(self.size // box.rows)
            for stack in range(self.size // box.cols)
        ]
        self.units = self.rows + self.columns + self.boxes
        self.peers = {
            cell: {other for unit in self.units if cell in unit for other in unit} - {cell} for cell in self.cells
        }

    def found(self, technique: str) -> set[Removed]:
        masks = [sum(1 << digit - 1 for digit in digits) for digits in self.cells.values()]
        steps = _core.find_steps(native_puzzle(Puzzle.empty((self.box.rows, self.box.cols))), masks, technique)
        return {frozenset(step.eliminations) for step in steps}

    def positions(self, unit: list[int], digit: int) -> set[int]:
        return {cell for cell in unit if digit in self.cells[cell]}

    def see(self, one: int, other: int) -> bool:
        return other in self.peers[one]

    def removed(self, cells: set[int], digits: set[int]) -> Removed:
        return frozenset((cell, digit) for cell in cells for digit in digits & self.cells[cell])


def locked(grid: Grid, bases: list[list[int]], covers: list[list[int]]) -> Iterator[Removed]:
    for digit in range(1, grid.size + 1):
        for base in bases:
            held = grid.positions(base, digit)
            for cover in covers:
                if len(held) >= 2 and held <= set(cover):
                    yield grid.removed(set(cover) - set(base), {digit})


def pointing(grid: Grid) -> Iterator[Removed]:
    return locked(grid, grid.boxes, grid.rows + grid.columns)


def claiming(grid: Grid) -> Iterator[Removed]:
    return locked(grid, grid.rows + grid.columns, grid.boxes)


def naked(grid: Grid, number: int) -> Iterator[Removed]:
    """Yield what naked subsets remove, from every unit that contains all their cells."""
    for chosen, digits, units in naked_subsets(grid, number):
        yield grid.removed(set().union(*units) - chosen, digits)


def locked_subset(grid: Grid, number: int) -> Iterator[Removed]:
    """Yield what naked subsets remove that clear a box and a line."""
    for chosen, digits, units in naked_subsets(grid, number):
        if len(units) == 2 and all(grid.removed(set(unit) - set(other), digits) for unit, other in permutations(units)):
            yield grid.removed(set().union(*units) - chosen, digits)


def naked_subsets(grid: Grid, number: int) -> Iterator[tuple[set[int], set[int], list[list[int]]]]:
    for unit in grid.units:
        for chosen in combinations(unit, number):
            digits = set().union(*(grid.cells[cell] for cell in chosen))
            if len(digits) == number and all(len(grid.cells[cell]) >= 2 for cell in chosen):
                yield set(chosen), digits, [other for other in grid.units if set(chosen) <= set(other)]


def hidden(grid: Grid, number: int) -> Iterator[Removed]:
    for unit in grid.units:
        for digits in combinations(range(1, grid.size + 1), number):
            places = [grid.positions(unit, digit) for digit in digits]
            cells = set().union(*places)
            if len(cells) == number and all(len(held) >= 2 for held in places):
                yield grid.removed(cells, set(range(1, grid.size + 1)) - set(digits))


def fish(grid: Grid, number: int) -> Iterator[Removed]:
    for bases, covers in ((grid.rows, grid.columns), (grid.columns, grid.rows)):
        for digit in range(1, grid.size + 1):
            for base in combinations(bases, number):
                places = [grid.positions(unit, digit) for unit in base]
                cells = set().union(*places)
                cover = [unit for unit in covers if set(unit) & cells]
                if len(cover) == number and all(len(held) >= 2 for held in places):
                    yield grid.removed(set().union(*cover) - set().union(*base), {digit})


def wing(grid: Grid, has_z: bool) -> Iterator[Removed]:
    pairs = [cell for cell, digits in grid.cells.items() if len(digits) == 2]
    for hinge, digits in grid.cells.items():
        for first, second in combinations([cell for cell in pairs if grid.see(hinge, cell)], 2):
            shared = grid.cells[first] & grid.cells[second]
            if len(shared) != 1 or digits - shared != grid.cells[first] ^ grid.cells[second]:
                continue
            if (shared <= digits) is has_z:
                seen_by = [first, second] + [hinge] * has_z
                victims = {cell for cell in grid.cells if all(grid.see(cell, other) for other in seen_by)}
                yield grid.removed(victims - {hinge}, shared)


def x_chains(grid: Grid) -> Iterator[Removed]:
    """Assume each candidate, and follow the positions of its digit until it contradicts itself."""
    for digit in range(1, grid.size + 1):
        pairs = [held for unit in grid.units if len(held := grid.positions(unit, digit)) == 2]
        places = grid.positions(list(grid.cells), digit)
        for start, is_true in ((cell, state) for cell in places for state in (0, 1)):
            known, new = set(), {(start, is_true)}
            while new:
                known |= new
                weak = {(other, 0) for cell, state in new if state for other in grid.peers[cell] & places}
                strong = {
                    (other, 1)
                    for cell, state in new
                    if not state
                    for held in pairs
                    if cell in held
                    for other in held - {cell}
                }
                new = (weak | strong) - known
            if (start, 1 - is_true) in known and len(grid.cells[start]) >= 2:
                yield grid.removed({start}, {digit} if is_true else grid.cells[start] - {digit})


SLOW: dict[str, Callable[[Grid], Iterator[Removed]]] = {
    "pointing": pointing,
    "claiming": claiming,
    "naked-pair": lambda grid: naked(grid, 2),
    "naked-triplet": lambda grid: naked(grid, 3),
    "naked-quad": lambda grid: naked(grid, 4),
    "locked-pair": lambda grid: locked_subset(grid, 2),
    "locked-triplet": lambda grid: locked_subset(grid, 3),
    "hidden-pair": lambda grid: hidden(grid, 2),
    "hidden-triplet": lambda grid: hidden(grid, 3),
    "hidden-quad": lambda grid: hidden(grid, 4),
    "x-wing": lambda grid: fish(grid, 2),
    "swordfish": lambda grid: fish(grid, 3),
    "jellyfish": lambda grid: fish(grid, 4),
    "squirmbag": lambda grid: fish(grid, 5),
    "whale": lambda grid: fish(grid, 6),
    "xy-wing": lambda grid: wing(grid, has_z=False),
    "xyz-wing": lambda grid: wing(grid, has_z=True),
    "forcing-x-chain": x_chains,
}


@pytest.mark.heavy
@for_each("technique", SLOW)
def test_instances_equal_those_of_a_slow_search(technique: str) -> None:
    number = 0
    for seed in range(40):
        grid = Grid(BOXES[seed % 3], random.Random(seed).choice([0.25, 0.35, 0.5]), seed)
        expected = {removed for removed in SLOW[technique](grid) if removed}
        assert grid.found(technique) == expected, seed
        number += len(expected)
    assert number > 0


def test_candidates_removed_by_cycles_are_removed_by_chains() -> None:
    """A cycle and the candidate it removes form a forcing chain, unless the candidate is the only one of its cell."""
    for seed in range(30):
        grid = Grid(BOXES[seed % 3], 0.35, seed)
        chains = {"x-cycle": "forcing-x-chain", "y-cycle": "forcing-chain", "xy-cycle": "forcing-chain"}
        for cycle, chain in chains.items():
            by_cycles = set().union(*grid.found(cycle))
            by_chains = set().union(*grid.found(chain))
            assert {(cell, digit) for cell, digit in by_cycles if len(grid.cells[cell]) > 1} <= by_chains

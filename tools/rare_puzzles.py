"""Puzzles that are likely to contain a technique that random puzzles almost never have.

Each function blanks cells of random full grids: those of the pattern, and others at random.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator
from itertools import combinations, count, product

from sudokulab import Puzzle, random_grid

__all__ = ["RARE"]


def grids() -> Iterator[tuple[Puzzle, random.Random]]:
    return ((random_grid(9, seed=seed), random.Random(seed)) for seed in count())


def blanked(grid: Puzzle, cells: Collection[int]) -> Puzzle:
    return Puzzle(bytes(0 if cell in cells else digit for cell, digit in enumerate(grid.cells)), grid.box)


def sk_loops() -> Iterator[Puzzle]:
    """Keep four corners; blank the rest of their rows and columns within their boxes."""
    for grid, rng in grids():
        rows, cols = ([rng.randrange(3), 6 + rng.randrange(3)] for _ in range(2))
        corners = {row * 9 + col for row, col in product(rows, cols)}
        loop = {
            cell
            for row, col, k in product(rows, cols, range(3))
            for cell in ((row // 3 * 3 + k) * 9 + col, row * 9 + col // 3 * 3 + k)
        }
        for share in (0.1, 0.15, 0.2, 0.25, 0.3) * 10:
            others = {cell for cell in range(81) if rng.random() < share}
            yield blanked(grid, (loop | others) - corners)


def tridagons() -> Iterator[Puzzle]:
    """Blank three digits in two bands and two stacks, if they lie on diagonals in three of the four boxes."""
    for grid, rng in grids():
        place = {(digit, grid.box.units_of(cell)[2]): cell for cell, digit in enumerate(grid.cells)}
        lines = list(combinations(range(3), 2))
        for digits, bands, stacks in product(combinations(range(1, 10), 3), lines, lines):
            boxes = [band * 3 + stack for band, stack in product(bands, stacks)]
            cells = [[place[digit, box] for digit in digits] for box in boxes]
            if sum(len({cell // 9 for cell in own}) == len({cell % 9 for cell in own}) == 3 for own in cells) != 3:
                continue
            outer = [box for box in range(9) if box not in boxes]
            far = (3 - sum(bands)) * 3 + 3 - sum(stacks)  # the box that shares no line with the four
            for _ in range(20):
                kept = {
                    place[digit, box]
                    for digit, box in product(digits, outer)
                    if rng.random() < (0.8 if box == far else 0.2)
                }
                triple = {cell for cell, digit in enumerate(grid.cells) if digit in digits}
                free = [cell for cell in range(81) if cell not in triple]
                yield blanked(grid, triple - kept | {*rng.sample(free, rng.randrange(10, 28))})


def exocets() -> Iterator[Puzzle]:
    """Blank two base cells, and the targets with the same digits; keep the companions of the targets."""
    for grid, rng in grids():
        place = {(digit, grid.box.units_of(cell)[2]): cell for cell, digit in enumerate(grid.cells)}
        for row, stack in product(range(9), range(3)):
            band, others = row // 3, [other for other in range(3) if other != stack]
            base = rng.sample(range(row * 9 + stack * 3, row * 9 + stack * 3 + 3), 2)
            targets = [place[grid.cells[cell], band * 3 + other] for cell, other in zip(base, others, strict=True)]
            companions = {
                line * 9 + target % 9
                for target in targets
                for line in range(band * 3, band * 3 + 3)
                if line not in (row, target // 9)
            }
            free = set(range(1, 10)) - {grid.cells[cell] for cell in (*base, *companions)}
            for _ in range(10):
                digits = {*(grid.cells[cell] for cell in base), *rng.sample(sorted(free), rng.choice([1, 2]))}
                low, high = rng.choice([0.2, 0.35, 0.5]), rng.choice([0.4, 0.55, 0.7])

                shares = [
                    0.97 if digit in digits and cell // 27 == band else high if digit in digits else low
                    for cell, digit in enumerate(grid.cells)
                ]
                chosen = {cell for cell in range(81) if rng.random() < shares[cell]}
                yield blanked(grid, (chosen | {*base, *targets}) - companions)


def missing_digits() -> Iterator[Puzzle]:
    """Blank all cells of one digit, and others."""
    for grid, rng in grids():
        digit = rng.randrange(1, 10)
        share = rng.choice([0.3, 0.4, 0.5])
        yield blanked(grid, {cell for cell in range(81) if grid.cells[cell] == digit or rng.random() < share})


RARE: dict[str, Callable[[], Iterator[Puzzle]]] = {
    "sk-loop": sk_loops,
    "tridagon": tridagons,
    "junior-exocet": exocets,
    "leviathan": missing_digits,
}
"""Puzzles by technique."""

"""Puzzles for the tests, and strategies that generate more."""

from __future__ import annotations

import random
from functools import cache

from hypothesis import strategies as st

from sudokulab import BoxShape, Puzzle, parse
from sudokulab.solvers import Backtracking, Dlx

TINY = parse("1.....3..4.....2")
SMALL = parse("..3...4.....51...6..2.5.......6...12")
EASY = parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
INKALA = parse("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..")
SEVENTEEN = parse("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
ENDLESS = parse("006000000000000000000003000000800000030000206000040000040006700000000085000002000")
"""Has no solution; the bulk engine needs more than a million guesses."""
IMPOSSIBLE_4 = parse("123....4........")
"""Has no solution: the last digit of the first row is already in its column. The same holds for the next one."""
IMPOSSIBLE_6 = parse("12345............6" + 18 * ".")
ONE_SWAP = parse("4.133.4.1324.2.1")
"""Has no solution, and only two states with every digit once in each box, with costs of 2 and 4."""


def has_one_solution(puzzle: Puzzle | str) -> bool:
    """Check uniqueness with dancing links, which no entry point of the package uses."""
    return Dlx().count(puzzle, 2) == 1


def is_minimal_by_hand(puzzle: Puzzle) -> bool:
    """Check minimality by removing each given in turn."""
    without = (
        Puzzle(puzzle.cells[:cell] + b"\0" + puzzle.cells[cell + 1 :], puzzle.box)
        for cell, digit in enumerate(puzzle.cells)
        if digit
    )
    return has_one_solution(puzzle) and not any(map(has_one_solution, without))


BOXES = [BoxShape(2, 2), BoxShape(2, 3), BoxShape(3, 2), BoxShape(2, 4), BoxShape(3, 3), BoxShape(3, 4), BoxShape(4, 4)]


@cache
def full_grid(box: tuple[int, int]) -> Puzzle:
    """Return a solved grid with this box shape."""
    solution = Backtracking(propagation="singles").solve(Puzzle.empty(box)).solution
    assert solution is not None
    return solution


def random_instance(box: tuple[int, int], num_givens: int, seed: int) -> Puzzle:
    """Return a satisfiable puzzle with this many givens; most have several solutions."""
    full = full_grid(box).shuffle(seed)
    rng = random.Random(seed)
    kept = set(rng.sample(range(len(full.cells)), num_givens))
    return Puzzle(bytes(digit if cell in kept else 0 for cell, digit in enumerate(full.cells)), full.box)


@st.composite
def satisfiable_puzzles(draw: st.DrawFn, boxes: list[BoxShape] = BOXES, min_fraction: float = 0.0) -> Puzzle:
    box = draw(st.sampled_from(boxes))
    num_cells = box.size**2
    num_givens = draw(st.integers(int(min_fraction * num_cells), num_cells))
    return random_instance(box, num_givens, draw(st.integers(0, 2**32)))


@st.composite
def any_puzzles(draw: st.DrawFn, boxes: list[BoxShape] = BOXES) -> Puzzle:
    """Draw mostly blank puzzles with arbitrary digits; most are contradictory."""
    box = draw(st.sampled_from(boxes))
    cell = st.one_of(st.just(0), st.integers(0, box.size))
    cells = bytes(draw(st.lists(cell, min_size=box.size**2, max_size=box.size**2)))
    names = st.text(st.characters(codec="utf-8", categories=["L", "N", "P"], exclude_characters="#"), max_size=12)
    return Puzzle(cells, box, name=draw(names), comment=draw(names))

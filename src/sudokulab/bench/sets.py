"""Sets of 9×9 puzzles with several solutions, as checkers and generators meet them."""

from __future__ import annotations

from random import Random

import numpy as np

from sudokulab.instances import generate_array, random_grids
from sudokulab.puzzle import NINE, Digits, Puzzle

__all__ = ["sets_with_several_solutions"]


def sets_with_several_solutions(number: int, seed: int) -> dict[str, list[Puzzle]]:
    """Return the sets by name: random grids with 30 to 40 givens, and minimal puzzles without one or two givens."""
    rng = Random(seed)
    return {
        "30 to 40 random givens": _blanked(random_grids(number, NINE, seed=seed), 41, 51, rng),
        "minimal without 1 or 2 givens": _blanked(
            generate_array(number, minimal=True, seed=seed, progress=False).puzzles, 1, 2, rng
        ),
    }


def _blanked(grids: Digits, least: int, most: int, rng: Random) -> list[Puzzle]:
    """Return copies with `least` to `most` of the givens of each grid blanked."""
    puzzles = []
    for grid in grids.copy():
        grid[rng.sample(np.flatnonzero(grid).tolist(), rng.randint(least, most))] = 0
        puzzles.append(Puzzle(grid.tobytes(), NINE))
    return puzzles

"""Puzzles that try every part of an engine for 9×9 puzzles, with the answers of the CPU."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sudokulab import as_array
from sudokulab.instances import find, random_grids

__all__ = ["adversarial", "bundled", "random_puzzles", "read_lines"]


def random_puzzles(number: int, seed: int) -> NDArray[np.uint8]:
    """Return parts of full grids, with 24 to 60 givens; every fifth has a changed digit, and often no solution."""
    rng = np.random.default_rng(seed)
    grids = random_grids(number, seed=seed)
    share = rng.uniform(0.3, 0.75, (number, 1))
    puzzles = np.where(rng.random(grids.shape) < share, grids, 0).astype(np.uint8)
    rows = np.arange(0, number, 5)
    puzzles[rows, rng.integers(0, 81, len(rows))] = rng.integers(1, 10, len(rows))
    return puzzles


def adversarial() -> NDArray[np.uint8]:
    """Return puzzles at the limits: empty, full, contradictory, nearly empty, with few givens, very hard."""
    grid = random_grids(1, seed=1)[0]
    several = [np.zeros(81, np.uint8), grid]
    for row, column in ((0, 1), (0, 9), (0, 10), (40, 44)):  # the same digit in a row, a column and a box
        twice = np.zeros(81, np.uint8)
        twice[[row, column]] = 5
        several.append(twice)
    wrong = grid.copy()
    wrong[80] = wrong[80] % 9 + 1
    several.append(wrong)
    for cell in (0, 40, 80):
        one = np.zeros(81, np.uint8)
        one[cell] = 9
        several.append(one)
        missing = grid.copy()
        missing[cell] = 0
        several.append(missing)
    return np.concatenate([np.array(several), bundled("hardest")[:30]])


def bundled(name: str) -> NDArray[np.uint8]:
    """Return the puzzles of a bundled collection."""
    found = find(name)
    assert found is not None
    return as_array(found)


def read_lines(path: Path, step: int) -> NDArray[np.uint8]:
    """Return every `step`-th puzzle of a file of lines."""
    lines = [line[:81] for line in path.read_text().splitlines() if line[:1] not in ("#", "")]
    return as_array(lines[::step])

"""Check that random transformations of a puzzle have its canonical form, in both conventions.

    python -m tests.equivalence [FILE...] [--puzzles 1000] [--transformations 1000] [--seed 1]

Without files, the puzzles are generated: minimal ones, full grids, and grids with some blanks. The transformations, the
hash and the check of each transformation returned share no code with the package. The exit code is 1 if any is wrong.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudokulab import Puzzle, canonical_array, generate, is_unique, random_grid, read
from sudokulab.equivalence import CanonicalArrays

Cells = NDArray[np.uint8]


def transformed(cells: Cells, is_transposed: Any, rows: Any, cols: Any, digits: Any) -> Cells:
    """Transform n puzzles of shape (n, cells), each by its own transformation; see `equivalence.Transformation`."""
    number, size = len(cells), np.asarray(rows).shape[1]
    grids = cells.reshape(number, size, size)
    grids = np.where(np.asarray(is_transposed)[:, None, None], grids.swapaxes(1, 2), grids)
    moved = grids[np.arange(number)[:, None, None], np.asarray(rows)[:, :, None], np.asarray(cols)[:, None, :]]
    labels = np.column_stack([np.zeros(number, np.uint8), digits])
    return np.take_along_axis(labels, moved.reshape(number, -1), axis=1).astype(np.uint8)


def random_images(puzzle: Puzzle, number: int, rng: np.random.Generator) -> Cells:
    """Return random equivalent puzzles."""
    height, width = puzzle.box
    is_transposed = rng.integers(2, size=number) * (height == width)
    digits = rng.permuted(np.tile(np.arange(1, puzzle.size + 1), (number, 1)), axis=1)
    rows, cols = _orders(width, height, number, rng), _orders(height, width, number, rng)
    cells = np.frombuffer(puzzle.cells, np.uint8)
    return transformed(np.tile(cells, (number, 1)), is_transposed, rows, cols, digits)


def _orders(num_groups: int, width: int, number: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return random orders of lines that keep the lines of a group together."""
    groups = rng.permuted(np.tile(np.arange(num_groups), (number, 1)), axis=1)
    within = rng.permuted(np.tile(np.arange(width), (number, num_groups, 1)), axis=2)
    orders: NDArray[np.int64] = (groups[:, :, None] * width + within).reshape(number, -1)
    return orders


def hash_by_hand(puzzle: Puzzle) -> int:
    """Return the documented hash of a canonical form."""
    found = 0xCBF29CE484222325
    for byte in (*puzzle.box, *puzzle.cells):
        found = (found ^ byte) * 0x100000001B3 % 2**64
    found = (found ^ found >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    found = (found ^ found >> 27) * 0x94D049BB133111EB % 2**64
    return found ^ found >> 31


def mistakes(puzzle: Puzzle, number: int, rng: np.random.Generator) -> Iterator[str]:
    """Yield what is wrong with the canonical forms of random transformations of a puzzle."""
    images = random_images(puzzle, number, rng)
    forms: list[CanonicalArrays] = [canonical_array(images, box=puzzle.box)]
    if is_unique(puzzle):
        forms.append(canonical_array(images, box=puzzle.box, through="solution"))
    for found in forms:
        if (found.forms != found.forms[0]).any():
            yield "several forms"
        if (found.hashes != hash_by_hand(Puzzle(found.forms[0].tobytes(), puzzle.box))).any():
            yield "wrong hash"
        if (found.num_automorphisms != forms[0].num_automorphisms[0]).any():
            yield "several numbers of automorphisms"
        leads_to = transformed(images, found.is_transposed, found.rows, found.cols, found.digits)
        if (leads_to != found.forms).any():
            yield "wrong transformation"
    if min(map(bytes, images)) < forms[0].forms[0].tobytes():
        yield "not the smallest"


def generated(number: int, seed: int) -> Iterator[Puzzle]:
    """Return minimal puzzles, full grids, and grids with some blanks."""
    rng = random.Random(seed)
    for index, puzzle in enumerate(generate(number, minimal=True, seed=seed, progress=False)):
        if index % 4 < 2:
            yield puzzle
            continue
        grid = random_grid(9, seed=seed + index)
        num_blanks = 0 if index % 4 == 2 else rng.randrange(81)
        blanks = set(rng.sample(range(81), num_blanks))
        yield Puzzle(bytes(0 if cell in blanks else digit for cell, digit in enumerate(grid.cells)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE", help="puzzles up to size 9")
    parser.add_argument("--puzzles", type=int, default=1000, help="number of puzzles, spread over each file")
    parser.add_argument("--transformations", type=int, default=1000, help="number per puzzle")
    parser.add_argument("--seed", type=int, default=1, help="random seed")
    args = parser.parse_args()
    sets: dict[str, list[Puzzle]] = {"generated": list(generated(args.puzzles, args.seed))} if not args.files else {}
    for file in args.files:
        with read(file) as reader:
            puzzles = list(reader)
        sets[file] = list(islice(puzzles[:: max(1, len(puzzles) // args.puzzles)], args.puzzles))
    rng = np.random.default_rng(args.seed)
    num_wrong = 0
    for name, puzzles in sets.items():
        wrong = [(puzzle, mistake) for puzzle in puzzles for mistake in mistakes(puzzle, args.transformations, rng)]
        for puzzle, mistake in wrong:
            print(f"{puzzle.line}: {mistake}")
        print(f"{name}: {len(puzzles):,} puzzles, {args.transformations:,} transformations each, {len(wrong)} mistakes")
        num_wrong += len(wrong)
    sys.exit(num_wrong > 0)


if __name__ == "__main__":
    main()

"""Judge the rows of a block: solutions, hashes, and whether a puzzle is trivial."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sudokulab import _core
from sudokulab.datasets.sources.blocks import Block
from sudokulab.errors import WrongAnswerError
from sudokulab.logic.selection import rule_numbers
from sudokulab.puzzle import BoxShape, Digits
from sudokulab.verify import are_solutions

__all__ = ["FEW_BLANKS", "Judged", "has_classes", "judge"]

Item = TypeVar("Item", bound=np.generic)

FEW_BLANKS = 5
"""The number of blanks up to which a puzzle counts as nearly full."""

_SINGLES = ("naked-single", "hidden-single")

Flags = NDArray[np.bool_]
Hashes = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Judged:
    """What is known about the rows of a block; all arrays have one entry per row.

    Parameters
    ----------
    faults
        The rows with each fault, by the name of the check; None for checks that do not apply.
    is_unique
        Whether the puzzle has exactly one solution.
    num_blanks
        The number of blank cells.
    trivial
        The uniquely solvable rows that are trivial, by the reason.
    puzzle_hashes
        Hashes of the cells; 0 for unreadable rows.
    puzzle_classes
        Hashes that equivalent puzzles share; 0 for puzzles without a solution. None for sizes without classes.
    solution_classes
        The same for the solutions: of the only one, or else of the stated one if it is right.
    """

    faults: dict[str, Flags | None]
    is_unique: Flags
    num_blanks: NDArray[np.int64]
    trivial: dict[str, Flags]
    puzzle_hashes: Hashes
    puzzle_classes: Hashes | None
    solution_classes: Hashes | None


def has_classes(box: BoxShape) -> bool:
    """Return whether equivalent puzzles of this shape can be found."""
    return box.size <= _core.max_equivalence_size


def judge(block: Block, num_threads: int) -> Judged:
    """Judge the rows of a block."""
    box, readable = block.box, block.is_readable
    found, counts, by_singles = _solved(block, num_threads)
    is_unique = readable & (counts == 1)
    faults_of_solutions, is_right = _faults_of_solutions(block)
    faults: dict[str, Flags | None] = {
        "unreadable": ~readable,
        "no-solution": readable & (counts == 0),
        "several-solutions": readable & (counts > 1),
        **faults_of_solutions,
    }
    num_blanks = (block.puzzles == 0).sum(axis=1)
    classes = solution_classes = None
    if has_classes(box):
        is_solvable = readable & (counts > 0)
        classes = _puzzle_classes(block, found, is_unique, is_solvable, num_threads)
        solution_classes = _solution_classes(block, found, is_unique, is_right, num_threads)
    return Judged(
        faults=faults,
        is_unique=is_unique,
        num_blanks=num_blanks,
        trivial={
            "full": is_unique & (num_blanks == 0),
            "nearly-full": is_unique & (num_blanks <= FEW_BLANKS),
            "singles": is_unique & by_singles,
        },
        puzzle_hashes=np.where(readable, _hashes(block.puzzles, box), np.uint64(0)),
        puzzle_classes=classes,
        solution_classes=solution_classes,
    )


def _solved(block: Block, num_threads: int) -> tuple[Digits, NDArray[np.uint32], Flags]:
    """Return the first solutions, their numbers up to two, and whether singles solve the puzzle.

    Unreadable rows get zeros: as empty grids, they would take long.
    """
    readable = block.is_readable
    puzzles = block.puzzles if readable.all() else block.puzzles[readable]
    found, counts, are_right = _core.solve_array(puzzles, *block.box, 2, True, num_threads, "best")
    if not are_right:
        raise WrongAnswerError("the solver returned an invalid solution; this is a bug in the solver")
    by_singles = _core.are_solved_by_rules(puzzles, *block.box, rule_numbers(_SINGLES), num_threads)
    if len(puzzles) == len(block):
        return found, counts, by_singles
    return _scattered(found, readable), _scattered(counts, readable), _scattered(by_singles, readable)


def _scattered(values: NDArray[Item], places: Flags) -> NDArray[Item]:
    """Return an array with the values in some places, and zeros in the others."""
    scattered = np.zeros((len(places), *values.shape[1:]), values.dtype)
    scattered[places] = values
    return scattered


def _faults_of_solutions(block: Block) -> tuple[dict[str, Flags | None], Flags]:
    """Return the faults of the stated solutions, and which of them are right."""
    names = ("missing-solution", "broken-rules", "changed-givens")
    if block.solutions is None:
        return dict.fromkeys(names), np.zeros(len(block), np.bool_)
    stated, readable = block.solutions, block.is_readable
    is_missing = ~stated.any(axis=1)
    keeps_rules = are_solutions(stated, np.zeros_like(stated), block.box)
    is_right = readable & are_solutions(stated, block.puzzles, block.box)
    faults = (is_missing, ~is_missing & ~keeps_rules, keeps_rules & ~is_right)
    return {name: readable & fault for name, fault in zip(names, faults, strict=True)}, is_right


def _puzzle_classes(block: Block, found: Digits, is_unique: Flags, is_solvable: Flags, num_threads: int) -> Hashes:
    """Hash the canonical forms: through the solution where there is one, which is faster and separates the same.

    Puzzles with one solution and puzzles with several never share a hash, because each is the hash of an
    equivalent puzzle.
    """
    classes = np.zeros(len(block), np.uint64)
    box = block.box
    through = is_unique if box.size <= _core.max_canonical_size else np.zeros_like(is_unique)
    if through.any():
        classes[through] = _core.canonical_array(block.puzzles[through], found[through], *box, num_threads)[-1]
    if (others := is_solvable & ~through).any():
        classes[others] = _core.class_hash_array(block.puzzles[others], *box, num_threads)
    return classes


def _solution_classes(block: Block, found: Digits, is_unique: Flags, is_right: Flags, num_threads: int) -> Hashes:
    classes = np.zeros(len(block), np.uint64)
    grids = found if block.solutions is None else np.where(is_unique[:, np.newaxis], found, block.solutions)
    known = is_unique | is_right
    if known.any():
        classes[known] = _core.class_hash_array(grids[known], *block.box, num_threads)
    return classes


def _hashes(cells: Digits, box: BoxShape) -> Hashes:
    """Hash rows of cells with the mixing function of SplitMix64, eight cells at a time."""
    padded = np.zeros((len(cells), -(-cells.shape[1] // 8) * 8), np.uint8)
    padded[:, : cells.shape[1]] = cells
    found = np.full(len(cells), 256 * box.rows + box.cols, np.uint64)
    for words in padded.view(np.uint64).T:
        found ^= words
        found = (found ^ (found >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        found = (found ^ (found >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        found ^= found >> np.uint64(31)
    return found

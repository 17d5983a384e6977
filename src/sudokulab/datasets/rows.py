"""Make the rows of a data set: generate puzzles, classify and rate them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

import sudokulab
from sudokulab import _core
from sudokulab.datasets.columns import SCHEMA
from sudokulab.datasets.errors import DatasetError
from sudokulab.datasets.recipe import Portion, RatingName, Recipe
from sudokulab.equivalence import class_hash_array
from sudokulab.errors import SudokulabError
from sudokulab.instances import GeneratedArrays, Kind, generate, generate_array
from sudokulab.logic import rate_many
from sudokulab.logic.steps import hardest_technique_many
from sudokulab.puzzle import BoxShape, Digits, Puzzle
from sudokulab.questions import as_strings, is_unique_array, solve_array, solve_many
from sudokulab.solvers import Backtracking

__all__ = ["make_rows"]

_LARGEST_CLASSIFIED = _core.max_equivalence_size
_BLOCK_ROWS = 10_000


def make_rows(recipe: Recipe, shard: int, threads: int | None = None) -> Iterator[pa.Table]:
    """Yield the rows of a shard in blocks. They depend only on the recipe and the number of the shard."""
    for portion in recipe.shard(shard):
        for first in range(portion.first, portion.first + portion.count, _BLOCK_ROWS):
            count = min(_BLOCK_ROWS, portion.first + portion.count - first)
            yield _table(recipe, replace(portion, first=first, count=count), threads)


def _table(recipe: Recipe, portion: Portion, threads: int | None) -> pa.Table:
    box, is_unique = portion.spec.box, portion.spec.kind is Kind.UNIQUE
    puzzles, solutions = _generated(portion, threads)
    count = portion.count
    ratings: dict[str, list[object]] = {}
    for name in recipe.ratings if is_unique else ():
        column, rate = _RATINGS[name]
        ratings[column] = rate([Puzzle(cells.tobytes(), box) for cells in puzzles], threads)
    columns: dict[str, object] = {
        "puzzle": as_strings(puzzles),
        "solution": as_strings(solutions),
        "box": [str(box)] * count,
        "num_givens": np.count_nonzero(puzzles, axis=1),
        "is_unique": [is_unique or None] * count,
        "is_minimal": _are_minimal(puzzles, portion, threads) if is_unique else [None] * count,
        "puzzle_class": _classes(puzzles, box, threads),
        "solution_class": _classes(solutions, box, threads),
        "seed": np.full(count, portion.seed, np.uint64),
        "index": np.arange(portion.first, portion.first + count, dtype=np.uint64),
        "version": [sudokulab.__version__] * count,
        "recipe": [recipe.hash] * count,
        **ratings,
    }
    arrays = [pa.array(columns.get(field.name, [None] * count), field.type) for field in SCHEMA]
    return pa.Table.from_arrays(arrays, schema=SCHEMA)


def _generated(portion: Portion, threads: int | None) -> GeneratedArrays:
    """Generate the puzzles with their solutions; instances that may have several get one of them."""
    spec, count = portion.spec, portion.count
    try:
        if spec.kind is Kind.UNIQUE:
            return generate_array(count, spec, seed=portion.seed, first=portion.first, threads=threads)
        made = generate(count, spec, seed=portion.seed, first=portion.first)
        puzzles = np.array([np.frombuffer(puzzle.cells, np.uint8) for puzzle in made])
        return GeneratedArrays(puzzles, solve_array(puzzles, box=spec.box, threads=threads))
    except SudokulabError as error:
        raise DatasetError(f"part with seed {portion.seed}: {error}") from None


def _classes(grids: Digits, box: BoxShape, threads: int | None) -> object:
    is_small = box.size <= _LARGEST_CLASSIFIED
    return class_hash_array(grids, box=box, threads=threads) if is_small else [None] * len(grids)


def _are_minimal(puzzles: Digits, portion: Portion, threads: int | None) -> NDArray[np.bool_]:
    """Return which puzzles are minimal, by removing one given after the other."""
    are_minimal = np.ones(len(puzzles), np.bool_)
    if portion.spec.minimal:
        return are_minimal
    for number in range(int(np.count_nonzero(puzzles, axis=1).max())):
        rows = np.flatnonzero(are_minimal)
        ranks = np.cumsum(puzzles[rows] > 0, axis=1)
        removed = (puzzles[rows] > 0) & (ranks == number + 1)
        has_one = removed.any(axis=1)
        fewer = np.where(removed, 0, puzzles[rows])[has_one]
        are_minimal[rows[has_one]] = ~is_unique_array(fewer, box=portion.spec.box, threads=threads)
    return are_minimal


def _se(puzzles: list[Puzzle], threads: int | None) -> list[float | None]:
    return [rating.er for rating in rate_many(puzzles, scale="se", threads=threads)]


def _hardest_techniques(puzzles: list[Puzzle], threads: int | None) -> list[str | None]:
    return [technique.name if technique else None for technique in hardest_technique_many(puzzles, threads=threads)]


def _levels(puzzles: list[Puzzle], threads: int | None) -> list[str | None]:
    ratings = rate_many(puzzles, scale="rules", relabelings=0, threads=threads)
    return [rating.level.value if rating.level else None for rating in ratings]


def _depths(puzzles: list[Puzzle], threads: int | None) -> list[int | None]:
    return [rating.depth for rating in rate_many(puzzles, scale="trial", threads=threads)]


def _nodes(puzzles: list[Puzzle], threads: int | None) -> list[int]:
    return [int(result.stats["nodes"]) for result in solve_many(puzzles, Backtracking(), threads=threads)]


_RATINGS: dict[RatingName, tuple[str, Callable[[list[Puzzle], int | None], list[Any]]]] = {
    "se": ("se", _se),
    "technique": ("hardest_technique", _hardest_techniques),
    "rules": ("level", _levels),
    "trial": ("trial_depth", _depths),
    "search": ("search_nodes", _nodes),
}
"""The column of each rating, and its function."""

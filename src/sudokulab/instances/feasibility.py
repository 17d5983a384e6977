"""Reject specifications of unique puzzles that no puzzle can meet, with the reason and a way out."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sudokulab.instances.kinds import Bias
from sudokulab.instances.symmetries import Symmetry, orbits
from sudokulab.logic.selection import select_techniques
from sudokulab.logic.techniques import LARGEST_SIZE, RULES, Level, Technique
from sudokulab.puzzle import NINE, BoxShape

if TYPE_CHECKING:
    from sudokulab.instances.spec import PuzzleSpec

__all__ = ["LEVELS", "cell_groups", "check_feasible", "rating_in_tenths"]

LEVELS = list(Level)
"""The levels, easiest first."""

# The fewest givens of a puzzle with a unique solution, where known: by hand or by exhaustive search (9×9: McGuire,
# Tugemann & Civario 2014).
_FEWEST_GIVENS = {BoxShape(2, 2): 4, BoxShape(2, 3): 8, BoxShape(3, 2): 8, NINE: 17}
# The most givens of a minimal puzzle: 4×4 by exhaustive search, 9×9 the best known.
_MOST_MINIMAL_GIVENS = {BoxShape(2, 2): 6, NINE: 40}
_CONTROLLED_SHAPES = (BoxShape(2, 2), BoxShape(2, 3), BoxShape(3, 2), NINE)
_SUBSUMED = {
    "last-digit": "hidden single",
    "dual-two-string-kite": "two-string kite",
    "dual-empty-rectangle": "empty rectangle",
}
"""Techniques that are never necessary, and the simpler ones that do the same."""


def check_feasible(spec: PuzzleSpec) -> None:
    """Raise ValueError if no unique puzzle can meet the specification."""
    if spec.fixed is not None and spec.givens is not None:
        raise ValueError(f"givens: {spec.givens}, but `fixed` also sets the number of givens; remove one of the two")
    _check_bias(spec)
    if spec.pattern is not None:
        _check_pattern(spec, spec.pattern)
    if spec.num_givens is not None:
        _check_givens(spec, spec.num_givens)
    _check_techniques(spec)
    if spec.se is not None and spec.size > LARGEST_SIZE:
        low, high = spec.se
        raise ValueError(
            f"se: {low}-{high}; remove it: only grids up to size {LARGEST_SIZE} are rated, not {spec.size}"
        )


def cell_groups(spec: PuzzleSpec) -> list[list[int]]:
    """Return groups of cells that are given or blank together; with a pattern, only the groups it fills."""
    groups = orbits(spec.symmetry, spec.size)
    if spec.pattern is None:
        return groups
    return [group for group in groups if spec.pattern[group[0]] == "X"]


def rating_in_tenths(low: float, high: float) -> tuple[int, int]:
    """Return the lowest and the highest rating of a range in tenths; the range is empty if there is none."""
    return math.ceil(round(10 * low, 6)), math.floor(round(10 * high, 6))


def _check_bias(spec: PuzzleSpec) -> None:
    if spec.bias is Bias.TOP_DOWN:
        return
    if spec.symmetry is not Symmetry.NONE or spec.pattern is not None:
        what = "the pattern" if spec.pattern is not None else f"symmetry {spec.symmetry.value!r}"
        raise ValueError(f"bias: 'controlled'; remove {what}: the positions of the givens must be random")
    if spec.box not in _CONTROLLED_SHAPES:
        shapes = ", ".join(map(str, _CONTROLLED_SHAPES[:-1]))
        raise ValueError(f"bias: 'controlled' with {spec.box} boxes; choose {shapes} or {NINE}")


def _check_givens(spec: PuzzleSpec, number: int) -> None:
    field = next(name for name in ("pattern", "fixed", "givens") if getattr(spec, name) is not None)
    value = f"{field}: {number}{'' if field == 'givens' else ' givens'}"
    size = spec.size
    least, cells = _FEWEST_GIVENS.get(spec.box, size - 1), size**2
    choice = f"{value}; choose {least} to {cells}"
    if number < least:
        raise ValueError(f"{choice}: no {size}×{size} puzzle with fewer is unique")
    if number > cells:
        raise ValueError(f"{choice}: a {size}×{size} grid has no more cells")
    most = _MOST_MINIMAL_GIVENS.get(spec.box, cells - 1)
    if (spec.minimal or spec.bias is Bias.CONTROLLED) and number > most:
        raise ValueError(f"{value}; choose at most {most}: no minimal {size}×{size} with more givens is known")
    if number == cells and (spec.technique or spec.se or spec.level not in (None, Level.EASY)):
        raise ValueError(f"{value}; choose fewer: a full grid needs no techniques")
    if spec.pattern is None:
        _check_sum(spec, value, number)


def _check_sum(spec: PuzzleSpec, value: str, number: int) -> None:
    """Check that groups of cells add up to the number of givens."""
    sums = {0}
    for group in cell_groups(spec):
        sums |= {total + len(group) for total in sums}
    if number not in sums:
        near = max(total for total in sums if total < number), min(total for total in sums if total > number)
        raise ValueError(f"{value}; choose {near[0]} or {near[1]}: symmetry {spec.symmetry.value!r} excludes {number}")


def _check_pattern(spec: PuzzleSpec, pattern: str) -> None:
    shape, size = spec.box, spec.size
    if len(pattern) != size**2:
        raise ValueError(f"pattern: {len(pattern)} cells; write {size**2}: . or 0 for each blank, X for each given")
    filled = {cell for cell, char in enumerate(pattern) if char == "X"}
    if any(filled & set(group) not in (set(), set(group)) for group in orbits(spec.symmetry, size)):
        raise ValueError(f"pattern: not symmetric under {spec.symmetry.value!r}; change one of the two")
    if spec.givens not in (None, len(filled)):
        raise ValueError(f"givens: {spec.givens}; remove it: the pattern has {len(filled)}")
    if spec.fixed is not None and round(spec.fixed * size**2) != len(filled):
        raise ValueError(f"fixed: {spec.fixed}; remove it: the pattern has {len(filled)} givens")
    for name, width, used in (
        ("rows", shape.rows, {cell // size for cell in filled}),
        ("columns", shape.cols, {cell % size for cell in filled}),
    ):
        for first in range(0, size, width):
            empty = [line + 1 for line in range(first, first + width) if line not in used]
            if len(empty) > 1:
                raise ValueError(
                    f"pattern: fill a cell in {name} {empty[0]} or {empty[1]}: they can be swapped while both are "
                    "empty, so there is always a second solution"
                )


def _check_techniques(spec: PuzzleSpec) -> None:
    wanted, barred = select_techniques(spec.technique, families=False), select_techniques(spec.without)
    if {"NS", "HS"} <= {technique.code for technique in barred}:
        raise ValueError(
            f"without: {','.join(spec.without)}; keep naked or hidden singles: no other technique fills a cell"
        )
    for technique in wanted:
        if technique in barred:
            raise ValueError(f"technique: {technique.name}; remove it here or in `without`, which excludes it")
        _check_technique(technique, spec)
    _check_level(spec, wanted, barred)


def _check_technique(technique: Technique, spec: PuzzleSpec) -> None:
    if other := _SUBSUMED.get(technique.name):
        raise ValueError(f"technique: {technique.name}; choose {other}, which always does the same")
    if technique.name == "junior-exocet" and spec.box != NINE:
        raise ValueError(f"technique: junior-exocet; choose 3x3 boxes instead of {spec.box}")
    if spec.size > LARGEST_SIZE and not technique.code and technique.family != "singles":
        raise ValueError(f"technique: {technique.name}; choose at most size {LARGEST_SIZE} instead of {spec.size}")


def _check_level(spec: PuzzleSpec, wanted: list[Technique], barred: list[Technique]) -> None:
    level = spec.level
    if level is None:
        return
    for name, techniques in (("technique", wanted), ("without", barred)):
        rules = [technique.name for technique in techniques if technique.code]
        if level is Level.BEYOND and rules:
            raise ValueError(f"{name}: {rules[0]}; remove it: the rules do not solve puzzles of level {level.value!r}")
    for technique in wanted:
        if LEVELS.index(technique.level) > LEVELS.index(level):
            raise ValueError(
                f"level: {level.value!r}; choose {technique.level.value!r}: easier puzzles never need {technique.name}"
            )
    own = [rule for rule in RULES if rule.level is level]
    if own and all(rule in barred for rule in own):
        codes = ", ".join(rule.code for rule in own)
        raise ValueError(f"level: {level.value!r} needs one of the rules {codes}; remove one of them from `without`")

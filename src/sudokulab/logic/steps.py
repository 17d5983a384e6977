"""Steps: one application of a technique each, found on a puzzle or taken until nothing changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from sudokulab import _core
from sudokulab._internal.batches import batches
from sudokulab._internal.native import candidate_array, checked_threads, native_budget, native_puzzle
from sudokulab.drawing import to_svg
from sudokulab.drawing.notebooks import figure
from sudokulab.errors import ParameterError
from sudokulab.formats.coercion import PuzzleLike, as_many, as_puzzle
from sudokulab.logic.selection import Techniques, chosen_techniques, select_techniques, technique_named
from sudokulab.logic.techniques import LARGEST_SIZE, RULES, TECHNIQUES_BY_NAME, Technique
from sudokulab.puzzle import BoxShape, Puzzle, cell_name
from sudokulab.search.budget import Budget, checked_budget

__all__ = [
    "Candidate",
    "Deduction",
    "Link",
    "Step",
    "cells_of_unit",
    "deduce",
    "hardest_technique_many",
    "native_order",
    "step_of",
    "steps",
]

Candidate = tuple[int, int]
"""A cell, counted from 0 row by row, and a digit."""

_UNIT_KINDS = ("row", "column", "box")  # in the order of `BoxShape.units_of`
_CHAIN_FAMILIES = ("chains", "single-digit")


@dataclass(frozen=True)
class Link:
    """A link between two candidates: of a strong one, at least one end is true; of a weak one, at most one is."""

    start: Candidate
    end: Candidate
    is_strong: bool


@dataclass(frozen=True)
class Step:
    """One application of a technique.

    Parameters
    ----------
    technique
        The applied technique.
    variant
        The type, for techniques with types; 0 otherwise.
    units
        The units of the pattern, such as ``row 4``; of locked candidates and fish, the base units first.
    cells
        The cells of the pattern.
    candidates
        The candidates of the pattern.
    fins
        Of fish: the candidates that break the pattern.
    nodes
        Of chains and sets: the candidates of each node or set, in order.
    links
        Of chains: the links in order.
    length
        Of chains: the number of links, or of conclusions.
    placements
        The filled cells, with their digits.
    eliminations
        The removed candidates.
    assumes_uniqueness
        Whether the step relies on the puzzle having only one solution.
    box
        The box shape of the puzzle.
    """

    technique: Technique
    variant: int
    units: tuple[str, ...]
    cells: tuple[int, ...]
    candidates: tuple[Candidate, ...]
    fins: tuple[Candidate, ...]
    nodes: tuple[tuple[Candidate, ...], ...]
    links: tuple[Link, ...]
    length: int
    placements: tuple[Candidate, ...]
    eliminations: tuple[Candidate, ...]
    assumes_uniqueness: bool
    box: BoxShape

    def _repr_html_(self) -> str:
        """Draw the pattern in a notebook, without the rest of the board, which a step does not know."""
        from sudokulab.logic.pictures import picture_of_pattern  # which imports this module

        picture = picture_of_pattern(self)
        return figure(to_svg(picture), picture.title)

    @property
    def digits(self) -> tuple[int, ...]:
        """The digits of the pattern, ascending."""
        return tuple(sorted({digit for _, digit in self.candidates}))

    @property
    def is_chain(self) -> bool:
        """Whether the nodes are the ends of links; the nodes of other steps are sets or colours."""
        return self.technique.family in _CHAIN_FAMILIES

    def to_dict(self) -> dict[str, object]:
        """Return the step as JSON-compatible data."""

        def named(candidates: Iterable[Candidate]) -> list[list[object]]:
            return [[cell_name(cell, self.box.size), digit] for cell, digit in candidates]

        def link(link: Link) -> dict[str, object]:
            start, end = named([link.start, link.end])
            return {"from": start, "to": end, "strong": link.is_strong}

        return {
            "technique": self.technique.name,
            "variant": self.variant,
            "units": list(self.units),
            "cells": [cell_name(cell, self.box.size) for cell in self.cells],
            "digits": list(self.digits),
            "candidates": named(self.candidates),
            "fins": named(self.fins),
            "nodes": [named(node) for node in self.nodes],
            "links": [link(own) for own in self.links],
            "length": self.length,
            "placements": named(self.placements),
            "eliminations": named(self.eliminations),
            "uniqueness": self.assumes_uniqueness,
        }


@dataclass(frozen=True, repr=False, eq=False)  # arrays have no single truth value for ==
class Deduction:
    """The result of applying techniques to a puzzle.

    Parameters
    ----------
    puzzle
        The puzzle with every cell filled that the techniques could fill.
    candidates
        The remaining candidates, of shape (size, size, size), indexed by ``[row, col, digit - 1]``.
    is_contradiction
        Whether the techniques proved that there is no solution.
    firings
        How often each technique was applied, by name.
    highest
        The last technique needed, in the given order; None if none was.
    steps
        The steps in order, if requested.
    is_stopped
        Whether the budget ran out.
    """

    puzzle: Puzzle
    candidates: NDArray[np.bool_]
    is_contradiction: bool
    firings: Mapping[str, int]
    highest: Technique | None
    steps: tuple[Step, ...] = ()
    is_stopped: bool = False

    def __repr__(self) -> str:
        state = "contradiction" if self.is_contradiction else "solved" if self.is_solved else "open"
        return f"<Deduction {state}, {sum(self.firings.values())} steps, {self.puzzle!r}>"

    @property
    def is_solved(self) -> bool:
        """Whether every cell is filled."""
        return self.puzzle.is_full and not self.is_contradiction


def deduce(
    puzzle: PuzzleLike,
    techniques: Techniques | None = None,
    *,
    steps: bool = False,
    max_steps: int | None = None,
    budget: Budget | None = None,
) -> Deduction:
    """Apply techniques in order until nothing changes; each applies only after all earlier ones are exhausted.

    Parameters
    ----------
    puzzle
        The puzzle to work on.
    techniques
        The techniques in the order to try them, as a list or as text (``"singles,x-wing"``); by default the ten
        rules of the paper in its order.
    steps
        Whether to record the steps.
    max_steps
        Stop after this many steps, and record them; by default there is no limit.
    budget
        A limit in seconds.

    References
    ----------
    P. San Segundo and A. Jiménez, "Using graphs to derive CSP heuristics and its application to Sudoku", 2009, section
    3.1.

    Examples
    --------
    >>> deduction = deduce("1.....3..4.....2")
    >>> deduction.is_solved, deduction.highest.title
    (True, 'Naked single')
    """
    puzzle = as_puzzle(puzzle)
    order = list(RULES) if techniques is None else select_techniques(techniques)
    if max_steps is not None and not (isinstance(max_steps, Integral) and max_steps >= 1):
        raise ParameterError(f"max_steps: {max_steps!r}; choose an integer of at least 1")
    limits = native_budget(checked_budget(budget, "a deduction", None))
    found = _core.deduce(native_puzzle(puzzle), native_order(order, puzzle.size), int(max_steps or 2**62), limits)
    firings = Counter(step.technique for step in found.steps)
    needed = [technique for technique in order if firings[technique.name]]
    return Deduction(
        puzzle=Puzzle(puzzle.cells if found.is_contradiction else found.grid, puzzle.box, name=puzzle.name),
        candidates=candidate_array(found.candidates, puzzle.size),
        is_contradiction=found.is_contradiction,
        firings={technique.name: firings[technique.name] for technique in order},
        highest=needed[-1] if needed else None,
        steps=tuple(step_of(step, puzzle.box) for step in found.steps) if steps or max_steps else (),
        is_stopped=found.is_stopped,
    )


def hardest_technique_many(
    puzzles: Iterable[PuzzleLike], *, budget: Budget | None = None, threads: int | None = None
) -> Iterator[Technique | None]:
    """Yield the hardest technique of each puzzle in the order of the catalogue, on all cores, lazily and in order.

    It is the last one needed by `explain`; None if the techniques do not solve the puzzle or there is nothing to solve.

    Examples
    --------
    >>> [technique.name for technique in hardest_technique_many(["1.....3..4.....2"])]
    ['hidden-single']
    """
    num_threads = checked_threads(threads)
    limits = native_budget(checked_budget(budget, "a deduction", None))
    for batch in batches(map(as_puzzle, as_many(puzzles)), num_threads):
        for size, group in groupby(batch, key=lambda puzzle: puzzle.size):
            order = chosen_techniques(None, (), size)
            names = native_order(order, size)
            for found in _core.deduce_many([native_puzzle(puzzle) for puzzle in group], names, limits, num_threads):
                used = {step.technique for step in found.steps} if 0 not in found.grid else set()
                yield next((technique for technique in reversed(order) if technique.name in used), None)


def steps(puzzle: PuzzleLike, technique: str, *, budget: Budget | None = None) -> list[Step]:
    """Return every instance of a technique on a puzzle.

    The candidates are those left by the givens; if these clash, there are no instances. Chains are listed once for each
    set of eliminations, the shortest first.

    Parameters
    ----------
    puzzle
        The puzzle to search.
    technique
        The name of the technique, such as ``x-wing``.
    budget
        A limit in seconds; instances found after it are missing.

    Examples
    --------
    >>> [step.cells for step in steps("1.....3..4.....2", "naked-single")]
    [(3,), (5,), (10,), (12,)]
    """
    puzzle = as_puzzle(puzzle)
    (name,) = native_order([technique_named(technique)], puzzle.size)
    limits = native_budget(checked_budget(budget, "a search for steps", None))
    return [step_of(step, puzzle.box) for step in _core.find_steps(native_puzzle(puzzle), None, name, budget=limits)]


def native_order(techniques: Iterable[Technique], size: int) -> list[str]:
    """Return the names for the core.

    Raises
    ------
    ParameterError
        If the grid is too large for a technique.
    """
    order = list(techniques)
    small = [technique.name for technique in order if not technique.code and technique.family != "singles"]
    too_large = small if size > LARGEST_SIZE else []
    if too_large:
        raise ParameterError(
            f"{too_large[0]}: the puzzle has size {size}; this technique works up to size {LARGEST_SIZE}"
        )
    return [technique.name for technique in order]


def step_of(step: _core.Step, box: BoxShape) -> Step:
    """Convert a step of the core."""
    return Step(
        technique=TECHNIQUES_BY_NAME[step.technique],
        variant=step.variant,
        units=tuple(_unit_name(unit, box.size) for unit in step.units),
        cells=tuple(step.cells),
        candidates=tuple(step.pattern),
        fins=tuple(step.fins),
        nodes=tuple(tuple(node) for node in step.nodes),
        links=tuple(Link(*link) for link in step.links),
        length=step.length,
        placements=tuple(step.placements),
        eliminations=tuple(step.eliminations),
        assumes_uniqueness=step.assumes_uniqueness,
        box=box,
    )


def _unit_name(unit: int, size: int) -> str:
    return f"{_UNIT_KINDS[unit // size]} {unit % size + 1}"


@cache
def cells_of_unit(unit: str, box: BoxShape) -> tuple[int, ...]:
    """Return the cells of a unit of a step, such as ``row 4``."""
    kind, number = unit.split()
    place = _UNIT_KINDS.index(kind)
    return tuple(cell for cell in range(box.size**2) if box.units_of(cell)[place] == int(number) - 1)

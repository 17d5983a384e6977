"""The order in which techniques of a list are taken, whether or not they share a search."""

from __future__ import annotations

import random

import pytest

from sudokulab import _core, parse
from sudokulab._internal.native import native_puzzle
from tests.cases import for_each

pytestmark = pytest.mark.native

PUZZLES = [
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
    ".2.......94.1..8..8..57.3....1.3.94.........1..2...5......1..9...97.....7.326....",
    ".1...48..6...2..........3..861..975....6.....3......2995...2.1....8.....2..5....8",
    "98.7.....6.....87...7.....5.4..3.5....65...4......2..1..86...5....4..3.......1..2",
]

FAMILIES = [
    ["x-cycle", "y-cycle", "xy-cycle", "forcing-x-chain", "forcing-chain"],
    ["als-continuous-nice-loop", "als-discontinuous-nice-loop", "als-alternating-inference-chain"],
    ["grouped-continuous-nice-loop", "grouped-discontinuous-nice-loop", "grouped-alternating-inference-chain"],
    ["template-set", "template-delete"],
    ["unique-rectangle", "unique-loop"],
    ["finned-squirmbag", "sashimi-squirmbag"],
    ["unique-rectangle-3", "unique-rectangle-1", "hidden-rectangle", "unique-rectangle-4"],
]
"""Techniques that share a search."""

FORCING = [
    ["cell-forcing-chains", "region-forcing-chains"],
    [
        "contradiction-forcing-chains",
        "double-forcing-chains",
        "dynamic-cell-forcing-chains",
        "dynamic-region-forcing-chains",
    ],
]

Outcome = tuple[str, int, list[tuple[int, int]], list[tuple[int, int]]]


def outcome(step: _core.Step) -> Outcome:
    return step.technique, step.length, step.placements, step.eliminations


def first_step(puzzle: _core.Puzzle, names: list[str]) -> Outcome | None:
    steps = _core.deduce(puzzle, names, 1, _core.Budget()).steps
    return outcome(steps[0]) if steps else None


@for_each("line", PUZZLES)
def test_the_first_technique_with_an_instance_is_taken(line: str) -> None:
    rng = random.Random(line)
    puzzle = native_puzzle(parse(line))
    instances = {name: _core.find_steps(puzzle, None, name) for family in FAMILIES for name in family}
    for _ in range(10):
        names = rng.sample(sorted(instances), 6)
        expected = next((outcome(instances[name][0]) for name in names if instances[name]), None)
        assert first_step(puzzle, names) == expected


@for_each("line", PUZZLES)
@for_each("kind", FORCING)
def test_of_the_listed_forcing_chains_of_a_kind_the_easiest_is_taken(line: str, kind: list[str]) -> None:
    puzzle = native_puzzle(parse(line))
    instances = {name: _core.find_steps(puzzle, None, name) for name in kind}
    for first in kind:
        for second in kind:
            found = [instances[name][0] for name in (first, second) if instances[name]]
            step = first_step(puzzle, [first, second])
            if not found:
                assert step is None
                continue
            assert step is not None
            assert step[1] == min(chain.length for chain in found)
            assert step in map(outcome, found)

"""No technique ever removes a candidate of a solution, or places another digit."""

from __future__ import annotations

import pytest

from tests.logic.boards import random_board

pytestmark = pytest.mark.native

MANY = ["als-xz", "als-xy-wing", "als-xy-chain", "death-blossom"]
"""Techniques with very many instances, which are only tried on small boards."""
TECHNIQUES = [
    "full-house",
    "last-digit",
    "hidden-single",
    "naked-single",
    "pointing",
    "claiming",
    "locked-pair",
    "locked-triplet",
    *(f"{kind}-{size}" for kind in ("naked", "hidden") for size in ("pair", "triplet", "quad")),
    *(
        shape + size
        for shape in ("", "finned-", "sashimi-", "franken-", "finned-franken-", "mutant-", "finned-mutant-")
        for size in ("x-wing", "swordfish")
    ),
    "jellyfish",
    "finned-jellyfish",
    "sashimi-jellyfish",
    "skyscraper",
    "two-string-kite",
    "dual-two-string-kite",
    "turbot-fish",
    "empty-rectangle",
    "dual-empty-rectangle",
    "simple-colouring",
    "multi-colouring",
    "xy-wing",
    "xyz-wing",
    "wxyz-wing",
    "w-wing",
    "remote-pair",
    "x-chain",
    "xy-chain",
    *(
        kind + chain
        for kind in ("", "grouped-", "als-")
        for chain in ("continuous-nice-loop", "discontinuous-nice-loop", "alternating-inference-chain")
    ),
    *MANY,
    "sue-de-coq",
    "template-set",
    "template-delete",
]


@pytest.mark.parametrize("technique", TECHNIQUES)
def test_a_technique_spares_the_solution(technique: str) -> None:
    for shape, density in [((2, 2), 0.5), ((2, 3), 0.3), ((3, 3), 0.12), ((3, 3), 0.2), ((3, 3), 0.3), ((3, 4), 0.1)]:
        if technique in MANY and shape not in ((2, 2), (2, 3)):
            continue
        for seed in range(3):
            board, solution = random_board(shape, density, seed)
            for step in board.steps(technique):
                assert step.technique == technique
                assert all(solution[cell] != digit for cell, digit in step.eliminations)
                assert all(solution[cell] == digit for cell, digit in step.placements)
                assert all(digit in board.cells[cell] for cell, digit in step.eliminations + step.placements)
                assert len(set(step.eliminations)) == len(step.eliminations)
                assert step.eliminations or step.placements

"""No technique ever removes a candidate of a solution, or places another digit."""

from __future__ import annotations

import pytest

from tests.logic.boards import random_board

pytestmark = pytest.mark.native

MANY = ["als_xz", "als_xy_wing", "als_xy_chain", "death_blossom"]
"""Techniques with very many instances, which are only tried on small boards."""
TECHNIQUES = [
    "full_house",
    "last_digit",
    "hidden_single",
    "naked_single",
    "pointing",
    "claiming",
    "locked_pair",
    "locked_triplet",
    *(f"{kind}_{size}" for kind in ("naked", "hidden") for size in ("pair", "triplet", "quad")),
    *(
        shape + size
        for shape in ("", "finned_", "sashimi_", "franken_", "finned_franken_", "mutant_", "finned_mutant_")
        for size in ("x_wing", "swordfish")
    ),
    "jellyfish",
    "finned_jellyfish",
    "sashimi_jellyfish",
    "skyscraper",
    "two_string_kite",
    "dual_two_string_kite",
    "turbot_fish",
    "empty_rectangle",
    "dual_empty_rectangle",
    "simple_colouring",
    "multi_colouring",
    "xy_wing",
    "xyz_wing",
    "wxyz_wing",
    "w_wing",
    "remote_pair",
    "x_chain",
    "xy_chain",
    *(
        kind + chain
        for kind in ("", "grouped_", "als_")
        for chain in ("continuous_nice_loop", "discontinuous_nice_loop", "alternating_inference_chain")
    ),
    *MANY,
    "sue_de_coq",
    "template_set",
    "template_delete",
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

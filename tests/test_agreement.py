"""All entry points give the same answers; `python -m tools.agreement 100000` tries more grids."""

from __future__ import annotations

import pytest
from tools.agreement import disagreements, grids, wrong_products

pytestmark = [pytest.mark.native, pytest.mark.slow]


def test_all_entry_points_agree_on_random_and_adversarial_grids() -> None:
    wrong = {name: grids for name, _, grids in disagreements(grids(1000, seed=2)) if grids}
    assert wrong == {}


def test_generated_puzzles_are_unique_and_minimal() -> None:
    wrong = {name: puzzles for name, _, puzzles in wrong_products(40, seed=3) if puzzles}
    assert wrong == {}

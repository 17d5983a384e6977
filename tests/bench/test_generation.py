"""The benchmark of generation: makers, products, and the rejection of wrong ones."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

from sudokulab import generate_array
from sudokulab.bench.generation import PRODUCTS, Generator, Maker, Minimizer, Product, measure
from sudokulab.instances import random_grids
from sudokulab.puzzle import Digits
from tests.cases import for_each

BY_NAME = {product.name: product for product in PRODUCTS}

MINIMIZER = r"""
extern "C" void TdokuMinimize(bool, bool, char* grid) {
    grid[0] = '.';  // not minimal, but unique
}
"""


class Fixed(Maker):
    """Makes the same grids each time, the last of them repeatedly."""

    name = "fixed"

    def __init__(self, grids: Digits) -> None:
        self.grids = grids

    def can_make(self, product: Product) -> bool:
        return True

    def make(self, product: Product, number: int) -> Digits:
        return self.grids[np.minimum(np.arange(number), len(self.grids) - 1)]


@for_each("name", BY_NAME)
def test_the_generator_makes_every_product(name: str) -> None:
    generator = Generator()
    made, more = (generator.make(BY_NAME[name], 3) for _ in range(2))
    assert made.shape == more.shape == (3, 81)
    assert not (made == more).all(axis=1).any()
    assert BY_NAME[name].complaint(np.concatenate([made, more])) == ""


@pytest.mark.parametrize("name", ["full grids", "minimal"])
def test_the_seed_determines_what_the_generator_makes(name: str) -> None:
    made, same, other = (Generator(seed).make(BY_NAME[name], 3) for seed in (1, 1, 2))
    assert (made == same).all()
    assert (made != other).any()


def test_wrong_products_are_detected() -> None:
    full = random_grids(2)
    ones = np.ones_like(full)
    assert BY_NAME["full grids"].complaint(np.concatenate([full, ones])) == "2 of 4 grids are invalid"
    minimal = generate_array(1, minimal=True).puzzles
    fewer = minimal.copy()
    fewer[0, np.flatnonzero(fewer[0])[0]] = 0
    easy = generate_array(1, level="easy").puzzles
    for name, grids in (("minimal", full), ("minimal", fewer), ("half-turn", minimal), ("hard", easy)):
        assert "is not as ordered" in BY_NAME[name].complaint(grids)


def test_only_right_products_get_a_rate() -> None:
    product = BY_NAME["minimal"]
    right, wrong = (
        measure([Fixed(grids)], product, rounds=2, progress=False)[0]
        for grids in (generate_array(1, minimal=True).puzzles, random_grids(1))
    )
    assert len(right.rates) == 2
    assert not right.complaint
    assert not wrong.rates
    assert "is not as ordered" in wrong.complaint


def test_a_rival_minimizes_only_minimal_puzzles(tmp_path: Path) -> None:
    source, library = tmp_path / "minimizer.cpp", tmp_path / "libminimizer.so"
    source.write_text(MINIMIZER)
    subprocess.run(["g++", "-O1", "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    rival = Minimizer("rival", str(library), seed=5)
    assert [product.name for product in PRODUCTS if rival.can_make(product)] == ["minimal"]
    rival.load(3)
    made = rival.make(BY_NAME["minimal"], 3)
    assert (made[:, 1:] == random_grids(3, seed=5)[:, 1:]).all()
    assert not made[:, 0].any()
    assert made[:, 1:].all()
    assert "is not as ordered" in BY_NAME["minimal"].complaint(made)

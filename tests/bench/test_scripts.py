"""The statistics and options of the scripts in benchmarks/."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

from tests.cases import for_each

FOLDER = Path(__file__).parents[2] / "benchmarks"


def script(name: str) -> dict[str, Any]:
    return runpy.run_path(str(FOLDER / f"{name}.py"))


@for_each(
    ("shared", "alone", "words"),
    [
        ([1, 1, 1], [2, 2, 2], "0.50 (0.50 to 0.50)"),
        ([1, 4], [1, 1], "2.00 (0.00 to 13365.30)"),  # 2 · 4^(12.706 / 2), by hand
        ([3], [2], "1.50"),
        ([0, 3, 5], [7, 2, 0], "1.50"),
        ([0], [1], "–"),
        ([], [], "–"),
    ],
)
def test_an_effect_is_a_geometric_mean_with_an_interval(shared: list[float], alone: list[float], words: str) -> None:
    assert script("portfolio")["effect"](shared, alone) == words


def test_only_the_chosen_kinds_of_puzzles_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    generation = script("generation")
    measure = generation["measure"]
    for name in ("rate_of_ours", "rate_of_iterator"):
        monkeypatch.setitem(measure.__globals__, name, lambda *_: 1.0)
    assert list(measure("25×25", None)) == ["25×25"]
    assert list(measure("minimal", None)) == [generation["ITERATED"], "9×9 half-turn, minimal"]
    assert len(measure("", None)) == len(generation["ORDERS"]) + 1

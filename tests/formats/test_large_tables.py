"""Tables of any length are solved in little memory; ``tools/large_tables.py`` measures ten million rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools import large_tables
from tools.large_tables import FORMS, Pass, complaints, measure, write_table

import sudokulab
from tests.cases import for_each

pytestmark = [pytest.mark.slow, pytest.mark.native]


@pytest.fixture(autouse=True)
def small_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_tables, "_SAMPLE", 1000)  # takes seconds to generate otherwise


@for_each("form", ["CSV", "text to JSON lines"])
def test_memory_does_not_grow_with_the_table(form: str, tmp_path: Path) -> None:
    small, large = (measure(form, num_rows, tmp_path).megabytes for num_rows in (100_000, 250_000))
    assert large < small + 24  # 150,000 puzzles and their solutions


@for_each("extension", ["txt", "csv", "parquet", "jsonl"])
def test_the_tables_have_different_puzzles_in_every_block(extension: str, tmp_path: Path) -> None:
    path = tmp_path / f"p.{extension}"
    write_table(path, 1010)
    puzzles = [puzzle.line for puzzle in sudokulab.read(path)]
    assert len(puzzles) == len(set(puzzles)) == 1010
    assert sudokulab.is_unique_array(puzzles[-10:]).all()


def costs(num_rows: int, **changes: tuple[float, float]) -> list[Pass]:
    return [Pass(form, num_rows, *changes.get(form.replace(" ", "_"), (num_rows / 1e6, 100.0))) for form in FORMS]


@for_each(
    ("changes", "words"),
    [
        ({}, []),
        ({"CSV": (9.0, 110.0)}, []),
        ({"CSV": (9.0, 150.0)}, ["CSV: memory grows from 100 MB to 150 MB from 1,000,000 to 10,000,000 rows"]),
        ({"text_to_JSON_lines": (31, 100)}, ["text to JSON lines: 3.1 times the CPU time of text, more than 3"]),
        ({"JSON_lines": (31.0, 100.0)}, ["JSON lines: 3.1 times the CPU time of text, more than 3"]),
    ],
)
def test_costs_are_judged(changes: dict[str, tuple[float, float]], words: list[str]) -> None:
    assert list(complaints(costs(1_000_000), costs(10_000_000, **changes))) == words

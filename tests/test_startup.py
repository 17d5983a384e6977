"""A program that solves one puzzle starts fast: libraries that take long to import are imported on first use."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("numpy", "pydantic", "concurrent.futures", "importlib.metadata", "sudokulab.external", "sudokulab.logic")
PUZZLE = "." * 80 + "1"


@pytest.mark.parametrize(
    "call",
    [
        f"sudokulab.solve('{PUZZLE}')",
        f"sudokulab.solve('{PUZZLE}', 'auto', seconds=5)",
        f"sudokulab.count('{PUZZLE}', limit=2)",
        f"sudokulab.is_unique('{PUZZLE}')",
    ],
)
def test_a_first_call_imports_no_heavy_library(call: str) -> None:
    program = f"import sys, sudokulab; {call}; print([name for name in {HEAVY!r} if name in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", program], text=True).strip() == "[]"

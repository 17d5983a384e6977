"""A program that solves one puzzle starts fast: libraries that take long to import are imported on first use."""

from __future__ import annotations

import subprocess
import sys

from tests.cases import for_each

HEAVY = (
    *("numpy", "pydantic", "concurrent.futures", "importlib.metadata"),
    *("sudokulab.external", "sudokulab.formats.files", "sudokulab.logic"),
)
PUZZLE = "." * 80 + "1"


@for_each(
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


def test_the_command_line_solves_a_puzzle_without_heavy_libraries() -> None:
    program = f"""
import sys
from sudokulab.cli import main
sys.argv = ["sudokulab", "solve", "{PUZZLE}"]
main()
print([name for name in {("numpy", "pydantic", "rich", "sudokulab.instances.collections")!r} if name in sys.modules])
"""
    assert subprocess.check_output([sys.executable, "-c", program], text=True).splitlines()[-1] == "[]"


def test_modules_are_attributes_without_an_import_of_their_own() -> None:
    program = """
import sudokulab
print(sudokulab.datasets.make.__name__, sudokulab.errors.FormatError.__name__, sudokulab.external.Cadical.__name__)
"""
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "make FormatError Cadical\n"


@for_each("arguments", [["solve", "1" * 81], ["solve", PUZZLE, "nothing"], ["check", "." * 81]])
def test_arguments_without_options_give_the_same_output_and_exit_code(arguments: list[str]) -> None:
    """They are not parsed by typer."""
    command = [sys.executable, "-m", "sudokulab"]
    plain = subprocess.run([*command, *arguments], capture_output=True, text=True)
    parsed = subprocess.run([*command, arguments[0], "--box", "3x3", *arguments[1:]], capture_output=True, text=True)
    assert (plain.returncode, plain.stdout, plain.stderr) == (parsed.returncode, parsed.stdout, parsed.stderr)
    assert plain.returncode > 0

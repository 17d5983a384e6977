"""The page of all commands in the documentation is complete and reads well."""

from __future__ import annotations

import re
import runpy
from functools import cache
from pathlib import Path
from typing import cast

from sudokulab.cli import COMMANDS
from tests.cases import for_each

SCRIPT = runpy.run_path(str(Path(__file__).parent.parent / "tools" / "make_commands.py"))
mended = SCRIPT["mended"]


@cache
def page() -> str:
    return cast(str, SCRIPT["commands_page"]())


@for_each("name", [*COMMANDS, "instances add"])
def test_every_command_has_a_section(name: str) -> None:
    assert re.search(rf"^##+ `sudokulab {name}`$", page(), re.MULTILINE)


def test_nothing_is_cut_off() -> None:
    assert "..." not in re.sub(r"^\$ .*$", "", page(), flags=re.MULTILINE)


def test_ranges_are_in_words() -> None:
    assert not re.search(r"x[<>]=|<=x| range>|list\[", page())
    assert "(1 to 1,024)" in page()
    assert "(default: 6; at least 1)" in page()
    assert str(2**63 - 1) not in page()


def test_examples_are_blocks_of_code() -> None:
    assert "Example:" not in page()
    assert "```console\n$ sudokulab check my-puzzles.sdm\n```" in page()


def test_summaries_are_those_of_the_commands() -> None:
    cut = "**Commands**:\n\n* `solve`: Solve...\n\n## `sudokulab solve`\n\nSolve puzzles\nof any size.\n\nMore.\n"
    assert "* `solve`: Solve puzzles of any size.\n" in mended(cut)

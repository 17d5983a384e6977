"""An option of several commands means the same in all of them."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from sudokulab.cli.options import MEANINGS
from tests.cases import for_each
from tests.cli.commands import all_commands
from tests.commands import run
from tests.puzzles import TINY

Uses = dict[str, list[tuple[str, Any]]]


def uses() -> Uses:
    """Return the options of all commands by name, each with the commands that have it."""
    found: Uses = defaultdict(list)
    for command, described in all_commands():
        for option in described.params:
            if option.param_type_name == "option" and option.name != "help":
                long = next(name for name in option.opts if name.startswith("--"))
                found[long].append((command, option))
    return found


def test_shared_options_are_in_the_table() -> None:
    assert {name for name, found in uses().items() if len(found) > 1} == set(MEANINGS)


def test_the_help_of_a_shared_option_begins_with_its_meaning() -> None:
    for name, meaning in MEANINGS.items():
        for command, option in uses()[name]:
            words = option.help.replace("Sizes", "Size").replace("Solvers", "Solver").replace("Fractions", "Fraction")
            assert words.startswith(meaning), (command, name)


def test_a_short_form_stands_for_one_option_in_all_its_commands() -> None:
    for name, found in uses().items():
        assert len({tuple(sorted(option.opts)) for _, option in found}) == 1, name
    shorts = [short for found in uses().values() for short in found[0][1].opts if not short.startswith("--")]
    assert len(shorts) == len(set(shorts))


def test_flags_are_flags_in_all_commands() -> None:
    for name, found in uses().items():
        assert len({option.is_flag for _, option in found}) == 1, name


def test_commands_that_read_puzzles_have_the_options_for_tables() -> None:
    found = uses()
    assert {command for command, _ in found["--column"]} == {command for command, _ in found["--from"]}


@for_each("arguments", [["techniques", "naked-single", "--find"], ["watch", "-o", "run.html"]])
def test_a_named_column_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "grids.csv").write_text(f"id,my grid\n1,{TINY.line}\n")
    for column, code in (("my grid", 0), ("other", 2)):
        done = run(*arguments, tmp_path / "grids.csv", "--column", column)
        assert done.returncode == code, done.stderr

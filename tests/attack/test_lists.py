"""Options with several values: commas and repetition give the same list, for every option of every command."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from sudokulab import cli
from sudokulab.cli import app
from tests.cases import for_each

SAMPLES = {
    "--command": None,  # a command line may contain any commas
    "--fixed": ["0.25", "0.5", "0.75"],
    "--fields": ["row", "id", "status"],
    "--find": ["easy", "hard", "famous"],
    "--instance": ["easy-1", "25x25*", "7"],
    "--library": ["a=./a.so", "b=./b.so:solve", "c=./c.so"],
    "--outcome": ["solved", "late", "wrong"],
    "--param": ["ants=20", "q0=0.5", "tabu:rules=NS,HS"],
    "--param-file": ["ant-colony:a.toml", "b.toml", "c.toml"],
    "--range": ["ants=5..50", "restarts=1,2,3", "q0=0.1..0.9"],
    "--ratings": ["rules", "se", "hodoku"],
    "--rules": ["NS", "HS", "NP"],
    "--shares": ["train=0.8", "validation=0.1", "test=0.1"],
    "--size": ["16", "25", "36"],
    "--solver": ["dlx", "auto", "dive:RandomDive"],
    "--split": ["train=a.csv", "train=b.csv", "test=c.csv"],
    "--technique": ["swordfish", "NP", "HT"],
    "--techniques": ["singles", "x-wing", "fish"],
    "--without": ["uniqueness", "wings", "fish"],
    "--workload": ["solve", "count", "start"],
}
"""Three values of each option that takes a list; None for an option that can only be repeated."""


def commands(command: Any, *path: str) -> Iterator[tuple[str, Any]]:
    if not hasattr(command, "commands"):
        yield " ".join(path), command
        return
    for name in list(command.commands):
        yield from commands(command.commands[name], *path, name)


def options() -> Iterator[tuple[str, Any, Any]]:
    for name, command in commands(typer.main.get_command(app)):
        for option in command.params:
            if option.param_type_name == "option":
                yield name, command, option


LISTS = [(name, command, option) for name, command, option in options() if option.multiple]


def value_of(command: Any, option: Any, arguments: list[str]) -> Any:
    """Return the value that a command gets for an option; its other required parameters are filled in."""
    filled = [
        text
        for other in command.params
        if other.required and other is not option
        for text in (["x"] if other.param_type_name == "argument" else [other.opts[0], "x"])
    ]
    return command.make_context("command", [*filled, *arguments]).params[option.name]


@for_each(
    ("command", "option"),
    [(command, option) for _, command, option in LISTS],
    ids=[f"{name} {option.opts[0]}" for name, _, option in LISTS],
)
def test_commas_and_repetition_give_the_same_list(command: Any, option: Any) -> None:
    values = SAMPLES[option.opts[0]]
    if values is None:
        assert value_of(command, option, ["--command", "a=x,b=y", "--command", "c"]) == ["a=x,b=y", "c"]
        return
    for spelling in option.opts:
        repeated = value_of(command, option, [part for value in values for part in (spelling, value)])
        assert [str(getattr(value, "value", value)) for value in repeated] == values
        assert value_of(command, option, [spelling, ",".join(values)]) == repeated
        assert value_of(command, option, [spelling, values[0], spelling, ", ".join(values[1:])]) == repeated
        assert value_of(command, option, [spelling, f"{values[0]},{values[1]}", spelling, values[2]]) == repeated


def test_every_option_with_a_list_is_one() -> None:
    """Text that a command splits itself would keep only the last repetition."""
    single = [
        f"{name} {option.opts[0]}"
        for name, _, option in options()
        if option.opts[0] in SAMPLES and not option.multiple and (name, option.opts[0]) not in SINGLE
    ]
    assert single == []
    folder = Path(cli.__file__).parent
    splitting = [path.name for path in sorted(folder.glob("*.py")) if re.search(r"split\(['\"],", path.read_text())]
    assert splitting == ["options.py"]


SINGLE = {
    ("solve", "--command"),
    ("solve", "--solver"),
    ("tune", "--solver"),
    ("watch", "--solver"),
    ("generate", "--fixed"),
    ("generate", "--size"),
}
"""Options of one value that share their name with a list of another command."""


def test_the_help_of_every_list_says_that_it_is_repeatable() -> None:
    assert [f"{name} {option.opts[0]}" for name, _, option in LISTS if not option.help.endswith("Repeatable.")] == []


def test_a_list_that_is_not_given_is_none() -> None:
    values = [
        value_of(command, option, [])
        for _, command, option in LISTS
        if not option.required and SAMPLES[option.opts[0]] is not None
    ]
    assert len(values) > 10
    assert set(values) == {None}


def test_files_whose_names_contain_commas_are_one_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a,b.toml").touch()
    found = {(name, option.opts[0]): (command, option) for name, command, option in LISTS}
    for key in (("solve", "--param-file"), ("techniques", "--find"), ("compare", "--param-file")):
        command, option = found[key]
        assert value_of(command, option, [key[1], "a,b.toml"]) == ["a,b.toml"]
    assert value_of(*found["compare", "--param-file"], ["--param-file", "tabu:a,b.toml"]) == ["tabu:a,b.toml"]


def test_a_puzzle_with_commas_is_one_value() -> None:
    command, option = next((command, option) for name, command, option in LISTS if option.opts[0] == "--find")
    text = ",".join("1000003004000002")
    assert value_of(command, option, ["--find", text]) == [text]


def test_wrong_numbers_and_names_are_explained() -> None:
    for name, wrong, message in (("--size", "16,x", "'16,x' is not a number"), ("--workload", "solve,x", "unknown")):
        command, option = next((command, option) for _, command, option in LISTS if option.opts[0] == name)
        with pytest.raises(typer.BadParameter) as caught:
            value_of(command, option, [name, wrong])
        assert message in str(caught.value)

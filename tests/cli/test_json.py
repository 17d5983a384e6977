"""The JSON of every command has the documented fields and types."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tools.make_json import TARGET, json_page

from sudokulab.cli.schema import BASIC_TYPES, COMMANDS, OBJECTS, VERSION, Fields
from sudokulab.datasets import Recipe, make
from tests.cases import for_each
from tests.cli.commands import all_commands
from tests.commands import run
from tests.datasets.sets import sound_rows, write_parquet
from tests.puzzles import EASY, TINY, random_instance

LINES = f"{EASY.line} a name\nrubbish\n{'1' * 81}\n{TINY.line}\n{random_instance((3, 3), 20, 1).line}\n"
"""A puzzle with a name, an unreadable line, a clash, a small puzzle, and one with several solutions."""

LINE_COMMANDS: dict[str, list[list[str]]] = {
    "solve": [[], ["-s", "annealing", "--iterations", "10"], ["-s", "dlx"]],
    "check": [[]],
    "rate": [[]],
    "rate --scale se": [[]],
    "rate --scale trial": [["--backdoors", "2"]],
    "hint": [[]],
    "explain": [[], ["--techniques", "singles"]],
    "canonical": [[], ["--hash"], ["--through", "solution"]],
}
"""Options of the commands that print an object per puzzle."""


def check(value: Any, kind: str, place: str) -> None:
    """Fail if a value is not of a type of the tables."""
    plain: dict[str, Any] = {"integer": int, "number": (int, float), "boolean": bool, "text": str, "object": dict}
    if kind.endswith(" or null"):
        if value is not None:
            check(value, kind.removesuffix(" or null"), place)
    elif kind.startswith("list of "):
        assert isinstance(value, list), place
        for number, one in enumerate(value):
            check(one, kind.removeprefix("list of "), f"{place}[{number}]")
    elif kind.startswith("map of "):
        assert isinstance(value, dict), place
        for key, one in value.items():
            check(one, kind.removeprefix("map of "), f"{place}.{key}")
    elif kind == "candidate":
        cell, digit = value
        assert (type(cell), type(digit)) == (str, int), place
    elif kind in plain:
        is_right = isinstance(value, plain[kind]) and (kind == "boolean" or not isinstance(value, bool))
        assert is_right, f"{place}: {value!r} is no {kind}"
    else:
        check_fields(value, OBJECTS[kind], place)


def check_fields(record: Any, fields: Fields, place: str) -> None:
    assert list(record) == list(fields), place
    for name, (kind, _) in fields.items():
        check(record[name], kind, f"{place}.{name}")


@for_each("command", LINE_COMMANDS)
def test_objects_of_puzzles_have_the_documented_fields(command: str) -> None:
    for options in LINE_COMMANDS[command]:
        done = run(*command.split(), "--json", "--keep-going", *options, stdin=LINES)
        records = [json.loads(line) for line in done.stdout.splitlines()]
        assert [record["row"] for record in records] == [1, 2, 3, 4, 5]
        assert [record["version"] for record in records] == [VERSION] * 5
        for record in records:
            check_fields(record, COMMANDS[command], f"{command} {record['row']}")


@for_each(
    ("command", "arguments"),
    [
        ("rate --scale hodoku", [EASY.line]),
        ("techniques --find", [EASY.line, "hidden-single,x-cycle,forcing-chain,grouped-alternating-inference-chain"]),
        ("techniques", []),
        ("solvers", []),
        ("bench", ["easy", "-n", "10", "-w", "solve", "--rounds", "1", "-s", "dlx,auto"]),
        ("bench", ["--size", "16", "--fixed", "0.6", "-n", "2", "-s", "dlx,hill-climbing", "--seconds", "0.1"]),
    ],
)
def test_other_objects_have_the_documented_fields(command: str, arguments: list[str]) -> None:
    lines = run(*command.split(), *arguments, "--json").stdout
    whole = command in ("techniques", "solvers", "bench")
    records = [json.loads(lines)] if whole else [json.loads(line) for line in lines.splitlines()]
    assert records
    for record in records:
        check_fields(record, COMMANDS[command], command)
        assert record["version"] == VERSION
    if command == "bench":
        for contender in records[0]["sets"][0]["contenders"]:
            check_fields(contender, OBJECTS["timed contender" if "--size" in arguments else "contender"], "contender")


def test_objects_of_data_sets_have_the_documented_fields(tmp_path: Path) -> None:
    make(Recipe.model_validate({"parts": [{"count": 40, "size": 4}]}), tmp_path / "set")
    split = run("dataset", "split", tmp_path / "set", "--shares", "train=0.5,test=0.5", "--json")
    check_fields(json.loads(split.stdout), COMMANDS["dataset split"], "dataset split")
    rows = [*sound_rows(3), ("rubbish", ""), sound_rows(3)[0]]
    write_parquet(tmp_path / "p.parquet", rows)
    audit = run("dataset", "audit", tmp_path / "p.parquet", "--json")
    check_fields(json.loads(audit.stdout), COMMANDS["dataset audit"], "dataset audit")


def test_every_command_with_json_is_documented() -> None:
    commands = {name for name, command in all_commands() if any("--json" in option.opts for option in command.params)}
    assert commands == {name.partition(" --")[0] for name in COMMANDS}


def test_every_type_is_known_and_every_object_used() -> None:
    words = ("list of ", "map of ")
    used = set()
    for fields in [*COMMANDS.values(), *OBJECTS.values()]:
        for kind, _ in fields.values():
            name = kind.removesuffix(" or null")
            while name.startswith(words):
                name = name.partition(" of ")[2]
            used.add(name)
    assert used - {*BASIC_TYPES} == {*OBJECTS} - {"contender", "timed contender"}


def test_the_page_is_that_of_the_script() -> None:
    assert TARGET.read_text(encoding="utf-8") == json_page(), "run python -m tools.make_json"

"""Puzzles of a set or a stream have distinct identities, whatever their names."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudokulab import generate
from sudokulab._internal.identities import Identities
from sudokulab.lab import Experiment, ExperimentError, InstanceSet, SolverSpec, compare
from tests.cases import for_each
from tests.commands import run
from tests.memory import most_bytes

NAMES = st.lists(st.sampled_from(["", "", "1", "2", "3", "03", "٣", "²", "x", "2 (2)", "2 (2) (2)", "9" * 30]))


@given(NAMES)
def test_identities_are_distinct_and_names_are_kept_if_possible(names: list[str]) -> None:
    identity = Identities()
    found = [identity(name) for name in names]
    assert len(set(found)) == len(found)
    for position, (name, one) in enumerate(zip(names, found, strict=True)):
        is_free = name and name not in found[:position]
        assert one == name if is_free else one.startswith(str(position + 1))


def test_unnamed_puzzles_take_no_memory() -> None:
    identity = Identities()

    def number_many() -> None:
        for _ in range(100_000):
            identity()

    assert most_bytes(number_many) < 300_000


def puzzles_named(names: Sequence[str]) -> list[str]:
    puzzles = generate(len(names), box="2x2", seed=1)
    lines = [f"{puzzle.line} {name}".strip() for puzzle, name in zip(puzzles, names, strict=True)]
    assert len(set(lines)) == len(lines)
    return lines


def experiment_of(*sets: InstanceSet) -> Experiment:
    return Experiment(name="names", instances=sets, solvers=(SolverSpec(name="backtracking"),))


@for_each(
    ("names", "expected"),
    [
        (("2", ""), ["2", "2 (2)"]),
        (("", "1"), ["1", "2"]),
        (("3", "x", "x"), ["3", "x", "3 (3)"]),
        (("x", "x", ""), ["x", "2", "3"]),
    ],
)
def test_each_puzzle_is_one_instance(names: tuple[str, ...], expected: list[str], tmp_path: Path) -> None:
    lines = puzzles_named(names)
    (tmp_path / "set.txt").write_text("\n".join(lines))
    for instances in (InstanceSet(set="set.txt"), InstanceSet(label="set", puzzles=tuple(lines))):
        plan = experiment_of(instances).plan(tmp_path)
        assert [run.instance for run in plan] == [f"set/{name}" for name in expected]


def test_statistics_count_every_puzzle() -> None:
    found = compare(["backtracking", "dlx"], puzzles_named(["2", ""]), cpu_seconds=60, workers=1)
    assert found.runs["instance"].unique().sort().to_list() == ["puzzles/2", "puzzles/2 (2)"]
    assert found.tests["num_a"].to_list() == [2]


def test_sets_that_share_the_name_of_an_instance_are_refused() -> None:
    first, second = puzzles_named(["b/1", "1"])
    experiment = experiment_of(InstanceSet(label="a", puzzles=(first,)), InstanceSet(label="a/b", puzzles=(second,)))
    with pytest.raises(ExperimentError, match=r"instances\.1: instances\.0 has an instance 'a/b/1', too"):
        experiment.plan()


@for_each("command", ["solve", "check", "rate", "canonical", "hint", "explain", "techniques"])
def test_json_records_have_the_real_id_and_the_row(command: str, tmp_path: Path) -> None:
    names = ["2", "", "x", "x", "a  b", "a b"]
    (tmp_path / "p.txt").write_text("\n".join(puzzles_named(names)))
    arguments = ["naked-single,hidden-single", "--find"] if command == "techniques" else []
    done = run(command, *arguments, tmp_path / "p.txt", "--json")
    assert done.returncode in (0, 1), done.stderr
    records = map(json.loads, done.stdout.splitlines())
    found = [(record["row"], record["id"]) for record in records]
    assert list(dict.fromkeys(found)) == [(1, "2"), (2, "2"), (3, "x"), (4, "x"), (5, "a b"), (6, "a b")]
    if command != "techniques":
        assert len(found) == len(names)

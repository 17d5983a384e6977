"""An experiment is checked before the first run, and its plan is the same on every machine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sudokulab.lab.experiment import BudgetSpec, Experiment, ExperimentError, InstanceSet, SolverSpec, load_experiment
from tests.cases import for_each

TOML = """
name = "small"
runs = 3
seed = 1
[budget]
cpu_seconds = 1
[[instances]]
set = "famous"
limit = 2
[[instances]]
label = "random"
generate = { size = 4, fixed = 0.5, count = 2, seed = 3 }
[[solvers]]
name = "backtracking"
[[solvers]]
name = "ant-colony"
params = { ants = 5 }
"""


def load(tmp_path: Path, text: str) -> Experiment:
    path = tmp_path / "experiment.toml"
    path.write_text(text, encoding="utf-8")
    return load_experiment(path)


def test_a_file_and_python_give_the_same_experiment(tmp_path: Path) -> None:
    experiment = load(tmp_path, TOML)
    assert experiment == Experiment(
        name="small",
        runs=3,
        seed=1,
        budget=BudgetSpec(cpu_seconds=1),
        instances=(
            InstanceSet(set="famous", limit=2),
            InstanceSet(label="random", generate={"size": 4, "fixed": 0.5, "count": 2, "seed": 3}),  # type: ignore[arg-type]
        ),
        solvers=(SolverSpec(name="backtracking"), SolverSpec(name="ant-colony", params={"ants": 5})),
    )
    assert load(tmp_path, experiment.to_toml()) == experiment


def test_the_plan_is_instances_times_solvers_times_runs(tmp_path: Path) -> None:
    runs = load(tmp_path, TOML).plan()
    assert len(runs) == 4 * (3 + 1)  # backtracking is deterministic, so it runs once
    assert len({run.key for run in runs}) == len(runs)
    assert {run.instance for run in runs} == {"famous/AI Escargot", "famous/Inkala 2012", "random/1", "random/2"}
    assert {run.solver.title for run in runs} == {"backtracking", "ant-colony (ants=5)"}
    assert [run.key for run in runs] == [run.key for run in load(tmp_path, TOML).plan()]


def test_seeds_differ_between_runs_and_are_shared_by_solvers(tmp_path: Path) -> None:
    runs = load(tmp_path, TOML.replace('"backtracking"', '"annealing"')).plan()
    by_solver = [[run.seed for run in runs if run.solver.name == name] for name in ("annealing", "ant-colony")]
    assert by_solver[0] == by_solver[1]
    assert len(set(by_solver[0])) == 12
    assert {run.seed for run in load(tmp_path, TOML.replace("seed = 1", "seed = 2")).plan()}.isdisjoint(by_solver[0])


def test_sets_are_named_without_the_extension_of_a_file() -> None:
    assert InstanceSet(set="25x25-0.45").name == "25x25-0.45"
    assert InstanceSet(set="folder/mine.txt").name == "mine"


def test_a_file_can_contain_puzzles(tmp_path: Path) -> None:
    text = TOML.replace('set = "famous"\nlimit = 2', 'label = "here"\npuzzles = ["1.....3..4.....2 small"]')
    experiment = load(tmp_path, text)
    assert "here/small" in {run.instance for run in experiment.plan()}
    assert load(tmp_path, experiment.to_toml()) == experiment


def test_instance_files_are_found_in_the_folder_of_the_experiment(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("1.....3..4.....2\n1.....3..4.....2\n")
    experiment = load(tmp_path, TOML.replace('set = "famous"', 'set = "mine.txt"'))
    runs = experiment.plan(tmp_path)
    assert {run.instance for run in runs if run.instance_set == "mine"} == {"mine/1"}  # duplicates count once


@for_each(
    ("old", "new", "complaint"),
    [
        ("runs = 3", "runs = 0", "runs: 0; choose a number above 0"),
        ("runs = 3", "rums = 3", "rums: unknown field"),
        ('name = "small"', "", "name: missing"),
        ('"ant-colony"', '"ants"', "solvers.1: unknown solver 'ants'"),
        ("ants = 5", "ants = 0", "solvers.1: ants: 0; choose an integer from 1"),
        ("ants = 5", "aunts = 5", "solvers.1: unknown parameter of ant-colony 'aunts'; did you mean 'ants'"),
        ("cpu_seconds = 1", "cpu_seconds = -1", "budget.cpu_seconds: -1; choose a number above 0"),
        ("size = 4", "size = 5", "instances.1.generate: size: 5; choose 4 to 64"),
        ('set = "famous"', "", "instances.0: give exactly one of set, generate and puzzles"),
        ('name = "backtracking"', 'name = "tests.lab.cheats:Nobody"', "cannot import tests.lab.cheats:Nobody"),
        ('name = "backtracking"', 'command = "./p {file}"', "give a label, which commands need"),
        ("ants = 5 }", 'ants = 5 }\nlabel = "backtracking"', "two solvers are called 'backtracking'"),
        ("[budget]", "[budget", "invalid TOML"),
        (
            "cpu_seconds = 1",
            "iterations = 10",
            "solvers.0: no limit applies to backtracking; set budget.nodes or budget.cpu_seconds",
        ),
        ("cpu_seconds = 1", "cpu_seconds = inf", "budget.cpu_seconds: inf; choose a finite number"),
    ],
)
def test_errors_name_the_field(tmp_path: Path, old: str, new: str, complaint: str) -> None:
    assert old in TOML
    with pytest.raises(ExperimentError, match=re.escape(complaint)):
        load(tmp_path, TOML.replace(old, new))


def test_missing_sets_are_refused_before_the_first_run(tmp_path: Path) -> None:
    experiment = load(tmp_path, TOML.replace('"famous"', '"nowhere"'))
    with pytest.raises(ExperimentError, match=r"instances\.0: 'nowhere' is not a file, a folder or a collection"):
        experiment.plan()


def test_the_keys_of_runs_never_change() -> None:
    """Otherwise stores could not be resumed by a later release."""
    spec = SolverSpec(name="ant-colony", params={"ants": 5})
    famous = InstanceSet(set="famous", limit=1)
    experiment = Experiment(
        name="small", seed=1, budget=BudgetSpec(cpu_seconds=5), instances=(famous,), solvers=(spec,)
    )
    assert [run.key for run in experiment.plan()] == ["4edb6852dd7b75d23ebff60f"]


def test_a_plan_makes_each_solver_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    experiment, made = load(tmp_path, TOML), []
    make = SolverSpec.make
    monkeypatch.setattr(SolverSpec, "make", lambda self: made.append(self.title) or make(self))  # type: ignore[func-returns-value]
    experiment.plan()
    assert made == ["backtracking", "ant-colony (ants=5)"]

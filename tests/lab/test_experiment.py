"""An experiment is checked before anything runs, and its plan is the same wherever it is made."""

from __future__ import annotations

from pathlib import Path

import pytest

from sudokulab.lab.experiment import BudgetSpec, Experiment, ExperimentError, InstanceSet, SolverSpec, load_experiment

TOML = """
name = "small"
runs = 3
seed = 1
[budget]
seconds = 1
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


def test_a_file_and_python_mean_the_same(tmp_path: Path) -> None:
    experiment = load(tmp_path, TOML)
    assert experiment == Experiment(
        name="small",
        runs=3,
        seed=1,
        budget=BudgetSpec(seconds=1),
        instances=(
            InstanceSet(set="famous", limit=2),
            InstanceSet(label="random", generate={"size": 4, "fixed": 0.5, "count": 2, "seed": 3}),  # type: ignore[arg-type]
        ),
        solvers=(SolverSpec(name="backtracking"), SolverSpec(name="ant-colony", params={"ants": 5})),
    )
    assert load(tmp_path, experiment.to_toml()) == experiment


def test_the_plan_is_instances_times_solvers_times_runs(tmp_path: Path) -> None:
    runs = load(tmp_path, TOML).plan()
    assert len(runs) == 4 * (3 + 1)  # backtracking is not stochastic: one run says it all
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


def test_sets_are_called_by_their_whole_names() -> None:
    assert InstanceSet(set="25x25-0.45").name == "25x25-0.45"
    assert InstanceSet(set="folder/mine.txt").name == "mine"


def test_puzzles_may_stand_in_the_file_itself(tmp_path: Path) -> None:
    text = TOML.replace('set = "famous"\nlimit = 2', 'label = "here"\npuzzles = ["1.....3..4.....2 small"]')
    experiment = load(tmp_path, text)
    assert "here/small" in {run.instance for run in experiment.plan()}
    assert load(tmp_path, experiment.to_toml()) == experiment


def test_files_beside_the_experiment_are_found(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("1.....3..4.....2\n1.....3..4.....2\n")
    experiment = load(tmp_path, TOML.replace('set = "famous"', 'set = "mine.txt"'))
    runs = experiment.plan(tmp_path)
    assert {run.instance for run in runs if run.instance_set == "mine"} == {"mine/1"}  # the same puzzle twice is one


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("runs = 3", "runs = 0", "runs: Input should be greater than 0"),
        ("runs = 3", "rums = 3", "rums: Extra inputs are not permitted"),
        ('name = "small"', "", "name: Field required"),
        ('"ant-colony"', '"ants"', "solvers.1: unknown solver 'ants'"),
        ("ants = 5", "ants = 0", "solvers.1"),
        ("ants = 5", "aunts = 5", "solvers.1"),
        ("seconds = 1", "seconds = -1", "budget.seconds: Input should be greater than 0"),
        ("size = 4", "size = 5", "instances.1.generate: no grid of size 5"),
        ('set = "famous"', "", "instances.0: expected either set, generate or puzzles"),
        ('name = "backtracking"', 'name = "tests.lab.cheats:Nobody"', "no solver at tests.lab.cheats:Nobody"),
        ('name = "backtracking"', 'command = "./p {file}"', "expected a label for a command"),
        ("ants = 5 }", 'ants = 5 }\nlabel = "backtracking"', "two solvers are called 'backtracking'"),
        ("[budget]", "[budget", "no TOML"),
        (
            "seconds = 1",
            "iterations = 10",
            "solvers.0: no limit holds for backtracking, expected budget.nodes or budget.seconds",
        ),
        ("seconds = 1", "seconds = inf", "budget.seconds: Input should be a finite number"),
    ],
)
def test_errors_name_the_field(tmp_path: Path, old: str, new: str, complaint: str) -> None:
    assert old in TOML
    with pytest.raises(ExperimentError, match=complaint.replace("(", r"\(")):
        load(tmp_path, TOML.replace(old, new))


def test_sets_that_are_not_there_are_refused_before_anything_runs(tmp_path: Path) -> None:
    experiment = load(tmp_path, TOML.replace('"famous"', '"nowhere"'))
    with pytest.raises(ExperimentError, match=r"instances\.0: nowhere: no such collection, file or folder"):
        experiment.plan()

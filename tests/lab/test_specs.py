"""Solvers in every form become plain data from which any process makes the same solver."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from sudokulab import Solver
from sudokulab.external import CommandSolver
from sudokulab.lab import BudgetSpec, Experiment, InstanceSet, SolverSpec, Store, load_experiment, run_experiment
from sudokulab.parameters import parameters
from sudokulab.solvers import Annealing, AntColony, Backtracking
from tests.cases import for_each
from tests.lab.cheats import Slow
from tests.puzzles import TINY


@parameters
class Picky(Backtracking):
    """A solver with a parameter that has no default."""

    level: int


class Unmarked(AntColony):
    """A subclass with the name of a registered solver."""


class Hidden(Backtracking):
    """A solver whose state is not declared as parameters."""

    def __init__(self, table: list[int]) -> None:
        object.__setattr__(self, "table", table)


@for_each(
    ("solver", "stored"),
    [
        ("ant-colony", {"name": "ant-colony"}),
        ("tests.lab.cheats:Slow", {"name": "tests.lab.cheats:Slow"}),
        (AntColony, {"name": "ant-colony"}),
        (AntColony(), {"name": "ant-colony"}),
        (AntColony(ants=20, q0=0.5), {"name": "ant-colony", "params": {"ants": 20, "q0": 0.5}}),
        (Annealing(filter="cp", cooling=0.5), {"name": "cp+annealing", "params": {"cooling": 0.5}}),
        (Slow, {"name": "tests.lab.cheats:Slow"}),
        (Unmarked(ants=3), {"name": "tests.lab.test_specs:Unmarked", "params": {"ants": 3}}),
        (Picky(level=2), {"name": "tests.lab.test_specs:Picky", "params": {"level": 2}}),
        (
            CommandSolver(label="p", command="./p {file}", answer="cnf"),
            {"command": "./p {file}", "label": "p", "params": {"answer": "cnf"}},
        ),
    ],
)
def test_a_solver_is_stored_as_plain_data_and_made_again(solver: Any, stored: dict[str, Any]) -> None:
    spec = SolverSpec(solver=solver)
    assert spec.model_dump(exclude_defaults=True) == stored
    assert SolverSpec.model_validate_json(spec.model_dump_json()) == spec == SolverSpec(**stored)
    if isinstance(solver, Solver):
        assert spec.make() == solver


def test_parameters_add_to_those_of_a_class_or_an_instance() -> None:
    assert SolverSpec(solver=AntColony, params={"ants": 5}).make() == AntColony(ants=5)
    assert SolverSpec(solver=AntColony(ants=5), params={"q0": 0.5}).make() == AntColony(ants=5, q0=0.5)
    assert SolverSpec(solver=Picky, params={"level": 3}).make() == Picky(level=3)
    assert SolverSpec(solver=AntColony(ants=5), label="few").title == "few"
    assert SolverSpec(solver=AntColony(ants=5)).title == "ant-colony (ants=5)"


def local_class() -> type[Solver]:
    class Local(Backtracking):
        pass

    return Local


def notebook_class() -> type[Solver]:
    return type("InNotebook", (Backtracking,), {"__module__": "__main__", "name": "mine"})


def unsendable_class() -> type[Solver]:
    return type("Unsendable", (Backtracking,), {"__module__": "__main__", "left": (i for i in range(3))})


@for_each("cls", [local_class(), notebook_class()])
def test_classes_that_workers_cannot_import_are_sent_to_them(cls: type[Solver]) -> None:
    spec = pickle.loads(pickle.dumps(SolverSpec(solver=cls)))
    assert spec.make().solve(TINY).is_solved
    assert spec.title in ("mine", "tests.lab.test_specs:local_class.<locals>.Local")
    assert "code" not in spec.model_dump()
    with pytest.raises(ValidationError, match="code"):
        SolverSpec(name="x:Y", code="gASVAA==")  # type: ignore[arg-type]


def test_another_class_with_the_same_name_is_another_run() -> None:
    def keys(cls: type[Solver]) -> list[str]:
        spec = SolverSpec(solver=cls, label="mine")
        return [
            run.key
            for run in Experiment(
                name="e",
                budget=BudgetSpec(cpu_seconds=1),
                instances=(InstanceSet(set="famous", limit=1),),
                solvers=(spec,),
            ).plan()
        ]

    one, two = notebook_class(), notebook_class()
    assert keys(one) == keys(one)
    assert keys(one) != keys(two)


@for_each(
    ("solver", "message"),
    [
        (unsendable_class(), r"cannot import __main__:Unsendable, and it cannot be sent to them: .*generator"),
        (Hidden([1]), "the parameters of this instance cannot be stored"),
        (3, "3 is not a solver"),
        ("ants", "unknown solver 'ants'"),
        (AntColony.__init__, "is not a solver"),
    ],
)
def test_solvers_that_workers_cannot_make_are_refused_with_advice(solver: Any, message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        SolverSpec(solver=solver)


def test_a_solver_is_given_only_once() -> None:
    with pytest.raises(ValidationError, match="solver and name or command are mutually exclusive"):
        SolverSpec(solver=AntColony, name="dlx")
    with pytest.raises(ValidationError, match="give exactly one of solver, name and command"):
        SolverSpec(label="nothing")


def experiment_of(*solvers: Any, **fields: Any) -> Experiment:
    return Experiment(
        **{
            "name": "classes",
            "budget": BudgetSpec(cpu_seconds=5),
            "instances": (InstanceSet(set="famous", limit=1),),
            "solvers": tuple(SolverSpec(solver=solver) for solver in solvers),
            **fields,
        }
    )


def test_classes_and_instances_run_in_workers_and_survive_toml(tmp_path: Path) -> None:
    experiment = experiment_of(Slow, AntColony(ants=5), Unmarked)
    (tmp_path / "e.toml").write_text(experiment.to_toml())
    assert load_experiment(tmp_path / "e.toml") == experiment
    with Store(tmp_path / "s.sqlite") as store:
        assert run_experiment(experiment, store, workers=1) == 3
        assert store.runs()["is_success"].all()
        assert store.experiments()["classes"] == experiment

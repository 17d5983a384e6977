"""An experiment: instance sets × solvers × runs, under a budget; as a TOML file or in Python.

A file reads::

    name = "ants"
    runs = 10
    seed = 1

    [budget]
    cpu_seconds = 5

    [[instances]]
    set = "25x25-0.45"          # a collection, a file or a folder
    limit = 10

    [[instances]]
    label = "mine"
    generate = { size = 16, fixed = 0.45, count = 20, seed = 3 }

    [[solvers]]
    name = "ant-colony"

    [[solvers]]
    name = "ant-colony"
    label = "without evaporation"
    params = { evaporation = 0.0 }

    [[solvers]]
    label = "theirs"
    command = "./solver --file {file} --timeout {seconds}"

Everything is checked before the first run.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Annotated, Self

import tomli_w
from pydantic import Field, PositiveInt, ValidationError, ValidationInfo, field_validator, model_validator

from sudokulab._internal.documents import read_toml
from sudokulab._internal.identities import Identities
from sudokulab.errors import SudokulabError
from sudokulab.lab.specs import (
    BudgetSpec,
    ExperimentError,
    InstanceSet,
    Model,
    SolverSpec,
    describe_problems,
    is_stored,
)
from sudokulab.puzzle import Puzzle

__all__ = ["BudgetSpec", "Experiment", "ExperimentError", "InstanceSet", "Run", "SolverSpec", "load_experiment"]


@dataclass(frozen=True)
class Run:
    """One solver on one instance with one seed; becomes one row of the store.

    Parameters
    ----------
    key
        A hash of puzzle, solver, parameters, budget and seed, which identifies the run.
    instance_set, instance, puzzle
        The name of the set, the name of the instance, and the puzzle to solve.
    solver
        The solver.
    number
        The index of the run among those of this solver on this instance, from 0.
    seed
        The random seed; the same for all solvers.
    budget, is_traced
        The limits, and whether to keep the trace of the search.
    """

    key: str
    instance_set: str
    instance: str
    puzzle: Puzzle
    solver: SolverSpec
    number: int
    seed: int
    budget: BudgetSpec
    is_traced: bool = False


class Experiment(Model):
    """Instance sets × solvers × runs, under a budget."""

    name: Annotated[str, Field(min_length=1)]
    title: str = ""
    runs: PositiveInt = 1
    """The number of runs of each stochastic solver on each instance; other solvers run once."""
    seed: Annotated[int, Field(ge=0, lt=2**64)] = 0
    budget: BudgetSpec = BudgetSpec()
    trace: bool = False
    """Whether to keep the trace of each run, for convergence plots."""
    instances: Annotated[tuple[InstanceSet, ...], Field(min_length=1)]
    solvers: Annotated[tuple[SolverSpec, ...], Field(min_length=1)]

    @field_validator("solvers")
    @classmethod
    def _check_titles(cls, solvers: tuple[SolverSpec, ...]) -> tuple[SolverSpec, ...]:
        _refuse_duplicates([solver.title for solver in solvers], "solvers")
        return solvers

    @field_validator("instances")
    @classmethod
    def _check_sets(cls, sets: tuple[InstanceSet, ...]) -> tuple[InstanceSet, ...]:
        _refuse_duplicates([instances.name for instances in sets], "instance sets")
        return sets

    @model_validator(mode="after")
    def _check_limits(self, info: ValidationInfo) -> Self:
        limits = self.budget
        if is_stored(info) or limits.cpu_seconds is not None or limits.iterations is limits.nodes is None:
            return self
        for index, spec in enumerate(self.solvers):
            unit = spec.make().unit
            if getattr(limits, unit or "", None) is None:
                wanted = f"budget.{unit} or " if unit else ""
                raise ValueError(f"solvers.{index}: no limit applies to {spec.title}; set {wanted}budget.cpu_seconds")
        return self

    def _repr_html_(self) -> str:
        """Show the experiment in a notebook, as the text of its file."""
        return f"<pre>{escape(self.to_toml())}</pre>"

    def to_toml(self) -> str:
        """Return the experiment as the text of a TOML file."""
        return tomli_w.dumps(self.model_dump(mode="json", exclude_defaults=True))

    def plan(self, folder: Path = Path()) -> list[Run]:
        """Return all runs: run 0 of all solvers on all instances, then run 1.

        Parameters
        ----------
        folder
            The folder of the instance files.
        """
        instances = list(self._instances(folder))
        is_stochastic = [spec.make().is_stochastic for spec in self.solvers]
        runs = []
        for number in range(self.runs):
            solvers = [
                spec for spec, is_random in zip(self.solvers, is_stochastic, strict=True) if is_random or not number
            ]
            for set_name, name, puzzle in instances:
                seed = _seed_of(self.seed, puzzle, number)
                for spec in solvers:
                    key = _key_of(puzzle, spec, self.budget, seed)
                    runs.append(Run(key, set_name, name, puzzle, spec, number, seed, self.budget, self.trace))
        return runs

    def _instances(self, folder: Path) -> Iterator[tuple[str, str, Puzzle]]:
        """Yield the set, the name and the puzzle of each instance; duplicates within a set are dropped."""
        seen = set[tuple[str, Puzzle]]()
        owners: dict[str, int] = {}
        for index, instances in enumerate(self.instances):
            try:
                puzzles = instances.load(folder)
            except (SudokulabError, OSError) as error:
                raise ExperimentError(f"instances.{index}: {error}") from None
            if not puzzles:
                raise ExperimentError(f"instances.{index}: {instances.name} contains no puzzles")
            identity = Identities()
            for puzzle in puzzles:
                name = identity(puzzle.name.encode("utf-8", "backslashreplace").decode())  # lone surrogates
                instance = f"{instances.name}/{name}"
                if (instances.name, puzzle) in seen:
                    continue
                if owners.setdefault(instance, index) != index:
                    raise ExperimentError(
                        f"instances.{index}: instances.{owners[instance]} has an instance {instance!r}, too; "
                        "give one of the sets another label"
                    )
                seen.add((instances.name, puzzle))
                yield instances.name, instance, puzzle


def load_experiment(path: str | Path) -> Experiment:
    """Read an experiment from a TOML file.

    Raises
    ------
    ExperimentError
        If a field is invalid; the message has one line per invalid field.
    """
    folder = str(Path(path).resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)  # solver classes, like instance files, can be in the folder of the experiment
    try:
        return Experiment(**read_toml(path))
    except ValidationError as error:
        raise ExperimentError("\n".join(f"{path}: {problem}" for problem in describe_problems(error))) from None
    except ValueError as error:
        raise ExperimentError(str(error)) from None


def _refuse_duplicates(names: Sequence[str], kind: str) -> None:
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two {kind} are called {name!r}; give them different labels")


def _seed_of(seed: int, puzzle: Puzzle, number: int) -> int:
    digest = hashlib.sha256(f"{seed}/{puzzle.box}/{puzzle.line}/{number}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


def _key_of(puzzle: Puzzle, spec: SolverSpec, budget: BudgetSpec, seed: int) -> str:
    parts = [str(puzzle.box), puzzle.line, spec.name, spec.command, spec.params, budget.model_dump(), seed]
    parts += [hashlib.sha256(spec.code).hexdigest()] if spec.code else []
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:24]

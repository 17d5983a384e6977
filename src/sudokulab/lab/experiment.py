"""An experiment: instance sets × solvers × runs, under a budget; as a TOML file or in Python.

A file reads::

    name = "ants"
    runs = 10
    seed = 1

    [budget]
    seconds = 5

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

Everything is checked before anything runs.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Self

import tomli_w
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PositiveInt,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from sudokulab import formats
from sudokulab.budget import MAX_COUNT, Budget
from sudokulab.errors import SudokulabError
from sudokulab.external import CommandSolver
from sudokulab.instances.collections import Collection, find
from sudokulab.instances.recipes import Recipe
from sudokulab.puzzle import Puzzle
from sudokulab.solvers import Solver
from sudokulab.solving.registry import make_solver

__all__ = ["BudgetSpec", "Experiment", "ExperimentError", "InstanceSet", "Run", "SolverSpec", "load_experiment"]


class ExperimentError(SudokulabError, ValueError):
    """An experiment that cannot be run as it is; says which field is wrong."""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class BudgetSpec(_Model):
    """What each run may cost: CPU seconds, or iterations or nodes as the solver counts them."""

    seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    iterations: Annotated[int, Field(ge=0, le=MAX_COUNT)] | None = None
    nodes: Annotated[int, Field(ge=0, le=MAX_COUNT)] | None = None
    grace_seconds: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 2.0
    """How long after its seconds a run that does not stop by itself is killed."""

    def budget_of(self, solver: Solver) -> Budget:
        """Return the limits as a solver takes them; a limit in a unit that it does not count is left out."""
        units = {"iterations": self.iterations, "nodes": self.nodes}
        limit = {solver.unit: units[solver.unit]} if solver.unit in units else {}
        return Budget(seconds=self.seconds, is_cpu_time=True, **limit)


class Generation(Recipe):
    """A recipe, and how many puzzles to make by it."""

    count: PositiveInt = 1


class InstanceSet(_Model):
    """Puzzles: a collection or file by name, or made to a recipe."""

    set: str | None = None
    generate: Generation | None = None
    puzzles: tuple[str, ...] = ()
    """Puzzles as text, in the place of a set."""
    label: str = ""
    """What the set is called in tables; by default its name."""
    limit: PositiveInt | None = None
    """Take only the first so many."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if [self.set is not None, self.generate is not None, bool(self.puzzles)].count(True) != 1:
            raise ValueError("expected either set, generate or puzzles")
        if self.set is None and not self.label:
            raise ValueError("expected a label for puzzles that are no set")
        return self

    @property
    def name(self) -> str:
        """What the set is called in tables."""
        path = Path(self.set or "")
        return self.label or (path.stem if path.suffix.lower() in formats.EXTENSIONS else path.name)

    def load(self, folder: Path) -> list[Puzzle]:
        """Return the puzzles; files are looked for in the folder first."""
        if self.puzzles:
            return [formats.parse(text) for text in self.puzzles][: self.limit]
        if self.generate is not None:
            return list(self.generate.puzzles(min(self.generate.count, self.limit or self.generate.count)))
        path = folder / str(self.set)
        collection: Collection | None
        if path.is_dir():
            files = tuple(sorted(file for file in path.iterdir() if file.suffix.lower() in formats.EXTENSIONS))
            collection = Collection(self.name, files, str(path))
        elif path.is_file():
            collection = Collection(self.name, (path,), str(path.parent))
        else:
            collection = find(str(self.set))
        if collection is None:
            raise ExperimentError(f"{self.set}: no such collection, file or folder")
        return list(islice(collection, self.limit))


class SolverSpec(_Model):
    """A solver with its parameters: by its name, by ``package.module:Class``, or a program by its command line."""

    name: str | None = None
    params: dict[str, Any] = {}
    command: str | None = None
    """See `CommandSolver`; `params` then are its further fields, such as how the answer is read."""
    label: str = ""
    """What it is called in tables; by default its name and the parameters that were set."""

    @model_validator(mode="after")
    def _check(self, info: ValidationInfo) -> Self:
        if (self.name is None) == (self.command is None):
            raise ValueError("expected either name or command")
        if self.command is not None and not self.label:
            raise ValueError("expected a label for a command")
        if not (info.context or {}).get("is_stored"):
            try:
                self.make()
            except ValidationError as error:
                raise ValueError("; ".join(_describe(problem) for problem in error.errors())) from None
            except (SudokulabError, TypeError) as error:
                raise ValueError(str(error)) from None
        return self

    @property
    def title(self) -> str:
        """What the solver is called in tables."""
        params = ", ".join(f"{key}={value}" for key, value in self.params.items())
        return self.label or f"{self.name}{f' ({params})' if params else ''}"

    def make(self) -> Solver:
        """Return the solver."""
        if self.command is not None:
            return CommandSolver(label=self.label, command=self.command, **self.params)
        assert self.name is not None
        if ":" in self.name:
            return _imported(self.name)(**self.params)
        return make_solver(self.name, **self.params)


@dataclass(frozen=True)
class Run:
    """One solver on one instance with one seed: what a row of the store is about.

    Parameters
    ----------
    key
        Tells it from all others: a hash of puzzle, solver, parameters, budget and seed.
    instance_set, instance, puzzle
        What is to be solved, and what it is called.
    solver
        Who is to solve it.
    number
        The how manieth run of this solver on this instance, from 0.
    seed
        Its seed; the same for all solvers.
    budget, is_traced
        What it may cost, and whether its course is to be kept.
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


class Experiment(_Model):
    """Instance sets × solvers × runs, under a budget."""

    name: Annotated[str, Field(min_length=1)]
    title: str = ""
    runs: PositiveInt = 1
    """Of each solver on each instance; of one that is not stochastic, one is enough."""
    seed: Annotated[int, Field(ge=0, lt=2**64)] = 0
    budget: BudgetSpec = BudgetSpec()
    trace: bool = False
    """Whether to keep the course of each run, for convergence plots."""
    instances: Annotated[tuple[InstanceSet, ...], Field(min_length=1)]
    solvers: Annotated[tuple[SolverSpec, ...], Field(min_length=1)]

    @field_validator("solvers")
    @classmethod
    def _check_titles(cls, solvers: tuple[SolverSpec, ...]) -> tuple[SolverSpec, ...]:
        _refuse_repeats([solver.title for solver in solvers], "solvers")
        return solvers

    @field_validator("instances")
    @classmethod
    def _check_sets(cls, sets: tuple[InstanceSet, ...]) -> tuple[InstanceSet, ...]:
        _refuse_repeats([instances.name for instances in sets], "instance sets")
        return sets

    @model_validator(mode="after")
    def _check_limits(self, info: ValidationInfo) -> Self:
        limits = self.budget
        is_limited = limits.iterations is not None or limits.nodes is not None
        for place, spec in enumerate(self.solvers if is_limited and limits.seconds is None else ()):
            solver = spec.make()
            if getattr(limits, solver.unit or "", None) is None:
                wanted = f"budget.{solver.unit} or " if solver.unit else ""
                raise ValueError(f"solvers.{place}: no limit holds for {spec.title}, expected {wanted}budget.seconds")
        return self

    def to_toml(self) -> str:
        """Return the experiment as it stands in a TOML file."""
        return tomli_w.dumps(self.model_dump(mode="json", exclude_defaults=True))

    def plan(self, folder: Path = Path()) -> list[Run]:
        """Return all runs, in the order in which they are made: every solver on an instance before the next run."""
        instances = list(self._instances(folder))
        runs = []
        for number in range(self.runs):
            for set_name, name, puzzle in instances:
                seed = _seed_of(self.seed, puzzle, number)
                for spec in self.solvers:
                    if number == 0 or spec.make().is_stochastic:
                        key = _key_of(puzzle, spec, self.budget, seed)
                        runs.append(Run(key, set_name, name, puzzle, spec, number, seed, self.budget, self.trace))
        return runs

    def _instances(self, folder: Path) -> Iterator[tuple[str, str, Puzzle]]:
        seen: dict[tuple[str, Puzzle], str] = {}
        for place, instances in enumerate(self.instances):
            try:
                puzzles = instances.load(folder)
            except (SudokulabError, OSError) as error:
                raise ExperimentError(f"instances.{place}: {error}") from None
            if not puzzles:
                raise ExperimentError(f"instances.{place}: no puzzle in {instances.name}")
            names = set[str]()
            for number, puzzle in enumerate(puzzles, start=1):
                name = (puzzle.name or "").encode("utf-8", "backslashreplace").decode()  # lone surrogates
                name = name if name and name not in names else str(number)
                names.add(name)
                if (instances.name, puzzle) not in seen:  # a puzzle that is twice in a set is one instance
                    seen[instances.name, puzzle] = name
                    yield instances.name, f"{instances.name}/{name}", puzzle


def load_experiment(path: str | Path) -> Experiment:
    """Read an experiment from a TOML file.

    Raises
    ------
    ExperimentError
        With one line for each field that is wrong.
    """
    folder = str(Path(path).resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)  # classes may stand beside the file, as sets may
    try:
        with Path(path).open("rb") as stream:
            return Experiment(**tomllib.load(stream))
    except tomllib.TOMLDecodeError as error:
        raise ExperimentError(f"{path}: no TOML: {error}") from None
    except ValidationError as error:
        problems = [problem for problem in error.errors() if problem["type"] != "too_short" or len(error.errors()) == 1]
        raise ExperimentError("\n".join(f"{path}: {_describe(problem)}" for problem in problems)) from None


def _imported(name: str) -> type[Solver]:
    module, _, attribute = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except Exception as error:  # a module may raise whatever it likes
        raise ValueError(f"no solver at {name}: {error}") from None
    if not (isinstance(found, type) and issubclass(found, Solver)):
        raise ValueError(f"{name} is no subclass of sudokulab.Solver")
    return found


def _describe(problem: Any) -> str:
    place = ".".join(str(part) for part in problem["loc"])
    return f"{place or 'the experiment'}: {problem['msg'].removeprefix('Value error, ')}"


def _refuse_repeats(names: Sequence[str], what: str) -> None:
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two {what} are called {name!r}, expected a label that tells them apart")


def _seed_of(seed: int, puzzle: Puzzle, number: int) -> int:
    digest = hashlib.sha256(f"{seed}/{puzzle.box}/{puzzle.line}/{number}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


def _key_of(puzzle: Puzzle, spec: SolverSpec, budget: BudgetSpec, seed: int) -> str:
    what = [str(puzzle.box), puzzle.line, spec.name, spec.command, spec.params, budget.model_dump(), seed]
    return hashlib.sha256(json.dumps(what, sort_keys=True, default=str).encode()).hexdigest()[:24]

"""The parts of an experiment: budgets, instance sets and solvers, as plain data that a file or a store can hold."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from dataclasses import Field as DataclassField
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

import cloudpickle
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PositiveInt,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    model_validator,
)

from sudokulab import formats
from sudokulab._internal.suggestions import did_you_mean
from sudokulab.errors import ParameterError, SudokulabError
from sudokulab.external import CommandSolver
from sudokulab.instances.collections import Collection, collections, find
from sudokulab.instances.generator import generate
from sudokulab.instances.spec import PuzzleSpec, Seed
from sudokulab.parameters import describe_errors
from sudokulab.puzzle import Puzzle
from sudokulab.search.budget import MAX_COUNT, Budget
from sudokulab.solvers import FilteringSolver, Solver
from sudokulab.solvers.registry import SolverLike, all_solvers, make_solver

__all__ = [
    "BudgetSpec",
    "ExperimentError",
    "Generation",
    "InstanceSet",
    "Model",
    "SolverSpec",
    "describe_problems",
    "is_stored",
    "spec_of",
]


_PLAIN = TypeAdapter(dict[str, object])


class ExperimentError(SudokulabError, ValueError):
    """The experiment is invalid; the message names the field."""


class Model(BaseModel):
    """Immutable, validated data; unknown fields are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class BudgetSpec(Model):
    """The limits of each run: CPU seconds, iterations or nodes."""

    cpu_seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    """CPU time."""
    iterations: Annotated[int, Field(ge=0, le=MAX_COUNT)] | None = None
    """Applies to solvers that count iterations."""
    nodes: Annotated[int, Field(ge=0, le=MAX_COUNT)] | None = None
    """Applies to solvers that count nodes."""
    grace_seconds: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 2.0
    """CPU time after the budget before a run that does not stop is killed."""

    def budget_of(self, solver: Solver) -> Budget:
        """Return the limits for a solver, without limits in units that it does not count."""
        units = {"iterations": self.iterations, "nodes": self.nodes}
        limit = {solver.unit: units[solver.unit]} if solver.unit in units else {}
        return Budget(seconds=self.cpu_seconds, is_cpu_time=True, **limit)


class Generation(PuzzleSpec):
    """A specification, and how many puzzles to generate to it."""

    count: PositiveInt = 1
    seed: Seed = 0


class InstanceSet(Model):
    """Puzzles: a collection or file, generated puzzles, or puzzles as text."""

    set: str | None = None
    """The name of a collection, a file or a folder."""
    generate: Generation | None = None
    """How to generate the puzzles, instead of a set."""
    puzzles: tuple[str, ...] = ()
    """Puzzles as text, instead of a set."""
    label: str = ""
    """The name in tables; by default the name of the set."""
    limit: PositiveInt | None = None
    """The maximum number of puzzles; the first ones are taken."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if [self.set is not None, self.generate is not None, bool(self.puzzles)].count(True) != 1:
            raise ValueError("give exactly one of set, generate and puzzles")
        if self.set is None and not self.label:
            raise ValueError("give a label, which generated puzzles and puzzles as text need")
        return self

    @property
    def name(self) -> str:
        """The name in tables."""
        path = Path(self.set or "")
        return self.label or (path.stem if path.suffix.lower() in formats.EXTENSIONS else path.name)

    def load(self, folder: Path) -> list[Puzzle]:
        """Return the puzzles. Files in the folder take precedence over collections."""
        if self.puzzles:
            return [formats.parse(text) for text in self.puzzles][: self.limit]
        if self.generate is not None:
            count = min(self.generate.count, self.limit or self.generate.count)
            return list(generate(count, self.generate, seed=self.generate.seed))
        path = folder / str(self.set)
        collection: Collection | None
        if path.is_dir():
            files = tuple(sorted(file for file in path.iterdir() if formats.is_puzzle_file(file)))
            collection = Collection(self.name, files, str(path))
        elif path.is_file():
            collection = Collection(self.name, (path,), str(path.parent))
        else:
            collection = find(str(self.set))
        if collection is None:
            known = [one.name for one in collections()]
            advice = did_you_mean(str(self.set), known) or "; run `sudokulab instances list` for the collections"
            raise ExperimentError(f"{str(self.set)!r} is not a file, a folder or a collection{advice}")
        return list(islice(collection, self.limit))


class SolverSpec(Model):
    """A solver and its parameters, or a program and its command line.

    Parameters
    ----------
    solver
        A name, ``module:Class``, a class or an instance. A class or an instance is stored as `name` and `params`. A
        class that worker processes cannot import, such as one defined in a notebook, is sent to them as `code`.
    name
        A name (see `sudokulab.solvers.all_solvers`) or ``module:Class``; the way to write `solver` in a file.
    params
        The parameters to set.
    command
        A command line (see `CommandSolver`); `params` are then the other fields of `CommandSolver`.
    label
        The name in tables; by default the name of the solver and the parameters set.
    code
        A class as a pickle; neither files nor stores contain it, so a store cannot resume its runs in another session.

    Examples
    --------
    >>> from sudokulab.solvers import AntColony
    >>> SolverSpec(solver=AntColony(ants=20)) == SolverSpec(name="ant-colony", params={"ants": 20})
    True
    """

    name: str | None = None
    params: dict[str, Any] = {}
    command: str | None = None
    label: str = ""
    code: Annotated[bytes, Field(strict=True, exclude=True, repr=False)] = b""

    if TYPE_CHECKING:  # `solver` is converted, not kept

        def __init__(
            self,
            *,
            solver: SolverLike | None = None,
            name: str | None = None,
            params: Mapping[str, object] = ...,
            command: str | None = None,
            label: str = "",
            code: bytes = ...,
        ) -> None: ...

    @model_validator(mode="before")
    @classmethod
    def _convert_solver(cls, data: object) -> object:
        if not isinstance(data, Mapping) or data.get("solver") is None:
            return data
        given = {key: value for key, value in data.items() if key != "solver"}
        if given.get("name") is not None or given.get("command") is not None:
            raise ValueError("solver and name or command are mutually exclusive")
        stored = _stored_form(data["solver"])
        params = {**stored.get("params", {}), **given.get("params", {})}
        if stored.get("label") and "command" not in stored:
            stored["label"] = _title(stored["label"], params)
        return {**stored, **given, "params": params}

    @model_validator(mode="after")
    def _check(self, info: ValidationInfo) -> Self:
        if (self.name is None) == (self.command is None):
            raise ValueError("give exactly one of solver, name and command")
        if self.command is not None and not self.label:
            raise ValueError("give a label, which commands need")
        if not is_stored(info):
            try:
                self.make()
            except ValidationError as error:
                raise ValueError(". ".join(describe_problems(error))) from None
            except (SudokulabError, TypeError) as error:
                raise ValueError(str(error)) from None
        return self

    @property
    def title(self) -> str:
        """The name in tables."""
        return self.label or _title(str(self.name), self.params)

    def make(self) -> Solver:
        """Return the solver."""
        if self.command is not None:
            return CommandSolver(label=self.label, command=self.command, **self.params)
        assert self.name is not None
        return make_solver(pickle.loads(self.code) if self.code else self.name, **self.params)


def spec_of(solver: SolverLike | SolverSpec) -> SolverSpec:
    """Return the specification of a solver.

    Raises
    ------
    ParameterError
        If there is no such solver, or worker processes cannot import it.
    """
    if isinstance(solver, SolverSpec):
        return solver
    try:
        return SolverSpec(solver=solver)
    except ValidationError as error:
        raise ParameterError(". ".join(describe_problems(error))) from None


def is_stored(info: ValidationInfo) -> bool:
    """Return whether the data come from a store, whose solvers need not be installed here."""
    return bool((info.context or {}).get("is_stored"))


def describe_problems(error: ValidationError) -> list[str]:
    """Return one message per invalid field; an empty list of instances or solvers matters only if all else is valid."""
    problems = error.errors()
    pairs = zip(problems, describe_errors(error), strict=True)
    return [message for problem, message in pairs if problem["type"] != "too_short" or len(problems) == 1]


def _stored_form(solver: SolverLike) -> dict[str, Any]:
    """Return the fields of a `SolverSpec` that make this solver again in another process."""
    if isinstance(solver, str):
        return {"name": solver}
    if isinstance(solver, CommandSolver):
        params = _params_of(solver)
        return {"command": params.pop("command"), "label": params.pop("label"), "params": params}
    if isinstance(solver, type) and issubclass(solver, Solver):
        return _stored_class(solver)
    instance = make_solver(solver)  # refuses anything but a solver
    params = _params_of(instance)
    stored = _stored_class(type(instance))
    name = stored["name"]
    try:
        is_same = vars(make_solver(type(instance), **params)) == vars(instance)
    except SudokulabError:
        is_same = False
    if not is_same:
        raise ParameterError(
            f"{name}: the parameters of this instance cannot be stored; "
            "declare them as fields with sudokulab.parameters.parameters, or pass the class"
        )
    if "filter" in params and isinstance(instance, FilteringSolver):
        params.pop("filter")
        name = "+".join([*instance.filter.split(","), name])
    return {**stored, "name": name, "params": params}


def _stored_class(cls: type[Solver]) -> dict[str, Any]:
    """Return the registered name of a class, or ``module:Class`` with the name it declares and, if needed, its code."""
    if all_solvers().get(getattr(cls, "name", "")) is cls:
        return {"name": cls.name}
    stored: dict[str, object] = {"name": f"{cls.__module__}:{cls.__qualname__}"}
    if declared := vars(cls).get("name"):  # an inherited one would be that of another solver
        stored["label"] = declared
    if cls.__module__ == "__main__" or getattr(sys.modules.get(cls.__module__), cls.__qualname__, None) is not cls:
        try:
            return {**stored, "code": cloudpickle.dumps(cls)}
        except Exception as error:  # anything that the class refers to can refuse
            raise ParameterError(
                f"worker processes cannot import {stored['name']}, and it cannot be sent to them: {error}; "
                f"move {cls.__name__} to a module file and import it from there"
            ) from None
    return stored


def _title(name: str, params: Mapping[str, object]) -> str:
    words = ", ".join(f"{key}={value}" for key, value in params.items())
    return f"{name} ({words})" if words else name


def _params_of(solver: Solver) -> dict[str, object]:
    """Return the parameters that differ from their defaults, as plain data."""
    declared: Sequence[DataclassField[object]] = fields(solver) if is_dataclass(solver) else ()
    values = {field.name: getattr(solver, field.name) for field in declared if field.init}
    defaults = {
        field.name: field.default_factory() if field.default_factory is not MISSING else field.default
        for field in declared
    }
    changed = {name: value for name, value in values.items() if value != defaults[name]}
    try:
        return dict(_PLAIN.dump_python(changed, mode="json"))
    except ValueError as error:
        raise ParameterError(f"{solver.name}: a parameter cannot be stored: {error}") from None

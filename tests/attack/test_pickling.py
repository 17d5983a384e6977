"""Errors and public types survive pickling and copying, so that they can cross processes."""

from __future__ import annotations

import copy
import inspect
import io
import pickle
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from enum import Enum
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl
import pytest

import sudokulab
from sudokulab import Budget, convert, datasets, drawing, external, formats, instances, lab, learn, logic
from sudokulab.errors import FormatError
from sudokulab.formats.columns import MissingColumnError
from sudokulab.search import frames
from sudokulab.solvers import Solver
from sudokulab.solvers.notation import NotationError
from sudokulab.web.problems import ProblemError
from tests.attack.surface import errors, public_names
from tests.cases import for_each
from tests.lab.test_store import filled
from tests.puzzles import EASY, TINY
from tests.timing import PATIENCE_SECONDS

WAYS: dict[str, Callable[[Any], Any]] = {
    "oldest pickle": lambda value: pickle.loads(pickle.dumps(value, 2)),
    "newest pickle": lambda value: pickle.loads(pickle.dumps(value, pickle.HIGHEST_PROTOCOL)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}

OWN_ARGUMENTS: dict[type[BaseException], BaseException] = {
    FormatError: FormatError("found 3 cells", "81", source="p.txt", line=2, column=4),
    MissingColumnError: MissingColumnError("found no column of puzzles", "add one", source="p.csv", line=1),
    instances.NotFoundError: instances.NotFoundError("no puzzle with 17 givens", TINY, 5),
    NotationError: NotationError("min x", 4, "a measure"),
    ProblemError: ProblemError(HTTPStatus.NOT_FOUND, "no such store", {"Retry-After": "1"}),
}
"""An example of each error that does not take a single message."""

ERRORS = sorted(errors(), key=lambda cls: cls.__qualname__)


@for_each("cls", ERRORS, ids=lambda cls: cls.__qualname__)
@for_each("way", WAYS)
def test_every_error_survives(cls: type[BaseException], way: str) -> None:
    has_own = any("__init__" in vars(base) for base in cls.__mro__ if base.__module__.startswith("sudokulab"))
    assert not has_own or cls in OWN_ARGUMENTS, f"add an example of {cls.__qualname__} to OWN_ARGUMENTS"
    error = OWN_ARGUMENTS.get(cls) or cls("what is wrong")
    error.add_note("a note")
    again = WAYS[way](error)
    assert type(again) is cls
    assert (str(again), again.args, vars(again)) == (str(error), error.args, vars(error))


def test_the_message_is_not_a_tuple_of_arguments() -> None:
    for error in OWN_ARGUMENTS.values():
        assert not str(error).startswith("(")


PROGRAM = """
import multiprocessing
from sudokulab import Budget, generate
from sudokulab.instances import NotFoundError

def search(seed):
    return list(generate(1, givens=17, seed=seed, budget=Budget(iterations=2)))

if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        try:
            pool.map(search, [1, 2])
        except NotFoundError as error:
            print(error.num_attempts, type(error.closest).__name__, error)
"""


@pytest.mark.slow
def test_an_error_crosses_processes(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    command = [sys.executable, str(tmp_path / "program.py")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
    assert done.stderr == ""
    assert done.stdout.startswith("2 "), done.stdout


def traced() -> sudokulab.search.Trace:
    trace = sudokulab.search.Trace(is_on=True)
    trace.record(iterations=1, cost=2)
    return trace


def audited() -> datasets.Audit:
    with TemporaryDirectory() as folder:
        (Path(folder) / "train.csv").write_text(f"puzzle,solution\n{TINY.line},{SOLUTION.line}\n")
        return datasets.audit(folder, sample=1)


def compared() -> lab.Comparison:
    with TemporaryDirectory() as folder, lab.Store(filled(Path(folder) / "s.sqlite")) as store:
        return lab.Comparison.of(store.runs())


def recording() -> frames.Recording:
    result = sudokulab.solvers.Tabu().solve(TINY, Budget(iterations=9), frames=True)
    return frames.read_frames(frames.frames_to_lines(result))


SOLUTION = sudokulab.parse("1324423124133142")
EXPLAINED = logic.explain(TINY)
EXPERIMENT = lab.Experiment(
    name="small",
    instances=(lab.InstanceSet(label="one", puzzles=(TINY.line,)),),
    solvers=(lab.SolverSpec(name="tabu"),),
)
RUN = EXPERIMENT.plan()[0]
RECORD = lab.RunRecord("solved", 0.5, 0.6, stats={"nodes": 3}, trace={"cost": np.arange(3.0)})

EXAMPLES: dict[str, Callable[[], Any]] = {
    "BoxShape": lambda: TINY.box,
    "Budget": lambda: Budget(seconds=1, nodes=5),
    "equivalence.Canonical": lambda: sudokulab.canonical(TINY),
    "equivalence.CanonicalArrays": lambda: sudokulab.canonical_array([TINY]),
    "Puzzle": lambda: replace(EASY, name="a", comment="b", solution=sudokulab.solve(EASY).solution),
    "Result": lambda: sudokulab.solvers.Tabu().solve(TINY, Budget(iterations=9), trace=True, frames=True),
    "search.Trace": traced,
    "equivalence.Transformation": lambda: sudokulab.canonical(TINY).transformation,
    "convert.Cnf": lambda: convert.cnf(TINY),
    "datasets.Audit": audited,
    "datasets.Dataset": lambda: datasets.Dataset(Path("d"), {"num_rows": 1}, {"all": [Path("d/0")]}, {"all": 1}),
    "datasets.Leak": lambda: datasets.Leak("train", "test", 0, 1, None),
    "datasets.Part": lambda: datasets.Part(count=3),
    "datasets.Recipe": lambda: datasets.Recipe(parts=(datasets.Part(count=3),)),
    "datasets.Split": lambda: datasets.Split({"train": 1}, 1, (datasets.Leak("train", "test", 0, 1, None),)),
    "drawing.Arrow": lambda: drawing.Arrow(1, 2, 3, 4, 5, 6),
    "drawing.Circle": lambda: drawing.Circle(1, 2, 3),
    "drawing.Line": lambda: drawing.Line(1, 2, 3, 4),
    "drawing.Picture": lambda: drawing.picture_of(TINY),
    "drawing.Rect": lambda: drawing.Rect(1, 2, 3, 4),
    "drawing.Text": lambda: drawing.Text(1, 2, 3, "a"),
    "external.CommandSolver": lambda: external.CommandSolver(label="p", command="./p {file}"),
    "formats.Format": lambda: formats.FORMATS["line"],
    "search.Frame": lambda: sudokulab.solvers.Tabu().solve(TINY, Budget(iterations=9), frames=True).frames[0],
    "search.Recording": recording,
    "instances.Collection": lambda: instances.find("famous"),
    "instances.GeneratedArrays": lambda: instances.generate_array(2, box="2x2"),
    "instances.MinimalSample": lambda: instances.sample_minimal(1, 4),
    "instances.PuzzleSpec": lambda: instances.PuzzleSpec(givens=25),
    "lab.BudgetSpec": lambda: lab.BudgetSpec(cpu_seconds=1),
    "lab.Comparison": compared,
    "lab.Experiment": lambda: EXPERIMENT,
    "lab.InstanceSet": lambda: EXPERIMENT.instances[0],
    "lab.Outcome": lab.Outcome,
    "lab.Run": lambda: RUN,
    "lab.RunRecord": lambda: RECORD,
    "lab.SolverSpec": lambda: EXPERIMENT.solvers[0],
    "learn.Rewards": learn.Rewards,
    "learn.Scores": lambda: learn.Verifier([TINY]).score(sudokulab.as_array([SOLUTION])),
    "learn.Verifier": lambda: learn.Verifier([TINY]),
    "logic.Deduction": lambda: logic.deduce(TINY),
    "logic.Explanation": lambda: EXPLAINED,
    "logic.Link": lambda: logic.Link((1, 1), (2, 2), True),
    "logic.Rating": lambda: logic.rate(TINY, scale="rules"),
    "logic.Step": lambda: EXPLAINED.steps[0],
    "logic.Technique": lambda: logic.TECHNIQUES[0],
    "logic.Trial": lambda: logic.trial(EASY),
}
"""How to make an instance of each public type. Solvers and enumerations need none."""

HANDLES: dict[str, Callable[[], Any]] = {
    "Cancellation": sudokulab.Cancellation,
    "search.Clock": lambda: sudokulab.search.Clock(Budget()),
    "logic.ConstraintNetwork": lambda: sudokulab.logic.ConstraintNetwork([[1, 2], [1]]),
    "formats.PuzzleReader": lambda: formats.read(io.StringIO(TINY.line)),
    "search.LiveView": frames.LiveView,
    "search.Recorder": frames.Recorder,
    "lab.Store": lambda: lab.Store(":memory:"),
    "learn.SudokuEnv": lambda: learn.SudokuEnv([TINY]),
}
"""Searches, files and buffers under way: they can be pickled, or say clearly that they cannot."""

TYPES = {
    name: cls for name, cls in public_names().items() if inspect.isclass(cls) and not issubclass(cls, BaseException)
}
DATA = {name for name, cls in TYPES.items() if not issubclass(cls, Solver | Enum)}


def test_no_public_type_is_forgotten() -> None:
    assert {*EXAMPLES, *HANDLES} - {"external.CommandSolver"} == DATA


@for_each("way", WAYS)
@for_each("name", EXAMPLES)
def test_every_public_type_survives(name: str, way: str) -> None:
    value = EXAMPLES[name]()
    assert type(value) is TYPES[name]
    assert is_same(WAYS[way](value), value)


@for_each("way", WAYS)
@for_each("name", [name for name, cls in TYPES.items() if issubclass(cls, Solver)])
def test_every_solver_survives(name: str, way: str) -> None:
    cls = TYPES[name]
    if not is_dataclass(cls) or any(f.default is MISSING is f.default_factory for f in fields(cls)):
        assert WAYS[way](cls) is cls
    else:
        assert WAYS[way](cls()) == cls()


@for_each("way", WAYS)
@for_each("name", [name for name, cls in TYPES.items() if issubclass(cls, Enum)])
def test_every_member_of_an_enumeration_stays_the_same_object(name: str, way: str) -> None:
    for member in TYPES[name]:  # type: ignore[attr-defined]
        assert WAYS[way](member) is member


@for_each("way", WAYS)
@for_each("name", HANDLES)
def test_a_handle_survives_or_is_refused(name: str, way: str) -> None:
    handle = HANDLES[name]()
    message = ""
    try:
        assert type(WAYS[way](handle)) is TYPES[name]
    except TypeError as error:
        message = str(error)
    assert not message or "pickle" in message


def is_same(first: Any, second: Any) -> bool:
    """Compare values with arrays and tables in them."""
    if first is second or type(first) is not type(second):
        return first is second
    if isinstance(first, np.ndarray):
        return bool(np.array_equal(first, second))
    if isinstance(first, pl.DataFrame):
        return first.equals(second)
    if isinstance(first, Mapping):
        return first.keys() == second.keys() and all(is_same(first[key], second[key]) for key in first)
    if isinstance(first, tuple | list):
        return len(first) == len(second) and all(map(is_same, first, second))
    if not any("__eq__" in vars(base) for base in type(first).__mro__[:-1]) and hasattr(first, "__dict__"):
        return is_same(vars(first), vars(second))
    if is_dataclass(first):
        return all(is_same(getattr(first, field.name), getattr(second, field.name)) for field in fields(first))
    return bool(first == second)

"""Wrong arguments of the main functions: the answer names the problem, and is never an error from deep inside."""

from __future__ import annotations

import inspect
import io
import reprlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sudokulab
from sudokulab import Budget, SudokulabError
from tests.cases import for_each

UNTYPED: Any = sudokulab
PUZZLE = sudokulab.parse("1.....3..4.....2")
GRID = sudokulab.parse("1324423124133142")
SOME_TIME = Budget(seconds=60)
RESULT = sudokulab.solve(PUZZLE, "annealing", seed=1, frames=True)

WRONG: tuple[Any, ...] = (
    *(1, -1, 1.5, float("nan"), "nonsense", b"x", [1], [None], {}, object(), True, None, lambda: 1),
    *(np.array(["a", "b"]), 10**30, "\ud800", Ellipsis, {"a": 1}, np.zeros((3, 3, 3)), Path("nonsense")),
)
"""Values of which each parameter accepts a few at most."""


def of_rows(**others: object) -> dict[str, Any]:
    """Return the arguments of a function of many rows."""
    return {"puzzles": [PUZZLE.line], "box": "2x2", "threads": 1, "device": None, "errors": "raise", **others}


CALLS: dict[str, Callable[[], dict[str, Any]]] = {
    "animate": lambda: {"result": RESULT},
    "as_array": lambda: {"puzzles": [PUZZLE], "box": "2x2"},
    "as_strings": lambda: {"puzzles": [PUZZLE]},
    "booklet": lambda: {
        **{"puzzle": PUZZLE, "output": "booklet.svg", "techniques": "singles", "without": "x-wing", "paper": "a4"},
        **{"per_page": 4, "title": "a", "budget": SOME_TIME},
    },
    "canonical": lambda: {"puzzle": PUZZLE, "through": "puzzle"},
    "canonical_array": lambda: of_rows(through="puzzle"),
    "class_hash": lambda: {"puzzle": PUZZLE},
    "count": lambda: {"puzzle": PUZZLE, "limit": 2, "budget": SOME_TIME, "box": "2x2"},
    "count_array": lambda: of_rows(limit=2, instructions="portable"),
    "draw": lambda: {"puzzle": PUZZLE, "solution": GRID},
    "explain": lambda: {
        **{"puzzle": PUZZLE, "techniques": "singles", "without": "x-wing", "max_steps": 1, "budget": SOME_TIME},
    },
    "generate": lambda: {
        **{"box": "2x2", "count": 1, "seed": 1, "givens": 6, "minimal": False, "symmetry": "none", "level": "easy"},
        **{"technique": (), "without": (), "se": None, "pattern": None, "budget": Budget(iterations=20)},
    },
    "generate_array": lambda: {
        **{"count": 1, "seed": 1, "first": 0, "threads": 1, "budget": SOME_TIME, "progress": False, "device": None},
        **{"box": "2x2", "givens": 6},
    },
    "hint": lambda: {"puzzle": PUZZLE, "techniques": "singles", "without": "x-wing", "budget": SOME_TIME},
    "is_equivalent": lambda: {"one": PUZZLE, "other": PUZZLE},
    "is_minimal": lambda: {"puzzle": PUZZLE, "box": "2x2"},
    "is_solution": lambda: {"grid": GRID, "puzzle": PUZZLE},
    "is_unique": lambda: {"puzzle": PUZZLE, "box": "2x2"},
    "is_unique_array": lambda: of_rows(instructions="portable"),
    "minimize": lambda: {"puzzle": PUZZLE, "budget": SOME_TIME, "seed": 1, "box": "2x2"},
    "parse": lambda: {"text": PUZZLE.line, "format": "line", "box": "2x2"},
    "random_grid": lambda: {"box": 4, "seed": 1},
    "rate": lambda: {
        **{"puzzle": PUZZLE, "scale": "rules", "rules": "NS", "relabelings": 1, "seed": 1, "budget": SOME_TIME},
    },
    "read": lambda: {"source": io.StringIO(PUZZLE.line), "format": "line", "box": "2x2"},
    "sheet": lambda: {
        **{"puzzles": [PUZZLE], "output": "sheet.svg", "per_page": 4, "paper": "a4", "title": "a", "hints": 1},
        **{"ratings": ["rules"], "solutions": True, "budget": SOME_TIME},
    },
    "solve": lambda: {
        **{"puzzle": PUZZLE, "solver": "annealing", "budget": Budget(iterations=9), "seed": 1},
        **{"trace": True, "box": "2x2"},
    },
    "solutions": lambda: {"puzzle": PUZZLE, "budget": SOME_TIME, "box": "2x2"},
    "solve_array": lambda: of_rows(instructions="portable"),
    "solve_many": lambda: {"puzzles": [PUZZLE], "solver": "dlx", "budget": SOME_TIME, "threads": 1, "box": "2x2"},
    "svg": lambda: {"puzzle": PUZZLE, "solution": GRID},
    "write": lambda: {"puzzles": [PUZZLE], "target": io.StringIO(), "format": "line"},
}
"""A valid call of each function, as a function that returns fresh arguments."""

PATHS = ("source", "target", "output", "path")
"""Parameters that name files, which may be missing, be folders, or have an impossible name."""


@pytest.fixture(autouse=True)
def _in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def call(name: str, arguments: dict[str, Any]) -> None:
    """Call a function. Of an iterator, the first item is enough."""
    function = getattr(sudokulab, name)
    known = inspect.signature(function).parameters
    positional = [arguments.pop(key) for key in known if known[key].kind is inspect.Parameter.POSITIONAL_ONLY]
    found = function(*positional, **arguments)
    if isinstance(found, Iterator):
        next(found, None)


def problem(name: str, parameter: str, wrong: Any) -> str | None:
    """Return what is wrong with the answer to a wrong value; None for a proper error, and if the value is valid."""
    try:
        call(name, {**CALLS[name](), parameter: wrong})
    except SudokulabError as error:
        return None if str(error) else "an error without a message"
    except TypeError:
        return None
    except (OSError, UnicodeEncodeError) as error:
        is_path = parameter in PATHS and isinstance(wrong, str | Path)
        return None if is_path else f"{type(error).__name__}: {error}"
    except Exception as error:
        is_array = isinstance(wrong, np.ndarray) and "truth value" in str(error)
        return None if is_array else f"{type(error).__name__}: {error}"
    return None


def test_every_function_is_called() -> None:
    functions = {name for name in UNTYPED.__all__ if inspect.isroutine(getattr(sudokulab, name))}
    assert functions == set(CALLS)


def test_valid_arguments() -> None:
    for name, arguments in CALLS.items():
        call(name, arguments())


def test_wrong_arguments() -> None:
    problems = [
        f"{name}({parameter}={reprlib.repr(wrong)}): {found}"
        for name, arguments in CALLS.items()
        for parameter in arguments()
        for wrong in WRONG
        if (found := problem(name, parameter, wrong))
    ]
    assert not problems, ascii("\n".join(problems)).replace("\\n", "\n")  # reports have no lone surrogates


@for_each(
    ("wrong_call", "message"),
    [
        (lambda: UNTYPED.explain(PUZZLE, [1]), r"techniques: \[1\]; write names"),
        (lambda: UNTYPED.rate(PUZZLE, scale=1), "unknown scale 1"),
        (lambda: UNTYPED.hint(PUZZLE, without=[None]), r"techniques: \[None\]; write names"),
        (lambda: UNTYPED.sheet(PUZZLE, "a.svg", paper=4), "unknown paper size 4"),
    ],
)
def test_wrong_types_are_named(wrong_call: Callable[[], object], message: str) -> None:
    with pytest.raises(SudokulabError, match=message):
        wrong_call()

"""The catalogues: solvers, techniques, and presets of puzzles.

Requests name solvers only by the names listed here: built-in solvers, installed rivals and plug-ins. Unlike on the
command line, ``module:Class`` is not a name, because it would run code chosen by the client.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from importlib import resources
from typing import Annotated, Any

from fastapi import APIRouter, Path

from sudokulab import _core
from sudokulab._internal.native import candidate_array, native_puzzle
from sudokulab._internal.suggestions import unknown_name
from sudokulab.errors import ParameterError
from sudokulab.external import CommandSolver
from sudokulab.formats import parse
from sudokulab.instances.collections import find
from sudokulab.logic import FAMILIES, TECHNIQUES
from sudokulab.logic.steps import step_of
from sudokulab.logic.techniques import TECHNIQUES_BY_NAME
from sudokulab.parameters import parameter_schemas, range_of
from sudokulab.solvers import Solver
from sudokulab.solvers.registry import DEFAULT_SOLVER, all_solvers, make_solver
from sudokulab.web.problems import RESPONSES, ProblemError
from sudokulab.web.schemas import (
    DescribedSolver,
    DescribedTechnique,
    PresetsResponse,
    SolversResponse,
    TechniquesResponse,
)
from sudokulab.web.steps import step_to_json

__all__ = ["router", "solver_of", "solvers"]

router = APIRouter(prefix="/api", tags=["catalogue"], responses=RESPONSES)

Name = Annotated[str, Path(max_length=100)]

_MAX_QUEUE = 1_000_000
"""The longest queue of a best-first search on the web: it takes memory for each entry."""

_PRESETS = (
    ("inkala-2012", "famous", "Inkala 2012", "Inkala 2012"),
    ("ai-escargot", "famous", "AI Escargot", "AI Escargot"),
    ("golden-nugget", "famous", "Golden Nugget", "Golden Nugget"),
    ("17-givens", "famous", "Seventeen", "17 givens"),
    ("easy", "easy", None, "Easy 9×9"),
    ("medium", "medium", None, "Medium 9×9"),
    ("hard", "hard", None, "Hard 9×9"),
    ("very-hard", "very-hard", None, "Very hard 9×9"),
    ("hardest", "hardest", None, "Beyond the rules 9×9"),
    ("16x16", "16x16-0.45", None, "16×16, 45 % given"),
    ("25x25", "25x25-0.45", None, "25×25 at the phase transition, 45 % given"),
)
"""Name, bundled collection, name of the puzzle in it (the first by default), and title."""

_RACERS = {
    "inkala-2012": ("annealing", "ant-colony", "backtracking", "conflict-driven"),
    "17-givens": ("cp-annealing", "ant-colony", "tabu", "dlx"),
    "16x16": ("cp-annealing", "iterated-local-search", "ant-colony", "conflict-driven"),
    "25x25": ("iterated-local-search", "ant-colony", "conflict-driven", "backtracking"),
}
"""Solvers that make a good race on a preset, by its name."""
_DEFAULT_RACERS = ("annealing", "ant-colony", "backtracking")


@cache
def solvers() -> dict[str, type[Solver]]:
    """Return the solvers that requests can name. Solvers that run commands are left out."""
    return {name: solver for name, solver in all_solvers().items() if not issubclass(solver, CommandSolver)}


def solver_of(name: str, parameters: Mapping[str, object]) -> Solver:
    """Return a solver with parameters from a request.

    Raises
    ------
    ParameterError
        If there is no such solver or parameter, or a value is out of range.
    """
    known, search = solvers(), name.rpartition("+")[2]
    if search not in known:
        raise ParameterError(unknown_name("solver", search, known))
    solver = make_solver(name, **parameters)
    if getattr(solver, "queue_limit", 0) > _MAX_QUEUE:
        raise ParameterError(f"queue_limit: choose at most {_MAX_QUEUE:,} on the web, to save memory")
    return solver


@router.get("/solvers", response_model=SolversResponse)
async def list_solvers() -> dict[str, object]:
    """List the solvers with their parameters."""
    return {"default": DEFAULT_SOLVER, "solvers": [_solver_to_json(solver) for solver in solvers().values()]}


@router.get("/solvers/{name}", response_model=DescribedSolver)
async def describe_solver(name: Name) -> dict[str, object]:
    """Describe a solver: what it does, its parameters with ranges and defaults, and its literature."""
    try:
        found = type(solver_of(name, {}))
    except ParameterError as error:
        raise ProblemError(HTTPStatus.NOT_FOUND, str(error)) from None
    return {**_solver_to_json(found), "text": inspect.getdoc(found) or ""}


def _solver_to_json(solver: type[Solver]) -> dict[str, object]:
    schemas = parameter_schemas(solver)
    return {
        "name": solver.name,
        "summary": (inspect.getdoc(solver) or "").partition("\n")[0],
        "is_complete": solver.is_complete,
        "is_stochastic": solver.is_stochastic,
        "unit": solver.unit,
        "watch_speed": solver.watch_speed,
        "parameters": {name: {**schema, "range": range_of(schema)} for name, schema in schemas.items()},
    }


@router.get("/techniques", response_model=TechniquesResponse)
async def list_techniques() -> dict[str, object]:
    """List the techniques in the order in which `explain` tries them, and their families."""
    return {"families": FAMILIES, "techniques": [technique.to_dict() for technique in TECHNIQUES]}


@router.get("/techniques/{name}", response_model=DescribedTechnique)
def describe_technique(name: Name) -> dict[str, object]:
    """Describe a technique, with an example and what to draw for it."""
    technique = TECHNIQUES_BY_NAME.get(name)
    if technique is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, unknown_name("technique", name, TECHNIQUES_BY_NAME))
    return {**technique.to_dict(), "example": _example_of(name)}


@cache
def _example_of(name: str) -> dict[str, object] | None:
    """Return an example of a technique as JSON-compatible data: the givens, and a step with its board."""
    fields = _examples().get(name)
    if fields is None:
        return None
    puzzle, board = parse(fields["puzzle"]), parse(fields["board"])
    placed = [(cell, digit) for cell, digit in enumerate(board.cells) if digit and not puzzle.cells[cell]]
    masks = [sum(1 << (int(digit) - 1) for digit in digits) for digits in fields["candidates"].split(" ")]
    found = _core.find_steps(native_puzzle(puzzle), masks, name, placed)[fields["step"]]
    candidates = candidate_array(masks, board.size)
    return {"givens": list(puzzle.cells), "step": step_to_json(step_of(found, board.box), board, candidates)}


@cache
def _examples() -> dict[str, dict[str, Any]]:
    text = (resources.files("sudokulab.logic") / "examples.jsonl").read_text(encoding="utf-8")
    return {fields["technique"]: fields for fields in map(json.loads, text.splitlines())}


@router.get("/presets", response_model=PresetsResponse)
async def list_presets() -> dict[str, object]:
    """List puzzles to start with: famous ones, one of each level, and large ones."""
    return {"presets": list(_presets()), "racers": list(_DEFAULT_RACERS)}


@cache
def _presets() -> tuple[dict[str, object], ...]:
    return tuple(
        {"name": name, "title": title, "racers": list(_RACERS.get(name, ())), **_puzzle_in(collection, puzzle)}
        for name, collection, puzzle, title in _PRESETS
    )


def _puzzle_in(collection: str, name: str | None) -> dict[str, object]:
    found = find(collection)
    assert found is not None, collection
    puzzle = next(puzzle for puzzle in found if name is None or puzzle.name == name)
    return {
        "puzzle": puzzle.line,
        "givens": list(puzzle.cells),
        "box": str(puzzle.box),
        "size": puzzle.size,
        "comment": puzzle.comment,
    }

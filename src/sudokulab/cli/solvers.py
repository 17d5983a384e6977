"""``sudokulab solvers``."""

from __future__ import annotations

import inspect
import json
from typing import Annotated, Any

import typer
from pydantic import TypeAdapter
from pydantic.dataclasses import is_pydantic_dataclass
from rich.console import Console
from rich.table import Table

from sudokulab.cli.common import command
from sudokulab.errors import SudokulabError
from sudokulab.solvers import Solver
from sudokulab.solving.registry import DEFAULT_SOLVER, all_solvers

__all__ = ["solvers"]


@command
def solvers(
    name: Annotated[str | None, typer.Argument(help="A solver to describe in full.")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="All solvers and their parameters as one JSON object.")
    ] = False,
) -> None:
    """List the solvers, or describe one with its parameters and its reference.

    Example: sudokulab solvers backtracking
    """
    console = Console()
    known = all_solvers()
    if as_json:
        typer.echo(json.dumps({key: _as_json(solver) for key, solver in known.items()}, indent=2))
    elif name is None:
        console.print(_table(known))
    elif name in known:
        console.print(f"{name}\n\n{inspect.getdoc(known[name])}\n", highlight=False, markup=False)
        console.print(_parameter_table(known[name]) if _parameters(known[name]) else "No parameters.")
    else:
        raise SudokulabError(f"no solver named {name!r}, expected one of {', '.join(known)}")


def _table(known: dict[str, type[Solver]]) -> Table:
    table = Table("solver", "complete", "uses the seed", "counts", "in a line")
    for key, solver in known.items():
        mark = " (default)" if key == DEFAULT_SOLVER else ""
        summary = (inspect.getdoc(solver) or "").partition("\n")[0]
        yes = {True: "yes", False: "no"}
        table.add_row(key + mark, yes[solver.is_complete], yes[solver.is_stochastic], solver.unit, summary)
    return table


def _parameter_table(solver: type[Solver]) -> Table:
    table = Table("parameter", "default", "range")
    for key, schema in _parameters(solver).items():
        bounds = {
            word: schema[word]
            for word in ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")
            if word in schema
        }
        choices = schema.get("enum")
        wanted = (
            ", ".join(map(str, choices)) if choices else ", ".join(f"{word} {bound}" for word, bound in bounds.items())
        )
        table.add_row(key, str(schema.get("default", "")), wanted or str(schema.get("type", "")))
    return table


def _as_json(solver: type[Solver]) -> dict[str, Any]:
    return {
        "is_complete": solver.is_complete,
        "is_stochastic": solver.is_stochastic,
        "unit": solver.unit,
        "parameters": _parameters(solver),
    }


def _parameters(solver: type[Solver]) -> dict[str, Any]:
    """Return the JSON schema of each parameter; nothing for a plug-in that is no pydantic dataclass."""
    if not is_pydantic_dataclass(solver):
        return {}
    parameters: dict[str, Any] = TypeAdapter(solver).json_schema().get("properties", {})
    return parameters

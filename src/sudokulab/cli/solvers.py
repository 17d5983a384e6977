"""``sudokulab solvers``."""

from __future__ import annotations

import inspect
import json
from typing import Annotated

import typer

from sudokulab.cli.common import command
from sudokulab.cli.completion import complete_solver
from sudokulab.cli.schema import VERSION
from sudokulab.cli.tables import print_table
from sudokulab.parameters import parameter_schemas, range_of
from sudokulab.solvers import DEFAULT_SOLVER, FILTERS, FilteringSolver, Solver, all_solvers, make_solver

__all__ = ["solvers"]


@command
def solvers(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME", help="Solver to describe: a name or module:Class.", autocompletion=complete_solver
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: all solvers and their parameters.")] = False,
) -> None:
    """List solvers and their filters, or describe a solver.

    Example: sudokulab solvers cp+annealing
    """
    known = all_solvers() if name is None else {name: type(make_solver(name))}
    if as_json:
        listed = {key: _as_json(solver) for key, solver in known.items()}
        typer.echo(json.dumps({"version": VERSION, "solvers": listed}, indent=2))
    elif name is None:
        print_table(
            ["solver", "default", "complete", "uses seed", "counts", "filters", "summary"], map(_row, known.values())
        )
        _print_filters()
    else:
        solver = known[name]
        typer.echo(f"{name}\n\n{inspect.getdoc(solver)}\n")
        schemas = parameter_schemas(solver)
        rows = [(key, schema.get("default", ""), range_of(schema)) for key, schema in schemas.items()]
        print_table(["parameter", "default", "range"], rows) if rows else typer.echo("No parameters.")


def _print_filters() -> None:
    """Describe the filters on standard error, so that a pipe gets the table alone."""
    techniques = "any techniques that hold on puzzles with several solutions"
    typer.echo("\nFilters combine with a solver by name, as in cp+annealing:", err=True)
    for name, applies in {**FILTERS, "singles+x-wing": techniques}.items():
        typer.echo(f"  {name:15} {applies}", err=True)


def _row(solver: type[Solver]) -> tuple[str | None, ...]:
    facts = (solver.name == DEFAULT_SOLVER, solver.is_complete, solver.is_stochastic)
    summary = (inspect.getdoc(solver) or "").partition("\n")[0]
    filters = "yes" if issubclass(solver, FilteringSolver) else "no"
    return solver.name, *("yes" if fact else "no" for fact in facts), solver.unit, filters, summary


def _as_json(solver: type[Solver]) -> dict[str, object]:
    return {
        "is_complete": solver.is_complete,
        "is_stochastic": solver.is_stochastic,
        "unit": solver.unit,
        "parameters": parameter_schemas(solver),
    }

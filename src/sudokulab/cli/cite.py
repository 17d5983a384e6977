"""``sudokulab cite``."""

from __future__ import annotations

from typing import Annotated

import typer

from sudokulab.cli.common import command
from sudokulab.cli.completion import complete_solver

__all__ = ["cite"]


@command
def cite(
    solvers: Annotated[
        list[str] | None,
        typer.Argument(metavar="SOLVER", help="Solvers whose papers to cite.", autocompletion=complete_solver),
    ] = None,
) -> None:
    """Print BibTeX for this package and for the papers of solvers.

    Example: sudokulab cite ant-colony cp+annealing
    """
    from sudokulab.solvers.citations import bibtex

    typer.echo(bibtex(solvers or ()), nl=False)

"""``sudokulab reproduce``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudokulab._internal.suggestions import unknown_name
from sudokulab.cli.common import command, print_message
from sudokulab.cli.completion import complete_artefact, complete_paper
from sudokulab.cli.options import WorkersOption
from sudokulab.errors import SudokulabError

if TYPE_CHECKING:
    from sudokulab.papers.catalogue import Artefact, Effort, Findings, Paper

__all__ = ["reproduce"]


@command
def reproduce(
    paper: Annotated[
        str,
        typer.Argument(
            metavar="PAPER", help="jones-2007, soto-2013, …, or all; a prefix is enough.", autocompletion=complete_paper
        ),
    ],
    artefact: Annotated[
        str | None,
        typer.Argument(
            metavar="ARTEFACT", help="One table or figure, such as table-1.", autocompletion=complete_artefact
        ),
    ] = None,
    effort: Annotated[
        str,
        typer.Option(
            help="smoke (minutes), quick (half an hour), published (an hour or two), full (the paper's sizes)."
        ),
    ] = "quick",
    folder: Annotated[Path, typer.Option(help="Folder that keeps the runs, to resume later.")] = Path("reproductions"),
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Output folder for pages and figures."),
    ] = None,
    workers: WorkersOption = None,
) -> None:
    """Reproduce the tables and figures of a paper.

    Each is compared with the printed one and gets a verdict. Verdicts do not affect the exit code.

    Example: sudokulab reproduce lloyd-2019 table-1 --effort quick
    """
    from sudokulab.papers.catalogue import PAPERS, Effort, paper_of
    from sudokulab.papers.pages import write_index

    try:
        chosen = Effort(effort)
    except ValueError:
        raise SudokulabError(unknown_name("effort", effort, [one.value for one in Effort])) from None
    papers = list(PAPERS.values()) if paper == "all" else [paper_of(paper)]
    found = {one: _reproduce(one, artefact, chosen, folder, output, workers) for one in papers}
    if output is not None and paper == "all":
        print_message(f"{write_index(found, chosen, output)}: written")


def _reproduce(
    paper: Paper, artefact: str | None, effort: Effort, folder: Path, output: Path | None, workers: int | None
) -> dict[Artefact, Findings]:
    from sudokulab.papers.catalogue import reproduce as make_all
    from sudokulab.papers.pages import markdown_of, write_page

    found = {}
    for one, findings in make_all(paper, artefact, effort=effort, folder=folder, workers=workers):
        print_message(f"{paper.key} {one.key}: {findings.verdict.value}")
        found[one] = findings
    if output is None:
        sys.stdout.write(markdown_of(paper, effort, found) + "\n")
    else:
        print_message(f"{write_page(paper, effort, found, output)}: written")
    return found

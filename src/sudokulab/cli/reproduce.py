"""``sudokulab reproduce``."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudokulab._internal.suggestions import unknown_name
from sudokulab.cli.common import command, print_message
from sudokulab.cli.completion import complete_artefact, complete_paper
from sudokulab.cli.options import WorkersOption
from sudokulab.errors import SudokulabError

if TYPE_CHECKING:
    from sudokulab.papers.catalogue import Artefact, Findings, Paper

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
        typer.Option(help="smoke (minutes), quick (half an hour), published (hours), full (the paper's sizes)."),
    ] = "quick",
    folder: Annotated[Path, typer.Option(help="Folder that keeps the runs, to resume later.")] = Path("reproductions"),
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Output folder for pages and figures."),
    ] = None,
    from_data: Annotated[
        bool, typer.Option("--from-data", help="Use the recorded results of the published pages; takes seconds.")
    ] = False,
    extend_data: Annotated[
        bool, typer.Option("--extend-data", help="Run what the recorded results lack, and add it to them.")
    ] = False,
    minutes: Annotated[
        float | None, typer.Option(min=0, help="With --extend-data: stop starting runs after this time.")
    ] = None,
    workers: WorkersOption = None,
) -> None:
    """Reproduce the tables and figures of a paper.

    Each is compared with the printed one and gets a verdict. Verdicts do not affect the exit code.

    Example: sudokulab reproduce lloyd-2019 table-1 --effort quick
    """
    from sudokulab.papers.catalogue import PAPERS, Effort, Mode, paper_of
    from sudokulab.papers.pages import write_index

    if from_data and extend_data:
        raise SudokulabError("--from-data and --extend-data are mutually exclusive")
    mode = Mode.RECORDED if from_data else Mode.EXTEND if extend_data else Mode.RUN
    if minutes is not None and mode is not Mode.EXTEND:
        raise SudokulabError("--minutes needs --extend-data")
    try:
        chosen = Effort.PUBLISHED if mode is not Mode.RUN else Effort(effort)
    except ValueError:
        raise SudokulabError(unknown_name("effort", effort, [one.value for one in Effort])) from None
    papers = list(PAPERS.values()) if paper == "all" else [paper_of(paper)]
    settings: dict[str, object] = {"effort": chosen, "folder": folder, "workers": workers, "mode": mode}
    if minutes is not None:
        settings["deadline"] = time.monotonic() + 60 * minutes
    found = {one: _reproduce(one, artefact, output, settings) for one in papers}
    if output is not None and paper == "all":
        print_message(f"{write_index(found, chosen, output)}: written")


def _reproduce(
    paper: Paper, artefact: str | None, output: Path | None, settings: Mapping[str, Any]
) -> dict[Artefact, Findings]:
    from sudokulab.papers.catalogue import Mode
    from sudokulab.papers.catalogue import reproduce as make_all
    from sudokulab.papers.pages import markdown_of, write_page
    from sudokulab.papers.records import Records

    mode = settings["mode"]
    records = Records() if mode is Mode.RUN else Records.load(paper.key)
    found = {}
    for one, findings in make_all(paper, artefact, records=records, **settings):
        print_message(f"{paper.key} {one.key}: {findings.verdict.value}")
        found[one] = findings
        if mode is Mode.EXTEND:
            records.save(paper.key)
    if mode is Mode.EXTEND and artefact is None:
        records.drop_unused()
        records.save(paper.key)
    if output is None:
        sys.stdout.write(markdown_of(paper, settings["effort"], found, records) + "\n")
    else:
        print_message(f"{write_page(paper, settings['effort'], found, output, records)}: written")
    return found

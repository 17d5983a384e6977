"""``sudokulab sheet``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sudokulab.cli.common import check_extension, command, print_message
from sudokulab.cli.completion import complete_list_of, complete_one_of
from sudokulab.cli.inputs import Inputs, reads_puzzles
from sudokulab.cli.options import list_option
from sudokulab.drawing.layout import PAPERS
from sudokulab.drawing.pages import EXTENSIONS
from sudokulab.publishing.sheets import RATINGS, SCALES
from sudokulab.publishing.sheets import sheet as write_sheet

__all__ = ["sheet"]


@command
@reads_puzzles
def sheet(
    *,
    output: Annotated[Path, typer.Option("--output", "-o", help="Output file: .pdf, .svg or .png.")] = Path(
        "sheet.pdf"
    ),
    per_page: Annotated[int, typer.Option(min=1, help="Number of puzzles per page.")] = 6,
    paper: Annotated[
        str, typer.Option(help=f"Paper size: {', '.join(PAPERS)}.", autocompletion=complete_one_of(PAPERS))
    ] = "a4",
    title: Annotated[str, typer.Option(help="Heading of every page.")] = "",
    ratings: Annotated[
        list[str] | None,
        list_option(
            "--ratings",
            metavar="SCALE,…",
            help="Ratings to print: rules (the level), se, hodoku, or none (default: rules,se).",
            autocompletion=complete_list_of([*SCALES, "none"]),
        ),
    ] = None,
    solutions: Annotated[bool, typer.Option(help="Print the solutions on the last pages.")] = True,
    hints: Annotated[int, typer.Option(min=0, help="Number of steps of each puzzle to explain in words.")] = 0,
    inputs: Inputs,
) -> None:
    """Write puzzles as pages to print.

    A PDF holds all pages; SVG and PNG write one file per page. Solutions follow on the last pages.

    Example: sudokulab sheet puzzles.sdm -o sheet.pdf --title Weekend --hints 3
    """
    check_extension(output, EXTENSIONS)
    paths = write_sheet(
        list(inputs),
        output,
        per_page=per_page,
        paper=paper,
        title=title,
        ratings=RATINGS if ratings is None else [scale for scale in ratings if scale != "none"],
        solutions=solutions,
        hints=hints,
    )
    for path in paths:
        print_message(f"{path}: written")
    inputs.finish()

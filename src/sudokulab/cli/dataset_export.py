"""``sudokulab dataset export``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sudokulab.cli.common import command, import_arrow, print_message
from sudokulab.cli.completion import complete_one_of, complete_techniques
from sudokulab.cli.options import list_option

__all__ = ["FORMATS", "export"]

FORMATS = ("npz", "csv", "kaggle-csv", "sudoku-extreme-csv", "hrm", "steps", "huggingface")
"""The names of the formats, known without the extra ``data``."""


@command
def export(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Data set made by `sudokulab dataset make`.")],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help=f"Output format: {', '.join(FORMATS)}.",
            autocompletion=complete_one_of(FORMATS),
        ),
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Output folder (default: FOLDER-FORMAT).")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an earlier export.")] = False,
    license: Annotated[
        str | None, typer.Option(help="License for the data card of huggingface, such as cc-by-4.0.")
    ] = None,
    techniques: Annotated[
        list[str] | None,
        list_option(
            "--techniques",
            metavar="NAME,…",
            help="Techniques or families for steps, in the order to try them, such as singles,x-wing (default: all "
            "common ones; see `sudokulab techniques`).",
            autocompletion=complete_techniques,
        ),
    ] = None,
) -> None:
    """Export a data set for training.

    npz, csv, kaggle-csv (quizzes,solutions), sudoku-extreme-csv (source,question,answer,rating) and steps (JSON lines
    of step-by-step solutions) write one file per split. hrm writes the folder of numpy arrays that the trainers of HRM
    and TRM read. huggingface writes Parquet files and a data card.

    Every solution is checked. The output appears only once it is complete.

    Example: sudokulab dataset export puzzles --to npz -o arrays
    """
    import_arrow()
    from sudokulab.datasets import export as export_dataset

    written = export_dataset(folder, to, output, force=force, license=license, techniques=techniques, progress=True)
    print_message(f"{written}: written")

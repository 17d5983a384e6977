"""``sudokulab dataset audit``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudokulab.cli.common import FAILED, check_extension, command, import_arrow, print_message
from sudokulab.cli.options import BoxOption, ThreadsOption, list_option, split_pairs
from sudokulab.cli.schema import VERSION
from sudokulab.cli.tables import print_table
from sudokulab.errors import SudokulabError

if TYPE_CHECKING:
    from sudokulab.datasets import Audit
    from sudokulab.datasets.sources.files import SourcesLike

__all__ = ["audit"]


@command
def audit(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE|FOLDER",
            help="Parquet, CSV, NPZ or text files, or folders of them. File names show the splits (train, test, …).",
        ),
    ] = None,
    splits: Annotated[
        list[str] | None,
        list_option("--split", split=split_pairs, metavar="NAME=FILE,…", help="The files of each split."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Output file for a report with plots: .md or .html."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: one object.")] = False,
    sample: Annotated[int, typer.Option(min=0, help="Number of puzzles per split to rate.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Random seed of the sample.")] = 0,
    box: BoxOption = None,
    threads: ThreadsOption = None,
) -> None:
    """Audit data sets for defects, duplicates and leaks.

    Finds unsound puzzles, wrong solutions, duplicates, and leaks between splits, up to symmetry. Tables have columns
    puzzle,solution, quizzes,solutions or question,answer; NPZ files have arrays with such names. Exit code 0 without
    defects, 1 with defects, 2 for bad input.

    Example: sudokulab dataset audit train.csv test.csv -o audit.html
    """
    data = _data(files or [], splits or [])
    from sudokulab import datasets

    import_arrow()
    from sudokulab.datasets.audits.report import EXTENSIONS, write_report

    if output is not None:
        check_extension(output, EXTENSIONS)
        if not output.resolve().parent.is_dir():
            raise SudokulabError(f"{output.parent}: no such folder")
    found = datasets.audit(data, box=box, sample=sample, seed=seed, threads=threads, progress=True)
    written = write_report(found, output) if output is not None else []
    if as_json:
        sys.stdout.write(f"{json.dumps({'version': VERSION, **found.to_dict()})}\n")
    else:
        _print(found)
    if written:
        print_message(f"wrote {', '.join(map(str, written))}")
    if not found.is_clean:
        raise typer.Exit(FAILED)


def _data(files: list[Path], splits: list[str]) -> SourcesLike:
    """Return the files by split, or those whose names show their splits."""
    by_split: dict[str, list[Path]] = {}
    for text in splits:
        name, separator, path = text.partition("=")
        if not name or not separator or not path:
            raise SudokulabError(f"--split {text}: write NAME=FILE, such as train=puzzles.csv")
        by_split.setdefault(name, []).append(Path(path))
    if files and by_split:
        raise SudokulabError("give all files with --split, or none")
    if not files and not by_split:
        raise SudokulabError("no file to audit; pass files, folders or --split NAME=FILE")
    return by_split or files


def _print(found: Audit) -> None:
    from sudokulab.datasets.audits.report import sections, verdict

    for section in sections(found):
        sys.stdout.write(f"{section.title}\n")
        print_table(section.columns, section.rows)
        sys.stdout.write("\n")
    sys.stdout.write(f"{verdict(found)}\n")

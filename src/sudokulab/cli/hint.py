"""``sudokulab hint`` and ``sudokulab explain``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from sudokulab._internal.files import whole_file
from sudokulab.cli.common import FAILED, UNREADABLE, check_extension, command, print_message
from sudokulab.cli.completion import complete_techniques
from sudokulab.cli.inputs import Inputs, reads_puzzles
from sudokulab.cli.options import FieldsOption, JsonOption, WithoutOption, list_option
from sudokulab.cli.schema import fields_of
from sudokulab.cli.tables import checked_fields, head_of, print_record
from sudokulab.drawing.pages import EXTENSIONS
from sudokulab.errors import FormatError, SudokulabError
from sudokulab.formats.base import placeholder
from sudokulab.logic import Ending, Explanation, draw_step, svg_of_step
from sudokulab.logic import explain as explain_puzzle
from sudokulab.logic import hint as find_hint
from sudokulab.logic.hints import HINT_SECONDS
from sudokulab.publishing.booklets import write_booklet
from sudokulab.puzzle import Puzzle
from sudokulab.search.budget import Budget

__all__ = ["explain", "hint"]

SecondsOption = Annotated[float, typer.Option(min=0, help="Time limit per puzzle.")]
TechniquesOption = Annotated[
    list[str] | None,
    list_option(
        "--techniques",
        metavar="NAME,…",
        help="Techniques or families in the order to try them, such as singles,x-wing (default: all common ones; "
        "see `sudokulab techniques`).",
        autocompletion=complete_techniques,
    ),
]

_FIELDS = ("row", "id", "step", "technique", "sentence")
_JSON_FIELDS = fields_of("explain")


@command
@reads_puzzles
def hint(
    *,
    as_json: JsonOption = False,
    fields: FieldsOption = None,
    svg: Annotated[Path | None, typer.Option(help="Draw the step to this file (single puzzle only).")] = None,
    techniques: TechniquesOption = None,
    without: WithoutOption = None,
    seconds: SecondsOption = HINT_SECONDS,
    inputs: Inputs,
) -> None:
    """Show the next step of a puzzle.

    The step is a sentence and, on a terminal, a grid with marked candidates. Piped output has five fields,
    separated by tabs, after a line with their names: row, id, step, technique, sentence. A puzzle without a unique
    solution gets no step. Exit code 0 if every puzzle got a step, else 1.

    Example: sudokulab hint puzzle.txt --svg step.svg
    """
    if svg:
        check_extension(svg, (".svg",))
    console, all_found = Console(), True
    chosen = checked_fields(fields, _JSON_FIELDS if as_json else _FIELDS)
    for number, puzzle in enumerate(inputs.in_order(_chosen(inputs, "--svg", bool(svg))), start=1):
        if isinstance(puzzle, FormatError):
            _show_unreadable(number, puzzle, as_json, chosen)
            continue
        found = find_hint(puzzle, techniques, without=without or [], budget=Budget(seconds=seconds))
        all_found &= bool(found.steps)
        _show(found, head_of(number, puzzle), as_json, chosen, number == 1, console, max_sentences=1)
        if svg:
            with whole_file(svg) as stream:
                stream.write(svg_of_step(found))
    inputs.finish()
    if not all_found:
        raise typer.Exit(FAILED)


@command
@reads_puzzles
def explain(
    *,
    as_json: JsonOption = False,
    fields: FieldsOption = None,
    svg: Annotated[
        Path | None, typer.Option(help="Draw each step to a file in this new folder (single puzzle only).")
    ] = None,
    booklet: Annotated[
        Path | None,
        typer.Option(
            help="Write a picture and a sentence per step to this file: .pdf, .svg or .png (single puzzle only)."
        ),
    ] = None,
    techniques: TechniquesOption = None,
    without: WithoutOption = None,
    seconds: SecondsOption = 60.0,
    inputs: Inputs,
) -> None:
    """Explain each step of the solution.

    Piped output has five fields, separated by tabs, after a line with their names: row, id, step, technique, sentence.
    A puzzle without a unique solution gets no steps. Exit code 0 if every puzzle was solved, else 1.

    Example: sudokulab explain puzzle.txt --without uniqueness --booklet solution.pdf
    """
    if booklet:
        check_extension(booklet, EXTENSIONS)
    if svg:
        _check_folder(svg)
    console, all_solved = Console(), True
    chosen = checked_fields(fields, _JSON_FIELDS if as_json else _FIELDS)
    puzzles = _chosen(inputs, "--booklet" if booklet else "--svg", bool(svg or booklet))
    for number, puzzle in enumerate(inputs.in_order(puzzles), start=1):
        if isinstance(puzzle, FormatError):
            _show_unreadable(number, puzzle, as_json, chosen)
            continue
        found = explain_puzzle(puzzle, techniques, without=without or [], budget=Budget(seconds=seconds))
        all_solved &= found.ending is Ending.SOLVED
        _show(found, head_of(number, puzzle), as_json, chosen, number == 1, console, max_sentences=None)
        if svg:
            svg.mkdir(parents=True, exist_ok=True)
            for place in range(len(found.steps)):
                with whole_file(svg / f"step-{place + 1:03}.svg") as stream:
                    stream.write(svg_of_step(found, place))
        if booklet:
            for path in write_booklet(found, booklet):
                print_message(f"{path}: written")
    inputs.finish()
    if not all_solved:
        raise typer.Exit(FAILED)


def _show(
    found: Explanation,
    head: dict[str, object],
    as_json: bool,
    fields: Sequence[str],
    is_first: bool,
    console: Console,
    max_sentences: int | None,
) -> None:
    if as_json:
        record = {**head, **found.to_dict(), "error": None}
        sys.stdout.write(json.dumps({field: record[field] for field in fields}) + "\n")
        return
    if max_sentences == 1 and console.is_terminal and found.steps:
        console.print(draw_step(found), soft_wrap=True)
    for place, sentence in enumerate(found.sentences[:max_sentences], start=1):
        step = found.steps[place - 1] if place <= len(found.steps) else None
        lead = f"{head['id']}, step {place}" if max_sentences is None and step else head["id"]
        record = {
            **head,
            "step": place if step else None,
            "technique": step.technique.name if step else None,
            "sentence": sentence,
        }
        chosen = {field: record[field] for field in fields}
        print_record(chosen, f"{lead}: {sentence}", as_json=False, is_first=is_first and place == 1)


def _show_unreadable(number: int, error: FormatError, as_json: bool, fields: Sequence[str]) -> None:
    head, text = head_of(number, error), placeholder(number, error)
    if as_json:
        record = {**head, "puzzle": None, "ending": UNREADABLE, "steps": [], "error": str(error)}
    else:
        record = {**head, "step": None, "technique": None, "sentence": text.partition(": ")[2]}
    print_record({field: record[field] for field in fields}, text, as_json=as_json, is_first=number == 1)


def _chosen(inputs: Inputs, option: str, is_given: bool) -> Iterable[Puzzle]:
    """Return the puzzles; with an option for a single puzzle, read them first and check that there is only one."""
    if not is_given:
        return inputs
    puzzles = list(inputs)
    if len(puzzles) > 1:
        raise SudokulabError(f"{option} is for a single puzzle, got {len(puzzles):,}")
    return puzzles


def _check_folder(folder: Path) -> None:
    if folder.suffix:
        raise SudokulabError(f"--svg needs a folder, such as {folder.with_suffix('')}")
    if folder.is_dir() and any(folder.iterdir()):
        raise SudokulabError(f"{folder}: the folder is not empty; choose a new or empty one")

"""``sudokulab techniques``."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from sudokulab.cli.common import FAILED, command, print_message
from sudokulab.cli.completion import complete_techniques
from sudokulab.cli.inputs import Inputs
from sudokulab.cli.options import BoxOption, ColumnOption, FromOption, list_argument, list_option, split_puzzles
from sudokulab.cli.schema import VERSION
from sudokulab.cli.tables import head_of, print_record, print_table
from sudokulab.errors import FormatError, ParameterError, SudokulabError
from sudokulab.logic import FAMILIES, TECHNIQUES, Technique, describe, steps
from sudokulab.logic.library import Case, check, read_cases
from sudokulab.logic.selection import select_techniques

__all__ = ["techniques"]


@command
def techniques(
    names: Annotated[
        list[str] | None,
        list_argument(
            metavar="NAME",
            help="Techniques or families to describe, such as x-wing or fish,wings.",
            autocompletion=complete_techniques,
        ),
    ] = None,
    find: Annotated[
        list[str] | None,
        list_option(
            "--find",
            split=split_puzzles,
            metavar="FILE,…",
            help="List every instance on these puzzles: files, collections or text.",
        ),
    ] = None,
    check_file: Annotated[
        Path | None,
        typer.Option("--check", metavar="FILE", help="Run the cases of a file in the format of HoDoKu's library."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    format: FromOption = None,
    box: BoxOption = None,
    column: ColumnOption = None,
) -> None:
    """List, describe, find or check human techniques.

    --find prints the instances of the named techniques, one per line. --check exits with 1 if a case fails.

    Example: sudokulab techniques x-wing --find puzzle.txt
    """
    if check_file:
        if names or find or as_json:
            raise SudokulabError("--check takes no other arguments")
        _check(check_file)
    elif find:
        if names is None:
            raise SudokulabError("--find needs the name of a technique, such as x-wing")
        _find(select_techniques(names), Inputs(find, format, box, column=column), as_json)
    else:
        _list(TECHNIQUES if names is None else tuple(select_techniques(names)), as_json, is_short=names is None)


def _list(chosen: tuple[Technique, ...], as_json: bool, *, is_short: bool) -> None:
    if as_json:
        listed = [technique.to_dict() for technique in chosen]
        typer.echo(json.dumps({"version": VERSION, "techniques": listed}, indent=2))
    elif is_short or not sys.stdout.isatty():
        columns = ["technique", "family", "rule", "default", "uniqueness", "idea"]
        print_table(columns, map(_row, chosen))
    else:
        for technique in chosen:
            typer.echo(f"{technique.title} ({technique.name})\n")
            typer.echo(f"{technique.idea}\n")
            typer.echo(f"Family {technique.family}: {FAMILIES[technique.family]}\n")


def _row(technique: Technique) -> tuple[str, ...]:
    facts = (technique.is_default, technique.assumes_uniqueness)
    words = ("yes" if fact else "no" for fact in facts)
    return technique.name, technique.family, technique.code, *words, technique.idea


def _find(chosen: list[Technique], inputs: Inputs, as_json: bool) -> None:
    num_found = 0
    for number, puzzle in enumerate(inputs, start=1):
        head = head_of(number, puzzle)
        for technique in chosen:
            for step in steps(puzzle, technique.name):
                num_found += 1
                if as_json:
                    record = {**step.to_dict(), "sentence": describe(step, puzzle)}
                    sys.stdout.write(json.dumps(head | record) + "\n")
                else:
                    words = {"technique": technique.name, "sentence": describe(step, puzzle)}
                    record = {name: value for name, value in (head | words).items() if name != "version"}
                    sentence = f"{head['id']}: {record['sentence']}"
                    print_record(record, sentence, as_json=False, is_first=num_found == 1)
    inputs.finish()
    if not num_found:
        print_message("no instance found")
        raise typer.Exit(FAILED)


def _problem_of(case: Case) -> str | None:
    try:
        return check(case)
    except ParameterError as error:
        return str(error)


def _check(path: Path) -> None:
    counts: Counter[bool] = Counter()
    with path.open(encoding="utf-8") as stream:
        for number, case in read_cases(stream, str(path)):
            problem = _problem_of(case)
            counts[problem is None] += 1
            if problem:
                sys.stdout.write(f"{path}:{number}: {case.code}: {problem}\n")
    if not counts:
        raise FormatError("no case found", "write lines such as :0003:8:...", source=str(path))
    sys.stdout.write(f"{counts[True]} of {counts.total()} cases passed\n")
    if counts[False]:
        raise typer.Exit(FAILED)

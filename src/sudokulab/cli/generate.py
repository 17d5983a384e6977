"""``sudokulab generate``."""

from __future__ import annotations

import fcntl
import io
import json
import re
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated, BinaryIO

import typer
from rich.console import Console

from sudokulab import formats
from sudokulab._internal.native import MAX_THREADS
from sudokulab.budget import MAX_COUNT, Budget
from sudokulab.cli.common import NOT_SOLVED, BoxOption, choice_of, command, complain, is_file, names_of
from sudokulab.drawing import draw
from sudokulab.errors import SudokulabError
from sudokulab.formats import jsonl, line
from sudokulab.instances import Kind, NotFoundError, Recipe, Symmetry
from sudokulab.logic.rules import Level
from sudokulab.puzzle import Puzzle

__all__ = ["generate"]


@command
def generate(
    count: Annotated[int, typer.Option("--count", "-n", min=0, help="How many puzzles.")] = 1,
    size: Annotated[int | None, typer.Option(help="The number of digits: 4 to 64; by default 9.")] = None,
    box: BoxOption = None,
    kind: Annotated[
        Kind | None,
        typer.Option(
            case_sensitive=False,
            help="unique: exactly one solution (the default). full: a random grid without blanks. fixed: a fraction of "
            "a random grid (Lloyd & Amos; the default with --fixed). shuffled-root: the root grid shuffled, each cell "
            "kept by chance (Lewis). past-rules: blanked until the rules fail, then --extra more (San Segundo).",
        ),
    ] = None,
    unique: Annotated[bool, typer.Option("--unique", help="Exactly one solution, also with --fixed.")] = False,
    minimal: Annotated[bool, typer.Option("--minimal", help="Every given must be needed.")] = False,
    givens: Annotated[int | None, typer.Option(help="How many givens; by default as few as blanking leads to.")] = None,
    fixed: Annotated[float | None, typer.Option(min=0, max=1, help="The fraction of cells that are given.")] = None,
    symmetry: Annotated[
        Symmetry,
        typer.Option(
            parser=choice_of(Symmetry), metavar="SYMMETRY", help=f"Symmetry of the givens: {names_of(Symmetry)}."
        ),
    ] = Symmetry.NONE,
    pattern: Annotated[
        str | None, typer.Option(help="A file or text: . or 0 for each blank cell, anything else for a given.")
    ] = None,
    level: Annotated[
        Level | None,
        typer.Option(
            parser=choice_of(Level),
            metavar="LEVEL",
            help=f"How hard the puzzle must be: {names_of(Level)}; see `sudokulab rate`.",
        ),
    ] = None,
    technique: Annotated[str, typer.Option(metavar="RULES", help="Rules that must be needed, such as NP,HT.")] = "",
    without: Annotated[str, typer.Option(metavar="RULES", help="Rules that must not be needed.")] = "",
    extra: Annotated[int, typer.Option(min=0, help="With past-rules: how many more cells are blanked.")] = 1,
    failures: Annotated[int, typer.Option(min=1, help="With past-rules: see `sudokulab.instances.past_rules`.")] = 1,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=2**64 - 1,
            help="The same seed gives the same puzzles. Default: a fresh one, which is reported.",
        ),
    ] = None,
    threads: Annotated[int | None, typer.Option(min=1, max=MAX_THREADS, help="By default one for each core.")] = None,
    seconds: Annotated[float | None, typer.Option(min=0, help="Give up after so long.")] = None,
    attempts: Annotated[
        int | None, typer.Option(min=1, max=MAX_COUNT, help="Give up a puzzle after so many attempts.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="A file; its ending tells the format. Goes on where it was interrupted."),
    ] = None,
) -> None:
    """Make puzzles: with exactly one solution and to order, or random as the papers have them.

    Exit code 0 if all were made, 1 if one was not found within the budget, 2 if there can be none.

    Example: sudokulab generate --count 100 --level hard --symmetry half-turn -o hard.sdm
    """
    chosen_seed = _begun_seed(output) if seed is None else seed
    is_fresh = chosen_seed is None
    recipe = Recipe(
        kind=kind,
        size=size,
        box=box,
        fixed=fixed,
        unique=unique,
        givens=givens,
        minimal=minimal,
        symmetry=symmetry,
        pattern=_read_pattern(pattern),
        level=level,
        technique=technique,
        without=without,
        extra=extra,
        failures=failures,
        seed=secrets.randbits(32) if chosen_seed is None else chosen_seed,
    )
    if output and str(output) != "-":
        formats.format_to_write(output)
    if is_fresh:
        complain(f"seed {recipe.seed}")
    if output and str(output) == "-":
        output = None
    make = partial(recipe.puzzles, threads=threads, budget=Budget(seconds=seconds, iterations=attempts))
    try:
        if output:
            _write_resumably(make, count, output, recipe)
        else:
            _print(make(count), is_drawn=count == 1)
    except NotFoundError as error:
        complain(str(error))
        raise typer.Exit(NOT_SOLVED) from None


def _begun_seed(output: Path | None) -> int | None:
    """Return the seed of an interrupted job for the same file, to be resumed with it."""
    if output is None:
        return None
    try:
        with _part(output).open(encoding="utf-8") as stream:
            return int(json.loads(stream.readline())["seed"])
    except (OSError, ValueError, KeyError, TypeError, OverflowError):
        return None


def _part(target: Path) -> Path:
    return target.with_name(f"{target.name}.part")


def _read_pattern(pattern: str | None) -> str | None:
    if pattern is None:
        return None
    if is_file(pattern):
        lines = Path(pattern).read_text(encoding="utf-8").splitlines()
        return "".join(line for line in lines if not line.startswith("# "))
    if "/" in pattern or re.search(r"\.[A-Za-z]{2,4}$", pattern):
        raise SudokulabError(f"{pattern}: no such file, and no pattern")
    return pattern


def _print(puzzles: Iterable[Puzzle], *, is_drawn: bool) -> None:
    console = Console()
    for puzzle in puzzles:
        if is_drawn and console.is_terminal:
            console.print(draw(puzzle), soft_wrap=True)
        line.FORMAT.write([replace(puzzle, solution=None)], sys.stdout)


def _write_resumably(make: Callable[..., Iterator[Puzzle]], count: int, target: Path, recipe: Recipe) -> None:
    """Write puzzles beside the target first, with what was asked for, so that the same command can go on."""
    if target.is_dir():
        raise SudokulabError(f"{target}: is a folder, expected a file")
    if target.exists() and not target.is_file():  # a device: nothing to go on with
        formats.write(make(count), target)
        return
    part = _part(target)
    with part.open("a+b") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SudokulabError(f"{part}: another process is writing it") from None
        num_done = _num_done(stream, part, recipe.model_dump_json())
        if num_done:
            complain(f"{part}: going on after {min(num_done, count):,} of {count:,} puzzles")
        try:
            for puzzle in make(max(0, count - num_done), first=num_done):
                with io.StringIO() as text:
                    jsonl.FORMAT.write([puzzle], text)
                    stream.write(text.getvalue().encode())
                num_done += 1
        except (KeyboardInterrupt, NotFoundError) as error:
            more = ", with a larger budget" if isinstance(error, NotFoundError) else ""
            complain(f"{part}: {num_done:,} of {count:,} puzzles are there, the same command goes on with them{more}")
            raise
        stream.flush()
        with part.open(encoding="utf-8") as made:
            made.readline()
            formats.write(islice(formats.read(made, "jsonl"), count), target)
        part.unlink()


def _num_done(stream: BinaryIO, part: Path, request: str) -> int:
    """Return how many puzzles of the same request are there already; cuts off a line that was not finished."""
    stream.seek(0)
    num_lines, end = 0, 0
    for line_read in stream:
        if not line_read.endswith(b"\n"):
            break
        if num_lines == 0 and line_read.decode("utf-8", errors="replace").strip() != request:
            raise SudokulabError(f"{part}: was begun with other options, remove it to begin anew")
        num_lines, end = num_lines + 1, end + len(line_read)
    stream.truncate(end)
    if num_lines == 0:
        stream.write(f"{request}\n".encode())
    return max(num_lines - 1, 0)

"""``sudokulab generate``."""

from __future__ import annotations

import io
import json
import re
import secrets
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated, BinaryIO

import typer
from rich.console import Console

from sudokulab import formats
from sudokulab._internal import system
from sudokulab._internal.system import lock
from sudokulab.cli.common import NOT_SOLVED, command, complain
from sudokulab.cli.completion import complete_one_of, complete_techniques
from sudokulab.cli.inputs import is_file
from sudokulab.cli.options import BoxOption, ThreadsOption, choice_of, list_option, names_of
from sudokulab.drawing import draw
from sudokulab.errors import SudokulabError
from sudokulab.formats import jsonl, line
from sudokulab.instances import Bias, Kind, NotFoundError, Recipe, Stop, Symmetry
from sudokulab.logic.techniques import Level
from sudokulab.puzzle import Puzzle
from sudokulab.search.budget import MAX_COUNT, Budget

__all__ = ["generate"]


@command
def generate(
    count: Annotated[int, typer.Option("--count", "-n", min=0, help="Number of puzzles.")] = 1,
    size: Annotated[int | None, typer.Option(help="Size of the grid: number of digits, 4 to 64 (default: 9).")] = None,
    box: BoxOption = None,
    kind: Annotated[
        Kind | None,
        typer.Option(
            parser=choice_of(Kind, "all kinds are classic Sudokus; variants such as killer are not supported"),
            metavar="KIND",
            autocompletion=complete_one_of(names_of(Kind)),
            help="unique: exactly one solution (the default). full: a random grid without blanks. fixed: a fraction of "
            "a random grid (Lloyd & Amos; the default with --fixed). shuffled-root: the shuffled root grid, each cell "
            "kept at random (Lewis). past-rules: blanked until the rules fail --failures times, then --extra more "
            "(San Segundo). Variants such as killer are not supported.",
        ),
    ] = None,
    unique: Annotated[bool, typer.Option("--unique", help="Require exactly one solution, even with --fixed.")] = False,
    minimal: Annotated[bool, typer.Option("--minimal", help="Require that every given is necessary.")] = False,
    givens: Annotated[int | None, typer.Option(help="Number of givens. Default: as few as blanking reaches.")] = None,
    fixed: Annotated[float | None, typer.Option(min=0, max=1, help="Fraction of cells that are givens.")] = None,
    symmetry: Annotated[
        Symmetry,
        typer.Option(
            parser=choice_of(Symmetry),
            metavar="SYMMETRY",
            autocompletion=complete_one_of(names_of(Symmetry)),
            help=f"Symmetry of the givens: {', '.join(names_of(Symmetry))}.",
        ),
    ] = Symmetry.NONE,
    pattern: Annotated[
        str | None, typer.Option(help="Positions of the givens, as a file or text: . or 0 for each blank cell.")
    ] = None,
    level: Annotated[
        Level | None,
        typer.Option(
            parser=choice_of(Level),
            metavar="LEVEL",
            autocompletion=complete_one_of(names_of(Level)),
            help=f"Difficulty: {', '.join(names_of(Level))}; see `sudokulab rate`.",
        ),
    ] = None,
    technique: Annotated[
        list[str] | None,
        list_option(
            "--technique",
            metavar="NAME,…",
            help="Required techniques, such as swordfish or NP,HT; see `sudokulab techniques`.",
            autocompletion=complete_techniques,
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        list_option(
            "--without",
            metavar="NAME,…",
            help="Techniques or families to exclude, such as uniqueness.",
            autocompletion=complete_techniques,
        ),
    ] = None,
    se: Annotated[
        str | None,
        typer.Option(metavar="RATING", help="Rating of Sudoku Explainer: a number or a range, such as 7.0-7.2."),
    ] = None,
    bias: Annotated[
        Bias,
        typer.Option(
            parser=choice_of(Bias),
            metavar="BIAS",
            autocompletion=complete_one_of(names_of(Bias)),
            help="top-down: fast (the default). controlled: minimal puzzles, all equally likely that have the same "
            "number of givens.",
        ),
    ] = Bias.TOP_DOWN,
    stop: Annotated[
        Stop | None,
        typer.Option(
            help="For past-rules: blank until the rules have failed --failures times (failures, the default), until "
            "every given is necessary for the rules (minimal), or for a unique solution (unique)."
        ),
    ] = None,
    failures: Annotated[
        int | None, typer.Option(min=1, help="For past-rules: number of failures (default: 15).")
    ] = None,
    extra: Annotated[
        int | None, typer.Option(min=0, help="For past-rules: how many more cells to blank (default: 1).")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=2**64 - 1,
            help="Random seed; the same seed gives the same puzzles. Default: a new one, which is printed.",
        ),
    ] = None,
    threads: ThreadsOption = None,
    seconds: Annotated[float | None, typer.Option(min=0, help="Time limit for all puzzles.")] = None,
    attempts: Annotated[
        int | None, typer.Option(min=1, max=MAX_COUNT, help="Stop after this many attempts at a puzzle.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Output file; the extension selects the format. An interrupted job resumes."
        ),
    ] = None,
) -> None:
    """Generate puzzles to a specification, or at random.

    Puzzles have a unique solution unless --kind or --fixed asks for the random instances of the papers.

    Exit code 0 if all puzzles were generated, 1 if the budget ran out, 2 if the specification is impossible.

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
        technique=",".join(technique or []),
        without=",".join(without or []),
        se=_read_range(se),
        bias=bias,
        stop=stop,
        failures=failures,
        extra=extra,
        seed=secrets.randbits(32) if chosen_seed is None else chosen_seed,
    )
    if output and str(output) != "-":
        formats.format_to_write(output)
    if is_fresh:
        complain(f"seed {recipe.seed}")
    if output and str(output) == "-":
        output = None
    budget = Budget(seconds=seconds, iterations=attempts)
    make = partial(recipe.puzzles, threads=threads, budget=budget, progress=True)
    try:
        if output:
            _write_resumably(make, count, output, recipe)
        elif count == 1 and (console := Console()).is_terminal:
            for puzzle in make(count):
                console.print(draw(puzzle), soft_wrap=True)
                line.FORMAT.write([replace(puzzle, solution=None)], sys.stdout)
        else:
            sys.stdout.writelines(recipe.lines(count, threads=threads, budget=budget, progress=True))
    except NotFoundError as error:
        complain(str(error))
        raise typer.Exit(NOT_SOLVED) from None


def _begun_seed(output: Path | None) -> int | None:
    """Return the seed of an interrupted job for the same file, so that it resumes with that seed."""
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
        raise SudokulabError(f"{pattern}: no such file, and not a pattern")
    return pattern


def _read_range(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    low, _, high = text.replace("..", "-").replace(",", "-").replace("–", "-").partition("-")
    try:
        return float(low), float(high or low)
    except ValueError:
        raise SudokulabError(f"--se: {text!r}, expected a number or a range such as 7.0-7.2") from None


def _write_resumably(make: Callable[..., Iterator[Puzzle]], count: int, target: Path, recipe: Recipe) -> None:
    """Write puzzles to a partial file next to the target, along with the request, so that the job can be resumed."""
    if target.is_dir():
        raise SudokulabError(f"{target}: is a folder, expected a file")
    if target.exists() and not target.is_file():  # a device: nothing to resume
        formats.write(make(count), target)
        return
    part = _part(target)
    with part.open("a+b") as stream:
        try:
            lock(stream.fileno(), wait=False)
        except BlockingIOError:
            raise SudokulabError(f"{part}: another process is writing to it") from None
        num_done = _num_done(stream, part, recipe.model_dump_json())
        if num_done:
            complain(f"{part}: resuming after {min(num_done, count):,} of {count:,} puzzles")
        try:
            for puzzle in make(max(0, count - num_done), first=num_done):
                with io.StringIO() as text:
                    jsonl.FORMAT.write([puzzle], text)
                    stream.write(text.getvalue().encode())
                num_done += 1
        except (KeyboardInterrupt, NotFoundError) as error:
            more = " with a larger budget" if isinstance(error, NotFoundError) else ""
            complain(f"{part}: {num_done:,} of {count:,} puzzles done; the same command{more} resumes")
            raise
        stream.flush()
        with part.open(encoding="utf-8") as made:
            made.readline()
            formats.write(islice(formats.read(made, "jsonl"), count), target)
        if system.IS_POSIX:
            part.unlink()  # while it is locked
    if not system.IS_POSIX:
        part.unlink()  # Windows removes no open files


def _num_done(stream: BinaryIO, part: Path, request: str) -> int:
    """Return how many puzzles of the same request are done; truncate an incomplete line."""
    stream.seek(0)
    num_lines, end = 0, 0
    for line_read in stream:
        if not line_read.endswith(b"\n"):
            break
        if num_lines == 0 and line_read.decode("utf-8", errors="replace").strip() != request:
            raise SudokulabError(f"{part}: was started with other options; remove it to start over")
        num_lines, end = num_lines + 1, end + len(line_read)
    stream.truncate(end)
    if num_lines == 0:
        stream.write(f"{request}\n".encode())
    return max(num_lines - 1, 0)

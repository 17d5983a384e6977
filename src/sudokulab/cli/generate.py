"""``sudokulab generate``."""

from __future__ import annotations

import io
import json
import secrets
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Annotated, BinaryIO

import typer
from rich.console import Console

from sudokulab import formats
from sudokulab._internal import system
from sudokulab._internal.system import lock
from sudokulab.cli.common import FAILED, command, print_message
from sudokulab.cli.options import ThreadsOption
from sudokulab.cli.spec_options import with_spec_options
from sudokulab.drawing import draw
from sudokulab.errors import SudokulabError
from sudokulab.formats import jsonl, line
from sudokulab.instances import NotFoundError, PuzzleSpec
from sudokulab.instances import generate as generate_puzzles
from sudokulab.instances.generator import generate_lines
from sudokulab.puzzle import Puzzle
from sudokulab.search.budget import MAX_COUNT, Budget

__all__ = ["generate"]


@command
@with_spec_options
def generate(
    *,
    count: Annotated[int, typer.Option("--count", "-n", min=0, help="Number of puzzles.")] = 1,
    spec: PuzzleSpec,
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
    Variants such as killer Sudoku are not supported.

    Exit code 0 if all puzzles were generated, 1 if the budget ran out, 2 if the specification is impossible.

    Example: sudokulab generate --count 100 --level hard --symmetry half-turn -o hard.sdm
    """
    if output and str(output) == "-":
        output = None
    if output:
        formats.format_to_write(output)
    begun_seed = _begun_seed(output) if seed is None else seed
    chosen_seed = secrets.randbits(32) if begun_seed is None else begun_seed
    if begun_seed is None:
        print_message(f"seed {chosen_seed}")
    budget = Budget(seconds=seconds, iterations=attempts)

    def make(number: int, first: int = 0) -> Iterator[Puzzle]:
        return generate_puzzles(
            number, spec, first=first, seed=chosen_seed, threads=threads, budget=budget, progress=True
        )

    try:
        if output:
            _write_resumably(make, count, output, _request(spec, chosen_seed))
        elif count == 1 and (console := Console()).is_terminal:
            for puzzle in make(count):
                console.print(draw(puzzle), soft_wrap=True)
                line.FORMAT.write([replace(puzzle, solution=None)], sys.stdout)
        else:
            sys.stdout.writelines(
                generate_lines(count, spec, seed=chosen_seed, threads=threads, budget=budget, progress=True)
            )
    except NotFoundError as error:
        print_message(str(error))
        raise typer.Exit(FAILED) from None


def _request(spec: PuzzleSpec, seed: int) -> str:
    """Return what determines the puzzles, as a line of JSON."""
    return json.dumps({"seed": seed, **spec.model_dump(mode="json", exclude_defaults=True)})


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


def _write_resumably(make: Callable[..., Iterator[Puzzle]], count: int, target: Path, request: str) -> None:
    """Write puzzles to a partial file next to the target, along with the request, so that the job can be resumed."""
    if target.is_dir():
        raise SudokulabError(f"{target} is a folder; name a file")
    if target.exists() and not target.is_file():  # a device: nothing to resume
        formats.write(make(count), target)
        return
    part = _part(target)
    with part.open("a+b") as stream:
        try:
            lock(stream.fileno(), wait=False)
        except BlockingIOError:
            raise SudokulabError(f"{part}: another process is writing to it") from None
        num_done = _num_done(stream, part, request)
        if num_done:
            print_message(f"{part}: resuming after {min(num_done, count):,} of {count:,} puzzles")
        try:
            for puzzle in make(max(0, count - num_done), first=num_done):
                with io.StringIO() as text:
                    jsonl.FORMAT.write([puzzle], text)
                    stream.write(text.getvalue().encode())
                num_done += 1
        except (KeyboardInterrupt, NotFoundError) as error:
            more = " with a larger budget" if isinstance(error, NotFoundError) else ""
            print_message(f"{part}: {num_done:,} of {count:,} puzzles done; the same command{more} resumes")
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

"""``sudokulab generate``."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from sudokulab import _core, formats
from sudokulab.budget import MAX_COUNT, Budget
from sudokulab.cli.common import NOT_SOLVED, BoxOption, command, complain
from sudokulab.drawing import draw
from sudokulab.errors import SudokulabError
from sudokulab.formats import jsonl
from sudokulab.instances import (
    NotFoundError,
    PuzzleOrder,
    Symmetry,
    fixed_fraction,
    past_rules,
    random_grid,
    shuffled_root,
)
from sudokulab.instances import generate as generate_puzzles
from sudokulab.native import MAX_THREADS
from sudokulab.progress import track
from sudokulab.puzzle import BoxShape, Puzzle
from sudokulab.rules import Level

__all__ = ["generate"]

Maker = Callable[[int, int], Iterator[Puzzle]]
"""``make(first, count)`` yields so many puzzles, from that number on."""


class Kind(Enum):
    """What to make."""

    UNIQUE = "unique"
    FULL = "full"
    FIXED = "fixed"
    SHUFFLED_ROOT = "shuffled-root"
    PAST_RULES = "past-rules"


@command
def generate(
    count: Annotated[int, typer.Option("--count", "-n", min=0, help="How many puzzles.")] = 1,
    size: Annotated[int | None, typer.Option(help="The number of digits: 4 to 64; by default 9.")] = None,
    box: BoxOption = None,
    kind: Annotated[
        Kind | None,
        typer.Option(
            help="unique: exactly one solution (the default). full: a random grid without blanks. fixed: a fraction of "
            "a random grid (Lloyd & Amos; the default with --fixed). shuffled-root: the root grid shuffled, each cell "
            "kept by chance (Lewis). past-rules: blanked until the rules fail, then --extra more (San Segundo)."
        ),
    ] = None,
    unique: Annotated[bool, typer.Option("--unique", help="Exactly one solution, also with --fixed.")] = False,
    minimal: Annotated[bool, typer.Option("--minimal", help="Every given must be needed.")] = False,
    givens: Annotated[int | None, typer.Option(help="How many givens; by default as few as blanking leads to.")] = None,
    fixed: Annotated[float | None, typer.Option(min=0, max=1, help="The fraction of cells that are given.")] = None,
    symmetry: Annotated[Symmetry, typer.Option(help="Of the pattern of givens.")] = Symmetry.NONE,
    pattern: Annotated[
        str | None, typer.Option(help="A file or text: . or 0 for each blank cell, anything else for a given.")
    ] = None,
    level: Annotated[Level | None, typer.Option(help="How hard it must be; see `sudokulab rate`.")] = None,
    technique: Annotated[str, typer.Option(metavar="RULES", help="Rules that must be needed, such as NP,HT.")] = "",
    without: Annotated[str, typer.Option(metavar="RULES", help="Rules that must not be needed.")] = "",
    extra: Annotated[int, typer.Option(min=0, help="With past-rules: how many more cells are blanked.")] = 1,
    failures: Annotated[int, typer.Option(min=1, help="With past-rules: see `sudokulab.instances.past_rules`.")] = 1,
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="The same seed gives the same puzzles.")] = 0,
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
    shape = _shape(size, box)
    kind = kind or (Kind.FIXED if fixed is not None and not unique else Kind.UNIQUE)
    wishes: dict[str, Any] = {
        "givens": givens,
        "minimal": minimal,
        "symmetry": symmetry.value,
        "pattern": _read_pattern(pattern),
        "level": level.value if level else None,
        "techniques": technique,
        "without": without,
    }
    request = {"kind": kind.value, "box": str(shape), "seed": seed, "fixed": fixed}
    budget = Budget(seconds=seconds, iterations=attempts)
    if kind is Kind.UNIQUE:
        if fixed is not None:
            wishes["givens"] = round(fixed * shape.size**2)
        order = PuzzleOrder(box=shape, **wishes)
        request |= wishes
        make: Maker = lambda first, number: generate_puzzles(  # noqa: E731
            number, order, seed=seed, first=first, threads=threads, budget=budget
        )
    else:
        given = [name for name, value in wishes.items() if value not in (None, False, "", "none")]
        if given or unique:
            raise SudokulabError(f"{(given or ['unique'])[0]} goes with --kind unique only, got {kind.value}")
        if kind in (Kind.FIXED, Kind.SHUFFLED_ROOT) and fixed is None:
            raise SudokulabError(f"--kind {kind.value} needs --fixed, a fraction from 0 to 1")
        request |= {"extra": extra, "failures": failures}
        make = _random_maker(kind, shape, fixed or 0.0, extra, failures, seed)
    try:
        if output:
            _write_resumably(make, count, output, request)
        else:
            _print(make(0, count), is_drawn=count == 1)
    except NotFoundError as error:
        complain(str(error))
        raise typer.Exit(NOT_SOLVED) from None


def _shape(size: int | None, box: str | None) -> BoxShape:
    if box is None:
        return BoxShape.of_size(9 if size is None else size)
    shape = BoxShape.parse(box)
    if size is not None and size != shape.size:
        raise SudokulabError(f"--size {size} with boxes of {shape}, expected {shape.size}")
    return shape


def _read_pattern(pattern: str | None) -> str | None:
    if pattern is None:
        return None
    text = Path(pattern).read_text(encoding="utf-8") if Path(pattern).is_file() else pattern
    return "".join(line for line in text.split() if not line.startswith("#"))


def _random_maker(kind: Kind, box: BoxShape, fixed: float, extra: int, failures: int, seed: int) -> Maker:
    def one(own_seed: int) -> Puzzle:
        match kind:
            case Kind.FULL:
                return random_grid(box, seed=own_seed)
            case Kind.FIXED:
                return fixed_fraction(box, fixed=fixed, seed=own_seed)
            case Kind.SHUFFLED_ROOT:
                return shuffled_root(box, fixed=fixed, seed=own_seed)
            case _:
                return past_rules(box, extra=extra, failures=failures, seed=own_seed)

    def make(first: int, count: int) -> Iterator[Puzzle]:
        numbers = range(first, first + count)
        return track((one(_core.derive_seed(seed, number + 1)) for number in numbers), "generating", count)

    return make


def _print(puzzles: Iterable[Puzzle], *, is_drawn: bool) -> None:
    console = Console()
    for puzzle in puzzles:
        if is_drawn and console.is_terminal:
            console.print(draw(puzzle), soft_wrap=True)
        sys.stdout.write(f"{puzzle}\n")


def _write_resumably(make: Maker, count: int, target: Path, request: dict[str, Any]) -> None:
    """Write puzzles beside the target first, with what was asked for, so that the same command can go on."""
    part = target.with_name(f"{target.name}.part")
    num_done = min(_num_done(part, request), count)
    if num_done:
        complain(f"{part}: going on after {num_done:,} of {count:,} puzzles")
    try:
        with part.open("a", encoding="utf-8") as stream:
            if not num_done:
                stream.truncate(0)
                stream.write(json.dumps(request) + "\n")
            for puzzle in make(num_done, count - num_done):
                jsonl.FORMAT.write([puzzle], stream)
                num_done += 1
    except (KeyboardInterrupt, NotFoundError):
        complain(f"{part}: {num_done:,} of {count:,} puzzles are there, the same command goes on with them")
        raise
    with part.open(encoding="utf-8") as stream:
        stream.readline()
        formats.write(islice(formats.read(stream, "jsonl"), count), target)
    part.unlink()


def _num_done(part: Path, request: dict[str, Any]) -> int:
    """Return how many puzzles of the same request are there already; cuts off a line that was not finished."""
    if not part.is_file():
        return 0
    with part.open("rb+") as stream:
        lines, end = -1, 0
        for line in stream:
            if not line.endswith(b"\n"):
                break
            if lines < 0 and line.decode("utf-8", errors="replace").strip() != json.dumps(request):
                raise SudokulabError(f"{part}: was begun with other options, remove it to begin anew")
            lines, end = lines + 1, end + len(line)
        stream.truncate(end)
    return max(lines, 0)

"""``sudokulab solve``."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer
from rich.console import Console

from sudokulab._internal.files import whole_bytes, whole_file
from sudokulab._internal.native import MAX_THREADS
from sudokulab._internal.progress import progress_bar
from sudokulab.budget import MAX_COUNT, Budget
from sudokulab.cli.common import (
    NOT_SOLVED,
    BoxOption,
    FromOption,
    Inputs,
    KeepGoingOption,
    PuzzlesArgument,
    VerboseOption,
    cell_names,
    check_extension,
    command,
    complain,
    parse_parameters,
)
from sudokulab.drawing import draw
from sudokulab.errors import SudokulabError
from sudokulab.external import CommandSolver
from sudokulab.formats import csv, jsonl, line, sdm
from sudokulab.formats.base import one_line
from sudokulab.puzzle import Puzzle
from sudokulab.result import Result, Status
from sudokulab.solvers import Auto
from sudokulab.solving import solve_many
from sudokulab.solving.lines import ANSWER_LENGTH, write_behind
from sudokulab.solving.registry import DEFAULT_SOLVER, make_solver

__all__ = ["solve"]

Writer = Callable[[int, Result], None]


@command
def solve(
    puzzles: PuzzlesArgument = None,
    solver: Annotated[str, typer.Option("--solver", "-s", help="See `sudokulab solvers`.")] = DEFAULT_SOLVER,
    program: Annotated[
        str | None,
        typer.Option(
            "--command",
            metavar="NAME=COMMAND",
            help="A program in place of --solver, such as 'mine=./prog {file}'; --param says how to read its answer.",
        ),
    ] = None,
    param: Annotated[
        list[str] | None,
        typer.Option("--param", "-p", metavar="KEY=VALUE", help="A parameter of the solver; repeatable."),
    ] = None,
    param_file: Annotated[
        Path | None, typer.Option(help="A TOML file of parameters, such as `sudokulab tune` writes.")
    ] = None,
    seconds: Annotated[float | None, typer.Option(min=0, help="Time for each puzzle.")] = None,
    iterations: Annotated[
        int | None, typer.Option(min=0, max=MAX_COUNT, help="Iterations for each puzzle (metaheuristics).")
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(min=0, max=MAX_COUNT, help="Nodes for each puzzle (tree searches).")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="The same seed gives the same run.")] = 0,
    threads: Annotated[
        int | None, typer.Option(min=1, max=MAX_THREADS, help="Puzzles at once; by default one for each core.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A file; .csv and .jsonl hold puzzle and solution.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object for each puzzle.")] = False,
    format: FromOption = None,
    box: BoxOption = None,
    keep_going: KeepGoingOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Solve puzzles and print their solutions, each verified.

    On a terminal a drawn grid, otherwise one solution a line, in the order of the input; a puzzle without one gives a
    comment line that says why. Exit code 0 if all were solved, 1 if not, 2 for bad input.

    Example: sudokulab solve puzzles.txt --seconds 5 -o solutions.txt
    """
    parameters = {**_read_parameters(param_file), **parse_parameters(param or [])}
    if program and solver != DEFAULT_SOLVER:
        raise SudokulabError("--solver and --command: expected one of them")
    chosen = CommandSolver.parse(program, **parameters) if program else make_solver(solver, **parameters)
    budget = Budget(seconds=seconds, iterations=iterations, nodes=nodes)
    inputs = Inputs(puzzles, format, box, keep_going, verbose)
    if output and str(output) != "-":
        _check_extension(output)
        inputs.refuse_as_output(output)
    else:
        output = None
    is_for_people = output is None and sys.stdout.isatty()
    is_plain = not (as_json or is_for_people) and _is_for_lines(output) and chosen == Auto()
    if is_plain and inputs.hold_plain_lines():
        number, num_unsolved = _solve_lines(inputs, output, budget, threads)
    else:
        number, num_unsolved = _solve_one_by_one(
            solve_many(inputs, chosen, budget, seed=seed, threads=threads, progress=True), output, as_json
        )
    if num_unsolved:
        complain(f"{num_unsolved} of {number} not solved")
    inputs.finish()
    if num_unsolved:
        raise typer.Exit(NOT_SOLVED)


def _solve_lines(inputs: Inputs, output: Path | None, budget: Budget, threads: int | None) -> tuple[int, int]:
    """Write solved lines as they come, in blocks; return how many puzzles there were, and how many are not solved."""
    number = num_unsolved = 0
    sys.stdout.flush()
    with ExitStack() as stack:
        update = stack.enter_context(progress_bar("solving"))
        write: Callable[[bytes], object] | None = None
        for answer in inputs.solved_lines(budget, threads):
            if write is None:
                stream = stack.enter_context(whole_bytes(output)) if output else sys.stdout.buffer
                write = stack.enter_context(write_behind(stream))
            if isinstance(answer, Result):
                number += 1
                num_unsolved += not answer.is_solved
                write(f"{_line(number, answer)}\n".encode())
            else:
                number += len(answer) // ANSWER_LENGTH
                write(answer)
            update(number)
    return number, num_unsolved


def _solve_one_by_one(results: Iterator[Result], output: Path | None, as_json: bool) -> tuple[int, int]:
    """Write each result; return how many there were, and how many are not solved."""
    num_unsolved = number = 0
    with ExitStack() as stack:
        write: Writer | None = None
        for number, result in enumerate(results, start=1):
            if write is None:  # a file is opened when there is something to write, and stays as it was before
                stream = stack.enter_context(whole_file(output)) if output else sys.stdout
                write = _writer(stream, output, as_json)
            write(number, result)
            num_unsolved += not result.is_solved
    return number, num_unsolved


def _is_for_lines(output: Path | None) -> bool:
    return not output or output.suffix.lower() in ("", *line.FORMAT.extensions, *sdm.FORMAT.extensions)


def _read_parameters(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise SudokulabError(f"{path}: no TOML: {error}") from None


def _writer(stream: TextIO, output: Path | None, as_json: bool) -> Writer:
    ending = output.suffix.lower() if output else ""
    if as_json or ending in jsonl.FORMAT.extensions:
        return lambda number, result: print(json.dumps(_as_json(number, result)), file=stream)
    if ending in csv.FORMAT.extensions:
        rows = csv.row_writer(stream)
        return lambda number, result: rows(_with_solution(result))
    if stream.isatty():
        console = Console()
        return lambda number, result: _draw(console, number, result)
    return lambda number, result: print(_line(number, result), file=stream)


def _line(number: int, result: Result) -> str:
    return result.solution.line if result.solution else f"# {_describe_status(number, result)}"


def _check_extension(output: Path) -> None:
    known = [ending for format in (line, sdm, csv, jsonl) for ending in format.FORMAT.extensions]
    check_extension(output, ("", *known), "; use `sudokulab convert` for other formats")


def _with_solution(result: Result) -> Puzzle:
    assert result.puzzle is not None, "the command line hands over puzzles only"
    return replace(result.puzzle, solution=result.solution)


def _draw(console: Console, number: int, result: Result) -> None:
    assert result.puzzle is not None, "the command line hands over puzzles only"
    drawn = draw(result.puzzle, result.solution, result.puzzle.clashes() if not result.is_solved else ())
    console.print(drawn, soft_wrap=True)
    console.print(_describe(number, result), highlight=False, markup=False)


def _describe(number: int, result: Result) -> str:
    counts = ", ".join(f"{value} {name.replace('_', ' ')}" for name, value in result.stats.items())
    work = f"({result.solver}: {result.seconds:.3g} s{', ' + counts if counts else ''})"
    return f"{_describe_status(number, result)} {work}"


def _describe_status(number: int, result: Result) -> str:
    assert result.puzzle is not None, "the command line hands over puzzles only"
    words = f"{one_line(result.puzzle.name) or number}: {result.status.value}"
    clashes = result.puzzle.clashes() if result.status is not Status.SOLVED else []
    if clashes:
        words += f", {cell_names(clashes, result.puzzle)} clash"
    elif result.error:
        words += f", {one_line(result.error)}"
    return words


def _as_json(number: int, result: Result) -> dict[str, Any]:
    assert result.puzzle is not None, "the command line hands over puzzles only"
    clashes = result.puzzle.clashes() if result.status is not Status.SOLVED else []
    named = cell_names(clashes, result.puzzle).split(", ") if clashes else []
    return {"id": result.puzzle.name or str(number), **result.to_dict(), "clashes": named}

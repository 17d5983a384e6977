"""``sudokulab solve``."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from sudokulab._internal.identities import Identities
from sudokulab._internal.native import MAX_THREADS
from sudokulab._internal.progress import progress_bar
from sudokulab.cli.common import FAILED, UNREADABLE, check_extension, command, print_message
from sudokulab.cli.inputs import Inputs, one_puzzle, reads_puzzles
from sudokulab.cli.options import JsonOption, ParamFilesOption, ParamsOption, SeedOption, SolverOption, params_of_solver
from sudokulab.errors import FormatError, SudokulabError
from sudokulab.formats import Format, csv, format_by_extension, jsonl, line, sdm
from sudokulab.formats.base import one_line, placeholder
from sudokulab.formats.compression import Part, compressed_bytes, compressed_text, extension_of
from sudokulab.puzzle import NINE, Puzzle, cell_name
from sudokulab.questions import solve_many
from sudokulab.questions.lines import plain_format, solve_lines, write_behind
from sudokulab.search.budget import MAX_COUNT, Budget
from sudokulab.search.result import Result, Status
from sudokulab.solvers import Auto, CompleteSolver, Solver
from sudokulab.solvers.registry import DEFAULT_SOLVER, make_solver

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["solve"]

Answer = Result | FormatError
Writer = Callable[[int, Answer], object]
_KEYS = (
    *("id", "puzzle", "box", "solver", "status", "solution", "best", "clashes"),
    *("cost", "seconds", "seed", "stats", "error"),
)


@command
@reads_puzzles
def solve(
    *,
    solver: SolverOption = DEFAULT_SOLVER,
    program: Annotated[
        str | None,
        typer.Option(
            "--command",
            metavar="NAME=COMMAND",
            help="Program to run instead of --solver, e.g. 'mine=./prog {file}'; --param describes its answer.",
        ),
    ] = None,
    params: ParamsOption = None,
    param_files: ParamFilesOption = None,
    seconds: Annotated[float | None, typer.Option(min=0, help="Time limit per puzzle.")] = None,
    iterations: Annotated[
        int | None, typer.Option(min=0, max=MAX_COUNT, help="Iteration limit per puzzle (metaheuristics).")
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(min=0, max=MAX_COUNT, help="Node limit per puzzle (tree searches).")
    ] = None,
    seed: SeedOption = 0,
    threads: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MAX_THREADS,
            help="Number of threads (default: all cores, one per puzzle). If given, all of them search a single "
            "puzzle that is larger than 9×9.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Output file; .csv and .jsonl contain puzzle and solution, .gz, .zip and .zst compress.",
        ),
    ] = None,
    as_json: JsonOption = False,
    trace: Annotated[
        Path | None, typer.Option(help="Write the trace of the search to this .csv file (single puzzle only).")
    ] = None,
    inputs: Inputs,
) -> None:
    """Solve puzzles and print their verified solutions.

    Draws grids on a terminal, otherwise prints one solution per line in the order of the input. A puzzle without a
    solution gives a comment line with the reason. Exit code 0 if all were solved, 1 if not, 2 for bad input.

    Example: sudokulab solve puzzles.txt --seconds 5 -o solutions.txt
    """
    parameters = params_of_solver(solver, params, param_files)
    if program and solver != DEFAULT_SOLVER:
        raise SudokulabError("--solver and --command are mutually exclusive")
    chosen = _program(program, parameters) if program else make_solver(solver, **parameters)
    budget = Budget(seconds=seconds, iterations=iterations, nodes=nodes)
    if output and str(output) != "-":
        _check_extension(output)
        inputs.refuse_as_output(output)
    else:
        output = None
    if as_json and output and _extension(output) not in jsonl.FORMAT.extensions:
        raise SudokulabError(f"--json with {output}: use the extension .jsonl")
    is_for_people = output is None and sys.stdout.isatty()
    is_plain = not (as_json or is_for_people) and _has_lines_or_rows(output) and chosen == Auto()
    if trace:
        num_unsolved = _solve_traced(inputs, chosen, budget, seed, threads, trace, output, as_json)
    elif is_plain:
        num_unsolved = _solve_in_bulk(inputs, output, budget, threads)
    else:
        results = _solve_all(inputs, inputs, chosen, budget, seed, threads)
        num_unsolved = _solve_one_by_one(inputs, results, output, as_json, chosen.name)
    if num_unsolved:
        print_message(f"{num_unsolved} of {inputs.num_read} not solved")
    inputs.finish()
    if num_unsolved:
        raise typer.Exit(FAILED)


def _program(command_line: str, parameters: dict[str, object]) -> Solver:
    from sudokulab.external import CommandSolver

    return CommandSolver.parse(command_line, **parameters)


def _solve_all(
    inputs: Inputs, puzzles: Iterable[Puzzle], solver: Solver, budget: Budget, seed: int, threads: int | None
) -> Iterator[Result]:
    """Solve the puzzles in parallel. On request, a single one gets all threads: that run is not repeatable."""
    is_pipe = inputs.num_bytes() is None  # another puzzle may come, but late
    if threads is not None and threads > 1 and isinstance(solver, CompleteSolver) and not is_pipe:
        rest = iter(puzzles)
        first = list(islice(rest, 1))
        try:
            second = list(islice(rest, 1))
        except (OSError, SudokulabError):  # the second is unreadable
            yield from solve_many(first, solver, budget=budget, seed=seed, threads=threads)
            raise
        if first and not second:
            yield solver.solve(first[0], budget, seed=seed, threads=threads)
            return
        puzzles = chain(first, second, rest)
    yield from solve_many(puzzles, solver, budget=budget, seed=seed, threads=threads)


def _solve_traced(
    inputs: Inputs,
    solver: Solver,
    budget: Budget,
    seed: int,
    threads: int | None,
    trace: Path,
    output: Path | None,
    as_json: bool,
) -> int:
    """Solve a single puzzle and write the trace of the search; return the number of unsolved puzzles."""
    check_extension(trace, (".csv",), may_be_compressed=True)
    inputs.refuse_as_output(trace)
    result = solver.solve(one_puzzle(inputs, "--trace"), budget, seed=seed, threads=threads or 1, trace=True)
    num_unsolved = _solve_one_by_one(inputs, iter([result]), output, as_json, solver.name)
    if not result.trace:
        raise SudokulabError(f"{trace}: not written, because {solver.name} records no trace")
    with compressed_text(trace) as stream:
        stream.write(",".join(result.trace) + "\n")
        for row in zip(*result.trace.values(), strict=True):
            stream.write(",".join(map(_number, row)) + "\n")
    return num_unsolved


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else str(value)


def _solve_in_bulk(inputs: Inputs, output: Path | None, budget: Budget, threads: int | None) -> int:
    """Write lines or rows in blocks; return the number of unsolved puzzles."""
    num_unsolved = number = 0
    writes_rows = _extension(output) in csv.FORMAT.extensions
    text_of = _csv_text if writes_rows else _line_text
    sys.stdout.flush()
    with ExitStack() as stack:
        update = stack.enter_context(progress_bar("solving", inputs.num_bytes(), position=inputs.position))
        write: Callable[[bytes], object] | None = None
        parts = stack.enter_context(closing(inputs.parts()))
        for answer in _bulk_answers(inputs, parts, budget, threads, writes_rows):
            if write is None:  # the file is opened with the first answer, and stays as it was without any
                stream = stack.enter_context(compressed_bytes(output)) if output else sys.stdout.buffer
                write = stack.enter_context(write_behind(stream))
                if writes_rows:
                    write(f"{','.join(csv.HEADER)}\n".encode())
            number += answer.count(b"\n") if isinstance(answer, bytes) else 1
            if isinstance(answer, bytes):
                write(answer)
            else:
                num_unsolved += isinstance(answer, Result) and not answer.is_solved
                write(text_of(number, answer).encode(errors="replace"))
            update(number)
    return num_unsolved


def _bulk_answers(
    inputs: Inputs, opened: Iterable[Part], budget: Budget, threads: int | None, writes_rows: bool
) -> Iterator[bytes | Result | FormatError]:
    """Solve plain 9×9 lines and rows in blocks, and all other puzzles one by one."""
    parts = ((part, _plain_format(inputs, part)) for part in opened)
    part, format = next(parts, (None, None))

    def others() -> Iterator[Puzzle]:
        """Yield the puzzles up to the next plain part, so that several files are solved in parallel."""
        nonlocal part, format
        while part is not None and format is None:
            yield from inputs.read(part)
            part, format = next(parts, (None, None))

    while part is not None:
        if format is None:
            yield from inputs.in_order(_solve_all(inputs, others(), Auto(), budget, 0, threads))
        else:
            yield from _solved_part(inputs, part, format, budget, threads, writes_rows)
            part, format = next(parts, (None, None))


def _plain_format(inputs: Inputs, part: Part) -> Format | None:
    """Return the format of a part that is solved in blocks, or None."""
    is_typed = part.name == "<text>" or (part.name == "<stdin>" and sys.stdin.isatty())
    if is_typed or inputs.box not in (None, NINE):
        return None
    return plain_format(part.stream.peek(), inputs.format or format_by_extension(part.name))


def _solved_part(
    inputs: Inputs, part: Part, format: Format, budget: Budget, threads: int | None, writes_rows: bool
) -> Iterator[bytes | Result | FormatError]:
    inputs.print_format(part, format)
    with inputs.noting():
        for answer in solve_lines(
            part.stream,
            part.name,
            format=format,
            box=inputs.box,
            budget=budget,
            threads=threads,
            writes_rows=writes_rows,
        ):
            if isinstance(answer, FormatError):
                inputs.reject(answer, format)
            else:
                inputs.num_read += answer.count(b"\n") if isinstance(answer, bytes) else 1
            yield answer


def _solve_one_by_one(
    inputs: Inputs, results: Iterator[Result], output: Path | None, as_json: bool, solver: str
) -> int:
    """Write each result; return the number of unsolved puzzles."""
    num_unsolved = 0
    with ExitStack() as stack:
        write: Writer | None = None
        for number, answer in enumerate(inputs.in_order(inputs.tracked(results, "solving")), start=1):
            if write is None:  # the file is opened with the first result, and stays as it was without any
                stream = stack.enter_context(compressed_text(output)) if output else sys.stdout
                write = _writer(stream, output, as_json, solver)
            write(number, answer)
            num_unsolved += isinstance(answer, Result) and not answer.is_solved
    return num_unsolved


def _extension(output: Path | None) -> str:
    return extension_of(output) if output else ""


def _has_lines_or_rows(output: Path | None) -> bool:
    known = [extension for format in (line, sdm, csv) for extension in format.FORMAT.extensions]
    return _extension(output) in ("", *known)


def _writer(stream: TextIO, output: Path | None, as_json: bool, solver: str) -> Writer:
    """Return the function that writes an answer: in the format of the output, or drawn on a terminal."""
    if as_json or _extension(output) in jsonl.FORMAT.extensions:
        identity = Identities()
        return lambda number, answer: print(json.dumps(_as_json(identity, answer, solver)), file=stream)
    if _extension(output) in csv.FORMAT.extensions:
        rows = csv.row_writer(stream)
        return lambda number, answer: rows(_with_solution(answer))
    if stream.isatty():
        from rich.console import Console

        console = Console()
        return lambda number, answer: _draw(console, number, answer)
    return lambda number, answer: stream.write(_line_text(number, answer))


def _line_text(number: int, answer: Answer) -> str:
    """Return the line of an answer: the solution, or a comment with the reason why there is none."""
    if isinstance(answer, FormatError):
        return f"# {placeholder(number, answer)}\n"
    return f"{answer.solution.line if answer.solution else f'# {_describe_status(number, answer)}'}\n"


def _csv_text(number: int, answer: Answer) -> str:
    """Return the row of an answer."""
    return csv.row_text(_with_solution(answer), number)


def _check_extension(output: Path) -> None:
    known = [extension for format in (line, sdm, csv, jsonl) for extension in format.FORMAT.extensions]
    check_extension(output, ("", *known), "; use `sudokulab convert` for other formats", may_be_compressed=True)


def _with_solution(answer: Answer) -> Puzzle | FormatError:
    if isinstance(answer, FormatError):
        return answer
    return replace(_puzzle_of(answer), solution=answer.solution)


def _puzzle_of(result: Result) -> Puzzle:
    assert result.puzzle is not None, "the command line passes only puzzles"
    return result.puzzle


def _draw(console: Console, number: int, answer: Answer) -> None:
    if isinstance(answer, FormatError):
        console.print(placeholder(number, answer), highlight=False, markup=False)
        return
    from sudokulab.drawing import draw

    puzzle = _puzzle_of(answer)
    drawn = draw(puzzle, answer.solution, puzzle.clashes() if not answer.is_solved else ())
    console.print(drawn, soft_wrap=True)
    console.print(_describe(number, answer), highlight=False, markup=False)


def _describe(number: int, result: Result) -> str:
    counts = ", ".join(f"{value} {name.replace('_', ' ')}" for name, value in result.stats.items())
    work = f"({result.solver}: {result.seconds:.3g} s{', ' + counts if counts else ''})"
    return f"{_describe_status(number, result)} {work}"


def _describe_status(number: int, result: Result) -> str:
    puzzle = _puzzle_of(result)
    words = f"{one_line(puzzle.name) or number}: {result.status.value}"
    clashes = puzzle.clashes() if result.status is not Status.SOLVED else []
    if clashes:
        names = [cell_name(cell, puzzle.size) for cell in clashes]
        words += f", {', '.join(names)} clash"
    elif result.error:
        words += f", {one_line(result.error)}"
    return words


def _as_json(identity: Identities, answer: Answer, solver: str) -> dict[str, object]:
    """Return an answer as a JSON object, always with the same keys."""
    empty = dict.fromkeys(_KEYS)
    if isinstance(answer, FormatError):
        return {**empty, "id": identity(), "solver": solver, "status": UNREADABLE, "error": str(answer)}
    puzzle = _puzzle_of(answer)
    clashes = puzzle.clashes() if answer.status is not Status.SOLVED else []
    return {
        **empty,
        "id": identity(one_line(puzzle.name)),
        **answer.to_dict(),
        "clashes": [cell_name(cell, puzzle.size) for cell in clashes],
    }

"""``sudokulab solve``."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, TextIO

import typer

from sudokulab._internal.native import MAX_THREADS
from sudokulab._internal.progress import progress_bar
from sudokulab.cli.answers import FIELDS, Answers, Drawings, JsonLines, Lines, Rows, puzzle_of
from sudokulab.cli.common import FAILED, UNREADABLE, check_extension, command, print_message
from sudokulab.cli.inputs import Inputs, one_puzzle, reads_puzzles
from sudokulab.cli.options import (
    FieldsOption,
    JsonOption,
    ParamFilesOption,
    ParamsOption,
    SeedOption,
    SolverOption,
    params_of_solver,
)
from sudokulab.errors import FormatError, SudokulabError
from sudokulab.formats import Format, arrow, csv, format_by_extension, jsonl, line, sdm
from sudokulab.formats.columns import NO_TABLE
from sudokulab.formats.compression import Part, compressed_bytes, compressed_text, extension_of
from sudokulab.puzzle import NINE, Puzzle
from sudokulab.questions import solve_many
from sudokulab.questions.lines import Solved, plain_format, solve_lines, write_behind
from sudokulab.search.budget import MAX_COUNT, Budget
from sudokulab.search.result import Result
from sudokulab.solvers import Auto, CompleteSolver, Solver
from sudokulab.solvers.registry import DEFAULT_SOLVER, make_solver

__all__ = ["solve"]


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
    fields: FieldsOption = None,
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
    kind = _table_kind(output)
    answers = Lines() if kind else _form_of(output, as_json, fields, chosen)
    inputs.rows = deque() if kind or answers.keeps_rows else None
    if output and kind and not trace:
        results = _solve_all(inputs, inputs, chosen, budget, seed, threads)
        num_unsolved = _solve_into_table(inputs, results, output, kind)
    elif trace:
        num_unsolved = _solve_traced(inputs, chosen, budget, seed, threads, trace, output, answers)
    elif chosen == Auto() and not isinstance(answers, Drawings):
        num_unsolved = _solve_in_bulk(inputs, output, answers, budget, threads)
    else:
        results = _solve_all(inputs, inputs, chosen, budget, seed, threads)
        num_unsolved = _solve_one_by_one(inputs, results, output, answers)
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
    answers: Answers,
) -> int:
    """Solve a single puzzle and write the trace of the search; return the number of unsolved puzzles."""
    check_extension(trace, (".csv",), may_be_compressed=True)
    inputs.refuse_as_output(trace)
    result = solver.solve(one_puzzle(inputs, "--trace"), budget, seed=seed, threads=threads or 1, trace=True)
    num_unsolved = _solve_one_by_one(inputs, iter([result]), output, answers)
    if not result.trace:
        raise SudokulabError(f"{trace}: not written, because {solver.name} records no trace")
    with compressed_text(trace) as stream:
        stream.write(",".join(result.trace) + "\n")
        for row in zip(*result.trace.values(), strict=True):
            stream.write(",".join(map(_number, row)) + "\n")
    return num_unsolved


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else str(value)


def _solve_in_bulk(inputs: Inputs, output: Path | None, answers: Answers, budget: Budget, threads: int | None) -> int:
    """Write answers in blocks; return the number of unsolved puzzles."""
    num_unsolved = number = 0
    sys.stdout.flush()
    with ExitStack() as stack:
        update = stack.enter_context(progress_bar("solving", inputs.num_bytes(), position=inputs.position))
        write: Callable[[bytes], object] | None = None
        parts = stack.enter_context(closing(inputs.parts()))
        for answer in _bulk_answers(inputs, parts, answers, budget, threads):
            if isinstance(answer, Solved):
                number += answer.number
                text = answer.text
            else:
                number += 1
                num_unsolved += isinstance(answer, Result) and not answer.is_solved
                text = answers.text_of(number, answer, inputs.take_row()).encode(errors="replace")
            if write is None:  # the file is opened with the first answer, and stays as it was without any
                stream = stack.enter_context(compressed_bytes(output)) if output else sys.stdout.buffer
                write = stack.enter_context(write_behind(stream))
            if head := answers.take_head():
                write(head.encode(errors="replace"))
            write(text)
            update(number)
    return num_unsolved


def _bulk_answers(
    inputs: Inputs, opened: Iterable[Part], answers: Answers, budget: Budget, threads: int | None
) -> Iterator[Solved | Result | FormatError]:
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
            yield from _solved_part(inputs, part, format, answers, budget, threads)
            part, format = next(parts, (None, None))


def _plain_format(inputs: Inputs, part: Part) -> Format | None:
    """Return the format of a part that is solved in blocks, or None."""
    is_typed = part.name == "<text>" or (part.name == "<stdin>" and sys.stdin.isatty())
    if is_typed or inputs.box not in (None, NINE):
        return None
    return plain_format(part.stream.peek(), inputs.format or format_by_extension(part.name), inputs.column)


def _solved_part(
    inputs: Inputs, part: Part, format: Format, answers: Answers, budget: Budget, threads: int | None
) -> Iterator[Solved | Result | FormatError]:
    inputs.print_format(part, format)
    with inputs.noting():
        for answer in solve_lines(
            part.stream,
            part.name,
            format=format,
            box=inputs.box,
            column=inputs.column,
            budget=budget,
            threads=threads,
            layout=answers.layout,
            first_row=inputs.num_rows + 1,
            rows=inputs.rows,
        ):
            if isinstance(answer, FormatError):
                inputs.reject(answer, format)
            else:
                inputs.num_read += answer.number if isinstance(answer, Solved) else 1
            yield answer


def _solve_one_by_one(inputs: Inputs, results: Iterator[Result], output: Path | None, answers: Answers) -> int:
    """Write each result; return the number of unsolved puzzles."""
    num_unsolved = 0
    with ExitStack() as stack:
        stream: TextIO | None = None
        for number, answer in enumerate(inputs.in_order(inputs.tracked(results, "solving")), start=1):
            text = answers.text_of(number, answer, inputs.take_row())
            if stream is None:  # the file is opened with the first result, and stays as it was without any
                stream = stack.enter_context(compressed_text(output)) if output else sys.stdout
            stream.write(answers.take_head() + text)
            num_unsolved += isinstance(answer, Result) and not answer.is_solved
    return num_unsolved


def _solve_into_table(inputs: Inputs, results: Iterator[Result], output: Path, kind: str) -> int:
    """Write each row with its answer to a binary table; return the number of unsolved puzzles."""
    num_unsolved = 0
    with ExitStack() as stack:
        table: arrow.TableWriter | None = None
        for number, answer in enumerate(inputs.in_order(inputs.tracked(results, "solving")), start=1):
            if table is None:  # the file is opened with the first result, and stays as it was without any
                table = stack.enter_context(arrow.TableWriter(stack.enter_context(compressed_bytes(output)), kind))
            columns, row = inputs.take_row()
            solution, status = None, UNREADABLE
            if isinstance(answer, Result):
                solution = answer.solution.line if answer.solution else None
                status = answer.status.value
                num_unsolved += not answer.is_solved
            record = answer if isinstance(answer, FormatError) else puzzle_of(answer)
            fields = row if columns else csv.record_fields(record, number)
            table.write_answer(columns or NO_TABLE, fields, solution, status)
    return num_unsolved


def _extension(output: Path | None) -> str:
    return extension_of(output) if output else ""


def _table_kind(output: Path | None) -> str | None:
    """Return the format of a binary table, by the extension; None for other outputs."""
    format = format_by_extension(output) if output else None
    return format.name if format and format.is_binary else None


def _form_of(output: Path | None, as_json: bool, fields: Sequence[str] | None, solver: Solver) -> Answers:
    """Return the form of the answers: of the output file, or drawn on a terminal."""
    if as_json or _extension(output) in jsonl.FORMAT.extensions:
        return JsonLines(solver, fields or FIELDS)
    if fields:
        raise SudokulabError("--fields chooses the fields of JSON lines; add --json")
    if _extension(output) in csv.FORMAT.extensions:
        return Rows()
    if output is None and sys.stdout.isatty():
        from rich.console import Console

        return Drawings(Console())
    return Lines()


def _check_extension(output: Path) -> None:
    formats = [line.FORMAT, sdm.FORMAT, csv.FORMAT, jsonl.FORMAT, *arrow.FORMATS]
    known = [extension for format in formats for extension in format.extensions]
    check_extension(output, ("", *known), "; use `sudokulab convert` for other formats", may_be_compressed=True)

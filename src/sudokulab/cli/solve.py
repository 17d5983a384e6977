"""``sudokulab solve``."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from sudokulab._internal.native import MAX_THREADS
from sudokulab._internal.progress import progress_bar
from sudokulab.cli.answers import Answers, Drawings, JsonLines, Lines, Rows, Write
from sudokulab.cli.common import FAILED, check_extension, command, print_message
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
from sudokulab.cli.table_answers import TableAnswers
from sudokulab.errors import FormatError, SudokulabError
from sudokulab.formats import FORMATS, Format, arrow, csv, format_by_extension, jsonl, line, sdm, tables
from sudokulab.formats.compression import Part, compressed_text, extension_of
from sudokulab.puzzle import NINE, Puzzle
from sudokulab.questions import solve_many
from sudokulab.questions.lines import Solved, is_plain_table, plain_format, solve_lines, solve_table
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
            help="Output file; the extension selects lines (.txt), a table (.csv, .tsv, .parquet, .arrow, .feather) or "
            "JSON lines (.jsonl). .gz, .zip and .zst compress.",
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
    answers = _form_of(output, as_json, fields, chosen)
    inputs.rows = deque() if answers.keeps_rows or answers.keeps_members else None
    if trace:
        num_unsolved = _solve_traced(inputs, chosen, budget, seed, threads, trace, output, answers)
    elif chosen == Auto() and not isinstance(answers, Drawings):
        with closing(inputs.parts()) as parts:
            found = _bulk_answers(inputs, parts, answers, budget, threads)
            num_unsolved = _write_answers(inputs, found, output, answers)
    else:
        results = _solve_all(inputs, inputs, chosen, budget, seed, threads)
        num_unsolved = _write_answers(inputs, inputs.in_order(results), output, answers)
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
    num_unsolved = _write_answers(inputs, [result], output, answers)
    if not result.trace:
        raise SudokulabError(f"{trace}: not written, because {solver.name} records no trace")
    with compressed_text(trace) as stream:
        stream.write(",".join(result.trace) + "\n")
        for row in zip(*result.trace.values(), strict=True):
            stream.write(",".join(map(_number, row)) + "\n")
    return num_unsolved


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else str(value)


def _write_answers(
    inputs: Inputs, found: Iterable[Solved | Result | FormatError], output: Path | None, answers: Answers
) -> int:
    """Write the answers; return the number of unsolved puzzles."""
    num_unsolved = number = 0
    sys.stdout.flush()
    with ExitStack() as stack:
        update = stack.enter_context(progress_bar("solving", inputs.num_bytes(), position=inputs.position))
        write: Write | None = None
        for answer in found:
            number += answer.number if isinstance(answer, Solved) else 1
            num_unsolved += isinstance(answer, Result) and not answer.is_solved
            if write is None:  # the file is opened with the first answer, and stays as it was without any
                write = stack.enter_context(answers.writing(output))
            write(number, answer, (None, ()) if isinstance(answer, Solved) else inputs.take_row())
            update(number)
        if write is None and inputs.empty_table:
            stack.enter_context(answers.writing(output))(number, None, inputs.empty_table)
    return num_unsolved


def _bulk_answers(
    inputs: Inputs, opened: Iterable[Part], answers: Answers, budget: Budget, threads: int | None
) -> Iterator[Solved | Result | FormatError]:
    """Solve plain 9×9 lines and rows in blocks, and all other puzzles one by one."""
    plans = _planned(inputs, opened, answers)
    plan = next(plans, None)

    def others() -> Iterator[Puzzle]:
        """Yield the puzzles up to the next plain part, so that several files are solved in parallel."""
        nonlocal plan
        while plan is not None and not plan.is_plain:
            yield from inputs.read(plan.part, plan.table)
            plan = next(plans, None)

    while plan is not None:
        if plan.is_plain:
            yield from _solved_part(inputs, plan, answers, budget, threads)
            plan = next(plans, None)
        else:
            yield from inputs.in_order(_solve_all(inputs, others(), Auto(), budget, 0, threads))


class _Plan(NamedTuple):
    """How a part is solved: in blocks if it is plain, which has a format or is a table."""

    part: Part
    format: Format | None
    table: arrow.Table | None = None
    is_plain: bool = True


def _planned(inputs: Inputs, opened: Iterable[Part], answers: Answers) -> Iterator[_Plan]:
    """Open the parts that are binary tables, and find out which parts are solved in blocks."""
    for part in opened:
        head = part.stream.peek()
        if kind := arrow.kind_of(head):
            with inputs.noting():
                table = arrow.Table(part.stream, part.name, inputs.column)
                is_plain = inputs.box in (None, NINE) and is_plain_table(table)
                yield _Plan(part, FORMATS[kind], table, is_plain)
            continue
        format = None
        is_typed = part.name == "<text>" or (part.name == "<stdin>" and sys.stdin.isatty())
        if not is_typed and inputs.box in (None, NINE):
            format = plain_format(head, inputs.format or format_by_extension(part.name), inputs.column)
            format = None if format is jsonl.FORMAT and not answers.takes_members else format
        yield _Plan(part, format, is_plain=format is not None)


def _solved_part(
    inputs: Inputs, plan: _Plan, answers: Answers, budget: Budget, threads: int | None
) -> Iterator[Solved | Result | FormatError]:
    assert plan.format is not None, "a plain part has a format"
    inputs.print_format(plan.part, plan.format)
    with inputs.noting():
        for answer in _solved_rows(inputs, plan, plan.format, answers, budget, threads):
            if isinstance(answer, FormatError):
                inputs.reject(answer, plan.format)
            else:
                inputs.num_read += answer.number if isinstance(answer, Solved) else 1
            yield answer


def _solved_rows(
    inputs: Inputs, plan: _Plan, format: Format, answers: Answers, budget: Budget, threads: int | None
) -> Iterator[Solved | Result | FormatError]:
    part, first_row = plan.part, inputs.num_rows + 1
    rows = inputs.rows if answers.keeps_rows or format is jsonl.FORMAT else None
    if plan.table is None:
        return solve_lines(
            part.stream,
            part.name,
            format=format,
            box=inputs.box,
            column=inputs.column,
            budget=budget,
            threads=threads,
            layout=answers.layout,
            first_row=first_row,
            rows=rows,
        )
    solve = partial(solve_table, plan.table, part.name, box=inputs.box, budget=budget, threads=threads)
    if isinstance(answers, TableAnswers):
        return solve(layout=answers.bare_layout, first_row=first_row, batches=answers.batches)
    return solve(layout=answers.layout, first_row=first_row, rows=rows)


def _extension(output: Path | None) -> str:
    return extension_of(output) if output else ""


def _form_of(output: Path | None, as_json: bool, fields: Sequence[str] | None, solver: Solver) -> Answers:
    """Return the form of the answers: of the output file, or drawn on a terminal."""
    if as_json or _extension(output) in jsonl.FORMAT.extensions:
        return JsonLines(solver, fields)
    if fields:
        raise SudokulabError("--fields chooses the fields of JSON lines; add --json, or -o with the extension .jsonl")
    format = format_by_extension(output) if output else None
    if format in (csv.FORMAT, csv.TSV):
        return Rows(has_tabs=format is csv.TSV)
    if format and format.is_binary:
        return TableAnswers(format.name)
    if output is None and sys.stdout.isatty():
        from rich.console import Console

        return Drawings(Console())
    return Lines()


def _check_extension(output: Path) -> None:
    formats = [line.FORMAT, sdm.FORMAT, csv.FORMAT, csv.TSV, jsonl.FORMAT, *tables.FORMATS]
    known = [extension for format in formats for extension in format.extensions]
    check_extension(output, ("", *known), "; use `sudokulab convert` for other formats", may_be_compressed=True)

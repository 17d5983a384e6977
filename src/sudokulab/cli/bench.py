"""``sudokulab bench``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from sudokulab.bench import device as gpu
from sudokulab.bench import generation, large, start, throughput
from sudokulab.bench.contenders import (
    Command,
    Contender,
    Library,
    SolverByName,
    contender_named,
    default_contenders,
    default_solvers,
)
from sudokulab.bench.environment import describe, environment
from sudokulab.bench.reports import Measured, MeasuredRates, MeasuredTimes
from sudokulab.bench.sets import sets_with_several_solutions
from sudokulab.bench.throughput import Workload
from sudokulab.cli.common import FAILED, check_plot, command, print_message
from sudokulab.cli.completion import complete_list_of, complete_solvers
from sudokulab.cli.inputs import Inputs
from sudokulab.cli.options import (
    ColumnOption,
    FromOption,
    ParamFilesOption,
    ParamsOption,
    choice_of,
    list_option,
    names_of,
    params_by_solver,
    split_pairs,
)
from sudokulab.cli.schema import VERSION
from sudokulab.cli.tables import print_table
from sudokulab.errors import SudokulabError
from sudokulab.external import CommandSolver
from sudokulab.formats.base import counted, one_line
from sudokulab.instances import generate
from sudokulab.puzzle import NINE, Puzzle
from sudokulab.search.budget import Budget
from sudokulab.solvers.registry import make_solver

__all__ = ["bench"]

_DEFAULT_SETS = ("easy", "hardest")  # the extremes of the generated sets
_NUM_NINE = 20_000
_NUM_LARGE = 100
_MOST = 1_000_000
_MOST_ON_DEVICE = 100_000_000
_NINE_PANEL, _LARGE_PANEL = "9×9 puzzles", "Large grids"


@command
def bench(
    puzzles: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE",
            help="Files or collections (see `instances`). Default: easy, hardest, and two sets with several solutions.",
        ),
    ] = None,
    solvers: Annotated[
        list[str] | None,
        list_option(
            "--solver",
            "-s",
            metavar="NAME,…",
            help="Solvers to compare (default: ours and all installed rivals).",
            autocompletion=complete_solvers,
        ),
    ] = None,
    params: ParamsOption = None,
    param_files: ParamFilesOption = None,
    libraries: Annotated[
        list[str] | None,
        list_option(
            "--library",
            split=split_pairs,
            metavar="NAME=PATH[:FUNCTION],…",
            help="Also measure shared libraries with tdoku's interface.",
            rich_help_panel=_NINE_PANEL,
        ),
    ] = None,
    command_lines: Annotated[
        list[str] | None,
        typer.Option(
            "--command",
            metavar="NAME=COMMAND",
            help="Program to measure as well, such as 'p=./p {file}', including its start. 9×9 puzzles: it reads a "
            "file with one puzzle per line and prints one solution per line. Large grids: one grid per run. "
            "Repeatable.",
        ),
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Baseline for the ratios. Default: the fastest rival, also in tables without NAME."
        ),
    ] = None,
    count: Annotated[
        int | None,
        typer.Option(
            "--count",
            "-n",
            min=1,
            max=_MOST_ON_DEVICE,
            help="Number of puzzles per set, up to 1,000,000 without --device. Default: 20,000 of size 9×9, 5,000,000 "
            "with --device, 100 large ones.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Random seed for puzzles and solvers.")] = 0,
    rounds: Annotated[int, typer.Option(min=1, help="Measurements per solver.", rich_help_panel=_NINE_PANEL)] = 7,
    workloads: Annotated[
        list[Workload] | None,
        list_option(
            "--workload",
            "-w",
            of=choice_of(Workload),
            metavar="WORKLOAD,…",
            autocompletion=complete_list_of(names_of(Workload)),
            help="solve: find the first solution. count: count solutions up to two. generate: generate puzzles. "
            "start: run `sudokulab solve` once. Large grids: only solve. Default: solve and count; all "
            "without FILE, --size and --solver.",
            rich_help_panel=_NINE_PANEL,
        ),
    ] = None,
    sizes: Annotated[
        list[int] | None,
        list_option("--size", of=int, metavar="SIZE,…", help="Sizes of random grids.", rich_help_panel=_LARGE_PANEL),
    ] = None,
    fixed: Annotated[
        list[float] | None,
        list_option(
            "--fixed",
            of=float,
            metavar="FRACTION,…",
            help="Fractions of cells given in random grids.",
            rich_help_panel=_LARGE_PANEL,
        ),
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0.001, help="Time limit per grid and solver.", rich_help_panel=_LARGE_PANEL)
    ] = 60.0,
    device: Annotated[
        str | None,
        typer.Option(
            metavar="cuda[:N]",
            help="Measure a GPU instead: solve, count and generate, from its own memory and from host memory, "
            "beside all cores of the CPU. Rates are per second of wall time.",
            rich_help_panel=_NINE_PANEL,
        ),
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Plot the results to an .svg, .png or .pdf file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: one object with all measurements.")] = False,
    format: FromOption = None,
    column: ColumnOption = None,
) -> None:
    """Compare the speed of our solvers with other programs.

    Contenders take turns on one core, and every answer is verified.

    9×9 puzzles, each randomly relabelled and permuted, are compared by throughput: median, minimum and maximum over
    the rounds. Generation is compared in the same way. Larger puzzles, and random grids (--size and --fixed), are
    compared by solved grids and time. A ratio above 1 means faster than the baseline.

    Exit code 0 if all answers were right, else 1.

    Example: sudokulab bench puzzles.txt --library tdoku=./libtdoku.so --plot rates.svg

    Example: sudokulab bench --size 25 --fixed 0.45 --count 100 --seconds 60

    Example: sudokulab bench puzzles.txt --device cuda
    """
    check_plot(plot)
    if device is not None:
        others = {
            "--solver": solvers,
            "--param": params or param_files,
            "--library": libraries,
            "--command": command_lines,
            "--size": sizes,
            "--fixed": fixed,
            "--workload start": workloads and Workload.START in workloads,
        }
        for name, value in others.items():
            if value:
                raise SudokulabError(f"{name}: not with --device, which measures the GPU beside the CPU on 9×9 puzzles")
        gpu.check_device(device)
    elif count is not None and count > _MOST:
        raise SudokulabError(f"--count {count}: at most {_MOST:,} without --device")
    names = solvers or []
    chosen = workloads or (list(Workload) if not (puzzles or sizes or names) else [Workload.SOLVE, Workload.COUNT])
    has_puzzles = bool({Workload.SOLVE, Workload.COUNT} & set(chosen))
    if not has_puzzles and (puzzles or sizes or fixed or (count and device is None)):
        raise SudokulabError(f"--workload {chosen[0].value} needs no puzzles; omit FILE, --size, --fixed and --count")
    sets = list(_sets(puzzles, format, column, sizes, fixed, count, seed)) if has_puzzles else []
    if device is not None:
        _check_names([gpu.contenders(workload, device) for workload in chosen], reference)
        reports = _measured_device(sets, device, chosen, reference, count or gpu.NUM_PUZZLES, seed, rounds)
    elif not sets or _are_nine(found for _, found in sets):
        contenders = _contenders(names, params, param_files, libraries, command_lines)
        makers = _makers(contenders, seed) if Workload.GENERATE in chosen else []
        _check_names([_names(workload, contenders, makers) for workload in chosen], reference)
        reports = _measured_rates(sets, contenders, makers, chosen, reference, count or _NUM_NINE, seed, rounds)
    else:
        if libraries:
            raise SudokulabError("--library: libraries solve only 9×9 puzzles")
        if workloads and set(workloads) != {Workload.SOLVE}:
            raise SudokulabError("--workload: large grids are compared by the time to the first solution; use solve")
        chosen_names = names or default_solvers()
        found_params = params_by_solver({name: make_solver(name) for name in chosen_names}, params, param_files)
        ours = [make_solver(name, **found_params[name]) for name in chosen_names]
        competing = [*ours, *map(CommandSolver.parse, command_lines or [])]
        _check_names([[solver.name for solver in competing]], reference)
        budget = Budget(seconds=seconds)
        instances = ((name, found[:count]) for name, found in sets)
        reports = (
            MeasuredTimes(name, len(grids), reference, large.measure(competing, grids, budget, seed=seed), seconds)
            for name, grids in instances
        )
    measured = list(_shown(reports, environment() if device is None else gpu.environment(device), as_json))
    if plot:
        _draw(measured, plot)
    if any(True for report in measured for _ in report.complaints()):
        raise typer.Exit(FAILED)


def _measured_rates(
    sets: list[tuple[str, list[Puzzle]]],
    contenders: list[Contender],
    makers: list[generation.Maker],
    workloads: list[Workload],
    reference: str | None,
    count: int,
    seed: int,
    rounds: int,
) -> Iterator[Measured]:
    questions = [workload for workload in (Workload.SOLVE, Workload.COUNT) if workload in workloads]
    for name, found in sets:
        sample = throughput.make_sample(found, count, seed)
        yield MeasuredRates(name, len(sample), reference, throughput.measure(contenders, sample, questions, rounds))
    if Workload.GENERATE in workloads:
        for product in generation.PRODUCTS:
            yield MeasuredRates(product.name, None, reference, generation.measure(makers, product, rounds))
    if Workload.START in workloads:
        yield MeasuredRates("one command", None, reference, start.measure(rounds))


def _measured_device(
    sets: list[tuple[str, list[Puzzle]]],
    device: str,
    workloads: list[Workload],
    reference: str | None,
    count: int,
    seed: int,
    rounds: int,
) -> Iterator[Measured]:
    questions = [workload for workload in (Workload.SOLVE, Workload.COUNT) if workload in workloads]
    for name, found in sets:
        sample = throughput.make_sample(found, min(count, _NUM_NINE), seed)
        large_sample = gpu.LargeSample(sample.array, count, seed)
        yield MeasuredRates(name, count, reference, gpu.measure(large_sample, questions, device, rounds))
    if Workload.GENERATE in workloads:
        yield MeasuredRates("minimal", None, reference, gpu.measure_generation(count, device, seed, rounds))


def _sets(
    arguments: list[str] | None,
    format: str | None,
    column: str | None,
    sizes: list[int] | None,
    fixed: list[float] | None,
    count: int | None,
    seed: int,
) -> Iterator[tuple[str, list[Puzzle]]]:
    """Yield the puzzle sets with their names."""
    if bool(sizes) != bool(fixed):
        raise SudokulabError("random grids need both --size and --fixed, such as --size 25 --fixed 0.45")
    for size in sizes or []:
        for fraction in fixed or []:
            puzzles = list(generate(count or _NUM_LARGE, size=size, fixed=fraction, seed=seed, progress=True))
            yield f"{size}×{size}, {fraction:g} given", puzzles
    for argument in arguments or ([] if sizes else _DEFAULT_SETS):
        yield argument.rpartition("/")[2], list(Inputs([argument], format, column=column))
    if not arguments and not sizes:
        yield from sets_with_several_solutions(min(count or _NUM_NINE, _MOST), seed).items()


def _are_nine(sets: Iterable[list[Puzzle]]) -> bool:
    """Return whether all puzzles are 9×9; raise SudokulabError if sizes are mixed."""
    kinds = {puzzle.box == NINE for puzzles in sets for puzzle in puzzles}
    if len(kinds) > 1:
        raise SudokulabError("9×9 and larger puzzles are measured differently; run the command once for each kind")
    return kinds == {True}


def _contenders(
    names: list[str],
    params: list[str] | None,
    param_files: list[str] | None,
    libraries: list[str] | None,
    commands: list[str] | None,
) -> list[Contender]:
    named = [contender_named(name) for name in names or default_contenders()]
    solvers = {one.name: one for one in named if isinstance(one, SolverByName)}
    for name, values in params_by_solver(
        {name: one.solver for name, one in solvers.items()}, params, param_files
    ).items():
        solvers[name].solver = make_solver(name, **values)
    return [*named, *map(Library.parse, libraries or []), *map(Command, commands or [])]


def _makers(contenders: list[Contender], seed: int) -> list[generation.Maker]:
    rivals = [generation.Minimizer(rival.name, rival.path, seed) for rival in contenders if isinstance(rival, Library)]
    return [generation.Generator(seed), *rivals]


def _names(workload: Workload, contenders: list[Contender], makers: list[generation.Maker]) -> list[str]:
    """Return the names in the tables of a workload."""
    if workload is Workload.GENERATE:
        return [maker.name for maker in makers if any(map(maker.can_make, generation.PRODUCTS))]
    if workload is Workload.START:
        return list(start.COMMANDS)
    return [contender.name for contender in contenders if workload is Workload.SOLVE or contender.can_count]


def _check_names(tables: list[list[str]], reference: str | None) -> None:
    for names in tables:
        for name in names:
            if names.count(name) > 1:
                raise SudokulabError(f"{name} is listed twice; give each contender its own name")
    known = dict.fromkeys(name for names in tables for name in names)
    if reference is not None and reference not in known:
        raise SudokulabError(f"--reference {reference}: unknown contender; choose one of {', '.join(known)}")


def _shown(reports: Iterable[Measured], found: dict[str, object], as_json: bool) -> Iterator[Measured]:
    """Yield the reports, printing each as soon as it is complete; JSON is printed at the end."""
    sets = []
    for report in reports:
        sets.append({"name": report.name, "num_puzzles": report.num_puzzles, "contenders": report.contenders()})
        if not as_json:
            _print_report(report)
        for complaint in report.complaints():
            print_message(f"{report.name}: {complaint}")
        yield report
    if as_json:
        sys.stdout.write(f"{json.dumps({'version': VERSION, 'environment': found, 'sets': sets})}\n")
    else:
        print_message(describe(found))


def _print_report(report: Measured) -> None:
    title = one_line(report.name)
    if report.num_puzzles is not None:
        title += f" ({counted(report.num_puzzles, 'puzzle')})"
    is_terminal = sys.stdout.isatty()
    if is_terminal:
        sys.stdout.write(f"{title}\n")
    for columns, rows in report.tables():
        if is_terminal:
            print_table(columns, rows)
        else:
            print_table(["set", *columns], [[title, *row] for row in rows])
    for remark in report.remarks():
        print_message(remark)


def _draw(measured: list[Measured], path: Path) -> None:
    from sudokulab.lab import plots
    from sudokulab.lab.figures import plain

    figure, axes = plots.stacked(len(measured))
    for report, ax in zip(measured, axes, strict=True):
        report.draw(ax)
        ax.set_title(plain(report.name))
    plots.save(figure, path)
    print_message(f"{path}: drawn")

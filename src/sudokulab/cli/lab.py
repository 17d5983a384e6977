"""``sudokulab run``, ``compare`` and ``report``."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudokulab._internal.files import whole_bytes, whole_file
from sudokulab._internal.suggestions import unknown_name
from sudokulab.cli.common import FAILED, check_extension, check_plot, command, print_message
from sudokulab.cli.inputs import Inputs
from sudokulab.cli.options import (
    BoxOption,
    ColumnOption,
    DaskOption,
    FromOption,
    LimitOption,
    ParamFilesOption,
    ParamsOption,
    SeedOption,
    SolversOption,
    SomePuzzlesArgument,
    WorkersOption,
    list_option,
    params_by_solver,
    split_titles,
)
from sudokulab.cli.tables import print_table
from sudokulab.errors import SudokulabError
from sudokulab.formats.base import counted
from sudokulab.solvers.registry import make_solver

if TYPE_CHECKING:
    import polars as pl

    from sudokulab.lab.comparison import Comparison
    from sudokulab.lab.display import TextTable
    from sudokulab.lab.experiment import Experiment, Run, SolverSpec
    from sudokulab.lab.store import Store

__all__ = ["compare", "report", "run"]

_TERMINAL_RUNS = 50

_TABLE_FILES = (".parquet", ".csv")
_STORE_FILES = ("", ".sqlite", ".sqlite3", ".db")

ReportOption = Annotated[Path | None, typer.Option("--report", help="Write a report to this .html file.")]
TestsOption = Annotated[
    Path | None, typer.Option("--tests", help="Write the pairwise tests and effect sizes to a .parquet or .csv file.")
]


_OF_RUNS = {"rich_help_panel": "With --list"}
"""Settings of the options of `report` that apply to the list of runs."""


def _outcome(text: str) -> str:
    from sudokulab.lab.records import Outcome

    if text not in Outcome.ALL:
        raise typer.BadParameter(unknown_name("outcome", text, Outcome.ALL))
    return text


@command
def run(
    file: Annotated[Path, typer.Argument(metavar="EXPERIMENT", help="TOML file; see docs/reference/lab.md.")],
    store: Annotated[
        Path | None, typer.Option(help="File for the runs. Default: the experiment file with the extension .sqlite.")
    ] = None,
    workers: WorkersOption = None,
    dask: DaskOption = None,
    report_to: ReportOption = None,
) -> None:
    """Run an experiment; an interrupted one resumes.

    An experiment consists of instance sets, solvers and runs, described in a TOML file.

    Exit code 0 if all runs are in the store, whatever their outcome; 1 if some are missing.

    Example: sudokulab run experiment.toml --report report.html
    """
    from sudokulab.lab.comparison import Comparison
    from sudokulab.lab.experiment import load_experiment
    from sudokulab.lab.store import Store

    experiment = load_experiment(file)
    plan = experiment.plan(file.parent)  # reports invalid instances before the store is created
    _check_outputs(report_to)
    with Store(store or file.with_suffix(".sqlite")) as kept:
        _run(experiment, plan, kept, workers, dask)
        table = kept.runs(experiment.name)
        _print_comparison(Comparison.of(table))
        if report_to:
            _write_report(kept, experiment.name, report_to)
        num_missing = kept.num_planned(experiment.name) - len(table)
        if num_missing:
            print_message(f"{kept.path}: {num_missing:,} runs are missing; the same command resumes")
            raise typer.Exit(FAILED)


@command
def compare(
    puzzles: SomePuzzlesArgument,
    solvers: SolversOption = None,
    params: ParamsOption = None,
    param_files: ParamFilesOption = None,
    command_line: Annotated[
        list[str] | None,
        typer.Option(
            "--command",
            metavar="NAME=COMMAND",
            help="Program to compare, such as 'p=./p {file}'; --param describes its input and answer. Repeatable.",
        ),
    ] = None,
    num_runs: Annotated[
        int, typer.Option("--runs", min=1, help="Number of runs of each stochastic solver on each puzzle.")
    ] = 10,
    cpu_seconds: Annotated[float, typer.Option(min=0.001, help="CPU time of each run, in seconds.")] = 5.0,
    seed: SeedOption = 0,
    limit: LimitOption = None,
    plot: Annotated[Path | None, typer.Option(help="Plot the times to a .svg, .png or .pdf file.")] = None,
    workers: WorkersOption = None,
    report_to: ReportOption = None,
    tests_to: TestsOption = None,
    has_traces: Annotated[
        bool,
        typer.Option("--traces", help="Record the cost over time, for curves in --report and traces in --output."),
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Output file for the runs (.sqlite); the same command resumes."),
    ] = None,
    format: FromOption = None,
    box: BoxOption = None,
    column: ColumnOption = None,
) -> None:
    """Compare solvers on puzzles: success rates, times, tests.

    Example: sudokulab compare hard --solver backtracking,ant-colony --runs 30 --cpu-seconds 5 --plot times.svg
    """
    from sudokulab.lab import comparison
    from sudokulab.lab.store import Store

    specs = _specs(solvers or [], command_line or [], params, param_files)
    if has_traces and not (report_to or output):
        raise SudokulabError("--traces needs --report or --output")
    _check_outputs(report_to, plot, tests_to)
    if output and not output.exists():
        check_extension(output, _STORE_FILES, "; `sudokulab report STORE --list -o runs.csv` writes a table of runs")
    with tempfile.TemporaryDirectory() as folder:
        path = output or Path(folder) / "runs.sqlite"
        try:
            found = comparison.compare(
                specs,
                islice(Inputs(puzzles, format, box, column=column), limit),
                runs=num_runs,
                cpu_seconds=cpu_seconds,
                seed=seed,
                workers=workers,
                progress=True,
                store=path,
                trace=has_traces,
            )
        except KeyboardInterrupt:
            if output:
                print_message(f"{output}: the same command resumes")
            raise
        _print_comparison(found)
        if plot:
            _draw(found.runs, plot)
        if tests_to:
            _export(found.tests, tests_to, "tests")
        if report_to:
            with Store(path, is_readonly=True) as kept:
                _write_report(kept, comparison.EXPERIMENT_NAME, report_to)


@command
def report(
    store: Annotated[Path, typer.Argument(metavar="STORE", help="File written by `sudokulab run`.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Output file: .html for the report (default: report.html); with --list, .parquet or .csv.",
        ),
    ] = None,
    experiment: Annotated[
        str | None, typer.Option(help="Experiment to report, if the store has several; with --list, only its runs.")
    ] = None,
    tests_to: TestsOption = None,
    targets_to: Annotated[
        Path | None,
        typer.Option("--targets", help="Write the effort to reach each cost to a .parquet or .csv file; needs traces."),
    ] = None,
    iohprofiler: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Export the traces to a new folder, in the format of IOHprofiler."),
    ] = None,
    lists_runs: Annotated[bool, typer.Option("--list", help="List the runs, or write them to --output.")] = False,
    solver: Annotated[
        list[str] | None,
        list_option(
            "--solver",
            "-s",
            metavar="NAME,…",
            help="Solvers whose runs to list: names, or patterns with *.",
            split=split_titles,
            **_OF_RUNS,
        ),
    ] = None,
    instance: Annotated[
        list[str] | None,
        list_option(
            "--instance",
            metavar="NAME,…",
            help="Instances whose runs to list: names, or patterns with *.",
            **_OF_RUNS,
        ),
    ] = None,
    outcome: Annotated[
        list[str] | None,
        list_option(
            "--outcome",
            metavar="OUTCOME,…",
            help="Outcomes of the runs to list: "
            "solved, unsatisfiable, unsolved, late, wrong, error, crashed or killed.",
            of=_outcome,
            **_OF_RUNS,
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            min=1, help="Maximum number of runs to list (default: 50 on a terminal, all otherwise).", **_OF_RUNS
        ),
    ] = None,
) -> None:
    """Write the report of an experiment, or list its runs.

    The report is one HTML file with tables, figures, errors and the command to repeat the experiment.

    Example: sudokulab report experiment.sqlite -o report.html

    Example: sudokulab report experiment.sqlite --list --outcome unsolved -o unsolved.parquet
    """
    from sudokulab.lab.store import Store

    filters = {"solver": solver, "instance": instance, "outcome": outcome}
    if lists_runs:
        others = {"tests": tests_to, "targets": targets_to, "iohprofiler": iohprofiler}
        for name in (name for name, value in others.items() if value is not None):
            raise SudokulabError(f"--{name} and --list are mutually exclusive")
        with Store(store, is_readonly=True) as kept:
            found = kept.runs(experiment, **filters)
        _export(found.head(limit or len(found)), output, "runs") if output else _list_runs(found, limit)
        return
    for name, value in {**filters, "limit": limit}.items():
        if value is not None:
            raise SudokulabError(f"--{name} applies only to --list")
    _report(store, experiment, output or Path("report.html"), tests_to, targets_to, iohprofiler)


def _report(
    store: Path,
    experiment: str | None,
    output: Path,
    tests_to: Path | None,
    targets_to: Path | None,
    iohprofiler: Path | None,
) -> None:
    from sudokulab.lab.iohprofiler import write_iohprofiler
    from sudokulab.lab.significance import pair_tests
    from sudokulab.lab.store import Store

    check_extension(output, (".html", ".htm"))
    _check_outputs(None, None, tests_to, targets_to)
    with Store(store, is_readonly=True) as kept:
        names = list(kept.experiments())
        if experiment is None and len(names) != 1:
            raise SudokulabError(
                f"{store}: the store has {len(names)} experiments; select one with --experiment {' or '.join(names)}"
            )
        name = experiment or names[0]
        _write_report(kept, name, output)
        if tests_to:
            _export(pair_tests(kept.runs(name)).table, tests_to, "tests")
        if targets_to:
            _export(_targets(kept, name), targets_to, "targets")
        if iohprofiler:
            solvers = write_iohprofiler(kept, name, iohprofiler)
            print_message(f"{iohprofiler}: {counted(len(solvers), 'solver')}")


def _targets(store: Store, experiment: str) -> pl.DataFrame:
    """Return the effort to reach each target cost, in all units."""
    import polars as pl

    from sudokulab.lab.anytime import EFFORTS, fixed_targets, progress_of, targets_of

    progress = progress_of(store, experiment)
    if progress.is_empty():
        advice = "set trace = true in the experiment, or add --traces to compare"
        raise SudokulabError(f"{store.path}: no run of {experiment!r} has a trace of its cost; {advice}")
    goals = targets_of(progress)
    tables = [fixed_targets(progress, goals, effort).with_columns(unit=pl.lit(effort)) for effort in EFFORTS]
    return pl.concat(tables).select("solver", "unit", pl.exclude("solver", "unit"))


def _list_runs(found: pl.DataFrame, limit: int | None) -> None:
    shown = found.head(_TERMINAL_RUNS if limit is None and sys.stdout.isatty() else limit or len(found))
    rows = [
        [
            *(row[name] for name in ("instance", "solver", "run", "outcome")),
            *(f"{row[name]:.4f}" for name in ("cpu_seconds", "wall_seconds")),
            *(row[name] for name in ("seed", "error")),
        ]
        for row in shown.iter_rows(named=True)
    ]
    print_table(["instance", "solver", "run", "outcome", "CPU s", "wall s", "seed", "error"], rows)
    if len(found) > len(shown):
        print_message(f"{len(found) - len(shown):,} more runs; list them with --limit, or write all with --output")


def _specs(
    names: Sequence[str],
    commands: Sequence[str],
    params: Sequence[str] | None,
    param_files: Sequence[str] | None,
) -> list[SolverSpec]:
    """Return the solvers and programs to compare, with their parameters."""
    from sudokulab.external import CommandSolver
    from sudokulab.lab.specs import spec_of

    if not names and not commands:
        raise SudokulabError("nothing to compare; add --solver or --command")
    solvers = {name: make_solver(name) for name in names}
    for program in map(CommandSolver.parse, commands):
        if program.label in solvers:
            raise SudokulabError(f"two solvers are called {program.label!r}; choose another name for --command")
        solvers[program.label] = program
    by_solver = params_by_solver(solvers, params, param_files)
    return [spec_of(make_solver(solver, **by_solver[name])) for name, solver in solvers.items()]


def _check_outputs(
    report_to: Path | None,
    plot: Path | None = None,
    tests_to: Path | None = None,
    targets_to: Path | None = None,
) -> None:
    """Refuse output files that cannot be written before hours are spent on the runs."""
    check_plot(plot)
    for path, extensions in ((report_to, (".html", ".htm")), (tests_to, _TABLE_FILES), (targets_to, _TABLE_FILES)):
        if path is not None:
            check_extension(path, extensions)
            if not path.resolve().parent.is_dir():
                raise SudokulabError(f"{path.parent}: no such folder")


def _run(experiment: Experiment, plan: Sequence[Run], store: Store, workers: int | None, dask: str | None) -> None:
    from sudokulab.lab.execution import run_experiment
    from sudokulab.lab.live import live_view

    missing = store.missing(experiment.name, plan)
    if len(missing) < len(plan):
        print_message(f"{store.path}: {len(plan) - len(missing):,} of {len(plan):,} runs are already in the store")
    try:
        with live_view(missing) as view:
            run_experiment(experiment, store, plan=plan, workers=workers, dask=dask, observer=view)
    except KeyboardInterrupt:
        num_done = len(plan) - len(store.missing(experiment.name, plan))
        print_message(f"{store.path}: {num_done:,} of {len(plan):,} runs are in the store; the same command resumes")
        raise


def _print_comparison(comparison: Comparison) -> None:
    """Print results, tests and errors; explanations go to standard error."""
    from sudokulab.lab.display import error_table, pair_table, summary_table

    print_table(*summary_table(comparison.runs))
    print_message(comparison.basis.note)
    if len(comparison.tests):
        _print_titled(f"{comparison.pairs.test_title}. {comparison.pairs.effect_note}", pair_table(comparison.pairs))
        if comparison.pairs.limit_note:
            print_message(comparison.pairs.limit_note)
    errors = error_table(comparison.runs)
    if errors.rows:
        _print_titled("Errors:", errors)


def _print_titled(title: str, table: TextTable) -> None:
    print_message(title)
    sys.stdout.write("\n")
    print_table(*table)


def _draw(table: pl.DataFrame, path: Path) -> None:
    from sudokulab.lab import plots

    figure, axis = plots.figure()
    plots.plot_time_to_target(axis, table)
    plots.save(figure, path)
    print_message(f"{path}: written")


def _write_report(store: Store, experiment: str, path: Path) -> None:
    from sudokulab.lab.report import report as make_report

    with whole_file(path) as stream:
        stream.write(make_report(store, experiment))
    print_message(f"{path}: written")


def _export(table: pl.DataFrame, path: Path, what: str) -> None:
    check_extension(path, _TABLE_FILES)
    with whole_bytes(path) as stream:
        if path.suffix.lower() == ".parquet":
            table.write_parquet(stream)
        else:
            table.write_csv(stream, quote_style="non_numeric")
    print_message(f"{path}: {len(table):,} {what}")

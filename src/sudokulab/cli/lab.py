"""``sudokulab run``, ``runs``, ``compare`` and ``report``."""

from __future__ import annotations

import io
import sys
import tempfile
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sudokulab._internal.files import whole_bytes, whole_file
from sudokulab._internal.native import MAX_THREADS
from sudokulab.cli.common import (
    NOT_SOLVED,
    BoxOption,
    FromOption,
    Inputs,
    check_extension,
    check_plot,
    command,
    complain,
)
from sudokulab.errors import SudokulabError
from sudokulab.formats import line
from sudokulab.formats.base import one_line
from sudokulab.puzzle import Puzzle

if TYPE_CHECKING:
    import polars as pl

    from sudokulab.lab.experiment import Experiment
    from sudokulab.lab.store import Store

__all__ = ["compare", "report", "run", "runs"]

WorkersOption = Annotated[
    int | None, typer.Option(min=1, max=MAX_THREADS, help="Runs at once; by default one for each core.")
]
DaskOption = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="A dask scheduler whose workers make the runs.")
]
ReportOption = Annotated[Path | None, typer.Option("--report", help="Write a report: one HTML file.")]


class _Console(Console):
    """A console that leaves a closed standard output to `command`; rich would exit with 1."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


@command
def run(
    file: Annotated[Path, typer.Argument(metavar="EXPERIMENT", help="A TOML file; see docs/lab.md.")],
    store: Annotated[
        Path | None, typer.Option(help="Where runs are kept; by default beside the file, with the ending .sqlite.")
    ] = None,
    workers: WorkersOption = None,
    dask: DaskOption = None,
    report_to: ReportOption = None,
) -> None:
    """Run an experiment: instance sets × solvers × runs. Goes on where it was interrupted, in whatever way.

    Exit code 0 if all runs are in the store, whatever their outcome; 1 if some are missing.

    Example: sudokulab run experiment.toml --report report.html
    """
    from sudokulab.lab.experiment import load_experiment
    from sudokulab.lab.store import Store

    experiment = load_experiment(file)
    experiment.plan(file.parent)  # says what is wrong before anything is written
    _check_outputs(report_to)
    with Store(store or file.with_suffix(".sqlite")) as kept:
        _run(experiment, kept, file.parent, workers, dask)
        _print_summary(kept.runs(experiment.name))
        if report_to:
            _write_report(kept, experiment.name, report_to)
        num_missing = kept.num_planned(experiment.name) - len(kept.runs(experiment.name))
        if num_missing:
            complain(f"{kept.path}: {num_missing:,} runs are missing, the same command resumes")
            raise typer.Exit(NOT_SOLVED)


@command
def runs(
    store: Annotated[Path, typer.Argument(help="What `sudokulab run` has written.")],
    experiment: Annotated[str | None, typer.Option(help="Only of this experiment.")] = None,
    solver: Annotated[str | None, typer.Option(help="Only of solvers like this: a name, or a pattern with *.")] = None,
    instance: Annotated[str | None, typer.Option(help="Only of instances like this.")] = None,
    outcome: Annotated[
        str | None, typer.Option(help="solved, unsatisfiable, unsolved, late, wrong, error, crashed or killed.")
    ] = None,
    export: Annotated[Path | None, typer.Option(help="Write them to a file: .parquet or .csv.")] = None,
    limit: Annotated[int, typer.Option(min=0, help="How many to list.")] = 50,
) -> None:
    """List the runs of a store, or export them.

    Example: sudokulab runs experiment.sqlite --outcome unsolved --export unsolved.parquet
    """
    from sudokulab.lab.store import Store

    with Store(store, is_readonly=True) as kept:
        found = kept.runs(experiment, solver=solver, instance=instance, outcome=outcome)
    if export:
        _export(found, export)
        complain(f"{export}: {len(found):,} runs")
        return
    table = Table("instance", "solver", "run", "outcome", "CPU s", "wall s", "seed", "error", box=None)
    for row in found.head(limit).iter_rows(named=True):
        times = f"{row['cpu_seconds']:.4f}", f"{row['wall_seconds']:.4f}"
        words = (row["instance"], row["solver"], str(row["run"]), row["outcome"], *times, row["seed"], row["error"])
        table.add_row(*(Text(one_line(word or "")) for word in words))
    _Console(width=None if sys.stdout.isatty() else 200).print(table)
    if len(found) > limit:
        complain(f"{len(found) - limit:,} more; --limit shows them, --export writes all")


@command
def compare(
    puzzles: Annotated[
        list[str], typer.Argument(metavar="PUZZLE|FILE...", help="Files, collections (see `instances`) or puzzles.")
    ],
    solvers: Annotated[str, typer.Option("--solvers", "-s", help="Names, with commas; see `sudokulab solvers`.")] = "",
    command_line: Annotated[
        list[str] | None,
        typer.Option(
            "--command", metavar="NAME=COMMAND", help="A program besides, such as 'p=./p {file}'; repeatable."
        ),
    ] = None,
    num_runs: Annotated[int, typer.Option("--runs", min=1, help="Of each solver on each puzzle.")] = 10,
    seconds: Annotated[float, typer.Option(min=0.001, help="CPU time for each run.")] = 5.0,
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="The same seed gives the same runs.")] = 0,
    limit: Annotated[int | None, typer.Option(min=1, help="Take only the first so many puzzles.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the times: an .svg, .png or .pdf file.")] = None,
    workers: WorkersOption = None,
    report_to: ReportOption = None,
    format: FromOption = None,
    box: BoxOption = None,
) -> None:
    """Compare solvers on puzzles, the short way: a table, tests, and a plot.

    Example: sudokulab compare hard --solvers backtracking,ant-colony --runs 30 --seconds 5 --plot times.svg
    """
    from sudokulab.external import CommandSolver
    from sudokulab.lab.experiment import BudgetSpec, Experiment, InstanceSet, SolverSpec
    from sudokulab.lab.store import Store

    specs = [SolverSpec(name=name.strip()) for name in solvers.split(",") if name.strip()]
    for text in command_line or []:
        parsed = CommandSolver.parse(text)
        specs.append(SolverSpec(label=parsed.label, command=parsed.command))
    if not specs:
        raise SudokulabError("nothing to compare, expected --solvers or --command")
    _check_outputs(report_to, plot)
    found = islice(Inputs(puzzles, format, box, False), limit)
    experiment = Experiment(
        name="comparison",
        runs=num_runs,
        seed=seed,
        budget=BudgetSpec(seconds=seconds),
        instances=(InstanceSet(label="puzzles", puzzles=tuple(_as_text(puzzle) for puzzle in found)),),
        solvers=tuple(specs),
    )
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "runs.sqlite") as kept:
        _run(experiment, kept, Path(folder), workers, None, is_kept=False)
        table = kept.runs()
        _print_summary(table)
        _print_tests(table)
        if plot:
            _draw(table, plot)
        if report_to:
            _write_report(kept, experiment.name, report_to)


@command
def report(
    store: Annotated[Path, typer.Argument(help="What `sudokulab run` has written.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The HTML file.")] = Path("report.html"),
    experiment: Annotated[str | None, typer.Option(help="Which, if the store has several.")] = None,
) -> None:
    """Write the report of an experiment: one HTML file with tables, figures, faults and the commands to repeat it.

    Example: sudokulab report experiment.sqlite -o report.html
    """
    from sudokulab.lab.store import Store

    check_extension(output, (".html", ".htm"))
    with Store(store, is_readonly=True) as kept:
        names = list(kept.experiments())
        if experiment is None and len(names) != 1:
            raise SudokulabError(f"{store}: has {len(names)} experiments, expected --experiment {' or '.join(names)}")
        _write_report(kept, experiment or names[0], output)


def _as_text(puzzle: Puzzle) -> str:
    with io.StringIO() as text:
        line.FORMAT.write([replace(puzzle, solution=None)], text)  # one line with name and box shape
        return text.getvalue().strip()


def _check_outputs(report_to: Path | None, plot: Path | None = None) -> None:
    """Refuse what cannot be written before hours are spent on it."""
    check_plot(plot)
    if report_to is not None:
        check_extension(report_to, (".html", ".htm"))
    if report_to is not None and not report_to.resolve().parent.is_dir():
        raise SudokulabError(f"{report_to.parent}: no such folder")


def _run(
    experiment: Experiment,
    store: Store,
    folder: Path,
    workers: int | None,
    dask: str | None,
    *,
    is_kept: bool = True,
) -> None:
    from sudokulab.lab.execution import run_experiment
    from sudokulab.lab.live import live_view

    planned = experiment.plan(folder)
    missing = store.missing(experiment.name, planned)
    if len(missing) < len(planned):
        complain(f"{store.path}: {len(planned) - len(missing):,} of {len(planned):,} runs are there already")
    try:
        with live_view(missing) as view:
            run_experiment(experiment, store, folder=folder, workers=workers, dask=dask, observer=view)
    except KeyboardInterrupt:
        if not is_kept:
            raise
        left = len(store.missing(experiment.name, planned))
        complain(f"{store.path}: {len(planned) - left:,} of {len(planned):,} runs are there, the same command goes on")
        raise


def _print_summary(table: pl.DataFrame) -> None:
    from sudokulab.lab.statistics import as_text, summary

    shown = Table("solver", "runs", "success", "95 %", "median s", "95 %", "PAR-2 s", "expected s", box=None)
    for row in summary(table).sort("par2").iter_rows(named=True):
        shown.add_row(
            Text(one_line(row["solver"])),
            f"{row['num_success']} of {row['num_runs']}",
            f"{row['success_rate']:.1%}",
            f"{row['success_low']:.1%} – {row['success_high']:.1%}",
            as_text(row["median_seconds"]),
            f"{as_text(row['median_low'])} – {as_text(row['median_high'])}",
            as_text(row["par2"]),
            as_text(row["expected_seconds"]),
        )
    _Console(width=None if sys.stdout.isatty() else 160).print(shown)
    for (outcome,), group in table.filter(~table["is_success"] & (table["outcome"] != "unsolved")).group_by("outcome"):
        complain(f"{len(group)} runs ended {outcome}: {group['error'][0] or ''}")


def _print_tests(table: pl.DataFrame) -> None:
    from sudokulab.lab.statistics import Test, compare_pairs

    if table["solver"].n_unique() < 2:
        return
    test: Test = "wilcoxon" if table["instance"].n_unique() > 5 else "mann-whitney"
    for row in compare_pairs(table, test=test).iter_rows(named=True):
        verdict = f"{row['better']} is faster" if row["is_significant"] else "no difference shown"
        words = one_line(f"{row['solver_a']} – {row['solver_b']}: {verdict}")
        sys.stdout.write(f"{words} (p = {row['p_holm']:.2g}, {test}, Holm)\n")


def _draw(table: pl.DataFrame, path: Path) -> None:
    from sudokulab.lab import plots

    figure, axis = plots.figure()
    plots.plot_time_to_target(axis, table)
    plots.save(figure, path)
    complain(f"{path}: drawn")


def _write_report(store: Store, experiment: str, path: Path) -> None:
    from sudokulab.lab.report import report as make_report

    with whole_file(path) as stream:
        stream.write(make_report(store, experiment))
    complain(f"{path}: written")


def _export(table: pl.DataFrame, path: Path) -> None:
    check_extension(path, (".parquet", ".csv"))
    with whole_bytes(path) as stream:
        if path.suffix.lower() == ".parquet":
            table.write_parquet(stream)
        else:
            table.write_csv(stream, quote_style="non_numeric")

"""The command line: one file for each command."""

from __future__ import annotations

import typer

import sudokulab
from sudokulab.cli import (
    bench,
    check,
    convert,
    decode,
    demo,
    generate,
    hint,
    instances,
    lab,
    rate,
    reproduce,
    show,
    solve,
    solvers,
    tune,
)

__all__ = ["app", "main"]

app = typer.Typer(
    name="sudokulab",
    help="One laboratory for Sudoku search.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("solve")(solve.solve)
app.command("check")(check.check)
app.command("rate")(rate.rate)
app.command("hint")(hint.hint)
app.command("explain")(hint.explain)
app.command("show")(show.show)
app.command("generate")(generate.generate)
app.add_typer(instances.app, name="instances")
app.command("run")(lab.run)
app.command("runs")(lab.runs)
app.command("compare")(lab.compare)
app.command("report")(lab.report)
app.command("tune")(tune.tune)
app.command("bench")(bench.bench)
app.command("reproduce")(reproduce.reproduce)
app.command("convert")(convert.convert)
app.command("decode")(decode.decode)
app.command("solvers")(solvers.solvers)
app.command("demo")(demo.demo)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sudokulab {sudokulab.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(False, "--version", callback=_print_version, is_eager=True, help="Show the version."),
) -> None:
    pass


def main() -> None:
    """Run the command line."""
    app()

"""``sudokulab tune``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from sudokulab._internal.files import whole_file
from sudokulab.cli.common import check_extension, command, print_message
from sudokulab.cli.inputs import Inputs
from sudokulab.cli.options import (
    BoxOption,
    ColumnOption,
    FromOption,
    LimitOption,
    SolverOption,
    SomePuzzlesArgument,
    list_option,
    split_pairs,
)
from sudokulab.errors import SudokulabError
from sudokulab.formats.base import counted

__all__ = ["tune"]


@command
def tune(
    puzzles: SomePuzzlesArgument,
    solver: SolverOption,
    trials: Annotated[
        int, typer.Option(min=1, help="Number of parameter sets to try, including those in the store.")
    ] = 50,
    cpu_seconds: Annotated[float, typer.Option(min=0.001, help="CPU time of each run, in seconds.")] = 1.0,
    ranges: Annotated[
        list[str] | None,
        list_option(
            "--range",
            split=split_pairs,
            metavar="KEY=RANGE,…",
            help="Ranges of parameters: low..high, or values separated by commas.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Random seed for the search and the runs.")] = 0,
    store: Annotated[Path | None, typer.Option(help="File for the trials. The same command resumes.")] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Output file (.toml) for the best parameters."),
    ] = None,
    limit: LimitOption = None,
    format: FromOption = None,
    box: BoxOption = None,
    column: ColumnOption = None,
) -> None:
    """Tune the parameters of a solver for a set of puzzles.

    `sudokulab solve` reads the result with `--param-file`.

    Example: sudokulab tune 16x16-0.45 --solver ant-colony --trials 50 --cpu-seconds 2 -o ants.toml
    """
    from sudokulab.lab.tuning import tune as tune_solver

    if output:
        check_extension(output, (".toml",))
    chosen = list(Inputs(puzzles, format, box, column=column))[:limit]
    with _naming(store):
        tuned = tune_solver(
            solver,
            chosen,
            trials=trials,
            cpu_seconds=cpu_seconds,
            seed=seed,
            ranges=dict(map(_pair, ranges or [])),
            store=store,
            observer=_print_trial,
            progress=True,
        )
    print_message(
        f"best {tuned.seconds:.4f} s, default parameters {tuned.default_seconds:.4f} s; "
        f"{counted(tuned.num_trials, 'trial')}, {tuned.num_pruned} pruned"
    )
    if output is None:
        typer.echo(tuned.to_toml(), nl=False)
        return
    with whole_file(output) as stream:
        stream.write(tuned.to_toml())


def _print_trial(number: int, score: float | None, params: Mapping[str, object]) -> None:
    words = ", ".join(
        f"{name}={value:.4g}" if isinstance(value, float) else f"{name}={value}" for name, value in params.items()
    )
    print_message(f"trial {number + 1}: {'pruned' if score is None else f'{score:.4f} s'} ({words})")


@contextmanager
def _naming(store: Path | None) -> Iterator[None]:
    """Turn database errors of optuna into one that names the file."""
    from optuna.exceptions import StorageInternalError
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except (StorageInternalError, SQLAlchemyError, UnicodeDecodeError) as error:
        cause = getattr(error.__cause__, "orig", None) or getattr(error, "orig", None) or error
        reason = str(cause).partition("\n")[0]
        raise SudokulabError(f"{store}: cannot be used to store trials: {reason}") from None


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise SudokulabError(f"--range {text}: write KEY=RANGE, such as ants=5..50")
    return key.strip(), value.strip()

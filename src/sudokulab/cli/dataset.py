"""``sudokulab dataset``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudokulab.cli.common import FAILED, command, import_arrow, print_message
from sudokulab.cli.dataset_audit import audit
from sudokulab.cli.dataset_export import export
from sudokulab.cli.dataset_statistics import statistics
from sudokulab.cli.options import DaskOption, ThreadsOption, list_option, split_pairs
from sudokulab.cli.schema import VERSION
from sudokulab.cli.tables import print_table
from sudokulab.errors import SudokulabError
from sudokulab.formats.base import counted

if TYPE_CHECKING:
    from sudokulab.datasets import Split

__all__ = ["app"]

app = typer.Typer(help="Make, split, audit and export data sets for machine learning.", no_args_is_help=True)

FolderArgument = Annotated[Path, typer.Argument(metavar="FOLDER", help="A data set made by `dataset make`.")]
_SHARES = "train=0.8,validation=0.1,test=0.1"


@app.command("make")
@command
def make(
    recipe: Annotated[Path, typer.Argument(metavar="RECIPE", help="A TOML file; see `sudokulab help recipes`.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="Output folder for the data set.")],
    threads: ThreadsOption = None,
    dask: DaskOption = None,
) -> None:
    """Make a data set from a recipe, as Parquet shards.

    The same command resumes a killed job. The data do not depend on threads or machines. `sudokulab help recipes`
    describes recipes.

    Example: sudokulab dataset make recipe.toml -o sets/mine
    """
    import_arrow()
    from sudokulab.datasets import make as make_dataset

    try:
        made = make_dataset(recipe, output, threads=threads, dask=dask, progress=True)
    except KeyboardInterrupt:
        print_message("the same command resumes")
        raise
    puzzles, shards = counted(made.description["num_rows"], "puzzle"), counted(len(made.shards["all"]), "shard")
    print_message(f"{output}: {puzzles} in {shards}")


@app.command("split")
@command
def split(
    folder: FolderArgument,
    shares: Annotated[
        list[str] | None,
        list_option(
            "--shares",
            split=split_pairs,
            metavar="NAME=SHARE,…",
            help=f"The share of each split; they add up to 1. Default: {_SHARES}.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Random seed of the split.")] = 0,
    join_neighbours: Annotated[
        bool,
        typer.Option("--join-neighbours", help="Keep puzzles together that become equivalent when one given is moved."),
    ] = False,
    distinct: Annotated[bool, typer.Option("--distinct", help="Keep only the first of equivalent puzzles.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace existing splits.")] = False,
    threads: ThreadsOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: the leakage report.")] = False,
) -> None:
    """Split a data set into train, validation and test.

    Puzzles that are equivalent or have equivalent solutions go into the same split, so no test puzzle or solution is
    equivalent to one in training. Prints what each pair of splits shares, and writes it to leakage.json in the folder.
    Exit code 1 if they share anything.

    Example: sudokulab dataset split sets/mine --shares train=0.9,test=0.1
    """
    import_arrow()
    from sudokulab.datasets import split as split_dataset

    made = split_dataset(
        folder,
        shares=_parse_shares(split_pairs(_SHARES) if shares is None else shares),
        seed=seed,
        join_neighbours=join_neighbours,
        distinct=distinct,
        force=force,
        threads=threads,
        progress=True,
    )
    if as_json:
        sys.stdout.write(f"{json.dumps({'version': VERSION, **made.to_dict()})}\n")
    else:
        _print_split(made)
    if not made.is_clean:
        raise typer.Exit(FAILED)


def _parse_shares(entries: list[str]) -> dict[str, float]:
    try:
        pairs = [entry.split("=") for entry in entries]
        shares = {name.strip(): float(share) for name, share in pairs}
        if len(shares) < len(pairs):
            raise ValueError
        return shares
    except ValueError:
        raise SudokulabError(f"--shares {','.join(entries)}: write shares such as {_SHARES}") from None


def _print_split(made: Split) -> None:
    rows = ", ".join(f"{name} {number:,}" for name, number in made.num_rows.items())
    print_message(f"{rows} puzzles, in {made.num_groups:,} groups that must stay together")
    columns = ["splits", "shared puzzle classes", "shared solution classes", "shared neighbours"]
    leaks = [
        (
            f"{leak.first}, {leak.second}",
            *(
                "not checked" if number is None else number
                for number in (leak.num_puzzle_classes, leak.num_solution_classes, leak.num_neighbour_keys)
            ),
        )
        for leak in made.leaks
    ]
    if leaks:
        print_table(columns, leaks)


app.command("audit")(audit)
app.command("export")(export)
app.command("statistics")(statistics)

"""``sudokulab instances``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from sudokulab._internal.suggestions import unknown_name
from sudokulab.cli.common import command, print_message
from sudokulab.cli.completion import complete_collection, complete_one_of
from sudokulab.cli.encoding import output_of_puzzles
from sudokulab.cli.tables import print_table
from sudokulab.errors import SudokulabError
from sudokulab.formats import line
from sudokulab.instances.collections import KNOWN, Collection, add_folder, collections, download, find, remove_folder

__all__ = ["app"]

app = typer.Typer(help="List, print, add and download puzzle collections.", invoke_without_command=True)


@app.callback()
def _default(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        list_collections()


@app.command("list")
@command
def list_collections() -> None:
    """List the collections that commands accept by name.

    Example: sudokulab instances list
    """
    _print_table(collections())
    print_message("use a collection with `sudokulab solve NAME`; `instances download` lists what can be downloaded")


@app.command("show")
@command
def show(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="See `sudokulab instances list`.", autocompletion=complete_collection)
    ],
) -> None:
    """Print a collection, one puzzle per line.

    Example: sudokulab instances show hard
    """
    collection = find(name)
    if collection is None:
        raise SudokulabError(unknown_name("collection", name, [collection.name for collection in collections()]))
    output = output_of_puzzles()
    for words in (collection.title, *collection.commands, f"sha256 {collection.sha256}"):
        if words:
            output.write(f"# {words}\n")
    line.FORMAT.write(collection, output)


@app.command("add")
@command
def add(folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder with puzzle files.")]) -> None:
    """Make the files in a folder usable by name.

    The environment variable SUDOKULAB_DATA does the same for one session.

    Example: sudokulab instances add my-puzzles
    """
    found = add_folder(folder)
    _print_table(found)
    for collection in found:
        used = find(collection.name)
        if used is not None and used.files != collection.files:
            print_message(f"{collection.name}: {used.source} has this name, too; rename one of them")


@app.command("remove")
@command
def remove(folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder that was added.")]) -> None:
    """Remove an added folder from the list; its files are kept.

    Example: sudokulab instances remove my-puzzles
    """
    remove_folder(folder)


@app.command("download")
@command
def fetch(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="Name of a known collection.", autocompletion=complete_one_of(KNOWN)),
    ] = None,
) -> None:
    """Download a public collection, or list the known ones.

    Example: sudokulab instances download royle-17
    """
    if name is None:
        print_table(["name", "description", "url"], [(known, entry.title, entry.url) for known, entry in KNOWN.items()])
        return
    _print_table([download(name)])


def _print_table(found: Iterable[Collection]) -> None:
    print_table(["name", "puzzles", "size", "sha256", "description or source"], map(_row, found))


def _row(collection: Collection) -> tuple[str, str, str, str, str]:
    try:
        sizes: dict[str, int] = {}
        for puzzle in collection:
            sizes[f"{puzzle.size}×{puzzle.size}"] = sizes.get(f"{puzzle.size}×{puzzle.size}", 0) + 1
        number = str(sum(sizes.values()))
    except (SudokulabError, OSError) as error:
        return collection.name, "?", "", "", f"cannot be read: {error}"
    what = collection.title or collection.source
    return collection.name, number, ", ".join(sizes), collection.sha256[:12], what

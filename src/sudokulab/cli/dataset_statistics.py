"""``sudokulab dataset statistics``."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from sudokulab.cli.common import check_extension, command, print_message
from sudokulab.cli.options import ThreadsOption
from sudokulab.errors import SudokulabError

__all__ = ["statistics"]


@command
def statistics(
    output: Annotated[Path, typer.Option("--output", "-o", help="Output file for the page (.md).")],
    blocks: Annotated[
        int, typer.Option(min=1000, help="Number of blocks of 32,768 removal orders; one in eight has a puzzle.")
    ] = 20_000,
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Random seed of the sample.")] = 0,
    threads: ThreadsOption = None,
) -> None:
    """Estimate statistics of all minimal 9×9 puzzles.

    Writes a page with figures, which compares the number of minimal puzzles by number of givens, and their ratings,
    with published values.

    Example: sudokulab dataset statistics --blocks 20000 -o statistics.md
    """
    from sudokulab.datasets.statistics import minimal_statistics
    from sudokulab.datasets.statistics_page import write_page

    _check_page(output)
    found = minimal_statistics(blocks, seed=seed, threads=threads, progress=True)
    words = f"sudokulab dataset statistics --blocks {blocks} --seed {seed} -o {shlex.quote(str(output))}"
    for path in write_page(found, output, words):
        print_message(f"{path}: written")


def _check_page(path: Path) -> None:
    """Refuse a page that cannot be written, before minutes of work."""
    if path.exists() and not path.is_file():  # a device has no place for the figures
        raise SudokulabError(f"{path}: is a {'folder' if path.is_dir() else 'device'}; name a Markdown file")
    check_extension(path, (".md",))
    if not path.resolve().parent.is_dir():
        raise SudokulabError(f"{path.parent}: no such folder")

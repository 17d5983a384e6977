"""``sudokulab help``: the help of a command, or a page on a topic that concerns several commands."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import typer
from rich.console import Console
from rich.markdown import Markdown

from sudokulab._internal.suggestions import unknown_name
from sudokulab.cli.common import command
from sudokulab.cli.completion import complete_topic
from sudokulab.errors import SudokulabError

__all__ = ["TOPICS", "show_help"]


class Topic(NamedTuple):
    """A page in Markdown, and its line in the list of topics."""

    summary: str
    page: str


TOPICS: dict[str, Topic] = {
    "puzzles": Topic(
        "files, collections, text and standard input",
        """
Wherever a command takes puzzles, it accepts

- files in any format (`sudokulab help formats`), also compressed;
- names of collections (`sudokulab instances`);
- puzzles as text, such as `1.....3..4.....2`;
- `-` for standard input, which is also the default.

Boxes are as nearly square as possible; `--box 2x6` sets another shape. An unreadable puzzle stops the command with an
error that names line and column; `--keep-going` continues after unreadable puzzles and lists them.
""",
    ),
    "formats": Topic(
        "file formats and compression",
        """
The extension of a file selects its format. Text files and standard input are detected by content. `--from FORMAT`
overrides both. `convert` writes all formats:

@FORMATS@

Compressed input (gzip, zip, zstd) is also detected. Output is compressed if its name ends in `.gz`, `.zip` or `.zst`.
""",
    ),
    "limits": Topic(
        "time, iterations, nodes, counts and seeds",
        """
`--seconds`, `--iterations` and `--nodes` limit the search of each puzzle. Metaheuristics count iterations, tree
searches count nodes (`sudokulab solvers` shows the unit of each solver). Without a limit, an incomplete solver runs
until it finds a solution. The lab limits CPU time instead: `--cpu-seconds`.

`--count` is the number of puzzles to make, `--limit` the number of input puzzles to use. The same `--seed` gives the
same run. Ctrl-C ends a command; the same command then resumes experiments, generated files and reproductions.
""",
    ),
    "parameters": Topic(
        "parameters of solvers",
        """
`-p KEY=VALUE` sets a parameter of the solver: `--solver ant-colony -p ants=20 -p q0=0.8`, or `-p ants=20,q0=0.8`. Every
option whose values the help shows as a list (`NAME,…`) accepts commas, repetition, or both.
`--param-file FILE` reads parameters from a TOML file, as `sudokulab tune` writes them. With several solvers, a
parameter or file can name its solver: `-p ant-colony:ants=20 --param-file annealing:tuned.toml`.
`sudokulab solvers NAME` lists the parameters of a solver with their defaults and ranges.
""",
    ),
    "recipes": Topic(
        "recipes of data sets",
        """
`sudokulab dataset make` reads a TOML file:

```
name = "Graded"                       # a title
seed = 1                              # the same recipe gives the same rows
ratings = ["se", "rules"]             # also technique, trial, search; default: none
shard_size = 50000                    # rows per Parquet file

[[parts]]
count = 1000
minimal = true

[[parts]]
count = 300
symmetry = "half-turn"
balance = { level = ["easy", "medium", "hard"] }
```

A part takes the options of `sudokulab generate` that specify puzzles, and a seed. With `balance`, each value of one
option gets an equal share of the puzzles: `balance = { se = [[1.0, 2.0], [6.0, 7.0]] }`.
""",
    ),
    "output": Topic(
        "terminals, pipes, JSON and exit codes",
        """
On a terminal, commands draw boards and tables and show progress. In a pipe, they print plain lines: one solution per
line, or columns separated by tabs, after a line with their names. `--json` prints one JSON object per line. Messages go
to standard error.

Exit codes: 0 success, 1 a puzzle was not solved or has no unique solution, or a data set has a defect, 2 bad input or
usage, 130 interrupted.
""",
    ),
    "environment": Topic(
        "environment variables",
        """
- `SUDOKULAB_DATA`: folders with puzzle collections, separated like `PATH`; their files can be used by name.
- `SUDOKULAB_INSTRUCTIONS`: `avx512`, `avx2`, `portable` or `best` (the default), for the engine of 9×9 puzzles.
- `SUDOKULAB_TOKEN`: the token of `sudokulab serve`.
- `NO_COLOR`: print without colours.
""",
    ),
}


@command
def show_help(
    topic: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="COMMAND|TOPIC",
            help="A command, such as solve or instances add, or a topic.",
            autocompletion=complete_topic,
        ),
    ] = None,
) -> None:
    """Show the help of a command or topic.

    Without an argument, lists commands and topics.

    Example: sudokulab help formats
    """
    from sudokulab.cli import COMMANDS, GROUPS, app

    first, *others = topic or [""]
    if first in COMMANDS:
        app([first, *others, "--help"])
    elif not first:
        groups = "\n".join(f"- {group}: {', '.join(f'`{name}`' for name in names)}" for group, names in GROUPS.items())
        _print(f"`sudokulab help COMMAND` describes a command:\n\n{groups}")
        topics = "\n".join(f"- `{name}`: {page.summary}" for name, page in TOPICS.items())
        _print(f"`sudokulab help TOPIC` describes a topic:\n\n{topics}")
    elif first in TOPICS and not others:
        _print(TOPICS[first].page.replace("@FORMATS@", _formats()).strip())
    else:
        raise SudokulabError(unknown_name("command or topic", " ".join([first, *others]), [*COMMANDS, *TOPICS]))


def _formats() -> str:
    from sudokulab.formats import FORMATS

    return "\n".join(
        f"- `{name}`: {known.title}" + (f" ({' '.join(known.extensions)})" if known.extensions else "")
        for name, known in FORMATS.items()
    )


def _print(text: str) -> None:
    console = Console()
    if console.is_terminal:
        console.print(Markdown(text), width=min(console.width, 100))
    else:
        print(text)

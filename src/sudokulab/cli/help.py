"""``sudokulab help``: the help of a command, or a page on a topic that concerns several commands."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.markdown import Markdown

from sudokulab._internal.suggestions import unknown_name
from sudokulab.cli.common import command
from sudokulab.cli.completion import complete_topic
from sudokulab.errors import SudokulabError

__all__ = ["TOPICS", "show_help"]

TOPICS = {
    "puzzles": """
Wherever a command takes puzzles, it accepts

- files in any format (`sudokulab help formats`), also compressed;
- names of collections (`sudokulab instances`);
- puzzles as text, such as `1.....3..4.....2`;
- `-` for standard input, which is also the default.

Boxes are as nearly square as possible; `--box 2x6` sets another shape. An unreadable puzzle stops the command with an
error that names line and column; `--keep-going` processes the others.
""",
    "formats": """
The format of a file is recognised from its content. `--from FORMAT` overrides that, and `convert` writes any of them:

@FORMATS@

Compressed input (gzip, zip, zstd) is recognised as well. Output is compressed if its name ends in `.gz`, `.zip` or
`.zst`.
""",
    "limits": """
`--seconds`, `--iterations` and `--nodes` limit the search of each puzzle. Metaheuristics count iterations, tree
searches count nodes (`sudokulab solvers` shows the unit of each solver). Without a limit, an incomplete solver runs
until it finds a solution. The lab limits CPU time instead: `--cpu-seconds`.

The same `--seed` gives the same run. Ctrl-C ends a command; experiments, generated files and reproductions resume.
""",
    "parameters": """
`-p KEY=VALUE` sets a parameter of the solver, and can be repeated: `--solver ant-colony -p ants=20 -p q0=0.8`.
`--param-file FILE` reads parameters from a TOML file, as `sudokulab tune` writes them. `sudokulab solvers NAME` lists
the parameters of a solver with their defaults and ranges.
""",
    "output": """
On a terminal, commands draw boards and tables and show progress. In a pipe, they print plain lines: one solution per
line, or columns separated by tabs. `--json` prints one JSON object per line. Messages go to standard error.

Exit codes: 0 success, 1 a puzzle was not solved or has no unique solution, 2 bad input or usage, 130 interrupted.
""",
    "environment": """
- `SUDOKULAB_DATA`: folders with puzzle collections, separated like `PATH`; their files can be used by name.
- `SUDOKULAB_INSTRUCTIONS`: `avx512`, `avx2` or `portable`, for the engine of 9×9 puzzles. Default: the fastest.
- `SUDOKULAB_TOKEN`: the token of `sudokulab serve`.
- `NO_COLOR`: print without colours.
""",
}
"""Pages by topic, in Markdown."""


@command
def show_help(
    topic: Annotated[str | None, typer.Argument(help="A command, or a topic.", autocompletion=complete_topic)] = None,
) -> None:
    """Show the help of a command or of a topic; without an argument, list the topics.

    Example: sudokulab help formats
    """
    from sudokulab.cli import COMMANDS, app

    if topic in COMMANDS:
        app([topic, "--help"])
    elif topic is None:
        _print("`sudokulab help COMMAND` describes a command: " + ", ".join(COMMANDS) + ".")
        _print("`sudokulab help TOPIC` describes a topic: " + ", ".join(TOPICS) + ".")
    elif topic in TOPICS:
        _print(TOPICS[topic].replace("@FORMATS@", _formats()).strip())
    else:
        raise SudokulabError(unknown_name("topic", topic, [*COMMANDS, *TOPICS]))


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

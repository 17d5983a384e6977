"""Every command printed beside a figure in README.md and docs/reference/benchmarks.md prints the row of that figure.

The commands run with few puzzles and little time, on files made here: the figures themselves depend on the machine. A
stand-in for the library of tdoku has its interface, not its speed.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from sudokulab import SudokulabError, _core, instances, write
from sudokulab.external import RIVALS
from sudokulab.gpu.devices import require_device
from tests.bench.libraries import compile_library
from tests.timing import PATIENCE_SECONDS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
COMMAND = re.compile(r"(?:sudokulab bench|sudokulab compare|sudokulab rate|python benchmarks/)[^`]*")
LARGE = {"--count": "1", "--seconds": "0.3"}
SMALLER: dict[str, dict[str, str]] = {
    "benchmarks/wall.py": LARGE,
    "benchmarks/annealing.py": {"--seconds": "0.01"},
    "benchmarks/calls.py": {"--in-file": "1000"},
    "benchmarks/web_load.py": {"--requests": "2", "--seconds": "0.3"},
    "benchmarks/frames.py": {"--rounds": "1", "--baseline": sys.executable},
}
"""Options that make a script quick. `small` does the same for `sudokulab bench`."""
SENTENCES = {
    "benchmarks/annealing.py": ["million swap evaluations per second"],
    "benchmarks/rules.py": ["puzzles per second"],
    "benchmarks/hints.py": ["9×9: ", "25×25: ", "median", "slowest"],
    "benchmarks/frames.py": ["annealing", "hill-climbing", "dlx"],
    "sudokulab rate": ["rated"],
}
"""What a command prints whose figures stand in a sentence rather than in a table."""


class Figure(NamedTuple):
    """A command and the labels of the rows beside it."""

    command: str
    labels: list[str]


def figures_of_readme() -> list[Figure]:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    return [
        Figure(command, [label]) for command, label in re.findall(r"^\|.*\| `(.*)`, row `(.*)` \|$", page, re.MULTILINE)
    ]


def figures_of_benchmarks() -> list[Figure]:
    """Return the commands with the tables that follow them, up to the next command or heading."""
    page = (ROOT / "docs" / "reference" / "benchmarks.md").read_text(encoding="utf-8").partition("## All results")[2]
    page = page.replace("\\\n", " ")
    figures: list[Figure] = []
    for block in map(str.strip, re.split(r"\n\n|\n```\w*", page)):
        if block.startswith("|") and figures:
            figures[-1].labels.extend(labels_of(block, figures[-1].command))
        elif commands := COMMAND.findall(" ".join(block.split())):
            figures.extend(Figure(command, []) for command in commands)
    return figures


def labels_of(table: str, command: str) -> list[str]:
    """Return what names the rows of a table: the first cells, or the solvers in its head."""
    rows = [[cell.strip().replace("`", "") for cell in row.split("|")[1:-1]] for row in table.splitlines()]
    head, body = rows[0], rows[2:]
    solvers = [cell.partition(",")[0] for cell in head if cell in ("auto", "cadical", "cp-sat")]
    first = [] if solvers else [row[0] for row in body]
    if "wall.py" in command:  # one command measures some of the rows
        first = [label for row in body for label in row[:3] if is_measured(row, command) and label]
    return [label for label in dict.fromkeys([*solvers, *first]) if is_here(label)]


def is_measured(row: list[str], command: str) -> bool:
    fractions = [f"{100 * float(text):g} %" for text in re.findall(r"--fixed (\S+)", command)[0].split(",")]
    return row[0] == "all" or row[2] in fractions


def is_here(label: str) -> bool:
    """Return whether this machine has the contender: not all have all instruction sets and rivals."""
    missing = [f"bulk-{name}" for name in ("avx2", "avx512") if name not in _core.instructions()]
    return label not in [*missing, *(name for name, rival in RIVALS.items() if not rival.is_installed())]


def small(command: str) -> list[str]:
    """Return the words of a command that does the same with less."""
    program, *words = shlex.split(command)
    script = program if program == "sudokulab" else words.pop(0)
    options = dict(SMALLER.get(script, {}))
    if words[:1] == ["bench"]:
        is_large = "--fixed" in words and words[words.index("--size") + 1] != "9"
        options = LARGE if is_large or "hard25.txt" in words else {"--count": "20", "--rounds": "1"}
        if {"generate", "start"} & set(words):
            options = {"--rounds": "1"}
    elif words[:1] == ["compare"]:
        options = {"--cpu-seconds": "0.5", "--limit": "1"}
    for option, value in options.items():
        if option in words:
            words[words.index(option) + 1] = value
        else:
            words += [option, value]
    start = [sys.executable, "-m", "sudokulab"] if script == "sudokulab" else [sys.executable, str(ROOT / script)]
    return [*start, *words]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files that the commands name."""
    folder = tmp_path_factory.mktemp("figures")
    easy = list(instances.find("easy") or ())[:20]
    for name in ("royle-17-clue.txt", "forum-hardest-11plus.txt", "forum-hardest-1106.txt"):
        write(easy, folder / name)
    write(list(instances.find("25x25-0.60") or ())[:2], folder / "hard25.txt")
    compile_library(folder).rename(folder / "libtdoku.so")
    write(list(instances.find("16x16-0.45") or ())[:1], folder / "hard16.txt")
    for name in ("sudokusolver", "ilsSolver"):
        (folder / name).write_text("#!/bin/sh\nexit 1\n")
        (folder / name).chmod(0o755)
    return folder


def all_figures() -> list[Figure]:
    """Return all figures; those of equal commands become one."""
    labels: dict[tuple[str, ...], Figure] = {}
    for command, names in [*figures_of_readme(), *figures_of_benchmarks()]:
        words = tuple("-w" if word == "--workload" else word for word in small(command))
        labels.setdefault(words, Figure(command, [])).labels.extend(names)
    return list(labels.values())


FIGURES = all_figures()


def test_the_commands_are_found() -> None:
    assert len(figures_of_readme()) == 5
    assert len(figures_of_benchmarks()) >= 16
    for figure in FIGURES:
        assert figure.labels or any(name in figure.command for name in SENTENCES), figure.command


@pytest.mark.parametrize("figure", FIGURES, ids=[figure.command[:70] for figure in FIGURES])
def test_a_command_prints_the_row_of_its_figure(figure: Figure, folder: Path) -> None:
    if "--device" in figure.command:
        try:
            require_device(0)
        except SudokulabError as error:
            pytest.skip(str(error))
    done = subprocess.run(small(figure.command), cwd=folder, capture_output=True, text=True, timeout=PATIENCE_SECONDS)
    sentences = next((said for name, said in SENTENCES.items() if name in figure.command), [])
    for label in figure.labels or sentences:
        assert label in done.stdout, f"{figure.command}\n{done.stdout}\n{done.stderr}"

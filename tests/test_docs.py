"""The commands and files printed in the documentation work, in the order in which they are printed.

A block of the language ``sh`` is executed; a block whose first line is ``# name.ext`` is a file that the reader saves.
Blocks of the language ``console``, which need a server, a cluster, other programs or minutes, are only shown. Examples
with ``>>>`` are doctests of pytest.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sudokulab import write
from tests.puzzles import EASY, INKALA

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
GUIDES = [DOCS / "tutorial.md", *sorted((DOCS / "how-to").glob("*.md"))]
"""Pages whose commands use only files that the pages make."""
OTHERS = [
    ROOT / "README.md",
    *(DOCS / f"{name}.md" for name in ("frames", "lab", "ratings", "solvers", "web")),
]
"""Pages whose commands use files that readers have."""
MAX_SECONDS = 180
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def has_commands(page: Path) -> bool:
    return any(language == "sh" for language, _ in BLOCK.findall(page.read_text(encoding="utf-8")))


def run_page(page: Path, folder: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for language, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        first, _, rest = text.partition("\n")
        if name := re.fullmatch(r"# (\S+\.\w+)", first):
            (folder / name[1]).write_text(rest, encoding="utf-8")
        elif language == "sh":
            done = subprocess.run(
                ["bash", "-e", "-c", text],
                cwd=folder,
                env=os.environ | {"PATH": path},
                capture_output=True,
                text=True,
                timeout=MAX_SECONDS,
            )
            assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("page", [*filter(has_commands, GUIDES)], ids=lambda page: page.stem)
def test_the_commands_of_a_guide_work_in_order(page: Path, tmp_path: Path) -> None:
    run_page(page, tmp_path)


@pytest.mark.parametrize("page", [*filter(has_commands, OTHERS)], ids=lambda page: page.stem)
def test_the_commands_of_a_page_work_on_files_of_the_reader(page: Path, tmp_path: Path) -> None:
    for name in ("puzzles.txt", "puzzles.csv.gz", "puzzles.sdm"):
        write([EASY, INKALA], tmp_path / name)
    for name in ("puzzle.txt", "my-puzzle.sdk"):
        write(EASY, tmp_path / name)
    run_page(page, tmp_path)

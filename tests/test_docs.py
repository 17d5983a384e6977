"""The commands and files printed in the tutorial and in the how-to pages work, in the order in which they are printed.

A block of the language ``sh`` is executed; a block whose first line is ``# name.ext`` is a file that the reader saves.
Blocks of the language ``console`` are only shown. Examples with ``>>>`` are doctests of pytest.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"
PAGES = [DOCS / "tutorial.md", *sorted((DOCS / "how-to").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def has_commands(page: Path) -> bool:
    return any(language == "sh" for language, _ in BLOCK.findall(page.read_text(encoding="utf-8")))


@pytest.mark.parametrize("page", [page for page in PAGES if has_commands(page)], ids=lambda page: page.stem)
def test_the_commands_of_a_page_work_in_order(page: Path, tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for language, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        first, _, rest = text.partition("\n")
        if name := re.fullmatch(r"# (\S+\.\w+)", first):
            (tmp_path / name[1]).write_text(rest, encoding="utf-8")
        elif language == "sh":
            done = subprocess.run(
                ["bash", "-e", "-c", text],
                cwd=tmp_path,
                env=os.environ | {"PATH": path},
                capture_output=True,
                text=True,
            )
            assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"

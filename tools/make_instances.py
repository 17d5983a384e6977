"""Regenerate the bundled sets, all or by name: `python tools/make_instances.py [NAME]...`.

Each file states the commands that made it. ``famous`` is skipped: it was collected by hand.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

from sudokulab import read

DATA = Path(__file__).parents[1] / "src" / "sudokulab" / "instances" / "data"


def lines_of(arguments: str) -> str:
    command = [sys.executable, "-m", "sudokulab", "generate", *shlex.split(arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def contents(entry: dict[str, list[str]]) -> str:
    """Return the contents of a set's file."""
    text = f"# {entry['title']}\n"
    for arguments in entry["make"]:
        text += f"# sudokulab generate {arguments}\n{lines_of(arguments)}"
    famous = {puzzle.name: puzzle for puzzle in read(DATA / "famous.txt")}
    for name in entry.get("add", []):
        text += f"{famous[name].line} {name}\n"
    return text


def sets_of() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads((DATA / "sets.toml").read_text(encoding="utf-8"))


def main() -> None:
    sets = sets_of()
    for name in sys.argv[1:] or sets:
        if "make" in sets[name]:
            (DATA / f"{name}.txt").write_text(contents(sets[name]), encoding="utf-8")
            print(name, flush=True)


if __name__ == "__main__":
    main()

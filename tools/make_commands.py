"""Write the page of all commands and options, from the command line itself: python tools/make_commands.py FILE.

typer writes the page; this script mends what is meant for a terminal: cut-off summaries, examples in the text, and
ranges in its own notation.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

__all__ = ["commands_page", "mended"]

_LARGE = 2**62
"""Larger bounds come from an integer type and tell readers nothing."""


def commands_page() -> str:
    arguments = ["sudokulab.cli", "utils", "docs", "--name", "sudokulab", "--title", "Commands"]
    done = subprocess.run([sys.executable, "-m", "typer", *arguments], check=True, capture_output=True, text=True)
    return mended(done.stdout)


def mended(page: str) -> str:
    sections = re.split(r"^(?=#+ `sudokulab )", page, flags=re.MULTILINE)
    summaries = {}
    for section in sections:
        if found := re.match(r"#+ `sudokulab (.+?)`\n\n(.+?)\n\n", section, re.DOTALL):
            summaries[found[1]] = " ".join(found[2].split())
    return "".join(_mended_section(section, summaries) for section in sections)


def _mended_section(section: str, summaries: dict[str, str]) -> str:
    group = found[1] if (found := re.match(r"#+ `sudokulab (.+?)`", section)) else ""
    description, title, commands = section.partition("**Commands**:\n")
    commands = re.sub(
        r"^\* `(.+?)`: .*$",
        lambda entry: f"* `{entry[1]}`: {summaries[f'{group} {entry[1]}'.strip()]}",
        commands,
        flags=re.MULTILINE,
    )
    description = re.sub(r"^Example: (.+)$", r"```console\n$ \1\n```", description, flags=re.MULTILINE)
    description = re.sub(r"<(?:list\[)?([^<>\]]+?)(?: range)?\]?>`", r"<\1>`", description)
    description = re.sub(r"  \[([^][]+)\]$", _note, description, flags=re.MULTILINE)
    return description + title + commands


def _note(bracket: re.Match[str]) -> str:
    """Return the default and the range of an option in words."""
    told = "; ".join(filter(None, map(_range, bracket[1].split("; "))))
    return f" ({told})" if told else ""


def _range(part: str) -> str:
    """Return a range in words; nothing if it says only that a number is not negative. Leave other parts alone."""
    found = re.fullmatch(r"x>=(\S+)|(\S+)<=x<=(\S+)", part)
    if found is None:
        return part
    low, high = found[1] or found[2], found[3]
    if high and float(high) < _LARGE:
        return f"{low} to {int(high):,}" if high.isdecimal() else f"{low} to {high}"
    return f"at least {low}" if float(low) else ""


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(commands_page(), encoding="utf-8")

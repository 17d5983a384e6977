"""Run ``pip install`` with the given arguments, and show how many files have been compiled.

    python tools/build.py --editable .

A terminal shows one line that counts; a pipe gets a line for each quarter. If the build fails, its last lines follow.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import deque

_PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--verbose"]
_COMPILED = re.compile(r"\s*\[(\d+)/(\d+)\] (?!Re-checking)")
_NUM_LAST = 60  # lines to show after an error


def main(arguments: list[str]) -> int:
    """Install; return the exit code of pip."""
    last = deque[str](maxlen=_NUM_LAST)
    with subprocess.Popen(
        [*_PIP, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as pip:
        assert pip.stdout is not None
        for line in pip.stdout:
            last.append(line)
            if compiled := _COMPILED.match(line):
                _show(int(compiled[1]), int(compiled[2]))
    if sys.stdout.isatty():
        print()
    if pip.returncode != 0:
        print("\n", *last, "The build failed; the reason is above.", sep="", file=sys.stderr)
    return pip.returncode


def _show(number: int, total: int) -> None:
    text = f"Compiling the native core: {number} of {total} files"
    if sys.stdout.isatty():
        print(f"\r{text}", end="", flush=True)
    elif number * 4 // total > (number - 1) * 4 // total:
        print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

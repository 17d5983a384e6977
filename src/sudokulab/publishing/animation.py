"""Animations of recorded runs: one HTML file with the recording and the player of the web page.

The file needs no server and no network: style sheets are inlined, and the JavaScript modules are data URLs of an import
map. A content security policy forbids every request.
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterable
from functools import cache
from importlib import resources
from pathlib import Path

from sudokulab._internal.files import whole_file
from sudokulab.errors import FormatError, ParameterError
from sudokulab.search.frames import frames_to_lines, read_frames
from sudokulab.search.result import Result

__all__ = ["EXTENSIONS", "MAX_SIZE", "Animation", "animate", "player_page"]

MAX_SIZE = 25
"""The largest grid that the player shows."""
EXTENSIONS = (".html", ".jsonl")
"""The extensions of files that `Animation.save` writes."""

_ENTRY = "standalone.js"
_STYLES = ("app.css", "board.css", "player.css")
_TYPES = re.compile(r"^ */\*\*.*?\*/\n", re.MULTILINE | re.DOTALL)  # comments for the type checker
_IMPORT = re.compile(r'((?:\bfrom|\bimport)\s+")\./([\w-]+\.js)"')
_HEIGHT = 900  # of the frame in a notebook, in pixels
_POLICY = "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data:"
_PLACE = 'id="recording">'
_PAGE = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sudokulab</title>
<style>
@STYLES@
</style>
<script type="importmap">@MODULES@</script>
</head>
<body>
<main id="page"></main>
<noscript>This animation needs JavaScript.</noscript>
<script type="application/jsonl" {_PLACE}</script>
<script type="module">import "sudokulab/{_ENTRY}";</script>
</body>
</html>
"""


class Animation:
    """A recorded run that can be watched in a browser or in a notebook.

    Parameters
    ----------
    lines
        The JSON lines of the recording; see `sudokulab.search.frames`.

    Raises
    ------
    FormatError
        If the lines are not a recording, or have no frames.
    ParameterError
        If the grid is too large.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = tuple(line for line in (text.strip() for text in lines) if line)
        """The recording."""
        recording = read_frames(self.lines)
        size = int(recording.header["size"])
        if not recording.frames:
            raise FormatError("no frames", "pass a recorded run", source="<recording>")
        if size > MAX_SIZE:
            raise ParameterError(
                f"cannot animate a {size}×{size} grid; animations show grids up to {MAX_SIZE}×{MAX_SIZE}"
            )
        self.num_frames = len(recording.frames)
        """The number of frames."""
        self._title = f"{recording.header.get('solver')} on a {size}×{size} puzzle"

    def __repr__(self) -> str:
        return f"<Animation of {self._title}, {self.num_frames} frames>"

    @property
    def html(self) -> str:
        """The self-contained HTML page."""
        text = "\n".join(self.lines).replace("<", r"\u003c")  # so that no text can end the script element
        return player_page().replace(_PLACE, f"{_PLACE}{text}", 1)

    def save(self, path: str | Path) -> Path:
        """Write a file: ``.html`` for a page that plays the run, ``.jsonl`` for the recording alone.

        Raises
        ------
        ParameterError
            If the extension is another one.
        """
        path = Path(path)
        extension = path.suffix.lower()
        if extension not in EXTENSIONS:
            raise ParameterError(f"{path}: unknown extension {extension!r}; choose {' or '.join(EXTENSIONS)}")
        with whole_file(path) as stream:
            stream.write(self.html if extension == ".html" else "\n".join(self.lines) + "\n")
        return path

    def _repr_html_(self) -> str:
        page = html.escape(self.html, quote=True)
        return (
            f'<iframe srcdoc="{page}" sandbox="allow-scripts" width="100%" height="{_HEIGHT}" style="border: 0" '
            f'title="{html.escape(self._title)}"></iframe>'
        )


def animate(result: Result) -> Animation:
    """Return an animation of a run, which a notebook shows as a player.

    Parameters
    ----------
    result
        The result of ``solve(..., frames=True)``.

    Raises
    ------
    ParameterError
        If the result has no frames, or the grid is larger than 25×25.

    Examples
    --------
    >>> import sudokulab
    >>> result = sudokulab.solve("1.....3..4.....2", "annealing", seed=1, frames=True)
    >>> animate(result)  # doctest: +ELLIPSIS
    <Animation of annealing on a 4×4 puzzle, ... frames>
    """
    if not isinstance(result, Result):
        raise ParameterError(f"cannot animate {type(result).__name__}; pass the result of solve(..., frames=True)")
    return Animation(frames_to_lines(result))


@cache
def player_page() -> str:
    """Return the page without a recording. The web page fetches it and inserts a run."""
    modules = {f"sudokulab/{name}": _data_url(text) for name, text in _modules().items()}
    styles = "\n".join(_static("css", name) for name in _STYLES)
    return _PAGE.replace("@STYLES@", styles).replace("@MODULES@", json.dumps({"imports": modules}))


def _modules() -> dict[str, str]:
    """Return the player's modules by name, each importing the others by bare names, which an import map resolves."""
    found: dict[str, str] = {}
    waiting = [_ENTRY]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        text = _TYPES.sub("", _static("js", name))
        waiting.extend(match[2] for match in _IMPORT.finditer(text))
        found[name] = _IMPORT.sub(r'\1sudokulab/\2"', text)
    return found


def _static(kind: str, name: str) -> str:
    return (resources.files("sudokulab") / "web" / "static" / kind / name).read_text(encoding="utf-8")


def _data_url(text: str) -> str:
    return f"data:text/javascript;base64,{base64.b64encode(text.encode()).decode()}"

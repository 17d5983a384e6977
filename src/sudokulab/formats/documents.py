"""Puzzles as the documents inside the links of f-puzzles and SudokuPad.

An f-puzzles document has a ``size``, a ``grid`` of cells (``{"value": 5, "given": true}``) and a member per kind of
constraint. A SudokuPad document has ``cells``, ``regions`` and lists of things to draw; it is abbreviated like this::

    {ce:[[{v:5},,{v:1},],…],re:[[[0,0],[0,1],…],…],metadata:{title:'A puzzle'}}

Only classic puzzles can be read. A document with another constraint is an error, because its rules would be lost.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import chain
from typing import TypeVar

from sudokulab.errors import PuzzleError
from sudokulab.formats.base import SIZES, one_line
from sudokulab.puzzle import BoxShape, Puzzle

__all__ = [
    "LONGEST_DOCUMENT",
    "MAX_LINK_SIZE",
    "MAX_TOKENS",
    "TOO_LONG",
    "document_of",
    "puzzle_of",
    "puzzle_of_pad",
    "unabbreviated",
]

T = TypeVar("T")

MAX_LINK_SIZE = 16
"""The largest grid that the sites can open."""
LONGEST_DOCUMENT = 1 << 17
"""The maximum length of a document in characters: enough for a grid of that size with the longest title and rules."""

MAX_TOKENS = 1 << 14
"""The maximum number of words and brackets in a SudokuPad document: more than a grid of that size has."""

_CLASSIC = (
    "use a classic Sudoku (givens and boxes only): to solve the classic part, remove the other constraints on the site "
    "and copy the link again"
)
TOO_LONG = f"the link is too long for a classic puzzle; {_CLASSIC}"
"""The message for a document over these limits."""

_KINDS = {dict: "an object", list: "a list", str: "text", bool: "true or false"}

_HARMLESS = re.compile(
    "size|grid|title|author|ruleset|solution|metadata|id|source|highlightConflicts|disabledlogic|truecandidatesoptions"
    "|activeConstraints|successMessage|msgcorrect"
)
_HARMLESS_IN_PAD = re.compile(
    "cells|regions|cages|metadata|cellSize|settings|id|solution|videos|duration|title"  # cages are checked separately
)
_CONSTRAINTS = {
    "killercage": "killer cages",
    "thermometer": "thermometers",
    "arrow": "arrows",
    "palindrome": "palindromes",
    "renban": "renban lines",
    "whispers": "whisper lines",
    "regionsumline": "region sum lines",
    "betweenline": "between lines",
    "lockout": "lockout lines",
    "diagonal+": "a diagonal",
    "diagonal-": "a diagonal",
    "antiknight": "the anti-knight rule",
    "antiking": "the anti-king rule",
    "disjointgroups": "disjoint groups",
    "nonconsecutive": "the non-consecutive rule",
    "littlekillersum": "little killer sums",
    "sandwichsum": "sandwich sums",
    "xsum": "X-sums",
    "skyscraper": "skyscrapers",
    "difference": "difference dots",
    "ratio": "ratio dots",
    "xv": "XV pairs",
    "quadruple": "quadruples",
    "clone": "clones",
    "extraregion": "extra regions",
    "odd": "odd cells",
    "even": "even cells",
    "minimum": "minimum cells",
    "maximum": "maximum cells",
    "negative": "negative constraints",
    "cage": "cages",
    "text": "text in cells",
    "circle": "circles",
    "rectangle": "rectangles",
    "line": "lines",
    "lines": "lines",
    "arrows": "arrows",
    "overlays": "drawings",
    "underlays": "drawings",
    "foglight": "fog",
    "fogofwar": "fog",
    "triggereffect": "fog",
}
_NAMES = {
    "ca": "cages",
    "ce": "cells",
    "cs": "cellSize",
    "a": "arrows",
    "o": "overlays",
    "u": "underlays",
    "v": "value",
    "vd": "videos",
    "l": "lines",
    "re": "regions",
    "t": "title",
    "te": "text",
    "d": "duration",
}
"""The abbreviated names of a SudokuPad document that matter here."""


def document_of(puzzle: Puzzle) -> dict[str, object]:
    """Return the f-puzzles document of a puzzle.

    Raises
    ------
    PuzzleError
        If the grid is larger than the sites support.
    """
    size = puzzle.size
    if size > MAX_LINK_SIZE:
        raise PuzzleError(f"links hold grids of up to {MAX_LINK_SIZE}×{MAX_LINK_SIZE}, found {size}×{size}")
    grid: list[list[dict[str, object]]] = [
        [{"value": digit, "given": True} if digit else {} for digit in row] for row in puzzle
    ]
    if puzzle.box != BoxShape.of_size(size):
        for cell in range(size * size):
            grid[cell // size][cell % size]["region"] = puzzle.box.units_of(cell)[2]
    document: dict[str, object] = {"size": size}
    if puzzle.name:
        document["title"] = one_line(puzzle.name)
    document["grid"] = grid
    if puzzle.solution is not None:
        document["solution"] = list(puzzle.solution.cells)
    return document


def puzzle_of(document: object) -> Puzzle:
    """Return the puzzle of an f-puzzles document.

    Raises
    ------
    PuzzleError
        If the document is not a classic puzzle.
    """
    if not isinstance(document, dict) or "grid" not in document:
        raise PuzzleError("the link holds no grid; use a link to an f-puzzles puzzle")
    _check_constraints(document, _HARMLESS)
    rows = _rows(document["grid"])
    if any(cell.get("givenPencilMarks") for row in rows for cell in row):
        raise PuzzleError(_unsupported("given pencil marks"))
    size = len(rows)
    cells = bytes(_digit(cell.get("value"), size) if cell.get("given") else 0 for row in rows for cell in row)
    box = BoxShape.of_size(size)
    return Puzzle(
        cells,
        _box_of([_region(cell, box.units_of(index)[2]) for index, cell in enumerate(chain(*rows))], size),
        name=_name(document),
        comment=_text(document, "ruleset"),
        solution=_solution(document.get("solution"), size),
    )


def puzzle_of_pad(document: object) -> Puzzle:
    """Return the puzzle of a SudokuPad document with full names; see `puzzle_of`."""
    if not isinstance(document, dict) or "cells" not in document:
        raise PuzzleError("the link holds no grid; use a link to a SudokuPad puzzle")
    _check_constraints(document, _HARMLESS_IN_PAD)
    if any(isinstance(cage, dict) and cage.get("cells") for cage in _member(document, "cages", list)):
        raise PuzzleError(_unsupported("cages"))
    rows = _rows(document["cells"])
    size = len(rows)
    cells = bytes(_digit(cell.get("value"), size) for row in rows for cell in row)
    metadata = _member(document, "metadata", dict)
    return Puzzle(
        cells,
        _box_of(_listed_regions(document, size), size),
        name=_name(metadata),
        comment=_text(metadata, "rules"),
        solution=_solution(metadata.get("solution"), size),
    )


def _rows(grid: object) -> list[list[Mapping[str, object]]]:
    rows = grid if isinstance(grid, list) else []
    size = len(rows)
    is_square = size > 0 and all(isinstance(row, list) and len(row) == size for row in rows)
    if not is_square or size not in SIZES:
        found = f"a {size}×{len(rows[0])} grid" if size and isinstance(rows[0], list) else "no grid"
        raise PuzzleError(f"the link holds {found}; use a square of rows × columns boxes (4×4, 6×6, 8×8, 9×9, …)")
    return [[_typed(cell, "a cell", dict) for cell in row] for row in rows]


def _member(document: Mapping[str, object], name: str, kind: type[T]) -> T:
    """Return a member of a document; an empty one if it is missing."""
    return _typed(document.get(name), repr(name), kind)


def _typed(value: object, what: str, kind: type[T]) -> T:
    """Return a value of one type; an empty one for null, zero and empty values of other types."""
    if value and not isinstance(value, kind):
        raise PuzzleError(f"the link holds a damaged document: {what} is {_kind(value)}; use {_KINDS[kind]}")
    return value if isinstance(value, kind) else kind()


def _kind(value: object) -> str:
    return _KINDS.get(type(value), "a number")


def _digit(value: object, size: int) -> int:
    if value is None or value in ("", 0):
        return 0
    if type(value) not in (int, str):
        raise PuzzleError(f"the link holds a damaged document: a digit is {_kind(value)}; use 1 to {size}")
    text = str(value)
    if not (text.isascii() and text.isdecimal() and len(text) < 3 and 1 <= int(text) <= size):
        raise PuzzleError(f"{text[:20]!r} is not a digit of a {size}×{size} grid; use 1 to {size}")
    return int(text)


def _region(cell: Mapping[str, object], usual: int) -> int | None:
    region = cell.get("region", usual)
    if region is not None and type(region) is not int:
        raise PuzzleError(f"the link holds a damaged document: a region is {_kind(region)}; use a number")
    return region


def _check_constraints(document: Mapping[str, object], harmless: re.Pattern[str]) -> None:
    for name, value in document.items():
        if value and not harmless.fullmatch(name):
            raise PuzzleError(_unsupported(_CONSTRAINTS.get(name, f"the constraint {one_line(name)[:40]!r}")))


def _unsupported(constraint: str) -> str:
    return f"the puzzle has {constraint}, which Sudokulab does not support; {_CLASSIC}"


def _listed_regions(document: Mapping[str, object], size: int) -> list[int | None]:
    regions: list[int | None] = [None] * (size * size)
    for number, cells in enumerate(_member(document, "regions", list)):
        for place in _typed(cells, "a region", list):
            if not (isinstance(place, list) and len(place) == 2 and all(type(at) is int for at in place)):
                raise PuzzleError("the link holds a damaged region; use rows and columns")
            row, col = place
            if 0 <= row < size and 0 <= col < size:
                regions[row * size + col] = number
    return regions


def _box_of(regions: list[int | None], size: int) -> BoxShape:
    """Return the box shape that divides a grid into these regions, each cell's being any number."""
    for rows in range(2, size // 2 + 1):
        if size % rows == 0:
            box = BoxShape(rows, size // rows)
            boxes = (box.units_of(cell)[2] for cell in range(size * size))
            if len(set(regions)) == len(set(zip(regions, boxes, strict=True))) == size:
                return box
    if all(region is None for region in regions):
        raise PuzzleError("the grid has no boxes; only classic Sudoku is supported")
    raise PuzzleError(_unsupported("regions other than boxes"))


def _name(source: Mapping[str, object]) -> str:
    title, author = _text(source, "title"), _text(source, "author")
    return f"{title} by {author}" if title and author else title or author


def _text(source: Mapping[str, object], name: str) -> str:
    """Return a text on one line. Abbreviated documents can hold numbers and words without quotes."""
    value = source.get(name) or ""
    return one_line(str(value) if isinstance(value, int | float) else _typed(value, repr(name), str))


def _solution(value: object, size: int) -> bytes | None:
    """Return a stated solution; None if it is missing or has blanks."""
    if not isinstance(value, list | str) or len(value) != size * size:
        return None
    try:
        cells = bytes(_digit(digit, size) for digit in value)
    except PuzzleError:
        return None
    return cells if all(cells) else None


_TOKEN = re.compile(r"""\s*('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[{}\[\],:]|[^{}\[\],:'"]+)""", re.DOTALL)
_INTEGER = re.compile(r"-?\d{1,15}")
_WORDS = {"t": True, "f": False, "true": True, "false": False, "null": None}
_MAX_DEPTH = 50


def unabbreviated(text: str) -> object:
    """Read an abbreviated SudokuPad document and return it with full names.

    Names and many texts have no quotes, quotes may be single, and an empty place in a list is an empty object.

    Raises
    ------
    PuzzleError
        If the text is not such a document.
    """
    value, position = _value(tokens := _tokens(text), 0, 0)
    if position != len(tokens):
        raise PuzzleError("the link holds a damaged document; copy the link again")
    return value


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    end = 0
    for match in _TOKEN.finditer(text):
        if match.start() != end:
            break  # at once: many quotes without an end would take quadratic time
        if len(tokens) == MAX_TOKENS:
            raise PuzzleError(TOO_LONG)
        tokens.append(match[1])
        end = match.end()
    if text[end:].strip():
        raise PuzzleError("the link holds a damaged document; copy the link again")
    return tokens


def _value(tokens: list[str], position: int, depth: int) -> tuple[object, int]:
    token = tokens[position] if position < len(tokens) else ""
    if depth > _MAX_DEPTH:
        raise PuzzleError("the link holds a document that is nested too deeply; use a link to a SudokuPad puzzle")
    if token == "{":
        return _object(tokens, position + 1, depth)
    if token == "[":
        return _list(tokens, position + 1, depth)
    if token in {",", "]", "}", ":", ""}:
        return {}, position
    return _scalar(token), position + 1


def _list(tokens: list[str], position: int, depth: int) -> tuple[list[object], int]:
    items: list[object] = []
    if tokens[position : position + 1] == ["]"]:
        return items, position + 1
    while True:
        item, position = _value(tokens, position, depth + 1)
        items.append(item)
        position, is_end = _after(tokens, position, "]")
        if is_end:
            return items, position


def _object(tokens: list[str], position: int, depth: int) -> tuple[dict[str, object], int]:
    members: dict[str, object] = {}
    if tokens[position : position + 1] == ["}"]:
        return members, position + 1
    while True:
        name = str(_scalar(tokens[position])) if position < len(tokens) else ""
        if tokens[position + 1 : position + 2] != [":"]:
            raise PuzzleError("the link holds a damaged document; copy the link again")
        members[_NAMES.get(name, name)], position = _value(tokens, position + 2, depth + 1)
        position, is_end = _after(tokens, position, "}")
        if is_end:
            return members, position


def _after(tokens: list[str], position: int, end: str) -> tuple[int, bool]:
    """Skip the token after an item, and return whether it ends the list or object."""
    token = tokens[position] if position < len(tokens) else ""
    if token not in {",", end}:
        raise PuzzleError(f"the link holds a damaged document without {end!r}; copy the link again")
    return position + 1, token == end


def _scalar(token: str) -> object:
    if token[0] in "'\"":
        inner = token[1:-1].replace("\\'", "'")
        try:
            return json.loads(f'"{inner}"' if token[0] == '"' else '"' + inner.replace('"', '\\"') + '"', strict=False)
        except ValueError:
            return inner
    token = token.strip()
    if token in _WORDS:
        return _WORDS[token]
    return int(token) if _INTEGER.fullmatch(token) else token

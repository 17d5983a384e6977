"""The report of an audit: tables for the terminal, Markdown and HTML."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import combinations
from pathlib import Path
from typing import TypeVar

from sudokulab import __version__
from sudokulab._internal.files import whole_file
from sudokulab.datasets.audits.auditing import Audit, AuditedSplit
from sudokulab.datasets.audits.checks import ACROSS, KINDS, OF_ROWS, WITHIN, Check
from sudokulab.datasets.errors import DatasetError
from sudokulab.formats.base import counted, one_line
from sudokulab.logic import Level

__all__ = ["EXTENSIONS", "Section", "sections", "verdict", "write_report"]

Number = TypeVar("Number", int, float)

EXTENSIONS = (".md", ".html")
"""The extensions of reports."""

_TITLE = "Audit of a data set"
_UNCHECKED = "not checked"
_TRIVIAL = {"full": "full grids", "nearly-full": "at most 5 blanks", "singles": "solved by singles"}
_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; color: #222; }
table { border-collapse: collapse; margin: 1em 0; } th, td { padding: .25em .8em; text-align: right; }
th { border-bottom: 2px solid #444; } td { border-bottom: 1px solid #ddd; }
th:first-child, td:first-child, .text td, .text th { text-align: left; }
.text td + td { overflow-wrap: anywhere; } .text td:last-child { font-family: monospace; }
figure { margin: 1.5em 0; } figcaption { color: #555; font-size: 90%; } img { max-width: 100%; height: auto; }
"""


@dataclass(frozen=True)
class Section:
    """A section of a report: a title and a table.

    Parameters
    ----------
    title
        The title.
    columns, rows
        The table. The first column is text.
    is_text
        Whether the other columns are text too, rather than numbers.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    is_text: bool = False


def verdict(audit: Audit) -> str:
    """Return the result of an audit in one sentence."""
    size = f"{counted(audit.num_rows, 'row')} of {counted(len(audit.files), 'file')}"
    if audit.is_clean:
        return f"No defect in {size}."
    found = "; ".join(f"{check.title}, {_where(check.splits)}: {check.num_rows:,}" for check in audit.defects)
    return f"Defects in {size}: {found}."


def sections(audit: Audit) -> Iterator[Section]:
    """Yield the tables of an audit."""
    names = list(audit.splits)
    titles = [one_line(name) for name in names]
    found = {(check.kind, check.splits): _number(check) for check in audit.checks}
    rows = [[KINDS[kind].title, *(found[kind, (name,)] for name in names)] for kind in OF_ROWS | WITHIN]
    yield Section("Rows of each split", ["rows", *titles], [["all", *_row_counts(audit)], *rows])
    pairs = list(combinations(names, 2))
    if pairs:
        leaks = [[KINDS[kind].title, *(found[kind, pair] for pair in pairs)] for kind in ACROSS]
        yield Section("Rows that are also in an earlier split", ["rows", *map(_where, pairs)], leaks)
    yield Section("Distributions", ["", *titles], list(_distributions(audit.splits)))
    examples = [row for check in audit.checks for row in _examples(check)]
    if examples:
        yield Section("Examples", ["found", "file and row", "puzzle"], examples, is_text=True)
    yield Section(
        "Files", ["file", "rows", "box"], [[one_line(one.file), f"{one.num_rows:,}", one.box] for one in audit.files]
    )


def _row_counts(audit: Audit) -> list[str]:
    return [f"{split.num_rows:,}" for split in audit.splits.values()]


def _where(splits: Sequence[str]) -> str:
    return " in ".join(one_line(name) for name in reversed(splits))


def _number(check: Check) -> str:
    return _UNCHECKED if check.num_rows is None else f"{check.num_rows:,}"


def _distributions(splits: Mapping[str, AuditedSplit]) -> Iterator[list[str]]:
    yield ["one solution", *(f"{split.num_unique:,}" for split in splits.values())]
    yield ["givens: min, median, max", *(_span(split.givens) for split in splits.values())]
    for reason, title in _TRIVIAL.items():
        shares = (_share(split.trivial[reason], split.num_unique) for split in splits.values())
        yield [f"{title}, of those with one solution", *shares]
    rated = [split.difficulty for split in splits.values()]
    yield ["sample", *(f"{difficulty.num_puzzles:,}" for difficulty in rated)]
    for level in (level.value for level in Level if any(level.value in one.levels for one in rated)):
        yield [f"level {level}", *(_share(one.levels.get(level, 0), one.num_puzzles) for one in rated)]
    yield ["ER: min, median, max", *(_span(one.se) for one in rated)]
    if any(one.num_unrated for one in rated):
        yield ["ER unknown", *(_share(one.num_unrated, one.num_puzzles) for one in rated)]
    if any(split.ratings for split in splits.values()):
        spans = [
            "–"
            if (ratings := split.ratings) is None
            else ", ".join(f"{ratings.percentiles[p]:g}" for p in (0, 50, 100))
            for split in splits.values()
        ]
        yield ["rating column: min, median, max", *spans]


def _share(number: int, of: int) -> str:
    return f"{number / of:.1%}" if of else "–"


def _span(numbers: Mapping[Number, int]) -> str:
    """Return the smallest, the middle and the largest key of a distribution."""
    keys = sorted(numbers)
    if not keys:
        return "–"
    total, seen = sum(numbers.values()), 0
    for key in keys:
        seen += numbers[key]
        if 2 * seen >= total:
            break
    return f"{keys[0]:g}, {key:g}, {keys[-1]:g}"


def _examples(check: Check) -> Iterator[list[str]]:
    for example in check.examples:
        places = " and ".join(one_line(str(place)) for place in example.places)
        puzzles = " ".join(dict.fromkeys(example.puzzles))
        yield [check.title, places, one_line(example.problem) or puzzles]


def write_report(audit: Audit, path: str | Path) -> list[Path]:
    """Write the report of an audit, and the figures of a Markdown report next to it.

    Parameters
    ----------
    audit
        The audit.
    path
        A file with the extension ``.md`` or ``.html``. The HTML file contains its figures.

    Returns
    -------
    list of Path
        The files written. Each appears only once it is complete.
    """
    from sudokulab.datasets.audits.plots import figures  # imports matplotlib

    path = Path(path)
    if path.suffix.lower() not in EXTENSIONS:
        raise DatasetError(f"{path}: unknown extension; choose one of {', '.join(EXTENSIONS)}")
    drawn = [(figure.key, figure.caption, figure.to_svg()) for figure in figures(audit)]
    files: dict[Path, str] = {}
    if path.suffix.lower() == ".html":
        files[path] = _html(audit, [(caption, svg) for _, caption, svg in drawn])
    else:
        named = [(path.with_name(f"{path.stem}-{key}.svg"), caption, svg) for key, caption, svg in drawn]
        files |= {file: svg for file, _, svg in named}
        files[path] = _markdown(audit, [(file.name, caption) for file, caption, _ in named])
    for file, text in files.items():
        with whole_file(file) as stream:
            stream.write(text)
    return list(files)


def _markdown(audit: Audit, images: Sequence[tuple[str, str]]) -> str:
    parts = [f"# {_TITLE}", _cell(verdict(audit))]
    for section in sections(audit):
        rule = ["---", *(["---"] if section.is_text else ["---:"]) * (len(section.columns) - 1)]
        lines = ["| " + " | ".join(map(_cell, row)) + " |" for row in (section.columns, rule, *section.rows)]
        parts += [f"## {section.title}", "\n".join(lines)]
    parts += [f"![{caption}]({_target(name)})\n\n{caption}" for name, caption in images]
    return "\n\n".join([*parts, _footer()]) + "\n"


def _cell(text: str) -> str:
    """Escape what Markdown would take for markup."""
    return escape(text, quote=False).translate({ord(char): f"\\{char}" for char in "\\|*_[]`"})


def _target(name: str) -> str:
    return f"<{name}>" if set(" ()") & set(name) else name


def _html(audit: Audit, images: Sequence[tuple[str, str]]) -> str:
    parts = [f"<h1>{_TITLE}</h1>", f"<p>{escape(verdict(audit))}</p>"]
    for section in sections(audit):
        lines = ["".join(f"<th>{escape(name)}</th>" for name in section.columns)]
        lines += ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in section.rows]
        kind = ' class="text"' if section.is_text else ""
        rows = "".join(f"<tr>{line}</tr>\n" for line in lines)
        parts += [f"<h2>{escape(section.title)}</h2>", f"<table{kind}>{rows}</table>"]
    for caption, svg in images:
        data = base64.b64encode(svg.encode()).decode()
        image = f'<img alt="{escape(caption)}" src="data:image/svg+xml;base64,{data}">'
        parts.append(f"<figure>{image}<figcaption>{escape(caption)}</figcaption></figure>")
    body = "\n".join([*parts, f"<p>{escape(_footer())}</p>"])
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{_TITLE}</title>'
        f"<style>{_STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def _footer() -> str:
    return (
        f"Made by sudokulab {__version__}. Rows count from 1, without a header. Duplicates and twins repeat an earlier "
        "row of their split. Equivalent solutions within a split are no defect; all other findings are."
    )

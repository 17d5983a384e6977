"""The Markdown page of a paper: the paper's numbers next to ours, figures, checks and verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sudokulab._internal.files import whole_file
from sudokulab.lab import plots
from sudokulab.papers.records import Records, digest_of
from sudokulab.papers.reproduction import Artefact, Effort, Findings, Paper, Verdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["digest_of_figure", "index_of", "markdown_of", "write_index", "write_page"]

_MOST_ROWS = 12
"""Longer tables are folded."""
_MARKS = {True: "✓", False: "✗", None: "?"}


def write_page(
    paper: Paper, effort: Effort, found: dict[Artefact, Findings], folder: Path, records: Records | None = None
) -> Path:
    """Write the page of a paper and its figures to a folder, and return the path of the page."""
    figures = folder / "figures"
    figures.mkdir(parents=True, exist_ok=True)
    for artefact, findings in found.items():
        for name, draw in findings.figures.items():
            figure, axis = plots.figure()
            draw(axis)
            plots.save(figure, figures / _figure_name(paper, artefact, name), description=digest_of_figure(figure))
        for name, text in findings.files.items():
            with whole_file(folder / name) as stream:
                stream.write(text)
    if len(found) == len(paper.artefacts):
        _remove_old_figures(paper, found, figures)
    page = folder / f"{paper.key}.md"
    with whole_file(page) as stream:
        stream.write(markdown_of(paper, effort, found, records))
    return page


def _remove_old_figures(paper: Paper, found: dict[Artefact, Findings], folder: Path) -> None:
    """Remove figures of the paper that no artefact draws any more."""
    drawn = {_figure_name(paper, artefact, name) for artefact, findings in found.items() for name in findings.figures}
    for file in folder.glob(f"{paper.key}-*.svg"):
        if file.name not in drawn:
            file.unlink()


def digest_of_figure(figure: Figure) -> str:
    """Return a hash of the data and the labels of a figure; unlike its file, it does not depend on the library."""
    parts: list[object] = []
    for axis in figure.axes:
        parts += [axis.get_title(), axis.get_xlabel(), axis.get_ylabel(), axis.get_xscale(), axis.get_yscale()]
        for line in axis.lines:
            if line.get_transform() == axis.transData:
                points = [
                    [f"{value:.5g}" for value in point] for point in np.asarray(line.get_xydata(), float).tolist()
                ]
                parts.append([line.get_label(), points])
    return digest_of(*parts)


def write_index(found: dict[Paper, dict[Artefact, Findings]], effort: Effort, folder: Path) -> Path:
    """Write the index page, the summary of all papers, and return its path."""
    page = folder / "README.md"
    with whole_file(page) as stream:
        stream.write(index_of(found, effort))
    return page


def index_of(found: dict[Paper, dict[Artefact, Findings]], effort: Effort) -> str:
    """Return the index page as Markdown text: each paper's claims with their verdicts, then the errors."""
    lines = ["# Reproduced papers", "", *_origin("all", effort)]
    errors: list[str] = []
    for paper, artefacts in found.items():
        lines += ["", f"## {paper.title}", "", _paragraph(paper, artefacts.values())]
        lines.append("")
        for artefact, findings in artefacts.items():
            if not findings.is_own:
                what = artefact.claim or artefact.title
                lines.append(f"- {what} ({_link(paper, artefact)}): **{findings.verdict.value}**.")
            errors += [f"- {paper.title}, {_link(paper, artefact)}: {error}" for error in findings.errors]
        further = [_link(paper, artefact) for artefact, findings in artefacts.items() if findings.is_own]
        if further:
            lines += ["", f"Our own findings: {', '.join(further)}."]
    if errors:
        lines += ["", "## Errors in the papers", "", *errors]
    return "\n".join(lines) + "\n"


def _paragraph(paper: Paper, found: Iterable[Findings]) -> str:
    """Introduce a paper, and count the verdicts on its claims."""
    verdicts = [findings.verdict for findings in found if not findings.is_own]
    counts = [f"{verdicts.count(verdict)} {verdict.value}" for verdict in Verdict if verdict in verdicts]
    intro = f"[{paper.reference}]({paper.key}.md)."
    about = f" {paper.about}" if paper.about else ""
    return f"{intro}{about}" + (f" Of {len(verdicts)} claims: {', '.join(counts)}." if verdicts else "")


def _link(paper: Paper, artefact: Artefact) -> str:
    return f"[{artefact.key}]({paper.key}.md#{artefact.key})"


def markdown_of(paper: Paper, effort: Effort, found: dict[Artefact, Findings], records: Records | None = None) -> str:
    """Return the page of a paper as Markdown text.

    Parameters
    ----------
    paper, effort, found
        The paper, the amount of computation, and the findings.
    records
        The results that the page is made from, which are listed at its end.
    """
    lines = [
        f"# {paper.reference}",
        "",
        *_origin(paper.key, effort),
        "",
        "| artefact | | verdict |",
        "| --- | --- | --- |",
        *(f"| [{a.key}](#{a.key}) | {a.title} | **{f.verdict.value}** |" for a, f in found.items()),
    ]
    seen: set[str] = set()
    for artefact, findings in found.items():
        lines += ["", f"## {artefact.key}", "", *_sentences(paper, artefact, findings, effort)]
        for name in findings.figures:
            lines += ["", f"![{artefact.title}](figures/{_figure_name(paper, artefact, name)})"]
        for title, columns, rows in findings.tables:
            lines += ["", *_titled_table(title, columns, rows)]
        lines += _list_checks(findings)
        if findings.errors:
            lines += ["", "Errors in the paper:", "", *(f"- {error}" for error in findings.errors)]
        for note in findings.notes:
            if note not in seen:  # several artefacts share a note
                lines += ["", note]
                seen.add(note)
    if records is not None:
        lines += _list_records(records)
    return "\n".join(lines) + "\n"


def _sentences(paper: Paper, artefact: Artefact, findings: Findings, effort: Effort) -> list[str]:
    """Say what the paper claims, what follows from the checks, and which command shows it."""
    lines = [f"{artefact.title}."]
    if artefact.claim:
        lines.append(f"The paper: {artefact.claim}.")
    if not findings.is_own:
        lines.append(f"Verdict: **{findings.verdict.value}**{_reason(findings)}.")
    return [*lines, "", f"`{_command(f'{paper.key} {artefact.key}', effort)}`"]


def _reason(findings: Findings) -> str:
    """Count the checks that decide a verdict."""
    counts: list[str] = []
    for kind, about in _ABOUT.items():
        checks = [check.holds for check in findings.checks if check.kind == kind]
        if checks:
            undecided = f" ({checks.count(None)} undecided)" if None in checks else ""
            counts.append(f"{checks.count(True)} of {len(checks)}{'' if counts else ' checks'} of {about}{undecided}")
    if not counts:
        return ""
    *some, last = counts
    return f": {', '.join(some)}{' and ' if some else ''}{last} hold"


_ABOUT = {
    "shape": "the shape",
    "value": "printed values",
    "claim": "claims about all puzzles",
    "arithmetic": "the paper's arithmetic",
}
"""What a kind of check is about."""


def _list_checks(findings: Findings) -> list[str]:
    """List the checks with their outcomes; a long list is folded."""
    kinds = ("" if findings.is_own else f" ({check.kind})" for check in findings.checks)
    lines = [
        f"- {_MARKS[check.holds]} {check.statement}{kind}" for check, kind in zip(findings.checks, kinds, strict=True)
    ]
    if len(lines) > _MOST_ROWS:
        return ["", f"<details><summary>Checks ({len(lines)})</summary>", "", *lines, "", "</details>"]
    return ["", *lines] if lines else []


def _command(what: str, effort: Effort) -> str:
    return f"sudokulab reproduce {what} " + (
        "--from-data" if effort is Effort.PUBLISHED else f"--effort {effort.value}"
    )


def _titled_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """Return a table below its title; a long one is folded."""
    if len(rows) > _MOST_ROWS:
        return _folded(f"{title or 'Table'} ({len(rows)} rows)", columns, rows)
    return [*([f"{title}:", ""] if title else []), *_table(columns, rows)]


def _origin(key: str, effort: Effort) -> list[str]:
    """Say which command makes a page."""
    rule = "The verdicts follow from the checks by the rule at the top of `sudokulab/papers/reproduction.py`."
    if effort is not Effort.PUBLISHED:
        return [f"Generated by `{_command(key, effort)}`.", rule]
    return [
        f"Generated by `{_command(key, effort)}` from the recorded results in `docs/papers/data`.",
        f"`sudokulab reproduce {key} --effort published` repeats all runs. {rule}",
    ]


def _list_records(records: Records) -> list[str]:
    """List the recorded results that a page is made from, with hashes of what they depend on."""
    lines = ["", "## Recorded results", ""]
    lines.append("`--extend-data` runs again what no longer matches these hashes, and what is missing.")
    if records.runs is not None:
        sets, solvers = records.summary_of_sets(), records.summary_of_solvers()
        lines += ["", *_folded(f"{len(records.runs):,} runs: sets", *sets)]
        lines += ["", *_folded(f"{len(records.runs):,} runs: limits and solvers", *solvers)]
    if records.measured:
        rows = [(name, one["puzzles"]) for name, one in sorted(records.measured.items())]
        lines += ["", *_folded("Measurements without runs", ["measurement", "hash of the puzzles"], rows)]
    return lines


def _folded(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    return [f"<details><summary>{title}</summary>", "", *_table(columns, rows), "", "</details>"]


def _figure_name(paper: Paper, artefact: Artefact, name: str) -> str:
    return f"{paper.key}-{artefact.key}-{name}.svg"


def _table(names: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    marks = ["---", *["---:"] * (len(names) - 1)]
    lines = [f"| {' | '.join(names)} |", f"| {' | '.join(marks)} |"]
    return lines + [f"| {' | '.join(_cell(value) for value in row)} |" for row in rows]


def _cell(value: object) -> str:
    if value is None or value != value:
        return "–"
    if isinstance(value, float) and abs(value) >= 1e9:
        return f"{value:.1e}"
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 10_000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value).replace("|", "\\|")

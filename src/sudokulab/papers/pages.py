"""A paper's page: its artefacts with the paper's numbers beside ours, and the verdicts, as Markdown with figures."""

from __future__ import annotations

from pathlib import Path

from sudokulab._internal.files import whole_file
from sudokulab.lab import plots
from sudokulab.papers.reproduction import Artefact, Findings, Paper, Scale

__all__ = ["markdown_of", "write_index", "write_page"]


def write_page(paper: Paper, scale: Scale, found: dict[Artefact, Findings], folder: Path) -> Path:
    """Write a page and its figures into a folder, and return where it is."""
    figures = folder / "figures"
    figures.mkdir(parents=True, exist_ok=True)
    for artefact, findings in found.items():
        for name, draw in findings.figures.items():
            figure, axis = plots.figure()
            draw(axis)
            plots.save(figure, figures / _figure_name(paper, artefact, name))
    page = folder / f"{paper.key}.md"
    with whole_file(page) as stream:
        stream.write(markdown_of(paper, scale, found))
    return page


def write_index(found: dict[Paper, dict[Artefact, Findings]], scale: Scale, folder: Path) -> Path:
    """Write a page with all verdicts, and return where it is."""
    lines = [
        "# Papers reproduced",
        "",
        f"Made by `sudokulab reproduce all --scale {scale.value}`: each table and figure of five papers, and all",
        "solvers on everything. The verdicts are computed from checks by the rule at the head of",
        "`sudokulab/papers/reproduction.py`.",
        "",
        "| paper | artefact | | verdict |",
        "| --- | --- | --- | --- |",
    ]
    for paper, artefacts in found.items():
        for artefact, findings in artefacts.items():
            link = f"[{artefact.key}]({paper.key}.md#{artefact.key})"
            lines.append(f"| {paper.key} | {link} | {artefact.title} | **{findings.verdict.value}** |")
    page = folder / "README.md"
    with whole_file(page) as stream:
        stream.write("\n".join(lines) + "\n")
    return page


def markdown_of(paper: Paper, scale: Scale, found: dict[Artefact, Findings]) -> str:
    """Return the page as text."""
    lines = [
        f"# {paper.reference}",
        "",
        f"Made by `sudokulab reproduce {paper.key} --scale {scale.value}`. The verdicts are computed from the checks",
        "by the rule at the head of `sudokulab/papers/reproduction.py`.",
        "",
        "| artefact | | verdict |",
        "| --- | --- | --- |",
        *(f"| [{a.key}](#{a.key}) | {a.title} | **{f.verdict.value}** |" for a, f in found.items()),
    ]
    for artefact, findings in found.items():
        lines += ["", f"## {artefact.key}", "", f"{artefact.title}: **{findings.verdict.value}**."]
        for title, columns, rows in findings.tables:
            lines += ["", *([f"{title}:", ""] if title else []), *_table(columns, rows)]
        for name in findings.figures:
            lines += ["", f"![{artefact.title}](figures/{_figure_name(paper, artefact, name)})"]
        if findings.checks:
            lines.append("")
        for check in findings.checks:
            kind = "shape" if check.is_shape else "value"
            lines.append(f"- {'✓' if check.holds else '✗'} {check.statement} ({kind})")
        for note in findings.notes:
            lines += ["", note]
    return "\n".join(lines) + "\n"


def _figure_name(paper: Paper, artefact: Artefact, name: str) -> str:
    return f"{paper.key}-{artefact.key}-{name}.svg"


def _table(columns: object, rows: object) -> list[str]:
    names = list(columns)  # type: ignore[call-overload]
    marks = ["---", *["---:"] * (len(names) - 1)]
    lines = [f"| {' | '.join(names)} |", f"| {' | '.join(marks)} |"]
    return lines + [f"| {' | '.join(_cell(value) for value in row)} |" for row in rows]  # type: ignore[attr-defined]


def _cell(value: object) -> str:
    if value is None or value != value:
        return "–"
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 10_000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value).replace("|", "\\|")

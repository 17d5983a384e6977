"""Draw docs/figures/architecture.svg, every package in its layer: `python tools/make_architecture.py`.

Edit `LAYERS` when a package is added, moved or renamed; `tests/test_architecture.py` compares it with the folders.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

TARGET = Path(__file__).parents[1] / "docs" / "figures" / "architecture.svg"

LAYERS: dict[str, dict[str, str]] = {
    "use": {
        "cli": "commands",
        "web": "page and HTTP API",
        "testing": "checks of solvers",
    },
    "research": {
        "papers": "reproductions",
        "lab": "experiments",
        "bench": "speed",
        "datasets": "make and audit",
        "learn": "scores, agents",
    },
    "puzzles": {
        "instances": "generate, collect",
        "publishing": "sheets, booklets, animations",
    },
    "solve": {
        "questions": "solve, count, arrays",
        "external": "programs, rivals",
        "solvers": "parameters",
        "convert": "CNF, graph, cover",
    },
    "reason": {
        "logic": "techniques, ratings",
        "equivalence": "canonical forms",
        "drawing": "SVG, PDF",
        "gpu": "9×9 on CUDA",
    },
    "read": {
        "formats": "text to puzzle",
        "verify": "independent judge",
        "search": "budget, clock, trace, frames, result",
    },
    "say": {
        "puzzle": "cells and boxes",
        "parameters": "checked fields",
        "errors": "exceptions",
        "_internal": "system, processes",
    },
    "C++": {
        "cpp/bindings": "the only C++ that knows Python",
        "cpp/bindings/internals": "for tests and benchmarks",
    },
    "make": {
        "cpp/generation": "grids, puzzles, minimality",
        "cpp/rating": "scales, depth, search effort",
    },
    "search": {
        "cpp/solvers": "one algorithm per file",
        "cpp/solvers/parts": "shared by solvers",
    },
    "deduce": {
        "cpp/logic": "ten rules, one-level trial",
        "cpp/logic/techniques": "human techniques",
    },
    "engines": {
        "cpp/learning": "learnt clauses, large grids",
        "cpp/bulk": "9×9 in vector lanes",
    },
    "base": {
        "cpp/search": "control, random numbers, frames",
        "cpp/grid": "boards, judge, canonical form",
    },
}
"""The layers from top to bottom: packages of src/sudokulab, then folders of the core, each with a few words."""

WIDTH, LEFT, GAP = 800, 76, 8
BOX, STEP = 44, 56
STYLE = (
    "text { font-family: system-ui, sans-serif; fill: #111 } "
    ".name { font-size: 14px; font-weight: 600 } .about { font-size: 11px; fill: #444 } "
    ".layer { font-size: 12px; fill: #444 } rect { stroke: #666 }"
)


def box(left: float, top: int, width: float, name: str, about: str) -> str:
    fill = "#dcdcdc" if name.startswith("cpp/") else "#fff"
    middle = left + width / 2
    return (
        f'<rect x="{left:g}" y="{top}" width="{width:g}" height="{BOX}" rx="5" fill="{fill}"/>'
        f'<text class="name" x="{middle:g}" y="{top + 19}" text-anchor="middle">{escape(name)}</text>'
        f'<text class="about" x="{middle:g}" y="{top + 35}" text-anchor="middle">{escape(about)}</text>'
    )


def picture() -> str:
    """Return the picture as SVG; grey boxes are native."""
    height = STEP * len(LAYERS) + 28
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        "<title>The packages of Sudokulab, by layer: each uses only its own layer and those below</title>",
        f'<style>{STYLE}</style><rect width="{WIDTH}" height="{height}" fill="#f7f7f7" stroke="none"/>',
    ]
    for number, (layer, packages) in enumerate(LAYERS.items()):
        top = 8 + number * STEP
        width = (WIDTH - LEFT - GAP * len(packages)) / len(packages)
        parts.append(f'<text class="layer" x="8" y="{top + 26}">{escape(layer)}</text>')
        for place, (name, about) in enumerate(packages.items()):
            parts.append(box(LEFT + place * (width + GAP), top, width, name, about))
    parts.append(
        f'<text class="about" x="{WIDTH - GAP}" y="{height - 8}" text-anchor="end">'
        "A package uses only its own layer and the layers below. White: Python. Grey: C++.</text></svg>"
    )
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    TARGET.write_text(picture(), encoding="utf-8")

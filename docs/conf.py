"""Sphinx configuration: `make docs` builds the site, with warnings as errors."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from sphinx.application import Sphinx

import sudokulab

HERE = Path(__file__).parent

project = "Sudokulab"
author = "The Sudokulab developers"
copyright = author
version = release = sudokulab.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "numpydoc",
    "sphinx.ext.viewcode",
    "sphinx_design",
]
smartquotes = False  # they would turn --option into a dash, and quoted commands into others

html_theme = "furo"
html_title = "Sudokulab"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["animations.js"]

myst_enable_extensions = ["colon_fence", "attrs_block"]
myst_heading_anchors = 4
default_role = "py:obj"

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
linkcheck_timeout = 20

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
# The puzzle and the seed of the runs that explanation/algorithms shows; each takes less than a second.
ANIMATED = {
    "backtracking": (HARD, 1),
    "dlx": (HARD, 1),
    "graph-search": (HARD, 1),
    "conflict-driven": (HARD, 1),
    "hill-climbing": (EASY, 1),
    "annealing": (HARD, 2),
    "ac3-tabu": (EASY, 1),
    "iterated-local-search": (HARD, 3),
    "genetic": (EASY, 1),
    "particle-swarm": (EASY, 1),
    "ant-colony": (HARD, 1),
}
EMBEDDED = """
<style>.is-teaser :is(.columns.run > :last-child, .layers) { display: none }</style>
<script type="module">
const page = document.getElementById("page");
const report = () => parent.postMessage({ height: page.offsetTop * 2 + page.scrollHeight }, "*");
new ResizeObserver(report).observe(page);
addEventListener("load", report);
if (location.hash === "#play") {
  document.documentElement.classList.add("is-teaser");
  const slider = document.querySelector("input.scrub");
  const replay = () => document.querySelector("button[title^=Play]")?.click();
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
    replay();
    setInterval(() => slider.value === slider.max && replay(), 4000);
  }
}
</script>
</body>"""
"""Tells the page around an animation its height. With #play in the address, only the board is shown, and it plays."""
INCLUDED = {
    "cpp/README.md": "core",
    "CHANGELOG.md": "changelog",
    "CONTRIBUTING.md": "contributing",
    "SECURITY.md": "security",
}


def write_commands(app: Sphinx) -> None:
    """Write the page of all commands and options from the command line itself."""
    script, target = HERE.parent / "tools" / "make_commands.py", HERE / "reference" / "commands.md"
    subprocess.run([sys.executable, str(script), str(target)], check=True)


def write_animations(app: Sphinx) -> None:
    """Record the runs that explanation/algorithms shows."""
    folder = HERE / "_static" / "animations"
    folder.mkdir(exist_ok=True)
    for solver, (puzzle, seed) in ANIMATED.items():
        result = sudokulab.solve(puzzle, solver, seed=seed, seconds=60, frames=True)
        assert result.is_solved, solver
        page = sudokulab.animate(result).html.replace("</body>", EMBEDDED)
        (folder / f"{solver}.html").write_text(page, encoding="utf-8")


def link_included_pages(app: Sphinx, name: str, source: list[str]) -> None:
    """Point links to files outside docs at the pages that include them."""
    for file, page in INCLUDED.items():
        source[0] = re.sub(rf"\]\((\.\./)+{file}", f"](/development/{page}.md", source[0])


def setup(app: Sphinx) -> None:
    """Generate pages before the sources are read."""
    app.connect("source-read", link_included_pages)
    app.connect("builder-inited", write_commands)
    app.connect("builder-inited", write_animations)

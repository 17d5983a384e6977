"""The metadata of the installed package."""

from __future__ import annotations

import re
from importlib.metadata import metadata
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = "https://github.com/sudokulab/sudokulab/blob/main/"
PICTURES = "https://raw.githubusercontent.com/sudokulab/sudokulab/main/"


def test_the_description_has_no_relative_links() -> None:
    description = str(metadata("sudokulab").json["description"])
    links = re.findall(r"(!?)\[[^]]*\]\(([^)]+)\)", description)
    assert links
    for mark, target in links:
        assert target.startswith(PICTURES if mark else PAGES), target
        assert (ROOT / target.removeprefix(PICTURES).removeprefix(PAGES)).exists(), target


def test_the_urls_are_absolute() -> None:
    urls = metadata("sudokulab").json["project_url"]
    assert all(" https://" in url for url in urls)

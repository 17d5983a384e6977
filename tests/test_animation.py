"""Animations: recorded runs as one HTML file that needs nothing else."""

from __future__ import annotations

import html
import json
import re
from base64 import b64decode
from pathlib import Path

import pytest

import sudokulab
from sudokulab import FormatError, ParameterError, Puzzle, Result
from sudokulab.publishing.animation import Animation, animate, player_page
from sudokulab.search.frames import frames_to_lines, read_frames
from tests.puzzles import INKALA, TINY


@pytest.fixture(scope="module")
def result() -> Result:
    return sudokulab.solve(INKALA, "ant-colony", seed=7, frames=True)


def modules_of(page: str) -> dict[str, str]:
    """Return the JavaScript modules of a page, decoded, by name."""
    found = re.search(r'<script type="importmap">(.*?)</script>', page)
    assert found
    urls: dict[str, str] = json.loads(found[1])["imports"]
    return {name: b64decode(url.partition("base64,")[2]).decode() for name, url in urls.items()}


def test_a_page_holds_the_recording(result: Result) -> None:
    found = re.search(r'id="recording">(.*?)</script>', animate(result).html, re.DOTALL)
    assert found
    recording = read_frames(found[1].splitlines())
    assert recording.puzzle == INKALA
    assert recording.header["solver"] == "ant-colony"
    assert [frame.step for frame in recording.frames] == [frame.step for frame in result.frames]


def test_a_page_holds_every_module_it_imports() -> None:
    modules = modules_of(player_page())
    for text in modules.values():
        imports = re.findall(r'^import\b[^";]*"([^"]+)";', text, re.MULTILINE)
        assert len(imports) == len(re.findall(r"^import\b", text, re.MULTILINE))
        assert set(imports) <= modules.keys()
    assert "sudokulab/player.js" in modules


def test_a_page_refers_to_no_other_file() -> None:
    page = player_page()
    assert not re.search(r"<link|\bsrc=|\bhref=|url\(|@import", page)
    assert "default-src 'none'" in page


def test_text_of_a_recording_cannot_leave_its_element(result: Result) -> None:
    header, *frames = frames_to_lines(result)
    evil = json.dumps({**json.loads(header), "solver": "</script><script>alert(1)</script><!--"})
    page = Animation([evil, *frames]).html
    assert page.count("<script") == player_page().count("<script")
    assert page.count("<!--") == 0
    assert r"\u003c/script>" in page


def test_a_saved_recording_is_read_back(result: Result, tmp_path: Path) -> None:
    path = animate(result).save(tmp_path / "run.jsonl")
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines == list(frames_to_lines(result))
    assert Animation(lines).html == animate(result).html


def test_a_page_is_saved_whole(result: Result, tmp_path: Path) -> None:
    animation = animate(result)
    assert animation.save(str(tmp_path / "run.html")).read_text(encoding="utf-8") == animation.html


def test_other_extensions_are_refused(result: Result, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"unknown extension '\.mp4'; choose \.html or \.jsonl"):
        animate(result).save(tmp_path / "run.mp4")
    assert list(tmp_path.iterdir()) == []


def test_a_notebook_shows_the_page_in_a_sandbox(result: Result) -> None:
    animation = animate(result)
    shown = animation._repr_html_()
    found = re.match(r'<iframe srcdoc="([^"]*)" sandbox="allow-scripts"', shown)
    assert found
    assert html.unescape(found[1]) == animation.html


def test_a_result_without_frames_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"solve\(\.\.\., frames=True\)"):
        animate(sudokulab.solve(TINY))


def test_only_results_are_animated() -> None:
    with pytest.raises(ParameterError, match="cannot animate str"):
        animate("1.....3..4.....2")  # type: ignore[arg-type]


def test_grids_beyond_the_player_are_refused() -> None:
    blank = Puzzle(bytes(36**2))
    with pytest.raises(ParameterError, match="cannot animate a 36×36 grid; animations show grids up to 25×25"):
        animate(sudokulab.solve(blank, frames=True))


def test_a_recording_without_frames_is_refused(result: Result) -> None:
    header, *_ = frames_to_lines(result)
    with pytest.raises(FormatError, match="no frames"):
        Animation([header])

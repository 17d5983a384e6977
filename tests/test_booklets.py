"""Booklets: worked solutions to print."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sudokulab import Puzzle, SudokulabError, booklet, explain
from sudokulab.drawing import Text, picture_of
from sudokulab.drawing.layout import PAPERS, Layout
from tests.cases import for_each
from tests.puzzles import EASY, INKALA, TINY, full_grid

pytestmark = pytest.mark.slow

SVG = "{http://www.w3.org/2000/svg}"


def texts_of(page: Path) -> list[str]:
    return [element.text or "" for element in ElementTree.parse(page).getroot().iter(f"{SVG}text")]


def words_of(pages: list[Path]) -> str:
    return " ".join(text for page in pages for text in texts_of(page) if len(text) > 3)


def test_a_booklet_shows_the_puzzle_every_step_and_the_solution(tmp_path: Path) -> None:
    pages = booklet(EASY, tmp_path / "b.svg")
    assert [page.name for page in pages] == [f"b-{number}.svg" for number in range(1, len(pages) + 1)]
    first, *_, last = pages
    assert sorted(text for text in texts_of(first) if len(text) == 1) == sorted(EASY.line.replace(".", "") + "1")
    solution = explain(EASY).filled(51).line
    *digits, _ = [text for text in texts_of(last) if text.isdigit()]  # without the page number
    assert sorted(digits) == sorted(solution)
    assert "Sudoku 9×9: Solution" in texts_of(last)
    words = words_of(pages[1:])
    for number, sentence in enumerate(explain(EASY).sentences[:-1], start=1):
        assert f"{number}. {sentence}" in words
    assert "The puzzle is solved." in words


def test_the_first_page_counts_the_techniques(tmp_path: Path) -> None:
    first, *_ = booklet(TINY, tmp_path / "b.svg")
    assert "12 steps: Hidden single (4×), Full house (8×)." in words_of([first])


def test_long_runs_of_singles_are_set_more_closely(tmp_path: Path) -> None:
    assert len(booklet(TINY, tmp_path / "b.svg")) == 1 + 2 + 1  # 12 singles, 9 on the first page
    assert len(booklet(TINY, tmp_path / "c.svg", per_page=12)) == 1 + 1 + 1
    assert len(booklet(TINY, tmp_path / "d.svg", per_page=1)) == 1 + 4 + 1


def test_steps_with_patterns_have_the_requested_number_per_page(tmp_path: Path) -> None:
    steps = "naked-pair,hidden-pair,pointing,claiming,naked-triplet"
    found = explain(INKALA, steps)
    pages = booklet(INKALA, tmp_path / "b.svg", steps, per_page=1)
    assert len(pages) == 1 + len(found.steps) + 1
    assert "The techniques make no further progress here." in words_of(pages[-1:])


@for_each("paper", PAPERS)
@for_each("per_page", [1, 4, 6])
def test_nothing_leaves_the_page_or_overlaps(tmp_path: Path, paper: str, per_page: int) -> None:
    pages = booklet(TINY, tmp_path / "b.svg", paper=paper, per_page=per_page)
    for page in pages:
        root = ElementTree.parse(page).getroot()
        width, height = map(float, root.get("viewBox", "").split()[2:])
        assert (width, height) == PAPERS[paper]
        positions = [(float(text.get("x", "")), float(text.get("y", ""))) for text in root.iter(f"{SVG}text")]
        assert all(0 < x < width and 0 < y < height - 5 for x, y in positions)
        assert len(set(positions)) == len(positions)
        sentences = [text for text in root.iter(f"{SVG}text") if text.get("text-anchor") == "start"]
        for text in sentences:
            end = float(text.get("x", "")) + 0.5 * float(text.get("font-size", "")) * len(text.text or "")
            assert end < width


@for_each("box", [(2, 2), (2, 3), (3, 4), (4, 4), (5, 5)])
def test_every_size_has_booklets(tmp_path: Path, box: tuple[int, int]) -> None:
    full = full_grid(box)
    pages = booklet(Puzzle(b"\0" * 5 + full.cells[5:], full.box), tmp_path / "b.svg")
    assert len(pages) == 1 + (2 if full.size == 25 else 1) + 1  # larger grids, larger pictures


def test_the_title_is_that_of_the_puzzle_unless_given(tmp_path: Path) -> None:
    named = Puzzle(TINY.cells, TINY.box, name="Sunday")
    assert "Sunday" in texts_of(booklet(named, tmp_path / "b.svg")[0])
    assert "Monday" in texts_of(booklet(named, tmp_path / "b.svg", title="Monday")[0])


def test_techniques_can_be_left_out(tmp_path: Path) -> None:
    pages = booklet(TINY, tmp_path / "b.svg", without="full-house,hidden-single")
    assert "Naked single (12×)" in words_of(pages[:1])


@pytest.mark.parametrize(("extension", "start"), [("pdf", b"%PDF"), ("png", b"\x89PNG")])
def test_booklets_are_also_written_as_pdf_and_png(tmp_path: Path, extension: str, start: bytes) -> None:
    paths = booklet(TINY, tmp_path / f"b.{extension}")
    assert len(paths) == (1 if extension == "pdf" else 4)
    assert all(path.read_bytes().startswith(start) for path in paths)


@for_each(
    ("puzzle", "options", "message"),
    [
        (Puzzle.empty(TINY.box), {}, "no booklet: The puzzle has several solutions"),
        ("11" + "." * 14, {}, "no booklet: The puzzle has no solution"),
        (TINY, {"paper": "a44"}, "unknown paper size 'a44'"),
        (TINY, {"per_page": 0}, "per_page: 0; choose 1 or more"),
    ],
)
def test_errors_say_what_is_wrong(tmp_path: Path, puzzle: object, options: dict[str, object], message: str) -> None:
    with pytest.raises(SudokulabError, match=message):
        booklet(puzzle, tmp_path / "b.svg", **options)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_an_unknown_extension_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(SudokulabError, match=r"unknown extension '\.doc'; choose one of \.pdf, \.svg, \.png"):
        booklet(TINY, tmp_path / "b.doc")


def test_the_command_line_writes_booklets(tmp_path: Path) -> None:
    def run(*puzzles: str, output: str = "b.svg") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "sudokulab", "explain", *puzzles, "--booklet", str(tmp_path / output)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    done = run(TINY.line)
    assert done.returncode == 0
    assert f"{tmp_path / 'b-1.svg'}: written" in done.stderr
    assert len(list(tmp_path.iterdir())) == 4
    assert "--booklet is for a single puzzle" in run(TINY.line, TINY.line).stderr
    assert "extension '.doc'" in run(TINY.line, output="b.doc").stderr


def test_long_sentences_get_smaller_letters_and_stay_on_the_page() -> None:
    picture = picture_of(TINY)
    (page,) = Layout.of("a5").panels([(picture, ["so " * 1500]), (picture, ["short"])], 4, "")
    *long, short = [shape for shape in page.shapes if isinstance(shape, Text) and shape.anchor == "start"]
    assert len(long) > 10
    assert max(line.y for line in long) < page.height / 2 < short.y
    assert long[0].size < 2

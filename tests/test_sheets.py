"""Sheets of puzzles to print."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from sudokulab import Puzzle, SudokulabError, sheet, solve
from sudokulab.publishing.sheets import PAPERS
from tests.cases import for_each
from tests.puzzles import EASY, INKALA, TINY

SVG = "{http://www.w3.org/2000/svg}"


def texts_of(page: Path) -> list[str]:
    return [element.text or "" for element in ElementTree.parse(page).getroot().iter(f"{SVG}text")]


def test_a_sheet_shows_every_given_and_then_the_solutions(tmp_path: Path) -> None:
    puzzles, solutions = sheet([EASY, TINY], tmp_path / "sheet.svg", ratings=())
    digits = [text for text in texts_of(puzzles) if len(text) == 1]
    givens = "".join(puzzle.line.replace(".", "") for puzzle in (EASY, TINY))
    captions_and_page_number = "121"
    assert sorted(digits) == sorted(givens + captions_and_page_number)
    solved = "".join(solve(puzzle).solution.line for puzzle in (EASY, TINY))  # type: ignore[union-attr]
    assert sorted(text for text in texts_of(solutions) if len(text) == 1) == sorted(solved + "122")
    assert "Solutions" in texts_of(solutions)


def test_puzzles_are_spread_over_pages(tmp_path: Path) -> None:
    pages = sheet([TINY] * 5, tmp_path / "sheet.svg", per_page=2, solutions=False)
    assert [page.name for page in pages] == ["sheet-1.svg", "sheet-2.svg", "sheet-3.svg"]


def test_a_single_page_keeps_its_name(tmp_path: Path) -> None:
    assert sheet(TINY, tmp_path / "sheet.svg", solutions=False) == [tmp_path / "sheet.svg"]


@for_each("paper", PAPERS)
@for_each("per_page", [1, 2, 5, 12])
def test_nothing_leaves_the_page_or_overlaps(tmp_path: Path, paper: str, per_page: int) -> None:
    (page,) = sheet([TINY] * per_page, tmp_path / "s.svg", paper=paper, per_page=per_page, title="T", solutions=False)
    root = ElementTree.parse(page).getroot()
    width, height = map(float, root.get("viewBox", "").split()[2:])
    assert (width, height) == PAPERS[paper]
    positions = [(float(text.get("x", "")), float(text.get("y", ""))) for text in root.iter(f"{SVG}text")]
    assert all(0 < x < width and 0 < y < height for x, y in positions)
    assert len(set(positions)) == len(positions)


def test_captions_name_the_puzzle_and_its_level(tmp_path: Path) -> None:
    named = Puzzle(EASY.cells, EASY.box, name="Sunday")
    (page,) = sheet(named, tmp_path / "sheet.svg", solutions=False)
    assert "1 · Sunday · easy · SE 1.2" in texts_of(page)


def test_levels_of_two_scales_carry_their_names(tmp_path: Path) -> None:
    (page,) = sheet(INKALA, tmp_path / "sheet.svg", ratings=("rules", "hodoku"), solutions=False)
    assert "1 · rules: beyond · HoDoKu: extreme" in texts_of(page)


def test_hints_are_explained_in_words(tmp_path: Path) -> None:
    _, hints = sheet([TINY, EASY], tmp_path / "sheet.svg", solutions=False, hints=1, title="Weekend")
    assert "Weekend: Hints" in texts_of(hints)
    assert any(text.startswith("1.1 Hidden single: in box 1, 3 fits only in r1c2") for text in texts_of(hints))


@pytest.mark.parametrize(("extension", "start"), [("pdf", b"%PDF"), ("png", b"\x89PNG")])
def test_pages_are_also_written_as_pdf_and_png(tmp_path: Path, extension: str, start: bytes) -> None:
    paths = sheet(TINY, tmp_path / f"sheet.{extension}")
    assert len(paths) == (1 if extension == "pdf" else 2)
    assert all(path.read_bytes().startswith(start) for path in paths)


def test_a_pdf_depends_only_on_its_pages(tmp_path: Path) -> None:
    first, second = (sheet(TINY, tmp_path / name)[0].read_bytes() for name in ("a.pdf", "b.pdf"))
    assert first == second


@for_each(
    ("puzzles", "options", "message"),
    [
        ([], {}, "pass at least one puzzle"),
        ([TINY, Puzzle.empty(TINY.box)], {}, "puzzle 2 has several solutions; print it without solutions"),
        (["11" + "." * 14], {}, "puzzle 1 has no solution"),
        ([TINY], {"paper": "a44"}, "unknown paper size 'a44'"),
        ([TINY], {"per_page": 0}, "per_page: 0; choose 1 or more"),
        ([TINY], {"ratings": ["hodoko"]}, "unknown scale 'hodoko'; did you mean 'hodoku'?"),
        ([TINY], {"hints": -1}, "hints: -1; choose 0 or more"),
    ],
)
def test_errors_say_what_to_do(tmp_path: Path, puzzles: list[Puzzle], options: dict[str, object], message: str) -> None:
    with pytest.raises(SudokulabError, match=message):
        sheet(puzzles, tmp_path / "sheet.svg", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("extension", ["pdf", "png"])
def test_a_failure_leaves_the_old_file(tmp_path: Path, extension: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / f"sheet.{extension}"
    path.write_bytes(b"old")

    def fail(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sudokulab.drawing.pages._figure_of", fail)
    with pytest.raises(KeyboardInterrupt):
        sheet(TINY, path, solutions=False)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    assert path.read_bytes() == b"old"


def test_an_unknown_extension_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(SudokulabError, match=r"unknown extension '\.doc'; choose one of \.pdf, \.svg, \.png"):
        sheet(TINY, tmp_path / "sheet.doc")

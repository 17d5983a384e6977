from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from sudokulab import BoxShape, Puzzle, PuzzleError, solve
from sudokulab.drawing import svg
from sudokulab.formats.symbols import alphabet
from tests.cases import for_each
from tests.puzzles import BOXES, EASY, SMALL, TINY

SVG = "{http://www.w3.org/2000/svg}"


def test_givens_are_drawn_in_their_cells() -> None:
    root = ElementTree.fromstring(svg(EASY))
    texts = list(root.iter(f"{SVG}text"))
    assert "".join(text.text or "" for text in texts) == EASY.line.replace(".", "")
    assert all(text.get("font-weight") == "bold" for text in texts)
    first, second = (float(text.get("x", "")) for text in texts[:2])
    assert second - first == 54


def test_a_solution_is_drawn_in_a_different_colour() -> None:
    solution = solve(TINY).solution
    assert solution is not None
    texts = list(ElementTree.fromstring(svg(TINY, solution)).iter(f"{SVG}text"))
    assert "".join(text.text or "" for text in texts) == solution.line
    bold = [text for text in texts if text.get("font-weight") == "bold"]
    assert [text.text for text in bold] == list("1342")
    assert {text.get("fill") for text in bold}.isdisjoint({text.get("fill") for text in texts if text not in bold})


@for_each("box", BOXES, ids=str)
def test_boxes_are_framed_by_thick_lines(box: BoxShape) -> None:
    grid = Puzzle.empty(box)
    root = ElementTree.fromstring(svg(grid))
    thick = [path.get("d", "") for path in root.iter(f"{SVG}path") if path.get("stroke-width") == "3"]
    assert sum("H" in line for line in thick) == grid.box.cols + 1
    assert sum("V" in line for line in thick) == grid.box.rows + 1


def test_every_symbol_can_be_drawn() -> None:
    puzzle = Puzzle(bytes([*range(1, 65), *[0] * (64 * 63)]))
    texts = ElementTree.fromstring(svg(puzzle)).iter(f"{SVG}text")
    assert "".join(text.text or "" for text in texts) == alphabet(64)


def test_any_name_can_be_the_title() -> None:
    root = ElementTree.fromstring(svg(replace(TINY, name="<b>\x00 & more")))
    assert root.findtext(f"{SVG}title") == "<b>\ufffd & more"


def test_a_solution_of_another_shape_is_rejected() -> None:
    with pytest.raises(PuzzleError, match="boxes of 2x3; use 2x2"):
        svg(TINY, SMALL)

"""Pictures of steps, and the catalogue of techniques with its examples."""

from __future__ import annotations

import runpy
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from sudokulab import Puzzle, logic, solve
from sudokulab.drawing import Arrow, Circle, Line, Picture, Rect, Shape, Text, placed, to_svg
from sudokulab.drawing.pages import write_pages
from sudokulab.logic import TECHNIQUES, Link, Step
from sudokulab.logic.pictures import MAX_LINKS, picture_of_step, shown_links
from sudokulab.logic.techniques import TECHNIQUES_BY_NAME
from tests.cases import for_each
from tests.puzzles import EASY, TINY, full_grid

TOOLS = Path(__file__).parents[2] / "tools"
TOOL = runpy.run_path(str(TOOLS / "make_techniques.py"))
EXAMPLES: dict[str, Any] = TOOL["examples"]()
STRUCK, PLACED = "#b3261e", "#1b6e3c"


def picture_of(name: str) -> tuple[Step, list[Shape]]:
    example = EXAMPLES[name]
    picture = picture_of_step(example.step, example.board, example.candidates, givens=example.puzzle)
    return example.step, list(picture.shapes)


def grey(colour: str) -> float:
    """Return the brightness of a colour in steps that the eye can tell apart."""
    if colour in ("none", "white"):
        return 1
    full = "".join(2 * digit for digit in colour[1:]) if len(colour) == 4 else colour[1:]
    red, green, blue = (int(full[start : start + 2], 16) / 255 for start in (0, 2, 4))
    return round(20 * (0.299 * red + 0.587 * green + 0.114 * blue)) / 20


@pytest.mark.native
@for_each("technique", TECHNIQUES, ids=lambda technique: technique.name)
def test_every_technique_has_an_example(technique: logic.Technique) -> None:
    example = EXAMPLES[technique.name]
    step = example.step
    assert step.technique == technique
    solution = solve(example.puzzle).solution
    assert solution is not None
    changed = [*step.placements, *step.eliminations]
    assert changed
    for cell, digit in changed:
        assert example.candidates.reshape(-1, 9)[cell, digit - 1]
    assert all(solution.cells[cell] == digit for cell, digit in step.placements)
    assert all(solution.cells[cell] != digit for cell, digit in step.eliminations)


@for_each("name", TOOL["SHOWS"])
def test_examples_show_what_distinguishes_their_technique(name: str) -> None:
    assert TOOL["SHOWS"][name](EXAMPLES[name].step)


@for_each("name", TOOL["EASIER"])
def test_easier_techniques_do_not_make_the_eliminations_of_an_example(name: str) -> None:
    example = EXAMPLES[name]
    easier = [step for other in TOOL["EASIER"][name] for step in example.instances(other)]
    assert not {gone for step in easier for gone in step.eliminations} & {*example.step.eliminations}


@for_each("name", [technique.name for technique in TECHNIQUES if technique.family != "singles"])
def test_examples_have_no_open_singles(name: str) -> None:
    assert not any(EXAMPLES[name].instances(single) for single in ("full-house", "hidden-single", "naked-single"))


def test_conditions_on_examples_tell_techniques_apart() -> None:
    shows, step = TOOL["SHOWS"], {name: example.step for name, example in EXAMPLES.items()}
    assert not shows["naked-pair"](step["locked-pair"])
    assert not shows["naked-triplet"](step["locked-triplet"])
    assert not shows["alternating-inference-chain"](step["x-chain"])
    assert not shows["alternating-inference-chain"](step["xy-chain"])
    assert not shows["xy-cycle"](step["x-cycle"])
    assert not shows["xy-cycle"](step["y-cycle"])
    assert not shows["forcing-chain"](step["forcing-x-chain"])
    assert not shows["grouped-continuous-nice-loop"](step["continuous-nice-loop"])
    assert not shows["als-discontinuous-nice-loop"](step["grouped-discontinuous-nice-loop"])


def test_the_page_of_techniques_is_up_to_date() -> None:
    hint = "run `python -m tools.make_techniques`"
    assert TOOL["PAGE"].read_text(encoding="utf-8") == TOOL["page"](), hint
    sizes = [path.stat().st_size for path in TOOL["PICTURES"].iterdir()]
    assert {path.stem for path in TOOL["PICTURES"].iterdir()} == set(TECHNIQUES_BY_NAME), hint
    assert max(sizes) < 40_000
    assert sum(sizes) < 3_000_000


@for_each("name", ["x-wing", "als-xz", "contradiction-forcing-chains"])
def test_the_pictures_of_techniques_are_up_to_date(name: str) -> None:
    drawn = (TOOL["PICTURES"] / f"{name}.svg").read_text(encoding="utf-8")
    assert drawn == TOOL["picture"](EXAMPLES[name])


@for_each("technique", TECHNIQUES, ids=lambda technique: technique.name)
def test_a_picture_shows_candidates_eliminations_and_placements(technique: logic.Technique) -> None:
    example = EXAMPLES[technique.name]
    step, shapes = picture_of(technique.name)
    struck = [shape for shape in shapes if isinstance(shape, Line) and shape.colour == STRUCK]
    assert len(struck) == len(step.eliminations)
    symbols = [shape for shape in shapes if isinstance(shape, Text) and shape.text.isdigit()]
    cells = example.candidates.reshape(-1, 9)
    is_large = not step.links
    shown = [cell for cell in range(81) if not example.board.cells[cell]]
    shown = [cell for cell in shown if not (is_large and cell in dict(step.placements))]
    num_candidates = int(cells[shown].sum())
    assert len(symbols) == num_candidates + 81 - len(shown)
    bold = [shape for shape in symbols if shape.is_bold]
    assert len(bold) == example.puzzle.num_givens + len(step.placements)


@for_each("name", ["finned-x-wing", "sashimi-swordfish", "finned-mutant-jellyfish"])
def test_fins_are_ringed(name: str) -> None:
    step, shapes = picture_of(name)
    circles = [shape for shape in shapes if isinstance(shape, Circle)]
    assert sum(circle.border > 0 for circle in circles) == len(step.fins) > 0
    assert len(circles) == len({*step.candidates, *step.fins})


def test_base_units_of_fish_are_darker_than_cover_units() -> None:
    step, shapes = picture_of("swordfish")
    fills = [shape.fill for shape in shapes if isinstance(shape, Rect)]
    pattern, base, cover = sorted(set(fills), key=grey)
    assert fills.count(pattern) == len(step.cells)
    assert fills.count(base) == 27
    assert fills.count(cover) == 27 - 9


@for_each("name", [technique.name for technique in TECHNIQUES if technique.family in ("chains", "single-digit")])
def test_links_are_arrows(name: str) -> None:
    step, shapes = picture_of(name)
    arrows = [shape for shape in shapes if isinstance(shape, Arrow)]
    assert [not arrow.is_dashed for arrow in arrows] == [link.is_strong for link in step.links]
    assert all(arrow.head for arrow in arrows)
    strong = {arrow.width for arrow in arrows if not arrow.is_dashed}
    weak = {arrow.width for arrow in arrows if arrow.is_dashed}
    assert min(strong) > max(weak, default=0)


def test_links_inside_a_cell_are_visible() -> None:
    step, shapes = picture_of("xy-chain")
    arrows = [shape for shape in shapes if isinstance(shape, Arrow)]
    inside = [arrow for arrow, link in zip(arrows, step.links, strict=True) if link.start[0] == link.end[0]]
    assert inside
    for arrow in inside:
        (x, y), (along_x, along_y) = arrow.neck, (arrow.end_x - arrow.x, arrow.end_y - arrow.y)
        assert np.hypot(x - arrow.x, y - arrow.y) > 2
        bulge = abs((arrow.bend_x - arrow.x) * along_y - (arrow.bend_y - arrow.y) * along_x) / np.hypot(
            along_x, along_y
        )
        assert bulge > arrow.width


@for_each("name", ["als-xz", "als-xy-wing", "als-xy-chain", "sue-de-coq", "multi-colouring"])
def test_sets_and_colours_have_letters_and_differ_without_colour(name: str) -> None:
    step, shapes = picture_of(name)
    letters = "".join(shape.text for shape in shapes if isinstance(shape, Text) and shape.text.isalpha())
    assert sorted(letters) == sorted(
        "ABCDEFG"[number] for number, node in enumerate(step.nodes) for _ in {cell for cell, _ in node}
    )
    marks = [shape for shape in shapes if isinstance(shape, Circle if name == "multi-colouring" else Rect)]
    styles = {(grey(mark.fill), mark.border > 0, mark.is_dashed) for mark in marks}
    assert len(styles) >= len(step.nodes)


def test_a_placed_digit_at_the_end_of_a_chain_keeps_its_candidates() -> None:
    board = EXAMPLES["discontinuous-nice-loop"]
    ((cell, digit),) = board.step.eliminations[:1]
    others = [other for other in range(1, 10) if other != digit and board.candidates.reshape(-1, 9)[cell, other - 1]]
    step = replace(board.step, eliminations=(), placements=((cell, others[0]),))
    shapes = picture_of_step(step, board.board, board.candidates).shapes
    (disc,) = [shape for shape in shapes if isinstance(shape, Circle) and shape.fill == PLACED]
    (white,) = [shape for shape in shapes if isinstance(shape, Text) and shape.colour == "white"]
    assert (white.text, white.is_bold) == (str(others[0]), True)
    assert abs(white.x - disc.x) < 0.01


def test_large_forcing_chains_show_their_shortest_branch() -> None:
    step = EXAMPLES["contradiction-forcing-chains"].step
    start, goal = (0, 1), (80, 1)
    long = [Link((cell, 1), (cell + 1, 1), bool(cell % 2)) for cell in range(1, MAX_LINKS + 2)]
    short = [Link(start, (50, 2), False), Link((50, 2), (51, 2), True), Link((51, 2), goal, False)]
    large = replace(step, links=(Link(start, (1, 1), False), *long, *short), eliminations=(goal,), placements=())
    assert shown_links(large) == tuple(short)
    assert shown_links(replace(large, links=tuple(short))) == tuple(short)


def test_large_contradictions_show_a_branch_to_the_contradiction() -> None:
    step = EXAMPLES["contradiction-forcing-chains"].step
    start = (0, 1)
    noise = [Link(start, (cell, 5), False) for cell in range(9, 9 + MAX_LINKS)]
    both = [Link(start, (70, 2), False), Link(start, (71, 2), False), Link((71, 2), (70, 2), True)]
    large = replace(step, links=(*noise, *both), eliminations=(), placements=())
    assert shown_links(large) == (both[0],)


def test_steps_can_be_drawn_without_an_explanation() -> None:
    (step, *_) = logic.steps(EASY, "hidden-single")
    shapes = picture_of_step(step, EASY).shapes
    large = [shape for shape in shapes if isinstance(shape, Text) and shape.size > 30]
    assert len(large) == EASY.num_givens + 1
    assert all(shape.is_bold for shape in large)
    brief = picture_of_step(step, EASY, is_brief=True).shapes
    assert len(brief) < len(shapes)


def test_a_picture_shows_the_candidates_before_the_step() -> None:
    explanation = logic.explain(EXAMPLES["x-wing"].puzzle)
    number = next(place for place, step in enumerate(explanation.steps) if step.eliminations)
    root = ElementTree.fromstring(logic.svg_of_step(explanation, number))
    texts = [text for text in root.iter("{http://www.w3.org/2000/svg}text") if float(text.get("font-size", "")) == 13.5]
    is_open = np.array([not digit for digit in explanation.filled(number).cells]).reshape(9, 9)
    assert len(texts) == explanation.states[number][is_open].sum()


@for_each("box", [(2, 2), (2, 3), (3, 4), (4, 4), (5, 5)])
def test_every_size_can_be_drawn(box: tuple[int, int]) -> None:
    full = full_grid(box)
    puzzle = Puzzle(b"\0" * 6 + full.cells[6:], full.box)
    (step, *_) = logic.steps(puzzle, "naked-single")
    picture = picture_of_step(step, puzzle)
    side = full.size * 54 + 48
    assert (picture.width, picture.height) == (side, side)
    texts = [shape for shape in picture.shapes if isinstance(shape, Text)]
    assert all(0 < shape.x < side and 0 < shape.y < side for shape in texts)


@for_each("name", ["finned-x-wing", "xy-chain", "hidden-single", "als-xz"])
def test_the_terminal_drawing_marks_the_step_without_colours(name: str) -> None:
    example = EXAMPLES[name]
    ending = logic.Ending.OPEN
    explanation = logic.Explanation(example.board, (example.step,), ending, (example.candidates,))
    drawn = logic.draw_step(explanation)
    step = example.step
    changed = {*step.placements, *step.eliminations}
    assert drawn.plain.count("-") == len(step.eliminations)
    assert drawn.plain.count("+") == len(step.placements)
    assert drawn.plain.count("~") == len(set(step.fins) - changed)
    assert drawn.plain.count("*") == len(set(step.candidates) - set(step.fins) - changed)
    lines = drawn.plain.splitlines()
    assert len(lines) == 11
    assert len({len(line) for line in lines}) == 1
    styles = {str(span.style) for span in drawn.spans}
    assert any("strike" in style or "underline" in style for style in styles)


def pixels(shapes: list[Shape], path: Path) -> np.ndarray[Any, Any]:
    from matplotlib.image import imread

    write_pages([Picture(40, 40, shapes)], path)
    brightness: np.ndarray[Any, Any] = np.asarray(imread(path))[..., :3].mean(axis=2)
    return brightness


def test_arrows_and_rings_are_drawn_on_pages_too(tmp_path: Path) -> None:
    arrow = Arrow(5, 20, 35, 20, 20, 4, width=1)
    solid = pixels([arrow], tmp_path / "solid.png")
    dashed = pixels([replace(arrow, is_dashed=True)], tmp_path / "dashed.png")
    bare = pixels([replace(arrow, head=0)], tmp_path / "bare.png")
    height, width = solid.shape

    def ink(image: np.ndarray[Any, Any], x: float, y: float) -> bool:
        return bool(image[int(y / 40 * height), int(x / 40 * width)] < 0.5)

    assert ink(solid, 19, 10.9)  # the curve bends towards the control point
    assert not ink(solid, 20, 20)
    assert ink(solid, 34, 18.7)
    assert (dashed < 0.5).sum() < 0.85 * (solid < 0.5).sum()
    assert (bare < 0.5).sum() < (solid < 0.5).sum()
    ring = pixels([Circle(20, 20, 10, "none", 2)], tmp_path / "ring.png")
    assert ink(ring, 10, 20)
    assert not ink(ring, 20, 20)
    frame = pixels([Rect(5, 5, 30, 30, border=2)], tmp_path / "frame.png")
    assert ink(frame, 5, 20)
    assert not ink(frame, 20, 20)


def test_symbols_on_pages_are_centred_on_their_place(tmp_path: Path) -> None:
    image = pixels([Text(10, 30, 12, "8")], tmp_path / "symbol.png")
    height, width = image.shape
    rows, columns = np.nonzero(image < 0.5)
    assert abs(columns.mean() / width * 40 - 10) < 0.3
    assert abs(rows.max() / height * 40 - 30) < 0.5  # on the baseline
    assert 7 < (rows.max() - rows.min()) / height * 40 < 10


def test_shapes_are_scaled_and_moved_as_a_whole() -> None:
    arrow = Arrow(1, 2, 3, 4, 5, 6, width=1, head=2)
    circle = Circle(1, 2, 3, border=1)
    moved = list(placed(Picture(10, 10, [arrow, circle]), 100, 200, 2))
    assert moved[0] == Arrow(102, 204, 106, 208, 110, 212, width=2, head=4)
    assert moved[1] == Circle(102, 204, 6, border=2)


def test_arrows_are_part_of_svg() -> None:
    arrow = Arrow(0, 0, 10, 0, 5, 5, width=2, colour="navy", is_dashed=True, head=4)
    root = ElementTree.fromstring(to_svg(Picture(10, 10, [arrow])))
    line, head = root.iter("{http://www.w3.org/2000/svg}path")
    assert line.get("d", "").startswith("M0 0Q5 5 ")
    assert (line.get("stroke-dasharray"), line.get("fill")) == ("6 4", "none")
    assert head.get("d", "").startswith("M10 0 ")
    assert head.get("fill") == "navy"


def test_a_grid_without_steps_is_drawn_alone() -> None:
    explanation = logic.explain(Puzzle.empty(TINY.box))
    root = ElementTree.fromstring(logic.svg_of_step(explanation))
    assert root.findtext("{http://www.w3.org/2000/svg}title") == explanation.sentences[-1]

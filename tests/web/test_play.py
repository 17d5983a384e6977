"""The page Play in a real browser: typing, marks, opening, sharing, hints, paths, ratings and checks."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from sudokulab import Puzzle, write
from sudokulab.formats.lz import compress
from tests.puzzles import EASY, INKALA, SMALL, TINY, random_instance
from tests.timing import PATIENCE_SECONDS
from tests.web.conftest import PHONE, OpenPage
from tests.web.test_pages import axe_violations

pytestmark = pytest.mark.slow

SEVERAL = Puzzle(EASY.cells[:70] + bytes(11), EASY.box)
TINY_SOLUTION = "1324423124133142"


expect.set_options(timeout=1000 * PATIENCE_SECONDS)


def address_of(puzzle: Puzzle) -> str:
    return f"#play?p={puzzle.line}"


def link_of(puzzle: Puzzle, format: str) -> str:
    stream = io.StringIO()
    write(puzzle, stream, format)
    return stream.getvalue().strip()


def cell(page: Page, row: int, col: int) -> Locator:
    return page.get_by_role("gridcell", name=re.compile(rf"^row {row} column {col},"))


def click(page: Page, *names: str) -> None:
    for name in names:
        page.get_by_role("button", name=name, exact=True).click()


def press(page: Page, keys: Iterable[str]) -> None:
    for key in keys:
        page.keyboard.press(key)


def shows(page: Page, row: int, col: int, label: str) -> None:
    expect(cell(page, row, col)).to_have_accessible_name(f"row {row} column {col}, {label}")


def says(page: Page, text: str) -> None:
    expect(page.locator(".answer p").filter(has_text=text)).to_be_visible()


def selected(page: Page) -> int:
    return int(page.locator("[role=gridcell][aria-selected=true]").count())


def paste(page: Page, text: str) -> None:
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+v")


# Typing


def test_a_typed_puzzle_is_solved(open_page: OpenPage) -> None:
    page = open_page("#play")
    click(page, "New…")
    page.get_by_label("Size").select_option("4")
    click(page, "Create")
    for row, col, digit in [(1, 1, "1"), (2, 3, "3"), (3, 2, "4"), (4, 4, "2")]:
        cell(page, row, col).click()
        page.keyboard.press(digit)
    shows(page, 1, 1, "given 1")
    expect(page).to_have_url(re.compile(re.escape(f"p={TINY.line}")))
    click(page, "Start playing", "Solve")
    expect(page.get_by_role("heading", name="Solved")).to_be_visible()
    labels = page.get_by_role("gridcell").evaluate_all("cells => cells.map(cell => cell.ariaLabel.slice(-1)).join('')")
    assert labels == TINY_SOLUTION
    click(page, "Undo")
    shows(page, 1, 2, "empty")


def test_givens_are_locked_while_playing(open_page: OpenPage) -> None:
    page = open_page(address_of(EASY))
    cell(page, 1, 1).click()
    press(page, ["7", "Backspace"])
    shows(page, 1, 1, "given 5")
    click(page, "Edit givens")
    cell(page, 1, 1).click()
    page.keyboard.press("Backspace")
    shows(page, 1, 1, "empty")


def test_conflicts_are_shown_while_typing(open_page: OpenPage) -> None:
    page = open_page(address_of(EASY))
    cell(page, 1, 3).click()
    page.keyboard.press("5")
    shows(page, 1, 3, "5, conflicts")
    shows(page, 1, 1, "given 5, conflicts")
    expect(page.locator(".board .underline")).to_have_count(2)
    page.keyboard.press("4")
    expect(page.locator(".board .underline")).to_have_count(0)


def test_pencil_marks_have_modes_and_modifier_keys(open_page: OpenPage) -> None:
    page = open_page(address_of(EASY))
    cell(page, 1, 3).click()
    press(page, ["Shift+Digit1", "Shift+Digit2", "Control+Digit4", "Shift+Digit2"])
    shows(page, 1, 3, "empty, corner marks 1, centre marks 4")
    press(page, ["x", "2", "c", "1", "z", "4"])
    shows(page, 1, 3, "4")
    page.keyboard.press("Backspace")
    shows(page, 1, 3, "empty, corner marks 1 2, centre marks 1 4")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Corner")).to_have_attribute("aria-pressed", "true")


def test_held_keys_choose_the_mode_of_the_keypad(open_page: OpenPage) -> None:
    page = open_page(address_of(EASY))
    cell(page, 1, 3).click()
    page.keyboard.down("Shift")
    expect(page.get_by_role("button", name="Corner")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name=re.compile("^4,")).click()
    page.keyboard.up("Shift")
    expect(page.get_by_role("button", name="Digit", exact=True)).to_have_attribute("aria-pressed", "true")
    shows(page, 1, 3, "empty, corner marks 4")


def test_a_digit_removes_the_marks_it_rules_out(open_page: OpenPage) -> None:
    page = open_page(address_of(EASY))
    click(page, "Candidates")
    shows(page, 1, 3, "empty, centre marks 1 2 4")
    cell(page, 3, 1).click()
    page.keyboard.press("1")
    shows(page, 1, 3, "empty, centre marks 2 4")


def test_every_move_can_be_undone_and_redone(open_page: OpenPage) -> None:
    page = open_page(address_of(EASY))
    cell(page, 1, 3).click()
    press(page, ["1", "2", "4", "Control+z", "Control+z"])
    shows(page, 1, 3, "1")
    press(page, ["Control+y"])
    shows(page, 1, 3, "2")
    press(page, ["Control+Shift+z"])
    shows(page, 1, 3, "4")
    press(page, ["Control+z"] * 3)
    shows(page, 1, 3, "empty")
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


def test_several_cells_are_selected_by_mouse_and_keyboard(open_page: OpenPage) -> None:
    page = open_page(address_of(EASY))
    cell(page, 1, 3).click()
    press(page, ["Shift+ArrowRight", "Control+ArrowDown"])
    assert selected(page) == 3
    cell(page, 9, 9).click(modifiers=["Control"])
    assert selected(page) == 4
    page.keyboard.press("Shift+Digit3")
    shows(page, 1, 4, "empty, corner marks 3")
    cell(page, 5, 2).hover()
    page.mouse.down()
    cell(page, 5, 3).hover()
    cell(page, 6, 3).hover()
    page.mouse.up()
    assert selected(page) == 3
    cell(page, 1, 1).dblclick()
    assert selected(page) == EASY.line.count("5")
    press(page, ["Control+a"])
    assert selected(page) == 81
    press(page, ["Escape"])
    assert selected(page) == 0


def test_letters_are_digits_of_large_grids(open_page: OpenPage) -> None:
    page = open_page(address_of(Puzzle.empty(16)))
    cell(page, 1, 1).click()
    press(page, ["c", "ArrowRight", "Shift+G"])
    shows(page, 1, 1, "given C")
    shows(page, 1, 2, "empty, corner marks G")


# Opening and sharing


@pytest.mark.thorough
@pytest.mark.parametrize("format", ["line", "grid", "sdk", "csv", "f-puzzles", "sudokupad"])
def test_a_puzzle_is_pasted_in_any_format(open_page: OpenPage, format: str) -> None:
    page = open_page("#play")
    paste(page, link_of(SMALL, format))
    expect(page.get_by_text(f"6×6, boxes 2×3, {SMALL.num_givens} givens")).to_be_visible()
    expect(page).to_have_url(re.compile(re.escape(f"p={SMALL.line}")))


def test_a_variant_is_refused_with_its_constraint(open_page: OpenPage) -> None:
    page = open_page("#play")
    document = {"size": 9, "grid": [[{}] * 9] * 9, "thermometer": [{"lines": [["R1C1", "R1C2"]]}]}
    paste(page, f"?load={compress(json.dumps(document))}")
    expect(page.locator("#status")).to_contain_text("the puzzle has thermometers")


def test_a_dropped_file_of_several_puzzles_has_a_chooser(open_page: OpenPage) -> None:
    page = open_page("#play")
    page.evaluate(
        """text => {
          const data = new DataTransfer();
          data.items.add(new File([text], "puzzles.sdm"));
          document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }""",
        f"{EASY.line}\n{INKALA.line}\n",
    )
    expect(page.get_by_text("Puzzle 1 of 2")).to_be_visible()
    shows(page, 1, 1, "given 5")
    click(page, "Next")
    shows(page, 1, 1, "given 8")
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_disabled()


@pytest.mark.parametrize("name", ["play", "watch"])
def test_the_beginning_of_a_huge_file_is_read(open_page: OpenPage, name: str) -> None:
    page = open_page(f"#{name}")
    if name == "watch":
        page.locator("#start:enabled").wait_for()
    transfer = page.evaluate_handle(
        """line => {
            const data = new DataTransfer();
            data.items.add(new File([line.repeat(50_000)], 'many.txt'));
            return data;
        }""",
        f"{EASY.line}\n",
    )
    page.dispatch_event("#page", "drop", {"dataTransfer": transfer})
    expect(page.get_by_text("9×9, 30 givens")).to_be_visible()


def test_a_link_carries_the_puzzle_and_a_reload_keeps_the_progress(open_page: OpenPage) -> None:
    page = open_page(f"#play?p={Puzzle.empty((3, 2)).line[:-1]}1&box=3x2")
    expect(page.get_by_text("6×6, boxes 3×2, 1 given")).to_be_visible()
    cell(page, 1, 1).click()
    press(page, ["4", "ArrowRight", "Shift+Digit2"])
    page.reload()
    shows(page, 1, 1, "4")
    shows(page, 1, 2, "empty, corner marks 2")
    shows(page, 6, 6, "given 1")


def test_the_address_accepts_other_formats(open_page: OpenPage) -> None:
    page = open_page(f"#play?p={quote(link_of(EASY, 'sudokupad'), safe='')}")
    shows(page, 1, 1, "given 5")
    expect(page).to_have_url(re.compile(re.escape(f"p={EASY.line}")))


def test_a_puzzle_is_shared_as_links(open_page: OpenPage) -> None:
    page = open_page(address_of(EASY))
    click(page, "Share…")
    expect(page.get_by_label("f-puzzles link", exact=True)).to_have_value(link_of(EASY, "f-puzzles"))
    expect(page.get_by_label("SudokuPad link", exact=True)).to_have_value(link_of(EASY, "sudokupad"))
    click(page, "Copy Line of text")
    expect(page.locator("#status")).to_have_text("Line of text copied.")
    assert page.evaluate("navigator.clipboard.readText()") == EASY.line
    with page.expect_download() as download:
        click(page, "Save as .sdk")
    assert "[Puzzle]" in download.value.path().read_text()


# Questions


def test_two_solutions_are_shown_with_their_differences(open_page: OpenPage) -> None:
    page = open_page(address_of(SEVERAL))
    click(page, "Check")
    expect(page.get_by_role("heading", name="Several solutions")).to_be_visible()
    boards = page.locator(".answer .board")
    expect(boards).to_have_count(2)
    shaded = boards.nth(0).locator(".shade.difference").count()
    assert shaded > 0
    click(page, "Show the cells on the board")
    assert selected(page) == shaded


def test_check_names_clashes_and_redundant_givens(open_page: OpenPage) -> None:
    page = open_page(address_of(Puzzle(b"\1\1" + TINY.cells[2:])))
    click(page, "Check")
    says(page, "These givens clash: r1c1, r1c2.")
    page.goto(page.url.partition("#")[0] + address_of(EASY))
    click(page, "Check")
    says(page, "It is not minimal.")


def test_a_hint_is_named_then_drawn_then_applied(open_page: OpenPage) -> None:
    page = open_page(address_of(EASY))
    click(page, "Hint")
    says(page, "Next step: Hidden single")
    expect(page.locator(".board .mark")).to_have_count(0)
    click(page, "Hint")
    expect(page.locator(".sentence")).to_contain_text("Hidden single: in box 2, 8 fits only in r1c6")
    expect(page.locator(".board .mark.placed")).to_have_count(1)
    click(page, "Apply")
    shows(page, 1, 6, "8")
    expect(page.locator(".board .mark")).to_have_count(0)


def test_eliminations_of_a_hint_are_kept_as_marks(open_page: OpenPage) -> None:
    page = open_page(address_of(INKALA))
    click(page, "Hint", "Show it")
    for drawn in ("strike", "mark.pattern", "link", "arrow.weak"):
        assert page.locator(f".board .{drawn}").count() > 0, drawn
    before = page.locator(".sentence").inner_text()
    click(page, "Apply")
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    click(page, "Hint", "Show it")
    expect(page.locator(".sentence")).not_to_have_text(before)


def test_a_hint_reports_mistakes_first(open_page: OpenPage) -> None:
    page = open_page(address_of(EASY))
    cell(page, 1, 3).click()
    press(page, ["2"])
    click(page, "Hint")
    expect(page.locator(".sentence")).to_have_text("r1c3 is not 2.")
    shows(page, 1, 3, "2, wrong")
    click(page, "Remove")
    shows(page, 1, 3, "empty")


def test_the_path_is_a_list_with_a_drawing_per_step(open_page: OpenPage) -> None:
    page = open_page(address_of(EASY))
    click(page, "Path")
    steps = page.get_by_role("option")
    expect(steps).to_have_count(81 - EASY.num_givens)
    sentence = page.locator(".answer .sentence").inner_text()
    page.get_by_role("listbox").focus()
    press(page, ["ArrowDown", "ArrowDown"])
    expect(steps.nth(2)).to_have_attribute("aria-selected", "true")
    assert page.locator(".answer .sentence").inner_text() != sentence
    press(page, ["End"])
    empty = page.get_by_role("gridcell", name=re.compile("empty"))
    expect(empty).to_have_count(1)
    steps.nth(10).scroll_into_view_if_needed()
    steps.nth(10).click()
    expect(empty).to_have_count(81 - EASY.num_givens - 10)
    click(page, "Next step")
    expect(empty).to_have_count(81 - EASY.num_givens - 11)
    click(page, "Close the answer")
    shows(page, 1, 3, "empty")


def test_an_answer_closes_when_it_no_longer_fits_the_board(open_page: OpenPage) -> None:
    page = open_page(address_of(EASY))
    click(page, "Hint")
    says(page, "Next step:")
    cell(page, 1, 3).click()
    press(page, "4")
    expect(page.locator(".answer")).to_be_hidden()
    click(page, "Check")
    says(page, "exactly one solution")
    press(page, ["Backspace", "1"])
    says(page, "exactly one solution")  # the player's digits do not matter
    click(page, "Edit givens")
    cell(page, 1, 1).click()
    press(page, ["Backspace"])
    expect(page.locator(".answer")).to_be_hidden()


def test_the_focus_follows_a_hint_and_returns_to_the_board(open_page: OpenPage) -> None:
    page = open_page(address_of(EASY))
    click(page, "Hint")
    page.get_by_role("button", name="Show it").focus()
    press(page, ["Enter"])
    expect(page.get_by_role("button", name="Apply")).to_be_focused()
    press(page, ["Enter"])
    assert page.evaluate("document.activeElement.role") == "gridcell"


def test_all_ratings_are_shown(open_page: OpenPage) -> None:
    page = open_page(address_of(EASY))
    click(page, "Rate")
    values = page.locator(".ratings .value")
    for index, text in enumerate(["easy", "ER 1.2", "easy, 204 points", "depth 0"]):
        expect(values.nth(index)).to_have_text(text)


def test_wrong_digits_are_marked(open_page: OpenPage) -> None:
    page = open_page(address_of(EASY))
    cell(page, 1, 3).click()
    press(page, ["4", "ArrowDown", "2"])
    click(page, "Check digits")
    says(page, "All 2 digits are right so far.")
    press(page, ["1"])
    click(page, "Check digits")
    says(page, "1 digit of 2 wrong")
    expect(page.locator(".board .corner")).to_have_count(1)


# Devices and people


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_answers_and_dialogs_are_accessible(open_page: OpenPage, theme: str) -> None:
    page = open_page(address_of(SEVERAL), theme=theme)
    for question, answer in [("Check", ".answer .board"), ("Hint", ".answer p"), ("Share…", "dialog input")]:
        click(page, question)
        page.locator(answer).first.wait_for()
        assert axe_violations(page) == [], question
    page.keyboard.press("Escape")
    page.goto(page.url.partition("#")[0] + address_of(EASY))
    for question, answer in [
        ("Rate", ".ratings"),
        ("Path", ".path"),
        ("Check digits", ".answer p"),
        ("New…", "dialog"),
    ]:
        click(page, question)
        page.locator(answer).first.wait_for()
        assert axe_violations(page) == [], question


def test_dark_mode_follows_the_system(open_page: OpenPage) -> None:
    page = open_page(address_of(EASY), theme="dark")
    background = page.evaluate("getComputedStyle(document.querySelector('.board')).backgroundColor")
    assert max(map(int, re.findall(r"\d+", background))) < 80


def test_a_phone_needs_no_scrolling_sideways_and_has_large_keys(open_page: OpenPage) -> None:
    page = open_page(address_of(EASY), phone=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    cell(page, 1, 3).tap()
    page.get_by_role("button", name=re.compile("^4,")).tap()
    shows(page, 1, 3, "4")
    sizes = page.locator(".play button:visible").evaluate_all(
        "buttons => buttons.map((one) => Math.min(one.offsetWidth, one.offsetHeight))"
    )
    assert min(sizes) >= 40
    key = page.get_by_role("button", name=re.compile("^9,")).bounding_box()
    assert key
    assert key["y"] + key["height"] <= PHONE["height"], "board and digits fit on one screen"
    click(page, "Select several cells")
    cell(page, 2, 2).tap()
    cell(page, 2, 3).tap()
    assert selected(page) == 3


def test_a_large_grid_can_be_zoomed(open_page: OpenPage) -> None:
    puzzle = random_instance((5, 5), 300, seed=1)
    page = open_page(address_of(puzzle), phone=True)
    before = cell(page, 1, 1).bounding_box()
    click(page, "Zoom in", "Zoom in", "Zoom in")
    after = cell(page, 1, 1).bounding_box()
    assert before
    assert after
    assert after["width"] == pytest.approx(3 * before["width"], rel=0.05)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

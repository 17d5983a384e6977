"""The page Generate offers every option of the generator, and its address repeats the puzzles."""

from __future__ import annotations

import inspect
import io
import re
from pathlib import Path
from typing import TYPE_CHECKING, get_args
from urllib.parse import parse_qs, urlsplit

import pytest

import sudokulab
from sudokulab import formats
from sudokulab.cli.generate import generate
from sudokulab.instances import Bias, Kind, Symmetry
from sudokulab.instances.grids import Stop
from sudokulab.logic.techniques import TECHNIQUES, Level
from tests.web.conftest import OpenPage, wait_until

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Page

HARD = "#generate?level=hard&symmetry=half-turn&count=2&seed=7"


def shown_puzzles(page: Page) -> list[str]:
    """Return the puzzles on the page, from their links."""
    links = page.get_by_role("link", name="Play puzzle").all()
    return [parse_qs(urlsplit(str(link.get_attribute("href")).replace("#", "/", 1)).query)["p"][0] for link in links]


def options(page: Page, name: str) -> list[str]:
    found = page.locator(f".generate-form [name={name}] option").evaluate_all("list => list.map((one) => one.value)")
    return [str(value) for value in found]


def field(page: Page, name: str) -> bool:
    return page.locator(f".generate-form [name={name}]").is_visible()


def saved(page: Page, button: str) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    return Path(download.value.path()).read_bytes()


def test_a_link_repeats_the_puzzles_of_the_command_line(open_page: OpenPage) -> None:
    page = open_page(HARD)
    page.get_by_text("2 puzzles").wait_for()
    assert shown_puzzles(page) == [
        puzzle.line for puzzle in sudokulab.generate(2, level="hard", symmetry="half-turn", seed=7)
    ]


def test_a_random_seed_is_shown_and_kept_in_the_address(open_page: OpenPage) -> None:
    page = open_page("#generate?size=4&count=1")
    page.get_by_role("button", name="Generate", exact=True).click()
    page.get_by_text("1 puzzle").wait_for()
    puzzles = shown_puzzles(page)
    seed = page.get_by_text(re.compile(r"^seed \d+$")).inner_text().removeprefix("seed ")
    assert page.url.endswith(f"#generate?size=4&count=1&seed={seed}")
    page.get_by_role("button", name="Reuse seed").click()
    page.get_by_role("button", name="Generate", exact=True).click()
    wait_until(page, "!document.querySelector('.generate-form .primary').disabled")
    assert shown_puzzles(page) == puzzles


def test_the_form_has_every_option_of_the_command(open_page: OpenPage) -> None:
    page = open_page("#generate")
    elsewhere = {"threads", "attempts", "output"}  # which make no sense here
    for name in inspect.signature(generate).parameters:
        assert page.locator(f".generate-form [name={name}]").count() == (name not in elsewhere), name
    assert set(options(page, "kind")) == {kind.value for kind in Kind}
    assert set(options(page, "symmetry")) == {symmetry.value for symmetry in Symmetry}
    assert options(page, "level") == ["", *(level.value for level in Level)]
    assert set(options(page, "stop")) == set(get_args(Stop))
    assert set(options(page, "bias")) == {bias.value for bias in Bias}
    page.wait_for_selector("select[aria-label^='Add to'] optgroup", state="attached")
    offered = page.locator("select[aria-label='Add to: required techniques'] option").count()
    assert offered == 1 + len(TECHNIQUES)


def test_the_form_shows_only_what_applies(open_page: OpenPage) -> None:
    page = open_page("#generate")
    assert field(page, "level")
    assert not field(page, "box")
    assert not field(page, "failures")
    assert page.get_by_label("Fraction of givens").input_value() == ""
    page.get_by_label("Size").select_option("12")
    assert field(page, "box")
    page.get_by_label("Kind").select_option("fixed")
    assert page.get_by_label("Fraction of givens").input_value() == "0.45"
    assert not field(page, "level")
    page.get_by_label("Kind").select_option("past-rules")
    assert field(page, "failures")
    page.get_by_label("Stop").select_option("minimal")
    assert not field(page, "failures")


def test_every_kind_of_specification_is_generated(open_page: OpenPage) -> None:
    page = open_page("#generate")
    for query in (
        "kind=full&size=6&box=3x2&count=1&seed=1",
        "kind=fixed&size=16&fixed=0.5&count=1&seed=1",
        "kind=shuffled-root&fixed=0.3&count=1&seed=1",
        "kind=past-rules&failures=5&extra=2&count=1&seed=1",
        "kind=past-rules&stop=minimal&count=1&seed=1",
        "fixed=0.4&count=1&seed=1",
        "technique=x-wing&without=uniqueness&count=1&seed=1",
        "se=2.0-4.0&minimal=true&count=1&seed=1",
    ):
        with page.expect_response("**/api/generate") as response:
            page.evaluate("query => { location.hash = `generate?${query}` }", query)
        (puzzle,) = response.value.json()["puzzles"]
        recipe = parse_qs(query)
        assert puzzle["size"] == int(recipe.get("size", ["9"])[0])
        assert puzzle["box"] == recipe.get("box", [puzzle["box"]])[0]
        assert "fixed=0.4" not in query or sum(map(bool, puzzle["givens"])) == round(0.4 * 81)
        wait_until(page, "line => document.querySelector('.thumbnail a')?.href.includes(line)", puzzle["puzzle"])
        assert page.url.endswith("&count=1&seed=1")


def test_impossible_specifications_are_explained(open_page: OpenPage) -> None:
    page = open_page("#generate", expected_error="status of 422")
    page.get_by_label("Givens").first.fill("10")
    page.get_by_role("button", name="Generate", exact=True).click()
    page.get_by_text("givens: 10; choose 17 to 81: no 9×9 puzzle with fewer is unique").wait_for()
    page.get_by_label("Givens").first.fill("")
    page.get_by_label("Required techniques").first.fill("XW")
    page.get_by_role("button", name="Generate", exact=True).click()
    page.get_by_text("technique: unknown technique 'XW'").wait_for()


def test_patterns_can_be_clicked(open_page: OpenPage) -> None:
    page = open_page("#generate?size=4&count=1")
    page.get_by_text("Pattern of givens").first.click()
    box = page.locator(".pattern-board .board").bounding_box()
    assert box is not None
    for cell in (0, 3, 6, 9, 13):
        row, col = divmod(cell, 4)
        page.mouse.click(box["x"] + (col + 0.5) * box["width"] / 4, box["y"] + (row + 0.5) * box["height"] / 4)
    assert page.locator("[name=pattern]").input_value() == "X..X..X..X...X.."
    page.get_by_role("button", name="Generate", exact=True).click()
    page.get_by_text("1 puzzle").wait_for()
    (puzzle,) = shown_puzzles(page)
    assert [cell for cell, digit in enumerate(puzzle) if digit != "."] == [0, 3, 6, 9, 13]


def test_puzzles_are_rated_on_demand(open_page: OpenPage) -> None:
    page = open_page(HARD)
    page.get_by_role("button", name="Rate puzzle 1").click()
    page.locator(".thumbnail .rating").first.get_by_text("hard (rules) · SE").wait_for()


def test_saved_files_hold_the_puzzles(open_page: OpenPage) -> None:
    page = open_page("#generate?size=6&box=3x2&count=3&seed=2")
    page.get_by_text("3 puzzles").wait_for()
    expected = list(sudokulab.generate(3, size=6, box="3x2", seed=2))
    for extension in ("txt", "sdm", "jsonl"):
        text = saved(page, f"Save as .{extension}").decode()
        assert list(formats.read(io.StringIO(text), None if extension == "jsonl" else "line")) == expected
    assert [puzzle.solution for puzzle in formats.read(io.StringIO(text))] == [puzzle.solution for puzzle in expected]


def test_sheets_are_saved_as_pdf(open_page: OpenPage) -> None:
    page = open_page(HARD)
    page.get_by_label("Title").fill("Weekend")
    page.get_by_label("Ratings").uncheck()
    assert saved(page, "Download PDF").startswith(b"%PDF-")


def test_the_print_view_shows_only_the_boards(open_page: OpenPage) -> None:
    page = open_page(HARD)
    page.get_by_text("2 puzzles").wait_for()
    page.emulate_media(media="print")
    assert page.locator(".thumbnail .board").first.is_visible()
    for hidden in (".generate-form", ".top", "h1", ".thumbnail a"):
        assert not page.locator(hidden).first.is_visible(), hidden


def test_phones_show_the_boards_after_generating(open_page: OpenPage) -> None:
    page = open_page("#generate?count=2", phone=True)
    page.get_by_role("button", name="Generate", exact=True).tap()
    page.get_by_role("link", name="Play puzzle 1").wait_for()
    wait_until(page, "document.querySelector('.thumbnail .board')?.getBoundingClientRect().top < innerHeight")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_a_puzzle_is_opened_on_the_other_pages(open_page: OpenPage) -> None:
    page = open_page(HARD)
    page.get_by_text("2 puzzles").wait_for()
    (first, _) = shown_puzzles(page)
    page.get_by_role("link", name="Play puzzle 1").click()
    wait_until(page, "document.title === 'Play · Sudokulab'")
    assert f"p={first}" in page.url


def test_an_address_with_impossible_choices_shows_the_defaults(open_page: OpenPage) -> None:
    page = open_page("#generate?size=99&kind=nonsense&level=<b>")
    assert page.get_by_label("Size").input_value() == "9"
    assert page.get_by_label("Kind").input_value() == "unique"

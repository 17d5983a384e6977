"""Every page is accessible, needs no other host, and runs no script but its own."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

import pytest

from tests.web import watching
from tests.web.conftest import DESKTOP, PHONE, OpenPage, wait_until

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGES = ("play", "watch", "race", "generate", "lab")
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def axe_violations(page: Page) -> list[str]:
    """Return the accessibility problems of the open page, one line for each element."""
    page.evaluate(resources.files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate(
        "async (tags) => (await axe.run(document, {runOnly: tags, resultTypes: ['violations']})).violations", RULES
    )
    return [f"{one['id']}: {node['html'][:160]} ({one['help']})" for one in found for node in one["nodes"]]


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_accessible_and_fit_the_screen(open_page: OpenPage, name: str) -> None:
    page = open_page(f"#{name}?p={PUZZLE}")
    page.wait_for_load_state("networkidle")
    for theme, screen in (("light", DESKTOP), ("dark", DESKTOP), ("light", PHONE)):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        page.set_viewport_size(screen)  # type: ignore[arg-type]
        assert axe_violations(page) == [], (theme, screen)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, screen


def test_tabs_are_reached_by_keyboard_and_take_the_puzzle_along(open_page: OpenPage) -> None:
    page = open_page(f"#play?p={PUZZLE}")
    for name in PAGES[1:]:
        tab = page.locator(f".tabs a[data-page={name}]")
        tab.focus()
        page.keyboard.press("Enter")
        wait_until(page, f"document.title === '{name.capitalize()} · Sudokulab'")
        page.wait_for_selector("#page h1")
        assert page.locator(".tabs a[aria-current=page]").inner_text() == name.capitalize()
        if name in ("watch", "race"):
            assert PUZZLE in page.url


def open_tab(page: Page, name: str) -> None:
    page.click(f".tabs a[data-page={name}]")
    wait_until(page, f"document.title.endsWith('{name.capitalize()} · Sudokulab')")
    page.wait_for_selector("#page h1", state="attached")


def test_tabs_lead_back_to_where_a_page_was_left(open_page: OpenPage) -> None:
    page = open_page(f"#watch?p={PUZZLE}&solver=tabu&seed=77&tabu_size=7")
    open_tab(page, "generate")
    open_tab(page, "play")
    assert PUZZLE in page.url
    open_tab(page, "watch")
    page.wait_for_selector("#start:enabled")
    assert page.locator("#solver").input_value() == "tabu"
    assert page.locator("#seed").input_value() == "77"
    assert "tabu_size=7" in page.url


def test_the_tab_of_the_open_page_changes_nothing(open_page: OpenPage) -> None:
    page = open_page(f"#watch?p={PUZZLE}&solver=annealing&seed=77")
    page.locator("#start:enabled").click()
    page.wait_for_selector(".live-controls")
    before = page.url
    open_tab(page, "watch")
    assert page.url == before
    assert page.locator("#seed").input_value() == "77"
    page.wait_for_selector(".live-controls")


def test_a_page_is_mounted_once_however_fast_tabs_change(open_page: OpenPage) -> None:
    page = open_page("#play")
    page.evaluate("for (const name of ['lab', 'generate', 'lab', 'generate']) location.hash = name")
    page.wait_for_selector("#page h1")
    assert page.locator("#page h1").count() == 1


def test_an_address_that_changes_while_the_page_loads_is_followed(open_page: OpenPage) -> None:
    page = open_page("#lab")
    page.reload(wait_until="commit")
    page.evaluate(f"location.hash = 'play'; location.hash = 'play?p={PUZZLE}'")
    page.get_by_role("gridcell", name="row 1 column 1, given 5").wait_for(state="attached")


@pytest.mark.parametrize("name", ["play", "watch", "race"])
def test_a_page_that_was_left_is_forgotten(open_page: OpenPage, name: str) -> None:
    page = open_page("#lab")
    page.evaluate("address => { location.hash = address }", f"{name}?p={PUZZLE}")
    wait_until(page, "document.querySelector('#page .board') !== null")
    page.evaluate("() => { window.board = new WeakRef(document.querySelector('#page .board')) }")
    page.evaluate("() => { location.hash = 'lab' }")
    wait_until(page, "document.querySelector('#page .board') === null")

    def is_forgotten() -> bool:
        page.request_gc()
        return bool(page.evaluate("window.board.deref() === undefined"))

    watching.wait_until(page, is_forgotten)


@pytest.mark.parametrize("size", [4, 25])
def test_lines_are_equally_thick_on_all_boards(open_page: OpenPage, size: int) -> None:
    page = open_page(f"#play?p={'.' * (size**2 - 1)}1")
    line = page.locator(".board .thick").first
    assert line.evaluate("line => getComputedStyle(line).vectorEffect") == "non-scaling-stroke"


def test_the_first_tab_stop_skips_to_the_content(open_page: OpenPage) -> None:
    page = open_page("#lab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "page"


@pytest.mark.thorough
@pytest.mark.parametrize("name", PAGES)
def test_focus_is_visible_on_every_tab_stop(open_page: OpenPage, name: str) -> None:
    page = open_page(f"#{name}?p={PUZZLE}")
    page.wait_for_load_state("networkidle")
    stops = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        html, outline = page.evaluate(
            "[document.activeElement.outerHTML, getComputedStyle(document.activeElement).outlineStyle]"
        )
        if html.startswith("<body"):  # past the last one
            break
        stops.add(html)
        assert outline != "none", html
    assert len(stops) > 7


def test_the_theme_follows_the_system_and_can_be_switched(open_page: OpenPage) -> None:
    page = open_page("#lab", theme="dark")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.click("#theme")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "light"


def test_pages_are_printed_in_light_colours(open_page: OpenPage) -> None:
    page = open_page("#lab", theme="dark")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_injected_inline_scripts_do_not_run(open_page: OpenPage) -> None:
    page = open_page("#lab", expected_error="Content Security Policy")
    page.evaluate(
        """() => {
            document.addEventListener("securitypolicyviolation", (event) => (window.blocked = event.violatedDirective));
            const script = document.createElement("script");
            script.textContent = "window.isOwned = true";
            document.body.append(script);
        }"""
    )
    wait_until(page, "window.blocked?.startsWith('script-src')")
    assert page.evaluate("window.isOwned") is None


def test_all_pages_open_without_the_server(open_page: OpenPage) -> None:
    page = open_page("#play", expected_error="ERR_INTERNET_DISCONNECTED")
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    for name in PAGES[::-1]:
        page.click(f".tabs a[data-page={name}]")
        wait_until(page, f"document.title === '{name.capitalize()} · Sudokulab'")
        page.wait_for_selector("#page h1", state="attached")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("7")
    page.locator(".board text", has_text="7").wait_for()


def test_an_unreachable_server_is_reported(open_page: OpenPage) -> None:
    page = open_page("#generate", expected_error="ERR_INTERNET_DISCONNECTED")
    page.context.set_offline(True)
    page.get_by_role("button", name="Generate", exact=True).click()
    page.get_by_role("alert").get_by_text("The server does not answer").wait_for()

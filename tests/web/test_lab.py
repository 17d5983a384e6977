"""The page Lab shows experiments while they run, single runs, and the papers."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sudokulab.lab.store import Store
from tests.timing import PATIENCE_SECONDS
from tests.web.conftest import PHONE, OpenPage, wait_until
from tests.web.stores import EXPERIMENT, PLAN, record_of
from tests.web.test_pages import axe_violations

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Page

ANTS = "#lab?store=ants&experiment=1"


def column(page: Page, table: str, number: int) -> list[str]:
    """Return a column of a table."""
    cells = page.get_by_role("region", name=table, exact=True).locator(f"tbody td:nth-child({number})")
    return cells.all_inner_texts()


def open_ants(open_page: OpenPage, more: str = "", **options: object) -> Page:
    page = open_page(ANTS + more, **options)  # type: ignore[arg-type]
    page.get_by_role("heading", name="Figures").wait_for()
    return page


def test_the_entrance_lists_stores_and_papers(open_page: OpenPage) -> None:
    page = open_page("#lab")
    page.get_by_role("link", name="Ants and annealing").wait_for()
    assert page.get_by_text(re.compile(r"not running, \d+ of 27 runs")).is_visible()
    papers = page.locator(".papers a")
    papers.first.wait_for()
    assert papers.count() == 7
    page.get_by_text("All claims, verdicts and errors").click()
    page.get_by_role("link", name="Hill climbing solves all 100 puzzles").click()
    page.get_by_role("heading", name="claim-100").wait_for()


def test_without_stores_the_page_says_how_to_show_some(open_page: OpenPage) -> None:
    page = open_page("#play")
    page.route("**/api/lab/stores", lambda route: route.fulfill(json={"stores": []}))
    page.goto(f"{page.url.partition('#')[0]}#lab")
    page.get_by_text("sudokulab serve experiment.sqlite").wait_for()


def test_progress_follows_a_running_experiment(open_page: OpenPage, store: Path) -> None:
    page = open_page(ANTS)
    words = page.get_by_text(re.compile(r"^\d+ of 27 runs"))
    words.wait_for()
    num_done = int(words.inner_text().split()[0])
    with Store(store) as writer:
        run = PLAN[num_done]
        writer.add(EXPERIMENT.name, [(run, record_of(run))])
    page.get_by_text(f"{num_done + 1} of 27 runs").wait_for()
    page.get_by_text("runs per").wait_for()


def test_sorted_tables_stay_sorted_when_runs_arrive(open_page: OpenPage, store: Path) -> None:
    page = open_ants(open_page)
    page.clock.install()  # tables follow after ten seconds
    page.get_by_role("region", name="Results", exact=True).get_by_role("button", name="solver").click()
    solved = column(page, "Results", 2)
    with Store(store) as writer:
        run = next(run for run in PLAN if run in writer.missing(EXPERIMENT.name, PLAN))
        writer.add(EXPERIMENT.name, [(run, record_of(run))])
    deadline = time.monotonic() + PATIENCE_SECONDS
    while column(page, "Results", 2) == solved and time.monotonic() < deadline:
        page.clock.run_for(2000)
    assert column(page, "Results", 2) != solved
    assert column(page, "Results", 1) == ["annealing", "ant-colony", "backtracking"]


def test_tables_sort_by_any_column(open_page: OpenPage) -> None:
    page = open_ants(open_page)
    assert column(page, "Results", 1) == ["backtracking", "ant-colony", "annealing"]
    header = page.get_by_role("region", name="Results", exact=True).get_by_role("button", name="solver")
    header.click()
    assert column(page, "Results", 1) == ["annealing", "ant-colony", "backtracking"]
    header.press("Enter")
    assert column(page, "Results", 1) == ["backtracking", "ant-colony", "annealing"]
    assert page.locator("th[aria-sort=descending]").inner_text().startswith("solver")


def test_figures_open_in_a_dialog_and_can_be_enlarged(open_page: OpenPage) -> None:
    page = open_ants(open_page)
    page.get_by_role("button", name="Success rate with").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Larger").click()
    assert dialog.get_by_text("150 %").is_visible()
    wait_until(page, "document.querySelector('dialog img').naturalWidth > 0")
    page.keyboard.press("Escape")
    assert page.get_by_role("dialog").count() == 0


def test_runs_are_filtered_and_shown_with_their_trace(open_page: OpenPage) -> None:
    page = open_ants(open_page)
    page.get_by_label("Outcome").select_option("unsolved")
    page.get_by_text("1–3 of 3").wait_for()
    assert set(column(page, "Runs", 1)) == {"annealing"}
    page.get_by_role("button", name="Show run 3 of annealing").first.click()
    page.get_by_role("heading", name=re.compile("annealing on famous.*, run 3")).wait_for()
    assert page.get_by_role("img", name="Chart. Cost from 40 to 2").is_visible()
    again = open_ants(open_page, page.url.partition(ANTS)[2])
    again.get_by_role("heading", name=re.compile("annealing on famous.*, run 3")).wait_for()


def test_an_unknown_store_is_reported(open_page: OpenPage) -> None:
    page = open_page("#lab?store=bees", expected_error="status of 404")
    page.get_by_text("unknown store 'bees'").wait_for()


def test_papers_are_shown_with_their_tables_and_figures(open_page: OpenPage) -> None:
    page = open_page("#lab?paper=jones-2007&at=figure-5")
    page.get_by_role("heading", name="figure-5").wait_for()
    assert page.locator(".verdict.good").count() > 3
    figure = page.locator("img.plot").first
    figure.scroll_into_view_if_needed()
    wait_until(page, "document.querySelector('img.plot').naturalWidth > 0")
    page.get_by_role("link", name="claim-100").click()
    wait_until(page, "document.activeElement.textContent === 'claim-100'")


def test_experiments_and_papers_are_accessible(open_page: OpenPage) -> None:
    page = open_ants(open_page)
    page.get_by_role("button", name="Show run").first.click()
    page.get_by_role("img", name="Chart").first.wait_for()
    assert axe_violations(page) == []
    page.evaluate("location.hash = 'lab?paper=soto-2013'")
    page.get_by_role("heading", name="figure-4").wait_for()
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert axe_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0

"""The page Race: solvers side by side, by time and in equal steps."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import pytest

import sudokulab
from tests.puzzles import INKALA
from tests.web.conftest import OpenPage
from tests.web.test_pages import axe_violations
from tests.web.watching import number, wait_until

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Page

PRESETS = (
    ("17-givens", "9×9, 17 givens", "cp-annealing"),
    ("16x16", "16×16", "iterated-local-search"),
    ("25x25", "25×25", "conflict-driven"),
    ("inkala-2012", "9×9, 21 givens", "annealing"),
)
"""Presets, what the page says about them, and one of their solvers."""

SOLVERS = ("ant-colony", "backtracking", "dlx")

LARGEST_LEAD = """async () => {
  const number = (text) => Number(text.replace(/\\D/g, ""));
  let lead = 0;
  while (document.querySelector("table.results .is-solved") === null) {
    const rows = [...document.querySelectorAll("table.results tbody tr")];
    const steps = rows.map((row) => number(row.cells[5].textContent));
    lead = Math.max(lead, Math.max(...steps) - Math.min(...steps));
    await new Promise(requestAnimationFrame);
  }
  return lead;
}"""
"""Watch the table until the first solver arrives, and return the largest lead in steps."""


def address(*solvers: str, **parameters: object) -> str:
    query = "&".join(f"{name}={value}" for name, value in parameters.items())
    return f"#race?p={INKALA.line}&solvers={','.join(solvers)}&seed=7&{query}"


def start(page: Page) -> None:
    page.locator("#start:enabled").click()


def results(page: Page) -> list[dict[str, Any]]:
    """Wait for the end of the race and return its table."""
    page.get_by_role("button", name="Copy as CSV").click()
    return list(csv.DictReader(io.StringIO(page.evaluate("navigator.clipboard.readText()"))))


def most_steps(page: Page) -> int:
    """Return the most steps that a lane has made so far."""
    return max(number(row[5]) for row in shown_rows(page))


def shown_rows(page: Page) -> list[list[str]]:
    return [row.locator("th, td").all_inner_texts() for row in page.locator("table.results tbody tr").all()]


def test_a_race_by_time_ranks_by_search_time(open_page: OpenPage) -> None:
    page = open_page(address(*SOLVERS, by="time"))
    start(page)
    rows = results(page)
    assert sorted(row["solver"] for row in rows) == sorted(SOLVERS)
    assert [row["rank"] for row in rows] == ["1", "2", "3"]
    assert [float(row["seconds"]) for row in rows] == sorted(float(row["seconds"]) for row in rows)
    assert [row[1] for row in shown_rows(page)] == [row["solver"] for row in rows]
    assert {row[3] for row in shown_rows(page)} == {"solved"}
    assert page.locator(".lane.is-first h2").inner_text() == rows[0]["solver"]


def test_a_race_in_equal_steps_ranks_by_steps(open_page: OpenPage) -> None:
    page = open_page(address(*SOLVERS, by="steps", stride=100))
    start(page)
    rows = results(page)
    steps = {row["solver"]: int(row["steps"]) for row in rows}
    for solver in SOLVERS:
        stats = sudokulab.solve(INKALA, solver, seed=7).stats
        assert steps[solver] == stats.get("iterations", stats.get("nodes"))
    assert list(steps.values()) == sorted(steps.values())


def test_nobody_runs_ahead_in_a_race_in_equal_steps(open_page: OpenPage) -> None:
    page = open_page(address("annealing", "tabu", "backtracking", by="steps", stride=100))
    start(page)
    assert page.evaluate(LARGEST_LEAD) <= 100
    page.get_by_role("button", name="Stop").click()
    assert len(results(page)) == 3


def test_a_race_is_paused_and_resumed(open_page: OpenPage) -> None:
    page, other = (open_page(address("annealing", "tabu", by="steps", stride=1)) for _ in range(2))
    start(page)
    wait_until(page, lambda: most_steps(page) > 0)
    page.get_by_role("button", name="Pause").click()
    start(other)
    wait_until(other, lambda: most_steps(other) >= 5)  # the round that had begun is over
    paused = most_steps(page)
    wait_until(other, lambda: most_steps(other) >= 15)
    assert most_steps(page) == paused
    page.get_by_role("button", name="Resume").click()
    wait_until(page, lambda: most_steps(page) > paused)
    page.get_by_role("button", name="Stop").click()


def test_a_link_repeats_a_race(open_page: OpenPage) -> None:
    page = open_page(address("ant-colony", "ant-colony", by="steps", stride=100, **{"2.ants": 3}))
    page.locator("#start:enabled").wait_for()
    page.get_by_role("button", name="Copy link").click()
    link = page.evaluate("navigator.clipboard.readText()")
    outcomes = []
    for one in (page, open_page("#" + link.partition("#")[2])):
        start(one)
        outcomes.append([(row["solver"], row["steps"]) for row in results(one)])
    assert outcomes[0] == outcomes[1]
    assert sorted(solver for solver, _ in outcomes[0]) == ["ant-colony", "ant-colony (ants 3)"]


def test_the_field_has_two_to_six_solvers(open_page: OpenPage) -> None:
    page = open_page(address("dlx", "backtracking"))
    page.locator("#start:enabled").wait_for()
    assert page.get_by_role("button", name="Remove dlx").is_disabled()
    add = page.get_by_role("button", name="Add a solver")
    for count in range(3, 7):
        add.click()
        page.locator(f".lane:nth-child({count})").wait_for()
    assert add.is_disabled()
    page.get_by_role("button", name="Remove dlx").click()
    wait_until(page, lambda: page.locator(".lane").count() == 5)


def test_presets_bring_their_puzzle_and_solvers(open_page: OpenPage) -> None:
    page = open_page("#race")
    page.locator("#start:enabled").wait_for()
    for preset, summary, solver in PRESETS:
        page.locator("#preset").select_option(preset)
        page.locator(".setup .hint", has_text=summary).wait_for()
        page.wait_for_selector(f".lane h2:text-is('{solver}')")
    assert "solvers=" in page.url


def test_a_wrong_parameter_stops_the_start(open_page: OpenPage) -> None:
    page = open_page(address("annealing", "tabu", **{"1.cooling": 2}))
    page.locator("#start:enabled").click()
    page.get_by_text("Some parameters are not valid.").wait_for()


def test_a_finished_race_is_accessible_and_fits_a_phone(open_page: OpenPage) -> None:
    page = open_page(address(*SOLVERS, by="time"), phone=True)
    start(page)
    results(page)
    assert axe_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_the_focus_stays_on_the_controls_that_are_used(open_page: OpenPage) -> None:
    page = open_page(address("annealing", "tabu", "dlx", by="steps"))
    focused = "document.activeElement.textContent"
    page.locator("#start:enabled").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Pause").wait_for()
    assert page.evaluate(focused) == "Start again"
    page.get_by_role("button", name="Stop").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Copy as CSV").wait_for()
    assert page.evaluate(focused) == "Start"
    page.locator(".racer select").first.focus()
    page.keyboard.press("ArrowUp")  # from annealing to the solver before it
    page.get_by_role("region", name="Results of the race").get_by_text("iterated-local-search").wait_for()
    assert page.evaluate("document.activeElement.value") == "iterated-local-search"
    page.get_by_role("button", name="Remove dlx").click()
    assert page.evaluate(focused) == "Add a solver"


def test_unknown_solvers_of_a_link_are_named_and_left_out(open_page: OpenPage) -> None:
    page = open_page(address("__proto__", "annealing", "dlx", **{"2.cooling": 0.5}))
    page.get_by_role("status").get_by_text("This server has no solver __proto__.").wait_for()
    page.locator("#start:enabled").wait_for()
    assert [row[1] for row in shown_rows(page)] == ["annealing (cooling 0.5)", "dlx"]

"""The page Watch: live runs that can be paused, stepped and scrubbed, and replays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import sudokulab
from tests.puzzles import INKALA, SEVENTEEN
from tests.web.conftest import OpenPage
from tests.web.test_pages import axe_violations
from tests.web.watching import (
    address,
    number,
    position,
    press,
    start,
    step,
    wait_for_outcome,
    wait_for_step,
    wait_until,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

INK = """board => {
  const canvas = board.querySelector("canvas");
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const pixels = copy.getImageData(0, 0, canvas.width, canvas.height).data;
  return pixels.filter((value, index) => index % 4 === 3 && value > 0).length;
}"""
"""Count the pixels of a board on which something is drawn: candidates or pheromone."""


def pause(page: Page) -> None:
    press(page, "Pause")
    page.get_by_role("button", name="Resume").wait_for()


def test_a_live_run_is_paused_stepped_scrubbed_and_resumed(open_page: OpenPage) -> None:
    page, other = (open_page(address("annealing", speed=100)) for _ in range(2))
    start(page)
    wait_until(page, lambda: step(page) > 0)
    pause(page)
    start(other)
    wait_until(other, lambda: position(other)[1] >= 10)  # the last frames before the pause have arrived
    paused = step(page)
    wait_until(other, lambda: position(other)[1] >= 20)
    assert step(page) == paused > 0

    press(page, "Step 1")
    wait_for_step(page, paused + 1)
    press(page, "Step 10")
    wait_for_step(page, paused + 11)
    page.keyboard.press("ArrowRight")
    wait_for_step(page, paused + 12)

    page.locator("h1").first.focus()
    page.keyboard.press("Home")
    wait_for_step(page, 0)
    assert page.locator("button.live").get_attribute("aria-pressed") == "false"
    page.keyboard.press("ArrowRight")
    wait_until(page, lambda: 0 < step(page) < paused)
    press(page, "Live")
    wait_for_step(page, paused + 12)

    press(page, "Resume")
    wait_until(page, lambda: step(page) > paused + 12)
    press(page, "Stop")
    assert wait_for_outcome(page).startswith("Stopped without a solution")


def test_leaving_the_page_stops_the_search(open_page: OpenPage) -> None:
    page = open_page(address("annealing", speed=100))
    with page.expect_websocket() as socket:
        start(page)
    page.locator(".tabs a[data-page=play]").click()
    wait_until(page, socket.value.is_closed)


def test_steps_do_not_wait_for_the_speed(open_page: OpenPage) -> None:
    page = open_page(address("annealing", speed=1))
    start(page)
    pause(page)
    before = step(page)
    press(page, "Step 1000")
    wait_until(page, lambda: step(page) >= before + 1000)
    paused = step(page)
    assert paused < before + 1010
    press(page, "Resume")
    wait_until(page, lambda: step(page) > paused)
    assert step(page) < paused + 10
    press(page, "Stop")


def test_scrubbing_back_does_not_disturb_the_search(open_page: OpenPage) -> None:
    page = open_page(address("annealing", speed=100))
    start(page)
    wait_until(page, lambda: position(page)[1] > 3)
    page.locator("input.scrub").fill("1")
    page.locator(".place", has_text="Frame 2 of").wait_for()
    shown, (_, last) = step(page), position(page)
    wait_until(page, lambda: position(page)[1] > last + 3)
    assert step(page) == shown
    assert position(page)[0] == 1
    press(page, "Stop")


def test_the_speed_can_be_changed_while_the_search_runs(open_page: OpenPage) -> None:
    page = open_page(address("ant-colony", speed=1))
    start(page)
    page.get_by_label("Speed of the search").press("End")
    assert "Solved in" in wait_for_outcome(page)
    assert "speed=0" in page.url


def test_a_finished_run_is_replayed(open_page: OpenPage) -> None:
    page = open_page(address("ant-colony", speed=0))
    start(page)
    outcome = wait_for_outcome(page)
    iterations = sudokulab.solve(INKALA, "ant-colony", seed=7).stats["iterations"]
    assert f"{iterations:,} iterations" in outcome
    page.get_by_label("Replay speed").select_option("60")
    press(page, "Play")
    wait_until(page, lambda: position(page)[0] == position(page)[1])
    wait_for_step(page, int(iterations))


def test_an_ant_colony_shows_its_pheromone(open_page: OpenPage) -> None:
    page = open_page(address("ant-colony", speed=20))
    start(page)
    wait_until(page, lambda: step(page) > 3)
    board = page.locator(".board")
    pause(page)
    wait_until(page, lambda: board.evaluate(INK) > 1000)
    page.get_by_label("Pheromone").uncheck()
    wait_until(page, lambda: board.evaluate(INK) == 0)
    assert page.locator("canvas[aria-label*='Best value']").count() == 1
    press(page, "Stop")


def test_a_tree_search_shows_its_decisions_candidates_and_depth(open_page: OpenPage) -> None:
    page = open_page(address("backtracking", speed=20))
    start(page)
    wait_until(page, lambda: step(page) > 8)
    pause(page)
    text, num_decisions = page.evaluate(
        "[document.querySelector('#value-depth').textContent, document.querySelectorAll('.shade.decision').length]"
    )
    assert number(text) > 0
    assert num_decisions in (number(text) - 1, number(text))  # a branch may have just been closed
    wait_until(page, lambda: page.locator(".board").evaluate(INK) > 100)
    assert page.locator("canvas[aria-label*='Search depth']").count() == 1
    press(page, "Stop")


def test_arc_consistency_is_shown_before_the_search(open_page: OpenPage) -> None:
    page = open_page(address("ac3-tabu", speed=20))
    start(page)
    page.wait_for_selector(".phase:has-text('Arc consistency')")
    page.wait_for_selector(".board .strike")
    press(page, "Stop")


def test_charts_scrub(open_page: OpenPage) -> None:
    page = open_page(address("annealing", speed=0, seconds=0.5))
    start(page)
    wait_for_outcome(page)
    last = step(page)
    chart = page.locator("canvas.chart").first
    box = chart.bounding_box()
    assert box is not None
    chart.click(position={"x": box["width"] / 2, "y": 60})
    wait_until(page, lambda: step(page) != last)
    assert 0.2 * last < step(page) < 0.8 * last


def test_the_form_is_made_from_the_schema(open_page: OpenPage) -> None:
    page = open_page(address("ant-colony", ants=5))
    page.get_by_text("Parameters", exact=True).click()
    assert page.get_by_label("ants").input_value() == "5"
    assert page.get_by_label("propagation").locator("option").all_inner_texts() == ["peers", "singles", "ac3"]
    page.get_by_label("q0").fill("2")
    page.get_by_label("q0").press("Enter")
    page.get_by_text("Expected a number from 0 to 1.").wait_for()
    page.locator("#start").click()
    page.get_by_text("Some parameters are not valid.").wait_for()
    page.get_by_label("q0").fill("0.5")
    page.get_by_label("q0").press("Tab")
    assert "ants=5" in page.url
    assert "q0=0.5" in page.url


def test_a_value_that_the_server_refuses_is_explained_at_its_field(open_page: OpenPage) -> None:
    page = open_page(address("annealing", filter="nonsense"))
    page.locator("#start:enabled").click()
    field = page.locator(".field", has=page.get_by_label("filter"))
    field.locator(".error:has-text('choose none, cp, ac3, rules')").wait_for()


def test_a_link_repeats_a_run(open_page: OpenPage) -> None:
    page = open_page(address("tabu", seconds=0.3, speed=0))
    page.locator("#start:enabled").wait_for()
    press(page, "Copy link")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.url
    other = open_page(f"#{link.partition('#')[2]}")
    other.locator("#start:enabled").wait_for()
    assert other.locator("#solver").input_value() == "tabu"
    assert other.locator("#seconds").input_value() == "0.3"
    assert other.locator("#seed").input_value() == "7"


def test_another_puzzle_is_pasted(open_page: OpenPage) -> None:
    page = open_page("#watch?solver=backtracking&speed=0")
    page.locator("#start:enabled").wait_for()
    page.get_by_text("Paste a puzzle").click()
    page.locator("#puzzle-text").fill(str(SEVENTEEN))
    press(page, "Use this puzzle")
    page.get_by_text("9×9, 17 givens").wait_for()
    start(page)
    assert "Solved in" in wait_for_outcome(page)
    assert SEVENTEEN.line in page.url


def test_a_long_run_keeps_a_bounded_number_of_frames(open_page: OpenPage) -> None:
    page = open_page("#watch")
    kept = page.evaluate(
        """async () => {
          const { Recording } = await import("./static/js/recording.js");
          const recording = new Recording();
          const grid = Array(16).fill(0);
          recording.add(JSON.stringify({ type: "run", version: 1, box: "2x2", size: 4, givens: grid }));
          for (let step = 0; step < 30000; ++step) {
            recording.add(JSON.stringify({ type: "frame", step, seconds: 0, values: {}, grid }));
          }
          return recording.frames.map((frame) => frame.step);
        }"""
    )
    assert 2500 <= len(kept) <= 5000
    assert (kept[0], kept[-1]) == (0, 29999)
    assert kept == sorted(kept)


def test_thinning_does_not_move_the_frame_that_is_shown(open_page: OpenPage) -> None:
    page = open_page("#watch")
    page.locator("#start:enabled").wait_for()
    steps = page.evaluate(
        """async () => {
          const { Recording } = await import("./static/js/recording.js");
          const { RunView } = await import("./static/js/run-view.js");
          const recording = new Recording();
          const grid = Array(16).fill(0);
          const add = (step) => recording.add(JSON.stringify({ type: "frame", step, seconds: 0, values: {}, grid }));
          const shown = () => document.querySelector("#value-step").textContent;
          const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
          recording.add(JSON.stringify({ type: "run", version: 1, box: "2x2", size: 4, givens: grid, solver: "x" }));
          for (let step = 0; step < 4999; ++step) add(step);
          const view = new RunView(recording, { isLive: true });
          document.querySelector("#page").append(view.element);
          view.player.seek(1000);
          await drawn();
          const before = shown();
          for (let step = 4999; step < 5010; ++step) add(step);
          view.refresh();
          await drawn();
          view.close();
          return [before, shown(), recording.frames.length < 4000];
        }"""
    )
    assert steps == ["1,000", "1,000", True]


@pytest.mark.thorough
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_run_is_accessible(open_page: OpenPage, theme: str) -> None:
    page = open_page(address("ant-colony", speed=20), theme=theme)
    start(page)
    page.get_by_text("Parameters", exact=True).click()
    page.get_by_text("What is drawn").click()
    pause(page)
    assert axe_violations(page) == []
    press(page, "Stop")
    wait_for_outcome(page)
    assert axe_violations(page) == []


def test_another_address_leaves_the_run(open_page: OpenPage) -> None:
    page = open_page(address("annealing"))
    start(page)
    page.evaluate("address => location.hash = address", address("dlx"))
    page.get_by_text("Press Start to see the solver at work.").wait_for()
    assert page.locator("#solver").input_value() == "dlx"
    assert page.locator(".live-controls").count() == 0


def test_the_focus_stays_on_the_player_when_a_run_ends(open_page: OpenPage) -> None:
    page = open_page(address("annealing"))
    start(page)
    page.get_by_role("button", name="Stop").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Save as HTML").wait_for()
    assert page.evaluate("document.activeElement.ariaLabel") == "Position in the run"


def test_a_link_with_nonsense_is_explained(open_page: OpenPage) -> None:
    page = open_page("#watch?p=<script>&solver=__proto__&seed=x&seconds=-1", expected_error="422")
    page.wait_for_selector("#status.is-error")
    page.locator("#start:enabled").wait_for()
    assert page.locator("#seed").input_value() == "1"


def test_a_link_takes_a_puzzle_in_any_format(open_page: OpenPage) -> None:
    page = open_page(f"#watch?p={INKALA.line.replace('.', '0').replace('8', '8%20')}")
    page.get_by_text("9×9, 21 givens").wait_for()


def test_a_page_recovers_when_the_server_answers_again(open_page: OpenPage) -> None:
    page = open_page("#lab", expected_error="ERR_INTERNET_DISCONNECTED")
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    page.click(".tabs a[data-page=watch]")
    page.get_by_role("status").get_by_text("The server does not answer").wait_for()
    page.context.set_offline(False)
    page.click(".tabs a[data-page=lab]")
    page.click(".tabs a[data-page=watch]")
    page.locator("#start:enabled").wait_for()

"""Saved runs on the page Watch, and pages and notebooks that play a run by themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import sudokulab
from sudokulab import Budget
from sudokulab.search.frames import frames_to_lines, read_frames
from tests.puzzles import INKALA, SEVENTEEN
from tests.web.conftest import OpenPage
from tests.web.watching import address, position, press, start, step, wait_for_outcome, wait_for_step, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, FilePayload, Page

pytestmark = pytest.mark.slow

HEADER = json.dumps({"type": "run", "version": 1, "box": "2x2", "size": 4, "givens": [0] * 16, "parameters": {}})


def frame(**changes: object) -> str:
    """Return a frame of a saved run, with some keys changed."""
    return json.dumps({"type": "frame", "step": 1, "seconds": 0.5, "values": {"cost": 3}, "grid": [0] * 16, **changes})


def saved(page: Page, button: str, folder: Path) -> Path:
    with page.expect_download() as download:
        press(page, button)
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_a_run_is_saved_and_opened_again(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(address("ant-colony", speed=0, ants=5))
    start(page)
    outcome = wait_for_outcome(page)
    path = saved(page, "Save as JSON lines", tmp_path)
    recording = read_frames(path.read_text(encoding="utf-8").splitlines())
    assert path.name == "ant-colony-9x9-seed-7.jsonl"
    assert (recording.puzzle, recording.header["parameters"]["ants"]) == (INKALA, 5)
    assert recording.result is not None

    other = open_page("#watch")
    other.locator("#start:enabled").wait_for()
    other.locator("input[type=file]").set_input_files(path)
    assert wait_for_outcome(other) == outcome
    assert other.locator(".place").inner_text().endswith(f"of {len(recording.frames):,}")
    assert "solver=ant-colony" in other.url
    assert "ants=5" in other.url


def test_a_dropped_recording_is_opened(open_page: OpenPage) -> None:
    result = sudokulab.solve(INKALA, "backtracking", frames=True)
    lines = "\n".join(frames_to_lines(result))
    page = open_page("#watch")
    page.locator("#start:enabled").wait_for()
    transfer = page.evaluate_handle(
        "text => { const data = new DataTransfer(); data.items.add(new File([text], 'run.jsonl')); return data; }",
        lines,
    )
    page.dispatch_event("#page", "drop", {"dataTransfer": transfer})
    assert "Solved in" in wait_for_outcome(page)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{}", "Line 1: a recorded run starts with a line of type run."),
        ("no recording", "Line 1: not JSON."),
        ('{"type":"run","version":99}', "Line 1: this run was saved by a newer version of Sudokulab."),
        ('{"type":"run","version":1,"box":"3x3","size":9,"givens":[10]}', "Line 1: the puzzle is damaged."),
        ('{"type":"run","version":1,"box":"9999x9999","size":99980001}', "Line 1: the puzzle is damaged."),
        (HEADER.replace("{}", '"x"'), "Line 1: the parameters are damaged."),
        (f"{HEADER}\n{frame(step='12')}", "Line 2: the values of this frame are damaged."),
        (f"{HEADER}\n{frame(values={'cost': '<b>'})}", "Line 2: the values of this frame are damaged."),
        (f"{HEADER}\n{frame(grid=[0])}", "Line 2: the grid of this frame is damaged."),
        (f'{HEADER}\n{frame()}\n{{"type":"result","status":1}}', "Line 3: the result is damaged."),
    ],
)
def test_a_damaged_recording_is_explained(open_page: OpenPage, tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(content)
    page = open_page("#watch")
    page.locator("#start:enabled").wait_for()
    page.locator("input[type=file]").set_input_files(path)
    page.wait_for_selector("#status.is-error")
    assert page.locator("#status").inner_text() == f"run.jsonl cannot be opened. {message}"


@pytest.mark.thorough
@pytest.mark.parametrize(
    "damage",
    [{"tabu": 5}, {"decisions": [None, [99, 1]]}, {"candidates": "x" * 16}, {"pheromone": 1}, {"phase": {}}],
    ids=str,
)
def test_damaged_marks_of_a_frame_are_left_out(open_page: OpenPage, damage: dict[str, object]) -> None:
    page = open_page("#watch")
    page.locator("#start:enabled").wait_for()
    lines = f"{HEADER}\n{frame(**damage)}\n{frame(step=2, **damage)}"
    file: FilePayload = {"name": "run.jsonl", "mimeType": "text/plain", "buffer": lines.encode()}
    page.locator("input[type=file]").set_input_files(file)
    wait_for_step(page, 1)
    page.get_by_role("button", name="Next frame").click()
    wait_for_step(page, 2)


def test_a_saved_page_plays_from_a_file_without_any_request(
    open_page: OpenPage, browser: Browser, tmp_path: Path
) -> None:
    page = open_page(address("ant-colony", speed=0))
    start(page)
    outcome = wait_for_outcome(page)
    path = saved(page, "Save as HTML", tmp_path)
    assert plays(browser, path) == outcome


def test_a_page_from_the_command_line_plays_from_a_file(browser: Browser, tmp_path: Path) -> None:
    result = sudokulab.solve(SEVENTEEN, "annealing", Budget(iterations=100_000), seed=1, frames=True)
    path = sudokulab.animate(result).save(tmp_path / "annealing.html")
    assert f"{result.stats['iterations']:,} iterations" in plays(browser, path)


def plays(browser: Browser, path: Path) -> str:
    """Play a self-contained page to its end, and return how the run ended; fail on any request or error."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda request: None if request.url.startswith("data:") else problems.append(request.url))
    page.goto(path.as_uri())
    page.wait_for_selector("#value-step")
    assert step(page) == 0
    page.get_by_label("Replay speed").select_option("60")
    press(page, "Play")
    wait_until(page, lambda: step(page) > 0)
    page.keyboard.press("End")
    wait_until(page, lambda: position(page)[0] == position(page)[1])
    outcome = page.locator(".outcome").inner_text()
    context.close()
    assert problems == [path.as_uri()]
    return outcome


def test_a_notebook_plays_a_run_in_its_sandbox(browser: Browser) -> None:
    result = sudokulab.solve(INKALA, "ant-colony", seed=7, frames=True)
    context = browser.new_context(offline=True)
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.set_content(sudokulab.animate(result)._repr_html_())
    frame = page.frame_locator("iframe")
    frame.get_by_role("button", name="Last frame").click()
    frame.locator("#value-step", has_text=str(result.stats["iterations"])).wait_for()
    context.close()
    assert problems == []

"""What the tests of the page Watch do on it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.puzzles import INKALA
from tests.timing import PATIENCE_SECONDS

if TYPE_CHECKING:
    from playwright.sync_api import Page


def address(solver: str, **parameters: object) -> str:
    query = "&".join(f"{name}={value}" for name, value in parameters.items())
    return f"#watch?p={INKALA.line}&solver={solver}&seed=7&{query}"


def start(page: Page) -> None:
    page.locator("#start:enabled").click()
    page.wait_for_selector("#value-step")


def number(text: str) -> int:
    return int(re.sub(r"\D", "", text))


def step(page: Page) -> int:
    return number(page.locator("#value-step").inner_text())


def wait_until(page: Page, is_so: Callable[[], bool]) -> None:
    """Poll a condition. Playwright's own way needs `eval`, which the policy of the page forbids."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < deadline, "the condition did not become true"
        page.wait_for_timeout(20)


def wait_for_step(page: Page, expected: int) -> None:
    wait_until(page, lambda: step(page) == expected)


def position(page: Page) -> tuple[int, int]:
    """Return the number of the frame that is shown, and that of the last one."""
    slider = page.locator("input.scrub")
    return int(slider.input_value()), int(slider.get_attribute("max") or 0)


def wait_for_outcome(page: Page) -> str:
    page.wait_for_selector(".outcome:not(:empty)")
    return page.locator(".outcome").inner_text()


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()

"""A real server and a real browser for the tests of the web page.

Each test module has its own browser, because Playwright keeps an event loop running on the thread, and other tests
must be able to start one.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from tests.timing import PATIENCE_SECONDS
from tests.web.servers import running_server
from tests.web.stores import write_store

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
DESKTOP = {"width": 1200, "height": 900}
PHONE = {"width": 390, "height": 844}


class OpenPage(Protocol):
    """Open a page such as ``#play``; the test fails if the browser reports any error but the expected one."""

    def __call__(
        self, address: str = "", *, theme: str = "light", phone: bool = False, expected_error: str = ""
    ) -> Page: ...


def wait_until(page: Page, expression: str, argument: object = None) -> None:
    """Wait until JavaScript is true. `Page.wait_for_function` would need eval, which the page forbids."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not page.evaluate(expression, argument):
        assert time.monotonic() < deadline, f"never true: {expression}"
        page.wait_for_timeout(20)


@dataclass
class Watch:
    """Collect everything that must not happen on a page.

    Parameters
    ----------
    origin
        The address of the server.
    expected_error
        Part of the messages that the test provokes, such as ``status of 422`` for refused requests.
    """

    origin: str
    expected_error: str = ""
    problems: list[str] = field(default_factory=list)

    def follow(self, page: Page) -> None:
        page.on("console", lambda message: self._log(message.type, message.text))
        page.on("pageerror", lambda error: self._add(f"uncaught error: {error}"))
        page.on("request", lambda request: self._check_address(request.url))
        page.on("websocket", lambda one: self._check_address(one.url.replace("ws:", "http:", 1)))
        page.on("requestfailed", lambda request: self._fail(request.url, request.failure or ""))

    def _log(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self._add(f"console {kind}: {text}")

    def _check_address(self, url: str) -> None:
        if not url.startswith((f"{self.origin}/", "data:", "blob:")):
            self._add(f"request to another host: {url}")

    def _fail(self, url: str, reason: str) -> None:
        if "ERR_ABORTED" not in reason:  # the page itself cancels requests whose answer it no longer needs
            self._add(f"failed request: {url}: {reason}")

    def _add(self, problem: str) -> None:
        if not self.expected_error or self.expected_error not in problem:
            self.problems.append(problem)


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with an unfinished experiment of three solvers."""
    return write_store(tmp_path_factory.mktemp("stores") / "ants.sqlite")


@pytest.fixture(scope="session")
def server(store: Path) -> Iterator[str]:
    """Start ``sudokulab serve`` on a free port and return its address."""
    with running_server(str(store)) as running:
        yield running.url.rstrip("/")


@pytest.fixture(scope="session")
def chromium() -> str:
    """Return the path of Chromium; without it tests are skipped, but fail on a build server."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        stop: Callable[[str], Any] = pytest.fail if os.environ.get("CI") else pytest.skip
        stop("NO BROWSER: the web page is not tested; install chromium (`make browser` does on Debian, as root)")
    assert path is not None
    return path


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """Start Chromium."""
    from playwright.sync_api import sync_playwright

    # the sandbox of Chromium refuses to run as root
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=options)
        yield started
        started.close()


@pytest.fixture
def open_page(browser: Browser, server: str) -> Iterator[OpenPage]:
    """Return a function that opens a page, as a new visitor with an empty storage."""
    contexts: list[BrowserContext] = []
    watches: list[Watch] = []

    def open_page(address: str = "", *, theme: str = "light", phone: bool = False, expected_error: str = "") -> Page:
        context = browser.new_context(
            viewport=PHONE if phone else DESKTOP,  # type: ignore[arg-type]
            color_scheme=theme,  # type: ignore[arg-type]
            has_touch=phone,
            is_mobile=phone,
            reduced_motion="reduce",
            permissions=["clipboard-read", "clipboard-write"],
        )
        contexts.append(context)
        context.set_default_timeout(1000 * PATIENCE_SECONDS)
        page = context.new_page()
        watches.append(Watch(server, expected_error))
        watches[-1].follow(page)
        page.goto(f"{server}/{address}")
        page.wait_for_selector("#page > *")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [problem for watch in watches for problem in watch.problems] == []

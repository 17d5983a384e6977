"""Short questions are answered while hostile neighbours keep the server busy."""

from __future__ import annotations

import contextlib
import json
import select
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.sync.client import connect

from sudokulab import BudgetError
from sudokulab.drawing import picture_of
from sudokulab.drawing.pages import write_pages
from sudokulab.formats.documents import MAX_TOKENS
from sudokulab.formats.lz import compress
from sudokulab.web.jobs import Jobs, Lane
from sudokulab.web.server import Server
from sudokulab.web.settings import Limits, Settings
from tests.cases import for_each
from tests.puzzles import EASY, TINY
from tests.timing import PATIENCE_SECONDS, wait_until
from tests.web.servers import local_server

pytestmark = pytest.mark.slow

SECONDS = 300
"""How long we wait for a short answer before the test fails, however busy the machine is."""
REGIONS = [[[row + at // 2, col + at % 2] for at in range(4)] for row in (0, 2) for col in (0, 2)]
CELLS = [[{"v": digit} if digit else {} for digit in row] for row in TINY]


def slow_link() -> str:
    """Return a short link to a puzzle whose document has almost as many words as allowed, and takes long to read."""
    document = json.dumps({"ce": CELLS, "re": REGIONS, "metadata": {"x": []}}, separators=(",", ":"))
    return f"scl{compress(document.replace('[]', '[' + ',' * (MAX_TOKENS - 1000) + ']'))}"


LINK = slow_link()
BLANK = {"puzzle": "." * 625, "solver": "annealing", "seconds": 60}
SHEET = {"puzzles": [EASY.line] * 60, "hints": 20, "ratings": [], "per_page": 1, "seconds": 60}
TEXT = {"text": f"{LINK}\n" * 1000, "seconds": 60}

NEIGHBOURS: dict[str, tuple[str, dict[str, Any], int, Lane | None]] = {
    "solves": ("solve", BLANK, 40, Lane.SLOW),
    "generations": ("generate", {"se": [11.5, 11.9], "seconds": 60}, 20, Lane.SLOW),
    "texts": ("read", TEXT, 12, Lane.READING),
    "sheets": ("sheet", SHEET, 12, Lane.DRAWING),
}
"""Address, body, and number of hostile requests, each of which takes seconds, and the lane that they fill."""


def request_of(path: str, body: dict[str, Any]) -> bytes:
    content = json.dumps(body).encode()
    head = f"POST /api/{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content


@contextlib.contextmanager
def sent(url: str, request: bytes, number: int) -> Iterator[list[socket.socket]]:
    """Send requests, and leave their answers to the caller."""
    parts = urlsplit(url)
    with contextlib.ExitStack() as stack:
        opened = []
        for _ in range(number):
            client = socket.create_connection((parts.hostname, parts.port), timeout=SECONDS)
            opened.append(stack.enter_context(client))
            client.sendall(request)
        yield opened


def answered(clients: list[socket.socket]) -> list[socket.socket]:
    return select.select(clients, [], [], 0)[0]


def check_short_answers(url: str) -> None:
    with httpx.Client(base_url=url, timeout=SECONDS) as client:
        assert client.get("/static/js/main.js").status_code == 200
        for path in ("solve", "check", "hint"):
            assert client.post(f"/api/{path}", json={"puzzle": TINY.line}).status_code == 200


@pytest.mark.thorough
@for_each("name", NEIGHBOURS)
def test_short_questions_do_not_wait_for_long_ones(name: str) -> None:
    path, body, number, lane = NEIGHBOURS[name]
    with local_server() as (server, url), sent(url, request_of(path, body), number) as hostile:
        wait_until(lambda: server.app.state.jobs.num_jobs(lane) > number / 2)
        check_short_answers(url)
        assert len(answered(hostile)) < number / 4


READERS: list[tuple[str, dict[str, Any]]] = [
    ("read", {"text": LINK}),
    ("convert", {"puzzle": LINK, "to": "grid"}),
    ("solve", {"puzzle": LINK}),
    ("check", {"puzzle": LINK}),
    ("rate", {"puzzle": LINK}),
    ("hint", {"puzzle": LINK}),
    ("explain", {"puzzle": TINY.line, "board": LINK}),
    ("sheet", {"puzzles": [LINK], "format": "svg"}),
    ("solve", {"puzzle": "\n" * 3000 + TINY.line}),
]


def test_short_questions_do_not_wait_for_links_and_long_texts() -> None:
    free = threading.Event()
    with local_server() as (server, url), contextlib.ExitStack() as stack:
        jobs: Jobs = server.app.state.jobs
        stack.callback(free.set)
        jobs._threads[Lane.READING].pool.submit(free.wait)
        hostile = [stack.enter_context(sent(url, request_of(*reader), 1))[0] for reader in READERS]
        run = stack.enter_context(connect(f"{url.replace('http', 'ws')}/api/runs", close_timeout=0))
        run.send(json.dumps({"type": "start", "puzzle": LINK, "solver": "annealing"}))
        wait_until(lambda: jobs.num_jobs(Lane.READING) == len(READERS) + 1)
        check_short_answers(url)
        assert not answered(hostile)
        free.set()
        for client in hostile:
            assert client.recv(15) == b"HTTP/1.1 200 OK"
        assert json.loads(list(run)[-1].splitlines()[-1])["type"] == "result"


@for_each("path", ["check", "solve", "rate", "explain"])
def test_the_time_limit_ends_the_reading_of_a_long_text(path: str) -> None:
    body = {"puzzle": "a,b\n" * 24_000, "seconds": 0.001}
    with local_server() as (_, url):
        answer = httpx.post(f"{url}/api/{path}", json=body, timeout=SECONDS)
    assert (answer.status_code, answer.json()["detail"][:16]) == (422, "the time ran out")


def test_short_questions_do_not_wait_for_all_of_them_together() -> None:
    with local_server(Settings(limits=Limits(connections=200))) as (server, url), contextlib.ExitStack() as stack:
        hostile = []
        for name in ("sheets", "texts", "generations", "solves"):
            path, body, number, lane = NEIGHBOURS[name]
            hostile += stack.enter_context(sent(url, request_of(path, body), number))
            wait_until(lambda lane=lane, number=number: server.app.state.jobs.num_jobs(lane) > number / 2)  # type: ignore[misc]
        start = {**BLANK, "type": "start", "steps_per_frame": 1}
        for _ in range(5):
            run = stack.enter_context(connect(f"{url.replace('http', 'ws')}/api/runs", close_timeout=0))
            run.send(json.dumps(start))
        wait_until(lambda: len(server.app.state.runs) == 5)
        stack.enter_context(sent(url, b"GET / HTTP/1.1\r\n", 300))
        check_short_answers(url)
        assert len(answered(hostile)) < len(hostile) / 4


def test_reading_ends_at_its_time_limit() -> None:
    with local_server() as (_, url):
        answer = httpx.post(f"{url}/api/read", json={**TEXT, "seconds": 0.5}, timeout=SECONDS).json()
    assert len(answer["puzzles"]) < 1000
    assert answer["errors"][-1].startswith("the time ran out at line ")


def test_text_without_puzzles_ends_at_its_time_limit() -> None:
    body = {"text": "x\n" * 300_000, "seconds": 0.01}
    with local_server() as (_, url):
        answer = httpx.post(f"{url}/api/read", json=body, timeout=SECONDS)
    assert "the time ran out" in answer.text


def test_drawing_ends_at_its_time_limit() -> None:
    body = {**SHEET, "hints": 0, "solutions": False, "seconds": 0.3}
    with local_server() as (_, url):
        answer = httpx.post(f"{url}/api/sheet", json=body, timeout=SECONDS)
    assert (answer.status_code, answer.json()["detail"][:16]) == (422, "the time ran out")


@pytest.mark.parametrize("extension", ["pdf", "svg"])
def test_drawing_can_be_stopped_before_each_page(tmp_path: Path, extension: str) -> None:
    num_checks = 0

    def check() -> None:
        nonlocal num_checks
        num_checks += 1
        if num_checks == 3:
            raise BudgetError("the time ran out")

    with pytest.raises(BudgetError):
        write_pages([picture_of(TINY)] * 5, tmp_path / f"sheet.{extension}", check)
    assert num_checks == 3


PARSED = {"puzzle": LINK, "seconds": 60}
REQUESTS: list[tuple[str, dict[str, Any]]] = [
    ("read", {"text": LINK}),
    ("convert", {"puzzle": LINK, "to": "grid"}),
    ("solve", PARSED),
    ("solve", {"puzzle": TINY.line}),
    ("check", PARSED),
    ("rate", PARSED),
    ("hint", PARSED),
    ("explain", {**PARSED, "board": LINK}),
    ("generate", {"size": 4, "seconds": 60}),
    ("sheet", {"puzzles": [LINK], "format": "svg", "seconds": 60}),
]


@for_each("name", ["technique", "without", "pattern"])
def test_long_specifications_are_refused(name: str) -> None:
    with local_server() as (_, url):
        answer = httpx.post(f"{url}/api/generate", json={name: "x-wing," * 100_000}, timeout=SECONDS)
    assert (answer.status_code, answer.json()["detail"][: len(name)]) == (422, name)


def test_nothing_is_read_or_drawn_on_the_event_loop() -> None:
    calls: set[str] = set()

    def watch(frame: Any, event: str, argument: object) -> None:
        file = Path(frame.f_code.co_filename)
        if "sudokulab" in file.parts and file.parts[-2] in ("formats", "drawing"):
            calls.add(f"{file.name}: {frame.f_code.co_name}")

    with watched_server(watch) as url, httpx.Client(base_url=url, timeout=SECONDS) as client:
        for path, body in REQUESTS:
            assert client.post(f"/api/{path}", json=body).status_code == 200, path
        with connect(f"{url.replace('http', 'ws')}/api/runs") as run:
            run.send(json.dumps({"type": "start", "puzzle": LINK, "solver": "annealing"}))
            assert json.loads(list(run)[-1].splitlines()[-1])["type"] == "result"
    assert calls <= {"links.py: is_link", "symbols.py: encode"}


@contextlib.contextmanager
def watched_server(watch: Callable[[Any, str, object], None]) -> Iterator[str]:
    """Start a server, and call a function for each call on its event loop."""
    started: Queue[int] = Queue()

    def on_start(settings: Settings) -> None:
        started.put(settings.port)
        sys.setprofile(watch)

    server = Server(Settings(port=0), on_start)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield f"http://127.0.0.1:{started.get(timeout=PATIENCE_SECONDS)}"
    finally:
        server.should_exit = True
        thread.join(PATIENCE_SECONDS)

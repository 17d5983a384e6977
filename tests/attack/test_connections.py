"""Clients that open connections and leave them unfinished: others are still answered, and the log stays short."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import socket
import time
from collections.abc import Iterator
from typing import cast
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from sudokulab.web.connections import Connection, RateLimit
from sudokulab.web.jobs import Lane
from sudokulab.web.server import Server
from sudokulab.web.settings import Limits, Settings
from tests.cases import for_each
from tests.puzzles import TINY
from tests.timing import PATIENCE_SECONDS, wait_until
from tests.web.servers import local_server, running_server

pytestmark = pytest.mark.slow

HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
SCRIPT = b"GET /static/js/main.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
FIRST = (b"", SCRIPT)
"""What a client has sent before an unfinished request: nothing, or a request."""
BODY = b"POST /api/solve HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
SEARCH = json.dumps({"puzzle": "." * 625, "solver": "annealing", "seconds": 60}).encode()
LONG = b"POST /api/solve HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"


def connected(url: str) -> socket.socket:
    parts = urlsplit(url)
    return socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE_SECONDS)


@contextlib.contextmanager
def clients(url: str, number: int, sent: bytes) -> Iterator[list[socket.socket]]:
    """Open connections that send something and never read."""
    with contextlib.ExitStack() as stack:
        opened = []
        for _ in range(number):
            opened.append(stack.enter_context(connected(url)))
            with contextlib.suppress(OSError):  # closed by the server already
                opened[-1].sendall(sent)
        yield opened


def is_closed(client: socket.socket) -> bool:
    """Return whether the server has closed a connection on which it has sent nothing."""
    client.setblocking(False)
    try:
        return client.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def has_only_idle(server: Server) -> bool:
    connections = cast("set[Connection]", server.server_state.connections)
    return len(connections) >= 5 and all(one.is_idle for one in list(connections))


def check_answers(url: str) -> None:
    assert httpx.get(url, timeout=PATIENCE_SECONDS).status_code == 200
    answer = httpx.post(f"{url.rstrip('/')}/api/solve", json={"puzzle": TINY.line}, timeout=PATIENCE_SECONDS)
    assert answer.json()["status"] == "solved"


def test_more_connections_than_descriptors_keep_nobody_out() -> None:
    few_descriptors = ["bash", "-c", 'ulimit -n 200 && exec "$@"', "bash"]
    with running_server(prefix=few_descriptors) as server:
        with clients(server.url, 500, HEAD):
            check_answers(server.url)
        check_answers(server.url)
        server.interrupt()
    assert len(server.lines) < 10, server.lines[:10]


@for_each(
    "sent",
    [b"", HEAD, BODY, SCRIPT * 200, LONG % (len(SEARCH) + 1, SEARCH)],
    ids=["nothing", "head", "body", "reading", "search"],
)
def test_a_full_server_drops_idle_connections(sent: bytes) -> None:
    with local_server(Settings(limits=Limits(connections=5))) as (server, url), clients(url, 20, sent):
        wait_until(lambda: has_only_idle(server))
        check_answers(url)


def test_a_full_server_keeps_the_connections_that_it_works_for() -> None:
    with (
        local_server(Settings(limits=Limits(connections=5))) as (server, url),
        clients(url, 1, LONG % (len(SEARCH), SEARCH)) as (busy,),
    ):
        wait_until(lambda: server.app.state.jobs.num_jobs(Lane.SLOW) == 1)
        with clients(url, 20, HEAD) as idle:
            check_answers(url)
            assert is_closed(idle[0])
            assert not is_closed(busy)


@pytest.mark.parametrize("before", FIRST, ids=["first", "second"])
def test_a_request_head_must_arrive_in_time(before: bytes) -> None:
    with local_server(Settings(limits=Limits(head_seconds=0.3))) as (_, url), connected(url) as client:
        client.sendall(before)
        if before:
            client.recv(1)
        client.sendall(HEAD)
        end = time.monotonic() + PATIENCE_SECONDS
        with contextlib.suppress(ConnectionError):
            # more of the head does not extend the time; it stays far below the size at which uvicorn refuses it
            while client.send(b"X") and time.monotonic() < end:
                time.sleep(0.05)
        assert time.monotonic() < end


def test_a_body_must_arrive_in_time() -> None:
    with local_server(Settings(limits=Limits(body_seconds=0.3))) as (_, url), connected(url) as client:
        client.sendall(BODY)
        parts = []
        while part := client.recv(1 << 16):  # until the server closes the connection
            parts.append(part)
    assert b"".join(parts).startswith(b"HTTP/1.1 408")


def test_websockets_without_a_run_are_limited() -> None:
    with local_server(Settings(limits=Limits(sockets=2))) as (_, url):
        address = f"{url.replace('http', 'ws')}/api/runs"
        with connect(address), connect(address), pytest.raises(InvalidStatus):
            connect(address)
        check_answers(url)


def test_the_log_is_limited() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.addFilter(RateLimit(max_messages=3, seconds=0.2))
    logger = logging.getLogger("tests.attack.connections")
    logger.propagate = False
    logger.addHandler(handler)
    end = time.monotonic() + PATIENCE_SECONDS
    num_messages = 0
    while "were dropped before" not in stream.getvalue() and time.monotonic() < end:
        logger.error("accept failed: %s", "too many open files")
        num_messages += 1
    logger.removeHandler(handler)
    *before, last = stream.getvalue().splitlines()
    assert len(before) < num_messages / 2
    assert last.startswith("accept failed: too many open files (")

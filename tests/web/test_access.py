"""Each request has an id, and is logged if the log level says so."""

from __future__ import annotations

import logging
import re

import httpx
import pytest
from websockets.sync.client import connect

from sudokulab.web.access import ACCESS, IdFilter
from tests.puzzles import TINY
from tests.timing import wait_until
from tests.web.servers import client_of, running_server

pytestmark = pytest.mark.slow

TOKEN = "correct-horse-battery-staple"


def test_responses_repeat_the_id_of_their_request_or_have_a_new_one() -> None:
    with client_of() as client:
        given = client.get("/api/solvers", headers={"X-Request-Id": "proxy-17"})
        assert given.headers["x-request-id"] == "proxy-17"
        new = [client.get("/nowhere").headers["x-request-id"] for _ in range(2)]
        assert len(set(new)) == 2
        for unsafe in ("a b", "x" * 65, 'a"b'):
            answer = client.get("/", headers={"X-Request-Id": unsafe})
            assert re.fullmatch(r"[0-9a-f]{16}", answer.headers["x-request-id"])


def test_requests_are_logged_without_their_query_and_their_token() -> None:
    with running_server("--log-level", "info", "--token", TOKEN) as server:
        headers = {"X-Request-Id": "first", "Authorization": f"Bearer {TOKEN}"}
        httpx.get(f"{server.url}api/solvers?token={TOKEN}", headers=headers).raise_for_status()
        assert httpx.get(f"{server.url}api/solvers%0Aforged").status_code == 401
        with connect(f"{server.url.replace('http', 'ws')}api/runs", additional_headers=headers):
            pass
        wait_until(lambda: sum("WEBSOCKET" in line for line in server.lines))
        log = "".join(server.lines[1:])
    assert re.search(r"^\d{4}-\S+ \S+ INFO first 127\.0\.0\.1 GET /api/solvers 200 \d+\.\d ms$", log, re.MULTILINE)
    assert re.search(r" GET /api/solvers\?forged 401 ", log)
    assert re.search(r" WEBSOCKET /api/runs 101 ", log)
    assert TOKEN not in log


def test_requests_are_not_logged_by_default() -> None:
    with running_server() as server:
        assert httpx.get(f"{server.url}api/solvers").status_code == 200
        server.interrupt()
        assert not any("/api/solvers" in line for line in server.lines)


def test_errors_are_logged_with_the_id_of_their_request(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("sudokulab.web.puzzles.rate_puzzle", lambda *_, **__: 1 / 0)
    caplog.handler.addFilter(IdFilter())
    with caplog.at_level(logging.INFO, ACCESS.name), client_of() as client:
        answer = client.post("/api/rate", json={"puzzle": TINY.line}, headers={"X-Request-Id": "broken"})
        assert answer.status_code == 500
    found = {record.name: record.request_id for record in caplog.records}  # type: ignore[attr-defined]
    assert found["sudokulab.web"] == found["sudokulab.web.access"] == "broken"

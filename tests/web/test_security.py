"""No other web page and no other machine can use the server, and no request can exhaust it."""

from __future__ import annotations

import http.client
import json
import re
import socket
from collections.abc import Iterator
from typing import TYPE_CHECKING

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from sudokulab.errors import SudokulabError
from sudokulab.web.jobs import Lane
from sudokulab.web.settings import Limits, Settings
from tests.cases import for_each
from tests.puzzles import TINY
from tests.timing import PATIENCE_SECONDS, wait_until
from tests.web.servers import client_of, local_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TOKEN = "correct-horse-battery-staple"
SOLVE = {"puzzle": TINY.line}
HARDEST = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"
"""A puzzle that Sudoku Explainer rates 11.6, which takes seconds."""


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with client_of() as client:
        yield client


@pytest.fixture(scope="module")
def guarded() -> Iterator[httpx.Client]:
    """Yield a client of a server with a token."""
    with client_of(Settings(token=TOKEN)) as client:
        yield client


def own_origin(client: httpx.Client) -> str:
    return str(client.base_url).rstrip("/")


def socket_address(client: httpx.Client) -> str:
    return own_origin(client).replace("http", "ws") + "/api/runs"


@for_each("host", ["evil.example", "evil.example:8417", "127.0.0.1.evil.example", "192.168.1.7", "", "[", "a b"])
def test_a_foreign_host_header_is_refused(client: httpx.Client, host: str) -> None:
    for path in ("/", "/api/solvers"):
        response = client.get(path, headers={"Host": host})
        assert response.status_code == 403
        assert "Host header" in response.json()["detail"]


OUTER_PATHS = ["/../app.py", "/static/../app.py", "/..%2fapp.py", "/%2e%2e/app.py", "//etc/passwd", "/static/", "/%00"]


@for_each("host", ["127.0.0.1", "localhost", "LOCALHOST:1234", "[::1]:8417"])
def test_every_name_of_this_machine_is_accepted(client: httpx.Client, host: str) -> None:
    assert client.get("/api/solvers", headers={"Host": host}).status_code == 200


@for_each(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "file://"},
        {"Origin": "http://["},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_requests_of_other_pages_are_refused(client: httpx.Client, headers: dict[str, str]) -> None:
    assert client.post("/api/solve", json=SOLVE, headers=headers).status_code == 403
    assert client.get("/api/solvers", headers=headers).status_code == 403
    with pytest.raises(InvalidStatus) as refused:
        connect(socket_address(client), additional_headers=headers).close()
    assert refused.value.response.status_code == 403
    assert json.loads(refused.value.response.body or b"")["title"] == "Forbidden"


def test_our_own_page_and_programs_are_accepted(client: httpx.Client) -> None:
    page = {"Origin": own_origin(client), "Sec-Fetch-Site": "same-origin"}
    assert client.post("/api/solve", json=SOLVE, headers=page).status_code == 200
    assert client.post("/api/solve", json=SOLVE).status_code == 200
    assert client.get("/", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200  # a link to the page


def test_no_response_allows_other_origins(client: httpx.Client) -> None:
    for response in (client.get("/api/solvers"), client.options("/api/solve", headers={"Origin": own_origin(client)})):
        assert not [name for name in response.headers if name.startswith("access-control")]


@for_each("path", ["/", "/api/solvers", "/api/nope", "/nope"])
def test_every_response_has_the_security_headers(client: httpx.Client, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:")
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] == ("no-cache" if path == "/" else "no-store")
    assert "server" not in headers


def test_refusals_have_the_security_headers_too(client: httpx.Client) -> None:
    response = client.get("/", headers={"Host": "evil.example"})
    assert response.headers["content-security-policy"].startswith("default-src 'none'")


def test_the_page_has_no_inline_code_and_needs_no_other_host(client: httpx.Client) -> None:
    page = client.get("/").text
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|https?://", page)


def test_static_files_are_served_with_type_and_etag(client: httpx.Client) -> None:
    first = client.get("/static/css/app.css")
    assert first.headers["content-type"] == "text/css; charset=utf-8"
    again = client.get("/static/css/app.css", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.head("/").status_code == 200


@for_each("path", OUTER_PATHS)
def test_no_path_leads_out_of_the_static_files(client: httpx.Client, path: str) -> None:
    connection = http.client.HTTPConnection(str(client.base_url.host), client.base_url.port)  # sends the path as it is
    connection.request("GET", path)
    assert connection.getresponse().status in (400, 404)
    connection.close()


def test_scripts_from_other_hosts_are_not_even_linked(client: httpx.Client) -> None:
    assert client.get("/docs").status_code == client.get("/redoc").status_code == 404


def test_a_body_over_the_limit_is_refused() -> None:
    with client_of(Settings(limits=Limits(body_bytes=1000))) as client:
        body = json.dumps({"puzzle": TINY.line, "box": "2x2" + " " * 2000}).encode()
        headers = {"Content-Type": "application/json"}
        announced = client.post("/api/solve", content=body, headers=headers)
        chunked = client.post(
            "/api/solve", content=(body[i : i + 100] for i in range(0, len(body), 100)), headers=headers
        )
        for response in (announced, chunked):
            assert response.status_code == 413
            assert "larger than 1,000 bytes" in response.json()["detail"]
        assert client.post("/api/solve", json=SOLVE).status_code == 200


def test_a_body_that_never_arrives_times_out() -> None:
    with client_of(Settings(limits=Limits(body_seconds=0.2))) as client:
        with socket.create_connection(
            (str(client.base_url.host), client.base_url.port or 0), timeout=PATIENCE_SECONDS
        ) as stream:
            head = "POST /api/solve HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"
            stream.sendall(head.encode())
            assert b"408" in stream.recv(1000)
        assert client.post("/api/solve", json=SOLVE).status_code == 200


def test_the_api_needs_the_token(guarded: httpx.Client) -> None:
    response = guarded.post("/api/solve", json=SOLVE)
    assert (response.status_code, response.headers["www-authenticate"]) == (401, "Bearer")
    assert "sudokulab serve" in response.json()["detail"]
    assert guarded.get("/api/openapi.json").status_code == 401
    with pytest.raises(InvalidStatus) as refused:
        connect(socket_address(guarded)).close()
    assert refused.value.response.status_code == 401


@for_each("given", ["Bearer", "Bearer wrong", f"Bearer {TOKEN}x", f"Basic {TOKEN}", "Bearer \xe4"])
def test_a_wrong_token_is_refused(guarded: httpx.Client, given: str) -> None:
    response = guarded.get("/api/solvers", headers=[(b"Authorization", given.encode("latin-1"))])
    assert response.status_code == 401


def test_a_bearer_token_is_accepted(guarded: httpx.Client) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    assert guarded.post("/api/solve", json=SOLVE, headers=headers).status_code == 200


def test_the_link_puts_the_token_into_a_cookie() -> None:
    with client_of(Settings(token=TOKEN)) as client:
        wrong = client.get("/", params={"token": "wrong"})
        assert (wrong.status_code, "set-cookie" in wrong.headers) == (401, False)
        response = client.get("/", params={"token": TOKEN})
        assert (response.status_code, response.headers["location"]) == (303, "/")
        cookie = response.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert client.post("/api/solve", json=SOLVE).status_code == 200  # the client keeps the cookie
        others = {"Cookie": f'theme={{"a": 1}}; {response.headers["set-cookie"].partition(";")[0]}'}
        assert (
            client.get("/api/solvers", headers=others).status_code == 200
        )  # other apps on this host have cookies, too


IN_PAGE = """
async (origin) => {
  const answer = await fetch(`${origin}/api/solvers`).then((response) => response.status, () => "refused");
  const socket = new WebSocket(`${origin.replace("http", "ws")}/api/runs`);
  const opened = await new Promise((done) => {
    socket.onopen = () => done("open");
    socket.onerror = () => done("refused");
  });
  socket.close();
  return [answer, opened];
}
"""


def test_a_browser_signs_in_by_the_link_and_other_pages_stay_out(browser: Browser) -> None:
    with client_of(Settings(token=TOKEN)) as client:
        visitor = browser.new_context()
        page = visitor.new_page()
        page.goto(f"{own_origin(client)}/?token={TOKEN}#play")
        assert page.url == f"{own_origin(client)}/#play"
        assert page.evaluate(IN_PAGE, own_origin(client)) == [200, "open"]
        other = visitor.new_page()  # with the same cookies
        other.goto("data:text/html,<title>Another page</title>")
        assert other.evaluate(IN_PAGE, own_origin(client)) == ["refused", "refused"]
        stranger = browser.new_context().new_page()
        stranger.goto(own_origin(client))
        assert stranger.evaluate(IN_PAGE, own_origin(client)) == [401, "refused"]


@for_each("host", ["0.0.0.0", "::", "192.168.1.7", "example.org"])
def test_other_machines_need_a_token(host: str) -> None:
    with pytest.raises(SudokulabError, match=r"needs a token; add --token auto to generate one"):
        Settings(host=host)
    assert Settings(host=host, token=TOKEN).token == TOKEN


@for_each("token", ["", "short", "with spaces in the token", "größe-größe-größe-größe"])
def test_weak_tokens_are_refused(token: str) -> None:
    with pytest.raises(SudokulabError, match="at least 16"):
        Settings(token=token)


@for_each(
    ("question", "body"),
    [
        ("solve", {"puzzle": "." * 625, "solver": "annealing", "seconds": 60}),
        ("rate", {"puzzle": HARDEST, "scale": "se", "seconds": 60}),
        ("explain", {"puzzle": HARDEST, "seconds": 60}),
        ("generate", {"se": [11.5, 11.9], "seconds": 60}),
        ("sheet", {"puzzles": [HARDEST] * 50, "seconds": 60}),
    ],
)
def test_a_search_ends_when_its_client_has_gone(question: str, body: dict[str, object]) -> None:
    with local_server() as (server, address):
        connection = http.client.HTTPConnection(address.removeprefix("http://"))
        connection.request("POST", f"/api/{question}", json.dumps(body), {"Content-Type": "application/json"})
        wait_until(lambda: server.app.state.jobs.num_jobs(Lane.SLOW) == 1)
        connection.close()
        wait_until(lambda: server.app.state.jobs.num_jobs(Lane.SLOW) == 0)

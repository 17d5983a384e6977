"""`sudokulab serve` starts, explains what is wrong, ends within a second, and its documentation is true."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from typer.testing import CliRunner
from websockets.sync.client import connect

from sudokulab.cli import app
from tests.timing import PATIENCE_SECONDS, wait_until
from tests.web.servers import RunningServer, local_server, running_server

pytestmark = pytest.mark.slow

DOCS = Path(__file__).parents[2] / "docs" / "reference" / "api.md"
EXAMPLES = re.findall(r"```(sh|python)\n(.*?)```\n(?:```json\n(.*?)```)?", DOCS.read_text(encoding="utf-8"), re.DOTALL)


def _load_benchmark() -> Any:
    path = Path(__file__).parents[2] / "benchmarks" / "web_load.py"
    spec = importlib.util.spec_from_file_location("web_load", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["web_load"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


web_load = _load_benchmark()


def complaint(*arguments: str) -> str:
    """Return the error message of a command that fails."""
    result = CliRunner().invoke(app, ["serve", *arguments])
    assert result.exit_code == 2
    return result.output


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as server:
        yield server


def test_a_port_in_use_is_explained() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        message = complaint("--port", str(port))
    assert f"port {port} is in use" in message
    assert "--port 0" in message


def test_a_host_of_another_machine_is_explained() -> None:
    assert "--host 192.0.2.1: not an address of this machine" in complaint("--host", "192.0.2.1", "--token", "auto")
    assert "--host a..b: not an address of this machine" in complaint("--host", "a..b", "--token", "auto")


def test_a_host_for_other_machines_needs_a_token() -> None:
    assert "needs a token; add --token auto" in complaint("--host", "0.0.0.0")


def test_a_store_that_does_not_exist_is_explained() -> None:
    assert "nowhere.db: no such store" in complaint("nowhere.db")


def test_a_missing_extra_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sudokulab._internal.extras.find_spec", lambda name: None if name == "fastapi" else object())
    assert "fastapi is not installed: pip install 'sudokulab[web]'" in complaint()


def test_a_generated_token_is_printed_once_and_guards_the_api() -> None:
    with running_server("--host", "0.0.0.0", "--token", "auto") as server:
        token = re.search(r"\?token=([\w-]{32})", server.lines[0])
        assert token, server.lines
        local = f"http://127.0.0.1:{server.port}/api/solvers"
        assert httpx.get(local).status_code == 401
        assert httpx.get(local, headers={"Authorization": f"Bearer {token[1]}"}).status_code == 200


def test_ctrl_c_ends_the_server_within_a_second() -> None:
    with running_server() as server:
        assert httpx.get(server.url).status_code == 200
        server.interrupt()
        assert server.process.returncode == 0
    assert server.lines[-1] == "stopped\n"


ANNOUNCE_SEARCHES = """
import os, sys
from sudokulab.cli import main
from sudokulab.web.jobs import Jobs, Lane

run = Jobs.run

def announce(self, request, work, lane=Lane.SLOW):
    def announced(job):
        if lane is Lane.SLOW:
            os.write(1, b"searching\\n")  # in one piece, unlike print
        return work(job)
    return run(self, request, announced, lane)

Jobs.run = announce
sys.argv[1:] = sys.argv[4:]
main()
"""
"""A program before `python -m sudokulab`, which runs the same command."""


def test_ctrl_c_does_not_wait_for_searches() -> None:
    blank = {"puzzle": "." * 625, "seconds": 60}
    questions = [
        ("solve", {**blank, "solver": "annealing"}),
        ("solve", {**blank, "solver": "genetic"}),
        ("generate", {"se": [11.5, 11.9], "seconds": 60}),
    ]
    with running_server(prefix=[sys.executable, "-c", ANNOUNCE_SEARCHES]) as own, ThreadPoolExecutor() as pool:
        searches = [
            pool.submit(httpx.post, f"{own.url}api/{path}", json=body, timeout=PATIENCE_SECONDS)
            for path, body in questions
        ]
        start = {"type": "start", "puzzle": "." * 625, "solver": "annealing", "seconds": 600}
        with connect(own.url.replace("http", "ws") + "api/runs") as socket:
            socket.send(json.dumps(start))
            socket.recv(timeout=PATIENCE_SECONDS)
            wait_until(lambda: own.lines.count("searching\n") == len(questions))
            assert not any(search.done() for search in searches)
            own.interrupt()
        for search in searches:
            assert search.exception(timeout=PATIENCE_SECONDS) or search.result().status_code in (200, 503)


def test_small_answers_are_sent_at_once() -> None:
    with local_server() as (server, address), httpx.Client(base_url=address) as client:
        client.get("/static/js/main.js")
        (connection,) = cast("set[Any]", server.server_state.connections)
        accepted = connection.transport.get_extra_info("socket")
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_fifty_clients_lose_no_request() -> None:
    outcome = asyncio.run(web_load.many_clients(50, 2))
    assert (len(outcome.seconds), outcome.num_lost) == (100, 0)


@pytest.mark.thorough
def test_twenty_live_runs_leave_the_server_responsive() -> None:
    outcome, frames = asyncio.run(web_load.with_live_runs(20, 5, PATIENCE_SECONDS, most_frames=1))
    assert (len(outcome.seconds), outcome.num_lost) == (5, 0)
    assert min(frames) >= 1


def test_clients_that_do_not_read_leave_others_their_frames() -> None:
    _, num_frames = asyncio.run(web_load.slow_clients(3, PATIENCE_SECONDS, most_frames=10))
    assert num_frames >= 10


@pytest.mark.thorough
def test_a_kill_loses_nothing_that_was_saved() -> None:
    num_before, num_after = web_load.survive_kill(seconds=0.2)
    assert num_after >= num_before > 0


def test_the_examples_of_the_documentation_are_found() -> None:
    assert len([kind for kind, _, _ in EXAMPLES if kind == "sh"]) >= 12
    assert [kind for kind, _, _ in EXAMPLES].count("python") == 1


@pytest.mark.skipif(
    shutil.which("curl") is None, reason="NO CURL: the examples in docs/reference/api.md are not tested"
)
@pytest.mark.parametrize(("kind", "text", "shown"), EXAMPLES)
def test_the_examples_of_the_documentation_work(
    server: RunningServer, tmp_path: Path, kind: str, text: str, shown: str
) -> None:
    command = text.replace("127.0.0.1:8417", f"127.0.0.1:{server.port}")
    interpreter = ["bash", "-euo", "pipefail", "-c"] if kind == "sh" else [sys.executable, "-c"]
    run = subprocess.run(
        [*interpreter, command], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE_SECONDS
    )
    assert run.returncode == 0, run.stderr
    if shown:
        answer = json.loads(run.stdout)
        assert {key: answer[key] for key in json.loads(shown)} == json.loads(shown)
    elif kind == "python":
        assert run.stdout == "run result solved\n"
    elif "-o sheet.svg" in command:
        assert (tmp_path / "sheet.svg").read_text().startswith("<svg")
    elif "anealing" in command:
        assert "application/problem+json" not in run.stdout
        assert "did you mean 'annealing'?" in run.stdout
    else:
        assert run.stdout.count('"name":') > 10

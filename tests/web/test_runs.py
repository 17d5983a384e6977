"""Live runs: what the client sends, what it gets, and what happens when it goes away or does not read."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

import sudokulab
from sudokulab.search.frames import read_frames
from sudokulab.web.server import Server
from sudokulab.web.settings import Limits, Settings
from tests.cases import for_each
from tests.puzzles import EASY, INKALA, TINY
from tests.timing import PATIENCE_SECONDS, wait_until
from tests.web.servers import local_server

UNSATISFIABLE = f"1{INKALA.line[1:]}"
ENDLESS = {"puzzle": UNSATISFIABLE, "solver": "annealing", "seed": 1, "seconds": 3600}
"""A run that does not end by itself: annealing cannot prove that there is no solution."""


class Viewer:
    """A client of a live run."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self._lines: Iterator[dict[str, Any]] = (
            json.loads(line) for message in connection for line in str(message).split("\n")
        )

    def send(self, type: str, **fields: Any) -> None:
        self.connection.send(json.dumps({"type": type, **fields}))

    def next(self, type: str) -> dict[str, Any]:
        """Return the next line of a type."""
        return next(line for line in self._lines if line["type"] == type)

    def rest(self) -> list[dict[str, Any]]:
        """Return all lines until the server closes the connection."""
        return list(self._lines)


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[Server, str]]:
    with local_server() as server:
        yield server


@contextmanager
def watching(server: tuple[Server, str], **start: Any) -> Iterator[Viewer]:
    """Connect and start a run."""
    with connect(server[1].replace("http", "ws") + "/api/runs", close_timeout=1) as connection:
        viewer = Viewer(connection)
        if start:
            viewer.send("start", **start)
        yield viewer


def num_open(server: tuple[Server, str]) -> int:
    return len(server[0].app.state.runs)


@for_each("solver", ["annealing", "ant-colony", "backtracking", "auto", "dlx"])
def test_a_run_is_a_recording(server: tuple[Server, str], solver: str) -> None:
    with watching(server, puzzle=EASY.line, solver=solver, seed=3) as viewer:
        lines = viewer.rest()
    recording = read_frames(map(json.dumps, lines))
    expected = sudokulab.solve(EASY, solver, seed=3)
    assert recording.header.items() >= {"solver": solver, "seed": 3, "puzzle": EASY.line, "size": 9}.items()
    assert recording.frames[0].step == 0
    assert recording.frames[-1].grid.tobytes() == expected.solution.cells  # type: ignore[union-attr]
    assert recording.result is not None
    assert recording.result["stats"] == dict(expected.stats)
    assert recording.result["grid"] == list(expected.solution.cells)  # type: ignore[union-attr]


def test_the_header_has_all_parameters(server: tuple[Server, str]) -> None:
    with watching(server, puzzle=TINY.line, solver="annealing", parameters={"cooling": 0.5}) as viewer:
        header = viewer.next("run")
    assert header["parameters"]["cooling"] == 0.5
    assert header["parameters"]["reheat_after"] == 20
    assert header["unit"] == "iterations"
    assert header["clock"] == "cpu"


def test_other_solvers_report_wall_time(server: tuple[Server, str]) -> None:
    with watching(server, puzzle=TINY.line, solver="cadical") as viewer:
        assert viewer.next("run")["clock"] == "wall"


def test_a_paused_run_steps_exactly(server: tuple[Server, str]) -> None:
    with watching(server, **ENDLESS, is_paused=True) as viewer:
        assert viewer.next("frame")["step"] == 0
        viewer.send("step")
        assert viewer.next("frame")["step"] == 1
        viewer.send("step", count=99)
        while (step := viewer.next("frame")["step"]) < 100:  # frames on the way, if it takes long
            pass
        assert step == 100
        viewer.send("resume")
        assert viewer.next("frame")["step"] > 100
        viewer.send("stop")
        assert viewer.next("result")["status"] == "unknown"


def test_a_pause_holds_the_run(server: tuple[Server, str]) -> None:
    with watching(server, **ENDLESS, steps_per_frame=1, frames_per_second=0.1) as viewer:
        assert viewer.next("frame")["step"] == 0
        viewer.send("pause")
        assert viewer.next("frame")["step"] == 1  # now, not in ten seconds
        viewer.send("speed", steps_per_frame=0, frames_per_second=60)
        viewer.send("step", count=5)
        while (step := viewer.next("frame")["step"]) < 6:  # frames on the way, if it takes long
            pass
        assert step == 6
        viewer.send("stop")
        assert viewer.next("result")["stats"]["iterations"] == 6


def test_the_speed_sets_the_distance_of_frames(server: tuple[Server, str]) -> None:
    with watching(server, **ENDLESS, steps_per_frame=10, frames_per_second=60) as viewer:
        steps = [viewer.next("frame")["step"] for _ in range(6)]
        assert steps == [0, 10, 20, 30, 40, 50]
        viewer.send("speed", steps_per_frame=1000, frames_per_second=50)
        steps = [viewer.next("frame")["step"] for _ in range(20)]
        assert steps[-1] - steps[-2] == 1000


def test_full_speed_sends_at_most_as_many_frames_as_wanted(server: tuple[Server, str]) -> None:
    start = time.monotonic()
    with watching(server, **{**ENDLESS, "seconds": 0.5}, frames_per_second=20) as viewer:
        lines = viewer.rest()
    wall_seconds = time.monotonic() - start  # longer than the budget of CPU time on a busy machine
    assert 2 <= len([line for line in lines if line["type"] == "frame"]) <= 4 + 20 * wall_seconds
    assert lines[-1]["stats"]["iterations"] > 1000


def test_a_run_ends_at_its_time_limit(server: tuple[Server, str]) -> None:
    with watching(server, **{**ENDLESS, "seconds": 0.2}) as viewer:
        result = viewer.rest()[-1]
    assert (result["type"], result["status"]) == ("result", "unknown")
    assert result["cost"] > 0


@for_each(
    ("start", "message"),
    [
        ({"puzzle": "123"}, "found a row of 3 cells; use rows of 4,"),
        ({"puzzle": TINY.line, "solver": "anealing"}, "did you mean 'annealing'?"),
        ({"puzzle": TINY.line, "solver": "os:system"}, "unknown solver"),
        ({"puzzle": TINY.line, "sped": 1}, "unknown field 'sped'"),
        ({"puzzle": TINY.line, "frames_per_second": 0}, "frames_per_second: 0"),
        ({"puzzle": TINY.line, "solver": "annealing", "parameters": {"cooling": 7}}, "cooling: 7"),
        ({"puzzle": "." * 36**2}, "for grids larger than 25×25"),
    ],
)
def test_a_run_that_cannot_start_is_explained(server: tuple[Server, str], start: dict[str, Any], message: str) -> None:
    with watching(server, **start) as viewer:
        (error,) = viewer.rest()
    assert error["type"] == "error"
    assert error["status"] == 422
    assert message in error["detail"]
    wait_until(lambda: num_open(server) == 0)


@for_each("message", ["nonsense", "[]", '{"type": "fly"}', '{"type": "step", "count": -1}', b"bytes", ""])
def test_a_senseless_message_ends_the_run(server: tuple[Server, str], message: str | bytes) -> None:
    with watching(server, **ENDLESS) as viewer:
        viewer.next("frame")
        viewer.connection.send(message)
        assert viewer.rest()[-1]["type"] == "error"
    wait_until(lambda: num_open(server) == 0)


def test_messages_over_the_limit_end_the_connection(server: tuple[Server, str]) -> None:
    with watching(server) as viewer:
        viewer.connection.send(" " * (Limits().message_bytes + 1))
        with pytest.raises(ConnectionClosed) as closed:
            viewer.connection.recv(PATIENCE_SECONDS)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009


def test_a_client_that_never_starts_is_sent_away() -> None:
    with local_server(Settings(limits=Limits(start_seconds=0.1))) as server, watching(server) as viewer:
        (error,) = viewer.rest()
    assert error["detail"] == 'send "start" within 0.1 seconds'


@pytest.mark.parametrize("is_paused", [False, True])
def test_a_run_stops_when_its_client_has_gone(server: tuple[Server, str], is_paused: bool) -> None:
    with watching(server, **ENDLESS, is_paused=is_paused) as viewer:
        viewer.next("frame")
        wait_until(lambda: num_open(server) == 1)
    wait_until(lambda: num_open(server) == 0)


def test_a_run_stops_when_its_connection_breaks(server: tuple[Server, str]) -> None:
    with watching(server, **ENDLESS) as viewer:
        viewer.next("frame")
        viewer.connection.socket.shutdown(socket.SHUT_RDWR)
        wait_until(lambda: num_open(server) == 0)


def test_too_many_runs_are_refused_until_one_ends() -> None:
    with local_server(Settings(limits=Limits(runs=2))) as server:
        with watching(server, **ENDLESS) as first, watching(server, **ENDLESS) as second:
            first.next("frame")
            second.next("frame")
            with watching(server, **ENDLESS) as third:
                (error,) = third.rest()
            assert error["status"] == 503
            assert error["detail"].startswith("2 runs are already open, the maximum of this server")
        wait_until(lambda: num_open(server) == 0)
        with watching(server, puzzle=TINY.line, solver="dlx") as next_one:
            assert next_one.next("result")["status"] == "solved"


def test_a_new_run_takes_the_place_of_the_one_that_was_paused_for_the_longest_time() -> None:
    with (
        local_server(Settings(limits=Limits(runs=3))) as server,
        watching(server, **ENDLESS) as running,
        watching(server, **ENDLESS, is_paused=True) as stepped,
        watching(server, **ENDLESS) as paused,
    ):
        for viewer in (running, stepped, paused):
            viewer.next("frame")
        paused.send("pause")
        wait_until(lambda: len(server[0].app.state.runs._paused) == 2)
        stepped.send("step")
        assert stepped.next("frame")["step"] == 1  # now it is paused for a shorter time
        with watching(server, **ENDLESS) as new:
            new.next("frame")
            error = paused.rest()[-1]
            assert (error["type"], error["status"]) == ("error", 503)
            assert "stopped to make room" in error["detail"]
            stepped.send("resume")
            assert stepped.next("frame")["step"] > 1
            wait_until(lambda: not server[0].app.state.runs._paused)
            with watching(server, **ENDLESS) as refused:
                assert refused.rest()[-1]["status"] == 503
            for viewer in (running, stepped, new):
                viewer.send("stop")
                assert viewer.next("result")["status"] == "unknown"


def test_paused_clients_keep_nobody_out(server: tuple[Server, str]) -> None:
    with ExitStack() as stack:
        for _ in range(Limits().runs):
            stack.enter_context(watching(server, **ENDLESS, is_paused=True)).next("frame")
        with watching(server, puzzle=TINY.line, solver="dlx") as viewer:
            assert viewer.next("result")["status"] == "solved"


def test_a_client_that_does_not_read_does_not_affect_others(server: tuple[Server, str]) -> None:
    with watching(server, **ENDLESS, frames_per_second=60) as lazy:
        lazy.connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with watching(server, **ENDLESS, frames_per_second=60) as eager:
            for _ in range(30):
                eager.next("frame")

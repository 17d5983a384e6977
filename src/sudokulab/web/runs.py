"""Live runs over a WebSocket.

The client's first message starts a run, later ones control it, and closing the connection stops it. The server answers
with JSON lines as in a recording: a header, frames and a result, one or several per message.

Each run has a thread of its own with low priority: searches do not hold the GIL, so that many of them leave the event
loop responsive. A `LiveView` connects the two. Its ring buffer drops the oldest frames, so that a slow client loses
frames of its own run and nobody else's.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import cast

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from sudokulab.parameters import parameter_values
from sudokulab.puzzle import Puzzle
from sudokulab.search.budget import Budget
from sudokulab.search.frames import LiveView, frame_to_dict, run_header, to_line
from sudokulab.search.result import Result
from sudokulab.solvers import Solver
from sudokulab.solvers.base import NativeSolver
from sudokulab.web.catalogue import solver_of
from sudokulab.web.jobs import Deadline, Jobs, lower_priority
from sudokulab.web.problems import ProblemError, problem_of
from sudokulab.web.puzzles import puzzle_of, result_to_json, run_reading
from sudokulab.web.schemas import MAX_SECONDS, RunCommand, RunStart
from sudokulab.web.settings import Limits, Settings

__all__ = ["Runs", "router"]

router = APIRouter()

_CAPACITY = 60  # frames: one second at most
_NICENESS = 10
_LEAST_RATE = 15  # of looking for frames per second: slow searches also react to pauses and steps at once
_STOP_SECONDS = 0.2  # how long we wait for a search to stop after its client has gone
_DROPPED = "the server was full; this run had been paused the longest and was stopped to make room; start it again"
_ROOM_SECONDS = 5.0  # how long a new run waits for the end of the paused run whose place it takes


@dataclass(eq=False)
class OpenRun:
    """A run that takes up a place.

    Parameters
    ----------
    view
        What its client sees of it.
    result
        Its result.
    has_ended
        Set when the search has ended.
    is_dropped
        Whether a new run takes its place.
    """

    view: LiveView
    result: Future[Result] = field(default_factory=Future)
    has_ended: asyncio.Event = field(default_factory=asyncio.Event)
    is_dropped: bool = False


class Runs:
    """The live runs of a server. All methods are called from the event loop.

    A paused run uses no time, and so would never end. When all places are taken, a new run therefore takes the place of
    the run that has been paused for the longest time.
    """

    def __init__(self, limits: Limits) -> None:
        self._max_runs = limits.runs
        self._max_sockets = limits.sockets
        self._num_sockets = 0
        self._open: set[OpenRun] = set()
        self._paused: dict[OpenRun, None] = {}  # longest first

    @contextlib.contextmanager
    def socket(self) -> Iterator[bool]:
        """Count a WebSocket while it is open; yield whether there is room for it."""
        self._num_sockets += 1
        try:
            yield self._num_sockets <= self._max_sockets
        finally:
            self._num_sockets -= 1

    async def start(self, solver: Solver, puzzle: Puzzle, view: LiveView, budget: Budget, seed: int) -> OpenRun:
        """Start a run in a thread. It counts as open until the search has ended.

        Raises
        ------
        ProblemError
            If too many runs are open and none of them is paused.
        """
        if len(self._open) >= self._max_runs and self._paused:
            await self._drop(next(iter(self._paused)))
        if len(self._open) >= self._max_runs:
            raise ProblemError(
                HTTPStatus.SERVICE_UNAVAILABLE,
                f"{self._max_runs} runs are already open, the maximum of this server; close one or wait for its end",
            )
        loop = asyncio.get_running_loop()
        run = OpenRun(view)

        def search() -> None:
            lower_priority(_NICENESS)
            try:
                run.result.set_result(solver.solve(puzzle, budget, seed=seed, frames=view))
            except BaseException as error:
                run.result.set_exception(error)
            finally:
                with contextlib.suppress(RuntimeError):  # the event loop has been closed
                    loop.call_soon_threadsafe(self._leave, run)

        self._open.add(run)
        threading.Thread(target=search, name="sudokulab-run", daemon=True).start()
        return run

    def pause(self, run: OpenRun) -> None:
        """Note that a run is paused from now on."""
        self.resume(run)
        if run in self._open:
            self._paused[run] = None

    def resume(self, run: OpenRun) -> None:
        """Note that a run is not paused."""
        self._paused.pop(run, None)

    async def _drop(self, run: OpenRun) -> None:
        self.resume(run)
        run.is_dropped = True
        run.view.stop()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(run.has_ended.wait(), _ROOM_SECONDS)

    def _leave(self, run: OpenRun) -> None:
        self.resume(run)
        self._open.discard(run)
        run.has_ended.set()

    def __len__(self) -> int:
        """Return the number of open runs."""
        return len(self._open)

    def close(self) -> None:
        """Stop all runs."""
        for run in self._open:
            run.view.stop()


@router.websocket("/api/runs")
async def run(websocket: WebSocket) -> None:
    """Run a solver and send its frames."""
    with cast("Runs", websocket.app.state.runs).socket() as has_room:
        if has_room:
            await _run(websocket)
        else:
            await websocket.close()  # refuses the connection


async def _run(websocket: WebSocket) -> None:
    settings = cast("Settings", websocket.app.state.settings)
    await websocket.accept()
    try:
        start = await _first_message(websocket, settings.limits)

        def read(deadline: Deadline) -> tuple[Puzzle, Solver]:
            puzzle = puzzle_of(start.puzzle, start.box, settings.limits.size, deadline)
            return puzzle, solver_of(start.solver, start.parameters)

        jobs = cast("Jobs", websocket.app.state.jobs)
        puzzle, solver = await run_reading(jobs, None, read, start.seconds, start.puzzle)
        live = _LiveRun(websocket, start, puzzle, solver)
        await live.play(cast("Runs", websocket.app.state.runs))
    except WebSocketDisconnect:
        return
    except Exception as error:
        await _send_error(websocket, error)
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):  # the client was faster
        await websocket.close()


async def _first_message(websocket: WebSocket, limits: Limits) -> RunStart:
    try:
        text = await asyncio.wait_for(_receive_text(websocket), limits.start_seconds)
    except TimeoutError:
        raise ProblemError(
            HTTPStatus.REQUEST_TIMEOUT, f'send "start" within {limits.start_seconds:g} seconds'
        ) from None
    return RunStart.model_validate_json(text)


async def _receive_text(websocket: WebSocket) -> str:
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1006))
    if message.get("text") is None:
        raise ProblemError(HTTPStatus.UNPROCESSABLE_ENTITY, "the message is binary; send JSON as text")
    return str(message["text"])


async def _send_error(websocket: WebSocket, error: Exception) -> None:
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await websocket.send_text(to_line({**problem_of(error).to_dict(), "type": "error"}))


class _LiveRun:
    """A run and its client."""

    def __init__(self, websocket: WebSocket, start: RunStart, puzzle: Puzzle, solver: Solver) -> None:
        self._websocket = websocket
        self._start = start
        self._puzzle = puzzle
        self._solver = solver
        # CPU time, which other runs do not change; other solvers have threads we cannot measure, and cannot be stopped
        self._budget = (
            Budget(seconds=start.seconds, is_cpu_time=True)
            if isinstance(solver, NativeSolver)
            else Budget(seconds=min(start.seconds, MAX_SECONDS))
        )
        self._frames_per_second = start.frames_per_second
        self._view = LiveView(capacity=_CAPACITY)
        self._view.set_speed(start.steps_per_frame, start.frames_per_second)
        if start.is_paused:
            self._view.pause()

    async def play(self, runs: Runs) -> None:
        """Run the solver and send its frames, until it ends, the client has gone, or another run takes its place."""
        run = await runs.start(self._solver, self._puzzle, self._view, self._budget, self._start.seed)
        if self._start.is_paused:
            runs.pause(run)
        result = asyncio.wrap_future(run.result)
        commands = asyncio.create_task(self._obey(runs, run))
        try:
            await self._send([self._header()])
            while not result.done():
                waiting: set[asyncio.Future[Result] | asyncio.Future[None]] = {result, commands}
                interval = 1 / max(self._frames_per_second, _LEAST_RATE)
                await asyncio.wait(waiting, timeout=interval, return_when=asyncio.FIRST_COMPLETED)
                if commands.done():
                    commands.result()  # raises if the client has gone or sent nonsense
                await self._send(map(frame_to_dict, self._view.take()))
            await self._send(map(frame_to_dict, self._view.take()))
            if run.is_dropped:
                raise ProblemError(HTTPStatus.SERVICE_UNAVAILABLE, _DROPPED)
            await self._send([{"type": "result", **result_to_json(result.result())}])
        finally:
            commands.cancel()
            self._view.stop()
            if not result.done():
                await asyncio.wait({result}, timeout=_STOP_SECONDS)

    async def _obey(self, runs: Runs, run: OpenRun) -> None:
        """Carry out the client's commands until it disconnects."""
        while True:
            command = RunCommand.model_validate_json(await _receive_text(self._websocket))
            match command.type:
                case "pause":
                    self._view.pause()
                    runs.pause(run)
                case "resume":
                    self._view.resume()
                    runs.resume(run)
                case "step":
                    self._view.step(command.count)
                    runs.pause(run)
                case "speed":
                    self._frames_per_second = command.frames_per_second
                    self._view.set_speed(command.steps_per_frame, command.frames_per_second)
                case "stop":
                    self._view.stop()

    def _header(self) -> dict[str, object]:
        solver = self._solver
        values = parameter_values(solver)
        header = run_header(self._puzzle, solver.name, parameters=values, seed=self._start.seed, unit=solver.unit)
        return {**header, "clock": "cpu" if self._budget.is_cpu_time else "wall"}

    async def _send(self, lines: Iterable[dict[str, object]]) -> None:
        """Send lines in one message. A client that does not read holds up only its own run here."""
        text = "\n".join(map(to_line, lines))
        if text:
            await self._websocket.send_text(text)

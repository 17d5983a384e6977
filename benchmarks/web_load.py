"""Load tests of `sudokulab serve`, on this machine only: each scenario starts its own server process.

    python benchmarks/web_load.py [--clients 50] [--requests 40] [--runs 20] [--seconds 5]

Prints a table: requests, lost requests, and latencies in milliseconds. Exits with 1 if a request or a stored run is
lost, or if the 95th percentile of the clients that solve exceeds 250 ms.

- solve: clients that solve distinct 9×9 puzzles, each one request after the other.
- live runs: the same questions by one client while live runs are open.
- slow client: the frames that a client gets while others start runs and do not read.
- kill: runs that a store lost after `kill -9` of the server that shows it and of the experiment that writes it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import math
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import numpy as np
from websockets.asyncio.client import ClientConnection, connect

from sudokulab import generate

GOAL_MS = 250.0
MAX_WAIT = 60.0
"""Seconds until an experiment must have finished a run."""
ENDLESS = {
    "type": "start",
    "puzzle": "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    "solver": "annealing",
    "frames_per_second": 60,
}
"""A live run that does not end within the benchmark."""


@dataclass
class Latencies:
    """The outcome of some requests."""

    name: str
    seconds: list[float] = field(default_factory=list)
    num_lost: int = 0

    def percentile(self, share: float) -> float:
        """Return a percentile in milliseconds."""
        return 1000 * float(np.percentile(self.seconds, share)) if self.seconds else float("nan")

    def __str__(self) -> str:
        numbers = [f"{self.percentile(share):9.1f}" for share in (50, 95, 99, 100)]
        return f"{self.name:<34}{len(self.seconds):>9}{self.num_lost:>6}{''.join(numbers)}"


HEADING = f"{'scenario':<34}{'requests':>9}{'lost':>6}{'p50':>9}{'p95':>9}{'p99':>9}{'max':>9}  (ms)"


@contextmanager
def server(*arguments: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Start a server on a free loopback port; yield its address and its process."""
    command = [sys.executable, "-m", "sudokulab", "serve", "--port", "0", *arguments]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        yield next(word for word in line.split() if word.startswith("http://")), process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


async def solve_all(url: str, puzzles: list[str], outcome: Latencies) -> None:
    """Solve puzzles one after the other, and note how long each answer takes."""
    # loading certificates would take longer than the requests
    async with httpx.AsyncClient(base_url=url, timeout=30, verify=False, trust_env=False) as client:
        for puzzle in puzzles:
            start = time.perf_counter()
            try:
                answer = await client.post("api/solve", json={"puzzle": puzzle})
                is_solved = answer.status_code == 200 and answer.json()["status"] == "solved"
            except httpx.HTTPError:
                is_solved = False
            outcome.seconds.append(time.perf_counter() - start)
            outcome.num_lost += not is_solved


async def many_clients(num_clients: int, num_requests: int) -> Latencies:
    """Let many clients solve distinct puzzles at the same time."""
    puzzles = [puzzle.line for puzzle in generate(num_clients * num_requests, seed=1)]
    outcome = Latencies(f"{num_clients} clients solve 9×9")
    with server() as (url, _):
        async with asyncio.TaskGroup() as group:
            for number in range(num_clients):
                group.create_task(solve_all(url, puzzles[number::num_clients], outcome))
    return outcome


@asynccontextmanager
async def live_run(url: str, **fields: object) -> AsyncIterator[ClientConnection]:
    """Open a live run; the client reads nothing by itself beyond a small buffer."""
    address = url.replace("http", "ws") + "api/runs"
    async with connect(address, max_queue=1, close_timeout=0.1, ping_interval=None) as connection:
        await connection.send(json.dumps({**ENDLESS, **fields}))
        await connection.recv()
        yield connection


async def count_frames(
    connection: ClientConnection, seconds: float, most: float = math.inf, delays: Latencies | None = None
) -> int:
    """Read frames for some time, or until there are enough; return their number and note the time between messages."""
    num_frames, last = 0, time.perf_counter()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            async for message in connection:
                num_frames += str(message).count('"type":"frame"')
                if delays:
                    delays.seconds.append(time.perf_counter() - last)
                last = time.perf_counter()
                if num_frames >= most:
                    break
    return num_frames


async def with_live_runs(
    num_runs: int, num_requests: int, seconds: float, most_frames: float = math.inf
) -> tuple[Latencies, list[int]]:
    """Solve puzzles while live runs are open, then count their frames for some time, or until there are enough."""
    puzzles = [puzzle.line for puzzle in generate(num_requests, seed=2)]
    outcome = Latencies(f"solve during {num_runs} live runs")
    with server() as (url, _):
        async with AsyncExitStack() as stack:
            runs = [await stack.enter_async_context(live_run(url, seed=seed)) for seed in range(num_runs)]
            readers = [asyncio.create_task(count_frames(run, 3600)) for run in runs]
            await solve_all(url, puzzles, outcome)
            for reader in readers:
                reader.cancel()
            await asyncio.gather(*readers, return_exceptions=True)
            frames = await asyncio.gather(*(count_frames(run, seconds, most_frames) for run in runs))
    return outcome, frames


async def slow_clients(num_slow: int, seconds: float, most_frames: float = math.inf) -> tuple[Latencies, int]:
    """Watch a run while other clients do not read theirs; count its frames for some time, or until there are enough."""
    delays = Latencies(f"messages beside {num_slow} idle readers")
    with server() as (url, _):
        async with AsyncExitStack() as stack:
            for seed in range(num_slow):
                idle = await stack.enter_async_context(live_run(url, seed=seed))
                idle.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                idle.transport.pause_reading()
            watched = await stack.enter_async_context(live_run(url, seed=99))
            num_frames = await count_frames(watched, seconds, most_frames, delays)
    return delays, num_frames


EXPERIMENT = """
name = "kill"
runs = 1000

[budget]
iterations = 20_000

[[instances]]
set = "hardest"
limit = 10

[[solvers]]
name = "annealing"
"""
"""Many short runs, so that the store is being written all the time."""


def survive_kill(seconds: float) -> tuple[int, int]:
    """Kill the server and an experiment whose store it shows; return the number of runs before and after."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store.sqlite"
        spec = Path(folder) / "kill.toml"
        spec.write_text(EXPERIMENT, encoding="utf-8")
        command = [sys.executable, "-m", "sudokulab", "run", str(spec), "--store", str(store)]
        experiment = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            start = time.monotonic()
            while not store.exists() and time.monotonic() - start < MAX_WAIT:
                time.sleep(0.05)
            with server(str(store)) as (url, process), httpx.Client(base_url=url, timeout=30) as client:
                start, num_before = time.monotonic(), 0
                while time.monotonic() - start < (seconds if num_before else MAX_WAIT):
                    num_before = num_finished(client)
                    time.sleep(0.1)
                process.send_signal(signal.SIGKILL)
                os.kill(experiment.pid, signal.SIGKILL)
        finally:
            experiment.kill()
            experiment.wait()
        with server(str(store)) as (url, _), httpx.Client(base_url=url, timeout=30) as client:
            return num_before, num_finished(client)


def num_finished(client: httpx.Client) -> int:
    """Return the number of finished runs in the first store of a server."""
    (store,) = client.get("api/lab/stores").json()["stores"]
    return sum(experiment["num_done"] for experiment in store["experiments"])


def is_loaded(count: int) -> bool:
    """Return whether other processes are using the processors, which spoils latencies."""
    return os.getloadavg()[0] > count


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--requests", type=int, default=40, help="requests of each client")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=5.0, help="time of the scenarios without a number of requests")
    options = parser.parse_args()
    if is_loaded(os.cpu_count() or 1):
        print(f"note: the machine is busy (load {os.getloadavg()[0]:.1f}); latencies will be too high")
    print(HEADING)
    solving = asyncio.run(many_clients(options.clients, options.requests))
    print(solving)
    during, frames = asyncio.run(with_live_runs(options.runs, options.requests * 5, options.seconds))
    print(during, f"  {sum(frames) / options.runs / options.seconds:.1f} frames per second and run")
    beside, num_frames = asyncio.run(slow_clients(5, options.seconds))
    print(beside, f"  {num_frames / options.seconds:.1f} frames per second")
    num_before, num_after = survive_kill(options.seconds)
    print(f"{'store after kill -9':<34}{num_before:>9}{max(0, num_before - num_after):>6}")
    is_good = not solving.num_lost and not during.num_lost and num_after >= num_before > 0
    return 0 if is_good and solving.percentile(95) <= GOAL_MS else 1


if __name__ == "__main__":
    sys.exit(main())

"""Servers for the tests of the HTTP API: in a thread of this process, or in a process of their own."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from queue import Queue

import httpx

from sudokulab.web.server import Server
from sudokulab.web.settings import Settings
from tests.timing import PATIENCE_SECONDS

END_SECONDS = 40  # less than the searches of the tests, more than a busy machine needs


@contextmanager
def local_server(settings: Settings | None = None) -> Iterator[tuple[Server, str]]:
    """Start a server in a thread of this process; yield it with its address."""
    started: Queue[Settings] = Queue()
    server = Server(replace(settings or Settings(), port=0), started.put)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server, f"http://127.0.0.1:{started.get(timeout=PATIENCE_SECONDS).port}"
    finally:
        server.should_exit = True
        thread.join(PATIENCE_SECONDS)


@contextmanager
def client_of(settings: Settings | None = None) -> Iterator[httpx.Client]:
    """Start a server in a thread of this process, and yield a client."""
    with local_server(settings) as (_, address), httpx.Client(base_url=address, timeout=PATIENCE_SECONDS) as client:
        yield client


@dataclass
class RunningServer:
    """A process that serves.

    Parameters
    ----------
    process
        The process.
    url
        Its address, with a slash at the end and without the token.
    lines
        What it has printed.
    """

    process: subprocess.Popen[str]
    url: str
    lines: list[str]

    @property
    def port(self) -> int:
        return int(self.url.rstrip("/").rpartition(":")[2])

    def interrupt(self) -> None:
        """Press Ctrl-C, and wait for the end of the server, but not as long as the searches of the tests take."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(END_SECONDS)


@contextmanager
def running_server(*arguments: str, prefix: Sequence[str] = ()) -> Iterator[RunningServer]:
    """Start ``sudokulab serve`` on a free port, and end it afterwards."""
    command = [*prefix, sys.executable, "-m", "sudokulab", "serve", "--port", "0", *arguments]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert process.stdout is not None
    lines = [process.stdout.readline()]
    try:
        assert "http://" in lines[0], lines[0] + process.stdout.read()
        reader = threading.Thread(target=lines.extend, args=(process.stdout,), daemon=True)
        reader.start()
        url = next(word for word in lines[0].split() if word.startswith("http://"))
        yield RunningServer(process, url.partition("?")[0], lines)
    finally:
        process.kill()
        process.wait(PATIENCE_SECONDS)
        reader.join(PATIENCE_SECONDS)
        process.stdout.close()

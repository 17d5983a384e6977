"""The settings of the server and its limits."""

from __future__ import annotations

import ipaddress
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from sudokulab.errors import SudokulabError

__all__ = ["DEFAULT_PORT", "MIN_TOKEN_LENGTH", "Limits", "Settings", "is_loopback"]

DEFAULT_PORT = 8417
MIN_TOKEN_LENGTH = 16
_TOKEN = re.compile(rf"[A-Za-z0-9_-]{{{MIN_TOKEN_LENGTH},}}")


@dataclass(frozen=True)
class Limits:
    """What one server does for its clients at most.

    Parameters
    ----------
    body_bytes, message_bytes
        Size of a request body, and of a WebSocket message.
    connections
        Number of connections at the same time. When there are more, the longest idle one is closed.
    head_seconds, body_seconds
        Time for a client to send the head and the body of a request.
    size
        The largest grids. The command line has no such limit.
    quick_threads, quick_queue
        Number of threads for questions that take milliseconds, and how many may wait for them.
    short_threads, short_queue
        The same for questions that take a second at most.
    slow_threads, slow_queue
        The same for questions that can take as long as the request allows.
    reading_queue, drawing_queue
        How many long texts or links, and how many drawings, may wait; there is one thread for each kind.
    runs, sockets
        Number of live runs at the same time, and of WebSockets, whether or not their run has started.
    start_seconds
        Time for a WebSocket client to send its first message.
    """

    body_bytes: int = 1 << 20
    message_bytes: int = 1 << 18
    connections: int = 1000
    head_seconds: float = 20.0
    body_seconds: float = 20.0
    size: int = 25
    quick_threads: int = field(default_factory=lambda: max(2, os.cpu_count() or 1))
    quick_queue: int = 1000
    short_threads: int = field(default_factory=lambda: max(2, os.cpu_count() or 1))
    short_queue: int = 200
    slow_threads: int = field(default_factory=lambda: max(8, os.cpu_count() or 1))
    slow_queue: int = 200
    reading_queue: int = 50
    drawing_queue: int = 50
    runs: int = 20
    sockets: int = 100
    start_seconds: float = 20.0


@dataclass(frozen=True)
class Settings:
    """The settings of the server.

    Parameters
    ----------
    host, port
        The address to listen on. Other machines can reach hosts that are not loopback, so those require a token.
    token
        The secret that every request to the API must present; None for no check.
    stores
        The experiment stores to show. They are opened read-only.
    limits
        The limits of the server.

    Raises
    ------
    SudokulabError
        If the host requires a token, or the token is not a long word.
    """

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    token: str | None = None
    stores: tuple[Path, ...] = ()
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if self.token is None and not is_loopback(self.host):
            raise SudokulabError(
                f"--host {self.host}: other machines can reach this server, so it needs a token; "
                "add --token auto to generate one"
            )
        if self.token is not None and not _TOKEN.fullmatch(self.token):
            raise SudokulabError(
                f"--token: use at least {MIN_TOKEN_LENGTH} letters, digits, - or _; --token auto generates one"
            )


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach a host."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

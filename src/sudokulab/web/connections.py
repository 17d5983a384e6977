"""Connections that cannot keep others out: heads must arrive in time, and a full server drops idle connections.

uvicorn limits neither the time nor the number of connections before a request has arrived, and its limit of concurrent
requests answers everybody with an error once unfinished requests hold that many connections.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import cast

from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from sudokulab._internal.system import raise_file_limit
from sudokulab.web.settings import Limits

__all__ = ["Connection", "RateLimit", "affordable_connections"]

_FILES_PER_CONNECTION = 2  # half of them for connections that are being accepted, stores and temporary files


def affordable_connections(max_connections: int) -> int:
    """Return how many connections the process can hold, at most `max_connections`; raise its limit if necessary."""
    return min(max_connections, raise_file_limit(_FILES_PER_CONNECTION * max_connections) // _FILES_PER_CONNECTION)


class Connection(H11Protocol):
    """A connection that is closed if its client keeps it waiting for a request head, or if the server is full."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Make room if the server is full, and wait for a request."""
        super().connection_made(transport)
        self._limits: Limits = cast("FastAPI", self.config.app).state.settings.limits
        self._waiting_since = self.loop.time()
        self._timer: asyncio.TimerHandle | None = None
        self._is_dropped = False
        self._time_head()
        if len(self.connections) > self._limits.connections:
            self._make_room()

    def data_received(self, data: bytes) -> None:
        """Handle data, and time the head of the next request."""
        super().data_received(data)
        self._time_head()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._waiting_since = self.loop.time()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the timer."""
        super().connection_lost(exc)
        self._stop_timer()

    @property
    def _has_request(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    @property
    def is_idle(self) -> bool:
        """Whether the server waits for the client: for a head, for a body, or until it has read the response."""
        return not self._has_request or self.cycle.more_body or self.flow.write_paused

    def _time_head(self) -> None:
        """Close the connection unless a whole head arrives in time. More data does not extend the time."""
        is_websocket = self.transport.get_protocol() is not self
        if self._has_request or is_websocket:
            self._stop_timer()
        elif self._timer is None:
            self._timer = self.loop.call_later(self._limits.head_seconds, self._drop)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _make_room(self) -> None:
        """Drop the connection that has been idle for the longest time; the new one if all others are busy."""
        others = (other for other in self.connections if isinstance(other, Connection) and other is not self)
        idle = (other for other in others if other.is_idle and not other._is_dropped)
        min(idle, key=lambda other: other._waiting_since, default=self)._drop()

    def _drop(self) -> None:
        self._is_dropped = True
        self.transport.abort()  # to close it would wait for a client that does not read


class RateLimit(logging.Filter):
    """Passes a few log messages per minute, and says how many were dropped: clients must not fill the disk."""

    def __init__(self, max_messages: int = 10, seconds: float = 60.0) -> None:
        super().__init__()
        self._max_messages = max_messages
        self._seconds = seconds
        self._end = 0.0
        self._num_messages = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a message is logged."""
        if time.monotonic() >= self._end:
            num_dropped = self._num_messages - self._max_messages
            if num_dropped > 0:
                record.msg, record.args = f"{record.getMessage()} ({num_dropped:,} messages were dropped before)", None
            self._end, self._num_messages = time.monotonic() + self._seconds, 0
        self._num_messages += 1
        return self._num_messages <= self._max_messages

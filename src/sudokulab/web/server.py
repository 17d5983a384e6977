"""Run the app with uvicorn, and stop it within a second."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import socket
import sys
import threading
from collections.abc import Callable
from dataclasses import replace

import uvicorn

from sudokulab.errors import SudokulabError
from sudokulab.web.access import IdFilter
from sudokulab.web.app import create_app
from sudokulab.web.connections import Connection, RateLimit, affordable_connections
from sudokulab.web.settings import DEFAULT_PORT, Settings

__all__ = ["Server", "address_of", "bind", "leave", "serve"]

_GRACE_SECONDS = 0.3  # for responses under way and for searches to stop
_SWITCH_SECONDS = 0.001  # how long the event loop waits for a thread that runs Python code, instead of 0.005
_BACKLOG = 2048  # connections that wait to be accepted
_MAX_ACCEPTED = 20  # at once: few, so that the server reads from a connection before it can be the longest idle one


def bind(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address; port 0 chooses a free one.

    Raises
    ------
    SudokulabError
        If the address cannot be used; the message says what to do.
    """
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        # with the protocol named, asyncio sends small messages at once (TCP_NODELAY)
        return _listening(socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP), address)
    except UnicodeError:  # a name that cannot exist
        raise SudokulabError(_advice(host, port, socket.gaierror())) from None
    except OSError as error:
        raise SudokulabError(_advice(host, port, error)) from None


def _listening(bound: socket.socket, address: tuple[object, ...]) -> socket.socket:
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen(_BACKLOG)
    except OSError:
        bound.close()
        raise
    return bound


def _advice(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"port {port} is in use, perhaps by another `sudokulab serve`; stop that one, or choose another port with "
            f"--port {port + 1 if port < 65535 else DEFAULT_PORT} (--port 0: any free one)"
        )
    if error.errno == errno.EACCES:
        return f"port {port} is reserved for the system; choose a port from 1024 to 65535"
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return f"--host {host}: not an address of this machine; use 127.0.0.1, or 0.0.0.0 for all its addresses"
    return f"cannot listen on {host}, port {port}: {error.strerror}"


def address_of(settings: Settings) -> str:
    """Return the address to open in a browser, with the token."""
    host = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(settings.host, settings.host)
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{settings.port}/" + (f"?token={settings.token}" if settings.token else "")


class Server(uvicorn.Server):
    """A server that is bound to its address, and stops all searches before it waits for open connections.

    Parameters
    ----------
    settings
        The settings. Port 0 chooses a free one.
    on_start
        Called with the settings, which then have the actual port, once the server accepts connections.
    """

    def __init__(self, settings: Settings, on_start: Callable[[Settings], object] = lambda settings: None) -> None:
        self._socket = bind(settings.host, settings.port)
        limits = replace(settings.limits, connections=affordable_connections(settings.limits.connections))
        self._settings = replace(settings, port=self._socket.getsockname()[1], limits=limits)
        self._on_start = on_start
        self.app = create_app(self._settings)
        super().__init__(
            uvicorn.Config(
                self.app,
                log_config=None,
                access_log=False,
                server_header=False,
                http=Connection,
                backlog=max(1, min(_MAX_ACCEPTED, limits.connections // 8)),
                ws="websockets-sansio",
                ws_max_size=limits.message_bytes,
                ws_per_message_deflate=False,  # frames are small, and the CPU is for searching
                timeout_graceful_shutdown=0,
                timeout_keep_alive=60,
            )
        )

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until a signal arrives or `should_exit` is set."""
        super().run(sockets or [self._socket])

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to accept connections."""
        await super().startup(sockets)
        for bound in sockets or ():
            bound.listen(_BACKLOG)  # asyncio has set it to the number it accepts at once
        self._on_start(self._settings)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop all searches, then close all connections."""
        self.app.state.jobs.close()
        self.app.state.runs.close()
        await asyncio.sleep(_GRACE_SECONDS / 3)
        await super().shutdown(sockets)


def serve(settings: Settings, on_start: Callable[[Settings], object], log_level: str = "warning") -> None:
    """Serve until Ctrl-C or a termination signal; see `Server` for the other parameters.

    With the log level info or debug, every request is logged. Otherwise a few messages per minute are, so that clients
    cannot fill the disk.
    """
    _start_log(log_level)
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # the guard logs errors; shutting down is not one
    sys.setswitchinterval(_SWITCH_SECONDS)
    with contextlib.suppress(KeyboardInterrupt):
        Server(settings, on_start).run()


def _start_log(level: str) -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(request_id)s %(message)s"))
    handler.addFilter(IdFilter())
    chosen = getattr(logging, level.upper())
    if chosen > logging.INFO:
        handler.addFilter(RateLimit())
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(chosen)


def leave() -> None:
    """End the process even if a search that cannot be stopped is still running in a thread.

    Such a search ends at its time limit. Nothing is lost: the server writes no files.
    """
    searching = [thread for thread in threading.enumerate() if thread.name.startswith("sudokulab-")]
    for thread in searching:
        thread.join(_GRACE_SECONDS / len(searching))
    if any(thread.is_alive() for thread in searching):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)

"""Request ids and the access log.

Each response has an ``X-Request-Id``: the one of the request, if a proxy has set it, otherwise a new one. Log messages
of the request begin with it. With ``--log-level info``, each request is logged when its answer has been sent.
"""

from __future__ import annotations

import logging
import re
import secrets
import time
from contextvars import ContextVar

from sudokulab.web.security import App, Message, Receive, Scope, Send

__all__ = ["ACCESS", "AccessLog", "IdFilter"]

ACCESS = logging.getLogger("sudokulab.web.access")

_REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="-")
_VALID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_STARTS = ("http.response.start", "websocket.http.response.start", "websocket.accept")
_UNSAFE = re.compile(r"[^!-~]")


class IdFilter(logging.Filter):
    """Adds ``request_id`` to log records; ``-`` outside of requests."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Add the id, and pass the record on."""
        record.request_id = _REQUEST_ID.get()
        return True


class AccessLog:
    """The outermost part of the app: gives each request an id, and logs it."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        request_id = _id_of(scope)
        start, status = time.monotonic(), 0

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] in _STARTS:
                status = message.get("status", 101)
                header = (b"x-request-id", request_id.encode())
                message = {**message, "headers": [*(message.get("headers") or ()), header]}
            await send(message)

        token = _REQUEST_ID.set(request_id)
        try:
            await self._app(scope, receive, send_with_id)
        finally:
            client = (scope.get("client") or ("-",))[0]
            path = _UNSAFE.sub("?", scope["path"])  # without the query, which can hold the token
            method = scope.get("method", "WEBSOCKET")
            ACCESS.info("%s %s %s %s %.1f ms", client, method, path, status, 1000 * (time.monotonic() - start))
            _REQUEST_ID.reset(token)


def _id_of(scope: Scope) -> str:
    given = dict(scope["headers"]).get(b"x-request-id", b"").decode("latin-1")
    return given if _VALID.fullmatch(given) else secrets.token_hex(8)

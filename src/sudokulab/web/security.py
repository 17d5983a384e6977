"""The guard in front of the app: it decides which requests pass, and sets the security headers of every response.

Another web page in the same browser must not drive the server, and other machines need the token:

- The Host header must name this server. A page whose name was rebound to 127.0.0.1 sends its own name.
- Requests that a browser sends for another page are refused by their Origin or Sec-Fetch-Site header. Programs such as
  curl send neither.
- The API requires the token, if there is one: as a bearer token, or in the cookie that ``/?token=…`` sets. The page
  itself has no secrets and needs no token.
- Bodies are read before the app runs, up to the limit, whether or not their length was announced.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from sudokulab.web.problems import ProblemError, problem_response
from sudokulab.web.settings import Settings, is_loopback

__all__ = ["Guard", "cookie_name", "is_token"]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "font-src 'self'",
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    b"content-security-policy": _CONTENT_SECURITY_POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"cache-control": b"no-store",
}
"""Headers of every response; the app can set its own Cache-Control."""

_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
_LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")
_WILDCARDS = ("0.0.0.0", "::")


def cookie_name(settings: Settings) -> str:
    """Return the name of the cookie with the token; servers on other ports of the host have other names."""
    return f"sudokulab-token-{settings.port}"


def is_token(given: str, settings: Settings) -> bool:
    """Return whether text is the token. The time of the comparison does not depend on where they differ."""
    return settings.token is not None and hmac.compare_digest(given.encode(), settings.token.encode())


class Guard:
    """The outermost part of the app. It refuses requests, limits bodies and sets headers."""

    def __init__(self, app: App, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._answer_websocket(scope, receive, send)
        else:
            await self._answer_http(scope, receive, _with_headers(send))

    async def _answer_http(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_started = False

        async def send_first(message: Message) -> None:
            nonlocal has_started
            has_started = True
            await send(message)

        try:
            self._check(scope)
            await self._app(scope, await self._with_body(scope, receive), send_first)
        except Exception as error:
            if has_started:
                raise
            await problem_response(error)(scope, receive, send)

    async def _answer_websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._check(scope)
        except ProblemError as error:
            await receive()  # the connection request
            if "websocket.http.response" not in scope.get("extensions", {}):
                await send({"type": "websocket.close", "code": 1008, "reason": error.detail[:100]})
                return
            response = problem_response(error)
            start = {"type": "websocket.http.response.start", "status": response.status_code}
            await send({**start, "headers": [*response.raw_headers, *_HEADERS.items()]})
            await send({"type": "websocket.http.response.body", "body": response.body})
            return
        await self._app(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        """Raise a problem if the request must not pass."""
        headers = _Headers(scope["headers"])
        host = headers.get("host")
        if not self._is_own(host):
            raise ProblemError(
                HTTPStatus.FORBIDDEN,
                f"the Host header is {host[:100]!r}; use the address that `sudokulab serve` printed",
            )
        is_page = scope["type"] == "http" and not scope["path"].startswith("/api")
        is_safe = is_page and scope["method"] in _SAFE_METHODS
        if not is_safe and not _is_same_origin(headers, host):
            raise ProblemError(
                HTTPStatus.FORBIDDEN, "the request comes from another web page, which may not use this server"
            )
        if not is_page and self._settings.token is not None and not self._has_token(headers):
            raise ProblemError(
                HTTPStatus.UNAUTHORIZED,
                "this server needs its token: open the link that `sudokulab serve` printed, or send the header "
                "Authorization: Bearer TOKEN",
                {"WWW-Authenticate": "Bearer"},
            )

    def _is_own(self, host: str) -> bool:
        """Return whether a Host header names this server."""
        name = _host_name(host)
        if name is None:
            return False
        if name in _LOCAL_NAMES or name == self._settings.host.lower():
            return True
        if is_loopback(self._settings.host) or self._settings.host not in _WILDCARDS:
            return False
        return _is_address(name) or name in (socket.gethostname().lower(), f"{socket.gethostname().lower()}.local")

    def _has_token(self, headers: _Headers) -> bool:
        scheme, _, given = headers.get("authorization").partition(" ")
        if scheme.lower() == "bearer" and is_token(given.strip(), self._settings):
            return True
        cookies = (part.strip().partition("=") for part in headers.get("cookie").split(";"))
        return any(
            name == cookie_name(self._settings) and is_token(value, self._settings) for name, _, value in cookies
        )

    async def _with_body(self, scope: Scope, receive: Receive) -> Receive:
        """Read the body, and return a source of messages that begins with it."""
        if scope["method"] in _SAFE_METHODS:
            return receive
        limits = self._settings.limits
        announced = _Headers(scope["headers"]).get("content-length")
        if announced.isdecimal() and (len(announced) > 12 or int(announced) > limits.body_bytes):
            raise _too_large(limits.body_bytes)
        try:
            body = await asyncio.wait_for(_read_body(receive, limits.body_bytes), limits.body_seconds)
        except TimeoutError:
            raise ProblemError(
                HTTPStatus.REQUEST_TIMEOUT,
                f"the request body did not arrive within {limits.body_seconds:g} seconds",
                {"Connection": "close"},
            ) from None
        first: Message | None = {"type": "http.request", "body": body, "more_body": False}

        async def replay() -> Message:
            nonlocal first
            if first is None:
                return await receive()
            message, first = first, None
            return message

        return replay


async def _read_body(receive: Receive, max_bytes: int) -> bytes:
    parts: list[bytes] = []
    num_bytes = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return b""
        parts.append(message.get("body", b""))
        num_bytes += len(parts[-1])
        if num_bytes > max_bytes:
            raise _too_large(max_bytes)
        if not message.get("more_body", False):
            return b"".join(parts)


def _too_large(max_bytes: int) -> ProblemError:
    return ProblemError(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        f"the request body is larger than {max_bytes:,} bytes; use the command line for large files",
        {"Connection": "close"},
    )


class _Headers:
    """The headers of a request, of which the first of each name counts."""

    def __init__(self, raw: Iterable[tuple[bytes, bytes]]) -> None:
        self._values: dict[bytes, bytes] = {}
        for name, value in raw:
            self._values.setdefault(name.lower(), value)

    def get(self, name: str) -> str:
        """Return a header, empty if it is missing."""
        return self._values.get(name.encode(), b"").decode("latin-1")


def _is_same_origin(headers: _Headers, host: str) -> bool:
    """Return whether a request comes from our own page, or from a program."""
    if headers.get("sec-fetch-site") not in ("", "same-origin", "none"):
        return False
    origin = headers.get("origin")
    if not origin:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


def _host_name(host: str) -> str | None:
    """Return the name in a Host header, without the port; None if it is not valid."""
    try:
        parts = urlsplit(f"//{host}")
        parts.port  # noqa: B018  # raises if it is invalid
    except ValueError:
        return None
    return parts.hostname if parts.netloc == host and "@" not in host else None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = {name.lower() for name, _ in message["headers"]}
            more = [(name, value) for name, value in _HEADERS.items() if name not in own]
            message = {**message, "headers": [*message["headers"], *more]}
        await send(message)

    return send_with_headers

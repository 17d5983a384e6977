"""The page and its static files, which are read once at start-up: no name in a request ever becomes a path."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from importlib import resources
from importlib.resources.abc import Traversable

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.responses import RedirectResponse

from sudokulab.web.problems import ProblemError
from sudokulab.web.security import cookie_name, is_token
from sudokulab.web.settings import Settings

__all__ = ["add_pages"]

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
}
_INDEX = "/static/index.html"


@dataclass(frozen=True)
class _Asset:
    """A static file."""

    content: bytes
    media_type: str
    etag: str


def add_pages(app: FastAPI, settings: Settings) -> None:
    """Add the routes of the page and of the static files."""
    assets = dict(_assets(resources.files("sudokulab.web") / "static", "/static/"))
    index = _with_preloads(assets[_INDEX], sorted(path for path in assets if path.endswith(".js")))

    async def serve_index(request: Request) -> Response:
        if "token" in request.query_params:
            return _sign_in(request.query_params["token"], settings)
        return _response(request, index)

    async def serve(request: Request) -> Response:
        if request.url.path not in assets:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return _response(request, assets[request.url.path])

    app.add_route("/", serve_index, include_in_schema=False)
    app.add_route("/static/{path:path}", serve, include_in_schema=False)


def _with_preloads(index: _Asset, modules: Iterable[str]) -> _Asset:
    """Return the page with a hint to load all modules at once, instead of one after the other as they are imported."""
    links = "".join(f'<link rel="modulepreload" href="{path[1:]}">\n' for path in modules)
    return _asset(index.content.replace(b"</head>", f"{links}</head>".encode()), index.media_type)


def _assets(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, _Asset]]:
    for entry in folder.iterdir():
        extension = f".{entry.name.rpartition('.')[2]}"
        if entry.is_dir():
            yield from _assets(entry, f"{prefix}{entry.name}/")
        elif extension in _TYPES:
            yield f"{prefix}{entry.name}", _asset(entry.read_bytes(), _TYPES[extension])


def _asset(content: bytes, media_type: str) -> _Asset:
    return _Asset(content, media_type, f'"{hashlib.sha256(content).hexdigest()[:32]}"')


def _response(request: Request, asset: _Asset) -> Response:
    headers = {"ETag": asset.etag, "Cache-Control": "no-cache"}
    if asset.etag in request.headers.get("if-none-match", ""):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return Response(asset.content, media_type=asset.media_type, headers=headers)


def _sign_in(token: str, settings: Settings) -> Response:
    """Put the token into a cookie, and remove it from the address."""
    response = RedirectResponse("/", HTTPStatus.SEE_OTHER)
    if settings.token is None:
        return response
    if not is_token(token, settings):
        raise ProblemError(HTTPStatus.UNAUTHORIZED, "wrong token; open the link that `sudokulab serve` printed")
    response.set_cookie(cookie_name(settings), token, httponly=True, samesite="strict")
    return response

"""The ASGI app: the API, live runs and the page, behind the guard."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

import sudokulab
from sudokulab.web import catalogue, lab, papers, player, problems, puzzles, runs
from sudokulab.web.access import AccessLog
from sudokulab.web.jobs import Jobs
from sudokulab.web.pages import add_pages
from sudokulab.web.runs import Runs
from sudokulab.web.security import Guard
from sudokulab.web.settings import Settings

__all__ = ["create_app"]

_DESCRIPTION = """Solve, check, rate, explain and generate Sudoku puzzles of any size up to 25×25.

Cells are counted from 0 row by row; digits run from 1 to the size, and 0 is a blank. Errors are problem details
(RFC 9457): their `detail` says what is wrong and what to do. Live runs use the WebSocket
`/api/runs`, which docs/reference/api.md describes."""


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the app of a server.

    Parameters
    ----------
    settings
        The settings. The handlers find them in ``app.state.settings``, the threads in ``app.state.jobs``,
        and the live runs in ``app.state.runs``.
    """
    chosen = settings or Settings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        app.state.jobs.close()
        app.state.runs.close()

    app = FastAPI(
        title="Sudokulab",
        version=sudokulab.__version__,
        description=_DESCRIPTION,
        openapi_url="/api/openapi.json",
        docs_url=None,  # they would load scripts from other hosts
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.settings = chosen
    app.state.jobs = Jobs(chosen.limits)
    app.state.runs = Runs(chosen.limits)
    problems.install(app)
    app.add_middleware(Guard, settings=chosen)
    app.add_middleware(AccessLog)
    for part in (puzzles, catalogue, runs, player, lab, papers):
        app.include_router(part.router)
    add_pages(app, chosen)
    return app

"""``sudokulab serve``."""

from __future__ import annotations

import secrets
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudokulab._internal.extras import require
from sudokulab.cli.common import command, complain
from sudokulab.errors import SudokulabError

if TYPE_CHECKING:
    from sudokulab.web.settings import Settings

__all__ = ["serve"]


@command
def serve(
    stores: Annotated[
        list[Path] | None,
        typer.Argument(metavar="STORE", help="Experiment stores to show on the page Lab. They are opened read-only."),
    ] = None,
    host: Annotated[
        str, typer.Option(help="Address to listen on. Others than this machine's own (127.0.0.1) need --token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 for any free one.")] = 8417,
    token: Annotated[
        str | None,
        typer.Option(
            envvar="SUDOKULAB_TOKEN",
            help="Secret that every client must present, at least 16 characters. auto: generate one.",
        ),
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = False,
) -> None:
    """Serve the web page and the HTTP API until Ctrl-C.

    By default, only this machine can connect. The page works offline and sends nothing to other hosts.

    Example: sudokulab serve experiment.db --open
    """
    require("web")
    from sudokulab.web.server import address_of
    from sudokulab.web.server import serve as run
    from sudokulab.web.settings import Settings

    for store in stores or ():
        if not store.is_file():
            raise SudokulabError(f"{store}: no such store")
    chosen = secrets.token_urlsafe(24) if token == "auto" else token
    settings = Settings(host=host, port=port, token=chosen, stores=tuple(stores or ()))

    def announce(actual: Settings) -> None:
        address = address_of(actual)
        typer.echo(f"Sudokulab is running at {address} (press Ctrl-C to stop)")
        if open_browser:
            webbrowser.open(address)

    run(settings, announce)
    complain("stopped")

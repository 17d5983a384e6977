"""``sudokulab serve``."""

from __future__ import annotations

import os
import secrets
import sys
import webbrowser
from enum import StrEnum
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Annotated

import typer

from sudokulab._internal.extras import require
from sudokulab.cli.common import command, print_message
from sudokulab.errors import SudokulabError
from sudokulab.web.settings import DEFAULT_PORT

if TYPE_CHECKING:
    from sudokulab.web.settings import Settings

__all__ = ["serve"]


class LogLevel(StrEnum):
    """The severities of log messages."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@command
def serve(
    stores: Annotated[
        list[Path] | None,
        typer.Argument(metavar="STORE", help="Experiment stores to show on the page Lab. They are opened read-only."),
    ] = None,
    host: Annotated[
        str,
        typer.Option(help="Address to listen on. Addresses other than this machine's own (127.0.0.1) need --token."),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 for any free one.")] = DEFAULT_PORT,
    token: Annotated[
        str | None,
        typer.Option(
            envvar="SUDOKULAB_TOKEN",
            help="Secret that every client must present, at least 16 characters. auto: generate one.",
        ),
    ] = None,
    log_level: Annotated[
        LogLevel, typer.Option(help="Least severe messages to log on standard error. info: also each request.")
    ] = LogLevel.WARNING,
    is_opened: Annotated[
        bool | None,
        typer.Option("--open/--no-open", help="Open the page in the browser. Default: yes, if a display is available."),
    ] = None,
) -> None:
    """Serve the web page and the HTTP API until Ctrl-C.

    By default, only this machine can connect. The page works offline and sends nothing to other hosts.

    Example: sudokulab serve experiment.sqlite
    """
    require("web")
    from sudokulab.web.server import address_of, leave
    from sudokulab.web.server import serve as run
    from sudokulab.web.settings import Settings, is_loopback

    for store in stores or ():
        if not store.is_file():
            raise SudokulabError(f"{store}: no such store")
    chosen = secrets.token_urlsafe(24) if token == "auto" else token
    settings = Settings(host=host, port=port, token=chosen, stores=tuple(stores or ()))

    def announce(actual: Settings) -> None:
        address = address_of(actual)
        typer.echo(f"Sudokulab is running at {address} (press Ctrl-C to stop)")
        if not is_loopback(host):
            print_message("note: other machines can connect with this link; the connection is not encrypted")
        if _has_screen() if is_opened is None else is_opened:
            Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    run(settings, announce, log_level)
    print_message("stopped")
    leave()


def _has_screen() -> bool:
    """Return whether a person has started the command on a machine with a screen."""
    has_window = sys.platform in ("darwin", "win32") or "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
    return has_window and sys.stdout.isatty()

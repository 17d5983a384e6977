"""All commands as typer describes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from sudokulab.cli import app

__all__ = ["all_commands"]


def all_commands() -> Iterator[tuple[str, Any]]:
    """Yield every command with its name, such as ``dataset make``."""
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        parts = getattr(command, "commands", None)
        if parts is None:
            yield name, command
        else:
            yield from ((f"{name} {part}", described) for part, described in parts.items())

"""The options that specify generated puzzles, derived from the fields of `PuzzleSpec`."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Annotated, Any

import typer

from sudokulab.cli.completion import complete_one_of, complete_techniques
from sudokulab.cli.options import list_option, replace_parameter
from sudokulab.cli.sources import is_file
from sudokulab.errors import SudokulabError
from sudokulab.instances import PuzzleSpec
from sudokulab.instances.spec import field_schemas

__all__ = ["with_spec_options"]

_NUMBERS = {"integer": int, "number": float}
_METAVARS = {"box": "RxC", "se": "RATING", "pattern": "TEXT|FILE"}
"""The names of values that are text of some form."""


def _spec(**fields: Any) -> PuzzleSpec:
    given = {name: value for name, value in fields.items() if value is not None and value is not False}
    if "pattern" in given:
        given["pattern"] = _read_pattern(given["pattern"])
    return PuzzleSpec(**given)


def _options() -> list[inspect.Parameter]:
    keyword = inspect.Parameter.KEYWORD_ONLY
    return [
        inspect.Parameter(
            name, keyword, default=False if schema.get("type") == "boolean" else None, annotation=_option(name, schema)
        )
        for name, schema in field_schemas().items()
    ]


def _option(name: str, schema: dict[str, Any]) -> Any:
    """Return the annotation of an option. Values of text are checked by the specification."""
    flag, text, kind = f"--{name}", schema["description"], schema.get("type")
    if kind == "boolean":
        return Annotated[bool, typer.Option(flag, help=text)]
    if kind in _NUMBERS:
        option = typer.Option(flag, help=text, min=schema.get("minimum"), max=schema.get("maximum"))
        return Annotated[_NUMBERS[kind] | None, option]
    if kind == "array":
        names = list_option(flag, metavar="NAME,…", help=text, autocompletion=complete_techniques)
        return Annotated[list[str] | None, names]
    if "enum" in schema:
        values = schema["enum"]
        listed = text if all(value in text for value in values) else f"{text.rstrip('.')}: {', '.join(values)}."
        option = typer.Option(flag, help=listed, metavar=name.upper(), autocompletion=complete_one_of(values))
        return Annotated[str | None, option]
    return Annotated[str | None, typer.Option(flag, help=text, metavar=_METAVARS.get(name))]


def _read_pattern(pattern: str) -> str:
    """Return a pattern, given as text or as a file."""
    if is_file(pattern):
        lines = Path(pattern).read_text(encoding="utf-8").splitlines()
        return "".join(line for line in lines if not line.startswith("# "))
    if "/" in pattern or re.search(r"\.[A-Za-z]{2,4}$", pattern):
        raise SudokulabError(f"{pattern}: no such file")
    return pattern


with_spec_options = replace_parameter("spec", _options(), _spec)
"""Replaces the parameter `spec` of a command by one option for each field of a specification."""

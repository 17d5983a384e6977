"""Read JSON and TOML that others have written: whatever is wrong with a document, a ValueError says it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

__all__ = ["parse_json", "read_toml"]

_TOO_DEEP = "it is nested too deeply"


def parse_json(text: str | bytes) -> Any:
    """Return the value of a JSON text."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None


def read_toml(path: str | Path) -> dict[str, Any]:
    """Return the contents of a TOML file; the error names the file."""
    import tomllib  # which few commands need

    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
    except RecursionError:
        problem = _TOO_DEEP
    except ValueError as error:
        problem = str(error)
    raise ValueError(f"{path}: invalid TOML: {problem}")

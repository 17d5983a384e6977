"""The user's script that `make lint` checks with mypy and pyright uses every public name."""

from __future__ import annotations

import ast
from inspect import ismodule
from pathlib import Path

import sudokulab

SCRIPT = Path(__file__).with_name("user_script.py")


def test_it_uses_every_public_name() -> None:
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    used |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    public = {name for name in dir(sudokulab) if not name.startswith("_") and not ismodule(getattr(sudokulab, name))}
    assert public <= used

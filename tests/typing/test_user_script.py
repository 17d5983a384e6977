"""Type checkers accept a user's script that calls the public functions with natural arguments."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib.util import find_spec
from inspect import ismodule
from pathlib import Path

import pytest

import sudokulab

pytestmark = pytest.mark.slow

SCRIPT = Path(__file__).with_name("user_script.py")
ROOT = Path(__file__).parent.parent.parent


def check(*command: str) -> None:
    done = subprocess.run([sys.executable, "-m", *command, str(SCRIPT)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy_accepts_it() -> None:
    check("mypy", "--strict")


@pytest.mark.skipif(find_spec("basedpyright") is None, reason="PYRIGHT IS NOT INSTALLED: pip install basedpyright")
def test_pyright_accepts_it() -> None:
    check("basedpyright", "--level", "error", "--pythonpath", sys.executable)


def test_it_uses_every_public_name() -> None:
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    used |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    public = {name for name in dir(sudokulab) if not name.startswith("_") and not ismodule(getattr(sudokulab, name))}
    assert public <= used

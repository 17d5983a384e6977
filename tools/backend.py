"""The build backend: scikit-build-core, after a check that the headers of Python exist.

Debian and Ubuntu ship Python without its headers. Where they are missing, the backend takes them from the package that
has them, into the build folder: this needs no rights, and installs nothing.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from scikit_build_core import build
from scikit_build_core.build import (
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

_VERSION = f"python{sys.version_info.major}.{sys.version_info.minor}"
_PACKAGE = f"lib{_VERSION}-dev"
_FOLDER = Path("build", "python-headers").absolute()


def build_wheel(*args: Any, **kwargs: Any) -> str:
    """Build a wheel."""
    _find_headers()
    return build.build_wheel(*args, **kwargs)


def build_editable(*args: Any, **kwargs: Any) -> str:
    """Build an editable wheel."""
    _find_headers()
    return build.build_editable(*args, **kwargs)


def _find_headers() -> None:
    has_headers = Path(sysconfig.get_path("include"), "Python.h").exists()
    if has_headers or not shutil.which("apt-get"):  # elsewhere, CMake says what to install
        return
    include = _FOLDER / "usr" / "include"
    if not (include / _VERSION / "Python.h").exists():
        _unpack_package()
    os.environ["CPLUS_INCLUDE_PATH"] = f"{include}:{os.environ.get('CPLUS_INCLUDE_PATH', '')}"
    found = shlex.quote(f"-DPython_INCLUDE_DIR={include / _VERSION}")
    os.environ["CMAKE_ARGS"] = f"{os.environ.get('CMAKE_ARGS', '')} {found}"


def _unpack_package() -> None:
    """Download the package with the headers and unpack it; apt's own files stay in our folder, too."""
    print(f"The headers of Python are missing; taking them from {_PACKAGE}", flush=True)
    for folder in ("lists/partial", "cache/archives/partial"):
        (_FOLDER / folder).mkdir(parents=True, exist_ok=True)
    apt = [
        "apt-get",
        "--quiet=2",
        "-o",
        f"Dir::State::Lists={_FOLDER / 'lists'}",
        "-o",
        f"Dir::Cache={_FOLDER / 'cache'}",
    ]
    try:
        subprocess.run([*apt, "update"], check=True)
        subprocess.run([*apt, "download", _PACKAGE], cwd=_FOLDER, check=True)
        for package in _FOLDER.glob("*.deb"):
            subprocess.run(["dpkg-deb", "--extract", package, _FOLDER], check=True)
    except subprocess.CalledProcessError:
        sys.exit(f"The headers of Python are missing, and {_PACKAGE} cannot be downloaded: apt install python3-dev")

"""The example package installs and takes part everywhere; the notebooks run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parent.parent / "examples"
SOLVER = "limited-discrepancy"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return an environment in which the example package is installed."""
    site = tmp_path_factory.mktemp("site")
    options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation", "--target", str(site)]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, str(EXAMPLES / SOLVER)], check=True)
    return os.environ | {"PYTHONPATH": str(site)}


def run(environment: dict[str, str], folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *arguments], env=environment, cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_package_passes_its_own_tests(environment: dict[str, str], tmp_path: Path) -> None:
    run(
        environment,
        tmp_path,
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-c",
        os.devnull,
        str(EXAMPLES / SOLVER / "tests"),
    )


def test_the_command_line_knows_its_solver(environment: dict[str, str], tmp_path: Path) -> None:
    assert "first_limit" in run(environment, tmp_path, "sudokulab", "solvers", SOLVER)
    assert "1324423124133142" in run(environment, tmp_path, "sudokulab", "solve", "1.....3..4.....2", "-s", SOLVER)


def test_the_lab_compares_it(environment: dict[str, str], tmp_path: Path) -> None:
    options = ("--limit", "2", "--runs", "1", "--cpu-seconds", "5")
    table = run(environment, tmp_path, "sudokulab", "compare", "easy", "-s", f"{SOLVER},backtracking", *options)
    assert f"{SOLVER}\t2 of 2" in table


def test_the_web_page_offers_it(environment: dict[str, str], tmp_path: Path) -> None:
    code = "from tests.web.servers import client_of\nwith client_of() as client: print(client.get('/api/solvers').text)"
    environment = environment | {"PYTHONPATH": f"{environment['PYTHONPATH']}{os.pathsep}{EXAMPLES.parent}"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert SOLVER in done.stdout, done.stderr

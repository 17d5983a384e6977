"""The container image and the services of the compose file work.

Where no docker daemon runs, the scripts of the image and the services are executed without containers.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml  # type: ignore[import-untyped]

from sudokulab.lab import Store
from tests.timing import PATIENCE_SECONDS, wait_until

ROOT = Path(__file__).parent.parent
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
TOKEN = "correct-horse-battery-staple"
IMAGE = COMPOSE["services"]["page"]["image"]
SCHEDULER = "tcp://scheduler:8786"
PATIENCE = 20 * PATIENCE_SECONDS  # for compiling
EXPERIMENT = """
name = "small"
runs = 2
[budget]
cpu_seconds = 2
[[instances]]
set = "famous"
limit = 2
[[solvers]]
name = "ant-colony"
"""


def has_docker() -> bool:
    """Return whether a docker daemon runs."""
    return shutil.which("docker") is not None and not subprocess.run(["docker", "info"], capture_output=True).returncode


def call(*command: str | Path, **options: Any) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"


def copied(folder: Path) -> Path:
    """Copy the files that the Dockerfile copies: those that .dockerignore allows and git knows."""
    allowed = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    listed = subprocess.run(["git", "ls-files", *allowed], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.splitlines():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    return folder


def command_of(service: str, target: Path, ports: dict[str, str]) -> list[str]:
    """Return the command of a service, for an installation on this machine with other ports."""
    words = COMPOSE["services"][service].get("entrypoint") or ["sudokulab", *page_arguments()]
    changes = {"//scheduler:": "//127.0.0.1:", "0.0.0.0": "127.0.0.1", **ports}
    for old, new in changes.items():
        words = [word.replace(old, new) for word in words]
    return [str(target / "bin" / words[0]), *words[1:]]


def free_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return str(server.getsockname()[1])


def page_arguments() -> list[str]:
    return re.sub(r"\$\{.*?\}", "", COMPOSE["services"]["page"]["command"]).split()


@contextmanager
def running(command: list[str], folder: Path) -> Iterator[None]:
    process = subprocess.Popen(command, cwd=folder, env={**os.environ, "SUDOKULAB_TOKEN": TOKEN})
    try:
        yield
        assert process.poll() is None, f"{command} ended with {process.returncode}"
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)


def test_the_image_has_no_other_steps_than_the_scripts() -> None:
    text = (ROOT / "Dockerfile").read_text("utf-8")
    steps = re.findall(r"^RUN (?:--mount=\S+ )?(.*)$", text, re.MULTILINE)
    scripts = [step for step in steps if ".sh" in step]
    assert [Path(step.split()[0]).name for step in scripts] == ["build-wheel.sh", "install.sh", "check.sh"]
    assert all(step.startswith(("apt-get", "useradd")) for step in steps if step not in scripts)
    assert re.findall(r"^USER (.*)$", text, re.MULTILINE) == ["sudokulab"]
    for script in ROOT.glob("docker/*.sh"):
        assert os.access(script, os.X_OK)
        subprocess.run(["sh", "-n", script], check=True)


def test_the_build_context_has_all_that_the_wheel_needs() -> None:
    allowed = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    assert all((ROOT / name).exists() for name in allowed)
    packages = re.search(r"wheel\.packages = \{(.*?)\}", (ROOT / "pyproject.toml").read_text("utf-8"))
    assert packages is not None
    for name in re.findall(r'= "(.*?)"', packages[1]):
        assert any(name.startswith(one) for one in allowed), name


def test_the_page_of_the_compose_file_takes_these_arguments() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sudokulab", *page_arguments(), "--token", "short"], capture_output=True, text=True
    )
    assert "--token: " in done.stderr  # the other arguments are accepted


@pytest.mark.thorough
def test_the_image_works(tmp_path: Path) -> None:
    if has_docker():
        call("docker", "build", "--tag", IMAGE, ROOT)
        call("docker", "run", "--rm", "--entrypoint", "check.sh", IMAGE, "/opt/sudokulab")
        identity = ["docker", "run", "--rm", "--entrypoint", "id", IMAGE, "-u"]
        assert subprocess.run(identity, capture_output=True, text=True, check=True).stdout == "1000\n"
        check_composed_services(tmp_path)
        return
    scripts, target = ROOT / "docker", tmp_path / "installed"
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    call(scripts / "build-wheel.sh", copied(tmp_path / "source"), tmp_path / "wheels", env=environment)
    call(scripts / "install.sh", tmp_path / "wheels", target, env=environment)
    call(scripts / "check.sh", target, cwd=tmp_path)
    check_services(target, tmp_path)


def check_composed_services(folder: Path) -> None:
    """Do as docs/how-to/clusters.md says, in a folder of its own, with the image that has been built."""
    compose = ["docker", "compose", "--file", str(ROOT / "compose.yaml"), "--project-directory", str(folder)]
    variables = {"SUDOKULAB_TOKEN": TOKEN, "USER_ID": str(os.getuid()), "GROUP_ID": str(os.getgid())}
    environment = {**os.environ, **variables, "STORES": ""}
    (folder / "e.toml").write_text(EXPERIMENT)
    call(*compose, "config", "--quiet", env=environment)
    try:
        call(*compose, "up", "--no-build", "--detach", "scheduler", "worker", env=environment)
        call(*compose, "run", "--rm", "--no-deps", "page", "run", "e.toml", "--dask", SCHEDULER, env=environment)
        check_runs(folder)
        call(*compose, "up", "--no-build", "--detach", "page", env={**environment, "STORES": "e.sqlite"})
        wait_until(lambda: is_served("http://127.0.0.1:8417/api/lab/stores"))
    finally:
        call(*compose, "down", env=environment)


def check_services(target: Path, folder: Path) -> None:
    """Run an experiment on the cluster of the compose file, and show it on its page, without docker."""
    (folder / "e.toml").write_text(EXPERIMENT)
    ports = {name: free_port() for name in ("8786", "8417")}
    with ExitStack() as stack:
        for service in ("scheduler", "worker"):
            stack.enter_context(running(command_of(service, target, ports), folder))
        wait_until(lambda: accepts(int(ports["8786"])))
        call(target / "bin" / "sudokulab", "run", "e.toml", "--dask", f"tcp://127.0.0.1:{ports['8786']}", cwd=folder)
        check_runs(folder)
        stack.enter_context(running([*command_of("page", target, ports), "e.sqlite"], folder))
        wait_until(lambda: is_served(f"http://127.0.0.1:{ports['8417']}/api/lab/stores"))


def check_runs(folder: Path) -> None:
    with Store(folder / "e.sqlite", is_readonly=True) as store:
        assert store.runs()["is_success"].to_list() == [True] * 4


def accepts(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def is_served(address: str) -> bool:
    try:
        return httpx.get(address, headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
    except httpx.TransportError:
        return False

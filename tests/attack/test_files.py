"""Folders survive a kill at every step of their replacement."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

from sudokulab._internal import files, system
from sudokulab._internal.files import whole_folder
from sudokulab.errors import SudokulabError
from tests.cases import for_each
from tests.timing import PATIENCE_SECONDS

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills need POSIX")

KILLED = 9
PROGRAM = """
import os, sys
from pathlib import Path
from sudokulab._internal.files import whole_folder

path, number = Path(sys.argv[1]), int(sys.argv[2])

def stopping(call):
    def stop_or_call(*args, **kwargs):
        global number
        number -= 1
        if number < 0:
            os._exit(9)
        return call(*args, **kwargs)
    return stop_or_call

for name in ("mkdir", "rename", "replace", "unlink", "rmdir"):
    setattr(os, name, stopping(getattr(os, name)))
with whole_folder(path) as part:
    for name in "ab":
        (part / name).write_text("new")
"""


def killed_before_call(number: int, path: Path) -> bool:
    """Replace a folder in another process, killed right before a system call; return whether it was."""
    command = [sys.executable, "-c", PROGRAM, str(path), str(number)]
    code = subprocess.run(command, timeout=PATIENCE_SECONDS, check=False).returncode
    assert code in (0, KILLED)
    return code == KILLED


def content(path: Path) -> str:
    """Return what both files of a folder contain; fails if one is missing or differs."""
    texts = {file.name: file.read_text() for file in path.iterdir()}
    assert texts.keys() == {"a", "b"}
    (text,) = set(texts.values())
    return text


def fill(path: Path, text: str) -> None:
    path.mkdir()
    for name in "ab":
        (path / name).write_text(text)


def replace(path: Path, text: str) -> None:
    with whole_folder(path) as part:
        for name in "ab":
            (part / name).write_text(text)


def recover(path: Path) -> None:
    """Let a writer that fails at once find what a killed process has left."""
    with suppress(RuntimeError), whole_folder(path):
        raise RuntimeError("fails")


@pytest.mark.slow
def test_a_folder_survives_a_kill_at_every_step(tmp_path: Path) -> None:
    for number in count():
        path = tmp_path / str(number) / "export"
        path.parent.mkdir()
        fill(path, "old")
        was_killed = killed_before_call(number, path)
        is_found = path.exists() and content(path) in ("old", "new")
        recover(path)
        assert content(path) in ("old", "new")
        assert is_found or content(path) == "old"
        replace(path, "newest")
        assert content(path) == "newest"
        assert os.listdir(path.parent) == ["export"]
        if not was_killed:
            assert is_found
            break
    assert number > 6


def test_a_failed_rename_keeps_the_old_folder(tmp_path: Path) -> None:
    path = tmp_path / "export"
    fill(path, "old")
    with pytest.raises(OSError, match="No such file"), whole_folder(path) as part:
        part.rename(tmp_path / "elsewhere")
    assert content(path) == "old"
    assert sorted(os.listdir(tmp_path)) == ["elsewhere", "export"]


def test_an_error_after_the_replacement_keeps_the_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "export"
    fill(path, "old")

    def interrupt_the_cleanup(*_: object, **__: object) -> None:
        if content(path) == "new":
            raise KeyboardInterrupt

    monkeypatch.setattr(shutil, "rmtree", interrupt_the_cleanup)
    with pytest.raises(KeyboardInterrupt):
        replace(path, "new")
    monkeypatch.undo()
    assert content(path) == "new"
    recover(path)
    assert os.listdir(tmp_path) == ["export"]


def test_a_folder_is_not_recovered_from_one_with_a_longer_name(tmp_path: Path) -> None:
    for name in ("export.old", "e" * 250 + "x"):
        path = tmp_path / name
        fill(path, "old")
        path.rename(files._beside(path, files._OLD))
    for other in ("export", "e" * 250 + "y"):
        recover(tmp_path / other)
        assert not (tmp_path / other).exists()
    recover(tmp_path / ("e" * 250 + "x"))
    recover(tmp_path / "export.old")
    assert content(tmp_path / "export.old") == content(tmp_path / ("e" * 250 + "x")) == "old"


def test_a_folder_has_one_writer_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "export"
    fill(path, "old")
    with whole_folder(path) as part:
        with pytest.raises(SudokulabError, match="another process is writing"):
            replace(path, "other")
        for name in "ab":
            (part / name).write_text("new")
    assert content(path) == "new"
    assert os.listdir(tmp_path) == ["export"]


@for_each("moment", range(2))
def test_a_second_writer_during_the_replacement_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    path = tmp_path / "export"
    fill(path, "old")
    renames = count()

    def rename_and_intrude(source: Path, target: Path, rename: Callable[..., Path] = Path.rename) -> Path:
        if next(renames) == moment:
            with pytest.raises(SudokulabError, match="another process is writing"):
                replace(path, "other")
        return rename(source, target)

    monkeypatch.setattr(Path, "rename", rename_and_intrude)
    replace(path, "new")
    assert next(renames) > moment
    assert content(path) == "new"
    assert os.listdir(tmp_path) == ["export"]


def test_the_cleanup_of_a_writer_spares_the_next_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "export"
    first, second = whole_folder(path), whole_folder(path)
    refused: list[Path] = []

    def remove_after_the_next_has_begun(folder: Path, remove: Callable[..., None] = shutil.rmtree, **_: object) -> None:
        if path.exists() and not refused:
            with pytest.raises(SudokulabError, match="another process is writing"):
                second.__enter__()
            refused.append(folder)
        remove(folder, ignore_errors=True)

    part = first.__enter__()
    (part / "a").touch()
    monkeypatch.setattr(shutil, "rmtree", remove_after_the_next_has_begun)
    first.__exit__(None, None, None)
    assert refused
    assert os.listdir(tmp_path) == ["export"]


def test_a_writer_that_waited_for_a_removed_lock_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "export"

    def lock_too_late(descriptor: int, *, wait: bool, lock: Callable[..., None] = system.lock) -> None:
        files._beside(path, files._LOCK).unlink()
        lock(descriptor, wait=wait)

    monkeypatch.setattr(files, "lock", lock_too_late)
    with pytest.raises(SudokulabError, match="another process is writing"):
        replace(path, "new")
    assert not path.exists()

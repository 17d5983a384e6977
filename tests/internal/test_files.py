from __future__ import annotations

import os
from pathlib import Path

import pytest

from sudokulab._internal.files import whole_file


def test_a_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    with whole_file(path) as stream:
        stream.write("all")
        assert not path.exists()
    assert path.read_text() == "all"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_everything_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("before")

    def fail() -> None:
        with whole_file(path) as stream:
            stream.write("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_others_may_read_it_as_they_may_read_any_file(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    with whole_file(tmp_path / "out.txt"):
        pass
    assert (tmp_path / "out.txt").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("before")
    link.symlink_to(target)
    with whole_file(link) as stream:
        stream.write("after")
    assert link.is_symlink()
    assert target.read_text() == "after"


def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with whole_file(pipe) as stream:
        stream.write("through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    assert pipe.is_fifo()


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no such folder"), whole_file(tmp_path / "missing" / "out.txt"):
        pass

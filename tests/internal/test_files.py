from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from sudokulab._internal.files import locked, whole_bytes, whole_file, whole_folder
from sudokulab._internal.system import lock
from tests.cases import for_each
from tests.timing import PATIENCE_SECONDS


def test_a_file_appears_only_once_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    with whole_file(path) as stream:
        stream.write("all")
        assert not path.exists()
    assert path.read_text() == "all"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_the_old_file_unchanged(tmp_path: Path) -> None:
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


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
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


def test_a_pipe_is_written_in_place(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with whole_file(pipe) as stream:
        stream.write("through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    assert pipe.is_fifo()


def test_a_full_disk_names_the_file(tmp_path: Path) -> None:
    target = tmp_path / "solved.txt"
    with pytest.raises(OSError, match="No space") as caught, whole_file(target):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert caught.value.filename == str(target)


def test_a_folder_that_cannot_be_made_is_named_without_its_temporary_name(tmp_path: Path) -> None:
    target = tmp_path / "sets"
    with pytest.raises(OSError, match="Read-only") as caught, whole_folder(target) as part:
        raise OSError(errno.EROFS, "Read-only file system", str(part))
    assert caught.value.filename == str(target)


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no such folder"), whole_file(tmp_path / "missing" / "out.txt"):
        pass


def test_a_binary_file_appears_only_once_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "out.bin"
    path.write_bytes(b"before")
    with whole_bytes(path) as stream:
        stream.write(b"\xff\x00")
        stream.flush()
        assert path.read_bytes() == b"before"
    assert path.read_bytes() == b"\xff\x00"
    assert list(tmp_path.iterdir()) == [path]


@for_each("mode", [0o600, 0o640, 0o755])
def test_a_replaced_file_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "out.txt"
    path.touch()
    path.chmod(mode)
    with whole_file(path) as stream:
        stream.write("after")
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert path.read_text() == "after"


def test_a_new_file_follows_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        with whole_file(tmp_path / "out.txt"):
            pass
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "out.txt").stat().st_mode) == 0o640


WRITER = """
import sys, time
from sudokulab._internal.files import whole_file
with whole_file(sys.argv[1]) as stream:
    stream.write("half" * 10_000)
    stream.flush()
    print("written", flush=True)
    time.sleep(60)
"""


def test_a_killed_writer_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("before")
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout
        assert writer.stdout.readline() == "written\n"
        writer.kill()
    assert path.read_text() == "before"


def test_concurrent_writers_of_one_file_do_not_interfere(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    with whole_file(path) as first:
        with whole_file(path) as second:
            second.write("second")
        assert path.read_text() == "second"
        first.write("first")
    assert path.read_text() == "first"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
@pytest.mark.parametrize("mode", ["r+", "a"])
def test_standard_output_is_written_in_place_even_if_it_is_a_file(tmp_path: Path, name: str, mode: str) -> None:
    path = tmp_path / "log.txt"
    path.write_text("before\n")
    code = f"from sudokulab._internal.files import whole_file\nwith whole_file({name!r}) as s: s.write('during\\n')"
    with path.open(mode) as log:
        log.seek(0, os.SEEK_END)
        subprocess.run([sys.executable, "-c", code], stdout=log, check=True)
        os.write(log.fileno(), b"after\n")
    assert path.read_text() == "before\nduring\nafter\n"


def test_lone_surrogates_become_question_marks(tmp_path: Path) -> None:
    with whole_file(tmp_path / "out.txt") as stream:
        stream.write("a\ud800b")
    assert (tmp_path / "out.txt").read_text() == "a?b"


def test_a_file_name_may_be_as_long_as_the_system_allows(tmp_path: Path) -> None:
    path = tmp_path / ("é" * 127)
    with whole_file(path):
        pass
    assert list(tmp_path.iterdir()) == [path]


def test_a_lock_has_one_holder_at_a_time(tmp_path: Path) -> None:
    path, entered = tmp_path / "lock", threading.Event()

    def enter() -> None:
        with locked(path):
            entered.set()

    with locked(path):
        other = threading.Thread(target=enter)
        other.start()
        with path.open("rb") as same, pytest.raises(BlockingIOError):
            lock(same.fileno(), wait=False)
        assert not entered.is_set()
    assert entered.wait(PATIENCE_SECONDS)
    other.join()

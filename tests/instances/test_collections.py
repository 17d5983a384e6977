"""Bundled collections match their descriptions; folders and downloads are found by name."""

from __future__ import annotations

import contextlib
import hashlib
import http.server
import os
import socket
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from sudokulab import SudokulabError, is_unique, logic, read
from sudokulab.instances import collections as all_collections
from sudokulab.instances import find
from sudokulab.instances.collections import Download, add_folder, download, remove_folder
from tests.cases import for_each
from tests.puzzles import EASY, SEVENTEEN

DATA = Path(__file__).parents[2] / "src" / "sudokulab" / "instances" / "data"
SETS = tomllib.loads((DATA / "sets.toml").read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("SUDOKULAB_DATA", raising=False)


def test_all_bundled_sets_are_present_and_valid() -> None:
    assert {collection.name for collection in all_collections()} == set(SETS)
    assert {file.stem for file in DATA.glob("*.txt")} == set(SETS)
    for collection in all_collections():
        assert collection.title
        if collection.name.startswith(("16", "25", "36")):
            size, fraction = collection.name.split("-")
            for puzzle in collection:
                assert f"{puzzle.size}x{puzzle.size}" == size
                assert puzzle.num_givens == round(float(fraction) * puzzle.size**2)
        else:
            assert all(is_unique(puzzle) for puzzle in collection)


@for_each("name", ["easy", "medium", "hard", "very-hard", "hardest"])
def test_level_sets_contain_puzzles_of_their_level(name: str) -> None:
    level = "beyond" if name == "hardest" else name
    collection = find(name)
    assert collection
    assert collection.count() == 100
    assert {rating.level.value for rating in logic.rate_many(collection) if rating.level} == {level}


CLASSES = ((0, 23), (24, 30), (31, 36), (37, 81))  # of Figure 6 in Jones et al.


def test_the_jones_set_has_the_composition_of_the_paper() -> None:
    collection = find("jones-100")
    assert collection
    puzzles = list(collection)
    givens = [puzzle.num_givens for puzzle in puzzles]
    assert [sum(givens[start : start + 25]) / 25 for start in (0, 25, 50, 75)] == [31.12, 25.84, 23.44, 20.32]
    assert [sum(low <= number <= high for number in givens) for low, high in CLASSES] == [30, 44, 23, 3]
    levels = [rating.level.value for rating in logic.rate_many(puzzles) if rating.level]
    assert levels == [level for level in ("easy", "medium", "hard", "beyond") for _ in range(25)]
    assert len({puzzle.line for puzzle in puzzles}) == 100
    assert puzzles[-1].name == "AI Escargot"


@pytest.mark.slow
@for_each("name", ["easy", "16x16-0.45", "36x36-0.500"])
def test_bundled_sets_can_be_regenerated(name: str, tmp_path: Path) -> None:
    tool = Path(__file__).parents[2] / "tools" / "make_instances.py"
    code = (
        f"import runpy, sys; t = runpy.run_path({str(tool)!r}); print(t['contents'](t['sets_of']()[{name!r}]), end='')"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert made == (DATA / f"{name}.txt").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    (folder / "many").mkdir(parents=True)
    (folder / "two.txt").write_text(f"{EASY.line}\n{SEVENTEEN.line}\n", encoding="utf-8")
    for number in range(3):
        (folder / "many" / f"{number}.txt").write_text(f"{EASY.line}\n", encoding="utf-8")
    (folder / "notes.md").write_text("nothing", encoding="utf-8")
    return folder


def test_collections_of_an_added_folder_are_found_by_name(folder: Path) -> None:
    assert find("two") is None
    assert [collection.name for collection in add_folder(folder)] == ["two", "many"]
    two, many, one = find("two"), find("many"), find("many/1")
    assert two
    assert many
    assert one
    assert list(two) == [EASY, SEVENTEEN]
    assert (many.count(), one.count()) == (3, 1)
    assert two.sha256 == hashlib.sha256((folder / "two.txt").read_bytes()).hexdigest()
    assert find("../two") is None


def test_a_folder_can_be_set_in_the_environment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUDOKULAB_DATA", str(folder))
    assert "two" in {collection.name for collection in all_collections()}


def test_a_missing_folder_is_skipped_and_can_be_removed(folder: Path) -> None:
    add_folder(folder)
    folder.rename(folder.with_name("elsewhere"))
    assert find("two") is None
    assert {collection.name for collection in all_collections()} == set(SETS)
    remove_folder(folder)
    folder.with_name("elsewhere").rename(folder)
    assert find("two") is None
    with pytest.raises(SudokulabError, match="not in the list"):
        remove_folder(folder)


def test_files_that_differ_only_in_extension_keep_their_full_names(folder: Path) -> None:
    (folder / "two.sdm").write_text(f"{EASY.line}\n", encoding="utf-8")
    (folder / "LOUD.SDM").write_text(f"{EASY.line}\n", encoding="utf-8")
    assert [collection.name for collection in add_folder(folder)] == ["LOUD", "two.sdm", "two.txt", "many"]
    sdm = find("two.sdm")
    assert sdm
    assert sdm.count() == 1


def test_pipes_devices_and_locked_folders_are_not_collections(folder: Path) -> None:
    os.mkfifo(folder / "pipe.txt")
    os.mkfifo(folder / "many" / "pipe.txt")
    (folder / "many" / "zeros.txt").symlink_to("/dev/zero")
    (folder / "many" / "loop.txt").symlink_to("loop.txt")
    (folder / "locked").mkdir(mode=0)
    assert [(found.name, found.count()) for found in add_folder(folder)] == [("two", 2), ("many", 3)]


def test_folders_added_concurrently_are_all_kept(tmp_path: Path) -> None:
    added = [tmp_path / f"folder{number}" for number in range(4)]
    for path in added:
        path.mkdir()
        (path / f"{path.name}.txt").write_text(f"{EASY.line}\n", encoding="utf-8")
    code = (
        "import sys; from pathlib import Path; from sudokulab.instances.collections import add_folder, remove_folder\n"
        "for _ in range(30): add_folder(Path(sys.argv[1])); remove_folder(Path(sys.argv[1]))\n"
        "add_folder(Path(sys.argv[1]))"
    )
    processes = [subprocess.Popen([sys.executable, "-c", code, str(path)]) for path in added]
    assert [process.wait() for process in processes] == [0] * len(added)
    assert all(find(path.name) for path in added)


@pytest.mark.parametrize("broken", ["", "{", "5", "[5]", "\udcff", "[" * 100_000])
def test_a_corrupt_list_of_folders_only_affects_looking_up_added_collections(
    folder: Path, tmp_path: Path, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    listing = tmp_path / "home" / "sudokulab" / "folders.json"
    listing.parent.mkdir(parents=True)
    listing.write_bytes(broken.encode("utf-8", errors="surrogateescape"))
    monkeypatch.setenv("SUDOKULAB_DATA", str(folder))
    assert find("easy")
    assert find(EASY.line) is None
    with pytest.warns(UserWarning, match=r"folders\.json: .*repair or remove it"):
        assert find("two")
    with pytest.raises(SudokulabError, match=r"folders\.json: .*repair or remove it"):
        add_folder(folder)
    assert listing.read_bytes() == broken.encode("utf-8", errors="surrogateescape"), (
        "a corrupt list must not be overwritten"
    )


def test_folders_without_puzzles_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(SudokulabError, match="no such folder"):
        add_folder(tmp_path / "nowhere")
    with pytest.raises(SudokulabError, match="no puzzle files found"):
        add_folder(tmp_path)


@pytest.fixture
def server(folder: Path) -> Iterator[str]:
    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args: object) -> None:
            super().__init__(*args, directory=str(folder))  # type: ignore[arg-type]

        def do_GET(self) -> None:
            if self.path != "/endless.txt":
                return super().do_GET()
            self.send_response(200)
            self.end_headers()
            with contextlib.suppress(OSError):
                while True:
                    self.wfile.write(b".")
                    time.sleep(0.001)

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        thread = threading.Thread(target=httpd.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{httpd.server_address[1]}"
        httpd.shutdown()
        thread.join()


def test_a_download_is_verified_and_found_by_name(server: str, folder: Path) -> None:
    right = hashlib.sha256((folder / "two.txt").read_bytes()).hexdigest()
    known = {"pair": Download(f"{server}/two.txt", right, "two puzzles")}
    assert list(download("pair", known)) == [EASY, SEVENTEEN]
    found = find("pair")
    assert found
    assert list(found) == [EASY, SEVENTEEN]


def test_a_wrong_or_failed_download_leaves_no_files(server: str, tmp_path: Path) -> None:
    wrong = {"pair": Download(f"{server}/two.txt", "0" * 64, "two puzzles")}
    with pytest.raises(SudokulabError, match="the file has changed since it was registered"):
        download("pair", wrong)
    missing = {"pair": Download(f"{server}/three.txt", "0" * 64, "")}
    with pytest.raises(SudokulabError, match="could not be downloaded"):
        download("pair", missing)
    assert find("pair") is None
    assert not [file for file in (tmp_path / "home").rglob("*") if file.is_file()]


@pytest.mark.parametrize(
    ("limit", "value", "complaint"),
    [
        ("_MAX_DOWNLOAD_BYTES", 100, "more than 100 bytes"),
        ("_MAX_DOWNLOAD_SECONDS", 0.2, "incomplete after 0.2 seconds"),
    ],
)
def test_an_endless_download_is_stopped(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, value: float, complaint: str
) -> None:
    monkeypatch.setattr(sys.modules[download.__module__], limit, value)
    with pytest.raises(SudokulabError, match=complaint):
        download("slow", {"slow": Download(f"{server}/endless.txt", "0" * 64, "")})
    assert not [file for file in (tmp_path / "home").rglob("*") if file.is_file()]


def test_an_unresponsive_server_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[download.__module__], "_MAX_SILENCE_SECONDS", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        known = {"pair": Download(f"http://127.0.0.1:{silent.getsockname()[1]}/two.txt", "0" * 64, "")}
        with pytest.raises(SudokulabError, match="could not be downloaded"):
            download("pair", known)


def test_the_offline_error_says_what_to_do() -> None:
    known = {"pair": Download("http://127.0.0.1:9/two.txt", "0" * 64, "")}
    with pytest.raises(SudokulabError, match=r"is this machine online\? .*instances add FOLDER"):
        download("pair", known)


def test_only_known_collections_are_downloaded() -> None:
    with pytest.raises(SudokulabError, match="unknown public collection 'x' \\(known: royle-17"):
        download("x")


def test_collection_files_are_read_like_any_other() -> None:
    assert len(list(read(DATA / "famous.txt"))) == 7

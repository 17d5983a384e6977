"""Compressed files, archives, encodings, and files that are not text."""

from __future__ import annotations

import contextlib
import gzip
import io
import random
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from backports import zstd

from sudokulab import SudokulabError, read, write
from sudokulab.errors import MissingExtraError
from sudokulab.formats import FORMATS, is_puzzle_file
from sudokulab.formats.compression import SUFFIXES
from sudokulab.instances.collections import find
from tests.cases import for_each
from tests.puzzles import EASY, INKALA
from tests.timing import PATIENCE_SECONDS

TEXT = f"{EASY.line}\n{INKALA.line}\n".encode()
MEGABYTE = 1 << 20


def zipped(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return stream.getvalue()


PACKED = {".gz": gzip.compress(TEXT), ".zip": zipped({"inner.txt": TEXT}), ".zst": zstd.compress(TEXT)}


@for_each("suffix", SUFFIXES)
@for_each("format", FORMATS)
def test_every_format_is_written_and_read_compressed(tmp_path: Path, format: str, suffix: str) -> None:
    for extension in FORMATS[format].extensions:
        path = tmp_path / f"puzzles{extension}{suffix}"
        write([EASY, INKALA], path)
        reader = read(path)
        assert list(reader) == [EASY, INKALA]
        assert reader.format.name == (format if extension != ".txt" else "line")
        assert path.read_bytes()[:2] in (b"\x1f\x8b", b"PK", b"\x28\xb5")


@for_each("suffix", SUFFIXES)
def test_compression_is_recognised_by_content(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / "puzzles"
    path.write_bytes(PACKED[suffix])
    assert list(read(path)) == [EASY, INKALA]
    assert list(read(io.BytesIO(PACKED[suffix]))) == [EASY, INKALA]


@for_each("suffix", SUFFIXES)
def test_the_same_puzzles_give_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    paths = [tmp_path / f"{name}.csv{suffix}" for name in ("one", "two")]
    for path in paths:
        write([EASY], path)
    assert paths[0].read_bytes().replace(b"one", b"two") == paths[1].read_bytes()


@for_each("suffix", SUFFIXES)
def test_a_failed_write_leaves_the_compressed_file_as_it_was(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"keep.txt{suffix}"
    path.write_bytes(b"precious")

    def failing() -> object:
        yield EASY
        raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        write(failing(), path)  # type: ignore[arg-type]
    assert path.read_bytes() == b"precious"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.slow
@for_each("suffix", SUFFIXES)
def test_a_truncated_file_is_an_error_after_the_puzzles_before_it(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"many.txt{suffix}"
    write([EASY, INKALA] * 50_000, path)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    found = []
    with pytest.raises(SudokulabError, match=rf"many\.txt\{suffix}: damaged or incomplete"):
        found += list(read(path))
    for cut in (5, len(data) - 3):
        path.write_bytes(data[:cut])
        with pytest.raises(SudokulabError, match=rf"many\.txt\{suffix}: damaged or incomplete"):
            list(read(path))


@for_each("suffix", SUFFIXES)
def test_damaged_files_raise_only_our_errors(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"p.txt{suffix}"
    rng = random.Random(1)
    for _ in range(300):
        data = bytearray(PACKED[suffix])
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        path.write_bytes(data)
        with contextlib.suppress(SudokulabError):
            list(read(path, keep_going=True))


def test_all_puzzle_files_of_an_archive_are_read_in_order(tmp_path: Path) -> None:
    path = tmp_path / "all.zip"
    files = {
        "a.csv": f"puzzle\n{EASY.line}\n".encode(),
        "__MACOSX/._a.csv": b"rubbish",
        "notes.md": b"rubbish",
        "sub/b.jsonl": f'{{"puzzle": "{INKALA.line}"}}'.encode(),
        "c.txt": TEXT,
    }
    path.write_bytes(zipped(files))
    assert list(read(path)) == [EASY, INKALA, EASY, INKALA]
    path.write_bytes(zipped({"a.txt": TEXT, "b.txt": b"rubbish\n"}))
    with pytest.raises(SudokulabError, match=r"all\.zip/b\.txt:1:1: "):
        list(read(path))


def test_archives_without_readable_puzzles_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    for data, complaint in [
        (zipped({}), "contains no puzzles"),
        (zipped({"a.md": b"", "b.md": b""}), "contains no puzzles"),
        (zipped({"a.txt.gz": gzip.compress(TEXT)}), r"x\.zip/a\.txt\.gz: a gzip file inside a zip file; extract it"),
        (gzip.compress(gzip.compress(TEXT)), "a gzip file inside a gzip file"),
    ]:
        path.write_bytes(data)
        with pytest.raises(SudokulabError, match=complaint):
            list(read(path))


def test_zst_files_without_the_library_name_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "p.txt.zst"
    path.write_bytes(PACKED[".zst"])
    monkeypatch.setitem(sys.modules, "backports.zstd", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'sudokulab\[zstd\]'"):
        read(path)
    with pytest.raises(MissingExtraError, match=r"pip install 'sudokulab\[zstd\]'"):
        write([EASY], tmp_path / "new.txt.zst")
    assert [file.name for file in tmp_path.iterdir()] == ["p.txt.zst"]


@pytest.mark.slow
@for_each("suffix", SUFFIXES)
def test_the_command_line_takes_compressed_files_and_pipes(tmp_path: Path, suffix: str) -> None:
    source, target = tmp_path / f"p.txt{suffix}", tmp_path / f"s.csv{suffix}"
    source.write_bytes(PACKED[suffix])
    command = [sys.executable, "-m", "sudokulab", "solve"]
    subprocess.run([*command, source, "-o", target], check=True, timeout=PATIENCE_SECONDS)
    solved = list(read(target))
    assert solved == [EASY, INKALA]
    assert all(puzzle.solution for puzzle in solved)
    piped = subprocess.run(command, input=PACKED[suffix], capture_output=True, check=True, timeout=PATIENCE_SECONDS)
    assert piped.stdout.decode().split() == [puzzle.solution.line for puzzle in solved if puzzle.solution]


def test_puzzle_files_are_known_by_extension() -> None:
    assert all(map(is_puzzle_file, ["a.csv", "a.TXT.gz", "a.sdm.zst", "a.zip"]))
    assert not any(map(is_puzzle_file, ["a", "a.md", "a.tar.gz", "a.pdf"]))


@for_each("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "utf-8"])
def test_utf_16_is_decoded(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "p.txt"
    path.write_bytes(f"{EASY.line} Übung\r\n{INKALA.line}\r\n".encode(encoding))
    assert [(puzzle, puzzle.name) for puzzle in read(path)] == [(EASY, "Übung"), (INKALA, "")]


OFFICE = {"[Content_Types].xml": b"<Types/>", "docProps/app.xml": b""}
SHEET = b"application/vnd.oasis.opendocument.spreadsheet"


@for_each(
    ("name", "data", "complaint"),
    [
        ("p.xlsx", zipped({**OFFICE, "xl/workbook.xml": b""}), "p.xlsx is an Excel workbook; export it as CSV"),
        ("p.docx", zipped({**OFFICE, "word/document.xml": b""}), "p.docx is a Word document; copy the puzzle"),
        ("p.ods", zipped({"mimetype": SHEET}), "p.ods is an OpenDocument spreadsheet; export it as CSV"),
        ("p.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100), "p.xls is an Excel workbook or another Office"),
        ("p.pdf", b"%PDF-1.7\n%\xe2\xe3", "p.pdf is a PDF document; copy the puzzle as text"),
        ("p.png", b"\x89PNG\r\n\x1a\n\0\0", "p.png is a PNG image; type the puzzle in"),
        ("p.jpg", b"\xff\xd8\xff\xe0", "p.jpg is a JPEG image"),
        ("p.gif", b"GIF89a", "p.gif is a GIF image"),
        ("p.bmp", b"BM\x01\x02\x03\x04\0\0\0\0", "p.bmp is a BMP image"),
        ("p.webp", b"RIFF\x01\x02\x03\x04WEBP", "p.webp is a WebP image"),
        ("p.db", b"SQLite format 3\0", "p.db is a SQLite database; export it as CSV"),
        ("p.feather", b"FEA1\x15", "p.feather is a Feather file of the first version; write it again"),
        ("p.npy", b"\x93NUMPY\x01", "p.npy is a NumPy file; load it with numpy.load"),
        ("p.7z", b"7z\xbc\xaf\x27\x1c", "p.7z is a 7-Zip archive; extract it"),
        ("p.tar.gz", gzip.compress(bytes(257) + b"ustar"), "p.tar.gz is a tar archive; extract it"),
        ("p.rtf", b"{\\rtf1", "p.rtf is an RTF document"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 10 else "",
)
def test_files_that_are_not_text_are_refused_by_name(tmp_path: Path, name: str, data: bytes, complaint: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(SudokulabError) as caught:
        read(path)
    assert complaint in str(caught.value)


def test_compressed_files_in_a_folder_are_collections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUDOKULAB_DATA", str(tmp_path))
    for suffix in SUFFIXES:
        write([EASY, INKALA], tmp_path / f"mine{suffix[1:]}.csv{suffix}")
        collection = find(f"mine{suffix[1:]}")
        assert collection is not None
        assert list(collection) == [EASY, INKALA]
    write([EASY], tmp_path / "minegz.txt")
    assert find("minegz") is None
    assert find("minegz.csv.gz") is not None

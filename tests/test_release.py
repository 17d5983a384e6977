"""The release script refuses what is not committed, tagged, on main, in the changelog and in the citation."""

from __future__ import annotations

import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "tools" / "release.py"
problems = runpy.run_path(str(SCRIPT))["problems"]


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


def release(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the script of a repository, whose Makefile only writes what it was asked for."""
    return subprocess.run([sys.executable, "tools/release.py", *options], cwd=folder, capture_output=True, text=True)


@pytest.fixture
def released(tmp_path: Path) -> Path:
    """Return a repository that can be released, as a clone of an origin with the same commit."""
    origin = tmp_path / "origin"
    git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=main", str(origin))
    git(tmp_path, "clone", "--quiet", str(origin), "work")
    tmp_path = tmp_path / "work"
    (tmp_path / "src" / "sudokulab").mkdir(parents=True)
    (tmp_path / "src" / "sudokulab" / "__init__.py").write_text('__version__ = "1.2.3"\n')
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.3 (2026-01-31)\n")
    (tmp_path / "CITATION.cff").write_text("version: 1.2.3\ndate-released: 2026-01-31\n")
    (tmp_path / "tools").mkdir()
    shutil.copy(SCRIPT, tmp_path / "tools")
    (tmp_path / ".gitignore").write_text("made\n")
    (tmp_path / "Makefile").write_text("test dist:\n\techo $@ >> made\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "Release")
    git(tmp_path, "push", "--quiet", "origin", "HEAD:main")
    git(tmp_path, "tag", "v1.2.3")
    return tmp_path


def test_a_complete_release_is_accepted(released: Path) -> None:
    assert problems(released) == []


def test_uncommitted_changes_are_refused(released: Path) -> None:
    (released / "new.txt").write_text("new")
    assert problems(released) == ["the working tree has changes that are not committed"]


def test_a_missing_tag_is_refused(released: Path) -> None:
    git(released, "tag", "--delete", "v1.2.3")
    assert problems(released) == ["HEAD has no tag v1.2.3"]


@pytest.mark.parametrize(
    ("file", "text", "complaint"),
    [
        ("CHANGELOG.md", "## 1.2.3 (unreleased)\n", "CHANGELOG.md has no section '## 1.2.3 (YYYY-MM-DD)'"),
        (
            "CITATION.cff",
            "version: 1.2.2\ndate-released: 2026-01-31\n",
            "CITATION.cff has another version than 1.2.3",
        ),
        (
            "CITATION.cff",
            "version: 1.2.3\ndate-released: 2026-01-30\n",
            "CITATION.cff has another date-released than CHANGELOG.md",
        ),
    ],
)
def test_files_of_another_version_are_refused(released: Path, file: str, text: str, complaint: str) -> None:
    (released / file).write_text(text)
    git(released, "commit", "--quiet", "--all", "--message", "Change")
    git(released, "tag", "--force", "v1.2.3")
    assert problems(released) == [complaint]


def test_the_tag_is_pushed_after_the_tests(released: Path) -> None:
    done = release(released, "--push")
    assert done.returncode == 0, done.stderr
    assert (released / "made").read_text().split() == ["test", "dist"]
    assert "refs/tags/v1.2.3" in git(released, "ls-remote", "--tags", "origin")


def test_without_push_nothing_is_pushed(released: Path) -> None:
    assert release(released).returncode == 0
    assert (released / "made").exists()
    assert git(released, "ls-remote", "--tags", "origin") == ""


def test_a_check_runs_no_tests(released: Path) -> None:
    assert release(released, "--check").returncode == 0
    assert not (released / "made").exists()


def test_a_commit_that_is_not_the_head_of_main_is_not_pushed(released: Path) -> None:
    git(released, "commit", "--quiet", "--allow-empty", "--message", "Only here")
    git(released, "tag", "--force", "v1.2.3")
    done = release(released, "--push")
    assert done.returncode == 1
    assert done.stderr == "refused: HEAD is not the head of main on origin; push or pull first\n"
    assert not (released / "made").exists()
    assert problems(released) == []

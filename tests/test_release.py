"""The release script refuses what is not committed, tagged, in the changelog and in the citation."""

from __future__ import annotations

import runpy
import subprocess
from pathlib import Path

import pytest

problems = runpy.run_path(str(Path(__file__).parent.parent / "tools" / "release.py"))["problems"]


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def released(tmp_path: Path) -> Path:
    """Return a repository that can be released."""
    (tmp_path / "src" / "sudokulab").mkdir(parents=True)
    (tmp_path / "src" / "sudokulab" / "__init__.py").write_text('__version__ = "1.2.3"\n')
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.3 (2026-01-31)\n")
    (tmp_path / "CITATION.cff").write_text("version: 1.2.3\n")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "Release")
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
        ("CITATION.cff", "version: 1.2.2\n", "CITATION.cff has another version than 1.2.3"),
    ],
)
def test_files_of_another_version_are_refused(released: Path, file: str, text: str, complaint: str) -> None:
    (released / file).write_text(text)
    git(released, "commit", "--quiet", "--all", "--message", "Change")
    git(released, "tag", "--force", "v1.2.3")
    assert problems(released) == [complaint]

"""Release the tagged version: python tools/release.py [--check | --push].

Refuses unless the tree is clean, HEAD carries the tag of its version, the changelog has a dated section for it, and the
citation has the same version and date. Then runs `make test dist`. With --push, HEAD must also be the head of origin's
main; the script then pushes the tag, which makes the hosted workflow build and publish all wheels.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

__all__ = ["problems", "version_of"]


def version_of(root: Path) -> str:
    """Return the version in the one place that has it."""
    text = (root / "src" / "sudokulab" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    if found is None:
        raise SystemExit("src/sudokulab/__init__.py has no __version__")
    return found[1]


def problems(root: Path, *, is_pushed: bool = False) -> list[str]:
    """Return why this commit cannot be released, or its tag not pushed."""
    version = version_of(root)
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    citation = (root / "CITATION.cff").read_text(encoding="utf-8")
    dated = re.search(rf"^## {re.escape(version)} \((\d{{4}}-\d\d-\d\d)\)$", changelog, re.MULTILINE)
    cited = dict(re.findall(r"^([\w-]+): *(.*)$", citation, re.MULTILINE))
    checks = [
        (not _git(root, "status", "--porcelain"), "the working tree has changes that are not committed"),
        (f"v{version}" in _git(root, "tag", "--points-at", "HEAD").split(), f"HEAD has no tag v{version}"),
        (dated is not None, f"CHANGELOG.md has no section '## {version} (YYYY-MM-DD)'"),
        (cited.get("version") == version, f"CITATION.cff has another version than {version}"),
        (
            dated is None or cited.get("date-released") == dated[1],
            "CITATION.cff has another date-released than CHANGELOG.md",
        ),
        (not is_pushed or _is_head_of_main(root), "HEAD is not the head of main on origin; push or pull first"),
    ]
    return [problem for is_fine, problem in checks if not is_fine]


def _is_head_of_main(root: Path) -> bool:
    head = _git(root, "ls-remote", "origin", "refs/heads/main").partition("\t")[0]
    return head == _git(root, "rev-parse", "HEAD")


def _git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only check whether the commit can be released")
    parser.add_argument(
        "--push", action="store_true", help="push the tag after the tests; HEAD must be the head of origin's main"
    )
    arguments = parser.parse_args()
    root = Path(__file__).parent.parent
    if found := problems(root, is_pushed=arguments.push):
        sys.exit("\n".join(f"refused: {problem}" for problem in found))
    if arguments.check:
        return
    subprocess.run(["make", "test", "dist"], cwd=root, check=True)
    if arguments.push:
        subprocess.run(["git", "push", "origin", f"v{version_of(root)}"], cwd=root, check=True)


if __name__ == "__main__":
    main()

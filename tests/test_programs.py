"""The indexes of tools/ and benchmarks/ list every program, and every benchmark is cited in the documentation."""

from __future__ import annotations

import re
from pathlib import Path

from tests.cases import for_each

ROOT = Path(__file__).parent.parent


def programs(folder: str) -> set[str]:
    return {path.stem for path in (ROOT / folder).glob("*.py") if path.stem != "__init__"}


@for_each("folder", ["tools", "benchmarks"])
def test_the_index_lists_every_program(folder: str) -> None:
    index = (ROOT / folder / "README.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"\b(\w+)\.py\b", index)) | set(re.findall(rf"python -m {folder}\.(\w+)", index))
    assert listed == programs(folder)


def test_every_benchmark_is_cited_in_the_documentation() -> None:
    manual = [ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    pages = "".join(page.read_text(encoding="utf-8") for page in manual)
    cited = set(re.findall(r"python (?:-m )?benchmarks[/.](\w+)", pages))
    assert programs("benchmarks") - cited == set()


def test_thorough_attacks_can_run_for_long() -> None:
    program = (ROOT / "tools" / "attack.py").read_text(encoding="utf-8")
    modules = (ROOT / "tests" / "attack").glob("test_*.py")
    thorough = {path.stem for path in modules if "mark.thorough" in path.read_text(encoding="utf-8")}
    elsewhere = {"test_formats", "test_output", "test_soak"}  # `mutations`, `kills` and `soak` do without them
    missing = {name for name in thorough - elsewhere if f"{name}." not in program}
    assert thorough > elsewhere
    assert missing == set()

"""The commands and files printed in the documentation work, in the order in which they are printed.

A block of the language ``sh`` is executed; a block whose first line is ``# name.ext`` is a file that the reader saves.
Blocks of the language ``console``, which need a server, a cluster, other programs or minutes, are only shown. Examples
with ``>>>`` are doctests of pytest.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from sudokulab import Budget, instances, write
from sudokulab.solvers import SOLVERS, make_solver
from tests.cases import for_each
from tests.puzzles import EASY, INKALA
from tests.timing import PATIENCE_SECONDS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
GUIDES = [
    DOCS / "tutorial" / "first-steps.md",
    DOCS / "reference" / "formats.md",
    *sorted((DOCS / "how-to").glob("*.md")),
]
"""Pages whose commands use only files that the pages make."""
OTHERS = [
    ROOT / "README.md",
    *(DOCS / "reference" / f"{name}.md" for name in ("json", "ratings", "solvers", "traces")),
]
"""Pages whose commands use files that readers have."""
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
BUDGET = re.compile(r"(cpu.seconds(?: = | ))1\b")


def has_commands(page: Path) -> bool:
    return any(language == "sh" for language, _ in BLOCK.findall(page.read_text(encoding="utf-8")))


def run_page(page: Path, folder: Path) -> None:
    """Run the commands of a page, with a tenth of the CPU time in its comparisons and experiments."""
    commands = BUDGET.sub(r"\g<1>0.1", page.read_text(encoding="utf-8"))
    for language, text in BLOCK.findall(commands):
        first, _, rest = text.partition("\n")
        if name := re.fullmatch(r"# (\S+\.\w+)", first):
            (folder / name[1]).write_text(rest, encoding="utf-8")
        elif language == "sh":
            run_text(text, folder)


def run_text(text: str, folder: Path) -> None:
    """Run commands with the tools of this environment."""
    done = subprocess.run(
        ["bash", "-e", "-c", text],
        cwd=folder,
        env=os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
    )
    assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("page", [*filter(has_commands, GUIDES)], ids=lambda page: page.stem)
def test_the_commands_of_a_guide_work_in_order(page: Path, tmp_path: Path) -> None:
    run_page(page, tmp_path)


@pytest.mark.parametrize("page", [*filter(has_commands, OTHERS)], ids=lambda page: page.stem)
def test_the_commands_of_a_page_work_on_files_of_the_reader(page: Path, tmp_path: Path) -> None:
    for name in ("puzzles.txt", "puzzles.csv.gz", "puzzles.sdm"):
        write([EASY, INKALA], tmp_path / name)
    for name in ("puzzle.txt", "my-puzzle.sdk"):
        write(EASY, tmp_path / name)
    run_page(page, tmp_path)


LIMITS = {
    "make": f"--dry-run --directory={ROOT}",
    "sudokulab compare": "--limit 1 --runs 1 --cpu-seconds 0.05",
    "sudokulab run": "--workers 1",
}
"""The options that make the commands of README's `console` blocks short."""
NOT_RUN = ("python3 -m venv", "pip install", "sudokulab serve", "sudokulab reproduce")
"""Commands that install, run until Ctrl-C, or take minutes with any limits."""


def test_the_long_commands_of_the_readme_work_with_small_limits(tmp_path: Path) -> None:
    (tmp_path / "examples").mkdir()
    experiment = (ROOT / "examples" / "ants.toml").read_text(encoding="utf-8")
    small = re.sub(r"(?m)^(runs|count|limit|cpu_seconds) = .*$", lambda match: f"{match[1]} = 1", experiment)
    (tmp_path / "examples" / "ants.toml").write_text(small.replace("cpu_seconds = 1", "cpu_seconds = 0.05"))
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = [block for language, block in BLOCK.findall(text) if language == "console"]
    lines = [line for block in blocks for line in re.findall(r"(?m)^\$ (.*?)(?: +#.*)?$", block)]
    commands = [line for line in lines if not line.startswith(NOT_RUN)]
    assert len(commands) >= 4
    for command in commands:
        (limits,) = [options for name, options in LIMITS.items() if command.startswith(f"{name} ")]
        run_text(f"{command} {limits}", tmp_path)


def test_the_files_in_the_commands_of_the_readme_exist() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = "".join(text for language, text in BLOCK.findall(readme) if language in ("sh", "console"))
    outputs = re.compile(r"(?:-o|--output|--report|--plot) \S+")
    named = set(re.findall(r"[\w/-]+\.(?:toml|txt|csv|sdk|jsonl)\b", outputs.sub("", re.sub("#.*", "", commands))))
    assert named == {"examples/ants.toml"}
    assert all((ROOT / name).is_file() for name in named)


def test_the_first_commands_take_equally_long_on_every_page() -> None:
    pages = [ROOT / "README.md", DOCS / "index.md", DOCS / "tutorial" / "first-steps.md"]
    for target in ("demo", "test"):
        pattern = re.compile(rf"^\$ make {target} +# .*: (.*) on two cores$", re.MULTILINE)
        found = [pattern.findall(page.read_text(encoding="utf-8")) for page in pages]
        assert all(len(one) == 1 for one in found), found
        assert found[0] == found[1] == found[2]


@for_each("page", [*ROOT.glob("*.md"), *ROOT.glob("[bt]*/README.md")], ids=str)
def test_the_links_of_a_page_outside_the_manual_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\[[^]]*\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", text)
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_every_source_file_named_in_the_manual_exists() -> None:
    folders = [ROOT, ROOT / "src" / "sudokulab", ROOT / "cpp", ROOT / "cpp" / "solvers"]
    pages = [page for page in DOCS.rglob("*.md") if page.parent.name != "papers"]
    for page in [*pages, *ROOT.glob("*.md"), ROOT / "cpp" / "README.md"]:
        text = page.read_text(encoding="utf-8")
        for name in re.findall(r"`([\w-]+/[\w./-]+\.(?:py|h|cpp|cu|toml|jsonl))`", text):
            assert any((folder / name).exists() for folder in folders), f"{page.name} names {name}"


def test_everything_in_the_reference_is_an_attribute_of_the_package() -> None:
    page = (DOCS / "reference" / "python.md").read_text(encoding="utf-8")
    names = []
    for directive, name in re.findall(r"^\.\. (currentmodule|automodule|auto\w+|data):: (\S+)$", page, re.MULTILINE):
        if directive == "currentmodule":
            module = name
        else:
            names.append(name if name.startswith("sudokulab") else f"{module}.{name}")
    assert len(names) > 40
    lines = ["import sudokulab", *dict.fromkeys(names)]
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_public_name_is_in_the_reference() -> None:
    page = (DOCS / "reference" / "python.md").read_text(encoding="utf-8")
    documented = set()
    for block in re.findall(r"^\.\. (auto\w+:: .*?)(?=^\.\. |^```)", page, re.MULTILINE | re.DOTALL):
        directive, name = block.splitlines()[0].split(":: ")
        documented.add(name.rpartition(".")[2])
        if directive == "automodule":
            excluded = re.search(r":exclude-members: (.*)", block)
            documented |= set(import_module(name).__all__) - set(excluded[1].split(", ") if excluded else ())
    stub = (ROOT / "src" / "sudokulab" / "__init__.pyi").read_text(encoding="utf-8")
    names = set(re.findall(r"^from \S+ import \w+ as (\w+)$", stub, re.MULTILINE))
    assert len(names) > 40
    assert {name for name in names - documented if f"sudokulab.{name}." not in page} == set()


def test_the_reference_lists_the_columns_of_every_trace() -> None:
    page = (DOCS / "reference" / "traces.md").read_text(encoding="utf-8").partition("## Record")[0]
    own: dict[str, set[str]] = {}
    for solvers, columns in re.findall(r"^\| ((?:`[a-z0-9-]+`(?:, )?)+) \| (.*) \|$", page, re.MULTILINE):
        own |= {name: set(re.findall(r"`(\w+)`", columns)) for name in re.findall(r"`([^`]+)`", solvers)}
    for name in SOLVERS:
        solver = make_solver(name)
        result = solver.solve(INKALA, Budget(**{str(solver.unit): 30}), trace=True)  # type: ignore[arg-type]
        columns = {"nodes": "nodes depth cells_fixed", "iterations": "iterations cost best_cost evaluations moves"}
        common = {*columns[str(solver.unit)].split(), "seconds"}
        base = name.removeprefix("cp-").removeprefix("ac3-")
        assert set(result.trace) == common | own.get(name, own.get(base, set())), name


@for_each(("cooling", "reheat_after", "least", "most"), [(0.99, 10**6, 8, 10), (0.5, 10**6, 0, 3), (0.5, 20, 8, 10)])
def test_annealing_freezes_when_it_is_cooled_too_fast(cooling: float, reheat_after: int, least: int, most: int) -> None:
    """The lesson in how-to/teach.md says so."""
    puzzle = next(iter(instances.find("easy") or ()))
    solver = make_solver("annealing", cooling=cooling, reheat_after=reheat_after)
    results = [solver.solve(puzzle, Budget(iterations=2_000_000), seed=seed) for seed in range(10)]
    assert least <= sum(result.is_solved for result in results) <= most
    assert all(result.is_solved or result.cost in (2, 3, 4) for result in results)

"""A smoke test of an installed wheel, without the tools and the extras: python tests/smoke.py."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib import resources
from importlib.metadata import metadata
from pathlib import Path

import sudokulab

PUZZLE = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "sudokulab", *arguments], capture_output=True, text=True, timeout=120)


def main() -> None:
    result = sudokulab.solve(PUZZLE)
    assert sudokulab.is_solution(result, PUZZLE)
    assert sudokulab.count("." * 16) == 288
    assert sudokulab.is_unique_array([PUZZLE, "." * 81]).tolist() == [True, False]
    assert sudokulab.rate(PUZZLE, scale="trial").depth == 2
    assert sudokulab.solve(sudokulab.instances.fixed_fraction(25, fixed=0.45, seed=1)).is_solved
    assert next(sudokulab.generate(level="hard", seed=1)).num_givens > 17
    assert "single" in str(sudokulab.hint("1.....3..4.....2"))
    assert "<svg" in sudokulab.svg(PUZZLE)
    assert not hasattr(sudokulab._core, "BoxPermutation"), "parts for tests belong to editable installs only"
    assert "](docs/" not in str(metadata("sudokulab").json["description"]), "PyPI has no files to link to"
    papers = resources.files("sudokulab").joinpath("docs", "papers")
    assert papers.joinpath("lloyd-2019.md").is_file()
    assert any(figure.name.endswith(".svg") for figure in papers.joinpath("figures").iterdir())
    for solver in sudokulab.solvers.SOLVERS:
        assert sudokulab.solve("1.....3..4.....2", solver, seconds=20).is_solved, solver
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "solved.csv"
        assert run("solve", "easy", "-o", str(target)).returncode == 0
        assert len(target.read_text().splitlines()) == 101
    assert run("solve", PUZZLE).stdout == f"{result.solution.line}\n"  # type: ignore[union-attr]
    assert run("--version").stdout == f"sudokulab {sudokulab.__version__}\n"
    for command, extra in (("compare", "lab"), ("serve", "web")):
        done = run(command, *(["easy", "-s", "dlx"] if command == "compare" else []))
        assert done.returncode == 2, done
        assert f"sudokulab[{extra}]" in done.stderr, done.stderr
    print(f"sudokulab {sudokulab.__version__} works on Python {sys.version.split()[0]}, {sys.platform}")


if __name__ == "__main__":
    main()

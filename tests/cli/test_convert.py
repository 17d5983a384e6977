"""``sudokulab convert`` on the command line."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from pysat.formula import CNF
from pysat.solvers import Cadical153
from typer.testing import CliRunner, Result

from sudokulab import is_solution, parse
from sudokulab.cli import app
from sudokulab.convert import ENCODINGS, exact_cover
from tests.cases import for_each
from tests.cli.test_cli import SOLVED, on_terminal
from tests.puzzles import EASY, INKALA, SMALL, TINY


def run(*args: str | Path, stdin: str = "") -> Result:
    """Run the command in this process, which is faster; `test_cli` starts real processes."""
    return CliRunner().invoke(app, [str(arg) for arg in args], input=stdin)


@for_each("encoding", ENCODINGS)
def test_the_answer_to_a_cnf_formula_can_be_decoded(tmp_path: Path, encoding: str) -> None:
    puzzle, formula, answer = tmp_path / "p.txt", tmp_path / "p.cnf", tmp_path / "answer.txt"
    puzzle.write_text(f"{INKALA.line}\n")
    assert run("convert", puzzle, "-o", formula, "--encoding", encoding).exit_code == 0
    with Cadical153(bootstrap_with=CNF(from_file=str(formula))) as solver:
        assert solver.solve()
        answer.write_text(f"s SATISFIABLE\nv {' '.join(map(str, solver.get_model()))} 0\n")
    done = run("convert", puzzle, "--answer", answer, "--encoding", encoding)
    assert (done.exit_code, done.stderr) == (0, "")
    assert is_solution(parse(done.stdout).givens, INKALA)


def test_a_colouring_can_be_decoded_from_standard_input() -> None:
    done = run("convert", TINY.line, "--answer", "-", "--to", "col", stdin="0 2 1 3 3 1 2 0 1 3 0 2 2 0 3 1\n")
    assert done.stdout == "1324423124133142\n"


def test_an_exact_cover_can_be_decoded() -> None:
    puzzle = parse(SOLVED[:40] + "." * 41)
    candidates = {tuple(row): number for number, row in enumerate(exact_cover(puzzle).tolist(), start=1)}
    rows = [candidates[tuple(row)] for row in exact_cover(parse(SOLVED)).tolist()]
    assert rows != list(range(1, 82))
    done = run("convert", puzzle.line, "--answer", "-", "--to", "cover", stdin=" ".join(map(str, rows)))
    assert done.stdout == f"{SOLVED}\n"


def test_a_terminal_shows_a_drawn_grid(tmp_path: Path) -> None:
    answer = tmp_path / "answer.txt"
    answer.write_text("SAT\n0\n")
    assert "┌─────┬─────┐" in on_terminal("convert", TINY.line, "--answer", str(answer), "--encoding", "optimised")


@for_each(
    ("extension", "beginning"),
    [
        ("cnf", "c Sudoku as SAT, extended encoding"),
        ("col", "c Sudoku as graph colouring with 6 colours"),
        ("cover", "c Sudoku as exact cover"),
        ("dzn", "% puzzle "),
        ("svg", "<svg "),
        ("csv", "puzzle"),
    ],
)
def test_the_extension_or_the_option_selects_the_format(tmp_path: Path, extension: str, beginning: str) -> None:
    path = tmp_path / f"out.{extension}"
    assert run("convert", SMALL.line, "-o", path).exit_code == 0
    assert path.read_text().startswith(beginning)
    assert list(tmp_path.iterdir()) == [path]
    assert run("convert", SMALL.line, "--to", extension).stdout == path.read_text()


def test_the_box_shape_is_kept() -> None:
    assert "box_rows = 3;" in run("convert", SMALL.line, "--box", "3x2", "--to", "dzn").stdout


def test_a_drawing_shows_the_stated_solution(tmp_path: Path) -> None:
    solved, drawing = tmp_path / "solved.csv", tmp_path / "out.svg"
    assert run("solve", EASY.line, "-o", solved).exit_code == 0
    assert run("convert", solved, "-o", drawing).exit_code == 0
    texts = ElementTree.parse(drawing).getroot().iter("{http://www.w3.org/2000/svg}text")
    assert "".join(text.text or "" for text in texts) == SOLVED


@for_each(
    ("args", "stdin", "complaint"),
    [
        (["convert", "-", "--to", "cnf"], f"{EASY.line}\n{EASY.line}\n", "cnf takes one puzzle, got several"),
        (["convert", "-", "--to", "pdf"], "", "unknown format 'pdf' (known: line, grid"),
        (["convert", "-", "--to", "csv", "--encoding", "minimal"], "", "--encoding applies only to cnf"),
        (["convert", EASY.line, "--to", "cnf", "--encoding", "best"], "", "unknown encoding 'best'"),
        (["convert", EASY.line, "-o", "missing/out.svg"], "", "missing: no such folder"),
        (["convert", EASY.line, "--answer", "-"], "v 1 2 0", "the answer has two digits for r1c1, 1 and 2"),
        (["convert", EASY.line, "--answer", "missing.txt"], "", "missing.txt: no such file"),
        (["convert", EASY.line, "--answer", "-", "--to", "svg"], "", "use --to cnf or col or cover"),
        (["convert", EASY.line, "--answer", "-", "--to", "col", "--encoding", "best"], "", "applies only to cnf"),
        (["convert", "--answer", "-"], "", "standard input can be read only once"),
    ],
)
def test_usage_errors_are_explained(args: list[str], stdin: str, complaint: str) -> None:
    done = run(*args, stdin=stdin)
    assert done.exit_code == 2
    assert complaint in done.stderr
    assert done.stdout == ""


def test_an_unsatisfiable_answer_exits_with_1() -> None:
    done = run("convert", "11" + "." * 79, "--answer", "-", stdin="s UNSATISFIABLE\n")
    assert done.exit_code == 1
    assert done.stderr == "the answer says that there is no solution\n"

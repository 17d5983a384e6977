"""Programs as solvers. Each test program is a few lines of Python, run by this interpreter."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sudokulab import Budget, Puzzle, Status, SudokulabError, formats, solutions, solve, solve_many
from sudokulab.errors import WrongAnswerError
from sudokulab.external import CommandSolver
from tests.cases import for_each
from tests.puzzles import EASY, SMALL, TINY, random_instance
from tests.timing import PATIENCE_SECONDS, stopping_seconds, wait_until

pytestmark = pytest.mark.slow

UNSATISFIABLE = Puzzle.from_array([[1, 2, 3, 0], [0, 0, 0, 4], [0, 0, 0, 0], [0, 0, 0, 0]])

BACKTRACKER = """
import sys
cells = [0 if c == "." else int(c) for c in open(sys.argv[1]).read().split()[0]]
size = int(sys.argv[2])
rows, cols = map(int, sys.argv[3].split("x"))
def peers(i, j):
    (r, c), (s, d) = divmod(i, size), divmod(j, size)
    return r == s or c == d or (r // rows, c // cols) == (s // rows, d // cols)
def fill():
    if 0 not in cells:
        return True
    cell = cells.index(0)
    for digit in set(range(1, size + 1)) - {cells[j] for j in range(size * size) if peers(cell, j)}:
        cells[cell] = digit
        if fill():
            return True
    cells[cell] = 0
    return False
print("".join(map(str, cells)) if fill() else "unsatisfiable")
"""

Make = Callable[..., CommandSolver]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Return a function that turns a script into a solver."""

    def make(script: str, arguments: str = "", **parameters: Any) -> CommandSolver:
        path = tmp_path / "program.py"
        path.write_text(script)
        return CommandSolver.parse(f"mine={sys.executable} -S {shlex.quote(str(path))} {arguments}", **parameters)

    return make


def print_of(text: object) -> str:
    return f"print({str(text)!r})"


@pytest.mark.parametrize("puzzle", [TINY, SMALL, EASY], ids=["4x4", "6x6", "9x9"])
def test_a_program_can_be_a_solver(make: Make, puzzle: Puzzle) -> None:
    result = make(BACKTRACKER, "{file} {size} {box}").solve(puzzle, Budget(seconds=20), seed=3)
    assert result.is_solved
    assert (result.solver, result.seed, result.cost, result.error) == ("mine", 3, 0, None)
    assert result.stats.keys() == {"encode_seconds", "wall_seconds", "cpu_seconds", "exit_code"}
    assert 0 < result.stats["cpu_seconds"] < 20
    assert 0 < result.stats["wall_seconds"] == result.seconds


def test_a_program_can_report_unsatisfiable(make: Make) -> None:
    solver = make(BACKTRACKER, "{file} {size} {box}")
    assert solver.solve(UNSATISFIABLE).status is Status.UNSATISFIABLE
    assert make(print_of("nothing doing"), unsatisfiable="nothing").solve(TINY).status is Status.UNSATISFIABLE
    assert make("raise SystemExit(20)", exit_unsatisfiable=20).solve(TINY).status is Status.UNSATISFIABLE
    assert make(print_of("is it unsatisfiable? no idea")).solve(TINY).status is Status.UNKNOWN


def test_cpu_time_is_measured_for_the_program(make: Make) -> None:
    busy = make("import time\nwhile time.process_time() < 0.3: pass").solve(TINY)
    idle = make("import time\ntime.sleep(0.3)").solve(TINY)
    assert busy.stats["cpu_seconds"] > 0.3 > idle.stats["cpu_seconds"]
    assert idle.stats["wall_seconds"] > 0.3


FULL = next(solutions(EASY))
ROWS = [FULL.line[i : i + 9] for i in range(0, 81, 9)]


@for_each(
    "printed",
    [
        FULL.line,
        f"{FULL.line}\n\nsolved in 3 ms, 123456789 nodes\n",
        f"Solution: {FULL.line}",
        f"{EASY.line},{FULL.line}",
        json.dumps({"puzzle": EASY.line, "solution": FULL.line}),
        "\n".join(ROWS),
        "searching\n" + "\n".join(" ".join(row) for row in ROWS) + "\ndone in 5 s\n",
        "\n".join(f"| {' '.join(row[:3])} | {' '.join(row[3:6])} | {' '.join(row[6:])} |" for row in ROWS),
        "[[" + "],\n [".join(", ".join(row) for row in ROWS) + "]]",
        " ".join(FULL.line),
        json.dumps([[int(digit) for digit in row] for row in ROWS]),
        "1" * 81 + "\n" + FULL.line,
        f"{FULL.line}\n{EASY.line}",
    ],
)
def test_a_grid_is_found_in_the_output(make: Make, printed: str) -> None:
    assert make(print_of(printed)).solve(EASY).solution == FULL


@for_each("format", ["line", "grid", "integers", "sdk", "ss", "jsonl"])
@for_each("box", [(2, 4), (4, 4), (5, 5), (6, 6)], ids=str)
def test_every_format_works_for_input_and_output(make: Make, format: str, box: tuple[int, int], tmp_path: Path) -> None:
    """The program copies its input file, which contains a full grid."""
    full = random_instance(box, (box[0] * box[1]) ** 2, seed=1)
    solver = CommandSolver.parse("cat=cat {file}", input=format)
    assert solver.solve(full).solution == full
    formats.write([full], tmp_path / "answer", format)
    answer = shlex.quote(str(tmp_path / "answer"))
    assert CommandSolver.parse(f"cat=cat {answer}").solve(random_instance(box, 5, seed=1)).solution == full


def test_a_format_without_an_extension_works_for_input() -> None:
    full = random_instance((5, 5), 625, seed=1)
    assert CommandSolver.parse("cat=cat {file}", input="headed").solve(full).solution == full


def test_the_puzzle_is_passed_as_argument_file_or_standard_input(make: Make) -> None:
    full = random_instance((2, 2), 16, seed=1)
    assert make("import sys; print(sys.argv[1])", "{puzzle}").solve(full).solution == full
    assert make("import sys; print(open(sys.argv[1]).read())", "{file}").solve(full).solution == full
    assert make("import sys; print(sys.stdin.read())").solve(full).solution == full


def test_placeholders_are_replaced(make: Make) -> None:
    echo = make("import sys; print(*sys.argv[1:])", "{seconds} {seed} {size} {box} '{{}} {size}' ';'")
    result = echo.solve(SMALL, Budget(seconds=5), seed=2**64 - 1)
    assert result.error == "printed no full 6×6 grid; its output ends with '5 18446744073709551615 6 2x3 {} 6 ;'"
    assert "'0.5 1 6" in str(echo.solve(SMALL, Budget(seconds=0.5), seed=1).error)
    with pytest.raises(SudokulabError, match="set a time limit"):
        echo.solve(SMALL)


CNF_SOLVER = """
from pysat.formula import CNF
from pysat.solvers import Cadical195
import sys
with Cadical195(bootstrap_with=CNF(from_file=sys.argv[1])) as solver:
    if not solver.solve():
        print("s UNSATISFIABLE")
        sys.exit(20)
    print("c found\\ns SATISFIABLE")
    print("v", *solver.get_model(), 0)
    sys.exit(10)
"""


@pytest.mark.parametrize("encoding", ["extended", "optimised"])
def test_a_sat_solver_reads_a_formula(tmp_path: Path, encoding: str) -> None:
    pytest.importorskip("pysat")
    path = tmp_path / "sat.py"
    path.write_text(CNF_SOLVER)
    solver = CommandSolver(
        label="sat",
        command=f"{sys.executable} {shlex.quote(str(path))} {{file}}",
        input="cnf",
        encoding=encoding,  # type: ignore[arg-type]
    )
    assert solver.solve(EASY).solution == FULL
    assert solver.solve(UNSATISFIABLE).status is Status.UNSATISFIABLE


def test_colouring_and_exact_cover_answers_are_read(make: Make) -> None:
    full = random_instance((2, 2), 16, seed=1)
    assert make(print_of(" ".join(map(str, full.cells))), input="col").solve(full).solution == full
    assert make(print_of(" ".join(map(str, range(1, 17)))), input="cover").solve(full).solution == full


@pytest.mark.parametrize(
    ("answer", "printed"),
    [
        ("grid", "1" * 16),
        ("cnf", "s SATISFIABLE\nv " + " ".join(str(4 * cell + 1) for cell in range(16)) + " 0"),
        ("col", "1 2 3 4 " * 4),
    ],
)
def test_a_wrong_answer_is_never_accepted(make: Make, answer: str, printed: str) -> None:
    solver = make(print_of(printed), answer=answer, encoding="extended")
    with pytest.raises(WrongAnswerError, match=r"does not solve|solution"):
        solver.solve(Puzzle.empty(4))
    (result,) = solve_many([Puzzle.empty(4)], solver)
    assert (result.status, result.solution) == (Status.UNKNOWN, None)
    assert "WrongAnswerError" in str(result.error)


def test_the_solution_of_another_puzzle_is_rejected(make: Make) -> None:
    with pytest.raises(WrongAnswerError):
        make(print_of(solve(EASY).solution)).solve(EASY.relabel([2, 1, 3, 4, 5, 6, 7, 8, 9]))


@for_each(
    ("script", "complaint"),
    [
        ("", "printed nothing"),
        (print_of("all is well"), "printed no full 9×9 grid; its output ends with 'all is well'"),
        (print_of(EASY), "printed no full 9×9 grid"),
        (print_of("1" * 80), "printed no full 9×9 grid"),
        (print_of(random_instance((2, 2), 16, seed=1)), "printed no full 9×9 grid"),
        ("import os; os.write(1, bytes(range(256)) * 1000)", "printed no full 9×9 grid"),
        ("import sys; sys.exit('no such option')", "exit code 1: no such option"),
        (f"{print_of(FULL)}; raise SystemExit(3)", "exit code 3"),
        ("import os; os.kill(os.getpid(), 11)", "killed by SIGSEGV"),
    ],
)
def test_failures_are_reported_with_their_cause(make: Make, script: str, complaint: str) -> None:
    result = make(script).solve(EASY, Budget(seconds=20))
    assert (result.status, result.solution) == (Status.UNKNOWN, None)
    assert complaint in str(result.error)
    assert result.stats


def test_a_truncated_sat_answer_is_reported(make: Make) -> None:
    result = make(print_of("s SATISFIABLE\nv 1 2"), answer="cnf").solve(EASY)
    assert (result.status, result.error) == (Status.UNKNOWN, "the answer is truncated: the final 0 is missing")


def test_a_missing_program_is_reported() -> None:
    result = CommandSolver.parse("mine=./no-such-program {file}").solve(EASY)
    assert (result.status, result.solver) == (Status.UNKNOWN, "mine")
    assert result.error == "./no-such-program cannot be run: No such file or directory"


@pytest.mark.parametrize("stream", [1, 2])
def test_a_program_with_excessive_output_is_stopped(make: Make, stream: int) -> None:
    result = make(f"import os\nwhile True: os.write({stream}, b'1' * 100_000)").solve(EASY)
    assert (result.status, result.error) == (Status.UNKNOWN, "printed more than 64 MB")


SLEEP = "import time\ntime.sleep(1200)"  # longer than any wait below
IGNORE = f"import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n{SLEEP}"
SPAWN = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {IGNORE!r} + '  # ' + sys.argv[1]])"
LEAVE = SPAWN.replace("subprocess.run", "subprocess.Popen") + f"\n{print_of(FULL)}"
SLOW = f"{print_of('1' * 81)}\n{SLEEP}"


def is_running(mark: str) -> bool:
    """Return whether a process, other than a zombie, has this word in its command line."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "cmdline").read_bytes():
                return True
        except OSError:
            continue
    return False


linux = pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="needs /proc")


@linux
@for_each("script", [SLEEP, IGNORE, SPAWN, SLOW], ids=["hangs", "stubborn", "child", "prints first"])
def test_a_hanging_program_and_its_children_are_terminated_at_the_budget(
    make: Make, script: str, tmp_path: Path
) -> None:
    result = make(script, str(tmp_path)).solve(EASY, Budget(seconds=0.5))
    assert (result.status, result.error) == (Status.UNKNOWN, None)
    assert result.stats["exit_code"] in (-signal.SIGTERM, -signal.SIGKILL)
    wait_until(lambda: not is_running(str(tmp_path)))


@linux
def test_leftover_child_processes_are_terminated(make: Make, tmp_path: Path) -> None:
    assert make(LEAVE, str(tmp_path)).solve(EASY).solution == FULL
    wait_until(lambda: not is_running(str(tmp_path)))


@linux
@pytest.mark.parametrize("is_batch", [False, True])
def test_ctrl_c_terminates_the_program(make: Make, is_batch: bool, tmp_path: Path) -> None:
    solver = make(IGNORE, str(tmp_path))

    def work() -> object:
        return list(solve_many([EASY] * 4, solver, threads=2)) if is_batch else solver.solve(EASY)

    assert stopping_seconds(work, when=lambda: is_running(str(tmp_path))) > 0
    wait_until(lambda: not is_running(str(tmp_path)))


@for_each(
    ("text", "complaint"),
    [
        ("./prog {file}", "has no name; write name=program"),
        ("=./prog {file}", "has no name"),
        ("./prog --seed={seed}", "has no name"),
        ("mine=", "the command is empty"),
        ("mine=./prog {path}", "unknown placeholder {path} in the command; use {file}, {puzzle}"),
        ("mine=./prog {}", "unknown placeholder {} in the command"),
        ("mine=./prog {file!r}", "unknown placeholder {file!r} in the command"),
        ("mine=./prog 'a b", "cannot be parsed: no closing quotation"),
        ("mine=./prog {file", "cannot be parsed: expected '}'"),
    ],
)
def test_invalid_commands_are_rejected(text: str, complaint: str) -> None:
    with pytest.raises(SudokulabError) as caught:
        CommandSolver.parse(text)
    assert complaint in str(caught.value)


@for_each(
    ("parameters", "complaint"),
    [
        ({"input": "svg"}, "choose one of line, "),
        ({"answer": "oracle"}, "grid or cnf or col or cover"),
        ({"unsatisfiable": "("}, "not a regular expression"),
        ({"colour": 1}, "colour"),
        ({"command": "./prog {path}"}, "unknown placeholder {path} in the command"),
    ],
)
def test_invalid_parameters_are_rejected(parameters: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=next(iter(parameters))) as caught:
        CommandSolver(**{"label": "mine", "command": "./prog {file}", **parameters})
    assert complaint in str(caught.value)


def test_no_shell_is_involved(make: Make, tmp_path: Path) -> None:
    file = tmp_path / "made"
    make(print_of(1), f"; touch {file} && $(touch {file}) > {file}").solve(EASY)
    assert not file.exists()


def test_a_program_can_be_given_on_the_command_line(make: Make, tmp_path: Path) -> None:
    program = make(BACKTRACKER, "{file} {size} {box}").command

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "sudokulab", "solve", TINY.line, "--command", *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS)

    done = run(f"mine={program}", "--json", "--seconds", "20")
    assert done.returncode == 0
    assert json.loads(done.stdout)["solver"] == "mine"
    assert run(f"mine={program}", "--param", "answer=cnf").returncode == 1
    assert "--solver and --command are mutually exclusive" in run(f"mine={program}", "--solver", "dlx").stderr
    refused = run("./prog {file}")
    assert (refused.returncode, refused.stderr.count("has no name")) == (2, 1)


@for_each("puzzle", [TINY, EASY, Puzzle.empty(25)])
def test_a_puzzle_on_the_command_line_is_one_line(puzzle: Puzzle, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    CommandSolver.parse(f"copy=sh -c 'printf %s \"$0\" > {copy}' {{puzzle}}").solve(puzzle)
    assert copy.read_text() == puzzle.line

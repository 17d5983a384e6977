"""CaDiCaL and CP-SAT behind our interface, beyond the conformance suite."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from sudokulab import Budget, Puzzle, Status, SudokulabError, formats, is_solution, solve_many
from sudokulab.convert import ENCODINGS
from sudokulab.external import RIVALS, Cadical, CpSat, ExternalSolver
from sudokulab.instances import find
from sudokulab.solvers import all_solvers, make_solver
from tests.cases import for_each
from tests.puzzles import EASY, INKALA, TINY, random_instance
from tests.timing import command_stopping_seconds

HARD = find("36x36-0.450")
PIGEONS = Puzzle.from_array([[1, 2, 3, 0], [0, 0, 0, 4], [0, 0, 0, 0], [0, 0, 0, 0]])

is_complete = all(rival.is_installed() for rival in RIVALS.values())
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not is_complete, reason="the extra rivals is not installed"),
    pytest.mark.usefixtures("waits_for_abandoned_searches"),
]
each_rival = pytest.mark.parametrize("rival", [Cadical(), CpSat()], ids=list(RIVALS))


def hard_puzzle() -> Puzzle:
    assert HARD is not None
    with formats.read(HARD.files[0]) as reader:
        return next(reader)


@each_rival
@for_each("box", [(2, 2), (2, 3), (3, 3), (4, 4), (5, 5)], ids=str)
def test_solves_grids_of_many_sizes(rival: ExternalSolver, box: tuple[int, int]) -> None:
    puzzle = random_instance(box, int(0.55 * (box[0] * box[1]) ** 2), seed=4)
    result = rival.solve(puzzle, Budget(seconds=10))
    assert result.is_solved
    assert is_solution(result, puzzle)


@each_rival
def test_proves_that_there_is_no_solution(rival: ExternalSolver) -> None:
    """This includes puzzles that propagation alone cannot refute."""
    given = INKALA.cells.index(0)
    wrong = (digit for digit in range(1, 10) if not replace_cell(INKALA, given, digit).clashes())
    statuses = [rival.solve(replace_cell(INKALA, given, digit)).status for digit in wrong]
    assert statuses.count(Status.SOLVED) == 1
    assert set(statuses) == {Status.SOLVED, Status.UNSATISFIABLE}
    assert rival.solve(PIGEONS).status is Status.UNSATISFIABLE


def replace_cell(puzzle: Puzzle, cell: int, digit: int) -> Puzzle:
    return replace(puzzle, cells=puzzle.cells[:cell] + bytes([digit]) + puzzle.cells[cell + 1 :])


@for_each("encoding", ENCODINGS)
def test_cadical_takes_every_encoding(encoding: str) -> None:
    solver = make_solver("cadical", encoding=encoding)
    assert solver.solve(INKALA).is_solved
    assert solver.solve(PIGEONS).status is Status.UNSATISFIABLE


def test_an_unknown_encoding_is_rejected() -> None:
    with pytest.raises(ValueError, match="encoding"):
        make_solver("cadical", encoding="maximal")


@pytest.mark.parametrize(
    ("rival", "counters"),
    [(Cadical(), {"conflicts", "decisions", "propagations", "restarts"}), (CpSat(), {"branches", "conflicts"})],
)
def test_reports_native_counters_and_separate_encoding_and_search_times(
    rival: ExternalSolver, counters: set[str]
) -> None:
    result = rival.solve(INKALA)
    assert result.stats.keys() == counters | {"encode_seconds", "search_seconds"}
    assert result.stats["conflicts"] > 0
    assert 0 < result.stats["encode_seconds"] + result.stats["search_seconds"] <= result.seconds


@pytest.mark.timing
@each_rival
def test_keeps_its_budget_in_the_middle_of_a_search(rival: ExternalSolver) -> None:
    puzzle = hard_puzzle()
    rival.solve(TINY)  # loads the library
    start = time.process_time()
    result = rival.solve(puzzle, Budget(seconds=1))
    assert result.status is Status.UNKNOWN
    assert result.error is None
    assert result.seconds > 0.9
    assert time.process_time() - start < 2.5


def test_the_seed_of_cp_sat_matters_and_repeats_the_run() -> None:
    counts = [CpSat().solve(INKALA, seed=seed).stats["branches"] for seed in (1, 2, 3, 1, 2**64 - 1)]
    assert counts[0] == counts[3]
    assert len(set(counts)) > 1


@each_rival
def test_solves_batches(rival: ExternalSolver) -> None:
    results = list(solve_many([EASY, PIGEONS, INKALA], rival, threads=2))
    assert [result.status.value for result in results] == ["solved", "unsatisfiable", "solved"]


@pytest.mark.timing
@pytest.mark.parametrize("name", RIVALS)
def test_ctrl_c_ends_the_command(name: str) -> None:
    delay, done = command_stopping_seconds("solve", "36x36-0.450", "--solver", name, after=3)
    assert delay < 1
    assert done.returncode == 130
    assert "interrupted" in done.stderr


def test_they_are_listed_like_any_other_solver() -> None:
    done = subprocess.run([sys.executable, "-m", "sudokulab", "solvers", "--json"], capture_output=True, check=True)
    assert json.loads(done.stdout)["solvers"].keys() >= {"backtracking", "cadical", "cp-sat"}
    assert list(all_solvers())[-len(RIVALS) :] == list(RIVALS)


@pytest.mark.parametrize(
    ("name", "module", "package"), [("cadical", "pysat", "python-sat"), ("cp-sat", "ortools", "ortools")]
)
def test_a_missing_extra_is_reported_with_the_command_to_install_it(
    monkeypatch: pytest.MonkeyPatch, name: str, module: str, package: str
) -> None:
    for loaded in [loaded for loaded in sys.modules if loaded.partition(".")[0] == module]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, module, None)
    assert name not in all_solvers()
    with pytest.raises(SudokulabError) as caught:
        make_solver(name).solve(EASY)
    assert str(caught.value) == f"{name} needs {package}: pip install 'sudokulab[rivals]'"
    with pytest.raises(SudokulabError, match="needs"):
        list(solve_many([EASY], name))


def test_importing_the_package_does_not_load_them() -> None:
    code = "import sys, sudokulab.cli; print([name for name in ('pysat', 'ortools') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.timing
def test_the_presolve_of_cp_sat_does_not_delay_a_run() -> None:
    if not CpSat.is_installed():
        pytest.skip("ortools is not installed")
    solver = CpSat()
    solver.prepare()
    start = time.process_time()
    assert solver.solve(Puzzle.empty(64), Budget(seconds=0.1)).status is Status.UNKNOWN
    assert time.process_time() - start < 0.5

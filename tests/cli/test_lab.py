"""The commands ``run``, ``compare``, ``report`` and ``tune``."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest
import typer
from typer.testing import CliRunner

from sudokulab.cli import app
from sudokulab.cli.common import command
from sudokulab.cli.options import params_by_solver
from sudokulab.errors import SudokulabError
from sudokulab.lab import comparison, execution
from sudokulab.lab.experiment import Experiment, Run
from sudokulab.lab.records import Outcome, RunRecord
from sudokulab.lab.schema import VERSION
from sudokulab.lab.store import Store
from sudokulab.solvers.registry import make_solver
from tests.cases import for_each
from tests.commands import run
from tests.puzzles import EASY, TINY
from tests.timing import PATIENCE_SECONDS

pytestmark = pytest.mark.slow

EXPERIMENT = """
name = "small"
runs = 2
[budget]
cpu_seconds = 2
[[instances]]
set = "famous"
limit = 2
[[solvers]]
name = "backtracking"
[[solvers]]
name = "ant-colony"
"""


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an experiment that has been run."""
    folder = tmp_path_factory.mktemp("experiment")
    (folder / "e.toml").write_text(EXPERIMENT)
    done = run("run", folder / "e.toml", "--report", folder / "r.html")
    assert done.returncode == 0, done.stderr
    assert "backtracking" in done.stdout
    assert "2 of 2" in done.stdout
    return folder


@pytest.fixture
def store(finished: Path, tmp_path: Path) -> Path:
    shutil.copytree(finished, tmp_path, dirs_exist_ok=True)
    return tmp_path / "e.sqlite"


def test_an_experiment_is_run_listed_exported_and_reported(store: Path, tmp_path: Path) -> None:
    listed = run("report", "--list", store, "--solver", "ant*", "--instance", "famous/AI*")
    assert listed.stdout.count("solved") == 2
    assert "backtracking" not in listed.stdout
    for extension in (".parquet", ".csv"):
        target = tmp_path / f"runs{extension}"
        assert run("report", "--list", store, "-o", target).returncode == 0
        table = pl.read_parquet(target) if extension == ".parquet" else pl.read_csv(target, infer_schema=False)
        assert len(table) == 6
        assert {"solver", "instance", "cpu_seconds", "outcome", "stats_nodes"} <= set(table.columns)
    text = (tmp_path / "r.html").read_text()
    assert "6 runs of 2 solvers on 2 instances" in text
    assert "None: every run kept its budget" in text
    assert run("report", store, "-o", tmp_path / "again.html").returncode == 0
    assert (tmp_path / "again.html").read_text() == text


def test_stored_runs_are_not_repeated(store: Path, tmp_path: Path) -> None:
    done = run("run", tmp_path / "e.toml")
    assert "6 of 6 runs are already in the store" in done.stderr


def test_solvers_are_compared_on_a_column_of_a_table(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text(f"id,grid\n1,{TINY.line}\n")
    done = run("compare", tmp_path / "p.csv", "--column", "grid", "--solver", "dlx", "--cpu-seconds", "1")
    assert (done.returncode, done.stdout.splitlines()[1][:3]) == (0, "dlx")
    assert "'other'" in run("compare", tmp_path / "p.csv", "--column", "other", "--solver", "dlx").stderr


def test_solvers_are_compared(tmp_path: Path) -> None:
    plot = tmp_path / "times.svg"
    program = f"theirs={sys.executable} -m sudokulab solve {{file}}"
    options = ["--limit", "2", "--runs", "2", "--cpu-seconds", "5", "--plot", str(plot), "--command", program]
    done = run("compare", "famous", "--solver", "backtracking,dlx", *options)
    assert done.returncode == 0, done.stderr
    assert "theirs" in done.stdout
    assert re.search(r"^backtracking\tdlx\t.*\t0\.\d\d\t", done.stdout, re.MULTILINE)
    assert plot.read_text().startswith("<?xml")


def test_a_program_gets_a_formula_and_the_runs_are_kept(tmp_path: Path) -> None:
    script = tmp_path / "sat.py"
    script.write_text(
        "import sys\nfrom pysat.formula import CNF\nfrom pysat.solvers import Solver\n"
        "solver = Solver(bootstrap_with=CNF(from_file=sys.argv[1]))\n"
        "print('s SATISFIABLE' if solver.solve() else 's UNSATISFIABLE')\nprint('v', *solver.get_model(), 0)\n"
    )
    kept = tmp_path / "runs.sqlite"
    command = f"sat={sys.executable} {script} {{file}}"
    arguments: list[str | Path] = [
        "compare",
        "famous",
        "--limit",
        "1",
        "--command",
        command,
        "--param",
        "sat:input=cnf",
        "-o",
        kept,
    ]
    done = run(*arguments)
    assert re.search(r"^sat\t10 of 10\t", done.stdout, re.MULTILINE), done.stderr
    assert run(*arguments).stdout == done.stdout  # the stored run is not repeated
    assert "sat" in run("report", kept, "--list").stdout


def test_run_prints_the_tests(store: Path, tmp_path: Path) -> None:
    done = run("run", tmp_path / "e.toml")
    assert "test over" in done.stderr
    assert "solver A\tsolver B" in done.stdout


def test_parameters_of_a_file_apply_to_one_solver_or_to_all(tmp_path: Path) -> None:
    file = tmp_path / "ants.toml"
    file.write_text("ants = 7\nq0 = 0.5\n")
    solvers = {name: make_solver(name) for name in ("ant-colony", "ac3+ant-colony", "dlx")}
    assert params_by_solver(solvers, ["ac3+ant-colony:ants=3"], [str(file)]) == {
        "ant-colony": {"ants": 7, "q0": 0.5},
        "ac3+ant-colony": {"ants": "3", "q0": 0.5},
        "dlx": {},
    }
    assert params_by_solver(solvers, [], [f"ant-colony:{file}"])["ac3+ant-colony"] == {}
    with pytest.raises(SudokulabError, match=r"ants\.toml: ants: no solver has parameters; remove ants"):
        params_by_solver({"dlx": make_solver("dlx")}, [], [str(file)])


def test_compare_uses_the_parameters_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "ants.toml"
    file.write_text("ants = 0\n")
    done = run("compare", "famous", "-s", "ant-colony", "--param-file", f"ant-colony:{file}")
    assert done.returncode == 2
    assert "ants: 0; choose an integer from 1" in done.stderr


@for_each(
    ("args", "words"),
    [
        (["compare", "famous"], "nothing to compare; add --solver or --command"),
        (["compare", "famous", "--solver", "ants"], "unknown solver 'ants'"),
        (["compare", "famous", "--solver", "nowhere:Mine"], "cannot import nowhere:Mine"),
        (["compare", "famous", "-s", "dlx", "--param", "ants"], "--param ants: write KEY=VALUE"),
        (
            ["compare", "famous", "-s", "dlx", "--param", "ants=3"],
            "--param ants: no solver has parameters; remove ants",
        ),
        (["compare", "famous", "-s", "ant-colony", "--param", "aunts=3"], "did you mean 'ants'"),
        (["compare", "famous", "-s", "ant-colony", "--param", "dlx:ants=3"], "unknown solver 'dlx'"),
        (["compare", "famous", "-s", "ant-colony", "--param", "ants=0"], "ants: '0'; choose an integer from 1"),
        (["compare", "famous", "-s", "dlx", "--param-file", "no.toml"], "no.toml: no such file"),
        (["compare", "famous", "-s", "dlx", "--tests", "t.txt"], "unknown output extension '.txt'"),
        (["compare", "famous", "-s", "dlx", "--seconds", "3"], "No such option: --seconds"),
        (["compare", "famous", "--command", "p=true", "-p", "input=cmf"], "choose one of"),
        (["compare", "famous", "-s", "dlx", "--command", "dlx=true"], "two solvers are called 'dlx'"),
        (["compare", "famous", "-s", "dlx", "-o", "runs.csv"], "`sudokulab report STORE --list -o runs.csv` writes"),
        (["compare", "famous", "-s", "tabu", "--traces"], "--traces needs --report or --output"),
        (["run", "nowhere.toml"], "nowhere.toml: no such file"),
        (["report", "nowhere.sqlite", "--list"], "no such store"),
        (["report", "nowhere.sqlite", "--outcome", "late"], "--outcome applies only to --list"),
        (["tune", "famous", "-s", "ants"], "unknown solver 'ants'"),
        (["tune", "famous", "-s", "dlx"], "has no parameters to tune"),
    ],
)
def test_errors_name_the_problem(args: list[str], words: str) -> None:
    done = run(*args)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_tuned_parameters_can_be_read_back(tmp_path: Path) -> None:
    tuned = tmp_path / "ants.toml"
    options = ["--limit", "1", "--trials", "2", "--cpu-seconds", "0.5", "--range", "ants=5..6", "-o", str(tuned)]
    done = run("tune", "famous", "--solver", "ant-colony", *options)
    assert done.returncode == 0, done.stderr
    assert "best" in done.stderr
    params = tomllib.loads(tuned.read_text())
    assert params["ants"] in (5, 6, 10)
    solved = run("solve", "famous", "--solver", "ant-colony", "--param-file", tuned, "--json")
    assert solved.returncode == 0, solved.stderr


def run_in_shell(text: str, folder: Path, stdout: int | None = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    """Run a command of the shell, in which $S stands for sudokulab."""
    root = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": root, "S": f"{sys.executable} -m sudokulab", "NO_COLOR": "1"}
    return subprocess.run(
        ["bash", "-c", text],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        timeout=PATIENCE_SECONDS,
        env=environment,
        cwd=folder,
    )


HANGUP = EXPERIMENT.replace('name = "ant-colony"', 'name = "tests.lab.cheats:Hangup"')


@pytest.mark.thorough
def test_a_worker_that_closes_its_connection_is_not_mistaken_for_a_closed_output(tmp_path: Path) -> None:
    (tmp_path / "e.toml").write_text(HANGUP)
    done = run_in_shell("$S run e.toml --workers 1", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "tests.lab.cheats:Hangup\tcrashed\t4\tthe process closed its connection" in done.stdout
    assert "2 of 2" in done.stdout
    assert "0 of 4" in done.stdout


MINE = "from sudokulab.solvers import AntColony\nclass Mine(AntColony):\n    name = 'mine'\n"


def test_solvers_of_the_current_folder_are_compared_and_tuned(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    script = Path(sys.executable).with_name("sudokulab")  # which does not import from the current folder by itself
    done = run_in_shell(f"{script} compare {EASY.line} --solver mine:Mine,dlx --runs 2 --workers 1", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "\nmine\t2 of 2" in done.stdout
    options = "--trials 1 --cpu-seconds 1 --range ants=5..6"
    done = run_in_shell(f"{script} tune {EASY.line} -s mine:Mine {options}", tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("# mine:Mine: PAR-2")


def test_parameters_apply_to_one_solver_or_to_all_that_have_them(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    params = "--param ants=5 --param mine:Mine:ants=6 --param ant-colony:q0=0.5 --param propagation=ac3"
    done = run_in_shell(
        f"$S compare {EASY.line} --solver ant-colony,mine:Mine,dlx {params} --runs 1 --workers 1 --tests t.csv",
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
    for title in ("dlx", "mine (ants=6, propagation=ac3)", "ant-colony (ants=5, q0=0.5, propagation=ac3)"):
        assert f"\n{title}\t1 of 1" in done.stdout
    tests = pl.read_csv(tmp_path / "t.csv")
    assert tests["effect"].to_list() == ["A12"] * 3
    assert tests["effect_size"].is_between(0, 1).all()


def test_runs_are_listed_by_solvers_instances_and_outcomes(store: Path) -> None:
    def listed(*options: str) -> list[list[str]]:
        return [row.split("\t") for row in run("report", "--list", store, *options).stdout.splitlines()[1:]]

    rows = listed()
    solvers = sorted({row[1] for row in rows})
    assert len(solvers) > 1
    assert listed("-s", solvers[0], "-s", solvers[1]) == [row for row in rows if row[1] in solvers[:2]]
    assert listed("--outcome", ",".join({row[3] for row in rows})) == rows
    assert listed("--instance", rows[0][0]) == [row for row in rows if row[0] == rows[0][0]]
    wrong = run("report", "--list", store, "--outcome", "slow")
    assert (wrong.returncode, "unknown outcome 'slow'" in wrong.stderr) == (2, True)


def test_tables_are_tab_separated_when_piped(store: Path) -> None:
    header, *rows = run("report", "--list", store).stdout.splitlines()
    assert header.split("\t") == ["instance", "solver", "run", "outcome", "CPU s", "wall s", "seed", "error"]
    assert [len(row.split("\t")) for row in rows] == [8] * 6
    header, *rows = run("run", store.with_suffix(".toml")).stdout.split("\n\n")[0].splitlines()
    assert header.split("\t")[:3] == ["solver", "solved", "success"]
    assert [row.split("\t")[1] for row in rows] == ["2 of 2", "4 of 4"]


def test_the_tests_of_an_experiment_are_exported(store: Path, tmp_path: Path) -> None:
    done = run("report", store, "-o", tmp_path / "r.html", "--tests", tmp_path / "t.parquet")
    assert done.returncode == 0, done.stderr
    (row,) = pl.read_parquet(tmp_path / "t.parquet").to_dicts()
    assert (row["solver_a"], row["solver_b"], row["effect"], row["test"]) == (
        *("ant-colony", "backtracking", "A12"),
        "mann-whitney",
    )
    assert "A12" in (tmp_path / "r.html").read_text()


def test_the_plan_of_a_run_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plans, plan = [], Experiment.plan
    monkeypatch.setattr(Experiment, "plan", lambda self, *args: plans.append(plan(self, *args)) or plans[-1])  # type: ignore[func-returns-value]
    (tmp_path / "e.toml").write_text(EXPERIMENT)
    done = CliRunner().invoke(app, ["run", str(tmp_path / "e.toml"), "--report", str(tmp_path / "r.html")])
    assert done.exit_code == 0, done.output
    assert len(plans) == 1


def test_final_costs_are_compared_if_nothing_is_solved(tmp_path: Path) -> None:
    options = ["--limit", "1", "--runs", "2", "--cpu-seconds", "0.02", "--workers", "1"]
    done = run("compare", "25x25-0.45", "--solver", "annealing,tabu", *options)
    assert done.returncode == 0, done.stderr
    assert "solver\tsolved\tbest cost\tmedian cost" in done.stdout
    assert "No run was solved: final costs are compared." in done.stderr


def test_a_run_with_missing_runs_does_not_exit_with_0(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run_half(experiment: Experiment, store: Store, *, plan: Sequence[Run], **_: object) -> int:
        store.begin(experiment, plan)
        store.add(experiment.name, [(one, RunRecord(Outcome.SOLVED, 0.1, 0.1)) for one in plan[:3]])
        return 3

    monkeypatch.setattr(execution, "run_experiment", run_half)
    (tmp_path / "e.toml").write_text(EXPERIMENT)
    done = CliRunner().invoke(app, ["run", str(tmp_path / "e.toml")])
    assert done.exit_code == 1
    assert "3 runs are missing; the same command resumes" in done.output


def test_an_interrupted_comparison_says_how_to_resume(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(comparison, "compare", interrupt)
    args = ["compare", "famous", "-s", "dlx"]
    store = tmp_path / "s.sqlite"
    assert f"{store}: the same command resumes" in CliRunner().invoke(app, [*args, "-o", str(store)]).output
    assert "resumes" not in CliRunner().invoke(app, args).output


def test_a_broken_pipe_is_a_closed_output_only_if_the_output_is_closed(capfd: pytest.CaptureFixture[str]) -> None:
    @command
    def break_down() -> None:
        raise BrokenPipeError(32, "Broken pipe")

    with pytest.raises(typer.Exit) as caught:
        break_down()
    assert caught.value.exit_code == 2
    assert "lost the connection to another process" in capfd.readouterr().err


@pytest.mark.thorough
@pytest.mark.parametrize("target", ["2>&-", "2>/dev/full", "2>&3"], ids=["closed", "full", "without a reader"])
def test_an_unwritable_standard_error_does_not_stop_a_command(store: Path, tmp_path: Path, target: str) -> None:
    done = run_in_shell(f"exec 3> >(exec true); wait $!; $S run e.toml --report new.html {target}", tmp_path)
    assert done.returncode == 0
    assert (tmp_path / "new.html").exists()


def test_a_closed_pipe_is_not_an_error(store: Path, tmp_path: Path) -> None:
    done = run_in_shell("set -o pipefail; $S report e.sqlite --list --limit 1000 | true", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.unmeasured
def test_a_full_disk_ends_in_a_message_and_the_same_command_resumes(tmp_path: Path) -> None:
    (tmp_path / "e.toml").write_text(EXPERIMENT)
    done = run_in_shell("ulimit -f 48; $S run e.toml", tmp_path)
    assert done.returncode == 2
    assert "e.sqlite: " in done.stderr
    assert "Traceback" not in done.stderr
    done = run_in_shell("$S run e.toml", tmp_path)
    assert done.returncode == 0, done.stderr


def test_modules_in_the_current_folder_do_not_shadow_others(tmp_path: Path) -> None:
    (tmp_path / "e.toml").write_text(EXPERIMENT)
    (tmp_path / "random.py").write_text("raise SystemExit(7)")
    script = Path(sys.executable).with_name("sudokulab")
    done = run_in_shell(f"{script} run e.toml", tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("options", [["--list"], []])
def test_damaged_stores_and_those_of_other_versions_are_refused(store: Path, options: list[str]) -> None:
    with sqlite3.connect(store) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    done = run("report", *options, store)
    assert (done.returncode, "the tables have version 99" in done.stderr) == (2, True)
    data = bytearray(store.read_bytes())
    data[4096:] = b"x" * (len(data) - 4096)
    data[60:64] = VERSION.to_bytes(4, "big")
    store.write_bytes(data)
    done = run("report", *options, store)
    assert (done.returncode, "the store is damaged" in done.stderr) == (2, True)
    assert "Traceback" not in done.stderr


def test_a_damaged_store_of_trials_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.sqlite").write_bytes(b"no database" * 1000)
    done = run("tune", "famous", "-s", "ant-colony", "--limit", "1", "--trials", "1", "--store", tmp_path / "t.sqlite")
    assert done.returncode == 2
    assert "t.sqlite: cannot be used to store trials: file is not a database" in done.stderr
    assert "Traceback" not in done.stderr

"""The command line as users see it: real processes, real files, exit codes."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

import sudokulab
from sudokulab import SudokulabError, is_solution, parse, read, write
from sudokulab.cli.completion import complete_artefact
from sudokulab.instances import fixed_fraction
from tests.cases import for_each
from tests.cli.commands import all_commands
from tests.commands import feed_until_shown, run
from tests.puzzles import EASY, INKALA, TINY, random_instance
from tests.timing import NUM_CORES, PATIENCE_SECONDS, TOLERANCE_SECONDS, command_stopping_seconds

SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def on_terminal(*args: str, stdin: str = "", returncode: int = 0) -> str:
    """Return what a command prints to a terminal."""
    controller, terminal = pty.openpty()
    command = [sys.executable, "-m", "sudokulab", *args]
    done = subprocess.run(
        command, input=stdin.encode(), stdout=terminal, stderr=subprocess.DEVNULL, timeout=PATIENCE_SECONDS
    )
    assert done.returncode == returncode
    os.close(terminal)
    shown = os.read(controller, 65536).decode()
    os.close(controller)
    return shown


def test_the_help_of_every_command_has_an_example() -> None:
    for name, command in all_commands():
        assert f"Example: sudokulab {name}" in command.help, name


def test_version() -> None:
    assert run("--version").stdout.strip() == f"sudokulab {sudokulab.__version__}"


def test_solve_prints_one_solution_per_line_in_order(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.txt"
    path.write_text(f"{EASY.line}\n{TINY.line} tiny\n{INKALA.line}\n")
    done = run("solve", path)
    assert done.returncode == 0
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0] == SOLVED
    assert is_solution(parse(lines[1]).givens, TINY)
    assert is_solution(parse(lines[2]).givens, INKALA)


def test_solve_takes_strings_files_and_standard_input_together(tmp_path: Path) -> None:
    path = tmp_path / "p.sdk"
    path.write_text("[Puzzle]\n" + "\n".join(EASY.line[i : i + 9] for i in range(0, 81, 9)))
    done = run("solve", path, EASY.line, "-", stdin=f"{EASY.line}\n")
    assert done.stdout.splitlines() == [SOLVED] * 3


def test_solve_reads_standard_input_by_default() -> None:
    assert run("solve", stdin=EASY.line).stdout.strip() == SOLVED


def test_solve_json_has_everything() -> None:
    done = run("solve", "--json", "--seed", "9", "--solver", "dlx", stdin=f"{EASY.line} first\n{'1' * 81}\n")
    assert done.returncode == 1
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["id"] == "first"
    assert (first["status"], first["solution"], first["cost"], first["seed"]) == ("solved", SOLVED, 0, None)
    assert first["seconds"] > 0
    assert first["stats"]["nodes"] == 51
    assert (second["id"], second["status"], second["solution"]) == ("2", "unsatisfiable", None)
    assert second["clashes"][:2] == ["r1c1", "r1c2"]


def test_a_run_can_be_repeated_from_its_json() -> None:
    command = ["solve", "--json", "--solver", "annealing", "--iterations", "2000"]
    line = json.loads(run(*command, "--seed", "9", INKALA.line).stdout)
    assert line["seed"] == 9
    again = json.loads(run(*command, "--seed", str(line["seed"]), line["puzzle"]).stdout)
    assert {**line, "seconds": 0} == {**again, "seconds": 0}


@pytest.mark.thorough
def test_several_threads_search_a_single_large_puzzle_if_asked(tmp_path: Path) -> None:
    line = fixed_fraction(36, fixed=0.45, seed=2).line

    def stats(num_puzzles: int, *options: str) -> list[dict[str, float]]:
        path = tmp_path / f"{num_puzzles}.txt"
        path.write_text(f"{line}\n" * num_puzzles)
        results = map(json.loads, run("solve", "--json", *options, path).stdout.splitlines())
        return [result["stats"] for result in results if result["status"] == "solved"]

    assert "threads" in stats(1, "--threads", "2")[0]
    assert "threads" not in stats(1)[0]
    assert stats(3, "--threads", "2") == stats(3, "--threads", "1")


def test_with_several_threads_answers_before_an_unreadable_puzzle_are_printed(tmp_path: Path) -> None:
    path = tmp_path / "p.txt"
    path.write_text(f"{EASY.line}\nrubbish\n")
    done = run("solve", "--json", "--threads", "2", str(path))
    assert done.returncode == 2
    assert json.loads(done.stdout)["solution"] == SOLVED


def test_unsolved_puzzles_are_named_and_give_exit_code_1() -> None:
    done = run("solve", "--nodes", "3", stdin=f"{EASY.line}\n{INKALA.line}\n11{'.' * 79}\n")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0] == SOLVED
    assert lines[1:] == ["# 2: unknown", "# 3: unsatisfiable, r1c1, r1c2 clash"]
    assert done.stderr.strip() == "2 of 3 not solved"


@for_each("extension", ["pdf", "cvs"])
@for_each(
    ("command", "known"),
    [
        (["solve", EASY.line, "-o"], ".txt, .sudoku, .sdm, .csv, .tsv, .jsonl"),
        (["generate", "-o"], ".txt, .sudoku, .grid, .ints, .sdk, .sdm, .ss, .opensudoku, .xml, .csv, .tsv, .jsonl"),
        (["convert", EASY.line, "-o"], ".arrows, .cnf, .col, .cover, .dzn, .lp, .mzn, .svg, .xcsp"),
        (["hint", EASY.line, "--svg"], ".svg"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_an_unknown_output_extension_is_refused_with_the_known_ones(
    tmp_path: Path, command: list[str], known: str, extension: str
) -> None:
    target = tmp_path / f"x.{extension}"
    done = run(*command, target)
    assert done.returncode == 2
    assert f"{target}: unknown output extension '.{extension}'" in done.stderr
    assert known in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_library_refuses_an_unknown_output_extension_too(tmp_path: Path) -> None:
    with pytest.raises(SudokulabError, match=r"unknown output extension '\.pdf' \(known: \.txt"):
        write([EASY], tmp_path / "x.pdf")
    write([EASY], tmp_path / "x.pdf", "line")  # an explicit format overrides the extension
    assert (tmp_path / "x.pdf").read_text() == f"{EASY.line}\n"


@for_each("extension", ["txt", "csv", "jsonl"])
def test_solve_writes_files_that_can_be_read_again(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"out.{extension}"
    assert run("solve", EASY.line, "-o", path).stdout == ""
    (puzzle,) = read(path)
    if extension == "txt":
        assert puzzle.line == SOLVED
    else:
        assert puzzle == EASY
        assert puzzle.solution == parse(SOLVED)


def test_bad_input_gives_one_clear_error_and_exit_code_2(tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text(f"{EASY.line}\n{EASY.line}..\n{EASY.line}\n")
    done = run("solve", path)
    assert done.returncode == 2
    assert done.stderr.splitlines()[0] == (f"{path}:2:1: found 83 cells; use 81 (or 16, 36, 64, 256, 625, …)")
    assert "read as 'line'" in done.stderr


@for_each(
    ("args", "complaint"),
    [
        (["solve", "missing.txt"], "missing.txt: no such file\n"),
        (["solve", "--param-file", "missing.toml", "easy"], "missing.toml: no such file\n"),
        (["solve", "--threads", "0", "easy"], "'--threads': '0'; choose at least 1\n"),
        (["sheet", "--hints", "-1", "easy", "-o", "x.pdf"], "'--hints': '-1'; choose at least 0\n"),
        (["compare", "easy", "--cpu-seconds", "0"], "'--cpu-seconds': '0'; choose at least 0.001\n"),
        (["solve", "hrad"], "'hrad' is not a file, a collection or a puzzle; did you mean 'hard'?\n"),
        (["solve", "12"], "'12' is not a file, a collection or a puzzle; run `sudokulab instances list`"),
        (["check", "--box", "2x2", "1.1."], "'1.1.' is not a file, a collection or a puzzle; run"),
        (["solve", "/"], "/: Is a directory"),
        (
            ["solve", "--solver", "oracle", "." * 81],
            "unknown solver 'oracle' (known: auto, conflict-driven, backtracking, dlx",
        ),
        (["solve", "--param", "ants", "." * 81], "--param ants: write KEY=VALUE"),
        (["solve", "--param", "ants=3", "." * 81], "auto has no parameters; remove ants"),
        (["solve", "--iterations", "5", "." * 81], "auto does not count iterations"),
        (["solve", "--seconds", "-1", "." * 81], "'--seconds': '-1'; choose at least 0"),
        (["solve", "--seed", "18446744073709551616", "." * 81], "choose at most 18,446,744,073,709,551,615"),
        (["solve", "--threads", "100000", "." * 81], "choose at most 1,024"),
        (["solve", "--threads", "2", "--trace", "x.csv", "." * 256], "threads: 2; trace and frames record one search"),
        (["solve", "-", "-"], "standard input can be read only once"),
        (["solve", "." * 81, "-o", "x.pdf"], "(known: .txt, .sudoku, .sdm, .csv, .tsv, .jsonl"),
        (["solve", "--from", "cvs", "." * 81], "unknown format 'cvs'; did you mean 'csv'?"),
        (["solve", "--from", "pdf", "." * 81], "unknown format 'pdf' (known: line"),
        (["solve", "--box", "3", "." * 81], "'3' is not a box shape; use rows and columns such as 3x4"),
        (["convert", "." * 81, "--to", "pdf"], "unknown format 'pdf'"),
        (["solvers", "oracle"], "unknown solver 'oracle'"),
        (["nonsense"], "No such command"),
    ],
)
def test_wrong_use_is_explained(args: list[str], complaint: str) -> None:
    done = run(*args)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


def test_check_prints_clashes_solutions_minimality_and_givens() -> None:
    puzzles = [EASY.line, "." * 81, "11" + "." * 79, f"{TINY.line}"]
    first, *others = on_terminal("check", *puzzles, returncode=1).splitlines()
    assert first.startswith("1: 30 givens, one solution, not minimal, not needed: r")
    assert others == [
        "2: 0 givens, many solutions",
        "3: 2 givens, no solution, r1c1, r1c2 clash",
        "4: 4 givens, one solution, minimal",
    ]
    assert run("check", TINY.line).returncode == 0


def test_check_verifies_a_stated_solution(tmp_path: Path) -> None:
    path = tmp_path / "k.csv"
    path.write_text(f"puzzle,solution\n{EASY.line},{SOLVED}\n{EASY.line},{SOLVED[::-1]}\n")
    done = run("check", "--json", path)
    assert [json.loads(line)["stated_solution"] for line in done.stdout.splitlines()] == [True, False]
    assert done.returncode == 1


def test_check_reports_unknown_answers() -> None:
    shown = on_terminal("check", "--seconds", "0.05", random_instance((7, 7), 1270, seed=1).line, returncode=1)
    assert "number of solutions unknown" in shown


def test_rate_prints_level_rule_and_nodes() -> None:
    first, second, third = on_terminal("rate", EASY.line, INKALA.line, "." * 81, returncode=1).splitlines()
    assert first.startswith("1: easy, hardest rule ")
    assert second.startswith("2: beyond, ")
    assert third == "3: many solutions"
    line = json.loads(run("rate", "--json", EASY.line).stdout)
    assert (line["level"], line["solutions"]) == ("easy", 1)
    assert run("rate", "--rules", "NS,XX", EASY.line).returncode == 2


def test_canonical_prints_one_form_or_hash_per_line(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.txt"
    lines = [EASY.line, EASY.shuffle(1).line, TINY.line, INKALA.line]
    path.write_text("\n".join(lines))
    forms = [sudokulab.canonical(line).puzzle.line for line in lines]
    assert run("canonical", path).stdout.splitlines() == forms
    through = [sudokulab.canonical(line, through="solution").puzzle.line for line in lines]
    assert run("canonical", path, "--through", "solution").stdout.splitlines() == through
    hashes = [f"{sudokulab.class_hash(line):016x}" for line in lines]
    assert run("canonical", "--hash", stdin=path.read_text()).stdout.splitlines() == hashes
    assert len({*forms}) == len({*through}) == len({*hashes}) == 3


def test_canonical_json_has_the_transformation() -> None:
    record = json.loads(run("canonical", INKALA.line, "--json").stdout)
    found = sudokulab.canonical(INKALA)
    assert (record["id"], record["puzzle"], record["form"]) == ("1", INKALA.line, found.puzzle.line)
    assert (record["num_automorphisms"], record["hash"]) == (1, f"{found.hash:016x}")
    change = sudokulab.equivalence.Transformation(
        record["is_transposed"], *(tuple(record[name]) for name in ("rows", "cols", "digits"))
    )
    assert change == found.transformation


def test_canonical_says_why_a_puzzle_has_no_form() -> None:
    done = run("canonical", EASY.line, "." * 81, "--through", "solution")
    assert done.returncode == 1
    assert done.stdout.splitlines()[1] == "# 2: the puzzle has several solutions; use puzzles with exactly one"
    assert done.stderr == "1 of 2 without a canonical form\n"
    large = run("canonical", "." * 256)
    assert (large.returncode, large.stdout[:25]) == (1, "# 1: canonical forms supp")
    assert run("canonical", "." * 256, "--hash").returncode == 0
    wrong = run("canonical", EASY.line, "--through", "sky")
    assert (wrong.returncode, wrong.stderr) == (2, "through: 'sky'; choose one of puzzle, solution\n")


def test_hint_and_explain_tell_and_draw(tmp_path: Path) -> None:
    picture, folder = tmp_path / "step.svg", tmp_path / "steps"
    done = run("hint", TINY.line, "--svg", picture)
    assert done.returncode == 0
    assert done.stdout == (
        "row\tid\tstep\ttechnique\tsentence\n1\t1\t1\thidden-single\t"
        "Hidden single: in box 1, 3 fits only in r1c2, because the 3 in r2c3 blocks the other open cells.\n"
    )
    assert picture.read_text().startswith("<svg")
    done = run("explain", TINY.line, "--svg", folder)
    assert done.stdout.splitlines()[-1].endswith("The puzzle is solved.")
    assert len(list(folder.iterdir())) == 12
    assert run("hint", "." * 16).returncode == 1
    assert json.loads(run("explain", "--json", "--techniques", "NS,HS,NP", INKALA.line).stdout)["ending"] == "stuck"


@for_each("command", [["check"], ["rate"], ["hint"], ["explain"], ["techniques", "naked-single", "--find"]])
def test_column_names_come_once(command: list[str]) -> None:
    find = ["--find"] if "--find" in command else []
    rows = [line.split("\t") for line in run(*command, TINY.line, *find, EASY.line).stdout.splitlines()]
    assert len({len(row) for row in rows}) == 1
    assert [row[1] for row in rows].count("id") == 1
    assert rows[0][:2] == ["row", "id"]
    assert {row[0] for row in rows[1:]} == {"1", "2"}


@for_each("command", ["hint", "explain"])
def test_fields_of_steps_can_be_chosen(command: str) -> None:
    record = json.loads(run(command, TINY.line, "--json", "--fields", "ending,id").stdout)
    assert list(record) == ["ending", "id"]
    names, first, *_ = run(command, TINY.line, "--fields", "technique,row").stdout.splitlines()
    assert (names, first) == ("technique\trow", "hidden-single\t1")
    assert "unknown field 'ending'" in run(command, TINY.line, "--fields", "ending").stderr
    unreadable = run(command, "--keep-going", "--json", "--fields", "error", stdin=f"{TINY.line}\nrubbish\n")
    assert [list(json.loads(line)) for line in unreadable.stdout.splitlines()] == [["error"]] * 2


@pytest.mark.parametrize("command", ["check", "rate"])
def test_piped_reports_have_the_fields_of_json(command: str) -> None:
    record = json.loads(run(command, "--json", TINY.line).stdout)
    names, fields = (line.split("\t") for line in run(command, TINY.line).stdout.splitlines())
    assert ["version", *names] == list(record)
    assert fields[2] == TINY.line
    assert fields[names.index("error")] == ""


def test_a_trace_is_written_as_columns(tmp_path: Path) -> None:
    target = tmp_path / "trace.csv"
    done = run("solve", INKALA.line, "-s", "annealing", "--iterations", "100000", "--trace", target)
    header, *rows = target.read_text().splitlines()
    assert header == "iterations,cost,best_cost,temperature,acceptance,reheats,evaluations,moves,seconds"
    assert rows[-1].startswith("100000,")
    assert done.returncode == 1
    assert "takes one puzzle" in run("solve", "easy", "--trace", target).stderr
    assert "unknown output extension '.txt'" in run("solve", INKALA.line, "--trace", "trace.txt").stderr
    done = run("solve", TINY.line, "-s", "cadical", "--trace", target)
    assert done.stdout == "1324423124133142\n"
    assert "cadical records no trace" in done.stderr
    bad = tmp_path / "bad.txt"
    bad.write_text(f"{EASY.line}\nrubbish\n")
    assert "1 error in the input" in run("solve", bad, "--keep-going", "--trace", target).stderr


COMPLETIONS = [
    ("so", "solvers"),
    ("solve --solver ac", "ac3-tabu"),
    ("solve very", "very-hard"),
    ("rate --from op", "opensudoku"),
    ("compare easy --solver dlx,ann", "dlx,annealing"),
    ("generate --level ve", "very-hard"),
    ("generate --technique x-wing,sw", "x-wing,swordfish"),
    ("reproduce ll", "lloyd-2019"),
    ("help form", "formats"),
    ("rate --scale ho", "hodoku"),
    ("convert puzzle.txt --to cn", "cnf"),
    ("explain --without uni", "uniqueness"),
    ("sheet --paper let", "letter"),
    ("instances show very", "very-hard"),
    ("instances download roy", "royle-17"),
    ("tune very", "very-hard"),
    ("reproduce lloyd-2019 table", "table-1"),
    ("convert puzzle.txt --to cnf --encoding opt", "optimised"),
    ("convert puzzle.txt --encoding opt", "optimised"),
    ("generate --kind sh", "shuffled-root"),
    ("generate --symmetry half", "half-turn"),
]


@for_each(("words", "expected"), COMPLETIONS)
def test_the_shell_completes_names(words: str, expected: str) -> None:
    typed = {"COMP_WORDS": f"sudokulab {words}", "COMP_CWORD": str(len(words.split()))}
    done = run(_SUDOKULAB_COMPLETE="complete_bash", **typed)
    assert expected in done.stdout.split()


def test_the_shell_completes_the_artefacts_of_one_paper() -> None:
    context = SimpleNamespace(params={"paper": "lewis-2007"})
    assert "table-1" in complete_artefact(cast(Any, context), "table")
    assert "figure-9" not in complete_artefact(cast(Any, context), "figure")
    context.params["paper"] = "lloyd-2019"
    assert "figure-9" in complete_artefact(cast(Any, context), "figure")


@for_each(
    ("arguments", "suggestion"),
    [
        (["reproduce", "lloid"], "unknown paper 'lloid'; did you mean 'lloyd-2019'?"),
        (["reproduce", "lloyd-2019", "tabel-1"], "did you mean 'table-1'?"),
        (["generate", "--kind", "fulll"], "unknown value 'fulll'; did you mean 'full'?"),
        (["instances", "download", "royl"], "unknown public collection 'royl'; did you mean 'royle-17'?"),
        (["instances", "show", "veryhard"], "did you mean 'very-hard'?"),
        (["sheet", "easy", "--paper", "A9"], "did you mean 'a3' or 'a4' or 'a5'?"),
        (["convert", TINY.line, "--to", "cnf", "--encoding", "extnded"], "did you mean 'extended'?"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else "",
)
def test_mistyped_names_get_a_suggestion(arguments: list[str], suggestion: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert suggestion in " ".join(done.stderr.split())


def test_values_are_accepted_in_any_case(tmp_path: Path) -> None:
    assert run("generate", "--kind", "FULL", "--size", "4", "--seed", "1").returncode == 0
    assert run("sheet", TINY.line, "--paper", "A5", "-o", tmp_path / "sheet.svg").returncode == 0


def test_tables_are_tab_separated_when_piped() -> None:
    done = run("solvers")
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert {len(row) for row in rows} == {7}
    assert "cp              naked and hidden singles" in done.stderr
    assert [row[0] for row in rows if row[0].startswith("iterated")] == ["iterated-local-search"]
    for command in (["instances"], ["solvers", "ant-colony"], ["--help"]):
        assert not set("┃│╭─") & set(run(*command).stdout)


def test_convert_draws_a_grid_on_a_terminal() -> None:
    shown = re.sub(r"\x1b\[[0-9;]*m", "", on_terminal("convert", TINY.line)).replace("\r", "")
    assert shown == (
        "1: 4 givens\n"
        "┌─────┬─────┐\n│ 1 . │ . . │\n│ . . │ 3 . │\n├─────┼─────┤\n│ . 4 │ . . │\n│ . . │ . 2 │\n└─────┴─────┘\n"
    )
    assert run("convert", TINY.line, "--to", "grid").stdout.strip() == str(TINY)


def test_verbose_prints_the_detected_format() -> None:
    assert "<stdin>: read as 'integers'" in run("convert", "-v", stdin="1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1\n").stderr


def test_convert_selects_the_format_by_extension_or_name(tmp_path: Path) -> None:
    path = tmp_path / "out.sdk"
    assert run("convert", EASY.line, "-o", path).returncode == 0
    assert path.read_text().startswith("[Puzzle]\n53..7....\n")
    assert run("convert", path, "--to", "line").stdout == f"{EASY.line}\n"
    assert run("convert", path, "-o", "-", "--to", "integers").stdout.startswith("5 3 0 0 7 0 0 0 0\n")


def test_solvers_are_listed_and_described() -> None:
    assert "dlx" in run("solvers").stdout
    assert "Dancing links" in run("solvers", "dlx").stdout
    assert json.loads(run("solvers", "--json").stdout)["solvers"]["backtracking"]["is_complete"] is True


def test_a_closed_pipe_is_not_an_error(tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    path.write_text(f"{EASY.line}\n" * 20_000)
    command = f"{sys.executable} -m sudokulab solve {path} | head -n 1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, timeout=PATIENCE_SECONDS
    )
    assert done.stdout.strip() == SOLVED
    assert done.stderr == ""


@pytest.mark.timing
def test_ctrl_c_stops_at_once() -> None:
    delay, done = command_stopping_seconds("solve", random_instance((8, 8), 1800, seed=1).line)
    assert done.returncode == 130
    assert done.stderr.splitlines()[1:] == ["interrupted"]
    assert delay < NUM_CORES * TOLERANCE_SECONDS


def test_an_input_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.sdm"
    path.write_text(f"{EASY.line}\n{INKALA.line}\n")
    for command in ("solve", "convert"):
        done = run(command, path, "-o", path)
        assert done.returncode == 2
        assert "is also the input" in done.stderr
    assert path.read_text() == f"{EASY.line}\n{INKALA.line}\n"


@pytest.mark.parametrize("command", ["solve", "convert"])
def test_a_command_that_fails_leaves_the_output_as_it_was(tmp_path: Path, command: str) -> None:
    path = tmp_path / "keep.csv"
    path.write_text("precious")
    assert run(command, "missing.sdm", "-o", path).returncode == 2
    assert path.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [path]


def test_puzzles_before_a_bad_line_are_solved() -> None:
    done = run("solve", stdin=f"{EASY.line}\n{EASY.line}\nbad\n")
    assert done.stdout.splitlines() == [SOLVED] * 2
    assert done.stderr.startswith("<stdin>:3:1: found 3 cells; use 81")


def test_an_input_without_puzzles_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "page.xml"
    path.write_text("<html><body>nothing</body></html>")
    assert f"{path}:1:1: no puzzle found; write" in run("solve", path).stderr
    assert "<stdin>:1:1: no puzzle found" in run("check", stdin="").stderr


def test_keep_going_skips_missing_files() -> None:
    done = run("solve", "--keep-going", "missing.txt", EASY.line)
    assert done.stdout.strip() == SOLVED
    assert done.returncode == 2
    assert "missing.txt: no such file" in done.stderr


def test_names_are_not_interpreted_as_markup() -> None:
    drawn = on_terminal("solve", "-", stdin=f"{TINY.line} [/red] [bold]x\n")
    assert "[/red] [bold]x: solved" in drawn


def test_the_progress_bar_leaves_the_output_alone(tmp_path: Path) -> None:
    code = f"""
import sudokulab, sys
def slowly():
    yield from [{EASY.line!r}] * 10
    sys.stdin.read()
    yield from [{EASY.line!r}] * 5
for result in sudokulab.solve_many(slowly(), threads=1, progress=True):
    print(result.solution.line)
"""
    path = tmp_path / "out.txt"
    feed_until_shown("solving", code, path)
    assert path.read_text().splitlines() == [SOLVED] * 15


def test_a_terminal_gets_a_drawn_grid_and_a_pipe_does_not() -> None:
    drawn = on_terminal("solve", TINY.line)
    assert "┌─────┬─────┐" in drawn
    assert "solved (auto" in drawn

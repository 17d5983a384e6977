"""``sudokulab techniques``, and techniques and scales as options of other commands."""

from __future__ import annotations

import json
import re
from pathlib import Path

from sudokulab import logic
from tests.cases import for_each
from tests.commands import run
from tests.puzzles import EASY, INKALA, SEVENTEEN


def test_techniques_are_listed() -> None:
    done = run("techniques")
    header, *rows = done.stdout.splitlines()
    assert header.split("\t") == ["technique", "family", "rule", "default", "uniqueness", "idea"]
    assert [row.split("\t")[0] for row in rows] == [technique.name for technique in logic.TECHNIQUES]
    assert done.returncode == 0


def test_a_technique_or_a_family_is_described() -> None:
    (wing,) = json.loads(run("techniques", "X Wing", "--json").stdout)["techniques"]
    assert (wing["name"], wing["family"], wing["assumes_uniqueness"]) == ("x-wing", "fish", False)
    assert "hidden-pair" in run("techniques", "subsets").stdout


def test_an_unknown_technique_gets_a_suggestion() -> None:
    done = run("techniques", "x-wng")
    assert done.returncode == 2
    assert "unknown technique 'x-wng'; did you mean 'x-wing'?" in done.stderr


def test_every_instance_on_a_puzzle_is_found() -> None:
    done = run("techniques", "hidden-single", "--find", SEVENTEEN.line)
    found = logic.steps(SEVENTEEN, "hidden-single")
    names, first, *others = done.stdout.splitlines()
    assert names == "row\tid\ttechnique\tsentence"
    assert 1 + len(others) == len(found) > 1
    assert first == f"1\t1\thidden-single\t{logic.describe(found[0], SEVENTEEN)}"
    records = [
        json.loads(line) for line in run("techniques", "NS,HS", "--find", EASY.line, "--json").stdout.splitlines()
    ]
    assert {record["technique"] for record in records} == {"naked-single", "hidden-single"}


def test_a_puzzle_without_an_instance_gives_exit_code_1() -> None:
    assert run("techniques", "bug+1", "--find", EASY.line).returncode == 1


def library(tmp_path: Path, digit: int) -> Path:
    """Return a file with one case: the last cell of row 1 is open, and a full house places a digit there."""
    grid = EASY.line
    solution = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
    path = tmp_path / "cases.txt"
    givens = solution[:8] + "." + grid[9:]
    path.write_text(f"# a comment\n:0000:{digit}:{givens}:::{digit}19:\n", encoding="utf-8")
    return path


def test_a_library_of_cases_is_checked(tmp_path: Path) -> None:
    done = run("techniques", "--check", library(tmp_path, 2))
    assert (done.returncode, done.stdout) == (0, "1 of 1 cases passed\n")


def test_a_failing_case_gives_exit_code_1(tmp_path: Path) -> None:
    path = library(tmp_path, 3)
    done = run("techniques", "--check", path)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [f"{path}:2: 0000: found nothing, expected r1c9=3", "0 of 1 cases passed"]


def test_a_file_that_is_not_a_library_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "cases.txt"
    path.write_text(":0000:4:123\n", encoding="utf-8")
    done = run("techniques", "--check", path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "cases.txt" in done.stderr
    assert run("techniques", "--check", tmp_path / "missing.txt").returncode == 2


@for_each(
    ("scale", "fields"),
    [
        ("rules", {"level": "beyond", "highest": None}),
        ("se", {"er": 10.7, "ep": 10.7, "ed": 9.7}),
        ("hodoku", {"hodoku_level": "extreme"}),
        ("trial", {"depth": 2, "backdoor_size": 2, "num_backdoors": 7}),
    ],
)
def test_puzzles_are_rated_on_any_scale(scale: str, fields: dict[str, object]) -> None:
    record = json.loads(run("rate", INKALA.line, "--scale", scale, "--json").stdout)
    assert {name: record[name] for name in fields} == fields


def test_the_invariant_rating_is_the_same_for_equivalent_puzzles() -> None:
    equivalent = [
        ".9...52......94.8.4.....75.8...27......5...1..3.............9.1..26......183....6",
        "6...4..........81.3...91.6..549.....7.......1.....3....28.....9.7...84.....2..5.7",
    ]
    plain, invariant = (
        [
            json.loads(line)["er"]
            for line in run("rate", *equivalent, "--scale", "SE", "--json", *options).stdout.splitlines()
        ]
        for options in ([], ["--invariant"])
    )
    assert plain == [8.5, 8.8]
    assert len(set(invariant)) == 1


@for_each(
    ("args", "complaint"),
    [
        (["rate", EASY.line, "--scale", "stars"], "unknown scale 'stars'"),
        (["rate", EASY.line, "--scale", "hodoku", "--invariant"], "invariant: scale 'hodoku' has no such option"),
        (["explain", EASY.line, "--without", "luck"], "unknown technique 'luck'"),
        (["techniques", "--find", EASY.line], "--find needs the name of a technique"),
        (["generate", "--se", "hard"], "choose a number or a range such as 7.0-7.2"),
        (["generate", "--se", "9-7"], "from 1.0 to 12.0"),
        (["generate", "--technique", "fish"], "fish is a family; choose a technique such as x-wing"),
    ],
)
def test_wrong_use_is_explained(args: list[str], complaint: str) -> None:
    done = run(*args)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


def test_explain_leaves_out_families() -> None:
    puzzle = run("generate", "--technique", "unique-rectangle-1", "--seed", "1").stdout.strip()
    usual = run("explain", puzzle).stdout
    without = run("explain", puzzle, "--without", "uniqueness").stdout
    assert "Unique rectangle type 1" in usual
    assert not re.search("unique", without, re.IGNORECASE)
    assert without.splitlines()[-1].endswith("The puzzle is solved.")

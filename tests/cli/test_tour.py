"""The tour: one puzzle solved, rated, explained, raced on, and compared with a paper."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.commands import run, run_in_terminal

pytestmark = pytest.mark.slow

RACERS = {"graph-search", "ant-colony", "hill-climbing", "ac3-tabu", "cp-annealing"}


@pytest.fixture(scope="module")
def tour() -> str:
    done = run("tour")
    assert done.returncode == 0
    assert done.stderr == ""
    return done.stdout


def test_a_hard_puzzle_is_solved_rated_and_explained(tour: str) -> None:
    assert "162857493534129678789643521475312986913586742628794135356478219241935867897261354" in tour
    assert "It has one solution." in tour
    assert re.search(r"^se .*\tSE 10\.5", tour, re.MULTILINE)
    assert re.search(r"^hodoku\tHoDoKu: extreme", tour, re.MULTILINE)
    assert "Hidden single: in box 7, 1 fits only in r8c3" in tour


def test_the_solvers_of_all_papers_finish_the_race(tour: str) -> None:
    rows = [line.split("\t") for line in tour.splitlines() if line.count("\t") == 4]
    assert rows[0] == ["solver", "paper", "solved", "median ms", "worst ms"]
    assert {row[0] for row in rows[1:]} == RACERS
    assert all(row[2] == "20 of 20" for row in rows[1:])


def test_a_result_stands_beside_the_published_one(tour: str) -> None:
    assert "paper\t100\t100 %\t11.1" in tour  # Lloyd and Amos, Table 1
    assert re.search(r"^here\t100\t100 %\t\d+\.\d$", tour, re.MULTILINE)


def test_the_commands_of_all_stops_exist(tour: str) -> None:
    commands = [shlex.split(line)[1:] for line in tour.splitlines() if re.match(r"  \S*sudokulab ", line)]
    names = ["solve", "rate", "explain", "generate", "compare", "reproduce", "serve", "compare", "reproduce"]
    assert [command[0] for command in commands] == names
    usages = {name: run(name, "--help").stdout for name in set(names)}
    for name, *arguments in commands:
        assert all(option in usages[name] for option in arguments if option.startswith("-"))


def test_a_terminal_shows_the_race_as_it_goes_on() -> None:
    shown = run_in_terminal("tour", "--cpu-seconds", "0.01")
    assert "▶" in shown
    assert "█░" in shown
    assert "162857493534129678789643521475312986913586742628794135356478219241935867897261354" not in shown

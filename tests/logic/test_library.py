"""Cases of HoDoKu's regression library."""

from __future__ import annotations

from pathlib import Path

import pytest

from sudokulab import FormatError, ParameterError
from sudokulab.logic.library import CODES, Case, check, read_cases
from tests.cases import for_each
from tests.logic.boards import Board, box, candidates, row

pytestmark = pytest.mark.native

POINTING = Board().confine(1, box(1), "r2c1 r2c3")


def text_of(removed: set[tuple[int, int]]) -> str:
    return " ".join(f"{digit}{number // 9 + 1}{number % 9 + 1}" for number, digit in sorted(removed))


def case_of(code: str, digits: str, board: Board, eliminations: str = "", extra: str = "") -> Case:
    deleted = {(number, digit) for number in range(81) for digit in set(range(1, 10)) - board.cells[number]}
    ((_, case),) = read_cases([f":{code}:{digits}:{'.' * 81}:{text_of(deleted)}:{eliminations}::{extra}"])
    return case


def test_a_case_is_one_line() -> None:
    lines = ["# a comment", "", f":0000-1:4:+1..2{'.' * 77}:436 257:112 113::7\n"]
    ((number, case),) = read_cases(lines)
    assert (number, case.code, case.digits, case.length, case.must_fail) == (3, "0000-1", frozenset({4}), 7, False)
    assert case.puzzle.cells == bytes([0, 0, 0, 2]) + bytes(77)
    assert case.placed == {(0, 1)}
    assert case.deleted == candidates([4], "r3c6") | candidates([2], "r5c7")
    assert case.eliminations == candidates([1], "r1c2 r1c3")
    assert not case.placements


@for_each(
    ("line", "problem"),
    [
        ("0000", "found 0 fields"),
        (f":0000:1:{'.' * 80}::::", "found 80 cells in the givens"),
        (f":0000:x:{'.' * 81}::::", "found the digits 'x'"),
        (f":0000:1:{'.' * 81}:1112:::", "found the candidates '1112'"),
    ],
)
def test_other_lines_are_refused(line: str, problem: str) -> None:
    with pytest.raises(FormatError, match=f"library.txt:2:1: {problem}"):
        list(read_cases(["", line], "library.txt"))


def test_unknown_codes_are_refused() -> None:
    with pytest.raises(ParameterError, match="unknown technique code: 9999"):
        check(case_of("9999", "1", Board()))


def test_a_case_passes_if_every_step_has_the_expected_result() -> None:
    rest = "124 125 126 127 128 129"
    assert check(case_of("0100", "1", POINTING, rest)) is None
    assert check(case_of("0100-1", "1", POINTING, rest)) is None
    assert check(case_of("0100", "", POINTING, rest)) is None
    assert check(case_of("0100", "1", POINTING, "124")) == (
        "found r2c4≠1 r2c5≠1 r2c6≠1 r2c7≠1 r2c8≠1 r2c9≠1, expected r2c4≠1"
    )
    assert check(case_of("0100", "2", POINTING, "224")) == "found nothing, expected r2c4≠2"
    two = Board().confine(1, box(1), "r2c1 r2c3").confine(1, box(9), "r8c7 r8c9")
    assert check(case_of("0100", "1", two, rest)) is not None


def test_nothing_may_be_found_in_a_fail_case() -> None:
    assert check(case_of("0100-x", "2", POINTING)) is None
    problem = check(case_of("0100-x", "1", POINTING))
    assert problem is not None
    assert problem.endswith("expected nothing")


def test_a_chain_must_not_be_longer_than_stated() -> None:
    board = Board().only("r1c1 r1c5 r4c5 r4c9", [1, 2])
    removed = "119 141 219 241"
    assert check(case_of("0703", "12", board, removed, "7")) is None
    assert check(case_of("0703", "12", board, removed, "5")) == "found chains of 7 links, expected 5"


def test_the_digit_of_a_placement_counts() -> None:
    line = "".join(str((3 * (number // 9) + number // 27 + number % 9) % 9 + 1) for number in range(81))
    ((_, case),) = read_cases([f":0000:{line[40]}:{line[:40]}.{line[41:]}:::{line[40]}55:"])
    assert check(case) is None
    ((_, case),) = read_cases([f":0001:{line[40]}:{line[:40]}.{line[41:]}:::{line[40]}55:"])
    assert check(case) is None


def test_variants_are_told_apart_by_code() -> None:
    board = Board().confine(1, row(2), "r2c2 r2c7").confine(1, row(6), "r6c2 r6c8")
    both = "147 157 118 138"
    assert check(case_of("03201", "1", board, both)) is None
    assert check(case_of("0320", "1", board, both)) is not None


def test_the_whole_library_passes(public_data: Path) -> None:
    path = public_data / "techniques" / "hodoku-reglib.txt"
    if not path.exists():
        pytest.skip("no regression library in the folder of public collections")
    with path.open(encoding="utf-8") as lines:
        cases = [(number, case) for number, case in read_cases(lines, str(path)) if is_supported(case)]
    assert len(cases) > 300
    assert not [(number, case.code, problem) for number, case in cases if (problem := check(case))]


def is_supported(case: Case) -> bool:
    return case.code in CODES or case.code.partition("-")[0] in CODES

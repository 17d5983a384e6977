from __future__ import annotations

import itertools
from typing import Any

import pytest

from sudokulab import Budget, Puzzle, Status, _core, is_solution, logic, parse
from sudokulab._internal.native import native_puzzle
from sudokulab.errors import ParameterError
from sudokulab.solvers import Backtracking, GraphSearch
from sudokulab.solvers.notation import NotationError, parse_heuristic
from tests.cases import for_each
from tests.puzzles import EASY, INKALA, SEVENTEEN, random_instance
from tests.solvers.graph_reference import ReferenceSearch
from tests.timing import cpu_seconds

pytestmark = pytest.mark.native

TABLE_3 = [
    "Lv",
    "Dv r1r2(EP)",
    "DvGvmax r1r2(GmaxEP)",
    "DvGvmin r1r2(GmaxEP)",
    "D r1r2(GmaxEP)",
    "Gmax r1r2(EP)",
]

SMALL_PUZZLES = [
    random_instance((2, 2), 3, seed=1),
    parse("1...2..5...46..5....5.....3.......5."),
    parse("...4...6..5...5....4......6...1.4..3"),
]
NINE = parse(".2...6..7316.......9...4.....25.96..8.432.75..7..48.2......3.64.....2..3.8...5..2")

REFUTED, TESTED, TIED_CELLS, BRANCHING, INVARIANT = (
    ("last", "drop", "remove", "ties-first"),
    ("ties", "all"),
    ("first", "tested"),
    ("d-way", "two-way"),
    ("edges", "density"),
)
# by heuristic, the readings that make a difference for these puzzles
READINGS: dict[str, list[tuple[str, ...]]] = {
    "Lv": [BRANCHING],
    "Dv E": [BRANCHING],
    "Dv r1r2(EP)": [REFUTED, TIED_CELLS, BRANCHING],
    "DvGvmax r1r2(GmaxEP)": [REFUTED, TIED_CELLS, BRANCHING, INVARIANT],
    "DvGvmin r1r2(GmaxEP)": [REFUTED, BRANCHING, INVARIANT],
    "D r1r2(GmaxEP)": [REFUTED, TESTED, INVARIANT],
    "Gmax r1r2(EP)": [REFUTED, TESTED, INVARIANT],
    "Gmin r1r2(EP)": [TESTED, INVARIANT],
    "r1r2(GminEP)": [INVARIANT],
    "DvGmax r1r2(EP)": [REFUTED, TESTED, TIED_CELLS, BRANCHING, INVARIANT],
}


def readings(heuristic: str) -> list[dict[str, Any]]:
    names = {
        REFUTED: "refuted",
        TESTED: "tested",
        TIED_CELLS: "tied_cells",
        BRANCHING: "branching",
        INVARIANT: "invariant",
    }
    kinds = READINGS[heuristic]
    return [dict(zip((names[kind] for kind in kinds), chosen, strict=True)) for chosen in itertools.product(*kinds)]


@pytest.mark.heavy
@for_each("heuristic", [*TABLE_3, "L", "Ev", "Pv", "GvminPv r1r2(L)", "r1r2(E)", "E P Gmin D", "GminGvmax"])
def test_every_heuristic_is_complete(heuristic: str) -> None:
    solver = GraphSearch(heuristic=heuristic)
    for puzzle in (EASY, INKALA, SEVENTEEN):
        assert is_solution(solver.solve(puzzle), puzzle)
    assert solver.count(Puzzle.empty(4)) == 288
    assert solver.solve(parse("123....4........")).status is Status.UNSATISFIABLE
    several = random_instance((3, 3), 24, seed=3)
    assert solver.count(several, 40) == Backtracking().count(several, 40)


@for_each("heuristic", READINGS)
def test_every_reading_is_complete(heuristic: str) -> None:
    for reading in readings(heuristic):
        assert GraphSearch(heuristic=heuristic, **reading).count(Puzzle.empty(4)) == 288


def check_against_slow_search(puzzle: Puzzle, heuristic: str, reading: dict[str, Any], *, has_all_rules: bool) -> None:
    chosen = {
        **{"refuted": "last", "tested": "ties", "tied_cells": "first", "branching": "d-way", "invariant": "edges"},
        **reading,
    }
    rules = tuple(rule.code for rule in logic.RULES)[: 10 if has_all_rules else 2]
    parsed = parse_heuristic(heuristic)
    slow = ReferenceSearch(list(parsed.before), list(parsed.after), max_size=4 if has_all_rules else 1, **chosen)
    solution = slow.solve(puzzle.cells, (puzzle.box.rows, puzzle.box.cols))
    found = GraphSearch(heuristic=heuristic, rules=rules, **chosen).solve(puzzle)
    assert found.stats == slow.stats
    assert (found.status is Status.SOLVED) == (solution is not None)
    if found.solution and solution:
        assert list(found.solution.cells) == [digit + 1 for _, digit in sorted(solution.items())]


@pytest.mark.thorough
@for_each("heuristic", READINGS)
def test_every_reading_agrees_with_a_slow_search(heuristic: str) -> None:
    puzzles = SMALL_PUZZLES if "v" in heuristic else SMALL_PUZZLES[:2]  # the slow search evaluates every candidate
    for puzzle, reading in itertools.product(puzzles, readings(heuristic)):
        check_against_slow_search(puzzle, heuristic, reading, has_all_rules=False)


@for_each("branching", BRANCHING)
@for_each("refuted", REFUTED)
def test_all_ten_rules_agree_with_a_slow_search(refuted: str, branching: str) -> None:
    reading = {"refuted": refuted, "branching": branching}
    check_against_slow_search(NINE, "Dv r1r2(EP)", reading, has_all_rules=True)


@for_each("heuristic", TABLE_3)
def test_an_exhausted_budget_is_never_reported_as_unsatisfiable(heuristic: str) -> None:
    large = random_instance((5, 5), 200, seed=1)
    for seconds in (0.0, 0.001, 0.01, 0.05):
        assert GraphSearch(heuristic=heuristic).solve(large, Budget(seconds=seconds)).status is not Status.UNSATISFIABLE


@pytest.mark.timing
@for_each("heuristic", ["Pv", "DvGvmax r1r2(GmaxEP)", "Gmax"])
def test_a_budget_is_kept_on_the_largest_grids(heuristic: str) -> None:
    solver, budget = GraphSearch(heuristic=heuristic), Budget(seconds=0.1)
    assert cpu_seconds(lambda: solver.solve(Puzzle.empty(64), budget)) < 0.5


def test_puzzles_solved_by_rules_need_no_nodes() -> None:
    stats = GraphSearch().solve(SEVENTEEN).stats
    assert stats == {"nodes": 0, "backtracks": 0, "rejected": 0, "max_depth": 0, "max_unforced": 0}


def test_fewer_rules_mean_more_nodes() -> None:
    few = GraphSearch(heuristic="Dv", rules=("NS",)).solve(SEVENTEEN).stats["nodes"]
    assert few > GraphSearch(heuristic="Dv", rules=("NS", "HS")).solve(SEVENTEEN).stats["nodes"]


def count_edges_by_building_the_graph(puzzle: Puzzle) -> int:
    domains = logic.deduce(puzzle, []).candidates
    size, box = puzzle.size, puzzle.box
    vertices = [
        (row, col, digit)
        for row, col, digit in itertools.product(range(size), repeat=3)
        if domains[row, col, digit] and not puzzle.givens[row, col]
    ]

    def are_compatible(a: tuple[int, int, int], b: tuple[int, int, int]) -> bool:
        if a[:2] == b[:2]:
            return False
        same_box = (a[0] // box.rows, a[1] // box.cols) == (b[0] // box.rows, b[1] // box.cols)
        return a[2] != b[2] or not (a[0] == b[0] or a[1] == b[1] or same_box)

    return sum(are_compatible(a, b) for a, b in itertools.combinations(vertices, 2))


def test_the_example_of_the_paper_has_16_edges() -> None:
    figure_1 = parse("1234" + "43.." + "2143" + "34..")
    assert _core.count_edges(native_puzzle(figure_1)) == 16
    assert count_edges_by_building_the_graph(figure_1) == 16


@for_each(("box", "num_givens"), [((2, 2), 5), ((2, 3), 14), ((3, 2), 14), ((3, 3), 35)])
def test_edge_counts_match_the_explicit_graph(box: tuple[int, int], num_givens: int) -> None:
    for seed in range(3):
        puzzle = random_instance(box, num_givens, seed)
        assert _core.count_edges(native_puzzle(puzzle)) == count_edges_by_building_the_graph(puzzle)


@for_each(
    ("text", "position", "expected"),
    [
        ("", 0, "a measure"),
        ("Dx", 1, "a measure"),
        ("G", 1, "max or min after G"),
        ("Gmx", 1, "max or min after G"),
        ("Dv r1r3(E)", 6, "'2' of 'r1r2('"),
        ("Dv r1r2()", 8, "a measure"),
        ("Dv r1r2(E", 9, "')'"),
        ("Dv r1r2(Ev)", 9, "a measure"),
        ("Dv r1r2(E) D", 11, "nothing after the )"),
    ],
)
def test_errors_point_at_the_character(text: str, position: int, expected: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_heuristic(text)
    assert caught.value.position == position
    assert f"at character {position + 1}; write {expected}" in str(caught.value)
    assert str(caught.value).splitlines()[-1] == f"  {' ' * position}^"
    with pytest.raises(ParameterError, match=f"at character {position + 1}"):
        GraphSearch(heuristic=text)


def test_unknown_rules_are_rejected() -> None:
    with pytest.raises(ValueError, match="unknown technique 'XW'"):
        GraphSearch(rules=("NS", "XW"))
    with pytest.raises(ValueError, match="not a rule: x-wing; choose one of NS"):
        GraphSearch(rules=("NS", "x-wing"))

"""Filters before a stochastic search."""

from __future__ import annotations

import pytest

from sudokulab import Budget, ParameterError, Puzzle, _core, logic, parse, solve
from sudokulab._internal.native import native_puzzle
from sudokulab.lab import SolverSpec
from sudokulab.logic import cp
from sudokulab.solvers import (
    FILTERS,
    SOLVERS,
    Annealing,
    AntColony,
    CpAnnealing,
    FilteringSolver,
    HillClimbing,
    make_solver,
)
from tests.cases import for_each
from tests.logic.reference import applies
from tests.puzzles import INKALA, random_instance

pytestmark = pytest.mark.native

FILTERING = [solver for solver in SOLVERS.values() if issubclass(solver, FilteringSolver)]
NEEDS_RULES = parse("1.5.6.8.7..8..143.......5..4..9......8.7.3......4....3.....8....2..4.7..94..7..1.")
PUZZLES = [INKALA, NEEDS_RULES, random_instance((2, 3), 12, 3), random_instance((3, 3), 26, 5)]


def fixed_by(name: str, puzzle: Puzzle) -> Puzzle:
    return Puzzle(_core.filtered_givens(native_puzzle(puzzle), name), puzzle.box)


@for_each("puzzle", PUZZLES)
def test_the_filter_rules_fixes_the_cells_that_the_ten_rules_place(puzzle: Puzzle) -> None:
    assert fixed_by("rules", puzzle) == logic.deduce(puzzle).puzzle


@for_each("puzzle", PUZZLES)
def test_no_rule_is_left_to_apply_after_the_filter(puzzle: Puzzle) -> None:
    fixed = fixed_by("rules", puzzle)
    # the rules start again from the fixed cells alone, so their eliminations are made a second time
    deduction = logic.deduce(fixed)
    assert deduction.puzzle == fixed
    placed = {divmod(cell, fixed.size) for cell, digit in enumerate(fixed.cells) if digit}
    assert not any(applies(rule.code, deduction.candidates, placed, fixed.box) for rule in logic.RULES)


def test_the_rules_fix_more_cells_than_singles() -> None:
    for puzzle in (NEEDS_RULES, random_instance((3, 3), 24, 6), random_instance((3, 3), 30, 5)):
        assert fixed_by("rules", puzzle).num_givens > cp(puzzle).num_givens


@for_each("solver", FILTERING)
@for_each("name", ["none", "cp", "ac3", "rules", "naked-single,hidden-single,x-chain"])
def test_every_filter_fixes_cells_before_the_search(solver: type[FilteringSolver], name: str) -> None:
    result = make_solver(solver, filter=name).solve(INKALA, Budget(iterations=3))
    fixed = fixed_by(name, INKALA)
    assert result.stats.get("share_fixed", INKALA.num_givens / 81) == pytest.approx(fixed.num_givens / 81)
    state = result.solution or result.best
    assert state is not None
    assert all(digit in (0, other) for digit, other in zip(fixed.cells, state.cells, strict=True))


def test_any_list_of_techniques_is_a_filter() -> None:
    puzzle = parse(
        "...6....5.8.......57.398.1.8......5..3.........4.1.9.......6..2...2716...61.4..8."
    )  # needs an X-wing
    names = ["singles", "locked-candidates", "subsets"]
    for listed, is_solved in ((names, False), ([*names, "X Wing"], True)):
        result = Annealing(filter=",".join(listed)).solve(puzzle, Budget(iterations=1))
        assert result.stats["share_fixed"] == logic.deduce(puzzle, listed).puzzle.num_givens / 81
        assert (result.stats["share_fixed"] == 1) is is_solved


def test_techniques_and_a_search_combine_by_name() -> None:
    named = make_solver("singles+x-wing+annealing")
    assert (named.name, named) == ("singles+x-wing+annealing", Annealing(filter="singles,x-wing"))
    assert SolverSpec(name=named.name).make() == named


def test_a_filter_must_hold_on_puzzles_with_several_solutions() -> None:
    with pytest.raises(ParameterError, match="unique-rectangle-1 assumes a unique solution"):
        Annealing(filter="singles,unique-rectangle-1")


def test_techniques_filter_grids_up_to_size_25() -> None:
    with pytest.raises(ParameterError, match="x-wing: the puzzle has size 36; this technique works up to size 25"):
        Annealing(filter="singles,x-wing").solve(Puzzle.empty((6, 6)), Budget(iterations=1))


@for_each("solver", FILTERING)
def test_a_puzzle_that_the_rules_solve_needs_no_search(solver: type[FilteringSolver]) -> None:
    assert logic.deduce(NEEDS_RULES).is_solved
    result = make_solver(solver, filter="rules").solve(NEEDS_RULES, Budget(iterations=100))
    assert result.is_solved
    assert result.stats["iterations"] == 0
    assert result.stats["share_fixed"] == 1


def test_a_contradiction_found_by_the_rules_ends_the_run() -> None:
    unsolvable = Puzzle.from_array([[1, 2, 3, 0], [0, 0, 0, 4], [0, 0, 0, 0], [0, 0, 0, 0]])
    result = Annealing(filter="rules").solve(unsolvable, Budget(iterations=100))
    assert not result.is_solved
    assert result.stats["share_fixed"] == 0


def test_a_filter_and_a_search_combine_by_name() -> None:
    assert make_solver("cp+annealing", cooling=0.5) == Annealing(cooling=0.5, filter="cp")
    assert make_solver("rules+hill-climbing") == HillClimbing(filter="rules")
    assert make_solver("singles+ant-colony") == AntColony(filter="singles")


def test_the_name_of_a_solver_has_its_filter() -> None:
    assert Annealing(filter="ac3").name == "ac3+annealing"
    assert solve(INKALA, "cp+tabu", Budget(iterations=1)).solver == "cp+tabu"
    assert Annealing().name == "annealing"
    assert CpAnnealing().name == "cp-annealing"
    assert make_solver("iterated-local-search").name == "iterated-local-search"


def test_every_filter_with_a_name_can_be_combined() -> None:
    for name in FILTERS:
        assert make_solver(f"{name}+annealing").solve(INKALA, Budget(iterations=1)).stats["share_fixed"] > 0


@for_each(
    ("name", "parameters", "message"),
    [
        ("cp+dlx", {}, "only these solvers combine with a filter: hill-climbing, tabu"),
        ("cp+anealing", {}, "did you mean 'annealing'"),
        ("+annealing", {}, r"name a filter before the plus sign, as in cp\+annealing"),
        ("x+annealing", {}, "choose none, cp, ac3, rules, or techniques"),
        ("cp+annealing", {"filter": "ac3"}, "names its filter; remove the parameter"),
    ],
)
def test_wrong_combinations_are_explained(name: str, parameters: dict[str, str], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        make_solver(name, **parameters)

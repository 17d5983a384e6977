"""CNF formulas, solved by CaDiCaL."""

from __future__ import annotations

import io
from math import comb

import pytest
from pysat.formula import CNF
from pysat.solvers import Cadical153

from sudokulab import Puzzle, SudokulabError, count, is_solution, parse
from sudokulab.convert import ENCODINGS, Cnf, cnf, decode_cnf, write_cnf
from sudokulab.errors import NoSolutionError
from tests.cases import for_each
from tests.puzzles import EASY, INKALA, SEVENTEEN, SMALL, TINY, full_grid, random_instance

PUZZLES = [
    TINY,
    SMALL,
    EASY,
    INKALA,
    SEVENTEEN,
    Puzzle.empty((2, 2)),
    random_instance((2, 3), 8, seed=1),
    random_instance((3, 2), 8, seed=2),
    random_instance((2, 4), 16, seed=3),
    random_instance((4, 4), 120, seed=4),
    full_grid((3, 3)),
]
CONTRADICTORY = [
    parse("11" + "." * 79),  # clashing givens
    parse("1..." + "1..." + "." * 8),
    parse("123....4........"),  # no digit left for a cell
    parse("1234" * 4),
    parse("82" + INKALA.line[2:]),  # needs search to refute
]


def model(formula: Cnf) -> list[int] | None:
    with Cadical153(bootstrap_with=formula.clauses) as solver:
        solver.solve()
        found: list[int] | None = solver.get_model()
        return found


def dimacs(puzzle: Puzzle, encoding: str) -> str:
    stream = io.StringIO()
    write_cnf(puzzle, stream, encoding)
    return stream.getvalue()


@for_each("encoding", ENCODINGS)
@for_each("puzzle", PUZZLES, ids=str)
def test_a_sat_solver_solves_every_encoding(puzzle: Puzzle, encoding: str) -> None:
    solution = decode_cnf(puzzle, model(cnf(puzzle, encoding)), encoding)
    assert solution.box == puzzle.box
    assert is_solution(solution.givens, puzzle)


@for_each("encoding", ENCODINGS)
@for_each("puzzle", CONTRADICTORY, ids=str)
def test_unsolvable_puzzles_have_no_model(puzzle: Puzzle, encoding: str) -> None:
    assert model(cnf(puzzle, encoding)) is None


def test_contradictions_that_need_search_are_left_to_the_solver() -> None:
    assert cnf(CONTRADICTORY[-1], "optimised").num_variables > 0


def test_a_contradiction_found_by_propagation_is_one_empty_clause() -> None:
    formula = cnf(parse("11" + "." * 79), "optimised")
    assert list(formula.clauses) == [()]
    assert dimacs(parse("11" + "." * 79), "optimised").endswith("p cnf 0 1\n0\n")


@for_each("encoding", ENCODINGS)
@for_each("puzzle", ["." * 16, "12" + "." * 14, "1.....3..4......", TINY.line])
def test_models_and_solutions_correspond_one_to_one(puzzle: str, encoding: str) -> None:
    formula = cnf(parse(puzzle), encoding)
    with Cadical153(bootstrap_with=formula.clauses) as solver:
        solutions = set()
        while solver.solve():
            found = solver.get_model()
            solutions.add(decode_cnf(parse(puzzle), found, encoding).line)
            solver.add_clause([-literal for literal in found])
            assert len(solutions) <= 288
    assert len(solutions) == count(puzzle)


def test_formula_sizes_match_the_papers() -> None:
    empty = Puzzle.empty(9)
    assert cnf(empty, "minimal").num_clauses == 8829  # Lynce and Ouaknine print both
    assert cnf(empty, "extended").num_clauses == 11988
    assert cnf(INKALA, "minimal").num_clauses == 8829 + INKALA.num_givens


@for_each("puzzle", PUZZLES, ids=str)
def test_the_optimised_encoding_contains_only_open_candidates(puzzle: Puzzle) -> None:
    extended, optimised = cnf(puzzle, "extended"), cnf(puzzle, "optimised")
    assert extended.num_variables == puzzle.size**3
    if puzzle.num_givens:
        assert optimised.num_variables < extended.num_variables
    assert all(len(clause) > 1 for clause in optimised.clauses)
    used = {abs(literal) for clause in optimised.clauses for literal in clause}
    assert used == set(range(1, optimised.num_variables + 1))


def test_puzzles_solved_by_singles_give_an_empty_formula() -> None:
    formula = cnf(EASY, "optimised")
    assert (formula.num_variables, formula.num_clauses) == (0, 0)
    assert is_solution(decode_cnf(EASY, [], "optimised").givens, EASY)


@for_each("encoding", ENCODINGS)
@for_each("puzzle", [TINY, SMALL, INKALA], ids=str)
def test_files_are_valid_dimacs(puzzle: Puzzle, encoding: str) -> None:
    formula, text = cnf(puzzle, encoding), dimacs(puzzle, encoding)
    read = CNF(from_string=text)
    assert [tuple(clause) for clause in read.clauses] == list(formula.clauses)
    head = f"p cnf {formula.num_variables} {formula.num_clauses}"
    assert head in text.splitlines()
    assert formula.num_clauses == len(read.clauses)
    assert puzzle.line in text.splitlines()[1]


def test_comments_map_variables_to_candidates() -> None:
    puzzle = parse("1.....3..4......")
    found = model(cnf(puzzle, "optimised"))
    assert found is not None
    rows = [line.split()[1:] for line in dimacs(puzzle, "optimised").splitlines() if line.startswith("c r")]
    told = {
        int(variable): (name, int(digit)) for name, *pairs in rows for variable, digit in (p.split("=") for p in pairs)
    }
    solution = decode_cnf(puzzle, found, "optimised")
    for name, digit in (told[literal] for literal in found if literal > 0):
        assert solution.givens[int(name[1]) - 1, int(name[3]) - 1] == digit


def test_a_large_formula_is_generated_lazily() -> None:
    formula = cnf(Puzzle.empty((8, 8)))
    assert formula.num_clauses == 4 * 64**2 * (1 + comb(64, 2))
    assert next(iter(formula.clauses)) == tuple(range(1, 65))


@for_each(
    "shape",
    [
        "c a comment\ns SATISFIABLE\n{lines}v 0\nc done\n",  # competition solvers
        "SAT\n{words} 0\n",  # MiniSat
        "SATISFIABLE\r\n{lines}v 0\r\n",
        "{words} 0",
    ],
)
def test_answers_of_common_solvers_are_read(shape: str) -> None:
    found = model(cnf(INKALA))
    assert found is not None
    words = [str(literal) for literal in found]
    lines = "".join(f"v {' '.join(words[i : i + 20])}\n" for i in range(0, len(words), 20))
    assert is_solution(decode_cnf(INKALA, shape.format(lines=lines, words=" ".join(words))).givens, INKALA)


@for_each("answer", ["s UNSATISFIABLE\n", "UNSAT\n", "c hm\nUNSATISFIABLE\n", None])
def test_unsatisfiable_is_distinguished_from_a_wrong_answer(answer: str | None) -> None:
    with pytest.raises(NoSolutionError, match="no solution"):
        decode_cnf(EASY, answer)


@for_each(
    ("answer", "complaint"),
    [
        ("", "no values"),
        ("s SATISFIABLE\n", "no values"),
        ("s UNKNOWN\n", "reached no verdict"),
        ("INDET\n", "reached no verdict"),
        ("v 1 2 3\n", "is truncated"),
        ("v 1 x 0\n", "'x' in the answer is not an integer"),
        ("v 1 65 0\n", "variable 65 in the answer, but the extended encoding has 64"),
        ("v 1 -1 0\n", "both 1 and -1"),
        ("v 1 2 0\n", "two digits for r1c1, 1 and 2"),
        ("v 1 0\n", "the answer has no digit for r1c2"),
        ([1, 2], "two digits for r1c1"),
        ([4 * cell + 1 for cell in range(16)], "does not solve this puzzle"),
    ],
)
def test_wrong_answers_are_rejected_with_a_reason(answer: str | list[int], complaint: str) -> None:
    with pytest.raises(SudokulabError, match=complaint) as caught:
        decode_cnf(TINY, answer)
    assert not isinstance(caught.value, NoSolutionError)


def test_the_solution_of_another_puzzle_is_rejected() -> None:
    with pytest.raises(SudokulabError, match="does not solve this puzzle"):
        decode_cnf(EASY, model(cnf(INKALA)))


def test_unknown_encodings_are_rejected() -> None:
    for call in (lambda: cnf(TINY, "best"), lambda: decode_cnf(TINY, [], "best")):
        with pytest.raises(SudokulabError, match="unknown encoding 'best'"):
            call()

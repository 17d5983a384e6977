"""Graphs, coloured by CaDiCaL: a formula assigns exactly one colour to each vertex."""

from __future__ import annotations

import io
from itertools import combinations

import pytest
from pysat.solvers import Cadical153

from sudokulab import BoxShape, Puzzle, SudokulabError, count, is_solution, parse
from sudokulab.convert import colouring, decode_colouring, write_colouring
from sudokulab.errors import NoSolutionError
from tests.cases import for_each
from tests.puzzles import BOXES, EASY, INKALA, SMALL, TINY, full_grid, random_instance

COLOURED = "0 2 1 3 3 1 2 0 1 3 0 2 2 0 3 1"  # TINY's solution, with arbitrary colours


def clauses(puzzle: Puzzle) -> list[list[int]]:
    num_vertices, colours = puzzle.size**2, range(1, puzzle.size + 1)

    def variable(vertex: int, colour: int) -> int:
        return (vertex - 1) * puzzle.size + colour

    some = [[variable(vertex, colour) for colour in colours] for vertex in range(1, num_vertices + 1)]
    one = [[-a, -b] for choice in some for a, b in combinations(choice, 2)]
    return some + one + [[-variable(i, c), -variable(j, c)] for i, j in colouring(puzzle).tolist() for c in colours]


def colours_of(model: list[int], size: int) -> list[int]:
    return [(literal - 1) % size for literal in model if literal > 0]


@for_each("box", BOXES, ids=str)
def test_without_givens_edges_join_exactly_the_peers(box: BoxShape) -> None:
    num_peers = 3 * box.size - 1 - box.rows - box.cols
    edges = colouring(Puzzle.empty(box))
    assert len(edges) == box.size**2 * num_peers // 2
    assert len({frozenset(edge) for edge in edges.tolist()}) == len(edges)
    assert (edges[:, 0] < edges[:, 1]).all()


def test_givens_of_different_digits_are_joined_as_in_the_paper() -> None:
    puzzle = parse("........12" + "." * 71)  # the paper's example: nodes 9 and 10
    assert [9, 10] in colouring(puzzle).tolist()
    assert [9, 10] not in colouring(Puzzle.empty(9)).tolist()


def test_with_all_digits_given_there_are_no_other_edges() -> None:
    givens = [(cell, digit) for cell, digit in enumerate(EASY.cells, start=1) if digit]
    unequal = {(a, b) for (a, x), (b, y) in combinations(givens, 2) if x != y}
    peers = {tuple(edge) for edge in colouring(Puzzle.empty(9)).tolist()}
    assert {tuple(edge) for edge in colouring(EASY).tolist()} == peers | unequal


@for_each(
    "puzzle",
    [
        TINY,
        parse("1.....1........."),  # one digit, given twice
        parse("1.....1..2......"),
        parse("1234............"),
        SMALL,
        random_instance((3, 2), 9, seed=5),
        EASY,
        INKALA,
        full_grid((2, 4)),
    ],
    ids=str,
)
def test_an_exact_colouring_is_a_solution(puzzle: Puzzle) -> None:
    with Cadical153(bootstrap_with=clauses(puzzle)) as solver:
        assert solver.solve()
        solution = decode_colouring(puzzle, colours_of(solver.get_model(), puzzle.size))
    assert is_solution(solution.givens, puzzle)


@for_each("puzzle", ["." * 16, "1.....1.........", "1.....1..2......", "12.............."])
def test_colourings_are_the_solutions_up_to_renaming_of_missing_digits(puzzle: str) -> None:
    given = parse(puzzle)
    solutions = set()
    with Cadical153(bootstrap_with=clauses(given)) as solver:
        while solver.solve():
            found = solver.get_model()
            solutions.add(str(decode_colouring(given, colours_of(found, 4))))
            solver.add_clause([-literal for literal in found])
    num_free = 4 - len(set(given.cells) - {0})
    names = {4: 24, 3: 6, 2: 2}[num_free]
    assert len(solutions) * names == count(puzzle)


@for_each(
    "puzzle",
    [
        "11" + "." * 14,  # in a row and a box
        "1..1" + "." * 12,  # in a row
        "1" + "." * 11 + "1...",  # in a column
        "1....1" + "." * 10,  # in a box
        "1234.1" + "." * 10,  # with all digits given
        "123....4........",  # no digit left for a cell
    ],
)
def test_contradictory_givens_have_no_colouring(puzzle: str) -> None:
    with Cadical153(bootstrap_with=clauses(parse(puzzle))) as solver:
        assert not solver.solve()


def test_files_are_valid_dimacs() -> None:
    stream = io.StringIO()
    write_colouring(SMALL, stream)
    comments = [line for line in stream.getvalue().splitlines() if line.startswith("c ")]
    head, *edges = [line.split() for line in stream.getvalue().splitlines() if not line.startswith("c ")]
    assert head == ["p", "edge", "36", str(len(edges))]
    assert [[int(i), int(j)] for e, i, j in edges] == colouring(SMALL).tolist()
    assert any(SMALL.line in comment for comment in comments)


@for_each(
    "answer",
    [
        COLOURED,
        COLOURED.replace(" ", "\n"),
        "s col 4\n" + "".join(f"l {i} {c}\n" for i, c in enumerate(COLOURED.split(), start=1)),
        "".join(f"v {i} {c}\n" for i, c in reversed(list(enumerate(COLOURED.split(), start=1)))),
        [int(colour) * 7 - 3 for colour in COLOURED.split()],
    ],
)
def test_colourings_are_read_in_all_common_formats(answer: str | list[int]) -> None:
    assert is_solution(decode_colouring(TINY, answer).givens, TINY)


def test_colours_without_a_given_get_the_remaining_digits_in_order() -> None:
    assert decode_colouring(parse("3" + "." * 15), COLOURED).line == "3124421324311342"
    assert is_solution(decode_colouring(Puzzle.empty(4), COLOURED).givens, Puzzle.empty(4))


@for_each(
    ("answer", "complaint"),
    [
        ("0 1 2", "3 colours in the answer; use 16"),
        (COLOURED + " 1", "17 colours"),
        (COLOURED.replace("3", "x"), "'x' in the answer is not an integer"),
        (COLOURED[:-1] + "9", "5 different colours in the answer; use 4"),
        (COLOURED[:-1] + "2", "colour of r4c4 in the answer contradicts"),
        ("0 1 2 3 " * 4, "does not solve this puzzle"),
        ("l 1\n", "'l 1' in the answer; write 'l vertex colour'"),
        ("l 1 2\nl 1 3\n", "two colours for vertex 1"),
        ("l 1 2\nl 3 3\n", "vertices from 1 to 3 in the answer; colour all from 1"),
        ("l 1 2\n3\n", "with and without a vertex"),
    ],
)
def test_wrong_colourings_are_rejected_with_a_reason(answer: str, complaint: str) -> None:
    with pytest.raises(SudokulabError, match=complaint):
        decode_colouring(TINY, answer)


def test_a_colouring_with_equal_neighbours_is_rejected() -> None:
    with pytest.raises(SudokulabError, match="does not solve this puzzle"):
        decode_colouring(Puzzle.empty(4), [0, 1, 2, 3] * 4)
    with pytest.raises(NoSolutionError):
        decode_colouring(TINY, "s UNSATISFIABLE")

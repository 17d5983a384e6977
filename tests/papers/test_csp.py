"""The general CSP method, and Sudoku as a special case."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, get_args

import numpy as np
import pytest

from sudokulab import Puzzle, SudokulabError, _core, count, logic, parse, solutions
from sudokulab._internal.native import native_puzzle
from sudokulab.papers.csp import BinaryCsp, Invariant, SearchStats, VertexOrder, queens
from tests.cases import for_each
from tests.puzzles import random_instance

Vertex = tuple[int, Any]


def attack(columns: tuple[int, ...]) -> bool:
    pairs = itertools.combinations(range(len(columns)), 2)
    return any(columns[i] == columns[j] or abs(columns[i] - columns[j]) == j - i for i, j in pairs)


@for_each("heuristic", ["Lv", "Dv", "DvGvmin Gmax", "DvGvmax r1r2(GmaxEP)", "Ev P", "Pv r1r2(GminD)"])
def test_eight_queens_have_92_solutions(heuristic: str) -> None:
    solutions = list(queens(8).solutions(heuristic))
    assert len(solutions) == len(set(solutions)) == 92
    assert not any(attack(solution) for solution in solutions)


def test_many_queens_are_placed_almost_without_backtracking() -> None:  # docs/reference/csp.md places a hundred
    stats = SearchStats()
    solution = next(queens(40).solutions("DvGvmin Gmax", stats))
    assert not attack(solution)
    assert stats.backtracks < 40
    assert stats.max_depth == 40


class SlowSearch:
    """The search with ``DvGvmin Gmax``, on explicit sets of vertices and pairs of vertices."""

    def __init__(self, csp: BinaryCsp, invariant: str, vertex_order: str) -> None:
        self.vertices: list[Vertex] = [(i, value) for i in range(len(csp.domains)) for value in csp.domains[i]]
        wrong = {frozenset(pair) for pair in csp.inconsistent}
        pairs = [frozenset(pair) for pair in itertools.combinations(self.vertices, 2)]
        self.edges: set[frozenset[Vertex]] = {p for p in pairs if len({v for v, _ in p}) == 2 and p not in wrong}
        self.invariant, self.vertex_order = invariant, vertex_order
        self.nodes = 0

    def inside(self, graph: list[Vertex]) -> list[frozenset[Vertex]]:
        return [edge for edge in self.edges if edge <= set(graph)]

    def of_variable(self, variable: int, graph: list[Vertex]) -> float:
        num_edges = sum(any(v == variable for v, _ in edge) for edge in self.inside(graph))
        num_own = sum(v == variable for v, _ in graph)
        num_pairs = num_own * (len(graph) - num_own)
        return num_edges / max(num_pairs, 1) if self.invariant == "density" else num_edges

    def of_graph(self, graph: list[Vertex]) -> float:
        num_edges, num_pairs = len(self.inside(graph)), len(graph) * (len(graph) - 1) / 2
        if self.invariant == "density":
            return num_edges / num_pairs if num_pairs else 1
        return num_edges

    def place(self, vertex: Vertex, graph: list[Vertex]) -> tuple[int, int]:
        """Return the place of a vertex in the order that breaks ties."""
        ranked_in: list[Vertex] = {"given": [], "initial": self.vertices, "dynamic": graph}[self.vertex_order]
        degree = sum(frozenset((vertex, other)) in self.edges for other in ranked_in)
        return -degree, self.vertices.index(vertex)

    def run(self, graph: list[Vertex], left: set[int], chosen: dict[int, int]) -> Iterator[tuple[int, ...]]:
        if not left:
            yield tuple(chosen[variable] for variable in sorted(chosen))
            return
        domains = {variable: [vertex for vertex in graph if vertex[0] == variable] for variable in left}
        if not all(domains.values()):
            return
        variable = min(
            left,
            key=lambda v: (len(domains[v]), self.of_variable(v, graph), min(self.place(x, graph) for x in domains[v])),
        )

        def narrowed(vertex: Vertex) -> list[Vertex]:
            return [other for other in graph if frozenset((vertex, other)) in self.edges]

        values = sorted(domains[variable], key=lambda v: (-self.of_graph(narrowed(v)), self.place(v, graph)))
        for vertex in values:
            self.nodes += 1
            yield from self.run(narrowed(vertex), left - {variable}, chosen | {variable: vertex[1]})


@for_each("invariant", get_args(Invariant))
@for_each("vertex_order", get_args(VertexOrder))
def test_the_search_agrees_with_explicit_counts(invariant: Invariant, vertex_order: VertexOrder) -> None:
    for csp in (queens(5), queens(6), sudoku(random_instance((2, 2), 4, 1))):
        slow = SlowSearch(csp, invariant, vertex_order)
        expected = list(itertools.islice(slow.run(slow.vertices, set(range(len(csp.domains))), {}), 5))
        stats = SearchStats()
        found = csp.solutions("DvGvmin Gmax", stats, invariant=invariant, vertex_order=vertex_order)
        assert list(itertools.islice(found, 5)) == expected
        assert stats.nodes == slow.nodes


def test_density_is_the_fraction_of_joined_pairs() -> None:
    assert queens(4).density() == pytest.approx(queens(4).count_edges() / (16 * 15 / 2))
    assert BinaryCsp(["a"], []).density() == 1


def test_the_invariant_and_the_vertex_order_change_the_search() -> None:
    by_edges, by_density = (next(queens(12).solutions(invariant=invariant)) for invariant in get_args(Invariant))
    assert by_edges != by_density
    assert len({next(queens(12).solutions("Dv", vertex_order=order)) for order in get_args(VertexOrder)}) == 3


@for_each("vertex_order", get_args(VertexOrder))
def test_every_order_finds_all_solutions(vertex_order: VertexOrder) -> None:
    for heuristic in ("Lv", "DvGvmax r1r2(GmaxEP)"):
        solutions = queens(6).solutions(heuristic, invariant="density", vertex_order=vertex_order)
        assert set(solutions) == set(queens(6).solutions())


def test_unknown_options_are_rejected() -> None:
    with pytest.raises(ValueError, match="invariant: 'size'; choose edges or density"):
        queens(4).solutions(invariant="size")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="vertex_order: 'random'; choose given or initial or dynamic"):
        queens(4).solutions(vertex_order="random")  # type: ignore[arg-type]


def test_three_queens_have_no_solution() -> None:
    assert list(queens(3).solutions()) == []


def sudoku(puzzle: Puzzle) -> BinaryCsp:
    """Return the open cells of a puzzle as a binary CSP."""
    candidates, box = logic.deduce(puzzle, []).candidates, puzzle.box
    cells = [(row, col) for row, col in np.ndindex(puzzle.size, puzzle.size) if not puzzle.givens[row, col]]
    domains = [(np.flatnonzero(candidates[cell]) + 1).tolist() for cell in cells]

    def are_peers(a: tuple[int, int], b: tuple[int, int]) -> bool:
        same_box = (a[0] // box.rows, a[1] // box.cols) == (b[0] // box.rows, b[1] // box.cols)
        return a[0] == b[0] or a[1] == b[1] or same_box

    pairs = [
        ((i, digit), (j, digit))
        for i, j in itertools.combinations(range(len(cells)), 2)
        if are_peers(cells[i], cells[j])
        for digit in set(domains[i]) & set(domains[j])
    ]
    return BinaryCsp(domains, pairs)


def test_the_4x4_example_of_the_paper_has_16_edges_and_two_solutions() -> None:
    figure_1 = parse("1234" + "43.." + "2143" + "34..")
    csp = sudoku(figure_1)
    assert csp.count_edges() == 16  # the paper counts 32 ordered pairs
    assert len(list(csp.solutions())) == count(figure_1) == 2


@for_each(("box", "num_givens"), [((2, 2), 5), ((2, 3), 16), ((3, 3), 45)])
def test_graph_search_counts_the_same_edges(box: tuple[int, int], num_givens: int) -> None:
    for seed in range(3):
        puzzle = random_instance(box, num_givens, seed)
        csp = sudoku(puzzle)
        assert csp.count_edges() == _core.count_edges(native_puzzle(puzzle))
        found = {tuple(solution) for solution in itertools.islice(csp.solutions(), 500)}
        if len(found) < 500:
            blanks = [cell for cell, digit in zip(range(len(puzzle.cells)), puzzle.cells, strict=True) if not digit]
            assert found == {tuple(s.cells[cell] for cell in blanks) for s in solutions(puzzle)}


def test_invalid_problems_are_rejected() -> None:
    with pytest.raises(SudokulabError, match="duplicate value 'a' in the domain of variable 0"):
        BinaryCsp(["aa", "bc"], [])
    with pytest.raises(SudokulabError, match="in `inconsistent` is not a variable and a value of its domain"):
        BinaryCsp(["ab", "bc"], [((0, "a"), (1, "x"))])
    with pytest.raises(SudokulabError, match="belong to the same variable"):
        BinaryCsp(["ab", "bc"], [((0, "a"), (0, "b"))])
    assert list(BinaryCsp([], []).solutions()) == [()]
    assert queens(4) == queens(4)


def test_thousands_of_variables_are_supported() -> None:
    (solution,) = itertools.islice(BinaryCsp(["a"] * 2000, []).solutions("Lv"), 1)
    assert len(solution) == 2000


def test_a_heuristic_without_variable_scope_is_rejected() -> None:
    with pytest.raises(ValueError, match="no measure with variable scope"):
        queens(4).solutions("Gmax")

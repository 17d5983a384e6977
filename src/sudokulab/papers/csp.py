"""Graph-based heuristics for any binary constraint satisfaction problem.

This is the general method of San Segundo and Jiménez (2009, section 2). Every value of every variable is a vertex, and
an edge joins two compatible values of different variables. A solution picks one value per variable such that all of
them are joined. A backtracking search restricts the graph to the vertices compatible with its choices. The numbers of
remaining vertices and edges decide which variable to branch on and which value to try first. The solver
``graph-search`` specialises the method to Sudoku and never builds the graph; here it is built, as bit sets.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from sudokulab.errors import SudokulabError
from sudokulab.solvers.notation import Heuristic, parse_heuristic

__all__ = ["BinaryCsp", "Invariant", "SearchStats", "VertexOrder", "queens"]

Invariant = Literal["edges", "density"]
"""The graph invariant that the measures Gmax and Gmin use."""
VertexOrder = Literal["given", "initial", "dynamic"]
"""The order of vertices that breaks the remaining ties."""

Assignment = tuple[Any, ...]
Vertex = tuple[int, Hashable]
"""A variable and one of its values."""
Graph = int
"""The remaining vertices, as a bit set."""


@dataclass
class SearchStats:
    """Statistics of a search."""

    nodes: int = 0
    """Values tried."""
    backtracks: int = 0
    """Values undone."""
    max_depth: int = 0
    """Largest number of simultaneously open choices."""


@dataclass(frozen=True)
class BinaryCsp:
    """A binary CSP: variables with domains, and pairs of incompatible values.

    Parameters
    ----------
    domains
        The values of each variable.
    inconsistent
        Pairs ``((i, a), (j, b))``: variable i cannot be a while variable j is b.

    Examples
    --------
    Colour three mutually adjacent regions with three colours:

    >>> pairs = [((i, c), (j, c)) for i in range(3) for j in range(i) for c in "rgb"]
    >>> csp = BinaryCsp(["rgb"] * 3, pairs)
    >>> len(list(csp.solutions())), csp.count_edges()
    (6, 18)
    """

    domains: Sequence[Sequence[Hashable]]
    inconsistent: Iterable[tuple[Vertex, Vertex]]
    _values: list[tuple[int, Hashable]] = field(init=False, repr=False, compare=False)
    _of_variable: list[Graph] = field(init=False, repr=False, compare=False)
    _neighbours: list[Graph] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "domains", tuple(tuple(domain) for domain in self.domains))
        object.__setattr__(self, "inconsistent", tuple(self.inconsistent))
        values = [(variable, value) for variable, domain in enumerate(self.domains) for value in domain]
        number = {vertex: index for index, vertex in enumerate(values)}
        if len(number) < len(values):
            twice = next(vertex for index, vertex in enumerate(values) if number[vertex] != index)
            raise SudokulabError(f"duplicate value {twice[1]!r} in the domain of variable {twice[0]}")
        of_variable = [sum(1 << number[variable, v] for v in domain) for variable, domain in enumerate(self.domains)]
        everything = (1 << len(values)) - 1
        neighbours = [everything & ~of_variable[variable] for variable, _ in values]
        for first, second in self.inconsistent:
            for vertex in (first, second):
                if vertex not in number:
                    raise SudokulabError(f"{vertex} in `inconsistent` is not a variable and a value of its domain")
            if first[0] == second[0]:
                raise SudokulabError(f"{first} and {second} belong to the same variable; pair values of two variables")
            neighbours[number[first]] &= ~(1 << number[second])
            neighbours[number[second]] &= ~(1 << number[first])
        object.__setattr__(self, "_values", values)
        object.__setattr__(self, "_of_variable", of_variable)
        object.__setattr__(self, "_neighbours", neighbours)

    def count_edges(self) -> int:
        """Return the number of edges: compatible pairs of values of different variables."""
        return _num_edges(self._neighbours, (1 << len(self._values)) - 1)

    def density(self) -> float:
        """Return the density of the graph: the fraction of all pairs of vertices that are joined."""
        return _density(len(self._values), self.count_edges())

    def solutions(
        self,
        heuristic: str = "DvGvmax r1r2(GmaxEP)",
        stats: SearchStats | None = None,
        *,
        invariant: Invariant = "edges",
        vertex_order: VertexOrder = "given",
    ) -> Iterator[Assignment]:
        """Yield every solution once, the most promising first, as a tuple with one value per variable.

        Parameters
        ----------
        heuristic
            Decision heuristic; see `sudokulab.solvers.notation`. Here E counts the open variables, and r1r2 assigns
            variables that have one value left until none remain. At least one measure must have variable scope.
        stats
            Statistics object that the search updates.
        invariant
            What G measures: the number of edges or, as section 2 suggests, the density. The density of a graph is the
            fraction of its pairs of vertices that are joined. The density of a variable (``Gvmax``) is the fraction of
            the pairs of one of its values and a value of another variable that are joined.
        vertex_order
            Order of the vertices that breaks the ties that the heuristic leaves: ``given``, the order of variables and
            values in `domains`; ``initial``, by decreasing degree in the whole graph; ``dynamic``, by decreasing
            degree in the remaining graph at the current node. Of tied values, the first comes first; of tied variables,
            the one that owns the first vertex. Section 2 suggests initial or dynamic reordering but names no order; the
            degree is our choice, after the maximum clique algorithms that it refers to.

        Raises
        ------
        ValueError
            If the heuristic cannot be parsed or has no variable scope, or an option does not exist.
        """
        for name, value, options in (("invariant", invariant, Invariant), ("vertex_order", vertex_order, VertexOrder)):
            if value not in get_args(options):
                raise ValueError(f"{name}: {value!r}; choose {' or '.join(get_args(options))}")
        parsed = parse_heuristic(heuristic)
        if not any(is_variable for _, is_variable in parsed.before):
            raise ValueError(f"heuristic {heuristic!r} has no measure with variable scope; add one, such as Dv")
        everything = (1 << len(self._values)) - 1
        search = _Search(
            self._values,
            self._of_variable,
            self._neighbours,
            parsed,
            stats or SearchStats(),
            has_density=invariant == "density",
            ranked_in={"given": None, "initial": lambda _: everything, "dynamic": lambda graph: graph}[vertex_order],
        )
        return search.run(everything)


@dataclass(frozen=True)
class _Whole:
    """The graph before a value is placed, and its number of edges, counted once for all values."""

    graph: Graph
    num_edges: int


@dataclass(frozen=True)
class _Decision:
    """A variable to assign, the graph and open variables at that point, and the values not yet tried."""

    graph: Graph
    is_open: frozenset[int]
    variable: int
    vertices: Iterator[int]


@dataclass(frozen=True)
class _Search:
    values: list[tuple[int, Hashable]]
    of_variable: list[Graph]
    neighbours: list[Graph]
    heuristic: Heuristic
    stats: SearchStats
    has_density: bool
    ranked_in: Callable[[Graph], Graph] | None
    """The graph whose degrees rank the vertices at a node with a given graph; None for the order given."""

    def run(self, graph: Graph) -> Iterator[Assignment]:
        is_open = frozenset(range(len(self.of_variable)))
        if not is_open:
            yield ()
            return
        chosen: dict[int, int] = {}
        decisions = [self._decide(graph, is_open)]  # an explicit stack: there may be thousands of variables
        while decisions:
            decision = decisions[-1]
            if chosen.pop(decision.variable, None) is not None:
                self.stats.backtracks += 1
            vertex = next(decision.vertices, None)
            if vertex is None:
                decisions.pop()
                continue
            self.stats.nodes += 1
            self.stats.max_depth = max(self.stats.max_depth, len(decisions))
            chosen[decision.variable] = vertex
            narrowed, left = decision.graph & self.neighbours[vertex], decision.is_open - {decision.variable}
            if not left:
                yield tuple(self.values[chosen[variable]][1] for variable in range(len(chosen)))
            elif all(narrowed & self.of_variable[other] for other in left):
                decisions.append(self._decide(narrowed, left))

    def _decide(self, graph: Graph, is_open: frozenset[int]) -> _Decision:
        variable = self._choose_variable(graph, is_open)
        return _Decision(graph, is_open, variable, iter(self._order_values(graph, is_open, variable)))

    def _choose_variable(self, graph: Graph, is_open: frozenset[int]) -> int:
        variables = sorted(is_open)
        for measure, is_variable in self.heuristic.before:
            if is_variable and len(variables) > 1:
                scores = {v: self._variable_score(measure, graph, is_open, v) for v in variables}
                lowest = min(scores.values())
                variables = [v for v in variables if scores[v] == lowest]
        if len(variables) == 1 or self.ranked_in is None:
            return variables[0]
        rank = self._rank(graph)
        return min(variables, key=lambda v: min(map(rank, _bits(graph & self.of_variable[v])), default=(0, v)))

    def _rank(self, graph: Graph) -> Callable[[int], tuple[int, int]]:
        """Return the sort key of the vertices: by decreasing degree, or as given."""
        if self.ranked_in is None:
            return lambda vertex: (0, vertex)
        ranked_in = self.ranked_in(graph)
        return lambda vertex: (-(self.neighbours[vertex] & ranked_in).bit_count(), vertex)

    def _variable_score(self, measure: str, graph: Graph, is_open: frozenset[int], variable: int) -> float:
        mine = graph & self.of_variable[variable]
        if measure == "D":
            return mine.bit_count()
        if measure in ("Gmax", "Gmin"):
            edges = sum((self.neighbours[vertex] & graph).bit_count() for vertex in _bits(mine))
            num_pairs = mine.bit_count() * (graph.bit_count() - mine.bit_count())
            score = edges / max(num_pairs, 1) if self.has_density else edges
            return -score if measure == "Gmax" else score
        if measure == "L":
            return variable
        whole, left = _Whole(graph, 0), is_open - {variable}  # only for E and P, which ignore the number of edges
        scores = (self._graph_score(measure, graph & self.neighbours[v], left, whole) for v in _bits(mine))
        return min(scores, default=math.inf)

    def _order_values(self, graph: Graph, is_open: frozenset[int], variable: int) -> list[int]:
        rank = self._rank(graph)
        vertices = sorted(_bits(graph & self.of_variable[variable]), key=rank)
        before = [measure for measure, is_variable in self.heuristic.before if not is_variable]
        if len(vertices) == 1 or not (before or self.heuristic.after):
            return vertices
        left = is_open - {variable}
        whole = _Whole(graph, _num_edges(self.neighbours, graph) if self._counts_edges else 0)

        def score(vertex: int) -> tuple[list[float], list[float], tuple[int, int]]:
            narrowed = graph & self.neighbours[vertex]
            placed = [self._graph_score(measure, narrowed, left, whole) for measure in before]
            if not self.heuristic.after:
                return placed, [], rank(vertex)
            filtered = self._propagate(narrowed, left)
            if filtered is None:
                return placed, [math.inf] * len(self.heuristic.after), rank(vertex)
            after = [self._graph_score(measure, *filtered, whole) for measure in self.heuristic.after]
            return placed, after, rank(vertex)

        return sorted(vertices, key=score)

    def _propagate(self, graph: Graph, is_open: frozenset[int]) -> tuple[Graph, frozenset[int]] | None:
        """Assign variables that have one value left until none remain; return None if a domain is empty."""
        while True:
            single = next((v for v in is_open if (graph & self.of_variable[v]).bit_count() <= 1), None)
            if single is None:
                return graph, is_open
            mine = graph & self.of_variable[single]
            if not mine:
                return None
            graph &= self.neighbours[mine.bit_length() - 1]
            is_open = is_open - {single}

    @property
    def _counts_edges(self) -> bool:
        return any(
            measure.startswith("G") for measure in (*self.heuristic.after, *(m for m, _ in self.heuristic.before))
        )

    def _num_edges_of_part(self, part: Graph, whole: _Whole) -> int:
        """Count the edges of a subgraph: directly, or by subtracting the removed part where that is smaller."""
        removed = whole.graph & ~part
        if removed.bit_count() > part.bit_count():
            return _num_edges(self.neighbours, part)
        lost = sum((self.neighbours[vertex] & whole.graph).bit_count() for vertex in _bits(removed))
        return whole.num_edges - lost + _num_edges(self.neighbours, removed)

    def _graph_score(self, measure: str, graph: Graph, is_open: frozenset[int], whole: _Whole) -> float:
        match measure:
            case "E":
                return len(is_open)
            case "D":
                return graph.bit_count()
            case "P":
                sizes = [(graph & self.of_variable[variable]).bit_count() for variable in is_open]
                return sum(math.log(size) if size else -math.inf for size in sizes)
            case "Gmax" | "Gmin":
                edges = self._num_edges_of_part(graph, whole)
                score = _density(graph.bit_count(), edges) if self.has_density else edges
                return -score if measure == "Gmax" else score
            case _:
                return 0


def _num_edges(neighbours: list[Graph], graph: Graph) -> int:
    return sum((neighbours[vertex] & graph).bit_count() for vertex in _bits(graph)) // 2


def _density(num_vertices: int, num_edges: int) -> float:
    return 2 * num_edges / (num_vertices * (num_vertices - 1)) if num_vertices > 1 else 1.0


def _bits(graph: Graph) -> Iterator[int]:
    while graph:
        lowest = graph & -graph
        yield lowest.bit_length() - 1
        graph ^= lowest


def queens(size: int) -> BinaryCsp:
    """Return the n-queens problem: one variable per row whose value is the column of the queen."""
    pairs = (
        ((i, a), (j, b))
        for i in range(size)
        for j in range(i)
        for a in range(size)
        for b in (a, a - i + j, a + i - j)
        if 0 <= b < size
    )
    return BinaryCsp([range(size)] * size, pairs)

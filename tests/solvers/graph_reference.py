"""A slow, obvious version of the graph search: explicit graphs, copied boards, the recursion of the paper's Table 1.

It shares no code with the package.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

Cell = tuple[int, int]
Candidate = tuple[Cell, int]


class ContradictionError(Exception):
    """A cell has no candidate, or a digit has no place in a unit."""


class Layout:
    """The units and peers of a grid."""

    def __init__(self, box: tuple[int, int]) -> None:
        self.digits = range(box[0] * box[1])
        rows = [[(row, col) for col in self.digits] for row in self.digits]
        cols = [[(row, col) for row in self.digits] for col in self.digits]
        self.cells = [cell for row in rows for cell in row]
        corners = sorted({(row // box[0], col // box[1]) for row, col in self.cells})
        self.boxes = [[(r, c) for r, c in self.cells if (r // box[0], c // box[1]) == corner] for corner in corners]
        self.lines = rows + cols
        self.units = self.lines + self.boxes
        self.peers = {
            cell: {peer for unit in self.units if cell in unit for peer in unit} - {cell} for cell in self.cells
        }


@dataclass
class Board:
    """The digits placed so far, and the candidates of open cells."""

    layout: Layout
    placed: dict[Cell, int]
    domains: dict[Cell, set[int]]

    def copy(self) -> Board:
        return Board(self.layout, dict(self.placed), {cell: set(domain) for cell, domain in self.domains.items()})

    def place(self, cell: Cell, digit: int) -> None:
        if digit not in self.domains.get(cell, ()):
            raise ContradictionError
        del self.domains[cell]
        self.placed[cell] = digit
        for peer in self.layout.peers[cell] & self.domains.keys():
            self.domains[peer].discard(digit)
        self.check()

    def remove(self, cell: Cell, digit: int) -> None:
        self.domains[cell].discard(digit)
        self.check()

    def check(self) -> None:
        if not all(self.domains.values()):
            raise ContradictionError
        for unit in self.layout.units:
            left = set(self.layout.digits).difference(
                *(self.domains.get(cell, {self.placed.get(cell)}) for cell in unit)
            )
            if left:
                raise ContradictionError

    def places(self, unit: list[Cell], digit: int) -> list[Cell]:
        return [cell for cell in unit if digit in self.domains.get(cell, ())]

    def filter(self, max_size: int, has_interactions: bool) -> None:
        """Apply naked and hidden subsets up to a size, and interactions of boxes and lines, until nothing changes."""
        has_changed = True
        while has_changed:
            before = sum(map(len, self.domains.values()))
            for size in range(1, max_size + 1):
                for unit in self.layout.units:
                    self.naked_subsets(unit, size)
                    self.hidden_subsets(unit, size)
            for cell, domain in list(self.domains.items()):
                if cell in self.domains and len(domain) == 1:
                    self.place(cell, min(domain))
            for box in self.layout.boxes if has_interactions else ():
                for line in self.layout.lines:
                    self.interact(box, line)
                    self.interact(line, box)
            self.check()
            has_changed = sum(map(len, self.domains.values())) != before

    def naked_subsets(self, unit: list[Cell], size: int) -> None:
        for cells in combinations([cell for cell in unit if cell in self.domains], size):
            digits = set().union(*(self.domains[cell] for cell in cells))
            if len(digits) <= size:
                for cell in set(unit) - set(cells):
                    if cell in self.domains:
                        self.domains[cell] -= digits

    def hidden_subsets(self, unit: list[Cell], size: int) -> None:
        open_digits = set(self.layout.digits) - {self.placed.get(cell) for cell in unit}
        for digits in combinations(sorted(open_digits), size):
            cells = set().union(*(self.places(unit, digit) for digit in digits))
            if len(cells) <= size:
                for cell in cells:
                    self.domains[cell] &= set(digits)

    def interact(self, source: list[Cell], target: list[Cell]) -> None:
        for digit in self.layout.digits if set(source) & set(target) else ():
            if set(self.places(source, digit)) <= set(target) and self.places(source, digit):
                for cell in set(target) - set(source):
                    if cell in self.domains:
                        self.domains[cell].discard(digit)

    def graph(self) -> tuple[list[Candidate], list[tuple[Candidate, Candidate]]]:
        """Return the vertices, and the edges between compatible candidates of different cells."""
        vertices = [(cell, digit) for cell, domain in self.domains.items() for digit in domain]
        peers = self.layout.peers
        edges = [
            (one, two)
            for one, two in combinations(vertices, 2)
            if one[0] != two[0] and (one[1] != two[1] or two[0] not in peers[one[0]])
        ]
        return vertices, edges


class ReferenceSearch:
    """The search, with its readings and its counts.

    `before` are pairs of a measure and whether it has variable scope; `after` are the measures inside r1r2(...). The
    filter applies subsets up to `max_size`, and interactions if `max_size` > 1.
    """

    def __init__(
        self,
        before: list[tuple[str, bool]],
        after: list[str],
        *,
        refuted: str,
        tested: str,
        tied_cells: str,
        branching: str,
        invariant: str,
        max_size: int = 4,
    ) -> None:
        self.cell_measures = [measure for measure, is_of_variable in before if is_of_variable]
        self.measures = [measure for measure, is_of_variable in before if not is_of_variable]
        self.after = after
        self.refuted, self.tested, self.invariant = refuted, tested, invariant
        self.keeps_tied_cells = tied_cells == "tested" and bool(after)
        self.is_two_way = branching == "two-way" or not self.cell_measures
        self.max_size = max_size
        self.nodes = self.backtracks = self.rejected = self.max_depth = self.max_unforced = 0

    def solve(self, cells: bytes, box: tuple[int, int]) -> dict[Cell, int] | None:
        layout = Layout(box)
        size = len(layout.digits)
        board = Board(layout, {}, {cell: set(layout.digits) for cell in layout.cells})
        try:
            for index, digit in enumerate(cells):
                if digit:
                    board.place(divmod(index, size), digit - 1)
            self.filter(board)
        except ContradictionError:
            return None
        return self.search(board, depth=(0, 0))

    @property
    def stats(self) -> dict[str, int]:
        names = ("nodes", "backtracks", "rejected", "max_depth", "max_unforced")
        return {name: getattr(self, name) for name in names}

    def filter(self, board: Board) -> None:
        board.filter(self.max_size, has_interactions=self.max_size > 1)

    def search(self, board: Board, depth: tuple[int, int]) -> dict[Cell, int] | None:
        if not board.domains:
            return board.placed
        scores = {candidate: self.scores(board, candidate) for candidate in self.candidates_in_scope(board)}
        filtered = {candidate: self.filtered(board, candidate) for candidate in self.find_tested(scores)}
        refuted = [candidate for candidate, child in filtered.items() if child is None]
        if self.refuted == "remove" and refuted:
            return self.search_without(board, refuted, depth)
        order = self.order(scores, filtered)
        if self.refuted == "drop":
            order = [candidate for candidate in order if candidate not in refuted]
        if self.refuted == "ties-first" and refuted:
            board = board.copy()
            try:
                for candidate in refuted:
                    board.remove(*candidate)
                self.filter(board)
            except ContradictionError:
                return None
            order = [(cell, digit) for cell, digit in order if digit in board.domains.get(cell, ())]
            if not order:
                return self.search(board, depth)
        values = [candidate for candidate in order if candidate[0] == order[0][0]]
        for place, candidate in enumerate(order[:1] if self.is_two_way else values, start=1):
            if solution := self.try_candidate(board, candidate, depth, is_forced=place == len(values)):
                return solution
        return self.search_without(board, order[:1], depth) if self.is_two_way and order else None

    def search_without(
        self, board: Board, candidates: list[Candidate], depth: tuple[int, int]
    ) -> dict[Cell, int] | None:
        rest = board.copy()
        try:
            for candidate in candidates:
                rest.remove(*candidate)
            self.filter(rest)
        except ContradictionError:
            return None
        return self.search(rest, depth)

    def try_candidate(
        self, board: Board, candidate: Candidate, depth: tuple[int, int], *, is_forced: bool
    ) -> dict[Cell, int] | None:
        self.nodes += 1
        child = board.copy()
        try:
            child.place(*candidate)
            self.filter(child)
        except ContradictionError:
            self.rejected += 1
            return None
        depth = depth[0] + 1, depth[1] + (not is_forced)
        self.max_depth, self.max_unforced = max(self.max_depth, depth[0]), max(self.max_unforced, depth[1])
        solution = self.search(child, depth)
        if solution is None:
            self.rejected += 1
            self.backtracks += 1
        return solution

    def candidates_in_scope(self, board: Board) -> list[Candidate]:
        cells = sorted(board.domains)
        if self.cell_measures:
            scores = {cell: [self.cell_score(board, m, cell) for m in self.cell_measures] for cell in cells}
            cells = [cell for cell in cells if scores[cell] == min(scores.values())]
            cells = cells if self.keeps_tied_cells else cells[:1]
        return [(cell, digit) for cell in cells for digit in sorted(board.domains[cell])]

    def find_tested(self, scores: dict[Candidate, list[float]]) -> list[Candidate]:
        """Return the candidates to which r1r2 is applied; two-way branching needs the best only."""
        if not self.after:
            return []
        if self.tested == "all":
            return list(scores)
        eligible = [min(scores.values())] if self.is_two_way else list(scores.values())
        return [one for one, score in scores.items() if score in eligible and list(scores.values()).count(score) > 1]

    def order(self, scores: dict[Candidate, list[float]], filtered: dict[Candidate, Board | None]) -> list[Candidate]:
        def rank(candidate: Candidate) -> tuple[bool, list[float], bool, list[float]]:
            child = filtered.get(candidate)
            is_refuted = candidate in filtered and child is None
            after = [self.board_score(child, measure) for measure in self.after] if child else []
            return is_refuted and self.tested == "all", scores[candidate], is_refuted, after

        return sorted(scores, key=rank)

    def filtered(self, board: Board, candidate: Candidate) -> Board | None:
        """Return the board after placing a candidate and applying r1r2; None if it is refuted."""
        child = board.copy()
        try:
            child.place(*candidate)
            child.filter(1, has_interactions=False)
        except ContradictionError:
            return None
        return child

    def scores(self, board: Board, candidate: Candidate) -> list[float]:
        return [self.score(board, measure, candidate) for measure in self.measures]

    def cell_score(self, board: Board, measure: str, cell: Cell) -> float:
        if measure == "L":
            return 0  # the first cell wins ties
        if measure == "D":
            return len(board.domains[cell])
        if measure in ("Gmax", "Gmin"):
            vertices, edges = board.graph()
            mine = sum(cell in (one[0], two[0]) for one, two in edges)
            pairs = sum(cell in (one[0], two[0]) for one, two in combinations(vertices, 2))
            return self.signed(measure, mine, pairs)
        return min(self.score(board, measure, (cell, digit)) for digit in board.domains[cell])

    def score(self, board: Board, measure: str, candidate: Candidate) -> float:
        if measure == "L":
            return sorted(board.domains).index(candidate[0]) * 100 + candidate[1]
        if measure == "D":
            return len(board.domains[candidate[0]])
        child = board.copy()
        try:
            child.place(*candidate)
        except ContradictionError:
            return math.inf
        return self.board_score(child, measure)

    def board_score(self, board: Board, measure: str) -> float:
        match measure:
            case "E":
                return len(board.domains)
            case "P":
                return math.prod(len(domain) for domain in board.domains.values())
            case "D":
                return sum(len(domain) for domain in board.domains.values())
            case "Gmax" | "Gmin":
                vertices, edges = board.graph()
                return self.signed(measure, len(edges), math.comb(len(vertices), 2))
        return 0

    def signed(self, measure: str, num_edges: int, num_pairs: int) -> float:
        value = num_edges if self.invariant == "edges" else num_edges / num_pairs if num_pairs else 1.0
        return -value if measure == "Gmax" else value

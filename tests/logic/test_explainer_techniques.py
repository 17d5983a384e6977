"""Techniques of Sudoku Explainer on small boards: each applies, and no longer does after a small change."""

from __future__ import annotations

import pytest

from tests.cases import for_each
from tests.logic.boards import Board, box, candidates, cell, column, eliminated, random_board, row

pytestmark = [pytest.mark.native, pytest.mark.heavy]


def grave(extra: dict[str, int]) -> Board:
    """Return a board with two candidates in every cell, each digit twice in every unit, and some extra candidates.

    Row 1 has the candidates 12, 23, 34 ... 91.
    """
    board = Board()
    for number in range(81):
        line, position = divmod(number, 9)
        digit = (3 * (line % 3) + line // 3 + position) % 9
        board.cells[number] = {digit + 1, (digit + 1) % 9 + 1}
    for name, digit in extra.items():
        board.cells[cell(name)].add(digit)
    return board


def of_type(board: Board, variant: int) -> list[set[tuple[int, int]]]:
    return [set(step.eliminations) for step in board.steps("bug") if step.variant == variant]


def test_a_board_of_pairs_is_no_grave_without_an_extra_candidate() -> None:
    assert not grave({}).steps("bug")


def test_a_grave_of_type_1_keeps_its_extra_candidate() -> None:
    assert of_type(grave({"r1c1": 5}), 1) == [candidates([1, 2], "r1c1")]
    assert not grave({"r1c1": 5, "r9c8": 5}).steps("bug")
    almost = grave({"r1c1": 5})
    almost.cells[cell("r9c9")].pop()
    assert not almost.steps("bug")


def test_a_grave_of_type_2_has_one_extra_digit() -> None:
    assert of_type(grave({"r1c1": 5, "r1c7": 5}), 2) == [candidates([5], "r1c4 r1c5")]
    assert not of_type(grave({"r1c1": 5, "r1c7": 6}), 2)


def test_a_grave_of_type_3_is_part_of_a_subset() -> None:
    board = grave({"r1c1": 5, "r1c8": 6})
    assert candidates([5], "r1c4") | candidates([6], "r1c6") in of_type(board, 3)
    assert not of_type(grave({"r1c1": 5, "r2c8": 6}), 3)


def test_a_grave_of_type_4_has_another_digit_in_common() -> None:
    board = grave({"r1c1": 5, "r1c9": 6})
    assert of_type(board, 4) == [candidates([2], "r1c1") | candidates([9], "r1c9")]
    assert not of_type(grave({"r1c1": 5, "r1c8": 6}), 4)


def test_locked_candidates_are_ordered_by_their_units_before_the_digit() -> None:
    board = Board().confine(9, box(1), "r1c1 r2c1").confine(1, box(1), "r1c3 r2c3").confine(1, box(2), "r1c4 r2c4")
    assert [step.pattern[0] for step in board.steps("pointing")] == [
        (cell("r1c1"), 9),
        (cell("r1c3"), 1),
        (cell("r1c4"), 1),
    ]


def loop(first: list[int], second: list[int]) -> Board:
    """Return a board with a loop of six cells, two of which, in row 3, can have further candidates."""
    return Board().only("r1c1 r1c4 r2c4 r2c7", [1, 2]).only("r3c1", first).only("r3c7", second)


def loops(board: Board) -> dict[int, set[tuple[int, int]]]:
    return {step.variant: set(step.eliminations) for step in board.steps("unique-loop")}


def test_unique_loops_of_type_1_to_4() -> None:
    assert loops(loop([1, 2], [1, 2, 5])) == {1: candidates([1, 2], "r3c7")}
    assert not loops(loop([1, 3], [1, 2, 5]))

    common = candidates([5], "r3c2 r3c3 r3c4 r3c5 r3c6 r3c8 r3c9")
    assert loops(loop([1, 2, 5], [1, 2, 5])) == {2: common}
    assert not loops(loop([1, 2, 5], [1, 2, 6]))

    subset = candidates([5, 6], "r3c2 r3c3 r3c4 r3c6 r3c8 r3c9")
    assert loops(loop([1, 2, 5], [1, 2, 6]).only("r3c5", [5, 6])) == {3: subset}
    assert not loops(loop([1, 2, 5], [1, 2, 6]).only("r3c5", [5, 7]))

    board = loop([1, 2, 5], [1, 2, 6]).confine(1, row(3), "r3c1 r3c7")
    assert loops(board) == {4: candidates([2], "r3c1 r3c7")}
    board.cells[cell("r3c9")].add(1)
    assert not loops(board)


def test_an_aligned_pair_needs_an_excluder_for_every_combination() -> None:
    def removed(last: list[int]) -> set[tuple[int, int]]:
        board = Board().only("r1c1", [1, 2]).only("r1c2", [3, 4]).only("r1c9", [1, 3]).only("r2c3", last)
        steps = board.steps("aligned-pair-exclusion")
        for step in steps:  # the candidates of the base and of the excluders are recorded
            assert {number for number, _ in step.pattern} == {*step.cells}
            assert len(step.nodes) >= 2
        return eliminated(steps)

    assert candidates([1], "r1c1") <= removed([1, 4])
    assert not candidates([1], "r1c1") & removed([1, 5])


def test_an_aligned_triplet_needs_an_excluder_for_every_combination() -> None:
    def removed(last: list[int]) -> set[tuple[int, int]]:
        board = Board().only("r1c1", [1, 4]).only("r1c2", [2, 5]).only("r1c3", [3, 6])
        board.only("r1c8", [1, 2, 3]).only("r1c9", [1, 2, 6]).only("r2c1", [1, 3, 5]).only("r2c2", last)
        return eliminated(board.steps("aligned-triplet-exclusion"))

    assert candidates([1], "r1c1") <= removed([1, 5, 6])
    assert not candidates([1], "r1c1") & removed([1, 5, 7])


def removes(board: Board, technique: str, name: str, digit: int, variant: int = 0) -> bool:
    steps = [step for step in board.steps(technique) if (cell(name), digit) in step.eliminations]
    assert all(step.variant == variant for step in steps)
    return bool(steps)


def test_nishio_refutes_a_position_of_a_digit() -> None:
    def board(names: str) -> Board:
        return Board().confine(1, column(5), "r1c5 r2c5").confine(1, column(8), names)

    assert removes(board("r1c8 r2c8"), "nishio", "r1c1", 1)
    assert not removes(board("r1c8 r2c8 r3c8"), "nishio", "r1c1", 1)


def test_cell_chains_start_from_all_candidates_of_a_cell() -> None:
    def board(digits: list[int]) -> Board:
        """Return a board on which 1, 2 and 3 in r1c1 lead to 9 in r1c5, r5c1 and r5c2."""
        return (
            Board()
            .only("r1c1", digits)
            .only("r1c5", [1, 9])
            .only("r5c1", [2, 9])
            .only("r2c2", [3, 8])
            .only("r5c2", [8, 9])
        )

    assert removes(board([1, 2, 3]), "cell-forcing-chains", "r5c5", 9)
    assert not removes(board([1, 2, 3, 4]), "cell-forcing-chains", "r5c5", 9)


def test_region_chains_start_from_all_positions_of_a_digit() -> None:
    def board(names: str) -> Board:
        """Return a board on which 1 in r1c1, r1c5 and r1c9 leads to 9 in r5c1, r4c5 and r6c6."""
        cells = Board().confine(1, row(1), names)
        return cells.only("r5c1 r4c5", [1, 9]).only("r6c9", [1, 8]).only("r6c6", [8, 9])

    assert removes(board("r1c1 r1c5 r1c9"), "region-forcing-chains", "r5c4", 9)
    assert [cell(name) for name in ("r1c1", "r1c5", "r1c9")] in [
        step.cells for step in board("r1c1 r1c5 r1c9").steps("region-forcing-chains")
    ]
    assert not removes(board("r1c1 r1c5 r1c8 r1c9"), "region-forcing-chains", "r5c4", 9)


def test_a_contradiction_can_depend_on_several_conclusions() -> None:
    def board(digits: list[int]) -> Board:
        """Return a board on which 1 in r1c1 leads to 7 in r1c9, which leaves r5c5 and r5c8 with the digit 4."""
        cells = Board().only("r1c9", [1, 7]).only("r1c5", [2, 7]).only("r5c9", [3, 7]).only("r1c8", [5, 7])
        return cells.only("r5c8", [4, 5]).only("r5c5", digits)

    assert removes(board([2, 3, 4]), "contradiction-forcing-chains", "r1c1", 1)
    assert not removes(board([2, 3, 4, 6]), "contradiction-forcing-chains", "r1c1", 1)


def test_double_chains_need_the_same_conclusion_from_true_and_false() -> None:
    def board(digits: list[int]) -> Board:
        """Return a board on which r3c2 is 9 if r1c1 is 1, and r5c5 is 9 otherwise."""
        cells = Board().confine(1, row(1), "r1c1 r1c8").confine(1, column(1), "r1c1 r4c1")
        cells.only("r2c2", [1, 7]).only("r3c3", [1, 8]).only("r3c2", [7, 8, 9])
        return cells.only("r4c5", [1, 5]).only("r5c8", [1, 6]).only("r5c5", digits)

    assert removes(board([5, 6, 9]), "double-forcing-chains", "r3c5", 9)
    assert not removes(board([5, 6, 8, 9]), "double-forcing-chains", "r3c5", 9)


def test_dynamic_cell_chains_combine_conclusions() -> None:
    def board(digits: list[int]) -> Board:
        """Return a board on which r5c5 is 9 if r2c2 is 1."""
        cells = Board().confine(1, row(1), "r1c1 r1c8").confine(1, column(1), "r1c1 r4c1").only("r2c2", [1, 9])
        return cells.only("r4c5", [1, 5]).only("r5c8", [1, 6]).only("r5c5", digits)

    assert removes(board([5, 6, 9]), "dynamic-cell-forcing-chains", "r2c5", 9)
    assert not removes(board([5, 6, 8, 9]), "dynamic-cell-forcing-chains", "r2c5", 9)


def test_dynamic_region_chains_combine_conclusions() -> None:
    def board(digits: list[int]) -> Board:
        """Return a board on which 1 in r1c1, r1c5 and r1c9 leads to 9 in r4c2, r2c3 and r5c9."""
        cells = Board().confine(1, row(1), "r1c1 r1c5 r1c9").only("r4c1", [1, 7]).only("r2c2", [1, 8])
        return cells.only("r5c9", [1, 9]).only("r2c5", [1, 6]).only("r2c3", [6, 9]).only("r4c2", digits)

    assert removes(board([7, 8, 9]), "dynamic-region-forcing-chains", "r5c3", 9)
    assert not removes(board([6, 7, 8, 9]), "dynamic-region-forcing-chains", "r5c3", 9)
    assert not removes(board([7, 8, 9]), "region-forcing-chains", "r5c3", 9)


def test_nested_chains_use_subsets_inside_an_assumption() -> None:
    def board(digits: list[int]) -> Board:
        """Return a board on which 1 in r1c1 makes r5c1 and r5c2 a pair, which leaves r5c9 with the digit of r1c9.

        The cells in row 9 always allow some chain, which ends the search.
        """
        cells = Board().only("r5c1", [1, 2, 3]).only("r5c9", [2, 3, 4]).only("r1c9", [1, 4])
        return cells.only("r9c5 r9c6", [8, 9]).only("r5c2", digits)

    assert removes(board([2, 3]), "nested-forcing-chains", "r1c1", 1, variant=1)
    assert not removes(board([2, 3, 5]), "nested-forcing-chains", "r1c1", 1, variant=1)
    assert not removes(board([2, 3]), "contradiction-forcing-chains", "r1c1", 1)


STATIC = ["cell-forcing-chains", "region-forcing-chains"]
DYNAMIC = [
    "contradiction-forcing-chains",
    "double-forcing-chains",
    "dynamic-cell-forcing-chains",
    "dynamic-region-forcing-chains",
]
POSITIONS = [((2, 2), 0.5), ((2, 3), 0.35), ((3, 3), 0.15), ((3, 3), 0.25), ((3, 3), 0.35)]


@for_each("technique", ["nishio", *STATIC, *DYNAMIC, "nested-forcing-chains"])
def test_forcing_chains_spare_the_solution(technique: str) -> None:
    num_steps = 0
    for shape, density in POSITIONS:
        for seed in range(4):
            board, solution = random_board(shape, density, seed)
            if technique == "nested-forcing-chains" and not board.steps("contradiction-forcing-chains"):
                continue  # the search for a level with chains would take long
            for step in board.steps(technique):
                num_steps += 1
                assert step.eliminations
                assert all(solution[number] != digit for number, digit in step.eliminations)
                assert all(solution[number] == digit for number, digit in step.placements)
                assert all(digit in board.cells[number] for number, digit in step.eliminations + step.placements)
    assert num_steps > 20


Literal = tuple[int, int, bool]  # cell, digit, whether it is true


class Places:
    """The candidates of each cell, and of each digit in each unit: exactly one of each place is true."""

    def __init__(self, board: Board) -> None:
        self.of: dict[tuple[int, int], list[set[tuple[int, int]]]] = {}
        places = [{(number, digit) for digit in digits} for number, digits in enumerate(board.cells)]
        for unit in board.units():
            for digit in range(1, board.size + 1):
                places.append({(number, digit) for number in unit if digit in board.cells[number]})
        for place in places:
            for candidate in place:
                self.of.setdefault(candidate, []).append(place)

    def consequences(self, assumption: Literal, is_dynamic: bool) -> set[Literal]:
        """Return all that follows from an assumption, whether or not it is contradictory."""
        known = {assumption}
        todo = [assumption]
        while todo:
            number, digit, is_true = todo.pop()
            found: set[Literal] = set()
            for place in self.of[number, digit]:
                others = place - {(number, digit)}
                if is_true:
                    found |= {(*candidate, False) for candidate in others}
                    continue
                left = {candidate for candidate in others if not is_dynamic or (*candidate, False) not in known}
                if len(left) == 1:
                    found |= {(*candidate, True) for candidate in left}
                elif others and not left:
                    found.add((number, digit, True))  # no candidate is left: a contradiction
            todo += found - known
            known |= found
        return known


def is_contradictory(literals: set[Literal]) -> bool:
    return any((number, digit, not is_true) in literals for number, digit, is_true in literals)


def slow_chains(board: Board, is_dynamic: bool, is_generous: bool) -> set[tuple[int, int]]:
    """Return the candidates removed by cell and region chains and, if dynamic, by double chains and contradictions.

    A propagation stops at the first contradiction, so what it has found until then depends on the order. If generous,
    contradictory assumptions imply everything, otherwise nothing.
    """
    places = Places(board)
    everything = {(*candidate, is_true) for candidate in places.of for is_true in (True, False)}
    implied: dict[Literal, set[Literal]] = {}
    common: list[set[Literal]] = []
    for literal in everything:
        implied[literal] = places.consequences(literal, is_dynamic)
        if not is_contradictory(implied[literal]):
            continue
        implied[literal] = everything if is_generous else set()
        if is_dynamic and len(board.cells[literal[0]]) > 1:
            common.append({(literal[0], literal[1], not literal[2])})
    least = 2 if is_dynamic else 3  # candidates of a cell from which chains start
    for number, digits in enumerate(board.cells):
        if len(digits) >= least:
            common.append(set.intersection(*(implied[number, digit, True] for digit in digits)))
        if is_dynamic and len(digits) >= 3:
            common += [implied[number, digit, True] & implied[number, digit, False] for digit in digits]
    for unit in board.units():
        for digit in range(1, board.size + 1):
            positions = [number for number in unit if digit in board.cells[number]]
            if len(positions) >= 2 and len(board.cells[positions[0]]) >= least:
                common.append(set.intersection(*(implied[number, digit, True] for number in positions)))
    removed = set()
    for number, digit, is_true in set().union(*common):
        removed |= {(number, other) for other in board.cells[number] - {digit}} if is_true else {(number, digit)}
    return removed


@pytest.mark.thorough
@pytest.mark.parametrize(("techniques", "is_dynamic"), [(STATIC, False), (DYNAMIC, True)])
def test_forcing_chains_remove_what_a_slow_search_removes(techniques: list[str], is_dynamic: bool) -> None:
    num_removed = 0
    for shape, density in [((2, 2), 0.4), ((2, 2), 0.6), ((2, 3), 0.25), ((2, 3), 0.35)]:
        for seed in range(4):
            board, _ = random_board(shape, density, seed)
            found = set().union(*(eliminated(board.steps(technique)) for technique in techniques))
            assert slow_chains(board, is_dynamic, is_generous=False) <= found
            assert found <= slow_chains(board, is_dynamic, is_generous=True)
            num_removed += len(found)
    assert num_removed > 100

"""X-chains, XY-chains, nice loops and alternating inference chains."""

from __future__ import annotations

import itertools

import pytest

from sudokulab import _core
from tests.cases import for_each
from tests.logic.boards import Board, Candidates, box, candidates, cell, column, eliminated, random_board, row

pytestmark = pytest.mark.native

Candidate = tuple[int, int]


def test_an_x_chain_alternates_links_of_one_digit() -> None:
    board = Board().only_at(1, "r1c1 r1c5 r4c5 r4c8 r7c8 r7c2 r8c1 r9c5 r9c8 r9c9")
    steps = [step for step in board.steps("x-chain") if eliminated([step]) == candidates([1], "r8c1")]
    assert [step.length for step in steps] == [5]
    assert [is_strong for _, _, is_strong in steps[0].links] == [True, False, True, False, True]
    board.cells[cell("r4c1")].add(1)
    assert not candidates([1], "r8c1") & eliminated(board.steps("x-chain"))


def test_an_xy_chain_runs_through_cells_with_two_candidates() -> None:
    board = Board().only("r1c1", [1, 2]).only("r1c5", [2, 3]).only("r5c5", [3, 1])
    (step,) = board.steps("xy-chain")
    assert step.length == 5
    assert eliminated([step]) == candidates([1], "r5c1")
    assert not board.only("r5c5", [3, 4]).steps("xy-chain")


def test_a_continuous_nice_loop_makes_its_weak_links_strong() -> None:
    board = Board().confine(1, row(1), "r1c1 r1c5").confine(2, column(1), "r1c1 r5c1").only("r5c5", [1, 2])
    (step,) = board.steps("continuous-nice-loop")
    links = {1: column(5), 2: row(5)}
    corners = {cell(name) for name in ("r1c1", "r1c5", "r5c1", "r5c5")}
    expected = {(number, digit) for digit, unit in links.items() for number in unit if number not in corners}
    assert eliminated([step]) == expected | candidates(range(3, 10), "r1c1")
    board.cells[cell("r1c9")].add(1)
    assert not board.steps("continuous-nice-loop")


def test_a_loop_of_cells_with_two_candidates_is_left_to_xy_chains() -> None:
    board = Board().only("r1c1", [1, 2]).only("r1c5", [2, 3]).only("r5c5", [3, 4]).only("r5c1", [4, 1])
    assert not board.steps("continuous-nice-loop")
    links = {2: row(1), 3: column(5), 4: row(5), 1: column(1)}
    corners = {cell(name) for name in ("r1c1", "r1c5", "r5c1", "r5c5")}
    expected = {(number, digit) for digit, unit in links.items() for number in unit if number not in corners}
    assert eliminated(board.steps("xy-chain")) == expected


def test_a_discontinuous_nice_loop_refutes_or_proves_a_candidate() -> None:
    board = Board().only_at(1, "r1c2 r5c2 r1c7 r6c7 r5c8 r9c9 r9c8 r8c9")
    assert candidates([1], "r5c8") <= eliminated(board.steps("discontinuous-nice-loop"))
    proof = Board().only_at(1, "r1c1 r1c5 r5c5 r5c1 r3c3 r9c1")
    for step in proof.steps("discontinuous-nice-loop"):
        assert not step.placements or {number for number, _ in step.eliminations} == {step.placements[0][0]}


def skyscraper() -> Board:
    return Board().confine(1, column(2), "r1c2 r5c2").confine(1, column(7), "r1c7 r6c7")


def test_an_inference_chain_of_one_digit_removes_several_candidates() -> None:
    (step,) = skyscraper().steps("alternating-inference-chain")
    assert step.length == 3
    assert eliminated([step]) == candidates([1], "r5c8 r5c9 r6c1 r6c3")
    board = skyscraper()
    board.cells[cell("r9c7")].add(1)
    assert not board.steps("alternating-inference-chain")


def test_an_inference_chain_of_two_digits_crosses_them() -> None:
    board = Board().confine(1, column(1), "r1c1 r5c1").only("r5c3", [1, 2]).confine(2, column(2), "r1c2 r4c2")
    steps = board.steps("alternating-inference-chain")
    crossed = candidates([2], "r1c1") | candidates([1], "r1c2")
    assert [step.length for step in steps if eliminated([step]) == crossed] == [5]
    board.cells[cell("r9c2")].add(2)
    assert not [step for step in board.steps("alternating-inference-chain") if eliminated([step]) == crossed]


def test_a_group_acts_as_one_node() -> None:
    board = Board().only_at(1, "r1c1 r1c2 r1c5 r3c3 r5c5 r5c3 r9c9 r9c8 r8c9")
    (step,) = [
        step for step in board.steps("grouped-discontinuous-nice-loop") if eliminated([step]) == candidates([1], "r5c3")
    ]
    assert sorted(step.nodes[3]) == sorted(candidates([1], "r1c1 r1c2")) or sorted(step.nodes[2]) == sorted(
        candidates([1], "r1c1 r1c2")
    )
    assert not [one for one in board.steps("discontinuous-nice-loop") if eliminated([one]) == candidates([1], "r5c3")]
    board.cells[cell("r2c1")].add(1)
    assert not candidates([1], "r5c3") & eliminated(board.steps("grouped-discontinuous-nice-loop"))


def test_a_grouped_inference_chain_removes_several_candidates() -> None:
    board = Board().confine(1, box(1), "r1c1 r1c2 r3c3").confine(1, column(8), "r1c8 r2c8")
    wanted = candidates([1], "r3c7 r3c9")
    assert wanted in [eliminated([step]) for step in board.steps("grouped-alternating-inference-chain")]
    assert not wanted & eliminated(board.steps("alternating-inference-chain"))
    board.cells[cell("r2c1")].add(1)
    assert not wanted & eliminated(board.steps("grouped-alternating-inference-chain"))


def test_a_grouped_loop_makes_its_weak_links_strong() -> None:
    board = Board().confine(1, row(1), "r1c1 r1c3").confine(2, column(1), "r1c1 r4c1 r6c1").only("r5c3", [1, 2])
    wanted = candidates(range(3, 10), "r1c1") | candidates([1], "r9c3") | candidates([2], "r5c2")
    assert any(wanted <= eliminated([step]) for step in board.steps("grouped-continuous-nice-loop"))
    assert not board.steps("continuous-nice-loop")
    board.cells[cell("r9c1")].add(2)
    assert not board.steps("grouped-continuous-nice-loop")


def test_an_almost_locked_set_acts_as_a_node() -> None:
    board = Board().only("r1c1", [1, 2, 3]).only("r1c2", [2, 3]).only("r1c5", [1, 2])
    wanted = candidates([1], "r1c9")
    assert wanted <= eliminated(board.steps("als-discontinuous-nice-loop"))
    assert not wanted & eliminated(board.steps("grouped-discontinuous-nice-loop"))
    assert not wanted & eliminated(board.only("r1c2", [2, 3, 4]).steps("als-discontinuous-nice-loop"))


def test_an_inference_chain_can_pass_through_an_almost_locked_set() -> None:
    board = Board().only("r1c2", [1, 2, 3]).only("r1c3", [2, 3]).confine(1, column(1), "r3c1 r6c1")
    board.confine(2, column(5), "r1c5 r6c5").confine(2, row(6), "r6c1 r6c5")
    wanted = candidates([2], "r6c1") | candidates([1], "r6c5")
    assert wanted in [eliminated([step]) for step in board.steps("als-alternating-inference-chain")]
    assert not wanted & eliminated(board.steps("grouped-alternating-inference-chain"))
    assert not wanted & eliminated(board.only("r1c3", [2, 3, 4]).steps("als-alternating-inference-chain"))


def test_a_loop_through_an_almost_locked_set_locks_it() -> None:
    board = Board().only("r1c2", [1, 2, 3]).only("r1c3", [2, 3])
    board.confine(1, column(1), "r3c1 r6c1").confine(2, column(1), "r1c1 r6c1")
    (step,) = board.steps("als-continuous-nice-loop")
    in_row = candidates([2, 3], "r1c4 r1c5 r1c6 r1c7 r1c8 r1c9")
    in_box = candidates([1, 2, 3], "r2c2 r2c3 r3c2 r3c3") | candidates([3], "r1c1 r2c1 r3c1")
    assert eliminated([step]) == candidates(range(3, 10), "r6c1") | in_row | in_box
    assert not board.only("r1c3", [2, 3, 4]).steps("als-continuous-nice-loop")


def is_weak(board: Board, one: Candidate, other: Candidate) -> bool:
    return one != other and (one[0] == other[0] or (one[1] == other[1] and other[0] in board.peers()[one[0]]))


def is_strong(board: Board, one: Candidate, other: Candidate) -> bool:
    if one[0] == other[0]:
        return board.cells[one[0]] == {one[1], other[1]}
    same_digit = board.positions(one[1])
    return one[1] == other[1] and any(set(unit) & same_digit == {one[0], other[0]} for unit in board.units())


def follows(board: Board, step: _core.Step) -> Candidates:
    """Return the candidates that the links of a chain of candidates remove."""
    first, last = step.links[0][0], step.links[-1][1]
    starts_strong, ends_strong = step.links[0][2], step.links[-1][2]
    everything = {(number, digit) for number, digits in enumerate(board.cells) for digit in digits}
    if step.technique == "continuous-nice-loop":
        nodes = {number for number, _ in [first, *(to for _, to, _ in step.links)]}
        pairs = [(one, other) for one, other, link in step.links if not link]
        pairs += [(last, first)] if ends_strong else []
        removed: Candidates = set()
        for one, other in pairs:
            both = {each for each in everything if is_weak(board, each, one) and is_weak(board, each, other)}
            removed |= {each for each in both if (each[0] == one[0] == other[0]) or each[0] not in nodes}
        return removed
    if starts_strong and ends_strong:  # one of the ends is true
        removed = {each for each in everything if is_weak(board, each, first) and is_weak(board, each, last)}
        return {each for each in everything if is_weak(board, each, first)} if first == last else removed
    return {last if starts_strong else first}


@pytest.mark.thorough
@pytest.mark.heavy
@for_each(
    "technique",
    ["x-chain", "xy-chain", "continuous-nice-loop", "discontinuous-nice-loop", "alternating-inference-chain"],
)
def test_links_alternate_hold_and_lead_to_the_eliminations(technique: str) -> None:
    count = 0
    for seed in range(12):
        board, _ = random_board((2, 3) if seed % 2 else (3, 3), 0.2, seed)
        for step in board.steps(technique):
            count += 1
            for (_, to, _), (start, _, _) in itertools.pairwise(step.links):
                assert to == start
            kinds = [link for _, _, link in step.links]
            assert all(one != other for one, other in itertools.pairwise(kinds))
            assert all((is_strong if link else is_weak)(board, one, other) for one, other, link in step.links)
            removed = follows(board, step)
            if technique == "discontinuous-nice-loop" and step.placements:
                removed = {each for each in removed if each[0] == step.placements[0][0]}
            assert set(step.eliminations) == removed
            assert step.length == len(step.links)
    assert count > 0


def slow_x_chains(board: Board, digit: int) -> Candidates:
    """Return what all X-chains of up to seven links remove, by trying all paths."""
    peers, places = board.peers(), board.positions(digit)
    strong: dict[int, set[int]] = {number: set() for number in places}
    for unit in board.units():
        if len(pair := set(unit) & places) == 2:
            for number in pair:
                strong[number] |= pair - {number}
    removed: Candidates = set()

    def extend(path: list[int]) -> None:
        if len(path) % 2 == 0:
            if len(path) > 2:
                removed.update((number, digit) for number in places & peers[path[0]] & peers[path[-1]])
            if len(path) == 8:
                return
            following = places & peers[path[-1]]
        else:
            following = strong[path[-1]]
        for number in following - set(path):
            extend([*path, number])

    for number in places:
        extend([number])
    return removed


def slow_xy_chains(board: Board) -> Candidates:
    """Return what all XY-chains of two to four cells remove, by trying all paths."""
    peers = board.peers()
    pairs = {number for number, digits in enumerate(board.cells) if len(digits) == 2}
    removed: Candidates = set()

    def extend(path: list[int], first: int, last: int) -> None:
        if len(path) > 1 and last == first:
            seen = board.positions(first) & peers[path[0]] & peers[path[-1]]
            removed.update((number, first) for number in seen - set(path))
        if len(path) < 4:
            for number in pairs & peers[path[-1]] - set(path):
                if last in board.cells[number]:
                    (other,) = board.cells[number] - {last}
                    extend([*path, number], first, other)

    for number in pairs:
        for first in board.cells[number]:
            (other,) = board.cells[number] - {first}
            extend([number], first, other)
    return removed


def test_xy_chains_remove_nothing_that_no_path_removes() -> None:
    num_found = num_slow = 0
    for seed in range(12):
        board, _ = random_board((2, 3) if seed % 2 else (3, 3), 0.15, seed)
        found = eliminated([step for step in board.steps("xy-chain") if step.length <= 7])
        slow = slow_xy_chains(board)
        assert found <= slow, seed
        num_found += len(found)
        num_slow += len(slow)
    assert num_found > 0.9 * num_slow > 0


def test_x_chains_remove_nothing_that_no_path_removes() -> None:
    # The search may miss a chain if the shortest way to its end crosses itself.
    num_found = num_slow = 0
    for seed in range(10):
        board, _ = random_board((2, 3) if seed % 2 else (3, 3), 0.25, seed)
        found = eliminated([step for step in board.steps("x-chain") if step.length <= 7])
        slow = set().union(*(slow_x_chains(board, digit) for digit in range(1, board.size + 1)))
        assert found <= slow, seed
        num_found += len(found)
        num_slow += len(slow)
    assert num_found > 0.9 * num_slow > 0

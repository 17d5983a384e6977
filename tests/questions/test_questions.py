from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from itertools import islice

import pytest
from hypothesis import assume, given, settings

import sudokulab
from sudokulab import (
    BoxShape,
    Budget,
    BudgetError,
    Cancellation,
    CancelledError,
    Puzzle,
    PuzzleError,
    Status,
    _core,
    is_solution,
)
from sudokulab.instances import fixed_fraction
from sudokulab.search.trace import Trace
from sudokulab.solvers import Backtracking, Dlx
from sudokulab.solvers.base import Solver
from tests.cases import for_each
from tests.puzzles import (
    EASY,
    INKALA,
    SEVENTEEN,
    TINY,
    any_puzzles,
    full_grid,
    has_one_solution,
    is_minimal_by_hand,
    random_instance,
    satisfiable_puzzles,
)
from tests.timing import wait_until

pytestmark = pytest.mark.native


def test_solve_accepts_text() -> None:
    result = sudokulab.solve(INKALA.line)
    assert result.is_solved
    assert is_solution(result, INKALA)


def test_the_empty_4x4_has_288_solutions() -> None:
    assert sudokulab.count(Puzzle.empty(4)) == 288


def test_counting_stops_at_the_limit() -> None:
    assert sudokulab.count(Puzzle.empty(6), limit=1000) == 1000


def test_every_solution_is_enumerated_once() -> None:
    solutions = list(sudokulab.solutions(Puzzle.empty(4)))
    assert len(solutions) == len(set(solutions)) == 288
    assert all(is_solution(solution.givens, Puzzle.empty(4)) for solution in solutions)


def test_enumeration_is_lazy() -> None:
    assert len(list(islice(sudokulab.solutions(Puzzle.empty(25)), 5))) == 5


def test_budget_errors_report_how_far_counting_got() -> None:
    with pytest.raises(BudgetError, match=r"the budget ran out after [0-9,]+ solutions"):
        sudokulab.count(Puzzle.empty(9), budget=Budget(seconds=0.05))
    with pytest.raises(BudgetError, match="before all solutions were found"):
        list(sudokulab.solutions(Puzzle.empty(9), budget=Budget(nodes=500)))


def test_a_unique_puzzle_has_exactly_one_solution() -> None:
    assert sudokulab.is_unique(SEVENTEEN)
    assert not sudokulab.is_unique(Puzzle.empty(9))
    assert not sudokulab.is_unique("11" + "." * 79)


def test_a_puzzle_with_17_givens_is_minimal() -> None:
    assert sudokulab.is_minimal(SEVENTEEN)
    assert not sudokulab.is_minimal(EASY)
    assert not sudokulab.is_minimal(Puzzle.empty(9))


@settings(max_examples=25)
@given(satisfiable_puzzles(boxes=[BoxShape(2, 2), BoxShape(2, 3), BoxShape(3, 3)], min_fraction=0.5))
def test_exactly_the_redundant_givens_can_be_removed(puzzle: Puzzle) -> None:
    assert sudokulab.is_unique(puzzle) == has_one_solution(puzzle)
    assume(has_one_solution(puzzle))
    redundant = sudokulab.questions.redundant_givens(puzzle)
    for cell in range(len(puzzle.cells)):
        if puzzle.cells[cell]:
            without = Puzzle(puzzle.cells[:cell] + b"\0" + puzzle.cells[cell + 1 :], puzzle.box)
            assert has_one_solution(without) == (cell in redundant)


@for_each("box", [(2, 2), (2, 3), (3, 3), (3, 4), (4, 4)])
def test_minimize_leaves_a_minimal_puzzle_with_the_same_solution(box: tuple[int, int]) -> None:
    full = full_grid(box)
    minimal = sudokulab.minimize(full, seed=5)
    assert sudokulab.is_minimal(minimal)
    assert full.size > 9 or is_minimal_by_hand(minimal)  # dancing links is too slow on larger grids
    assert sudokulab.solve(minimal).solution == full
    assert minimal == sudokulab.minimize(full, seed=5)
    assert minimal != sudokulab.minimize(full, seed=6)


@pytest.mark.timing
def test_minimizing_keeps_a_time_limit_on_the_largest_grid() -> None:
    full = full_grid((8, 8))
    for question in (sudokulab.minimize, sudokulab.questions.redundant_givens, sudokulab.is_minimal):
        start = time.process_time()
        with pytest.raises(BudgetError):
            question(full, budget=Budget(seconds=0.1))
        assert time.process_time() - start < 0.5


def test_only_puzzles_with_one_solution_can_be_minimized() -> None:
    with pytest.raises(PuzzleError, match="several solutions"):
        sudokulab.minimize(Puzzle.empty(9))
    with pytest.raises(PuzzleError, match="no solutions"):
        sudokulab.minimize("11" + "." * 79)


@given(satisfiable_puzzles(min_fraction=0.3))
def test_complete_solvers_agree_on_the_number_of_solutions(puzzle: Puzzle) -> None:
    assert Backtracking(propagation="singles").count(puzzle, 20) == Dlx().count(puzzle, 20) >= 1


@given(any_puzzles())
def test_complete_solvers_agree_on_arbitrary_puzzles(puzzle: Puzzle) -> None:
    budget = Budget(seconds=5)
    assert Backtracking(propagation="singles").solve(puzzle, budget).status == Dlx().solve(puzzle, budget).status


def test_a_batch_keeps_its_order() -> None:
    puzzles = [random_instance((3, 3), 30 + i % 40, seed=i) for i in range(300)]
    results = list(sudokulab.solve_many(puzzles, threads=4))
    assert [result.puzzle for result in results] == puzzles
    assert all(is_solution(result, puzzle) for result, puzzle in zip(results, puzzles, strict=True))


def test_a_batch_may_mix_sizes_and_is_lazy() -> None:
    taken = []

    def endless() -> Iterator[Puzzle]:
        while True:
            for puzzle in (TINY, EASY, random_instance((3, 4), 100, seed=1)):
                taken.append(puzzle)
                yield puzzle

    results = list(islice(sudokulab.solve_many(endless(), threads=2), 30))
    assert all(result.is_solved for result in results)
    assert len(taken) < 1000


def test_an_invalid_puzzle_does_not_stop_a_batch() -> None:
    results = list(sudokulab.solve_many([EASY.line, "no puzzle", "1" * 81, INKALA.line]))
    assert [result.status for result in results] == [
        Status.SOLVED,
        Status.UNKNOWN,
        Status.UNSATISFIABLE,
        Status.SOLVED,
    ]
    assert results[1].error is not None
    assert "no puzzle found; write a grid" in results[1].error


def test_a_batch_of_one_gives_the_result_of_a_single_run() -> None:
    (batched,) = sudokulab.solve_many([INKALA], seed=77)
    single = sudokulab.solve(INKALA, seed=77)
    assert (batched.seed, batched.stats) == (single.seed, single.stats) == (77, single.stats)


class Broken(Solver):
    """A solver that raises on one puzzle and cheats on the others."""

    name = "broken"
    unit = "nodes"

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> sudokulab.Result:
        if puzzle == TINY:
            raise RuntimeError("out of order")
        return sudokulab.Result(Status.SOLVED, puzzle, self.name, solution=puzzle)


def test_a_wrong_answer_never_reaches_the_user() -> None:
    with pytest.raises(sudokulab.errors.WrongAnswerError, match="broken returned an invalid solution"):
        Broken().solve(EASY)


def test_a_faulty_solver_does_not_stop_a_batch() -> None:
    results = list(sudokulab.solve_many([TINY, EASY, full_grid((3, 3))], Broken()))
    assert [result.status for result in results] == [Status.UNKNOWN, Status.UNKNOWN, Status.SOLVED]
    assert results[0].error == "RuntimeError: out of order"
    assert "invalid solution" in (results[1].error or "")


def test_a_limit_in_an_unsupported_unit_is_rejected() -> None:
    with pytest.raises(ValueError, match="auto does not count iterations; limit nodes or seconds instead"):
        sudokulab.solve(EASY, budget=Budget(iterations=10))


def test_a_negative_budget_is_rejected() -> None:
    with pytest.raises(ValueError, match="seconds"):
        Budget(seconds=-1)


def test_numbers_out_of_range_are_rejected() -> None:
    for seed in (-1, 2**64):
        with pytest.raises(ValueError, match=f"seed: {seed}; choose an integer from 0 to"):
            sudokulab.solve(EASY, seed=seed)
    with pytest.raises(ValueError, match="threads: 0; choose an integer from 1 to"):
        sudokulab.solve_many([EASY], threads=0)
    with pytest.raises(ValueError, match="limit: -1; choose an integer of at least 0"):
        sudokulab.count(EASY, -1)


def splitmix64(state: int) -> int:
    state = (state + 0x9E3779B97F4A7C15) % 2**64
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    state = (state ^ state >> 27) * 0x94D049BB133111EB % 2**64
    return state ^ state >> 31


def test_derived_seeds_are_distinct_and_stable() -> None:
    seeds = [_core.derive_seed(seed, index) for seed in range(4) for index in range(1, 5)]
    assert len(set(seeds)) == 16
    assert _core.derive_seed(7, 0) == 7
    assert _core.derive_seed(7, 1) == splitmix64(splitmix64(7) ^ 1)
    assert _core.derive_seeds(7, 3, 4) == [_core.derive_seed(7, index) for index in range(3, 7)]


class Liar(Solver):
    """A solver that returns UNSATISFIABLE although it is not complete."""

    name = "liar"
    unit = "iterations"

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> sudokulab.Result:
        return sudokulab.Result(Status.UNSATISFIABLE, puzzle, self.name)


def test_an_incomplete_solver_cannot_return_unsatisfiable() -> None:
    with pytest.raises(sudokulab.errors.WrongAnswerError, match="returned UNSATISFIABLE, but is not a complete solver"):
        Liar().solve(EASY)


def test_the_error_for_an_unknown_solver_lists_the_known_ones() -> None:
    with pytest.raises(sudokulab.SudokulabError, match=r"unknown solver 'oracle' .*auto"):
        sudokulab.solve(EASY, "oracle")


@for_each("call", ["solve", "count", "count of a text", "solve_many"])
def test_other_threads_run_during_a_search(call: str) -> None:
    """The search only ends because another thread cancels it."""
    large = random_instance((8, 8), 1800, seed=1)
    budget = Budget(seconds=20, is_cpu_time=True)
    calls: dict[str, Callable[[], object]] = {
        "solve": lambda: sudokulab.solve(large, budget=budget),
        "count": lambda: sudokulab.count(Puzzle.empty(9), 10**12, budget=budget),
        "count of a text": lambda: sudokulab.count("." * 81, 10**12, budget=budget),
        "solve_many": lambda: list(sudokulab.solve_many([large] * 2, budget=budget, threads=1)),
    }
    cancellation = Cancellation()

    def cancel() -> None:
        start = time.process_time()
        wait_until(lambda: time.process_time() - start > 0.05)
        cancellation.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    with pytest.raises(CancelledError), cancellation:
        calls[call]()
    thread.join()


def test_ctrl_c_ends_a_batch_of_a_python_solver_whichever_thread_receives_it() -> None:
    """A signal to another thread does not wake the main thread, as one that just precedes the wait does not."""
    is_over = threading.Event()
    in_time: list[bool] = []

    class Interrupting(Solver):
        def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> None:
            signal.raise_signal(signal.SIGINT)
            in_time.append(is_over.wait(60))

    with pytest.raises(KeyboardInterrupt):
        list(sudokulab.solve_many([TINY], Interrupting(), threads=1))
    is_over.set()
    wait_until(lambda: in_time)
    assert in_time == [True]


def test_rating_counts_the_solutions_of_a_large_grid_quickly() -> None:
    """Backtracking is far too slow for this puzzle; the default solver is not."""
    puzzle = fixed_fraction(25, fixed=0.45, seed=1)
    rating = sudokulab.logic.rate(puzzle, relabelings=0, budget=Budget(seconds=5, is_cpu_time=True))
    assert rating.num_solutions == 2

"""Watching a run while it goes on: pausing, stepping, speed and stopping."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise

import pytest

from sudokulab import Budget, ParameterError, Puzzle, Result, Solver, Status, solve
from sudokulab.search import Clock, Trace
from sudokulab.search.frames import Frame, LiveView
from sudokulab.solvers import make_solver
from sudokulab.solvers.registry import all_solvers
from tests.cases import for_each
from tests.puzzles import INKALA, TINY, random_instance
from tests.timing import PATIENCE_SECONDS, TOLERANCE_SECONDS, cpu_seconds, wait_until

pytestmark = pytest.mark.native

HARD = random_instance((5, 5), 280, seed=1)
"""No metaheuristic solves it during a test."""


@contextmanager
def running(
    view: LiveView, solver: str = "annealing", puzzle: Puzzle = HARD, **kwargs: object
) -> Iterator[Future[Result]]:
    """Run a solver in another thread, and stop it at the end."""
    with ThreadPoolExecutor(1) as pool:
        try:
            yield pool.submit(solve, puzzle, solver, frames=view, **kwargs)  # type: ignore[arg-type]
        finally:
            view.stop()


def frames_until(view: LiveView, step: int) -> list[Frame]:
    """Return the frames up to a step, the last one so far. Runs that do not pause there miss their next steps."""
    frames: list[Frame] = []

    def has_reached() -> bool:
        frames.extend(view.take())
        return bool(frames) and frames[-1].step >= step

    wait_until(has_reached)
    return frames


def watch_another_run(num_frames: int) -> None:
    """Wait until a run that takes one step per frame, and hardly any CPU time, has shown so many frames."""
    view = LiveView()
    view.set_speed(1)
    with running(view):
        frames_until(view, num_frames)


def step_until_waited(view: LiveView, seconds: float, future: Future[Result]) -> int:
    """Step through a paused run until it has waited so long for its turns; return the number of steps."""
    num_steps = 0
    while view._native.seconds_waited <= seconds:
        view.step()
        num_steps += 1
        wait_until(lambda: view.take() or future.done())
        assert not future.done()
    return num_steps


@for_each("name", [name for name, cls in all_solvers().items() if cls.unit and name != "auto"])
def test_a_paused_run_makes_exactly_the_requested_steps(name: str) -> None:
    view = LiveView()
    view.pause()
    with running(view, name) as future:
        assert [frame.step for frame in frames_until(view, 0)] == [0]
        for count, step in ((1, 1), (1, 2), (5, 7)):
            view.step(count)
            assert frames_until(view, step)[-1].step == step
        view.stop()
        future.result(PATIENCE_SECONDS)
        assert {frame.step for frame in view.take()} <= {7}


def test_steps_add_up_until_they_are_made() -> None:
    view = LiveView()
    view.step(3)
    view.step()
    view.step(2)
    with running(view):
        assert frames_until(view, 6)[-1].values["iterations"] == 6
        view.step(1)
        assert frames_until(view, 7)[-1].values["iterations"] == 7


@pytest.mark.timing
def test_a_run_can_be_paused_and_resumed() -> None:
    view = LiveView()
    with running(view):
        wait_until(view.take)
        view.pause()
        assert cpu_seconds(lambda: watch_another_run(30)) < 0.1  # in half a second
        last = max((frame.step for frame in view.take()), default=0)
        view.resume()
        wait_until(lambda: any(frame.step > last for frame in view.take()))


def test_every_step_is_shown_at_one_step_per_frame() -> None:
    view = LiveView()
    view.set_speed(1)
    view.step(12)
    with running(view):
        assert [frame.step for frame in frames_until(view, 12)] == list(range(13))


def test_the_speed_can_be_changed_during_a_run() -> None:
    view = LiveView()
    view.set_speed(1, 0.01)  # a frame every hundred seconds
    with running(view):
        wait_until(lambda: len(view.take()) == 1)
        view.set_speed(50, 60)
        frames: list[Frame] = []
        wait_until(lambda: len(frames.extend(view.take()) or frames) >= 4)  # type: ignore[func-returns-value]
        assert all(after.step - before.step == 50 for before, after in pairwise(frames))


@for_each(("steps_per_frame", "frames_per_second"), [(0, 60), (1, 60), (100, 60), (10, 20), (0, 10)])
def test_the_frames_per_second_are_limited(steps_per_frame: int, frames_per_second: int) -> None:
    view = LiveView(capacity=1000)
    view.set_speed(steps_per_frame, frames_per_second)
    frames: list[Frame] = []
    start = time.perf_counter()
    with running(view):
        wait_until(lambda: len(frames.extend(view.take()) or frames) >= frames_per_second // 2)  # type: ignore[func-returns-value]
    seconds = time.perf_counter() - start
    frames.extend(view.take())
    assert len(frames) <= frames_per_second * seconds + 2  # the first and the last do not wait
    if steps_per_frame:
        assert all(after.step - before.step == steps_per_frame for before, after in pairwise(frames[:-1]))


def test_stepping_quickly_keeps_to_sixty_frames_per_second() -> None:
    view = LiveView(capacity=1000)
    view.pause()
    frames: list[Frame] = []
    start = time.perf_counter()
    with running(view):
        while len(frames) < 20:
            view.step()
            frames.extend(view.take())
    assert len(frames) <= 60 * (time.perf_counter() - start) + 2


def test_a_slow_reader_loses_the_oldest_frames() -> None:
    view = LiveView(capacity=3)
    view.set_speed(1)
    solve(HARD, "annealing", Budget(iterations=10), frames=view)
    assert [frame.step for frame in view.take()] == [8, 9, 10]


@pytest.mark.timing
@for_each("is_paused", [True, False])
@for_each("name", ["annealing", "ant-colony", "conflict-driven", "auto"])
def test_a_run_stops_within_a_tenth_of_a_second(name: str, is_paused: bool) -> None:
    view = LiveView()
    puzzle = random_instance((8, 8), 1800, seed=1)
    if is_paused:
        view.pause()
    with running(view, name, puzzle, budget=Budget(seconds=20, is_cpu_time=True)) as future:
        wait_until(view.take)
        start = time.process_time()
        view.stop()
        result = future.result(PATIENCE_SECONDS)
        assert time.process_time() - start < TOLERANCE_SECONDS
        assert result.status is Status.UNKNOWN
        assert view.is_stopped


def test_a_stopped_run_returns_its_best_state() -> None:
    view = LiveView()
    view.step(500)
    with running(view) as future:
        frames_until(view, 500)
        view.stop()
        result = future.result()
    assert result.stats["iterations"] == 500
    assert result == solve(HARD, "annealing", Budget(iterations=500))


def test_a_view_that_was_stopped_before_the_run_ends_it_at_once() -> None:
    view = LiveView()
    view.stop()
    assert solve(HARD, "annealing", frames=view).stats["iterations"] == 0


@pytest.mark.parametrize("is_cpu_time", [False, True])
def test_pauses_count_neither_as_search_time_nor_against_the_budget(is_cpu_time: bool) -> None:
    view = LiveView()
    view.pause()
    start = time.perf_counter()
    with running(view, budget=Budget(seconds=0.3, is_cpu_time=is_cpu_time)) as future:
        step_until_waited(view, 0.3, future)
        view.resume()
        result = future.result(PATIENCE_SECONDS)
    seconds = time.perf_counter() - start
    assert result.seconds < seconds - 0.3
    assert view.take()[-1].seconds < seconds - 0.3


def test_twenty_runs_can_be_watched_at_once() -> None:
    views = [LiveView() for _ in range(20)]
    names = ["annealing", "ant-colony", "tabu", "backtracking"] * 5
    expected = {name: solve(INKALA, name, steps_of(name), seed=1) for name in set(names)}
    with ThreadPoolExecutor(20) as pool:
        futures = [
            pool.submit(solve, INKALA, name, steps_of(name), seed=1, frames=view)
            for name, view in zip(names, views, strict=True)
        ]
        for view in views:
            view.pause()
            view.step(2)
            view.set_speed(7, 60)
            view.set_speed()
            view.resume()
        while not all(future.done() for future in futures):
            for view in views:
                steps = [frame.step for frame in view.take()]
                assert steps == sorted(steps)
    for name, future in zip(names, futures, strict=True):
        assert future.result() == expected[name]


def steps_of(name: str) -> Budget:
    return Budget(**{str(make_solver(name).unit): 200})  # type: ignore[arg-type]


def test_a_view_shows_one_run() -> None:
    view = LiveView()
    solve(TINY, frames=view)
    with pytest.raises(ParameterError, match="create a new LiveView for each run"):
        solve(TINY, frames=view)


@for_each(
    ("call", "message"),
    [
        (lambda view: view.step(0), "count: 0; choose 1 to"),
        (lambda view: view.step(1.5), "count: 1.5"),
        (lambda view: view.set_speed(-1), "steps_per_frame: -1; choose 0 to"),
        (lambda view: view.set_speed(1, 0), "frames_per_second: 0; choose a number from 0.01 to 60"),
        (lambda view: view.set_speed(1, 61), "frames_per_second: 61"),
        (lambda view: view.set_speed(1, float("nan")), "frames_per_second: nan"),
        (lambda view: LiveView(0), "capacity: 0"),
    ],
)
def test_wrong_values_are_refused(call: Callable[[LiveView], None], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        call(LiveView())


def test_a_live_run_always_shows_its_puzzle_and_its_result() -> None:
    view = LiveView()
    result = solve(INKALA, frames=view)
    first, last = view.take()
    assert first.grid.tolist() == INKALA.givens.tolist()
    assert result.solution is not None
    assert last.grid.tolist() == result.solution.givens.tolist()


class Walking(Solver):
    """Counts its steps, in Python."""

    name = "walking"
    unit = "iterations"

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        clock = Clock(budget)
        while clock.step():
            trace.record(iterations=clock.steps, cost=1, grid=puzzle)
        return Result(Status.UNKNOWN, puzzle, self.name, stats={"iterations": clock.steps}, seconds=clock.seconds)


def test_a_solver_written_in_python_can_be_paused_stepped_and_stopped() -> None:
    view = LiveView()
    view.pause()
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(Walking().solve, TINY, Budget(seconds=1), frames=view)
        assert frames_until(view, 1)[-1].step == 1
        view.step(4)
        assert frames_until(view, 5)[-1].values == {"iterations": 5, "cost": 1}
        num_steps = step_until_waited(view, 1, future)  # the budget excludes pauses
        view.stop()
        result = future.result(PATIENCE_SECONDS)
    assert result.stats["iterations"] == 5 + num_steps
    assert result.seconds < 1


def test_frames_can_be_read_while_the_search_runs_on_the_main_thread() -> None:
    view = LiveView()
    taken: list[Frame] = []

    def read() -> None:
        wait_until(lambda: len(taken.extend(view.take()) or taken) > 3)  # type: ignore[func-returns-value]
        view.stop()

    reader = threading.Thread(target=read)
    reader.start()
    assert solve(HARD, "annealing", frames=view).status is Status.UNKNOWN
    reader.join()

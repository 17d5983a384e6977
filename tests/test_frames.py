"""Recorded frames: what they show, which steps are kept, and that recording changes nothing."""

from __future__ import annotations

import base64
import json
import math
import os
import time
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from sudokulab import Budget, FormatError, ParameterError, Puzzle, Result, Solver, solve
from sudokulab.external import ExternalSolver
from sudokulab.search import Clock, Trace
from sudokulab.search.frames import (
    CAPACITY,
    Frame,
    LiveView,
    Recorder,
    frame_from_dict,
    frame_to_dict,
    frames_to_lines,
    read_frames,
    to_line,
)
from sudokulab.solvers import make_solver
from sudokulab.solvers.registry import all_solvers
from tests.cases import for_each
from tests.puzzles import EASY, IMPOSSIBLE_4, INKALA, TINY, random_instance
from tests.timing import busy_processes

pytestmark = pytest.mark.native

CLASH = Puzzle.from_array([[1, 1, 0, 0], [0] * 4, [0] * 4, [0] * 4])
LARGE = random_instance((4, 4), 110, seed=1)
SOLVERS = [cls() for cls in all_solvers().values()]
NATIVE = [solver for solver in SOLVERS if not isinstance(solver, ExternalSolver)]
TREES = ["backtracking", "dlx", "graph-search", "conflict-driven"]
ONLY_IN_TRACES = ("evaluations", "moves", "seconds")


def steps(solver: Solver, number: int) -> Budget:
    return Budget(**{solver.unit: number}) if solver.unit else Budget(seconds=5)  # type: ignore[arg-type]


def without_times(result: Result) -> Result:
    return replace(result, stats={name: x for name, x in result.stats.items() if not name.endswith("_seconds")})


@for_each("solver", SOLVERS)
def test_recording_does_not_change_the_run(solver: Solver) -> None:
    for puzzle in (INKALA, LARGE, CLASH, IMPOSSIBLE_4):
        plain = solver.solve(puzzle, steps(solver, 300), seed=5, trace=True)
        recorded = solver.solve(puzzle, steps(solver, 300), seed=5, trace=True, frames=True)
        live = solver.solve(puzzle, steps(solver, 300), seed=5, trace=True, frames=LiveView())
        assert without_times(plain) == without_times(recorded) == without_times(live)
        assert plain.trace.keys() == recorded.trace.keys()
        for name in set(plain.trace) - {"seconds"}:
            column = plain.trace[name]
            assert np.array_equal(column, recorded.trace[name]), name
            assert np.array_equal(column, live.trace[name]), name
        assert not plain.frames
        assert not live.frames


@for_each("solver", SOLVERS)
def test_the_same_seed_gives_the_same_frames(solver: Solver) -> None:
    runs = [solver.solve(EASY, steps(solver, 500), seed=3, frames=True).frames for _ in range(2)]
    first, second = ([replace(frame, seconds=0) for frame in frames] for frames in runs)
    assert first == second


@for_each("puzzle", [TINY, EASY, INKALA, LARGE, CLASH, IMPOSSIBLE_4], ids=lambda puzzle: puzzle.line[:9])
@for_each("solver", SOLVERS)
def test_frames_go_from_the_start_to_the_result(solver: Solver, puzzle: Puzzle) -> None:
    result = solver.solve(puzzle, steps(solver, 300), seed=1, frames=True)
    frames = result.frames
    assert frames[0].step == 0
    assert all(before.step < after.step for before, after in pairwise(frames))
    assert all(before.seconds <= after.seconds for before, after in pairwise(frames))
    assert len(frames) >= 2
    if result.solution is not None:
        assert np.array_equal(frames[-1].grid, result.solution.givens)
    for frame in frames:
        assert frame.grid.shape == (puzzle.size, puzzle.size)
        assert frame.grid.dtype == np.uint8
        assert frame.grid.max() <= puzzle.size
        if puzzle not in (CLASH, IMPOSSIBLE_4):
            assert (frame.grid[puzzle.givens > 0] == puzzle.givens[puzzle.givens > 0]).all()


@for_each("solver", NATIVE)
def test_the_last_frame_has_the_final_values(solver: Solver) -> None:
    result = solver.solve(INKALA, steps(solver, 200), seed=1, trace=True, frames=True)
    last = {name: column[-1] for name, column in result.trace.items() if name not in ONLY_IN_TRACES}
    assert result.frames[-1].values == last
    assert last[str(solver.unit)] == result.stats[str(solver.unit)]


@for_each("num_steps", [1, 2, 511, 512, 513, 1023, 1024, 1025, 10_000, 100_000])
def test_frames_are_evenly_spaced(num_steps: int) -> None:
    frames = solve(INKALA, "annealing", Budget(iterations=num_steps), frames=True).frames
    numbers = [frame.step for frame in frames]
    assert numbers[0] == 0
    assert numbers[-1] == num_steps
    assert min(num_steps, CAPACITY // 2) <= len(numbers) <= CAPACITY
    stride = numbers[1] - numbers[0]
    assert all(b - a == stride for a, b in pairwise(numbers[:-1]))
    assert numbers[-1] - numbers[-2] <= stride
    assert [frame.values["iterations"] for frame in frames] == numbers


def test_short_runs_show_every_step() -> None:
    result = solve(INKALA, "backtracking", frames=True)
    assert [frame.values["nodes"] for frame in result.frames] == list(range(int(result.stats["nodes"]) + 1))


def test_a_run_without_steps_shows_the_puzzle_and_the_result() -> None:
    for solver in ("auto", "backtracking", "annealing"):
        full = solve(EASY).solution
        frames = solve(full or EASY, solver, frames=True).frames
        assert [frame.step for frame in frames] == [0, 1]
    frames = solve(EASY, frames=True).frames
    assert np.array_equal(frames[0].grid, EASY.givens)
    assert np.count_nonzero(frames[1].grid) == 81


@for_each("name", ["annealing", "tabu", "hill-climbing", "iterated-local-search", "genetic"])
def test_swap_searches_show_full_grids_with_the_cost_of_the_values(name: str) -> None:
    result = solve(INKALA, make_solver(name, filter="none"), Budget(iterations=50), seed=2, frames=True)
    for frame in result.frames:
        units = [*frame.grid, *frame.grid.T]
        assert sum(9 - len(set(unit.tolist())) for unit in units) == frame.values["cost"]
        assert frame.values["best_cost"] <= frame.values["cost"]


def test_annealing_shows_temperature_acceptance_and_reheats() -> None:
    frames = solve(INKALA, "annealing", Budget(iterations=400_000), seed=1, frames=True).frames
    assert all(0 <= frame.values["acceptance"] <= 1 for frame in frames)
    # at a high temperature nearly all moves are accepted, at a low one few
    assert frames[1].values["acceptance"] > 0.7
    assert min(frame.values["acceptance"] for frame in frames) < 0.5
    solver = make_solver("annealing", reheat_after=1)
    frames = solver.solve(INKALA, Budget(iterations=400_000), seed=1, frames=True).frames
    for before, after in pairwise(frames):
        is_hotter = after.values["temperature"] > before.values["temperature"] > 0
        assert is_hotter <= (after.values["reheats"] > before.values["reheats"])
    assert frames[-1].values["reheats"] > 0


def test_the_tabu_list_is_shown_in_order() -> None:
    frames = solve(INKALA, make_solver("tabu", tabu_size=6), Budget(iterations=30), seed=1, frames=True).frames
    assert len(frames[-1].tabu) == 6
    for before, after in pairwise(frames):
        changed = np.flatnonzero(before.grid != after.grid)
        lost = {(int(cell), int(before.grid.ravel()[cell])) for cell in changed}
        assert lost <= set(after.tabu)
        assert set(after.tabu[-len(lost) :] if lost else ()) == lost


def test_every_elimination_of_ac3_is_shown() -> None:
    frames = solve(INKALA, "ac3+annealing", Budget(iterations=1), frames=True).frames
    shown = [frame for frame in frames if frame.phase == "ac3"]
    left = [int(frame.candidates.sum()) for frame in shown if frame.candidates is not None]
    assert left[0] == 60 * 9 + 21
    assert all(before - after == 1 for before, after in pairwise(left))
    assert len(left) == len(shown) > 200
    assert frames[len(shown)].values["iterations"] == 0


@for_each("name", ["cp-annealing", "cp+tabu", "rules+hill-climbing"])
def test_other_filters_show_their_result(name: str) -> None:
    first, second, *_ = solve(EASY, name, Budget(iterations=5), frames=True).frames
    assert (first.phase, second.phase) == ("filter", "")
    assert first.candidates is not None
    assert np.count_nonzero(first.grid) == first.values["cells_fixed"] == 81
    first, second, *_ = solve(INKALA, name, Budget(iterations=5), frames=True).frames
    assert first.values["cells_fixed"] == np.count_nonzero(first.grid) < 81 == np.count_nonzero(second.grid)


@pytest.mark.parametrize("filter", ["rules", "singles,x-wing"])
def test_filters_with_techniques_keep_placed_digits_as_candidates(filter: str) -> None:
    frame = solve(INKALA, make_solver("annealing", filter=filter), Budget(iterations=5), frames=True).frames[0]
    assert frame.phase == "filter"
    assert frame.candidates is not None
    placed = frame.grid > 0
    assert (frame.candidates.sum(axis=2)[placed] == 1).all()
    assert (frame.candidates.argmax(axis=2)[placed] + 1 == frame.grid[placed]).all()


def test_ac3_tabu_shows_domains_and_tabu_placements() -> None:
    frame = solve(INKALA, "ac3-tabu", Budget(iterations=3), seed=1, frames=True).frames[-1]
    assert frame.candidates is not None
    assert (frame.candidates.sum(axis=2) == 1).sum() == np.count_nonzero(frame.grid)
    assert frame.tabu


def test_the_ant_colony_shows_its_pheromone() -> None:
    result = solve(INKALA, "ant-colony", seed=1, trace=True, frames=True)
    first, *_, last = result.frames
    assert first.pheromone is not None
    assert np.allclose(first.pheromone, 1 / 81)
    assert last.pheromone is not None
    assert np.allclose(last.pheromone.reshape(81, 9), result.matrices["pheromone"])
    for frame in result.frames:
        assert np.count_nonzero(frame.grid) == frame.values["cells_fixed"]


@for_each("name", TREES)
def test_tree_searches_show_candidates_and_decisions(name: str) -> None:
    result = solve(INKALA, make_solver(name), frames=True)
    for frame in result.frames:
        assert frame.candidates is not None
        placed = frame.grid > 0
        assert np.count_nonzero(placed) <= 81
        assert (frame.candidates.argmax(axis=2)[placed] + 1 == frame.grid[placed]).all()
        cells = [cell for cell, _ in frame.decisions]
        assert len(set(cells)) == len(cells)
        for cell, digit in frame.decisions:
            assert frame.grid.ravel()[cell] == digit
        assert len(frame.decisions) == frame.values["depth"]
    last = result.frames[-1]
    assert last.candidates is not None
    assert last.candidates.sum() == 81


# annealing traces whole temperatures; two tree searches trace a node before, and show it after its consequences
SAMPLED_ELSEWHERE = {"annealing", "cp-annealing", "conflict-driven", "graph-search", "auto"}


@for_each("name", [n for n, cls in all_solvers().items() if cls.unit and n not in SAMPLED_ELSEWHERE])
def test_frames_agree_with_the_trace(name: str) -> None:
    solver = make_solver(name)
    result = solver.solve(INKALA, steps(solver, 300), seed=1, trace=True, frames=True)
    columns = {column: values.tolist() for column, values in result.trace.items() if column not in ONLY_IN_TRACES}
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    by_step = {row[str(solver.unit)]: row for row in rows}
    shown = [frame for frame in result.frames if frame.values.get(str(solver.unit)) in by_step]
    assert len(shown) > len(rows) / 4
    for frame in shown:
        assert frame.values == by_step[frame.values[str(solver.unit)]]


def test_conflict_driven_search_shows_learnt_clauses_and_restarts() -> None:
    solver = make_solver("conflict-driven", restart_unit=10)
    frames = solver.solve(INKALA, frames=True).frames
    assert 0 < frames[-1].values["learnt"] <= frames[-1].values["conflicts"]
    assert frames[-1].values["restarts"] > 0


def test_auto_shows_its_engine_on_large_grids() -> None:
    frames = solve(LARGE, frames=True).frames
    assert len(frames) > 2
    assert "learnt" in frames[-1].values


class Counting(Solver):
    """Fills one cell per step with its step number, and records it."""

    name = "counting"
    unit = "iterations"

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> None:
        clock = Clock(budget)
        grid = np.zeros((4, 4), int)
        while clock.step():
            grid.flat[clock.steps % 16] = clock.steps % 4 + 1
            trace.record(iterations=clock.steps, cost=1, grid=grid)


def test_solvers_written_in_python_can_be_recorded() -> None:
    result = Counting().solve(TINY, Budget(iterations=5), frames=True)
    assert [frame.step for frame in result.frames] == [1, 2, 3, 4, 5]
    assert result.frames[-1].values == {"iterations": 5, "cost": 1}
    assert np.count_nonzero(result.frames[-1].grid) == 5
    assert not result.trace
    both = Counting().solve(TINY, Budget(iterations=5000), trace=True, frames=True)
    assert len(both.trace["cost"]) > CAPACITY >= len(both.frames)


@for_each("grid", [TINY, TINY.cells, TINY.givens, TINY.givens.tolist()])
def test_a_python_solver_may_record_its_grid_in_any_form(grid: Any) -> None:
    class Recording(Counting):
        def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> None:
            trace.record(iterations=0, grid=grid)

    assert np.array_equal(Recording().solve(TINY, frames=True).frames[0].grid, TINY.givens)


@for_each("grid", [EASY, b"\5" * 16, [[-1] * 4] * 4])
def test_a_python_solver_that_records_a_wrong_grid_gets_an_error(grid: Any) -> None:
    class Wrong(Counting):
        def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> None:
            trace.record(iterations=0, grid=grid)

    with pytest.raises(ValueError, match="grid"):
        Wrong().solve(TINY, frames=True)
    assert not Wrong().solve(TINY).frames


def test_frames_must_be_a_flag_or_a_view() -> None:
    with pytest.raises(ParameterError, match="frames: 'yes'; pass True, False, a LiveView or a Recorder"):
        solve(TINY, frames="yes")  # type: ignore[arg-type]


def test_large_grids_keep_fewer_frames() -> None:
    puzzle = random_instance((8, 8), 1800, seed=1)
    frames = solve(puzzle, "annealing", Budget(iterations=1000), frames=True).frames
    assert 32 <= len(frames) <= 64
    assert frames[-1].step == 1000


# The codec


@for_each("solver", SOLVERS)
def test_a_recording_can_be_read_back(solver: Solver) -> None:
    result = solver.solve(INKALA, steps(solver, 40), seed=1, frames=True)
    lines = list(frames_to_lines(result))
    recording = read_frames(lines)
    assert recording.puzzle == INKALA
    assert recording.header["solver"] == solver.name
    assert recording.header["seed"] == 1
    assert recording.result == {"type": "result", **result.to_dict()}
    assert len(recording.frames) == len(result.frames)
    for read, frame in zip(recording.frames, result.frames, strict=True):
        if frame.pheromone is not None and read.pheromone is not None:
            assert np.allclose(read.pheromone, frame.pheromone, atol=frame.pheromone.max() / 500)
            read, frame = replace(read, pheromone=None), replace(frame, pheromone=None)
        assert replace(read, seconds=0) == replace(frame, seconds=0)
        assert read.seconds == pytest.approx(frame.seconds, abs=1e-6)


def test_the_header_describes_the_run() -> None:
    result = solve(TINY, make_solver("annealing", cooling=0.9), seed=7, frames=True)
    assert read_frames(frames_to_lines(result)).header == {
        "type": "run",
        "version": 1,
        "puzzle": TINY.line,
        "givens": list(TINY.cells),
        "box": "2x2",
        "size": 4,
        "solver": "annealing",
        "parameters": {
            "cooling": 0.9,
            "sampling_moves": 100,
            "moves_factor": 1.0,
            "reheat_after": 20,
            "improvement": "start",
            "filter": "none",
        },
        "seed": 7,
        "unit": "iterations",
    }


def test_a_frame_is_compact_json() -> None:
    frame = Frame(
        3,
        0.0123456789,
        {"iterations": 3.0, "temperature": 0.5, "best_value": math.inf},
        TINY.givens,
        candidates=np.eye(4, dtype=bool)[np.maximum(TINY.givens, 1) - 1],
        pheromone=np.array([0.5, 0.25] + [0] * 62, np.float32).reshape(4, 4, 4),
        tabu=((0, 1),),
        decisions=((3, 4), (5, 1)),
        phase="ac3",
    )
    levels = base64.b64encode(bytes([255, 128] + [0] * 62)).decode()
    assert to_line(frame_to_dict(frame)) == (
        '{"type":"frame","step":3,"seconds":0.012346,"values":{"iterations":3,"temperature":0.5,"best_value":null},'
        '"grid":[1,0,0,0,0,0,3,0,0,4,0,0,0,0,0,2],"candidates":[1,1,1,1,1,1,4,1,1,8,1,1,1,1,1,2],'
        f'"pheromone":{{"max":0.5,"levels":"{levels}"}},'
        '"tabu":[[0,1]],"decisions":[[3,4],[5,1]],"phase":"ac3"}'
    )


@st.composite
def any_frame(draw: st.DrawFn) -> Frame:
    size = draw(st.sampled_from([4, 6, 9, 16, 64]))
    digits = arrays.arrays(np.uint8, (size, size), elements=st.integers(0, size), fill=st.just(0))
    placements = st.lists(st.tuples(st.integers(0, size * size - 1), st.integers(1, size)), max_size=5).map(tuple)
    return Frame(
        draw(st.integers(0, 2**53)),
        draw(st.floats(0, 1e6)),
        draw(st.dictionaries(st.text(max_size=8), st.floats(allow_nan=False, allow_infinity=False), max_size=4)),
        draw(digits),
        draw(st.none() | arrays.arrays(np.bool_, (size, size, size), fill=st.booleans())),
        draw(st.none() | arrays.arrays(np.float32, (size, size, size), elements=st.floats(0, 1, width=32))),
        draw(placements),
        draw(placements),
        draw(st.sampled_from(["", "ac3", "filter"])),
    )


@given(any_frame())
def test_every_frame_can_be_encoded_and_decoded(frame: Frame) -> None:
    line = to_line(frame_to_dict(frame))
    assert "\n" not in line
    read = frame_from_dict(json.loads(line), frame.grid.shape[0])
    assert read.seconds == pytest.approx(frame.seconds, abs=1e-6)
    if frame.pheromone is not None:
        assert read.pheromone is not None
        assert np.allclose(read.pheromone, frame.pheromone, atol=frame.pheromone.max() / 500)
    assert replace(read, seconds=0, pheromone=None) == replace(frame, seconds=0, pheromone=None)


HEADER = '{"type":"run","version":1,"givens":[1,0,0,0,0,0,3,0,0,4,0,0,0,0,0,2],"box":"2x2","seed":0}'
FRAME = '{"type":"frame","step":0,"seconds":0,"values":{},"grid":[1,0,0,0,0,0,3,0,0,4,0,0,0,0,0,2]%s}'


@for_each(
    ("lines", "problem"),
    [
        ([], "no lines"),
        (["nonsense"], ":1:1: Expecting value"),
        (["[]"], ":1:1: "),
        ([FRAME % ""], "the first line has the type 'frame', not run"),
        ([HEADER.replace("1,", "2,", 1)], "version 2 of the format"),
        ([HEADER.replace("2x2", "2x3")], ":1:1: "),
        ([HEADER.replace("[1,0,0,0,0,0,3,0,0,4,0,0,0,0,0,2]", "1000000000000")], ":1:1: "),
        ([HEADER.replace('"seed"', '"size":1000000000,"seed"')], ":1:1: size 1000000000 with boxes of 2x2"),
        ([HEADER.replace("[1,", "[300,")], ":1:1: "),
        ([HEADER, '{"type":"other"}'], ":2:1: a line of type 'other'"),
        ([HEADER, '{"type":"frame"}'], ":2:1: no 'values'"),
        ([HEADER, FRAME.replace("[1,", "[5,") % ""], "digit 5 in a grid of size 4"),
        ([HEADER, FRAME.replace("[1,", "[1,1,") % ""], ":2:1: cannot reshape"),
        ([HEADER, FRAME % ',"tabu":[[16,1]]'], "digit 1 in cell 16 of a grid of size 4"),
        ([HEADER, FRAME % ',"decisions":[[0,0]]'], "digit 0 in cell 0 of a grid of size 4"),
        ([HEADER, FRAME % ',"candidates":[1]'], ":2:1: cannot reshape"),
        ([HEADER, FRAME % ',"pheromone":{"max":1,"levels":"AAAA"}'], ":2:1: cannot reshape"),
        ([HEADER, FRAME % ',"pheromone":{"max":1,"levels":"?"}'], ":2:1: "),
    ],
)
def test_a_broken_recording_says_which_line_is_wrong(lines: list[str], problem: str) -> None:
    with pytest.raises(FormatError) as error:
        read_frames(lines)
    assert problem in str(error.value)


def test_a_recording_that_was_cut_off_has_no_result() -> None:
    recording = read_frames([HEADER, FRAME % "", ""])
    assert len(recording.frames) == 1
    assert recording.result is None


def test_a_result_without_frames_cannot_be_written() -> None:
    with pytest.raises(ParameterError, match="frames=True"):
        next(frames_to_lines(solve(TINY)))


class Interrupted(Solver):
    """A search that is interrupted after three steps."""

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> None:
        for step in range(3):
            trace.record(grid=puzzle, iterations=step)
        raise KeyboardInterrupt


def test_a_recorder_keeps_the_frames_of_an_interrupted_run() -> None:
    recorder = Recorder()
    with pytest.raises(KeyboardInterrupt):
        Interrupted().solve(TINY, frames=recorder)
    assert [frame.step for frame in recorder.take()] == [0, 1, 2]


def test_a_recorder_gives_the_frames_of_a_whole_run_to_the_result() -> None:
    recorder = Recorder()
    result = solve(INKALA, "backtracking", frames=recorder)
    assert [frame.step for frame in result.frames] == list(range(int(result.stats["nodes"]) + 1))
    assert recorder.take() == []


def test_times_under_a_cpu_budget_do_not_count_waiting_for_a_core() -> None:
    cores = os.sched_getaffinity(0)
    core = min(cores)
    os.sched_setaffinity(0, {core})
    try:
        with busy_processes(4, core):
            start = time.perf_counter()
            result = solve(IMPOSSIBLE_4, "annealing", Budget(seconds=0.2, is_cpu_time=True), frames=True)
            wall_seconds = time.perf_counter() - start
    finally:
        os.sched_setaffinity(0, cores)
    assert 0.2 <= result.seconds < 0.4
    assert result.frames[-1].seconds <= result.seconds
    assert wall_seconds > 2 * result.seconds

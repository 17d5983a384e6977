"""Every public function accepts a puzzle in every form, and rejects everything else with a clear error."""

from __future__ import annotations

import inspect
import io
import pickle
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas
import polars as pl
import pytest

import sudokulab
from sudokulab import Budget, Puzzle, PuzzleError, Result, SudokulabError, convert, drawing, formats, lab, logic, papers
from sudokulab.logic import filtering
from sudokulab.papers import analysis
from sudokulab.questions import arrays
from tests.cases import for_each
from tests.convert.test_exact_cover import covers
from tests.puzzles import TINY

SOLUTION = "1324423124133142"
INTEGERS = "".join(f"x_{cell // 4 + 1}_{cell % 4 + 1}_{digit} 1\n" for cell, digit in enumerate(SOLUTION))
INSTANTIATION = f"<instantiation> <list> x[][] </list> <values> {' '.join(SOLUTION)} </values> </instantiation>"
MATRIX = convert.exact_cover(TINY).tolist()
FIRST_STEP = logic.hint(TINY).steps[0]
ROWS = [[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]]

FORMS: dict[str, Any] = {
    "Puzzle": TINY,
    "line": "1.....3..4.....2",
    "drawn grid": str(TINY),
    "rows of numbers": "1 0 0 0\n0 0 3 0\n0 4 0 0\n0 0 0 2",
    "JSON": '{"puzzle": "1.....3..4.....2"}',
    "text as bytes": b"1.....3..4.....2",
    "cells as bytes": TINY.cells,
    "bytearray": bytearray(TINY.cells),
    "nested lists": ROWS,
    "nested tuples": tuple(map(tuple, ROWS)),
    "flat list": [digit for row in ROWS for digit in row],
    "2-D array": np.array(ROWS),
    "flat array": np.array(ROWS, dtype=np.int8).ravel(),
    "unsigned array": np.array(ROWS, dtype=np.uint64),
    "big-endian array": np.array(ROWS, dtype=">i4"),
    "numpy string": np.str_("1.....3..4.....2"),
}

INVALID: dict[str, Any] = {
    "None": None,
    "number": 42,
    "float": 1.5,
    "empty text": "",
    "words": "no puzzle at all",
    "too short": "123",
    "empty list": [],
    "ragged lists": [[1, 2], [3]],
    "list of None": [None] * 16,
    "float array": np.zeros((4, 4)),
    "3-D array": np.zeros((4, 4, 4), int),
    "digits out of range": [5] * 16,
    "negative digits": [-1] * 16,
    "dictionary": {"puzzle": 1},
    "object": object(),
    "generator": (digit for digit in [1, 2]),
}

ONE: dict[str, Callable[[Any], Any]] = {
    "solve": lambda p: sudokulab.solve(p).solution,
    "count": sudokulab.count,
    "solutions": lambda p: list(sudokulab.solutions(p)),
    "is_unique": sudokulab.is_unique,
    "is_minimal": sudokulab.is_minimal,
    "redundant_givens": sudokulab.questions.redundant_givens,
    "minimize": sudokulab.minimize,
    "is_solution": lambda p: sudokulab.is_solution(SOLUTION, p),
    "Puzzle": sudokulab.Puzzle,
    "Solver.solve": lambda p: sudokulab.solvers.Tabu().solve(p, Budget(iterations=50)).cost is not None,
    "CompleteSolver.solve": lambda p: sudokulab.solvers.Dlx().solve(p).solution,
    "CompleteSolver.count": lambda p: sudokulab.solvers.Dlx().count(p),
    "CompleteSolver.solutions": lambda p: list(sudokulab.solvers.Dlx().solutions(p)),
    "canonical": sudokulab.canonical,
    "is_equivalent": lambda p: sudokulab.is_equivalent(p, TINY),
    "class_hash": sudokulab.class_hash,
    "draw": lambda p: str(drawing.draw(p)),
    "svg": drawing.svg,
    "picture_of": lambda p: drawing.picture_of(p).shapes,
    "sheet": lambda p: sheet_text(p),
    "booklet": lambda p: booklet_text(p),
    "cp": filtering.cp,
    "ac3": lambda p: filtering.ac3(p).tolist(),
    "share_fixed": filtering.share_fixed,
    "deduce": lambda p: logic.deduce(p).puzzle,
    "steps": lambda p: logic.steps(p, "hidden-single"),
    "describe": lambda p: logic.describe(FIRST_STEP, p),
    "picture_of_step": lambda p: logic.picture_of_step(FIRST_STEP, p).shapes,
    "hint": lambda p: str(logic.hint(p)),
    "explain": lambda p: str(logic.explain(p)),
    "rate": lambda p: logic.rate(p).level,
    "trial": lambda p: logic.trial(p).key,
    "cnf": lambda p: convert.cnf(p).num_clauses,
    "colouring": lambda p: convert.colouring(p).tolist(),
    "exact_cover": lambda p: convert.exact_cover(p).tolist(),
    "decode_cnf": lambda p: convert.decode_cnf(p, "s SATISFIABLE\nv 0\n", "optimised"),
    "decode_colouring": lambda p: convert.decode_colouring(p, "0 2 1 3  3 1 2 0  1 3 0 2  2 0 3 1"),
    "decode_exact_cover": lambda p: convert.decode_exact_cover(p, next(iter(covers(MATRIX, 64)))),
    "decode_minizinc": lambda p: convert.decode_minizinc(p, " ".join(SOLUTION)),
    "decode_lp": lambda p: convert.decode_lp(p, INTEGERS),
    "decode_xcsp": lambda p: convert.decode_xcsp(p, INSTANTIATION),
    **{
        name: lambda p, name=name: written(lambda stream: getattr(convert, name)(p, stream))  # type: ignore[misc]
        for name in convert.__all__
        if name.startswith("write_")
    },
    "num_moves": analysis.num_moves,
    "num_moves_anywhere": analysis.num_moves_anywhere,
    "num_moves_saved": analysis.num_moves_saved,
    "num_states": analysis.num_states,
    "as_puzzle": formats.coercion.as_puzzle,
}
"""Every public function of one puzzle."""

MANY: dict[str, Callable[[Any], Any]] = {
    "solve_many": lambda ps: [result.solution for result in sudokulab.solve_many(ps)],
    "as_array": lambda ps: sudokulab.as_array(ps).tolist(),
    "as_strings": sudokulab.as_strings,
    "solve_array": lambda ps: sudokulab.solve_array(ps).tolist(),
    "count_array": lambda ps: sudokulab.count_array(ps).tolist(),
    "is_unique_array": lambda ps: sudokulab.is_unique_array(ps).tolist(),
    "canonical_array": lambda ps: sudokulab.canonical_array(ps).forms.tolist(),
    "class_hash_array": lambda ps: sudokulab.equivalence.class_hash_array(ps).tolist(),
    "write": lambda ps: written(lambda stream: sudokulab.write(ps, stream)),
    "rate_many": lambda ps: [rating.level for rating in logic.rate_many(ps)],
    "trial_many": lambda ps: [trial.key for trial in logic.trial_many(ps)],
    "smallest_rules": logic.smallest_rules,
}
"""Every public function of several puzzles."""

ELSEWHERE = {
    "compare",
    "tune",
    "generate",
    "generate_array",
}  # take experiments or specifications: tests/lab, tests/instances
MODULES: list[ModuleType] = [sudokulab, logic, filtering, convert, drawing, formats, arrays, analysis, papers, lab]


def written(write: Callable[[io.StringIO], object]) -> str:
    stream = io.StringIO()
    write(stream)
    return stream.getvalue()


def sheet_text(puzzles: object) -> str:
    with tempfile.TemporaryDirectory() as folder:
        return "".join(page.read_text() for page in sudokulab.sheet(puzzles, Path(folder) / "sheet.svg"))  # type: ignore[arg-type]


def booklet_text(puzzle: object) -> str:
    with tempfile.TemporaryDirectory() as folder:
        return "".join(page.read_text() for page in sudokulab.booklet(puzzle, Path(folder) / "b.svg"))  # type: ignore[arg-type]


def functions_of_puzzles() -> Iterator[str]:
    for module in MODULES:
        for name in getattr(module, "__all__", dir(module)):
            function = getattr(module, name)
            if inspect.isfunction(function) and "Puzzle" in str(list(inspect.signature(function).parameters.values())):
                yield name


def test_no_public_function_is_missing_here() -> None:
    assert set(functions_of_puzzles()) - {*ONE, *MANY, *ELSEWHERE} == set()


@for_each("name", ONE)
def test_a_puzzle_is_accepted_in_every_form(name: str) -> None:
    expected = ONE[name](TINY)
    for form, value in FORMS.items():
        assert ONE[name](value) == expected, form


@for_each("name", ONE)
@for_each("kind", INVALID)
def test_anything_else_raises_our_error(name: str, kind: str) -> None:
    with pytest.raises(SudokulabError):
        ONE[name](INVALID[kind])


@for_each("name", MANY)
def test_several_puzzles_are_accepted_in_every_form(name: str) -> None:
    expected = MANY[name]([TINY, TINY])
    for form, value in FORMS.items():
        assert MANY[name]([value, value]) == expected, form
    assert MANY[name](iter([TINY, TINY])) == expected


@for_each("name", [name for name in MANY if name != "write"])
@for_each("single", ["1.....3..4.....2", b"1.....3..4.....2", TINY, ROWS, 42, None], ids=repr)
def test_a_single_puzzle_is_not_taken_for_several(name: str, single: Any) -> None:
    with pytest.raises(PuzzleError, match=r"pass a list of puzzles|the array has shape"):
        MANY[name](single)


@for_each("form", FORMS)
def test_a_single_puzzle_can_be_written(form: str) -> None:
    assert MANY["write"](FORMS[form]) == f"{TINY.line}\n"


FOREIGN: dict[str, Callable[[], Any]] = {
    "parse(None)": lambda: sudokulab.parse(None),  # type: ignore[arg-type]
    "read(3)": lambda: sudokulab.read(3),  # type: ignore[arg-type]
    "write to 3": lambda: sudokulab.write([TINY], 3),  # type: ignore[arg-type]
    "write(None)": lambda: sudokulab.write(None, io.StringIO()),  # type: ignore[arg-type]
    "ragged array": lambda: Puzzle.from_array([[1], [2, 3]]),
    "permute_rows(None)": lambda: TINY.permute_rows(None),  # type: ignore[arg-type]
    "relabel(text)": lambda: TINY.relabel("abcd"),  # type: ignore[arg-type]
    "Clock(3)": lambda: sudokulab.search.Clock(3),  # type: ignore[arg-type]
    "generate(count='a')": lambda: sudokulab.generate("a"),  # type: ignore[arg-type]
    "generate_array(count='a')": lambda: sudokulab.generate_array("a"),  # type: ignore[arg-type]
    "random_grids(count='a')": lambda: sudokulab.instances.random_grids("a"),  # type: ignore[arg-type]
    "generate(lvl='hard')": lambda: sudokulab.generate(lvl="hard"),
    "seed=-1": lambda: sudokulab.solve(TINY, seed=-1),
    "seed='a'": lambda: sudokulab.solve(TINY, seed="a"),  # type: ignore[arg-type]
    "threads=0": lambda: sudokulab.solve_many([TINY], threads=0),
    "limit='2'": lambda: sudokulab.count(TINY, "2"),  # type: ignore[arg-type]
    "data frame": lambda: sudokulab.solve_array(Frame()),
    "missing value": lambda: sudokulab.solve_array([TINY, float("nan")]),
}


class Frame:
    """Stands for a pandas or polars data frame."""

    columns = ("puzzle",)

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)


@for_each("call", FOREIGN)
def test_every_other_argument_is_checked_as_well(call: str) -> None:
    with pytest.raises(SudokulabError):
        FOREIGN[call]()


def test_many_puzzles_report_each_unreadable_one() -> None:
    results = list(sudokulab.solve_many([TINY, *INVALID.values(), TINY]))
    assert [result.is_solved for result in results] == [True, *[False] * len(INVALID), True]
    assert all(result.error for result in results[1:-1])


@for_each("box", ["3x2", "3×2", (3, 2), sudokulab.BoxShape(3, 2)])
def test_a_box_shape_is_accepted_in_every_form(box: Any) -> None:
    text = "." * 36
    assert sudokulab.parse(text, box=box).box == (3, 2)
    assert Puzzle(text, box).box == (3, 2)
    assert Puzzle.empty(box).box == (3, 2)
    assert sudokulab.solve(text, box=box).puzzle == Puzzle.empty((3, 2))
    assert sudokulab.random_grid(box).box == (3, 2)
    assert next(sudokulab.generate(box=box)).box == (3, 2)
    assert next(sudokulab.solve_many([text], box=box)).puzzle == Puzzle.empty((3, 2))
    assert sudokulab.solve_array([text], box=box).shape == (1, 36)
    assert next(iter(sudokulab.read(io.StringIO(text), box=box))).box == (3, 2)


@for_each("box", ["3", "0x2", "axb", (3,), (1, 9), 5, (9, 9)])
def test_an_impossible_box_shape_raises_our_error(box: Any) -> None:
    with pytest.raises(SudokulabError):
        Puzzle("." * 36, box)


def test_functions_and_methods_take_their_arguments_in_the_same_order() -> None:
    for name in ("solve", "count", "solutions"):
        function = list(inspect.signature(getattr(sudokulab, name)).parameters)
        method = list(inspect.signature(getattr(sudokulab.solvers.Dlx, name)).parameters)[1:]
        assert [parameter for parameter in function if parameter != "solver"] == method


def test_a_limit_needs_no_budget() -> None:
    empty = Puzzle.empty(9)
    assert sudokulab.solve(TINY, seconds=5).is_solved
    assert sudokulab.solve(empty, "annealing", iterations=7).stats["iterations"] == 7
    assert sudokulab.solve(empty, "dlx", Budget(seconds=5), nodes=3).stats["nodes"] == 3
    assert next(sudokulab.solve_many([empty], "annealing", iterations=7)).stats["iterations"] == 7
    assert next(sudokulab.solve_many([empty], "dlx", nodes=3)).stats["nodes"] == 3
    with pytest.raises(sudokulab.ParameterError, match="dlx does not count iterations; limit nodes or seconds instead"):
        sudokulab.solve(TINY, "dlx", iterations=5)
    with pytest.raises(sudokulab.BudgetError):
        sudokulab.count(empty, seconds=0.01)
    with pytest.raises(sudokulab.ParameterError, match=r"two limits: seconds=1 and Budget\(seconds=2"):
        sudokulab.solve(TINY, "auto", Budget(seconds=2), seconds=1)
    with pytest.raises(sudokulab.ParameterError, match="budget: 5; pass a Budget such as"):
        sudokulab.solve(TINY, "auto", 5)  # type: ignore[arg-type]


def test_the_function_and_the_method_describe_the_same_parameters() -> None:
    function, method = (inspect.getdoc(one) or "" for one in (sudokulab.solve, sudokulab.solvers.Dlx.solve))
    function = function[function.index("budget\n") :].partition("Examples")[0].strip()
    assert function == method[method.index("budget\n") :].strip()
    section = (inspect.getdoc(sudokulab.solve) or "").partition("Parameters\n")[2].partition("\nRaises\n")[0]
    described = re.findall(r"^(\w+(?:, \w+)*)$", section, re.MULTILINE)
    assert ", ".join(described).split(", ") == list(inspect.signature(sudokulab.solve).parameters)


def test_a_result_is_true_if_the_puzzle_was_solved() -> None:
    assert sudokulab.solve(TINY)
    assert not sudokulab.solve("11" + "." * 14)
    assert not sudokulab.solve(Puzzle.empty(16), "annealing", iterations=1)


def test_solvers_are_accepted_as_names_classes_and_instances() -> None:
    for solver in ("dlx", sudokulab.solvers.Dlx, sudokulab.solvers.Dlx(), "sudokulab.solvers:Dlx"):
        assert sudokulab.solve(TINY, solver).solver == "dlx"
    for wrong in (None, 5, Puzzle, "dxl", "no_such_module:X", "sudokulab:Puzzle"):
        with pytest.raises(sudokulab.ParameterError):
            sudokulab.solve(TINY, wrong)  # type: ignore[arg-type]


TEXTS = [TINY.line, "." * 16]


@for_each(
    "make",
    [
        lambda: TEXTS,
        lambda: np.array(TEXTS),
        lambda: np.array(TEXTS, dtype="S"),
        lambda: pl.Series(TEXTS),
        lambda: pandas.Series(TEXTS),
    ],
    ids=["list", "text array", "bytes array", "polars", "pandas"],
)
def test_arrays_of_any_size_and_kind(make: Callable[[], Any]) -> None:
    assert sudokulab.count_array(make()).tolist() == [1, 288]
    assert sudokulab.is_unique_array(make()).tolist() == [True, False]
    assert sudokulab.as_strings(sudokulab.solve_array(make()))[0] == SOLUTION


@for_each("size", [4, 6, 9, 12, 16, 25])
def test_strings_and_arrays_are_inverses(size: int) -> None:
    grids = [sudokulab.random_grid(size, seed=seed) for seed in range(3)]
    array = sudokulab.as_array(grids)
    assert array.shape == (3, size * size)
    assert sudokulab.as_strings(array) == [grid.line for grid in grids]
    assert (sudokulab.as_array(sudokulab.as_strings(array)) == array).all()
    assert (sudokulab.solve_array(array) == array).all()


def test_a_result_is_a_value() -> None:
    first, second = (sudokulab.solve(TINY) for _ in range(2))
    assert first == second
    assert len({first, second, sudokulab.solve(TINY, "dlx")}) == 2
    assert repr(first).startswith("<Result solved, auto, ")
    assert len(repr(sudokulab.solve(Puzzle.empty(25)))) < 200
    assert pickle.loads(pickle.dumps(first)) == first
    found = first.to_dict()
    assert (found["puzzle"], found["solver"], found["solution"]) == (TINY.line, "auto", SOLUTION)
    failed = sudokulab.solve("11..............").to_dict()
    assert failed.keys() == found.keys()
    assert (failed["solution"], failed["error"]) == (None, None)


def test_a_puzzle_prints_as_a_grid_that_can_be_read_again() -> None:
    for puzzle in (TINY, Puzzle.empty("2x3"), sudokulab.random_grid((3, 4), seed=1), sudokulab.random_grid(25)):
        assert len(str(puzzle).splitlines()) > puzzle.size
        assert sudokulab.parse(str(puzzle)) == puzzle
    stated = sudokulab.parse(f"{TINY.line} {SOLUTION}").solution
    assert stated == sudokulab.solve(TINY).solution
    assert type(stated) is type(sudokulab.solve(TINY).solution) is Puzzle


def test_explanations_print_as_short_lists() -> None:
    explanation = logic.explain(TINY)
    assert str(explanation).splitlines()[0] == (
        "1. Hidden single: in box 1, 3 fits only in r1c2, because the 3 in r2c3 blocks the other open cells."
    )
    assert len(repr(explanation)) < 100
    assert len(repr(logic.deduce(TINY))) < 100


def test_library_calls_show_no_progress_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    def bar(*_: object) -> Iterator[Result]:
        raise AssertionError("a bar was shown")

    monkeypatch.setattr("sudokulab.questions.puzzles.track", bar)
    assert all(result.is_solved for result in sudokulab.solve_many([TINY] * 3))

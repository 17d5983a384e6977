"""A user's script, which type checkers accept: it calls every public function with natural arguments. It is not run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Timer

import numpy as np
from numpy.typing import NDArray

import sudokulab
from sudokulab import (
    BoxShape,
    Budget,
    BudgetError,
    Cancellation,
    CancelledError,
    FormatError,
    ParameterError,
    Puzzle,
    PuzzleError,
    Result,
    Solver,
    Status,
    SudokulabError,
)
from sudokulab.datasets import audit, export, load_recipe, make, open_dataset, split
from sudokulab.external import Cadical, CommandSolver, CpSat
from sudokulab.lab import BudgetSpec, Experiment, InstanceSet, SolverSpec, Store, compare, load_experiment
from sudokulab.learn import SudokuEnv, Verifier
from sudokulab.parameters import parameters
from sudokulab.search import Clock, LiveView, Recorder, Trace
from sudokulab.solvers import SOLVERS, Annealing, AntColony, all_solvers, make_solver
from sudokulab.testing import check_solver

LINE = "1.....3..4.....2"
ROWS = [[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]]


def puzzles() -> list[Puzzle]:
    array = np.array(ROWS)
    box = BoxShape(2, 2)
    made = [Puzzle(LINE), Puzzle(LINE.encode()), Puzzle(ROWS), Puzzle(array), Puzzle(bytes(16)), Puzzle(ROWS[0] * 4)]
    made += [
        Puzzle(LINE, "2x2"),
        Puzzle(ROWS, (2, 2)),
        Puzzle(array.astype(np.uint8), box, name="small", solution=LINE),
    ]
    made += [Puzzle.from_array(array, comment="from an array"), Puzzle.empty(9), Puzzle.empty("2x3")]
    puzzle = made[0]
    digit: int = puzzle[0, 0]
    row: NDArray[np.uint8] = puzzle[0]
    block: NDArray[np.uint8] = puzzle[:2, :2]
    print(
        digit,
        row,
        block,
        puzzle.size,
        puzzle.box.rows,
        puzzle.num_givens,
        puzzle.is_full,
        puzzle.line,
        puzzle.clashes(),
    )
    made += [
        puzzle.relabel([2, 1, 4, 3]),
        puzzle.transpose(),
        puzzle.permute_rows([1, 0, 2, 3]),
        puzzle.shuffle(seed=1),
    ]
    return [*made, sudokulab.parse(LINE), sudokulab.parse(LINE.encode(), box="2x2")]


def files(folder: Path) -> list[Puzzle]:
    read = list(sudokulab.read(folder / "puzzles.txt", keep_going=True))
    sudokulab.write(read, folder / "puzzles.csv")
    sudokulab.write(LINE, str(folder / "one.sdk"), format="sdk")
    return read


def answers() -> Result:
    for puzzle in (LINE, ROWS, np.array(ROWS), Puzzle(LINE)):
        print(sudokulab.solve(puzzle).solution, sudokulab.count(puzzle, 2), sudokulab.is_unique(puzzle))
    print(sudokulab.is_minimal(LINE, seconds=1), sudokulab.minimize(ROWS, seed=3).line, list(sudokulab.solutions(LINE)))
    budget = Budget(seconds=5, iterations=1000)
    result = sudokulab.solve(LINE, AntColony(ants=10, q0=0.9), budget, seed=7, trace=True, frames=True)
    sudokulab.solve(LINE, "annealing", seconds=1, frames=Recorder())
    sudokulab.solve(LINE, Annealing, box="2x2", frames=LiveView())
    results: Iterator[Result] = sudokulab.solve_many([LINE, ROWS], "dlx", threads=2)
    assert all(one.status is Status.SOLVED and one.solution is not None for one in results)
    short = sudokulab.solve(LINE, "annealing", iterations=1000)
    if short and short.solution:
        print(short.solution.line)
    print(sudokulab.is_solution(result, LINE), result.stats, result.trace["cost"].min(), result.seconds, result.cost)
    return result


def cancelled() -> bool:
    token = Cancellation()
    Timer(1, token.cancel).start()
    try:
        with token:
            sudokulab.solve(LINE, "annealing")
    except CancelledError:
        pass
    return token.is_cancelled


def arrays() -> None:
    texts = [LINE, LINE]
    solved: NDArray[np.uint8] = sudokulab.solve_array(texts)
    counts: NDArray[np.uint32] = sudokulab.count_array(np.array([np.ravel(ROWS)]), 2, box=(2, 2))
    flags: NDArray[np.bool_] = sudokulab.is_unique_array(texts, threads=1)
    print(solved, counts, flags, sudokulab.as_array(texts, "2x2").shape, sudokulab.as_strings(solved))
    masked = sudokulab.solve_array(texts, errors="mask")
    unique = sudokulab.is_unique_array(texts, errors="mask").filled(False)
    print(masked.mask, unique, sudokulab.count_array(texts, 2, errors="mask").compressed())
    forms = sudokulab.canonical_array(texts, through="solution")
    print(forms, sudokulab.canonical(LINE).puzzle, sudokulab.class_hash(ROWS), sudokulab.is_equivalent(LINE, ROWS))


def ratings() -> None:
    rating = sudokulab.rate(LINE)
    explanation = sudokulab.explain(LINE, ["naked single", "hidden single"], max_steps=5)
    print(rating, explanation.sentences, sudokulab.hint(ROWS).steps)


def made_puzzles() -> None:
    for puzzle in sudokulab.generate(3, seed=1, size=9, symmetry="rotation"):
        print(puzzle)
    made = sudokulab.generate_array(100, seed=1)
    print(made, sudokulab.random_grid(16, seed=2), sudokulab.random_grid("2x3"))


def pictures(folder: Path) -> None:
    (folder / "puzzle.svg").write_text(sudokulab.svg(LINE, ROWS))
    print(sudokulab.draw(Puzzle(LINE), clashes=[0, 1]))
    sudokulab.sheet([LINE, ROWS], folder / "sheet.pdf", per_page=4, title="Small")
    sudokulab.booklet(LINE, folder / "booklet.pdf")
    sudokulab.animate(answers())


@parameters
class RandomSearch(Solver):
    """A solver of the user's own."""

    name = "random-search"
    unit = "iterations"
    is_complete = False
    is_stochastic = True

    tries: int = 10

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        clock = Clock(budget)
        while clock.step():
            trace.record(grid=puzzle, cost=1.0)
        return Result(Status.UNKNOWN, puzzle, self.name, seed=seed)


def solvers() -> None:
    check_solver(RandomSearch(tries=5))
    print(list(SOLVERS), list(all_solvers()), make_solver("tabu"), make_solver("cp+annealing"), Cadical(), CpSat())
    program = CommandSolver(label="mine", command="./mine {file}")
    print(program.solve(LINE, Budget(seconds=1)))


def experiments(folder: Path) -> None:
    comparison = compare(["dlx", AntColony(ants=5)], [LINE, ROWS], runs=3, cpu_seconds=1)
    experiment = Experiment(
        name="small",
        budget=BudgetSpec(cpu_seconds=1),
        instances=(InstanceSet(set="famous", limit=2), InstanceSet(puzzles=(LINE,), label="mine")),
        solvers=(SolverSpec(solver=AntColony(ants=5)), SolverSpec(name="dlx")),
    )
    with Store(folder / "runs.sqlite") as store:
        print(comparison, store.runs(experiment.name, solver="dlx"), load_experiment(folder / "experiment.toml"))


def data_sets(folder: Path) -> None:
    dataset = make(load_recipe(folder / "recipe.toml"), folder / "puzzles", threads=2)
    print(split(dataset.folder, shares={"train": 8, "test": 2}), open_dataset(dataset.folder).num_rows)
    print(export(dataset.folder, "npz"), audit(dataset.folder))


def training() -> None:
    env = SudokuEnv()
    observation, info = env.reset(seed=1)
    env.step(env.action_space.sample())
    verifier = Verifier([LINE])
    print(observation["grid"], info, verifier.score([ROWS]))


def errors() -> str:
    try:
        return Puzzle("nonsense").line
    except (FormatError, PuzzleError, ParameterError, BudgetError) as error:
        problem: SudokulabError = error
        return str(problem)

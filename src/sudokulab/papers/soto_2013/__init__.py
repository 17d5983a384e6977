"""Soto et al. 2013: arc consistency inside tabu search, compared with a genetic algorithm."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sudokulab.instances import generate
from sudokulab.lab import SolverSpec
from sudokulab.papers.reproduction import Artefact, Context, Findings, Paper
from sudokulab.papers.soto_2013.judging import (
    GENETIC,
    HYBRID,
    RESTARTING,
    judge_comparison,
    judge_times,
    judge_tries,
)
from sudokulab.puzzle import Puzzle

if TYPE_CHECKING:
    import polars as pl

__all__ = ["PAPER"]

RESTART_AFTER = 20
TRIALS_PER_GENERATION = 20  # of the GA: a population of 21 with an elite of 1
# the givens of the originals and the rules they need: naked singles, hidden singles, or a pair
STAND_INS: dict[str, dict[str, Any]] = {
    "s10a": {"givens": 31, "level": "easy", "without": ["HS"]},
    "s10b": {"givens": 31, "level": "easy", "without": ["HS"]},
    "s10c": {"givens": 32, "level": "easy", "without": ["HS"]},
    "s11a": {"givens": 28, "level": "easy", "technique": ["HS"]},
    "s11b": {"givens": 26, "level": "easy", "technique": ["HS"]},
    "s11c": {"givens": 28, "level": "easy", "technique": ["HS"]},
    "s12a": {"givens": 22, "level": "hard"},
    "s12b": {"givens": 26, "level": "hard"},
}


def table_1(context: Context) -> Findings:
    """Measure how often each puzzle is solved within 1000 iterations."""
    runs, has_originals = _tries(context)
    findings = judge_tries(context.printed["table-1"], runs, has_originals=has_originals)
    findings.notes += [
        "The paper does not define a neighbour, the weights of the roulette wheel, the length of the tabu list, or "
        "what happens when a domain is wiped out. `sudokulab solvers ac3-tabu` documents our choices.",
        "Algorithm 4 as printed never undoes an accepted assignment, so a wrong one makes the try fail; our successful "
        "tries are short. In the paper, successful tries on one puzzle differ by factors of up to 100 in time, so the "
        "authors' program must have been able to leave dead ends. The column *with restarts* shows our option to "
        f"restart after {RESTART_AFTER} rejected candidates in a row; it is not checked.",
        "Our times are CPU seconds; the paper's were measured with Octave on a 2 GHz laptop.",
    ]
    _note_stand_ins(findings, has_originals)
    return findings


def figure_4(context: Context) -> Findings:
    """Compare the solving times on the puzzles of Table 1."""
    runs, has_originals = _tries(context)
    findings = judge_times(context.printed["table-1"], runs, has_originals=has_originals)
    findings.notes += [
        "The paper shows the figure without numbers. According to the text it plots the times of Table 1, which "
        "increase with the level, so we compare those. The hardware differs, so only ratios are checked.",
        "The easy puzzles need only naked singles: AC3 solves them before the search, without any iteration. This "
        "agrees with the paper's times, whose minimum and maximum differ by at most 7 %.",
    ]
    _note_stand_ins(findings, has_originals)
    return findings


def table_2(context: Context) -> Findings:
    """Compare the hybrid with a genetic algorithm, with and without an iteration limit."""
    printed = context.printed["table-2"]
    puzzles, has_originals = _puzzles(context, list(printed["puzzles"]))
    specs = [SolverSpec(name="ac3-tabu", label=HYBRID), SolverSpec(name="genetic", label=GENETIC)]
    full_limit = printed["num_iterations"]
    limit = context.pick(smoke=3000, quick=full_limit, published=full_limit, full=full_limit)
    seconds = context.pick(smoke=0.3, quick=6, published=8, full=300)
    num_tries = context.pick(smoke=2, quick=10, published=60, full=100)
    generations = limit // TRIALS_PER_GENERATION
    limited = context.run("table-2", {"puzzles": puzzles}, specs, runs=num_tries, iterations=limit)
    by_trials = context.run("table-2-trials", {"puzzles": puzzles}, specs[1:], runs=num_tries, iterations=generations)
    unlimited = context.run(
        "table-2-unlimited",
        {"puzzles": puzzles},
        specs,
        runs=context.pick(smoke=2, quick=3, published=10, full=30),
        cpu_seconds=seconds,
    )
    findings = judge_comparison(printed, limited, by_trials, unlimited, has_originals=has_originals)
    findings.notes += [
        f"The limit is {limit:,} iterations of the hybrid. The paper seems to take the GA's numbers from Mantere & "
        f"Koljonen, who count trials, that is, evaluations of the fitness: {limit:,} trials are {generations:,} "
        "generations. The GA is judged with that limit; the last column shows it with as many generations as the "
        "hybrid has iterations.",
        f"Here *no limit* means {seconds:g} CPU seconds, whereas the paper's programs run until everything is solved; "
        "these columns are not checked.",
        "Algorithm 4 as printed cannot leave a dead end (see table-1), so more iterations do not help it.",
        "The GA is that of Mantere & Koljonen (2007), whose paper was not available to us; ours follows public "
        "summaries of it (`sudokulab solvers genetic` gives the source of every step).",
    ]
    _note_stand_ins(findings, has_originals)
    return findings


def _tries(context: Context) -> tuple[pl.DataFrame, bool]:
    """Run the experiment shared by Table 1 and Figure 4; the second call reuses the stored runs."""
    printed = context.printed["table-1"]
    puzzles, has_originals = _puzzles(context, list(printed["puzzles"]))
    specs = [
        SolverSpec(name="ac3-tabu", label=HYBRID),
        SolverSpec(name="ac3-tabu", label=RESTARTING, params={"restart_after": RESTART_AFTER}),
    ]
    runs = context.run(
        "table-1",
        {"puzzles": puzzles},
        specs,
        runs=context.pick(smoke=10, quick=60, published=200, full=500),
        iterations=printed["num_iterations"],
    )
    return runs, has_originals


def _puzzles(context: Context, names: list[str]) -> tuple[list[Puzzle], bool]:
    """Return the paper's puzzles and True, or stand-ins with the same names and False."""
    originals = {puzzle.name: puzzle for puzzle in context.public("mantere-koljonen-46") or []}
    if all(name in originals for name in names):
        return [originals[name] for name in names], True
    made = []
    for name in names:
        (puzzle,) = generate(1, seed=list(STAND_INS).index(name), progress=False, **STAND_INS[name])
        made.append(replace(puzzle, name=name))
    return made, False


def _note_stand_ins(findings: Findings, has_originals: bool) -> None:
    if not has_originals:
        findings.notes.append(
            "The puzzles of Mantere & Koljonen (`mantere-koljonen-46`) are missing. The puzzles used here are "
            "generated stand-ins with the same names, numbers of givens and required rules; claims that depend on the "
            "originals are not checked."
        )


PAPER = Paper(
    "soto-2013",
    "R. Soto, B. Crawford, C. Galleguillos, E. Monfroy and F. Paredes, "
    '"A hybrid AC3-tabu search algorithm for solving Sudoku puzzles", 2013',
    (
        Artefact(
            "table-1",
            "Tries needed to solve a puzzle 30 times within 1000 iterations",
            table_1,
            "The hybrid needs 30 to 49 tries for 30 successes, more on harder puzzles",
        ),
        Artefact("figure-4", "Solving times", figure_4, "Solving times rise with the level, to 67–85 times"),
        Artefact(
            "table-2",
            "The hybrid compared with a genetic algorithm",
            table_2,
            "The hybrid solves every try within 100,000 iterations, the GA 22 and 2 of 30 on harder puzzles",
        ),
    ),
)

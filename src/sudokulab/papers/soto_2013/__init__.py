"""Soto et al. 2013: arc consistency inside tabu search, compared with a genetic algorithm."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from sudokulab.instances import generate
from sudokulab.lab import SolverSpec
from sudokulab.papers.reproduction import Artefact, Context, Findings, Paper, Puzzles
from sudokulab.papers.soto_2013.judging import judge_comparison, judge_times, judge_tries
from sudokulab.papers.soto_2013.readings import (
    GENETIC,
    GENETIC_SPECS,
    HYBRID,
    SPECS,
    add_genetic_readings,
    add_tabu_readings,
    judged_tries,
    seconds_per_iteration,
    starting_seconds,
)
from sudokulab.puzzle import Puzzle

if TYPE_CHECKING:
    import polars as pl

__all__ = ["PAPER"]

_ORIGINALS = "mantere-koljonen-46"
"""The collection with the paper's puzzles."""
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


def readings(context: Context) -> Findings:
    """Choose between readings of the two algorithms by the numbers of Tables 1 and 2."""
    runs, has_originals = _tries(context)
    printed = context.printed["table-1"]
    findings = Findings(is_own=True)
    add_tabu_readings(findings, printed, runs)
    puzzles, _ = _puzzles(context, list(context.printed["table-2"]["puzzles"]))
    genetic = context.run(
        "table-2-readings",
        {"puzzles": puzzles},
        GENETIC_SPECS,
        runs=context.pick(smoke=1, quick=5, published=60, full=60),
        seed=1,  # other tries than those of Table 2
        iterations=_limit(context),
    )
    add_genetic_readings(findings, context.printed["table-2"], genetic)
    seconds = seconds_per_iteration(printed).values()
    findings.notes += [
        "The paper does not say what happens when AC3 wipes out a domain. As printed, algorithm 4 then stays in a dead "
        "end. Its times suggest otherwise. Suppose that the program starts again after a failure, so that every "
        "iteration has the same chance of success. The share of successful tries within 1000 iterations gives this "
        "chance, and with it the mean number of iterations of a successful try. The mean time, without the "
        f"{starting_seconds(printed):.3g} s of the easy puzzles, which need no iteration, then gives the time of an "
        "iteration. If the program starts again, this time should be the same for all puzzles: it is, within "
        f"{100 * (max(seconds) / min(seconds) - 1):.0f} %.",
        "`ac3-tabu` therefore starts again, after the first failure, from the board that AC3 filtered before the "
        "search. The paper does not print the length of the tabu list: the default is the one under which its numbers "
        "of tries are most probable. The choice uses every second try; Table 1 is judged on the others.",
        "The GA has two mutations besides swaps, by three swaps and by insertion. How they work, how often they occur, "
        "and which cells a swap draws is not known to us. We compare three shares of both mutations, and two rules for "
        "the cells. The defaults of `genetic` are the reading under which the GA's successes in Table 2 are most "
        "probable. Other tries than those of Table 2 choose it.",
    ]
    _note_stand_ins(findings, has_originals)
    return findings


def table_1(context: Context) -> Findings:
    """Measure how often each puzzle is solved within 1000 iterations."""
    runs, has_originals = _tries(context)
    printed = context.printed["table-1"]
    findings = judge_tries(printed, judged_tries(printed, runs), has_originals=has_originals)
    findings.notes += [
        "The paper does not define a neighbour, the weights of the roulette wheel, the length of the tabu list, or "
        "what happens when a domain is wiped out. `sudokulab solvers ac3-tabu` documents our choices, and "
        "[readings](#readings) gives the reasons.",
        "The column *as printed* shows algorithm 4 without a new start (`restart_after=0`): an accepted assignment is "
        "never undone, so a wrong one makes the try fail. It is not checked.",
        "Our times are CPU seconds; the paper's were measured with Octave on a 2 GHz laptop.",
    ]
    _note_stand_ins(findings, has_originals)
    return findings


def figure_4(context: Context) -> Findings:
    """Compare the solving times on the puzzles of Table 1."""
    runs, has_originals = _tries(context)
    printed = context.printed["table-1"]
    findings = judge_times(printed, judged_tries(printed, runs), has_originals=has_originals)
    findings.notes += [
        "The paper shows the figure without numbers. According to the text it plots the times of Table 1, which "
        "increase with the level, so we compare those. The hardware and the language differ, so only ratios of "
        "seconds are checked, and iterations, which follow from the paper's seconds ([readings](#readings)).",
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
    limit = _limit(context)
    seconds = context.pick(smoke=0.3, quick=6, published=300, full=300)
    num_tries = context.pick(smoke=2, quick=10, published=200, full=500)
    generations = limit // TRIALS_PER_GENERATION
    limited = context.run("table-2", {"puzzles": puzzles}, specs, runs=num_tries, iterations=limit)
    by_trials = context.run(
        "table-2-trials",
        {"puzzles": puzzles},
        specs[1:],
        runs=context.pick(smoke=2, quick=10, published=60, full=100),
        iterations=generations,
    )
    unlimited = context.run(
        "table-2-unlimited",
        {"puzzles": puzzles},
        specs,
        runs=context.pick(smoke=2, quick=3, published=30, full=30),
        cpu_seconds=seconds,
    )
    findings = judge_comparison(printed, limited, by_trials, unlimited, has_originals=has_originals)
    findings.notes += [
        f"The paper limits both solvers to {limit:,} iterations. An iteration of the GA is a generation, and the GA is "
        "judged with that limit. In the other reading, shown in the last column, it is a trial, that is, an evaluation "
        f"of the fitness: {limit:,} trials are {generations:,} generations.",
        f"*No limit* means {seconds:g} CPU seconds here, whereas the paper's programs run until everything is solved; "
        "these columns are not checked.",
        "The GA is that of Mantere & Koljonen (2007), of whose paper we know only the first pages and public "
        "summaries. `sudokulab solvers genetic` gives the source of every step, and [readings](#readings) compares "
        "the steps that no source describes.",
    ]
    _note_stand_ins(findings, has_originals)
    return findings


def _limit(context: Context) -> int:
    limit: int = context.printed["table-2"]["num_iterations"]
    return context.pick(smoke=3000, quick=limit, published=limit, full=limit)


def _tries(context: Context) -> tuple[pl.DataFrame, bool]:
    """Run the experiment shared by the readings, Table 1 and Figure 4; later calls reuse the stored runs."""
    printed = context.printed["table-1"]
    puzzles, has_originals = _puzzles(context, list(printed["puzzles"]))
    runs = context.run(
        "table-1",
        {"puzzles": puzzles},
        SPECS,
        runs=context.pick(smoke=10, quick=60, published=200, full=500),
        iterations=printed["num_iterations"],
    )
    return runs, has_originals


def _puzzles(context: Context, names: list[str]) -> tuple[Puzzles, bool]:
    """Return the paper's puzzles and True, or stand-ins with the same names and False."""
    if context.has(_ORIGINALS):
        return partial(_originals, context, names), True
    return partial(_stand_ins, names), False


def _originals(context: Context, names: list[str]) -> list[Puzzle]:
    puzzles = {puzzle.name: puzzle for puzzle in context.public(_ORIGINALS) or []}
    return [puzzles[name] for name in names]


def _stand_ins(names: list[str]) -> list[Puzzle]:
    made = []
    for name in names:
        (puzzle,) = generate(1, seed=list(STAND_INS).index(name), progress=False, **STAND_INS[name])
        made.append(replace(puzzle, name=name))
    return made


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
        Artefact("readings", "What the tables say about points that the text leaves open", readings),
        Artefact(
            "table-1",
            "Tries needed to solve a puzzle 30 times within 1000 iterations",
            table_1,
            "The hybrid needs 30 to 49 tries for 30 successes, more on harder puzzles",
        ),
        Artefact(
            "figure-4",
            "Solving times",
            figure_4,
            "Solving times rise with the level, on the hard puzzles to 67 and 85 times that of Easy a",
        ),
        Artefact(
            "table-2",
            "The hybrid compared with a genetic algorithm",
            table_2,
            "Within 100,000 iterations the hybrid solves every try, the GA 22 and 2 of 30 tries on the harder puzzles",
        ),
    ),
    about="A tabu search propagates every assignment with the constraint algorithm AC3. The paper counts the tries "
    "that it needs on eight puzzles, and compares it with a genetic algorithm (GA).",
)

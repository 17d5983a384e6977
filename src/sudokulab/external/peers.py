"""What a Python user would pick instead: CaDiCaL and CP-SAT, from the extra ``peers``, under the same interface.

These solvers do not poll our `Control`. `PeerSolver` holds what they share: a clock, and a search in its own thread
while the calling thread listens for Ctrl-C.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from importlib import import_module
from importlib.util import find_spec
from threading import Event
from typing import Any, ClassVar, Literal

from sudokulab.budget import Budget
from sudokulab.clock import Clock
from sudokulab.convert.candidates import constraints
from sudokulab.convert.cnf import cnf, decode_cnf
from sudokulab.errors import SudokulabError
from sudokulab.parameters import parameters
from sudokulab.puzzle import Puzzle
from sudokulab.result import Result, Status
from sudokulab.solvers.base import Solver
from sudokulab.trace import Trace

__all__ = ["Cadical", "CpSat", "Encoding", "PeerSolver"]

Encoding = Literal["minimal", "extended", "optimised"]
"""The encodings of `sudokulab.convert.cnf`."""

_CONFLICTS_AT_ONCE = 300  # with fewer the restarts between slices tell: 100 cost 40 % more on 25×25, 300 not 5 %
_CLAUSES_AT_ONCE = 1000
_LEAVING_SECONDS = 0.05  # for CP-SAT to stop when it is told to


class PeerSolver(Solver):
    """A solver from elsewhere. It can be limited in seconds only, and keeps no trace."""

    unit = None  # it counts no steps that a budget could limit
    is_complete = True

    _module: ClassVar[str] = ""
    """What to import, nothing if all is here."""
    _package: ClassVar[str] = ""
    """What to install for it."""
    _stop: Event | None = None
    """Ends all runs of a batch."""

    @classmethod
    def is_installed(cls) -> bool:
        """Tell whether what it needs is there."""
        return not cls._module or find_spec(cls._module.partition(".")[0]) is not None

    def prepare(self) -> None:
        """Import what it needs."""
        self._library()

    def _library(self) -> Any:
        """Import what it needs, not before it is used: the package does without."""
        try:
            return import_module(self._module) if self._module else None
        except ImportError:
            raise SudokulabError(f"{self.name} needs {self._package}: pip install 'sudokulab[peers]'") from None

    def solve_batch(
        self, puzzles: Sequence[Puzzle], budget: Budget | None, seeds: Sequence[int], threads: int
    ) -> list[Result]:
        """Solve puzzles side by side in threads; after Ctrl-C none goes on."""
        self._library()
        stoppable, stop = copy(self), Event()
        object.__setattr__(stoppable, "_stop", stop)
        try:
            return super(PeerSolver, stoppable).solve_batch(puzzles, budget, seeds, threads)
        finally:
            stop.set()


@parameters
class Cadical(PeerSolver):
    """CaDiCaL 1.9.5, a SAT solver that learns from conflicts, on the puzzle's formula.

    Parameters
    ----------
    encoding
        How the puzzle becomes a formula; see `sudokulab.convert.cnf`.

    Notes
    -----
    Needs the extra ``peers`` (python-sat). python-sat can neither interrupt CaDiCaL nor limit its time, only its
    conflicts: it runs for 300 at a time, and between two such slices the clock is read. What it has learnt stays. A
    slice takes some milliseconds, up to a tenth of a second where CaDiCaL simplifies a formula of 36×36, and most of a
    second for 64×64; by so much a budget can be overrun. python-sat does not release the interpreter's lock either: a
    batch runs one puzzle after the other, and runs side by side want processes.

    Statistics: ``conflicts``, ``decisions``, ``propagations``, ``restarts``, ``encode_seconds`` (until CaDiCaL has the
    formula), ``search_seconds``.

    References
    ----------
    A. Biere, T. Faller, K. Fazekas, M. Fleury, N. Froleyks and F. Pollitt, "CaDiCaL 2.0", CAV 2024. A. Ignatiev,
    A. Morgado and J. Marques-Silva, "PySAT: a Python toolkit for prototyping with SAT oracles", SAT 2018.
    """

    name = "cadical"
    is_stochastic = False
    _module = "pysat.solvers"
    _package = "python-sat"

    encoding: Encoding = "optimised"

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        """Run the library in another thread, within the budget."""
        library = self._library()
        clock = Clock(budget, self._stop)
        cadical = library.Cadical195()  # given back when nobody, a search that was left behind included, holds it
        for number, clause in enumerate(cnf(puzzle, self.encoding).clauses):
            if number % _CLAUSES_AT_ONCE == 0 and clock.is_over:
                break
            cadical.add_clause(clause)
        encode_seconds = clock.seconds

        def search() -> tuple[bool | None, float]:
            start, is_satisfiable = clock.seconds, None
            while is_satisfiable is None and not clock.is_over:
                cadical.conf_budget(_CONFLICTS_AT_ONCE)
                is_satisfiable = cadical.solve_limited()
            return is_satisfiable, clock.seconds - start

        is_satisfiable, search_seconds = clock.watch(search, clock.halt)
        times = {"encode_seconds": encode_seconds, "search_seconds": search_seconds}
        return Result(
            {True: Status.SOLVED, False: Status.UNSATISFIABLE, None: Status.UNKNOWN}[is_satisfiable],
            puzzle,
            self.name,
            solution=decode_cnf(puzzle, cadical.get_model(), self.encoding) if is_satisfiable else None,
            cost=0 if is_satisfiable else None,
            stats=cadical.accum_stats() | times,
            seconds=clock.seconds,
            seed=seed,
        )

    def solve_batch(
        self, puzzles: Sequence[Puzzle], budget: Budget | None, seeds: Sequence[int], threads: int
    ) -> list[Result]:
        """Solve puzzles one after the other: threads would only wait for each other, and measure that."""
        return super().solve_batch(puzzles, budget, seeds, 1)


@parameters
class CpSat(PeerSolver):
    """CP-SAT of OR-Tools, a constraint solver that learns, with all-different rows, columns and boxes.

    Notes
    -----
    Needs the extra ``peers`` (ortools). One worker, and the variables in random order, without which the seed would
    change nothing; everything else as OR-Tools has it. CP-SAT cannot be stopped in its presolve, which takes seconds on
    an empty 64×64 grid: at the end of a budget the run ends, and CP-SAT finishes its presolve in the background.

    Statistics: ``branches``, ``conflicts``, ``encode_seconds`` (building the model), ``search_seconds`` (CP-SAT's own
    presolve included).

    References
    ----------
    L. Perron, F. Didier and S. Gay, "The CP-SAT-LP solver", CP 2023.
    """

    name = "cp-sat"
    _module = "ortools.sat.python.cp_model"
    _package = "ortools"

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        """Run the library in another thread, within the budget."""
        library = self._library()
        clock = Clock(budget, self._stop)
        model = library.CpModel()
        size = puzzle.size
        cells = [model.new_int_var(digit or 1, digit or size, "") for digit in puzzle.cells]
        for unit in (constraints(puzzle.box)[size**2 :: size] // size).tolist():  # each row, column, box with its 1s
            model.add_all_different([cells[cell] for cell in unit])
        solver = library.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = seed % 2**31
        solver.parameters.permute_variable_randomly = True
        solver.parameters.catch_sigint_signal = False  # Python's own handler makes it a KeyboardInterrupt
        encode_seconds = clock.seconds

        def search() -> tuple[Any, float]:
            start = clock.seconds
            if clock.cpu_seconds is None:  # it knows only the clock on the wall
                solver.parameters.max_time_in_seconds = clock.seconds_left
            return solver.solve(model), clock.seconds - start

        try:
            answer, search_seconds = clock.watch(search, solver.stop_search, patience=_LEAVING_SECONDS)
        except TimeoutError:
            times = {"encode_seconds": encode_seconds, "search_seconds": clock.seconds - encode_seconds}
            counts = {"branches": 0, "conflicts": 0}  # it was still in its presolve
            return Result(Status.UNKNOWN, puzzle, self.name, stats=counts | times, seconds=clock.seconds, seed=seed)
        is_solved = answer in (library.OPTIMAL, library.FEASIBLE)
        status = Status.UNSATISFIABLE if answer == library.INFEASIBLE else Status.UNKNOWN
        return Result(
            Status.SOLVED if is_solved else status,
            puzzle,
            self.name,
            solution=Puzzle(bytes(map(solver.value, cells)), puzzle.box) if is_solved else None,
            cost=0 if is_solved else None,
            stats={
                "branches": solver.num_branches,
                "conflicts": solver.num_conflicts,
                "encode_seconds": encode_seconds,
                "search_seconds": search_seconds,
            },
            seconds=clock.seconds,
            seed=seed,
        )

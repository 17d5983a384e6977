"""CaDiCaL and CP-SAT, the usual Python alternatives, behind our solver interface (extra ``rivals``).

These solvers do not poll our `Control`. `ExternalSolver` holds their common part: a clock, and a search in a separate
thread while the calling thread listens for Ctrl-C.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from importlib import import_module
from importlib.util import find_spec
from threading import Event
from typing import Any, ClassVar, Literal

from sudokulab.convert.candidates import constraints
from sudokulab.convert.cnf import cnf, decode_cnf
from sudokulab.errors import MissingExtraError
from sudokulab.parameters import parameters
from sudokulab.puzzle import Puzzle
from sudokulab.search.budget import Budget
from sudokulab.search.clock import Clock
from sudokulab.search.result import Result, Status
from sudokulab.search.trace import Trace
from sudokulab.solvers.base import Solver

__all__ = ["Cadical", "CpSat", "Encoding", "ExternalSolver"]

Encoding = Literal["minimal", "extended", "optimised"]
"""The encodings of `sudokulab.convert.cnf`."""

_CONFLICTS_AT_ONCE = 300  # each slice restarts the search: slices of 100 cost 40 % more on 25×25, of 300 under 5 %
_CLAUSES_AT_ONCE = 1000
_LEAVING_SECONDS = 0.05  # for CP-SAT to stop after it was asked to


class ExternalSolver(Solver):
    """A third-party solver. It supports only budgets of seconds, and no traces."""

    unit = None  # it counts no steps that a budget could limit
    is_complete = True

    _module: ClassVar[str] = ""
    """The module to import; empty if none is needed."""
    _package: ClassVar[str] = ""
    """The package that provides the module."""
    _stop: Event | None = None
    """Ends all runs of a batch when set."""

    @classmethod
    def is_installed(cls) -> bool:
        """Return whether its library is installed."""
        return not cls._module or find_spec(cls._module.partition(".")[0]) is not None

    def prepare(self) -> None:
        """Import its library."""
        self._library()

    def _library(self) -> Any:
        """Import the library on first use, because it is optional."""
        try:
            return import_module(self._module) if self._module else None
        except ImportError:
            raise MissingExtraError(f"{self.name} needs {self._package}: pip install 'sudokulab[rivals]'") from None

    def solve_batch(
        self, puzzles: Sequence[Puzzle], budget: Budget | None, seeds: Sequence[int], threads: int
    ) -> Iterable[Result]:
        """Solve puzzles in parallel threads; Ctrl-C stops them all."""
        self._library()
        stoppable, stop = copy(self), Event()
        object.__setattr__(stoppable, "_stop", stop)
        try:
            return super(ExternalSolver, stoppable).solve_batch(puzzles, budget, seeds, threads)
        finally:
            stop.set()


@parameters
class Cadical(ExternalSolver):
    """CaDiCaL 1.9.5, a conflict-driven SAT solver, applied to the CNF of the puzzle.

    Parameters
    ----------
    encoding
        The CNF encoding; see `sudokulab.convert.cnf`.

    Notes
    -----
    Needs the extra ``rivals`` (python-sat). python-sat can neither interrupt CaDiCaL nor limit its time, only its
    conflicts. We run it in slices of 300 conflicts and check the clock in between; learnt clauses are kept. A slice
    takes a few milliseconds, up to a tenth of a second while CaDiCaL simplifies a 36×36 formula, and most of a second
    for 64×64; a budget can be overrun by that much. python-sat does not release the GIL either, so a batch runs
    sequentially; use processes to run in parallel.

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
        cadical = library.Cadical195()  # freed with its last reference, which an abandoned search may hold
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
    ) -> Iterable[Result]:
        """Solve puzzles sequentially: threads would wait for the GIL, and that wait would be measured."""
        return super().solve_batch(puzzles, budget, seeds, 1)


@parameters
class CpSat(ExternalSolver):
    """CP-SAT from OR-Tools, a constraint solver with clause learning; rows, columns and boxes are all-different.

    Notes
    -----
    Needs the extra ``rivals`` (ortools). We use one worker and a random variable order, without which the seed would
    have no effect; all other settings are defaults. CP-SAT cannot be stopped during presolve, which takes seconds on an
    empty 64×64 grid: the run ends with its budget, and CP-SAT finishes its presolve in the background.

    Statistics: ``branches``, ``conflicts``, ``encode_seconds`` (building the model), ``search_seconds`` (including
    presolve).

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
        for unit in (constraints(puzzle.box)[size**2 :: size] // size).tolist():  # the constraints of digit 1
            model.add_all_different([cells[cell] for cell in unit])
        solver = library.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = seed % 2**31
        solver.parameters.permute_variable_randomly = True
        solver.parameters.catch_sigint_signal = False  # leave SIGINT to Python, which raises KeyboardInterrupt
        encode_seconds = clock.seconds

        def search() -> tuple[object, float]:
            start = clock.seconds
            if clock.cpu_seconds is None:  # CP-SAT can limit wall time only
                solver.parameters.max_time_in_seconds = clock.seconds_left
            return solver.solve(model), clock.seconds - start

        try:
            answer, search_seconds = clock.watch(search, solver.stop_search, patience=_LEAVING_SECONDS)
        except TimeoutError:
            times = {"encode_seconds": encode_seconds, "search_seconds": clock.seconds - encode_seconds}
            counts = {"branches": 0, "conflicts": 0}  # still in presolve
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

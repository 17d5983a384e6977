"""Contenders on 9×9 puzzles: our engines and solvers, registered rivals, third-party libraries and programs.

Each contender takes the puzzles in the form that suits it; `Sample` offers them all. Its clock stops when it has its
answers in its own form. Converting them to grids for the judge is not timed.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from sudokulab import _core
from sudokulab.convert.cnf import cnf
from sudokulab.errors import SudokulabError
from sudokulab.external import RIVALS, CommandSolver, ExternalSolver
from sudokulab.external.execution import execute
from sudokulab.external.programs import split_command
from sudokulab.puzzle import Digits, Puzzle
from sudokulab.questions import count, solve_many
from sudokulab.questions.arrays import INSTRUCTIONS, count_array, solve_array
from sudokulab.search.budget import Budget
from sudokulab.search.clock import Clock
from sudokulab.search.result import Result
from sudokulab.solvers.registry import DEFAULT_SOLVER, make_solver

__all__ = [
    "BulkEngine",
    "Command",
    "Contender",
    "Counts",
    "Glucose",
    "Library",
    "Sample",
    "SolveArray",
    "SolveText",
    "SolverByName",
    "contender_named",
    "default_contenders",
    "default_solvers",
]

Counts = NDArray[np.uint32]

DEFAULT_SYMBOL = "TdokuSolverDpllTriadSimd"
"""Default function name in a library; tdoku defined this interface."""

_NUM_SOLUTIONS = 2  # counting limit: enough to decide whether the solution is unique
_COMMAND_SECONDS = 120
_NEEDS_INTERNALS = (
    "wheels cannot load solvers from libraries; build Sudokulab in a clone of its repository: pip install -e ."
)
_GRID = re.compile(r"(?<!\d)[1-9]{81}(?!\d)")


def default_contenders() -> list[str]:
    """Return the names of the default contenders on 9×9 puzzles: ours, then all installed rivals."""
    engines = [BulkEngine(instructions).name for instructions in reversed(INSTRUCTIONS)]
    ours = [*engines, SolveArray.name, SolveText.name]
    solvers = dict.fromkeys([DEFAULT_SOLVER, "backtracking", "dlx"])
    glucose = [Glucose.name] if Glucose.is_installed() else []
    return [*ours, *solvers, *glucose, *_rivals()]


def default_solvers() -> list[str]:
    """Return the names of the default solvers on large grids."""
    return [DEFAULT_SOLVER, *_rivals()]


def _rivals() -> list[str]:
    return [name for name, rival in RIVALS.items() if rival.is_installed()]


class Sample:
    """9×9 puzzles in every form that a contender may need.

    Parameters
    ----------
    array
        The cells, of shape (n, 81).
    """

    def __init__(self, array: Digits) -> None:
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    def first(self, number: int) -> Sample:
        """Return the first `number` puzzles, with all forms computed."""
        part = Sample(self.array[:number])
        part.lines, part.text  # noqa: B018  # fill the caches now, outside the timed section
        return part

    @cached_property
    def text(self) -> Digits:
        """The puzzles as characters, of shape (n, 82): ``.`` for a blank and a NUL terminator."""
        characters = np.where(self.array == 0, ord("."), self.array + ord("0")).astype(np.uint8)
        return np.pad(characters, ((0, 0), (0, 1)))

    @cached_property
    def lines(self) -> list[str]:
        """The puzzles as strings."""
        return [row.tobytes().decode("ascii") for row in self.text[:, :81]]


class Contender(ABC):
    """A single-threaded solver of many 9×9 puzzles; some contenders can also count solutions up to two."""

    name: str
    is_rival: bool = False
    can_count: bool = False

    def prepare(self) -> None:  # noqa: B027  # most contenders need no preparation
        """Import the libraries it needs."""

    def load(self, sample: Sample) -> None:  # noqa: B027
        """Receive the puzzles of the next call, outside the timed section."""

    @abstractmethod
    def solve(self, sample: Sample) -> Any:
        """Find the first solution of each puzzle. This call is timed."""

    @abstractmethod
    def grids(self, answer: Any) -> Digits:
        """Convert the return value of `solve` to an array of shape (n, 81), with zeros where there is no solution."""

    def count(self, sample: Sample) -> Counts | list[int]:
        """Count the solutions of each puzzle up to two. This call is timed."""
        raise NotImplementedError


class BulkEngine(Contender):
    """The bulk engine with one of its instruction sets. Its time includes judging each solution."""

    can_count = True

    def __init__(self, instructions: str) -> None:
        self.name = f"bulk-{instructions}"
        self._instructions = instructions

    def solve(self, sample: Sample) -> Digits:
        """Return the solved grids."""
        return self._run(sample, 1, True)[0]

    def grids(self, answer: Digits) -> Digits:
        """Return the grids unchanged."""
        return answer

    def count(self, sample: Sample) -> Counts:
        """Count the solutions without storing them."""
        return self._run(sample, _NUM_SOLUTIONS, False)[1]

    def _run(self, sample: Sample, limit: int, has_solutions: bool) -> tuple[Digits, Counts, bool]:
        return _core.solve_array(sample.array, 3, 3, limit, has_solutions, 1, self._instructions)


class SolveArray(Contender):
    """`sudokulab.solve_array`, as a user calls it."""

    name = "solve_array"
    can_count = True

    def solve(self, sample: Sample) -> Digits:
        """Return the solved grids."""
        return solve_array(sample.array, threads=1)

    def grids(self, answer: Digits) -> Digits:
        """Return the grids unchanged."""
        return answer

    def count(self, sample: Sample) -> Counts:
        """Call `sudokulab.count_array`."""
        return count_array(sample.array, _NUM_SOLUTIONS, threads=1)


class SolveText(SolveArray):
    """The same on a list of strings."""

    name = "solve_array-text"

    def solve(self, sample: Sample) -> Digits:
        """Return the solved grids."""
        return solve_array(sample.lines, threads=1)

    def count(self, sample: Sample) -> Counts:
        """Call `sudokulab.count_array`."""
        return count_array(sample.lines, _NUM_SOLUTIONS, threads=1)


class SolverByName(Contender):
    """One of our solvers or a rival, run through `sudokulab.solve_many`: strings in, verified results out."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.solver: Any = make_solver(name)
        self.is_rival = isinstance(self.solver, ExternalSolver)
        self.can_count = hasattr(self.solver, "count")

    def prepare(self) -> None:
        """Import the libraries the solver needs."""
        self.solver.prepare()

    def solve(self, sample: Sample) -> list[bytes]:
        """Return the cells of each solution, zeros without one; raise SudokulabError if a result has an error."""
        return [_cells_of(result) for result in solve_many(sample.lines, self.solver, threads=1)]

    def grids(self, answer: list[bytes]) -> Digits:
        """Return the cells as an array."""
        return np.frombuffer(b"".join(answer), np.uint8).reshape(-1, 81)

    def count(self, sample: Sample) -> list[int]:
        """Count the solutions of one puzzle at a time; for the default solver with `sudokulab.count`."""
        count_one = count if self.name == DEFAULT_SOLVER else self.solver.count
        return [count_one(line, _NUM_SOLUTIONS) for line in sample.lines]


def _cells_of(result: Result) -> bytes:
    if result.error:
        raise SudokulabError(result.error)
    return result.solution.cells if result.solution else bytes(81)


class Glucose(Contender):
    """The SAT solver Glucose 4 from python-sat: one instance for all puzzles, with the givens as assumptions.

    It keeps its learnt clauses from puzzle to puzzle, which is by far the fastest way to use it.
    """

    name = "glucose4"
    is_rival = True

    @classmethod
    def is_installed(cls) -> bool:
        """Return whether python-sat is installed."""
        return find_spec("pysat") is not None

    def prepare(self) -> None:
        """Import python-sat and build the clauses."""
        self._clauses = [list(clause) for clause in cnf(Puzzle.empty(9), "extended").clauses]
        try:
            import pysat.solvers  # noqa: F401
        except ImportError:
            raise SudokulabError(f"{self.name} needs python-sat: pip install 'sudokulab[rivals]'") from None

    def solve(self, sample: Sample) -> list[list[int]]:
        """Return a model for each puzzle, empty if there is none."""
        from pysat.solvers import Glucose4

        models = []
        with Glucose4(bootstrap_with=self._clauses) as solver:
            for line in sample.lines:
                givens = [9 * cell + int(symbol) for cell, symbol in enumerate(line) if symbol != "."]
                # unlike `solve`, this leaves Ctrl-C to Python
                is_satisfiable = solver.solve_limited(assumptions=givens, expect_interrupt=True)
                models.append(solver.get_model() if is_satisfiable else [])
        return models

    def grids(self, answer: list[list[int]]) -> Digits:
        """Convert models to grids. The nine variables of a cell are consecutive."""
        grids = np.zeros((len(answer), 81), np.uint8)
        for grid, model in zip(grids, answer, strict=True):
            candidates = np.array([literal for literal in model if literal > 0], dtype=int) - 1
            grid[candidates // 9] = candidates % 9 + 1
        return grids


class Library(Contender):
    """A function in a shared library, called directly from native code.

    Parameters
    ----------
    name
        The name shown in tables.
    path
        Path of the library.
    symbol
        Name of the function, ``size_t f(const char* puzzle, size_t limit, uint32_t configuration, char* solution,
        size_t* num_guesses)``. It receives 81 characters, ``.`` for a blank, followed by a NUL. It returns the number
        of solutions up to the limit and, if the limit is 1, writes a solution of 81 digits.

    Notes
    -----
    The library runs in our process: if it crashes, so do we.
    """

    is_rival = True
    can_count = True

    def __init__(self, name: str, path: str, symbol: str = DEFAULT_SYMBOL) -> None:
        self.name = name
        self.path = str(Path(path).resolve()) if Path(path).exists() else path
        if not hasattr(_core, "SolverLibrary"):
            raise SudokulabError(f"--library {name}: {_NEEDS_INTERNALS}")
        try:
            self._function = _core.SolverLibrary(self.path, symbol)
        except RuntimeError as error:
            raise SudokulabError(f"--library {name}: {error}; write NAME=PATH[:FUNCTION]") from None

    @classmethod
    def parse(cls, text: str) -> Library:
        """Read ``NAME=PATH`` or ``NAME=PATH:FUNCTION``."""
        name, equals, place = text.partition("=")
        if not equals or not name.strip() or not place:
            raise SudokulabError(f"--library {text}: write NAME=PATH[:FUNCTION]")
        path, colon, symbol = place.rpartition(":")
        return cls(name.strip(), path, symbol) if colon and symbol.isidentifier() else cls(name.strip(), place)

    def solve(self, sample: Sample) -> Digits:
        """Return the solutions as characters."""
        return self._run(sample, 1)[0]

    def grids(self, answer: Digits) -> Digits:
        """Convert the characters to digits; anything else becomes zero."""
        digits = answer[:, :81] - np.uint8(ord("0"))
        return np.where(digits <= 9, digits, 0).astype(np.uint8)

    def count(self, sample: Sample) -> Counts:
        """Call the function with a limit of 2."""
        return self._run(sample, _NUM_SOLUTIONS)[1]

    def _run(self, sample: Sample, limit: int) -> tuple[Digits, Counts]:
        solutions, counts = np.zeros_like(sample.text), np.zeros(len(sample), np.uint32)
        self._function.solve(sample.text, limit, solutions, counts)
        return solutions, counts


class Command(Contender):
    """A program that reads a file with one puzzle per line and prints one solution per line, in the same order.

    The path of the file replaces ``{file}`` in the command; without ``{file}`` it becomes standard input. Writing it is
    not timed; starting the program is.

    Parameters
    ----------
    text
        ``NAME=COMMAND``.
    """

    is_rival = True

    def __init__(self, text: str) -> None:
        parsed = CommandSolver.parse(text)
        self.name = parsed.label
        folder = mkdtemp(prefix="sudokulab-")
        finalize(self, rmtree, folder, ignore_errors=True)
        self._file = Path(folder, "puzzles.txt")
        try:
            self._words = [word.format_map({"file": self._file}) for word in split_command(parsed.command)]
        except KeyError as error:
            raise SudokulabError(
                f"--command {self.name}: {{{error.args[0]}}} is not available for 9×9 puzzles; use {{file}}"
            ) from None

    def load(self, sample: Sample) -> None:
        """Write the puzzles to the file."""
        self._file.write_text("".join(f"{line}\n" for line in sample.lines), encoding="ascii")

    def solve(self, sample: Sample) -> str:
        """Run the program and return its output."""
        try:
            outcome = execute(self._words, self._file, Clock(Budget(seconds=_COMMAND_SECONDS)))
        except OSError as error:
            raise SudokulabError(f"{self._words[0]} cannot be run: {error.strerror}") from None
        if outcome.was_ended:
            raise SudokulabError(f"timed out after {_COMMAND_SECONDS} s")
        if outcome.exit_code:
            raise SudokulabError(outcome.describe_end())
        return outcome.output

    def grids(self, answer: str) -> Digits:
        """Return the last full grid of each line that contains one."""
        found = [_GRID.findall(line) for line in answer.splitlines()]
        cells = "".join(grids[-1] for grids in found if grids).encode("ascii")
        return np.frombuffer(cells, np.uint8).reshape(-1, 81) - np.uint8(ord("0"))


def contender_named(name: str) -> Contender:
    """Return a contender by name: ``bulk-<instructions>``, ``solve_array``, ``glucose4`` or a solver."""
    engines = {engine.name: engine for engine in map(BulkEngine, INSTRUCTIONS)}
    others = {contender.name: contender for contender in (SolveArray(), SolveText(), Glucose())}
    try:
        return engines.get(name) or others.get(name) or SolverByName(name)
    except SudokulabError as error:
        raise SudokulabError(f"{error}, {', '.join([*engines, *others])}") from None

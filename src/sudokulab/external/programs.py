"""Use any program as a solver through its command line.

The program receives the puzzle in a file, as an argument or on standard input, and prints an answer. The answer is
verified like every answer.
"""

from __future__ import annotations

import re
import shlex
import string
import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator

from sudokulab import formats
from sudokulab.convert import DECODERS, TARGETS, decode_cnf, write_cnf
from sudokulab.errors import NoSolutionError, SudokulabError, WrongAnswerError
from sudokulab.external.execution import MAX_OUTPUT_BYTES, Execution, execute, last_line
from sudokulab.external.printed import full_grids
from sudokulab.external.rivals import Encoding, ExternalSolver
from sudokulab.parameters import parameters
from sudokulab.puzzle import Puzzle
from sudokulab.search.budget import Budget
from sudokulab.search.clock import Clock
from sudokulab.search.result import Result, Status
from sudokulab.search.trace import Trace

__all__ = ["CommandSolver", "split_command"]

_PLACEHOLDERS = ("file", "puzzle", "seconds", "seed", "size", "box")
_INPUTS = (*formats.FORMATS, *(target for target in TARGETS if target != "svg"))
_ANSWER_CHARS = 1 << 18  # search only this many characters at the end of the output for a grid
_SAT_COMPETITION = {10, 20}  # exit codes of SAT solvers for satisfiable and unsatisfiable


@parameters
class CommandSolver(ExternalSolver):
    r"""Any program, run once per puzzle; every answer is verified.

    Parameters
    ----------
    label
        Its name in tables.
    command
        The command line, split like a shell command but run without a shell. Placeholders: ``{file}`` (path of the
        puzzle file), ``{puzzle}`` (the puzzle as one line), ``{seconds}`` (the budget, which must then have seconds),
        ``{seed}``, ``{size}`` (9) and ``{box}`` (3x3); ``{{`` and ``}}`` are literal braces. Without ``{file}`` and
        ``{puzzle}`` the file becomes standard input.
    input
        Format of the puzzle file: a format of `sudokulab.formats` or a target of `sudokulab.convert`.
    answer
        How to read standard output. ``grid``: the last full grid, in any format of the package: a line of size²
        characters or numbers, possibly after other words, or one line per row, framed or not (within the last 256 KB).
        ``cnf``, ``col``, ``cover``, ``dzn``, ``lp``, ``mzn``, ``xcsp``: an answer to that target, as read by
        `sudokulab.convert`. Default: the target that `input` names, otherwise ``grid``.
    encoding
        Encoding of a CNF.
    unsatisfiable
        A regular expression (ignoring case, with ``^`` and ``$`` matching at line breaks) that means "no solution" if
        no grid was printed. By default it matches a line with ``unsat`` or ``unsatisfiable`` and no other word but
        ``s``. Answers to targets may always say ``UNSATISFIABLE``.
    exit_unsatisfiable
        An exit code that means "no solution", such as 20.

    Notes
    -----
    The exit code must be 0; for ``cnf`` answers also 10 or 20. If the program cannot be started, fails, or prints more
    than 64 MB or nothing readable, the result is ``UNKNOWN`` with an error. If it exceeds its budget, the result is
    ``UNKNOWN`` whatever it has printed. The budget covers only the program, not writing its file.

    Statistics: ``encode_seconds`` (writing the file), ``wall_seconds``, ``cpu_seconds`` (of the program and the
    children it waited for), ``exit_code`` (negative: the signal that killed it).

    References
    ----------
    The program's own. For ``cnf``: the output format of the SAT competitions, https://satcompetition.github.io.

    Examples
    --------
    >>> solver = CommandSolver.parse("echo=echo 'The solution of' {puzzle} is 1324423124133142")
    >>> solver.solve("1.....3..4.....2").solution.line
    '1324423124133142'
    """

    name = "command"

    label: Annotated[str, Field(min_length=1)]
    command: str
    input: str = "line"
    answer: Literal["grid", "cnf", "col", "cover", "dzn", "lp", "mzn", "xcsp"] | None = None
    encoding: Encoding = "optimised"
    unsatisfiable: str = r"^[^\w\n]*(s )?unsat(isfiable)?[^\w\n]*$"
    exit_unsatisfiable: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.label)

    @classmethod
    def parse(cls, text: str, **parameters: Any) -> Self:
        """Create a solver from ``name=command``; other fields are passed as parameters.

        Raises
        ------
        SudokulabError
            If the name is missing or the command is invalid.
        """
        label, equals, command = text.partition("=")
        if not equals or not re.fullmatch(r"\s*\S+\s*", label):
            raise SudokulabError(f"{text!r} has no name; write name=program --file {{file}}")
        split_command(command)
        return cls(label=label.strip(), command=command, **parameters)

    @field_validator("command")
    @classmethod
    def _check_command(cls, command: str) -> str:
        try:
            split_command(command)
        except SudokulabError as error:
            raise ValueError(str(error)) from None
        return command

    @field_validator("input")
    @classmethod
    def _check_input(cls, input: str) -> str:
        if input not in _INPUTS:
            raise ValueError(f"choose one of {', '.join(_INPUTS)}")
        return input

    @field_validator("unsatisfiable")
    @classmethod
    def _check_unsatisfiable(cls, pattern: str) -> str:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ValueError(f"not a regular expression: {error}") from None
        return pattern

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        """Write the puzzle to a file, run the program, and read its answer."""
        with TemporaryDirectory(prefix="sudokulab-") as folder:
            start = time.perf_counter()
            file = Path(folder, f"puzzle{self._extension}")
            self._write(puzzle, file)
            encode_seconds = time.perf_counter() - start
            words = self._arguments(puzzle, file, budget, seed)
            try:
                execution = execute(words, file, Clock(budget, self._stop))
            except OSError as error:
                return self._failure(puzzle, seed, f"{words[0]} cannot be run: {error.strerror}")
        status, solution, problem = self._judge(puzzle, execution)
        return Result(
            status,
            puzzle,
            self.name,
            solution=solution,
            cost=None if solution is None else 0,
            stats={"encode_seconds": encode_seconds, **execution.stats},
            seconds=execution.wall_seconds,
            seed=seed,
            error=problem,
        )

    @property
    def _answer_format(self) -> str:
        return self.answer or (self.input if self.input in DECODERS else "grid")

    @property
    def _extension(self) -> str:
        extensions = formats.FORMATS[self.input].extensions if self.input in formats.FORMATS else (f".{self.input}",)
        return extensions[0] if extensions else ".txt"

    def _write(self, puzzle: Puzzle, file: Path) -> None:
        if self.input in formats.FORMATS:
            formats.write([puzzle], file, self.input)
            return
        write = partial(write_cnf, encoding=self.encoding) if self.input == "cnf" else TARGETS[self.input]
        with file.open("w", encoding="utf-8") as stream:
            write(puzzle, stream)

    def _arguments(self, puzzle: Puzzle, file: Path, budget: Budget, seed: int) -> list[str]:
        words = split_command(self.command)
        if budget.seconds is None and any("seconds" in _fields(word) for word in words):
            raise SudokulabError(f"the command of {self.name} uses {{seconds}}; set a time limit")
        seconds = budget.seconds or 0.0
        values = {
            "file": file,
            "puzzle": puzzle.line,
            "seconds": int(seconds) if seconds.is_integer() else seconds,
            "seed": seed,
            "size": puzzle.size,
            "box": puzzle.box,
        }
        return [word.format_map(values) for word in words]

    def _judge(self, puzzle: Puzzle, execution: Execution) -> tuple[Status, Puzzle | None, str | None]:
        """Return status, solution and error message of an execution; the caller verifies the grid."""
        if execution.is_too_long:
            return Status.UNKNOWN, None, f"printed more than {MAX_OUTPUT_BYTES >> 20} MB"
        if execution.was_ended:
            return Status.UNKNOWN, None, None
        if execution.exit_code == self.exit_unsatisfiable:
            return Status.UNSATISFIABLE, None, None
        if execution.exit_code and not (self._answer_format == "cnf" and execution.exit_code in _SAT_COMPETITION):
            return Status.UNKNOWN, None, execution.describe_end()
        try:
            return Status.SOLVED, self._read(puzzle, execution.output), None
        except NoSolutionError:
            return Status.UNSATISFIABLE, None, None
        except WrongAnswerError:
            raise
        except SudokulabError as error:
            return Status.UNKNOWN, None, str(error)

    def _read(self, puzzle: Puzzle, output: str) -> Puzzle:
        if not output.strip():
            raise SudokulabError("printed nothing")
        if self._answer_format != "grid":
            return self._decode(puzzle, output)
        solution = next(full_grids(output[-_ANSWER_CHARS:], puzzle), None)
        if solution is not None:
            return solution
        if self.unsatisfiable and re.search(self.unsatisfiable, output, re.IGNORECASE | re.MULTILINE):
            raise NoSolutionError("the program printed that there is no solution")
        size = puzzle.size
        raise SudokulabError(f"printed no full {size}×{size} grid; its output ends with {last_line(output)!r}")

    def _decode(self, puzzle: Puzzle, output: str) -> Puzzle:
        if self._answer_format == "cnf":
            return decode_cnf(puzzle, output, self.encoding)
        return DECODERS[self._answer_format](puzzle, output)


def split_command(command: str) -> list[str]:
    """Split a command line; raise SudokulabError if it is empty or has unknown placeholders."""
    try:
        words = shlex.split(command)
        fields = [field for word in words for field in _fields(word)]
    except ValueError as error:  # an unclosed quote or brace
        raise SudokulabError(f"the command {command!r} cannot be parsed: {str(error).lower()}") from None
    if not words:
        raise SudokulabError("the command is empty; name a program")
    for field in fields:
        if field not in _PLACEHOLDERS:
            known = ", ".join(f"{{{name}}}" for name in _PLACEHOLDERS)
            raise SudokulabError(f"unknown placeholder {{{field}}} in the command; use {known}, or {{{{ for a brace")
    return words


def _fields(word: str) -> list[str]:
    return [
        field + (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "")
        for _, field, spec, conversion in string.Formatter().parse(word)
        if field is not None
    ]

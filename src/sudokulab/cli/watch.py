"""``sudokulab watch``."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from sudokulab.cli.common import check_extension, command, print_message
from sudokulab.cli.inputs import Inputs, one_puzzle
from sudokulab.cli.options import (
    BoxOption,
    ColumnOption,
    FromOption,
    ParamFilesOption,
    ParamsOption,
    SeedOption,
    SolverOption,
    params_of_solver,
)
from sudokulab.cli.sources import is_file
from sudokulab.drawing import draw
from sudokulab.errors import FormatError, SudokulabError
from sudokulab.parameters import parameter_values
from sudokulab.publishing.animation import EXTENSIONS, MAX_SIZE, Animation, animate
from sudokulab.puzzle import Puzzle
from sudokulab.search.frames import Frame, LiveView, Recorder, frame_to_dict, run_header, to_line
from sudokulab.search.result import Result
from sudokulab.solvers import Solver
from sudokulab.solvers.registry import make_solver

__all__ = ["watch"]

_FRAMES_PER_SECOND = 20
_RUN_MARK = '{"type":"run"'


@command
def watch(
    puzzle: Annotated[
        str,
        typer.Argument(metavar="PUZZLE|FILE", help="Puzzle, file with one puzzle, or saved run (.jsonl)."),
    ],
    solver: SolverOption = "annealing",
    params: ParamsOption = None,
    param_files: ParamFilesOption = None,
    seed: SeedOption = 0,
    seconds: Annotated[float, typer.Option(min=0, help="Time limit.")] = 10.0,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Output file: .html plays in any browser, without a server; .jsonl can be opened on the web page.",
        ),
    ] = None,
    speed: Annotated[
        float | None,
        typer.Option(min=0.1, help="Steps per second on the terminal (default: full speed)."),
    ] = None,
    format: FromOption = None,
    box: BoxOption = None,
    column: ColumnOption = None,
) -> None:
    """Record a search as an animation, or show it on the terminal.

    With --output, writes a file that shows the grid, the cost and everything else the solver reports. Without it, draws
    the search on the terminal. The argument can also be a saved run, which is converted. Ctrl-C ends the search; the
    file keeps what was recorded.

    Example: sudokulab watch puzzle.txt --solver ant-colony -o ants.html
    """
    if output:
        check_extension(output, EXTENSIONS)
    if _is_run(puzzle):
        _convert(Path(puzzle), output)
        return
    chosen = make_solver(solver, **params_of_solver(solver, params, param_files))
    inputs = Inputs([puzzle], format, box, column=column)
    if output:
        inputs.refuse_as_output(output)
    one = one_puzzle(inputs, "watch")
    if output:
        _record(one, chosen, seconds, seed, output)
    elif sys.stdout.isatty():
        _show(one, chosen, seconds, seed, speed)
    else:
        raise SudokulabError("there is no terminal to draw on; name an output file, such as -o run.html")


def _is_run(argument: str) -> bool:
    """Return whether the argument is the file of a saved run."""
    if not is_file(argument) or not Path(argument).is_file():
        return False
    with Path(argument).open(encoding="utf-8", errors="replace") as stream:
        return stream.read(len(_RUN_MARK)) == _RUN_MARK


def _convert(path: Path, output: Path | None) -> None:
    if output is None:
        raise SudokulabError(f"{path} is a saved run; name an output file, such as -o {path.with_suffix('.html')}")
    try:
        animation = Animation(path.read_text(encoding="utf-8", errors="replace").split("\n"))
    except FormatError as error:
        error.source = str(path)
        raise
    print_message(f"{animation.save(output)}: written, {animation.num_frames} frames")


def _record(puzzle: Puzzle, solver: Solver, seconds: float, seed: int, output: Path) -> None:
    if puzzle.size > MAX_SIZE:
        size = f"{puzzle.size}×{puzzle.size}"
        raise SudokulabError(f"the grid is {size}; `watch` supports grids up to {MAX_SIZE}×{MAX_SIZE}")
    recorder = Recorder()
    try:
        result = solver.solve(puzzle, seconds=seconds, seed=seed, frames=recorder)
    except KeyboardInterrupt:
        _save_interrupted(puzzle, solver, seed, recorder, output)
        raise
    animation = animate(result)
    print_message(f"{animation.save(output)}: written, {animation.num_frames} frames, {_outcome(result)}")


def _save_interrupted(puzzle: Puzzle, solver: Solver, seed: int, recorder: Recorder, output: Path) -> None:
    """Write the frames of a run without a result."""
    header = run_header(puzzle, solver.name, parameters=parameter_values(solver), seed=seed, unit=solver.unit)
    lines = [to_line(header), *(to_line(frame_to_dict(frame)) for frame in recorder.take())]
    if len(lines) > 1:
        animation = Animation(lines)
        print_message(f"{animation.save(output)}: written, {animation.num_frames} frames until the interruption")


def _show(puzzle: Puzzle, solver: Solver, seconds: float, seed: int, speed: float | None) -> None:
    """Draw the search on the terminal. It runs in a thread, so that Ctrl-C can end it."""
    view = LiveView()
    if speed is not None:
        steps = max(1, round(speed / _FRAMES_PER_SECOND))
        view.set_speed(steps, speed / steps)
    outcome: list[Result | BaseException] = []

    def search() -> None:
        try:
            outcome.append(solver.solve(puzzle, seconds=seconds, seed=seed, frames=view))
        except BaseException as error:
            outcome.append(error)

    thread = threading.Thread(target=search, daemon=True)
    console = Console()
    interruption = None
    with Live(draw(puzzle), console=console, auto_refresh=False) as live:
        thread.start()
        try:
            while thread.is_alive():
                thread.join(1 / _FRAMES_PER_SECOND)
                _update(live, puzzle, view)
        except KeyboardInterrupt as error:
            interruption = error
            view.stop()
            thread.join()
        _update(live, puzzle, view)
    (found,) = outcome
    if isinstance(found, BaseException):
        raise found
    console.print(f"{solver.name}: {_outcome(found)}", highlight=False)
    if interruption is not None:
        raise interruption


def _update(live: Live, puzzle: Puzzle, view: LiveView) -> None:
    frames = view.take()
    if frames:
        live.update(_picture(puzzle, frames[-1]), refresh=True)


def _picture(puzzle: Puzzle, frame: Frame) -> Group:
    state = Puzzle(frame.grid.tobytes(), puzzle.box)
    values = {"step": frame.step, **frame.values}
    words = "  ".join(f"{name.replace('_', ' ')} {_number(value)}" for name, value in values.items())
    return Group(draw(puzzle, state, state.clashes()), Text(words, no_wrap=True, overflow="ellipsis"))


def _number(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:.3g}"


def _outcome(result: Result) -> str:
    counts = ", ".join(f"{_number(value)} {name.replace('_', ' ')}" for name, value in result.stats.items())
    return f"{result.status.value} in {result.seconds:.3g} s{': ' + counts if counts else ''}"

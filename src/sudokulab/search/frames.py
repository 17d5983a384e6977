"""Frames: snapshots of a running search, recorded or live.

``solve(puzzle, "annealing", frames=True).frames`` holds evenly spaced frames of a whole run. A `LiveView` shows a run
while it runs, and can pause it, step through it and change its speed:

>>> import threading
>>> import sudokulab
>>> view = LiveView()
>>> view.pause()
>>> run = threading.Thread(target=sudokulab.solve, args=("1.....3..4.....2", "annealing"), kwargs={"frames": view})
>>> run.start()
>>> view.step(3)
>>> view.stop()
>>> run.join()
>>> view.take()[0].step
0

A recording consists of JSON lines: a header, the frames, and the result. docs/reference/traces.md describes them.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import TYPE_CHECKING, Any

from sudokulab import _core
from sudokulab._internal.arguments import checked_count
from sudokulab._internal.documents import parse_json
from sudokulab._internal.native import candidate_array, candidate_masks
from sudokulab.errors import FormatError, ParameterError
from sudokulab.puzzle import BoxShape, Puzzle
from sudokulab.search.result import Result

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "CAPACITY",
    "VERSION",
    "Frame",
    "LiveView",
    "Recorder",
    "Recording",
    "frame_from_dict",
    "frame_to_dict",
    "frames_to_lines",
    "read_frames",
    "run_header",
    "to_line",
]

Header = Mapping[str, Any]
"""A line of a recording: JSON-compatible values by name."""

CAPACITY = 512
"""The largest number of recorded frames of a run."""
VERSION = 1
"""The version of the JSON lines."""

_MAX_BYTES = 2**26  # of pheromone in a recording
_MAX_STEPS = 10**15
_MAX_FRAMES_PER_SECOND = 60

Placements = tuple[tuple[int, int], ...]


@dataclass(frozen=True, eq=False)
class Frame:
    """The state of a search after some step.

    Parameters
    ----------
    step
        The number of steps so far, including those of a filter before the search.
    seconds
        The search time so far, without pauses: CPU time if the budget counts it, otherwise wall time.
    values
        The columns of the trace, such as ``cost`` or ``depth``; see `sudokulab.search.trace`.
    grid
        The current digits, size × size, 0 for a blank.
    candidates
        Which digits are left, indexed by ``[row, col, digit - 1]``; None if the solver has no candidates.
    pheromone
        The pheromone of an ant colony, indexed in the same way; None for other solvers.
    tabu
        Cells and digits that are tabu, oldest first. Cells are numbered from 0, row by row.
    decisions
        Cells and digits of the open decisions of a tree search, in order.
    phase
        ``ac3`` or ``filter`` before the search, otherwise empty.
    """

    step: int
    seconds: float
    values: Mapping[str, float]
    grid: NDArray[np.uint8]
    candidates: NDArray[np.bool_] | None = field(default=None, repr=False)
    pheromone: NDArray[np.float32] | None = field(default=None, repr=False)
    tabu: Placements = ()
    decisions: Placements = ()
    phase: str = ""

    def __eq__(self, other: object) -> bool:
        import numpy as np

        if not isinstance(other, Frame):
            return NotImplemented
        mine, theirs = vars(self), vars(other)
        return all(
            np.array_equal(mine[name], theirs[name]) if name in _ARRAYS else mine[name] == theirs[name] for name in mine
        )

    def __hash__(self) -> int:
        return hash((self.step, self.grid.tobytes()))


_ARRAYS = ("grid", "candidates", "pheromone")


class LiveView:
    """A view of a running search: pass it to ``solve(..., frames=view)`` in another thread. One view shows one run.

    At most 60 frames per second are kept for `take`; a slow reader loses the oldest ones. Pauses and waiting count
    neither as search time nor against the budget. All methods can be called from any thread.

    Parameters
    ----------
    capacity
        The largest number of frames to keep.
    """

    def __init__(self, capacity: int = 120) -> None:
        self._native = _core.LiveView(checked_count("capacity", capacity, 1, _MAX_STEPS))
        self._is_used = False

    def take(self) -> list[Frame]:
        """Return the frames since the last call, oldest first."""
        return _frames(self._native.take())

    def pause(self) -> None:
        """Pause the run after its current step, whose frame is shown."""
        self._native.pause()

    def resume(self) -> None:
        """Continue a paused run."""
        self._native.resume()

    def step(self, count: int = 1) -> None:
        """Run this many steps, show the last one, and pause. Repeated calls add up."""
        self._native.step(checked_count("count", count, 1, _MAX_STEPS))

    def set_speed(self, steps_per_frame: int = 0, frames_per_second: float = _MAX_FRAMES_PER_SECOND) -> None:
        """Set how many steps to run per frame; the search waits to keep within the frames per second.

        With 0 steps per frame the search runs at full speed, and only the frames per second are limited.
        """
        if not isinstance(frames_per_second, Real) or not 0.01 <= frames_per_second <= _MAX_FRAMES_PER_SECOND:
            raise ParameterError(
                f"frames_per_second: {frames_per_second!r}; choose a number from 0.01 to {_MAX_FRAMES_PER_SECOND}"
            )
        self._native.set_speed(
            checked_count("steps_per_frame", steps_per_frame, 0, _MAX_STEPS), float(frames_per_second)
        )

    def stop(self) -> None:
        """Cancel the run; its result is ``UNKNOWN``, with the best state so far."""
        self._native.stop()

    @property
    def is_stopped(self) -> bool:
        """Whether the run was cancelled."""
        return self._native.is_stopped

    def _begin(self) -> _core.LiveView:
        if self._is_used:
            raise ParameterError("frames: this view has shown another run; create a new LiveView for each run")
        self._is_used = True
        return self._native


class Recorder:
    """Records the frames of a run: ``solve(..., frames=recorder)``. It keeps them if the run is interrupted.

    Runs that end have the same frames in `Result.frames`, and leave none here.
    """

    def __init__(self) -> None:
        self._native: _core.Recorder | None = None

    def take(self) -> list[Frame]:
        """Return the frames of the interrupted run."""
        return [] if self._native is None else _frames(self._native.take())

    def _begin(self, size: int) -> _core.Recorder:
        self._native = viewer = _core.Recorder(_capacity_for(size))
        return viewer


def viewer_for(frames: bool | LiveView | Recorder, size: int) -> _core.Viewer | None:
    """Return the viewer of a run; None if no frames were requested."""
    if frames is False:
        return None
    if isinstance(frames, LiveView):
        return frames._begin()
    if isinstance(frames, Recorder):
        return frames._begin(size)
    import numpy as np

    if not isinstance(frames, bool | np.bool_):
        raise ParameterError(f"frames: {frames!r}; pass True, False, a LiveView or a Recorder")
    if not frames:
        return None
    return _core.Recorder(_capacity_for(size))


def _capacity_for(size: int) -> int:
    """Return how many frames of a run to keep, an even number."""
    return max(min(CAPACITY, _MAX_BYTES // (4 * size**3)) // 2 * 2, 16)


def recorded_frames(viewer: _core.Viewer | None) -> tuple[Frame, ...]:
    """Return the frames of a recorder; none for other viewers."""
    return tuple(_frames(viewer.take())) if isinstance(viewer, _core.Recorder) else ()


def _frames(raw: list[Any]) -> list[Frame]:
    """Make frames of the core's tuples."""
    import numpy as np

    frames = []
    for step, seconds, values, grid, candidates, pheromone, tabu, decisions, phase in raw:
        size = math.isqrt(len(grid))
        frames.append(
            Frame(
                step,
                seconds,
                values,
                np.frombuffer(grid, np.uint8).reshape(size, size),
                candidate_array(np.frombuffer(candidates, np.uint64), size) if candidates else None,
                np.frombuffer(pheromone, np.float32).reshape(size, size, size) if pheromone else None,
                tabu,
                decisions,
                phase,
            )
        )
    return frames


def run_header(
    puzzle: Puzzle, solver: str, *, parameters: Mapping[str, object], seed: int, unit: str | None
) -> dict[str, object]:
    """Return the first line of a recording: the puzzle, the solver with all parameters, the seed and the unit."""
    return {
        "type": "run",
        "version": VERSION,
        "puzzle": puzzle.line,
        "givens": list(puzzle.cells),
        "box": str(puzzle.box),
        "size": puzzle.size,
        "solver": solver,
        "parameters": dict(parameters),
        "seed": seed,
        "unit": unit,
    }


def frame_to_dict(frame: Frame) -> dict[str, object]:
    """Return a frame as JSON-compatible values; keys without content are left out."""
    line: dict[str, object] = {
        "type": "frame",
        "step": frame.step,
        "seconds": round(frame.seconds, 6),
        "values": {name: _number(value) for name, value in frame.values.items()},
        "grid": frame.grid.ravel().tolist(),
    }
    if frame.candidates is not None:
        line["candidates"] = candidate_masks(frame.candidates)
    if frame.pheromone is not None:
        line["pheromone"] = _pheromone_to_dict(frame.pheromone)
    if frame.tabu:
        line["tabu"] = frame.tabu
    if frame.decisions:
        line["decisions"] = frame.decisions
    if frame.phase:
        line["phase"] = frame.phase
    return line


def to_line(values: Mapping[str, object]) -> str:
    """Return one line of JSON, without a line break."""
    return _ENCODER.encode(values)


_ENCODER = json.JSONEncoder(
    separators=(",", ":"), ensure_ascii=False, allow_nan=False, check_circular=False, default=str
)


def frames_to_lines(result: Result) -> Iterator[str]:
    """Yield the lines of a recording, without line breaks.

    Raises
    ------
    ParameterError
        If the result has no frames.
    """
    if not result.frames or result.puzzle is None:
        raise ParameterError("the result has no frames; call solve(..., frames=True)")
    names = result.frames[-1].values
    unit = next((name for name in ("iterations", "nodes") if name in names), None)
    header = run_header(result.puzzle, result.solver, parameters=result.parameters, seed=result.seed, unit=unit)
    yield to_line(header)
    for frame in result.frames:
        yield to_line(frame_to_dict(frame))
    yield to_line({"type": "result", **_finite(result.to_dict())})


@dataclass(frozen=True)
class Recording:
    """A recorded run: its header, its frames, and its result, which is None if the recording was cut off."""

    header: Header
    frames: tuple[Frame, ...]
    result: Mapping[str, object] | None

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle of the run."""
        return Puzzle(bytes(self.header["givens"]), BoxShape.of(self.header["box"]))


def read_frames(lines: Iterable[str]) -> Recording:
    """Read the lines of a recording.

    Raises
    ------
    FormatError
        If the lines are not a recording.
    """
    header: Header = {}
    frames: list[Frame] = []
    result = None
    for number, text in enumerate(lines, start=1):
        if not text.strip():
            continue
        try:
            line = parse_json(text)
            kind = line.get("type")
            if not header:
                header = _checked_header(line)
            elif kind == "frame":
                frames.append(frame_from_dict(line, header["size"]))
            elif kind == "result":
                result = line
            else:
                raise ValueError(f"a line of type {kind!r}")
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
            problem = f"no {error}" if isinstance(error, KeyError) else str(error)
            raise FormatError(problem, "choose a recorded run", source="<recording>", line=number) from None
    if not header:
        raise FormatError("no lines", "choose a recorded run", source="<recording>")
    return Recording(header, tuple(frames), result)


def frame_from_dict(line: Header, size: int) -> Frame:
    """Make a frame of its JSON values; raise ValueError, KeyError or TypeError if they are invalid."""
    import numpy as np

    values = {str(name): math.nan if value is None else float(value) for name, value in line["values"].items()}
    grid = np.array(line["grid"], np.uint8).reshape(size, size)
    if grid.max() > size:
        raise ValueError(f"digit {grid.max()} in a grid of size {size}")
    masks = line.get("candidates")
    candidates = None if masks is None else candidate_array(np.array(masks, np.uint64).reshape(size * size), size)
    pheromone = line.get("pheromone")
    return Frame(
        int(line["step"]),
        float(line["seconds"]),
        values,
        grid,
        candidates,
        None if pheromone is None else _pheromone_from_dict(pheromone, size),
        _placements(line.get("tabu", ()), size),
        _placements(line.get("decisions", ()), size),
        str(line.get("phase", "")),
    )


def _checked_header(line: Header) -> Header:
    if line.get("type") != "run":
        raise ValueError(f"the first line has the type {line.get('type')!r}, not run")
    if line.get("version") != VERSION:
        raise ValueError(f"version {line.get('version')!r} of the format, this release reads {VERSION}")
    box = BoxShape.of(line["box"])
    Puzzle(bytes(list(line["givens"])), box)  # bytes(10**12) would allocate that many
    if line.get("size", box.size) != box.size:
        raise ValueError(f"size {line['size']!r} with boxes of {box}")
    return {**line, "size": box.size}


def _placements(pairs: Iterable[Iterable[int]], size: int) -> Placements:
    placements = tuple((int(cell), int(digit)) for cell, digit in pairs)
    for cell, digit in placements:
        if not (0 <= cell < size * size and 1 <= digit <= size):
            raise ValueError(f"digit {digit} in cell {cell} of a grid of size {size}")
    return placements


def _pheromone_to_dict(pheromone: NDArray[np.float32]) -> dict[str, object]:
    import numpy as np

    most = float(pheromone.max())
    scaled = pheromone * (255 / most) + 0.5 if most > 0 else pheromone
    return {"max": most, "levels": base64.b64encode(scaled.astype(np.uint8).tobytes()).decode("ascii")}


def _pheromone_from_dict(stored: Mapping[str, Any], size: int) -> NDArray[np.float32]:
    import numpy as np

    levels = np.frombuffer(base64.b64decode(stored["levels"], validate=True), np.uint8).reshape(size, size, size)
    return (levels * (float(stored["max"]) / 255)).astype(np.float32)


def _number(value: float) -> int | float | None:
    if not math.isfinite(value):
        return None
    return int(value) if value.is_integer() else value


def _finite(value: object) -> Any:
    """Replace numbers that JSON does not have by None."""
    if isinstance(value, dict):
        return {name: _finite(entry) for name, entry in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value

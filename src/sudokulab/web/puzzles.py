"""Questions about puzzles: read, convert, solve, check, rate, hint, explain, generate and print."""

from __future__ import annotations

import io
import json
import math
import tempfile
import time
import zipfile
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import TypeVar, cast

from fastapi import APIRouter, Request, Response

from sudokulab import formats
from sudokulab.drawing import Picture
from sudokulab.drawing.pages import write_pages
from sudokulab.errors import BudgetError, PuzzleError
from sudokulab.formats.base import Text, one_line
from sudokulab.formats.files import only_puzzle
from sudokulab.formats.links import is_link
from sudokulab.instances import NotFoundError
from sudokulab.instances import generate as generate_puzzles
from sudokulab.instances.spec import field_schemas
from sudokulab.logic import rate as rate_puzzle
from sudokulab.logic.hints import HINT_SECONDS
from sudokulab.publishing.sheets import sheet_pages
from sudokulab.puzzle import BoxLike, BoxShape, Puzzle
from sudokulab.questions import redundant_givens, solutions
from sudokulab.search.budget import Budget
from sudokulab.search.result import Result
from sudokulab.solvers import Solver
from sudokulab.web.catalogue import solver_of
from sudokulab.web.jobs import Deadline, Job, Jobs, Lane
from sudokulab.web.problems import RESPONSES, message_of
from sudokulab.web.schemas import (
    CheckRequest,
    CheckResponse,
    ConvertRequest,
    ConvertResponse,
    ExplainRequest,
    ExplainResponse,
    GenerateFieldsResponse,
    GenerateRequest,
    GenerateResponse,
    RateRequest,
    RateResponse,
    ReadRequest,
    ReadResponse,
    SheetRequest,
    SolveRequest,
    SolveResponse,
)
from sudokulab.web.settings import Settings
from sudokulab.web.steps import PlayerState, explain_from

__all__ = ["puzzle_of", "puzzle_to_json", "result_to_json", "router", "run_reading"]

T = TypeVar("T")

router = APIRouter(prefix="/api", tags=["puzzles"], responses=RESPONSES)

_MAX_ERRORS = 100
_QUICK_SIZE = 9  # larger grids can take seconds
_QUICK_TEXT = 2000  # characters
_SHORT_SECONDS = 1.0
_EXPLAIN_SECONDS = 20.0
_CONVERT_SECONDS = 10.0
_SHEET_TYPES = {"pdf": "application/pdf", "svg": "image/svg+xml", "zip": "application/zip"}


def puzzle_of(text: str, box: BoxLike | None, max_size: int, deadline: Deadline) -> Puzzle:
    """Read a puzzle.

    Raises
    ------
    SudokulabError
        If it cannot be read before the deadline, or is too large.
    """
    return _checked_size(only_puzzle(formats.read(_TimedText(text, deadline), box=box or None)), max_size)


def _checked_size(puzzle: Puzzle, max_size: int) -> Puzzle:
    if puzzle.size > max_size:
        raise PuzzleError(_too_large(puzzle, max_size))
    return puzzle


def _too_large(puzzle: Puzzle, max_size: int) -> str:
    return f"the grid has size {puzzle.size}; for grids larger than {max_size}×{max_size}, use the command line"


def puzzle_to_json(puzzle: Puzzle) -> dict[str, object]:
    """Return a puzzle as JSON-compatible data; see `PuzzleBody`."""
    return {
        "puzzle": puzzle.line,
        "givens": list(puzzle.cells),
        "box": str(puzzle.box),
        "size": puzzle.size,
        "name": one_line(puzzle.name),
        "clashes": puzzle.clashes(),
        "solution": None if puzzle.solution is None else list(puzzle.solution.cells),
    }


def result_to_json(result: Result) -> dict[str, object]:
    """Return a result as JSON-compatible data; see `SolveResponse`."""
    assert result.puzzle is not None
    state = result.solution or result.best
    return {
        **result.to_dict(),
        "cost": _finite(result.cost),
        "stats": {name: _finite(value) for name, value in result.stats.items()},
        "givens": list(result.puzzle.cells),
        "grid": None if state is None else list(state.cells),
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _jobs(request: Request) -> Jobs:
    return cast("Jobs", request.app.state.jobs)


def _max_size(request: Request) -> int:
    return cast("Settings", request.app.state.settings).limits.size


async def _answer(request: Request, work: Callable[[Job], object], lane: Lane) -> Response:
    """Return the result of some work as JSON. Unlike FastAPI's, it is not checked again, and all text is escaped."""

    def text_of(job: Job) -> str:
        return json.dumps(work(job), allow_nan=False, separators=(",", ":"))

    return Response(await _jobs(request).run(request, text_of, lane), media_type="application/json")


async def run_reading(
    jobs: Jobs, request: Request | None, read: Callable[[Deadline], T], seconds: float, *texts: str
) -> T:
    """Read texts of a client in a thread; stop after the time limit if they are long."""
    lane = _reading_lane(*texts)
    limit = seconds if lane is Lane.READING else math.inf
    return await jobs.run(request, lambda job: read(Deadline(job, limit)), lane)


async def _puzzle_in(body: CheckRequest | RateRequest, request: Request) -> Puzzle:
    max_size = _max_size(request)

    def read(deadline: Deadline) -> Puzzle:
        return puzzle_of(body.puzzle, body.box, max_size, deadline)

    return await run_reading(_jobs(request), request, read, body.seconds, body.puzzle)


def _reading_lane(*texts: str) -> Lane:
    """Return where to read texts. A link counts as a long text, because it can unpack to one."""
    is_quick = sum(map(len, texts)) <= _QUICK_TEXT
    return Lane.QUICK if is_quick and not any(map(_has_link, texts)) else Lane.READING


def _has_link(text: str) -> bool:
    return any(map(is_link, text.splitlines()))


@router.post("/read", response_model=ReadResponse)
async def read(body: ReadRequest, request: Request) -> Response:
    """Read the puzzles of a text in any format, such as a dropped file. Unreadable parts are listed."""
    max_size = _max_size(request)
    return await _answer(
        request, lambda job: _read(body, max_size, Deadline(job, body.seconds)), _reading_lane(body.text)
    )


class _TimedText(io.StringIO):
    """A text that can be read until a deadline."""

    def __init__(self, text: str, deadline: Deadline) -> None:
        super().__init__(text)
        self._deadline = deadline

    def read(self, size: int | None = -1, /) -> str:
        self._deadline.check()
        return super().read(size)

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        self._deadline.check()
        return super().readline(-1 if size is None else size)


def _read(body: ReadRequest, max_size: int, deadline: Deadline) -> dict[str, object]:
    text = Text(_TimedText(body.text, deadline), "<text>", BoxShape.parse(body.box) if body.box else None)
    format = formats.sniff(text)
    puzzles: list[Puzzle] = []
    errors: list[str] = []
    try:
        for record in format.read(text):
            if not isinstance(record, Puzzle):
                errors.append(message_of(record))
            elif record.size > max_size:
                errors.append(_too_large(record, max_size))
            else:
                puzzles.append(record)
            if len(puzzles) >= body.limit or len(errors) >= _MAX_ERRORS:
                break
    except BudgetError as error:
        errors.append(f"{error} at line {text.line + 1}; allow more seconds, or split the text")
    if not puzzles and not errors:
        errors = [f"no puzzle found; write {format.title}"]
    return {"puzzles": list(map(puzzle_to_json, puzzles)), "format": format.name, "errors": errors}


@router.post("/convert", response_model=ConvertResponse)
async def convert(body: ConvertRequest, request: Request) -> Response:
    """Write a puzzle in another format."""
    max_size = _max_size(request)

    def work(job: Job) -> dict[str, object]:
        text = io.StringIO()
        formats.write(puzzle_of(body.puzzle, body.box, max_size, Deadline(job, _CONVERT_SECONDS)), text, body.to)
        return {"text": text.getvalue()}

    return await _answer(request, work, _reading_lane(body.puzzle))


@router.post("/solve", response_model=SolveResponse)
async def solve(body: SolveRequest, request: Request) -> Response:
    """Solve a puzzle with any solver. The solution has been verified."""
    max_size = _max_size(request)

    def prepare(deadline: Deadline) -> tuple[Puzzle, Solver]:
        return puzzle_of(body.puzzle, body.box, max_size, deadline), solver_of(body.solver, body.parameters)

    def work(job: Job) -> dict[str, object]:
        return result_to_json(solver.solve(puzzle, seconds=body.seconds, seed=body.seed))

    puzzle, solver = await run_reading(_jobs(request), request, prepare, body.seconds, body.puzzle)
    is_quick = puzzle.size <= _QUICK_SIZE and solver.name == "auto"
    return await _answer(request, work, Lane.QUICK if is_quick else Lane.SLOW)


@router.post("/check", response_model=CheckResponse)
async def check(body: CheckRequest, request: Request) -> Response:
    """Check a puzzle for clashes, uniqueness and minimality. Of several solutions, two are shown."""
    puzzle = await _puzzle_in(body, request)
    lane = Lane.QUICK if puzzle.size <= _QUICK_SIZE else Lane.SLOW
    return await _answer(request, lambda job: _check(puzzle, body.seconds), lane)


def _check(puzzle: Puzzle, seconds: float) -> dict[str, object]:
    deadline = time.monotonic() + seconds
    found: list[list[int]] = []
    report: dict[str, object] = {
        "clashes": puzzle.clashes(),
        "num_solutions": None,
        "is_minimal": None,
        "redundant": None,
        "solutions": found,
        "differences": [],
    }
    if report["clashes"]:
        return {**report, "num_solutions": 0}
    try:
        for solution in islice(solutions(puzzle, seconds=seconds), 2):
            found.append(list(solution.cells))
        report["num_solutions"] = len(found)
        if len(found) == 1:
            report["redundant"] = redundant_givens(puzzle, seconds=max(0.0, deadline - time.monotonic()))
            report["is_minimal"] = not report["redundant"]
    except BudgetError:
        pass  # what is unknown stays null
    if len(found) == 2:
        first, second = found
        report["differences"] = [cell for cell, digit in enumerate(first) if digit != second[cell]]
    return report


@router.post("/rate", response_model=RateResponse)
async def rate(body: RateRequest, request: Request) -> Response:
    """Rate the difficulty of a puzzle on one of four scales."""
    puzzle = await _puzzle_in(body, request)

    def work(job: Job) -> dict[str, object]:
        rating = rate_puzzle(puzzle, scale=body.scale, budget=Budget(seconds=body.seconds))
        return {
            "id": one_line(puzzle.name) or "1",
            "puzzle": puzzle.line,
            "status": "rated" if rating.is_rated else "not rated",
            **rating.to_dict(),
            "text": str(rating),
        }

    return await _answer(request, work, Lane.SLOW)


@router.post("/hint", response_model=ExplainResponse)
async def hint(body: ExplainRequest, request: Request) -> Response:
    """Return the next step of a puzzle, or of the state that a player has reached."""
    return await _explain(body, request, max_steps=1, seconds=body.seconds or HINT_SECONDS)


@router.post("/explain", response_model=ExplainResponse)
async def explain(body: ExplainRequest, request: Request) -> Response:
    """Return all steps to the solution, as far as the techniques go."""
    return await _explain(body, request, max_steps=None, seconds=body.seconds or _EXPLAIN_SECONDS)


async def _explain(body: ExplainRequest, request: Request, max_steps: int | None, seconds: float) -> Response:
    max_size = _max_size(request)

    def prepare(deadline: Deadline) -> PlayerState:
        puzzle = puzzle_of(body.puzzle, body.box, max_size, deadline)
        board = puzzle if body.board is None else puzzle_of(body.board, puzzle.box, max_size, deadline)
        return PlayerState(puzzle, board, body.candidates)

    def work(job: Job) -> dict[str, object]:
        return explain_from(state, body.techniques, body.without or "", max_steps, seconds)

    state = await run_reading(_jobs(request), request, prepare, seconds, body.puzzle, body.board or "")
    return await _answer(request, work, Lane.SHORT if seconds <= _SHORT_SECONDS else Lane.SLOW)


@router.get("/generate", response_model=GenerateFieldsResponse)
async def describe_generate() -> dict[str, object]:
    """Describe the fields of a request to generate puzzles: their types, ranges and meanings."""
    return {"fields": field_schemas(GenerateRequest)}


@router.post("/generate", response_model=GenerateResponse)
async def generate(body: GenerateRequest, request: Request) -> Response:
    """Generate puzzles to a specification, with the options of `sudokulab generate`."""
    _checked_size(Puzzle.empty(body.box), _max_size(request))

    def work(job: Job) -> dict[str, object]:
        puzzles: list[Puzzle] = []
        message = None
        budget = Budget(seconds=body.seconds, iterations=body.attempts)
        try:
            for puzzle in generate_puzzles(body.count, body, seed=body.seed, threads=1, budget=budget):
                puzzles.append(puzzle)  # one by one, to keep those found before an error
        except NotFoundError as error:
            message = str(error)
        return {"puzzles": list(map(puzzle_to_json, puzzles)), "seed": body.seed, "message": message}

    return await _answer(request, work, Lane.SLOW)


@router.post(
    "/sheet",
    response_class=Response,
    responses={
        200: {
            "description": "The pages: a PDF file, an SVG file, or a zip archive of several SVG files.",
            "content": {kind: {"schema": {"type": "string", "format": "binary"}} for kind in _SHEET_TYPES.values()},
        }
    },
)
async def sheet(body: SheetRequest, request: Request) -> Response:
    """Print puzzles on pages, with ratings, hints in words and solutions."""
    max_size = _max_size(request)
    end = time.monotonic() + body.seconds

    def read(deadline: Deadline) -> list[Puzzle]:
        return [puzzle_of(text, body.box, max_size, deadline) for text in body.puzzles]

    puzzles = await run_reading(_jobs(request), request, read, body.seconds, *body.puzzles)
    pages, seconds = await _jobs(request).run(
        request, lambda job: _sheet_pages(puzzles, body, Deadline(job, end - time.monotonic())), Lane.SLOW
    )
    kind, content = await _jobs(request).run(
        request, lambda job: _drawn(pages, body.format, Deadline(job, seconds)), Lane.DRAWING
    )
    headers = {"Content-Disposition": f'attachment; filename="sudoku.{kind}"'}
    return Response(content, media_type=_SHEET_TYPES[kind], headers=headers)


def _sheet_pages(puzzles: list[Puzzle], body: SheetRequest, deadline: Deadline) -> tuple[list[Picture], float]:
    """Return the pages of a sheet, not drawn yet, and the seconds that are left to draw them."""
    deadline.check()
    pages = sheet_pages(
        puzzles,
        per_page=body.per_page,
        paper=body.paper,
        title=body.title,
        ratings=body.ratings,
        solutions=body.solutions,
        hints=body.hints,
        budget=Budget(seconds=deadline.seconds_left / 2),  # the other half is for drawing
    )
    return pages, deadline.seconds_left


def _drawn(pages: list[Picture], format: str, deadline: Deadline) -> tuple[str, bytes]:
    """Return the type and the content of the file."""
    with tempfile.TemporaryDirectory(prefix="sudokulab-") as folder:
        paths = write_pages(pages, Path(folder) / f"sheet.{format}", deadline.check)
        if len(paths) == 1:
            return format, paths[0].read_bytes()
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
            for path in paths:
                file.write(path, path.name)
        return "zip", archive.getvalue()

"""Questions about puzzles: read, convert, solve, check, rate, hint, explain, generate and print."""

from __future__ import annotations

import io
import json
import math
import tempfile
import time
import zipfile
from itertools import islice
from pathlib import Path
from typing import Any, cast

from fastapi import APIRouter, Request, Response

from sudokulab import formats
from sudokulab.budget import Budget
from sudokulab.drawing.pages import write_pages
from sudokulab.errors import BudgetError, PuzzleError
from sudokulab.formats.base import Text, one_line
from sudokulab.formats.coercion import as_puzzle
from sudokulab.instances import NotFoundError
from sudokulab.logic import rate as rate_puzzle
from sudokulab.logic.hints import HINT_SECONDS
from sudokulab.puzzle import BoxShape, Puzzle
from sudokulab.result import Result
from sudokulab.sheets import sheet_pages
from sudokulab.solving import enumerate as enumerate_solutions
from sudokulab.solving import redundant_givens
from sudokulab.web.catalogue import solver_of
from sudokulab.web.jobs import DRAWING, Job, Jobs
from sudokulab.web.problems import RESPONSES, message_of
from sudokulab.web.schemas import (
    CheckRequest,
    CheckResponse,
    ConvertRequest,
    ConvertResponse,
    ExplainRequest,
    ExplainResponse,
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

__all__ = ["json_response", "puzzle_of", "puzzle_to_json", "result_to_json", "router"]

router = APIRouter(prefix="/api", tags=["puzzles"], responses=RESPONSES)

_MAX_ERRORS = 100
_QUICK_SIZE = 9  # larger grids can take seconds
_SHORT_TEXT = 2000  # characters; longer links can take a second to unpack
_EXPLAIN_SECONDS = 20.0
_SHEET_TYPES = {"pdf": "application/pdf", "svg": "image/svg+xml", "zip": "application/zip"}


def json_response(content: Any) -> Response:
    """Return a response with JSON. Unlike FastAPI's, it does not check our own data again, and escapes all text."""
    return Response(json.dumps(content, allow_nan=False, separators=(",", ":")), media_type="application/json")


def puzzle_of(text: str, box: str | None, max_size: int) -> Puzzle:
    """Read a puzzle.

    Raises
    ------
    SudokulabError
        If it cannot be read or is too large.
    """
    return _checked_size(as_puzzle(text, box or None), max_size)


def _checked_size(puzzle: Puzzle, max_size: int) -> Puzzle:
    if puzzle.size > max_size:
        raise PuzzleError(_too_large(puzzle, max_size))
    return puzzle


def _too_large(puzzle: Puzzle, max_size: int) -> str:
    return f"the grid has size {puzzle.size}, expected at most {max_size}; use the command line for larger grids"


def puzzle_to_json(puzzle: Puzzle) -> dict[str, Any]:
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


def result_to_json(result: Result) -> dict[str, Any]:
    """Return a result as JSON-compatible data; see `SolveResponse`."""
    assert result.puzzle is not None
    state = result.solution or result.best
    plain = result.to_dict()
    return {
        **plain,
        "cost": _finite(plain["cost"]),
        "stats": {name: _finite(value) for name, value in plain["stats"].items()},
        "givens": list(result.puzzle.cells),
        "grid": None if state is None else list(state.cells),
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _jobs(request: Request) -> Jobs:
    return cast("Jobs", request.app.state.jobs)


def _max_size(request: Request) -> int:
    return cast("Settings", request.app.state.settings).limits.size


async def _puzzle_in(body: CheckRequest | ExplainRequest | RateRequest | SolveRequest, request: Request) -> Puzzle:
    """Read the puzzle of a request; a long text in a thread, so that the event loop does not wait for it."""
    max_size = _max_size(request)
    if len(body.puzzle) <= _SHORT_TEXT:
        return puzzle_of(body.puzzle, body.box, max_size)
    return await _jobs(request).run(request, lambda job: puzzle_of(body.puzzle, body.box, max_size), is_quick=True)


@router.post("/read", response_model=ReadResponse)
async def read(body: ReadRequest, request: Request) -> Response:
    """Read the puzzles of a text in any format, such as a dropped file. Unreadable parts are listed."""
    return json_response(
        await _jobs(request).run(request, lambda job: _read(body, _max_size(request), job), is_quick=True)
    )


def _read(body: ReadRequest, max_size: int, job: Job) -> dict[str, Any]:
    text = Text(io.StringIO(body.text), "<text>", BoxShape.parse(body.box) if body.box else None)
    format = formats.sniff(text)
    puzzles: list[Puzzle] = []
    errors: list[str] = []
    for record in format.read(text):
        if not isinstance(record, Puzzle):
            errors.append(message_of(record))
        elif record.size > max_size:
            errors.append(_too_large(record, max_size))
        else:
            puzzles.append(record)
        if len(puzzles) >= body.limit or len(errors) >= _MAX_ERRORS or job.is_cancelled:
            break
    if not puzzles and not errors:
        errors = [f"no puzzle found, expected {format.title}"]
    return {"puzzles": list(map(puzzle_to_json, puzzles)), "format": format.name, "errors": errors}


@router.post("/convert", response_model=ConvertResponse)
async def convert(body: ConvertRequest, request: Request) -> Response:
    """Write a puzzle in another format."""

    def work(job: Job) -> dict[str, Any]:
        text = io.StringIO()
        formats.write(puzzle_of(body.puzzle, body.box, _max_size(request)), text, body.to)
        return {"text": text.getvalue()}

    return json_response(await _jobs(request).run(request, work, is_quick=True))


@router.post("/solve", response_model=SolveResponse)
async def solve(body: SolveRequest, request: Request) -> Response:
    """Solve a puzzle with any solver. The solution has been verified."""
    puzzle = await _puzzle_in(body, request)
    solver = solver_of(body.solver, body.parameters)

    def work(job: Job) -> dict[str, Any]:
        return result_to_json(solver.solve(puzzle, seconds=body.seconds, seed=body.seed))

    is_quick = puzzle.size <= _QUICK_SIZE and solver.name == "auto"
    return json_response(await _jobs(request).run(request, work, is_quick=is_quick))


@router.post("/check", response_model=CheckResponse)
async def check(body: CheckRequest, request: Request) -> Response:
    """Check a puzzle for clashes, uniqueness and minimality. Of several solutions, two are shown."""
    puzzle = await _puzzle_in(body, request)
    is_quick = puzzle.size <= _QUICK_SIZE
    return json_response(await _jobs(request).run(request, lambda job: _check(puzzle, body.seconds), is_quick=is_quick))


def _check(puzzle: Puzzle, seconds: float) -> dict[str, Any]:
    deadline = time.monotonic() + seconds
    report: dict[str, Any] = {
        "clashes": puzzle.clashes(),
        "num_solutions": None,
        "is_minimal": None,
        "redundant": None,
        "solutions": [],
        "differences": [],
    }
    if report["clashes"]:
        return {**report, "num_solutions": 0}
    try:
        for solution in islice(enumerate_solutions(puzzle, seconds=seconds), 2):
            report["solutions"].append(list(solution.cells))
        report["num_solutions"] = len(report["solutions"])
        if report["num_solutions"] == 1:
            report["redundant"] = redundant_givens(puzzle, seconds=max(0.0, deadline - time.monotonic()))
            report["is_minimal"] = not report["redundant"]
    except BudgetError:
        pass  # what is unknown stays null
    if len(report["solutions"]) == 2:
        first, second = report["solutions"]
        report["differences"] = [cell for cell, digit in enumerate(first) if digit != second[cell]]
    return report


@router.post("/rate", response_model=RateResponse)
async def rate(body: RateRequest, request: Request) -> Response:
    """Rate the difficulty of a puzzle on one of four scales."""
    puzzle = await _puzzle_in(body, request)

    def work(job: Job) -> dict[str, Any]:
        rating = rate_puzzle(puzzle, scale=body.scale, budget=Budget(seconds=body.seconds))
        return {
            "id": one_line(puzzle.name) or "1",
            "puzzle": puzzle.line,
            "status": "rated" if rating.is_rated else "not rated",
            **rating.to_dict(),
            "text": str(rating),
        }

    return json_response(await _jobs(request).run(request, work))


@router.post("/hint", response_model=ExplainResponse)
async def hint(body: ExplainRequest, request: Request) -> Response:
    """Return the next step of a puzzle, or of the state that a player has reached."""
    return await _explain(body, request, max_steps=1, seconds=body.seconds or HINT_SECONDS)


@router.post("/explain", response_model=ExplainResponse)
async def explain(body: ExplainRequest, request: Request) -> Response:
    """Return all steps to the solution, as far as the techniques go."""
    return await _explain(body, request, max_steps=None, seconds=body.seconds or _EXPLAIN_SECONDS)


async def _explain(body: ExplainRequest, request: Request, max_steps: int | None, seconds: float) -> Response:
    puzzle = await _puzzle_in(body, request)

    def work(job: Job) -> dict[str, Any]:
        board = puzzle if body.board is None else as_puzzle(body.board, puzzle.box)
        state = PlayerState(puzzle, board, body.candidates)
        return explain_from(state, body.techniques, body.without or "", max_steps, seconds)

    return json_response(await _jobs(request).run(request, work))


@router.post("/generate", response_model=GenerateResponse)
async def generate(body: GenerateRequest, request: Request) -> Response:
    """Generate puzzles to a specification, with the options of `sudokulab generate`."""
    _checked_size(Puzzle.empty(body.shape), _max_size(request))

    def work(job: Job) -> dict[str, Any]:
        puzzles: list[Puzzle] = []
        message = None
        budget = Budget(seconds=body.seconds, iterations=body.attempts)
        try:
            for puzzle in body.puzzles(body.count, threads=1, budget=budget):
                puzzles.append(puzzle)  # one by one, to keep those found before an error
        except NotFoundError as error:
            message = str(error)
        return {"puzzles": list(map(puzzle_to_json, puzzles)), "seed": body.seed, "message": message}

    return json_response(await _jobs(request).run(request, work))


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
    kind, content = await _jobs(request).run(request, lambda job: _sheet(body, max_size))
    headers = {"Content-Disposition": f'attachment; filename="sudoku.{kind}"'}
    return Response(content, media_type=_SHEET_TYPES[kind], headers=headers)


def _sheet(body: SheetRequest, max_size: int) -> tuple[str, bytes]:
    """Return the type and the content of the file."""
    pages = sheet_pages(
        [puzzle_of(text, body.box, max_size) for text in body.puzzles],
        per_page=body.per_page,
        paper=body.paper,
        title=body.title,
        ratings=body.ratings,
        solutions=body.solutions,
        hints=body.hints,
        budget=Budget(seconds=body.seconds),
    )
    with tempfile.TemporaryDirectory(prefix="sudokulab-") as folder, DRAWING:
        paths = write_pages(pages, Path(folder) / f"sheet.{body.format}")
        if len(paths) == 1:
            return body.format, paths[0].read_bytes()
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
            for path in paths:
                file.write(path, path.name)
        return "zip", archive.getvalue()

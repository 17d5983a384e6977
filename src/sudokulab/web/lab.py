"""The lab: the experiment stores named on the command line, read-only.

Requests name stores and figures by keys of dictionaries, never by paths. Results are kept until the file changes, so
that pages can ask often.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from http import HTTPStatus
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

from fastapi import APIRouter, Query, Request, Response
from fastapi import Path as PathParameter

from sudokulab._internal.documents import parse_json
from sudokulab._internal.suggestions import unknown_name
from sudokulab.errors import SudokulabError
from sudokulab.web.jobs import Job, Jobs, Lane
from sudokulab.web.problems import RESPONSES, ProblemError
from sudokulab.web.settings import Settings

if TYPE_CHECKING:  # `sudokulab.lab` needs the extra `lab`, and is imported on first use
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from sudokulab.lab.display import TextTable
    from sudokulab.lab.experiment import Experiment
    from sudokulab.lab.report import ReportFigure
    from sudokulab.lab.store import Store

__all__ = ["router", "shelf_of"]

router = APIRouter(prefix="/api/lab/stores", tags=["lab"], responses=RESPONSES)

MAX_RUNS = 100_000
"""The largest experiment that is shown; the command line has no such limit."""
MAX_TRACE_ROWS = 1000
_RATE_AGE = 10
"""Seconds after which the rate of finished runs is measured again, even if none has finished."""

StoreId = Annotated[str, PathParameter(max_length=200, description="The id of a store, from /api/lab/stores.")]
Number = Annotated[int, PathParameter(ge=1, le=10**6, description="The number of an experiment, from 1.")]
Text = Annotated[str, Query(max_length=500)]


def shelf_of(paths: tuple[Path, ...]) -> dict[str, Path]:
    """Return stores by id: the name of the file, numbered if several have the same.

    Examples
    --------
    >>> list(shelf_of((Path("a/ants.sqlite"), Path("b/ants.sqlite"))))
    ['ants', 'ants-2']
    """
    shelf: dict[str, Path] = {}
    for path in paths:
        number = 1
        while (name := path.stem if number == 1 else f"{path.stem}-{number}") in shelf:
            number += 1
        shelf[name] = path
    return shelf


@router.get("")
async def list_stores(request: Request) -> Response:
    """List the stores with their experiments. A store that cannot be read has an error instead."""
    shelf = _shelf(request)

    def work(job: Job) -> dict[str, object]:
        return {"stores": [_store_to_json(name, path) for name, path in shelf.items()]}

    return await _answer(request, list(shelf.values()), work, max_age=_RATE_AGE)


@router.get("/{store}/experiments/{number}")
async def show_experiment(store: StoreId, number: Number, request: Request) -> Response:
    """Return the tables of an experiment and the keys of its figures."""
    path = _path(request, store)
    return await _answer(request, [path], lambda job: _experiment_to_json(path, number))


@router.get("/{store}/experiments/{number}/progress")
async def show_progress(store: StoreId, number: Number, request: Request) -> Response:
    """Return how far an experiment is; cheap enough to ask every second."""
    path = _path(request, store)

    def work(job: Job) -> dict[str, object]:
        with _open(path) as opened:
            return _standing_to_json(opened, _definition(opened, number).name)

    return await _answer(request, [path], work, max_age=_RATE_AGE)


@router.get(
    "/{store}/experiments/{number}/plots/{key}.svg",
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {}}}},
)
async def show_plot(
    store: StoreId, number: Number, key: Annotated[str, PathParameter(max_length=40)], request: Request
) -> Response:
    """Return a figure of an experiment as SVG."""
    path = _path(request, store)

    def work(job: Job) -> str:
        return _plot(path, number, key, _version(path))

    return await _answer(request, [path], work, "image/svg+xml", lane=Lane.DRAWING)


@router.get("/{store}/experiments/{number}/runs")
async def list_runs(
    store: StoreId,
    number: Number,
    request: Request,
    solver: Text = "",
    instance: Text = "",
    outcome: Text = "",
    offset: Annotated[int, Query(ge=0, le=10**9)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Response:
    """List the runs of an experiment. Filters are exact; empty ones match everything."""
    path = _path(request, store)
    filters = {"solver": solver, "instance": instance, "outcome": outcome}

    def work(job: Job) -> dict[str, object]:
        runs = _runs(path, number, _version(path))
        for column, value in filters.items():
            runs = runs.filter(**{column: value}) if value else runs
        rows = runs.slice(offset, limit).iter_rows(named=True)
        return {"num_runs": len(runs), "offset": offset, "runs": [_run_to_json(row) for row in rows]}

    return await _answer(request, [path], work)


@router.get("/{store}/experiments/{number}/runs/{key}")
async def show_run(
    store: StoreId,
    number: Number,
    key: Annotated[str, PathParameter(max_length=100)],
    request: Request,
    solver: Text = "",
    instance: Text = "",
) -> Response:
    """Return one run with its trace. Solver and instance choose among runs that share a key."""
    path = _path(request, store)

    def work(job: Job) -> dict[str, object]:
        runs = _runs(path, number, _version(path)).filter(key=key)
        for column, value in {"solver": solver, "instance": instance}.items():
            runs = runs.filter(**{column: value}) if value else runs
        if runs.is_empty():
            raise ProblemError(HTTPStatus.NOT_FOUND, "no such run; it may have left the plan of the experiment")
        row = runs.row(0, named=True)
        with _open(path) as opened:
            trace = opened.trace_of(row["experiment"], row["solver"], row["instance"], row["run"], key=row["key"])
        try:
            return {**_whole_run_to_json(row), "trace": _thinned(trace)}
        except (ValueError, TypeError, AttributeError):
            raise SudokulabError(f"{path.name}: the store is damaged: the run cannot be read") from None

    return await _answer(request, [path], work)


async def _answer(
    request: Request,
    paths: list[Path],
    work: Callable[[Job], object],
    media_type: str = "application/json",
    *,
    max_age: float = math.inf,
    lane: Lane = Lane.SLOW,
) -> Response:
    """Do some work in a thread, unless the client has the answer for this state of the files.

    Answers that depend on the time have a maximum age in seconds.
    """
    parts = [*map(_version, paths), str(time.monotonic() // max_age)]
    version = hashlib.sha256("/".join(parts).encode()).hexdigest()[:16]
    headers = {"ETag": f'"{version}"', "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)

    def text_of(job: Job) -> str:
        content = work(job)
        return content if isinstance(content, str) else json.dumps(content, allow_nan=False, separators=(",", ":"))

    content = await cast("Jobs", request.app.state.jobs).run(request, text_of, lane)
    return Response(content, media_type=media_type, headers=headers)


def _shelf(request: Request) -> dict[str, Path]:
    return shelf_of(cast("Settings", request.app.state.settings).stores)


def _path(request: Request, store: str) -> Path:
    shelf = _shelf(request)
    if store not in shelf:
        advice = "start the server with `sudokulab serve STORE`"
        raise ProblemError(
            HTTPStatus.NOT_FOUND, unknown_name("store", store, shelf) if shelf else f"no stores; {advice}"
        )
    return shelf[store]


def _version(path: Path) -> str:
    """Return text that changes with the file."""
    from sudokulab.lab.snapshots import state_of

    return repr(state_of(path))


@contextmanager
def _open(path: Path) -> Iterator[Store]:
    """Open a store read-only. Errors name the file, but not its folder."""
    from sudokulab.lab.store import Store

    try:
        with Store(path, is_readonly=True) as store:
            yield store
    except SudokulabError as error:
        raise SudokulabError(str(error).replace(str(path), path.name)) from None


def _definition(store: Store, number: int) -> Experiment:
    experiments = list(store.experiments().values())
    if number > len(experiments):
        raise ProblemError(HTTPStatus.NOT_FOUND, f"the store has {len(experiments)} experiments, not {number}")
    return experiments[number - 1]


def _store_to_json(name: str, path: Path) -> dict[str, object]:
    experiments: list[dict[str, object]] = []
    entry: dict[str, object] = {"id": name, "name": path.name, "experiments": experiments, "error": None}
    try:
        with _open(path) as store:
            for number, experiment in enumerate(store.experiments().values(), start=1):
                standing = store.standing(experiment.name)
                experiments.append(
                    {
                        "number": number,
                        "name": experiment.name,
                        "title": experiment.title or experiment.name,
                        "num_planned": standing.num_planned,
                        "num_done": standing.num_done,
                        "num_success": sum(solver.num_success for solver in standing.solvers),
                        "is_running": standing.num_claimed > 0,
                        "last_finished": standing.last_finished,
                    }
                )
    except SudokulabError as error:
        entry["error"] = str(error)
    return entry


def _standing_to_json(store: Store, experiment: str) -> dict[str, object]:
    standing = store.standing(experiment)
    return {
        "num_planned": standing.num_planned,
        "num_done": standing.num_done,
        "num_claimed": standing.num_claimed,
        "runs_per_second": standing.rate,
        "remaining_seconds": standing.remaining_seconds,
        "last_finished": standing.last_finished,
        "solvers": [vars(solver) for solver in standing.solvers],
    }


@lru_cache(maxsize=2)
def _runs(path: Path, number: int, version: str) -> pl.DataFrame:
    """Return the runs of an experiment at a version of the file."""
    with _open(path) as store:
        name = _definition(store, number).name
        num_done = store.standing(name).num_done
        if num_done > MAX_RUNS:
            raise SudokulabError(
                f"the experiment has {num_done:,} runs; the page shows at most {MAX_RUNS:,}; "
                "use `sudokulab report` on the command line"
            )
        return store.runs(name)


def _experiment_to_json(path: Path, number: int) -> dict[str, object]:
    from sudokulab.lab.comparison import Comparison
    from sudokulab.lab.display import error_table, pair_table, summary_table

    version = _version(path)
    with _open(path) as store:
        definition = _definition(store, number)
        content: dict[str, object] = {
            "name": definition.name,
            "title": definition.title or definition.name,
            "definition": definition.to_toml(),
            "has_traces": definition.trace,
            **_standing_to_json(store, definition.name),
        }
    runs = _runs(path, number, version)
    if runs.is_empty():
        return {**content, "tables": [], "plots": [], "instances": [], "outcomes": [], "machines": []}
    comparison = Comparison.of(runs)
    tables = [_table("Results", comparison.basis.note, summary_table(runs))]
    if runs["instance_set"].n_unique() > 1:
        tables.append(_table("Results by instance set", "", summary_table(runs, ["instance_set"])))
    if len(comparison.tests):
        note = f"{comparison.pairs.test_title}. {comparison.pairs.effect_note}"
        tables.append(_table("Tests of all pairs", note, pair_table(comparison.pairs)))
    if len(comparison.errors):
        tables.append(_table("Errors", "", error_table(runs)))
    return {
        **content,
        "tables": tables,
        "plots": [{"key": one.key, "caption": one.caption} for one in _figures(path, number, version).values()],
        "instances": sorted(runs["instance"].unique()),
        "outcomes": sorted(runs["outcome"].unique()),
        "machines": [json.loads(text) for text in runs["machine"].unique(maintain_order=True)],
    }


def _table(title: str, note: str, table: TextTable) -> dict[str, object]:
    return {"title": title, "note": note, "columns": table.columns, "rows": table.rows}


@lru_cache(maxsize=2)
def _figures(path: Path, number: int, version: str) -> dict[str, ReportFigure]:
    """Return the figures of an experiment by key, not drawn yet."""
    from sudokulab.lab.comparison import Comparison
    from sudokulab.lab.report import report_figures, trace_figures

    runs = _runs(path, number, version)
    if runs.is_empty():
        return {}
    with _open(path) as store:
        definition = _definition(store, number)
        traces = trace_figures(store, definition.name) if definition.trace else ()
        return {figure.key: figure for figure in chain(report_figures(Comparison.of(runs)), traces)}


@lru_cache(maxsize=64)
def _plot(path: Path, number: int, key: str, version: str) -> str:
    figures = _figures(path, number, version)
    if key not in figures:
        raise ProblemError(HTTPStatus.NOT_FOUND, unknown_name("figure", key, figures))
    return figures[key].to_svg()


_RUN_COLUMNS = ("key", "solver", "instance", "run", "outcome", "is_success", "cost", "seconds", "finished")


def _run_to_json(row: Mapping[str, object]) -> dict[str, object]:
    return {name: _finite(row[name]) for name in _RUN_COLUMNS}


def _whole_run_to_json(row: Mapping[str, Any]) -> dict[str, object]:
    names = (
        "instance_set",
        "puzzle",
        "box",
        "size",
        "num_givens",
        "seed",
        "solution",
        "wall_seconds",
        "error",
        "version",
    )
    spec = parse_json(row["spec"])
    stats = {name.removeprefix("stats_"): _finite(value) for name, value in row.items() if name.startswith("stats_")}
    return {
        **_run_to_json(row),
        **{name: _finite(row[name]) for name in names},
        "name": spec.get("name"),
        "parameters": {name: _finite(value) for name, value in spec.get("params", {}).items()},
        "stats": {name: value for name, value in stats.items() if value is not None},
        "machine": json.loads(row["machine"]),
    }


def _thinned(trace: Mapping[str, NDArray[np.float64]]) -> dict[str, list[object]]:
    """Return the columns of a trace as lists, thinned evenly but with the first and the last row."""
    import numpy as np

    columns = {name: column for name, column in trace.items() if column.ndim == 1}
    length = min((len(column) for column in columns.values()), default=0)
    rows = np.unique(np.linspace(0, length - 1, MAX_TRACE_ROWS).round().astype(int))[: max(length, 0)]
    return {name: [_finite(float(column[row])) for row in rows] for name, column in columns.items()}


def _finite(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value

"""The server shows experiment stores without ever changing them, and the pages of the papers without losing a word."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from sudokulab.lab.records import Outcome
from sudokulab.lab.store import Store
from sudokulab.web.lab import MAX_TRACE_ROWS
from sudokulab.web.papers import blocks_of
from sudokulab.web.settings import Settings
from tests.cases import for_each
from tests.web.servers import client_of
from tests.web.stores import EXPERIMENT, NUM_OPEN, PLAN, record_of, write_store

PAGES = Path(__file__).parents[2] / "docs" / "papers"
ANTS = "/api/lab/stores/ants/experiments/1"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lab")
    write_store(folder / "ants.sqlite")
    damaged = write_store(folder / "damaged.sqlite").read_bytes()
    (folder / "damaged.sqlite").write_bytes(damaged[:6000] + bytes(len(damaged) - 6000))
    (folder / "notes.txt").write_text("not a database, but long enough to be read as one: " * 100)
    with sqlite3.connect(folder / "foreign.sqlite") as foreign:
        foreign.execute("CREATE TABLE friends (name)")
    foreign.close()
    return folder


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[httpx.Client]:
    names = ("ants.sqlite", "damaged.sqlite", "notes.txt", "foreign.sqlite", "gone.sqlite")
    with client_of(Settings(stores=tuple(folder / name for name in names))) as client:
        yield client


def get(client: httpx.Client, path: str, **query: Any) -> Any:
    response = client.get(path, params=query)
    assert response.status_code == 200, response.text
    return response.json()


def test_stores_are_listed_with_their_progress(client: httpx.Client) -> None:
    store = get(client, "/api/lab/stores")["stores"][0]
    assert (store["id"], store["name"], store["error"]) == ("ants", "ants.sqlite", None)
    (experiment,) = store["experiments"]
    assert experiment["title"] == "Ants and annealing"
    assert (experiment["num_done"], experiment["num_planned"]) == (len(PLAN) - NUM_OPEN, len(PLAN))


@for_each(
    ("name", "reason"),
    [
        ("damaged", "damaged"),
        ("notes", "not a store of runs"),
        ("foreign", "not a store of runs"),
        ("gone", "no such store"),
    ],
)
def test_unreadable_files_are_reported_without_their_folder(
    client: httpx.Client, folder: Path, name: str, reason: str
) -> None:
    stores = {store["id"]: store for store in get(client, "/api/lab/stores")["stores"]}
    response = client.get(f"/api/lab/stores/{name}/experiments/1")
    assert response.headers["content-type"] == "application/problem+json"
    for message in (stores[name]["error"], response.json()["detail"]):
        assert reason in message
        assert str(folder) not in message


def test_an_experiment_has_the_tables_and_figures_of_its_report(client: httpx.Client) -> None:
    experiment = get(client, ANTS)
    assert [table["title"] for table in experiment["tables"]] == ["Results", "Tests of all pairs"]
    assert {row[0] for row in experiment["tables"][0]["rows"]} == {"ant-colony", "annealing", "backtracking"}
    assert {"success", "time-to-target", "cactus", "profile", "ranks", "trace-1"} == {
        plot["key"] for plot in experiment["plots"]
    }
    for plot in experiment["plots"]:
        response = client.get(f"{ANTS}/plots/{plot['key']}.svg")
        assert response.headers["content-type"] == "image/svg+xml"
        assert "<svg" in response.text


def test_runs_come_in_pages_and_can_be_filtered(client: httpx.Client) -> None:
    every = get(client, f"{ANTS}/runs", limit=1000)
    assert every["num_runs"] == len(every["runs"]) == len(PLAN) - NUM_OPEN
    assert get(client, f"{ANTS}/runs", offset=3, limit=5)["runs"] == every["runs"][3:8]
    failed = get(client, f"{ANTS}/runs", solver="annealing", outcome="unsolved")
    assert failed["num_runs"] == 3
    assert {run["solver"] for run in failed["runs"]} == {"annealing"}


def test_a_run_has_a_thinned_trace_with_both_ends(client: httpx.Client) -> None:
    key = get(client, f"{ANTS}/runs", solver="annealing", limit=1)["runs"][0]["key"]
    run = get(client, f"{ANTS}/runs/{key}", solver="annealing")
    assert run["seed"] == str(PLAN[0].seed)
    iterations = run["trace"]["iterations"]
    assert len(iterations) == len(run["trace"]["cost"]) == MAX_TRACE_ROWS
    assert (iterations[0], iterations[-1]) == (0, 2999)
    assert iterations == sorted(iterations)


@for_each(
    "path",
    [
        "/api/lab/stores/..%2Fants/experiments/1",
        "/api/lab/stores/%2Fetc%2Fpasswd/experiments/1",
        "/api/lab/stores/ants.sqlite/experiments/1",
        f"{ANTS}/plots/..%2F..%2Fsecret.svg",
        f"{ANTS}/runs/nothing",
        "/api/lab/stores/ants/experiments/2",
        "/api/papers/README",
        "/api/papers/..%2FREADME",
        "/api/papers/figures/..%2Fjones-2007.md",
    ],
)
def test_names_are_looked_up_and_never_used_as_paths(client: httpx.Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 404
    assert response.headers["content-type"] == "application/problem+json"


def test_an_unchanged_store_is_not_read_again(client: httpx.Client) -> None:
    first = client.get(ANTS)
    again = client.get(ANTS, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_runs_of_another_process_appear_and_the_server_leaves_the_file_alone(tmp_path: Path) -> None:
    path = write_store(tmp_path / "live.sqlite")
    with client_of(Settings(stores=(path,))) as client, Store(path) as writer:
        address = "/api/lab/stores/live/experiments/1/progress"
        before = client.get(address)
        run = PLAN[-NUM_OPEN]
        assert writer.claim(EXPERIMENT.name, run)
        assert get(client, address)["num_claimed"] == 1
        writer.add(EXPERIMENT.name, [(run, record_of(run))])
        after = client.get(address, headers={"If-None-Match": before.headers["etag"]})
        assert after.status_code == 200
        assert after.json()["num_done"] == before.json()["num_done"] + 1
        assert after.json()["num_claimed"] == 0
        assert after.json()["remaining_seconds"] > 0
        state = path.read_bytes()
        for part in ("", "/runs", "/plots/success.svg"):
            assert client.get(f"/api/lab/stores/live/experiments/1{part}").status_code == 200
        assert path.read_bytes() == state


def test_a_store_in_a_readonly_folder_is_shown(tmp_path: Path) -> None:
    path = write_store(tmp_path / "ants.sqlite")
    tmp_path.chmod(0o555)
    try:
        with client_of(Settings(stores=(path,))) as client:
            assert get(client, f"{ANTS}/progress")["num_done"] == len(PLAN) - NUM_OPEN
    finally:
        tmp_path.chmod(0o755)


def test_a_standing_counts_errors_and_estimates_the_time_left(tmp_path: Path) -> None:
    path = write_store(tmp_path / "ants.sqlite")
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE runs SET outcome = ?, is_success = 0 WHERE run = 0", [Outcome.CRASHED])
    connection.close()
    with Store(path, is_readonly=True) as store:
        standing = store.standing(EXPERIMENT.name)
    assert {solver.solver: solver.num_faults for solver in standing.solvers} == {
        "ant-colony": 3,
        "annealing": 3,
        "backtracking": 3,
    }
    assert standing.num_recent == standing.num_done
    assert standing.remaining_seconds == pytest.approx(NUM_OPEN / standing.rate)


def test_a_run_with_a_damaged_solver_is_a_problem_not_a_crash(tmp_path: Path) -> None:
    path = write_store(tmp_path / "ants.sqlite")
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE runs SET spec = '[' WHERE run = 0")
        connection.execute("UPDATE runs SET spec = '7' WHERE run = 1")
    connection.close()
    with client_of(Settings(stores=(path,))) as client:
        for run in get(client, f"{ANTS}/runs")["runs"]:
            response = client.get(f"{ANTS}/runs/{run['key']}", params={"solver": run["solver"]})
            assert response.status_code == (422 if run["run"] < 2 else 200), response.text


def test_every_paper_is_listed_and_every_figure_exists(client: httpx.Client) -> None:
    index = get(client, "/api/papers")
    assert {paper["key"] for paper in index["papers"]} == {page.stem for page in PAGES.glob("*.md")} - {"README"}
    for paper in index["papers"]:
        content = get(client, f"/api/papers/{paper['key']}")
        for block in content["blocks"]:
            if block["type"] == "figure":
                assert client.get(f"/api/papers/figures/{block['name']}").text.startswith("<?xml")


def test_folded_parts_of_a_page_stay_folded() -> None:
    blocks = blocks_of("<details><summary>More</summary>\n\nHidden.\n\n</details>\n\nShown.")
    assert [block["type"] for block in blocks] == ["details", "paragraph"]
    assert blocks[0]["summary"] == "More"
    assert blocks[0]["blocks"] == blocks_of("Hidden.")


@for_each("page", sorted(PAGES.glob("*.md")), ids=lambda page: page.stem)
def test_no_word_of_a_page_is_lost(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    shown = " ".join(_words(blocks_of(text)))
    for word in re.findall(r"[\w.,−–%]{4,}", re.sub(r"\]\([^)]*\)|</?\w+>|---:?|`", " ", text)):
        assert word in shown, word


def _words(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        for key, value in part.items():
            if key in ("text", "caption", "name", "summary") and isinstance(value, str):
                yield value
            yield from _words(value)
    elif isinstance(part, list):
        for one in part:
            yield from _words(one)

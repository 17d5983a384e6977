"""The HTTP API answers as the command line does, and explains its errors."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

import sudokulab
from sudokulab import BoxShape, logic
from sudokulab.external import CommandSolver
from sudokulab.instances.collections import find
from sudokulab.logic.techniques import TECHNIQUES, TECHNIQUES_BY_NAME
from sudokulab.web import catalogue
from sudokulab.web.settings import Limits, Settings
from tests.cases import for_each
from tests.puzzles import EASY, ENDLESS, IMPOSSIBLE_4, INKALA, SMALL, TINY, random_instance
from tests.web.servers import client_of

NEEDS_A_PAIR = find("hard") or ()
TWO_SOLUTIONS = EASY.line.replace("5", ".", 1).replace("3", ".", 1).replace("8", ".")


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with client_of() as client:
        yield client


def post(client: httpx.Client, path: str, **body: Any) -> Any:
    response = client.post(f"/api/{path}", json=body)
    assert response.status_code == 200, response.text
    return response.json()


def problem(client: httpx.Client, path: str, status: int = 422, **body: Any) -> str:
    """Return the message of a request that is refused."""
    response = client.post(f"/api/{path}", json=body)
    assert response.headers["content-type"] == "application/problem+json"
    found = response.json()
    assert set(found) == {"type", "title", "status", "detail"}
    assert found["status"] == response.status_code == status, found
    return str(found["detail"])


def test_solve_returns_the_result_of_the_package(client: httpx.Client) -> None:
    answer = post(client, "solve", puzzle=INKALA.line)
    result = sudokulab.solve(INKALA)
    assert {**answer, "seconds": 0} == {
        **result.to_dict(),
        "seconds": 0,
        "givens": list(INKALA.cells),
        "grid": list(result.solution.cells),  # type: ignore[union-attr]
    }


def test_solve_takes_a_solver_parameters_and_a_seed(client: httpx.Client) -> None:
    body = {"puzzle": EASY.line, "solver": "annealing", "parameters": {"cooling": 0.9}, "seed": 7}
    answer = post(client, "solve", **body)
    result = sudokulab.solvers.make_solver("annealing", cooling=0.9).solve(EASY, seed=7)
    assert (answer["solver"], answer["seed"], answer["stats"]) == ("annealing", 7, dict(result.stats))


def test_solve_keeps_its_time_limit_and_returns_the_best_state(client: httpx.Client) -> None:
    hard = random_instance((5, 5), 280, 1).line
    answer = post(client, "solve", puzzle=hard, solver="annealing", seconds=0.1)
    assert (answer["status"], answer["solution"]) == ("unknown", None)
    assert answer["seconds"] < 1
    assert answer["cost"] > 0
    assert len(answer["grid"]) == 625


@for_each(
    ("body", "message"),
    [
        ({"puzle": EASY.line}, "unknown field 'puzle'; did you mean 'puzzle'?"),
        ({}, "puzzle: missing"),
        ({"puzzle": "12345"}, "line 1, column 1: found a row of 5 cells; use rows of 4"),
        ({"puzzle": TINY.line, "box": "2x3"}, "found 16 cells; use 36"),
        ({"puzzle": TINY.line, "box": "axb"}, "'axb' is not a box shape"),
        ({"puzzle": TINY.line, "solver": "anealing"}, "unknown solver 'anealing'; did you mean 'annealing'?"),
        ({"puzzle": TINY.line, "solver": "annealing", "parameters": {"coling": 1}}, "did you mean 'cooling'?"),
        ({"puzzle": TINY.line, "solver": "annealing", "parameters": {"cooling": 2}}, "cooling: 2; choose a number"),
        ({"puzzle": TINY.line, "solver": "annealing", "parameters": {"self": 2}}, "annealing"),
        ({"puzzle": TINY.line, "parameters": {"solver": "os:system"}}, "auto has no parameters; remove solver"),
        ({"puzzle": TINY.line, "parameters": {str(number): 0 for number in range(101)}}, "parameters"),
        ({"puzzle": TINY.line, "seconds": 1e9}, "seconds: 1000000000.0; choose at most 60"),
        ({"puzzle": TINY.line, "seconds": "soon"}, "seconds: 'soon'; choose a number"),
        ({"puzzle": TINY.line, "seed": -1}, "seed: -1"),
        ({"puzzle": "." * 36**2}, "size 36; for grids larger than 25×25, use the command line"),
        ({"puzzle": TINY.line, "solver": "hill-climbing", "parameters": {"queue_limit": 10**8}}, "queue_limit"),
    ],
)
def test_a_bad_request_is_explained(client: httpx.Client, body: dict[str, Any], message: str) -> None:
    assert message in problem(client, "solve", **body)


@for_each("name", ["os:system", "tests.attack.test_core:Crash", "command", "command-solver", "__init__"])
def test_requests_cannot_name_code(client: httpx.Client, name: str) -> None:
    assert "unknown solver" in problem(client, "solve", puzzle=TINY.line, solver=name)
    assert not any(issubclass(solver, CommandSolver) for solver in catalogue.solvers().values())


@for_each(
    ("content", "message"),
    [
        (b"{", "not JSON"),
        (b"[1]", "send a JSON object"),
        (b"", "send a JSON object"),
        (b"\xff\xfe", "JSON"),
        (b"[" * 100_000, "JSON"),
        (b'{"puzzle": NaN}', "puzzle"),
        (b'{"puzzle": "\\ud800"}', "puzzle"),
        (b'{"puzzle": "....", "seconds": Infinity}', "seconds"),
    ],
)
def test_bodies_that_are_not_json_objects_are_refused(client: httpx.Client, content: bytes, message: str) -> None:
    response = client.post("/api/solve", content=content, headers={"Content-Type": "application/json"})
    assert response.status_code in (400, 422)
    assert message in response.json()["detail"]


def test_other_content_types_are_refused(client: httpx.Client) -> None:
    response = client.post("/api/solve", content=b'{"puzzle": "...."}', headers={"Content-Type": "text/plain"})
    assert response.status_code == 422
    assert "application/json" in response.json()["detail"]


def test_long_values_are_not_repeated_in_full(client: httpx.Client) -> None:
    assert len(problem(client, "solve", puzzle=TINY.line, seconds="9" * 100_000)) < 1000


def test_check_reports_a_sound_puzzle(client: httpx.Client) -> None:
    answer = post(client, "check", puzzle=INKALA.line)
    assert (answer["num_solutions"], answer["is_minimal"], answer["redundant"]) == (1, True, [])
    assert answer["solutions"] == [list(sudokulab.solve(INKALA).solution.cells)]  # type: ignore[union-attr]
    assert answer["differences"] == answer["clashes"] == []


def test_check_shows_two_solutions_and_their_differences(client: httpx.Client) -> None:
    answer = post(client, "check", puzzle=TWO_SOLUTIONS)
    first, second = answer["solutions"]
    assert answer["num_solutions"] == 2
    assert answer["differences"] == [cell for cell in range(81) if first[cell] != second[cell]] != []
    assert (answer["is_minimal"], answer["redundant"]) == (None, None)


def test_check_reports_clashes_and_puzzles_without_a_solution(client: httpx.Client) -> None:
    answer = post(client, "check", puzzle="11..............")
    assert (answer["clashes"], answer["num_solutions"]) == ([0, 1], 0)
    assert post(client, "check", puzzle=IMPOSSIBLE_4.line)["num_solutions"] == 0
    assert post(client, "check", puzzle=ENDLESS.line)["num_solutions"] == 0


@for_each("scale", ["rules", "se", "hodoku", "trial"])
def test_rate_answers_on_every_scale(client: httpx.Client, scale: Any) -> None:
    answer = post(client, "rate", puzzle=EASY.line, scale=scale)
    rating = logic.rate(EASY, scale=scale)
    assert answer["status"] == "rated"
    assert answer["text"] == str(rating)
    assert answer.items() >= rating.to_dict().items()


def test_a_scale_that_does_not_suit_the_size_is_explained(client: httpx.Client) -> None:
    assert "9" in problem(client, "rate", puzzle=SMALL.line, scale="hodoku")
    assert "scale: 'hard'; choose" in problem(client, "rate", puzzle=SMALL.line, scale="hard")


def test_hint_is_the_next_step_with_everything_to_draw_it(client: httpx.Client) -> None:
    answer = post(client, "hint", puzzle=TINY.line)
    expected = logic.hint(TINY)
    (step,) = answer["steps"]
    assert (answer["ending"], answer["closing"]) == ("open", "")
    assert step["sentence"] == expected.sentences[0]
    assert (step["name"], step["technique"]) == ("Hidden single", "hidden-single")
    assert step["board"] == list(TINY.cells)
    assert step["candidates"][1] == 0b0110
    assert step["marks"]["placements"] == [[1, 3]]
    assert step["marks"]["units"] == [["box", 0, 1, 4, 5]]
    assert [1, 3, "placed"] in step["marks"]["candidates"]


def test_hint_begins_where_the_player_is(client: httpx.Client) -> None:
    board = "13" + TINY.line[2:]
    answer = post(client, "hint", puzzle=TINY.line, board=board)
    assert answer["steps"][0]["board"] == [1, 3, *TINY.cells[2:]]
    assert answer["steps"][0]["marks"]["placements"] != [[1, 3]]


def test_hint_points_out_mistakes_instead(client: httpx.Client) -> None:
    answer = post(client, "hint", puzzle=TINY.line, board="12" + TINY.line[2:])
    assert (answer["ending"], answer["steps"], answer["wrong_cells"]) == ("mistakes", [], [1])
    assert answer["closing"] == "r1c2 is wrong."
    marks = [0] * 16
    marks[1] = 0b0010
    answer = post(client, "hint", puzzle=TINY.line, candidates=marks)
    assert (answer["ending"], answer["wrong_candidates"]) == ("mistakes", [1])
    assert answer["closing"] == "The pencil marks of r1c2 lack the right digit."


def test_hint_does_not_repeat_eliminations_that_the_player_has_made(client: httpx.Client) -> None:
    path = logic.explain(next(iter(NEEDS_A_PAIR)))
    place = next(place for place, step in enumerate(path.steps) if step.eliminations)
    board, before, after = path.filled(place), path.states[place], path.states[place + 1]
    body = {"puzzle": path.puzzle.line, "board": board.line, "without": "uniqueness"}

    def masks(state: Any) -> list[int]:
        return [sum(1 << digit for digit in range(9) if state[cell // 9, cell % 9, digit]) for cell in range(81)]

    first = post(client, "hint", **body, candidates=masks(before))["steps"][0]
    second = post(client, "hint", **body, candidates=masks(after))["steps"][0]
    assert first["marks"]["eliminations"] == [list(pair) for pair in path.steps[place].eliminations]
    gone = {tuple(pair) for pair in first["marks"]["eliminations"]}
    assert gone.isdisjoint(map(tuple, second["marks"]["eliminations"]))
    assert second["candidates"] == masks(after)


def test_explain_is_the_whole_path(client: httpx.Client) -> None:
    answer = post(client, "explain", puzzle=EASY.line)
    expected = logic.explain(EASY)
    assert (answer["ending"], answer["closing"]) == ("solved", "The puzzle is solved.")
    assert [step["sentence"] for step in answer["steps"]] == expected.sentences[:-1]
    assert answer["steps"][-1]["board"] == list(expected.filled(len(expected.steps) - 1).cells)


def test_explain_from_pencil_marks_reaches_the_solution(client: httpx.Client) -> None:
    answer = post(client, "explain", puzzle=EASY.line, candidates=[0] * 81)
    assert answer["ending"] == "solved"
    last = answer["steps"][-1]
    board = list(last["board"])
    for cell, digit in last["marks"]["placements"]:
        board[cell] = digit
    assert board == list(sudokulab.solve(EASY).solution.cells)  # type: ignore[union-attr]


def test_marks_of_chains_have_links_and_those_of_sets_have_roles(client: httpx.Client) -> None:
    chain = client.get("/api/techniques/xy-chain").json()["example"]["step"]["marks"]
    assert chain["links"]
    assert all(link["from"] and link["to"] for link in chain["links"])
    sets = client.get("/api/techniques/als-xz").json()["example"]["step"]["marks"]
    assert {"set-a", "set-b"} <= {role for _, _, role in sets["candidates"]}
    fish = client.get("/api/techniques/finned-x-wing").json()["example"]["step"]["marks"]
    assert {"pattern", "fin", "eliminated"} <= {role for _, _, role in fish["candidates"]}


@for_each(
    ("body", "message"),
    [
        ({"board": "2" + TINY.line[1:]}, "lacks the given 1 in r1c1"),
        ({"board": EASY.line}, "81 cells"),
        ({"candidates": [1]}, "1 masks; send 16"),
        ({"candidates": [99] * 16}, "send masks from 0 to 15"),
        ({"techniques": "x-wng"}, "did you mean 'x-wing'"),
    ],
)
def test_a_state_that_does_not_fit_the_puzzle_is_explained(
    client: httpx.Client, body: dict[str, Any], message: str
) -> None:
    assert message in problem(client, "hint", puzzle=TINY.line, **body)


def test_a_puzzle_without_a_unique_solution_gets_no_hint(client: httpx.Client) -> None:
    answer = post(client, "hint", puzzle=TWO_SOLUTIONS)
    assert (answer["ending"], answer["steps"]) == ("several solutions", [])
    assert answer["closing"] == "The puzzle has several solutions, so no step is certain."


def test_read_takes_any_format_and_lists_errors(client: httpx.Client) -> None:
    answer = post(client, "read", text=f"{TINY.line} first\n{IMPOSSIBLE_4.line}\nnonsense!\n11..............\n")
    assert [one["puzzle"] for one in answer["puzzles"]] == [TINY.line, IMPOSSIBLE_4.line, "11.............."]
    assert answer["puzzles"][0]["name"] == "first"
    assert answer["puzzles"][2]["clashes"] == [0, 1]
    assert len(answer["errors"]) == 1
    assert answer["errors"][0].startswith("line 3, column 1: ")
    assert answer["format"] == "line"
    assert len(post(client, "read", text=f"{TINY.line}\n" * 5, limit=2)["puzzles"]) == 2
    assert "no puzzle found" in post(client, "read", text="")["errors"][0]


HOSTILE = {
    "unreadable lines": "1\n" * 100_000,
    "nested lists": "[" * 90_000,
    "padding of a link": "https://f-puzzles.com/?load=" + "=" * 90_000 + "x",
    "names of hosts": "a." * 45_000 + "f-puzzles.com/x",
    "columns": "a," * 45_000,
}


@for_each("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_refused_quickly(client: httpx.Client, text: str) -> None:
    start = time.process_time()  # of the server, too
    answer = post(client, "read", text=text)
    assert (answer["puzzles"], 0 < len(answer["errors"]) <= 100) == ([], True)
    problem(client, "solve", puzzle=text[:100_000])
    assert time.process_time() - start < 5


def test_convert_writes_every_text_format(client: httpx.Client) -> None:
    for name in sudokulab.formats.TEXT_FORMATS:
        text = post(client, "convert", puzzle=EASY.line, to=name)["text"]
        assert post(client, "read", text=text)["puzzles"][0]["puzzle"] == EASY.line, name
    assert "unknown format 'gird'; did you mean 'grid'?" in problem(client, "convert", puzzle=TINY.line, to="gird")
    assert "choose a text format" in problem(client, "convert", puzzle=TINY.line, to="parquet")


def test_generate_meets_the_specification_and_repeats_it(client: httpx.Client) -> None:
    body = {"count": 3, "level": "medium", "symmetry": "half-turn", "seed": 5}
    answer = post(client, "generate", **body)
    assert answer == post(client, "generate", **body)
    expected = list(sudokulab.generate(3, level="medium", symmetry="half-turn", seed=5))
    assert [one["puzzle"] for one in answer["puzzles"]] == [puzzle.line for puzzle in expected]
    assert answer["puzzles"][0]["solution"] == list(expected[0].solution.cells)  # type: ignore[union-attr]
    assert (answer["seed"], answer["message"]) == (5, None)


def test_generate_chooses_a_seed_and_returns_it(client: httpx.Client) -> None:
    answer = post(client, "generate", size=4)
    assert post(client, "generate", size=4, seed=answer["seed"]) == answer


def test_generate_makes_the_random_instances_of_the_papers(client: httpx.Client) -> None:
    answer = post(client, "generate", size=16, fixed=0.5, seed=1)
    assert sum(map(bool, answer["puzzles"][0]["givens"])) == 128


def test_generate_returns_what_it_found_when_the_time_is_up(client: httpx.Client) -> None:
    answer = post(client, "generate", se=[11.0, 11.2], seconds=0.2, seed=1)
    assert answer["puzzles"] == []
    assert answer["message"]


@for_each(
    ("body", "message"),
    [
        ({"count": 101}, "count: 101; choose"),
        ({"levl": "hard"}, "did you mean 'level'?"),
        ({"level": "hardd"}, "level: unknown value 'hardd'; did you mean 'hard'?"),
        ({"givens": 16}, "givens: 16; choose 17 to 81"),
        ({"size": 36}, "size 36; for grids larger than 25×25"),
        ({"pattern": "/etc/passwd"}, "pattern"),
        ({"size": 10**30}, "; choose 4 to 64"),
        ({"se": [1e308, 1e308]}, "se: [1e+308, 1e+308]; choose a number or a range"),
        ({"fixed": 0.5, "minimal": True}, "minimal"),
    ],
)
def test_an_impossible_specification_is_explained(client: httpx.Client, body: dict[str, Any], message: str) -> None:
    assert message in problem(client, "generate", **body)


def test_a_sheet_is_a_file(client: httpx.Client) -> None:
    body: dict[str, Any] = {"puzzles": [TINY.line] * 3, "per_page": 1, "ratings": [], "solutions": False}
    pages = client.post("/api/sheet", json={**body, "format": "svg"})
    assert pages.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(pages.content)) as archive:
        assert archive.namelist() == ["sheet-1.svg", "sheet-2.svg", "sheet-3.svg"]
    page = client.post("/api/sheet", json={**body, "format": "svg", "per_page": 4, "title": "Weekend <&>"})
    assert page.headers["content-type"].startswith("image/svg+xml")
    assert "Weekend &lt;&amp;&gt;" in page.text


def test_a_sheet_in_pdf_has_ratings_hints_and_solutions(client: httpx.Client) -> None:
    pytest.importorskip("matplotlib")
    response = client.post("/api/sheet", json={"puzzles": [EASY.line], "hints": 2})
    assert response.headers["content-disposition"] == 'attachment; filename="sudoku.pdf"'
    assert response.content.startswith(b"%PDF")


def test_a_sheet_stops_at_its_time_limit(client: httpx.Client) -> None:
    empty = random_instance((5, 5), 240, 3).line
    message = problem(client, "sheet", puzzles=[empty], seconds=0.2, format="svg")
    assert "budget ran out" in message or "several solutions" in message


def test_every_solver_and_its_parameters_are_listed(client: httpx.Client) -> None:
    answer = client.get("/api/solvers").json()
    assert answer["default"] == "auto"
    assert [solver["name"] for solver in answer["solvers"]] == list(catalogue.solvers())
    annealing = client.get("/api/solvers/annealing").json()
    assert annealing["parameters"]["cooling"]["default"] == 0.99
    assert annealing["parameters"]["cooling"]["range"] == "a number above 0 and below 1"
    assert annealing["is_stochastic"]
    assert annealing["watch_speed"] > client.get("/api/solvers/ant-colony").json()["watch_speed"]
    combined = client.get("/api/solvers/cp+annealing").json()
    assert combined == annealing, "a combination has the parameters of its search"
    assert "Lewis" in annealing["text"]


def test_every_technique_has_an_example(client: httpx.Client) -> None:
    answer = client.get("/api/techniques").json()
    assert [technique["name"] for technique in answer["techniques"]] == [technique.name for technique in TECHNIQUES]
    for name in ("full-house", "x-wing", "bug+1", "tridagon"):
        example = client.get(f"/api/techniques/{name}").json()["example"]
        assert example["step"]["technique"] == name
        assert example["step"]["sentence"].startswith(TECHNIQUES_BY_NAME[name].title)


def test_presets_are_puzzles(client: httpx.Client) -> None:
    presets = {one["name"]: one for one in client.get("/api/presets").json()["presets"]}
    assert presets["inkala-2012"]["puzzle"] == INKALA.line
    assert sum(map(bool, presets["17-givens"]["givens"])) == 17
    assert presets["25x25"]["box"] == str(BoxShape(5, 5))


def test_presets_name_known_solvers_for_a_race(client: httpx.Client) -> None:
    found = client.get("/api/presets").json()
    known = {solver["name"] for solver in client.get("/api/solvers").json()["solvers"]}
    assert len(found["racers"]) >= 2
    for racers in (found["racers"], *(preset["racers"] for preset in found["presets"])):
        assert len(racers) != 1
        assert known.issuperset(racers)


@for_each("path", ["/api/solvers/nope", "/api/techniques/nope", "/api/nope", "/nope", "/..%2fapp.py"])
def test_what_does_not_exist_is_a_problem(client: httpx.Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 404
    assert response.headers["content-type"] == "application/problem+json"


def test_a_wrong_method_is_a_problem_that_lists_the_right_ones(client: httpx.Client) -> None:
    response = client.delete("/api/solve")
    assert (response.status_code, response.headers["allow"]) == (405, "POST")
    assert response.headers["content-type"] == "application/problem+json"


def test_an_unexpected_error_reveals_nothing(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("secret path /home/someone")

    with client_of() as client:
        monkeypatch.setattr("sudokulab.web.puzzles.rate_puzzle", fail)
        message = problem(client, "rate", status=500, puzzle=TINY.line)
    assert message == "The server failed to answer this request; its log says why."
    assert "secret path" in caplog.text


def test_a_full_queue_says_when_to_try_again() -> None:
    limits = Limits(quick_threads=1, quick_queue=-1)
    with client_of(Settings(limits=limits)) as client:
        response = client.post("/api/solve", json={"puzzle": TINY.line})
    assert (response.status_code, response.headers["retry-after"]) == (503, "1")
    assert response.json()["detail"].startswith("the server is busy")


def test_the_schema_describes_every_address(client: httpx.Client) -> None:
    schema = client.get("/api/openapi.json").json()
    posts = {"read", "convert", "solve", "check", "rate", "hint", "explain", "generate", "sheet"}
    gets = {"solvers", "solvers/{name}", "techniques", "techniques/{name}", "presets"}
    assert {f"/api/{name}" for name in posts | gets} <= set(schema["paths"])
    for methods in schema["paths"].values():
        for operation in methods.values():
            assert operation["description"].endswith(".")
            assert {"4XX", "5XX"} <= set(operation["responses"])

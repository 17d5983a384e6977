"""Recorded results: a page follows from them alone, and results that no longer match the code are found."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sudokulab import generate
from sudokulab.errors import SudokulabError
from sudokulab.lab import SolverSpec
from sudokulab.lab.experiment import Run
from sudokulab.papers.catalogue import PAPERS, Artefact, Context, Effort, Findings, outdated_results, reproduce
from sudokulab.papers.folder import pages_folder
from sudokulab.papers.pages import index_of, markdown_of, write_page
from sudokulab.papers.records import Records, behaviour_of
from sudokulab.papers.reproduction import Mode, Paper
from sudokulab.puzzle import Puzzle

PAPER = Paper("made-up", "A paper", ())
FAST, SLOW = (SolverSpec(name="hill-climbing", label=label, params={"w2": w2}) for label, w2 in (("a", -1), ("b", -2)))


@pytest.fixture(scope="module")
def puzzles() -> list[Puzzle]:
    return list(generate(3, seed=1, givens=40, progress=False))


def in_mode(mode: Mode, records: Records, folder: Path, **settings: object) -> Context:
    return Context(PAPER, Effort.SMOKE, folder, workers=1, mode=mode, records=records, **settings)  # type: ignore[arg-type]


def saved(records: Records, folder: Path) -> Records:
    """Return the records as read from a file."""
    records.save("made-up", folder)
    return Records.load("made-up", folder)


def test_recorded_runs_replace_new_ones(puzzles: list[Puzzle], tmp_path: Path) -> None:
    records = Records()
    made = in_mode(Mode.RUN, records, tmp_path).run("one", {"set": puzzles}, [FAST], runs=2, iterations=50)
    read = saved(records, tmp_path)
    found = in_mode(Mode.RECORDED, read, tmp_path).run("one", {"set": lambda: pytest.fail("not needed")}, [FAST])
    assert found.equals(made)
    assert {"seconds", "is_success", "stats_iterations", "budget_iterations"} <= set(found.columns)
    with pytest.raises(SudokulabError, match=r"no recorded results of two; run `sudokulab reproduce made-up --extend"):
        in_mode(Mode.RECORDED, read, tmp_path).run("two", {"set": puzzles}, [FAST])


def test_only_missing_and_changed_runs_are_made(puzzles: list[Puzzle], tmp_path: Path) -> None:
    records = Records()
    in_mode(Mode.RUN, records, tmp_path / "first").run("one", {"set": puzzles[:2]}, [FAST], iterations=50)

    def extend(solvers: list[SolverSpec], number: int, iterations: int = 50) -> int:
        started: list[Run] = []
        context = in_mode(
            Mode.EXTEND, records, tmp_path / "second", observer=lambda run, done: None if done else started.append(run)
        )
        found = context.run("one", {"set": puzzles[:number]}, solvers, iterations=iterations)
        assert len(found) == number * len(solvers)
        return len(started)

    assert extend([FAST], 2) == 0
    assert extend([FAST], 3) == 1
    assert extend([FAST, SLOW], 3) == 3
    assert extend([FAST, SLOW.model_copy(update={"params": {"w2": -3}})], 3) == 3
    assert extend([FAST], 3, iterations=60) == 3


def test_at_the_deadline_every_set_has_as_many_runs(puzzles: list[Puzzle], tmp_path: Path) -> None:
    context = in_mode(Mode.EXTEND, Records(), tmp_path, deadline=0.0)
    sets = {"one": puzzles, "two": list(generate(3, seed=2, givens=40, progress=False))}
    found = context.run("one", sets, [FAST], runs=100, iterations=5)
    assert found["instance_set"].value_counts().sort("instance_set").rows() == [("one", 80), ("two", 80)]
    assert max(found["run"]) == 26


def test_outdated_results_are_listed(puzzles: list[Puzzle], tmp_path: Path) -> None:
    records = Records()
    context = in_mode(Mode.RUN, records, tmp_path)
    context.run("one", {"set": puzzles}, [FAST], iterations=50)
    assert context.measure("two", lambda: [[1, 2.5]], puzzles) == [[1, 2.5]]

    def check(found: list[Puzzle], solver: SolverSpec = FAST, iterations: int = 50) -> list[str]:
        context = in_mode(Mode.CHECK, records, tmp_path / "check")
        context.run("one", {"set": found}, [solver], iterations=iterations)
        context.measure("two", lambda: pytest.fail("not needed"), found)
        return context.outdated

    assert check(puzzles) == []
    assert check(puzzles[:2]) == ["one: 1 of 3 runs, made by a on set", "two: measured on other puzzles"]
    assert check(puzzles, iterations=51) == ["one: 3 of 3 runs, made by a on set"]
    assert check(puzzles, FAST.model_copy(update={"params": {}})) == ["one: 3 of 3 runs, made by a on set"]


def test_the_behaviour_of_a_solver_depends_on_its_parameters_but_not_on_its_label() -> None:
    assert behaviour_of(FAST) == behaviour_of(FAST.model_copy(update={"label": "c"})) != behaviour_of(SLOW)


def test_sets_of_a_missing_collection_are_not_checked(puzzles: list[Puzzle], tmp_path: Path) -> None:
    records = Records(collections={"gone": True})
    bundled, gone = puzzles[:1], puzzles[1:]
    in_mode(Mode.RUN, records, tmp_path).run("one", {"a": bundled, "b": gone}, [FAST], iterations=50)

    def check(found: list[Puzzle]) -> Context:
        context = in_mode(Mode.CHECK, records, tmp_path / "check")
        context.run("one", {"a": found, "b": lambda: context.public("gone") or []}, [FAST], iterations=50)
        return context

    current, outdated = check(bundled), check(gone)
    assert current.outdated == []
    assert [line.partition(":")[0] for line in current.unchecked] == ["one, b"]
    assert outdated.outdated == ["one: 1 of 1 runs, made by a on a"]
    with pytest.raises(SudokulabError, match="gone, which is missing"):
        in_mode(Mode.EXTEND, records, tmp_path / "extend").public("gone")


PAGES = Path(str(pages_folder()))
RECORDED = [key for key in PAPERS if (PAGES / "data" / f"{key}.json").exists()]


@cache
def recorded(key: str) -> tuple[dict[Artefact, Findings], Records]:
    """Return the findings that follow from the recorded results of a paper, and these."""
    if key not in RECORDED:
        pytest.skip(f"no recorded results of {key}")
    records = Records.load(key)
    settings = {"effort": Effort.PUBLISHED, "folder": Path("not-needed"), "mode": Mode.RECORDED}
    return dict(reproduce(PAPERS[key], records=records, **settings)), records  # type: ignore[arg-type]


@pytest.mark.parametrize("key", PAPERS)
def test_the_page_follows_from_the_recorded_results(key: str, tmp_path: Path) -> None:
    paper, (found, records) = PAPERS[key], recorded(key)
    advice = f"run `sudokulab reproduce {key} --from-data --output docs/papers`"
    assert (PAGES / f"{key}.md").read_text("utf-8") == markdown_of(paper, Effort.PUBLISHED, found, records), advice
    write_page(paper, Effort.PUBLISHED, found, tmp_path, records)
    for file in (tmp_path / "figures").iterdir():
        committed, made = (folder / "figures" / file.name for folder in (PAGES, tmp_path))
        assert described(committed) == described(made), f"{file.name}: {advice}"
    for name, text in (file for findings in found.values() for file in findings.files.items()):
        assert (PAGES / name).read_text("utf-8") == text, f"{name}: {advice}"
    assert not records.unused, f"run `sudokulab reproduce {key} --extend-data`"


def described(figure: Path) -> str | None:
    """Return the hash of the data in a figure."""
    return ElementTree.parse(figure).findtext(".//{http://purl.org/dc/elements/1.1/}description")


def test_the_index_follows_from_the_recorded_results() -> None:
    found = {paper: recorded(key)[0] for key, paper in PAPERS.items()}
    advice = "run `sudokulab reproduce all --from-data --output docs/papers`"
    assert (PAGES / "README.md").read_text("utf-8") == index_of(found, Effort.PUBLISHED), advice


@pytest.mark.parametrize("key", PAPERS)
def test_the_defaults_are_the_readings_that_the_recorded_results_choose(key: str) -> None:
    found, _ = recorded(key)
    checks = [check for artefact, own in found.items() if artefact.key == "readings" for check in own.checks]
    assert [check.statement for check in checks if not check.holds] == []


@pytest.mark.parametrize("key", PAPERS)
def test_the_recorded_results_match_the_code(key: str, tmp_path: Path) -> None:
    if key not in RECORDED:
        pytest.skip(f"no recorded results of {key}")
    outdated, unchecked = outdated_results(PAPERS[key], Records.load(key), tmp_path)
    assert not outdated, f"run `sudokulab reproduce {key} --extend-data --output docs/papers`"
    if unchecked:
        pytest.skip("; ".join(unchecked))  # all other sets have been checked


def test_every_figure_is_on_a_page() -> None:
    pages = "".join(page.read_text("utf-8") for page in PAGES.glob("*.md"))
    assert [file.name for file in (PAGES / "figures").iterdir() if file.name not in pages] == []

"""Statistics of minimal puzzles: weights correct the bias of the sample, and the page shows them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import comb, sqrt
from pathlib import Path

import numpy as np
import pytest
import typer
from typer.testing import CliRunner, Result

from sudokulab.cli.dataset_statistics import statistics as command
from sudokulab.datasets.statistics import PUBLISHED, Estimate, MinimalStatistics, estimate, minimal_statistics
from sudokulab.datasets.statistics_page import write_page
from sudokulab.instances import MinimalSample, sample_minimal
from sudokulab.puzzle import NINE
from tests.cases import for_each

GRIDS = 6_670_903_752_021_072_936_960


def sample_of(givens: list[int], grids: list[int], num_grids: int = 1000) -> MinimalSample:
    """Return a sample with these numbers of givens; its cells do not matter."""
    puzzles = np.zeros((len(givens), 81), np.uint8)
    for row, number in enumerate(givens):
        puzzles[row, :number] = 1
    return MinimalSample(NINE, num_grids, 128 * num_grids, puzzles, puzzles, np.array(grids))


def test_a_puzzle_stands_for_as_many_as_its_probability_says() -> None:
    found = estimate([sample_of([24, 26, 26], [1, 5, 9])])
    each = {n: GRIDS * comb(81, n) / 128_000 for n in (24, 26)}
    assert found.total.value == pytest.approx(each[24] + 2 * each[26])
    assert [row.number.value for row in found.by_givens] == pytest.approx([each[24], 2 * each[26]])
    assert found.mean_givens.value == pytest.approx((24 * each[24] + 52 * each[26]) / found.total.value)
    assert found.sampled_givens.value == pytest.approx(76 / 3)


def test_puzzles_of_the_same_grid_are_one_observation() -> None:
    apart = estimate([sample_of([25] * 4, [1, 2, 3, 4])])
    together = estimate([sample_of([25] * 4, [1, 1, 3, 3])])
    assert together.total.value == apart.total.value
    assert together.total.error / apart.total.error == pytest.approx(sqrt(2), rel=1e-2)


def test_the_estimate_for_4x4_agrees_with_the_exact_numbers() -> None:
    found = estimate([sample_minimal(300, 4, seed=1, first=first) for first in (0, 300)])
    assert abs(found.total.deviation_from(85_632)) < 3
    numbers = {row.givens: row.number for row in found.by_givens}
    assert abs(numbers[4].deviation_from(25_728)) < 3
    assert abs(numbers[5].deviation_from(58_368)) < 3
    assert found.total.error < 0.02 * found.total.value


def statistics() -> MinimalStatistics:
    chance = np.random.default_rng(1)
    givens = [23] * 20 + [24] * 60 + [25] * 150 + [26] * 170 + [27] * 90 + [28] * 20 + [29]
    sample = sample_of(givens, list(range(len(givens))))
    return replace(estimate([sample], chance.choice([1.5, 2.0, 6.6, 7.1], len(givens))), cpu_seconds=60.0)


def test_the_page_has_the_estimates_and_its_figures(tmp_path: Path) -> None:
    found = statistics()
    paths = write_page(found, tmp_path / "page.md", "the command")
    text = paths[0].read_text(encoding="utf-8")
    assert "```sh\nthe command\n```" in text
    assert f"| 26 | 170 | {found.by_givens[3].number.value:.3e}".split("e")[0] in text
    assert "{" not in text
    assert len(paths) == 4
    for path in paths[1:]:
        assert f"(figures/{path.name})" in text
        assert path.read_text(encoding="utf-8").startswith("<?xml")


def test_the_page_agrees_with_the_published_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert f"The published mean of {PUBLISHED.sampled_er:.2f} comes" in _page(tmp_path)
    assert "| 3.1055 · 10³⁷ ± 0.065 % |" in _page(tmp_path)
    other = replace(PUBLISHED, total=Estimate(2e37, 1e36))
    monkeypatch.setattr("sudokulab.datasets.statistics_page.PUBLISHED", other)
    assert "| 2.0000 · 10³⁷ ± 5.000 % |" in _page(tmp_path)


def _page(folder: Path) -> str:
    return write_page(statistics(), folder / "page.md", "the command")[0].read_text("utf-8")


def test_a_puzzle_without_a_rating_counts_but_has_no_part_in_the_mean_rating() -> None:
    sample = sample_of([25, 25, 25, 26, 26], [1, 2, 3, 4, 5])
    found = estimate([sample], np.array([2.0, 4.0, np.nan, 7.0, np.nan]))
    assert found.sampled_er
    assert found.mean_er
    assert found.sampled_er.value == pytest.approx(13 / 3)
    assert found.mean_er.value == pytest.approx(
        (6 * comb(81, 25) + 7 * comb(81, 26)) / (2 * comb(81, 25) + comb(81, 26))
    )
    assert [row.num_sampled for row in found.by_givens] == [3, 2]
    assert [row.mean_er and row.mean_er.value for row in found.by_givens] == [3.0, None]
    assert found.sampled_ratings == pytest.approx({2.0: 1 / 3, 4.0: 1 / 3, 7.0: 1 / 3})
    assert found.total == estimate([sample]).total
    assert estimate([sample], np.full(5, np.nan)).mean_er is None


def test_unrated_puzzles_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass
    class Rated:
        er: float | None

    sample = sample_of([25, 25, 26], [1, 2, 3])
    monkeypatch.setattr("sudokulab.datasets.statistics.sample_minimal", lambda *_, **__: sample)
    monkeypatch.setattr("sudokulab.datasets.statistics.rate_many", lambda *_, **__: map(Rated, (0.0, 3.0, None)))
    found = minimal_statistics(1)
    assert found.num_sampled == 3
    assert found.sampled_ratings == {0.0: 0.5, 3.0: 0.5}


def test_the_page_works_with_few_puzzles(tmp_path: Path) -> None:
    sample = sample_of([25, 26, 27, 27], [1, 2, 3, 4])
    few = estimate([sample], np.array([1.5, 2.0, 6.6, 7.1]), cpu_seconds=1.0)
    assert "share with 28 givens (%) | 0.0 ± 0.0" in write_page(few, tmp_path / "page.md", "x")[0].read_text("utf-8")


@for_each(
    ("name", "quoted"), [("page.md", "page.md"), ("my page.md", "'my page.md'"), ("figures/a.md", "figures/a.md")]
)
def test_the_command_writes_the_page_and_names_itself(
    name: str, quoted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def sampled(blocks: int, **options: object) -> MinimalStatistics:
        asked.append((blocks, options["seed"]))
        return statistics()

    monkeypatch.setattr("sudokulab.datasets.statistics.minimal_statistics", sampled)
    monkeypatch.chdir(tmp_path)
    Path("figures").mkdir()
    done = run("--blocks", "2000", "--seed", "7", "-o", name)
    assert done.exit_code == 0, done.output
    assert asked == [(2000, 7)]
    text = Path(name).read_text("utf-8")
    assert f"```sh\nsudokulab dataset statistics --blocks 2000 --seed 7 -o {quoted}\n```" in text


def run(*words: str) -> Result:
    app = typer.Typer()
    app.command()(command)
    return CliRunner().invoke(app, words)


@for_each(
    ("name", "message"),
    [
        ("page.html", "page.html: unknown output extension '.html' (known: .md)"),
        ("page", "page: unknown output extension '' (known: .md)"),
        ("missing/page.md", "missing: no such folder"),
        ("folder.md", "folder.md: is a folder; name a Markdown file"),
        ("/dev/null", "/dev/null: is a device; name a Markdown file"),
    ],
)
def test_a_page_that_cannot_be_written_is_refused_before_the_run(
    name: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sampled(*_: object, **__: object) -> None:
        pytest.fail("the run began")

    monkeypatch.setattr("sudokulab.datasets.statistics.minimal_statistics", sampled)
    monkeypatch.chdir(tmp_path)
    Path("folder.md").mkdir()
    done = run("-o", name)
    assert done.exit_code == 2
    assert done.stderr == f"{message}\n"
    assert [path.name for path in tmp_path.iterdir()] == ["folder.md"]


@pytest.mark.slow
def test_puzzles_are_sampled_and_rated() -> None:
    found = minimal_statistics(200, seed=1)
    assert found.num_orders == 200 * 32_768
    assert 10 < found.num_sampled < 50
    assert sum(found.ratings.values()) == pytest.approx(1)
    assert found.mean_er
    assert 1.2 < found.mean_er.value < 9


def test_a_deviation_is_in_standard_errors_of_the_difference() -> None:
    assert Estimate(10, 3).deviation_from(Estimate(5, 4)) == pytest.approx(1)
    assert Estimate(10, 2).deviation_from(12) == pytest.approx(-1)


def test_published_ratings_are_those_of_the_published_puzzles(public_data: Path) -> None:
    files = sorted((public_data / "ratings").glob("controlled-bias-*.txt"))
    if not files:
        pytest.skip("the controlled-bias collection is missing")
    rows = [line.split() for file in files for line in file.read_text().splitlines() if not line.startswith("#")]
    assert len(rows) == PUBLISHED.collection_size
    givens = [81 - row[0].count(".") for row in rows]
    sample = sample_of(givens, list(range(len(givens))), num_grids=10**9)
    found = estimate([sample], np.array([float(row[1]) for row in rows]))
    for ours, stated in (
        (found.sampled_er, PUBLISHED.collection_er),
        (found.mean_er, PUBLISHED.collection_corrected_er),
    ):
        assert ours
        assert (ours.value, ours.error) == pytest.approx((stated.value, stated.error), abs=6e-4)
    assert abs(found.sampled_er.value - PUBLISHED.sampled_er) < 0.03  # type: ignore[union-attr]

"""An audit finds exactly the defects that were planted, in every layout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudokulab import Puzzle, as_strings, generate_array, logic, random_grid
from sudokulab.datasets import Audit, DatasetError, audit
from sudokulab.datasets.audits.checks import KINDS
from sudokulab.datasets.audits.difficulty import Sample, summarize_ratings
from sudokulab.datasets.audits.repeats import is_repeated_across, is_repeated_within
from sudokulab.datasets.audits.report import write_report
from sudokulab.puzzle import NINE
from sudokulab.solvers import Dlx
from tests.cases import for_each
from tests.commands import run
from tests.datasets.sets import BAD, LAYOUTS, Row, moved, sound_rows, write_csv, write_parquet
from tests.timing import command_stopping_seconds

Found = dict[tuple[str, tuple[str, ...]], list[tuple[int, ...]]]

SOUND = sound_rows(60)
EXTREME = "source,question,answer,rating"


def with_more_givens(row: Row) -> Row:
    """Return a puzzle with the same solution and one more given."""
    puzzle, solution = row
    blank = puzzle.index(".")
    return puzzle[:blank] + solution[blank] + puzzle[blank + 1 :], solution


def with_broken_solution(row: Row) -> Row:
    """Swap two digits of a row of the solution at blank cells, which breaks two columns."""
    puzzle, solution = row
    one, other = [cell for cell in range(9) if puzzle[cell] == "."][:2]
    cells = list(solution)
    cells[one], cells[other] = cells[other], cells[one]
    return puzzle, "".join(cells)


def with_foreign_solution(row: Row) -> Row:
    """Exchange two digits everywhere in the solution: valid, but not of this puzzle."""
    puzzle, solution = row
    return puzzle, solution.translate(str.maketrans("123456789", "234567891"))


def planted() -> tuple[dict[str, list[Row]], Found]:
    """Return three splits with one defect of each kind, and where they are."""
    rng = np.random.default_rng(7)
    train, validation, test = SOUND[:30], SOUND[30:40], SOUND[40:50]
    clash = f"11{'.' * 79}"
    several = next(puzzle for puzzle in (SOUND[50][0][:40] + "." * 41,) if Dlx().count(puzzle, 2) == 2)
    twin = tuple(moved(train[2], rng))
    leaked_twin = tuple(moved(train[4], rng))
    train = [
        *train,
        (BAD * 81, SOUND[51][1]),  # row 31
        (clash, SOUND[52][1]),
        (several, SOUND[50][1]),
        (SOUND[53][0], ""),
        with_broken_solution(SOUND[54]),  # row 35
        with_foreign_solution(SOUND[55]),
        train[1],
        (twin[0], twin[1]),
        with_more_givens(train[3]),
    ]
    test = [*test, train[5], (leaked_twin[0], leaked_twin[1]), with_more_givens(validation[6])]
    found: Found = {
        ("unreadable", ("train",)): [(31,)],
        ("no-solution", ("train",)): [(32,)],
        ("several-solutions", ("train",)): [(33,)],
        ("missing-solution", ("train",)): [(34,)],
        ("broken-rules", ("train",)): [(35,)],
        ("changed-givens", ("train",)): [(32,), (36,)],
        ("duplicates", ("train",)): [(2, 37)],
        ("twins", ("train",)): [(3, 38)],
        ("repeated-solutions", ("train",)): [(2, 37), (3, 38), (4, 39)],
        ("shared-puzzles", ("train", "test")): [(6, 11)],
        ("shared-twins", ("train", "test")): [(5, 12)],
        ("shared-solutions", ("train", "test")): [(6, 11), (5, 12)],
        ("shared-solutions", ("validation", "test")): [(7, 13)],
    }
    return {"train": train, "validation": validation, "test": test}, found


def found_in(result: Audit) -> Found:
    for check in result.checks:
        assert (check.num_rows or 0) == len(check.examples)
    return {
        (check.kind, check.splits): [tuple(place.row for place in example.places) for example in check.examples]
        for check in result.checks
        if check.examples
    }


def write_splits(folder: Path, layout: str, splits: dict[str, list[Row]]) -> None:
    extension, write = LAYOUTS[layout]
    for name, rows in splits.items():
        write(folder / f"{name}{extension}", rows)


@for_each("layout", LAYOUTS)
def test_exactly_the_planted_defects_are_found(layout: str, tmp_path: Path) -> None:
    splits, expected = planted()
    write_splits(tmp_path, layout, splits)
    result = audit(sorted(tmp_path.iterdir()), sample=0)
    assert found_in(result) == expected
    assert list(result.splits) == ["train", "validation", "test"]
    assert {check.kind for check in result.defects} == KINDS.keys() - {"repeated-solutions"}


def test_the_defects_of_a_split_column_are_the_same(tmp_path: Path) -> None:
    splits, expected = planted()
    rows = [(name.replace("validation", "val"), *row) for name, some in splits.items() for row in some]
    columns = dict(zip(("split", "puzzle", "solution"), map(list, zip(*rows, strict=True)), strict=True))
    pq.write_table(pa.table(columns), tmp_path / "set.parquet")
    starts = {"train": 0, "validation": 39, "test": 49}
    shifted = {
        (kind, names): [
            tuple(starts[name] + row for name, row in zip((names[0], names[-1]), pair, strict=False)) for pair in pairs
        ]
        for (kind, names), pairs in expected.items()
    }
    assert found_in(audit(tmp_path / "set.parquet", sample=0)) == shifted


def test_stored_hashes_are_not_trusted(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    rows = [*SOUND[:5], *[tuple(moved(SOUND[2], rng))]]
    columns = {"puzzle": [row[0] for row in rows], "puzzle_class": list(range(6)), "solution_class": list(range(6))}
    pq.write_table(pa.table(columns), tmp_path / "set.parquet")
    assert found_in(audit(tmp_path, sample=0))["twins", ("all",)] == [(3, 6)]


def test_a_clean_set_has_no_findings(tmp_path: Path) -> None:
    write_splits(tmp_path, "parquet", {"train": SOUND[:40], "test": SOUND[40:]})
    result = audit(tmp_path, sample=0)
    assert result.is_clean
    assert found_in(result) == {}
    assert result.num_rows == 60


def test_splits_can_be_given(tmp_path: Path) -> None:
    write_csv(tmp_path / "a.csv", SOUND[:3])
    write_csv(tmp_path / "b.csv", SOUND[2:5])
    result = audit({"old": tmp_path / "a.csv", "new": [tmp_path / "b.csv"]}, sample=0)
    assert found_in(result)["shared-puzzles", ("new", "old")] == [(1, 3)]


def test_files_without_solutions_are_compared_by_those_found(tmp_path: Path) -> None:
    (tmp_path / "set.txt").write_text(f"{SOUND[0][0]}\n{SOUND[1][0]}\n{with_more_givens(SOUND[0])[0]}\n")
    result = audit(tmp_path / "set.txt", sample=0)
    unchecked = {check.kind for check in result.checks if check.num_rows is None}
    assert unchecked == {"missing-solution", "broken-rules", "changed-givens"}
    assert result.is_clean
    assert [check.kind for check in result.checks if check.num_rows] == ["repeated-solutions"]


def test_small_and_large_grids_are_audited(tmp_path: Path) -> None:
    for size, box in ((4, (2, 2)), (6, (2, 3)), (16, (4, 4)), (25, (5, 5))):
        grid = random_grid(box, seed=size)
        rows = [grid.line, grid.shuffle(1).line, "." + grid.line[1:]]
        (tmp_path / f"set{size}.csv").write_text("\n".join(["puzzle", *rows]))
        found = {check.kind: check.num_rows for check in audit(tmp_path / f"set{size}.csv", sample=2).checks}
        assert (found["duplicates"], found["no-solution"], found["several-solutions"]) == (0, 0, 0)
        assert found["twins"] == (1 if size <= 16 else None)
        assert found["repeated-solutions"] == (2 if size <= 16 else None)


def test_distributions_are_those_counted_by_hand(tmp_path: Path) -> None:
    solution = SOUND[0][1]
    rows = [*SOUND, (solution, solution), ("." + solution[1:], solution), ("......" + solution[6:], solution)]
    path = tmp_path / "set.csv"
    write_csv(path, rows, EXTREME, "x,{0},{1},3")
    split = audit(path, sample=1000).splits["all"]
    assert split.givens == Counter(81 - puzzle.count(".") for puzzle, _ in rows)
    by_singles = [logic.deduce(puzzle, ["NS", "HS"]).is_solved for puzzle, _ in rows]
    assert split.trivial == {"full": 1, "nearly-full": 2, "singles": sum(by_singles)}
    ratings = [logic.rate(puzzle, scale="se").er for puzzle, _ in rows]
    assert split.difficulty.se == Counter(ratings)
    assert split.difficulty.levels == Counter(logic.rate(puzzle).level.value for puzzle, _ in rows)  # type: ignore[union-attr]
    assert (split.difficulty.num_puzzles, split.difficulty.num_unrated) == (63, 0)
    assert split.ratings is not None
    assert (split.ratings.num_rated, split.ratings.mean, split.ratings.percentiles[50]) == (63, 3, 3)


def test_a_sample_is_uniform_and_depends_on_the_seed_alone() -> None:
    cells = np.zeros((100, 81), np.uint8)
    cells[:, :2] = np.array([divmod(number, 10) for number in range(100)])
    whole, pieces, other = Sample(10, 5), Sample(10, 5), Sample(10, 6)
    whole.add(cells, NINE)
    other.add(cells, NINE)
    for start in range(0, 100, 7):
        pieces.add(cells[start : start + 7], NINE)
    assert whole.puzzles == pieces.puzzles != other.puzzles
    drawn: Counter[Puzzle] = Counter()
    for seed in range(300):
        sample = Sample(10, seed)
        sample.add(cells, NINE)
        drawn.update(sample.puzzles)
    assert len(drawn) == 100
    assert max(drawn.values()) < 60  # 30 on average


def test_ratings_are_summarized() -> None:
    found = summarize_ratings(np.array([1.0, 2, 3, 4, np.nan, np.inf]))
    assert found is not None
    assert (found.num_rated, found.num_missing, found.mean, sum(found.counts)) == (4, 2, 2.5, 4)
    assert (found.percentiles[0], found.percentiles[50], found.percentiles[100]) == (1, 2.5, 4)
    assert summarize_ratings(np.array([np.nan])) is None


@for_each(
    ("values", "mean"),
    [([-1e308, 1e308], 0), ([1.7e308] * 3, 1.7e308), ([1e16, 1e16 + 2], 1e16), ([0, 5e-324], 0), ([3, 3], 3)],
)
def test_extreme_ratings_are_summarized(values: list[float], mean: float) -> None:
    found = summarize_ratings(np.array(values))
    assert found is not None
    assert (found.num_rated, sum(found.counts), len(found.edges)) == (len(values), len(values), len(found.counts) + 1)
    assert (found.percentiles[0], found.percentiles[100]) == (values[0], values[-1])
    assert found.mean == pytest.approx(mean)
    assert np.isfinite(found.edges).all()


@given(st.lists(st.integers(0, 6)), st.lists(st.integers(0, 6)))
def test_repeats_are_those_found_one_by_one(one: list[int], other: list[int]) -> None:
    within = [value > 0 and value in one[:row] for row, value in enumerate(one)]
    across = [value > 0 and value in one for value in other]
    hashes, others = np.array(one, np.uint64), np.array(other, np.uint64)
    assert is_repeated_within(hashes).tolist() == within
    assert is_repeated_across(hashes, others).tolist() == across


def test_only_a_few_examples_are_kept(tmp_path: Path) -> None:
    write_csv(tmp_path / "set.csv", [SOUND[0]] * 50)
    (check,) = (check for check in audit(tmp_path, sample=0).checks if check.kind == "duplicates")
    assert (check.num_rows, len(check.examples)) == (49, 5)


def test_too_many_splits_are_refused(tmp_path: Path) -> None:
    columns = {"puzzle": [row[0] for row in SOUND], "split": list(map(str, range(60)))}
    pq.write_table(pa.table(columns), tmp_path / "set.parquet")
    with pytest.raises(DatasetError, match="more than 20 splits"):
        audit(tmp_path / "set.parquet")


def report_of(result: Audit, path: Path) -> str:
    write_report(result, path)
    return path.read_text(encoding="utf-8")


def test_reports_have_figures_and_escape_names(tmp_path: Path) -> None:
    folder = tmp_path / "<b>&|`x"
    folder.mkdir()
    write_csv(folder / "train.csv", [*SOUND[:9], SOUND[0]], EXTREME, "x,{0},{1},3")
    result = audit(folder, sample=5)
    html = report_of(result, tmp_path / "report.html")
    assert "&lt;b&gt;&amp;|`x" in html
    assert "<b>" not in html
    assert "<script" not in html
    assert html.count("data:image/svg+xml") == 3
    assert "http" not in html.replace("http-equiv", "")
    text = report_of(result, tmp_path / "report.md")
    assert "<b>" not in text
    assert r"&amp;\|\`x" in text
    for key in ("givens", "difficulty", "ratings"):
        assert f"](report-{key}.svg)" in text
        assert (tmp_path / f"report-{key}.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert report_of(result, tmp_path / "report.html") == html


def test_reports_escape_and_flatten_the_names_of_splits(tmp_path: Path) -> None:
    write_csv(tmp_path / "a.csv", [*SOUND[:9], SOUND[0]], EXTREME, "x,{0},{1},1e308")
    name = "<script>\n\n# |x"
    result = audit({name: tmp_path / "a.csv"}, sample=5)
    html = report_of(result, tmp_path / "report.html")
    assert "<script" not in html
    assert html.count("&lt;script&gt; # |x") == 3  # in the verdict and two tables
    text = report_of(result, tmp_path / "report.md")
    assert "<script" not in text
    assert text.count(r"&lt;script&gt; # \|x") == 3
    done = run("dataset", "audit", "--split", f"{name}={tmp_path / 'a.csv'}", "--sample", "0")
    assert "duplicate puzzles, <script> # |x: 1" in done.stdout
    assert "\n#" not in done.stdout


def test_rows_without_a_split_belong_to_that_of_the_file(tmp_path: Path) -> None:
    columns = {"puzzle": [row[0] for row in SOUND[:4]], "split": ["train", None, "", "test"]}
    for name in ("set", "test"):
        pq.write_table(pa.table(columns), tmp_path / f"{name}.parquet")
    found = audit(tmp_path / "set.parquet", sample=0).splits
    assert {name: split.num_rows for name, split in found.items()} == {"train": 1, "test": 1, "all": 2}
    assert list(audit(tmp_path / "test.parquet", sample=0).splits) == ["test"]


def test_an_npz_file_with_boxes_of_three_rows_and_two_columns_is_clean(tmp_path: Path) -> None:
    made = generate_array(5, box=(3, 2), seed=1)
    np.savez(tmp_path / "set.npz", puzzles=made.puzzles, solutions=made.solutions, box=np.array([3, 2], np.uint8))
    result = audit(tmp_path / "set.npz", sample=0)
    assert [file.box for file in result.files] == ["3x2"]
    assert result.is_clean


def test_the_command_prints_tables_and_json(tmp_path: Path) -> None:
    splits, expected = planted()
    write_splits(tmp_path, "csv", splits)
    done = run("dataset", "audit", tmp_path, "--sample", "5", "-o", tmp_path / "report.html")
    assert done.returncode == 1
    assert "\nunreadable rows\t1\t0\t0\n" in done.stdout
    assert "\nleaked twins (equivalent puzzles)\t0\t1\t0\n" in done.stdout
    assert (tmp_path / "report.html").is_file()
    done = run("dataset", "audit", "--split", f"train={tmp_path}/train.csv", "--json", "--sample", "0")
    found: dict[str, Any] = json.loads(done.stdout)
    counts = {(check["kind"], tuple(check["splits"])): check["num_rows"] for check in found["checks"]}
    assert counts == {
        (kind, ("train",)): len(expected.get((kind, ("train",)), []))
        for kind in KINDS
        if not kind.startswith("shared-")
    }
    assert (found["is_clean"], found["num_rows"]) == (False, 39)


def test_the_command_accepts_a_clean_set(tmp_path: Path) -> None:
    write_csv(tmp_path / "train.csv", SOUND[:30])
    write_csv(tmp_path / "test.csv", SOUND[30:])
    done = run("dataset", "audit", tmp_path / "train.csv", tmp_path / "test.csv", "--sample", "5")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("No defect in 60 rows of 2 files.\n")


def test_bad_input_leaves_no_report(tmp_path: Path) -> None:
    path = tmp_path / "train.parquet"
    write_parquet(path, SOUND)
    path.write_bytes(path.read_bytes()[:-9])
    before = sorted(tmp_path.iterdir())
    for arguments, problem in (
        ([path, "-o", tmp_path / "r.html"], "train.parquet: corrupt or truncated Parquet file"),
        ([path, "-o", tmp_path / "r.pdf"], "unknown output extension"),
        ([path, "-o", tmp_path / "absent" / "r.md"], "no such folder"),
        ([path, "--split", f"test={path}"], "give all files with --split, or none"),
        (["--split", "train"], "--split train: write NAME=FILE"),
        ([], "no file to audit"),
    ):
        done = run("dataset", "audit", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert problem in done.stderr
        assert sorted(tmp_path.iterdir()) == before


def write_many(path: Path, number: int) -> None:
    """Write as many rows: puzzles with further givens and other digits, so that few are equivalent."""
    rng = np.random.default_rng(1)
    made = generate_array(20_000, seed=1)
    with pq.ParquetWriter(path, pa.schema([("puzzle", pa.string()), ("solution", pa.string())])) as writer:
        for _ in range(number // 50_000):
            chosen = rng.integers(len(made.puzzles), size=50_000)
            solutions = made.solutions[chosen]
            puzzles = np.where(rng.random(solutions.shape) < 0.15, solutions, made.puzzles[chosen])
            writer.write_table(pa.table({"puzzle": as_strings(puzzles), "solution": as_strings(solutions)}))


@pytest.mark.thorough
def test_a_million_rows_are_audited_in_bounded_memory_and_interrupted_at_once(tmp_path: Path) -> None:
    write_many(tmp_path / "train.parquet", 1_000_000)
    script = (
        "import resource, sys; from sudokulab.cli import main; sys.argv[1:] = %r\ntry: main()\nexcept SystemExit: %s"
    )
    arguments = ["dataset", "audit", str(tmp_path), "--json", "--sample", "100", "-o", str(tmp_path / "r.html")]
    used = "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    started = os.times()
    done = subprocess.run(
        [sys.executable, "-c", script % (arguments, used)], capture_output=True, text=True, check=True
    )
    seconds = os.times().children_user - started.children_user
    assert json.loads(done.stdout)["num_rows"] == 1_000_000
    assert int(done.stderr.split()[-1]) < 1 << 20  # KiB
    assert seconds < 120
    (tmp_path / "r.html").unlink()
    _, interrupted = command_stopping_seconds(*arguments, after=1)
    assert interrupted.stderr.strip().endswith("interrupted")
    assert interrupted.returncode == 130
    assert [path.name for path in tmp_path.iterdir()] == ["train.parquet"]

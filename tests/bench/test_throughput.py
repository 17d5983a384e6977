"""Throughput on 9×9 puzzles: contenders, samples, and the rejection of wrong answers."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from sudokulab import Puzzle, PuzzleError, SudokulabError, _core, is_solution
from sudokulab.bench.contenders import (
    BulkEngine,
    Command,
    Contender,
    Library,
    Sample,
    contender_named,
    default_contenders,
    default_solvers,
)
from sudokulab.bench.throughput import Rates, Workload, make_sample, measure, reference_among
from sudokulab.instances import find
from sudokulab.puzzle import BoxShape, Digits
from sudokulab.questions.arrays import INSTRUCTIONS
from sudokulab.solvers import all_solvers
from tests.bench.libraries import compile_library
from tests.cases import for_each
from tests.puzzles import EASY, INKALA, TINY

MANY = Puzzle.from_array(np.zeros((9, 9), dtype=int))  # many solutions


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_library(tmp_path_factory.mktemp("library"))


@pytest.fixture(scope="module")
def sample() -> Sample:
    easy = find("easy")
    assert easy is not None
    return make_sample(easy, 12, seed=1)


def one(contender: Contender, sample: Sample, workload: Workload = Workload.SOLVE) -> Rates:
    (rates,) = measure([contender], sample, (workload,), rounds=1, progress=False)
    return rates


def test_a_sample_is_shuffled_and_reproducible() -> None:
    puzzles = [EASY, INKALA]
    first, again, other = (make_sample(puzzles, 5, seed) for seed in (3, 3, 4))
    assert first.lines == again.lines != other.lines
    assert len(set(first.lines)) == 5
    assert {puzzle.num_givens for puzzle in puzzles} == {int((row > 0).sum()) for row in first.array}
    assert EASY.line not in first.lines


def test_all_forms_of_a_sample_contain_the_same_puzzles() -> None:
    sample = Sample(np.frombuffer(EASY.cells + INKALA.cells, np.uint8).reshape(2, 81))
    assert sample.lines == [EASY.line, INKALA.line]
    assert sample.text.tobytes() == f"{EASY.line}\0{INKALA.line}\0".encode()


@pytest.mark.parametrize(
    ("puzzle", "words"), [(TINY, "2x2"), (Puzzle.from_array([[1, 1] + [0] * 7] + [[0] * 9] * 8), "no solution")]
)
def test_unsuitable_puzzles_are_rejected(puzzle: Puzzle, words: str) -> None:
    with pytest.raises(PuzzleError, match=words):
        make_sample([puzzle], 2, seed=0)


@pytest.mark.thorough
@for_each("name", default_contenders())
def test_every_contender_solves_and_counts_correctly(name: str, sample: Sample) -> None:
    contender = contender_named(name)
    contender.prepare()
    few = sample.first(3)
    contender.load(few)
    grids = contender.grids(contender.solve(few))
    for grid, puzzle in zip(grids, few.array, strict=True):
        assert is_solution(grid.reshape(9, 9), Puzzle(puzzle.tobytes(), BoxShape(3, 3)))
    if contender.can_count:
        assert list(contender.count(few)) == [1, 1, 1]


@pytest.mark.thorough
def test_contenders_take_turns_and_slow_ones_get_fewer_puzzles(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    turns: list[str] = []

    class Noted(BulkEngine):
        def solve(self, sample: Sample) -> Digits:
            turns.append(self.name)
            return super().solve(sample)

    class Slow(Noted):
        def solve(self, sample: Sample) -> Digits:
            for _ in range(len(sample)):
                sum(range(2_000_000))
            return super().solve(sample)

    quick, slow = Noted(INSTRUCTIONS[0]), Slow(INSTRUCTIONS[0])
    quick.name, slow.name = "quick", "slow"
    first, second = measure([quick, slow], make_sample([EASY], 200, 0), (Workload.SOLVE,), rounds=2, progress=False)
    assert turns[-4:] == ["quick", "slow", "slow", "quick"]
    assert first.num_puzzles == 200
    assert second.num_puzzles < 100
    assert len(first.rates) == len(second.rates) == 2
    assert first.median > second.median
    ratio = first.ratio_to(second)
    assert ratio is not None
    assert ratio > 1


@pytest.mark.native
def test_a_library_can_compete(library: Path, sample: Sample) -> None:
    contender = Library.parse(f"theirs={library}:plain")
    assert contender.is_rival
    for workload in (Workload.SOLVE, Workload.COUNT):
        rates = one(contender, sample, workload)
        assert not rates.complaint
        assert rates.contender == "theirs"
        assert len(rates.rates) == 1
    assert one(Library.parse(f"theirs={library}"), sample).rates
    blank = Sample(np.frombuffer(MANY.cells, np.uint8).reshape(1, 81))
    assert contender.count(blank).tolist() == [2]


@pytest.mark.native
@pytest.mark.parametrize("function", ["liar", "mute"])
def test_a_library_with_wrong_answers_gets_no_rate(library: Path, sample: Sample, function: str) -> None:
    rates = one(Library("theirs", str(library), function), sample)
    assert rates.complaint.startswith("wrong: ")
    assert sample.lines[0] in rates.complaint
    assert not rates.rates


def test_counts_are_verified_too(library: Path) -> None:
    several = Puzzle(bytes(0 if digit < 3 else digit for digit in EASY.cells), EASY.box)  # 1 and 2 can be swapped
    rates = one(Library("theirs", str(library), "liar"), make_sample([several], 8, 0), workload=Workload.COUNT)
    assert rates.complaint.startswith("wrong: 8 of 8 answers")
    assert one(Library("theirs", str(library), "plain"), make_sample([several], 8, 0), workload=Workload.COUNT).rates


def test_a_wheel_says_how_to_load_libraries(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(_core, "SolverLibrary")
    with pytest.raises(SudokulabError, match="pip install -e"):
        Library.parse(f"theirs={library}")


@for_each(
    ("text", "words"),
    [
        ("theirs", "write NAME=PATH"),
        ("=lib.so", "write NAME=PATH"),
        ("theirs=nowhere.so", "nowhere.so: cannot open"),
        ("theirs={library}:nothing", "undefined symbol: nothing"),
    ],
)
def test_an_unusable_library_is_reported(library: Path, text: str, words: str) -> None:
    with pytest.raises(SudokulabError, match=words):
        Library.parse(text.format(library=library))


def program(folder: Path, body: str) -> str:
    script = folder / "program.py"
    script.write_text(f"import sys\nlines = open(sys.argv[1]).read().split()\n{body}\n")
    return f"theirs={sys.executable} {script} {{file}}"


def test_a_program_that_reads_a_file_can_compete(sample: Sample, tmp_path: Path) -> None:
    script = tmp_path / "solve.py"
    script.write_text(
        "import sys, sudokulab\nfor p in open(sys.argv[1]):\n    print(p.strip(), sudokulab.solve(p).solution.line)"
    )
    rates = one(Command(f"theirs={sys.executable} {script} {{file}}"), sample)
    assert not rates.complaint
    assert rates.num_puzzles <= len(sample)
    assert rates.is_rival


@for_each(
    ("body", "words"),
    [
        ("print(*['123456789' * 9] * len(lines), sep='\\n')", "wrong: 8 of 8 answers"),
        ("print('123456789' * 9)", "failed: 1 answers for 8 puzzles"),
        ("print('no idea')", "failed: 0 answers for 8 puzzles"),
        ("sys.exit('out of luck')", "failed: exit code 1: out of luck"),
    ],
)
def test_a_wrong_or_failing_program_gets_no_rate(sample: Sample, tmp_path: Path, body: str, words: str) -> None:
    rates = one(Command(program(tmp_path, body)), sample)
    assert rates.complaint.startswith(words)
    assert not rates.rates


def test_a_missing_program_fails(sample: Sample) -> None:
    assert "nowhere cannot be run: No such file" in one(Command("theirs=./nowhere {file}"), sample).complaint


def test_only_the_file_placeholder_is_accepted() -> None:
    with pytest.raises(SudokulabError, match=r"\{puzzle\} is not available for 9×9 puzzles"):
        Command("theirs=./p {puzzle}")


def test_a_failing_contender_does_not_affect_the_others(sample: Sample) -> None:
    class Broken(BulkEngine):
        def solve(self, sample: Sample) -> Digits:
            raise RuntimeError("out of ideas")

    broken, sound = measure(
        [Broken("portable"), BulkEngine("portable")], sample, (Workload.SOLVE,), rounds=2, progress=False
    )
    assert broken.complaint == "failed: RuntimeError: out of ideas"
    assert not broken.rates
    assert len(sound.rates) == 2
    assert sound.ratio_to(broken) is None


def test_the_baseline_is_the_fastest_rival_unless_one_is_named() -> None:
    ours, slow, fast = (
        Rates(name, is_rival, Workload.SOLVE, rates=[rate])
        for name, is_rival, rate in [("ours", False, 9.0), ("slow", True, 1.0), ("fast", True, 2.0)]
    )
    assert reference_among([ours, slow, fast]) is fast
    assert reference_among([ours, slow, fast], "slow") is slow
    assert reference_among([ours]) is ours
    assert ours.ratio_to(fast) == 4.5


def test_unknown_contenders_are_rejected() -> None:
    with pytest.raises(SudokulabError, match=r"unknown solver 'ants'.*backtracking.*bulk-portable"):
        contender_named("ants")


def test_the_default_contenders_are_available() -> None:
    assert {f"bulk-{name}" for name in INSTRUCTIONS} < set(default_contenders())
    assert set(default_solvers()) <= set(all_solvers()) & set(default_contenders())

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from sudokulab import SudokulabError
from sudokulab.instances import find
from sudokulab.lab.tuning import Choice, Range, Tuned, search_space, tune
from sudokulab.solvers import AntColony, Dlx, HillClimbing
from sudokulab.solvers.registry import make_solver
from tests.puzzles import EASY

pytestmark = pytest.mark.slow


class Mine(AntColony):
    """A solver that is named by its module."""


def test_the_search_space_covers_the_parameters() -> None:
    space = search_space(AntColony)
    assert space["ants"] == Range(1, 100, True)
    assert isinstance(space["q0"], Range)
    assert space["q0"].high <= 1
    assert space["propagation"] == Choice(("peers", "singles", "ac3"))
    assert search_space(HillClimbing)["greedy"] == Choice((False, True))


def test_ranges_can_be_given() -> None:
    space = search_space(AntColony, {"ants": "5..20", "propagation": "ac3"})
    assert space["ants"] == Range(5, 20, True)
    assert space["propagation"] == Choice(("ac3",))
    with pytest.raises(SudokulabError, match="unknown parameter of ant-colony 'aunts'; did you mean 'ants'"):
        search_space(AntColony, {"aunts": "1..2"})
    with pytest.raises(SudokulabError, match=r"ants: invalid range 'few\.\.many'"):
        search_space(AntColony, {"ants": "few..many"})
    with pytest.raises(SudokulabError, match="no parameters to tune"):
        search_space(Dlx)


@pytest.mark.thorough
def test_tuning_resumes_and_is_never_worse_than_the_defaults(tmp_path: Path) -> None:
    famous = find("famous")
    assert famous
    puzzles = list(famous)[:2]
    seen: list[int] = []

    def tell(number: int, *_: object) -> None:
        seen.append(number)

    def tuned_to(trials: int) -> Tuned:
        store = tmp_path / "t.sqlite"
        return tune("ant-colony", puzzles, trials=trials, cpu_seconds=0.2, store=store, seed=1, observer=tell)

    assert tuned_to(2).num_trials == 2
    tuned = tuned_to(4)
    assert seen == [0, 1, 2, 3]
    assert tuned.num_trials == 4
    assert tuned.seconds <= tuned.default_seconds
    params = tomllib.loads(tuned.to_toml())
    assert make_solver("ant-colony", **params).name == "ant-colony"


def test_classes_instances_and_importable_names_are_tuned() -> None:
    options: dict[str, Any] = {"trials": 1, "cpu_seconds": 1, "ranges": {"ants": "5..6"}}
    assert tune("tests.lab.test_tuning:Mine", [EASY], **options).solver == "tests.lab.test_tuning:Mine"
    assert tune(Mine, [EASY.line], **options).solver == "tests.lab.test_tuning:Mine"
    tuned = tune(AntColony(ants=6), [EASY], **options)
    assert (tuned.solver, tuned.params["ants"]) == ("ant-colony", 6)  # the first trial
    assert tuned.seconds == tuned.default_seconds


def test_what_cannot_be_tuned_is_refused() -> None:
    with pytest.raises(SudokulabError, match="unknown solver 'ants'"):
        tune("ants", [EASY])
    with pytest.raises(SudokulabError, match="no puzzles to tune on"):
        tune("ant-colony", [])
    with pytest.raises(SudokulabError, match="pass a list of puzzles"):
        tune("ant-colony", EASY)

"""A test that loops over cases runs all of them and names the one that fails."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cases import for_each


def test_every_case_runs_in_order() -> None:
    seen = []

    @for_each(("left", "right"), [(1, "a"), (2, "b")])
    @for_each("last", [True, False])
    def check(left: int, right: str, last: bool) -> None:
        seen.append((left, right, last))

    check()
    assert seen == [(1, "a", True), (1, "a", False), (2, "b", True), (2, "b", False)]


def test_a_failure_names_its_case() -> None:
    @for_each("size", [4, 9, 16])
    @for_each("kind", ["odd", "even"], ids=str.upper)
    def check(size: int, kind: str) -> None:
        assert (size, kind) != (9, "even")

    with pytest.raises(AssertionError) as caught:
        check()
    assert caught.value.__notes__ == ["case 1, kind: EVEN", "case 1, size: 9"]


def test_no_case_can_be_skipped() -> None:
    @for_each("size", [4])
    def check(size: int) -> None:
        pytest.skip(f"not at size {size}")

    with pytest.raises(AssertionError, match="a case cannot be skipped"):
        check()


@for_each("word", ["first", "second"])
def test_every_case_has_fixtures_of_its_own(
    word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert list(tmp_path.iterdir()) == []
    assert capsys.readouterr().out == ""
    assert "SUDOKULAB_TEST_WORD" not in os.environ
    (tmp_path / word).touch()
    monkeypatch.setenv("SUDOKULAB_TEST_WORD", word)
    print(word)

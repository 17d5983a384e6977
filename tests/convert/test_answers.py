"""Answers of wrong types are errors that say so."""

from __future__ import annotations

from typing import Any

import pytest

from sudokulab import SudokulabError, convert
from tests.cases import for_each
from tests.puzzles import TINY

UNTYPED: Any = convert


@for_each("name", ["decode_minizinc", "decode_xcsp"])
@for_each("answer", [1, None, [1, 2]])
def test_an_answer_that_is_no_text(name: str, answer: object) -> None:
    with pytest.raises(SudokulabError, match="pass the solver's output as text"):
        getattr(UNTYPED, name)(TINY, answer)


@for_each("name", ["decode_cnf", "decode_colouring", "decode_exact_cover"])
@for_each("answer", [["x"], [float("nan")], [float("inf")], [None], [[1]]])
def test_an_answer_with_other_items_than_integers(name: str, answer: object) -> None:
    with pytest.raises(SudokulabError, match="is not an integer"):
        getattr(UNTYPED, name)(TINY, answer)

"""Budgets are checked when they are made."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sudokulab import Budget
from sudokulab.errors import ParameterError
from sudokulab.search.budget import MAX_COUNT
from tests.cases import for_each


@for_each(
    ("limit", "value"),
    [("seconds", 0), ("seconds", 0.5), ("seconds", float("inf")), ("nodes", MAX_COUNT), ("iterations", np.int64(3))],
)
def test_numbers_from_zero_are_limits(limit: str, value: Any) -> None:
    assert getattr(Budget(**{limit: value}), limit) == value


def test_text_values_are_converted() -> None:
    assert Budget(seconds="2.5", nodes="7") == Budget(seconds=2.5, nodes=7)  # type: ignore[arg-type]


@for_each(
    ("limit", "value", "complaint"),
    [
        ("seconds", -1, "seconds: -1; choose a number of at least 0 or none"),
        ("seconds", float("nan"), "seconds: nan; choose a number of at least 0 or none"),
        ("seconds", "soon", "seconds: 'soon'; choose a number of at least 0 or none"),
        ("nodes", 2.5, "nodes: 2.5; choose an integer of at least 0 or none"),
        ("nodes", [1], r"nodes: \[1\]; choose an integer of at least 0 or none"),
        ("iterations", MAX_COUNT + 1, "iterations: .*; choose an integer of at least 0 or none"),
        ("is_cpu_time", "maybe", "is_cpu_time: 'maybe'; choose true or false"),
        ("second", 5, r"unknown parameter of Budget 'second'; did you mean 'seconds'\?"),
    ],
)
def test_other_values_and_names_are_rejected(limit: str, value: Any, complaint: str) -> None:
    with pytest.raises(ParameterError, match=complaint):
        Budget(**{limit: value})


def test_limits_are_passed_by_name() -> None:
    with pytest.raises(ParameterError, match=r"Budget takes parameters by name: Budget\(seconds=…\)"):
        Budget(5)  # type: ignore[call-arg]


@for_each("value", [1, "true", "True", np.True_])
def test_cpu_time_can_be_selected_with_any_true_value(value: Any) -> None:
    assert Budget(seconds=1, is_cpu_time=value).is_cpu_time is True


@for_each("value", [2, "yes", None, np.zeros(2)])
def test_other_values_of_cpu_time_are_rejected(value: Any) -> None:
    with pytest.raises(ParameterError, match="is_cpu_time"):
        Budget(seconds=1, is_cpu_time=value)

"""The benchmark of the start of the command line."""

from __future__ import annotations

import pytest

from sudokulab.bench import start
from sudokulab.bench.throughput import Workload
from tests.cases import for_each


def test_each_command_is_measured() -> None:
    measured = start.measure(rounds=1, progress=False)
    assert measured[0].contender == "sudokulab solve PUZZLE"
    for rates in measured:
        assert rates.workload is Workload.START
        assert not rates.complaint
        assert 0 < rates.median < 1000


@for_each(
    ("command", "complaint"),
    [
        (["-c", "print('123')"], "wrong: printed '123'"),
        (["-c", "pass"], "wrong: printed ''"),
        (["-c", "raise SystemExit('no')"], "failed: no"),
    ],
)
def test_wrong_output_and_failures_get_no_rate(
    monkeypatch: pytest.MonkeyPatch, command: list[str], complaint: str
) -> None:
    _, expected = start.COMMANDS["sudokulab solve PUZZLE"]
    monkeypatch.setattr(start, "COMMANDS", {"broken": (command, expected)})
    (rates,) = start.measure(rounds=1, progress=False)
    assert rates.complaint == complaint
    assert not rates.rates

"""Tests that loop over cases: one statement about the product, one test, and a report that names the failing case."""

from __future__ import annotations

import functools
import inspect
import reprlib
from collections.abc import Callable, Iterable
from typing import Any

import pytest

__all__ = ["for_each"]

Test = Callable[..., None]


def for_each(
    names: str | tuple[str, ...], cases: Iterable[Any], ids: Iterable[str] | Callable[[Any], object] = reprlib.repr
) -> Callable[[Test], Test]:
    """Call a test with each case, as ``pytest.mark.parametrize`` does, but as a single test.

    A failure carries a note that names the case. Every case has a `tmp_path` and a `monkeypatch` of its own, and sees
    in `capsys` only what it has printed itself. Keep ``parametrize`` where cases deserve separate reports.
    """
    fields = (names,) if isinstance(names, str) else names
    table = [case if isinstance(names, tuple) else (case,) for case in cases]
    assert table, "no cases"
    labels = [", ".join(str(ids(value)) for value in case) for case in table] if callable(ids) else list(ids)

    def decorate(test: Test) -> Test:
        signature = inspect.signature(test)
        assert signature.parameters.keys() >= set(fields), f"{test.__name__} does not take {fields}"

        @functools.wraps(test)
        def run_all(**fixtures: Any) -> None:
            __tracebackhide__ = True
            for number, values in enumerate(table):
                try:
                    _run(test, fixtures, dict(zip(fields, values, strict=True)), number)
                except BaseException as error:
                    error.add_note(f"case {number}, {', '.join(fields)}: {labels[number]}")
                    if isinstance(error, pytest.skip.Exception):
                        raise AssertionError("a case cannot be skipped") from error
                    raise

        kept = [parameter for name, parameter in signature.parameters.items() if name not in fields]
        run_all.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        return run_all

    return decorate


def _run(test: Test, fixtures: dict[str, Any], case: dict[str, Any], number: int) -> None:
    """Run one case with fixtures that earlier cases have not used."""
    __tracebackhide__ = True
    own = dict(fixtures)
    if "tmp_path" in own:
        own["tmp_path"] = own["tmp_path"] / f"case{number}"
        own["tmp_path"].mkdir()
    if "capsys" in own:
        own["capsys"].readouterr()
    if "monkeypatch" not in own:
        return test(**own, **case)
    with own["monkeypatch"].context() as own["monkeypatch"]:
        return test(**own, **case)

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from sudokulab.errors import SudokulabError
from sudokulab.gpu.devices import require_device
from tests.gpu import stand_in

_MODULES = [
    f"sudokulab.gpu.{name}"
    for name in ("arrays", "canonical", "generating", "kernels", "solving", "transfers", "verifying")
]


def _forget_modules() -> None:
    for name in _MODULES:
        if sys.modules.pop(name, None) is not None:
            delattr(sys.modules["sudokulab.gpu"], name.rpartition(".")[2])


@pytest.fixture(params=["stand-in", pytest.param("gpu", marks=pytest.mark.gpu)])
def cupy(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return CuPy on a machine with a GPU, and the stand-in on any machine."""
    if request.param == "gpu":
        yield request.getfixturevalue("real_cupy")
        return
    module = stand_in.make_cupy()
    monkeypatch.setitem(sys.modules, "cupy", module)
    monkeypatch.setitem(sys.modules, "cupyx", stand_in.make_cupyx())
    monkeypatch.setattr("sudokulab._internal.extras.find_spec", lambda name: object())
    _forget_modules()
    yield module
    _forget_modules()


@pytest.fixture
def real_cupy() -> Any:
    """Return CuPy; skip the test without a GPU."""
    try:
        require_device(0)
    except SudokulabError as error:
        if os.environ.get("SUDOKULAB_REQUIRE_GPU"):
            raise
        pytest.skip(f"NO GPU: {error}")
    return importlib.import_module("cupy")

"""The description of the machine, and pinning to one core."""

from __future__ import annotations

import os

import pytest

from sudokulab._internal.machine import first_core, machine, one_core


def test_the_machine_is_described() -> None:
    here = machine()
    assert here.num_cores == os.cpu_count()
    assert here.processor
    assert here.python.startswith("3.")


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system cannot pin processes")
def test_pinning_to_one_core_is_temporary() -> None:
    allowed = os.sched_getaffinity(0)
    with one_core():
        assert os.sched_getaffinity(0) == {first_core()} == {min(allowed)}
    assert os.sched_getaffinity(0) == allowed

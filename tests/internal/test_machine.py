"""What is known of the machine."""

from __future__ import annotations

import os

import pytest

from sudokulab._internal.machine import first_core, machine, one_core


def test_the_machine_is_described() -> None:
    here = machine()
    assert here.num_cores == os.cpu_count()
    assert here.processor
    assert here.python.startswith("3.")


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system pins nothing")
def test_one_core_is_kept_for_a_while() -> None:
    allowed = os.sched_getaffinity(0)
    with one_core():
        assert os.sched_getaffinity(0) == {first_core()} == {min(allowed)}
    assert os.sched_getaffinity(0) == allowed

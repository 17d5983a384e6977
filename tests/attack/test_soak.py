"""A short soak: neither memory nor descriptors grow; `make attack ARGS='--scale 60 soak'` takes an hour."""

from __future__ import annotations

import random
import sys

import pytest
from tools.soak import soak

pytestmark = [pytest.mark.thorough, pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")]


def test_nothing_grows() -> None:
    cases = list(soak(0.2, random.Random(1)))
    assert len(cases) == 4
    assert [case for case, has_passed in cases if not has_passed] == []

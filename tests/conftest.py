from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A background job starts with Ctrl-C ignored, and its children would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "sudokulab", deadline=None, derandomize=True, max_examples=40, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("sudokulab")


@pytest.fixture(scope="session")
def public_data() -> Path:
    """Return the folder of public puzzle collections, which are not part of the repository."""
    folder = os.environ.get("SUDOKULAB_DATA", "")
    if not Path(folder, "general").is_dir():
        pytest.skip("no public puzzle collections; set SUDOKULAB_DATA to their folder")
    return Path(folder)


@pytest.fixture
def waits_for_abandoned_searches() -> Iterator[None]:
    """Wait for the threads of a test: CP-SAT finishes its presolve after a run, and later tests measure CPU time."""
    before = set(threading.enumerate())
    yield
    for thread in set(threading.enumerate()) - before:
        if thread.is_alive():  # Ctrl-C may have come before its start
            thread.join()

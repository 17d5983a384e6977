"""Requests generated from the API's own schema: no server error, and every answer is as described.

`SUDOKULAB_FUZZ=500 pytest tests/web/test_fuzz.py` sends 500 random requests to each address, and all corner cases.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from sudokulab.web.app import create_app
from tests.puzzles import EASY, INKALA, SMALL, TINY
from tests.timing import PATIENCE_SECONDS
from tests.web.servers import client_of

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
PUZZLES = [EASY.line, INKALA.line, SMALL.line, TINY.line, "11..............", "." * 81]
SECONDS = 0.05
NUM_EXAMPLES = int(os.environ.get("SUDOKULAB_FUZZ", "0"))
"""Number of random requests per address in a long test; 0 for a short one."""


def tamed(body: Any) -> Any:
    """Replace half of the puzzles by real ones, and let nothing take long."""
    if not isinstance(body, dict):
        return body
    changed = dict(body)
    for name in ("puzzle", "text", "board"):
        if isinstance(body.get(name), str) and len(body[name]) % 2 == 0:
            changed[name] = PUZZLES[len(body[name]) // 2 % len(PUZZLES)]
    if isinstance(body.get("puzzles"), list):
        changed["puzzles"] = [TINY.line if isinstance(puzzle, str) else puzzle for puzzle in body["puzzles"][:2]]
    if isinstance(body.get("seconds"), int | float):
        changed["seconds"] = min(body["seconds"], SECONDS)
    elif body.get("seconds") is None and not {"text", "to"} & set(body):
        changed["seconds"] = SECONDS
    return changed


schema = schemathesis.openapi.from_dict(create_app().openapi())
schema.config.phases.coverage.enabled = NUM_EXAMPLES > 0


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with client_of() as client:
        yield str(client.base_url)


@pytest.mark.filterwarnings("ignore:Glyph")  # any title can be printed, even without a font for it
@schema.parametrize()
@settings(
    max_examples=NUM_EXAMPLES or 8,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
def test_generated_requests_are_answered_as_the_schema_says(case: Any, address: str) -> None:
    case.body = tamed(case.body)
    case.call_and_validate(checks=CHECKS, base_url=address, timeout=PATIENCE_SECONDS)

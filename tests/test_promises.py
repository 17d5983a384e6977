"""Every promise in docs/reference/promises.md names an existing test."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_every_promise_names_an_existing_test() -> None:
    page = (ROOT / "docs" / "reference" / "promises.md").read_text(encoding="utf-8")
    promises = [row for row in page.splitlines() if row.startswith("| ") and not row.startswith(("| promise", "| ---"))]
    assert len(promises) > 10
    for promise in promises:
        verified_by = re.findall(r"`([^`]+)`", promise.rsplit("|", 2)[1])
        assert verified_by, promise
        for name in verified_by:
            if name.startswith("tests/"):
                path, _, test = name.partition("::")
                assert (ROOT / path).exists(), name
                assert not test or f"def {test}(" in (ROOT / path).read_text(encoding="utf-8"), name
            else:
                target = name.removeprefix("make ")
                is_target = f"\n{target}:" in (ROOT / "Makefile").read_text(encoding="utf-8")
                assert is_target or name.startswith("python -m tools."), name

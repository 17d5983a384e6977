"""A server that stops tells clients so, whatever state their jobs are in."""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import replace
from http import HTTPStatus
from typing import Any

import pytest
from fastapi import Request

from sudokulab import CancelledError
from sudokulab.web.jobs import Job, Jobs, Lane
from sudokulab.web.problems import ProblemError
from sudokulab.web.settings import Limits
from tests.timing import PATIENCE_SECONDS

ONE_THREAD = replace(Limits(), slow_threads=1)


async def wait_forever() -> Any:
    await asyncio.Event().wait()


def request() -> Request:
    return Request({"type": "http"}, wait_forever)


def search(job: Job) -> None:
    """Wait until the job is cancelled, then end as searches of the core do."""
    while not job.is_cancelled:
        time.sleep(0.001)
    raise CancelledError


def status_of(outcome: object) -> object:
    return outcome.status if isinstance(outcome, ProblemError) else outcome


@pytest.mark.parametrize("num_jobs", [1, 2], ids=["started", "started and waiting"])
def test_cancelled_jobs_are_answered_with_service_unavailable(num_jobs: int) -> None:
    has_begun, has_ended = threading.Event(), threading.Event()

    def watched(job: Job) -> None:
        has_begun.set()
        try:
            search(job)
        finally:
            has_ended.set()

    async def outcomes() -> list[object]:
        jobs = Jobs(ONE_THREAD)
        answers = [asyncio.create_task(jobs.run(request(), watched)) for _ in range(num_jobs)]
        while not has_begun.is_set():
            await asyncio.sleep(0.001)
        jobs.close()
        assert has_ended.wait(PATIENCE_SECONDS)  # before the event loop looks
        return [status_of(outcome) for outcome in await asyncio.gather(*answers, return_exceptions=True)]

    assert asyncio.run(outcomes()) == [HTTPStatus.SERVICE_UNAVAILABLE] * num_jobs


def test_a_stopping_server_accepts_no_jobs() -> None:
    async def outcome() -> None:
        jobs = Jobs(ONE_THREAD)
        jobs.close()
        await jobs.run(request(), lambda job: None, Lane.QUICK)

    with pytest.raises(ProblemError, match="stopping"):
        asyncio.run(outcome())

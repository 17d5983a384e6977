"""Errors as problem details (RFC 9457): JSON with a title, a status and a message for people.

Messages name neither files nor code of the server. Errors of the package, which are written for users, are passed on;
of unexpected errors, clients see only that they happened, and the server's log has the rest.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import HTTPException, RequestValidationError
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sudokulab._internal.extras import extra_of
from sudokulab.errors import BudgetError, FormatError, MissingExtraError, SudokulabError, WrongAnswerError
from sudokulab.parameters import describe_errors

if TYPE_CHECKING:
    from sudokulab.parameters import Problem

__all__ = ["LOG", "RESPONSES", "ProblemError", "install", "message_of", "problem_of", "problem_response"]

LOG = logging.getLogger("sudokulab.web")

_MAX_DETAIL = 800
_MEDIA_TYPE = "application/problem+json"
_DETAILS = {
    HTTPStatus.BAD_REQUEST: "The request body could not be read; send JSON.",
    HTTPStatus.NOT_FOUND: "No such address; /api/openapi.json lists the addresses of the API.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This address does not support this method.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "The server failed to answer this request; its log says why.",
}


class ProblemBody(BaseModel):
    """An error."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"title": "Problem"})

    type: str = Field(description="A URI of the kind of problem; always about:blank, so that the title names it.")
    title: str = Field(description="The kind of problem.", examples=["Unprocessable Content"])
    status: int = Field(description="The HTTP status.", examples=[422])
    detail: str = Field(
        description="What is wrong and what to do.",
        examples=["seconds: -1; choose a number from 0 to 60"],
    )


RESPONSES: dict[int | str, dict[str, object]] = {
    kind: {"description": words, "content": {_MEDIA_TYPE: {"schema": ProblemBody.model_json_schema()}}}
    for kind, words in {
        "4XX": "The request cannot be answered; the detail says why.",
        "5XX": "The server failed.",
    }.items()
}
"""The error responses of every address, for OpenAPI."""


class ProblemError(Exception):
    """An error response."""

    def __init__(self, status: HTTPStatus, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(status, detail, headers)  # unpickling passes the arguments again
        self.status = status
        self.detail = detail if len(detail) <= _MAX_DETAIL else f"{detail[: _MAX_DETAIL - 1]}…"
        self.headers = dict(headers or {})

    def __str__(self) -> str:
        return self.detail

    def to_dict(self) -> dict[str, object]:
        """Return the body of the response."""
        return {"type": "about:blank", "title": _title(self.status), "status": int(self.status), "detail": self.detail}


def problem_of(error: Exception) -> ProblemError:
    """Return what to tell a client about an error. Unexpected errors are logged."""
    if isinstance(error, ProblemError):
        return error
    if isinstance(error, RequestValidationError | ValidationError):
        return ProblemError(HTTPStatus.UNPROCESSABLE_ENTITY, ". ".join(_describe(error)))
    if isinstance(error, ModuleNotFoundError) and not isinstance(error, SudokulabError) and extra_of(error.name or ""):
        error = MissingExtraError(f"this needs {error.name}: pip install 'sudokulab[{extra_of(error.name or '')}]'")
    if isinstance(error, MissingExtraError):
        return ProblemError(HTTPStatus.NOT_IMPLEMENTED, str(error))
    if isinstance(error, BudgetError):
        return ProblemError(HTTPStatus.UNPROCESSABLE_ENTITY, f"{error}; allow more seconds or choose an easier puzzle")
    if isinstance(error, SudokulabError) and not isinstance(error, WrongAnswerError):
        return ProblemError(HTTPStatus.UNPROCESSABLE_ENTITY, message_of(error))
    if isinstance(error, HTTPException):
        status = HTTPStatus(error.status_code)
        return ProblemError(status, _DETAILS.get(status, status.description), error.headers)
    LOG.error("unexpected error", exc_info=error)
    return ProblemError(HTTPStatus.INTERNAL_SERVER_ERROR, _DETAILS[HTTPStatus.INTERNAL_SERVER_ERROR])


def message_of(error: SudokulabError) -> str:
    """Return the message of an error; the text of a request has lines and columns, but no name."""
    if not isinstance(error, FormatError):
        return str(error)
    return f"line {error.line}, column {error.column}: {error.problem}; {error.advice}"


def problem_response(error: Exception) -> Response:
    """Return the response to an error."""
    problem = problem_of(error)
    return Response(json.dumps(problem.to_dict()), int(problem.status), problem.headers, _MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Answer every error of an app with a problem."""

    async def answer(request: Request, error: Exception) -> Response:
        return problem_response(error)

    async def answer_status(request: Request, error: Exception) -> Response:
        status = HTTPStatus(getattr(error, "status_code", HTTPStatus.INTERNAL_SERVER_ERROR))
        headers = getattr(error, "headers", None)
        return problem_response(ProblemError(status, _DETAILS.get(status, status.description), headers))

    for kind in (ProblemError, SudokulabError, RequestValidationError, ModuleNotFoundError):
        app.add_exception_handler(kind, answer)
    for status in HTTPStatus:
        if status >= HTTPStatus.BAD_REQUEST:
            app.add_exception_handler(status.value, answer_status)


def _title(status: HTTPStatus) -> str:
    return "Unprocessable Content" if status is HTTPStatus.UNPROCESSABLE_ENTITY else status.phrase


class _Errors:
    """The errors of a request body, without the prefix ``body`` in their locations."""

    def __init__(self, error: RequestValidationError | ValidationError) -> None:
        self._error = error

    def errors(self) -> list[Problem]:
        """Return the errors as pydantic does."""
        return [
            {**problem, "loc": problem["loc"][1:] if problem["loc"][:1] in (("body",), ("path",)) else problem["loc"]}
            for problem in self._error.errors()
        ]


def _describe(error: RequestValidationError | ValidationError) -> list[str]:
    problems = _Errors(error)
    found = problems.errors()
    if found and found[0]["type"] == "json_invalid":
        place = found[0]["loc"][-1] if found[0]["loc"] else 0
        return [f"the request body is not JSON: {found[0].get('ctx', {}).get('error', 'invalid')} at character {place}"]
    if found and not found[0]["loc"] and found[0]["type"] in ("missing", "model_attributes_type"):
        return ["send a JSON object with the header Content-Type: application/json"]
    return describe_errors(problems)

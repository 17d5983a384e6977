"""The answers of worker processes as plain data, so that reading them runs no code of the solver.

An answer is a JSON header, followed by the columns of the trace as raw 64-bit floats. Both sides validate it: the
worker before sending, and the harness because a solver can write to the connection itself.
"""

from __future__ import annotations

import json
import math
import socket
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import SupportsFloat, SupportsIndex, TypeVar

import numpy as np
from numpy.typing import NDArray

from sudokulab._internal.documents import parse_json
from sudokulab.puzzle import Puzzle
from sudokulab.search.result import Result, Status

__all__ = ["READY", "Inbox", "Reply", "decode", "encode", "escaped", "reply_of", "with_length"]

READY = b"ready"
"""The first message of a worker."""
_MAX_BYTES = 64 << 20
_MAX_HEADER_BYTES = 4 << 20
_MAX_ERROR, _MAX_NAME, _MAX_NAMES = 10_000, 200, 1000  # characters per error and per name, names per answer
_LENGTH = struct.Struct(">Q")
_FLOAT = np.dtype("<f8")

T = TypeVar("T")
Columns = Mapping[str, NDArray[np.float64]]


@dataclass(frozen=True)
class Reply:
    """The answer of a worker: a result, or the error that prevented one, and the resources used.

    Parameters
    ----------
    status
        The status of the result; None if the solver returned no result.
    cpu_seconds, wall_seconds
        The time of the run, measured outside the solver.
    solution
        The digits of the solution, cell by cell.
    seconds, cost, stats, trace, error
        As in `Result`.
    is_wrong
        Whether the package's own check refused the answer.
    is_clean
        Whether the solver left no thread behind.
    """

    status: Status | None
    cpu_seconds: float
    wall_seconds: float
    solution: bytes | None = None
    seconds: float = 0.0
    cost: float | None = None
    stats: Mapping[str, float] = field(default_factory=dict)
    trace: Columns = field(default_factory=dict)
    error: str | None = None
    is_wrong: bool = False
    is_clean: bool = True


def reply_of(result: object, cpu_seconds: float, wall_seconds: float) -> Reply:
    """Return a solver's result as plain data.

    Raises
    ------
    ValueError
        If a field is invalid.
    """
    if not isinstance(result, Result) or not isinstance(result.status, Status):
        raise ValueError(f"the solver returned {type(result).__name__}; return a Result with a Status")
    if not isinstance(result.solution, Puzzle | None):
        raise ValueError(f"solution is {type(result.solution).__name__}; use a Puzzle")
    if not isinstance(result.error, str | None):
        raise ValueError(f"error is {type(result.error).__name__}; use text")
    return Reply(
        result.status,
        cpu_seconds,
        wall_seconds,
        solution=None if result.solution is None else bytes(result.solution.cells),
        seconds=_number("seconds", result.seconds),
        cost=None if result.cost is None else _number("cost", result.cost),
        stats={_name("stats", name): _number(f"stats: {name}", value) for name, value in dict(result.stats).items()},
        trace=_columns({_name("trace", name): column for name, column in dict(result.trace).items()}),
        error=None if result.error is None else escaped(result.error),
    )


def encode(reply: Reply, token: str) -> bytes:
    """Return a reply as bytes; the token says which request it answers."""
    header = {
        "token": token,
        "status": None if reply.status is None else reply.status.value,
        "solution": None if reply.solution is None else reply.solution.hex(),
        "trace": {name: column.shape for name, column in reply.trace.items()},
        "stats": dict(reply.stats),
        "error": None if reply.error is None else escaped(reply.error),
    }
    plain = ("cpu_seconds", "wall_seconds", "seconds", "cost", "is_wrong", "is_clean")
    text = json.dumps(header | {name: getattr(reply, name) for name in plain}).encode()
    message = b"".join([_LENGTH.pack(len(text)), text, *(column.tobytes() for column in reply.trace.values())])
    if len(text) > _MAX_HEADER_BYTES or len(message) > _MAX_BYTES:
        raise ValueError(f"{len(message):,} bytes; use {_MAX_BYTES:,} at most")
    return message


def decode(message: bytes, token: str) -> Reply:
    """Read a reply.

    Raises
    ------
    ValueError
        If it is not a valid answer to the request with this token.
    """
    if len(message) < _LENGTH.size:
        raise ValueError("the answer is truncated")
    (length,) = _LENGTH.unpack_from(message)
    start = _LENGTH.size + length
    if length > _MAX_HEADER_BYTES or start > len(message):
        raise ValueError("the answer is truncated")
    header = parse_json(message[_LENGTH.size : start])
    if not isinstance(header, dict) or header.get("token") != token:
        raise ValueError("the answer belongs to another run")
    error, status = _optional(header, "error", str), _optional(header, "status", str)
    if error is None and status is None:
        raise ValueError("the answer has neither a status nor an error")
    solution, cost = _optional(header, "solution", str), header.get("cost")
    return Reply(
        None if status is None else Status(status),
        _duration(header, "cpu_seconds"),
        _duration(header, "wall_seconds"),
        solution=None if solution is None else bytes.fromhex(solution),
        seconds=_number("seconds", header.get("seconds")),
        cost=None if cost is None else _number("cost", cost),
        stats={_name("stats", name): _number(name, value) for name, value in _mapping(header, "stats").items()},
        trace=_columns_from(_mapping(header, "trace"), message[start:]),
        error=None if error is None else escaped(error),
        is_wrong=header.get("is_wrong") is True,
        is_clean=header.get("is_clean") is True,
    )


def with_length(message: bytes) -> bytes:
    """Return a message prefixed with its length."""
    return _LENGTH.pack(len(message)) + message


class Inbox:
    """The receiving end of a connection; never blocks and never holds more than one message.

    Parameters
    ----------
    connection
        A socket in non-blocking mode.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._buffer = bytearray()

    def read(self) -> bytes | None:
        """Return the next message; None while it is incomplete.

        Raises
        ------
        EOFError
            If the other end is closed.
        ValueError
            If the message is too long.
        """
        while (num_missing := self._num_missing()) > 0:
            try:
                received = self._connection.recv(min(num_missing, 1 << 20))
            except BlockingIOError:
                return None
            except OSError:
                raise EOFError from None
            if not received:
                raise EOFError
            self._buffer += received
        message = bytes(self._buffer[_LENGTH.size :])
        self._buffer.clear()
        return message

    def _num_missing(self) -> int:
        if len(self._buffer) < _LENGTH.size:
            return _LENGTH.size - len(self._buffer)
        (length,) = _LENGTH.unpack_from(self._buffer)
        if length > _MAX_BYTES:
            raise ValueError(f"an answer of {length:,} bytes; use {_MAX_BYTES:,} at most")
        return int(_LENGTH.size + length - len(self._buffer))


def escaped(text: str, max_length: int = _MAX_ERROR) -> str:
    r"""Return a text with control characters and lone surrogates escaped, cut to a maximum length.

    Examples
    --------
    >>> print(escaped("red: " + chr(27) + "[31m " + chr(0xD800)))
    red: \x1b[31m \ud800
    """
    if len(text) > max_length:
        text = text[: max_length - 1] + "…"
    return "".join(map(_shown, text))


def _shown(character: str) -> str:
    is_control = (character < " " and character not in "\n\t") or "\x7f" <= character < "\xa0"
    if is_control or "\ud800" <= character <= "\udfff":
        return character.encode("unicode_escape").decode()
    return character


def _number(name: str, value: object) -> float:
    try:
        number = float(value) if isinstance(value, SupportsFloat | SupportsIndex) else math.nan
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{name} is {_quoted(value)}; use a finite number")
    return number


def _quoted(value: object) -> str:
    try:
        return escaped(repr(value), 40)
    except Exception:  # a huge int, or a custom __repr__
        return f"a {type(value).__name__}"


def _duration(header: Mapping[str, object], name: str) -> float:
    seconds = _number(name, header.get(name))
    if seconds < 0:
        raise ValueError(f"{name} is {seconds}; use 0 or more")
    return seconds


def _name(what: str, name: object) -> str:
    if not isinstance(name, str) or len(name) > _MAX_NAME:
        raise ValueError(f"{what} has the name {_quoted(name)}; use text of up to {_MAX_NAME} characters")
    return escaped(name)


def _optional(header: Mapping[str, object], name: str, kind: type[T]) -> T | None:
    value = header.get(name)
    if value is not None and not isinstance(value, kind):
        raise ValueError(f"{name} is {_quoted(value)}; use {kind.__name__}")
    return value


def _mapping(header: Mapping[str, object], name: str) -> dict[str, object]:
    value = header.get(name)
    if not isinstance(value, dict) or len(value) > _MAX_NAMES:
        raise ValueError(f"{name} is {_quoted(value)}; use up to {_MAX_NAMES} named values")
    return value


def _columns(trace: Mapping[str, object]) -> Columns:
    """Return the columns of a trace as floats, all of the same length."""
    columns: dict[str, NDArray[np.float64]] = {}
    for name, values in trace.items():
        try:
            column = np.asarray(values)
            if column.dtype.kind not in "biufO":
                raise TypeError
            columns[name] = np.ascontiguousarray(column, _FLOAT)
        except (TypeError, ValueError, OverflowError):
            raise ValueError(f"trace: {name} is not an array of numbers") from None
    if len({column.shape[:1] for column in columns.values()} - {()}) > 1 or any(c.ndim == 0 for c in columns.values()):
        raise ValueError("trace has columns of different lengths")
    return columns


def _columns_from(shapes: Mapping[str, object], data: bytes) -> Columns:
    columns: dict[str, NDArray[np.float64]] = {}
    for name, shape in shapes.items():
        if not isinstance(shape, list) or not all(type(extent) is int and extent >= 0 for extent in shape):
            raise ValueError(f"trace: {_quoted(name)} has no shape")
        num_bytes = math.prod(shape) * _FLOAT.itemsize
        if num_bytes > len(data):
            raise ValueError("the trace is truncated")
        columns[_name("trace", name)] = np.frombuffer(data[:num_bytes], _FLOAT).reshape(shape).copy()
        data = data[num_bytes:]
    if data:
        raise ValueError("the answer is longer than declared")
    return _columns(columns)

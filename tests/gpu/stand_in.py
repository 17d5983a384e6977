"""A stand-in for CuPy, to test the code around the kernels without a GPU: numpy's arrays, and kernels on the host."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from tests.gpu import host

__all__ = ["make_cupy", "make_cupyx"]

_THREADS_PER_BLOCK = 128


class Array(np.ndarray[Any, Any]):
    """An array that claims to be on a GPU."""

    def __dlpack_device__(self) -> tuple[Any, Any]:
        return 2, 0

    @property
    def device(self) -> _Device:  # type: ignore[override]
        return _Device(0)

    def get(self, stream: object = None, out: Any = None) -> Any:
        """Copy to the host."""
        if out is None:
            return np.array(self)
        np.copyto(out, self)
        return out

    def set(self, array: Any, stream: object = None) -> None:
        """Copy from the host."""
        np.copyto(self, array)


class _Kernel:
    def __init__(self, run: Callable[..., None]) -> None:
        self._run = run
        self.kernel = SimpleNamespace(ptr=0)

    def __call__(self, grid: tuple[int], block: tuple[int], arguments: tuple[Any, ...]) -> None:
        assert grid[0] > 0
        assert block[0] in (_THREADS_PER_BLOCK, 256)
        self._run(*arguments)


def _at(argument: Any) -> ctypes.c_void_p:
    if isinstance(argument, np.ndarray):
        assert isinstance(argument, Array), "an array in host memory"
        assert argument.flags.c_contiguous
        return ctypes.c_void_p(argument.ctypes.data)
    assert argument == 0
    return ctypes.c_void_p(None)


def _solve(puzzles: Any, number: Any, limit: Any, max_guesses: Any, solutions: Any, counts: Any, *own: Any) -> None:
    _, chunk, _ = own
    host.library().solve_on_host(
        _at(puzzles), int(number), int(limit), int(max_guesses), int(chunk), _at(solutions), _at(counts)
    )


def _blank(grids: Any, orders: Any, number: Any, puzzles: Any, *own: Any) -> None:
    _, chunk, _ = own
    host.library().blank_on_host(_at(grids), _at(orders), int(number), int(chunk), _at(puzzles))


def _score(*arguments: Any) -> None:
    host.library().score_on_host(
        *(_at(value) for value in arguments[:4]),
        *(int(value) for value in arguments[4:7]),
        *(_at(value) for value in arguments[7:]),
    )


def _canonicalize(grids: Any, puzzles: Any, number: Any, *arrays: Any) -> None:
    host.library().canonicalize_on_host(_at(grids), _at(puzzles), int(number), *map(_at, arrays))


_KERNELS = {
    "solve_kernel": _Kernel(_solve),
    "blank_kernel": _Kernel(_blank),
    "score_kernel": _Kernel(_score),
    "canonical_kernel": _Kernel(_canonicalize),
}


class _RawModule:
    def __init__(self, code: str, options: tuple[str, ...]) -> None:
        self._code = code

    def get_function(self, name: str) -> _Kernel:
        assert f"{name}(" in self._code
        return _KERNELS[name]

    def get_global(self, name: str) -> Any:
        return np.array({"layout": [_THREADS_PER_BLOCK, 4]}[name], np.uint32)


class _Device:
    def __init__(self, number: int) -> None:
        self.id = number
        self.attributes = {"MultiProcessorCount": 2}

    def __enter__(self) -> None: ...
    def __exit__(self, *error: object) -> None: ...


class _Stream(_Device):
    def __init__(self, non_blocking: bool = False) -> None: ...
    def synchronize(self) -> None: ...


def _on_gpu(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *arguments, **options: np.asarray(function(*arguments, **options)).view(Array)


def make_cupy() -> ModuleType:
    """Return the stand-in for ``cupy``."""
    module: Any = ModuleType("cupy")
    for name in ("empty", "zeros", "where", "flatnonzero", "ascontiguousarray", "asarray"):
        setattr(module, name, _on_gpu(getattr(np, name)))
    module.ndarray = Array
    module.from_dlpack = _on_gpu(np.asarray)
    module.RawModule = _RawModule
    module.cuda = SimpleNamespace(
        Device=_Device,
        Stream=_Stream,
        get_current_stream=_Stream,
        driver=SimpleNamespace(occupancyMaxActiveBlocksPerMultiprocessor=lambda *arguments: 3),
        runtime=SimpleNamespace(getDeviceCount=lambda: 1, deviceSynchronize=lambda: None),
    )
    return module  # type: ignore[no-any-return]


def make_cupyx() -> ModuleType:
    """Return the stand-in for ``cupyx``."""
    module: Any = ModuleType("cupyx")
    module.empty_pinned = np.empty
    return module  # type: ignore[no-any-return]

"""Where arrays are, and which device to use; without CuPy."""

from __future__ import annotations

import re
import sys
from typing import Any, Protocol, TypeVar

from sudokulab._internal.extras import require
from sudokulab.errors import DeviceError, ParameterError

__all__ = ["GpuArray", "chosen_device", "cuda_device_of", "like", "require_device"]

_DLPACK_CUDA = 2


class DLPackArray(Protocol):
    """An array that other libraries can use in place."""

    def __dlpack__(self, *, stream: Any = None) -> Any: ...
    def __dlpack_device__(self) -> Any: ...


GpuArray = TypeVar("GpuArray", bound=DLPackArray)
"""An array of CuPy, PyTorch, JAX or another library on a GPU."""


def cuda_device_of(array: Any) -> int | None:
    """Return the number of the GPU that holds an array; None for anything else."""
    if hasattr(array, "__dlpack_device__"):
        kind, number = array.__dlpack_device__()
        return int(number) if int(kind) == _DLPACK_CUDA else None
    if hasattr(array, "__cuda_array_interface__"):
        import cupy

        return int(cupy.asarray(array).device.id)
    return None


def chosen_device(array: Any, device: str | None) -> int | None:
    """Return the number of the GPU to use, None for the CPU.

    Parameters
    ----------
    array
        The input; None if there is none.
    device
        ``"cpu"``, ``"cuda"`` or ``"cuda:N"``. Default: where the array is.

    Raises
    ------
    ParameterError
        If the name is unknown, or the array is on another device.
    """
    home = cuda_device_of(array)
    if device is None:
        return home
    named = re.fullmatch(r"cpu|cuda(:\d+)?", device) if isinstance(device, str) else None
    if named is None:
        raise ParameterError(f"device: {device!r}, expected 'cpu', 'cuda' or 'cuda:N'")
    if device == "cpu":
        if home is not None:
            raise ParameterError(f"device: 'cpu', but the array is on cuda:{home}; copy it to the host first")
        return None
    number = int(named[1][1:]) if named[1] else home or 0
    if home is not None and number != home:
        raise ParameterError(f"device: {device!r}, but the array is on cuda:{home}")
    return number


def require_device(number: int) -> None:
    """Check that a GPU can be used.

    Raises
    ------
    MissingExtraError
        If CuPy is not installed.
    DeviceError
        If there is no such GPU, or no driver for it.
    """
    require("gpu")
    import cupy

    try:
        num_devices = cupy.cuda.runtime.getDeviceCount()
    except Exception as error:  # the driver is missing or too old: CuPy has several errors for this
        raise DeviceError(f"no GPU can be used ({error}); without device='cuda', the CPU is used") from None
    if number >= num_devices:
        known = ", ".join(f"cuda:{k}" for k in range(num_devices)) or "no GPU"
        raise DeviceError(f"cuda:{number} does not exist, found {known}")


def like(array: Any, result: Any) -> Any:
    """Return a CuPy array as one of the library of another array; unchanged if that library is not known."""
    library = type(array).__module__.partition(".")[0]
    if library == "torch":
        if result.dtype == "uint32":
            result = result.astype("int64")  # PyTorch hardly supports unsigned integers
        return sys.modules["torch"].from_dlpack(result)
    if library in ("jax", "jaxlib"):
        return sys.modules["jax"].dlpack.from_dlpack(result)
    return result

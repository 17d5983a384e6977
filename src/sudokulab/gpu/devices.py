"""Where arrays are, and which device to use; without CuPy."""

from __future__ import annotations

import re
import sys
from typing import Any, Protocol, TypeVar

from sudokulab._internal.extras import require
from sudokulab.errors import DeviceError, MissingExtraError, ParameterError
from sudokulab.formats.arrays import Errors

__all__ = ["GpuArray", "chosen_device", "cuda_device_of", "is_masking", "like", "require_device", "to_host"]

_DLPACK_CUDA = (2, 13)  # memory of a GPU, and managed memory


class DLPackArray(Protocol):
    """An array that other libraries can use in place."""

    def __dlpack__(self, *, stream: object = None) -> object: ...
    def __dlpack_device__(self) -> object: ...


GpuArray = TypeVar("GpuArray", bound=DLPackArray)
"""An array of CuPy, PyTorch, JAX or another library on a GPU."""


def cuda_device_of(array: object) -> int | None:
    """Return the number of the GPU that holds an array; None for anything else."""
    if hasattr(array, "__dlpack_device__"):
        try:
            kind, number = array.__dlpack_device__()
        except (BufferError, ValueError):  # an array that cannot be shared
            return None
        return int(number) if int(kind) in _DLPACK_CUDA else None
    if hasattr(array, "__cuda_array_interface__"):
        return int(_cupy().asarray(array).device.id)
    return None


def chosen_device(array: object, device: str | None) -> int | None:
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
    named = re.fullmatch(r"cpu|cuda(:[0-9]+)?", device) if isinstance(device, str) else None
    if named is None:
        raise ParameterError(f"device: {device!r}; choose 'cpu', 'cuda' or 'cuda:N'")
    if device == "cpu":
        if home is not None:
            raise ParameterError(f"device: 'cpu', but the array is on cuda:{home}; copy it to the host first")
        return None
    number = int(named[1][1:]) if named[1] else home or 0
    if home is not None and number != home:
        raise ParameterError(f"device: {device!r}, but the array is on cuda:{home}")
    return number


def is_masking(errors: Errors, puzzles: object) -> bool:
    """Return whether unreadable rows are masked rather than errors, or raise ParameterError if they cannot be."""
    if errors not in ("raise", "mask"):
        raise ParameterError(f"errors: {errors!r}; choose 'raise' or 'mask'")
    if errors == "mask" and cuda_device_of(puzzles) is not None:
        raise ParameterError("errors: 'mask', but the array is on a GPU; copy it to the host first")
    return errors == "mask"


def require_device(number: int) -> None:
    """Check that a GPU can be used.

    Raises
    ------
    MissingExtraError
        If CuPy is not installed.
    DeviceError
        If there is no such GPU, or no driver for it.
    """
    cupy = _cupy()
    try:
        num_devices = cupy.cuda.runtime.getDeviceCount()
    except Exception as error:  # the driver is missing or too old: CuPy has several errors for this
        raise DeviceError(f"no GPU can be used ({error}); leave out the device to use the CPU") from None
    if number >= num_devices:
        known = ", ".join(f"cuda:{k}" for k in range(num_devices)) or "no GPU"
        raise DeviceError(f"cuda:{number} does not exist, found {known}")


def like(array: object, result: Any) -> Any:
    """Return a CuPy array as one of the library of another array; unchanged if that library is not known."""
    torch, jax = sys.modules.get("torch"), sys.modules.get("jax")
    with result.device:
        if torch is not None and isinstance(array, torch.Tensor):
            if result.dtype in ("uint32", "uint64"):  # PyTorch hardly supports them
                result = result.astype("int64")
            return torch.from_dlpack(result)
        if jax is not None and isinstance(array, jax.Array):
            return jax.dlpack.from_dlpack(result)
    return result


def to_host(array: Any) -> Any:
    """Return an array on a GPU as numpy's; anything else unchanged."""
    number = cuda_device_of(array)
    if number is None:
        return array
    require_device(number)
    from sudokulab.gpu.arrays import as_cupy, on_device

    with on_device(array, number):
        return as_cupy(array).get()


def _cupy() -> Any:
    require("gpu")
    try:
        import cupy
    except ImportError as error:  # an incomplete installation
        raise MissingExtraError(f"cupy cannot be imported: {str(error).strip().partition(chr(10))[0]}") from None
    return cupy

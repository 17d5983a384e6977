"""A GPU is chosen by name or by where the puzzles are; without one, the error says what is missing."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from sudokulab import ParameterError, generate_array, solve_array
from sudokulab.errors import DeviceError, MissingExtraError
from sudokulab.gpu.devices import chosen_device, cuda_device_of, require_device
from tests.cases import for_each
from tests.timing import PATIENCE_SECONDS, wait_for_work


class OnDevice:
    """An array on a device, in terms of DLPack: 1 is the CPU, 2 CUDA."""

    def __init__(self, kind: int, number: int = 0) -> None:
        self._device = kind, number

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device


@for_each("value", [None, "." * 81, ["." * 81], np.zeros((1, 81)), OnDevice(1)])
def test_values_in_host_memory_stay_on_the_cpu(value: Any) -> None:
    assert cuda_device_of(value) is None
    assert chosen_device(value, None) is None
    assert chosen_device(value, "cpu") is None


def test_managed_memory_is_on_a_gpu() -> None:
    assert chosen_device(OnDevice(13), None) == 0


def test_an_array_that_cannot_be_shared_stays_on_the_cpu() -> None:
    class Unshared:
        def __dlpack_device__(self) -> tuple[int, int]:
            raise BufferError

    assert cuda_device_of(Unshared()) is None


def test_an_array_with_only_the_cuda_interface_needs_cupy(monkeypatch: pytest.MonkeyPatch) -> None:
    class OnlyInterface:
        __cuda_array_interface__: Any = None

    monkeypatch.setattr("sudokulab._internal.extras.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"sudokulab\[gpu\]"):
        cuda_device_of(OnlyInterface())


def test_arrays_on_a_gpu_stay_there() -> None:
    assert chosen_device(OnDevice(2, 3), None) == 3
    assert chosen_device(OnDevice(2, 3), "cuda") == 3
    assert chosen_device(OnDevice(2, 3), "cuda:3") == 3


def test_a_gpu_can_be_named() -> None:
    assert chosen_device(None, "cuda") == 0
    assert chosen_device(None, "cuda:12") == 12


@for_each("device", ["gpu", "CUDA", "cuda:", "cuda:x", "cuda:٣", "", 0, "cpu:1"])
def test_unknown_names_are_explained(device: Any) -> None:
    with pytest.raises(ParameterError, match="choose 'cpu', 'cuda' or 'cuda:N'"):
        chosen_device(None, device)


@pytest.mark.parametrize(("device", "message"), [("cpu", "copy it to the host first"), ("cuda:1", "on cuda:0")])
def test_an_array_on_another_device_is_an_error(device: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        chosen_device(OnDevice(2), device)


@pytest.mark.parametrize(
    "call", [lambda: solve_array(["." * 81], device="cuda"), lambda: generate_array(1, device="cuda")]
)
def test_a_missing_cupy_names_the_extra(monkeypatch: pytest.MonkeyPatch, call: Any) -> None:
    monkeypatch.setattr("sudokulab._internal.extras.find_spec", lambda name: None if name == "cupy" else object())
    with pytest.raises(MissingExtraError, match=r"cupy is not installed: pip install 'sudokulab\[gpu\]'"):
        call()


def test_a_gpu_that_does_not_exist_is_an_error(cupy: Any) -> None:
    number = cupy.cuda.runtime.getDeviceCount()
    with pytest.raises(DeviceError, match=f"cuda:{number} does not exist, found cuda:0"):
        require_device(number)


def test_a_missing_driver_is_an_error(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> int:
        raise RuntimeError("CUDA driver version is insufficient")

    monkeypatch.setattr(cupy.cuda.runtime, "getDeviceCount", fail)
    with pytest.raises(DeviceError, match=r"no GPU can be used \(CUDA driver version is insufficient\)"):
        require_device(0)


def test_the_package_does_not_import_cupy() -> None:
    code = "import sys, sudokulab; sudokulab.solve_array(['.' * 81]); sys.exit('cupy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.slow
@pytest.mark.unmeasured
def test_ctrl_c_stops_searches_that_the_gpu_gave_up() -> None:
    code = """
import sys
from tests.gpu import host, stand_in
sys.modules.update(cupy=stand_in.make_cupy(), cupyx=stand_in.make_cupyx())
import sudokulab._internal.extras as extras
extras.find_spec = lambda name: object()
host.library()
import sudokulab
from sudokulab.gpu.solving import Fallback
finish = Fallback.finish
def announced(*arguments):
    print("gave up", flush=True)
    return finish(*arguments)
Fallback.finish = announced
sudokulab.count_array(["." * 81], device="cuda")
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "gave up\n"
    wait_for_work(process.pid)
    process.send_signal(signal.SIGINT)
    try:
        _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    finally:
        process.kill()
    assert errors.endswith("KeyboardInterrupt\n")

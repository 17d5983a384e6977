"""Optional dependencies, grouped into the extras of the package."""

from __future__ import annotations

from importlib.util import find_spec

from sudokulab.errors import MissingExtraError

__all__ = ["extra_of", "require"]

_MODULES = {
    "lab": ("matplotlib", "optuna", "polars", "scipy", "sqlalchemy", "tomli_w"),
    "dask": ("distributed",),
    "tables": ("pyarrow",),
    "data": ("matplotlib", "pyarrow"),
    "gpu": ("cupy",),
    "learn": ("gymnasium",),
    "web": ("fastapi", "markdown_it", "uvicorn", "websockets"),
}


def extra_of(module: str) -> str | None:
    """Return the extra that installs a module; None if no extra does."""
    return next((extra for extra, modules in _MODULES.items() if module in modules), None)


def require(extra: str) -> None:
    """Check that the modules of an extra are installed, without importing them.

    Raises
    ------
    MissingExtraError
        If one is missing; the message names it and says how to install the extra.
    """
    missing = [module for module in _MODULES[extra] if find_spec(module) is None]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise MissingExtraError(f"{', '.join(missing)} {verb} not installed: pip install 'sudokulab[{extra}]'")

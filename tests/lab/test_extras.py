"""Without its optional dependencies, the lab names the extra to install."""

from __future__ import annotations

import subprocess
import sys

from tests.cases import for_each
from tests.timing import PATIENCE_SECONDS


def run_without(module: str, code: str) -> str:
    """Run code in a process that cannot import a module, and return its standard error."""
    program = f"import sys\nsys.modules[{module!r}] = None\n{code}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE_SECONDS)
    assert done.returncode != 0
    return done.stderr


@for_each("module", ["matplotlib", "optuna", "polars", "scipy", "sqlalchemy", "tomli_w"])
def test_importing_the_lab_names_the_missing_extra(module: str) -> None:
    said = run_without(module, "import sudokulab.lab")
    assert f"sudokulab.errors.MissingExtraError: {module} is not installed: pip install 'sudokulab[lab]'" in said


@for_each("statement", ["from sudokulab.lab import compare", "import sudokulab.lab.plots", "from sudokulab import lab"])
def test_every_way_into_the_lab_is_checked(statement: str) -> None:
    assert "pip install 'sudokulab[lab]'" in run_without("polars", statement)


@for_each("command", ["run e.toml", "compare famous --solver dlx", "tune famous -s dlx", "report s.sqlite"])
def test_commands_name_the_missing_extra_without_a_traceback(command: str) -> None:
    said = run_without("scipy", f"sys.argv[1:] = {command.split()}\nfrom sudokulab.cli import main\nmain()")
    assert said == "scipy is not installed: pip install 'sudokulab[lab]'\n"


def test_a_cluster_names_its_own_extra() -> None:
    code = "from sudokulab.lab.cluster import on_cluster\nwith on_cluster('tcp://nowhere'): pass"
    said = run_without("distributed", code)
    assert "sudokulab.errors.MissingExtraError: distributed is not installed: pip install 'sudokulab[dask]'" in said

"""The order of the layers, in Python and C++: each imports only from earlier ones."""

from __future__ import annotations

import ast
import re
import runpy
import sys
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from tests.cases import for_each

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "sudokulab"
CORE = ROOT / "cpp"

PYTHON_LAYERS = [
    ["_core", "errors"],
    ["_internal"],
    ["parameters"],
    ["puzzle"],
    ["search", "_internal.native"],
    ["formats"],
    ["verify", "gpu", "drawing", "equivalence"],
    ["logic"],
    ["convert"],
    ["solvers", "external"],
    ["questions"],
    ["instances"],
    ["publishing", "learn"],
    ["lab"],
    ["datasets"],
    ["bench", "papers"],
    ["testing"],
    ["web"],
    ["cli", "__main__"],
]
"""The order in docs/development/architecture.md."""

LATE = {("puzzle", name) for name in ("drawing", "formats.coercion", "formats.grid", "formats.symbols")}
LATE |= {(name, later) for name in ("puzzle", "search.result") for later in ("drawing", "drawing.notebooks")}
"""Allowed imports of later layers, inside functions: a puzzle can parse, print and draw itself, and so can a result."""

CORE_LAYERS = [
    ["grid/"],
    ["search/"],
    ["bulk/"],
    ["learning/"],
    ["logic/"],
    ["solvers/parts/"],
    ["solvers/"],
    ["rating/"],
    ["generation/"],
    ["bindings/"],
]
"""The order in cpp/README.md: solvers apply rules and techniques, and ratings run solvers."""


def layer_of(name: str, layers: list[list[str]], separator: str) -> int:
    """Return the layer of a module or file, the one with the longest matching prefix."""
    found = [
        (len(prefix), number)
        for number, layer in enumerate(layers)
        for prefix in layer
        if name == prefix or name.startswith(prefix if prefix.endswith(separator) else prefix + separator)
    ]
    assert found, f"{name} does not belong to a layer"
    return max(found)[1]


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module_name(path): path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py"}


def imports_of(tree: ast.AST) -> Iterator[tuple[str, bool]]:
    """Yield each import from the package, and whether it is inside a function."""

    def walk(node: ast.AST, is_late: bool) -> Iterator[tuple[str, bool]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
                continue
            if isinstance(child, ast.Import):
                for alias in child.names:
                    if alias.name.split(".")[0] == "sudokulab" and alias.name != "sudokulab":
                        yield alias.name.removeprefix("sudokulab."), is_late
            if isinstance(child, ast.ImportFrom) and child.level > 0:
                yield f"relative import of {child.module}", is_late
            if isinstance(child, ast.ImportFrom) and (child.module or "").split(".")[0] == "sudokulab":
                base = str(child.module).removeprefix("sudokulab").removeprefix(".")
                for alias in child.names:
                    name = f"{base}.{alias.name}" if base else alias.name
                    is_module = name in MODULES or name == "_core" or not base
                    yield (name if is_module else base), is_late
            is_function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            yield from walk(child, is_late or is_function)

    return walk(tree, False)


@for_each("name", MODULES)
def test_a_module_imports_only_from_earlier_layers(name: str) -> None:
    own = layer_of(name, PYTHON_LAYERS, ".") if name != "_internal" else 0
    for imported, is_late in imports_of(ast.parse(MODULES[name].read_text(encoding="utf-8"))):
        if imported in ("__version__", "_internal") or (is_late and (name, imported) in LATE):
            continue
        assert layer_of(imported, PYTHON_LAYERS, ".") <= own, f"{name} imports {imported}"


DISTRIBUTIONS = {
    "cupy": "cupy-cuda12x",
    "cupyx": "cupy-cuda12x",
    "lazy_loader": "lazy-loader",
    "markdown_it": "markdown-it-py",
    "pysat": "python-sat",
    "tomli_w": "tomli-w",
}
"""Distributions whose name differs from that of their module."""


def test_every_imported_library_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [library for extra in project["optional-dependencies"].values() for library in extra]
    declared = {re.split(r"[^\w-]", library)[0] for library in [*project["dependencies"], *extras]}
    for path in MODULES.values():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            for name in {name.partition(".")[0] for name in names} - {"sudokulab"} - sys.stdlib_module_names:
                assert DISTRIBUTIONS.get(name, name) in declared, f"{path} imports {name}"


@for_each("path", sorted(CORE.rglob("*.cpp")) + sorted(CORE.rglob("*.h")), ids=lambda path: path.name)
def test_a_native_file_includes_only_from_earlier_layers(path: Path) -> None:
    name = path.relative_to(CORE).as_posix()
    own = layer_of(name.partition(".")[0], CORE_LAYERS, "/")
    for included in re.findall(r'^#include "([^"]+)"', path.read_text(encoding="utf-8"), flags=re.MULTILINE):
        assert (CORE / included).is_file(), f"{name} includes {included}, expected a path relative to cpp/"
        assert layer_of(included.partition(".")[0], CORE_LAYERS, "/") <= own, f"{name} includes {included}"


def test_the_layers_list_only_existing_modules() -> None:
    for layer in PYTHON_LAYERS:
        for name in layer:
            assert name == "_core" or name in MODULES, name
    for layer in CORE_LAYERS:
        for name in layer:
            assert (CORE / name).is_dir() or (CORE / f"{name}.h").is_file(), name


def test_the_core_does_not_depend_on_python() -> None:
    files = [path for path in [*CORE.rglob("*.cpp"), *CORE.rglob("*.h")] if "bindings" not in path.parts]
    assert len(files) > 100
    for path in files:
        assert "Python.h" not in (text := path.read_text(encoding="utf-8")), path
        assert "nanobind" not in text, path


DRAWING = runpy.run_path(str(ROOT / "tools" / "make_architecture.py"))
DRAWN = [name for packages in DRAWING["LAYERS"].values() for name in packages]


def test_the_picture_contains_every_package() -> None:
    modules = [path for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()]
    native = [path for path in CORE.rglob("*") if path.is_dir()]
    packages = [path.stem for path in modules if not path.stem.startswith("__")]
    packages += [path.relative_to(ROOT).as_posix() for path in native]
    assert sorted(DRAWN) == sorted(packages), "edit LAYERS in tools/make_architecture.py"


def test_the_picture_is_that_of_the_script() -> None:
    text = DRAWING["TARGET"].read_text(encoding="utf-8")
    assert text == DRAWING["picture"](), "run python tools/make_architecture.py"


def test_the_picture_shows_the_layers_in_their_order() -> None:
    """Each row is above all rows of earlier layers."""
    rows = [[name for name in row if not name.startswith(("cpp/", "_"))] for row in DRAWING["LAYERS"].values()]
    numbers = [[layer_of(name, PYTHON_LAYERS, ".") for name in row] for row in rows if row]
    for above, below in pairwise(numbers):
        assert min(above) >= max(below)

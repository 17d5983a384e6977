"""The native core refuses subinterpreters, and the main interpreter keeps working."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.timing import PATIENCE_SECONDS

pytest.importorskip("_xxsubinterpreters" if sys.version_info < (3, 13) else "_interpreters")

PROGRAM = """
import sys
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters

CODE = '''
import sys
for _ in range(2):
    try:
        import sudokulab._core
    except ImportError as error:
        print("refused:", error, flush=True)
try:
    from sudokulab import solve
except ImportError as error:
    print("refused:", error, flush=True)
assert "numpy" not in sys.modules
'''

def use():
    import sudokulab
    from sudokulab import solve
    from sudokulab.solvers import Backtracking
    found = solve("1.....3..4.....2")
    assert type(found) is sudokulab.Result
    assert Backtracking().solve(found.puzzle).solution == found.solution
    try:
        solve("123")
    except sudokulab.FormatError:
        print("works", flush=True)

if sys.argv[1] == "before":
    use()
inner = interpreters.create()
interpreters.run_string(inner, CODE)
interpreters.destroy(inner)
use()
"""


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_subinterpreter_is_refused_and_the_main_one_works(when: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, when], capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    message = (
        "refused: sudokulab cannot be used in a subinterpreter; use threads, which it runs in parallel, or processes"
    )
    works = ["works"] if when == "before" else []
    assert done.stdout.splitlines() == [*works, message, message, message, "works"]

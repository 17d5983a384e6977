"""Take the screenshots of docs/tutorial/web-page.md and of the README: `python -m tools.make_screenshots [NAME]...`.

Starts a server and Chromium, and runs a small experiment for the page Lab. Look at every picture before committing it.
"""

from __future__ import annotations

import fcntl
import os
import pty
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright
from rich.console import Console
from rich.text import Text
from tests.web.conftest import BROWSERS

from sudokulab.lab import BudgetSpec, Experiment, InstanceSet, SolverSpec, Store, run_experiment

TARGET = Path(__file__).parent.parent / "docs" / "figures"
WIDTH = 1200
MAX_BYTES = 200_000
TIMEOUT_SECONDS = 120

ESCARGOT = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
PLATINUM = ".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6..."
SKYSCRAPER = "739421586..1.6.3........9.195.17.46.1.3.548.9......15.4.....21831..427952.5.1.634"

EXPERIMENT = Experiment(
    name="hard",
    title="Hard puzzles",
    runs=5,
    seed=1,
    trace=True,
    budget=BudgetSpec(cpu_seconds=20),
    instances=(InstanceSet(set="hard", limit=8),),
    solvers=tuple(SolverSpec(name=name) for name in ("ant-colony", "annealing", "backtracking")),
)


def take_play(page: Page) -> None:
    page.goto(f"/#play?p={SKYSCRAPER}")
    for _ in range(2):  # first the name of the technique, then the step
        page.get_by_role("button", name="Hint", exact=True).first.click()
        page.wait_for_timeout(1500)


def take_watch_annealing(page: Page) -> None:
    page.goto(f"/#watch?p={ESCARGOT}&solver=annealing&seed=4&speed=1000000")
    page.get_by_role("button", name="Start").click()
    page.get_by_text("Solved").first.wait_for()
    scrub(page, 0.93)


def take_watch_ants(page: Page) -> None:
    page.goto(f"/#watch?p={PLATINUM}&solver=ant-colony&seed=5&speed=100")
    page.get_by_role("button", name="Start").click()
    page.get_by_text("Solved").first.wait_for()
    scrub(page, 0.6)


def scrub(page: Page, share: float) -> None:
    """Go back to an earlier frame of a run."""
    page.locator("input.scrub").evaluate(
        "(input, share) => { input.value = Math.round(share * input.max); input.dispatchEvent(new Event('input')) }",
        share,
    )
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(500)


def take_race(page: Page) -> None:
    page.goto(f"/#race?p={ESCARGOT}&solvers=annealing,ant-colony,backtracking,conflict-driven&seed=4")
    page.get_by_role("button", name="Start").click()
    page.get_by_text("4th").wait_for()
    page.wait_for_timeout(500)


def take_generate(page: Page) -> None:
    page.goto("/#generate?level=hard&symmetry=half-turn&count=6&seed=7")
    page.get_by_role("button", name="Rate all").click()
    page.locator(".thumbnail .rating", has_text="SE").nth(5).wait_for()


def take_lab(page: Page) -> None:
    page.goto("/#lab?store=hard&experiment=1")
    page.get_by_role("heading", name="Figures").wait_for()
    page.evaluate("scrollBy(0, document.querySelectorAll('section')[1].getBoundingClientRect().top - 70)")
    page.wait_for_timeout(6000)


COLUMNS = 120
COMMANDS = (
    "sudokulab solve puzzle.txt",
    "sudokulab rate puzzle.txt --scale se",
    "sudokulab compare hard --solver backtracking,ant-colony,annealing --limit 5 --runs 3",
)


def on_terminal(command: str, columns: int, folder: str) -> str:
    """Return what a command prints on a terminal, with its colours."""
    terminal, output = pty.openpty()
    fcntl.ioctl(output, termios.TIOCSWINSZ, struct.pack("HHHH", 100, columns, 0, 0))
    environment = os.environ | {"TERM": "xterm-256color", "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    process = subprocess.Popen(command.split(), stdout=output, stderr=subprocess.DEVNULL, env=environment, cwd=folder)
    with process:
        os.close(output)
        text = b""
        try:
            while chunk := os.read(terminal, 4096):
                text += chunk
        except OSError:  # the command has ended
            pass
    return text.decode().replace("\r\n", "\n")


def take_terminal(page: Page) -> None:
    with tempfile.TemporaryDirectory() as folder, Path(os.devnull).open("w") as nowhere:
        Path(folder, "puzzle.txt").write_text(SKYSCRAPER)
        console = Console(record=True, width=COLUMNS, file=nowhere)
        for command in COMMANDS:
            console.print(Text(f"$ {command}", style="bold"))
            console.print(Text.from_ansi(on_terminal(command, COLUMNS, folder)))
        page.set_content(console.export_html(inline_styles=True))
    page.add_style_tag(content="body { margin: 16px } code, pre { font: 15px/1.25 'DejaVu Sans Mono', monospace }")


SHOTS: dict[str, tuple[Callable[[Page], None], int]] = {
    "play": (take_play, 820),
    "watch-annealing": (take_watch_annealing, 1000),
    "watch-ants": (take_watch_ants, 1000),
    "race": (take_race, 960),
    "generate": (take_generate, 960),
    "lab": (take_lab, 960),
    "terminal": (take_terminal, 540),
}
"""What to do on the page, and the height of the picture."""


@contextmanager
def server(*stores: Path) -> Iterator[str]:
    """Start a server and yield its address."""
    command = [sys.executable, "-m", "sudokulab", "serve", "--port", "0", *map(str, stores)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield next(word for word in process.stdout.readline().split() if word.startswith("http://"))
        finally:
            process.terminate()


def save(page: Page, path: Path) -> None:
    """Save the visible part of a page with a palette, which is much smaller and looks the same."""
    page.screenshot(path=path)
    Image.open(path).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
    assert path.stat().st_size < MAX_BYTES, f"{path.name}: {path.stat().st_size:,} bytes"
    print(path.name, f"{path.stat().st_size:,} bytes")


def main() -> None:
    names = sys.argv[1:] or list(SHOTS)
    TARGET.mkdir(exist_ok=True)
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        stores = []
        if "lab" in names:
            stores.append(Path(folder, "hard.sqlite"))
            with Store(stores[0]) as store:
                run_experiment(EXPERIMENT, store)
        with server(*stores) as address:
            browser = playwright.chromium.launch(executable_path=chromium, args=options)
            for name in names:
                take, height = SHOTS[name]
                page = browser.new_page(base_url=address, viewport={"width": WIDTH, "height": height})
                page.set_default_timeout(1000 * TIMEOUT_SECONDS)
                take(page)
                save(page, TARGET / f"{name}.png")
                page.close()
            browser.close()


if __name__ == "__main__":
    main()

"""Compare the levels and scores of HoDoKu with ours.

    python benchmarks/hodoku_levels.py puzzles.txt --jar hodoku.jar

Runs HoDoKu in batch mode (https://hodoku.sourceforge.net; needs Java) on 9×9 puzzles with unique solutions, rates the
same puzzles with the native core, and prints the share of equal levels and scores, the differences, and the CPU times.
For a mixture, generate puzzles of several levels and sample public collections:

    python benchmarks/hodoku_levels.py generated.sdm royle-17-clue.txt extreme.txt --sample 200 --jar hodoku.jar
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

from sudokulab import Puzzle, _core, read
from sudokulab._internal.native import native_puzzle

RESULT = re.compile(r"^[0-9.]{81} #\d+ (\w+) \((\d+)\)")


def read_sample(path: str, count: int | None) -> list[Puzzle]:
    puzzles = list(read(path))
    if count is None or count >= len(puzzles):
        return puzzles
    return [puzzles[k * len(puzzles) // count] for k in range(count)]


def rate_with_hodoku(jar: str, puzzles: list[Puzzle]) -> list[tuple[str, int]]:
    """Return the level and score of each puzzle."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "puzzles.txt").write_text("".join(f"{puzzle.line}\n" for puzzle in puzzles))
        # HoDoKu looks for settings in the temporary folder, and takes arguments that begin with a slash for options.
        java = ["java", "-Djava.awt.headless=true", f"-Djava.io.tmpdir={folder}", "-Xmx1g"]
        batch = ["-cp", str(Path(jar).resolve()), "sudoku.Main", "/bs", "puzzles.txt", "/o", "result.txt"]
        subprocess.run(java + batch, cwd=folder, check=True, capture_output=True)
        result = Path(folder, "result.txt")
        found = [RESULT.match(line) for line in result.read_text().splitlines()]
    return [(match[1].lower(), int(match[2])) for match in found if match]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", help="9×9 puzzles with unique solutions")
    parser.add_argument("--jar", required=True, help="HoDoKu's jar file, or a folder with its classes")
    parser.add_argument("--sample", type=int, help="take this many puzzles from each file, evenly spaced")
    parser.add_argument("--list", action="store_true", help="print all puzzles that differ")
    args = parser.parse_args()
    puzzles = [puzzle for path in args.files for puzzle in read_sample(path, args.sample)]

    start = time.perf_counter()
    theirs = rate_with_hodoku(args.jar, puzzles)
    their_seconds = time.perf_counter() - start
    if len(theirs) != len(puzzles):
        raise SystemExit(f"HoDoKu rated {len(theirs)} of {len(puzzles)} puzzles")
    start = time.process_time()
    ratings = _core.rate_hodoku_many([native_puzzle(puzzle) for puzzle in puzzles], _core.Budget(), 1)
    our_seconds = time.process_time() - start

    levels = Counter(level for level, _ in theirs)
    differences: Counter[tuple[str, str]] = Counter()
    num_equal_scores = 0
    relative = []
    for puzzle, (level, score), ours in zip(puzzles, theirs, ratings, strict=True):
        num_equal_scores += score == ours.score
        relative.append(abs(score - ours.score) / score)
        if level != ours.level:
            differences[level, ours.level] += 1
        if args.list and (level, score) != (ours.level, ours.score):
            print(f"{puzzle.line} HoDoKu {level} {score}, ours {ours.level} {ours.score}")
    count = len(puzzles)
    print(f"{count:,} puzzles: " + ", ".join(f"{number} {level}" for level, number in levels.most_common()))
    print(f"equal levels: {count - differences.total():,} ({1 - differences.total() / count:.1%})")
    for (level, other), number in differences.most_common():
        print(f"  {number} {level} for HoDoKu, {other} for us")
    print(f"equal scores: {num_equal_scores:,} ({num_equal_scores / count:.1%})")
    print(
        f"relative difference of scores: median {statistics.median(relative):.1%}, mean {statistics.mean(relative):.2%}"
    )
    print(f"HoDoKu {their_seconds:.1f} s (wall time), ours {our_seconds:.1f} s (CPU time)")


if __name__ == "__main__":
    main()

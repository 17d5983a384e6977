"""The passes per puzzle of the GPU engine, counted on the host.

python -m benchmarks.gpu_passes royle-17-clue.txt forum-hardest-11plus.txt
"""

from __future__ import annotations

import argparse
from itertools import islice

from tests.gpu import host

from sudokulab import as_array, read

__all__ = ["main"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE", help="9×9 puzzles")
    parser.add_argument("--step", type=int, default=10, help="take every n-th puzzle (default: 10)")
    args = parser.parse_args()
    for file in args.files:
        with read(file) as reader:
            puzzles = as_array(islice(reader, 0, None, args.step))
        first, two = (host.num_passes(puzzles, limit) / len(puzzles) for limit in (1, 2))
        print(f"{file}: {len(puzzles):,} puzzles, passes per puzzle: first solution {first:.1f}, up to two {two:.1f}")


if __name__ == "__main__":
    main()

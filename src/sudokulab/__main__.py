"""``python -m sudokulab``."""

from sudokulab.cli import main

if __name__ == "__main__":
    main()

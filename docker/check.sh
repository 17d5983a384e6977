#!/bin/sh
# check.sh TARGET: does the installation work?
set -eu
"$1/bin/sudokulab" solve 1.....3..4.....2
"$1/bin/sudokulab" compare famous --limit 1 --runs 1 --cpu-seconds 1 --solver dlx,tabu --workers 1
"$1/bin/dask" worker --version

#!/bin/sh
# install.sh FOLDER TARGET: install the wheel with experiments, clusters, data sets and the web page.
set -eu
python3 -m venv "$2"
"$2/bin/pip" --disable-pip-version-check install --no-cache-dir "$(echo "$1"/sudokulab-*.whl)[dask,data,lab,web,zstd]"

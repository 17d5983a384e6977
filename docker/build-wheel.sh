#!/bin/sh
# build-wheel.sh SOURCE FOLDER: build the wheel from a clone. Needs Python with pip, and g++.
set -eu
python3 -m pip --disable-pip-version-check wheel --no-deps --wheel-dir "$2" "$1"

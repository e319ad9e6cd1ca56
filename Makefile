# Two commands: `make up` installs holdfast and runs it; `make test` sets up what the tests need and passes them.
.PHONY: help up test tools check unit coverage bench docs site picture dist pins room released clean
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
QUIET := --quiet --disable-pip-version-check
# Tests often wait for processes, so there are more workers than cores. A file's tests stay with one worker.
CORES := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
WORKERS ?= $(shell expr $(CORES) + $(CORES) / 2 + $(CORES) % 2)
# In the order of the folders: the quick unit tests come last and fill what is left over.
PARALLEL = --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder
# Compiling the tests takes each worker seconds: the result is kept, even where the environment says that nothing is.
KEPT = env -u PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX=$(CURDIR)/$(VENV)/bytecode
# Pinned versions. `make CONSTRAINTS=` installs the newest that pyproject.toml allows.
CONSTRAINTS ?= constraints.txt
PINNED = $(if $(CONSTRAINTS),--constraint $(CONSTRAINTS))

help:   ## this list
	@awk -F ' *## ' '/^[a-z]+:.*## / { sub(/:.*/, "", $$1); printf "make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(VENV)/installed: pyproject.toml $(CONSTRAINTS)
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("holdfast needs Python 3.11 or newer; $(PYTHON) is %d.%d. Name a newer one: make up PYTHON=python3.12" % sys.version_info[:2])'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install $(QUIET) --upgrade "pip>=25.1"
	$(BIN)/python -m pip install $(QUIET) $(PINNED) --editable ".[postgres]"
	@touch $@

$(VENV)/tested: $(VENV)/installed
	$(BIN)/python -m pip install $(QUIET) $(PINNED) --editable ".[postgres,model]" --group dev
	@touch $@

up: $(VENV)/installed   ## install the hooks, start the daemon, prove that it works
	$(BIN)/holdfast up --yes

tools: $(VENV)/tested
	@sh tests/tools.sh

check: $(VENV)/tested   ## formatting, lint, types
	$(BIN)/ruff format --check src tests bench docs
	$(BIN)/ruff check src tests bench docs
	$(BIN)/mypy
	$(BIN)/mypy --platform darwin --cache-dir .mypy_cache/darwin src

# A test that failed beside others runs again alone, and must pass there. The last lines name every such test.
test: check tools   ## everything: real stores, real client, real terminal
	$(KEPT) $(BIN)/python -m pytest $(PARALLEL) || $(BIN)/python -m tests.support.again

# These tests wait for nothing, so a worker more than cores would only load everything once more.
unit: $(VENV)/tested    ## the quick part: no process, no server, no client
	$(KEPT) $(BIN)/python -m pytest $(PARALLEL) --numprocesses $(CORES) tests/unit tests/test_*.py

coverage: $(VENV)/tested ## which lines the tests in this process run: a summary here, the lines in htmlcov/
	$(BIN)/python -m pytest $(PARALLEL) --cov --cov-report=term:skip-covered --cov-report=html \
	    tests/unit tests/processes tests/contract tests/conversations

bench: $(VENV)/tested   ## the figures of docs/figures.md
	$(BIN)/python -m bench

docs: $(VENV)/installed ## the generated pages of docs/reference, when the program could start
	$(BIN)/python -m holdfast.daemon.rehearsal
	$(BIN)/python -m holdfast.doors.cli.reference

site: $(VENV)/tested    ## the documentation as a site, in site/
	$(BIN)/mkdocs build --quiet

picture: $(VENV)/tested ## docs/picture.svg, from a session of the real client
	$(BIN)/python -m docs.picture

dist: $(VENV)/tested    ## wheel and sdist, in dist/
	$(BIN)/python -m hatchling build --directory dist

pins: $(VENV)/tested    ## write constraints.txt anew, from what is installed
	{ sed -n '/^#/p' constraints.txt; $(BIN)/python -m pip freeze --exclude-editable; } > constraints.new
	mv constraints.new constraints.txt

room: $(VENV)/tested    ## write a small whole room to begin with: make room NAME=recipes
	@$(BIN)/python -m tests.support.new_room "$(NAME)"

released: $(VENV)/tested ## write down the migrations of the version that is about to be tagged
	$(BIN)/python -m tests.support.released

clean:  ## remove everything that make and the tests made
	rm -rf $(VENV) .cache .mypy_cache .ruff_cache .pytest_cache .coverage htmlcov dist site

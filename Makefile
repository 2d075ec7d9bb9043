# Boardgate. Two commands matter to a newcomer: make serve, make test.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: install serve test lint bench nightly demo image clean help

help:
	@echo "make install   create $(VENV) with everything in it (every other target does it first)"
	@echo "make serve     start the server on SQLite with house bots"
	@echo "make test      lint, types, import contracts, all tests   (PYTHON=python3.13 for another Python)"
	@echo "make bench     measure this machine"
	@echo "make nightly   the long fuzzing profile"

# The stamp names the interpreter: another PYTHON makes a new environment.
STAMP := $(VENV)/.installed-$(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')

install: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	@rm -f $(VENV)/.installed-*
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	@touch $@

serve: install
	$(BIN)/boardgate serve

lint: install
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/python -m pytest

bench: install
	$(BIN)/python -m tests.bench

nightly: install
	HYPOTHESIS_PROFILE=nightly $(BIN)/python -m pytest -m "nightly or not nightly"

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

# Boardgate. Two commands matter to a newcomer: make serve, make test.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# How many tests run at once, one more than there are cores, for many wait; 0: one after the other, in this process.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
# Python keeps what it has compiled: a test that starts a server takes a third of the time.
unexport PYTHONDONTWRITEBYTECODE
# Lint runs beside the tests.
MAKEFLAGS += --jobs=2

.PHONY: help install serve demo test all-tests test-peers quick quick-tests lint bench image nightly audit sbom clean

help:
	@echo "make serve     install what running needs into $(VENV), and start the server on SQLite with house bots"
	@echo "make demo      two bots play a game on a private server; prints where to watch"
	@echo "make install   add the developers' packages to $(VENV) (make test and the others below do it first)"
	@echo "make test      lint, types, import contracts, and every test that needs nothing but Python: nine minutes on two cores"
	@echo "make lint      style, types, import contracts"
	@echo "make test-peers  the tests that talk to programs of others: engines, GUIs, PostgreSQL, containers"
	@echo "make quick     lint, types, and the tests nearest to what has changed: under 40 seconds on two cores"
	@echo "make bench     measure this machine"
	@echo "make image     build the images of docker-compose.yml"
	@echo "make nightly   millions of random conversations, and games against other programs' rules: thirteen hours on two cores"
	@echo "make audit     compare what is installed with known advisories, where their database can be reached"
	@echo "make sbom      write build/boardgate.cdx.json, a bill of materials; SBOM_OF=PYTHON looks at that one's packages"
	@echo "another Python beside this one: make test PYTHON=python3.13 VENV=.venv-3.13"

# A stamp names the interpreter: another PYTHON makes the environment anew, a changed pyproject.toml only installs.
RUNNING := $(VENV)/.installed-$(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')
DEVELOPING := $(RUNNING)-dev
INSTALL := $(BIN)/python -m pip --disable-pip-version-check install --constraint constraints.txt --editable

install: $(DEVELOPING)

$(RUNNING): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Boardgate needs Python 3.11 or later; $(PYTHON) is %d.%d. Name another one: make PYTHON=python3.11" % sys.version_info[:2])'
	@echo "Installing into $(VENV): half a minute, once."
	@test -e $@ || $(PYTHON) -m venv --clear $(VENV)
	$(INSTALL) '.[terminal]'
	@touch $@

$(DEVELOPING): $(RUNNING)
	@echo "Installing the developers' packages into $(VENV)."
	$(INSTALL) '.[dev]'
	@touch $@

serve: $(RUNNING)
	$(BIN)/boardgate serve

demo: $(RUNNING)
	BOARDGATE=$(BIN)/boardgate deploy/demo

lint: install
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

PYTEST := $(BIN)/python -m pytest --numprocesses $(WORKERS) --maxprocesses 4 --dist loadscope --no-loadscope-reorder

test: all-tests lint

all-tests: install
	$(PYTEST) -m "not peers and not nightly"

# With BOARDGATE_REQUIRE_PEERS=1 a program that is missing fails its tests instead of skipping them.
test-peers: install
	$(PYTEST) -m "peers and not nightly"

quick: quick-tests lint

quick-tests: install
	$(BIN)/python -m pytest -p tests.changed -m "not peers and not nightly" $$($(BIN)/python -m tests.changed)

bench: install
	$(BIN)/boardgate bench --database sqlite --database postgresql

image:
	COMMIT=$$(git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null) docker-compose build

nightly: install
	$(INSTALL) '.[nightly]'
	HYPOTHESIS_PROFILE=nightly $(BIN)/python -m pytest -vv -m "nightly or nightly_too or hypothesis" --durations 20 \
		--override-ini faulthandler_timeout=0 --numprocesses $(WORKERS) --maxprocesses 4 --dist worksteal

audit: install
	$(BIN)/python deploy/audit.py

# Of another environment than this one, such as the image's: make sbom SBOM_OF=/opt/boardgate/bin/python
SBOM_OF ?= $(BIN)/python

sbom: install
	mkdir -p build
	$(BIN)/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible --output-file build/boardgate.cdx.json $(SBOM_OF)
	@$(BIN)/python -c 'import json, pathlib; from protocols.core.release import VERSION; bill = pathlib.Path("build/boardgate.cdx.json"); said = json.loads(bill.read_text()); said["metadata"]["component"]["version"] = VERSION; bill.write_text(json.dumps(said, indent=2))'

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

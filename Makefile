# `make run` and `make test` need Python 3.11 or newer and make, nothing else.

PYTHON ?= python3
BIN := .venv/bin
PYTEST_WORKERS ?= 3

.PHONY: run test mutants agree drill bench audit-dependencies setup setup-tests lint types layers clean

run: setup
	@$(BIN)/python -m compliance.config.run.launcher

# Types are checked beside the tests, which leave a core idle now and then, and reported after them.
test: setup-tests lint layers
	@$(BIN)/python -m tests.chromium
	@mkdir -p .data
	@$(BIN)/mypy > .data/types.txt 2>&1 & types=$$!; trap "kill $$types 2>/dev/null" INT TERM; \
	$(BIN)/pytest -n $(PYTEST_WORKERS) --dist worksteal; tests=$$?; \
	wait $$types; types=$$?; echo "Types:"; cat .data/types.txt; exit $$((tests || types))

# Changes every value of every rule pack; a golden or violation case, a house edge or validation must notice each change.
mutants: setup-tests
	@$(BIN)/python -m tests.mutants $(PACKS)

# Random acts in every rule set: what the pre-check predicts must be what the audit finds. Sizes: EXAMPLES=50 STEPS=20
agree: export EXAMPLES ?= 30
agree: export STEPS ?= 20
agree: setup-tests
	@$(BIN)/pytest tests/agreement -n 0

drill: setup-tests
	@$(BIN)/python -m tests.drills

drill-%: setup-tests
	@$(BIN)/python -m tests.drills $*

# Sizes by variable: make bench WAGERS=5000000 GROWTH=20000000 ROUNDS=1000000; some subjects only: SUBJECTS=audit
bench: setup-tests
	@$(BIN)/python -m tests.bench $(SUBJECTS)

# Known vulnerabilities of what is pinned, from the published advisories; needs the network, so not part of `test`.
audit-dependencies: .venv/installed-for-audit
	.venv/audit/bin/pip-audit --requirement requirements.txt --no-deps --disable-pip --progress-spinner off

.venv/installed-for-audit: | .venv/bin/python
	@$(PYTHON) -m venv .venv/audit
	@.venv/audit/bin/python -m pip install --quiet --disable-pip-version-check pip-audit==2.10.1
	@touch $@

setup: .venv/installed

setup-tests: .venv/installed-for-tests

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Fairthrow needs Python 3.11 or newer; $(PYTHON) is `$(PYTHON) --version 2>&1`."; \
		echo "Install one, or name it: make run PYTHON=/path/to/python3.12"; exit 1; }
	@$(PYTHON) -m venv .venv || { rm -rf .venv; \
		echo "Python could not make a virtual environment. On Debian and Ubuntu: apt-get install python3-venv"; exit 1; }

.venv/installed: requirements.txt | .venv/bin/python
	@echo "Installing what Fairthrow needs into .venv (once) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -r requirements.txt
	@touch $@

.venv/installed-for-tests: tests/requirements.txt .venv/installed
	@echo "Installing what the tests need into .venv (once) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -r tests/requirements.txt
	@touch $@

lint: setup-tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup-tests
	$(BIN)/mypy

layers: setup-tests
	$(BIN)/lint-imports

clean:
	rm -rf .venv .data .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

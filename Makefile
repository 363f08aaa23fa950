# Set-up and everyday commands. `make try` and `make test` need only make and Python 3.11 or newer.

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
SAMPLE ?= sample_sessions/bspline_clamping.json

.DEFAULT_GOAL := help
.PHONY: help try test quick thorough check golden site bench clean

help: ## Show this list
	@sed -n 's/^\([a-z]*\):.*## /\1|/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "make %-8s %s\n", $$1, $$2 }'

try: $(VENV)/.stamp-program ## Set up, then print the post-mortem of a sample session
	@$(BIN)/analyze-session $(SAMPLE)

test: $(VENV)/.stamp-developer ## Set up, then run all tests
	$(BIN)/python -m pytest $(PYTEST_ARGS)

quick: $(VENV)/.stamp-developer ## Set up, then run the tests that take no long time: all but those in a browser, of the wheel, and slow ones
	$(BIN)/python -m pytest -m 'not browser and not wheel and not slow' $(PYTEST_ARGS)

thorough: $(VENV)/.stamp-developer ## Run the tests that generate or sample their cases, with many more of them
	HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest -m '(hypothesis or sampled) and not browser' --timeout 900 $(PYTEST_ARGS)

check: $(VENV)/.stamp-developer ## Lint, types, layers, budget
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python benchmarks/budget.py

site: $(VENV)/.stamp-developer ## Build the documentation as a site, in site/
	$(BIN)/mkdocs build --quiet

golden: $(VENV)/.stamp-developer ## Write what the program prints now into the golden files; read the diff before you commit it
	$(BIN)/python -m pytest -p no:randomly -m golden --update-golden $(PYTEST_ARGS)

bench: $(VENV)/.stamp-developer ## Run the benchmarks
	@for file in benchmarks/*.py; do echo "== $$file"; $(BIN)/python "$$file" || exit 1; done

clean: ## Remove what was set up, built or cached
	rm -rf $(VENV) .venv-ci build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps are older than pyproject.toml when the dependencies may have changed.

$(VENV)/.stamp-environment:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; $(PYTHON) is $$($(PYTHON) --version 2>&1). Name another one: make PYTHON=python3.12" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.stamp-program: pyproject.toml | $(VENV)/.stamp-environment
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.stamp-developer: pyproject.toml | $(VENV)/.stamp-environment
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@ $(VENV)/.stamp-program

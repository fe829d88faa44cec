# Both `make demo` and `make test` set up all they need from nothing but Python 3.11 or newer.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test check bench clean

demo: $(READY)
	$(BIN)/kinegraph demo -o demo

test: check
	$(BIN)/python -m pytest -n auto

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

bench: $(READY)
	$(BIN)/python benchmarks/reading.py

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("kinegraph needs Python 3.11 or newer, this is " + sys.version.split()[0] + "; say make PYTHON=python3.11" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(READY)

clean:
	rm -rf $(VENV) demo

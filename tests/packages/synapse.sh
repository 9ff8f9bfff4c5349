#!/usr/bin/env bash
# What packaging/compose/synapse.yaml puts together, without containers: a real Synapse with its own generated settings and ours over
# them, on a real PostgreSQL, and the service in production, which reaches that by its socket. Run it through scripts/test-packages.
set -euo pipefail
cd "$(dirname "$0")/../.."
program="$1"
compose=packaging/compose/synapse
work=$(mktemp -d)
started=()
stop() {
    for process in "${started[@]}"; do
        kill "$process" 2>/dev/null && wait "$process" || true
    done
    rm -rf "$work"
}
trap stop EXIT

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
ask_database() { "$TOUCHLINE_TEST_PG_BIN/psql" -Atq "$TOUCHLINE_TEST_DATABASE_URL" "$@"; }
wait_for() { # what, process, command
    for _ in $(seq 300); do
        "${@:3}" >/dev/null 2>&1 && return
        kill -0 "$2" || break
        sleep 0.2
    done
    echo "$1 did not become ready:" >&2
    tail -n 5 "$work/$1.log" >&2
    exit 1
}

homeserver=$(free_port) service=$(free_port)
"$TOUCHLINE_TEST_SYNAPSE" -c 'import psycopg2' 2>/dev/null || "$TOUCHLINE_TEST_SYNAPSE" -m pip install --quiet psycopg2-binary
database=$(ask_database -c 'SHOW port') sockets=$(ask_database -c 'SHOW unix_socket_directories')
ask_database -c 'CREATE DATABASE touchline'
# As the whole server of the compose file is made.
sed "s/;/ TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C';/" "$compose/database.sql" | ask_database -f - >/dev/null
# Its log goes to where it is when it writes its settings.
(cd "$work" && "$TOUCHLINE_TEST_SYNAPSE" -m synapse.app.homeserver --server-name example.org --report-stats no --config-path homeserver.yaml \
    --config-directory "$work" --data-directory "$work" --generate-config --open-private-ports >generate.log 2>&1)
sed -i "s/port: 8008/port: $homeserver/" "$work/homeserver.yaml"
sed "s#/registration/#$work/#; s#host: /var/run/postgresql#host: $sockets, port: $database#" "$compose/homeserver.yaml" >"$work/ours.yaml"

synapse=$TOUCHLINE_TEST_SYNAPSE
# The program refuses variables that it does not know.
unset TOUCHLINE_TEST_DATABASE_URL TOUCHLINE_TEST_PG_BIN TOUCHLINE_TEST_SYNAPSE TOUCHLINE_CACHE
export TOUCHLINE_ENVIRONMENT=production TOUCHLINE_DATA_DIR="$work/data" TOUCHLINE_LISTEN="127.0.0.1:$service" TOUCHLINE_METRICS_LISTEN=
export TOUCHLINE_SECRET_KEY=a-key-of-this-test-and-of-no-other TOUCHLINE_SMS__PROVIDERS=http TOUCHLINE_SMS__HTTP__URL=http://127.0.0.1:9/
export TOUCHLINE_DATABASE_URL="postgres://touchline@${sockets//\//%2F}:$database/touchline"
export TOUCHLINE_MATRIX__SERVER_NAME=example.org TOUCHLINE_MATRIX__HOMESERVER_URL="http://127.0.0.1:$homeserver"
export TOUCHLINE_MATRIX__APPSERVICE_URL="http://127.0.0.1:$service"
"$program" matrix-registration --to "$work/touchline.yaml"
"$synapse" -m synapse.app.homeserver --config-path="$work/homeserver.yaml" --config-path="$work/ours.yaml" >"$work/synapse.log" 2>&1 &
started+=($!)
wait_for synapse $! curl -fsS "http://127.0.0.1:$homeserver/health"
"$program" serve >"$work/service.log" 2>&1 &
started+=($!)
wait_for service $! "$program" health
"$program" doctor

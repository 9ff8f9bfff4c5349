#!/usr/bin/env bash
# Proves the homeserver against real clients and against Synapse. Sets up everything it needs under
# .cache/ (not in git), uses loopback only, ends what it starts.
#
#   run.sh [differential] [nio] [js] [rust] [sign_in] [crash] [load]     default: all but load
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../../.." && pwd)"
cache="${HOMESERVER_CACHE:-$root/.cache}"
export HOMESERVER_CACHE="$cache"
mkdir -p "$cache"
proofs=("$@")
[ ${#proofs[@]} -gt 0 ] || proofs=(differential nio js rust sign_in crash)

python() { TOUCHLINE_CACHE="$cache" "$root/scripts/python-packages" "$@"; }

build() { "$root/scripts/build-program"; }

failed=()
for proof in "${proofs[@]}"; do
  echo "== $proof"
  case "$proof" in
    differential) build; python synapse matrix-synapse==1.163.2 >/dev/null; run=(python3 "$here/differential.py") ;;
    nio) build; run=("$(python nio 'matrix-nio[e2e]==0.26.0')" "$here/nio_proof.py") ;;
    js)
      build
      # The newest that runs on Node 20.
      [ -d "$cache/js/node_modules/matrix-js-sdk" ] \
        || npm install --silent --no-audit --no-fund --prefix "$cache/js" matrix-js-sdk@37.5.0
      run=(python3 "$here/js_proof.py") ;;
    rust)
      build
      (cd "$here/rust" && CARGO_TARGET_DIR="$cache/rust-target" cargo build --quiet --locked)
      run=(python3 "$here/rust_proof.py") ;;
    sign_in)
      build
      [ -d "$cache/js/node_modules/matrix-js-sdk" ] \
        || npm install --silent --no-audit --no-fund --prefix "$cache/js" matrix-js-sdk@37.5.0
      run=("$(python nio 'matrix-nio[e2e]==0.26.0')" "$here/sign_in_proof.py") ;;
    crash) build; run=(python3 "$here/crash.py") ;;
    load) (cd "$root" && cargo build --quiet --release -p touchline-homeserver --example serve); export HOMESERVER_PROFILE=release; run=(python3 "$here/load.py") ;;
    *) echo "unknown proof: $proof" >&2; exit 2 ;;
  esac
  timeout 300 "${run[@]}" > "$cache/$proof.log" 2>&1 && ok=1 || ok=0
  grep -E "^(differential|matrix-|crash|load)" "$cache/$proof.log" || true
  if [ $ok = 0 ]; then failed+=("$proof"); tail -20 "$cache/$proof.log"; fi
done
if [ ${#failed[@]} -gt 0 ]; then echo "failed: ${failed[*]}"; exit 1; fi
echo "all proofs hold: ${proofs[*]}"

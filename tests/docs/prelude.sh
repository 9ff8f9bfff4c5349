# Read by bash before a page's blocks; `field` from docs/api.md and the statuses that the page expects stand above.
set -euo pipefail
shopt -s inherit_errexit
unset BASH_ENV
trap 'echo "line $LINENO failed: $BASH_COMMAND" >&2' ERR

# Fails unless the answer is a success, or has the status that the page's comment says.
curl() {
    local line=${BASH_LINENO[0]} endless="" head body status
    head=$(mktemp -p "$ANSWERS" head.XXXXXX) body=$(mktemp -p "$ANSWERS" "$line.XXXXXX")
    [[ " $* " == *" -sN "* ]] && endless=yes
    if [ "$endless" ]; then
        # An answer without an end is read until its first event; then curl finds nobody who listens.
        command curl -D "$head" "$@" 2>/dev/null | sed '/^data:/q' | tee "$body" || true
    else
        command curl -sS --max-time 30 -D "$head" "$@" | tee "$body"
    fi
    status=$(awk '/^HTTP\// { status = $2 } END { print status }' "$head")
    if [[ $status != ${expected[line]:-2??} ]]; then
        echo "line $line: answered $status and not ${expected[line]:-2xx}: $(cat "$body")" >&2
        return 22
    fi
}

#!/usr/bin/env bash
# Runs a command that finds things, with annotations and, if asked for, SARIF.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

read_args
find_project
case "${INPUT_COMMAND:-}" in
check) command=(cybindgo check --config "$directory/cybindgo.yaml") ;;
verify)
    # Without a path, all that the project holds.
    command=(cybindgo verify)
    path=$directory
    for arg in ${args[@]+"${args[@]}"}; do
        case "$arg" in -*) ;; *) path='' ;; esac
    done
    [ -z "$path" ] || args+=("$path")
    ;;
*) fail "command: expected check, verify or update, and not '${INPUT_COMMAND:-}'" ;;
esac

code=0
"${command[@]}" --format github ${args[@]+"${args[@]}"} || code=$?
if [ -n "${INPUT_SARIF:-}" ] && [ "$code" -le 1 ]; then
    mkdir -p "$(dirname "$INPUT_SARIF")"
    "${command[@]}" --format sarif ${args[@]+"${args[@]}"} >"$INPUT_SARIF" || [ $? -eq 1 ]
fi
output exit-code "$code"
exit "$code"

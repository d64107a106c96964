#!/usr/bin/env bash
# Puts cybindgo on the path of the steps that follow: from the package index, from
# the action's own source, or none where it is installed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/common.sh"

target=$RUNNER_TEMP/cybindgo
case "${INPUT_VERSION:-}" in
installed)
    command -v cybindgo >/dev/null || fail "version: installed, but there is no cybindgo on the path"
    ;;
"")
    # A tag says which version this is; anything else has a commit at most.
    version='' commit=''
    case "${ACTION_REF:-}" in
    v[0-9]*.[0-9]*) [[ $ACTION_REF =~ ^v[0-9A-Za-z.-]+$ ]] && version=${ACTION_REF#v} ;;
    *) [[ ${ACTION_REF:-} =~ ^[0-9a-f]{40}$ ]] && commit=$ACTION_REF ;;
    esac
    mkdir -p "$target"
    settings=github.com/cybindgo/cybindgo/internal/cli
    (cd "$here/.." && CGO_ENABLED=0 go build -trimpath -buildvcs=false \
        -ldflags "-X $settings.version=$version -X $settings.commit=$commit" -o "$target/" ./cmd/cybindgo)
    echo "$target" >>"$GITHUB_PATH"
    ;;
*)
    [[ $INPUT_VERSION =~ ^v?[0-9][0-9A-Za-z.]*$ ]] || fail "version: expected one such as 1.2.0, 'installed' or nothing, and not '$INPUT_VERSION'"
    python=$(command -v python3 || command -v python) || fail "version: there is no Python to install cybindgo with"
    "$python" -m venv "$target"
    scripts=$target/bin
    [ -d "$scripts" ] || scripts=$target/Scripts
    "$scripts/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: "cybindgo==${INPUT_VERSION#v}"
    echo "$scripts" >>"$GITHUB_PATH"
    ;;
esac

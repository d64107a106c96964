#!/usr/bin/env bash
# Runs `cybindgo update` on the newest commit of a branch, and keeps one pull
# request with what comes out. Run again, it updates branch and pull request, or
# leaves them alone where nothing is new. A branch that somebody else has worked on
# is never overwritten.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# fetch WHAT COMMITS: gets so many commits, or all where all are here already.
fetch() {
    local depth=()
    [ "$(git rev-parse --is-shallow-repository)" = false ] || depth=(--depth="$2")
    git fetch --quiet --no-tags ${depth[@]+"${depth[@]}"} origin "$1"
}

# Ours is a commit that has the tree that it says it has.
ours() {
    [ "$(git log -1 --format='%(trailers:key=Cybindgo-Update,valueonly,separator=%x2C)' "$1")" = "$(git rev-parse "$1^{tree}")" ]
}

# patch ARGUMENTS: a name for what changes from one tree to another.
patch() {
    git diff "$@" | git patch-id --stable | cut -d' ' -f1
}

# pulls STATE FILTER: the number of the first pull request of the branch. One of a
# fork may have the same branch name, and is none of ours.
pulls() {
    gh pr list --head "$branch" --base "$base" --state "$1" --json number,headRefOid,isCrossRepository \
        --jq "map(select((.isCrossRepository | not) $2)) | .[0].number // empty"
}

# All of it is read before any of it is run: checking out another commit may replace
# this very file.
main() {
    read_args
    find_project
    branch=${INPUT_BRANCH:-cybindgo/update}
    base=${INPUT_BASE:-$(git symbolic-ref --quiet --short HEAD || true)}
    [ -n "$base" ] || fail "base: no branch is checked out; expected the one to update"
    for name in "$base" "$branch"; do
        git check-ref-format --branch "$name" >/dev/null 2>&1 || fail "base, branch: '$name' is no name of a branch"
    done
    [ "$base" != "$branch" ] || fail "branch: expected another one than the base, $base"
    [ -z "$(git status --porcelain)" ] || fail "the work tree has changes already: commit or remove them before the update"

    # Where the base and the branch are now. The branch need not exist.
    fetch "refs/heads/$base" 1
    start=$(git rev-parse FETCH_HEAD)
    before=$(git ls-remote origin "refs/heads/$branch" | cut -f1)
    found=$(git rev-parse HEAD)
    checked_out=$(git symbolic-ref --quiet --short HEAD || echo "$found")
    git checkout --quiet --detach "$start"
    trap 'git checkout --quiet --force "$checked_out"' EXIT # it was clean before

    summary=$(mktemp)
    cybindgo update --no-progress --config "$directory/cybindgo.yaml" --summary "$summary" ${args[@]+"${args[@]}"}
    [ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$summary" >>"$GITHUB_STEP_SUMMARY"
    git add --all -- "$directory"
    if git diff --cached --quiet; then
        output changed false
        echo "Nothing to update."
        exit
    fi
    output changed true

    title=$(sed -n '1s/^# //p' "$summary")
    title=${title:-Update the bindings}
    tree=$(git write-tree)
    export GIT_AUTHOR_NAME=${GIT_AUTHOR_NAME:-github-actions[bot]} GIT_AUTHOR_EMAIL=${GIT_AUTHOR_EMAIL:-41898282+github-actions[bot]@users.noreply.github.com}
    export GIT_COMMITTER_NAME=${GIT_COMMITTER_NAME:-$GIT_AUTHOR_NAME} GIT_COMMITTER_EMAIL=${GIT_COMMITTER_EMAIL:-$GIT_AUTHOR_EMAIL}

    number=$(pulls open '')
    push=yes
    if [ -n "$before" ]; then
        fetch "$before" 2
        if ! ours "$before"; then
            echo "::warning title=cybindgo action::the branch $branch has work of somebody else and is left alone: merge or delete it"
            exit
        fi
        if [ "$(git rev-parse "$before^{tree}")" = "$tree" ] && [ "$(git rev-parse "$before^")" = "$start" ]; then
            push=no
        fi
        if [ -z "$number" ] && [ "$(patch "$before^" "$before")" = "$(patch --cached "$start")" ]; then
            closed=$(pulls closed "and .headRefOid == \"$before\"")
            if [ -n "$closed" ]; then
                echo "::notice title=cybindgo action::the same update was closed as pull request $closed: delete the branch $branch to have it again"
                exit
            fi
        fi
    fi
    if [ "$push" = yes ]; then
        git commit --quiet --no-verify -m "$title" -m "Cybindgo-Update: $tree"
        git push --quiet --force-with-lease="refs/heads/$branch:$before" origin "HEAD:refs/heads/$branch"
    fi

    if [ -n "$number" ]; then
        url=$(gh api --method PATCH "repos/{owner}/{repo}/pulls/$number" --raw-field "title=$title" --field "body=@$summary" --jq .html_url)
    else
        labels=()
        [ -z "${INPUT_LABELS:-}" ] || labels=(--label "$INPUT_LABELS")
        url=$(gh pr create --head "$branch" --base "$base" --title "$title" --body-file "$summary" ${labels[@]+"${labels[@]}"} | tail -n 1)
    fi
    output pull-request "$url"
    echo "$url"
}

main
exit

# shellcheck shell=bash
# What the action's scripts share. They run in the root of the repository that
# was checked out, and get the action's inputs in the environment: none of them
# is ever a part of a script's text.

# fail MESSAGE: ends the step as a command of cybindgo ends that could not run.
fail() {
    echo "::error title=cybindgo action::$1"
    exit 2
}

# output NAME VALUE: sets an output of the step.
output() {
    printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"
}

# read_args: sets args to the lines of INPUT_ARGS.
read_args() {
    args=()
    local line
    while IFS= read -r line || [ -n "$line" ]; do
        line=${line%$'\r'}
        [ -z "$line" ] || args+=("$line")
    done <<<"${INPUT_ARGS:-}"
}

# find_project: sets directory to the project's folder, without a slash behind it.
# The program is run from the root, so that the files it names are those that the
# forge knows.
find_project() {
    directory=${INPUT_DIRECTORY:-.}
    directory=${directory%/}
    case "/$directory/" in
    //* | */../*) fail "working-directory: expected a folder below the repository's root, and not '$directory'" ;;
    esac
    [ -d "$directory" ] || fail "working-directory: there is no folder '$directory'"
}

#!/bin/bash
# Warnings are errors for developers and CI, never for users: their compiler and
# their flags may warn of what ours do not.
set -euo pipefail

root=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "warnings test: $*" >&2; exit 1; }

# configure NAME FLAGS...: into $work/NAME.
configure() {
  local name=$1
  shift
  cmake -S "$root" -B "$work/$name" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@" \
    > "$work/$name.log" 2>&1 ||
    { cat "$work/$name.log"; fail "$name: cannot be configured"; }
}

user() {
  configure "$@"
  if grep -q -- -Werror "$work/$1/compile_commands.json"; then
    fail "$1: warnings are errors"
  fi
}

developer() {
  configure "$@"
  grep -q -- -Werror "$work/$1/compile_commands.json" ||
    fail "$1: warnings are no errors"
}

user plain
user release --preset release
user native --preset release -DCMAKE_CXX_FLAGS=-march=native
developer strict --preset strict
developer dev --preset dev
echo "ok"

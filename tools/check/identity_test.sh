#!/bin/bash
# What tools/cmake/write_identity.cmake finds in a repository, in an archive of
# it (also inside another repository), and without either; and that it leaves
# its output alone while nothing changes, but dates a build that has changes.
set -euo pipefail

root=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "identity test: $*" >&2; exit 1; }

# expect TREE COMMIT DATE
expect() {
  cmake -DSOURCE="$1" -DOUTPUT="$work/out.cc" \
    -P "$root/tools/cmake/write_identity.cmake" || fail "$1: the script failed"
  grep -qF "\"$2\", \"$3\", \"20" "$work/out.cc" ||
    fail "$1: expected $2, $3, found $(grep kBuild "$work/out.cc")"
}

export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a GIT_COMMITTER_NAME=a \
  GIT_COMMITTER_EMAIL=a GIT_COMMITTER_DATE="1700000000 +0300"
repo=$work/repo
mkdir -p "$repo/tools/cmake"
cp "$root/.gitattributes" "$repo"
cp "$root/tools/cmake/commit.txt" "$repo/tools/cmake"
expect "$repo" unknown unknown

git init -q "$repo"
git -C "$repo" add .
git -C "$repo" commit -qm one
commit=$(git -C "$repo" rev-parse HEAD)
date="2023-11-14 22:13:20"
expect "$repo" "$commit" "$date"
touch -d "2000-01-01" "$work/out.cc"
expect "$repo" "$commit" "$date"
[ "$(stat -c %Y "$work/out.cc")" -lt 1000000000 ] ||
  fail "the same text was written again"

mkdir -p "$repo/inside"
git -C "$repo" archive HEAD | tar -x -C "$repo/inside"
expect "$repo/inside" "$commit" "$date"
echo "# more" >> "$repo/.gitattributes"
expect "$repo" "$commit-modified" "$date"

# The date of the build: now, and anew only when a source of the library changes.
built() { sed -n 's/.*", "\([^"]*\)"};/\1/p' "$work/out.cc"; }
age=$(($(date +%s) - $(date -u -d "$(built)" +%s)))
[ "$age" -ge 0 ] && [ "$age" -lt 600 ] || fail "the build date is $(built)"
touch -d "2000-01-01" "$work/out.cc"
echo "# more" >> "$repo/.gitattributes"
expect "$repo" "$commit-modified" "$date"
[ "$(stat -c %Y "$work/out.cc")" -lt 1000000000 ] ||
  fail "written again for a file that is not in the library"
mkdir "$repo/db"
echo "// more" > "$repo/db/more.cc"
git -C "$repo" add db
expect "$repo" "$commit-modified" "$date"
[ "$(stat -c %Y "$work/out.cc")" -gt 1000000000 ] ||
  fail "not dated anew after a change of the library"
SOURCE_DATE_EPOCH=1700000001 expect "$repo" "$commit-modified" "$date"
[ "$(built)" = "2023-11-14 22:13:21" ] ||
  fail "SOURCE_DATE_EPOCH has no effect: $(built)"
echo "ok identity"

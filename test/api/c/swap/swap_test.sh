#!/bin/bash
# A C program built against the RocksDB that is installed runs with that
# library and, unchanged, with ours under the same soname.
#
#   swap_test.sh LIBRARY          (ends with 77 where no RocksDB is installed)
set -euo pipefail

ours=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! echo '#include <rocksdb/c.h>' | cc -E -x c - > /dev/null 2>&1 ||
   ! cc -O1 test/api/c/swap/program.c -o "$work/program" -lrocksdb \
      2> "$work/cc.log"; then
  echo "SKIPPED: no installed RocksDB to build the program against"
  exit 77
fi
soname=$(readelf -d "$work/program" | sed -n 's/.*NEEDED.*\[\(librocksdb[^]]*\)\]/\1/p')
[ -n "$soname" ] || { echo "the program needs no librocksdb"; exit 1; }
mkdir "$work/ours"
ln -s "$ours" "$work/ours/$soname"

peer() { "$work/program" "$@"; }
swapped() { env LD_LIBRARY_PATH="$work/ours" "$work/program" "$@"; }

loaded=$(LD_TRACE_LOADED_OBJECTS=1 LD_LIBRARY_PATH="$work/ours" \
  "$work/program")
[[ $loaded == *"$work/ours/$soname"* ]] ||
  { echo "ours is not loaded: $loaded"; exit 1; }
peer write "$work/peer_db" > "$work/peer_write"
swapped write "$work/our_db" > "$work/our_write"
diff "$work/peer_write" "$work/our_write"
# Across, and what the log still held is a table now.
swapped read "$work/peer_db" > "$work/our_read"
peer read "$work/our_db" > "$work/peer_read"
diff "$work/peer_read" "$work/our_read"
diff "$work/peer_write" "$work/peer_read"
grep -q 'kept: value of 8' "$work/our_read"
echo "ok with $soname"

#!/usr/bin/env bash
# One part of a test program's tests; prints only what failed.
#
#   [PART_SECONDS=S] GTEST_TOTAL_SHARDS=N tools/ci/shard.sh NUMBER PROGRAM
set -euo pipefail
seconds=${PART_SECONDS:-300}
code=0
output=$(GTEST_SHARD_INDEX=$1 timeout "$seconds" "$2" 2>&1) || code=$?
[ "$code" != 0 ] || exit 0
printf '%s\n' "$output" "failed: $2, part $1 of $GTEST_TOTAL_SHARDS"
[ "$code" != 124 ] || echo "not finished after $seconds seconds"
exit 1

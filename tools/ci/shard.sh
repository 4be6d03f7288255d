#!/usr/bin/env bash
# One part of a test program's tests; prints only what failed.
#
#   [PART_SECONDS=S] GTEST_TOTAL_SHARDS=N tools/ci/shard.sh NUMBER PROGRAM
set -euo pipefail
output=$(GTEST_SHARD_INDEX=$1 timeout "${PART_SECONDS:-300}" "$2" 2>&1) && exit
printf '%s\n' "$output" "failed: $2, part $1 of $GTEST_TOTAL_SHARDS"
exit 1

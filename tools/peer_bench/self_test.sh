#!/bin/bash
# peer_bench with the same library on both sides and little data: every workload
# runs and reads the same, and a wrong flag or library is refused.
#
#   self_test.sh PEER_BENCH LIBRARY
set -euo pipefail
bench=$1
library=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$bench" --ours "$library" --peer "$library" --db "$work/db" --num 3000 \
  --repeats 2 --json "$work/runs.json" --allocator none --write_rate 1000 \
  > "$work/table"
for workload in fillseq fillrandom overwrite fillbatch fillsync deleterandom \
    mergerandom updaterandom fillrandom-4k fillrandom-4t fillrandom-10t \
    fillrandom-4t-pipelined fillrandom-4t-unordered fillrandom-4t-two-queues \
    bulkload locks locks-4t two-phase two-phase-4t optimistic optimistic-4t \
    indexed-batch readrandom readmissing multireadrandom multiread-1 multiread-4 \
    multiread-16 multiread-64 seekrandom readseq readreverse readwhilewriting \
    readrandom-fresh readmissing-fresh seekrandom-fresh readrandom-hot \
    readrandom-runs multiread-4-runs seekrandom-runs; do
  grep -q "^| $workload " "$work/table" || { echo "no $workload"; exit 1; }
done
if grep -q DIFFERENT "$work/table"; then cat "$work/table"; exit 1; fi
grep -q '^writes: geometric mean' "$work/table"
grep -q '^reads: geometric mean' "$work/table"
[ ! -e "$work/db" ]
python3 - "$work/runs.json" <<'PYTHON'
import json, sys
runs = {c["workload"]: c for c in json.load(open(sys.argv[1]))}
assert len(runs) == 40, runs.keys()
assert all(len(c["ours"]) == 2 and len(c["peer"]) == 2 for c in runs.values())
assert runs["readseq"]["ours"][0]["ops"] == 3000, runs["readseq"]
PYTHON

if "$bench" --peer "$library" --nonsense 1 2> /dev/null; then exit 1; fi
if "$bench" --ours "$library" --peer /no/such.so --db "$work/db" --num 10 \
    --allocator none > /dev/null 2>&1; then exit 1; fi
echo ok

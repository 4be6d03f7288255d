#!/usr/bin/env python3
"""Side by side with a packaged RocksDB: same flags, same machine, same hour.

Runs alternate between the two db_bench programs, each on databases of its
own, and the medians are compared. Both get the same allocator.
"""

import argparse
import dataclasses
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import runs as runner

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEED = 20260101
KEYS = 2000000
COMPACT_KEYS = 4000000
QUICK = 10                  # --quick does this part of the work.
FREE_BYTES = 12e9
MEMORY_GUARD = 1.1
ALLOCATORS = ("/usr/lib/x86_64-linux-gnu/libjemalloc.so.2",
              "/usr/lib/aarch64-linux-gnu/libjemalloc.so.2")
RESULT = re.compile(r"^(\w+) +: +[\d.]+ micros/op (\d+) ops/sec "
                    r"([\d.]+) seconds", re.M)
CAVEAT = ("The packaged RocksDB carries assertions: these ratios guard against "
          "slowness, they do not tell who is faster.")


@dataclasses.dataclass
class Case:
    name: str
    guard: float            # Ours over the peer's, at least.
    database: str           # Cases that name the same share one, in order.
    fresh: bool = False
    flags: tuple = ()
    after: tuple = ()       # Benchmarks behind the measured one.
    load: tuple = ()        # Flags of a run before it, not measured.


LOAD_FLAGS = ("--benchmarks=fillrandom", "--value_size=400",
              "--disable_auto_compactions=true",
              "--level0_slowdown_writes_trigger=10000",
              "--level0_stop_writes_trigger=10000")

CASES = (
    Case("fillseq", 1.6, "ordered", fresh=True),
    Case("fillrandom", 1.6, "random", fresh=True,
         after=("waitforcompaction",)),
    Case("overwrite", 1.6, "random", after=("waitforcompaction",)),
    Case("readrandom", 1.25, "random"),
    Case("readmissing", 1.25, "random"),
    Case("seekrandom", 1.25, "random"),
    Case("readseq", 1.25, "random"),
    Case("compact", 1.0, "loaded", fresh=True, load=LOAD_FLAGS,
         flags=("--value_size=400", "--disable_auto_compactions=true")),
)


@dataclasses.dataclass
class Side:
    name: str
    program: str
    speeds: dict = dataclasses.field(default_factory=dict)
    memory: dict = dataclasses.field(default_factory=dict)


def case_keys(case, quick):
    keys = COMPACT_KEYS if case.load else KEYS
    return keys // QUICK if quick else keys


def common_flags(case, args):
    return [f"--num={case_keys(case, args.quick)}", "--key_size=16",
            "--value_size=100", "--compression_type=none", "--bloom_bits=10",
            "--cache_size=268435456", "--max_background_jobs=2",
            f"--seed={SEED}", "--progress_reports=false"]


def execute(command, allocator):
    """The output of a program and its peak memory in bytes."""
    env = dict(os.environ)
    if allocator:
        env["LD_PRELOAD"] = allocator
    with tempfile.TemporaryFile("w+", errors="replace") as out:
        child = subprocess.Popen(command, env=env, stdout=out, stderr=out)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read()
    if child.returncode:
        raise RuntimeError(f"{' '.join(command)}\nended with "
                           f"{child.returncode}:\n{text[-1500:]}")
    return text, usage.ru_maxrss * 1024


def speed_of(text, name):
    """Operations a second of benchmark `name`; for compact runs a second."""
    for found in RESULT.finditer(text):
        if found.group(1) == name:
            seconds = float(found.group(3))
            if name == "compact":
                return 1 / seconds if seconds > 0 else 0.0
            return float(found.group(2))
    raise RuntimeError(f"no result of {name} in:\n{text[-1500:]}")


def measure(side, case, args, parent):
    where = parent / side.name / case.database
    if case.fresh:
        shutil.rmtree(where, ignore_errors=True)
    where.mkdir(parents=True, exist_ok=True)
    base = [side.program, *common_flags(case, args), f"--db={where}"]
    if case.load:
        execute([*base, *case.load], args.allocator)
    keep = not case.fresh or bool(case.load)
    text, memory = execute(
        [*base, "--benchmarks=" + ",".join((case.name, *case.after)),
         f"--use_existing_db={'true' if keep else 'false'}", *case.flags],
        args.allocator)
    side.speeds.setdefault(case.name, []).append(speed_of(text, case.name))
    side.memory.setdefault(case.name, []).append(memory)


def needed(only):
    """The cases named, and those that fill the databases they read."""
    names = set(only.split(",")) if only else {case.name for case in CASES}
    unknown = names - {case.name for case in CASES}
    if unknown:
        sys.exit(f"no such workload: {', '.join(sorted(unknown))}")
    bases = {case.database for case in CASES if case.name in names}
    return [case for case in CASES if case.name in names
            or (case.fresh and case.database in bases)], names


@dataclasses.dataclass
class Verdict:
    name: str
    ours: float
    peer: float
    guard: float
    memory: float           # Ours over the peer's.

    @property
    def ratio(self):
        return self.ours / self.peer if self.peer > 0 else 0.0

    @property
    def missed(self):
        """The guards that were missed."""
        return ([] if self.ratio >= self.guard else ["speed"]) + (
            [] if self.memory <= MEMORY_GUARD else ["memory"])


def judge(ours, peer, names):
    for case in CASES:
        if case.name not in names:
            continue
        speeds = [statistics.median(side.speeds[case.name])
                  for side in (ours, peer)]
        memory = [statistics.median(side.memory[case.name])
                  for side in (ours, peer)]
        yield Verdict(case.name, *speeds, case.guard,
                      memory[0] / memory[1] if memory[1] else 0.0)


def speed_text(name, value):
    return f"{1 / value:.2f} s" if name == "compact" else f"{value:,.0f}/s"


def table(verdicts, markdown=False):
    rows = [["workload", "ours", "peer", "ratio", "guard", "memory", ""]]
    for v in verdicts:
        rows.append([v.name, speed_text(v.name, v.ours),
                     speed_text(v.name, v.peer), f"{v.ratio:.2f}x",
                     f">= {v.guard:g}x", f"{v.memory:.2f}x",
                     "MISSED: " + ", ".join(v.missed) if v.missed else "ok"])
    if markdown:
        rows.insert(1, ["---"] * len(rows[0]))
        return "\n".join("| " + " | ".join(row) + " |" for row in rows)
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join(c.ljust(w) if i == 0 else c.rjust(w)
                  for i, (c, w) in enumerate(zip(row, widths)))
        for row in rows)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", default=str(ROOT / "build/release/db_bench"))
    parser.add_argument("--peer", default="/usr/bin/db_bench",
                        help="of package rocksdb-tools")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--quick", action="store_true",
                        help="a tenth of the keys; guards are not enforced")
    parser.add_argument("--only", metavar="NAMES", help="fillseq,readrandom")
    parser.add_argument("--db", help="parent directory of the databases")
    parser.add_argument("--markdown", action="store_true")
    return parser.parse_args()


def ready(args):
    for program in (args.bench, args.peer):
        if not os.access(program, os.X_OK):
            print(f"{program} is missing", file=sys.stderr)
            return False
    if shutil.disk_usage(args.db).free < FREE_BYTES and not args.quick:
        print(f"{args.db} has less than {FREE_BYTES / 1e9:.0f} GB free",
              file=sys.stderr)
        return False
    args.allocator = next((p for p in ALLOCATORS if os.path.exists(p)), "")
    return True


def main():
    args = arguments()
    args.db = args.db or os.environ.get("TMPDIR") or "/var/tmp"
    if not ready(args):
        return 1
    cases, names = needed(args.only)
    ours, peer = Side("ours", args.bench), Side("peer", args.peer)
    print(f"{args.runs} alternating runs, allocator "
          f"{args.allocator or 'of the C library'}, load average "
          f"{os.getloadavg()[0]:.1f}", flush=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=args.db) as name:
        for run in range(args.runs):
            for case in cases:
                for side in (ours, peer) if run % 2 == 0 else (peer, ours):
                    measure(side, case, args, pathlib.Path(name))
                shown = "  ".join(f"{s.name} " + speed_text(
                    case.name, s.speeds[case.name][-1]) for s in (ours, peer))
                print(f"  {run + 1}/{args.runs}  {case.name:<12}{shown}",
                      flush=True)
    verdicts = list(judge(ours, peer, names))
    print("\n" + table(verdicts, args.markdown) + "\n\n" + CAVEAT)
    print(f"Guards: speed as shown, memory <= {MEMORY_GUARD}x the peer's peak.")
    missed = any(v.missed for v in verdicts)
    return runner.MISSED if missed and not args.quick else 0


if __name__ == "__main__":
    sys.exit(main())

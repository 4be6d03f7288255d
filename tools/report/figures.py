#!/usr/bin/env python3
"""Measures the sections of docs/benchmarks.md on one commit.

What a section's commands print stays in build/figures/COMMIT/SECTION.txt, with
the load of the machine before and after each. Sections run alone, one after the
other; those that wait for a slow disk come last, and several of them may run
--together. Sections that are there already are left out, so what one hour does
not measure, a later one does.

The tree must be clean: the figures name its commit.
"""

import argparse
import concurrent.futures
import pathlib
import subprocess
import sys
import time

import runs as runner

READS = ("readrandom,readmissing,multireadrandom,seekrandom,readseq,readreverse,"
         "readwhilewriting")
TRANSACTIONS = ("locks,locks-4t,two-phase,two-phase-4t,optimistic,"
                "optimistic-4t,indexed-batch")
PEER_BENCH = "tools/dev peer-bench --repeats 3 --num {} --workloads {}"
SIZES = (100, 512, 4096, 262144, 1048576)
# Instructions say what checks cost (it needs valgrind); times move with stalls.
FILL = ("rm -rf build/figures/db && valgrind --tool=callgrind"
        " --callgrind-out-file=/dev/null build/release/db_bench"
        " --db=build/figures/db --num=500000 --benchmarks=fillrandom,compact"
        " --value_size=100 --compression_type=none --write_buffer_size=8388608"
        " --options_string={} 2>&1 | grep -E '^(fillrandom|compact)|Collected'")
# Puts and reads of one thread with and without an I/O scheduler; the profile
# comes first, and the reads go to the disk.
IDLE = ("build/release/db_bench --db=build/figures/db --num=2000000"
        " --value_size=100 --compression_type=none --duration=8 {} {}"
        " | grep micros/op")
IDLE_PUTS = "--benchmarks=fillrandom"
IDLE_READS = ("--benchmarks=readrandom --use_existing_db --use_direct_reads"
              " --cache_size=8388608")
IDLE_PROFILE = "--io_profile=build/figures/disk.yaml"
# Puts with and without tuning, where nothing is short.
TUNED_PUTS = ("build/release/db_bench"
              " --db=build/figures/db --num=2000000 --value_size=100"
              " --compression_type=none --benchmarks=fillrandom"
              " --auto_tuned_compaction={} | grep micros/op"
              " && rm -rf build/figures/db")
# The capped sine on a modelled device; the sizes of the engine hold for what
# comes after it, too.
MODELLED = " ".join(["build/release/db_bench --db=build/figures/db",
                     *runner.eighth_flags(runner.Load(120)), *runner.ADAPTIVE,
                     "--device_write_mbps=60"])
REPAID_READS = (f"{MODELLED} --benchmarks=readrandom --use_existing_db"
                " --sine_write_rate=false --duration=40 --use_direct_reads"
                " --cache_size=8388608 2>/dev/null"
                " | grep -E 'micros/op|^Percentiles'")
# What compares and counts where nothing is wrong; all true by default.
CHECKS = ("paranoid_checks", "force_consistency_checks",
          "flush_verify_memtable_count", "compaction_verify_record_count",
          "verify_sst_unique_id_in_manifest")

SATURATE = "python3 tools/report/saturate.py --markdown"
CAPPED = "python3 tools/report/capped.py --markdown"
SUSTAINED = "python3 tools/report/maxsustained.py"
SCENARIOS = "python3 tools/report/scenarios.py --markdown --no-sim --only"
PAGE = "build/figures/{}.html"
CAPS = (45, 60, 90)
# Rows of saturate.py that the disk limits, and those that processors limit.
DISK_ROWS = ("64x2", "lz4", "8x6", "64x6", "35", "8_12", "64k", "16w", "2cf",
             "2db")
CPU_ROWS = ("100", "1k", "nocap")
HOLD_RATES = (10, 11.7, 13.5, 16, 17.6)

# By name, in the order in which they are measured: each alone.
SECTIONS = {
    "peer": [PEER_BENCH.format(2000000, f"fillseq,fillrandom,overwrite,{READS}")],
    "bench": ["tools/dev bench"],
    "checks": [*[FILL.format(",".join(f"{name}={value}" for name in CHECKS))
                 for value in ("true", "false") * 3],
               "rm -rf build/figures/db"],
    "idle_scheduler": [
        "build/release/iotune --dir=build/figures --seconds=20"
        " --out=build/figures/disk.yaml",
        *[f"rm -rf build/figures/db && {IDLE.format(IDLE_PUTS, profile)}"
          for profile in (IDLE_PROFILE, "") * 7],
        *[IDLE.format(IDLE_READS, profile)
          for profile in (IDLE_PROFILE, "") * 7],
        "rm -rf build/figures/db build/figures/disk.yaml"],
    "tuning_cost": [TUNED_PUTS.format(value)
                    for value in ("true", "false") * 11],
    "reads_repaid": [
        f"rm -rf build/figures/db && {MODELLED}"
        " --benchmarks=fillrandom,stats,waitforcompaction"
        " 2>/dev/null | grep -E 'micros/op|tick.micros'",
        REPAID_READS,
        f"{MODELLED} --benchmarks=compact --use_existing_db"
        " --sine_write_rate=false 2>/dev/null | grep micros/op",
        f"{REPAID_READS} && rm -rf build/figures/db"],
    "caches": ["tools/dev caches 5"],
    "scaling": ["tools/dev scaling 5"],
    "peer_small_cache": [PEER_BENCH.format(2000000, READS) +
                         " --cache_mb 24 --reads 1000000"],
    "peer_transactions": [PEER_BENCH.format(500000, TRANSACTIONS)],
    "partitioned": ["tools/dev partitioned --seconds 6 --markdown"],
    "concurrent": ["tools/dev concurrent"],
    "saturate_cpu": [f"{SATURATE} --engines adaptive --repeats 1 --rows {row}"
                     f" --page {PAGE.format('saturate_' + row)}"
                     for row in CPU_ROWS],
    "peer_large": [PEER_BENCH.format(20000000, READS) +
                   " --cache_mb 3072 --reads 1000000"],
    "peer_large_small_cache": [PEER_BENCH.format(20000000, READS) +
                               " --cache_mb 220 --reads 1000000"],
}

# What waits for a disk, each under a cap or on a model of its own: several of
# these may run at the same time.
ON_SLOW_DISKS = {
    **{f"capped_{cap}": [f"{CAPPED} --caps {cap} --variants adaptive"
                         " --repeats 3"] for cap in CAPS},
    **{f"saturate_{row}": [f"{SATURATE} --engines adaptive --repeats 3"
                           f" --rows {row}"
                           f" --page {PAGE.format('saturate_' + row)}"]
       for row in DISK_ROWS},
    **{f"saturate_long_{row}": [f"{SATURATE} --engines adaptive --repeats 1"
                                f" --seconds 600 --rows {row}"
                                f" --page {PAGE.format('long_' + row)}"]
       for row in ("8x6", "64x2")},
    "catch_up": [f"{SATURATE} --catch-up"
                 f" --page {PAGE.format('catch_up')}"],
    **{f"open_loop_{share}": [f"{SUSTAINED} --cap 45 --rate 19.3 --hold 600"
                              f" --shares {share} --no-peer"]
       for share in (0.95, 1.1)},
    **{f"sustained_{rate}": [f"{SUSTAINED} --cap 60 --each {rate} --hold 300"]
       for rate in HOLD_RATES},
    **{f"held_{share}": [f"{SUSTAINED} --cap 60 --rate 17.6 --hold 300"
                         f" --shares {share} --no-peer"]
       for share in (0.95, 1.1)},
    "sine": ["python3 tools/report/sine.py --markdown"
             f" --out {PAGE.format('sine')}"],
    # The picture of README.
    "sine_library": ["python3 tools/report/sine.py --library --markdown"
                     " --picture build/figures/sine.svg"
                     f" --out {PAGE.format('sine_library')}"],
    **{f"sine_{cap}": [f"{CAPPED} --caps {cap} --variants adaptive"
                       " --repeats 3"] for cap in (35, 40)},
    **{f"scenario_{name}": [f"{SCENARIOS} {name} --cap 45"
                            f" --out {PAGE.format('scenario_' + name)}"]
       for name in ("sine", "burst", "square", "idle")},
    **{f"variants_{cap}": [f"{CAPPED} --caps {cap}"
                           " --variants on,native,drain --repeats 1"]
       for cap in CAPS},
    **{f"size_{size}": [f"{CAPPED} --caps 60 --variants adaptive --repeats 1"
                        f" --value-size {size}"] for size in SIZES},
    **{f"static_{row}": [f"{SATURATE} --engines static,peer,peer11"
                         f" --rows {row}"
                         f" --page {PAGE.format('static_' + row)}"]
       for row in DISK_ROWS},
}


def git(*arguments):
    return subprocess.run(["git", *arguments], check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()


def load():
    return pathlib.Path("/proc/loadavg").read_text().split()[0]


def measure(name, commands, folder):
    """True, and the section's file is there, if every command measured."""
    target = folder / f"{name}.txt"
    unfinished = target.with_suffix(".unfinished")
    with unfinished.open("w") as out:
        for command in commands:
            begin = time.time()
            out.write(f"$ {command}\n# {time.strftime('%F %T')}, load "
                      f"{load()}\n")
            out.flush()
            done = subprocess.run(command, shell=True, stdout=out,
                                  stderr=subprocess.STDOUT, check=False)
            out.write(f"# {time.time() - begin:.0f} s, exit code "
                      f"{done.returncode}, load {load()}\n\n")
            if done.returncode not in (0, runner.MISSED):
                return False
    unfinished.rename(target)
    return True


def measure_all(names, args, folder):
    """Those that failed, one after the other or several together."""
    end = time.time() + args.minutes * 60

    def one(name):
        if (folder / f"{name}.txt").exists() or time.time() > end:
            return None
        print(f"{time.strftime('%T')} {name}", flush=True)
        commands = {**SECTIONS, **ON_SLOW_DISKS}[name]
        return None if measure(name, commands, folder) else name

    failed = [one(name) for name in names if name in SECTIONS]
    with concurrent.futures.ThreadPoolExecutor(args.together) as pool:
        failed += pool.map(one, [n for n in names if n in ON_SLOW_DISKS])
    return [name for name in failed if name]


def main():
    known = [*SECTIONS, *ON_SLOW_DISKS]
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="*", metavar="SECTION",
                        help="by default all: " + ", ".join(known))
    parser.add_argument("--together", type=int, default=1, metavar="N",
                        help="so many that wait for a slow disk at a time")
    parser.add_argument("--minutes", type=float, default=1e9,
                        help="begin no section after so many")
    args = parser.parse_args()
    unknown = [name for name in args.sections if name not in known]
    if unknown:
        parser.error(f"no section {', '.join(unknown)}")
    if git("status", "--porcelain", "--untracked-files=no"):
        sys.exit("figures: the tree has changes that no commit names")
    folder = pathlib.Path("build/figures") / git("rev-parse", "--short", "HEAD")
    folder.mkdir(parents=True, exist_ok=True)
    failed = measure_all(args.sections or known, args, folder)
    print(f"figures are in {folder}")
    if failed:
        sys.exit(f"figures: failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()

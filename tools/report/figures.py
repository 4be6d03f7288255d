#!/usr/bin/env python3
"""Measures the sections of docs/benchmarks.md on one commit.

Each section's commands run alone, one section after the other, and what they
print stays in build/figures/COMMIT/SECTION.txt, with the load of the machine
before and after it. Sections that are there already are left out, so what one
hour does not measure, a later one does.

The tree must be clean: the figures name its commit.
"""

import argparse
import pathlib
import subprocess
import sys
import time

import runs as runner

READS = ("readrandom,readmissing,multireadrandom,seekrandom,readseq,readreverse,"
         "readwhilewriting")
PEER_BENCH = "tools/dev peer-bench --repeats 5 --num {} --workloads {}"
SIZES = (100, 512, 4096, 262144, 1048576)
FILL = ("rm -rf build/figures/db && build/release/fillrandom"
        " --library=build/release/librocksdb.so --db=build/figures/db"
        " --duration=10 --num=4000000 --value_size=100"
        " --report_file=build/figures/fill.csv"
        " --options='create_if_missing=true;write_buffer_size=8388608;{}'"
        " | grep '^Cumulative writes'")
# What compares and counts where nothing is wrong; all true by default.
CHECKS = ("paranoid_checks", "force_consistency_checks",
          "flush_verify_memtable_count", "compaction_verify_record_count",
          "verify_sst_unique_id_in_manifest")

# By name, in the order in which they are measured.
SECTIONS = {
    "capped": ["tools/dev capped --caps 45,60,90 --together"
               " --variants adaptive --repeats 3"],
    "peer": [PEER_BENCH.format(2000000, f"fillseq,fillrandom,overwrite,{READS}")],
    "saturate": ["tools/dev saturate --together 3"],
    "bench": ["tools/dev bench"],
    "checks": ["tools/dev build release",
               *[FILL.format(";".join(f"{name}={value}" for name in CHECKS))
                 for value in ("true", "false") * 7],
               "rm -rf build/figures/db build/figures/fill.csv"],
    "sine": ["tools/dev sine"],
    "caches": ["tools/dev caches 5"],
    "scaling": ["tools/dev scaling 9"],
    "peer_small_cache": [PEER_BENCH.format(2000000, READS) +
                         " --cache_mb 24 --reads 1000000"],
    "variants": ["tools/dev capped --caps 45,60,90 --together"
                 " --variants on,native,drain --repeats 1"],
    "catch_up": ["tools/dev saturate --catch-up"],
    "sizes": [f"tools/dev capped --caps 60 --variants adaptive --repeats 3"
              f" --value-size {size}" for size in SIZES],
    "partitioned": ["tools/dev partitioned --seconds 6 --markdown"],
    "scenarios": ["tools/dev scenarios"],
    "concurrent": ["tools/dev concurrent"],
    "maxsustained": ["tools/report/maxsustained.py --cap 60 --each"
                     " 10,11.7,13.5,16,17.6 --hold 300 --together 5",
                     "tools/report/maxsustained.py --cap 60 --rate 17.6"
                     " --hold 300 --no-peer"],
    "open_loop": ["tools/report/maxsustained.py --cap 45 --rate 19.3"
                  " --hold 600 --shares 0.95 --no-peer"],
    "peer_large": [PEER_BENCH.format(20000000, READS) +
                   " --cache_mb 3072 --reads 1000000"],
    "peer_large_small_cache": [PEER_BENCH.format(20000000, READS) +
                               " --cache_mb 220 --reads 1000000"],
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


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="*", metavar="SECTION",
                        help="by default all: " + ", ".join(SECTIONS))
    parser.add_argument("--minutes", type=float, default=1e9,
                        help="begin no section after so many")
    args = parser.parse_args()
    unknown = [name for name in args.sections if name not in SECTIONS]
    if unknown:
        parser.error(f"no section {', '.join(unknown)}")
    if git("status", "--porcelain", "--untracked-files=no"):
        sys.exit("figures: the tree has changes that no commit names")
    folder = pathlib.Path("build/figures") / git("rev-parse", "--short", "HEAD")
    folder.mkdir(parents=True, exist_ok=True)
    end = time.time() + args.minutes * 60
    failed = []
    for name in args.sections or SECTIONS:
        if (folder / f"{name}.txt").exists() or time.time() > end:
            continue
        print(f"{time.strftime('%T')} {name}", flush=True)
        if not measure(name, SECTIONS[name], folder):
            failed.append(name)
    print(f"figures are in {folder}")
    if failed:
        sys.exit(f"figures: failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()

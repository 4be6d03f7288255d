#!/usr/bin/env python3
"""The main job: writes on a sine curve, four ways to compact, one page.

Runs db_bench once per variant, prints a table and writes sine.html. The
demonstration is the experiment at 1/8 scale on a modelled device; --full is
the experiment itself on the disk of --db.
"""

import argparse
import dataclasses
import functools
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import page
import table
import timeline

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEED = 20260101
LIMIT_BPS = 380000000       # Of the limited variants; 1/8 in the demonstration.
FULL_SECONDS = 350
FULL_FREE_BYTES = 80e9
DEMO_FREE_BYTES = 6e9
SETUP_SECONDS = 120         # More than this after the end: it hangs.


@dataclasses.dataclass
class Run:
    name: str
    flags: list
    command: list = None
    rows: list = dataclasses.field(default_factory=list)
    score: timeline.Score = dataclasses.field(default_factory=timeline.Score)
    load: str = ""          # The machine's load average when it began.
    error: str = ""


def variants(limit_bps):
    limited = ["-subcompactions=2", "-rate_limiter_auto_tuned=true",
               f"-rate_limiter_bytes_per_sec={limit_bps}"]
    return [
        Run("compaction on", []),
        Run("compaction off",
            ["-level0_slowdown_writes_trigger=10000",
             "-level0_stop_writes_trigger=10000",
             "-level0_file_num_compaction_trigger=10000",
             "-disable_auto_compactions=true"]),
        Run("native auto-tune", limited),
        Run("auto-tuned compaction",
            limited + ["-auto_tuned_compaction=true",
                       "--compaction_tuning=drain_switch"]),
    ]


def common_flags(seconds):
    """What both scales share."""
    return ["-benchmarks=fillrandom,stats", "-statistics",
            f"-duration={seconds}", "-enable_pipelined_write=true",
            "-compression_type=None", "-sine_write_rate=true",
            "-sine_c=4.71", "-stats_per_interval=1",
            "-stats_interval_seconds=5", "-max_write_buffer_number=6",
            "-max_background_flushes=4", "-max_background_compactions=2",
            "--histogram", f"--seed={SEED}"]


def full_flags():
    return common_flags(FULL_SECONDS) + [
        "-value_size=65536", "-sine_a=75000000", "-sine_b=0.017942857",
        "-sine_d=125000000"]


def demo_flags(seconds, cap_mbps):
    device = [f"--device_write_mbps={cap_mbps}"] if cap_mbps > 0 else []
    return common_flags(seconds) + [
        "-value_size=8192", "--num=1000000", "-sine_a=9375000",
        f"-sine_b={2 * math.pi / seconds:.9f}", "-sine_d=15625000",
        "--sine_write_rate_interval_milliseconds=1000",
        "--write_buffer_size=8388608", "--max_bytes_for_level_base=33554432",
        "--target_file_size_base=8388608",
        "--soft_pending_compaction_bytes_limit=8589934592",
        "--hard_pending_compaction_bytes_limit=17179869184",
        "--delayed_write_rate=1048576",
        "--use_direct_io_for_flush_and_compaction=true"] + device


def progress(number, run, seconds, path, final=False):
    """One line a variant: rewritten on a terminal, else printed at its end."""
    if not final and not sys.stdout.isatty():
        return
    rows = timeline.load(path) if path.exists() else []
    line = f"{number}  {run.name:<22}"
    if rows:
        last, score = rows[-1], timeline.score(rows)
        share = score.accepted_share
        line += (f" {min(last.t, seconds):4.0f}/{seconds} s"
                 f"  accepted {100 * share if share else 0:5.1f} %"
                 f"  L0 {last.l0_files or 0:3d}"
                 f"  stalled {score.stall_seconds:5.1f} s")
    if sys.stdout.isatty():
        print("\r\033[K" + line, end="\n" if final else "", flush=True)
    else:
        print(line, flush=True)


def execute(run, where, seconds, tick):
    """Runs db_bench with its files in `where` and scores what it wrote."""
    log_path = where / "log"
    run.load = f"{os.getloadavg()[0]:.1f}"
    deadline = time.monotonic() + seconds + SETUP_SECONDS
    with open(log_path, "w", encoding="utf-8") as log:
        child = subprocess.Popen(run.command, stdout=log, stderr=log)
        try:
            while child.poll() is None:
                if time.monotonic() > deadline:
                    run.error = f"still running {SETUP_SECONDS} s after its end"
                    break
                time.sleep(0.5)
                tick()
        finally:
            if child.poll() is None:
                child.kill()
            child.wait()
    text = log_path.read_text(encoding="utf-8", errors="replace")
    if child.returncode and not run.error:
        run.error = f"db_bench ended with {child.returncode}"
    if run.error:
        run.error += "; the end of its output:\n" + text[-1500:]
    read_back(run, where, seconds)


def read_back(run, where, seconds):
    path = where / "timeline"
    rows = timeline.load(path) if path.exists() else []
    run.rows = [row for row in rows if row.t <= seconds + 0.5]
    text = (where / "log").read_text(encoding="utf-8", errors="replace")
    run.score = timeline.score(run.rows, text)


def headline(runs):
    scored = sorted((r for r in runs if r.score.tracking_error is not None),
                    key=lambda r: r.score.tracking_error)
    if not scored:
        return "No variant could be scored"
    best = scored[0]
    name = best.name[0].upper() + best.name[1:]
    return (f"{name} follows the curve best: "
            f"{100 * best.score.tracking_error:.1f} % off, "
            f"{100 * best.score.accepted_share:.1f} % accepted")


def intro(args):
    if args.full:
        return (f"One sine period of writes in {FULL_SECONDS} s, 50 to 200 "
                "MB/s, 64 KiB values, on the real disk.")
    device = (f"a modelled device that writes {args.cap:g} MB/s"
              if args.cap > 0 else "the real disk")
    return (f"One sine period of writes in {args.seconds} s, 6 to 25 MB/s, "
            f"8 KiB values, 1/8 of the original experiment, on {device}. "
            "Tracking error: how far the accepted writes of each second are "
            "from the requested ones, root mean square over the mean.")


def notes(runs):
    out = []
    for run in runs:
        out.append(f"{run.name} (load average {run.load} at its start)\n"
                   + " ".join(run.command or ["(read from files)"])
                   + f"\ncompaction switched off {run.score.disables} "
                     f"times, on {run.score.enables} times\n")
    return "\n".join(out)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cap", type=float, default=45, metavar="MBPS",
                        help="what the modelled device writes; 0: no model")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--full", action="store_true",
                        help="the original commands, 350 s, no model")
    parser.add_argument("--db", help="parent directory of the databases")
    parser.add_argument("--bench", default=str(ROOT / "build/release/db_bench"))
    parser.add_argument("--out", default="sine.html")
    parser.add_argument("--keep", metavar="DIR",
                        help="keep logs and timelines there")
    parser.add_argument("--read", metavar="DIR",
                        help="run nothing, read what --keep kept")
    parser.add_argument("--markdown", action="store_true",
                        help="print the table as Markdown")
    return parser.parse_args()


def space_is_short(args, parent):
    free, need = shutil.disk_usage(parent).free, DEMO_FREE_BYTES
    if args.full:
        need = FULL_FREE_BYTES
    if free >= need:
        return False
    print(f"SKIPPED: {parent} has {free / 1e9:.0f} GB free, "
          f"{need / 1e9:.0f} GB are needed", file=sys.stderr)
    return True


def run_all(args, runs, seconds, parent):
    flags = full_flags() if args.full else demo_flags(seconds, args.cap)
    with tempfile.TemporaryDirectory(prefix="sine-", dir=parent) as name:
        for number, run in enumerate(runs, 1):
            where = pathlib.Path(name) / str(number)
            (where / "db").mkdir(parents=True)
            run.command = [args.bench, *flags, f"--db={where / 'db'}",
                           f"--timeline_file={where / 'timeline'}",
                           f"--report_file={where / 'report.csv'}",
                           "--report_interval_seconds=1", *run.flags]
            show = functools.partial(progress, f"{number}/{len(runs)}", run,
                                     seconds, where / "timeline")
            execute(run, where, seconds, show)
            show(final=True)
            shutil.rmtree(where / "db")
            if args.keep:
                shutil.copytree(where, pathlib.Path(args.keep) / str(number),
                                dirs_exist_ok=True)


def main():
    args = arguments()
    seconds = FULL_SECONDS if args.full else args.seconds
    runs = variants(LIMIT_BPS if args.full else LIMIT_BPS // 8)
    parent = args.db or os.environ.get("TMPDIR") or "/var/tmp"
    os.makedirs(parent, exist_ok=True)
    if args.read:
        for number, run in enumerate(runs, 1):
            read_back(run, pathlib.Path(args.read) / str(number), seconds)
    elif space_is_short(args, parent):
        return 0 if args.full else 1
    elif not os.access(args.bench, os.X_OK):
        print(f"{args.bench} is not built: tools/dev build", file=sys.stderr)
        return 1
    else:
        run_all(args, runs, seconds, parent)
    return report(args, runs, seconds)


def report(args, runs, seconds):
    print()
    print(table.as_markdown(runs) if args.markdown else table.as_text(runs))
    pathlib.Path(args.out).write_text(
        page.render(runs, seconds, headline(runs), intro(args),
                    table.as_html(runs), notes(runs)), encoding="utf-8")
    print(f"\n{headline(runs)}. Charts: {args.out}")
    for run in runs:
        if run.error:
            print(f"{run.name}: {run.error}", file=sys.stderr)
    return 1 if any(run.error for run in runs) else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""The main job: writes on a sine curve, one page.

Runs db_bench once per variant, prints a table and writes sine.html. First
comes tuning that is left alone: one option, nothing else set; then the four
ways to compact of the original experiment; with --peer or --library a genuine
RocksDB.

The demonstration is the experiment at 1/8 scale on a modelled device; --disk
caps the real disk instead, --full is the experiment itself.
"""

import argparse
import os
import pathlib
import shutil
import sys
import tempfile

import cap
import page
import picture
import runs as runner
import table
from runs import Load, Run

SEED = 20260101
LIMIT_BPS = 380000000       # Of the limited variants; 1/8 in the demonstration.
# In the picture of the README, from the top: variants and what they are called.
PICTURED = (
    ("RocksDB 11.8.1, defaults", "RocksDB 11.8.1"),
    ("adaptive", "Riverstone"))
FULL_SECONDS = 350
FULL_FREE_BYTES = 80e9
DEMO_FREE_BYTES = 6e9


def variants(limit_bps):
    limited = runner.limited_flags(limit_bps)
    return [
        Run("adaptive", runner.ADAPTIVE, adaptive=True,
            about="auto_tuned_compaction = true and nothing else. The engine "
            "plans flushes and compactions around the load."),
        Run("compaction on", [],
            about="The same engine with tuning off: compactions run whenever "
            "a level is too large."),
        Run("compaction off", runner.OFF,
            about="No compactions and no limits: the best that writes can "
            "be. Every read pays for it."),
        Run("native auto-tune", limited,
            about="Tuning off, and RocksDB's rate limiter, which moves its "
            "own rate."),
        Run("drain switch",
            limited + runner.ADAPTIVE + ["--compaction_tuning=drain_switch"],
            about="The published feature: compaction is switched off while "
            "the rate limiter is exhausted, on when it has recovered."),
    ]


def peers(limit_bps):
    return [Run("RocksDB, defaults", [], is_peer=True,
                about="A genuine RocksDB 7.8.3 with its own settings (Debian's "
                "package, which is built with assertions)."),
            Run("RocksDB, native auto-tune", runner.limited_flags(limit_bps),
                is_peer=True,
                about="A genuine RocksDB 7.8.3 with its auto-tuned rate "
                "limiter.")]


def library_peer(library):
    return Run("RocksDB 11.8.1, defaults", [], is_peer=True,
               library=str(library),
               about="A genuine RocksDB 11.8.1 with its own settings, driven "
               "by the same writes.")


def full_load():
    return Load(FULL_SECONDS, 75e6, 125e6, 65536, step=10.0)


def full_flags():
    """The original commands; their b is not quite one period."""
    return ["-benchmarks=fillrandom,stats", "-statistics",
            f"-duration={FULL_SECONDS}", "-enable_pipelined_write=true",
            "-compression_type=None", "-sine_write_rate=true",
            "-sine_c=4.71", "-stats_per_interval=1",
            "-stats_interval_seconds=5", "-max_write_buffer_number=6",
            "-max_background_flushes=4", "-max_background_compactions=2",
            "--histogram", "-value_size=65536", "-sine_a=75000000",
            "-sine_b=0.017942857", "-sine_d=125000000"]


def headline(runs):
    """What the data say: the first variant, and the best of the others."""
    scored = [r for r in runs if r.score.tracking_error is not None]
    if not scored:
        return "No variant could be scored"
    first = next((r for r in scored if r.adaptive), None)
    best = min((r for r in scored if r is not first),
               key=lambda r: r.score.tracking_error, default=None)
    if first is None:
        return f"Closest to the curve: {_result(best)}"
    text = (f"One option, nothing else: {_result(first, named=False)}, "
            f"{100 * first.score.accepted_share:.1f} % accepted")
    theirs = min((r for r in scored if r.is_peer),
                 key=lambda r: r.score.tracking_error, default=None)
    others = [best] if theirs is best else [best, theirs]
    return "; ".join([text] + [_result(r) for r in others if r is not None])


def _result(run, named=True):
    text = f"{100 * run.score.tracking_error:.1f} % off the curve"
    return f"{run.name} {text}" if named else text


def uncapped_reason(args, parent):
    """Why a cap that was asked for cannot be had, or ""."""
    return cap.unavailable(parent) if (args.disk and args.cap > 0) else ""


def intro(args, uncapped):
    if args.full:
        return (f"One sine period of writes in {FULL_SECONDS} s, 50 to 200 "
                "MB/s, 64 KiB values, on the real disk.")
    device = "the real disk, not capped"
    if args.cap > 0 and not args.disk:
        device = f"a modelled device that writes {args.cap:g} MB/s"
    elif args.cap > 0 and not uncapped:
        device = f"the real disk, capped to {args.cap:g} MB/s for tables"
    text = (f"One sine period of writes in {args.seconds} s, 6 to 25 MB/s, "
            f"8 KiB values, 1/8 of the original experiment, on {device}. "
            "Tracking error: how far the accepted writes of each second are "
            "from the requested ones, root mean square over the mean.")
    if uncapped:
        text += (f" NOT CAPPED ({uncapped}): these figures show the disk of "
                 "this machine and compare with no others.")
    return text


def notes(runs):
    out = []
    for run in runs:
        text = (f"{run.name} (load average {run.load or '?'} at its start)\n"
                + " ".join(run.command or ["(read from files)"]))
        if run.score.disables or run.score.enables:
            text += (f"\ncompaction switched off {run.score.disables} times, "
                     f"on {run.score.enables} times")
        if run.charged is not None:
            text += (f"\ncharged to the cap: {run.charged / 1e6:.0f} MB, "
                     f"tables written: {(run.table_bytes or 0) / 1e6:.0f} MB")
        if run.void:
            text += "\nVOID: the cap did not hold"
        out.append(text + "\n")
    return "\n".join(out)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cap", type=float, default=45, metavar="MBPS",
                        help="what the device writes; 0: no cap")
    parser.add_argument("--disk", action="store_true",
                        help="cap the real disk (as root), not a model")
    parser.add_argument("--peer", nargs="?", const=runner.PEER,
                        metavar="DB_BENCH",
                        help="also run a genuine RocksDB; implies --disk")
    parser.add_argument("--library", nargs="?", const=str(runner.LIBRARY),
                        metavar="FILE",
                        help="also run a genuine RocksDB 11.8.1, which "
                        "tools/dev peer fetches; implies --disk")
    parser.add_argument("--only", metavar="NAMES",
                        help="variants whose names begin so: adaptive,RocksDB")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--full", action="store_true",
                        help="the original commands, 350 s, no cap")
    parser.add_argument("--db", help="parent directory of the databases")
    parser.add_argument("--bench", default=str(runner.BENCH))
    parser.add_argument("--out", default="sine.html")
    parser.add_argument("--picture", metavar="SVG",
                        help="also the picture of the README: RocksDB and "
                        "adaptive; needs --library")
    parser.add_argument("--keep", metavar="DIR",
                        help="keep logs and timelines there")
    parser.add_argument("--read", metavar="DIR",
                        help="run nothing, read what --keep kept")
    parser.add_argument("--markdown", action="store_true",
                        help="print the table as Markdown")
    args = parser.parse_args()
    args.disk = args.disk or bool(args.peer or args.library)
    return args


def space_is_short(args, parent):
    free, need = shutil.disk_usage(parent).free, DEMO_FREE_BYTES
    if args.full:
        need = FULL_FREE_BYTES
    if free >= need:
        return False
    print(f"SKIPPED: {parent} has {free / 1e9:.0f} GB free, "
          f"{need / 1e9:.0f} GB are needed", file=sys.stderr)
    return True


def chosen(args):
    limit = LIMIT_BPS if args.full else LIMIT_BPS // 8
    runs = variants(limit) + (peers(limit) if args.peer else [])
    if args.library:
        runs.append(library_peer(args.library))
    if not args.only:
        return runs
    return [run for run in runs
            if any(run.name.startswith(n) for n in args.only.split(","))]


def command_of(args, run, load, where):
    flags = full_flags() if args.full else runner.eighth_flags(load)
    files = runner.files_flags(run, where)
    if run.library:
        return runner.library_command(args.bench, run.library,
                                      [*flags, *files, *run.flags])
    program = args.peer if run.is_peer else args.bench
    model = ([f"--device_write_mbps={args.cap:g}"]
             if args.cap > 0 and not args.disk and not args.full else [])
    return [program, *flags, f"--seed={SEED}", *model, *files, *run.flags]


def directory_of(parent, run):
    return pathlib.Path(parent) / run.name.replace(",", "").replace(" ", "-")


def run_all(args, runs, load, parent, uncapped):
    with tempfile.TemporaryDirectory(prefix="sine-", dir=parent) as name:
        for number, run in enumerate(runs, 1):
            where = directory_of(name, run)
            run.command = command_of(args, run, load, where)
            capped = (args.disk and args.cap > 0 and not args.full
                      and not uncapped)
            limit = cap.Cap(parent, args.cap * 1e6) if capped else cap.NoCap()
            with limit:
                runner.run_in(run, where, load, limit,
                              f"{number}/{len(runs)}")
            if args.keep:
                shutil.copytree(where, directory_of(args.keep, run),
                                dirs_exist_ok=True)


def main():
    runner.end_tidily()
    args = arguments()
    load = full_load() if args.full else Load(args.seconds)
    runs = chosen(args)
    parent = runner.temporary_parent(args.db)
    uncapped = "" if args.full else uncapped_reason(args, parent)
    if uncapped:
        print(f"*** NOT CAPPED: {uncapped}. All variants run on the bare "
              "disk. ***", file=sys.stderr)
    if args.read:
        for run in runs:
            runner.read_back(run, directory_of(args.read, run), load)
    elif space_is_short(args, parent):
        return 0 if args.full else 1
    else:
        for program in filter(None, (args.bench, args.peer)):
            if not os.access(program, os.X_OK):
                print(f"{program} is missing: tools/dev build, or the package "
                      "rocksdb-tools", file=sys.stderr)
                return 1
        if args.library and not os.path.exists(args.library):
            print(f"{args.library} is missing: tools/dev peer fetches it",
                  file=sys.stderr)
            return 1
        run_all(args, runs, load, parent, uncapped)
    return report(args, runs, load, uncapped)


def report(args, runs, load, uncapped):
    print()
    print(table.as_markdown(runs) if args.markdown else table.as_text(runs))
    pathlib.Path(args.out).write_text(
        page.render(runs, load.seconds, headline(runs), intro(args, uncapped),
                    table.as_html(runs), notes(runs)), encoding="utf-8")
    print(f"\n{headline(runs)}. Charts: {args.out}")
    if args.picture:
        shown = [(shown_as, run) for name, shown_as in PICTURED
                 for run in runs if run.name == name]
        pathlib.Path(args.picture).write_text(
            picture.render(shown, load.seconds), encoding="utf-8")
    for run in runs:
        if run.error:
            print(f"{run.name}: {run.error}", file=sys.stderr)
        if run.unsupported:
            print(f"{run.name}: not supported: {run.unsupported}",
                  file=sys.stderr)
        if run.void:
            print(f"{run.name}: VOID, the cap did not hold", file=sys.stderr)
    return 1 if any(run.error for run in runs) else 0


if __name__ == "__main__":
    sys.exit(main())

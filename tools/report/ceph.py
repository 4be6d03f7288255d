#!/usr/bin/env python3
"""BlueStore's metadata (db_bench --benchmarks=bluestore) under the option strings
of the article on tuning RocksDB for Ceph, with three compressions, on two
processors and on one; and with nothing but auto_tuned_compaction.

Prints a table for each number of processors and verdicts on the article's
findings; writes ceph.html and ceph.svg.
"""

import argparse
import dataclasses
import html
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import page
import peer
import picture
import runs as runner

MIB = 1 << 20
COMPRESSIONS = {"none": "kNoCompression", "snappy": "kSnappyCompression",
                "lz4": "kLZ4Compression"}
# What the article sets besides compression; stock first.
STOCK = dict(max_write_buffer_number=4, min_write_buffer_number_to_merge=1,
             recycle_log_file_num=4, write_buffer_size=256 * MIB,
             writable_file_max_buffer_size=0,
             compaction_readahead_size=2 * MIB, max_background_compactions=2,
             max_total_wal_size=1024 * MIB)
ALTERNATE = dict(max_write_buffer_number=32,
                 min_write_buffer_number_to_merge=2, recycle_log_file_num=32,
                 compaction_style="kCompactionStyleLevel",
                 write_buffer_size=64 * MIB, target_file_size_base=64 * MIB,
                 max_background_compactions=31,
                 level0_file_num_compaction_trigger=8,
                 level0_slowdown_writes_trigger=32,
                 level0_stop_writes_trigger=64,
                 max_bytes_for_level_base=512 * MIB, compaction_threads=32,
                 max_bytes_for_level_multiplier=8, flusher_threads=8,
                 compaction_readahead_size=2 * MIB)


def candidate(memtable_mib):
    """Memtables of this size, as many as a log of 1 GiB holds, merged until a
    flush has 128 MiB; L1 of the size of level 0."""
    return dict(compaction_style="kCompactionStyleLevel",
                max_write_buffer_number=1024 // memtable_mib,
                min_write_buffer_number_to_merge=128 // memtable_mib,
                write_buffer_size=memtable_mib * MIB, max_background_jobs=4,
                level0_file_num_compaction_trigger=8,
                max_bytes_for_level_base=1024 * MIB,
                max_bytes_for_level_multiplier=8,
                compaction_readahead_size=2 * MIB,
                max_total_wal_size=1024 * MIB,
                writable_file_max_buffer_size=0)


SMALL_ONLY = {**STOCK, "write_buffer_size": 8 * MIB,
              "max_write_buffer_number": 128, "max_background_compactions": 4}
TUNINGS = {"stock": STOCK, "alternate": ALTERNATE,
           "A (64 MiB)": candidate(64), "B (32 MiB)": candidate(32),
           "C (16 MiB)": candidate(16), "D (8 MiB)": candidate(8),
           "8 MiB, else stock": SMALL_ONLY}
SELF_TUNED = "auto_tuned_compaction"
D, SMALL = "D (8 MiB)", "8 MiB, else stock"
RESULT = re.compile(
    r"^bluestore +: .*? (?P<rate>\d+) ops/sec (?P<seconds>[\d.]+) seconds .*"
    r"\(inserting (?P<inserting>[\d.]+) s, log (?P<log>[\d.]+) s, "
    r"\d+ listings of p50 (?P<p50>\d+) us, p99 (?P<p99>\d+) us\)", re.M)


@dataclasses.dataclass
class Figures:
    """Of one run, or medians of several."""
    rate: float           # Transactions per second.
    inserting: float      # Seconds in memtables.
    seconds: float
    write_amp: float      # Bytes of tables written per byte of the user's.
    flushed_bytes: float
    p50_micros: float     # Of a listing.
    p99_micros: float


def option_string(tuning, compression, scale):
    """The string as Ceph has it; bytes are divided by `scale`."""
    parts = [f"compression={COMPRESSIONS[compression]}"]
    for name, value in tuning.items():
        if isinstance(value, int) and value >= MIB and \
                name != "compaction_readahead_size":
            value //= scale
        parts.append(f"{name}={value}")
    return ",".join(parts)


def flags_of(tuning, compression, scale):
    if tuning == SELF_TUNED:
        return ["--auto_tuned_compaction=true",
                f"--compression_type={compression}"]
    return ["--options_string=" +
            option_string(TUNINGS[tuning], compression, scale)]


def read(log):
    """What one run printed."""
    found = RESULT.search(log)
    flushed = peer.ticker(log, "rocksdb.flush.write.bytes")
    written = peer.ticker(log, "rocksdb.bytes.written")
    if not found or not written:
        raise ValueError(f"no result in:\n{log[-2000:]}")
    return Figures(float(found["rate"]), float(found["inserting"]),
                   float(found["seconds"]), peer.table_bytes(log) / written,
                   flushed, float(found["p50"]), float(found["p99"]))


def median(figures):
    return Figures(*(statistics.median(values) for values in
                     zip(*map(dataclasses.astuple, figures))))


def run(args, tuning, compression, processors):
    with tempfile.TemporaryDirectory(dir=args.db, prefix="ceph") as folder:
        done = subprocess.run(
            [args.bench, "--benchmarks=bluestore,flush,waitforcompaction",
             f"--db={folder}/db", "--statistics", f"--num={args.objects}",
             f"--writes={args.transactions}", "--seed=1",
             f"--cache_size={256 * MIB}", "--bloom_bits=10",
             *flags_of(tuning, compression, args.scale)],
            check=False, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=lambda: os.sched_setaffinity(0, processors))
    if done.returncode != 0:
        raise RuntimeError(f"{tuning}, {compression}: {done.stderr[-2000:]}")
    return read(done.stdout)


def table(figures, processors):
    lines = ["| tuning | compression | transactions/s | inserting, s | "
             "write amp | flushed, MB | listing p50, ms | p99, ms |",
             "|---|---|---:|---:|---:|---:|---:|---:|"]
    for (count, tuning, compression), f in figures.items():
        if count == processors:
            lines.append(
                f"| {tuning} | {compression} | {f.rate:.0f} | "
                f"{f.inserting:.1f} of {f.seconds:.1f} | {f.write_amp:.2f} | "
                f"{f.flushed_bytes / 1e6:.0f} | {f.p50_micros / 1e3:.2f} | "
                f"{f.p99_micros / 1e3:.2f} |")
    return "\n".join(lines)


def ranking(figures, processors):
    """Tunings of the article without compression, the fastest first."""
    return sorted((t for t in TUNINGS if (processors, t, "none") in figures),
                  key=lambda t: -figures[processors, t, "none"].rate)


def findings(figures, most):
    """(text, holds) of each finding of the article, then of our own row."""
    def of(tuning, compression="none", processors=most):
        return figures[processors, tuning, compression]
    stock, best = of("stock"), of(ranking(figures, most)[0])
    small, new, own = of(SMALL), of(D), of(SELF_TUNED)
    lz4 = of(D, "lz4")
    out = [
        (f"smaller skiplists make the writer faster: D inserts in "
         f"{new.inserting:.1f} s, stock in {stock.inserting:.1f} s; "
         f"{new.rate:.0f} and {stock.rate:.0f} transactions/s",
         new.inserting < stock.inserting and new.rate > stock.rate),
        (f"a larger trigger with L1 like level 0 restores write "
         f"amplification: small memtables alone {small.write_amp:.2f}, "
         f"D {new.write_amp:.2f}, stock {stock.write_amp:.2f}",
         new.write_amp < small.write_amp),
        (f"LZ4 costs little: D with it {lz4.rate / new.rate:.2f} of the rate "
         f"and {lz4.flushed_bytes / new.flushed_bytes:.2f} of the bytes flushed",
         lz4.rate > 0.9 * new.rate
         and lz4.flushed_bytes < new.flushed_bytes)]
    counts = sorted({count for count, _, _ in figures})
    if len(counts) > 1:
        many, few = ranking(figures, counts[-1]), ranking(figures, counts[0])
        out.append((f"fewer processors change the ranking: "
                    f"{', '.join(many)}; then {', '.join(few)}", many != few))
    out.append((f"auto_tuned_compaction alone against the article's best: "
                f"{own.rate / best.rate:.2f} of its rate, write amplification "
                f"{own.write_amp:.2f} against {best.write_amp:.2f}",
                own.rate >= 0.95 * best.rate))
    return out


def bars(figures, most):
    """Transactions per second and seconds of inserting as an SVG."""
    rows = [(t, figures[most, t, "none"]) for t in [*TUNINGS, SELF_TUNED]]
    left, bar, half = 160, 22, (picture.WIDTH - 160) // 2
    columns = (("transactions/s", "write", lambda f: f.rate, "{:.0f}"),
               ("seconds of inserting", "miss", lambda f: f.inserting,
                "{:.1f}"))
    out, height = [], 30 + bar * len(rows)
    for i, (title, css, value, shape) in enumerate(columns):
        x = left + i * half
        scale = (half - 70) / max(value(f) for _, f in rows)
        out.append(f'<text class="title" x="{x}" y="16">{title}</text>')
        for row, (_, f) in enumerate(rows):
            y = 26 + row * bar
            width = value(f) * scale
            out.append(f'<rect x="{x}" y="{y}" width="{width:.1f}" height="16" '
                       f'fill="var(--{css})"/><text x="{x + width + 5:.1f}" '
                       f'y="{y + 12}">{shape.format(value(f))}</text>')
    for row, (tuning, _) in enumerate(rows):
        out.append(f'<text x="0" y="{38 + row * bar}">'
                   f'{html.escape(tuning)}</text>')
    return picture.drawing("Transactions per second and seconds of inserting",
                           height, "".join(out))


def parse(arguments):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--objects", type=int, default=1_000_000)
    parser.add_argument("--transactions", type=int, default=1_500_000)
    parser.add_argument("--scale", type=int, default=1,
                        help="divides the sizes of memtables, levels and logs")
    parser.add_argument("--repeats", type=int, default=1,
                        help="medians of so many runs, in turn")
    parser.add_argument("--compressions", default=",".join(COMPRESSIONS))
    parser.add_argument("--processors", default="2,1")
    parser.add_argument("--db", help="folder for the databases "
                        "(default: that of temporary files)")
    parser.add_argument("--bench", default=runner.ROOT /
                        "build/release/db_bench")
    parser.add_argument("--json", type=pathlib.Path, help="write figures here")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."),
                        help="folder for ceph.html and .svg")
    return parser.parse_args(arguments)


def measure(args):
    """{(processors, tuning, compression): Figures}."""
    usable = sorted(os.sched_getaffinity(0))
    cases = [(int(count), tuning, compression)
             for count in args.processors.split(",")
             for tuning in [*TUNINGS, SELF_TUNED]
             for compression in args.compressions.split(",")]
    found = {case: [] for case in cases}
    for _ in range(args.repeats):
        for case in cases:
            found[case].append(
                run(args, case[1], case[2], usable[:case[0]]))
            print(case, found[case][-1], file=sys.stderr, flush=True)
    return {case: median(figures) for case, figures in found.items()}


def main(arguments):
    args = parse(arguments)
    figures = measure(args)
    if args.json:
        args.json.write_text(json.dumps(
            [[*case, dataclasses.asdict(f)] for case, f in figures.items()]))
    counts = sorted({case[0] for case in figures}, reverse=True)
    tables = [f"{count} processors:\n\n{table(figures, count)}"
              for count in counts]
    judged = findings(figures, counts[0])
    print("\n\n".join(tables))
    for text, holds in judged:
        print(("  seen: " if holds else "  NOT SEEN: ") + text)
    chart = bars(figures, counts[0])
    (args.out / "ceph.svg").write_text(chart)
    (args.out / "ceph.html").write_text(page.verdicts_page(
        "BlueStore's metadata", chart, judged, tables, "Not seen"))
    return 0 if all(holds for _, holds in judged) else runner.MISSED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

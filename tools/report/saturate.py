#!/usr/bin/env python3
"""Writers that never rest: how even their seconds are, judged.

fillrandom without a rate, under a cap of the real disk (root) or on the modelled
device (--model): thirteen rows of trees, values and caps, adaptive tuning compared
with static behaviour and with RocksDB 7.8.3 (its db_bench) and 11.8.1 (its
library, in fillrandom). The first ten seconds are not judged. Prints a table
and verdicts, and writes saturate.html. --catch-up is another experiment:
writers follow a sine, pause, and then write what they missed at full speed.
"""

import argparse
import concurrent.futures
import dataclasses
import html
import os
import pathlib
import re
import shutil
import statistics
import sys
import tempfile
import time

import cap
import capped
import catchup
import page
import peer
import picture
import runs as runner
import svg
import timeline

SETTLE = 10                 # Seconds that are not judged.
EXTRA = 120                 # More than this after the end: it hangs.
MB = 1e6
KEY_SIZE = 16
GOALS = (("deviation", 0.10, True), ("worst", 0.75, False),
         ("below_half", 0, True), ("p999_ms", 20, True),
         ("longest_ms", 100, True))
GAIN = 1.3                  # Of the others' mean, under a cap.
CSS = {"adaptive": "write", "static": "work", "peer": "runs",
       "peer11": "tail"}
NAMES = {"adaptive": "Riverstone", "static": "Riverstone without tuning",
         "peer": "RocksDB 7.8.3", "peer11": "RocksDB 11.8.1"}
OURS = ("adaptive", "static")
HISTOGRAM = re.compile(r"Percentiles: .*P99\.9: ([\d.]+)")
LONGEST = re.compile(r"^Min: .* Max: ([\d.]+)", re.M)


@dataclasses.dataclass
class Row:
    """A tree on a device."""
    name: str
    about: str
    cap_mbps: float
    flags: list
    value_size: int = 8192
    compresses: bool = False    # The program for a library never does.

    def engines(self, wanted):
        return [e for e in wanted if not (self.compresses and e == "peer11")]

    @property
    def op_bytes(self):
        return self.value_size + KEY_SIZE


def small(memtable_mb=8, memtables=6):
    return [f"--write_buffer_size={memtable_mb << 20}",
            f"--max_write_buffer_number={memtables}",
            "--max_bytes_for_level_base=33554432",
            "--target_file_size_base=8388608",
            "--soft_pending_compaction_bytes_limit=8589934592",
            "--hard_pending_compaction_bytes_limit=17179869184"]


def rows():
    low = ["--level0_slowdown_writes_trigger=8",
           "--level0_stop_writes_trigger=12"]
    return [
        Row("8x6", "memtables of 8 MB x 6", 45, small()),
        Row("64x2", "defaults: 64 MB x 2", 45, []),
        Row("lz4", "defaults, lz4: half is left of values", 45,
            ["--compression_type=lz4"], compresses=True),
        Row("64x6", "64 MB x 6", 45, ["--max_write_buffer_number=6"]),
        Row("35", "8 MB x 6", 35, small()),
        Row("8_12", "8 MB x 6, L0 triggers 8 and 12", 45, small() + low),
        Row("100", "defaults, 100 B", 90, [], 100),
        Row("1k", "defaults, 1 KiB", 90, [], 1024),
        Row("nocap", "defaults, 100 B, no cap", 0, [], 100),
        Row("64k", "defaults, 64 KiB", 45, [], 65536),
        Row("16w", "8 MB x 6, 1 KiB, 16 writers", 45,
            small() + ["--threads=16"], 1024),
        Row("2cf", "8 MB x 6, two column families", 45,
            small() + ["--num_column_families=2", "--threads=2"]),
        Row("2db", "8 MB x 6, two databases", 45,
            small() + ["--num_multi_db=2", "--threads=2"]),
    ]


@dataclasses.dataclass
class Result:
    """One run: MB/s of each second, and its worst."""
    seconds: list
    p999_ms: float = None
    longest_ms: float = None        # After SETTLE where a timeline knows it.
    l0_most: int = None

    @property
    def judged(self):
        return self.seconds[SETTLE:]

    @property
    def mean(self):
        return statistics.mean(self.judged)

    @property
    def deviation(self):
        return statistics.pstdev(self.judged) / max(self.mean, 1e-9)

    @property
    def worst(self):
        return min(self.judged) / max(self.mean, 1e-9)

    @property
    def below_half(self):
        return sum(s < self.mean / 2 for s in self.judged)


def read(where, row, is_ours):
    """What a run wrote; RuntimeError if it wrote too little."""
    seconds = [ops * row.op_bytes / MB for _, ops in
               peer.report(where / "report.csv")]
    if len(seconds) < SETTLE + 5:
        raise RuntimeError(f"only {len(seconds)} seconds were reported")
    result = Result(seconds)
    text = (where / "log").read_text(encoding="utf-8", errors="replace")
    found = HISTOGRAM.search(text)
    result.p999_ms = float(found.group(1)) / 1000 if found else None
    found = LONGEST.search(text)
    result.longest_ms = float(found.group(1)) / 1000 if found else None
    if is_ours:
        known = [r for r in timeline.load(where / "timeline")
                 if round(r.t) > SETTLE and r.max_us is not None]
        if known:
            result.longest_ms = max(r.max_us for r in known) / 1000
        files = [r.l0_files for r in known if r.l0_files is not None]
        result.l0_most = max(files) if files else None
    return result


def command_of(args, row, engine, where, more=()):
    """`more`: flags of our db_bench."""
    load = [f"--duration={args.seconds}", f"--value_size={row.value_size}",
            f"--num={1000000 if row.value_size >= 4096 else 20000000}",
            f"--db={where / 'db'}", f"--report_file={where / 'report.csv'}"]
    if engine == "peer11":
        return runner.library_command(args.bench, args.library,
                                      [*load, *row.flags])
    ours = engine in OURS
    out = [args.bench if ours else args.peer,
           "--benchmarks=fillrandom,stats", *load, "--compression_type=None",
           "--histogram", "--statistics",
           "--max_background_flushes=4", "--max_background_compactions=2",
           "--use_direct_io_for_flush_and_compaction=true",
           f"--wal_dir={where / 'db'}", "--report_interval_seconds=1",
           *row.flags]
    if engine == "adaptive":
        out += runner.ADAPTIVE
    if ours:
        out.append(f"--timeline_file={where / 'timeline'}")
        if args.model and row.cap_mbps:
            out.append(f"--device_write_mbps={row.cap_mbps:g}")
    return out + list(more)


def run(args, row, engine, number, parent, more=()):
    where = pathlib.Path(parent) / f"{row.name}-{engine}-{number}"
    (where / "db").mkdir(parents=True)
    capless = args.model or not row.cap_mbps
    limit = cap.NoCap() if capless else cap.Cap(where, row.cap_mbps * MB)
    with limit, open(where / "log", "w", encoding="utf-8") as log:
        child = limit.start(command_of(args, row, engine, where, more),
                            stdout=log, stderr=log)
        end = time.monotonic() + args.seconds + EXTRA
        while child.poll() is None and time.monotonic() < end:
            time.sleep(0.2)
        if child.poll() is None:
            child.kill()
        child.wait()
    if args.keep:
        shutil.copytree(where, pathlib.Path(args.keep) / where.name,
                        dirs_exist_ok=True,
                        ignore=shutil.ignore_patterns("*.sst", "*.log"))
    shutil.rmtree(where / "db")
    try:
        result = read(where, row, engine in OURS)
    except (OSError, RuntimeError) as error:
        tail = (where / "log").read_text(errors="replace")[-500:]
        print(f"{row.name} {engine}: {error}; {tail}", file=sys.stderr)
        return None
    evenness = "" if more else (f", deviation {100 * result.deviation:.0f} %, "
                                f"worst {result.worst:.2f}")
    print(f"{row.name} {engine} {number}: {result.mean:.1f} MB/s{evenness}",
          flush=True)
    return result


def middle(results):
    """The run with the median deviation."""
    known = sorted((r for r in results if r), key=lambda r: r.deviation)
    return known[len(known) // 2] if known else None


def misses(row, results):
    """The goals that the adaptive run misses, as words."""
    own = results.get("adaptive")
    if own is None:
        return ["no run"]
    out = []
    for name, limit, below in GOALS:
        value = getattr(own, name)
        if value is not None and (value > limit if below else value < limit):
            out.append(name.replace("_", " "))
    for engine, other in results.items():
        if row.cap_mbps and engine != "adaptive" and other and (
                own.mean < GAIN * other.mean):
            out.append(f"{own.mean / other.mean:.2f}x {engine}")
    return out


TITLES = ["row", "MB/s", "engine", "mean", "deviation", "worst second",
          "under half", "p99.9 ms", "longest ms", "L0", "misses"]


def table(all_results):
    out = [TITLES]
    for row, results in all_results:
        for engine, r in results.items():
            if r is None:
                continue
            def known(value, digits):
                return "-" if value is None else f"{value:.{digits}f}"
            out.append([
                row.name, f"{row.cap_mbps:g}" if row.cap_mbps else "none",
                engine, f"{r.mean:.1f}", f"{100 * r.deviation:.0f} %",
                f"{r.worst:.2f}", f"{r.below_half} of {len(r.judged)}",
                known(r.p999_ms, 2), known(r.longest_ms, 0),
                known(r.l0_most, 0),
                ", ".join(misses(row, results)) if engine == "adaptive"
                else ""])
    return out


def chart(row, engine, result, top):
    frame = svg.Frame(page.WIDTH, page.HEIGHT, len(result.seconds), top)
    points = [(t + 1, v) for t, v in enumerate(result.seconds)]
    title = f"{engine}: {result.mean:.1f} MB/s, {100 * result.deviation:.0f} %"
    return (f"<figure><figcaption>{html.escape(title)}</figcaption>"
            + svg.chart(frame, f"{row.about}, {title}", [
                svg.axes(frame, lambda v: f"{v:g}"),
                svg.line(frame, points, CSS[engine])]) + "</figure>")


def html_of(title, parts, lines):
    """A page: `parts` are headings with their charts, `lines` a table."""
    body = "".join(f'<h2>{html.escape(heading)}</h2><div class="charts">'
                   f"{charts}</div>" for heading, charts in parts)
    cells = "".join("<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in line)
                    + "</tr>" for line in lines)
    return (f"<!doctype html><meta charset=utf-8><title>{title}</title><style>"
            f"{page.STYLE}</style><h1>{title}</h1><p>MB/s of each second.</p>"
            f"{body}<table>{cells}</table>")


def html_page(all_results):
    parts = []
    for row, results in all_results:
        known = {e: r for e, r in results.items() if r}
        if not known:
            continue
        top = svg.nice_top([v for r in known.values() for v in r.seconds])
        limit = f"{row.cap_mbps:g} MB/s" if row.cap_mbps else "no cap"
        parts.append((f"{row.about}, {limit}", "".join(
            chart(row, e, r, top) for e, r in known.items())))
    return html_of("Writers that never rest", parts, table(all_results))


def picture_of(row, results):
    """One chart for each engine, the worst above: an SVG."""
    known = sorted(((e, r) for e, r in results.items() if r),
                   key=lambda pair: -pair[1].deviation)
    top = svg.nice_top([v for _, r in known for v in r.seconds])
    charts = []
    for engine, r in known:
        frame = svg.Frame(picture.WIDTH, picture.CHART_HEIGHT, len(r.seconds),
                          top)
        charts.append((
            f"{NAMES[engine]}, {row.about}, {row.cap_mbps:g} MB/s: "
            f"{r.mean:.1f} MB/s, seconds differ by {100 * r.deviation:.0f} %",
            svg.axes(frame, lambda v: f"{v:g}")
            + svg.line(frame, [(t + 1, v) for t, v in enumerate(r.seconds)],
                       "write")))
    return picture.stacked("Accepted writes, MB/s", charts)


def default_engines(args):
    """All; without a cap ours, and 11.8.1 only where its library is."""
    if args.model or args.catch_up:
        return list(OURS)
    if os.path.exists(args.library):
        return list(CSS)
    print(f"NO ROCKSDB 11.8.1: {args.library} is missing, so peer11 does not "
          "run; tools/dev peer fetches it", file=sys.stderr)
    return [engine for engine in CSS if engine != "peer11"]


def missing(args):
    """The files that the engines need and that are not there."""
    programs = [args.bench]
    if "peer" in args.engines:
        programs.append(args.peer)
    if "peer11" in args.engines:
        programs.append(runner.library_command(args.bench, "", [])[0])
    out = [p for p in programs if not os.access(p, os.X_OK)]
    if "peer11" in args.engines and not os.path.exists(args.library):
        out.append(f"{args.library} (tools/dev peer fetches it)")
    return out


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    names = [row.name for row in rows()]
    parser.add_argument("--rows", help="of " + ", ".join(names)
                        + "; by default all, with --catch-up 8x6")
    parser.add_argument("--engines", help="of " + ", ".join(CSS)
                        + "; by default all that are there")
    parser.add_argument("--repeats", type=int, default=3,
                        help="of adaptive; the others run once")
    parser.add_argument("--seconds", type=int,
                        help="120 by default, with --catch-up 180")
    parser.add_argument("--together", type=int, default=1, metavar="N",
                        help="so many rows at the same time")
    parser.add_argument("--model", action="store_true",
                        help="the modelled device instead of a control group")
    parser.add_argument("--catch-up", action="store_true",
                        help="a pause of a sixth of the time in a sine")
    parser.add_argument("--closed-mean", type=float, metavar="MBPS",
                        help="what the device can do; measured if not given")
    parser.add_argument("--db", help="parent directory of the databases")
    parser.add_argument("--bench", default=str(runner.BENCH))
    parser.add_argument("--peer", default=runner.PEER)
    parser.add_argument("--library", default=str(runner.LIBRARY),
                        help="RocksDB 11.8.1; tools/dev peer fetches it")
    parser.add_argument("--page", default="saturate.html")
    parser.add_argument("--picture", metavar="FILE",
                        help="an SVG of the first row")
    parser.add_argument("--keep", metavar="DIR",
                        help="copies what each run wrote there, but for data")
    parser.add_argument("--markdown", action="store_true")
    args = parser.parse_args()
    args.seconds = args.seconds or (180 if args.catch_up else 120)
    args.rows = (args.rows.split(",") if args.rows
                 else ["8x6"] if args.catch_up else names)
    args.engines = (args.engines.split(",") if args.engines
                    else default_engines(args))
    for given, known in ((args.rows, names), (args.engines, list(CSS))):
        for name in given:
            if name not in known:
                parser.error(f"'{name}' is none of {', '.join(known)}")
    if args.model and set(args.engines) - set(OURS):
        parser.error("a peer does not know the modelled device")
    if args.catch_up and set(args.engines) - set(OURS):
        parser.error("the db_bench of a peer cannot pause")
    return args


def series(args, row, parent):
    return row, {engine: middle([
        run(args, row, engine, i, parent)
        for i in range(args.repeats if engine == "adaptive" else 1)])
        for engine in row.engines(args.engines)}


def catch_up_series(args, row, parent):
    can = args.closed_mean
    if can is None:
        closed = run(args, row, "adaptive", "closed", parent)
        if closed is None:
            raise SystemExit(f"{row.name}: the closed loop failed")
        can = closed.mean
    plan = catchup.Plan(args.seconds, can)
    return row, plan, {engine: catchup.middle([
        run(args, row, engine, i, parent, plan.flags())
        for i in range(args.repeats if engine == "adaptive" else 1)], plan)
        for engine in args.engines}


def report_catch_up(args, all_results):
    lines = catchup.table(all_results)
    print("\n" + capped.format_table(lines, args.markdown))
    pathlib.Path(args.page).write_text(html_of(
        "Writers that catch up", catchup.charts(all_results, CSS), lines))
    return runner.MISSED if catchup.missed(all_results) else 0


def main():
    runner.end_tidily()
    args = arguments()
    parent = runner.temporary_parent(args.db)
    reason = "" if args.model else cap.unavailable(parent)
    if reason:
        print(f"no cap can be had: {reason}. --model judges on the modelled "
              "device.", file=sys.stderr)
        return 2
    for file in missing(args):
        print(f"{file} is missing", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="saturate-", dir=parent) as where:
        one = catch_up_series if args.catch_up else series
        with concurrent.futures.ThreadPoolExecutor(args.together) as pool:
            wanted = [row for row in rows() if row.name in args.rows]
            all_results = list(pool.map(
                lambda row: one(args, row, where), wanted))
    if args.catch_up:
        return report_catch_up(args, all_results)
    print("\n" + capped.format_table(table(all_results), args.markdown))
    pathlib.Path(args.page).write_text(html_page(all_results))
    if args.picture:
        pathlib.Path(args.picture).write_text(picture_of(*all_results[0]))
    missed = [name for row, results in all_results
              for name in misses(row, results)]
    return runner.MISSED if missed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Index and filters: on the heap, whole in the cache, in partitions in it.

One database, written twice: with one index and filter block per table, and
partitioned. Random reads around the page cache, with block caches of a small
part of the data, print a table and write partitioned.html.
"""

import argparse
import dataclasses
import html
import os
import pathlib
import re
import shutil
import statistics
import sys
import tempfile

import bench
import page
import runs as runner

SEED = 20260101
KEY_BYTES, VALUE_BYTES = 16, 100
FREE_BYTES = 5e9
GOAL_BYTES, GOAL_SPEED = 5.0, 3.0   # At GOAL_PERCENT, against whole blocks.
GOAL_PERCENT = 0.5
KINDS = ("index", "filter", "data")
TICKER = re.compile(r"^(rocksdb\.[\w.]+) COUNT : (\d+)", re.M)
CACHED = ["--cache_index_and_filter_blocks=true",
          "--cache_high_pri_pool_ratio=0.5"]
PARTITIONED = ["--partition_index_and_filters=true"]


@dataclasses.dataclass
class Setting:
    name: str
    css: str
    database: str
    flags: list


SETTINGS = (
    Setting("heap", "other", "whole", []),
    Setting("whole blocks", "miss", "whole", CACHED),
    Setting("partitioned", "good", "partitioned",
            [*CACHED, *PARTITIONED, "--pin_top_level_index_and_filter=true"]),
)


@dataclasses.dataclass
class Result:
    """One run of one setting."""
    speed: float                # Gets a second.
    read_bytes: dict            # By kind, per get.
    hit_rates: dict             # By kind; None: never looked up.
    memory: float               # Peak of the process, bytes.

    @property
    def metadata_bytes(self):
        return self.read_bytes["index"] + self.read_bytes["filter"]


def parse(text, memory):
    """What a run printed, as a Result."""
    found = next((m for m in bench.RESULT.finditer(text)
                  if m.group(1) == "readrandom"), None)
    if found is None:
        raise RuntimeError(f"no result of readrandom in:\n{text[-1500:]}")
    speed, seconds = float(found.group(2)), float(found.group(3))
    gets = max(1.0, speed * seconds)
    tickers = {name: int(n) for name, n in TICKER.findall(text)}
    read, hits = {}, {}
    for kind in KINDS:
        read[kind] = tickers[f"rocksdb.block.read.{kind}.bytes"] / gets
        hit = tickers[f"rocksdb.block.cache.{kind}.hit"]
        miss = tickers[f"rocksdb.block.cache.{kind}.miss"]
        hits[kind] = hit / (hit + miss) if hit + miss else None
    return Result(speed, read, hits, memory)


def median_of(results):
    """Each figure's median over the runs of one setting."""
    def middle(pick):
        values = [pick(r) for r in results]
        known = [v for v in values if v is not None]
        return statistics.median(known) if known else None
    return Result(
        middle(lambda r: r.speed),
        {k: middle(lambda r, k=k: r.read_bytes[k]) for k in KINDS},
        {k: middle(lambda r, k=k: r.hit_rates[k]) for k in KINDS},
        middle(lambda r: r.memory))


def common_flags(args):
    return [f"--num={args.keys}", f"--key_size={KEY_BYTES}",
            f"--value_size={VALUE_BYTES}", "--compression_type=none",
            "--bloom_bits=10", "--use_direct_reads=true",
            "--use_direct_io_for_flush_and_compaction=true",
            "--target_file_size_base=67108864", f"--seed={SEED}",
            "--progress_reports=false"]


def data_bytes(args):
    return args.keys * (KEY_BYTES + VALUE_BYTES)


def fill(args, parent, database):
    flags = PARTITIONED if database == "partitioned" else []
    bench.execute([args.bench, *common_flags(args), *flags,
                   "--benchmarks=fillseq,waitforcompaction",
                   "--disable_wal=true", f"--db={parent / database}"], "")


def read_command(args, parent, setting, percent):
    return [args.bench, *common_flags(args), *setting.flags,
            "--benchmarks=readrandom", "--use_existing_db=true",
            "--statistics=true", f"--duration={args.seconds}",
            f"--threads={args.threads}", "--reads=1000000000",
            f"--cache_size={data_bytes(args) * percent / 100:.0f}",
            f"--db={parent / setting.database}"]


def measure_all(args, parent):
    """{(percent, setting name): median Result}, and the commands."""
    for database in ("whole", "partitioned"):
        print(f"  filling {database}", flush=True)
        fill(args, parent, database)
    results, commands = {}, []
    for run in range(args.runs):
        for percent in args.percents:
            for setting in SETTINGS:
                command = read_command(args, parent, setting, percent)
                if run == 0:
                    commands.append(" ".join(command))
                got = parse(*bench.execute(command, ""))
                results.setdefault((percent, setting.name), []).append(got)
                print(f"  {run + 1}/{args.runs}  {percent:g} %  "
                      f"{setting.name:<14}{got.speed:10,.0f} gets/s "
                      f"{got.metadata_bytes:12,.0f} index and filter bytes "
                      "per get", flush=True)
    return {at: median_of(all_) for at, all_ in results.items()}, commands


def share(value):
    return "-" if value is None else f"{100 * value:.1f} %"


def rows_of(args, results):
    head = ["cache", "setting", "gets/s", "index B/get", "filter B/get",
            "data B/get", "index hits", "filter hits", "data hits",
            "peak memory"]
    rows = [head]
    for percent in args.percents:
        for setting in SETTINGS:
            r = results[percent, setting.name]
            rows.append([f"{percent:g} %", setting.name, f"{r.speed:,.0f}",
                         *(f"{r.read_bytes[k]:,.0f}" for k in KINDS),
                         *(share(r.hit_rates[k]) for k in KINDS),
                         f"{r.memory / 1e6:.0f} MB"])
    return rows


def as_text(rows, markdown):
    if markdown:
        rows = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
        return "\n".join("| " + " | ".join(row) + " |" for row in rows)
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join(c.ljust(w) if i < 2 else c.rjust(w)
                  for i, (c, w) in enumerate(zip(row, widths)))
        for row in rows)


def as_html(rows):
    def line(cells, tag):
        return "<tr>" + "".join(f"<{tag}>{html.escape(c)}</{tag}>"
                                for c in cells) + "</tr>"
    body = "".join(line(row, "td") for row in rows[1:])
    return (f'<table class="loads"><thead>{line(rows[0], "th")}</thead>'
            f"<tbody>{body}</tbody></table>")


def gains(results, percent):
    """How many times fewer bytes and more gets than whole blocks, or None."""
    whole = results.get((percent, "whole blocks"))
    parts = results.get((percent, "partitioned"))
    if whole is None or parts is None:
        return None
    return (whole.metadata_bytes / max(parts.metadata_bytes, 1e-9),
            parts.speed / max(whole.speed, 1e-9))


def verdict(results, percent):
    """Says whether the goal is met; the tool's exit code."""
    fewer, faster = gains(results, percent)
    met = fewer >= GOAL_BYTES and faster >= GOAL_SPEED
    print(f"Goal at {percent:g} %: {GOAL_BYTES:g}x fewer bytes, "
          f"{GOAL_SPEED:g}x the gets: {'met' if met else 'MISSED'}")
    return 0 if met else runner.MISSED


def headline(results, percent):
    found = gains(results, percent)
    if found is None:
        return "Index and filters in partitions"
    return (f"With a cache of {percent:g} % of the data, partitions read "
            f"{found[0]:,.0f}x fewer index and filter bytes per get than "
            f"whole blocks, and give {found[1]:,.1f}x the gets")


def bars(args, results, title, text_of, value_of):
    """One card: a bar per cache size and setting, on one scale."""
    top = max(value_of(r) for r in results.values()) or 1.0
    width, bar, left, right = 420, 15, 118, 92
    out, y = [], 4
    for percent in args.percents:
        out.append(f'<text x="0" y="{y + bar + 11}">cache {percent:g} %'
                   "</text>")
        for setting in SETTINGS:
            value = value_of(results[percent, setting.name])
            length = max(1.0, (width - left - right) * value / top)
            out.append(
                f'<rect x="{left}" y="{y}" width="{length:.1f}" '
                f'height="{bar - 3}" rx="2" style="fill:var(--{setting.css})">'
                f"<title>{html.escape(setting.name)}: {text_of(value)}"
                f'</title></rect><text x="{left + length + 5:.1f}" '
                f'y="{y + bar - 6}">{text_of(value)}</text>')
            y += bar
        y += 10
    return (f'<div class="card"><h3>{html.escape(title)}</h3>'
            f'<svg viewBox="0 0 {width} {y}" role="img" '
            f'aria-label="{html.escape(title)}">{"".join(out)}</svg></div>')


def render(args, results, commands, percent):
    key = "".join(page.swatch(s.css, s.name) for s in SETTINGS)
    cards = "".join([
        bars(args, results, "Gets per second", lambda v: f"{v:,.0f}",
             lambda r: r.speed),
        bars(args, results, "Index and filter bytes read per get",
             lambda v: f"{v:,.0f}", lambda r: r.metadata_bytes),
        bars(args, results, "Data bytes read per get",
             lambda v: f"{v:,.0f}", lambda r: r.read_bytes["data"]),
        bars(args, results, "Peak memory, MB",
             lambda v: f"{v / 1e6:,.0f}", lambda r: r.memory)])
    body = (f'<p class="key">{key}</p><div class="row six">{cards}</div>'
            f'<div class="scroll">{as_html(rows_of(args, results))}</div>')
    intro = (f"{args.keys:,} keys of {KEY_BYTES} + {VALUE_BYTES} bytes, random "
             f"reads by {args.threads} thread(s) for {args.seconds} s, direct "
             f"I/O, medians of {args.runs} runs. Heap: index and filters stay "
             "with the open tables, outside the cache. Whole blocks: one index "
             "and one filter block per table, in the cache. Partitioned: 4 KiB "
             "partitions in the cache, their top levels pinned. Bytes per get "
             "include what opening the tables reads.")
    notes = (f"load average {os.getloadavg()[0]:.1f}\n" + "\n".join(commands))
    return page.document("Partitioned index and filters",
                         headline(results, percent), intro, body, notes)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", default=str(runner.BENCH))
    parser.add_argument("--keys", type=int, default=8000000)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--percents", default="0.07,0.5,1",
                        help="cache sizes, percent of the data")
    parser.add_argument("--db", help="parent directory of the databases")
    parser.add_argument("--out", default="partitioned.html")
    parser.add_argument("--markdown", action="store_true")
    args = parser.parse_args()
    args.percents = [float(p) for p in args.percents.split(",")]
    return args


def main():
    runner.end_tidily()
    args = arguments()
    if not os.access(args.bench, os.X_OK):
        print(f"{args.bench} is missing: tools/dev build", file=sys.stderr)
        return 1
    parent = runner.temporary_parent(args.db)
    if shutil.disk_usage(parent).free < FREE_BYTES:
        print(f"{parent} has less than {FREE_BYTES / 1e9:.0f} GB free",
              file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="partitioned-", dir=parent) as name:
        results, commands = measure_all(args, pathlib.Path(name))
    percent = (GOAL_PERCENT if GOAL_PERCENT in args.percents
               else args.percents[0])
    print("\n" + as_text(rows_of(args, results), args.markdown))
    pathlib.Path(args.out).write_text(
        render(args, results, commands, percent), encoding="utf-8")
    print(f"\n{headline(results, percent)}. Charts: {args.out}")
    return verdict(results, percent)


if __name__ == "__main__":
    sys.exit(main())

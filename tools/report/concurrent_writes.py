#!/usr/bin/env python3
"""Ten threads that put, in the four settings of the article on concurrent
memtable writes: allow_concurrent_memtable_write and
enable_write_thread_adaptive_yield, each on and off.

First the article's loop through the C interface of our library and of a genuine
RocksDB, alternating (peer_bench); then the article's program itself, compiled
against our headers and, where RocksDB's development package is installed,
against those. Prints tables and verdicts, and writes concurrent.html and
concurrent.svg.
"""

import argparse
import dataclasses
import html
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

import page
import picture
import runs as runner

BENCH = runner.ROOT / "build/release/peer_bench"
OURS = runner.ROOT / "build/release/librocksdb.so"
PROGRAM = runner.ROOT / "test/api/programs/concurrent_put.cc"
PACKAGED = pathlib.Path("/usr/include/rocksdb/db.h")
ALL_KEYS = 10_000_000
GOAL_RATIO, GOAL_FASTEST = 1.5, 1.03
# Name of the workload: what is on, and the article's seconds (2017).
SETTINGS = {
    "none": ("both off", 39),
    "yield": ("adaptive yield", 33),
    "concurrent": ("concurrent writes", 43),
    "both": ("both on", 29),
}


@dataclasses.dataclass
class Side:
    """One library in one setting: seconds of each run, processors used."""
    seconds: list
    processors: float

    @property
    def median(self):
        return statistics.median(self.seconds)


def sides_of(comparison):
    """{"ours": Side, "peer": Side} of peer_bench's figures."""
    return {name: Side([run["seconds"] for run in comparison[name]],
                       statistics.median(run["cpu_seconds"] / run["seconds"]
                                         for run in comparison[name]))
            for name in ("ours", "peer")}


def read_figures(text):
    """{setting: sides} of a file that peer_bench has written."""
    return {c["workload"].removeprefix("puts-10t-"): sides_of(c)
            for c in json.loads(text)}


def table(figures):
    lines = ["| setting | ours, s | RocksDB 11.8.1, s | ratio | ours, CPUs | "
             "theirs, CPUs | the article, s |",
             "|---|---:|---:|---:|---:|---:|---:|"]
    for setting, (title, published) in SETTINGS.items():
        ours, peer = figures[setting]["ours"], figures[setting]["peer"]
        lines.append(
            f"| {title} | {ours.median:.2f} | {peer.median:.2f} | "
            f"**{peer.median / ours.median:.2f}** | {ours.processors:.2f} | "
            f"{peer.processors:.2f} | {published} |")
    return "\n".join(lines)


def verdicts(figures):
    """(text, holds) of each goal."""
    ratios = {s: f["peer"].median / f["ours"].median
              for s, f in figures.items()}
    worst = min(ratios, key=ratios.get)
    fastest = min(f["ours"].median for f in figures.values())
    both = figures["both"]["ours"].median / fastest
    return [
        (f"least ratio {ratios[worst]:.2f} ({SETTINGS[worst][0]}), "
         f"goal {GOAL_RATIO}", ratios[worst] >= GOAL_RATIO),
        (f"both on takes {both:.3f} of our fastest setting, goal "
         f"{GOAL_FASTEST}", both <= GOAL_FASTEST),
    ]


def bars(figures):
    """The seconds as an SVG: two bars for each setting."""
    left, bar, gap = 150, 20, 22
    longest = max(side.median for f in figures.values() for side in f.values())
    scale = (picture.WIDTH - left - 90) / longest
    out, y = [], 8
    for setting, (title, _) in SETTINGS.items():
        out.append(f'<text class="title" x="0" y="{y + bar + 3}">'
                   f'{html.escape(title)}</text>')
        for name, css, who in (("ours", "write", "Riverstone"),
                               ("peer", "miss", "RocksDB 11.8.1")):
            side = figures[setting][name]
            width = side.median * scale
            out.append(
                f'<rect x="{left}" y="{y}" width="{width:.1f}" '
                f'height="{bar - 3}" fill="var(--{css})"/>'
                f'<text x="{left + width + 6:.1f}" y="{y + 13}">'
                f'{side.median:.2f} s {html.escape(who)}</text>')
            y += bar
        y += gap
    return picture.drawing("Seconds of ten threads that put", y, "".join(out))


def with_setting(source, setting, keys):
    """The article's program with the lines that its author changed."""
    concurrent = setting in ("concurrent", "both")
    adaptive = setting in ("yield", "both")
    lines = (f"  options.allow_concurrent_memtable_write = "
             f"{str(concurrent).lower()};\n"
             f"  options.enable_write_thread_adaptive_yield = "
             f"{str(adaptive).lower()};\n")
    mark = "  // options.write_buffer_size"
    count = f"const long kNum = {ALL_KEYS};"
    if mark not in source or count not in source:
        raise ValueError(f"{PROGRAM} is not the article's program any more")
    return source.replace(mark, lines + mark).replace(
        count, f"const long kNum = {keys};")


def compile_program(folder, name, source, flags):
    code = folder / f"{name}.cc"
    code.write_text("#include <cassert>\n" + source)
    program = folder / name
    subprocess.run([os.environ.get("CXX", "g++"), "-std=c++20", "-O2", "-o",
                    program, code, *flags, "-pthread"], check=True)
    return program


def run_program(program):
    """Seconds, as the program says."""
    with tempfile.TemporaryDirectory(dir=program.parent) as folder:
        out = subprocess.run([program], cwd=folder, check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    return int(out.rpartition("used ")[2].split()[0]) / 1e9


def run_programs(folder, keys, repeats):
    """{setting: {library: median seconds}} of the article's own program."""
    source = PROGRAM.read_text()
    libraries = {"ours": [f"-I{runner.ROOT}/include", str(OURS),
                          f"-Wl,-rpath,{OURS.parent}"]}
    if PACKAGED.exists():
        libraries["packaged"] = ["-lrocksdb"]
    programs = {(s, lib): compile_program(folder, f"{lib}_{s}",
                                          with_setting(source, s, keys), flags)
                for s in SETTINGS for lib, flags in libraries.items()}
    seconds = {key: [] for key in programs}
    for _ in range(repeats):
        for key, program in programs.items():
            seconds[key].append(run_program(program))
    return {s: {lib: statistics.median(seconds[s, lib]) for lib in libraries}
            for s in SETTINGS}


def program_table(figures):
    packaged = "packaged" in figures["both"]
    lines = ["| setting | ours, s |" + (" packaged, s | ratio |"
                                        if packaged else ""),
             "|---|---:|" + ("---:|---:|" if packaged else "")]
    for setting, (title, _) in SETTINGS.items():
        row = figures[setting]
        line = f"| {title} | {row['ours']:.2f} |"
        if packaged:
            line += (f" {row['packaged']:.2f} | "
                     f"**{row['packaged'] / row['ours']:.2f}** |")
        lines.append(line)
    return "\n".join(lines)


def parse(arguments):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--full", action="store_true",
                        help="ten million keys, as in the article")
    parser.add_argument("--keys", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--peer", required=True,
                        help="the shared object of RocksDB 11.8.1")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."),
                        help="folder for concurrent.html and .svg")
    result = parser.parse_args(arguments)
    if result.full:
        result.keys = ALL_KEYS
    return result


def main(arguments):
    flags = parse(arguments)
    with tempfile.TemporaryDirectory(prefix="concurrent") as name:
        folder = pathlib.Path(name)
        subprocess.run(
            [BENCH, "--ours", OURS, "--peer", flags.peer, "--db",
             folder / "db", "--num", str(flags.keys), "--repeats",
             str(flags.repeats), "--json", folder / "runs.json", "--workloads",
             ",".join(f"puts-10t-{s}" for s in SETTINGS)],
            check=True, stdout=subprocess.DEVNULL)
        figures = read_figures((folder / "runs.json").read_text())
        print(table(figures), flush=True)
        tables, judged = [table(figures)], verdicts(figures)
        for text, holds in judged:
            print(("  holds: " if holds else "  MISSED: ") + text)
        if shutil.which(os.environ.get("CXX", "g++")):
            tables.append(program_table(
                run_programs(folder, flags.keys, flags.repeats)))
            print("\nThe article's program:\n" + tables[-1])
    chart = bars(figures)
    (flags.out / "concurrent.svg").write_text(chart)
    (flags.out / "concurrent.html").write_text(page.verdicts_page(
        "Ten threads that put", chart, judged, tables))
    held = all(holds for _, holds in judged)
    return 0 if held else runner.MISSED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

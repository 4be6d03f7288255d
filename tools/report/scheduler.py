#!/usr/bin/env python3
"""The I/O scheduler's experiments: one disk, three that want it.

Synced writes and point reads at fixed rates compete with compactions that take
all of the disk: on a capped disk (root) with the scheduler, without it, and
with RocksDB 11.8.1; on a modelled device with and without it. Prints a table
and verdicts, and writes scheduler.html.
"""

import argparse
import dataclasses
import html
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import cap
import page
import picture
import runs as runner
import svg

PROGRAM = runner.ROOT / "build/release/scheduler_bench"
IOTUNE = runner.ROOT / "build/release/iotune"
PEER = runner.ROOT / "build/peer/librocksdbjni-linux64.so"
FREE_BYTES = 8e9
MB = 1e6
WARM_UP = 5
SERVED, SERVED_P99 = 0.99, 100e3    # What a rate that is served has at least.
GOAL_LOG, GOAL_QUERY = 2.0, 2.0     # Times less than without the scheduler.
GOAL_HELD = 1.05                    # Of K, in any second.
ON, OFF, THEIRS, QUIET = ("scheduler on", "scheduler off", "RocksDB 11.8.1",
                          "no compactions")
CSS = {ON: "good", OFF: "write", THEIRS: "miss", QUIET: "other"}


@dataclasses.dataclass
class Profile:
    """The bandwidths and operations of a disk, and K."""
    read_bandwidth: float
    write_bandwidth: float
    read_iops: float
    write_iops: float
    rate_factor: float = 1.0

    @classmethod
    def parse(cls, text):
        values = {}
        for line in text.splitlines():
            name, _, value = line.strip().removeprefix("- ").partition(":")
            if name in cls.__dataclass_fields__:
                values[name] = float(value)
        return cls(**values)

    def text(self, mountpoint):
        lines = [f"    {name}: {value:g}" if name == "rate_factor" else
                 f"    {name}: {value:.0f}"
                 for name, value in dataclasses.asdict(self).items()]
        return (f"disks:\n  - mountpoint: {mountpoint}\n"
                + "\n".join(lines) + "\n")

    def cost(self, counts):
        """Of the disk's time per second; without operations by bytes."""
        return (counts.get("read", 0) / self.read_bandwidth
                + counts.get("written", 0) / self.write_bandwidth
                + counts.get("reads", 0) / self.read_iops
                + counts.get("writes_done", 0) / self.write_iops)


@dataclasses.dataclass
class Result:
    """One run."""
    device: str
    engine: str
    rate: float
    summary: dict
    seconds: list               # Dictionaries, one per second.
    costs: list                 # Of the disk, those that count.
    command: str

    @property
    def queries(self):
        return self.summary["queries"]

    @property
    def syncs(self):
        return self.summary["syncs"]

    @property
    def served(self):
        share = self.queries["served"] / self.rate
        return share >= SERVED and self.queries["p99"] <= SERVED_P99

    @property
    def log_served(self):
        return self.summary["log"]["served"] / self.summary["log"]["asked"]


def parse(lines):
    """(seconds, summary) of what the program printed."""
    rows = [json.loads(line) for line in lines if line.startswith("{")]
    if not rows or "summary" not in rows[-1]:
        raise RuntimeError("no summary")
    return rows[:-1], rows[-1]["summary"]


def copy_base(base, to):
    """Tables are never changed, so they are linked; the rest is copied."""
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    for file in base.iterdir():
        if file.suffix == ".sst":
            os.link(file, to / file.name)
        elif file.name != "LOCK" and not file.name.startswith("LOG"):
            shutil.copy(file, to / file.name)


class Sampler:
    """What a capped disk was charged in each second, in a thread."""

    NAMES = {"read": ("io_service_bytes", "Read"),
             "written": ("io_service_bytes", "Write"),
             "reads": ("io_serviced", "Read"),
             "writes_done": ("io_serviced", "Write")}

    def __init__(self, limit):
        self._limit, self._stop = limit, threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.samples = []

    def _take(self):
        return {name: self._limit.count(*what)
                for name, what in self.NAMES.items()}

    def _run(self):
        before, then = self._take(), time.monotonic()
        while not self._stop.wait(1.0):
            now, at = self._take(), time.monotonic()
            self.samples.append({name: (now[name] - before[name]) / (at - then)
                                 for name in now})
            before, then = now, at

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *unused):
        self._stop.set()
        self._thread.join()


class Contest:
    """One device: how programs are run on it, and what they cost it."""

    def __init__(self, args, parent, name):
        self.args, self.parent, self.name = args, parent, name
        self.flags, self.profile = [], None
        self.profile_path = parent / f"{name}.yaml".replace(" ", "-")

    def limit(self):
        return cap.NoCap()

    def run(self, engine, rate):
        args, where = self.args, self.parent / "run"
        copy_base(self.parent / "base", where)
        command = [str(args.bench), f"--db={where}",
                   f"--seconds={args.seconds}", f"--warm_up={WARM_UP}",
                   f"--query_rate={rate:g}", f"--log_rate={args.log_rate:g}",
                   f"--query_keys={args.keys}", *self.flags]
        if engine == ON:
            command.append(f"--profile={self.profile_path}")
        elif engine == THEIRS:
            command.append(f"--library={args.peer}")
        elif engine == QUIET:
            command.append("--compactions=false")
        with self.limit() as limit:
            seconds, summary, samples = self._execute(command, limit)
        costs = [self.profile.cost(s) for s in samples or seconds]
        result = Result(self.name, engine, rate, summary, seconds,
                        costs[WARM_UP:], " ".join(command))
        print("  " + "  ".join(row_of(result, self.profile)), flush=True)
        return result

    def _execute(self, command, limit):
        child = limit.start(command, stdout=subprocess.PIPE, text=True)
        if isinstance(limit, cap.NoCap):
            lines = child.stdout.readlines()
            samples = None
        else:
            with Sampler(limit) as sampler:
                lines = child.stdout.readlines()
            samples = sampler.samples
        if child.wait() != 0:
            raise RuntimeError(f"failed: {' '.join(command)}")
        return *parse(lines), samples


class Model(Contest):
    """ThrottledFileSystem in the program; its device has no operations."""

    def __init__(self, args, parent):
        super().__init__(args, parent, "model")
        write, read = args.write_mbps * MB, args.read_mbps * MB
        self.flags = [f"--device_write_mbps={args.write_mbps:g}",
                      f"--device_read_mbps={args.read_mbps:g}"]
        self.profile = Profile(read, write, read / 4096, write / 4096)
        self.profile_path.write_text(self.profile.text("/"),
                                     encoding="utf-8")


class Capped(Contest):
    """The real disk under a cap; its profile is measured under it."""

    def __init__(self, args, parent):
        super().__init__(args, parent, "capped disk")
        command = [str(args.iotune), f"--dir={parent}",
                   f"--seconds={args.tune_seconds}", "--file_mb=256",
                   f"--out={self.profile_path}",
                   f"--page={pathlib.Path(args.out).with_suffix('.io.html')}"]
        with self.limit() as limit:
            child = limit.start(command, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True)
            errors = child.communicate()[1]
        if child.returncode != 0:
            raise RuntimeError(errors.strip().splitlines()[-1])
        self.profile = Profile.parse(
            self.profile_path.read_text(encoding="utf-8"))

    def limit(self):
        args = self.args
        return cap.Cap(self.parent, args.write_mbps * MB,
                       read_bps=args.read_mbps * MB, read_iops=args.iops,
                       write_iops=args.iops)


HEAD = ["device", "engine", "reads/s asked", "served", "read p50", "read p99",
        "log sync mean", "log sync p99", "synced put p99", "log served",
        "total mean", "total p95", "K"]


def millis(micros):
    return f"{micros / 1000:.2f} ms" if micros < 1e5 else f"{micros / 1e6:.1f} s"


def percentile(values, share):
    ordered = sorted(values)
    return ordered[int((len(ordered) - 1) * share)] if ordered else 0.0


def row_of(result, profile):
    mean = sum(result.costs) / max(len(result.costs), 1)
    return [result.device, result.engine, f"{result.rate:g}",
            f"{result.queries['served']:.0f}"
            + ("" if result.served else " (no)"),
            millis(result.queries["p50"]), millis(result.queries["p99"]),
            millis(result.syncs["average"]), millis(result.syncs["p99"]),
            millis(result.summary["log"]["p99"]),
            f"{100 * result.log_served:.0f} %", f"{mean:.2f}",
            f"{percentile(result.costs, 0.95):.2f}",
            f"{profile.rate_factor:.2f}"]


def as_text(rows, markdown):
    if markdown:
        rows = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
        return "\n".join("| " + " | ".join(row) + " |" for row in rows)
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(c.rjust(w) if i > 1 else c.ljust(w)
                               for i, (c, w) in enumerate(zip(row, widths)))
                     for row in rows)


def highest_served(results, engine):
    return max((r.rate for r in results if r.engine == engine and r.served),
               default=0.0)


def verdicts(results, profile):
    """(text, met) of one device: at the lowest rate, and the highest served."""
    found = []
    on = [r for r in results if r.engine == ON]
    off = [r for r in results if r.engine == OFF]
    if not on or not off:
        return found
    with_, without = on[0], off[0]
    held = percentile([c for r in on for c in r.costs], 0.95)
    limit = profile.rate_factor
    found.append((f"total held at K: 95 % of seconds at most {held:.2f} "
                  f"(K {limit:.2f})", held <= GOAL_HELD * limit))
    for title, pick, goal in (
            ("disk latency of the log, mean", lambda r: r.syncs["average"],
             GOAL_LOG),
            ("point reads' p99", lambda r: r.queries["p99"], GOAL_QUERY)):
        times = pick(without) / max(pick(with_), 1e-9)
        found.append((f"{title}: {millis(pick(without))} -> "
                      f"{millis(pick(with_))}, {times:.1f}x (goal {goal:g}x)",
                      times >= goal))
    rate_on, rate_off = (highest_served(results, e) for e in (ON, OFF))
    found.append((f"highest rate served: {rate_off:g} -> {rate_on:g} reads/s",
                  rate_on > rate_off))
    return found


def chart(results, rate, profile, title, pick, label):
    """Lines over seconds, one per engine, at one rate."""
    chosen = [r for r in results if r.rate == rate]
    series = [(r, pick(r)) for r in chosen]
    seconds = max((len(values) for _, values in series), default=1)
    top = svg.nice_top([v for _, values in series for v in values])
    frame = svg.Frame(520, 220, seconds, top)
    layers = [svg.axes(frame, label)]
    for result, values in series:
        points = [(t + 0.5, v) for t, v in enumerate(values)]
        css = CSS[result.engine]
        line = svg.line(frame, points, "")
        layers.append(line.replace(
            'class=""', f'style="stroke:var(--{css});fill:none"'))
    if pick is costs_of:
        layers.append(svg.threshold(frame, profile.rate_factor, "K"))
    return (f'<div class="card"><h3>{html.escape(title)}</h3>'
            f'{svg.chart(frame, title, layers)}</div>')


def picture_of(contest, results, rate):
    """One chart per engine that competes with compactions, as one SVG."""
    chosen = [r for r in results if r.rate == rate and r.engine != QUIET]
    top = svg.nice_top([c for r in chosen for c in r.costs])
    charts = []
    for result in chosen:
        frame = svg.Frame(picture.WIDTH, picture.CHART_HEIGHT,
                          max(len(result.costs), 1), top)
        points = [(t + 0.5, cost) for t, cost in enumerate(result.costs)]
        title = (f"{result.engine.capitalize()}: 99 % of reads within "
                 f"{millis(result.queries['p99'])}, a log sync takes "
                 f"{millis(result.syncs['average'])}")
        if result.engine == THEIRS:
            title = title.replace("Rocksdb", "RocksDB")
        charts.append((title, svg.axes(frame, lambda v: f"{v:.1f}")
                       + svg.line(frame, points, "write")
                       + svg.threshold(frame, contest.profile.rate_factor,
                                       "K")))
    return picture.stacked("Use of the disk, seconds of disk time per second",
                           charts)


def costs_of(result):
    return result.costs


def served_of(result):
    return [row["queries"] for row in result.seconds[WARM_UP:]]


def as_html(rows):
    def line(cells, tag):
        return "<tr>" + "".join(f"<{tag}>{html.escape(c)}</{tag}>"
                                for c in cells) + "</tr>"
    return (f'<div class="scroll"><table><thead>{line(rows[0], "th")}</thead>'
            "<tbody>" + "".join(line(row, "td") for row in rows[1:])
            + "</tbody></table></div>")


def render(args, contests, notes):
    body = ('<p class="key">'
            + "".join(page.swatch(css, name) for name, css in CSS.items())
            + "</p>")
    for contest, results in contests:
        judged = verdicts(results, contest.profile)
        lines = "".join(
            f"<li>{html.escape(text)}: <b>{'met' if met else 'MISSED'}</b></li>"
            for text, met in judged)
        body += f"<h2>{html.escape(contest.name.capitalize())}</h2>"
        body += f"<ul>{lines}</ul>" if lines else ""
        cards = "".join(
            chart(results, rate, contest.profile, f"{title}, {rate:g} asked",
                  pick, label)
            for rate in args.rates
            for title, pick, label in (
                ("Point reads served per second", served_of,
                 lambda v: f"{v:g}"),
                ("Use of the disk by the model, seconds per second", costs_of,
                 lambda v: f"{v:.2g}")))
        body += f'<div class="row cards-2">{cards}</div>'
        body += as_html([HEAD] + [row_of(r, contest.profile)
                                  for r in results])
    intro = (f"Synced writes at {args.log_rate:g} per second and point reads "
             "at fixed rates, while compactions take what they get of a disk "
             f"with {args.write_mbps:g} MB/s of writes and "
             f"{args.read_mbps:g} MB/s of reads, {args.seconds} s each, all "
             "from the same files. A rate is served if 99 % of its reads are "
             "done and 99 % of those take at most 100 ms from when they were "
             "due. Log sync: the engine's own histogram of syncs of its log.")
    return page.document("The I/O scheduler's experiments",
                         headline(contests), intro, body, notes)


def headline(contests):
    for contest, results in contests:
        on = [r for r in results if r.engine == ON]
        off = [r for r in results if r.engine == OFF]
        if on and off:
            return (f"Point reads next to compactions ({contest.name}): p99 "
                    f"{millis(off[0].queries['p99'])} without the scheduler, "
                    f"{millis(on[0].queries['p99'])} with it")
    return "Point reads and synced writes next to compactions"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", default=str(PROGRAM))
    parser.add_argument("--iotune", default=str(IOTUNE))
    parser.add_argument("--peer", default=str(PEER))
    parser.add_argument("--devices", default="capped,model")
    parser.add_argument("--engines", default="on,off,peer,quiet",
                        help="of on, off, peer, quiet")
    parser.add_argument("--rates", default="300,600,900,1200",
                        help="point reads per second")
    parser.add_argument("--log-rate", type=float, default=100)
    parser.add_argument("--seconds", type=int, default=40)
    parser.add_argument("--tune-seconds", type=int, default=60)
    parser.add_argument("--write-mbps", type=float, default=45)
    parser.add_argument("--read-mbps", type=float, default=45)
    parser.add_argument("--iops", type=int, default=3000)
    parser.add_argument("--keys", type=int, default=300000)
    parser.add_argument("--bulk-mb", type=int, default=2048)
    parser.add_argument("--db", help="parent directory of the databases")
    parser.add_argument("--out", default="scheduler.html")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--picture", metavar="FILE",
                        help="an SVG of the first device at the lowest rate")
    args = parser.parse_args()
    args.rates = [float(rate) for rate in args.rates.split(",")]
    names = {"on": ON, "off": OFF, "peer": THEIRS, "quiet": QUIET}
    args.engines = [names[name] for name in args.engines.split(",")]
    return args


def devices_of(args, parent):
    for name in args.devices.split(","):
        if name == "model":
            yield Model(args, parent)
            continue
        reason = cap.unavailable(parent)
        if reason:
            print(f"*** NO CAPPED DISK: {reason} ***", file=sys.stderr)
            continue
        yield Capped(args, parent)


def engines_of(args, contest):
    for engine in args.engines:
        if engine == THEIRS and contest.name == "model":
            continue  # Its files cannot be slowed.
        if engine == THEIRS and not os.path.exists(args.peer):
            print(f"*** NO PEER: {args.peer} is missing ***", file=sys.stderr)
            continue
        yield engine


def measure(args, parent):
    subprocess.run([args.bench, "--prepare", f"--db={parent / 'base'}",
                    f"--query_keys={args.keys}", f"--bulk_mb={args.bulk_mb}"],
                   check=True)
    contests = []
    for contest in devices_of(args, parent):
        print(f"{contest.name}: {contest.profile}", flush=True)
        results = [contest.run(engine, rate) for rate in args.rates
                   for engine in engines_of(args, contest)]
        contests.append((contest, results))
    return contests


def main():
    runner.end_tidily()
    args = arguments()
    parent = runner.temporary_parent(args.db)
    if shutil.disk_usage(parent).free < FREE_BYTES:
        print(f"{parent} has less than {FREE_BYTES / 1e9:.0f} GB free",
              file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="scheduler-", dir=parent) as name:
        contests = measure(args, pathlib.Path(name))
    good = True
    for contest, results in contests:
        rows = [HEAD] + [row_of(r, contest.profile) for r in results]
        print("\n" + as_text(rows, args.markdown))
        for text, met in verdicts(results, contest.profile):
            print(f"{'met' if met else 'MISSED'}: {text}")
            good &= met
    notes = f"load average {os.getloadavg()[0]:.1f}\n" + "\n".join(
        f"{contest.name}: {contest.profile}\n"
        + "\n".join(r.command for r in results)
        for contest, results in contests)
    if args.picture:
        pathlib.Path(args.picture).write_text(
            picture_of(*contests[0], args.rates[0]), encoding="utf-8")
    pathlib.Path(args.out).write_text(render(args, contests, notes),
                                      encoding="utf-8")
    print(f"\nCharts: {args.out}")
    return 0 if good else runner.MISSED


if __name__ == "__main__":
    sys.exit(main())

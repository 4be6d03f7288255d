#!/usr/bin/env python3
"""Variants under a cap of the real disk, judged: PASS or MISS per target.

Each repetition runs compaction off (the floor of this hour) and then every
variant: one sine period at 1/8 scale, tables written with direct I/O and
charged to a control group (root, blkio version 1). Medians are judged. A run
whose charged bytes are under 95 % of its table bytes is void and left out.

Several caps may run --together, each in a group and directory of its own.
Without root, --model judges on the modelled device; no peers then.
"""

import argparse
import dataclasses
import os
import pathlib
import shutil
import statistics
import sys
import tempfile
import threading

import cap
import peer
import runs as runner
from runs import Load, Run

FLOOR = "off"
WAIT = "--benchmarks=fillrandom,stats,waitforcompaction"
LIMIT_BPS = 47500000        # Of RocksDB's auto-tuned limiter.
# Points of tracking error over the floor, and sorted runs, by cap in MB/s.
ERROR_POINTS = {45: 3.0}
ERROR_POINTS_ELSE = 1.0
RUNS_MEDIAN = {45: 26, 60: 18, 90: 14}
IDLE_SECONDS = 2            # waitforcompaction looks on for so long.

VARIANTS = {
    "adaptive": lambda: Run("adaptive", [*runner.ADAPTIVE, WAIT],
                            adaptive=True),
    "on": lambda: Run("on", [WAIT]),
    FLOOR: lambda: Run(FLOOR, runner.OFF),
    "drain": lambda: Run("drain", runner.limited_flags(LIMIT_BPS)
                         + [*runner.ADAPTIVE,
                            "--compaction_tuning=drain_switch", WAIT]),
    "native": lambda: Run("native",
                          [*runner.limited_flags(LIMIT_BPS), WAIT]),
    "tuned": lambda: Run("tuned", [*runner.HAND_TUNED, WAIT]),
    "peer": lambda: Run("peer", [WAIT], is_peer=True),
    "peer-off": lambda: Run("peer-off", runner.OFF, is_peer=True),
    "peer-native": lambda: Run("peer-native", [
        *runner.limited_flags(LIMIT_BPS), WAIT], is_peer=True),
    "peer-tuned": lambda: Run("peer-tuned", [*runner.HAND_TUNED, WAIT],
                              is_peer=True),
}


@dataclasses.dataclass
class Figures:
    """One run, or the medians of several."""
    tracking_error: float = None    # Percent.
    accepted: float = None          # Percent.
    worst_second: float = None
    seconds_below: float = None
    p999_ms: float = None
    l0_most: float = None
    runs_median: float = None
    unflushed_most: float = None    # Bytes.
    pending_most: float = None      # Bytes.
    pending_end: float = None       # Bytes.
    debt_end: float = None          # Bytes.
    charged_share: float = None     # Of the table bytes.
    repay_seconds: float = None


def figures_of(run, score):
    """`score` is that of the report file; the rest is the run's own."""
    own = run.score
    def percent(value):
        return None if value is None else 100 * value
    return Figures(
        percent(score.tracking_error), percent(score.accepted_share),
        score.worst_second,
        score.seconds_below if score.tracking_error is not None else None,
        None if own.p999_us is None else own.p999_us / 1000,
        own.l0_most, own.runs_median, own.unflushed_most, own.pending_most,
        own.pending_end, own.debt_end,
        run.charged / run.table_bytes
        if run.charged is not None and run.table_bytes else None,
        run.repay_seconds)


def medians(all_figures):
    """The median of every field over the runs that know it."""
    out = Figures()
    for field in dataclasses.fields(Figures):
        known = [getattr(f, field.name) for f in all_figures]
        known = [value for value in known if value is not None]
        setattr(out, field.name,
                statistics.median(known) if known else None)
    return out


@dataclasses.dataclass
class Target:
    name: str
    value: str
    limit: str
    met: bool               # None: not known.


def targets(own, floor, cap_mbps):
    """What must hold for the medians `own`, compared with the floor's."""
    points = ERROR_POINTS.get(cap_mbps, ERROR_POINTS_ELSE)
    out = []

    def judge(name, value, limit, shown, below=True):
        met = None
        if value is not None and limit is not None:
            met = value <= limit if below else value >= limit
        sign = "<=" if below else ">="
        out.append(Target(name, "-" if value is None else shown(value),
                          "-" if limit is None else f"{sign} {shown(limit)}",
                          met))

    def plus(value, more):
        return None if value is None else value + more
    judge("tracking error", own.tracking_error,
          plus(floor.tracking_error, points), lambda v: f"{v:.1f} %")
    judge("accepted", own.accepted, plus(floor.accepted, -0.3),
          lambda v: f"{v:.1f} %", below=False)
    judge("worst second", own.worst_second, 0.85, lambda v: f"{v:.2f}",
          below=False)
    judge("seconds under 0.9", own.seconds_below, 2, lambda v: f"{v:g}")
    judge("p99.9 put", own.p999_ms,
          None if floor.p999_ms is None else max(1.0, 3 * floor.p999_ms),
          lambda v: f"{v:.2f} ms")
    judge("most L0 files", own.l0_most, 36, lambda v: f"{v:g}")
    judge("sorted runs, median", own.runs_median, RUNS_MEDIAN.get(cap_mbps),
          lambda v: f"{v:g}")
    judge("unflushed bytes", own.unflushed_most,
          runner.WRITE_BUFFERS * runner.WRITE_BUFFER_SIZE,
          lambda v: f"{v / 1e6:.1f} MB")
    judge("pending bytes", own.pending_most, runner.SOFT_LIMIT,
          lambda v: f"{v / 1e6:.0f} MB")
    judge("charged", None if own.charged_share is None
          else 100 * own.charged_share, 95.0, lambda v: f"{v:.1f} %",
          below=False)
    judge("repaid in", own.repay_seconds, repay_limit(own, cap_mbps),
          lambda v: f"{v:.1f} s")
    return out


def repay_limit(own, cap_mbps):
    if own.debt_end is None or cap_mbps <= 0:
        return None
    return 2 * own.debt_end / (cap_mbps * 1e6) + IDLE_SECONDS


COLUMNS = (("error %", "tracking_error", 1), ("accepted %", "accepted", 1),
           ("worst s", "worst_second", 2), ("s < 0.9", "seconds_below", 0),
           ("p99.9 ms", "p999_ms", 2), ("L0", "l0_most", 0),
           ("runs", "runs_median", 0), ("unflushed MB", "unflushed_most", -6),
           ("pending MB", "pending_most", -6), ("end MB", "pending_end", -6),
           ("charged", "charged_share", 2), ("repay s", "repay_seconds", 1))


def row_of(name, figures):
    cells = [name]
    for _, field, digits in COLUMNS:
        value = getattr(figures, field)
        if value is None:
            cells.append("-")
        elif digits < 0:
            cells.append(f"{value * 10 ** digits:.0f}")
        else:
            cells.append(f"{value:.{digits}f}")
    return cells


def format_table(rows, markdown=False):
    if markdown:
        rows = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
        return "\n".join("| " + " | ".join(row) + " |" for row in rows)
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(
        c.ljust(w) if i == 0 else c.rjust(w)
        for i, (c, w) in enumerate(zip(row, widths))) for row in rows)


def verdict_lines(judged, markdown=False):
    rows = [["target", "median", "limit", ""]]
    for t in judged:
        word = "not known" if t.met is None else ("PASS" if t.met else "MISS")
        rows.append([t.name, t.value, t.limit, word])
    return format_table(rows, markdown)


class Series:
    """All runs under one cap."""

    def __init__(self, args, cap_mbps, parent):
        self.args, self.cap_mbps = args, cap_mbps
        self.parent = pathlib.Path(parent)
        self.load = Load(args.seconds, args.amplitude, args.mean,
                         args.value_size)
        self.figures = {}   # Of each variant, one per run.
        self.problems = []

    def run(self):
        names = [n for n in self.args.variants if n != FLOOR]
        for repeat in range(1, self.args.repeats + 1):
            for name in [FLOOR, *names]:
                self._one(name, repeat)

    def _one(self, name, repeat):
        run = VARIANTS[name]()
        if any(p.startswith(f"{name}: not") for p in self.problems):
            return
        where = self.parent / f"{self.cap_mbps:g}-{name}-{repeat}"
        (where / "db").mkdir(parents=True)
        program = self.args.peer if run.is_peer else self.args.bench
        model = ([f"--device_write_mbps={self.cap_mbps:g}"]
                 if self.args.model else [])
        run.command = [program, *runner.eighth_flags(self.load), *model,
                       *runner.files_flags(run, where), *run.flags,
                       *self.args.flags]
        limit = (cap.NoCap() if self.args.model
                 else cap.Cap(where, self.cap_mbps * 1e6))
        with limit:
            runner.execute(run, where, self.load, limit,
                           extra_seconds=4 * self.load.seconds)
        self._take(name, repeat, run, where)
        shutil.rmtree(where / "db")
        if self.args.keep:
            shutil.copytree(where, pathlib.Path(self.args.keep) / where.name,
                            dirs_exist_ok=True)

    def _take(self, name, repeat, run, where):
        place = f"{self.cap_mbps:g} MB/s, {repeat}, {name}"
        if run.unsupported:
            self.problems.append(f"{name}: not supported: {run.unsupported}")
            return
        if run.error:
            self.problems.append(f"{place}: {run.error}")
            return
        one = figures_of(run, peer.score_report(where / "report.csv",
                                                self.load))
        void = " VOID" if run.void else ""
        print(f"{place} (load {run.load}): error {one.tracking_error:.1f} %, "
              f"accepted {one.accepted:.1f} %, worst {one.worst_second:.2f}"
              f"{void}", flush=True)
        if run.void:
            self.problems.append(
                f"{place}: void, charged {run.charged / 1e6:.0f} MB of "
                f"{run.table_bytes / 1e6:.0f} MB of tables")
        else:
            self.figures.setdefault(name, []).append(one)

    def report(self):
        """The table and the verdicts; False when a target was missed."""
        print(f"\n{self.cap_mbps:g} MB/s, {self.args.seconds} s, medians of "
              f"{self.args.repeats}\n")
        middle = {n: medians(f) for n, f in self.figures.items()}
        rows = [["variant"] + [title for title, _, _ in COLUMNS]]
        rows += [row_of(n, middle[n]) for n in
                 [FLOOR, *self.args.variants] if n in middle]
        print(format_table(rows, self.args.markdown))
        good = True
        if "adaptive" in middle and FLOOR in middle:
            judged = targets(middle["adaptive"], middle[FLOOR], self.cap_mbps)
            print("\n" + verdict_lines(judged, self.args.markdown))
            good = not any(t.met is False for t in judged)
        for problem in dict.fromkeys(self.problems):
            print(f"\n{problem}")
        return good and not self.problems


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--caps", default="45,60,90", metavar="MBPS,...")
    parser.add_argument("--variants", default="adaptive",
                        help="of " + ", ".join(VARIANTS))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--value-size", type=int, default=8192)
    parser.add_argument("--amplitude", type=float, default=9375000)
    parser.add_argument("--mean", type=float, default=15625000)
    parser.add_argument("--together", action="store_true",
                        help="all caps at the same time")
    parser.add_argument("--model", action="store_true",
                        help="the modelled device instead of a control group")
    parser.add_argument("--db", help="parent directory of the databases")
    parser.add_argument("--bench", default=str(runner.BENCH))
    parser.add_argument("--peer", default=runner.PEER)
    parser.add_argument("--keep", metavar="DIR")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("flags", nargs="*", metavar="-- FLAGS",
                        help="more flags for every run")
    args = parser.parse_args()
    args.variants = [n for n in args.variants.split(",") if n]
    args.caps = [float(c) for c in args.caps.split(",")]
    unknown = set(args.variants) - set(VARIANTS)
    if unknown:
        parser.error(f"no variant {', '.join(sorted(unknown))}")
    if args.model and any(n.startswith("peer") for n in args.variants):
        parser.error("a peer does not know the modelled device")
    return args


def main():
    runner.end_tidily()
    args = arguments()
    parent = runner.temporary_parent(args.db)
    reason = "" if args.model else cap.unavailable(parent)
    if reason:
        print(f"no cap can be had: {reason}. --model judges on the modelled "
              "device.", file=sys.stderr)
        return 2
    needed = [args.bench] + ([args.peer] if any(
        n.startswith("peer") for n in args.variants) else [])
    for program in needed:
        if not os.access(program, os.X_OK):
            print(f"{program} is missing", file=sys.stderr)
            return 2
    with tempfile.TemporaryDirectory(prefix="capped-", dir=parent) as where:
        series = [Series(args, c, where) for c in args.caps]
        if args.together:
            threads = [threading.Thread(target=s.run) for s in series]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        else:
            for s in series:
                s.run()
    results = [s.report() for s in series]
    return 0 if all(results) else runner.MISSED


if __name__ == "__main__":
    sys.exit(main())

"""One run of a db_bench: its flags, its files, what came of it.

A variant is a name and the flags that make it; the load is the same for all.
A run that a build cannot do (an unknown mode of tuning, say) is ended and
named as such; it has no score.
"""

import dataclasses
import functools
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import cap
import peer
import timeline

ROOT = pathlib.Path(__file__).resolve().parents[2]
BENCH = ROOT / "build/release/db_bench"
PEER = "/usr/bin/db_bench"  # Of package rocksdb-tools.
LIBRARY = ROOT / "build/peer/librocksdbjni-linux64.so"  # 11.8.1.
ADAPTIVE = ["--auto_tuned_compaction=true"]
OFF = ["-level0_slowdown_writes_trigger=10000",
       "-level0_stop_writes_trigger=10000",
       "-level0_file_num_compaction_trigger=10000",
       "-disable_auto_compactions=true"]
HAND_TUNED = ["--level_compaction_dynamic_level_bytes=true",
              "--level0_file_num_compaction_trigger=10",
              "--level0_slowdown_writes_trigger=60",
              "--level0_stop_writes_trigger=100"]
MISSED = 3                  # Exit code: measured, but a target is missed.
SETUP_SECONDS = 120         # More than this after the end: it hangs.
MODE_SECONDS = 4            # By then a timeline tells the mode of tuning.
WRITE_BUFFERS, WRITE_BUFFER_SIZE = 6, 8388608
SOFT_LIMIT = 8589934592


@dataclasses.dataclass
class Load:
    """A sine: its law, one second or more a step, and its writes."""
    seconds: int
    amplitude: float = 9375000
    mean: float = 15625000
    value_size: int = 8192
    step: float = 1.0
    key_size: int = 16

    @property
    def op_bytes(self):
        return self.value_size + self.key_size

    def rate(self, t):
        """Bytes per second that are asked for at second `t`."""
        begin = math.floor(t / self.step + 1e-9) * self.step
        return (self.amplitude * math.sin(
            2 * math.pi / self.seconds * begin + 4.71) + self.mean)


def eighth_flags(load):
    """The source's experiment at 1/8 scale, for any db_bench."""
    return ["--benchmarks=fillrandom,stats", "--statistics",
            f"--duration={load.seconds}", f"--value_size={load.value_size}",
            "--num=1000000", "--compression_type=None",
            "--sine_write_rate=true", f"--sine_a={load.amplitude:.0f}",
            f"--sine_b={2 * math.pi / load.seconds!r}", "--sine_c=4.71",
            f"--sine_d={load.mean:.0f}",
            "--sine_write_rate_interval_milliseconds="
            f"{1000 * load.step:.0f}",
            "--stats_per_interval=1", "--stats_interval_seconds=5",
            "--histogram", f"--max_write_buffer_number={WRITE_BUFFERS}",
            "--max_background_flushes=4", "--max_background_compactions=2",
            *engine_flags()]


def engine_flags():
    """Sizes at 1/8 scale, tables around the page cache."""
    return [f"--write_buffer_size={WRITE_BUFFER_SIZE}",
            "--max_bytes_for_level_base=33554432",
            "--target_file_size_base=8388608",
            f"--soft_pending_compaction_bytes_limit={SOFT_LIMIT}",
            "--hard_pending_compaction_bytes_limit=17179869184",
            "--delayed_write_rate=1048576",
            "--use_direct_io_for_flush_and_compaction=true"]


def limited_flags(limit_bps):
    return ["-subcompactions=2", "-rate_limiter_auto_tuned=true",
            f"-rate_limiter_bytes_per_sec={limit_bps}"]


# Flags of a db_bench that fillrandom has, too; what it does anyway; all others
# are options.
LIBRARY_FLAGS = ("db", "report_file", "duration", "num", "value_size", "threads",
                 "num_column_families", "num_multi_db", "sine_write_rate",
                 "sine_a", "sine_b", "sine_c", "sine_d",
                 "sine_write_rate_interval_milliseconds")
LIBRARY_DOES = ("benchmarks", "statistics", "compression_type", "histogram",
                "stats_per_interval", "stats_interval_seconds",
                "report_interval_seconds", "wal_dir", "max_background_flushes",
                "max_background_compactions",
                "use_direct_io_for_flush_and_compaction")


def library_command(bench, library, flags):
    """What a db_bench with these flags does, for a library that has none."""
    own, options = [], []
    for flag in flags:
        name = flag.lstrip("-").partition("=")[0]
        if name in LIBRARY_FLAGS:
            own.append(flag)
        elif name not in LIBRARY_DOES:
            options.append(flag.lstrip("-"))
    return [str(pathlib.Path(bench).with_name("fillrandom")),
            f"--library={library}", *own, "--options=" + ";".join(options)]


@dataclasses.dataclass
class Run:
    name: str
    flags: list
    about: str = ""         # What the flags mean, for readers of the page.
    adaptive: bool = False  # Scored only if the build really adapts.
    is_peer: bool = False
    library: str = ""       # Of a peer that has no db_bench.
    command: list = None
    rows: list = dataclasses.field(default_factory=list)
    score: timeline.Score = dataclasses.field(default_factory=timeline.Score)
    load: str = ""          # The machine's load average when it began.
    error: str = ""
    unsupported: str = ""
    charged: int = None     # Bytes charged to the cap, None without one.
    table_bytes: int = None
    repay_seconds: float = None

    @property
    def void(self):
        """The cap did not hold for this run."""
        return (self.charged is not None and bool(self.table_bytes)
                and self.charged < cap.CHARGED_SHARE * self.table_bytes)


def files_flags(run, where):
    out = [f"--db={where / 'db'}", f"--wal_dir={where / 'db'}",
           f"--report_file={where / 'report.csv'}",
           "--report_interval_seconds=1"]
    if not run.is_peer:
        out.append(f"--timeline_file={where / 'timeline'}")
    return out


def unsupported_mode(rows, seconds=MODE_SECONDS):
    """Why rows that were to be adaptive are not, "" while it is unknown."""
    if any("adaptive" in row.mode.lower() for row in rows):
        return ""
    if rows and rows[-1].t >= seconds:
        return "this build has no adaptive tuning"
    return ""


def execute(run, where, load, limit=None, tick=None, extra_seconds=0):
    """Runs the command with its files in `where` and scores what it wrote.

    `limit` is an entered cap.Cap, `extra_seconds` what may follow the load.
    """
    limit = limit or cap.NoCap()
    run.load = f"{os.getloadavg()[0]:.1f}"
    deadline = (time.monotonic() + load.seconds + extra_seconds
                + SETUP_SECONDS)
    waits = _Waits(where / "log")
    with open(where / "log", "w", encoding="utf-8") as log:
        child = limit.start(run.command, stdout=log, stderr=log)
        try:
            while child.poll() is None and not run.error:
                if time.monotonic() > deadline:
                    run.error = f"still running {SETUP_SECONDS} s after its end"
                time.sleep(0.1)
                waits.look()
                if run.adaptive and not waits.started:
                    rows = _timeline(where) if waits.polls % 10 == 0 else []
                    run.unsupported = unsupported_mode(rows)
                    if run.unsupported:
                        break
                if tick and waits.polls % 5 == 0:
                    tick()
        finally:
            if child.poll() is None:
                child.kill()
            child.wait()
    run.charged = limit.charged()
    waits.look(last=True)
    run.repay_seconds = waits.seconds
    if run.unsupported:
        return
    if child.returncode and not run.error:
        run.error = f"{run.command[0]} ended with {child.returncode}"
    if run.error:
        text = (where / "log").read_text(encoding="utf-8", errors="replace")
        run.error += "; the end of its output:\n" + text[-1500:]
    read_back(run, where, load)


class _Waits:
    """How long an appended waitforcompaction took, by its lines in the log."""

    def __init__(self, path):
        self.path, self.polls = path, 0
        self.started = self.seconds = None

    def look(self, last=False):
        self.polls += 1
        if self.seconds is not None or (self.polls % 2 and not last):
            return
        try:
            with open(self.path, "rb") as file:
                file.seek(max(os.path.getsize(self.path) - 65536, 0))
                text = file.read().decode(errors="replace")
        except OSError:
            return
        if self.started is None and re.search(
                r"^waitforcompaction\(.*\): started", text, re.M):
            self.started = time.monotonic()
        if self.started is not None and re.search(
                r"^waitforcompaction\(.*\): finished", text, re.M):
            self.seconds = time.monotonic() - self.started


def _timeline(where):
    path = where / "timeline"
    return timeline.load(path) if path.exists() else []


def read_back(run, where, load):
    """Rows and score from the files of a run."""
    log = where / "log"
    text = log.read_text(encoding="utf-8", errors="replace") if (
        log.exists()) else ""
    if run.is_peer:
        rows = peer.rows(where / "report.csv", text, load)
    else:
        rows = _timeline(where)
    run.rows = [row for row in rows if row.t <= load.seconds + 0.5]
    run.score = timeline.score(run.rows, text)
    run.table_bytes = peer.table_bytes(text)
    if run.is_peer:
        run.score.stall_seconds = peer.stall_seconds(text)
    if run.adaptive and rows and not run.unsupported:
        run.unsupported = unsupported_mode(rows)
    if run.unsupported:
        run.rows, run.score = [], timeline.Score()


def progress(number, run, load, where, final=False):
    """One line a variant: rewritten on a terminal, else printed at its end."""
    if not final and not sys.stdout.isatty():
        return
    line = f"{number}  {run.name:<24}"
    rows = run.rows or _timeline(where)
    if run.unsupported:
        line += f" not supported: {run.unsupported}"
    elif rows:
        score = run.score if final else timeline.score(rows)
        share = score.accepted_share
        line += (f" {min(rows[-1].t, load.seconds):4.0f}/{load.seconds} s"
                 f"  accepted {100 * share if share else 0:5.1f} %"
                 f"  L0 {rows[-1].l0_files or 0:3d}"
                 f"  stalled {score.stall_seconds:5.1f} s")
    if sys.stdout.isatty():
        print("\r\033[K" + line, end="\n" if final else "", flush=True)
    else:
        print(line, flush=True)


def run_in(run, where, load, limit, number):
    """A run on a fresh database, with its line of progress."""
    (where / "db").mkdir(parents=True)
    show = functools.partial(progress, number, run, load, where)
    execute(run, where, load, limit, show)
    show(final=True)
    shutil.rmtree(where / "db")


def temporary_parent(given):
    parent = given or os.environ.get("TMPDIR") or "/var/tmp"
    os.makedirs(parent, exist_ok=True)
    return parent


def end_tidily():
    """Ended from outside, children, groups and files go, too."""
    signal.signal(signal.SIGTERM, lambda *unused: sys.exit(1))

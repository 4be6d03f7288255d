"""What a run did: db_bench's timeline and log, read and scored.

A timeline (--timeline_file) holds one JSON object per line and second; its
keys are told at the top of tools/db_bench/timeline.h. A value the engine did
not know is None here and in every score that needs it.
"""

import dataclasses
import json
import math
import re
import statistics

CAUSES = {"memtable-limit": "memtables", "l0-file-count-limit": "L0 files",
          "pending-compaction-bytes": "pending bytes"}


@dataclasses.dataclass
class Row:
    """One second, or as long as the writing thread of the timeline took."""
    t: float                # Seconds from the start, at the end of the row.
    seconds: float
    requested: float        # Bytes per second; 0: no rate is held.
    accepted: float         # Bytes per second.
    written: float          # Bytes per second, flush and compaction.
    flushed: float          # Bytes per second.
    l0_files: int = None
    sorted_runs: int = None
    pending_bytes: int = None
    unflushed_bytes: int = None     # Memtables, the active one too.
    pacing: float = None    # Bytes per second writers are held to.
    limiter: float = None   # Bytes per second.
    stalled: float = 0.0    # Seconds writers waited, this row's share.
    cause: str = ""
    stopped: bool = False   # Nothing was accepted because writes are stopped.
    mode: str = ""          # Of tuning; "" without it.
    limit: str = ""         # What limits writes: a word, "nothing" too.
    why: str = ""           # The same as a sentence.
    debt_bytes: int = None  # By the tuner's reckoning.
    decision: dict = None   # The tuner's, where it was made.
    compaction: str = ""    # "on" or "off", by the tuner's word.
    switched: str = ""      # What compaction became if that is new.
    p99_us: float = None
    p999_us: float = None
    max_us: float = None


def parse(lines):
    """The rows of a timeline; an unfinished last line is left out."""
    rows, before, requested = [], 0.0, None
    for line in lines:
        try:
            raw = json.loads(line)
        except ValueError:
            continue
        seconds = raw["t"] - before
        if seconds <= 0:
            continue
        # The rate that is held at the end of a row is the next row's rate.
        held = raw.get("requested_bps") or 0.0
        rows.append(
            _row(raw, seconds, held if requested is None else requested))
        before, requested = raw["t"], held
    _spread_stalls(rows)
    _find_switches(rows)
    return rows


def load(path):
    with open(path, encoding="utf-8") as file:
        return parse(file)


def _row(raw, seconds, requested):
    flushed = raw.get("flush_write_bytes") or 0
    compacted = raw.get("compaction_write_bytes") or 0
    tuner = raw.get("tuner")
    latency = raw.get("put_us") if raw.get("ops") else None
    cause = raw.get("stall_cause") or ""
    return Row(
        t=raw["t"], seconds=seconds, requested=requested,
        accepted=(raw.get("accepted_bytes") or 0) / seconds,
        written=(flushed + compacted) / seconds, flushed=flushed / seconds,
        l0_files=raw.get("l0_files"), sorted_runs=raw.get("sorted_runs"),
        pending_bytes=raw.get("pending_bytes"),
        unflushed_bytes=raw.get("unflushed_bytes"),
        pacing=raw.get("pacing_bps"), limiter=raw.get("limiter_bps"),
        stalled=(raw.get("stall_us") or 0) / 1e6,
        cause="" if cause == "none" else cause,
        stopped=raw.get("stall") == "stopped" and not raw.get("ops"),
        mode=(tuner or {}).get("mode") or "",
        limit=(tuner or {}).get("limit") or "",
        why=(tuner or {}).get("why") or "",
        debt_bytes=(tuner or {}).get("debt_bytes"),
        decision=tuner if tuner and tuner.get("new") else None,
        compaction=tuner.get("compaction") or "" if tuner else "",
        p99_us=latency and latency.get("p99"),
        p999_us=latency and latency.get("p999"),
        max_us=latency and latency.get("max"))


def _find_switches(rows):
    """A decision shows when it is applied, perhaps in a later row."""
    state, decision = "on", None
    for row in rows:
        decision = row.decision or decision
        if row.compaction and row.compaction != state:
            row.switched = state = row.compaction
            row.decision = decision


def _spread_stalls(rows):
    """A wait is counted when it ends: gives each row what it waited itself.

    A row that ends between two stalls takes the cause of the row before, or
    else of the next that has one.
    """
    rest = 0.0
    for row in reversed(rows):
        rest += row.stalled
        row.stalled = min(rest, row.seconds)
        rest -= row.stalled
        if row.stopped:  # The end of the wait may lie behind the last row.
            row.stalled = row.seconds
    for order in (rows, rows[::-1]):
        cause = ""
        for row in order:
            cause = row.cause or cause
            if row.stalled > 0 and not row.cause:
                row.cause = cause


@dataclasses.dataclass
class Score:
    tracking_error: float = None    # RMS of the difference over the mean.
    accepted_share: float = None
    worst_second: float = None      # Accepted over requested.
    seconds_below: int = 0          # With less than 0.9 of the request.
    stall_seconds: float = 0.0
    stall_by_cause: dict = dataclasses.field(default_factory=dict)
    stall_counts: dict = dataclasses.field(default_factory=dict)
    p99_us: float = None
    p999_us: float = None
    max_us: float = None
    l0_most: int = None
    runs_median: float = None
    unflushed_most: int = None
    pending_most: int = None
    pending_end: int = None
    debt_end: int = None            # The tuner's, or else what is pending.
    write_amp: float = None
    written_mean: float = None      # Bytes per second, flush and compaction.
    disables: int = 0
    enables: int = 0


def score(rows, log_text=""):
    result = Score()
    _score_tracking(result, rows)
    _score_engine(result, rows)
    _score_log(result, log_text)
    return result


def _score_tracking(result, rows):
    asked = [row for row in rows if row.requested > 0]
    if not asked:
        return
    span = sum(row.seconds for row in asked)
    wanted = sum(row.requested * row.seconds for row in asked)
    squares = sum((row.accepted - row.requested) ** 2 * row.seconds
                  for row in asked)
    shares = [row.accepted / row.requested for row in asked]
    result.tracking_error = math.sqrt(squares / span) / (wanted / span)
    result.accepted_share = sum(r.accepted * r.seconds for r in asked) / wanted
    result.worst_second = min(shares)
    result.seconds_below = sum(share < 0.9 for share in shares)


def _score_engine(result, rows):
    for row in rows:
        if row.stalled > 0:
            cause = row.cause or "other"
            by = result.stall_by_cause
            by[cause] = by.get(cause, 0.0) + row.stalled
    result.stall_seconds = sum(result.stall_by_cause.values())
    for name, source in (("l0_most", "l0_files"), ("max_us", "max_us"),
                         ("unflushed_most", "unflushed_bytes"),
                         ("pending_most", "pending_bytes")):
        known = [getattr(row, source) for row in rows]
        setattr(result, name,
                max((v for v in known if v is not None), default=None))
    known = [r.sorted_runs for r in rows if r.sorted_runs is not None]
    result.runs_median = statistics.median(known) if known else None
    switches = [row.switched for row in rows]
    result.disables = switches.count("off")
    result.enables = switches.count("on")
    if not rows:
        return
    result.pending_end = result.debt_end = rows[-1].pending_bytes
    if rows[-1].debt_bytes is not None:
        result.debt_end = rows[-1].debt_bytes
    taken = sum(row.accepted * row.seconds for row in rows)
    written = sum(row.written * row.seconds for row in rows)
    result.written_mean = written / sum(row.seconds for row in rows)
    result.write_amp = written / taken if taken > 0 else None


def _score_log(result, text):
    """The stock latency histogram and the stall counters of the log."""
    histogram = text.rpartition("Microseconds per write:")[2]
    for name, pattern in (("p99_us", r"\bP99: ([\d.]+)"),
                          ("p999_us", r"\bP99\.9: ([\d.]+)"),
                          ("max_us", r"\bMax: ([\d.]+)")):
        found = re.search(pattern, histogram)
        if found and histogram is not text:
            setattr(result, name, float(found.group(1)))
    counts = re.findall(r"^Write Stall \(count\): (cf-.*)$", text, re.M)
    for cause in CAUSES if counts else ():
        found = [int(n) for n in re.findall(
            rf"(?:^| ){cause}-(?:delays|stops): (\d+)", counts[-1])]
        if sum(found):
            result.stall_counts[cause] = sum(found)

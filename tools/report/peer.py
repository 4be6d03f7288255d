"""What another db_bench did, from what every db_bench prints.

The report file has the operations of each second, the log the statistics of
every few seconds. What these do not tell stays None.
"""

import csv
import math
import re

import timeline

UPTIME = re.compile(r"^Uptime\(secs\): ([\d.]+) total", re.M)
LEVEL0 = re.compile(r"^\s+L0\s+(\d+)/\d+ ", re.M)
WRITTEN = re.compile(r"^Cumulative compaction: ([\d.]+) GB write", re.M)
STALL = re.compile(r"^Cumulative stall: (\d+):(\d+):([\d.]+) H:M:S", re.M)
GIB = 1 << 30
# How long a dump's number of files stands for the seconds before it. One dump
# of a whole run tells only how many there were in its last second.
FILES_SECONDS = 10


def report(path):
    """(second, operations in it) of a report file."""
    with open(path, encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file))[1:]
    return [(float(line[0]), float(line[1])) for line in lines
            if len(line) == 2]


def score_report(path, load):
    """A run judged by its report file alone, the same for any engine."""
    return timeline.score(
        [row for row in _rows_of(report(path), load)
         if row.t <= load.seconds])


def _rows_of(seconds, load):
    # The generator holds one rate for a step: that of the second's beginning.
    return [timeline.Row(t=t, seconds=1.0, requested=load.rate(t - 1),
                         accepted=ops * load.op_bytes, written=0.0,
                         flushed=0.0) for t, ops in seconds]


def dumps(log):
    """Statistics over time: (uptime, files in L0, bytes written)."""
    out, files = [], 0
    for block in log.split("** Compaction Stats [default] **")[1:]:
        # A dump is two tables, by level and by priority, then the sums.
        if "Level" in block.partition("\n\n")[0]:
            found = LEVEL0.search(block)
            files = int(found.group(1)) if found else 0
        uptime, written = UPTIME.search(block), WRITTEN.search(block)
        if uptime and written and (
                not out or float(uptime.group(1)) > out[-1][0]):
            out.append((float(uptime.group(1)), files,
                        float(written.group(1)) * GIB))
    return out


def rows(path, log, load):
    """The rows of a run as a timeline would have them."""
    result = _rows_of(report(path), load) if path.exists() else []
    begin, before = 0.0, 0.0
    for uptime, files, written in dumps(log):
        told = begin if uptime - begin <= FILES_SECONDS else uptime - 1
        for row in result:
            if begin < row.t <= uptime:
                if row.t > told:
                    row.l0_files = files
                row.written = max(written - before, 0.0) / (uptime - begin)
        begin, before = uptime, written
    return result


def stall_seconds(log):
    found = STALL.findall(log)
    if not found:
        return 0.0
    hours, minutes, seconds = found[-1]
    return int(hours) * 3600 + int(minutes) * 60 + float(seconds)


def ticker(log, name):
    found = re.findall(rf"^{re.escape(name)} COUNT : (\d+)", log, re.M)
    return int(found[-1]) if found else None


def table_bytes(log):
    """Bytes of tables written, None if the log does not tell."""
    parts = [ticker(log, "rocksdb.flush.write.bytes"),
             ticker(log, "rocksdb.compact.write.bytes")]
    return None if None in parts else sum(parts)

#!/usr/bin/env python3
"""Fails when a source file includes a header its layer must not know.

The rule table below is the architecture. docs/architecture.md explains it;
this file enforces it. Rules go from the most specific folder to the least.
"""

import pathlib
import re
import sys

PUBLIC, BASE = "include/rocksdb", ["include/rocksdb", "util"]
FILES = BASE + ["env"]
TABLES = FILES + ["table"]


def db(*folders):
    return TABLES + ["db/" + f for f in folders]


STORED = ("format", "write_batch", "events", "options")
STATE = STORED + ("wal", "memtable", "manifest", "error_state", "file_deletion",
                  "properties")
ACCESS = STATE + ("blob", "read", "tune", "trace")
WORK = ACCESS + ("compaction", "flush", "jobs")

# folder -> folders its files may include from (besides itself).
ALLOWED = {
    PUBLIC: [],
    "util": [PUBLIC],
    "env": BASE,
    "table": FILES,
    "db/tune": ["util"],  # Pure: no files, threads, clock or public API.
    "db/format": db(),
    "db/options": db("format"),
    "db/write_batch": db("format"),
    "db/events": db("format"),
    "db/properties": db("format"),
    "db/wal": db(*STORED),
    "db/memtable": db(*STORED, "wal"),
    "db/manifest": db(*STORED, "wal"),
    "db/error_state": db(*STORED),
    "db/file_deletion": db(*STORED, "manifest"),
    "db/blob": db(*STATE),
    "db/trace": db("write_batch"),  # Its replayer is a client of the public DB.
    "db/read": db(*STATE, "blob", "trace"),
    "db/compaction": db(*ACCESS),
    "db/flush": db(*ACCESS, "compaction"),
    "db/jobs": db(*ACCESS, "compaction", "flush"),
    "db/write": db(*ACCESS),
    "db/checkpoint": db("format"),  # Otherwise a client of the public DB.
    "db/backup": db("format", "checkpoint"),  # The same.
    "db/indexed_batch": db(*STORED, "read"),  # The same.
    "db/ttl": db("write_batch"),  # The same.
    "db/external": db(*ACCESS, "compaction"),
    "db/column_family": db(*WORK, "write"),
    "db/tuning_driver": db("column_family", *WORK, "write"),
    "db/recovery": db(*WORK, "column_family", "write"),
    "db/secondary": db(*WORK, "column_family", "write", "recovery"),
    "db/remote_compaction": db(*WORK, "column_family", "write"),
    "db/db_impl": db(*WORK, "column_family", "write", "recovery",
                     "secondary", "tuning_driver", "external",
                     "remote_compaction", "ttl"),
    # Databases that are not open: a client of DB, and of the parts.
    "db/repair": db(*WORK, "column_family", "write", "recovery", "db_impl"),
    "db/transaction": db(*WORK, "column_family", "write", "recovery", "db_impl"),
    "api": [PUBLIC],  # Other languages: what a user of the library can write.
    "tools": TABLES + ["db", "tools"],
    "test/api": [PUBLIC, "test"],  # What a user of the library can write.
    "test": TABLES + ["db", "tools", "test"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def layer_of(path):
    """The most specific rule folder that holds `path`, or None."""
    text = str(path)
    found = [f for f in ALLOWED if text.startswith(f + "/")]
    return max(found, key=len, default=None)


def resolve(include):
    return "include/" + include if include.startswith("rocksdb/") else include


def violations(root):
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root)
        layer = layer_of(relative)
        if path.suffix not in (".h", ".cc") or layer is None:
            continue
        text = path.read_text(errors="replace")
        for number, line in enumerate(text.splitlines(), 1):
            match = INCLUDE.match(line)
            target = match and layer_of(resolve(match.group(1)))
            if not target or target == layer:
                continue
            allowed = ALLOWED[layer]
            if not any(target == a or target.startswith(a + "/") for a in allowed):
                yield f"{relative}:{number}: {layer} must not include {match.group(1)}"


if __name__ == "__main__":
    found = list(violations(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
    print("\n".join(found))
    sys.exit(1 if found else 0)

#!/usr/bin/env python3
"""How much of the library the tests reach, part by part.

    coverage_goals.py SUMMARY.json

Reads a summary of gcovr (--json-summary), prints a table, and fails when a part
has less than it promises. A part is a folder with all that is in it. A part
without any line is an error, too: its folder has another name now.
"""

import json
import sys

# Percent of lines and of branches. Above all: what decodes bytes from a disk,
# and what restores a database after a crash.
LEAST = {
    "": (90.0, 80.0),
    "table/format": (95.0, 0.0),
    "db/wal": (95.0, 0.0),
    "db/write_batch": (95.0, 0.0),
    "db/recovery": (95.0, 0.0),
}


def reached(files, part):
    """(lines, lines reached, branches, branches reached) of one part."""
    inside = [f for f in files if f["filename"].startswith(part and part + "/")]
    return tuple(sum(f[key] for f in inside) for key in (
        "line_total", "line_covered", "branch_total", "branch_covered"))


def percent(part, whole):
    return 100.0 * part / whole if whole else 0.0


def judge(files):
    """The rows of the table, and whether a part has too little."""
    rows, failed = [], False
    for part, (least_lines, least_branches) in LEAST.items():
        line_total, lines, branch_total, branches = reached(files, part)
        of_lines = percent(lines, line_total)
        of_branches = percent(branches, branch_total)
        missed = of_lines < least_lines or of_branches < least_branches
        failed |= missed
        rows.append(f"{part or 'all':<16}{of_lines:7.1f}{least_lines:7.1f}"
                    f"{of_branches:10.1f}{least_branches:7.1f}"
                    f"{'  failed: too little' if missed else ''}")
    return rows, failed


def main():
    with open(sys.argv[1], encoding="utf-8") as summary:
        rows, failed = judge(json.load(summary)["files"])
    print(f"{'part':<16}{'lines':>7}{'least':>7}{'branches':>10}{'least':>7}")
    print("\n".join(rows))
    return failed


if __name__ == "__main__":
    sys.exit(main())

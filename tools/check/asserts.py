#!/usr/bin/env python3
"""How densely the code checks its own invariants.

Counts assert, static_assert, NEVER and ALWAYS per 1,000 lines of code (blank
lines and comments left out), prints the density of every folder, and fails when
a part of the code has fewer than it promises. AssertHeld() does not count: it
repeats at run time what clang's analysis knows, and of a role it is empty.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Per 1,000 lines of code.
LEAST = {"db": 12.0, "table": 12.0, "env": 8.0, "util/cache": 8.0}
CHECKS = re.compile(r"\b(?:static_assert|assert|NEVER|ALWAYS)\(")
COMMENTS = re.compile(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)


def count(path):
    """(lines of code, checks) of one file."""
    code = COMMENTS.sub(lambda m: '""' if m.group(1) else "", path.read_text())
    lines = sum(1 for line in code.splitlines() if line.strip())
    return lines, len(CHECKS.findall(code))


def density(lines, checks):
    return 1000 * checks / lines if lines else 0.0


def folders(part):
    """Folder -> [lines, checks]."""
    found = {}
    for path in sorted((ROOT / part).rglob("*")):
        if path.suffix not in (".cc", ".h"):
            continue
        total = found.setdefault(path.parent.relative_to(ROOT), [0, 0])
        lines, checks = count(path)
        total[0] += lines
        total[1] += checks
    return found


def row(name, lines, checks):
    return "%-20s %6d lines %4d checks %5.1f" % (
        name,
        lines,
        checks,
        density(lines, checks),
    )


def main():
    bad = []
    for part, least in LEAST.items():
        found = folders(part)
        for folder, (lines, checks) in found.items():
            print(row(folder, lines, checks))
        lines = sum(total[0] for total in found.values())
        checks = sum(total[1] for total in found.values())
        print(row(part + ", all", lines, checks))
        if density(lines, checks) < least:
            bad.append("%s: fewer than %g per 1,000 lines of code" % (part, least))
    for line in bad:
        print(line, file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

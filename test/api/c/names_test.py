#!/usr/bin/env python3
"""Fails when rocksdb/c.h and the shared library disagree about the C functions.

  names_test.py LIBRARY

Every declared function must be exported, at every API level, and every
exported rocksdb_... symbol must be declared. The pages say how many there are.
"""

import re
import subprocess
import sys

LEVELS = (7, 8, 9, 10, 11)
PAGES = (("README.md", r"exports\s+([\d,]+)\s+C\s"),
         ("docs/compat.md", r"has\s+([\d,]+)\s+functions"))


def run(*command):
    return subprocess.run(command, check=True, text=True,
                          capture_output=True).stdout


def declared(level):
    """Names as the linker sees them: the asm label where there is one."""
    text = run("cc", "-std=c99", "-E", "-P", "-Iinclude",
               f"-DROCKSDB_API_LEVEL={level}", "include/rocksdb/c.h")
    text = " ".join(line for line in text.splitlines()
                    if not line.startswith("#"))
    names = set()
    for statement in text.split(";"):
        found = re.search(r"\b(rocksdb_\w+)\s*\(", statement)
        label = re.search(r'__asm__\s*\(\s*"(\w+)"', statement)
        if found:
            names.add(label.group(1) if label else found.group(1))
    return names


def exported(library):
    lines = run("nm", "-D", "--defined-only", library).splitlines()
    symbols = [line.split()[-1] for line in lines]
    return {s for s in symbols if s.startswith("rocksdb_")}


def outdated(count):
    """Pages that say another number, or none where it was."""
    for page, pattern in PAGES:
        with open(page, encoding="utf-8") as text:
            found = re.findall(pattern, text.read())
        if found != [f"{count:,}"]:
            yield f"{page} must say {count:,} once: {pattern} finds {found}"


def main():
    there = exported(sys.argv[1])
    wanted = set().union(*(declared(level) for level in LEVELS))
    for name in sorted(wanted - there):
        print(f"declared, not exported: {name}")
    for name in sorted(there - wanted):
        print(f"exported, not declared: {name}")
    if len(wanted) < 600:
        print(f"only {len(wanted)} declarations were found: is c.h read right?")
        return 1
    print(f"{len(wanted)} functions")
    wrong = list(outdated(len(wanted)))
    print("\n".join(wrong))
    return 1 if wrong or wanted != there else 0


if __name__ == "__main__":
    sys.exit(main())

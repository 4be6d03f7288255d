#!/usr/bin/env python3
"""Fails when a file is longer than the limits of docs/hacking.md allow.

Headers 400 lines, sources 800, tests 800. Public headers, CPU kernels and
option tables are exempt; every other exemption stands in exceptions.txt with
its reason, and that list may only shrink. Function length and complexity are
clang-tidy's business (tools/dev tidy).
"""

import pathlib
import subprocess
import sys

LIMITS = {".h": 400, ".cc": 800, ".py": 800}


def exceptions(root):
    lines = (root / "tools/check/exceptions.txt").read_text().splitlines()
    return {line.split()[0] for line in lines if line and line[0] != "#"}


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    listing = subprocess.run(["git", "ls-files"], cwd=root, text=True,
                             capture_output=True, check=True).stdout
    exempt, failed = exceptions(root), False
    for name in listing.splitlines():
        path = root / name
        limit = LIMITS.get(path.suffix)
        if not limit or name.startswith("include/") or not path.exists():
            continue
        lines = len(path.read_text(errors="replace").splitlines())
        if lines > limit and name not in exempt:
            print(f"{name}: {lines} lines, the limit is {limit}")
            failed = True
        if lines <= limit and name in exempt:
            print(f"{name}: no longer needs its line in exceptions.txt")
            failed = True
    return failed


if __name__ == "__main__":
    sys.exit(main())

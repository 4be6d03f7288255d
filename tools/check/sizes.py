#!/usr/bin/env python3
"""Fails when a file is longer than the limits of docs/hacking.md allow.

Headers 400 lines, sources 800, tests 800. Public headers, CPU kernels and
option tables are exempt; every other exemption stands in exceptions.txt with
its reason, and that list may only shrink. Function length and complexity are
clang-tidy's business (tools/dev tidy).

Fails, too, when a shell script pipes into a command that may end before it has
read everything (grep -q, head): under "set -o pipefail" the writer's SIGPIPE
fails the script, but only on a machine that is busy at that moment. Put the
output into a variable, and look there.
"""

import pathlib
import re
import subprocess
import sys

LIMITS = {".h": 400, ".cc": 800, ".py": 800}
# A pipe, perhaps to the next line, and a reader that stops early. "||" is none.
EARLY_END = re.compile(r"(?<!\|)\|&?\s*(?:\\\s*)?"
                       r"((?:\w+=\S*\s+|env\s+)*(?:"
                       r"[ef]?grep\b[^|;&\n)]*\s(?:-\w*[qm]|--quiet|--max-count)"
                       r"|head\b|sed\b[^|;\n]*[\d$/ ']q\b"
                       r"|awk\b[^|\n]*\bexit\b|read\b))")


def is_script(path):
    if path.suffix == ".sh":
        return True
    if path.suffix or not path.is_file():
        return False
    with path.open("rb") as file:
        return re.match(rb"#!.*\b(ba|da)?sh\b", file.readline()) is not None


def early_ends(text):
    """Line and command of each pipe that may break."""
    code = re.sub(r"(?m)(^|\s)#.*$", r"\1", text)
    return [(code.count("\n", 0, found.start()) + 1, found[1])
            for found in EARLY_END.finditer(code)]


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
        if path.exists() and is_script(path):
            for line, command in early_ends(path.read_text()):
                print(f"{name}:{line}: '| {command}' may end early: SIGPIPE")
                failed = True
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

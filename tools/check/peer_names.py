#!/usr/bin/env python3
"""Fails when docs/compat.md miscounts what RocksDB has and Riverstone lacks.

The table between the two marks there is made of lists of names in
tools/check/names (their first lines say where each comes from) and of our
headers, flags and commands. With --write it is made anew.
"""

import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/compat.md"
BEGIN = "<!-- Made by tools/check/peer_names.py --write. -->\n"
END = "<!-- The end of what it makes. -->\n"


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def found(path, pattern):
    return set(re.findall(pattern, read(path)))


def headers():
    folder = ROOT / "include/rocksdb"
    return {str(path.relative_to(folder)) for path in folder.rglob("*.h")}


def ldb_commands():
    folder = ROOT / "tools/ldb"
    return {name for path in folder.glob("*.cc")
            for name in re.findall(r'const Command k\w+ = \{\s*"(\w+)"',
                                   path.read_text(encoding="utf-8"))}


def c_functions():
    return found("include/rocksdb/c.h", r"\b(rocksdb_\w+)\s*\(")


def benchmarks():
    return found("tools/db_bench/workloads.cc", r'\{"(\w+)", ')


def flags():
    """Without those that db_bench refuses or ignores."""
    return (found("tools/db_bench/flags.def", r"FLAG\(\w+, (\w+),") |
            found("tools/db_bench/args.cc", r'\{"(\w+)", "\w+"\}'))


# What, the list of RocksDB's names, ours, and whether those that are missing
# are named on the page.
KINDS = (
    ("public headers", "headers-11.8.1", headers, True),
    ("C functions", "c-functions-11.8.1", c_functions, False),
    ("benchmarks of `db_bench`", "db_bench-benchmarks-7.8.3", benchmarks, True),
    ("flags of `db_bench`", "db_bench-flags-11.9", flags, True),
    ("commands of `ldb`", "ldb-commands-7.8.3", ldb_commands, True),
)


def names(text):
    return {line for line in text.splitlines() if line and line[0] != "#"}


def made(kinds):
    """The text; each kind: what, release, their names, ours, show."""
    rows = ["| what | RocksDB | in it | here | share |", "|---|---|---:|---:|---:|"]
    paragraphs = []
    for what, release, theirs, ours, show in kinds:
        here = theirs & ours
        share = 100 * len(here) / len(theirs)
        rows.append(f"| {what} | {release} | {len(theirs):,} | {len(here):,} "
                    f"| {share:.1f} % |")
        missing = sorted(theirs - ours)
        if show and missing:
            listed = ", ".join(f"`{name}`" for name in missing)
            paragraphs.append("\n".join(textwrap.wrap(
                f"Missing {what}: {listed}.", 88, break_long_words=False,
                break_on_hyphens=False)))
    return "\n".join(rows) + "\n\n" + "\n\n".join(paragraphs) + "\n"


def counted():
    for what, name, ours, show in KINDS:
        theirs = names(read(f"tools/check/names/{name}.txt"))
        yield what, name.rsplit("-", 1)[1], theirs, ours(), show


def with_text(page, text):
    """The page with the text between the marks; LookupError without them."""
    begin, end = page.find(BEGIN), page.find(END)
    if begin < 0 or end < begin:
        raise LookupError(f"{BEGIN.strip()} and {END.strip()} are not there")
    return page[:begin + len(BEGIN)] + text + page[end:]


def main():
    page = PAGE.read_text(encoding="utf-8")
    right = with_text(page, made(counted()))
    if right == page:
        return 0
    if "--write" in sys.argv[1:]:
        PAGE.write_text(right, encoding="utf-8")
        return 0
    print("docs/compat.md: the table of names is not that of the sources; "
          "tools/check/peer_names.py --write makes it anew")
    return 1


if __name__ == "__main__":
    sys.exit(main())

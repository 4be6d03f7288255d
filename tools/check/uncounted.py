#!/usr/bin/env python3
"""Tickers and histograms that nothing counts: docs/compat.md lists them.

A name of include/rocksdb/statistics.h counts as counted when a source of the
engine mentions it. Fails when the list in the document is another one;
--write puts the right one there.
"""

import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADER = ROOT / "include/rocksdb/statistics.h"
DOCUMENT = ROOT / "docs/compat.md"
BEGIN = "<!-- tools/check/uncounted.py --write -->\n"
END = "<!-- end of uncounted -->\n"


def mentioned():
    names = set()
    for layer in ("db", "table", "util", "env"):
        for path in (ROOT / layer).rglob("*"):
            if path.suffix not in (".cc", ".h"):
                continue
            if path.name == "statistics_names.cc":
                continue
            names.update(re.findall(r"\b[A-Z][A-Z0-9_]{3,}\b", path.read_text()))
    return names


def groups(enum):
    """(comment, names) of each group of one enum."""
    text = HEADER.read_text()
    body = text[text.index("enum %s " % enum) :]
    body = body[body.index("{") + 1 : body.index("};")]
    others = ("Others", [])
    found = [others]
    group = others
    comment = ""
    for line in body.splitlines():
        line = line.strip()
        if line.startswith("//"):
            comment += " " + line.lstrip("/ ")
            continue
        if not line:
            group = others
            continue
        if comment:
            group = (re.split(r"[.:;]", comment.strip())[0], [])
            found.append(group)
            comment = ""
        name = re.match(r"([A-Z][A-Z0-9_]+)\b", line)
        if name and not name.group(1).endswith("_ENUM_MAX"):
            group[1].append(name.group(1))
    return found


def listing():
    counted = mentioned()
    text = ""
    for enum in ("Tickers", "Histograms"):
        text += "*%s*\n\n" % enum
        for comment, names in groups(enum):
            idle = ["`%s`" % n for n in names if n not in counted]
            if not idle:
                continue
            line = "* %s: %s" % (comment, ", ".join(idle))
            text += "\n".join(
                textwrap.wrap(line, 79, subsequent_indent="  ",
                              break_long_words=False, break_on_hyphens=False)
            )
            text += "\n"
        text += "\n"
    return text


def main():
    document = DOCUMENT.read_text()
    head, rest = document.split(BEGIN)
    old, tail = rest.split(END)
    new = listing()
    if old == new:
        return 0
    if "--write" in sys.argv:
        DOCUMENT.write_text(head + BEGIN + new + END + tail)
        return 0
    print("docs/compat.md: the list of what is not counted is old; "
          "run tools/check/uncounted.py --write")
    return 1


if __name__ == "__main__":
    sys.exit(main())

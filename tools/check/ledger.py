#!/usr/bin/env python3
"""Fails when a total in docs/soak.md or the README is not the sum of the rows.

A row counts unless it names `.ci/run`, whose short forms run again and again,
or says "not counted". "On commits" are the rows that name a commit and nothing
else: "while it was built" and "on 1234567" are trees that were being changed.
With --write the totals on both pages are corrected.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEDGER, README = ROOT / "docs/soak.md", ROOT / "README.md"
# What is counted: its name, its goal, the word behind the number in a row, and
# what the program of the row begins with.
KINDS = (("crash states", 500000, r"(?:crash )?states", "crash"),
         ("kills of a process", 3000, "kills", ""),
         ("injected faults", 100000, "faults", ""),
         ("damaged inputs", 20000000, "(?:damaged )?inputs", "hostile"),
         ("metamorphic seeds", 300, "seeds", "metamorphic"),
         ("differential histories", 500, "histories", "differential"))
COMMIT = re.compile("[0-9a-f]{7,40}")
# The README's sentence: the totals of the first four.
SENTENCE = re.compile(
    r"[\d,]+ simulated crashes and [\d,]+ kills of a process, injected [\d,]+ "
    r"failures of file-system calls, and given [\d,]+ damaged inputs"
    .replace(" ", r"\s+"))
TOTALS = re.compile(r"(?m)^\| what \| goal \|.*\n(?:\|.*\n)+")


def rows(text):
    """Commit, program and count of each row that counts."""
    for line in re.findall(r"(?m)^\| 20\d\d-\d\d-\d\d \|.*$", text):
        commit, program, count = line.split(" | ")[1:4]
        if "`.ci/run`" not in program and "not counted" not in program:
            yield commit, program, count


def total(text, word, program, everywhere):
    return sum(int(number.replace(",", ""))
               for commit, name, count in rows(text)
               if name.startswith(program)
               and (everywhere or COMMIT.fullmatch(commit))
               for number in re.findall(rf"\b([\d,]+) {word}\b", count))


def table(text):
    lines = ["| what | goal | on commits | in all |", "|---|---:|---:|---:|"]
    for name, goal, word, program in KINDS:
        lines.append(f"| {name} | {goal:,} "
                     f"| {total(text, word, program, False):,} "
                     f"| {total(text, word, program, True):,} |")
    return "\n".join(lines) + "\n"


def with_totals(ledger, readme):
    """Both pages with their totals made right; LookupError without them."""
    sentence = SENTENCE.search(readme)
    if not sentence:
        raise LookupError("README.md: no sentence with the totals of docs/soak.md "
                          '("... simulated crashes and ... kills of a process")')
    if not TOTALS.search(ledger):
        raise LookupError("docs/soak.md: no table of totals "
                          '("| what | goal | on commits | in all |")')
    numbers = iter([f"{total(ledger, word, program, True):,}"
                    for _, _, word, program in KINDS[:4]])
    new = re.sub(r"[\d,]*\d", lambda _: next(numbers), sentence[0])
    return (TOTALS.sub(lambda _: table(ledger), ledger, count=1),
            SENTENCE.sub(lambda _: new, readme, count=1))


def main():
    pages = [path.read_text() for path in (LEDGER, README)]
    try:
        right = with_totals(*pages)
    except LookupError as missing:
        print(missing.args[0])
        return 1
    failed = False
    for path, old, new in zip((LEDGER, README), pages, right):
        if old == new:
            continue
        if "--write" in sys.argv[1:]:
            path.write_text(new)
        else:
            print(f"{path.relative_to(ROOT)}: a total is not the sum of the rows "
                  "of docs/soak.md: tools/check/ledger.py --write")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

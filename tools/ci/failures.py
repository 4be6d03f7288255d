#!/usr/bin/env python3
"""Says what failed in the log of a phase of .ci/run.

  failures.py --phase NAME --command COMMAND LOG

Prints each test, source or check that failed with the last lines of what it
said, then their names, each with a command that repeats it. A phase whose log
has no such name is one itself: COMMAND repeats it.
"""

import argparse
import pathlib
import re
import sys
import typing

LINES = 40
# Of so many the output is shown; the others are only named.
SHOWN = 4
WIDTH = 220


class Failure(typing.NamedTuple):
    name: str
    lines: list  # What it said.
    command: str


def tail(lines):
    return [line[:WIDTH] for line in lines[-LINES:]]


CTEST_BEGIN = re.compile(r"^ *\d+/\d+ Test +#\d+: (.*)$")
CTEST_OTHER = re.compile(r"^ +Start +\d+: |^\d+% tests passed|"
                         r"^The following tests ")
CTEST_LISTED = re.compile(r"^\s+\d+ - (.*?) \((?!Skipped|Disabled)[^()]*\)$")


def without_parameter(name):
    """A test's name as ctest knows it and as -R can find it."""
    return name.split("  # GetParam()")[0].rstrip(". ")


def ctest_failures(lines, preset):
    """What ctest lists at its end, with the output from where it ran."""
    if "The following tests FAILED:" not in lines:
        return []
    listed = lines[lines.index("The following tests FAILED:") + 1:]
    said, current = {}, None
    for line in lines:
        begin = CTEST_BEGIN.match(line)
        if begin:
            current = without_parameter(
                re.split(r"\s\.{2,}|\s*\*\*\*|   Passed", begin[1])[0])
        elif CTEST_OTHER.match(line):
            current = None
        if current:
            said.setdefault(current, []).append(line)
    names = [without_parameter(match[1]) for match in
             map(CTEST_LISTED.match, listed) if match]
    return [Failure(name, tail(said.get(name, [])),
                    f"tools/dev test {preset} -R '^{name}'") for name in names]


GTEST_RUN = re.compile(r"^\[ RUN +\] (\S+)")
GTEST_END = re.compile(
    r"^\[ +(OK|FAILED|SKIPPED) +\] ([^\s,]+).*\(\d+ ms\)$")
PART = re.compile(r"^failed: (\S+), part \d+ of \d+$")


def part_failures(lines):
    """Failed tests of the test programs that tools/ci/shard.sh ran. A test that
    began and did not end has ended its program."""
    found, current, output, running = [], [], [], None
    for line in lines:
        begin, end, part = (pattern.match(line) for pattern in
                            (GTEST_RUN, GTEST_END, PART))
        if begin:
            running, output = begin[1], []
        output.append(line)
        if end:
            if end[1] == "FAILED":
                current.append((end[2], output))
            running, output = None, []
        if part:
            if running or not current:
                current.append((running or "*", output))
            found += [Failure(f"{part[1]} {name}", tail(said),
                              f"{part[1]} --gtest_filter='{name}'")
                      for name, said in current]
            current, output, running = [], [], None
    return found


def named_failures(lines):
    """Lines "failed: WHAT" of our own scripts: a source of clang-tidy, whose
    lines begin with its path, or a command that was shown as "+ COMMAND"."""
    found = []
    for line in lines:
        if not line.startswith("failed: ") or PART.match(line):
            continue
        what = line.removeprefix("failed: ")
        if what.endswith((".cc", ".h")):
            about = [i for i, text in enumerate(lines)
                     if re.search(r": (error|warning): .*\[", text)]
            said = [text for i in about for text in lines[i:i + 3]
                    if pathlib.PurePath(what).stem in lines[i]]
            found.append(Failure(what, tail(said), f"tools/dev tidy {what}"))
            continue
        begin = lines.index("+ " + what) if "+ " + what in lines else 0
        found.append(Failure(what, tail(lines[begin:lines.index(line)]), what))
    return found


def build_failures(lines, command):
    """Objects that ninja could not make."""
    found, said = [], None
    for line in lines:
        if line.startswith("FAILED: "):
            said = []
            found.append(Failure(line.removeprefix("FAILED: "), said, command))
        elif re.match(r"^\[\d+/\d+\] |^ninja: ", line):
            said = None
        elif said is not None and len(said) < LINES:
            said.append(line[:WIDTH])
    return found


def failures(phase, command, lines):
    preset = re.search(r"^\+ ctest --preset (\S+)", "\n".join(lines), re.M)
    return (build_failures(lines, command) or
            ctest_failures(lines, preset[1] if preset else "dev") or
            part_failures(lines) or named_failures(lines) or
            [Failure(phase, tail(lines), command)])


def report(phase, found):
    """The lines to print."""
    lines = []
    for failure in found[:SHOWN]:
        lines += [f"--- {phase}: {failure.name}", *failure.lines]
    lines.append(f"--- failed in {phase}, and what repeats it:")
    for failure in found:
        lines += [f"  {failure.name}", f"    {failure.command}"]
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--phase", required=True)
    parser.add_argument("--command", required=True)
    parser.add_argument("log", type=pathlib.Path)
    args = parser.parse_args()
    lines = args.log.read_text(errors="replace").splitlines()
    print("\n".join(report(args.phase,
                           failures(args.phase, args.command, lines))))


if __name__ == "__main__":
    sys.exit(main())

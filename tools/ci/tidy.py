#!/usr/bin/env python3
"""Runs clang-tidy on the sources that changed, until a time limit.

  tidy.py --clang-tidy PATH --build FOLDER [--minutes N] [FILE...]
  tidy.py --clang-tidy PATH --build FOLDER [--minutes N] --units

Without files: those that differ from a base, the last changed first. The base
is the first of these that exists and is not HEAD itself:

  $RIVERSTONE_BASE            a commit
  build/ci/passed             the last commit that passed .ci/run here
  origin/HEAD, origin/main    where HEAD branched off
  the last commit that is a day older than HEAD

A header stands for the source of its name, else for the first that includes
it. A check that is still running a minute after the limit is ended. Sources that
the limit left out are listed; they are no failure, and the next run begins with
them (they are noted in $XDG_CACHE_HOME/riverstone/tidy-left-out).

With --units: everything outside `test`, as the unity build of FOLDER compiles
it. Eight sources in one unit cost little more than one, because most of the
cost is their headers. Only a missing #include and what clang's -Wshadow says can
stay hidden there; a source that is checked alone shows them.

What passed is remembered by content in $XDG_CACHE_HOME/riverstone/tidy
(~/.cache by default), so a source is checked again only when what it compiles
to, the configuration or clang-tidy changes. --no-cache checks regardless.
"""

import argparse
import concurrent.futures
import hashlib
import json
import math
import os
import pathlib
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LAYERS = ("util/", "env/", "table/", "db/", "api/", "tools/")
# To clang-tidy the sources of a unit are headers; with these flags it reports
# in them what it reports in a source alone, with two exceptions. A missing
# #include may be in another source of the unit. And clang's -Wshadow is off,
# because a source may use a name that is local to another one; GCC's is on in
# the build. Units are compiled with a warning that only GCC knows.
UNIT_FLAGS = ["--checks=-bugprone-suspicious-include",
              "--extra-arg=-Wno-unknown-warning-option",
              "--extra-arg=-Wno-shadow",
              r"--header-filter=^.*/(api|db|env|table|tools|util)/.*\.(cc|h)$"]
GRACE_SECONDS = 60
DAY_SECONDS = 24 * 60 * 60
CACHE_DAYS = 30


def git(*words):
    """What git prints, or "" where it fails."""
    done = subprocess.run(["git", *words], cwd=ROOT, text=True,
                          capture_output=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def base():
    head = git("rev-parse", "HEAD")
    passed = ROOT / "build/ci/passed"
    candidates = [os.environ.get("RIVERSTONE_BASE", ""),
                  passed.read_text().strip() if passed.exists() else "",
                  "origin/HEAD", "origin/main"]
    for candidate in filter(None, candidates):
        commit = git("merge-base", "HEAD", candidate)
        if commit and commit != head:
            return commit
    date = int(git("show", "-s", "--format=%ct", "HEAD") or 0)
    day_old = git("rev-list", "-1", f"--before={date - DAY_SECONDS}", "HEAD")
    return day_old or git("rev-list", "--max-parents=0", "HEAD").split("\n")[0]


def is_ours(name):
    return name.startswith(LAYERS) and name.endswith((".cc", ".h"))


def source_of(name):
    """The source whose check covers the file, or None."""
    if name.endswith(".cc"):
        return name
    twin = pathlib.Path(name).with_suffix(".cc")
    if (ROOT / twin).exists():
        return str(twin)
    users = git("grep", "-l", f'#include "{name}"', "--",
                *(layer + "*.cc" for layer in LAYERS)).split()
    return users[0] if users else None


def changed_sources():
    """Sources that differ from the base, the last committed first."""
    start = base()
    names = git("diff", "--name-only", "HEAD").split()
    names += git("log", "--format=", "--name-only", f"{start}..HEAD").split()
    print(f"clang-tidy: what differs from {start[:10]}")
    sources = {}  # Ordered.
    for name in names:
        if is_ours(name) and (ROOT / name).exists():
            source = source_of(name)
            if source:
                sources[source] = None
    return list(sources)


def units(build):
    """What the unity build compiles, with paths below ROOT, in its order."""
    entries = json.loads((build / "compile_commands.json").read_text())
    found = {}  # Ordered: some targets share a source.
    for entry in entries:
        path = pathlib.Path(entry["file"])
        if build.resolve() / "units" == path.parent:
            first = path.read_text().split('"')[1]
        else:
            first = os.path.relpath(path, ROOT)
        if is_ours(first):
            found[os.path.relpath(path, ROOT)] = None
    return list(found)


def own_rules(source):
    """The .clang-tidy of the folder of a source, below the one for all, or None.

    clang-tidy finds it for a source, but not for a unit, which lies elsewhere.
    """
    path = ROOT / source
    if path.parent.name == "units":
        path = ROOT / path.read_text().split('"')[1]
    for folder in path.parents:
        if folder == ROOT:
            return None
        if (folder / ".clang-tidy").exists():
            return folder / ".clang-tidy"
    return None


def cache_folder():
    home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return pathlib.Path(home).expanduser() / "riverstone"


class LeftOut:
    """The sources that the last run did not reach."""

    def __init__(self):
        self.path = cache_folder() / "tidy-left-out"

    def read(self):
        if not self.path.exists():
            return []
        return [name for name in self.path.read_text().split()
                if (ROOT / name).exists()]

    def write(self, sources):
        self.path.write_text("".join(name + "\n" for name in sources))


class Passed:
    """Remembers by content what passed: one empty file per hash."""

    def __init__(self, args):
        self.folder = cache_folder() / "tidy"
        self.commands = {
            entry["file"]: shlex.split(entry["command"]) for entry in
            json.loads((args.build / "compile_commands.json").read_text())}
        version = subprocess.run([args.clang_tidy, "--version"], text=True,
                                 capture_output=True, check=True).stdout
        self.common = version + (ROOT / ".clang-tidy").read_text() + "".join(
            UNIT_FLAGS if args.units else [])
        self.enabled = not args.no_cache
        self.folder.mkdir(parents=True, exist_ok=True)
        oldest = time.time() - CACHE_DAYS * DAY_SECONDS
        for entry in self.folder.iterdir():
            if entry.stat().st_mtime < oldest:
                entry.unlink(missing_ok=True)

    def entry(self, source):
        """The file that exists once the source has passed, or None."""
        command = self.commands.get(str(ROOT / source))
        if command is None:
            return None
        flags = command[:command.index("-o")]
        # Our headers ask for clang where they annotate locks. -dD keeps the
        # macros, which some checks judge, too.
        expanded = subprocess.run(
            [*flags, "-E", "-dD", "-D__clang__=18", str(ROOT / source)],
            text=True, capture_output=True, errors="replace")
        if expanded.returncode != 0:
            return None
        # A change of a comment matters only where it silences a check.
        ours = {line.split('"')[1] for line in expanded.stdout.splitlines()
                if line.startswith("# ") and f'"{ROOT}/' in line}
        silenced = [line for name in sorted(ours) if os.path.isfile(name)
                    for line in pathlib.Path(name).read_text().splitlines()
                    if "NOLINT" in line]
        rules = own_rules(source)
        text = "\n".join([self.common, *flags, expanded.stdout, *silenced,
                          rules.read_text() if rules else ""])
        text = text.replace(str(ROOT), "")  # Equal in every checkout.
        return self.folder / hashlib.sha256(text.encode()).hexdigest()

    def has(self, entry):
        if entry is None or not self.enabled or not entry.exists():
            return False
        entry.touch()
        return True


def run_all(args, sources):
    """(failed, left out, known to pass)."""
    failed, left_out, known = [], [], []
    end = time.monotonic() + args.minutes * 60
    passed = Passed(args)
    command = [args.clang_tidy, "-p", str(args.build), "--quiet",
               *(UNIT_FLAGS if args.units else [])]

    def check(source):
        """The output if it failed."""
        left = end - time.monotonic()
        if left < 0:
            left_out.append(source)
            return None
        entry = passed.entry(source)
        if passed.has(entry):
            known.append(source)
            return None
        rules = own_rules(source)
        config = [f"--config-file={rules}"] if rules else []
        try:
            done = subprocess.run(
                [*command, *config, source], cwd=ROOT, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                timeout=None if math.isinf(left) else left + GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            left_out.append(source)
            return None
        if done.returncode != 0:
            return done.stdout
        # What was edited during the check may not be what was checked.
        if entry is not None and entry == passed.entry(source):
            entry.touch()
        return None

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for source, output in zip(sources, pool.map(check, sources)):
            if output is not None:
                failed.append(source)
                print(output, end="", flush=True)
    return failed, left_out, known


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--clang-tidy", required=True)
    parser.add_argument("--build", required=True, type=pathlib.Path,
                        help="has compile_commands.json")
    parser.add_argument("--units", action="store_true")
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--no-cache", action="store_true")
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    if args.units:
        sources = units(args.build)
    elif args.files:
        sources = args.files
    else:
        sources = list(dict.fromkeys(LeftOut().read() + changed_sources()))
    failed, left_out, known = run_all(args, sources)
    if not args.units and not args.files:
        LeftOut().write(left_out)
    print(f"clang-tidy: {len(sources) - len(left_out)} of {len(sources)} "
          f"sources checked ({len(known)} unchanged since they passed), "
          f"{len(failed)} failed")
    if left_out:
        print(f"Left out after {args.minutes:g} minutes: "
              + " ".join(left_out))
    for source in failed:
        print(f"failed: {source}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

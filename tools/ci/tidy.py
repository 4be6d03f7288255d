#!/usr/bin/env python3
"""Runs clang-tidy on the sources that changed, until a time limit.

  tidy.py --clang-tidy PATH --build FOLDER [--minutes N] [FILE... | all]

Without files: those that differ from a base, the last changed first. The base
is the first of these that exists and is not HEAD itself:

  $RIVERSTONE_BASE            a commit
  build/ci/passed             the last commit that passed .ci/run here
  origin/HEAD, origin/main    where HEAD branched off
  the last commit that is a day older than HEAD

A header stands for the source of its name, else for the first that includes
it. Sources that the limit left out are listed; they are no failure.
"""

import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LAYERS = ("util/", "env/", "table/", "db/", "api/", "tools/")
DAY_SECONDS = 24 * 60 * 60


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


def all_sources():
    return [n for n in git("ls-files").split()
            if is_ours(n) and n.endswith(".cc")]


def run_all(args, sources):
    """(failed, left out)."""
    failed, left_out = [], []
    end = time.monotonic() + args.minutes * 60

    def check(source):
        if time.monotonic() > end:
            return None
        return subprocess.run(
            [args.clang_tidy, "-p", args.build, "--quiet", source], cwd=ROOT,
            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for source, done in zip(sources, pool.map(check, sources)):
            if done is None:
                left_out.append(source)
            elif done.returncode != 0:
                failed.append(source)
                print(done.stdout, end="", flush=True)
    return failed, left_out


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--clang-tidy", required=True)
    parser.add_argument("--build", required=True, help="has the commands")
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    sources = args.files or changed_sources()
    if args.files == ["all"]:
        sources = all_sources()
    failed, left_out = run_all(args, sources)
    print(f"clang-tidy: {len(sources) - len(left_out)} of {len(sources)} "
          f"sources checked, {len(failed)} failed")
    if left_out:
        print(f"Left out after {args.minutes:g} minutes: "
              + " ".join(left_out))
    for source in failed:
        print(f"failed: {source}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

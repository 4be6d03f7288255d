#!/usr/bin/env python3
"""Fails when a page names what is not in the tree, or a text uses a phrase that
makes readers look twice.

Names: in README.md and every .md below docs/. In backticks, outside of fenced
blocks, these must be true:

  `db/read/point_lookup.cc`          the file exists
  `db/read/point_lookup`             so does a file pair or folder
  `db/compaction/*.cc`               at least one file matches
  `db/read/point_lookup.cc:LookUp`   and the name occurs in it, as a word
  `Crash.AtEachCallLosesNothing`     a test of that name exists

A function may carry its class (`...:VersionSet::LogAndApply`): both names
must occur. Relative links must lead to a file, and a page has one title.

Phrases: in every text file that git knows: comments, messages, names, pages.
PHRASES lists them with what to write instead. There are no exceptions, so the
patterns below are written in a way that they do not match themselves.
"""

import pathlib
import re
import subprocess
import sys

FOLDERS = ("include", "util", "env", "table", "db", "tools", "test", "docs",
           ".ci")
SUFFIXES = ("", ".h", ".cc")
FENCE = re.compile(r"^\s*(```|~~~)")
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s#]+)[^)]*\)")
# A path of the tree, then perhaps a name in it.
NAMED = re.compile(r"^((?:%s)(?:/[\w.*-]+)+/?)(?::([A-Za-z_]\w*"
                   r"(?:::~?[A-Za-z_]\w*)*)(?:\(\))?)?$"
                   % "|".join(re.escape(f) for f in FOLDERS))
# A test as ctest names it, without the folder.
TEST_NAMED = re.compile(r"^([A-Z]\w+)\.([A-Z]\w+)$")
TEST = re.compile(r"^TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", re.M)
# Between two words: also the end of a comment's line, or of a string's.
GAP = r"""(?:\s|//|[#*]|"\s*\n\s*")+"""
SUBJECT = "name the subject: a thread, a writer, a caller, 'no reader'"
PHRASES = [
    (re.compile(pattern), instead) for pattern, instead in (
        (r"(?i)(?:no|some)[b]ody", SUBJECT),
        (r"(?i)who[e]ver", SUBJECT),
        (r"(?i:\bwhat%sof\b)|WhatO[f](?![a-z])" % GAP,
         "say what it is: 'the part of', 'which of'"),
        (r"(?i:\btold%sof\b)|ToldO[f](?![a-z])" % GAP,
         "'is notified of', 'gets', 'is reported'"),
        (r"(?i:\blets?%sgo%sof\b)|Lets?G[o](?![a-z])" % (GAP, GAP),
         "'releases', 'drops', 'frees'"),
        # A sentence, no question, or the name of a test.
        (r"""(?:[.:;!?"*#/|]|\A)[\s/#*"|]*W[h]o\b(?=[^.?!]*[.!])"""
         r"|\bTEST(?:_F|_P)?\(\s*\w+,\s*W[h]o(?:se)?[A-Z]",
         "begin with the subject: 'a caller that'"))]
BINARY = (".png", ".svg", ".zst")


def tests(root):
    """Every gtest below test/, as (suite, name)."""
    return {found for file in (root / "test").rglob("*_test.cc")
            for found in TEST.findall(file.read_text(errors="replace"))}


def pages(root):
    return [root / "README.md"] + sorted((root / "docs").rglob("*.md"))


def prose_lines(text):
    """The lines outside of fenced blocks, numbered."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            yield number, line


def files_of(root, path):
    """What `path` means: files and folders, none if it does not exist."""
    path = path.rstrip("/")
    if "*" in path:
        return sorted(root.glob(path))
    found = [root / (path + suffix) for suffix in SUFFIXES]
    return [f for f in found if f.exists()]


def has_words(files, words):
    text = "\n".join(f.read_text(errors="replace")
                     for f in files if f.is_file())
    return all(re.search(r"\b%s\b" % re.escape(word), text) for word in words)


def check_code(root, known_tests, code):
    """What is wrong with one text in backticks, or None."""
    test = TEST_NAMED.match(code)
    if test and test.groups() not in known_tests:
        return f"no test {code}"
    named = NAMED.match(code)
    if not named:
        return None
    path, name = named.groups()
    files = files_of(root, path)
    if not files:
        return f"no {path}"
    if name and not has_words(files, name.replace("~", "").split("::")):
        return f"no {name} in {path}"
    return None


def check_link(page, target):
    if re.match(r"^[a-z]+:", target):
        return None
    return None if (page.parent / target).exists() else f"no {target}"


def check_page(root, known_tests, page):
    titles = 0
    for number, line in prose_lines(page.read_text()):
        titles += line.startswith("# ")
        wrong = [check_code(root, known_tests, code)
                 for code in CODE.findall(line)]
        wrong += [check_link(page, target) for target in LINK.findall(line)]
        for what in filter(None, wrong):
            yield f"{page.relative_to(root)}:{number}: {what}"
    if titles != 1:
        yield f"{page.relative_to(root)}: {titles} titles (# ...), expected 1"


def phrases(text):
    """Line, phrase and what to write instead, of each that is found."""
    for pattern, instead in PHRASES:
        for found in pattern.finditer(text):
            phrase = " ".join(re.findall(r"\w+", found[0]))
            yield text.count("\n", 0, found.end()) + 1, phrase, instead


def check_phrases(root):
    listing = subprocess.run(["git", "ls-files"], cwd=root, text=True,
                             capture_output=True, check=True).stdout
    for name in listing.splitlines():
        path = root / name
        if path.suffix in BINARY or not path.is_file():
            continue
        text = path.read_text(errors="replace")
        for line, phrase, instead in phrases(text):
            yield f"{name}:{line}: '{phrase}': {instead}"


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    known_tests = tests(root)
    failed = [line for page in pages(root)
              for line in check_page(root, known_tests, page)]
    failed += check_phrases(root)
    print("\n".join(failed), end="\n" if failed else "")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Fails when two sources of a folder define the same local name.

The sources of a folder are compiled together (tools/cmake/unity.cmake), so
what stands in their anonymous namespaces, and what is static, shares a scope.
The compiler finds a clash only where both sources are in one unit; a file that
is added later can move them there. This finds it at once.

Functions may be overloaded. Two equal aliases are no clash.
"""

import collections
import pathlib
import re
import subprocess
import sys

# Namespaces: one source per line opens and closes them, unindented.
OPEN = re.compile(r"^namespace(?: ([\w:]+))? \{")
CLOSE = re.compile(r"^\}  // namespace")
TYPE = re.compile(r"^(?:template <.*> )?(?:class|struct|union|enum class|enum)"
                  r" (\w+)[^;]*$")
ALIAS = re.compile(r"^(?:using|namespace) (\w+) = (.*)")
MACRO = re.compile(r"^#\s*(define|undef) (\w+)")
TEST = re.compile(r"^(TEST|TEST_F|TEST_P|INSTANTIATE_\w+|TYPED_\w+)\(")
FUNCTION = re.compile(r"^[\w:<>,*& \[\]]*?\b([A-Za-z_]\w*)\((.*)")
VARIABLE = re.compile(r"^[\w:<>,*& ]*?\b([A-Za-z_]\w*)"
                      r"(?:\[\w*\])?(?: = |\{|;|\($)")


def statements(text):
    """(namespaces, head) of every unindented line that may define a name."""
    scope = []
    lines = text.splitlines()
    for number, line in enumerate(lines):
        opened = OPEN.match(line)
        if opened:
            scope.append(opened.group(1) or "")
        elif CLOSE.match(line) and scope:
            scope.pop()
        elif re.match(r"^[A-Za-z#]", line):
            head = line  # With what continues it.
            for more in lines[number + 1:number + 8]:
                if re.search(r"[{;]\s*(//.*)?$", head) or head[0] == "#":
                    break
                head += " " + more.strip()
            yield tuple(scope), head


def definition(head):
    """(name, what tells it from another of this name), or None."""
    if TEST.match(head) or head.startswith(("extern", "template class")):
        return None
    for pattern in (ALIAS, TYPE):
        match = pattern.match(head)
        if match:
            return match.group(1), match.group(2) if pattern is ALIAS else ""
    if head.startswith(("using", "return", "friend")):
        return None
    function = FUNCTION.match(head.split(" = ")[0].split("{")[0])
    if function:
        if re.search(r"\b\w+::~?%s\(" % re.escape(function.group(1)), head):
            return None  # A member.
        parameters = re.sub(r"\s*\b\w+(?=[,)]|\s=)|/\*.*?\*/|\s", "",
                            function.group(2).rsplit(")", 1)[0] + ")")
        return function.group(1), "(" + parameters
    variable = VARIABLE.match(head)
    return (variable.group(1), "") if variable else None


def local_names(path):
    """Names that the source keeps to itself: name -> distinctions."""
    names, macros = collections.defaultdict(set), set()
    for scope, head in statements(path.read_text()):
        macro = MACRO.match(head)
        if macro:
            (macros.add if macro.group(1) == "define"
             else macros.discard)(macro.group(2))
        elif head[0] != "#" and ("" in scope or head.startswith("static ")):
            found = definition(head.removeprefix("static "))
            if found:
                outer = "::".join(s for s in scope if s)
                names[outer, found[0]].add(found[1])
    for macro in macros:
        names["#define", macro].add("")
    return names


def clashes(sources):
    """Lines about names that two of these sources of a folder define."""
    seen = {}
    for path in sources:
        for name, kinds in local_names(path).items():
            for other, theirs in seen.get(name, ()):
                functions = all(k.startswith("(") for k in kinds | theirs)
                alias = kinds == theirs and "" not in kinds and not functions
                if alias or (functions and not kinds & theirs):
                    continue
                yield (f"{path}: {name[1]} is a local name of {other.name}, too; "
                       "share it or rename it")
            seen.setdefault(name, []).append((path, kinds))


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    listing = subprocess.run(["git", "ls-files", "*.cc"], cwd=root, text=True,
                             capture_output=True, check=True).stdout
    folders = collections.defaultdict(list)
    for name in sorted(set(listing.splitlines())):
        if (root / name).exists():
            folders[(root / name).parent].append(root / name)
    failed = [line for sources in folders.values() for line in clashes(sources)]
    print("\n".join(failed), end="\n" if failed else "")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

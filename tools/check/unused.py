#!/usr/bin/env python3
"""Fails when the library holds what nothing refers to.

Two checks; each sees what the other cannot:

  words    a function, method, member or constant that a header of the library
           declares, whose name occurs nowhere else but in its definition.
           Needs no build. Sees inline functions, which make no symbol unless
           they are called; does not see overloads and names that others have.
  symbols  a function or object of the namespace engine that a source of the
           library defines and no relocation of any object names: library,
           tools and tests. Needs the objects of a dev build. GCC inlines small
           functions even there, so a name that its own source uses is left
           alone; so are constructors.

Names that only seem unused stand in unused.txt with their reason, and that
list may only shrink: a line that excuses nothing is an error, too.

  unused.py [BUILD]    BUILD: a folder built with the preset dev; without it
                       there is only the check of words
"""

import pathlib
import re
import struct
import subprocess
import sys

LIBRARY = ("util", "env", "table", "db")
ALL = LIBRARY + ("api", "tools", "test", "include")
# Comments and literals: what they say is no use of a name. X-macros of .def
# files and names behind # are uses like any other.
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
WORD = re.compile(r"[A-Za-z_]\w*")
# "Type Name(" and "Type name_ =", "Type name;" in a header; a macro or a
# keyword in front is no type.
FUNCTION = re.compile(
    r"(?:^|[;{}]|public:|private:|protected:)\s*(?:template\s*<[^;{}]*>\s*)?"
    r"(?:\[\[\w+\]\]\s*)?(?:(?:static|inline|constexpr|virtual|explicit|const|"
    r"friend)\s+)*[\w:]+(?:<[^;(){}]*>)?[\s*&]+([A-Za-z]\w*)\s*\(")
CONSTANT = re.compile(r"\b(?:constexpr|const)\s+[^;(){}=]*?\b(k[A-Z]\w*)\s*"
                      r"(?:=|\[|\{|;)")
MEMBER = re.compile(r"(?:^|[;{}])\s*(?!return\b|using\b|case\b|else\b|goto\b|"
                    r"typedef\b|friend\b|class\b|struct\b|enum\b|namespace\b)"
                    r"(?:mutable\s+|const\s+|static\s+)*"
                    r"[\w:]+(?:<[^;(){}]*>)?[\s*&]+([a-z]\w*)\s*"
                    r"(?:=[^;=]*|\{[^;{}]*\})?(?=;)")
# What a language or a library calls by its name.
IMPLICIT = {"main", "operator", "begin", "end", "lock", "unlock", "value_type",
            "what", "overflow", "sync", "xsputn", "write", "return", "allocate",
            "deallocate"}


def strip(text):
    return NOISE.sub(lambda m: '""' if m[0][0] == '"' else " ", text)


def code_of(root):
    """The code of every file by its path, without comments and literals."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
        + list(ALL), cwd=root, text=True, capture_output=True, check=True)
    return {name: strip((root / name).read_text(errors="replace"))
            for name in listing.stdout.split()
            if name.endswith((".h", ".cc", ".c", ".def", ".inc"))
            and (root / name).exists()}


def declared(text):
    """Names that a header declares."""
    names = set(CONSTANT.findall(text))
    names.update(FUNCTION.findall(text))
    names.update(MEMBER.findall(text))
    return names - IMPLICIT


def unused_words(code):
    """(header, name) of what is only declared and defined."""
    uses = {}
    for text in code.values():
        for word in WORD.findall(text):
            uses[word] = uses.get(word, 0) + 1
    found = []
    for header, text in sorted(code.items()):
        if not header.startswith(LIBRARY) or not header.endswith(".h"):
            continue
        for name in sorted(declared(text)):
            if uses[name] > 2:
                continue
            # Once declared and once, perhaps, defined: "Type Class::Name(".
            source = code.get(header[:-2] + ".cc", "") + "".join(
                t for n, t in code.items() if n.startswith(header[:-2])
                and n.endswith(".cc") and n != header[:-2] + ".cc")
            defined = len(re.findall(
                r"(?:^|[\s*&])(?:\w+::)*%s\s*\([^;]*?\)[^;{]*\{" % name,
                source, re.M))
            if uses[name] - min(defined, 1) <= 1:
                found.append((header, name))
    return found


# ------------------------------------------------------------------- symbols

SHT_SYMTAB, SHT_RELA = 2, 4
STB_GLOBAL, STT_OBJECT, STT_FUNC = 1, 1, 2


class Object:
    """What an ELF object of a 64-bit little-endian machine defines and names."""

    def __init__(self, path):
        data = path.read_bytes()
        at, size, count, names = struct.unpack_from("<Q10xHHH", data, 40)
        sections = [struct.unpack_from("<IIQQQQIIQQ", data, at + i * size)
                    for i in range(count)]
        label = sections[names][4]
        self.defined, self.named = [], set()
        for s in sections:
            if s[1] == SHT_SYMTAB:
                symbols = list(struct.iter_unpack("<IBBHQQ",
                                                  data[s[4]:s[4] + s[5]]))
                strings = sections[s[6]][4]
        used = set()
        for s in sections:
            if s[1] != SHT_RELA:
                continue
            name = data[label + s[0]:data.index(b"\0", label + s[0])]
            if name.startswith((b".rela.debug", b".rela.eh_frame",
                                b".rela.gcc_except")):
                continue
            for _, info, _ in struct.iter_unpack("<QQq",
                                                 data[s[4]:s[4] + s[5]]):
                used.add(info >> 32)

        def text(offset):
            begin = strings + offset
            return data[begin:data.index(b"\0", begin)].decode()

        # Constructors are one function with several names.
        places = {(symbols[i][3], symbols[i][4]) for i in used}
        for i, (name, info, _, section, value, _) in enumerate(symbols):
            if section == 0:
                if i in used:
                    self.named.add(text(name))
            elif info >> 4 == STB_GLOBAL and info & 15 in (STT_OBJECT, STT_FUNC):
                if section >= 0xff00 or (section, value) not in places:
                    self.defined.append((text(name), (section, value)))
                else:
                    self.named.add(text(name))


def last_name(symbol):
    """"a::B<c>::d(e) const" -> "d"; None for a constructor."""
    path = re.sub(r"<[^<>]*>", "", re.sub(r"<[^<>]*>", "",
                                          symbol.split("(")[0])).split("::")
    return None if len(path) > 1 and path[-1].lstrip("~") == path[-2] \
        else path[-1]


def uses_itself(code, source, name):
    """The source has the name where no definition begins: indented."""
    texts = [code[source]] if source in code else \
        [text for path, text in code.items() if path.endswith(".cc")]
    return any(re.search(r"(?m)^[ \t].*\b%s\b" % re.escape(name), text)
               for text in texts)


def unused_symbols(build, code):
    library = re.compile(r"CMakeFiles/riverstone_(?:%s)\.dir/(.*)\.o$"
                         % "|".join(LIBRARY))
    named, candidates = set(), []
    for path in sorted(build.glob("CMakeFiles/**/*.o")):
        source = re.search(r"\.dir/(.*)\.o$", str(path))[1]
        if source not in code and not source.startswith("units/"):
            continue  # Left over: its source is gone.
        found = Object(path)
        named |= found.named
        if library.search(str(path)):
            candidates.append((source, found.defined))
    unused = {}
    for source, defined in candidates:
        alive = {place for name, place in defined if name in named}
        unused.update((name, source) for name, place in defined
                      if place not in alive and "6engine" in name)
    shown = subprocess.run(["c++filt"], input="\n".join(unused), text=True,
                           capture_output=True, check=True).stdout
    for symbol, source in zip(shown.splitlines(), unused.values()):
        name = last_name(symbol)
        if name and not uses_itself(code, source, name):
            yield source, symbol.replace("rocksdb::engine::", "")


# ---------------------------------------------------------------------- main

def exceptions(root):
    """name -> reason; a line is "name: reason"."""
    lines = (root / "tools/check/unused.txt").read_text().splitlines()
    return dict(line.split(": ", 1) for line in lines
                if line and line[0] != "#")


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    excused, needed, failed = exceptions(root), set(), False

    def report(name, text):
        nonlocal failed
        if name in excused:
            needed.add(name)
        else:
            print(f"{text}: nothing refers to it")
            failed = True

    code = code_of(root)
    for header, name in unused_words(code):
        report(name, f"{header}: {name}")
    if len(sys.argv) > 1:
        for source, symbol in unused_symbols(pathlib.Path(sys.argv[1]), code):
            report(last_name(symbol), f"{source}: {symbol}")
        for name in sorted(set(excused) - needed):
            print(f"unused.txt: {name} is used, or gone: delete its line")
            failed = True
    return failed


if __name__ == "__main__":
    sys.exit(main())

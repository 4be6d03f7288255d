#!/usr/bin/env python3
"""What tidy.py remembers as passed."""

import argparse
import json
import math
import os
import pathlib
import tempfile
import unittest
from unittest import mock

import tidy

DEFECT, GOOD = "int defect;\n", "int good;\n"


class Passed(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        self.source = self.root / "a.cc"
        self.edit = self.root / "edit"  # Becomes the source during a check.
        (self.root / ".clang-tidy").write_text("")
        tool = self.root / "clang-tidy"
        tool.write_text(f"#!/bin/sh\n[ $1 = --version ] && exit\n"
                        f"[ ! -f {self.edit} ] || mv {self.edit} {self.source}\n"
                        f"! grep defect {self.source}\n")
        tool.chmod(0o755)
        (self.root / "compile_commands.json").write_text(json.dumps([{
            "file": str(self.source), "directory": str(self.root),
            "command": f"g++ -o a.o -c {self.source}"}]))
        self.args = argparse.Namespace(
            clang_tidy=str(tool), build=self.root, units=False, no_cache=False,
            minutes=math.inf)
        for patch in (mock.patch.object(tidy, "ROOT", self.root),
                      mock.patch.dict(os.environ,
                                      XDG_CACHE_HOME=str(self.root / "cache")),
                      mock.patch("builtins.print")):
            patch.start()
            self.addCleanup(patch.stop)

    def check(self, text):
        """(failed, known to pass)."""
        self.source.write_text(text)
        failed, _, known = tidy.run_all(self.args, ["a.cc"])
        return failed, known

    def test_what_passed_is_known_until_it_changes(self):
        self.assertEqual(([], []), self.check(GOOD))
        self.assertEqual(([], ["a.cc"]), self.check(GOOD))
        self.assertEqual((["a.cc"], []), self.check(DEFECT))
        self.assertEqual((["a.cc"], []), self.check(DEFECT))

    def test_a_folder_has_rules_of_its_own(self):
        units = self.root / "build/units"
        units.mkdir(parents=True)
        (self.root / "own").mkdir()
        unit = units / "own_0.cc"
        unit.write_text('#include "own/b.cc"\n')
        self.assertIsNone(tidy.own_rules("own/b.cc"))
        rules = self.root / "own/.clang-tidy"
        rules.write_text("")
        self.assertEqual(rules, tidy.own_rules("own/b.cc"))
        self.assertEqual(rules, tidy.own_rules("build/units/own_0.cc"))
        self.assertIsNone(tidy.own_rules("a.cc"))

    def test_what_was_edited_during_its_check_is_checked_again(self):
        self.edit.write_text(GOOD)
        self.assertEqual(([], []), self.check(DEFECT))
        self.assertEqual((["a.cc"], []), self.check(DEFECT))


if __name__ == "__main__":
    unittest.main()

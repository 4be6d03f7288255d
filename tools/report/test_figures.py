#!/usr/bin/env python3
"""Sections: what is kept of one that succeeds, and of one that does not."""

import argparse
import pathlib
import tempfile
import unittest
import unittest.mock

import figures


class Sections(unittest.TestCase):
    def measure(self, *commands):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            done = figures.measure("part", commands, folder)
            return done, {file.name: file.read_text()
                          for file in folder.iterdir()}

    def test_what_all_commands_print_is_kept(self):
        done, files = self.measure("echo one", "echo two; exit 3")
        self.assertTrue(done)
        self.assertEqual(list(files), ["part.txt"])
        for text in ("$ echo one\n", "\none\n", "exit code 0", "\ntwo\n",
                     "exit code 3"):
            self.assertIn(text, files["part.txt"])

    def test_a_command_that_fails_ends_the_section(self):
        for fails in ("exit 127", "python3 -c 'raise ValueError'"):
            done, files = self.measure(fails, "echo two")
            self.assertFalse(done)
            self.assertEqual(list(files), ["part.unfinished"])
            self.assertNotIn("echo two", files["part.unfinished"])

    def test_several_that_wait_for_slow_disks_run_together(self):
        # Each ends only when the other has begun.
        def meets(own, other):
            return [f"touch {own}; for i in $(seq 100); do"
                    f" [ -e {other} ] && exit; sleep 0.1; done; exit 1"]
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            one, two = folder / "one", folder / "two"
            both = {"sine": meets(one, two), "catch_up": meets(two, one)}
            args = argparse.Namespace(minutes=1, together=2)
            with unittest.mock.patch.object(figures, "ON_SLOW_DISKS", both):
                failed = figures.measure_all(list(both), args, folder)
            self.assertEqual(failed, [])
            for section in both:
                self.assertTrue((folder / f"{section}.txt").exists())

    def test_a_command_belongs_to_one_section(self):
        commands = [command for part in (figures.SECTIONS, figures.ON_SLOW_DISKS)
                    for section in part.values() for command in set(section)]
        self.assertEqual(len(commands), len(set(commands)))

    def test_checks_run_alternately(self):
        fills = figures.SECTIONS["checks"][:-1]
        self.assertEqual(len(fills), 6)
        for on, off in zip(fills[::2], fills[1::2]):
            for name in figures.CHECKS:
                self.assertIn(f"{name}=true", on)
                self.assertIn(f"{name}=false", off)


if __name__ == "__main__":
    unittest.main()

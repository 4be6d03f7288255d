#!/usr/bin/env python3
"""Tests of peer_names.py."""

import unittest

import peer_names


class Made(unittest.TestCase):
    def test_counts_and_names_what_is_missing(self):
        text = peer_names.made([
            ("flags", "1.0", {"a", "b", "c", "d"}, {"a", "x"}, True),
            ("functions", "1.1", {"f", "g"}, {"f"}, False)])
        self.assertIn("| flags | 1.0 | 4 | 1 | 25.0 % |", text)
        self.assertIn("| functions | 1.1 | 2 | 1 | 50.0 % |", text)
        self.assertIn("Missing flags: `b`, `c`, `d`.", text)
        self.assertNotIn("`g`", text)

    def test_names_nothing_where_all_is_there(self):
        self.assertNotIn("Missing", peer_names.made(
            [("flags", "1.0", {"a"}, {"a"}, True)]))


class Page(unittest.TestCase):
    def test_text_goes_between_the_marks(self):
        page = "a\n" + peer_names.BEGIN + "old\n" + peer_names.END + "b\n"
        self.assertEqual(
            peer_names.with_text(page, "new\n"),
            "a\n" + peer_names.BEGIN + "new\n" + peer_names.END + "b\n")
        with self.assertRaises(LookupError):
            peer_names.with_text("a\n", "new\n")


class Sources(unittest.TestCase):
    def test_are_read(self):
        for what, release, theirs, ours, _ in peer_names.counted():
            with self.subTest(what):
                self.assertGreater(len(theirs & ours), 20)
                self.assertRegex(release, r"\d+\.\d+")


if __name__ == "__main__":
    unittest.main()

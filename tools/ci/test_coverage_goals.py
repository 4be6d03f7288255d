#!/usr/bin/env python3
"""What coverage_goals.py says of a summary."""

import unittest

import coverage_goals


def file(name, lines, lines_total, branches=9, branches_total=10):
    return {"filename": name, "line_covered": lines, "line_total": lines_total,
            "branch_covered": branches, "branch_total": branches_total}


FILES = [file("util/arena.cc", 95, 100), file("db/wal/log_reader.cc", 96, 100),
         file("db/write_batch/write_batch.cc", 95, 100),
         file("db/recovery/wal_replay.cc", 100, 100),
         file("table/format/footer.cc", 95, 100)]


class Goals(unittest.TestCase):
    def test_all_parts_have_enough(self):
        rows, failed = coverage_goals.judge(FILES)
        self.assertFalse(failed, rows)
        self.assertIn("96.2", rows[0])

    def test_a_part_with_too_little_is_named(self):
        files = FILES + [file("db/wal/log_writer.cc", 90, 100)]
        rows, failed = coverage_goals.judge(files)
        self.assertTrue(failed)
        self.assertEqual([row.split()[0] for row in rows if "failed" in row],
                         ["db/wal"])

    def test_branches_count(self):
        self.assertTrue(coverage_goals.judge(
            FILES + [file("db/read/multi_get.cc", 95, 100, 0, 20)])[1])

    def test_a_part_without_lines_fails(self):
        self.assertTrue(coverage_goals.judge(FILES[:-1])[1])


if __name__ == "__main__":
    unittest.main()

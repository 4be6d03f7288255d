#!/usr/bin/env python3
"""What is read of db_bench's output, and what the page shows of it."""

import pathlib
import subprocess
import sys
import tempfile
import types
import unittest

import partitioned
import runs
from partitioned import Result

OUTPUT = """
readrandom   :     100.000 micros/op 2000 ops/sec 10.000 seconds 20000 ops;
STATISTICS:
rocksdb.block.cache.index.miss COUNT : 5000
rocksdb.block.cache.index.hit COUNT : 15000
rocksdb.block.cache.filter.miss COUNT : 0
rocksdb.block.cache.filter.hit COUNT : 0
rocksdb.block.cache.data.miss COUNT : 20000
rocksdb.block.cache.data.hit COUNT : 0
rocksdb.block.read.data.bytes COUNT : 80000000
rocksdb.block.read.index.bytes COUNT : 20000000
rocksdb.block.read.filter.bytes COUNT : 0
"""


def result(speed, metadata):
    return Result(speed, {"index": metadata / 2, "filter": metadata / 2,
                          "data": 4000.0},
                  {"index": 0.5, "filter": None, "data": 0.25}, 50e6)


class Partitioned(unittest.TestCase):
    def test_bytes_are_per_get_and_hits_by_kind(self):
        got = partitioned.parse(OUTPUT, 7e6)
        self.assertEqual(got.speed, 2000)
        self.assertEqual(got.read_bytes,
                         {"index": 1000, "filter": 0, "data": 4000})
        self.assertEqual(got.hit_rates,
                         {"index": 0.75, "filter": None, "data": 0})
        self.assertEqual(got.metadata_bytes, 1000)

    def test_output_without_result_is_an_error(self):
        with self.assertRaises(RuntimeError):
            partitioned.parse("nothing", 0)

    def test_medians_pass_over_what_was_never_looked_up(self):
        got = partitioned.median_of(
            [result(10, 100), result(30, 300), result(20, 900)])
        self.assertEqual(got.speed, 20)
        self.assertEqual(got.metadata_bytes, 300)
        self.assertIsNone(got.hit_rates["filter"])

    def test_the_page_shows_every_setting_and_its_gain(self):
        results = {(0.5, "heap"): result(5000, 0),
                   (0.5, "whole blocks"): result(100, 1e6),
                   (0.5, "partitioned"): result(400, 1e4)}
        args = types.SimpleNamespace(percents=[0.5], keys=10, threads=1,
                                     seconds=1, runs=1)
        self.assertEqual(partitioned.gains(results, 0.5), (100.0, 4.0))
        text = partitioned.render(args, results, ["db_bench --x"], 0.5)
        self.assertIn("100x fewer index and filter bytes", text)
        self.assertIn("4.0x the gets", text)
        for setting in partitioned.SETTINGS:
            self.assertIn(setting.name, text)
        self.assertNotIn("<script", text)

    def test_a_goal_that_is_missed_ends_with_its_own_code(self):
        whole, parts = (0.5, "whole blocks"), (0.5, "partitioned")
        self.assertEqual(0, partitioned.verdict(
            {whole: result(100, 1e6), parts: result(300, 2e5)}, 0.5))
        for slow in (result(299, 2e5), result(300, 2.1e5)):
            self.assertEqual(runs.MISSED, partitioned.verdict(
                {whole: result(100, 1e6), parts: slow}, 0.5))

    def test_the_program_ends_with_the_code_of_its_verdict(self):
        with tempfile.TemporaryDirectory() as name:
            bench = pathlib.Path(name) / "bench"
            bench.write_text(f"#!/bin/sh\ncat <<'E'\n{OUTPUT}\nE\n")
            bench.chmod(0o755)
            done = subprocess.run(
                [sys.executable, partitioned.__file__, "--bench", bench,
                 "--runs", "1", "--db", name, "--out", f"{name}/page.html"],
                capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, runs.MISSED, done.stderr)
            self.assertIn("MISSED", done.stdout)


if __name__ == "__main__":
    unittest.main()

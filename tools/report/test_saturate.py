"""Tests of saturate.py without a database."""

import argparse
import contextlib
import io
import math
import pathlib
import tempfile
import unittest

import catchup
import saturate

HISTOGRAM = """Microseconds per write:
Count: 100 Average: 1.0  StdDev: 1.0
Min: 1  Median: 2.0  Max: 250000
Percentiles: P50: 2.00 P75: 3.00 P99: 5.00 P99.9: 1500.00 P99.99: 9.00
"""


def result(seconds, **more):
    return saturate.Result(seconds, **more)


class Figures(unittest.TestCase):
    def test_the_row_with_compression_has_no_library_that_compresses(self):
        row = next(r for r in saturate.rows() if r.name == "lz4")
        self.assertEqual(["adaptive", "peer"],
                         row.engines(["adaptive", "peer", "peer11"]))
        other = next(r for r in saturate.rows() if r.name == "64x2")
        self.assertEqual(["peer11"], other.engines(["peer11"]))

    def test_the_first_ten_seconds_are_not_judged(self):
        r = result([100.0] * 10 + [20.0] * 20)
        self.assertEqual(20, r.mean)
        self.assertEqual(0, r.deviation)
        self.assertEqual(1, r.worst)

    def test_seconds_under_half_of_the_mean_are_counted(self):
        r = result([0.0] * 10 + [20.0, 0.0, 20.0, 20.0, 20.0])
        self.assertEqual(1, r.below_half)
        self.assertEqual(0, r.worst)

    def test_the_median_run_is_told(self):
        runs = [result([0.0] * 10 + [1.0, x] * 5) for x in (1.0, 3.0, 2.0)]
        self.assertEqual(runs[2], saturate.middle([*runs, None]))
        self.assertIsNone(saturate.middle([None]))


class Verdicts(unittest.TestCase):
    row = saturate.rows()[0]

    def test_an_even_run_that_beats_the_others_misses_nothing(self):
        own = result([20.0] * 30, p999_ms=1.0, longest_ms=50.0)
        self.assertEqual([], saturate.misses(self.row, {
            "adaptive": own, "static": result([15.0] * 30)}))

    def test_each_goal_is_named(self):
        own = result([20.0] * 20 + [5.0] * 10, p999_ms=30.0, longest_ms=200.0)
        self.assertEqual(
            ["deviation", "worst", "below half", "p999 ms", "longest ms",
             "1.00x peer"],
            saturate.misses(self.row, {"adaptive": own, "peer": own}))

    def test_without_a_cap_no_gain_is_asked_for(self):
        row = [r for r in saturate.rows() if not r.cap_mbps][0]
        own = result([20.0] * 30)
        self.assertEqual([], saturate.misses(row, {"adaptive": own,
                                                   "peer": own}))


class Engines(unittest.TestCase):
    def args(self, **more):
        return argparse.Namespace(**{
            "seconds": 120, "model": False, "catch_up": False,
            "bench": "build/dev/db_bench", "peer": "/usr/bin/db_bench",
            "library": "peer.so", **more})

    def test_a_librarys_loop_gets_the_options_of_the_row_by_name(self):
        row = [r for r in saturate.rows() if r.name == "2cf"][0]
        got = saturate.command_of(self.args(), row, "peer11",
                                  pathlib.Path("w"))
        self.assertEqual(["build/dev/fillrandom", "--library=peer.so"],
                         got[:2])
        for flag in ("--duration=120", "--value_size=8192", "--num=1000000",
                     "--db=w/db", "--report_file=w/report.csv", "--threads=2",
                     "--num_column_families=2"):
            self.assertIn(flag, got)
        self.assertEqual(
            "--options=write_buffer_size=8388608;max_write_buffer_number=6;"
            "max_bytes_for_level_base=33554432;"
            "target_file_size_base=8388608;"
            "soft_pending_compaction_bytes_limit=8589934592;"
            "hard_pending_compaction_bytes_limit=17179869184", got[-1])

    def test_the_style_draws_a_line_of_each_engine(self):
        for css in saturate.CSS.values():
            self.assertRegex(saturate.page.STYLE, rf"\.{css}{{\s*stroke:")

    def test_only_ours_writes_a_timeline(self):
        row = saturate.rows()[0]
        for engine in saturate.CSS:
            got = saturate.command_of(self.args(), row, engine,
                                      pathlib.Path("w"))
            self.assertEqual(engine in saturate.OURS,
                             "--timeline_file=w/timeline" in got)

    def test_a_library_that_is_missing_is_left_out_with_a_message(self):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            got = saturate.default_engines(self.args(library="/no/such.so"))
        self.assertEqual(["adaptive", "static", "peer"], got)
        self.assertIn("/no/such.so is missing", said.getvalue())
        with tempfile.NamedTemporaryFile() as file:
            self.assertIn("peer11", saturate.default_engines(
                self.args(library=file.name)))

    def test_the_gain_is_asked_of_each_peer(self):
        own, other = result([20.0] * 30), result([18.0] * 30)
        self.assertEqual(
            ["1.11x peer", "1.11x peer11"],
            saturate.misses(saturate.rows()[0], {
                "adaptive": own, "peer": other, "peer11": other}))


class CatchUp(unittest.TestCase):
    plan = catchup.Plan(seconds=180, can=20.0)

    def seconds(self, rate):
        """The sine, a pause, then `rate(t)` until all is written."""
        out, left = [], 0
        for t in range(180):
            asked = self.plan.asked(t)
            if t < 60:
                out.append(asked)
                continue
            left += asked
            out.append(0 if t < 90 else min(rate(t), left))
            left -= out[-1]
        return out

    def test_the_sine_is_scaled_to_what_the_device_can_do(self):
        self.assertEqual((60, 90), (self.plan.begin, self.plan.end))
        self.assertAlmostEqual(12, self.plan.load.mean / 1e6)
        self.assertAlmostEqual(7.2, self.plan.load.amplitude / 1e6)
        self.assertAlmostEqual(
            15.625, catchup.Plan(180, 40.0).load.mean / 1e6)
        flags = self.plan.flags()
        self.assertIn("--write_pause_from_seconds=60", flags)
        self.assertIn("--write_pause_seconds=30", flags)
        self.assertIn("--sine_d=12000000", flags)

    def test_an_even_run_passes(self):
        v = catchup.judge(self.seconds(lambda t: 20), self.plan)
        self.assertEqual([], v.misses())
        self.assertEqual(1, v.worst / v.can)
        self.assertAlmostEqual(
            360 + 7.2 * 120 / (2 * math.pi), v.missed, delta=5)
        self.assertTrue(30 < len(v.seconds) < 60, len(v.seconds))

    def test_only_the_seconds_of_catching_up_are_judged(self):
        seconds = self.seconds(lambda t: 20)
        seconds[30] = seconds[75] = seconds[170] = 0
        self.assertEqual(
            [], catchup.judge(seconds, self.plan).misses())

    def test_each_second_under_nine_tenths_counts(self):
        v = catchup.judge(self.seconds(
            lambda t: {90: 60, 91: 17.9, 92: 4, 93: 18}.get(t, 20)), self.plan)
        self.assertEqual(["2 s under 0.9"], v.misses())
        self.assertAlmostEqual(4, v.worst)

    def test_a_run_that_never_catches_up_misses(self):
        v = catchup.judge(self.seconds(lambda t: 5), self.plan)
        self.assertEqual(["90 s under 0.9", "not all is written"], v.misses())

    def test_table_and_page_have_each_run(self):
        row = saturate.rows()[0]
        runs = [result(self.seconds(lambda t, r=r: r)) for r in (20, 14, 19)]
        self.assertEqual(runs[2], catchup.middle([*runs, None], self.plan))
        results = [(row, self.plan, {"adaptive": runs[0], "static": None})]
        lines = catchup.table(results)
        self.assertEqual("PASS", lines[1][-1])
        self.assertEqual("no run", lines[2][-1])
        self.assertEqual({len(catchup.TITLES)}, {len(line) for line in lines})
        self.assertFalse(catchup.missed(results))
        text = saturate.html_of(
            "x", catchup.charts(results, saturate.CSS), lines)
        self.assertIn("worst second 20.0 MB/s of 20.0", text)


class Files(unittest.TestCase):
    def test_a_run_is_read_back(self):
        row = saturate.rows()[0]
        with tempfile.TemporaryDirectory() as name:
            where = pathlib.Path(name)
            lines = ["secs_elapsed,interval_qps"]
            lines += [f"{t},1000" for t in range(1, 31)]
            (where / "report.csv").write_text("\n".join(lines))
            (where / "log").write_text(HISTOGRAM)
            r = saturate.read(where, row, is_ours=False)
            self.assertAlmostEqual(8.208, r.mean)
            self.assertEqual((1.5, 250.0), (r.p999_ms, r.longest_ms))
            page = saturate.html_page([(row, {"peer": r})])
            self.assertIn("8 MB x 6", page)
            self.assertIn("RocksDB 7.8.3, memtables of 8 MB x 6, 45 MB/s: 8.2",
                          saturate.picture_of(row, {"peer": r}))
            (where / "report.csv").write_text("\n".join(lines[:5]))
            with self.assertRaises(RuntimeError):
                saturate.read(where, row, is_ours=False)


if __name__ == "__main__":
    unittest.main()

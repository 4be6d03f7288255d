#!/usr/bin/env python3
"""The judgement of capped runs, and what is read of other engines' output."""

import pathlib
import tempfile
import unittest

import cap
import capped
import peer
import runs
import timeline
from capped import Figures

# A stall of three seconds in a sine of twelve; the last row is behind it.
REPORT = """secs_elapsed,interval_qps
1,759
2,910
3,1326
4,589
5,123
6,0
7,213
8,3472
9,2469
10,1900
11,1330
12,913
13,400
"""

LOG = """
** Compaction Stats [default] **
Level    Files   Size     Score
----------------------------------------
  L0      7/1   26.85 MB   0.2      0.0
 Sum      5/0   19.12 MB   0.0      0.0

** Compaction Stats [default] **
Priority    Files   Size     Score
----------------------------------------
High      0/0    0.00 KB   0.0      0.0

Uptime(secs): 5.0 total, 5.0 interval
Cumulative compaction: 0.50 GB write, 13.82 MB/s write, 0.2 seconds
Cumulative stall: 00:01:2.500 H:M:S, 0.0 percent

** Compaction Stats [default] **
Level    Files   Size     Score
----------------------------------------
  L1      4/0   15.27 MB   0.1      0.0

** Compaction Stats [default] **
Priority    Files   Size     Score
----------------------------------------
Uptime(secs): 10.0 total, 5.0 interval
Cumulative compaction: 0.75 GB write, 13.82 MB/s write, 0.2 seconds
Cumulative stall: 00:01:3.500 H:M:S, 0.0 percent
fillrandom   :     827.343 micros/op 1208 ops/sec 6.618 seconds
rocksdb.flush.write.bytes COUNT : 100
rocksdb.remote.compact.write.bytes COUNT : 5
rocksdb.compact.write.bytes COUNT : 50
"""


class Report(unittest.TestCase):
    def setUp(self):
        self.where = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.where.name) / "report.csv"
        self.path.write_text(REPORT, encoding="utf-8")
        self.addCleanup(self.where.cleanup)

    def test_the_score_is_that_of_the_rules(self):
        # By the script that the rules of the figure come with, on this file
        # with 9375000 15625000 12 8208.
        score = peer.score_report(self.path, runs.Load(12))
        self.assertEqual(f"{100 * score.tracking_error:.1f}", "74.2")
        self.assertEqual(f"{100 * score.accepted_share:.1f}", "61.3")
        self.assertEqual(f"{score.worst_second:.2f}", "0.00")
        self.assertEqual(score.seconds_below, 4)

    def test_rows_get_what_the_statistics_tell(self):
        rows = peer.rows(self.path, LOG, runs.Load(12))
        self.assertEqual([r.l0_files for r in rows],
                         [7] * 5 + [0] * 5 + [None] * 3)
        self.assertAlmostEqual(rows[0].written, 0.5 * (1 << 30) / 5)
        self.assertAlmostEqual(rows[7].written, 0.25 * (1 << 30) / 5)

    def test_one_dump_tells_no_files_of_the_seconds_before(self):
        log = LOG[LOG.rindex("** Compaction Stats"):].replace("10.0 total",
                                                              "12.0 total")
        rows = peer.rows(self.path, log, runs.Load(12))
        self.assertEqual([r.l0_files for r in rows],
                         [None] * 11 + [0] + [None])

    def test_the_log_gives_stalls_and_bytes(self):
        self.assertEqual(peer.stall_seconds(LOG), 63.5)
        self.assertEqual(peer.table_bytes(LOG), 150)
        self.assertIsNone(peer.table_bytes("nothing"))


class Flags(unittest.TestCase):
    def test_the_sine_is_one_period_at_an_eighth(self):
        flags = runs.eighth_flags(runs.Load(120))
        for flag in ("--sine_a=9375000", "--sine_d=15625000",
                     "--sine_b=0.05235987755982988", "--value_size=8192",
                     "--write_buffer_size=8388608",
                     "--use_direct_io_for_flush_and_compaction=true"):
            self.assertIn(flag, flags)

    def test_a_rate_is_held_for_a_step(self):
        load = runs.Load(350, 75e6, 125e6, 65536, step=10.0)
        self.assertEqual(load.rate(12), load.rate(19.9))
        self.assertAlmostEqual(load.rate(170) / 1e6, 200, delta=1)
        self.assertAlmostEqual(load.rate(0) / 1e6, 50, delta=0.1)

    def test_an_old_build_is_found_by_its_rows(self):
        def rows(mode, last):
            return [timeline.Row(t=float(t), seconds=1.0, requested=1.0,
                                 accepted=1.0, written=0.0, flushed=0.0,
                                 mode=mode) for t in range(1, last + 1)]
        self.assertEqual(runs.unsupported_mode(rows("", 2)), "")
        self.assertNotEqual(runs.unsupported_mode(rows("", 9)), "")
        self.assertNotEqual(runs.unsupported_mode(rows("drain_switch", 9)), "")
        self.assertEqual(runs.unsupported_mode(rows("kAdaptive", 9)), "")


class Targets(unittest.TestCase):
    FLOOR = Figures(tracking_error=1.2, accepted=99.8, worst_second=0.9,
                    seconds_below=1, p999_ms=0.4)

    def verdicts(self, cap_mbps, **own):
        figures = Figures(**{
            "tracking_error": 2.0, "accepted": 99.6, "worst_second": 0.86,
            "seconds_below": 2, "p999_ms": 1.1, "l0_most": 36,
            "runs_median": 14, "unflushed_most": 48 << 20,
            "pending_most": 1e9, "debt_end": 0.9e9, "repay_seconds": 20,
            "charged_share": 0.97, **own})
        return {t.name: t.met for t in
                capped.targets(figures, self.FLOOR, cap_mbps)}

    def test_all_are_met_at_their_limits(self):
        for cap_mbps in (45, 60, 90):
            self.assertEqual(set(self.verdicts(cap_mbps).values()), {True})

    def test_each_is_missed_by_itself(self):
        for name, own in (("tracking error", {"tracking_error": 2.3}),
                          ("accepted", {"accepted": 99.4}),
                          ("worst second", {"worst_second": 0.84}),
                          ("seconds under 0.9", {"seconds_below": 3}),
                          ("p99.9 put", {"p999_ms": 1.3}),
                          ("most L0 files", {"l0_most": 37}),
                          ("sorted runs, median", {"runs_median": 19}),
                          ("unflushed bytes", {"unflushed_most": 6e7}),
                          ("pending bytes", {"pending_most": 9e9}),
                          ("charged", {"charged_share": 0.94}),
                          ("repaid in", {"repay_seconds": 33})):
            verdicts = self.verdicts(60, **own)
            self.assertEqual([n for n, met in verdicts.items() if not met],
                             [name])

    def test_limits_depend_on_the_cap(self):
        self.assertTrue(self.verdicts(45, tracking_error=4.1,
                                      runs_median=26)["tracking error"])
        self.assertFalse(self.verdicts(60, tracking_error=4.1)
                         ["tracking error"])
        self.assertFalse(self.verdicts(90, runs_median=15)
                         ["sorted runs, median"])

    def test_the_unknown_is_neither_met_nor_missed(self):
        self.assertIsNone(self.verdicts(60, repay_seconds=None)["repaid in"])
        self.assertIsNone(self.verdicts(75)["sorted runs, median"])

    def test_medians_leave_out_what_is_not_known(self):
        middle = capped.medians([Figures(accepted=90, l0_most=3),
                                 Figures(accepted=99),
                                 Figures(accepted=97, l0_most=5)])
        self.assertEqual((middle.accepted, middle.l0_most), (97, 4))
        self.assertIsNone(middle.repay_seconds)

    def test_a_run_that_was_not_charged_is_void(self):
        run = runs.Run("x", [], charged=94, table_bytes=100)
        self.assertTrue(run.void)
        run.charged = 96
        self.assertFalse(run.void)
        run.charged = None
        self.assertFalse(run.void)


class Cap(unittest.TestCase):
    def test_it_says_why_it_cannot_be_had(self):
        self.assertIsInstance(cap.unavailable(tempfile.gettempdir()), str)
        self.assertNotEqual(cap.unavailable("/proc"), "")


if __name__ == "__main__":
    unittest.main()

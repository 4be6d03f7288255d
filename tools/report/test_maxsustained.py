#!/usr/bin/env python3
"""The search from outside: which rate is next, which is sustained."""

import unittest

import maxsustained
import timeline


def dump(uptime, files):
    return (f"** Compaction Stats [default] **\nLevel Files\n"
            f"  L0     {files}/0  1 MB\n\n"
            f"** Compaction Stats [default] **\nPriority Files\n\n"
            f"Uptime(secs): {uptime}.0 total, 2.0 interval\n"
            f"Cumulative compaction: 0.10 GB write, 1 MB/s write\n")


def log(files, stall="00:00:0.000"):
    return "".join(dump(2 * (i + 1), n) for i, n in enumerate(files)) + (
        f"Cumulative stall: {stall} H:M:S, 0.0 percent\n")


class Search(unittest.TestCase):
    def find(self, truth, initial):
        search, trials = maxsustained.Search(initial), 0
        while not search.done:
            search.report(search.next <= truth)
            trials += 1
        return search.best, trials

    def test_it_finds_the_rate_from_below_and_from_above(self):
        for initial in (1e6, 42e6, 500e6):
            found, trials = self.find(42e6, initial)
            self.assertLessEqual(found, 42e6)
            self.assertGreaterEqual(found, 42e6 / 1.05)
            self.assertLessEqual(trials, 16)

    def test_it_ends_where_nothing_or_all_is_sustained(self):
        self.assertEqual(self.find(0, 8e6)[0], 0)
        self.assertEqual(self.find(1e12, 8e6)[0], 1e10)


class Judgement(unittest.TestCase):
    STEADY = [4, 9, 6, 8, 3, 9, 5, 7, 4, 8, 6, 9, 4, 7, 5]

    def judge(self, ops=1000, files=None, stall="00:00:0.000"):
        seconds = [(float(t), float(ops)) for t in range(1, 31)]
        return maxsustained.judge(8208000, seconds,
                                  log(files or self.STEADY, stall), 8208, 10)

    def test_a_steady_trial_is_sustained(self):
        verdict = self.judge()
        self.assertTrue(verdict.sustained, verdict)
        self.assertAlmostEqual(verdict.accepted, 1)

    def test_it_is_not_when_little_is_accepted(self):
        self.assertTrue(self.judge(ops=981).sustained)
        self.assertEqual(self.judge(ops=970).bound, "device")

    def test_it_is_not_when_writers_waited(self):
        self.assertEqual(self.judge(stall="00:00:1.000").bound, "stalls")

    def test_it_is_not_when_files_pile_up(self):
        rising = [n + i for i, n in enumerate(self.STEADY)]
        verdict = self.judge(files=rising)
        self.assertEqual(verdict.bound, "runs")
        self.assertGreater(verdict.runs_growth, 4)

    def test_the_warm_up_is_not_judged(self):
        self.assertEqual(maxsustained.judge(1, [(1.0, 1.0)], "", 1, 10).bound,
                         "no seconds to judge")

    def test_the_result_line_of_the_workload_is_read(self):
        text = ("max sustained rate: 42.30 MB/s, not 44.50 MB/s; bound by "
                "runs: sorted runs grew by 9.1 in 20 s")
        found = maxsustained.RESULT.match(text)
        self.assertEqual(found.groups(), (
            "42.30", "runs: sorted runs grew by 9.1 in 20 s"))
        self.assertEqual(maxsustained.RESULT.match(
            "max sustained rate: none; bound by device: x").group(1), "none")


class Held(unittest.TestCase):
    def held(self, rates, share=0.95, p999_us=900.0, **more):
        rows = [timeline.Row(t=i + 1.0, seconds=1.0, requested=100.0,
                             accepted=rate, written=0.0, flushed=0.0,
                             **{"sorted_runs": 30, **more})
                for i, rate in enumerate(rates)]
        log = f"Microseconds per write:\nP99: 5 P99.9: {p999_us} P99.99: 7\n"
        return [met for _, met in maxsustained.held_verdicts(
            share, maxsustained.held_figures(rows, log))]

    def test_below_no_second_may_miss(self):
        self.assertTrue(all(self.held([100, 95, 99])))
        self.assertEqual(self.held([100, 85, 99]),
                         [True, True, True, False, True])

    def test_below_a_put_in_a_thousand_may_take_5_ms(self):
        self.assertTrue(all(self.held([100, 99], p999_us=4999.0)))
        self.assertEqual(self.held([100, 99], p999_us=5001.0),
                         [True, True, True, True, False])

    def test_above_the_rate_must_be_even(self):
        self.assertTrue(all(self.held([80, 82, 78], share=1.1)))
        self.assertFalse(all(self.held([80, 100, 60], share=1.1)))

    def test_limits_hold_in_both(self):
        for share in (0.95, 1.1):
            self.assertFalse(all(self.held([99, 99], share, sorted_runs=60)))
            self.assertFalse(all(self.held([99, 99], share, stopped=True)))
            self.assertFalse(all(self.held([99, 99], share,
                                           unflushed_bytes=6e7)))


class HighestHeld(unittest.TestCase):
    def test_a_rate_above_one_that_failed_does_not_count(self):
        self.assertEqual(11.7, maxsustained.highest_held(
            [(17.6, True), (10, True), (11.7, True), (16, False)]))
        self.assertEqual(17.6, maxsustained.highest_held(
            [(17.6, True), (10, True)]))
        self.assertEqual(0.0, maxsustained.highest_held([(10, False)]))


if __name__ == "__main__":
    unittest.main()

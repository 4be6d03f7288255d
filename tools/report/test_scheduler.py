#!/usr/bin/env python3
"""The experiments of the scheduler: what is read of a run, what is judged."""

import pathlib
import tempfile
import unittest

import scheduler
from scheduler import OFF, ON, Profile, Result

DISK = Profile(100e6, 50e6, 10000, 5000, 0.9)


def summary(served=500.0, p99=1000, sync=500.0):
    return {"log": {"asked": 100.0, "served": 100.0, "p99": 900},
            "queries": {"asked": 500.0, "served": served, "p50": 100,
                        "p99": p99},
            "syncs": {"count": 10, "average": sync, "p99": 2 * sync},
            "compacting_seconds": 5}


def result(engine, rate=500.0, costs=(0.8, 0.85), **more):
    return Result("capped disk", engine, rate, summary(**more),
                  [{"queries": 500}] * 7, list(costs), "command")


class Disk(unittest.TestCase):
    def test_a_profile_is_read_as_iotune_writes_it(self):
        text = DISK.text("/data")
        self.assertIn("  - mountpoint: /data\n    read_bandwidth: 100000000\n",
                      text)
        self.assertEqual(Profile.parse(text), DISK)

    def test_reads_and_writes_share_the_disk(self):
        self.assertAlmostEqual(
            DISK.cost({"read": 50e6, "written": 10e6, "reads": 1000,
                       "writes_done": 500}), 0.5 + 0.2 + 0.1 + 0.1)
        # A modelled device does not count operations.
        self.assertAlmostEqual(DISK.cost({"read": 50e6, "written": 0}), 0.5)


class Runs(unittest.TestCase):
    def test_the_programs_output_is_read(self):
        seconds, found = scheduler.parse(
            ["a note\n", '{"t": 1, "queries": 5}\n',
             '{"summary": {"queries": {"served": 5}}}\n'])
        self.assertEqual(seconds, [{"t": 1, "queries": 5}])
        self.assertEqual(found["queries"]["served"], 5)
        for lines in ([], ['{"t": 1}\n']):
            with self.assertRaises(RuntimeError):
                scheduler.parse(lines)

    def test_a_rate_is_served_in_number_and_in_time(self):
        self.assertTrue(result(ON).served)
        self.assertFalse(result(ON, served=494).served)
        self.assertFalse(result(ON, p99=200000).served)

    def test_every_run_starts_from_the_same_files(self):
        with tempfile.TemporaryDirectory() as name:
            base, run = pathlib.Path(name) / "base", pathlib.Path(name) / "run"
            base.mkdir()
            for file in ("000001.sst", "MANIFEST-000002", "LOCK", "LOG"):
                (base / file).write_text(file, encoding="utf-8")
            for _ in range(2):
                scheduler.copy_base(base, run)
                self.assertEqual(sorted(f.name for f in run.iterdir()),
                                 ["000001.sst", "MANIFEST-000002"])
                self.assertTrue((run / "000001.sst").samefile(
                    base / "000001.sst"))
                (run / "MANIFEST-000002").write_text("x", encoding="utf-8")
            self.assertEqual((base / "MANIFEST-000002").read_text(
                encoding="utf-8"), "MANIFEST-000002")


class Judgement(unittest.TestCase):
    def met(self, *results):
        return [met for _, met in scheduler.verdicts(list(results), DISK)]

    def test_without_both_sides_nothing_is_judged(self):
        self.assertEqual(self.met(result(ON)), [])

    def test_all_four_goals(self):
        slow = {"p99": 90000, "sync": 2000.0}
        off = [result(OFF, costs=(1.5, 1.9), **slow),
               result(OFF, 900.0, served=600, **slow)]
        on = [result(ON), result(ON, 900.0, served=899)]
        self.assertEqual(self.met(*off, *on), [True] * 4)

    def test_each_goal_is_missed_alone(self):
        off = result(OFF, p99=90000, sync=2000.0)
        late = result(OFF, 900.0, served=600)
        more = result(ON, 900.0, served=899)
        held = [result(ON, costs=(0.9, 1.2, 1.2))]
        self.assertEqual(self.met(off, late, more, *held)[0], False)
        self.assertEqual(self.met(off, late, result(ON, sync=1100.0),
                                  more)[1], False)
        self.assertEqual(self.met(off, late, result(ON, p99=50000),
                                  more)[2], False)
        self.assertEqual(self.met(off, late, result(ON))[3], False)


if __name__ == "__main__":
    unittest.main()

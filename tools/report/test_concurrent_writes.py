#!/usr/bin/env python3
"""The experiment with ten threads: what is read, what is judged."""

import json
import unittest

import concurrent_writes as concurrent


def comparison(setting, ours, peer):
    def side(seconds):
        return [{"seconds": s, "cpu_seconds": 1.5 * s} for s in seconds]
    return {"workload": f"puts-10t-{setting}", "ours": side(ours),
            "peer": side(peer)}


def figures(both=(1.0, 1.0, 9.0), peer=(2.0, 2.0, 2.0)):
    return concurrent.read_figures(json.dumps(
        [comparison(s, (1.0, 1.0, 1.0), peer)
         for s in ("none", "yield", "concurrent")]
        + [comparison("both", both, peer)]))


class Figures(unittest.TestCase):
    def test_medians_and_processors(self):
        both = figures()["both"]
        self.assertEqual(both["ours"].median, 1.0)
        self.assertEqual(both["peer"].processors, 1.5)
        self.assertIn("| both on | 1.00 | 2.00 | **2.00** | 1.50 | 1.50 | 29 |",
                      concurrent.table(figures()))

    def test_each_goal_is_judged(self):
        self.assertTrue(all(h for _, h in concurrent.verdicts(figures())))
        slow = concurrent.verdicts(figures(both=(1.1, 1.1, 1.1)))
        self.assertEqual([h for _, h in slow], [True, False])
        near = concurrent.verdicts(figures(peer=(1.4, 1.4, 1.4)))
        self.assertEqual([h for _, h in near], [False, True])

    def test_the_chart_has_two_bars_for_each_setting(self):
        self.assertEqual(concurrent.bars(figures()).count("<rect"), 8)


class Program(unittest.TestCase):
    def test_only_the_settings_and_the_count_change(self):
        source = concurrent.PROGRAM.read_text()
        changed = concurrent.with_setting(source, "yield", 1000)
        added = [line.strip() for line in changed.splitlines()
                 if line not in source.splitlines()]
        self.assertEqual(added, [
            "const long kNum = 1000;",
            "options.allow_concurrent_memtable_write = false;",
            "options.enable_write_thread_adaptive_yield = true;"])

    def test_another_program_is_refused(self):
        with self.assertRaises(ValueError):
            concurrent.with_setting("int main() {}", "both", 1000)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""The scenarios' table: lines of the engine and of the simulator alike."""

import unittest
from xml.etree import ElementTree

import page
import runs
import scenarios
import timeline

SIM = ("steady95     adaptive        0.4     99.8   0.97     0     0.0     0.0"
       "     1.5     12       11/14       40       812/640        21    3.4"
       "     0.12     0.30      0    1.2")
HEADING = ("scenario     mode         error%  accept%  worst  <0.9  stop s "
           "delay s  pace s  L0max  runs med/max  unfl%   debt max/end MB")


def scored(name):
    score = timeline.Score(tracking_error=0.021, accepted_share=0.997,
                           worst_second=0.9, l0_most=12, runs_median=9,
                           debt_end=5e8, write_amp=3.25)
    return runs.Run(name, [], score=score)


class Lines(unittest.TestCase):
    def test_a_line_of_the_simulator_is_read(self):
        line = scenarios.sim_line(SIM)
        self.assertEqual((line.scenario, line.mode), ("steady95", "adaptive"))
        self.assertEqual(line.cells, ["0.4 %", "99.8 %", "0.97", "0", "12",
                                      "11", "640 MB", "3.4"])
        self.assertIsNone(scenarios.sim_line(HEADING))
        self.assertIsNone(scenarios.sim_line(""))

    def test_both_kinds_have_the_columns_of_the_table(self):
        unsupported = runs.Run("adaptive", [], unsupported="too old")
        lines = [scenarios.line_of("sine", scored("static")),
                 scenarios.line_of("sine", unsupported),
                 scenarios.sim_line(SIM)]
        rows = scenarios.rows_of(lines)
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        self.assertIn("not supported", rows[2])

    def test_the_headline_is_the_mean_over_what_was_scored(self):
        lines = [scenarios.sim_line(SIM), scenarios.line_of(
            "sine", scored("adaptive")), scenarios.line_of(
                "sine", runs.Run("off", [], unsupported="x"))]
        self.assertEqual(scenarios.headline(lines), "Mean tracking error "
                         "over 2 scenarios: adaptive 1.2 %")
        lines.append(scenarios.line_of("sine", scored("static")))
        self.assertEqual(scenarios.headline(lines), "Mean tracking error "
                         "over scenarios: adaptive 1.2 % in 2, "
                         "static 2.1 % in 1")

    def test_shapes_override_the_sine_and_fit_the_run(self):
        for scenario in scenarios.scenarios(120)[1:]:
            self.assertIn("--sine_write_rate=false", scenario.flags)
        idle = scenarios.scenarios(120)[3]
        self.assertIn("--write_shape_high_seconds=45", idle.flags)
        self.assertIn("--write_shape_period_seconds=75", idle.flags)

    def test_the_page_is_well_formed(self):
        rows = scenarios.rows_of([scenarios.line_of("s", scored("static"))])
        text = page.render_groups([("B1 <sine>", 9, [scored("static")])],
                                  "head", "intro", scenarios.as_html(rows),
                                  "notes")
        body = text[text.index("<body>"):text.index("</html>")]
        drawn = ElementTree.fromstring(body)
        self.assertIn("B1 <sine>", "".join(drawn.itertext()))
        self.assertNotIn("<script", text)


if __name__ == "__main__":
    unittest.main()

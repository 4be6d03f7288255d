#!/usr/bin/env python3
"""The report's scores and page on small runs, odd ones included."""

import html
import json
import math
import pathlib
import unittest
from xml.etree import ElementTree

import bench
import page
import picture
import runs
import sine
import svg
import table
import timeline


def line(t, requested, accepted, **more):
    raw = {"t": t, "requested_bps": requested, "accepted_bytes": accepted,
           "ops": accepted // 10, "flush_write_bytes": 0,
           "compaction_write_bytes": 0, "l0_files": 0, "pending_bytes": 0,
           "stall_cause": "none", "stall_us": 0, "limiter_bps": None,
           "tuner": None,
           "put_us": {"p50": 5, "p99": 9, "p999": 10, "max": 11}}
    return json.dumps({**raw, **more})


def run_of(name, lines, log=""):
    rows = timeline.parse(lines)
    return runs.Run(name, [], rows=rows, score=timeline.score(rows, log))


class Picture(unittest.TestCase):
    def test_it_names_the_engines_the_unit_and_what_is_drawn(self):
        rows = [line(t, 100e6, 100e6) for t in (1, 2, 3)]
        text = picture.render([("RocksDB 7.8.3", run_of("peer", rows)),
                               ("Riverstone", run_of("adaptive", rows))], 3)
        ElementTree.fromstring(text)
        for word in ("Riverstone: 100.0 % of the writes accepted, 0.0 % off "
                     "per second", ">MB/s<", ">accepted<", ">requested<",
                     ">requested, not accepted<"):
            self.assertIn(word, text)
        self.assertNotIn("adaptive", text)

    def test_the_one_of_the_readme_is_what_the_script_draws_today(self):
        text = (pathlib.Path(__file__).parents[2]
                / "docs" / "sine.svg").read_text(encoding="utf-8")
        self.assertIn(f"<style>{picture.STYLE}</style>", text)
        self.assertIn(picture.writes_legend(), text)
        for _, name in sine.PICTURED:
            self.assertIn(f">{html.escape(name)}: ", text)


class Scores(unittest.TestCase):
    def test_a_run_that_takes_all_has_no_error(self):
        score = timeline.score(timeline.parse(
            [line(1, 100, 100), line(2, 100, 100)]))
        self.assertEqual(score.tracking_error, 0)
        self.assertEqual(score.accepted_share, 1)
        self.assertEqual(score.seconds_below, 0)

    def test_a_row_is_judged_by_the_rate_held_while_it_lasted(self):
        rows = timeline.parse([line(1, 200, 100), line(2, 300, 200)])
        self.assertEqual([r.requested for r in rows], [200, 200])

    def test_the_error_is_the_rms_over_the_mean(self):
        rows = timeline.parse([line(1, 100, 100), line(2, 100, 40)])
        score = timeline.score(rows)
        self.assertAlmostEqual(score.tracking_error, math.sqrt(1800) / 100)
        self.assertAlmostEqual(score.accepted_share, 0.7)
        self.assertAlmostEqual(score.worst_second, 0.4)
        self.assertEqual(score.seconds_below, 1)

    def test_a_late_row_counts_for_as_long_as_it_lasted(self):
        score = timeline.score(timeline.parse(
            [line(1, 100, 100), line(3, 100, 200)]))
        self.assertEqual(score.tracking_error, 0)

    def test_nothing_requested_is_not_scored(self):
        score = timeline.score(timeline.parse(
            [line(1, None, 50), line(2, 0, 50)]))
        self.assertIsNone(score.tracking_error)
        self.assertIsNone(score.worst_second)

    def test_no_rows_give_an_empty_score(self):
        self.assertEqual(timeline.score([]), timeline.Score())

    def test_an_unfinished_line_is_left_out(self):
        rows = timeline.parse([line(1, 100, 100), '{"t": 2, "req'])
        self.assertEqual(len(rows), 1)

    def test_a_long_stop_is_spread_over_the_seconds_it_lasted(self):
        rows = timeline.parse([
            line(1, 100, 100), line(2, 100, 0),
            line(3, 100, 0, stall_cause="l0-file-count-limit"),
            line(4, 100, 100, stall_us=2500000)])
        self.assertEqual([r.stalled for r in rows], [0, 0.5, 1, 1])
        self.assertEqual(timeline.score(rows).stall_by_cause,
                         {"l0-file-count-limit": 2.5})

    def test_a_stop_that_outlasts_the_run_counts(self):
        stop = {"stall": "stopped", "stall_cause": "l0-file-count-limit"}
        rows = timeline.parse([
            line(1, 100, 100), line(2, 100, 0, **stop),
            line(3, 100, 0, **stop)])
        self.assertEqual(timeline.score(rows).stall_seconds, 2)

    def test_write_amplification_counts_flush_and_compaction(self):
        score = timeline.score(timeline.parse([
            line(1, 100, 100, flush_write_bytes=100,
                 compaction_write_bytes=150)]))
        self.assertEqual(score.write_amp, 2.5)

    def test_switches_are_decisions_that_changed_something(self):
        def told(decision, compaction, new=True):
            return {"tuner": {"decision": decision, "reason": "D=97 H=60",
                              "compaction": compaction, "new": new}}
        rows = timeline.parse([
            line(1, 9, 9, **told("enable", "on")),
            line(2, 9, 9, **told("disable", "on")),
            line(3, 9, 9, **told("disable", "off", new=False)),
            line(4, 9, 9, **told("disable", "off")),
            line(5, 9, 9, **told("enable", "on"))])
        self.assertEqual([r.switched for r in rows], ["", "", "off", "", "on"])
        self.assertEqual(rows[2].decision["decision"], "disable")
        score = timeline.score(rows)
        self.assertEqual((score.disables, score.enables), (1, 1))

    def test_the_log_gives_latencies_and_the_last_stall_counters(self):
        log = ("Write Stall (count): cf-l0-file-count-limit-delays-with-ongoing"
               "-compaction: 1, l0-file-count-limit-delays: 1\n"
               "Microseconds per write:\nMin: 2  Median: 8.0  Max: 9000\n"
               "Percentiles: P50: 8.00 P75: 9 P99: 45.50 P99.9: 67.25\n"
               "Write Stall (count): cf-l0-file-count-limit-delays-with-ongoing"
               "-compaction: 5, l0-file-count-limit-delays: 5, "
               "l0-file-count-limit-stops: 2, memtable-limit-stops: 0\n")
        score = timeline.score([], log)
        self.assertEqual((score.p99_us, score.p999_us, score.max_us),
                         (45.5, 67.25, 9000))
        self.assertEqual(score.stall_counts, {"l0-file-count-limit": 7})


class Charts(unittest.TestCase):
    def test_scales_end_at_round_numbers(self):
        self.assertEqual(svg.nice_top([23]), 30)
        self.assertEqual(svg.nice_top([None, 0]), 1)
        self.assertEqual(svg.nice_top([100]), 100)

    def test_a_missing_value_breaks_the_line(self):
        frame = svg.Frame(100, 100, 10, 10)
        text = svg.line(frame, [(0, 1), (1, 2), (2, None), (3, 4)], "x")
        self.assertEqual((text.count("<polyline"), text.count("<circle")),
                         (1, 1))


class Page(unittest.TestCase):
    def render(self, shown):
        text = page.render(shown, 3, "A <headline>", "intro",
                           table.as_html(shown), "notes & flags")
        body = text[text.index("<body>"):text.index("</html>")]
        return ElementTree.fromstring(body.replace("class=best", 'class="b"'))

    def test_it_is_well_formed_whatever_the_runs_gave(self):
        nulls = line(1, 5, 0, ops=0, l0_files=None, pending_bytes=None)
        off = {"decision": "disable", "reason": "<&>", "new": True}
        shown = [run_of("empty", []), run_of("one row", [line(1, 100, 90)]),
                 run_of("zero requested", [line(1, 0, 10), line(2, 0, 10)]),
                 run_of("<nulls>", [nulls, line(2, 5, 5, tuner=off)])]
        drawn = self.render(shown)
        labels = [svg.get("aria-label") for svg in drawn.iter("svg")]
        for run in shown:
            self.assertIn(f"Interval writes: {run.name}", labels)
            self.assertEqual(f"Cumulative writes, MB/s: {run.name}" in labels,
                             bool(run.rows))

    def test_missing_values_are_named_and_not_drawn(self):
        drawn = self.render([run_of("quiet", [line(1, 9, 9)])])
        text = "".join(drawn.itertext())
        self.assertIn("not told by this engine", text)
        labels = [svg.get("aria-label") for svg in drawn.iter("svg")]
        self.assertNotIn("Sorted runs: quiet", labels)

    def test_a_variant_the_build_lacks_is_named_and_has_no_score(self):
        run = runs.Run("adaptive", [], adaptive=True,
                       unsupported="this build has no adaptive tuning")
        text = "".join(self.render([run, run_of("b", [line(1, 9, 9)])])
                       .itertext())
        self.assertIn("this build has no adaptive tuning", text)
        self.assertIn("adaptive (not supported)", table.as_text([run]))

    def test_why_sentences_are_shown_and_coloured(self):
        tuner = {"mode": "adaptive", "decision": "x", "reason": "r",
                 "limit": "debt", "why": "Writes are paced by debt: 3 GB.",
                 "new": True}
        run = run_of("a", [line(1, 9, 9, tuner=tuner),
                           line(2, 9, 9, tuner={**tuner, "new": False}),
                           line(3, 9, 9, tuner={
                               **tuner, "limit": "nothing",
                               "why": "Nothing limits writes."})])
        text = page.render([run], 3, "", "", "", "")
        # One for wide screens and one for phones.
        self.assertEqual(text.count('class="why-debt"'), 2)
        self.assertEqual(text.count('class="why-free"'), 2)
        self.assertIn("0 to 2 s: Writes are paced by debt: 3 GB.", text)

    def test_each_variant_is_explained_where_it_appears(self):
        run = run_of("one", [line(1, 1, 1)])
        run.about = "Tuning is off."
        text = page.render([run], 1, "", "", "", "")
        self.assertIn('<p class="about">Tuning is off.</p>', text)

    def test_a_stall_that_rounds_to_nothing_is_not_shown(self):
        run = run_of("one", [line(1, 1, 1)])
        run.score.stall_by_cause = {"other": 0.004}
        run.score.stall_seconds = 0.004
        self.assertNotIn("0.0 s", table.as_text([run]))

    def test_it_asks_nothing_of_the_network(self):
        text = page.render([run_of("one", [line(1, 1, 1)])], 1, "", "", "", "")
        self.assertNotIn("http", text)
        self.assertNotIn("<script", text)

    def test_the_text_table_has_a_line_per_variant(self):
        shown = [run_of("a", []), run_of("b", [line(1, 100, 90)])]
        lines = table.as_text(shown).splitlines()
        self.assertEqual(len(lines), 3)
        self.assertIn("90.0 %", lines[2])


class Headline(unittest.TestCase):
    def setUp(self):
        self.shown = [run_of(name, [line(1, 100, accepted)])
                      for name, accepted in (("adaptive", 98), ("on", 50),
                                             ("off", 99), ("RocksDB", 80))]
        self.shown[0].adaptive = self.shown[3].is_peer = True

    def test_it_is_computed_from_the_runs(self):
        self.assertEqual(sine.headline(self.shown), (
            "One option, nothing else: 2.0 % off the curve, 98.0 % accepted; "
            "off 1.0 % off the curve; RocksDB 20.0 % off the curve"))

    def test_a_peer_that_is_best_is_named_once(self):
        self.assertEqual(sine.headline([self.shown[0], self.shown[3]]), (
            "One option, nothing else: 2.0 % off the curve, 98.0 % accepted; "
            "RocksDB 20.0 % off the curve"))

    def test_without_the_first_variant_the_closest_is_named(self):
        self.assertEqual(sine.headline(self.shown[1:]),
                         "Closest to the curve: off 1.0 % off the curve")
        self.assertEqual(sine.headline([]), "No variant could be scored")


class Bench(unittest.TestCase):
    TEXT = ("Keys: 16 bytes each\n"
            "overwrite    :       2.500 micros/op 400000 ops/sec 5.000 seconds "
            "2000000 operations;   44.2 MB/s\n"
            "compact      : 4000000.000 micros/op 0 ops/sec 4.000 seconds 1 "
            "operations;\n")

    def test_speeds_are_read_from_the_result_lines(self):
        self.assertEqual(bench.speed_of(self.TEXT, "overwrite"), 400000)
        self.assertEqual(bench.speed_of(self.TEXT, "compact"), 0.25)
        with self.assertRaises(RuntimeError):
            bench.speed_of(self.TEXT, "readseq")

    def test_medians_are_judged_by_speed_and_by_memory(self):
        ours = bench.Side("ours", "", {"fillseq": [10, 99, 32]},
                          {"fillseq": [100]})
        peer = bench.Side("peer", "", {"fillseq": [20, 20, 1]},
                          {"fillseq": [100]})
        verdict, = bench.judge(ours, peer, {"fillseq"})
        self.assertEqual((verdict.ratio, verdict.missed), (1.6, []))
        ours.memory["fillseq"] = [111]
        verdict, = bench.judge(ours, peer, {"fillseq"})
        self.assertEqual(verdict.missed, ["memory"])

    def test_a_reading_workload_brings_the_one_that_fills(self):
        cases, names = bench.needed("readrandom")
        self.assertEqual([c.name for c in cases], ["fillrandom", "readrandom"])
        self.assertEqual(names, {"readrandom"})


if __name__ == "__main__":
    unittest.main()

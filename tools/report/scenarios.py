#!/usr/bin/env python3
"""Loads of other shapes, in every mode of tuning: one table, scenarios.html.

The sine (B1), bursts and a square wave faster than any tuner (B4), and a
pause (B7) run on the engine with the modelled device; all others run in the
simulator, in virtual time, if its program is built.
"""

import argparse
import dataclasses
import html
import os
import pathlib
import subprocess
import sys
import tempfile

import cap
import capped
import page
import runs as runner
from runs import Load, Run

SEED = 20260101
LIMIT_BPS = 47500000        # Of the drain switch's limiter.
LOW, CREST, MEAN = 2.5e6, 25e6, 15.625e6
# Scenarios of the simulator that run on the engine here.
ON_THE_ENGINE = ("sine45", "sine60", "sine90", "burst", "square", "idle")
# Words in a line of the simulator's table.
SIM_FIELDS = 19


@dataclasses.dataclass
class Scenario:
    name: str
    title: str
    flags: list


def shape(kind, **settings):
    return [f"--write_shape={kind}", "--sine_write_rate=false"] + [
        f"--write_shape_{name}={value:g}" for name, value in settings.items()]


def scenarios(seconds):
    """At 1/8 scale; a period of bursts, and the pause, fit the run twice."""
    period = seconds / 2
    return [
        Scenario("sine", "B1: one period of a sine", []),
        Scenario("burst", "B4: a quarter of the time at the crest",
                 shape("burst", low=LOW, high=CREST, period_seconds=period,
                       high_seconds=period / 4)),
        Scenario("square", "B4: a square wave of 4 s",
                 shape("square", low=LOW, high=CREST, period_seconds=4)),
        Scenario("idle", "B7: on, off for a quarter of the time, on",
                 shape("onoff", high=MEAN, period_seconds=0.625 * seconds,
                       high_seconds=0.375 * seconds)),
    ]


def modes():
    return [
        Run("adaptive", runner.ADAPTIVE, adaptive=True),
        Run("static", []),
        Run("off", runner.OFF),
        Run("drain_switch", runner.limited_flags(LIMIT_BPS) + [
            *runner.ADAPTIVE, "--compaction_tuning=drain_switch"]),
    ]


@dataclasses.dataclass
class Line:
    """A line of the table, of the engine or of the simulator."""
    scenario: str
    where: str
    mode: str
    cells: list


TITLES = ("scenario", "where", "mode", "error", "accepted", "worst second",
          "s < 0.9", "most L0", "runs, median", "debt at end", "write amp")


def line_of(scenario, run):
    s = run.score
    if run.unsupported:
        return Line(scenario, "engine", run.name, ["not supported"] + ["-"] * 7)
    def show(value, text):
        return "-" if value is None else text(value)
    return Line(scenario, "engine", run.name, [
        show(s.tracking_error, lambda v: f"{100 * v:.1f} %"),
        show(s.accepted_share, lambda v: f"{100 * v:.1f} %"),
        show(s.worst_second, lambda v: f"{v:.2f}"), f"{s.seconds_below}",
        show(s.l0_most, str), show(s.runs_median, lambda v: f"{v:g}"),
        show(s.debt_end, lambda v: f"{v / 1e6:.0f} MB"),
        show(s.write_amp, lambda v: f"{v:.1f}")])


def sim_line(text):
    """A line of the simulator's table, None if it is something else."""
    parts = text.split()
    if len(parts) != SIM_FIELDS:
        return None
    (name, mode, error, accepted, worst, below, _, _, _, files, medmax, _,
     debt, _, amp, *_) = parts
    try:
        float(error)
    except ValueError:
        return None
    return Line(name, "simulator", mode, [
        f"{error} %", f"{accepted} %", worst, below, files,
        medmax.partition("/")[0], f"{debt.partition('/')[2]} MB", amp])


def simulator(given):
    """The program, or None."""
    places = [given] if given else [
        runner.ROOT / "build" / preset / "sim" for preset in ("release", "dev")]
    return next((str(p) for p in places if os.access(p, os.X_OK)), None)


def simulate(program):
    out = subprocess.run([program, "--scenario", "all", "--table"],
                         capture_output=True, text=True, check=False)
    lines = [sim_line(text) for text in out.stdout.splitlines()]
    lines = [line for line in lines
             if line and line.scenario not in ON_THE_ENGINE]
    if out.returncode or not lines:
        raise RuntimeError(f"{program} ended with {out.returncode}:\n"
                           + (out.stderr or out.stdout)[-1500:])
    return lines


def command_of(args, scenario, run, load, where):
    return [args.bench, *runner.eighth_flags(load), f"--seed={SEED}",
            f"--device_write_mbps={args.cap:g}", *scenario.flags,
            *runner.files_flags(run, where), *run.flags]


def run_all(args, chosen, load, parent):
    """The runs of each scenario."""
    out = []
    with tempfile.TemporaryDirectory(prefix="scenarios-", dir=parent) as name:
        for number, scenario in enumerate(chosen, 1):
            print(scenario.title, flush=True)
            group = modes()
            for run in group:
                where = pathlib.Path(name) / scenario.name / run.name
                run.command = command_of(args, scenario, run, load, where)
                runner.run_in(run, where, load, cap.NoCap(),
                              f"{number}/{len(chosen)}")
            out.append((scenario, group))
    return out


def rows_of(lines):
    return [list(TITLES)] + [[line.scenario, line.where, line.mode,
                              *line.cells] for line in lines]


def as_html(rows):
    head = "".join(f"<th>{html.escape(c)}</th>" for c in rows[0])
    body = "".join("<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in row)
                   + "</tr>" for row in rows[1:])
    return f"<table class='loads'><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def headline(lines):
    """How the modes did over all scenarios they were scored in."""
    means = {}
    for line in lines:
        word = line.cells[0].split()[0]
        if word[0].isdigit():
            means.setdefault(line.mode, []).append(float(word))
    if not means:
        return "No scenario could be scored"
    means = sorted((sum(v) / len(v), mode, len(v))
                   for mode, v in means.items())
    counts = {count for _, _, count in means}
    one = counts.pop() if len(counts) == 1 else None
    parts = [f"{mode} {mean:.1f} %" + ("" if one else f" in {count}")
             for mean, mode, count in means]
    over = f"{one} " if one else ""
    return (f"Mean tracking error over {over}scenario"
            f"{'' if one == 1 else 's'}: " + ", ".join(parts))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cap", type=float, default=60, metavar="MBPS",
                        help="what the modelled device writes")
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--only", metavar="NAMES", help="sine,burst")
    parser.add_argument("--no-sim", action="store_true")
    parser.add_argument("--db", help="parent directory of the databases")
    parser.add_argument("--bench", default=str(runner.BENCH))
    parser.add_argument("--sim", help="the simulator's program")
    parser.add_argument("--out", default="scenarios.html")
    parser.add_argument("--markdown", action="store_true")
    return parser.parse_args()


def main():
    runner.end_tidily()
    args = arguments()
    if not os.access(args.bench, os.X_OK):
        print(f"{args.bench} is not built: tools/dev build", file=sys.stderr)
        return 1
    chosen = [s for s in scenarios(args.seconds)
              if not args.only or s.name in args.only.split(",")]
    load = Load(args.seconds, CREST - MEAN, MEAN)
    groups = run_all(args, chosen, load, runner.temporary_parent(args.db))
    lines = [line_of(s.name, run) for s, group in groups for run in group]
    program = None if args.no_sim else simulator(args.sim)
    if program:
        lines += simulate(program)
    elif not args.no_sim:
        print("the simulator is not built: only the engine's scenarios",
              file=sys.stderr)
    return report(args, groups, lines)


def report(args, groups, lines):
    rows = rows_of(lines)
    print("\n" + capped.format_table(rows, args.markdown))
    intro = (f"At 1/8 scale, {args.seconds} s each, on a modelled device that "
             f"writes {args.cap:g} MB/s; scenarios of the simulator as their "
             "table says.")
    runs = [run for _, group in groups for run in group]
    notes = "\n".join(f"{run.name} (load average {run.load})\n"
                      + " ".join(run.command) + "\n" for run in runs)
    pathlib.Path(args.out).write_text(page.render_groups(
        [(s.title, args.seconds, group) for s, group in groups],
        headline(lines), intro, as_html(rows), notes), encoding="utf-8")
    print(f"\n{headline(lines)}. Charts: {args.out}")
    for run in runs:
        if run.error:
            print(f"{run.name}: {run.error}", file=sys.stderr)
    return 1 if any(run.error for run in runs) else 0


if __name__ == "__main__":
    sys.exit(main())

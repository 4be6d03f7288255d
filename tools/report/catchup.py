"""Writers that pause and then write what they missed: `saturate.py --catch-up`.

The load is the sine of the other reports. In the middle writers pause; then
they write all that was asked for since the pause began as fast as the database
lets them, and follow the sine again. Judged are the seconds in between: each
against what a closed loop of the same row writes in the mean.
"""

import dataclasses
import html
import math

import page
import runs as runner
import svg

MB = 1e6
GOAL = 0.9                  # Of what the device can do, in every second.
SHARE = 0.6                 # The sine's mean, of that: or they never catch up.
TITLES = ["row", "MB/s", "engine", "the device can", "missed MB", "written in",
          "worst second", "of what it can", "under 0.9", "p99.9 ms",
          "longest ms", "misses"]


@dataclasses.dataclass
class Plan:
    """The sine of a run of `seconds`, and its pause."""
    seconds: int
    can: float              # MB/s of a closed loop.

    @property
    def begin(self):
        return self.seconds // 3

    @property
    def end(self):
        return self.seconds // 2

    @property
    def load(self):
        usual = runner.Load(seconds=self.seconds * 2 // 3)
        scale = min(1, SHARE * self.can * MB / usual.mean)
        return dataclasses.replace(usual, mean=scale * usual.mean,
                                   amplitude=scale * usual.amplitude)

    def asked(self, second):
        """MB that the sine asks for in a second, even in the pause."""
        return self.load.rate(second) / MB

    def flags(self):
        load = self.load
        return ["--sine_write_rate=true", f"--sine_a={load.amplitude:.0f}",
                f"--sine_b={2 * math.pi / load.seconds!r}", "--sine_c=4.71",
                f"--sine_d={load.mean:.0f}",
                "--sine_write_rate_interval_milliseconds=1000",
                f"--write_pause_from_seconds={self.begin}",
                f"--write_pause_seconds={self.end - self.begin}"]


@dataclasses.dataclass
class Verdict:
    """The seconds in which writers caught up."""
    can: float
    missed: float           # MB.
    seconds: list           # MB/s of those that are judged.
    is_written: bool        # All that was missed, before the end.

    @property
    def worst(self):
        return min(self.seconds, default=self.can)

    @property
    def below(self):
        return sum(s < GOAL * self.can for s in self.seconds)

    def misses(self):
        out = [f"{self.below} s under {GOAL}"] if self.below else []
        return out + ([] if self.is_written else ["not all is written"])


def judge(seconds, plan):
    """`seconds`: MB/s from the start. Judging ends with the first second in
    which less is left to write than the device can."""
    missed = left = sum(plan.asked(t) for t in range(plan.begin, plan.end))
    judged = []
    for t in range(plan.end, len(seconds)):
        left += plan.asked(t)
        if left < plan.can:
            return Verdict(plan.can, missed, judged, True)
        judged.append(seconds[t])
        left -= seconds[t]
    return Verdict(plan.can, missed, judged, False)


def middle(results, plan):
    """Of several runs the one whose worst second is the median."""
    known = sorted((r for r in results if r),
                   key=lambda r: judge(r.seconds, plan).worst)
    return known[len(known) // 2] if known else None


def table(all_results):
    out = [TITLES]
    for row, plan, results in all_results:
        for engine, r in results.items():
            if r is None:
                out.append([row.name, f"{row.cap_mbps:g}", engine,
                            f"{plan.can:.1f}", *["-"] * 7, "no run"])
                continue
            v = judge(r.seconds, plan)
            def known(value, digits):
                return "-" if value is None else f"{value:.{digits}f}"
            out.append([
                row.name, f"{row.cap_mbps:g}", engine, f"{v.can:.1f}",
                f"{v.missed:.0f}", f"{len(v.seconds)} s", f"{v.worst:.1f}",
                f"{v.worst / v.can:.2f}", f"{v.below} of {len(v.seconds)}",
                known(r.p999_ms, 2), known(r.longest_ms, 0),
                ", ".join(v.misses()) or "PASS"])
    return out


def missed(all_results):
    """True if a run of adaptive missed its goal, or there is none."""
    return any(results.get("adaptive") is None
               or judge(results["adaptive"].seconds, plan).misses()
               for _, plan, results in all_results)


def chart(row, engine, result, plan, css):
    frame = svg.Frame(page.WIDTH, page.HEIGHT, len(result.seconds),
                      svg.nice_top(result.seconds))
    v = judge(result.seconds, plan)
    asked = [(t + 1, 0 if plan.begin <= t < plan.end else plan.asked(t))
             for t in range(len(result.seconds))]
    title = (f"{engine}: worst second {v.worst:.1f} MB/s of {v.can:.1f}, "
             f"{len(v.seconds)} s of catching up")
    return (f"<figure><figcaption>{html.escape(title)}</figcaption>"
            + svg.chart(frame, f"{row.about}, {title}", [
                svg.axes(frame, lambda v: f"{v:g}"),
                svg.line(frame, [(0, GOAL * v.can),
                                 (len(result.seconds), GOAL * v.can)],
                         "limit"),
                svg.line(frame, asked, "want"),
                svg.line(frame, [(t + 1, s) for t, s in
                                 enumerate(result.seconds)], css)])
            + "</figure>")


def charts(all_results, css):
    """The parts of a page: (heading, charts)."""
    return [(f"{row.about}, {row.cap_mbps:g} MB/s: a pause from second "
             f"{plan.begin} to {plan.end}; dots: asked for; dashes: "
             f"{GOAL} of what the device can do",
             "".join(chart(row, e, r, plan, css[e])
                     for e, r in results.items() if r))
            for row, plan, results in all_results]

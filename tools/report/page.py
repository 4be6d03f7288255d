"""sine.html: the variants side by side, one file without scripts.

Every section is one question; its charts share their scales, so that what
differs on the page differed in the runs.
"""

import html
import pathlib

import svg
import timeline

WIDTH, HEIGHT = 340, 200
LEAD_WIDTH, LEAD_HEIGHT = 860, 230
STRIP_HEIGHT = 14
MB = 1e6
STEP_SECONDS = 5  # Single seconds are ragged.
NARROW_HEIGHT = 240

STYLE = (pathlib.Path(__file__).parent / "style.css").read_text()

# By what a decision did: switched compaction off, on, or nothing.
MARKS = {"off": "▼", "on": "▲", "": ""}
BANDS = {"memtable-limit": "memory", "l0-file-count-limit": "files",
         "pending-compaction-bytes": "debt"}
# The tuner's word for what limits writes.
LIMITS = {"nothing": "free", "memtables": "memory", "debt": "debt",
          "runs": "files", "device": "other"}


def swatch(css, text, kind=""):
    paint = "border-color" if kind else "background"
    return (f'<b><span class="swatch {kind}" style="{paint}:var(--{css})">'
            f'</span>{html.escape(text)}</b>')


STALL_KEY = (swatch("memory", "stall: memtables")
             + swatch("files", "stall: L0 files")
             + swatch("debt", "stall: pending bytes"))


def _work_values(run):
    yield from (v for _, v in _steps(run.rows, lambda r: r.written,
                                     STEP_SECONDS))
    yield from (row.limiter for row in run.rows)


def _frame(runs, seconds, pick, floor, log=0.0):
    if pick is None:
        values = [v for run in runs for v in _work_values(run)]
    else:
        values = [v for run in runs for row in run.rows for v in pick(row)]
    known = [v for v in values if v is not None]
    if not log:
        return svg.Frame(WIDTH, HEIGHT, seconds, svg.nice_top(known, floor))
    top = 10 * log
    while known and top < max(known):
        top *= 10
    return svg.Frame(WIDTH, HEIGHT, seconds, top, log)


def _points(rows, pick):
    return [(row.t - row.seconds / 2, pick(row)) for row in rows]


def _means(rows, pick):
    """What pick gives, averaged from the start of the run."""
    total, span, out = 0.0, 0.0, []
    for row in rows:
        total += pick(row) * row.seconds
        span += row.seconds
        out.append((row.t, total / span))
    return out


def _steps(rows, pick, width):
    """The mean of each `width` seconds, as stairs."""
    bins = {}
    for row in rows:
        total, span = bins.get(int((row.t - row.seconds / 2) / width), (0, 0))
        bins[int((row.t - row.seconds / 2) / width)] = (
            total + pick(row) * row.seconds, span + row.seconds)
    out = []
    for i, (total, span) in sorted(bins.items()):
        out += [(i * width, total / span), ((i + 1) * width, total / span)]
    return out


def _stalls(frame, rows):
    spans = []
    for row in rows:
        if row.stalled > 0:
            name = timeline.CAUSES.get(row.cause, "unknown cause")
            spans.append((row.t - row.seconds, row.t,
                          "band-" + BANDS.get(row.cause, "other"),
                          row.stalled / row.seconds,
                          f"stalled by {name}: {row.stalled:.2f} s"))
    return svg.bands(frame, spans)


def _decisions(frame, rows):
    """Switches are marked over the chart, other decisions below it."""
    out = []
    for row in rows:
        if row.decision:
            word = str(row.decision.get("decision"))
            text = f"{row.t:.0f} s: {word}, {row.decision.get('reason')}"
            out.append(svg.mark(frame, row.t, MARKS[row.switched], text))
    return "".join(out)


def _why_strip(run, seconds, width):
    """One colour per second: what limits writes; the sentence on hover."""
    if not any(row.limit for row in run.rows):
        return ""
    frame = svg.Frame(width, STRIP_HEIGHT, seconds, 1)
    spans = []
    for row in run.rows:
        begin = row.t - row.seconds
        if spans and spans[-1][2:] == [row.limit, row.why]:
            spans[-1][1] = row.t
        else:
            spans.append([begin, row.t, row.limit, row.why])
    cells = []
    for begin, end, limit, why in spans:
        x = frame.x(begin)
        cells.append(
            f'<rect class="why-{LIMITS.get(limit, "unknown")}" x="{x:.1f}" '
            f'y="1" width="{max(frame.x(end) - x, 0.5):.1f}" '
            f'height="{STRIP_HEIGHT - 2}"><title>'
            f'{html.escape(f"{begin:.0f} to {end:.0f} s: {why}")}</title>'
            '</rect>')
    return svg.chart(frame, f"What limits writes: {run.name}", cells)


def _mb(value):
    return f"{value / MB:g}"


def _tip(row):
    """What a second was like, in a sentence or two."""
    text = (f"{row.t:.0f} s: accepted {row.accepted / MB:.1f} of "
            f"{row.requested / MB:.1f} MB/s")
    for name, value in (("L0 files", row.l0_files),
                        ("sorted runs", row.sorted_runs)):
        if value is not None:
            text += f", {value} {name}"
    return text + (f"\n{row.why}" if row.why else "")


def _about(run):
    if not run.about:
        return ""
    return f'<p class="about">{html.escape(run.about)}</p>'


def interval(frame, run):
    rows = run.rows
    want = _points(rows, lambda r: r.requested)
    kept = _points(rows, lambda r: min(r.accepted, r.requested))
    tips = [svg.hover(frame, r.t - r.seconds, r.t, _tip(r)) for r in rows]
    return [_stalls(frame, rows), svg.axes(frame, _mb),
            svg.area(frame, want, "missing", kept),
            svg.line(frame, _points(rows, lambda r: r.accepted), "write"),
            svg.line(frame, want, "want"), "".join(tips),
            _decisions(frame, rows)]


def _cumulative(frame, run):
    return [svg.axes(frame, _mb),
            svg.line(frame, _means(run.rows, lambda r: r.accepted), "write"),
            svg.line(frame, _means(run.rows, lambda r: r.requested), "want")]


def _work(frame, run):
    rows, width = run.rows, STEP_SECONDS
    flushed = _steps(rows, lambda r: r.flushed, width)
    return [svg.axes(frame, _mb),
            svg.area(frame, _steps(rows, lambda r: r.written, width),
                     "compacted", flushed),
            svg.area(frame, flushed, "flushed"),
            svg.line(frame, _points(rows, lambda r: r.limiter), "cap"),
            svg.line(frame, _means(rows, lambda r: r.written), "work"),
            _decisions(frame, rows)]


def _files(frame, run):
    points = [(r.t, r.l0_files) for r in run.rows]
    return [_stalls(frame, run.rows), svg.axes(frame, lambda v: f"{v:g}"),
            svg.threshold(frame, 20, "slowdown 20"),
            svg.threshold(frame, 36, "stop 36"),
            svg.line(frame, points, "runs"), _decisions(frame, run.rows)]


def _runs(frame, run):
    points = [(r.t, r.sorted_runs) for r in run.rows]
    return [_stalls(frame, run.rows), svg.axes(frame, lambda v: f"{v:g}"),
            svg.line(frame, points, "runs"), _decisions(frame, run.rows)]


def _pacing(frame, run):
    rows = run.rows
    return [_stalls(frame, rows), svg.axes(frame, _mb),
            svg.line(frame, _points(rows, lambda r: r.requested), "want"),
            svg.line(frame, _points(rows, lambda r: r.pacing), "pace")]


def _pending(frame, run):
    points = [(r.t, r.pending_bytes) for r in run.rows]
    return [svg.axes(frame, _mb), svg.line(frame, points, "debtline")]


def micros(value):
    """A time in the unit one would say."""
    if value is None:
        return "-"
    for limit, factor, unit in ((1e3, 1, "µs"), (1e6, 1e3, "ms")):
        if value < limit:
            return f"{value / factor:.3g} {unit}"
    return f"{value / 1e6:.3g} s"


def _latency(frame, run):
    rows = run.rows
    return [_stalls(frame, rows), svg.axes(frame, micros),
            svg.line(frame, _points(rows, lambda r: r.p99_us), "mid"),
            svg.line(frame, _points(rows, lambda r: r.p999_us), "tail")]


SECTIONS = (
    ("Cumulative writes, MB/s", "The mean since the start.",
     swatch("write", "accepted", "stroke")
     + swatch("want", "requested", "stroke dots"),
     lambda r: (r.requested, r.accepted), MB, 0, _cumulative),
    ("Cumulative compaction, MB/s",
     "Flush and compaction bytes written: the line is the mean since the "
     "start, the areas are 5 seconds each.",
     swatch("work", "mean", "stroke") + swatch("flush", "flush")
     + swatch("work", "compaction") + swatch("ink", "rate limit",
                                             "stroke dashes"),
     None, MB, 0, _work),
    ("L0 files", "What a read has to look through.", STALL_KEY,
     lambda r: (r.l0_files,), 4, 0, _files),
    ("Sorted runs", "Files of L0 and levels that hold any: what the newest "
     "version of a key has to be looked for in.", STALL_KEY,
     lambda r: (r.sorted_runs,), 4, 0, _runs),
    ("Pacing, MB/s", "What writers are held to; no line where they are free.",
     swatch("pace", "held to", "stroke")
     + swatch("want", "requested", "stroke dots"),
     lambda r: (r.requested,), MB, 0, _pacing),
    ("Pending compaction, MB", "The debt that is left for later.", "",
     lambda r: (r.pending_bytes,), MB, 0, _pending),
    ("Put latency", "Of each second, from the start of the call; logarithmic.",
     swatch("write", "p99", "stroke") + swatch("miss", "p99.9", "stroke"),
     lambda r: (r.p99_us, r.p999_us), 0, 10.0, _latency),
)


def _known(run, pick):
    return pick is None or any(v is not None for row in run.rows
                               for v in pick(row))


def _card(run, title, frame, pick, draw):
    if run.unsupported:
        inside = '<p class="none">not in this build</p>'
    elif not _known(run, pick) or (run.is_peer and draw is _pacing):
        inside = '<p class="none">not told by this engine</p>'
    else:
        inside = svg.chart(frame, f"{title}: {run.name}", draw(frame, run))
    return (f'<div class="card"><h3>{html.escape(run.name)}</h3>'
            f'{inside}</div>')


def _section(runs, seconds, section):
    title, text, key, pick, floor, log, draw = section
    frame = _frame(runs, seconds, pick, floor, log)
    cells = "".join(_card(run, title, frame, pick, draw) for run in runs)
    return (f'<h2>{title}</h2><p class="key">{html.escape(text)} {key}</p>'
            f'<div class="row {_columns(runs)}">{cells}</div>')


def _columns(runs):
    """The class that says in how many columns so many cards stand."""
    return f"cards-{min(len(runs), 7)}"


def _figure(run):
    if run.unsupported:
        return (f'<div class="figure">– <small>not scored: '
                f'{html.escape(run.unsupported)}</small></div>')
    score = run.score
    error = score.tracking_error
    figure = "-" if error is None else f"{100 * error:.1f} %"
    return (f'<div class="figure">{figure} <small>error, '
            f'{score.stall_seconds:.1f} s stalled</small></div>')


def _facts(run):
    """The rest of the leading run's figures, in one line."""
    score, out = run.score, []
    if score.accepted_share is not None:
        out.append(f"{100 * score.accepted_share:.1f} % accepted")
        out.append(f"worst second {score.worst_second:.2f}")
    if score.p999_us is not None:
        out.append(f"p99.9 put {micros(score.p999_us)}")
    if score.l0_most is not None:
        out.append(f"at most {score.l0_most} files in L0")
    if score.runs_median is not None:
        out.append(f"{score.runs_median:g} sorted runs in the median")
    return " · ".join(out)


def _lead_chart(run, frame, seconds, css=""):
    return (f'<div class="{css}">'
            + svg.chart(frame, f"Interval writes: {run.name}",
                        interval(frame, run))
            + _why_strip(run, seconds, frame.width) + "</div>")


def _lead_card(run, frame, seconds, best):
    """`frame`: of the chart. The leading run has one for phones, too."""
    lead = frame.width == LEAD_WIDTH
    facts = f'<p class="facts">{html.escape(_facts(run))}</p>' if lead else ""
    css = f'card{" best" if run is best else ""}{" lead" if lead else ""}'
    inside = ""
    if not run.unsupported and lead:
        narrow = svg.Frame(WIDTH, NARROW_HEIGHT, seconds, frame.y_max)
        inside = (_lead_chart(run, frame, seconds, "wide")
                  + _lead_chart(run, narrow, seconds, "narrow"))
    elif not run.unsupported:
        inside = _lead_chart(run, frame, seconds)
    return (f'<div class="{css}"><h3>{html.escape(run.name)}</h3>'
            f'{_about(run)}{_figure(run)}{facts}{inside}</div>')


WHY_KEY = ('<p class="key"><b>The strip: what limits writes</b>' + swatch("free", "nothing")
           + swatch("memory", "memtables") + swatch("files", "runs")
           + swatch("debt", "debt") + swatch("other", "device") + "</p>")


def _lead(runs, seconds, best):
    """The first run wide, then all others on the same scale of rates."""
    def pick(row):
        return row.requested, row.accepted
    small = _frame(runs, seconds, pick, MB)
    wide = svg.Frame(LEAD_WIDTH, LEAD_HEIGHT, seconds, small.y_max)
    why = WHY_KEY if any(r.limit for run in runs for r in run.rows) else ""
    cells = "".join(_lead_card(run, small, seconds, best)
                    for run in runs[1:])
    return (f'<h2>Interval writes, MB/s</h2><p class="key">'
            f'{swatch("want", "requested", "stroke dots")}'
            f'{swatch("write", "accepted", "stroke")}'
            f'{swatch("miss", "not accepted")}{STALL_KEY}'
            f'<b>▼ ▲ compaction switched off, on</b>'
            f'<b>╵ other decision</b></p>{why}'
            f'{_lead_card(runs[0], wide, seconds, best) if runs else ""}'
            f'<div class="row {_columns(runs[1:])}">{cells}</div>')


def render(runs, seconds, headline, intro, table, notes):
    """The page. `table` is markup, the rest is plain text."""
    body = (_lead(runs, seconds, _best(runs))
            + f'<div class="scroll">{table}</div>'
            + "".join(_section(runs, seconds, s) for s in SECTIONS))
    return document("Writes on a sine curve", headline, intro, body, notes)


def _best(runs):
    scored = [r for r in runs if r.score.tracking_error is not None]
    return min(scored, key=lambda r: r.score.tracking_error, default=None)


def render_groups(groups, headline, intro, table, notes):
    """A page of several loads: pairs of a title and its runs, each with the
    seconds it lasted."""
    shown = [s for s in SECTIONS
             if s[0] in ("Sorted runs", "Pending compaction, MB")]
    parts = []
    for title, seconds, runs in groups:
        frame = _frame(runs, seconds, lambda r: (r.requested, r.accepted), MB)
        cells = "".join(_lead_card(run, frame, seconds, _best(runs))
                        for run in runs)
        parts.append(f'<h2>{html.escape(title)}</h2>'
                     f'<div class="row {_columns(runs)}">{cells}</div>')
        for name, _, _, pick, floor, log, draw in shown:
            small = _frame(runs, seconds, pick, floor, log)
            cells = "".join(_card(run, name, small, pick, draw)
                            for run in runs)
            parts.append(f'<p class="key">{html.escape(name)}</p>'
                         f'<div class="row {_columns(runs)}">{cells}</div>')
    body = f'<div class="scroll">{table}</div>' + "".join(parts)
    return document("Loads and tuning", headline, intro, body, notes)


def document(title, headline, intro, body, notes):
    return (f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width">'
            f'<title>{title}</title><style>{STYLE}</style>'
            f'</head><body><h1>{html.escape(headline)}</h1>'
            f'<p class="soft">{html.escape(intro)}</p>{body}'
            f'<details><summary>How this was made</summary>'
            f'<pre>{html.escape(notes)}</pre></details></body></html>\n')


def verdicts_page(title, chart, judged, tables, miss="Missed"):
    """A chart, what was judged (text, holds), and tables as text."""
    items = "".join(f"<li>{'' if holds else miss + ': '}{html.escape(text)}"
                    "</li>" for text, holds in judged)
    return (f"<!doctype html><meta charset=utf-8><title>{html.escape(title)}"
            f"</title><style>{STYLE}</style><h1>{html.escape(title)}</h1>"
            f"{chart}<ul>{items}</ul>"
            + "".join(f"<pre>{html.escape(text)}</pre>" for text in tables))

"""sine.html: the variants side by side, one file without scripts.

Every section is one question; its charts share their scales, so that what
differs on the page differed in the runs.
"""

import html
import pathlib

import svg
import timeline

WIDTH, HEIGHT = 340, 200
MB = 1e6
STEP_SECONDS = 5  # Jobs report their bytes late: single seconds are ragged.

STYLE = (pathlib.Path(__file__).parent / "style.css").read_text()

# By what a decision did: switched compaction off, on, or nothing.
MARKS = {"off": "▼", "on": "▲", "": ""}
BANDS = {"memtable-limit": "memory", "l0-file-count-limit": "files",
         "pending-compaction-bytes": "debt"}


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


def _mb(value):
    return f"{value / MB:g}"


def _interval(frame, run):
    rows = run.rows
    want = _points(rows, lambda r: r.requested)
    kept = _points(rows, lambda r: min(r.accepted, r.requested))
    tips = [svg.hover(frame, r.t - r.seconds, r.t,
                      f"{r.t:.0f} s: accepted {r.accepted / MB:.1f} of "
                      f"{r.requested / MB:.1f} MB/s, L0 {r.l0_files}")
            for r in rows]
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
    ("Pending compaction, MB", "The debt that is left for later.", "",
     lambda r: (r.pending_bytes,), MB, 0, _pending),
    ("Put latency", "Of each second, from the start of the call; logarithmic.",
     swatch("write", "p99", "stroke") + swatch("miss", "p99.9", "stroke"),
     lambda r: (r.p99_us, r.p999_us), 0, 10.0, _latency),
)


def _section(runs, seconds, section):
    title, text, key, pick, floor, log, draw = section
    frame = _frame(runs, seconds, pick, floor, log)
    cells = "".join(
        f'<div class="card"><h3>{html.escape(run.name)}</h3>'
        f'{svg.chart(frame, f"{title}: {run.name}", draw(frame, run))}</div>'
        for run in runs)
    return (f'<h2>{title}</h2><p class="key">{html.escape(text)} {key}</p>'
            f'<div class="row">{cells}</div>')


def _lead(runs, seconds, best):
    frame = _frame(runs, seconds, lambda r: (r.requested, r.accepted), MB)
    cells = []
    for run in runs:
        error = run.score.tracking_error
        figure = "-" if error is None else f"{100 * error:.1f} %"
        cells.append(
            f'<div class="card{" best" if run is best else ""}">'
            f'<h3>{html.escape(run.name)}</h3><div class="figure">{figure} '
            f'<small>error, {run.score.stall_seconds:.1f} s stalled</small>'
            f'</div>'
            + svg.chart(frame, f"Interval writes: {run.name}",
                        _interval(frame, run)) + "</div>")
    return (f'<h2>Interval writes, MB/s</h2><p class="key">'
            f'{swatch("want", "requested", "stroke dots")}'
            f'{swatch("write", "accepted", "stroke")}'
            f'{swatch("miss", "not accepted")}{STALL_KEY}'
            f'<b>▼ ▲ compaction switched off, on</b>'
            f'<b>╵ other decision</b></p>'
            f'<div class="row">{"".join(cells)}</div>')


def render(runs, seconds, headline, intro, table, notes):
    """The page. `table` is markup, the rest is plain text."""
    scored = [r for r in runs if r.score.tracking_error is not None]
    best = min(scored, key=lambda r: r.score.tracking_error, default=None)
    body = "".join(_section(runs, seconds, s) for s in SECTIONS)
    return (f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width">'
            f'<title>Writes on a sine curve</title><style>{STYLE}</style>'
            f'</head><body><h1>{html.escape(headline)}</h1>'
            f'<p class="soft">{html.escape(intro)}</p>'
            f'{_lead(runs, seconds, best)}<div class="scroll">{table}</div>'
            f'{body}<details><summary>How this was made</summary>'
            f'<pre>{html.escape(notes)}</pre></details></body></html>\n')

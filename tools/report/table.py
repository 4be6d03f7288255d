"""The scores of the variants as one table: text, Markdown or HTML."""

import html

import page
import timeline


def _percent(value):
    return "-" if value is None else f"{100 * value:.1f} %"


def _stalls(score):
    """Seconds and counts, in all and by cause."""
    if not score.stall_seconds and not score.stall_counts:
        return "0"
    if not score.stall_by_cause and not score.stall_counts:
        return f"{score.stall_seconds:.1f} s"
    causes = {**score.stall_by_cause, **score.stall_counts}
    parts = [_stall(cause, score.stall_by_cause.get(cause, 0.0),
                    score.stall_counts.get(cause, 0))
             for cause in sorted(causes)]
    parts = [part for part in parts if part]
    if not parts:
        return "0"
    return f"{score.stall_seconds:.1f} s ({', '.join(parts)})"


def _stall(cause, seconds, count):
    """One cause; nothing for what rounds to nothing."""
    if seconds < 0.05 and not count:
        return ""
    text = f"{timeline.CAUSES.get(cause, cause)} {seconds:.1f} s"
    return f"{text} x{count}" if count else text


def _number(value):
    return "-" if value is None else f"{value:g}"


def _count(value):
    return "-" if value is None else f"{value}"


def _share(value):
    return "-" if value is None else f"{value:.2f}"


def _megabytes(value):
    return "-" if value is None else f"{value / 1e6:.0f} MB"


# Title, text of a score, key by which the smallest is best (or None).
COLUMNS = (
    ("tracking error", lambda s: _percent(s.tracking_error),
     lambda s: s.tracking_error),
    ("accepted", lambda s: _percent(s.accepted_share),
     lambda s: None if s.accepted_share is None else -s.accepted_share),
    ("worst second", lambda s: _share(s.worst_second), None),
    ("seconds < 0.9", lambda s: _count(s.seconds_below), None),
    ("stalls", _stalls, None),
    ("put p99", lambda s: page.micros(s.p99_us), None),
    ("p99.9", lambda s: page.micros(s.p999_us), lambda s: s.p999_us),
    ("max", lambda s: page.micros(s.max_us), None),
    ("most L0 files", lambda s: _count(s.l0_most), lambda s: s.l0_most),
    ("runs, median", lambda s: _number(s.runs_median), None),
    ("pending at end", lambda s: _megabytes(s.pending_end), None),
    ("write amp", lambda s: _share(s.write_amp), None),
)


def cells(runs):
    yield ["variant"] + [title for title, _, _ in COLUMNS]
    for run in runs:
        if run.unsupported:
            yield [f"{run.name} (not supported)"] + ["-"] * len(COLUMNS)
            continue
        yield [run.name] + [text(run.score) for _, text, _ in COLUMNS]


def as_text(runs):
    """The stalls column is wide and comes last."""
    order = [i for i in range(len(COLUMNS) + 1) if i != 5] + [5]
    rows = [[row[i] for i in order] for row in cells(runs)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(order))]
    lines = []
    for row in rows:
        out = [row[0].ljust(widths[0])]
        out += [c.rjust(w) for c, w in zip(row[1:-1], widths[1:-1])]
        lines.append("  ".join(out + [row[-1]]))
    return "\n".join(lines)


def as_markdown(runs):
    rows = list(cells(runs))
    rows.insert(1, ["---"] * len(rows[0]))
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def as_html(runs):
    best = {}
    for i, (_, _, key) in enumerate(COLUMNS):
        known = [key(r.score) for r in runs
                 if key and key(r.score) is not None]
        best[i] = min(known) if len(known) > 1 else None
    rows = list(cells(runs))
    head = "".join(f"<th>{html.escape(c)}</th>" for c in rows[0])
    out = [f"<table><thead><tr>{head}</tr></thead><tbody>"]
    for run, row in zip(runs, rows[1:]):
        line = [f"<th>{html.escape(row[0])}</th>"]
        for i, text in enumerate(row[1:]):
            key = COLUMNS[i][2]
            top = (key and best[i] is not None and key(run.score) == best[i])
            line.append(f'<td{" class=best" if top else ""}>'
                        f"{html.escape(text)}</td>")
        out.append("<tr>" + "".join(line) + "</tr>")
    return "".join(out) + "</tbody></table>"

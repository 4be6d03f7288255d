"""The picture of the README: a RocksDB above, Riverstone below, one SVG.

Both charts share their scales. The colours are those of the page, light or
dark as the reader has it.
"""

import html

import page
import svg

WIDTH, CHART_HEIGHT, TITLE_HEIGHT, GAP = 860, 210, 26, 14
LEGEND_HEIGHT = 26
STYLE = """
:root{--ink:#1c2024;--soft:#57606a;--rule:#e4e4df;--write:#1f6feb;
--want:#3b4249;--miss:#e5484d;--card:#fff;--memory:#d98cb3;--files:#e8a13a;
--debt:#a98bdb;--other:#9aa3ab}
@media(prefers-color-scheme:dark){:root{--ink:#e8eaed;--soft:#9aa3ab;
--rule:#2b3137;--write:#6ea8ff;--want:#c9d1d9;--miss:#ff6b6b;--card:#0d1117;
--memory:#a8507e;--files:#8f6015;--debt:#5b4590;--other:#4b535b}}
text{font:12px system-ui,sans-serif;fill:var(--soft)}
.title{font-size:15px;font-weight:600;fill:var(--ink)}
.ground{fill:var(--card)}
.grid{stroke:var(--rule)}polyline{fill:none;stroke-width:1.7;
stroke-linejoin:round}
.write{stroke:var(--write)}
.want{stroke:var(--want);stroke-dasharray:1.5 3.5;stroke-linecap:round}
.missing{fill:var(--miss);opacity:.28}
.band-memory{fill:var(--memory)}.band-files{fill:var(--files)}
.band-debt{fill:var(--debt)}.band-other{fill:var(--other)}
rect[class^=band]{fill-opacity:.5}.limit{stroke:var(--miss);stroke-dasharray:5 4}
.hover,.mark{display:none}
"""


def drawing(label, height, body):
    """An SVG of WIDTH in the page's colours."""
    return (f'<svg xmlns="http://www.w3.org/2000/svg" '
            f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
            f'height="{height}" role="img" aria-label="{html.escape(label)}">'
            f"<style>{STYLE}</style>{body}</svg>\n")


def title_of(name, score):
    if score.accepted_share is None:
        return name
    return (f"{name}: {100 * score.accepted_share:.1f} % of the writes accepted,"
            f" {100 * score.tracking_error:.1f} % off per second")


def writes(runs, seconds):
    """Charts (title, markup) of (name, run), which share their scales."""
    values = [v for _, run in runs for row in run.rows
              for v in (row.requested, row.accepted)]
    frame = svg.Frame(WIDTH, CHART_HEIGHT, seconds,
                      svg.nice_top(values, page.MB))
    return [(title_of(name, run.score), "".join(page.interval(frame, run)))
            for name, run in runs]


def writes_picture(charts):
    return stacked("Writes requested and accepted, MB/s over seconds", charts,
                   unit="MB/s", legend=writes_legend())


def render(runs, seconds):
    """`runs`: (name, run), top to bottom."""
    return writes_picture(writes(runs, seconds))


def writes_legend():
    return ('<polyline class="write" points="0,11 24,11"/>'
            '<text x="30" y="15">accepted</text>'
            '<polyline class="want" points="110,11 134,11"/>'
            '<text x="140" y="15">requested</text>'
            '<rect class="missing" x="226" y="5" width="24" height="12"/>'
            '<text x="256" y="15">requested, not accepted</text>')


def stacked(label, charts, unit="", legend=""):
    """Charts (title, markup) of WIDTH and CHART_HEIGHT, top to bottom; `unit`
    of their vertical scales, and a legend above the first."""
    part = TITLE_HEIGHT + CHART_HEIGHT + GAP
    top = LEGEND_HEIGHT if legend else 0
    height = top + part * len(charts)
    out = [f'<rect class="ground" width="{WIDTH}" height="{height}"/>']
    if legend:
        out.append(f'<g transform="translate({svg.LEFT} 4)">{legend}</g>')
    if unit:
        unit = (f'<text class="tick" x="{svg.LEFT - 6}" y="3" '
                f'text-anchor="end">{html.escape(unit)}</text>')
    for i, (title, chart) in enumerate(charts):
        out.append(f'<g transform="translate(0 {top + i * part})">'
                   f'<text class="title" x="{svg.LEFT}" y="18">'
                   f'{html.escape(title)}</text>'
                   f'<g transform="translate(0 {TITLE_HEIGHT})">'
                   f'{unit}{chart}</g></g>')
    return drawing(label, height, "".join(out))

"""The picture of the README: a RocksDB above, Riverstone below, one SVG.

Both charts share their scales. The colours are those of the page, light or
dark as the reader has it.
"""

import html

import page
import svg

WIDTH, CHART_HEIGHT, TITLE_HEIGHT, GAP = 860, 210, 26, 14
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


def title_of(run):
    score = run.score
    text = run.name
    if score.accepted_share is not None:
        text += (f": {100 * score.accepted_share:.1f} % of the writes accepted,"
                 f" {100 * score.tracking_error:.1f} % off the curve")
    return text


def render(runs, seconds):
    """`runs`: top to bottom."""
    values = [v for run in runs for row in run.rows
              for v in (row.requested, row.accepted)]
    frame = svg.Frame(WIDTH, CHART_HEIGHT, seconds,
                      svg.nice_top(values, page.MB))
    return stacked("Accepted writes, MB/s", [
        (title_of(run), "".join(page.interval(frame, run))) for run in runs])


def stacked(label, charts):
    """Charts (title, markup) of WIDTH and CHART_HEIGHT, top to bottom."""
    part = TITLE_HEIGHT + CHART_HEIGHT + GAP
    height = part * len(charts)
    out = [f'<rect class="ground" width="{WIDTH}" height="{height}"/>']
    for i, (title, chart) in enumerate(charts):
        out.append(f'<g transform="translate(0 {i * part})">'
                   f'<text class="title" x="{svg.LEFT}" y="18">'
                   f'{html.escape(title)}</text>'
                   f'<g transform="translate(0 {TITLE_HEIGHT})">'
                   f'{chart}</g></g>')
    return drawing(label, height, "".join(out))

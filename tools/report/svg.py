"""Small charts as SVG text: a frame with scales, and layers drawn on it.

A layer is a function from a frame and data to markup. Colours are CSS
classes, so that the page decides about light and dark.
"""

import html
import math

LEFT, RIGHT, TOP, BOTTOM = 52, 10, 14, 22


class Frame:
    """The plot area of one chart and its scales."""

    def __init__(self, width, height, x_max, y_max, y_min=0.0):
        self.width, self.height = width, height
        self.x_max, self.y_max, self.y_min = max(x_max, 1e-9), y_max, y_min
        self.log = y_min > 0
        self.left, self.right = LEFT, width - RIGHT
        self.top, self.bottom = TOP, height - BOTTOM

    def x(self, t):
        share = min(max(t / self.x_max, 0.0), 1.0)
        return self.left + share * (self.right - self.left)

    def y(self, value):
        if self.log:
            value = max(value, self.y_min)
            share = (math.log10(value / self.y_min)
                     / math.log10(self.y_max / self.y_min))
        else:
            share = value / self.y_max if self.y_max > 0 else 0.0
        share = min(max(share, 0.0), 1.0)
        return self.bottom - share * (self.bottom - self.top)


def nice_step(top, parts=4):
    """1, 2, 2.5 or 5 times a power of ten, at most `parts` times in `top`."""
    if not top > 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(top / parts))
    for factor in (1, 2, 2.5, 5, 10):
        if factor * power * parts >= top * 0.999:
            return factor * power
    return 10 * power


def nice_top(values, floor=1.0):
    """The end of a scale that shows every value."""
    top = max([v for v in values if v is not None] + [floor])
    step = nice_step(top)
    return math.ceil(top / step - 1e-9) * step


def ticks(frame):
    if frame.log:
        first = math.ceil(math.log10(frame.y_min) - 1e-9)
        last = math.floor(math.log10(frame.y_max) + 1e-9)
        return [10.0 ** n for n in range(first, last + 1)]
    step = nice_step(frame.y_max)
    return [i * step for i in range(int(frame.y_max / step + 1e-6) + 1)]


def axes(frame, label):
    """Grid lines, their labels by label(value), and seconds below."""
    out = []
    for value in ticks(frame):
        y = frame.y(value)
        out.append(f'<line class="grid" x1="{frame.left}" x2="{frame.right}" '
                   f'y1="{y:.1f}" y2="{y:.1f}"/>'
                   f'<text class="tick" x="{frame.left - 6}" y="{y + 3.5:.1f}" '
                   f'text-anchor="end">{html.escape(label(value))}</text>')
    step = nice_step(frame.x_max) if frame.x_max > 60 else 15
    if frame.x_max < 30:
        step = 5
    for i in range(int(frame.x_max / step + 1e-6) + 1):
        t = i * step
        last = t + step > frame.x_max
        out.append(f'<text class="tick" x="{frame.x(t):.1f}" '
                   f'y="{frame.bottom + 14}" text-anchor='
                   f'"{"end" if last else "middle"}">{t:g}'
                   f'{" s" if last else ""}</text>')
    return "".join(out)


def _runs(points):
    """Points without gaps, cut where a value is None."""
    run = []
    for t, value in points:
        if value is None:
            if run:
                yield run
            run = []
        else:
            run.append((t, value))
    if run:
        yield run


def _path(frame, run):
    return " ".join(f"{frame.x(t):.1f},{frame.y(v):.1f}" for t, v in run)


def line(frame, points, css):
    out = []
    for run in _runs(points):
        if len(run) == 1:
            t, value = run[0]
            out.append(f'<circle class="{css} dot" cx="{frame.x(t):.1f}" '
                       f'cy="{frame.y(value):.1f}" r="1.4"/>')
        else:
            out.append(f'<polyline class="{css}" '
                       f'points="{_path(frame, run)}"/>')
    return "".join(out)


def area(frame, upper, css, lower=None):
    """Fills down to `lower`, by default the axis; no gaps in the data."""
    if len(upper) < 2:
        return ""
    if lower is None:
        lower = [(upper[0][0], frame.y_min), (upper[-1][0], frame.y_min)]
    points = _path(frame, upper) + " " + _path(frame, lower[::-1])
    return f'<polygon class="{css}" points="{points}"/>'


def bands(frame, spans):
    """Spans (from, to, css class, strength in 0..1, tooltip)."""
    out = []
    for begin, end, css, strength, text in spans:
        x = frame.x(begin)
        width = max(frame.x(end) - x, 0.5)
        out.append(f'<rect class="{css}" x="{x:.1f}" y="{frame.top}" '
                   f'width="{width:.1f}" height="{frame.bottom - frame.top}" '
                   f'opacity="{0.1 + 0.9 * strength:.2f}">'
                   f'<title>{html.escape(text)}</title></rect>')
    return "".join(out)


def threshold(frame, value, text):
    """A level that matters, labelled at its left end."""
    if value > frame.y_max:
        return ""
    y = frame.y(value)
    return (f'<line class="limit" x1="{frame.left}" x2="{frame.right}" '
            f'y1="{y:.1f}" y2="{y:.1f}"/><text class="note" '
            f'x="{frame.left + 3}" y="{y - 3:.1f}">'
            f'{html.escape(text)}</text>')


def mark(frame, t, symbol, text):
    """An event: a line with a symbol on top, or a short tick without one."""
    x = frame.x(t)
    top = frame.top if symbol else frame.bottom - 7
    return (f'<g class="mark"><line x1="{x:.1f}" x2="{x:.1f}" y1="{top}" '
            f'y2="{frame.bottom}"/><text x="{x:.1f}" y="{frame.top + 3}" '
            f'text-anchor="middle">{symbol}</text>'
            f'<title>{html.escape(text)}</title></g>')


def hover(frame, begin, end, text):
    """An invisible column that tells its values."""
    x = frame.x(begin)
    return (f'<rect class="hover" x="{x:.1f}" y="{frame.top}" '
            f'width="{max(frame.x(end) - x, 0.5):.1f}" '
            f'height="{frame.bottom - frame.top}">'
            f'<title>{html.escape(text)}</title></rect>')


def chart(frame, title, layers):
    return (f'<svg viewBox="0 0 {frame.width} {frame.height}" role="img" '
            f'aria-label="{html.escape(title, quote=True)}">'
            f'{"".join(layers)}</svg>')

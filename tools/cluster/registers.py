"""Is a history of reads and writes of a register linearizable?

Every value is written once, so there is an exact answer in little time (P. B.
Gibbons and E. Korach, Testing Shared Memories, SIAM Journal on Computing 26,
1997). The operations of one value, its write and the reads that found it, are a
cluster. Its zone lies between the first end and the last beginning of them: it
is a forward zone if the end comes first, because then the register held the
value all the time between, and otherwise a backward zone, where some moment is
enough. A history is linearizable if and only if no read ends before its write
begins, no two forward zones overlap, and no backward zone lies within a forward
one.
"""

import math
import typing


class Operation(typing.NamedTuple):
    """`value`: None stands for the register before the first write. A write
    without an answer has the end math.inf: it may happen at any later time, or
    never."""

    is_write: bool
    value: typing.Optional[str]
    begin: float
    end: float


class Zone(typing.NamedTuple):
    value: typing.Optional[str]
    low: float
    high: float
    is_forward: bool


def _clusters(history):
    """Operations by value, without writes that nothing tells of."""
    clusters = {None: [Operation(True, None, -math.inf, -math.inf)]}
    for operation in history:
        clusters.setdefault(operation.value, []).append(operation)
    return {value: found for value, found in clusters.items()
            if len(found) > 1 or found[0].end != math.inf}


def _zone(value, cluster):
    first_end = min(operation.end for operation in cluster)
    last_begin = max(operation.begin for operation in cluster)
    return Zone(value, min(first_end, last_begin), max(first_end, last_begin),
                first_end < last_begin)


def why_not_linearizable(history):
    """A sentence, or "" if it is."""
    zones = []
    for value, cluster in _clusters(history).items():
        writes = [o for o in cluster if o.is_write]
        if len(writes) != 1:
            return f"{value} was read and written {len(writes)} times"
        for operation in cluster:
            if operation.end < writes[0].begin:
                return f"{value} was read before it was written"
        zones.append(_zone(value, cluster))
    forward = sorted((z for z in zones if z.is_forward),
                     key=lambda zone: zone.low)
    for before, after in zip(forward, forward[1:]):
        if after.low < before.high:
            return (f"{after.value} was there at {after.low:.3f}, while "
                    f"{before.value} was until {before.high:.3f}")
    for zone in zones:
        if zone.is_forward:
            continue
        for around in forward:
            if around.low < zone.low and zone.high < around.high:
                return (f"{zone.value} was there between {zone.low:.3f} and "
                        f"{zone.high:.3f}, where {around.value} was all the "
                        "time")
    return ""

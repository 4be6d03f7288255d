"""Systems of several nodes on this library: what their commits take while a
node is killed and another loses its disk, here and with RocksDB.

A table on standard output, and OUTPUT, a page.
"""

import argparse
import html
import os
import pathlib
import shutil
import sys
import tempfile
import typing

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "report"))

import cap as caps  # noqa: E402
import cometbft  # noqa: E402
import nodes  # noqa: E402
import page  # noqa: E402
import raft  # noqa: E402
import svg  # noqa: E402

TUNED = "auto_tuned_compaction=true"
WIDTH, HEIGHT = 860, 220


class System(typing.NamedTuple):
    title: str
    program: str        # In build/cluster.
    make: typing.Callable
    play: typing.Callable


SYSTEMS = {
    "cometbft": System("CometBFT, four validators", "node", cometbft.Network,
                       cometbft.play),
    "raft": System("openraft, three nodes", "raftkv", raft.Service, raft.play),
}


def percentile(sorted_values, share):
    return sorted_values[min(len(sorted_values) - 1,
                             int(share * len(sorted_values)))]


def milliseconds(figures):
    """Median, 99 % and worst latency of commits."""
    waits = sorted(latency for _, latency in figures["commits"])
    return [1000 * percentile(waits, share) for share in (0.5, 0.99, 1)]


def longest_pause(figures):
    """Seconds without a commit of any client."""
    times = [0.0] + sorted(at for at, _ in figures["commits"])
    return max(b - a for a, b in zip(times, times[1:]))


HEAD = ["system, databases", "commits/s", "p50 ms", "p99 ms", "worst ms",
        "longest pause s", "blocks or entries", "compared", "in doubt", "stall lines",
        "back s", "rebuilt s"]


def row(name, figures):
    p50, p99, worst = milliseconds(figures)
    return [name, f"{len(figures['commits']) / figures['seconds']:.0f}",
            f"{p50:.0f}", f"{p99:.0f}", f"{worst:.0f}",
            f"{longest_pause(figures):.1f}", str(figures["blocks"]),
            str(figures["compared"]), str(figures["unknown"]),
            str(figures["stalls"]), f"{figures['back_seconds']:.1f}",
            f"{figures['rebuilt_seconds']:.1f}"]


def table(results):
    rows = [HEAD, ["---"] * len(HEAD)]
    rows += [row(name, figures) for name, figures in results.items()]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in rows)


def by_second(figures):
    """(second, worst latency of a commit that ended in it, in milliseconds)."""
    worst = {}
    for at, latency in figures["commits"]:
        worst[int(at)] = max(worst.get(int(at), 0.0), 1000 * latency)
    return [(t, worst.get(t)) for t in range(int(figures["seconds"]) + 1)]


def chart(name, figures, top):
    frame = svg.Frame(WIDTH, HEIGHT, figures["seconds"], top)
    layers = [svg.axes(frame, lambda v: f"{v:g} ms"),
              svg.line(frame, by_second(figures), "write")]
    layers += [svg.mark(frame, at, "▼", text) for at, text in figures["marks"]]
    return (f"<h2>{html.escape(name)}</h2>"
            + svg.chart(frame, f"{name}: the slowest commit of each second",
                        layers)
            + "<ul>" + "".join(f"<li>{at:.0f} s: {html.escape(text)}</li>"
                               for at, text in figures["marks"]) + "</ul>")


def render(results, args):
    top = svg.nice_top([v for f in results.values() for _, v in by_second(f)],
                       100)
    body = "".join(chart(n, f, top) for n, f in results.items())
    body += f"<pre>{html.escape(table(results))}</pre>"
    limit = f"{args.cap:g} MB/s" if args.cap else "none"
    return page.document(
        "cluster", "One node killed, one rebuilt",
        "The slowest commit of each second, as clients see it. All validators "
        "had the same blocks and app hashes, and every transaction that was "
        "acknowledged; all registers of the service were linearizable, and "
        "all nodes had the same rows.",
        body, f"{args.clients} clients, values of {args.bytes} bytes; cap of "
        f"what all nodes write: {limit}; {' '.join(sys.argv)}")


def sides(args):
    """By name: the folder of the library, and options of the databases."""
    found = {"Riverstone": (args.library, TUNED if args.tuned else "")}
    if args.peer:
        found["RocksDB 11.8.1"] = (args.peer, "")
    return found


def run_side(system, name, library, options, args):
    env = {**os.environ, "LD_LIBRARY_PATH": str(library),
           "DB_OPTIONS": options}
    parent = tempfile.mkdtemp(prefix="cluster.", dir=args.folder)
    cap = (caps.Cap(parent, args.cap * 1e6) if args.cap else caps.NoCap())
    program = str(pathlib.Path(args.programs) / system.program)
    try:
        with cap:
            cluster = system.make(program, parent, cap, env)
            try:
                return system.play(
                    cluster, args,
                    lambda text: print(f"{name}: {text}", file=sys.stderr))
            finally:
                cluster.stop()
    finally:
        if args.keep:
            print(f"{name}: {parent}", file=sys.stderr)
        else:
            shutil.rmtree(parent)


def arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--system", choices=[*SYSTEMS, "both"], default="both")
    parser.add_argument("--programs", default="build/cluster",
                        help="folder of those of examples/cluster")
    parser.add_argument("--library", default="build/cluster/prefix/lib",
                        help="folder of librocksdb.so.11")
    parser.add_argument("--peer", help="the same of RocksDB: measured, too")
    parser.add_argument("--seconds", type=float, default=80)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--bytes", type=int, default=16384,
                        help="of a value")
    parser.add_argument("--cap", type=float, default=0,
                        help="MB/s that all nodes may write (root); 0: no cap")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--untuned", dest="tuned", action="store_false",
                        help="without auto_tuned_compaction")
    parser.add_argument("--folder", help="for the nodes' homes")
    parser.add_argument("--keep", action="store_true", help="do not delete them")
    parser.add_argument("--output", default="build/cluster/cluster.html")
    return parser.parse_args(argv)


def main(argv):
    args = arguments(argv)
    if args.cap and (why := caps.unavailable(args.folder or
                                             tempfile.gettempdir())):
        print(f"cluster: no cap can be set: {why}", file=sys.stderr)
        return 2
    chosen = SYSTEMS if args.system == "both" else [args.system]
    results = {}
    for system in map(SYSTEMS.get, chosen):
        for side, (library, options) in sides(args).items():
            name = f"{system.title}: {side}"
            try:
                results[name] = run_side(system, name, library, options, args)
            except nodes.Failure as failure:
                print(f"cluster: {name}: {failure}", file=sys.stderr)
                return 1
    print(table(results))
    pathlib.Path(args.output).write_text(render(results, args))
    print(f"page: {args.output}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

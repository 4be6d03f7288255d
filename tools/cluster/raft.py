"""Three nodes of a replicated key-value service on loopback: openraft, and this
library under its log and its state machine.

Clients read and write registers. The leader is killed and comes back, and
another node loses its disk: it leaves the members, returns with nothing, gets a
snapshot, and votes again. At the end the history of every register must be
linearizable, and all nodes must have the same rows.
"""

import json
import math
import random
import shutil
import time
import urllib.error
import urllib.request

import clients
import nodes
from nodes import Failure, address
from registers import Operation, why_not_linearizable

NODES = 3
PORT = 21001
HTTP_SECONDS = 5
START_SECONDS = 30
CATCH_UP_SECONDS = 120
REGISTERS = 24
ATTEMPTS = 10               # Of a read, and of finding the leader.


def place(node):
    return f"{address(node)}:{PORT}"


def http(where, method, path, body=None):
    """(status, text). OSError where there is no answer."""
    request = urllib.request.Request(
        f"http://{where}{path}", None if body is None else body.encode(),
        {"Content-Type": "application/json"}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=HTTP_SECONDS) as reply:
            return reply.status, reply.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def metrics(node):
    """None while the node does not answer."""
    try:
        return json.loads(http(place(node), "GET", "/metrics")[1])
    except (OSError, ValueError):
        return None


def leader():
    """The node that the others follow, as most of them say; None: none."""
    said = [found["current_leader"] for found in map(metrics, range(NODES))
            if found and found["current_leader"] is not None]
    return next((name - 1 for name in set(said)
                 if 2 * said.count(name) > NODES), None)


def applied(node):
    found = metrics(node)
    return (found and found["last_applied"] or {}).get("index", -1)


def await_that(holds, what, seconds):
    """Seconds until it does."""
    begin = time.monotonic()
    while not holds():
        if time.monotonic() - begin > seconds:
            raise Failure(f"{what}: not within {seconds} s")
        time.sleep(0.05)
    return time.monotonic() - begin


def manage(path, body):
    """A change of the members, which the leader makes."""
    last = ""
    for _ in range(ATTEMPTS):
        chief = leader()
        if chief is not None:
            try:
                status, last = http(place(chief), "POST", path,
                                    json.dumps(body))
                if status == 200:
                    return
            except OSError as error:
                last = str(error)
        time.sleep(0.5)
    raise Failure(f"{path} {body}: {last}")


class Service(nodes.Nodes):
    """The nodes and their folders."""

    def __init__(self, program, folder, cap, env):
        super().__init__(program, folder, cap, env, NODES)

    def start(self, node):
        self.launch(node, self.program, str(node + 1), place(node),
                    str(self.home(node)))

    def make(self):
        for node in range(NODES):
            self.start(node)
        for node in range(NODES):
            await_that(lambda node=node: metrics(node) is not None,
                       f"node {node} answers", START_SECONDS)
        status, text = http(place(0), "POST", "/start", json.dumps(
            {str(node + 1): place(node) for node in range(NODES)}))
        if status != 200:
            raise Failure(f"/start: {text}")
        await_that(lambda: leader() is not None, "a leader", START_SECONDS)

    def lose_disk(self, node):
        self.kill(node)
        shutil.rmtree(self.home(node))


class Load(clients.Clients):
    """Each waits for an answer before it asks again."""

    def __init__(self, count, value_bytes, seed):
        super().__init__(count, seed)
        self._bytes = value_bytes
        self.histories = {f"r{n}": [] for n in range(REGISTERS)}

    def send_all(self, number, rng):
        where, count = place(rng.randrange(NODES)), 0
        while self.is_running():
            key = f"r{rng.randrange(REGISTERS)}"
            count += 1
            if rng.random() < 0.3:
                where = self._read(key, where, rng)
            else:
                where = self._write(key, f"{number}.{count}", where, rng)

    # A value is its name, a space and bytes of no meaning.
    def _write(self, key, name, where, rng):
        body = f"{name} {rng.randbytes(self._bytes // 2).hex()}"
        began = time.monotonic()
        for _ in range(ATTEMPTS):
            try:
                status, text = http(where, "PUT", f"/kv/{key}", body)
            except OSError:
                break           # It may have been written.
            if status == 200:
                self._note(key, Operation(True, name, began,
                                          time.monotonic()))
                return where
            if status != 421:
                break
            where = text        # Nothing was written: the leader is asked.
        self._note(key, Operation(True, name, began, math.inf))
        time.sleep(0.1)
        return place(rng.randrange(NODES))

    def _read(self, key, where, rng):
        began = time.monotonic()
        for _ in range(ATTEMPTS):
            try:
                status, text = http(where, "GET", f"/kv/{key}")
            except OSError:
                status, text = 0, ""
            if status in (200, 404):
                name = text.split(" ")[0] if status == 200 else None
                self._note(key, Operation(False, name, began,
                                          time.monotonic()))
                return where
            where = text if status == 421 else place(rng.randrange(NODES))
            if status != 421:
                time.sleep(0.1)
        return where

    def _note(self, key, operation):
        with self.lock:
            self.histories[key].append(operation)
            if not operation.is_write:
                return
            if operation.end == math.inf:
                self.unknown += 1
            else:
                self.note_commit(operation.begin, operation.end)


def check_histories(histories):
    """How many operations were judged."""
    for key, history in histories.items():
        if why := why_not_linearizable(history):
            raise Failure(f"{key} is not linearizable: {why}")
    return sum(map(len, histories.values()))


def check_rows():
    """All nodes have the same."""
    rows = [http(place(node), "GET", "/rows")[1] for node in range(NODES)]
    if rows.count(rows[0]) != NODES:
        raise Failure("the nodes have different rows")


def play(service, args, note):
    """The run; returns its figures."""
    service.make()
    figures = {"marks": []}

    def mark(text):
        figures["marks"].append((time.monotonic() - load.begin, text))
        note(text)

    def caught_up(node):
        least = max(map(applied, range(NODES)))
        return await_that(lambda: applied(node) >= least,
                          f"node {node} has entry {least}", CATCH_UP_SECONDS)

    with Load(args.clients, args.bytes, args.seed) as load:
        time.sleep(args.seconds / 4)
        killed = leader()
        if killed is None:
            raise Failure("there is no leader")
        service.kill(killed)
        mark(f"node {killed}, the leader, was killed")
        time.sleep(args.seconds / 8)
        service.start(killed)
        figures["back_seconds"] = caught_up(killed)
        mark(f"node {killed} is back after {figures['back_seconds']:.1f} s")
        chief = leader()
        wiped = next(node for node in range(NODES)
                     if node not in (killed, chief))
        others = [node + 1 for node in range(NODES) if node != wiped]
        manage("/members", others)
        service.lose_disk(wiped)
        mark(f"node {wiped} has lost its disk")
        time.sleep(args.seconds / 8)
        began = time.monotonic()
        service.start(wiped)
        await_that(lambda: metrics(wiped) is not None,
                   f"node {wiped} answers", START_SECONDS)
        manage("/learner", [wiped + 1, place(wiped)])
        manage("/members", [node + 1 for node in range(NODES)])
        figures["rebuilt_seconds"] = (time.monotonic() - began
                                      + caught_up(wiped))
        mark(f"node {wiped} is rebuilt after "
             f"{figures['rebuilt_seconds']:.1f} s")
        time.sleep(max(0, args.seconds - (time.monotonic() - load.begin)))
    figures["seconds"] = time.monotonic() - load.begin
    for node in range(NODES):
        caught_up(node)
    figures["compared"] = check_histories(load.histories)
    check_rows()
    figures["blocks"] = max(map(applied, range(NODES)))
    figures["commits"] = load.commits
    figures["unknown"] = load.unknown
    figures["stalls"] = service.stalls()
    return figures

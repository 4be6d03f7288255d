"""Four CometBFT validators on loopback, whose databases this library holds.

A network is made, clients send transactions and wait until each is in a block;
one node is killed and comes back, another loses its disk and is rebuilt from a
checkpoint of the first. At the end all nodes must have the same blocks and the
same app hashes, and every transaction that was acknowledged.
"""

import base64
import concurrent.futures
import json
import random
import re
import shutil
import time
import urllib.request

import clients
import nodes
from nodes import Failure, address

NODES = 4
P2P_PORT, RPC_PORT = 26656, 26657
RPC_SECONDS = 15            # CometBFT itself gives a commit ten.
START_SECONDS = 60
CATCH_UP_SECONDS = 120
CHECKED_MAX = 4000          # Transactions that are looked up on each node.


def rpc(node, method, **params):
    """The result of a JSON-RPC call. OSError or Failure where there is none."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method,
                       "params": params}).encode()
    request = urllib.request.Request(
        f"http://{address(node)}:{RPC_PORT}", body,
        {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=RPC_SECONDS) as reply:
        answer = json.load(reply)
    if "error" in answer:
        raise Failure(f"node {node}: {method}: {answer['error']}")
    return answer["result"]


def height(node):
    """Of the node's last block; -1 while it does not answer."""
    try:
        return int(rpc(node, "status")["sync_info"]["latest_block_height"])
    except (OSError, Failure, ValueError):
        return -1


def with_settings(text, settings):
    """A config.toml with other values; (section, name): value as TOML."""
    section, lines, left = "", [], dict(settings)
    for line in text.splitlines():
        if match := re.match(r"\[(\w+)\]", line):
            section = match[1]
        match = re.match(r"(\w+) = ", line)
        if match and (section, match[1]) in left:
            line = f"{match[1]} = {left.pop((section, match[1]))}"
        lines.append(line)
    if left:
        raise Failure(f"config.toml has no {sorted(left)}")
    return "\n".join(lines) + "\n"


class Network(nodes.Nodes):
    """The validators and their homes."""

    def __init__(self, program, folder, cap, env):
        super().__init__(program, folder, cap, env, NODES)

    def data(self, node):
        return self.home(node) / "data"

    def make(self):
        self.run(self.program, "testnet", "--v", str(NODES),
                 "--o", str(self.folder), "--starting-ip-address", address(0))
        for node in range(NODES):
            config = self.home(node) / "config" / "config.toml"
            config.write_text(with_settings(config.read_text(), {
                ("", "proxy_app"): '"kvstore"',
                ("", "db_backend"): '"rocksdb"',
                ("", "log_level"): '"error"',
                ("p2p", "laddr"): f'"tcp://{address(node)}:{P2P_PORT}"',
                ("p2p", "addr_book_strict"): "false",
                ("p2p", "allow_duplicate_ip"): "true",
                ("rpc", "laddr"): f'"tcp://{address(node)}:{RPC_PORT}"',
                ("rpc", "pprof_laddr"): '""',
                ("consensus", "timeout_commit"): '"200ms"',
            }))

    def start(self, node):
        self.launch(node, self.program, "start", "--home",
                    str(self.home(node)))

    def newest(self):
        """The newest block of any node."""
        last = max(height(node) for node in range(self.count))
        if last < 0:
            raise Failure("no node answers")
        return last

    def await_block(self, node, least, seconds):
        """Seconds until the node has the block."""
        begin = time.monotonic()
        while height(node) < least:
            self.check_runs(node)
            if time.monotonic() - begin > seconds:
                raise Failure(f"node {node} has no block {least} after "
                              f"{seconds} s: " + self.log(node))
            time.sleep(0.1)
        return time.monotonic() - begin

    def checkpoint(self, node, to):
        """Of a node that does not run."""
        self.run(self.program, "checkpoint", str(self.data(node)),
                 str(to))

    def rebuild(self, node, source):
        """What a new disk and a checkpoint make of a node. It still knows what
        it has signed, so that it signs nothing twice."""
        data = self.data(node)
        signed = (data / "priv_validator_state.json").read_bytes()
        shutil.rmtree(data)
        shutil.copytree(source, data)
        (data / "priv_validator_state.json").write_bytes(signed)


class Load(clients.Clients):
    """Each waits for its transaction before the next."""

    def __init__(self, count, value_bytes, seed):
        super().__init__(count, seed)
        self._bytes = value_bytes
        self._away = set()          # Nodes that are not asked.
        self.acknowledged = {}      # Key to value.

    def avoid(self, *away):
        self._away = set(away)

    def send_all(self, number, rng):
        count = 0
        while self.is_running():
            count += 1
            self._send(f"c{number}-{count}", rng)

    def _send(self, key, rng):
        value = rng.randbytes(self._bytes // 2).hex()
        node = rng.choice([n for n in range(NODES) if n not in self._away])
        began = time.monotonic()
        try:
            result = rpc(node, "broadcast_tx_commit", tx=base64.b64encode(
                f"{key}={value}".encode()).decode())
            good = (result["check_tx"]["code"] == 0
                    and result["tx_result"]["code"] == 0
                    and int(result["height"]) > 0)
        except (OSError, Failure, ValueError):
            good = False
            time.sleep(0.1)         # A node that is down refuses at once.
        ended = time.monotonic()
        with self.lock:
            if good:
                self.note_commit(began, ended)
                self.acknowledged[key] = value
            else:
                self.unknown += 1


def check_blocks(last):
    """Heights at which all nodes have the same block and app hash."""
    for low in range(1, last + 1, 20):
        high = min(low + 19, last)
        views = []
        for node in range(NODES):
            metas = rpc(node, "blockchain", minHeight=str(low),
                        maxHeight=str(high))["block_metas"]
            views.append({meta["header"]["height"]: (
                meta["block_id"]["hash"], meta["header"]["app_hash"])
                for meta in metas})
        for node, view in enumerate(views):
            if view != views[0] or len(view) != high - low + 1:
                raise Failure(f"blocks {low} to {high} of node {node} are not "
                              "those of node 0")
    return last


def check_values(acknowledged, rng):
    """How many answers were compared: every node has what was acknowledged."""
    keys = sorted(acknowledged)
    if len(keys) > CHECKED_MAX:
        keys = rng.sample(keys, CHECKED_MAX)

    def check(place):
        node, key = place
        answer = rpc(node, "abci_query", path="", data=key.encode().hex())
        value = answer["response"].get("value") or ""
        if base64.b64decode(value).decode() != acknowledged[key]:
            raise Failure(f"node {node} has lost {key}")

    places = [(node, key) for node in range(NODES) for key in keys]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for _ in pool.map(check, places):
            pass
    return len(places)


def play(network, args, note):
    """The run; returns its figures."""
    network.make()
    for node in range(NODES):
        network.start(node)
    for node in range(NODES):
        network.await_block(node, 2, START_SECONDS)
    killed, wiped = NODES - 1, NODES - 2
    saved = network.folder / "checkpoint"
    figures = {"marks": []}

    def mark(text):
        figures["marks"].append((time.monotonic() - load.begin, text))
        note(text)

    with Load(args.clients, args.bytes, args.seed) as load:
        time.sleep(args.seconds / 4)
        load.avoid(killed)
        network.kill(killed)
        mark(f"node {killed} was killed")
        network.checkpoint(killed, saved)
        time.sleep(args.seconds / 8)
        network.start(killed)
        figures["back_seconds"] = network.await_block(
            killed, network.newest(), CATCH_UP_SECONDS)
        mark(f"node {killed} is back after {figures['back_seconds']:.1f} s")
        load.avoid(wiped)
        network.kill(wiped)
        network.rebuild(wiped, saved)
        mark(f"node {wiped} has lost its disk")
        time.sleep(args.seconds / 8)
        network.start(wiped)
        figures["rebuilt_seconds"] = network.await_block(
            wiped, network.newest(), CATCH_UP_SECONDS)
        mark(f"node {wiped} is rebuilt after "
             f"{figures['rebuilt_seconds']:.1f} s")
        load.avoid()
        time.sleep(max(0, args.seconds - (time.monotonic() - load.begin)))
    figures["seconds"] = time.monotonic() - load.begin
    last = network.newest()
    for node in range(NODES):
        network.await_block(node, last, CATCH_UP_SECONDS)
    figures["blocks"] = check_blocks(last)
    figures["compared"] = check_values(load.acknowledged,
                                       random.Random(args.seed))
    figures["commits"] = load.commits
    figures["unknown"] = load.unknown
    figures["stalls"] = network.stalls()
    return figures

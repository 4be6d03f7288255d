#!/usr/bin/env python3
"""What is judged of a cluster, against answers that are made up."""

import base64
import random
import unittest
from unittest import mock

import cluster
import cometbft

FIGURES = {
    "marks": [(2.0, "node 3 was killed")],
    "commits": [(0.5, 0.1), (1.0, 0.2), (4.0, 3.0), (4.5, 0.1)],
    "seconds": 5.0, "unknown": 1, "blocks": 7, "compared": 16, "stalls": 2,
    "back_seconds": 1.0, "rebuilt_seconds": 2.5,
}
CONFIG = """proxy_app = "tcp://127.0.0.1:26658"
[rpc]
laddr = "tcp://127.0.0.1:26657"
[p2p]
laddr = "tcp://0.0.0.0:26656"
"""


class Chain:
    """Answers like four nodes; `different`: (node, height) of another block."""

    def __init__(self, last, different=None, lost=None):
        self.last, self.different, self.lost = last, different, lost

    def rpc(self, node, method, **params):
        if method == "blockchain":
            low = int(params["minHeight"])
            high = min(int(params["maxHeight"]), self.last)
            return {"block_metas": [self._meta(node, height)
                                    for height in range(high, low - 1, -1)]}
        key = bytes.fromhex(params["data"]).decode()
        value = "" if (node, key) == self.lost else f"value of {key}"
        return {"response": {
            "value": base64.b64encode(value.encode()).decode()}}

    def _meta(self, node, height):
        app = "other" if (node, height) == self.different else f"app{height}"
        return {"block_id": {"hash": f"block{height}"},
                "header": {"height": str(height), "app_hash": app}}


class ChecksTest(unittest.TestCase):
    def with_chain(self, chain, check, *arguments):
        with mock.patch.object(cometbft, "rpc", chain.rpc):
            return check(*arguments)

    def test_equal_chains_pass(self):
        self.assertEqual(
            45, self.with_chain(Chain(45), cometbft.check_blocks, 45))

    def test_another_app_hash_is_found(self):
        with self.assertRaisesRegex(cometbft.Failure, "of node 2 are not"):
            self.with_chain(Chain(45, different=(2, 41)),
                            cometbft.check_blocks, 45)

    def test_a_missing_block_is_found(self):
        with self.assertRaisesRegex(cometbft.Failure, "blocks 41 to 45"):
            self.with_chain(Chain(44), cometbft.check_blocks, 45)

    def test_a_lost_value_is_found(self):
        known = {key: f"value of {key}" for key in ("a", "b")}
        rng = random.Random(1)
        self.assertEqual(8, self.with_chain(
            Chain(1), cometbft.check_values, known, rng))
        with self.assertRaisesRegex(cometbft.Failure, "node 3 has lost b"):
            self.with_chain(Chain(1, lost=(3, "b")), cometbft.check_values,
                            known, rng)


class FiguresTest(unittest.TestCase):
    def test_latencies_and_pauses(self):
        self.assertEqual([200, 3000, 3000], cluster.milliseconds(FIGURES))
        self.assertEqual(3.0, cluster.longest_pause(FIGURES))

    def test_seconds_without_commits_are_gaps(self):
        self.assertEqual(
            [(0, 100), (1, 200), (2, None), (3, None), (4, 3000), (5, None)],
            cluster.by_second(FIGURES))

    def test_the_table_has_a_cell_for_each_head(self):
        lines = cluster.table({"here": FIGURES}).splitlines()
        self.assertEqual(3, len(lines))
        self.assertEqual(lines[0].count("|"), lines[2].count("|"))

    def test_the_page_is_whole(self):
        text = cluster.render({"here": FIGURES}, cluster.arguments([]))
        self.assertIn("node 3 was killed", text)
        self.assertTrue(text.rstrip().endswith("</html>"))


class ConfigTest(unittest.TestCase):
    def test_a_setting_is_of_its_section(self):
        text = cometbft.with_settings(CONFIG, {("p2p", "laddr"): '"x"',
                                               ("", "proxy_app"): '"y"'})
        self.assertIn('laddr = "tcp://127.0.0.1:26657"', text)
        self.assertIn('[p2p]\nladdr = "x"', text)
        self.assertIn('proxy_app = "y"', text)

    def test_an_unknown_setting_is_refused(self):
        with self.assertRaises(cometbft.Failure):
            cometbft.with_settings(CONFIG, {("p2p", "nothing"): "1"})


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""The experiment with BlueStore's metadata: strings, what is read and judged."""

import unittest

import ceph

LOG = """DB path: [/tmp/db]
bluestore    :      10.031 micros/op 99694 ops/sec 3.009 seconds 300000 \
operations;  157.8 MB/s (inserting 1.991 s, log 0.792 s, 150 listings of \
p50 84 us, p99 2400 us)
STATISTICS:
rocksdb.bytes.written COUNT : 1000
rocksdb.compact.write.bytes COUNT : 500
rocksdb.flush.write.bytes COUNT : 700
"""


def figures(**rates):
    """All cases alike, but for the rates given as "<processors>_<tuning>"."""
    one = ceph.read(LOG)
    out = {}
    for count in (2, 1):
        for tuning in [*ceph.TUNINGS, ceph.SELF_TUNED]:
            for compression in ceph.COMPRESSIONS:
                rate = rates.get(f"{tuning.split()[0]}{count}", 100.0)
                out[count, tuning, compression] = ceph.dataclasses.replace(
                    one, rate=rate)
    return out


class Strings(unittest.TestCase):
    def test_the_best_tuning_is_that_of_the_article(self):
        string = ceph.option_string(ceph.TUNINGS[ceph.D], "none", 1)
        published = (
            "compression=kNoCompression,max_write_buffer_number=128,"
            "min_write_buffer_number_to_merge=16,"
            "compaction_style=kCompactionStyleLevel,write_buffer_size=8388608,"
            "max_background_jobs=4,level0_file_num_compaction_trigger=8,"
            "max_bytes_for_level_base=1073741824,"
            "max_bytes_for_level_multiplier=8,"
            "compaction_readahead_size=2097152,max_total_wal_size=1073741824,"
            "writable_file_max_buffer_size=0")
        self.assertEqual(sorted(string.split(",")),
                         sorted(published.split(",")))

    def test_scale_divides_bytes_alone(self):
        string = ceph.option_string(ceph.ALTERNATE, "lz4", 8)
        self.assertIn("write_buffer_size=8388608,", string)
        self.assertIn("max_write_buffer_number=32,", string)
        self.assertIn("compaction_readahead_size=2097152", string)


class Figures(unittest.TestCase):
    def test_a_run_is_read(self):
        one = ceph.read(LOG)
        self.assertEqual((one.rate, one.inserting, one.p99_micros),
                         (99694, 1.991, 2400))
        self.assertAlmostEqual(one.write_amp, 1.2)
        with self.assertRaises(ValueError):
            ceph.read("bluestore: open: IO error")

    def test_medians(self):
        one = ceph.read(LOG)
        rates = [ceph.dataclasses.replace(one, rate=r) for r in (1, 9, 3)]
        self.assertEqual(ceph.median(rates).rate, 3)

    def test_each_finding_is_judged(self):
        flat = [holds for _, holds in ceph.findings(figures(), 2)]
        self.assertEqual(flat, [False, False, False, False, True])
        ranked = ceph.findings(figures(stock1=200.0, alternate2=200.0), 2)
        self.assertEqual([holds for _, holds in ranked[3:]], [True, False])

    def test_every_case_has_a_row_and_every_tuning_two_bars(self):
        self.assertEqual(ceph.table(figures(), 1).count("\n"),
                         1 + 3 * (len(ceph.TUNINGS) + 1))
        self.assertEqual(ceph.bars(figures(), 2).count("<rect"),
                         2 * (len(ceph.TUNINGS) + 1))


if __name__ == "__main__":
    unittest.main()

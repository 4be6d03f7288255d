#!/usr/bin/env python3
"""Histories of registers, also against a search of all orders."""

import itertools
import math
import random
import unittest

from registers import Operation, why_not_linearizable


def write(value, begin, end=math.inf):
    return Operation(True, value, begin, end)


def read(value, begin, end):
    return Operation(False, value, begin, end)


def by_search(history):
    """By definition: some order of all operations, or of those without the
    writes that were not answered, keeps to time and to the values."""
    pending = [o for o in history if o.is_write and o.end == math.inf]
    others = [o for o in history if o not in pending]
    for count in range(len(pending) + 1):
        for chosen in itertools.combinations(pending, count):
            for order in itertools.permutations(others + list(chosen)):
                if _is_legal(order):
                    return True
    return False


def _is_legal(order):
    value = None
    for i, operation in enumerate(order):
        if any(later.end < operation.begin for later in order[i + 1:]):
            return False
        if operation.is_write:
            value = operation.value
        elif operation.value != value:
            return False
    return True


class RegistersTest(unittest.TestCase):
    def test_one_after_the_other(self):
        self.assertEqual("", why_not_linearizable(
            [read(None, 0, 1), write("a", 2, 3), read("a", 4, 5),
             write("b", 6, 7), read("b", 8, 9)]))

    def test_an_old_value_is_found(self):
        self.assertNotEqual("", why_not_linearizable(
            [write("a", 0, 1), write("b", 2, 3), read("a", 4, 5)]))

    def test_a_lost_write_is_found(self):
        self.assertNotEqual("", why_not_linearizable(
            [write("a", 0, 1), read(None, 2, 3)]))

    def test_a_value_from_nowhere_is_found(self):
        self.assertNotEqual("", why_not_linearizable([read("a", 0, 1)]))

    def test_a_write_without_an_answer_may_come_late(self):
        self.assertEqual("", why_not_linearizable(
            [write("a", 0), write("b", 1, 2), read("b", 3, 4),
             read("a", 5, 6)]))
        self.assertNotEqual("", why_not_linearizable(
            [write("a", 0), write("b", 1, 2), read("a", 3, 4),
             read("b", 5, 6), read("a", 7, 8)]))

    def test_as_a_search_of_all_orders_says(self):
        rng = random.Random(3)
        verdicts = {True: 0, False: 0}
        for _ in range(1500):
            history, values = [], [None]
            times = rng.sample(range(40), 12)
            for i in range(5):
                begin, end = sorted(times[2 * i:2 * i + 2])
                if rng.random() < 0.5:
                    value = f"v{len(values)}"
                    values.append(value)
                    if rng.random() < 0.2:
                        end = math.inf
                    history.append(write(value, begin, end))
                else:
                    history.append(read(rng.choice(values), begin, end))
            expected = by_search(history)
            verdicts[expected] += 1
            self.assertEqual(expected, why_not_linearizable(history) == "",
                             history)
        self.assertGreater(min(verdicts.values()), 100)


if __name__ == "__main__":
    unittest.main()

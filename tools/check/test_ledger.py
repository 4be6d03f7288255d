#!/usr/bin/env python3
"""Which rows of the ledger count, and what becomes of a wrong total."""

import unittest

import ledger

PAGE = """
| 2026-01-01 | 1234567 | crash | 1,000 states | 0 | |
| 2026-01-01 | 1234567 | crash, kills | 20 kills, 3 of them in recovery | 0 | |
| 2026-01-02 | while it was built | crash | 500 states | 1 | 7 kills were wrong |
| 2026-01-02 | on 1234567 | crash | 200 states | 0 | |
| 2026-01-02 | 1234567 | the short forms of `.ci/run` | 90 states, 90 kills | 0 | |
| 2026-01-02 | 1234567 | stress (not counted) | 5 kills, 8 faults | 1 | |
| 2026-01-02 | 1234567 | stress | 2 runs, 5 kills, 1,008 faults | 0 | |

| what | goal | on commits | in all |
|---|---:|---:|---:|
| crash states | 1 | 1 | 1 |

Text.
"""
README = ("databases from 1 simulated\ncrashes and 2,222 kills of a process, "
          "injected 3 failures of file-system calls, and given 5 damaged inputs "
          "to 6 parsers")


class Ledger(unittest.TestCase):
    def test_rows_that_count_are_added_up(self):
        page, _ = ledger.with_totals(PAGE, README)
        self.assertIn("| crash states | 500,000 | 1,000 | 1,700 |\n", page)
        self.assertIn("| kills of a process | 3,000 | 25 | 25 |\n", page)
        self.assertIn("| injected faults | 100,000 | 1,008 | 1,008 |\n", page)
        self.assertTrue(page.endswith("\n\nText.\n"))
        self.assertEqual(page, ledger.with_totals(page, README)[0])

    def test_the_sentence_of_the_readme_keeps_its_words(self):
        _, readme = ledger.with_totals(PAGE, README)
        self.assertEqual(readme, README.replace("from 1 sim", "from 1,700 sim")
                         .replace("2,222", "25").replace("3 fail", "1,008 fail")
                         .replace("5 damaged", "0 damaged"))

    def test_a_page_without_its_totals_is_named(self):
        for pages, named in (((PAGE, "databases"), "README.md"),
                             (("no table", README), "docs/soak.md")):
            with self.assertRaisesRegex(LookupError, named):
                ledger.with_totals(*pages)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""What failures.py finds in the logs of ctest, gtest, ninja and our checks."""

import unittest

import failures

CTEST = """+ ctest --preset dev -j 2
        Start 14: db/Files/FullDisk.Resumes/Manifest
13/15 Test #13: db/Quick.Test ................   Passed    0.01 sec
        Start 15: db/Other.Test
14/15 Test #14: db/Files/FullDisk.Resumes/Manifest  # GetParam() = (24-byte object <78-95>) ...***Failed    1.02 sec
[ RUN      ] Files/FullDisk.Resumes/Manifest
full_disk_test.cc:228: Failure
15/15 Test #15: db/Other.Test ................***Timeout 300.01 sec
spins

87% tests passed, 2 tests failed out of 15

The following tests did not run:
\t 37 - crash/KillNine.Writer (Disabled)

The following tests FAILED:
\t 14 - db/Files/FullDisk.Resumes/Manifest  # GetParam() = (24-byte object <78-95>) (Failed)
\t 15 - db/Other.Test (Timeout)
Errors while running CTest
""".splitlines()

PARTS = """[ RUN      ] A.Good
[       OK ] A.Good (1 ms)
[ RUN      ] A.Bad/0
a_test.cc:3: Failure
[  FAILED  ] A.Bad/0, where GetParam() = 7 (12 ms)
[ RUN      ] A.Good
[       OK ] A.Good (1 ms)
[  FAILED  ] 1 test, listed below:
[  FAILED  ] A.Bad/0, where GetParam() = 7
failed: build/asan/db_tests, part 1 of 2
[ RUN      ] B.Good
[       OK ] B.Good (1 ms)
[ RUN      ] B.Ends
==12==ERROR: AddressSanitizer: heap-use-after-free
failed: build/asan/env_tests, part 0 of 2
""".splitlines()


class Failures(unittest.TestCase):
    def find(self, lines):
        return failures.failures("phase", "tools/dev word", lines)

    def test_tests_of_ctest_with_their_output(self):
        first, second = self.find(CTEST)
        self.assertEqual("db/Files/FullDisk.Resumes/Manifest", first.name)
        self.assertIn("full_disk_test.cc:228: Failure", first.lines)
        self.assertNotIn("spins", first.lines)
        self.assertEqual(
            "tools/dev test dev -R '^db/Files/FullDisk.Resumes/Manifest'",
            first.command)
        self.assertEqual("db/Other.Test", second.name)
        self.assertIn("spins", second.lines)

    def test_tests_of_a_program_in_parts(self):
        bad, ends = self.find(PARTS)
        self.assertEqual("build/asan/db_tests A.Bad/0", bad.name)
        self.assertEqual(["[ RUN      ] A.Bad/0", "a_test.cc:3: Failure",
                          PARTS[4]], bad.lines)
        self.assertEqual("build/asan/db_tests --gtest_filter='A.Bad/0'",
                         bad.command)
        self.assertEqual("build/asan/env_tests B.Ends", ends.name)
        self.assertIn("AddressSanitizer", ends.lines[1])

    def test_a_program_that_ended_before_any_test(self):
        [none] = self.find(["cannot load", "failed: build/asan/db_tests, "
                            "part 1 of 2"])
        self.assertEqual("build/asan/db_tests *", none.name)
        self.assertIn("cannot load", none.lines)

    def test_sources_of_clang_tidy(self):
        [tidy] = self.find(["/x/db/a.cc:3:1: error: bad name [readability]",
                            "  int A;", "/x/db/b.cc:1:1: warning: w [other]",
                            "clang-tidy: 2 of 2 sources checked",
                            "failed: db/a.cc"])
        self.assertEqual("db/a.cc", tidy.name)
        self.assertIn("  int A;", tidy.lines)
        self.assertEqual("tools/dev tidy db/a.cc", tidy.command)

    def test_checks_with_what_they_said(self):
        [check] = self.find(["+ python3 tools/check/layers.py", "fine",
                             "+ python3 tools/check/sizes.py", "a.cc: too long",
                             "failed: python3 tools/check/sizes.py"])
        self.assertEqual(["+ python3 tools/check/sizes.py", "a.cc: too long"],
                         check.lines)
        self.assertEqual("python3 tools/check/sizes.py", check.command)

    def test_objects_that_ninja_could_not_make(self):
        [failure] = self.find(["[1/3] Building a.o", "FAILED: a.o", "g++ a.cc",
                               "a.cc:1: error: no", "[2/3] Building b.o",
                               "ninja: build stopped: subcommand failed."])
        self.assertEqual("a.o", failure.name)
        self.assertEqual(["g++ a.cc", "a.cc:1: error: no"], failure.lines)

    def test_any_other_phase_is_named_with_its_last_lines(self):
        lines = [f"line {i}" for i in range(100)]
        [phase] = self.find(lines)
        self.assertEqual(("phase", lines[-failures.LINES:], "tools/dev word"),
                         phase)

    def test_the_last_lines_repeat_every_failure(self):
        text = failures.report("dev tests", self.find(CTEST))
        self.assertEqual("    tools/dev test dev -R '^db/Other.Test'", text[-1])


if __name__ == "__main__":
    unittest.main()

"""Which phrases prose.py finds. A word is cut in two where it must not find it
here."""

import unittest

import prose


def phrases(text):
    return [phrase for _, phrase, _ in prose.phrases(text)]


class Phrases(unittest.TestCase):
    def test_found(self):
        for text in ("// No" "body reads it.", "TEST(Queue, No" "bodyWaits) {",
                     '"debt slows no' 'body"', "# W" "hoever is first.",
                     "// is told" "\n  // of it.", '"is told "' '\n  "of it"',
                     "// What" " of the key is used.", "// lets go" "\n// of it",
                     "family->Let" "Go();", "// Wh" "o waits for room waits.",
                     "// Yes. Wh" "o asks first\n// goes first.",
                     "* Wh" "o catches up may write more.",
                     "TEST_F(Queue, Wh" "oWaitsGoesFirst) {"):
            self.assertEqual(1, len(phrases(text)), text)

    def test_not_found(self):
        for text in ("// Who holds it?", "// Who waits,\n// and for what?",
                     "// a caller, who waits", "// What offsets mean.",
                     "TEST(Bloom, WholeKeys) {", "WhatOffers", "// told often",
                     '"failed: WHAT" of our scripts'):
            self.assertEqual([], phrases(text), text)

    def test_line(self):
        text = "one\n// told" "\n// of it"
        self.assertEqual([3], [line for line, _, _ in prose.phrases(text)])


if __name__ == "__main__":
    unittest.main()

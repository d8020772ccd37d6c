# SPDX-License-Identifier: MIT
"""headlight-cli render with words put together and tokens hidden: what is in the figure, against NumPy's numbers.

Usage: test-cli-words.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.
"""

import collections
import importlib.util
import json
import pathlib
import sys
import xml.etree.ElementTree

spec = importlib.util.spec_from_file_location("test_cli", pathlib.Path(__file__).with_name("test-cli.py"))
test_cli = importlib.util.module_from_spec(spec)
spec.loader.exec_module(test_cli)

Case, FIXTURES = test_cli.Case, test_cli.FIXTURES
WORDS = FIXTURES / "words"


class Words(Case):
    def texts(self, file, *options):
        """Draws a figure and returns what is written in it."""
        figure = self.folder / "figure.svg"
        self.done("render", WORDS / file, *options, "--output", figure)
        root = xml.etree.ElementTree.fromstring(figure.read_text(encoding="utf-8"))
        return ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]

    def test_numbers(self):
        """Cells are large enough to hold their numbers; they are those that NumPy found."""
        cases = json.loads((WORDS / "expected.json").read_text(encoding="utf-8"))
        checked = 0
        for case in cases:
            if case["file"] != "bert.h5" or not case["hide_special"]:
                continue
            options = [f"--{name.replace('_', '-')}={'yes' if case[name] else 'no'}"
                       for name in ("words", "hide_special", "hide_first", "renormalise")]
            for layer, heads in enumerate(case["weights"]):
                for head, rows in enumerate(heads):
                    found = self.texts("bert.h5", "--view=heatmap", "--width=1400", "--height=1300", f"--layer={layer}",
                                       f"--heads={head}", *options)
                    # Small numbers have more digits, zeros none; the bar has numbers too.
                    wanted = collections.Counter(f"{x:.2f}" for row in rows for x in row if x >= 0.0995)
                    self.assertEqual(wanted - collections.Counter(found), collections.Counter())
                    checked += wanted.total()
                    for text in case["keys"]:
                        self.assertEqual(found.count(text), 2, text)
        self.assertGreater(checked, 50)

    def test_caption(self):
        found = self.texts("bert.h5", "--width=1200", "--words=yes", "--hide-special=yes", "--hide-first=yes",
                           "--hidden=3,5", "--renormalise=yes")
        self.assertIn("attention weight, rows renormalised · layer 0 · head 0 · whole words · special tokens hidden"
                      " · first token hidden · 2 tokens hidden", found)
        self.assertNotIn("unbelievable", found)
        self.assertEqual(found.count("herself"), 2)
        model = self.texts("bert.h5", "--view=model-view", "--words=yes")
        self.assertTrue(any(text.startswith("attention weight") and "whole words" in text for text in model))

    def test_nothing_left(self):
        """What would leave no token leaves all of them, and says so; there are no numbers of what was not made."""
        n = self.texts("bert.h5", "--width=1200", "--hidden=0").count("[SEP]")
        for hidden, said in (("0-99", "no token hidden: none would be left"),
                             ("q0-99,k1", "1 token hidden · no query hidden: none would be left"),
                             ("k0-99,q1", "1 token hidden · no key hidden: none would be left")):
            found = self.texts("bert.h5", "--width=1200", f"--hidden={hidden}")
            self.assertIn(f"attention weight · layer 0 · head 0 · {said}", found)
            self.assertEqual(found.count("[SEP]"), n)
            self.fails("stats", WORDS / "bert.h5", f"--hidden={hidden}", says="no token would be left that is not hidden", about=WORDS / "bert.h5")
        self.assertIn("attention weight · layer 0 · head 0 · no token hidden: none would be left",
                      self.texts("bert.h5", "--width=1200", "--hidden=1-99", "--hide-special=yes", "--hide-first=yes"))

    def test_of_the_weights(self):
        """Where maps of another quantity are seen, what is of the weights still is told to be."""
        figure = self.folder / "figure.svg"

        def caption(*options):
            self.done("render", FIXTURES.parent / "model/checkpoints/gpt2", "--ids=1,2,3,4", "--width=1600", "-o", figure, *options)
            root = xml.etree.ElementTree.fromstring(figure.read_text(encoding="utf-8"))
            return next("".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text"))

        one = ("--view=heatmap", "--pair=2:1")
        self.assertIn(" · weight 2 → 1 0.49 · ", caption(*one))
        self.assertIn(" · unaltered weight 2 → 1 0.49 · ", caption(*one, "--quantity=residual"))
        whatever = "of the weights, whatever the quantity"
        for sort in "mixing", "norm-mass-other", "entropy":
            for quantity in "norm", "weight":
                found = caption("--view=model-view", f"--sort={sort}", f"--quantity={quantity}")
                self.assertEqual(whatever in found, sort != "entropy" and quantity != "weight", found)

    def test_text(self):
        """Pieces of byte-level vocabularies are real text, and pieces of characters their bytes."""
        found = self.texts("gpt2.h5")
        for text in ("Head", "shows", "‹E4›‹BD›", "‹A0›", "好", "␣", "↵"):
            self.assertEqual(found.count(text), 2, text)
        found = self.texts("gpt2.h5", "--words=yes")
        for text in ("Headlight", "shows", "你", "好", "don't"):
            self.assertEqual(found.count(text), 2, text)
        found = self.texts("t5.h5", "--block=cross", "--words=yes", "--hidden=k3,k4")
        self.assertEqual([found.count(text) for text in ("lanterns", "glow", "Laternen", "leuchten")], [1, 0, 1, 1])

    def test_pinned(self):
        """A token is counted in its text, whatever is shown of it."""
        one = self.texts("bert.h5", "--words=yes", "--token=3", "--hide-first=yes")
        self.assertIn("unbelievable", one)
        self.fails("render", WORDS / "bert.h5", "--hide-first=yes", "--token=0", "--output", self.folder / "x.svg",
                   says="no token 0 among those shown", about=WORDS / "bert.h5")

    def test_several_pinned(self):
        """Several tokens at once are named, and so is what is told of them; pieces of one word are one."""
        found = self.texts("bert.h5", "--width=1200", "--token=4,1-2")
        names = [text for text in found if "mean of 3 queries: " in text]
        self.assertEqual(len(names), 1, found)
        numbers = [float(text) for text in found if text.replace(".", "", 1).isdigit() and "." in text]
        self.assertTrue(numbers and all(0 < number < 1 for number in numbers), found)
        self.assertTrue(any("sum of 2 keys: " in text for text in self.texts("bert.h5", "--width=1200", "--token=:1,2")))
        words = self.texts("bert.h5", "--width=1200", "--words=yes", "--token=3-5")
        self.assertFalse(any("mean of 3" in text for text in words), words)
        self.fails("render", WORDS / "bert.h5", "--token=1-900", "--output", self.folder / "x.svg",
                   says="no token 900 among those shown", about=WORDS / "bert.h5")

    def test_misuse(self):
        for text in ("x", "1,,2", "4-2", "q"):
            self.misused("render", WORDS / "bert.h5", f"--hidden={text}", "--output", self.folder / "x.svg",
                         says=f"--hidden cannot be “{text}”")
        for text in ("1,", "3-", "1,2:3", "q1", ":k2"):
            self.misused("render", WORDS / "bert.h5", f"--token={text}", "--output", self.folder / "x.svg",
                         says=f"--token cannot be “{text}”")


if __name__ == "__main__":
    sys.exit(test_cli.main())

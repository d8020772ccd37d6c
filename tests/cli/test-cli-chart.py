# SPDX-License-Identifier: MIT
"""headlight-cli render --view chart: what charts say beside what stats says, every format, and what it refuses.

Usage: test-cli-chart.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.
"""

import importlib.util
import json
import pathlib
import shutil
import sys
import xml.etree.ElementTree

spec = importlib.util.spec_from_file_location("test_cli", pathlib.Path(__file__).with_name("test-cli.py"))
test_cli = importlib.util.module_from_spec(spec)
spec.loader.exec_module(test_cli)

Case, FIXTURES, SAMPLE = test_cli.Case, test_cli.FIXTURES, test_cli.SAMPLE
MODELS = FIXTURES.parent / "model"
VOCABULARY = json.loads((MODELS / "corpus-references.json").read_text())["vocabulary"]
WORDS = [word for word in VOCABULARY if word.isalpha()][:3]


class Charts(Case):
    def setUp(self):
        super().setUp()
        self.model = self.folder / "model"
        shutil.copytree(MODELS / "checkpoints/bert", self.model)
        (self.model / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n")
        self.text = f"--text={WORDS[0]} {WORDS[1]}"
        self.other = [f"={self.model}", f"--other-text={WORDS[1]} {WORDS[2]}"]

    def texts(self, source, *options):
        """The words of a chart."""
        figure = self.folder / "x.svg"
        self.done("render", source, "-o", figure, "--view=chart", *options)
        root = xml.etree.ElementTree.parse(figure).getroot()
        return [" ".join("".join(node.itertext()).split()) for node in root.iter("{http://www.w3.org/2000/svg}text")]

    def test_grid_has_the_numbers(self):
        rows = json.loads(self.done("stats", SAMPLE, "--format=json"))
        texts = self.texts(SAMPLE, "--chart=grid", "--number=first")
        cells = [text for text in texts if text.endswith("%")]
        for row in rows:
            self.assertIn(f"{round(row['first'] * 100)} %", cells)
        self.assertIn("attention weight · mean over queries of weight on the first token · layers × heads", texts)

    def test_layers(self):
        texts = self.texts(SAMPLE, "--chart=layers", "--number=entropy")
        self.assertTrue({"layer", "entropy", "mean over heads", "standard deviation over heads", "a head"} <= set(texts), texts)
        self.assertTrue({str(layer) for layer in range(6)} <= set(texts), texts)

    def test_shares(self):
        texts = self.texts(SAMPLE, "--chart=shares")
        self.assertTrue({"weight", "[CLS] and the Like", "[SEP] and the Like", "Other Tokens"} <= set(texts), texts)
        self.assertIn("Needs values and the output projection", " ".join(texts))
        texts = self.texts(self.model, "--chart=shares", self.text)
        self.assertNotIn("Needs values", " ".join(texts))
        self.assertIn("heterogeneous", self.texts(SAMPLE, "--chart=shares", "--number=pattern"))

    def test_scatter_names_heads(self):
        texts = self.texts(SAMPLE, "--chart=scatter")
        self.assertIn("0·2", texts)
        self.assertIn("layer", texts)

    def test_plane(self):
        texts = self.texts(self.model, "--chart=plane", self.text, "--layer=1", "--heads=1")
        self.assertTrue(any(text.startswith("principal component 1: ") for text in texts), texts)
        self.assertEqual(texts.count("[CLS]"), 2)
        self.assertIn("attention weight · layer 1 · head 1 · queries and keys in their plane", texts)
        self.fails("render", SAMPLE, "-o", self.folder / "x.png", "--view=chart", "--chart=plane",
                   says="this view needs queries and keys", about=SAMPLE)

    def test_formats(self):
        for chart in ("layers", "shares", "grid", "scatter"):
            for ending, beginning in ((".png", b"\x89PNG"), (".pdf", b"%PDF"), (".svg", b"<?xml")):
                figure = self.folder / f"{chart}{ending}"
                self.done("render", SAMPLE, "-o", figure, "--view=chart", f"--chart={chart}", "--theme=dark")
                self.assertTrue(figure.read_bytes().startswith(beginning))

    def test_two_sides(self):
        beside = self.texts(self.model, "--chart=layers", self.text, "--compare" + self.other[0], self.other[1])
        self.assertEqual(beside.count("mean over heads"), 2)
        difference = self.texts(self.model, "--chart=grid", self.text, "--difference" + self.other[0],
                                self.other[1])
        self.assertTrue(any("B − A" in text for text in difference), difference)
        change = self.texts(self.model, "--chart=grid", "--number=change", self.text, "--difference" + self.other[0],
                            self.other[1])
        self.assertIn("change (Jensen–Shannon)", change)

    def test_over_texts(self):
        """Means of the texts, as stats tells them, whichever is the first; in the model view, too."""
        lines = [" ".join(VOCABULARY[25 + i:25 + 2 * i + 3]) for i in range(3)]
        path = self.folder / "lines.txt"
        path.write_text("\n".join(lines) + "\n")
        rows = json.loads(self.done("stats", self.model, "--texts", path, "--numbers=entropy", "--format=json"))
        for options in ((), ("--sort=entropy",)):
            view = ("--view=model-view",) if options else ("--chart=grid", "--number=entropy")
            texts = self.texts(self.model, "--texts", path, *view, *options)
            for row in rows:
                self.assertTrue(any(abs(float(text) - row["entropy"]) <= 0.006 for text in texts if text[:2].strip("0123456789") == "."), (row, texts))
            self.assertIn("mean over 3 texts", " ".join(texts))
        self.assertIn("over 3 texts", " ".join(self.texts(self.model, "--texts", path, "--chart=shares")))

    def test_texts_refused(self):
        figure, path = self.folder / "x.svg", self.folder / "lines.txt"
        path.write_text("the\n")
        call = ("render", self.model, "-o", figure, "--texts", path)
        for options in (("--view=heatmap",), ("--view=chart", "--chart=scatter"), ()):
            self.misused(*call, *options, says="--texts is for the charts layers, shares and grid, and for model-view")
        self.misused(*call, "--view=chart", "--text=a", says="--texts is in place of --text, --example and --pair")
        self.misused(*call, "--view=chart", "--compare", SAMPLE, says="--texts does not go together with --compare")
        self.misused("render", SAMPLE, "-o", figure, "--texts", path, "--view=chart", says="is no model folder: --texts is for models")
        path.write_bytes(b"the\n\xff\n")
        self.fails(*call, "--view=chart", says="line 2", about=path)
        self.assertFalse(figure.exists())

    def test_refused(self):
        figure = self.folder / "x.svg"
        for chart in ("shares", "scatter", "plane"):
            self.misused("render", SAMPLE, "-o", figure, "--view=chart", f"--chart={chart}", f"--difference={SAMPLE}",
                         says="--difference is not for the charts shares, scatter and plane")
        self.misused("render", SAMPLE, "-o", figure, "--view=chart", "--number=pair", says="--number pair needs --pair")
        self.misused("render", SAMPLE, "-o", figure, "--view=chart", "--number=change",
                     says="--number change needs --compare or --difference")
        self.misused("render", SAMPLE, "-o", figure, "--chart=pie", says="layers|shares|grid|scatter|plane")


if __name__ == "__main__":
    sys.exit(test_cli.main())

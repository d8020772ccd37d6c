# SPDX-License-Identifier: MIT
"""headlight-cli render --view chart: what charts say beside what stats says, every format, and what it refuses.

Usage: test-cli-chart.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.
"""

import importlib.util
import json
import pathlib
import re
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


class Figures(Case):
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

    def cells(self, texts, rows):
        """Of a grid, what stands in the cells of so many rows of stats, behind the ticks of the bar."""
        return [text for text in texts if re.fullmatch(r"−?\d+ %", text)][-len(rows):]

    def lengths(self, texts, rows):
        """Likewise, as numbers, of what is no part of 1."""
        return [float(text.replace("−", "-")) for text in texts if re.fullmatch(r"−?\d+\.\d+", text)][-len(rows):]


class Charts(Figures):
    def test_grid_has_the_numbers(self):
        rows = json.loads(self.done("stats", SAMPLE, "--format=json"))
        texts = self.texts(SAMPLE, "--chart=grid", "--number=first")
        cells = [text for text in texts if text.endswith("%")]
        for row in rows:
            self.assertIn(f"{round(row['first'] * 100)} %", cells)
        self.assertIn("attention weight · mean over queries of weight on the first token · layers × heads", texts)

    def test_lengths_are_no_shares(self):
        """What is on a token is a part of 1 of weights, and not of lengths, of which rows sum to anything."""
        for quantity, number, is_share in (("weight", "first", True), ("norm", "first", False), ("norm", "norm-share-other", True)):
            texts = self.texts(self.model, "--chart=grid", f"--number={number}", f"--quantity={quantity}", self.text)
            self.assertEqual(any(text.endswith(" %") for text in texts), is_share, texts)

    def test_layers(self):
        texts = self.texts(SAMPLE, "--chart=layers", "--number=entropy")
        self.assertTrue({"layer", "entropy", "mean over heads", "standard deviation over heads", "a head"} <= set(texts), texts)
        self.assertTrue({str(layer) for layer in range(6)} <= set(texts), texts)

    def test_shares(self):
        texts = self.texts(test_cli.WEIGHTS_ALONE, "--chart=shares")
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
        self.fails("render", test_cli.WEIGHTS_ALONE, "-o", self.folder / "x.png", "--view=chart", "--chart=plane",
                   says="this view needs queries and keys", about=test_cli.WEIGHTS_ALONE)

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

    def test_pair_beside(self):
        """Of a side that has not the words, that is said, in as many lines as it takes."""
        files = []
        for words in ("a", "cat"), ("a", "completely different beginning"):
            files.append(self.folder / f"{len(files)}.json")
            files[-1].write_text(json.dumps({"attention": [[[[1, 0], [0.5, 0.5]]]], "tokens": words}))
        texts = " ".join(self.texts(files[0], "--chart=grid", "--number=pair", "--pair=cat:a", f"--compare={files[1]}",
                                    "--as-seen", "--width=360"))
        self.assertIn("There is no “cat” among the queries", texts)
        self.assertNotIn("Find heads by a pair", texts)
        texts = " ".join(self.texts(files[0], "--chart=grid", "--number=pattern", f"--difference={files[1]}", "--as-seen"))
        self.assertIn("A class has no difference; the two sides can be seen side by side", texts)

    def test_lacking_on_both_sides(self):
        """Which side of a difference lacks a number is said, of the first side first."""
        dump = self.folder / "dump.h5"
        self.done("recompute", self.model, self.text, "-o", dump)
        number = "--chart=grid", "--number=ablation-zero", "--as-seen"
        lacks = "needs the model: open a model’s folder with a text"
        for first, second, side in ((dump, dump, "A"), (dump, self.model, "A"), (self.model, dump, "B")):
            texts = self.texts(first, *number, *(() if first == dump else (self.text,)), f"--difference={second}",
                               *(() if second == dump else (self.other[1],)))
            self.assertIn(f"{side} {lacks}", " ".join(texts))

    def test_difference_of_classes(self):
        """A class is not subtracted: between any two there is nothing but a sentence."""
        files = []
        for weights in ([[float(i == k) for k in range(12)] for i in range(12)], [[1 / 12] * 12] * 12):
            files.append(self.folder / f"{len(files)}.json")
            files[-1].write_text(json.dumps({"attention": [[weights]], "tokens": [f"t{i}" for i in range(12)]}))
        for first, second in ((files[0], files[0]), files, files[::-1]):
            for chart in ("grid", "layers"):
                options = f"--chart={chart}", "--number=pattern", f"--difference={second}"
                notice = "A class has no difference; " if chart == "grid" else "A class has no mean"
                self.fails("render", first, "--view=chart", *options, "-o", self.folder / "none.svg", says=notice, about=first)
                texts = " ".join(self.texts(first, *options, "--as-seen"))
                self.assertIn(notice, texts)
                for word in ("vertical", "diagonal", "heterogeneous"):
                    self.assertNotIn(word, texts)

    def test_difference_of_runs(self):
        """What runs the model is subtracted as well; a side that has no model is named."""
        rows = [json.loads(test_cli.run("stats", self.model, text, "--numbers=ablation-zero,induction", "--format=json").stdout)
                for text in (self.text, f"--text={WORDS[1]} {WORDS[2]}")]
        for number in ("ablation-zero", "induction"):
            texts = self.texts(self.model, self.text, "--chart=grid", f"--number={number}", "--difference" + self.other[0],
                               self.other[1])
            cells = [text for text in texts if re.fullmatch(r"[<>]?−?[\d.]+( %)?", text)][-len(rows[0]):]
            for cell, one, other in zip(cells, *rows, strict=True):
                shown = float(cell.strip("<> %").replace("−", "-")) / (100 if "%" in cell else 1)
                delta = 0.0051 if "%" in cell else max(0.001, 0.06 * abs(shown))
                self.assertAlmostEqual(shown, other[number] - one[number], delta=delta, msg=texts)
        dump = self.folder / "dump.h5"
        self.done("recompute", self.model, self.text, "-o", dump)
        options = self.text, "--chart=grid", "--number=ablation-zero", f"--difference={dump}"
        notice = "B needs the model: open a model’s folder with a text"
        self.fails("render", self.model, "--view=chart", *options, "-o", self.folder / "none.svg", says=notice)
        self.assertIn(notice, self.texts(self.model, *options, "--as-seen"))

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

    def test_annotations_of_another_block(self):
        """A block with as many heads as the one that reads the words has no part of their numbers."""
        maps = [[[[1 / 3] * 3] * 3]]
        path, conllu = self.folder / "both.json", self.folder / "abc.conllu"
        path.write_text(json.dumps({"encoder_attention": maps, "decoder_attention": maps, "cross_attention": maps,
                                    "encoder_tokens": ["a", "b", "c"], "decoder_tokens": ["a", "b", "c"]}))
        conllu.write_text("".join(f"{i}\t{word}" + "\t_" * 4 + f"\t{head}\tdep\t_\t_\n"
                                  for i, word, head in ((1, "a", 2), (2, "b", 0), (3, "c", 2))))
        for block in ("encoder", "decoder", "cross"):
            texts = " ".join(self.texts(path, "--annotations", conllu, "--chart=layers", "--number=dependency", "--block", block, "--as-seen"))
            self.assertEqual("No head has a number" in texts, block != "encoder", texts)

    def test_refused(self):
        figure = self.folder / "x.svg"
        for chart in ("shares", "scatter", "plane"):
            self.misused("render", SAMPLE, "-o", figure, "--view=chart", f"--chart={chart}", f"--difference={SAMPLE}",
                         says="--difference is not for the charts shares, scatter and plane")
        self.misused("render", SAMPLE, "-o", figure, "--view=chart", "--number=pair", says="--number pair needs --pair")
        self.misused("render", SAMPLE, "-o", figure, "--view=chart", "--number=change",
                     says="--number change needs --compare or --difference")
        self.misused("render", SAMPLE, "-o", figure, "--chart=pie", says="layers|shares|grid|scatter|plane")


class Quantities(Figures):
    """A chart is of the quantity, as stats has it, or says why it is not."""

    def test_numbers_follow(self):
        seen = set()
        for quantity in ("weight", "value", "norm", "residual"):
            rows = json.loads(self.done("stats", self.model, self.text, "--numbers=first", f"--quantity={quantity}", "--format=json"))
            texts = self.texts(self.model, self.text, "--chart=grid", "--number=first", f"--quantity={quantity}")
            cells = self.cells(texts, rows) or self.lengths(texts, rows)
            self.assertEqual(len(cells), len(rows))
            for cell, row in zip(cells, rows):
                if quantity in ("weight", "residual"):
                    self.assertEqual(cell, f"{100 * row['first']:.0f} %")
                else:
                    self.assertAlmostEqual(cell, row["first"], delta=0.0051)
            seen.add(tuple(cells))
        self.assertEqual(len(seen), 4)
        # A caption that is longer than the chart is wide goes on in a line of its own.
        self.assertTrue(" · ".join(texts).startswith("attention weight + residual connection · mean over queries"), texts)

    def test_difference_follows(self):
        rows = [json.loads(self.done("stats", self.model, text, "--numbers=first", "--quantity=norm", "--format=json"))
                for text in (self.text, f"--text={WORDS[1]} {WORDS[2]}")]
        texts = self.texts(self.model, self.text, "--chart=grid", "--number=first", "--quantity=norm",
                           "--difference" + self.other[0], self.other[1])
        cells = self.lengths(texts, rows[0])
        self.assertEqual(len(cells), len(rows[0]))
        for cell, one, other in zip(cells, *rows):
            self.assertAlmostEqual(cell, other["first"] - one["first"], delta=0.0051)

    def test_scatter_follows(self):
        plain = self.texts(self.model, self.text, "--chart=scatter")
        norm = self.texts(self.model, self.text, "--chart=scatter", "--quantity=norm")
        self.assertIn("attention weight × norm of projected value · heads by their distance", norm)
        self.assertEqual(len(plain), len(norm))

    def test_of_weights(self):
        """What is defined on weights stays as it is, and says so."""
        for options in (["--chart=shares"], ["--chart=plane"], ["--chart=grid", "--number=norm-share-special"],
                        ["--chart=grid", "--number=ablation-zero"]):
            plain = self.texts(self.model, self.text, *options)
            norm = self.texts(self.model, self.text, *options, "--quantity=norm")
            caption = {part for text in (*norm[:3], *plain[:3]) if text[:1].isalpha() for part in (text, *text.split(" · "))}
            # All but the caption, which may have a line more and break elsewhere.
            self.assertEqual(*([text for text in texts if text not in caption] for texts in (norm, plain)))
            self.assertIn("of the weights, whatever the quantity", " ".join(norm))
            self.assertNotIn("whatever the quantity", " ".join(plain))

    def test_quantities_of_layers(self):
        figure = self.folder / "x.svg"
        for quantity in ("rollout", "flow"):
            self.fails("render", self.model, self.text, "-o", figure, "--view=chart", f"--quantity={quantity}",
                       says=f"{quantity.capitalize()} has one map a layer, and charts are of numbers of heads")
        self.assertFalse(figure.exists())
        self.fails("render", test_cli.WEIGHTS_ALONE, "-o", figure, "--view=chart", "--quantity=norm", says="needs values")


class Texts(Figures):
    """Charts over texts have the means that stats has."""

    def setUp(self):
        super().setUp()
        self.lines = self.folder / "lines.txt"
        self.lines.write_text("".join(f"{a} {b} {c}\n" for a, b, c in zip(VOCABULARY[5:], VOCABULARY[7:], VOCABULARY[6:])))
        self.n = len(self.lines.read_text().splitlines())
        self.conllu = self.folder / "annotated.conllu"
        self.conllu.write_text(json.loads((MODELS / "corpus-references.json").read_text())["conllu"])

    def test_grid(self):
        for quantity in ("weight", "norm"):
            options = ["--texts", self.lines, f"--quantity={quantity}"]
            rows = json.loads(self.done("stats", self.model, *options, "--numbers=first", "--format=json"))
            texts = self.texts(self.model, *options, "--chart=grid", "--number=first")
            caption = " ".join(texts)
            self.assertIn(f"weight on the first token, mean over {self.n} texts", caption)
            deviation = sum(row["first-sd"] for row in rows) / len(rows)
            said = re.search(r"standard deviation over texts ([\d.]+( %)?), mean over heads", caption)
            if quantity == "weight":
                self.assertEqual(self.cells(texts, rows), [f"{100 * row['first']:.0f} %" for row in rows])
                self.assertEqual(said[1], f"{100 * deviation:.1f} %")
                continue
            cells = self.lengths(texts, rows)
            self.assertEqual(len(cells), len(rows))
            for cell, row in zip(cells, rows):
                self.assertAlmostEqual(cell, row["first"], delta=0.0051)
            self.assertAlmostEqual(float(said[1]), deviation, delta=0.0051)

    def test_layers_and_shares(self):
        texts = self.texts(self.model, "--texts", self.lines, "--chart=layers", "--number=entropy")
        self.assertIn("standard deviation over texts, mean over heads", texts)
        texts = self.texts(self.model, "--texts", self.lines, "--chart=shares", "--number=pattern")
        rows = json.loads(self.done("stats", self.model, "--texts", self.lines, "--numbers=pattern", "--format=json"))
        for word in ("vertical", "diagonal", "heterogeneous"):
            self.assertEqual(word in texts, any(row[f"pattern-{word}"] > 0 for row in rows), word)
        self.assertIn(f"over {self.n} texts", " ".join(texts))

    def test_scatter(self):
        """Over one text heads stand where they stand in it; over several elsewhere, and the caption says over how many."""
        (self.folder / "one.txt").write_text(f"{WORDS[0]} {WORDS[1]}\n")

        def places(*options):
            texts = self.texts(self.model, *options, "--chart=scatter")
            root = xml.etree.ElementTree.parse(self.folder / "x.svg").getroot()
            return " ".join(texts), sorted(node.get("d") for node in root.iter("{http://www.w3.org/2000/svg}path"))

        alone = places(self.text)
        one = places("--texts", self.folder / "one.txt")
        many = places("--texts", self.lines)
        self.assertEqual(one[1], alone[1])
        self.assertNotEqual(many[1], alone[1])
        self.assertEqual(many, places("--texts", self.lines))
        self.assertNotIn("over", alone[0])
        self.assertIn("heads by their distance · over 1 text", one[0])
        self.assertIn(f"heads by their distance · over {self.n} texts", many[0])

    def test_examples(self):
        rows = json.loads(self.done("stats", FIXTURES / "examples.h5", "--examples=all", "--numbers=first", "--format=json"))
        texts = self.texts(FIXTURES / "examples.h5", "--examples=all", "--chart=grid", "--number=first")
        cells = self.cells(texts, rows)
        self.assertEqual(cells, [f"{100 * row['first']:.0f} %" for row in rows])

    def test_annotations(self):
        for number, relation, says in (("dependency", ["--relation=obj"], "words whose head is found, obj, over "),
                                       ("coreference", [], "mentions whose antecedent is found, over ")):
            options = ["--annotations", self.conllu, *relation]
            rows = json.loads(self.done("stats", self.model, *options, f"--numbers={number}", "--format=json"))
            texts = self.texts(self.model, *options, "--chart=grid", f"--number={number}")
            cells = self.cells(texts, rows)
            self.assertEqual(cells, [f"{100 * row[number]:.0f} %" for row in rows])
            self.assertIn(says, " ".join(texts))
            self.assertNotIn("mean over queries", " ".join(texts))

    def test_refused(self):
        figure = self.folder / "x.svg"

        def refused(says, *options, source=self.model):
            self.misused("render", source, "-o", figure, *options, says=says)
            self.assertFalse(figure.exists())

        texts, chart = ["--texts", self.lines], "--view=chart"
        for view in ((), ("--view=heatmap",)):
            refused("are for --view chart and model-view: maps are of one text", *texts, *view)
        refused("for all charts but plane, which is of one text", *texts, chart, "--chart=plane")
        for number in ("pair", "change"):
            refused("--number pair and change are of one text", *texts, chart, "--number", number)
            refused("--sort pair and change are of one text", *texts, "--view=model-view", "--sort", number)
        refused("--compare and --difference are of one text", *texts, chart, f"--compare={SAMPLE}")
        refused("--compare and --difference are of one text", *texts, chart, f"--difference={SAMPLE}")
        refused("are for one text", *texts, chart, self.text)
        refused("is no model: --texts is for models", *texts, chart, source=SAMPLE)
        refused("is a model: --examples is for files", "--examples=all", chart)
        refused("--number dependency and coreference need --annotations", self.text, chart, "--number=dependency")
        for option in ("--sort", "--colour-by"):
            for number in ("dependency", "coreference"):
                refused(f"{option} dependency and coreference need --annotations", self.text, "--view=model-view", option, number)
        self.fails("render", self.model, "-o", figure, *texts, chart, "--number=dependency",
                   says="dependency and coreference need --annotations")
        self.fails("render", self.model, "-o", figure, "--annotations", self.conllu, "--relation=none", chart,
                   "--number=dependency", says="no word has the relation “none”")


if __name__ == "__main__":
    sys.exit(test_cli.main())

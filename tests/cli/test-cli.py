# SPDX-License-Identifier: MIT
"""headlight-cli as people and scripts use it: what it prints, what it writes, how it fails.

Usage: test-cli.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.  What is converted is read back by h5py, json and NumPy,
which know nothing of Headlight.
"""

import concurrent.futures
import contextlib
import csv
import io
import json
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import xml.etree.ElementTree

try:
    import h5py
    import numpy
except ImportError:
    h5py = numpy = None

# Tests in other folders have this file loaded as well.
sys.path.append(str(pathlib.Path(__file__).resolve().parent))
import program

CLI = str(pathlib.Path(sys.argv[1]).resolve())
TESTS = pathlib.Path(sys.argv[2])
FIXTURES = TESTS / "fixtures"
CHECKPOINTS = TESTS / "model" / "checkpoints"
VISION = CHECKPOINTS.parent / "vision"
SAMPLE = TESTS.parent / "data" / "samples" / "minilm-time-flies.h5"
# Tokens and weights, nothing of what they are made of.
WEIGHTS_ALONE = FIXTURES / "sentence-pair.h5"
EXPECTED = json.loads((FIXTURES / "expected.json").read_text(encoding="utf-8"))
ENVIRONMENT = {**os.environ, "LC_ALL": "C.UTF-8", "G_DEBUG": "fatal-criticals"}

needs_numpy = unittest.skipIf(numpy is None, "python3-numpy and python3-h5py are not installed")


def run(*arguments, **options):
    """Runs the program; its output as text."""
    return program.run([CLI, *map(str, arguments)], env={**ENVIRONMENT, **options.pop("env", {})}, **options)


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="headlight-cli-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def done(self, *arguments, **options):
        """Runs the program, which must succeed; what it prints."""
        result = run(*arguments, **options)
        self.assertEqual((result.returncode, result.stderr), (0, ""), arguments)
        return result.stdout

    def fails(self, *arguments, says, about=None, **options):
        """Runs the program, which must fail with one line about a file."""
        result = run(*arguments, **options)
        self.assertEqual((result.returncode, result.stdout), (1, ""), arguments)
        self.assertRegex(result.stderr, r"\Aheadlight-cli: [^\n]+\n\Z")
        self.assertIn(says, result.stderr)
        if about is not None:
            self.assertTrue(result.stderr.startswith(f"headlight-cli: {about}: "), result.stderr)
        return result.stderr

    def misused(self, *arguments, says):
        """Runs the program, which must say that it was called wrongly."""
        result = run(*arguments)
        self.assertEqual((result.returncode, result.stdout), (2, ""), arguments)
        self.assertIn(says, result.stderr)

    def wait_for_writing(self, process):
        """Until it has begun a file in the folder, which has no name yet."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            for link in pathlib.Path(f"/proc/{process.pid}/fd").iterdir():
                with contextlib.suppress(OSError):
                    target = os.readlink(link)
                    if target.startswith(str(self.folder)) and not os.path.exists(target):
                        return
            time.sleep(0.01)
        self.fail("nothing is written")

    def assert_alone(self, *names):
        """Nothing else is in the folder, no rest of a temporary file either."""
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(names))


class Usage(Case):
    def test_help(self):
        for arguments in (["--help"], ["-h"]):
            self.assertIn("convert", self.done(*arguments))
        for command in ("info", "tokens", "recompute", "predict", "generate", "render", "stats", "find-heads", "compare", "convert"):
            text = self.done(command, "--help")
            self.assertIn(f"headlight-cli {command} [", text)
            self.assertIn("SOURCE", text)
        text = self.done("families", "--help")
        self.assertIn("headlight-cli families [", text)
        self.assertNotIn("SOURCE", text)
        self.assertIn("--top-mass=0…1", self.done("render", "--help"))
        self.assertIn("all|aa|bb|ab|ba", self.done("render", "--help"))
        self.assertIn("--sort=NICK ", self.done("render", "--help"))  # not all of them, which pushes the sentences off the screen

    def test_offers(self):
        """What a command never takes, its help does not offer."""
        for command, taken, others in (("probe", "--tokens", ("--tokenizer", "--text", "--image", "--pixels")),
                                       ("generate", "--text", ("--image", "--pixels"))):
            text = self.done(command, "--help")
            self.assertIn(f"  {taken}=", text)
            for option in others:
                self.assertNotIn(f"  {option}=", text)
        for command in ("info", "render", "stats", "find-heads", "compare", "convert"):
            text = self.done(command, "--help")
            for option in ("--tokenizer", "--image", "--pixels"):
                self.assertIn(f"  {option}=", text)
        self.misused("probe", "a.h5", "--tokenizer=b", says="--tokenizer")

    def test_version(self):
        self.assertRegex(self.done("--version"), r"\Aheadlight-cli \d+\.\d+\.\d+\n\Z")

    def test_wrong_usage(self):
        self.misused(says="a command is needed")
        self.misused("inform", says="“inform”")
        self.misused("info", says="needs a file")
        self.misused("info", "a", "b", says="“b”")
        self.misused("info", "--nonsense", "a", says="--nonsense")
        self.misused("convert", "a", says="--output")
        self.misused("recompute", "a", says="--text or --ids")
        self.misused("recompute", "a", "--text", "b", says="--output")
        self.misused("recompute", "a", "--text", "b", "-o", "c.h5", "--store", "some", says="attention, qk or all")
        self.misused("recompute", "a", "--text", "b", "-o", "c.txt", says="--output must end in .h5, .hdf5, .json or .npz")
        self.misused("tokens", "a", says="--text")
        self.misused("info", SAMPLE, "--text", "b", says="no model")
        self.misused("info", CHECKPOINTS / "bert", says="needs --text or --ids")
        self.misused("render", CHECKPOINTS / "bert", "-o", "c.png", says="needs --text or --ids")
        self.misused("info", "a", "--text", "b", "--ids", "1", says="exclude")
        self.misused("info", "a", "--text", "b", "--target-text", "c", "--decoder-ids", "1", says="exclude")
        self.misused("info", "a", "--text-pair", "b", says="--text-pair needs")
        self.misused("info", "a", "--target-text", "b", says="need --text")
        for ids in ("", "1,", "1,x", "-1", "1.5", "4294967296"):
            self.misused("info", "a", f"--ids={ids}", says="numbers with commas")
        self.misused("render", "a", says="--output")
        self.misused("stats", "a", "--format=xml", says="table, csv or json")
        self.misused("families", "--format=xml", says="table, csv or json")
        self.misused("families", "a", says="takes no file, but there is “a”")
        self.misused("families", "--", "-a", says="takes no file")
        self.misused("find-heads", "a", "--pair=b:c", "--format=xml", says="table, csv or json")
        self.misused("find-heads", "a", says="--pair QUERY:KEY or --pairs FILE")
        self.misused("find-heads", "a", "--pair=b:c", "--block=middle", says="“middle”")

    def test_wrong_render_options(self):
        for option, value, says in [
            ("--view", "lines", "head-view|heatmap|model-view|steps|neuron"), ("--score-scale", "0", "0.1…100"), ("--mask", "maybe", "yes|no"),
            ("--theme", "blue", "light or dark"), ("--heads", "1,x", "“1,x”"),
            ("--heads", "", "numbers"), ("--heads", "-1", "“-1”"), ("--block", "middle", "cross"), ("--layer", "-1", "a whole number in 0…"),
            ("--threshold", "2", "0…1"), ("--threshold", "0.5x", "0…1"), ("--top-mass", "nan", "0…1"),
            ("--scale", "0", "0.1 to 16"), ("--scale", "nan", "0.1 to 16"), ("--width", "100000", "--width"),
            ("--sentences", "ac", "aa"), ("--crop-padding", "maybe", "yes|no"), ("--colour-map", "jet", "viridis"),
            ("--value-scale", "cubic", "log"), ("--thumbnails", "small", "heatmap|lines"), ("--layer", "one", "one"),
        ]:
            with self.subTest(option=option, value=value):
                self.misused("render", SAMPLE, "-o", self.folder / "x.png", f"{option}={value}", says=says)
        self.misused("render", SAMPLE, "-o", self.folder / "x.jpg", says=".png, .svg, .pdf or .html")
        for view in ("heatmap", "steps", "neuron"):
            self.misused("render", SAMPLE, "-o", self.folder / "x.png", f"--view={view}", "--heads=1,2", says="one head")
            self.misused("render", SAMPLE, "-o", self.folder / "x.png", f"--view={view}", "--heads=1,2.2", says="one head")
        self.misused("render", SAMPLE, "-o", self.folder / "x.png", "--view=chart", "--chart=plane", "--heads=1,2", says="one head")
        self.misused("render", SAMPLE, "-o", self.folder / "x.png", "--view=layers", "--heads=1,2.2", says="of one layer")
        self.misused("render", SAMPLE, "-o", self.folder / "x.png", "--heads=1.x", says="L.H for a head of another layer")
        self.assert_alone()


class RankedFigures(Case):
    """Figures that tell which head it is: of one head, and of all of them in their order."""

    def texts(self, *options):
        """The words of a figure."""
        figure = self.folder / "x.svg"
        self.done("render", SAMPLE, "-o", figure, *options)
        root = xml.etree.ElementTree.parse(figure).getroot()
        return [" ".join("".join(node.itertext()).split()) for node in root.iter("{http://www.w3.org/2000/svg}text")]

    def test_which_of_several(self):
        """A view of one head draws the one that is named, or the first as in a window where others are chosen as well."""
        for view, *chart in (("heatmap",), ("neuron",), ("chart", "--chart=plane")):
            figures = []
            for options in (("--heads=5",), ("--heads=2,5", "--head=5"), ("--heads=2", "--as-seen"), ("--heads=2,5", "--as-seen")):
                figure = self.folder / f"{len(figures)}.png"
                self.done("render", SAMPLE, "-o", figure, f"--view={view}", *chart, "--width=900", "--height=700", *options)
                figures.append(figure.read_bytes())
            self.assertEqual(figures[0], figures[1], view)
            self.assertEqual(figures[2], figures[3], view)
            self.assertEqual(len(set(figures)), 2, view)

    def test_one_head(self):
        best = json.loads(self.done("find-heads", SAMPLE, "--pair=banana:fruit", "--format=json"))["heads"][2]
        texts = self.texts("--pair=banana:fruit", f"--layer={best['layer']}", f"--heads={best['head']}")
        caption = next(text for text in texts if "rank" in text)
        self.assertIn(f"layer {best['layer']} · head {best['head']} · weight banana → fruit {best['weight']:.2f} · rank 3 of 72",
                      caption)

    def test_heads_of_layers(self):
        texts = self.texts("--view=head-view", "--heads=3.1,5.11,3.0")
        self.assertTrue(any("heads 3.0, 3.1, 5.11 (layer.head)" in text for text in texts), texts)
        self.assertIn("5.11", texts)
        figures = []
        for options in (["--heads=3.1"], ["--layer=3", "--heads=1"]):
            figures.append(self.folder / f"{len(figures)}.png")
            self.done("render", SAMPLE, "-o", figures[-1], "--view=heatmap", *options)
        self.assertEqual(figures[0].read_bytes(), figures[1].read_bytes())
        self.fails("render", SAMPLE, "-o", self.folder / "x.png", "--heads=0,6.1", says="no layer 6", about=SAMPLE)
        self.fails("render", SAMPLE, "-o", self.folder / "x.png", "--heads=0,1.12", says="no head 12 in layer 1", about=SAMPLE)
        self.fails("render", SAMPLE, "-o", self.folder / "x.png", "--heads=0,1.2", "--combine=mean", says="combined",
                   about=SAMPLE)

    def test_sorted(self):
        heads = json.loads(self.done("find-heads", SAMPLE, "--pair=banana:fruit", "--format=json"))["heads"]
        texts = self.texts("--view=model-view", "--sort=pair", "--colour-by=entropy", "--pair=banana:fruit")
        names = [text for text in texts if re.fullmatch(r"\d+·\d+", text)]
        self.assertEqual(names, [f"{head['layer']}·{head['head']}" for head in heads])
        self.assertTrue(any("sorted by weight banana → fruit · frames: entropy" in text for text in texts), texts)

    def test_refused(self):
        figure = self.folder / "x.svg"
        self.misused("render", SAMPLE, "-o", figure, "--sort=pair", says="--sort pair needs --pair")
        self.misused("render", SAMPLE, "-o", figure, "--colour-by=pair", says="--colour-by pair needs --pair")
        self.misused("render", SAMPLE, "-o", figure, "--sort=size", says="a number that")
        self.fails("render", SAMPLE, "-o", figure, "--pair=her:fruit", says="no “her” among the queries", about=SAMPLE)
        self.assert_alone()


class Families(Case):
    def test_formats(self):
        """The three formats say the same."""
        columns = ["family", "stacks", "model_type"]
        rows = json.loads(self.done("families", "--format=json"))
        lines = list(csv.DictReader(io.StringIO(self.done("families", "--format=csv"))))
        table = self.done("families").splitlines()
        self.assertEqual([list(row) for row in rows], [columns] * len(rows))
        self.assertEqual(lines, rows)
        self.assertEqual(table[0].split(), columns)
        starts = [table[0].index(name) for name in columns] + [None]
        for row, line in zip(rows, table[1:], strict=True):
            self.assertEqual([line[i:j].rstrip() for i, j in zip(starts, starts[1:])], list(row.values()))
        for row in (("BERT", "encoder", "bert"), ("RoBERTa", "encoder", "roberta, xlm-roberta, camembert"),
                    ("GPT-2", "decoder", "gpt2"), ("T5", "encoder-decoder", "t5")):
            self.assertIn(dict(zip(columns, row, strict=True)), rows)

    def test_models(self):
        """Every family is one of which the tests have a model, and its stacks are those that such a model runs."""
        rows = json.loads(self.done("families", "--format=json"))
        stacks = {name: row["stacks"] for row in rows for name in row["model_type"].split(", ")}
        seen = set()
        for folder in sorted(VISION.iterdir()):
            with self.subTest(model=folder.name):
                name = json.loads((folder / "config.json").read_text(encoding="utf-8"))["model_type"]
                self.assertEqual(stacks[name], "image encoder")
                heads = json.loads(self.done("stats", folder, "--pixels", folder / "pixels.npy", "--format=json"))
                self.assertEqual({head["block"] for head in heads}, {"attention"})
                seen.add(name)
        for folder in sorted(CHECKPOINTS.iterdir()):
            with self.subTest(model=folder.name):
                config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
                name = config["model_type"]
                seen.update(config[part]["model_type"] for part in ("vision_config",) if part in config)
                texts = ["--ids=5,6,7"] + ["--decoder-ids=5,6,7"] * (stacks[name] == "encoder-decoder")
                heads = json.loads(self.done("stats", folder, *texts, "--format=json"))
                if {head["block"] for head in heads} == {"encoder", "decoder", "cross"}:
                    found = "encoder-decoder"
                else:
                    found = "encoder" if any(head["next"] > 0 for head in heads) else "decoder"
                # A decoder can be made one whose tokens see one another both ways, and an encoder a decoder.
                both_ways = config.get("use_bidirectional_attention") or config.get("is_causal") is False
                made = "encoder" if both_ways else "decoder" if config.get("is_decoder") else None
                self.assertEqual(made or stacks[name], found)
                seen.add(name)
        self.assertEqual([row for row in rows if seen.isdisjoint(row["model_type"].split(", "))], [])


class Stats(Case):
    NUMBERS = ("entropy", "distance", "first", "special", "previous", "next", "self", "sink")

    def test_formats(self):
        """The three formats say the same, and what NumPy says."""
        expected = json.loads((FIXTURES / "head-stats.json").read_text(encoding="utf-8"))
        for name in ("encoder-decoder.h5", "nan-row.h5", "padded-zero.h5"):
            with self.subTest(file=name):
                says = "headlight-cli: “attention”: in 1 map, queries with weights that are no numbers are left out, 1 of 8\n" if name == "nan-row.h5" else ""
                results = [run("stats", f"--format={form}", FIXTURES / name) for form in ("json", "csv", "table")]
                self.assertEqual([(result.returncode, result.stderr) for result in results], [(0, says)] * 3)
                rows = json.loads(results[0].stdout)
                lines = results[1].stdout.splitlines()
                table = [line.split() for line in results[2].stdout.splitlines()]
                self.assertEqual(lines[0].split(","), ["block", "layer", "head", *self.NUMBERS, "name", "name-number"])
                self.assertEqual(table[0], ["block", "layer", "head", *self.NUMBERS, "name", "name-number"])
                self.assertEqual((len(lines), len(table)), (len(rows) + 1, len(rows) + 1))
                numbers = {(one["block"], one["layer"], one["head"]): one["values"] for one in expected if one["file"] == name}
                for row, line, fields in zip(rows, lines[1:], table[1:], strict=True):
                    place = (row["block"], row["layer"], row["head"])
                    self.assertEqual(line.split(",")[:3], [str(part) for part in place])
                    self.assertEqual(fields[:3], [str(part) for part in place])
                    self.compare(row, line.split(",")[3:], fields[3:], numbers.pop(place, None))
                self.assertEqual(numbers, {})

    def compare(self, row, fields, columns, expected):
        for index, name in enumerate(self.NUMBERS):
            if row[name] is None:
                self.assertEqual((fields[index], columns[index]), ("", "-"))
            else:
                self.assertAlmostEqual(float(fields[index]), row[name], delta=1e-5 * max(1, abs(row[name])))
                self.assertAlmostEqual(float(columns[index]), row[name], delta=1e-4)
            if expected is not None and expected[index] is None:
                self.assertIsNone(row[name])
            elif expected is not None:
                self.assertAlmostEqual(row[name], expected[index], delta=1e-5)

    def test_names(self):
        """A head is called by what is its clearest number, which stands beside it; other maps than weights have no names."""
        rows = json.loads(self.done("stats", SAMPLE, "--format=json"))
        names = {(row["layer"], row["head"]): row["name"] for row in rows}
        self.assertEqual((names[0, 2], names[1, 8], names[2, 7], names[5, 2]), ("previous-token", "next-token", "first-token-sink", None))
        for row in rows:
            for name, number, least in (("previous-token", "previous", 0.4), ("first-token-sink", "sink", 0.5), ("special-tokens", "special", 0.5)):
                if row["name"] == name:
                    self.assertEqual(row["name-number"], row[number])
                    self.assertGreaterEqual(row[number], least)
            self.assertEqual(row["name"] is None, row["name-number"] is None)
        for arguments in (("--quantity=residual",), ("--combine=mean",), ("--numbers=sink",)):
            self.assertNotIn("name", json.loads(self.done("stats", SAMPLE, "--format=json", *arguments))[0])

    def test_model(self):
        rows = json.loads(self.done("stats", CHECKPOINTS / "bert", "--ids=1,2,3", "--format=json"))
        self.assertGreater(len(rows), 1)
        self.assertTrue(all(0 <= row["entropy"] <= math.log(3) + 1e-6 for row in rows))
        self.fails("stats", self.folder / "none.h5", says="none.h5")


class FindHeads(Case):
    @needs_numpy
    def test_formats(self):
        """The three formats say the same, and what NumPy says."""
        with h5py.File(SAMPLE) as file:
            attention = file["attention"][...].astype(float)
        pairs = self.folder / "pairs.txt"
        pairs.write_text("fruit → banana\n\n#3->[SEP]#2\n", encoding="utf-8")
        arguments = ("find-heads", SAMPLE, "--pair=Flies#2:time", "--pairs", pairs)
        weights = numpy.stack([attention[..., 8, 1], attention[..., 7, 11], attention[..., 3, 12]], -1)
        means = weights.mean(-1)
        order = numpy.argsort(-means, axis=None, kind="stable")

        found = json.loads(self.done(*arguments, "--format=json"))
        self.assertEqual(found["block"], "attention")
        self.assertEqual([(one["pair"], one["queries"], one["keys"]) for one in found["pairs"]],
                         [("Flies#2 → time", [8], [1]), ("fruit → banana", [7], [11]), ("#3 → [SEP]#2", [3], [12])])
        lines = self.done(*arguments, "--format=csv").splitlines()
        table = self.done(*arguments).splitlines()
        self.assertEqual(lines[0], "rank,block,layer,head,weight,Flies#2 → time,fruit → banana,#3 → [SEP]#2")
        self.assertEqual(table[:3], ["1: Flies#2 → time", "2: fruit → banana", "3: #3 → [SEP]#2"])
        self.assertEqual(table[3].split(), ["rank", "block", "layer", "head", "weight", "1", "2", "3"])
        self.assertEqual((len(lines), len(table), len(found["heads"])), (73, 76, 72))
        for rank, (index, head, line, row) in enumerate(zip(order, found["heads"], lines[1:], table[4:]), 1):
            place = divmod(int(index), 12)
            self.assertEqual((head["rank"], head["layer"], head["head"]), (rank, *place))
            self.assertEqual(line.split(",")[:4], [str(rank), "attention", *map(str, place)])
            self.assertEqual(row.split()[:4], [str(rank), "attention", *map(str, place)])
            for numbers, delta in (([head["weight"], *head["weights"]], 1e-6), (map(float, line.split(",")[4:]), 1e-5),
                                   (map(float, row.split()[4:]), 6e-5)):
                numpy.testing.assert_allclose(list(numbers), [means[place], *weights[place]], rtol=0, atol=delta)

    @needs_numpy
    def test_block_and_example(self):
        with h5py.File(FIXTURES / "encoder-decoder.h5") as file:
            cross = file["cross_attention"][...].astype(float)
        found = json.loads(self.done("find-heads", FIXTURES / "encoder-decoder.h5", "--block=cross", "--pair=#1:#5",
                                     "--format=json"))
        self.assertEqual(found["block"], "cross")
        for head in found["heads"]:
            self.assertAlmostEqual(head["weight"], cross[head["layer"], head["head"], 1, 5], delta=1e-6)
        self.fails("find-heads", SAMPLE, "--block=cross", "--pair=#1:#5", says="no block “cross”", about=SAMPLE)

    def test_model(self):
        """Computed attention: a word in pieces."""
        bert = CHECKPOINTS / "bert"
        rows = json.loads(self.done("find-heads", bert, "--ids=1,2,3,4", "--pair=#1:#3", "--format=json"))["heads"]
        weights = [row["weight"] for row in rows]
        self.assertEqual(weights, sorted(weights, reverse=True))
        self.assertTrue(all(0 <= weight <= 1 for weight in weights))

    def test_refused(self):
        self.fails("find-heads", SAMPLE, "--pair=flies:time", says="write flies#1 to flies#2", about=SAMPLE)
        self.fails("find-heads", SAMPLE, "--pair=her:sarah", says="no “her” among the queries", about=SAMPLE)
        self.fails("find-heads", SAMPLE, "--pair=time", says="no pair", about=SAMPLE)
        none = self.folder / "none.txt"
        self.fails("find-heads", SAMPLE, "--pairs", none, says="No such file", about=none)
        none.write_bytes(b"time:\xff")
        self.fails("find-heads", SAMPLE, "--pairs", none, says="UTF-8", about=none)
        none.write_bytes(b"\n" * (1 << 20) + b"\n")
        self.fails("find-heads", SAMPLE, "--pairs", none, says="1 MiB", about=none)
        none.write_text("time:an\n" * 4097, encoding="utf-8")
        self.fails("find-heads", SAMPLE, "--pairs", none, says="4096")


class Info(Case):
    def test_first_head(self):
        """Which head a window begins with, and what it does."""
        self.assertIn("First head: layer 0 · head 2, attends to the previous token\n", self.done("info", SAMPLE))
        first = json.loads(self.done("info", "--json", SAMPLE))["first_head"]
        self.assertEqual((first["layer"], first["head"], first["name"], first["measured"]), (0, 2, "previous-token", 72))
        self.assertTrue(0 < first["worth"] <= 1)
        self.assertIsNone(json.loads(self.done("info", "--json", SAMPLE, "--quantity=residual"))["first_head"])

    def test_fixtures(self):
        for name, expected in EXPECTED.items():
            for index, example in enumerate(expected["examples"]):
                with self.subTest(file=name, example=index):
                    options = ["--example", index] if index > 0 else []
                    info = json.loads(self.done("info", "--json", FIXTURES / name, *options))
                    self.assertEqual(info["container"], "JSON" if name.endswith(".json") else "HDF5")
                    self.check_info(info, expected, example)

    def check_info(self, info, expected, example):
        self.assertEqual(info["model"], expected["model"])
        self.assertEqual("examples" in info, len(expected["examples"]) > 1)
        if "examples" in info:
            self.assertEqual(len(info["examples"]), len(expected["examples"]))
        for found, block in zip(info["blocks"], example["blocks"], strict=True):
            heads = block["heads"]
            self.assertEqual({key: found[key] for key in ("name", "layers", "heads", "queries", "keys")},
                             {"name": block["name"], "layers": block["layers"], "heads": max(heads),
                              "queries": block["queries"], "keys": block["keys"]})
            self.assertEqual(found.get("heads_of_layers", [max(heads)] * len(heads)), heads)
            if block["name"] == "attention" and "tokens" in info and block["query_tokens"] is not None:
                stored = block["query_tokens"][:block["queries"]]
                self.assertEqual(info["tokens"][:len(stored)], stored)
            if block["name"] == "cross":
                self.assertEqual(info["decoder_tokens"], block["query_tokens"])
                self.assertEqual(info["encoder_tokens"], block["key_tokens"])
        for check in info["checks"]:
            self.assertIn(check["severity"], ("info", "warning"))
            self.assertGreater(len(check["message"]), 10)

    def test_example_by_name(self):
        names = json.loads(self.done("info", "--json", FIXTURES / "examples.json"))["examples"]
        for name in names:
            info = json.loads(self.done("info", "--json", FIXTURES / "examples.json", "--example", name))
            self.assertEqual(info["example"], name)
        self.fails("info", FIXTURES / "examples.json", "--example", "nobody", says="“nobody”")
        self.fails("info", FIXTURES / "examples.json", "--example", "3", says="“3”")

    def test_text(self):
        text = self.done("info", SAMPLE)
        self.assertIn("6 layers × 12 heads × 13 queries × 13 keys, float32", text)
        self.assertIn("[CLS] time flies like an arrow [SEP]", text)
        long = self.folder / "long.json"
        long.write_text(json.dumps({"attention": [[[[0.01] * 100] * 100]], "tokens": [f"t{i}" for i in range(100)]}))
        self.assertIn(" t63 … (100 in all)\n", self.done("info", long))
        # In any locale, the same bytes.
        self.assertEqual(self.done("info", SAMPLE, env={"LC_ALL": "C"}), text)

    def test_terminal_is_safe(self):
        path = self.folder / "esc\033[31m\nape.json"
        path.write_text('{"attention":[[[[1]]]],"tokens":["\\u001b]0;x\\u0007"],"model":"a\\nb"}')
        text = self.done("info", path)
        self.assertNotIn("\033", text)
        self.assertIn("Model: a␊b\n", text)
        path.write_text("{")
        self.assertNotIn("\033", self.fails("info", path, says="esc␛[31m␊ape.json"))
        # What would turn the rest of the line over.
        path.write_text('{"attention":[[[[1]]]],"tokens":["\\u202eabc\\u2066"]}')
        self.assertIn("Tokens: \ufffdabc\ufffd\n", self.done("info", path))

    def test_unreadable(self):
        self.fails("info", self.folder / "nothing.h5", says="there is no such file", about=self.folder / "nothing.h5")
        self.fails("info", self.folder, says="folder", about=self.folder)
        os.mkfifo(self.folder / "pipe.h5")
        self.fails("info", self.folder / "pipe.h5", says="not a regular file")

    def test_nothing_is_written(self):
        shutil.copy(SAMPLE, self.folder / "a.h5")
        self.done("info", "a.h5", cwd=self.folder)
        self.assert_alone("a.h5")


class Malformed(Case):
    """Everything in tests/malformed ends as it should, in one sentence if it is an error."""

    def test_corpus(self):
        for line in (TESTS / "malformed" / "expected.tsv").read_text(encoding="utf-8").splitlines():
            if line.startswith(("#", "file\t")) or not line:
                continue
            name, outcome, contains = line.split("\t")[:3]
            with self.subTest(file=name):
                path = TESTS / "malformed" / name
                if outcome == "error":
                    self.fails("info", path, says=contains, about=path)
                elif outcome in ("opens", "opens-with-warning"):
                    self.done("info", path)
                else:
                    self.assertIn(run("info", path).returncode, (0, 1))


def read_h5(path):
    """All of an HDF5 file: {path: array, list of strings or attribute value}."""
    content = {}

    def visit(name, member):
        prefix = name + "/" if name else ""
        content.update({prefix + key: value for key, value in member.attrs.items()})
        if isinstance(member, h5py.Dataset):
            content[name] = member.asstr()[()].tolist() if h5py.check_string_dtype(member.dtype) else member[()]

    with h5py.File(path) as file:
        visit("", file)
        file.visititems(visit)
    return content


def read_json(path):
    """The same of JSON."""
    content = {}

    def visit(prefix, members):
        for key, value in members.items():
            if isinstance(value, dict):
                visit(f"{prefix}{key}/", value)
            elif isinstance(value, list) and not (value and isinstance(value[0], str)):
                try:
                    content[prefix + key] = numpy.array(value, numpy.float32)
                except ValueError:  # layers that differ in heads
                    content.update({f"{prefix}{key}/{i}": numpy.array(v, numpy.float32) for i, v in enumerate(value)})
            else:
                content[prefix + key] = value

    visit("", json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse_constant))
    return content


def refuse_constant(name):
    raise AssertionError(f"{name} is not JSON")


def read_npz(path):
    """The same of NPZ; attributes are arrays without axes there."""
    with numpy.load(path) as file:
        return {
            name: (array[()] if array.ndim == 0 else array.tolist()) if array.dtype.kind == "U" else array
            for name, array in ((name, file[name]) for name in file.files)
        }


READERS = {".h5": read_h5, ".json": read_json, ".npz": read_npz}


class Convert(Case):
    @needs_numpy
    def test_fixtures(self):
        """Every fixture, in every container: the cells and rows that expected.json knows, bit for bit."""
        for name, expected in EXPECTED.items():
            for suffix, read in READERS.items():
                if suffix == ".json" and "nan" in expected["odd"]:
                    continue
                with self.subTest(file=name, to=suffix):
                    target = self.folder / ("out" + suffix)
                    self.done("convert", FIXTURES / name, "--output", target)
                    self.check_content(read(target), expected, suffix)

    def check_content(self, content, expected, suffix):
        self.assertEqual(content["format"], "headlight-attention")
        self.assertEqual(int(content["version"]), 2)
        self.assertEqual(content.get("model"), expected["model"])
        groups = sorted({key.split("/")[1] for key in content if key.startswith("examples/")})
        self.assertEqual(len(groups), len(expected["examples"]) if len(expected["examples"]) > 1 else len(groups))
        for index, example in enumerate(expected["examples"]):
            prefix = f"examples/{groups[index]}/" if groups else ""
            for name in ("text", "text_pair"):
                self.assertEqual(content.get(prefix + name), example["flags"][name])
            for block in example["blocks"]:
                self.check_block(content, prefix, block, suffix)

    def check_block(self, content, prefix, block, suffix):
        name = prefix + ("attention" if block["name"] == "attention" else block["name"] + "_attention")
        if name not in content and f"{name}/0" not in content:
            for key in ("queries", "keys"):
                self.assertEqual(content[prefix + key].ndim, 4)
            return
        layers = [content[name][i] if name in content else content[f"{name}/{i}"] for i in range(block["layers"])]
        self.assertEqual([len(layer) for layer in layers], block["heads"])
        for layer in layers:
            self.assertEqual(layer.shape[1:], (block["queries"], block["keys"]))
        for cell in block["cells"]:
            found = self.as_float32(layers[cell["layer"]])[cell["head"], cell["query"], cell["key"]]
            self.assert_same(found, cell["value"])
        for row in block["rows"]:
            for found, value in zip(self.as_float32(layers[row["layer"]])[row["head"], row["query"]], row["values"], strict=True):
                self.assert_same(found, value)

    @staticmethod
    def as_float32(array):
        return array.astype(numpy.float32)

    def assert_same(self, found, value):
        wanted = numpy.float32(float(value))
        self.assertTrue(found == wanted or (math.isnan(found) and math.isnan(wanted)), (found, wanted))

    def test_npz_and_back(self):
        """What NPZ holds is the whole of it: written again it is the same file, and so is the JSON made of it."""
        for name, expected in EXPECTED.items():
            with self.subTest(file=name):
                self.done("convert", FIXTURES / name, "-o", self.folder / "a.npz")
                self.done("convert", self.folder / "a.npz", "-o", self.folder / "b.npz")
                self.assertEqual((self.folder / "a.npz").read_bytes(), (self.folder / "b.npz").read_bytes())
                if "nan" in expected["odd"]:
                    continue
                self.done("convert", FIXTURES / name, "-o", self.folder / "a.json")
                self.done("convert", self.folder / "a.npz", "-o", self.folder / "b.json")
                self.assertEqual((self.folder / "a.json").read_bytes(), (self.folder / "b.json").read_bytes())

    @needs_numpy
    def test_types(self):
        """float16 and bfloat16 stay, float64 becomes float32; NumPy has no bfloat16."""
        for name, bits, npz in (("f16-gzip.h5", 16, "float16"), ("bf16-gzip.h5", 16, "float32"), ("f64.h5", 32, "float32"),
                                ("f32-big-endian.h5", 32, "float32"), ("f16-big-endian.h5", 16, "float16")):
            with self.subTest(file=name):
                self.done("convert", FIXTURES / name, "-o", self.folder / "out.h5")
                self.done("convert", FIXTURES / name, "-o", self.folder / "out.npz")
                with h5py.File(self.folder / "out.h5") as file:
                    dataset = file["attention"]
                    self.assertEqual(dataset.id.get_type().get_precision(), bits)
                    self.assertEqual(dataset.chunks, (1, 1, *dataset.shape[2:]))
                    self.assertEqual((dataset.compression, dataset.compression_opts, dataset.shuffle), ("gzip", 4, True))
                with numpy.load(self.folder / "out.npz") as file:
                    self.assertEqual(str(file["attention"].dtype), npz)

    @needs_numpy
    def test_queries_and_keys(self):
        """They stay as they are, and attention is not made of them; where the file has it, it stays too."""
        for name, members in (("qk-grouped.h5", {"queries", "keys", "values"}), ("qk-and-attention.h5", {"queries", "keys", "attention"}),
                              ("qk-softcap.h5", {"queries", "keys"})):
            source = read_h5(FIXTURES / name)
            for suffix, read in READERS.items():
                with self.subTest(file=name, to=suffix):
                    target = self.folder / ("out" + suffix)
                    self.done("convert", FIXTURES / name, "-o", target)
                    content = read(target)
                    self.assertEqual({m for m in ("attention", "queries", "keys", "values") if m in content}, members)
                    for member in members:
                        numpy.testing.assert_array_equal(content[member], source[member].astype(content[member].dtype))
                    for attribute in ("scale", "softcap", "sliding_window"):
                        if attribute in source:
                            self.assertEqual(float(content[attribute]), float(source[attribute]))

    @needs_numpy
    def test_large_rows(self):
        """Heads above a MiB have several chunks; the last of a head is a part of one."""
        numbers = numpy.random.default_rng(1).random((2, 2, 1000, 700), numpy.float32)
        with h5py.File(self.folder / "in.h5", "w") as file:
            file["attention"] = numbers
        for suffix, read in READERS.items():
            target = self.folder / ("out" + suffix)
            self.done("convert", self.folder / "in.h5", "-o", target)
            numpy.testing.assert_array_equal(read(target)["attention"], numbers)
        with h5py.File(self.folder / "out.h5") as file:
            self.assertEqual(file["attention"].chunks, (1, 1, 374, 700))

    @needs_numpy
    def test_npz_alignment(self):
        self.done("convert", SAMPLE, "-o", self.folder / "out.npz")
        data = (self.folder / "out.npz").read_bytes()
        starts = [match.start() for match in re.finditer(b"\x93NUMPY\x01\x00", data)]
        self.assertGreater(len(starts), 5)
        for start in starts:
            self.assertEqual(start % 64, 0)
            self.assertEqual((10 + int.from_bytes(data[start + 8:start + 10], "little")) % 64, 0)

    def test_back_and_forth(self):
        """What was written is read as what it was; of float16, which JSON does not have, as float32."""
        first = json.loads(self.done("info", "--json", SAMPLE).replace('"float16"', '"float32"'))
        chain = [SAMPLE] + [self.folder / name for name in ("a.json", "b.h5", "c.JSON", "d.hdf5")]
        for source, target in zip(chain, chain[1:]):
            self.done("convert", source, "--output", target)
        last = json.loads(self.done("info", "--json", chain[-1]))
        self.assertEqual(first, last)
        self.assertEqual((self.folder / "a.json").read_bytes(), (self.folder / "c.JSON").read_bytes())
        self.assertEqual((self.folder / "b.h5").read_bytes(), (self.folder / "d.hdf5").read_bytes())

    def test_into_itself(self):
        shutil.copy(SAMPLE, self.folder / "a.h5")
        self.done("convert", self.folder / "a.h5", "-o", self.folder / "a.h5")
        self.assertEqual(json.loads(self.done("info", "--json", self.folder / "a.h5")),
                         json.loads(self.done("info", "--json", SAMPLE)))
        self.assert_alone("a.h5")

    def test_failure_leaves_what_was_there(self):
        target = self.folder / "out.json"
        target.write_text("before")
        self.fails("convert", FIXTURES / "nan-row.h5", "-o", target, says="not a finite number", about=target)
        self.fails("convert", self.folder / "none.h5", "-o", target, says="no such file", about=self.folder / "none.h5")
        self.assertEqual(target.read_text(), "before")
        self.assert_alone("out.json")

    def test_damage_is_blamed_on_the_source(self):
        target = self.folder / "out.h5"
        self.fails("convert", TESTS / "malformed" / "gzip-corrupt.h5", "-o", target, says="gzip-corrupt.h5")
        self.assert_alone()

    def test_targets(self):
        self.misused("convert", SAMPLE, "-o", self.folder / "x.csv", says="--output must end in .h5, .hdf5, .json or .npz")
        self.fails("convert", SAMPLE, "-o", self.folder / "no" / "x.h5", says="cannot be written")
        (self.folder / "x.h5").mkdir()
        self.fails("convert", SAMPLE, "-o", self.folder / "x.h5", says="folder", about=self.folder / "x.h5")
        self.assert_alone("x.h5")

    def test_targets_first(self):
        """Where nothing can be written is known before anything is read."""
        lost = self.folder / "lost"
        lost.mkdir()
        shutil.copy(CHECKPOINTS / "gpt2" / "config.json", lost)
        for command, name in (("convert", "x.h5"), ("recompute", "x.h5"), ("generate", "x.h5"), ("render", "x.svg")):
            with self.subTest(command, name=name):
                target = self.folder / "no" / name
                self.fails(command, lost, "--ids=1,2", "-o", self.folder / name, says="", about=lost)
                self.fails(command, lost, "--ids=1,2", "-o", target, says="it cannot be written", about=target)

    @needs_numpy
    def test_interrupt(self):
        """Ctrl+C ends it at once as a signal does, and leaves nothing; nor does anything that kills it."""
        with h5py.File(self.folder / "big.h5", "w") as file:
            dataset = file.create_dataset("attention", (8, 16, 1024, 1024), "f4", chunks=(1, 1, 1024, 1024), compression="gzip")
            dataset[0, 0] = numpy.random.default_rng(1).random((1024, 1024), numpy.float32)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
            # Who runs the tests may have been told to outlive the terminal.
            with subprocess.Popen([CLI, "convert", self.folder / "big.h5", "-o", self.folder / "out.json"], env=ENVIRONMENT,
                                  stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL)) as process:
                self.wait_for_writing(process)
                process.send_signal(number)
                self.assertEqual(process.wait(30), -number)
                self.assertEqual(process.stderr.read(), b"")
            self.assert_alone("big.h5")

    @needs_numpy
    def test_full_disk(self):
        """A limit on the size of files stands in for it."""
        with h5py.File(self.folder / "in.h5", "w") as file:
            file["attention"] = numpy.random.default_rng(1).random((1, 4, 512, 512), numpy.float32)
        for suffix in READERS:
            target = self.folder / ("out" + suffix)
            result = subprocess.run(["bash", "-c", 'ulimit -f 1000; trap "" XFSZ; exec "$0" "$@"', CLI, "convert", self.folder / "in.h5",
                                     "-o", target], env=ENVIRONMENT, capture_output=True, encoding="utf-8", timeout=120)
            self.assertEqual(result.returncode, 1, suffix)
            self.assertEqual(result.stderr, f"headlight-cli: {target}: it cannot be written: File too large\n")
            self.assert_alone("in.h5")


# A vocabulary for the tiny models, whose tables have 60 rows.
VOCABULARY = "[PAD] [UNK] [CLS] [SEP] time flies like an arrow fruit a banana".split()


class Generation(Case):
    """What generate() of transformers returned: the steps as one map, and each of them."""

    FOLDER = FIXTURES / "generation"

    @needs_numpy
    def test_convert(self):
        """The whole is written, once."""
        steps = json.loads((self.FOLDER / "lists.json").read_text())
        whole = numpy.zeros((2, 3, 7, 7), numpy.float32)
        row = 0
        for step in steps["attentions"]:
            part = numpy.array(step, numpy.float32)[:, 0]
            whole[:, :, row:row + part.shape[2], :part.shape[3]] = part
            row += part.shape[2]
        for suffix, read in READERS.items():
            with self.subTest(to=suffix):
                target = self.folder / ("out" + suffix)
                self.done("convert", self.FOLDER / "lists.json", "-o", target)
                content = read(target)
                numpy.testing.assert_array_equal(content["attention"], whole)
                self.assertEqual(list(content["tokens"]), steps["tokens"])
                self.assertNotIn("examples", content)

    @needs_numpy
    def test_beams(self):
        target = self.folder / "beams.h5"
        self.done("convert", self.FOLDER / "beams.pt", "-o", target)
        with h5py.File(target) as file:
            self.assertEqual(sorted(file["examples"]), [f"[{i}] · All steps" for i in range(4)])

    def test_step(self):
        said = self.done("info", "--example", "Step 2", self.FOLDER / "tokens.pt")
        self.assertIn("1 queries × 6 keys", said)


class Model(Case):
    """Models as a SOURCE.  The references were computed by transformers, tests/model/make-references.py."""

    def copy(self, name="bert", vocabulary=VOCABULARY):
        folder = self.folder / name
        shutil.copytree(CHECKPOINTS / name, folder)
        if vocabulary:
            (folder / "vocab.txt").write_text("".join(f"{word}\n" for word in vocabulary), encoding="utf-8")
        return folder

    def test_tokens(self):
        folder = self.copy()
        text = ["--text", "Time flies like an arrow", "--text-pair", "fruit flies"]
        found = json.loads(self.done("tokens", folder, *text, "--json"))
        self.assertEqual(found, {
            "ids": [2, 4, 5, 6, 7, 8, 3, 9, 5, 3],
            "tokens": ["[CLS]", "time", "flies", "like", "an", "arrow", "[SEP]", "fruit", "flies", "[SEP]"],
            "segments": [0, 0, 0, 0, 0, 0, 0, 1, 1, 1],
            "sentence_b_start": 7,
        })
        lines = self.done("tokens", folder, *text).splitlines()
        self.assertEqual(lines[7], "7\t9\t1\tfruit")
        self.assertEqual(len(lines), 10)
        # In any locale, the same.
        text = ["--text", "naïve 日本"]
        self.assertEqual(self.done("tokens", folder, *text), self.done("tokens", folder, *text, env={"LC_ALL": "C"}))
        self.fails("tokens", CHECKPOINTS / "bert", "--text", "a", says="tokenizer.json", about=CHECKPOINTS / "bert")
        self.fails("tokens", self.folder / "nothing", "--text", "a", says="", about=self.folder / "nothing")

    @needs_numpy
    def test_recompute(self):
        """Attention as transformers computes it: windows, soft caps, biases, three blocks."""
        for name in ("t5", "bart", "gemma2", "modernbert", "mistral", "gpt2", "distilbert"):
            with h5py.File(CHECKPOINTS / name / "reference.h5") as file:
                expected = {key: dataset[()] for key, dataset in file.items()}
            arguments = ["--ids", ",".join(map(str, expected["ids"]))]
            if "decoder_ids" in expected:
                arguments += ["--decoder-ids", ",".join(map(str, expected["decoder_ids"]))]
            for suffix, read in READERS.items():
                with self.subTest(model=name, to=suffix):
                    target = self.folder / ("out" + suffix)
                    self.done("recompute", CHECKPOINTS / name, *arguments, "-o", target)
                    content = read(target)
                    self.assertEqual(content["model"], name)
                    self.assertNotIn("queries", content)
                    maps = [key for key in expected if key.endswith("attention")]
                    self.assertEqual(sorted(key for key in content if key.endswith("attention")), sorted(maps))
                    for key in maps:
                        numpy.testing.assert_allclose(content[key], expected[key], rtol=0, atol=1e-5)

    @needs_numpy
    def test_layers_without_attention(self):
        """They are missing from a dump, and keep their numbers."""
        model, ids = CHECKPOINTS / "qwen35", "--ids=5,6,7,8,9,10,11"
        target = self.folder / "out.h5"
        self.done("recompute", model, ids, "-o", target)
        with h5py.File(target) as file:
            self.assertEqual(sorted(file["attention"]), ["1", "3"])
            self.assertEqual(file.attrs["layers"], 4)
        expected = json.loads(self.done("stats", model, ids, "--format=json"))
        self.assertEqual(sorted({row["layer"] for row in expected}), [1, 3])
        for store in ("weights", "qk", "all"):
            with self.subTest(store=store):
                if store != "weights":
                    target.unlink()
                    self.done("recompute", model, ids, f"--store={store}", "-o", target)
                for row, other in zip(json.loads(self.done("stats", target, "--format=json")), expected, strict=True):
                    self.assertEqual((row["layer"], row["head"]), (other["layer"], other["head"]))
                    self.assertAlmostEqual(row["entropy"], other["entropy"], places=5)
                self.assertEqual(json.loads(self.done("info", "--json", target))["blocks"][0]["heads_of_layers"], [0, 4, 0, 4])
        for file in (model, target):
            more = [ids] if file == model else []
            self.fails("render", file, *more, "--layer=0", "-o", self.folder / "a.png", says="no attention in layer 0", about=file)
            self.fails("stats", file, *more, "--quantity=rollout", says="no attention in layer 0", about=file)
            self.assertIn("2 of 4 layers have no attention", self.done("info", file, *more))
            self.done("render", file, *more, "--view=layers", "-o", self.folder / "layers.svg")
            self.assertEqual((self.folder / "layers.svg").read_text().count("no attention in this layer"), 2)
            self.done("render", file, *more, "--combine=mean", "--combine-over=layers", "--view=heatmap", "-o", self.folder / "mean.svg")
            self.assertIn("mean of layers 1, 3 ·", (self.folder / "mean.svg").read_text())
        # How many there are may be said of the whole file.
        examples = self.folder / "examples.h5"
        with h5py.File(target) as file, h5py.File(examples, "w") as other:
            file.copy("/", other, "examples/one")
            other.attrs["layers"] = other["examples/one"].attrs["layers"]
            del other["examples/one"].attrs["layers"]
        self.assertEqual(json.loads(self.done("info", "--json", examples))["blocks"][0]["heads_of_layers"], [0, 4, 0, 4])
        for layers in (1, 3):
            with h5py.File(target, "r+") as file:
                file.attrs["layers"] = layers
            self.assertNotEqual(run("stats", target).returncode, 0)

    @needs_numpy
    def test_store_qk(self):
        """Queries and keys give the same attention, with another softmax than ours; and are read back as that."""
        for name in ("distilbert", "mistral", "gemma2", "gemma3", "gpt-oss"):
            with h5py.File(CHECKPOINTS / name / "reference.h5") as file:
                expected, ids = file["attention"][()], ",".join(map(str, file["ids"][()]))
            n_layers = len(expected)

            def of_layers(name, otherwise):
                """One number for all layers, or one for each."""
                return numpy.broadcast_to(content.get(name, otherwise), n_layers)[:, None, None, None]
            target = self.folder / "out.h5"
            self.done("recompute", CHECKPOINTS / name, "--ids", ids, "--store", "qk", "-o", target)
            content = read_h5(target)
            self.assertEqual({"queries", "keys", "values"} & set(content), {"queries", "keys", "values"})
            self.assertNotIn("attention", content)
            group = content["queries"].shape[1] // content["keys"].shape[1]
            scores = of_layers("scale", None) * content["queries"].astype(float) @ numpy.repeat(content["keys"], group, 1).swapaxes(2, 3)
            cap, window = of_layers("softcap", 0), of_layers("sliding_window", 0)
            scores = numpy.where(cap > 0, cap * numpy.tanh(scores / numpy.maximum(cap, 1)), scores)
            query, key = numpy.indices(scores.shape[2:])
            if content["causal"]:
                hidden = (key > query) | ((key <= query - window) & (window > 0))
                scores = numpy.where(hidden, -numpy.inf, scores)
            greatest = scores.max(-1, keepdims=True)
            scores = numpy.exp(scores - greatest)
            total = scores.sum(-1, keepdims=True)
            if "sinks" in content:
                total = total + numpy.exp(content["sinks"][:, :, None, None] - greatest)
            numpy.testing.assert_allclose(scores / total, expected, rtol=0, atol=1e-5)
            again = self.folder / "again.h5"
            self.done("convert", target, "--store=weights", "-o", again)
            found = read_h5(again)
            numpy.testing.assert_allclose(found["attention"], expected, rtol=0, atol=1e-5)
            numpy.testing.assert_array_equal(found.get("sliding_window", 0), content.get("sliding_window", 0))
            self.assertEqual("sinks" in found, "sinks" in content)
            again.unlink()
            info = json.loads(self.done("info", "--json", target))
            self.assertEqual(info["blocks"][0]["queries"], expected.shape[2])

    @needs_numpy
    def test_convert_store(self):
        """Queries and keys become weights, and a dump that has both becomes queries and keys again."""
        with h5py.File(CHECKPOINTS / "mistral" / "reference.h5") as file:
            expected, ids = file["attention"][()], ",".join(map(str, file["ids"][()]))
        qk, weights = self.folder / "qk.h5", self.folder / "weights.npz"
        self.done("recompute", CHECKPOINTS / "mistral", "--ids", ids, "--store", "qk", "-o", qk)
        self.done("convert", qk, "--store=weights", "-o", weights)
        content = dict(numpy.load(weights))
        self.assertNotIn("queries", content)
        numpy.testing.assert_allclose(content["attention"], expected, rtol=0, atol=1e-5)

        both, again = self.folder / "both.h5", self.folder / "again.h5"
        with h5py.File(qk) as source, h5py.File(both, "w") as file:
            for name in source:
                source.copy(name, file)
            for name, value in source.attrs.items():
                file.attrs[name] = value
            file["attention"] = expected
        self.done("convert", both, "--store", "qk", "-o", again)
        content, wanted = read_h5(again), read_h5(qk)
        self.assertNotIn("attention", content)
        for name in ("queries", "keys", "values"):
            numpy.testing.assert_array_equal(content[name], wanted[name])

    def test_convert_store_refused(self):
        """Weights have lost the queries and keys that they came from."""
        target = self.folder / "out.h5"
        self.fails("convert", WEIGHTS_ALONE, "--store=qk", "-o", target, says="no queries and keys", about=target)
        self.assert_alone()
        self.misused("convert", SAMPLE, "--store=all", "-o", target, says="weights or qk")

    def test_source(self):
        """The same file of attention, whichever command makes it; and a figure of it."""
        folder = self.copy()
        text = ["--text", "time flies like an arrow", "--text-pair", "fruit flies like a banana"]
        self.done("recompute", folder, *text, "-o", self.folder / "a.h5")
        self.done("convert", folder, *text, "-o", self.folder / "b.h5")
        self.assertEqual((self.folder / "a.h5").read_bytes(), (self.folder / "b.h5").read_bytes())
        of_model = json.loads(self.done("info", "--json", folder, *text))
        of_dump = json.loads(self.done("info", "--json", self.folder / "a.h5"))
        self.assertEqual((of_model.pop("container"), of_dump.pop("container")), ("model", "HDF5"))
        self.assertEqual([dataset["name"] for dataset in of_dump.pop("datasets")], ["attention", "value_norms"])
        self.assertEqual(of_model, of_dump)
        pictures = set()
        for source in ([folder, *text], [self.folder / "a.h5"]):
            self.done("render", *source, "--layer=1", "--heads=2", "--sentences=ab", "-o", self.folder / "a.png")
            pictures.add((self.folder / "a.png").read_bytes())
        self.assertEqual(len(pictures), 1)

    def test_target_text(self):
        folder = self.copy("bart")
        text = ["--text", "a banana", "--target-text", "time flies"]
        info = json.loads(self.done("info", "--json", folder, *text))
        self.assertEqual([block["name"] for block in info["blocks"]], ["encoder", "decoder", "cross"])
        self.assertEqual(info["decoder_tokens"], ["[CLS]", "[CLS]", "time", "flies"])
        info = json.loads(self.done("info", "--json", folder, *text[:2]))
        self.assertEqual([block["name"] for block in info["blocks"]], ["encoder"])
        self.assertTrue(any("decoder" in check["message"] for check in info["checks"]))
        self.fails("info", self.copy(), *text, says="no decoder")

    def test_long_text(self):
        folder = self.copy()
        said = "the model takes at most 32 tokens: 20 tokens of the text are left out"
        result = run("info", "--json", folder, "--text", "time " * 50)
        self.assertEqual((result.returncode, result.stderr), (0, f"headlight-cli: {said}\n"))
        info = json.loads(result.stdout)
        self.assertEqual(info["blocks"][0]["queries"], 32)
        self.assertIn(("warning", said), [(check["severity"], check["message"]) for check in info["checks"]])
        self.fails("info", folder, "--ids", ",".join(["5"] * 33), says="33 tokens; the model takes at most 32", about=folder)

    def spoil(self, change):
        """A model whose safetensors header, a dict, and numbers have been changed."""
        folder = self.copy()
        path = folder / "model.safetensors"
        data = path.read_bytes()
        length = int.from_bytes(data[:8], "little")
        header, numbers = json.loads(data[8:8 + length]), bytearray(data[8 + length:])
        change(header, numbers)
        text = json.dumps(header).encode()
        path.write_bytes(len(text).to_bytes(8, "little") + text + numbers)
        return folder

    def test_bad_weights(self):
        """One sentence that names the tensor or the key."""
        name = "encoder.layer.1.attention.self.key.weight"

        def drop(header, numbers):
            begin, end = header.pop(name)["data_offsets"]
            del numbers[begin:end]
            for tensor in header.values():
                if tensor.get("data_offsets", [0])[0] >= end:
                    tensor["data_offsets"] = [offset - (end - begin) for offset in tensor["data_offsets"]]

        def reshape(header, numbers):
            header[name]["shape"] = [12, 48]

        def past_end(header, numbers):
            last = max((tensor for tensor in header.values() if "dtype" in tensor), key=lambda tensor: tensor["data_offsets"])
            last["data_offsets"][1] += 1 << 40
            last["shape"] = [(last["data_offsets"][1] - last["data_offsets"][0]) // 4]

        def overlap(header, numbers):
            header[name]["data_offsets"] = [offset - 4 for offset in header[name]["data_offsets"]]

        def poison(header, numbers):
            begin = header[name]["data_offsets"][0]
            numbers[begin:begin + 4] = b"\0\0\xc0\x7f"

        for change, says in ((drop, f"“{name}” is missing"), (reshape, f"“{name}” is 12 × 48"), (past_end, "“"), (overlap, "“"),
                             (poison, f"“{name}” holds NaN")):
            with self.subTest(change=change.__name__):
                folder = self.spoil(change)
                self.fails("info", folder, "--text", "time flies", says=says, about=folder)
                shutil.rmtree(folder)

    def test_bad_folder(self):
        folder = self.copy()
        weights = folder / "model.safetensors"
        data = weights.read_bytes()
        weights.write_bytes((10 << 30).to_bytes(8, "little") + data[8:])
        self.fails("info", folder, "--text", "a", says="model.safetensors: ", about=folder)
        weights.write_bytes(data[:-1])
        self.fails("info", folder, "--text", "a", says="model.safetensors: ", about=folder)
        weights.unlink()
        self.fails("info", folder, "--text", "a", says="there is no “model.safetensors”", about=folder)
        (folder / "config.json").unlink()
        self.fails("info", folder, "--text", "a", says="there is no “config.json”", about=folder)

    def test_vocabulary_of_another_model(self):
        folder = self.copy(vocabulary=VOCABULARY + [f"word{i}" for i in range(60)])
        self.fails("info", folder, "--text", "time word59", says="token 71 is none of the 60", about=folder)
        self.fails("info", folder, "--ids", "4,60", says="token 60 is none of the 60", about=folder)

    def test_failure_leaves_what_was_there(self):
        target = self.folder / "out.h5"
        target.write_text("before")
        folder = self.copy()
        self.fails("recompute", folder, "--ids", "60", "-o", target, says="token 60", about=folder)
        self.assertEqual(target.read_text(), "before")


class Render(Case):
    def draw(self, name, *options, source=SAMPLE):
        target = self.folder / name
        self.done("render", source, "--output", target, *options)
        return target.read_bytes()

    @staticmethod
    def png_size(data):
        assert data.startswith(b"\x89PNG\r\n\x1a\n")
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")

    def test_formats(self):
        for view in ("head-view", "heatmap"):
            with self.subTest(view=view):
                options = ["--view", view, "--layer", 3, "--heads", 5]
                self.png_size(self.draw("a.png", *options))
                svg = xml.etree.ElementTree.fromstring(self.draw("a.svg", *options))
                text = " ".join(svg.itertext())
                for token in ("[CLS]", "arrow", "banana"):
                    self.assertIn(token, text)
                pdf = self.draw("a.pdf", *options)
                self.assertTrue(pdf.startswith(b"%PDF-"))
                self.assertIn(b"%%EOF", pdf[-32:])

    def test_model_view(self):
        """All heads, whichever were chosen, in all formats."""
        same = self.draw("a.png", "--view=model-view")
        self.assertEqual(self.draw("a.png", "--view=model-view", "--layer=2", "--heads=1,3"), same)
        svg = xml.etree.ElementTree.fromstring(self.draw("a.svg", "--view=model-view", "--thumbnails=lines"))
        self.assertIn("6 layers × 12 heads", " ".join(svg.itertext()))
        self.assertTrue(self.draw("a.pdf", "--view=model-view").startswith(b"%PDF-"))

    def test_steps_and_neurons(self):
        """Views of what weights are made of: in all formats, with scale and mask said; without queries, a sentence."""
        dump = FIXTURES / "qk-grouped.h5"
        options = ["--layer=1", "--heads=4", "--score-scale=10", "--mask=no"]
        for view in ("steps", "neuron"):
            for suffix, magic in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
                target = self.folder / f"{view}.{suffix}"
                self.done("render", dump, "-o", target, f"--view={view}", *options)
                self.assertTrue(target.read_bytes().startswith(magic), target)
            svg = (self.folder / f"{view}.svg").read_text(encoding="utf-8")
            self.assertIn("layer 1 · head 4 · scores × 10 · mask off", svg)
            self.fails("render", WEIGHTS_ALONE, "-o", self.folder / "x.png", f"--view={view}", says="needs queries and keys",
                       about=WEIGHTS_ALONE)
            self.assertFalse((self.folder / "x.png").exists())
        self.done("render", dump, "-o", self.folder / "token.svg", "--view=neuron", "--token=5")
        self.assertIn("softmax", (self.folder / "token.svg").read_text(encoding="utf-8"))

    def test_size_and_scale(self):
        options = ["--view=heatmap", "--width=640", "--height=480"]
        self.assertEqual(self.png_size(self.draw("a.png", *options)), (640, 480))
        self.assertEqual(self.png_size(self.draw("a.png", *options, "--scale=2")), (1280, 960))
        svg = xml.etree.ElementTree.fromstring(self.draw("a.svg", *options))
        self.assertEqual((float(svg.get("width").rstrip("px")), float(svg.get("height").rstrip("px"))), (640, 480))

    def test_same_bytes(self):
        for name in ("a.png", "a.svg", "a.pdf"):
            self.assertEqual(self.draw(name, "--layer=1"), self.draw(name, "--layer=1"), name)

    def test_every_option_matters(self):
        pictures = {}
        base = ["--layer=3", "--heads=5", "--width=600", "--height=500"]
        variants = {
            "nothing": [], "layer": ["--layer=2"], "head": ["--heads=4"], "heads": ["--heads=5,6"], "all": ["--heads=all"],
            "theme": ["--theme=dark"], "token": ["--token=2"], "first token": ["--token=0"], "threshold": ["--threshold=0.2"],
            "top": ["--top-mass=0.5"], "sentences": ["--sentences=ab"], "title": ["--title=A title"],
        }
        for name, options in (("model", []), ("model lines", ["--thumbnails=lines"]), ("model log", ["--value-scale=log"])):
            pictures[name] = self.draw("a.png", "--view=model-view", "--width=600", "--height=500", *options)
        heatmaps = {"heatmap": [], "map": ["--colour-map=cividis"], "log": ["--value-scale=log"], "row": ["--value-scale=row"]}
        for name, options in {**variants, **{k: ["--view=heatmap", *v] for k, v in heatmaps.items()}}.items():
            pictures[name] = self.draw("a.png", *base, *options)
        for name, data in pictures.items():
            same = [other for other, other_data in pictures.items() if other_data == data]
            self.assertEqual(same, [name])

    def test_block_and_example(self):
        source = FIXTURES / "encoder-decoder.h5"
        pictures = {self.draw("a.png", "--block", block, source=source) for block in ("encoder", "decoder", "cross")}
        self.assertEqual(len(pictures), 3)
        self.fails("render", source, "--block=attention", "-o", self.folder / "b.png", says="no block “attention”", about=source)
        source = FIXTURES / "examples.h5"
        self.assertEqual(len({self.draw("a.png", "--example", i, source=source) for i in range(3)}), 3)

    def test_what_is_not_there(self):
        target = self.folder / "a.png"
        self.fails("render", SAMPLE, "-o", target, "--layer=6", says="no layer 6; the last one is 5", about=SAMPLE)
        self.fails("render", SAMPLE, "-o", target, "--heads=3,12", says="no head 12 in layer 0; the last one is 11", about=SAMPLE)
        self.fails("render", SAMPLE, "-o", target, "--token=13", says="no token 13", about=SAMPLE)
        self.fails("render", FIXTURES / "group-heads-differ.h5", "-o", target, "--layer=1", "--heads=1", says="no head 1 in layer 1")
        self.assert_alone()

    def test_failure_leaves_what_was_there(self):
        target = self.folder / "a.png"
        target.write_text("before")
        self.fails("render", TESTS / "malformed" / "gzip-corrupt.h5", "-o", target, says="", about=TESTS / "malformed" / "gzip-corrupt.h5")
        self.assertEqual(target.read_text(), "before")
        self.fails("render", SAMPLE, "-o", self.folder / "no" / "a.png", says="cannot be written", about=self.folder / "no" / "a.png")
        self.assert_alone("a.png")

    def test_no_display_is_needed(self):
        self.draw("a.png", "--heads=0")
        environment = {key: value for key, value in ENVIRONMENT.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY", "HOME")}
        result = subprocess.run([CLI, "render", SAMPLE, "-o", self.folder / "b.png"], env=environment, timeout=60)
        self.assertEqual(result.returncode, 0)


class Choices(Case):
    """How a file is to be read, when the likeliest is not what was meant."""

    FOREIGN = FIXTURES / "foreign"

    def convert(self, source, *options):
        """The members of what is written of a file that is read so."""
        target = self.folder / "converted.h5"
        self.done("convert", source, "-o", target, *options)
        with h5py.File(target) as file:
            found = {}
            file.visititems(lambda name, member: found.update({name: member[()]} if isinstance(member, h5py.Dataset) else {}))
            return found

    @staticmethod
    def words(array):
        return [word.decode() for word in array]

    def checks(self, source, *options):
        return [check["message"] for check in json.loads(self.done("info", "--json", source, *options))["checks"]]

    @needs_numpy
    def test_axes(self):
        array = numpy.load(self.FOREIGN / "layers.npy")
        for axes, order in [("layer,head,query,key", (0, 1, 2, 3)), ("head,layer,query,key", (1, 0, 2, 3)),
                            ("key, query, head, layer", (3, 2, 1, 0)), ("Layer,Head,Key,Query", (0, 1, 3, 2))]:
            with self.subTest(axes=axes):
                found = self.convert(self.FOREIGN / "layers.npy", "--axes", axes)
                numpy.testing.assert_array_equal(found["attention"], array.transpose(order))
        self.assertTrue(any("3 × 2 × 6 × 6) is read as head × layer × query × key, as was asked for" in message
                            for message in self.checks(self.FOREIGN / "layers.npy", "--axes=head,layer,query,key")))

    @needs_numpy
    def test_one_index(self):
        array = numpy.load(self.FOREIGN / "layers.npy")
        found = self.convert(self.FOREIGN / "layers.npy", "--axes=2,head,key,query")
        numpy.testing.assert_array_equal(found["attention"], array[2].transpose(0, 2, 1)[None])
        numpy.save(self.folder / "runs.npy", numpy.stack([array, 1 - array]).astype("f4"))
        found = self.convert(self.folder / "runs.npy", "--axes=1,layer,head,query,key")
        numpy.testing.assert_array_equal(found["attention"], (1 - array).astype("f4"))
        self.fails("info", "--axes=2,layer,head,query,key", self.folder / "runs.npy", about=self.folder / "runs.npy",
                   says="has no index 2 on axis 0")

    @needs_numpy
    def test_list_of_datasets(self):
        rng = numpy.random.default_rng(1)
        arrays = {"layer_0": rng.random((2, 4, 4), "f4"), "layer_1": rng.random((2, 4, 4), "f4"),
                  "other": rng.random((3, 2, 4, 4)), "ids": numpy.arange(12).reshape(3, 4)}
        path = self.folder / "several.npz"
        numpy.savez(path, **arrays)
        found = json.loads(self.done("info", "--json", path))["datasets"]
        self.assertEqual(found, [{"name": "layer_#", "layers": 2, "shape": [2, 4, 4], "dtype": "float32"},
                                 {"name": "layer_0", "shape": [2, 4, 4], "dtype": "float32"},
                                 {"name": "layer_1", "shape": [2, 4, 4], "dtype": "float32"},
                                 {"name": "other", "shape": [3, 2, 4, 4], "dtype": "float64"}])
        text = self.done("info", path)
        self.assertIn("\nDataset: layer_# (2 × (2 × 4 × 4), float32)\nDataset: other (3 × 2 × 4 × 4, float64)\n", text)
        numpy.testing.assert_array_equal(self.convert(path, "--dataset=layer_#")["attention"],
                                         numpy.stack([arrays["layer_0"], arrays["layer_1"]]))
        self.assertNotIn("Dataset", self.done("info", self.FOREIGN / "layers.npy"))

    @needs_numpy
    def test_examples_and_steps(self):
        array = numpy.load(self.FOREIGN / "layers.npy")
        for axis, name in [("example", "[{}]"), ("step", "step {}")]:
            found = self.convert(self.FOREIGN / "layers.npy", f"--axes={axis},head,query,key")
            self.assertEqual(len(found), 3)
            for i in range(3):
                numpy.testing.assert_array_equal(found[f"examples/{name.format(i)}/attention"], array[i][None])
        info = json.loads(self.done("info", "--json", "--axes=step,head,query,key", "--example=step 2", self.FOREIGN / "layers.npy"))
        self.assertEqual((info["examples"], info["example"]), (["step 0", "step 1", "step 2"], "step 2"))
        # Both only where one of them is no choice.
        numpy.save(self.folder / "both.npy", array[:, None, None].astype("f4"))
        found = self.convert(self.folder / "both.npy", "--axes=step,layer,example,head,query,key")
        numpy.testing.assert_array_equal(found["examples/step 1/attention"], array[1][None])
        # Steps that are whole maps stand on their own, of each example.
        numpy.save(self.folder / "both.npy", numpy.stack([array, 1 - array], 1)[:, None].astype("f4"))
        found = self.convert(self.folder / "both.npy", "--axes=step,layer,example,head,query,key")
        self.assertEqual(len(found), 6)
        for i in range(3):
            numpy.testing.assert_array_equal(found[f"examples/[0] · step {i}/attention"], array[i][None])
            numpy.testing.assert_array_equal(found[f"examples/[1] · step {i}/attention"],
                                             (1 - array[i]).astype("f4")[None])
        # Examples on two axes are counted in order.
        found = self.convert(self.folder / "both.npy", "--axes=example,layer,example,head,query,key")
        self.assertEqual(sorted(found), [f"examples/{i} [{k}]/attention" for i in range(3) for k in range(2)])
        numpy.testing.assert_array_equal(found["examples/2 [0]/attention"], array[2][None])
        both = self.folder / "both.npz"
        numpy.savez(both, layer_0=numpy.ones((2, 2, 1, 3, 3), "f4"), layer_1=numpy.ones((3, 2, 1, 3, 3), "f4"))
        self.fails("info", "--axes=step,example,head,query,key", both, about=both,
                   says="(2 × 2 × 1 × 3 × 3) cannot have several examples and several steps")
        self.fails("info", "--axes=example,example,head,query,key", both, about=both,
                   says="cannot have examples on two axes")
        self.misused("info", "--axes=example,step,example,query,key", both, says="“example” is there twice")

    @needs_numpy
    def test_steps_of_several_examples(self):
        """A batch of which each item has its steps as one map, and each of them."""
        several = FIXTURES / "several"
        names = [f"[{i}] · {what}" for i in range(2) for what in ("All steps", "Step 0", "Step 1", "Step 2")]
        dense = several / "dense.pt"
        info = json.loads(self.done("info", "--json", "--example=[1] · Step 1", dense))
        self.assertEqual((info["examples"], info["example"]), (names, names[6]))
        self.assertEqual((info["blocks"][0]["queries"], info["blocks"][0]["keys"]), (1, 6))
        # The same whether steps come as lists or as an axis, and as tokens of each.
        whole = self.convert(several / "objects.npz")
        later = self.convert(dense)
        padded = self.convert(several / "padded.npz")
        self.assertEqual(sorted(name for name in whole if name.endswith("attention")),
                         [f"examples/[{i}] · All steps/attention" for i in range(2)])
        for i in range(2):
            name = f"examples/[{i}] · All steps/"
            found = whole[name + "attention"]
            self.assertEqual(found.shape, (2, 3, 7, 7))
            numpy.testing.assert_array_equal(later[name + "attention"], found[:, :, 4:])
            numpy.testing.assert_array_equal(padded[name + "attention"], found.astype("f2"))
            self.assertEqual(self.words(whole[name + "tokens"]), [f"{'ab'[i]}{k}" for k in range(7)])
        self.done("render", dense, "--example=[1] · All steps", "-o", self.folder / "second.png")
        names = json.loads(self.done("info", "--json", several / "lists.pt"))["examples"]
        self.assertEqual(len(names), 2 * (1 + 4) + 2 * (1 + 3))

    def test_axes_that_do_not_fit(self):
        layers = self.FOREIGN / "layers.npy"
        for axes, says in [("layer,head,query", "query and one key"), ("head,head,query,key", "“head” is there twice"),
                           ("layer,heads,query,key", "“heads” is no axis"), ("", "“” has not both"), ("query,key,", "“” is no axis")]:
            with self.subTest(axes=axes):
                self.misused("info", f"--axes={axes}", layers, says=says)
        self.fails("info", "--axes=head,query,key", layers, about=layers, says="has 4 axes (3 × 2 × 6 × 6) and cannot be read as head × query × key")
        tuples = self.FOREIGN / "tuple.pt"
        self.done("info", "--axes=example,head,query,key", tuples)
        self.done("info", "--axes=layer,head,query,key", tuples)
        swapped = "--axes=head,layer,query,key"
        self.fails("info", swapped, tuples, about=tuples, says="is one of 3, a layer each, and cannot have an axis of layers")
        projections = FIXTURES / "qk-plain.h5"
        self.fails("info", "--axes=head,query,key", projections, about=projections, says="no stored attention in the file that could be read as")

    @needs_numpy
    def test_dataset(self):
        rng = numpy.random.default_rng(1)
        first, second = (rng.random((2, 3, 4, 4), "f4") for _ in range(2))
        path = self.folder / "several.h5"
        with h5py.File(path, "w") as file:
            file["run/first"], file["run/second"], file["run/tokens"] = first, second, ["a", "b", "c", "d"]
            file["run/layers/0"], file["run/layers/1"] = second[0], second[1]
            file["run/whole"] = numpy.ones((2, 3, 4, 4), "i8")
        for name, expected in [("run/first", first), ("/run/second", second), ("run/layers", second)]:
            found = self.convert(path, "--dataset", name)
            numpy.testing.assert_array_equal(found["attention"], expected)
            self.assertEqual(self.words(found["tokens"]), ["a", "b", "c", "d"])
        found = self.convert(path, "--dataset=run/first", "--axes=layer,head,key,query")
        numpy.testing.assert_array_equal(found["attention"], first.transpose(0, 1, 3, 2))
        for name, says in [("run/third", "there is no “run/third”"), ("run/tokens", "neither a tensor nor a group"),
                           ("run/whole", "“run/whole” (2 × 3 × 4 × 4, int64) cannot be attention"),
                           ("run", "neither a tensor nor a group with one for each layer")]:
            self.fails("info", "--dataset", name, path, says=says, about=path)
        self.misused("info", "--dataset=/", path, says="--dataset is empty")

    @needs_numpy
    def test_tokens(self):
        layers, words = self.FOREIGN / "layers.npy", ["[CLS]", "time", "", "[", "naïve", "日本"]
        path = self.folder / "tokens"
        for text in ["\n".join(words), "\r\n".join(words) + "\r\n", "\ufeff" + "\n".join(words), json.dumps(words),
                     " [\n " + json.dumps(words)[1:]]:
            path.write_bytes(text.encode())
            self.assertEqual(self.words(self.convert(layers, "--tokens", path)["tokens"]), words, text)
        # In place of those in the file.
        path.write_text("\n".join("abcde"))
        self.assertEqual(self.words(self.convert(self.FOREIGN / "raw-scores.pt", "--tokens", path)["tokens"]), list("abcde"))
        path.write_text("\n".join("abc"))
        self.assertTrue(any("fewer “tokens” (3) than positions (6)" in message for message in self.checks(layers, "--tokens", path)))
        for text, says in [(b"", "no token"), (b"a\xff", "UTF-8"), (b'["a", 2]', "element 1 of the list of tokens is not a string"),
                           (b'["a"', "")]:
            path.write_bytes(text)
            self.fails("info", "--tokens", path, layers, says=says, about=path)
        self.fails("info", "--tokens", self.folder / "none", layers, says="", about=self.folder / "none")

    @needs_numpy
    def test_tokenizer(self):
        folder, layers = self.folder / "bert", self.FOREIGN / "layers.npy"
        shutil.copytree(CHECKPOINTS / "bert", folder)
        (folder / "vocab.txt").write_text("".join(f"{word}\n" for word in VOCABULARY), encoding="utf-8")
        found = self.convert(layers, "--tokenizer", folder, "--text", "time flies", "--text-pair", "banana")
        self.assertEqual(self.words(found["tokens"]), ["[CLS]", "time", "flies", "[SEP]", "banana", "[SEP]"])
        self.misused("info", "--tokenizer", folder, layers, says="--tokenizer needs --text")
        self.misused("info", "--tokenizer", folder, "--text=a", "--tokens=b", layers, says="exclude")
        self.misused("info", "--text=a", layers, says="no model")
        self.misused("info", "--text=a", "--softmax", folder, says="are for files")
        self.fails("info", "--tokenizer", CHECKPOINTS / "bert", "--text=a", layers, says="tokenizer.json", about=CHECKPOINTS / "bert")

    @needs_numpy
    def test_softmax(self):
        raw = self.FOREIGN / "raw-scores.pt"
        scores = self.convert(raw)["attention"].astype("f8")
        weights = numpy.exp(scores - scores.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        found = self.convert(raw, "--softmax")["attention"]
        numpy.testing.assert_allclose(found, weights, atol=1e-6, rtol=0)
        self.assertTrue(any("a softmax over keys makes weights" in message for message in self.checks(raw, "--softmax")))
        self.assertTrue(any("scores before the softmax" in message for message in self.checks(raw)))
        entropy = -(weights * numpy.log(weights)).sum(-1).mean(-1)
        rows = json.loads(self.done("stats", "--softmax", "--format=json", raw))
        for row in rows:
            self.assertAlmostEqual(row["entropy"], entropy[row["layer"], row["head"]], delta=1e-5)
        self.done("render", "--softmax", "--view=heatmap", raw, "-o", self.folder / "a.svg")
        text = " ".join(xml.etree.ElementTree.parse(self.folder / "a.svg").getroot().itertext())
        self.assertIn("softmax of the scores in the file", " ".join(text.split()))
        projections = FIXTURES / "qk-plain.h5"
        self.fails("info", "--softmax", projections, says="no stored scores", about=projections)

    @needs_numpy
    def test_softmax_of_odd_scores(self):
        """Masked scores, rows of nothing else, greatest numbers, what is no number, and a rule that masks."""
        scores = numpy.array([[0, -numpy.inf, 1, 2], [-numpy.inf] * 4, [3e38, 3e38, -3e38, 0], [1, numpy.nan, 0, 2]], "f4")
        expected = numpy.array([[0.09003057, 0, 0.24472847, 0.66524096], [0] * 4, [0.5, 0.5, 0, 0], [numpy.nan] * 4])
        numpy.save(self.folder / "odd.npy", scores)
        found = self.convert(self.folder / "odd.npy", "--softmax")["attention"][0, 0]
        numpy.testing.assert_allclose(found, expected, atol=1e-6, rtol=0)
        scores = numpy.arange(16, dtype="f4").reshape(1, 1, 4, 4)
        with h5py.File(self.folder / "causal.h5", "w") as file:
            file["attention"] = scores
            file.attrs["causal"] = 1
        weights = numpy.tril(numpy.exp(scores - scores.max(-1, keepdims=True)))
        found = self.convert(self.folder / "causal.h5", "--softmax")["attention"]
        numpy.testing.assert_allclose(found, weights / weights.sum(-1, keepdims=True), atol=1e-6, rtol=0)

    @needs_numpy
    def test_softmax_beside_queries_and_keys(self):
        """They are written as well."""
        found = self.convert(FIXTURES / "qk-and-attention.h5", "--softmax")
        self.assertEqual(sorted(set(found) & {"attention", "queries", "keys"}), ["attention", "keys", "queries"])
        numpy.testing.assert_allclose(found["attention"].sum(-1), 1, atol=1e-5)


class Tap(unittest.TestResult):
    """Prints a line of TAP for each test, and before it what is to be said of it."""

    lock = threading.Lock()
    n = 0

    def __init__(self):
        super().__init__()
        self.bad = []
        self.notes = []

    def report(self, test, good, note=""):
        with Tap.lock:
            Tap.n += 1
            name = test.id().removeprefix("__main__.")
            print(*self.notes, f"{'ok' if good else 'not ok'} {Tap.n} - {name}{note}", sep="\n", flush=True)

    def startTest(self, test):
        super().startTest(test)
        self.bad, self.notes = [], []

    def addSubTest(self, test, subtest, error):
        if error is not None:
            super().addSubTest(test, subtest, error)
            self.bad.append(subtest)
            self.notes.append(f"# {subtest._subDescription()}")
            self.show_error(subtest, error)

    def show_error(self, test, error):
        self.notes += [f"# {line}" for line in self._exc_info_to_string(error, test).rstrip().splitlines()]

    def addSuccess(self, test):
        self.report(test, True)

    def addSkip(self, test, reason):
        self.report(test, True, f" # SKIP {reason}")

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.show_error(test, error)
        self.bad.append(test)

    addError = addFailure

    def stopTest(self, test):
        super().stopTest(test)
        if self.bad:
            self.report(test, False)


def each_test(suite):
    for part in suite:
        if isinstance(part, unittest.TestSuite):
            yield from each_test(part)
        else:
            yield part


def main(at_once=1):
    """Runs the tests of the program, so many at once: that is for those that wait most of the time and share nothing."""
    # What is interrupted in a test is to heed it, though who runs the tests be told not to.
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    print(f"1..{suite.countTestCases()}", flush=True)
    if at_once == 1:
        result = Tap()
        suite.run(result)
        return 0 if result.wasSuccessful() else 1
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        results = list(pool.map(lambda test: test.run(Tap()), each_test(suite)))
    return 0 if all(result.wasSuccessful() for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())

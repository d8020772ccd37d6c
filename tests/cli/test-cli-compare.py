# SPDX-License-Identifier: MIT
"""headlight-cli compare: which heads differ most, against NumPy; and what it refuses.

Usage: test-cli-compare.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.
"""

import csv
import importlib.util
import io
import json
import math
import os
import pathlib
import re
import subprocess
import sys

spec = importlib.util.spec_from_file_location("test_cli", pathlib.Path(__file__).with_name("test-cli.py"))
test_cli = importlib.util.module_from_spec(spec)
spec.loader.exec_module(test_cli)

Case, CHECKPOINTS, FIXTURES, SAMPLE = test_cli.Case, test_cli.CHECKPOINTS, test_cli.FIXTURES, test_cli.SAMPLE
CLI = test_cli.CLI
h5py, numpy, needs_numpy = test_cli.h5py, test_cli.numpy, test_cli.needs_numpy


def divergence(a, b):
    """Mean over rows of the Jensen-Shannon divergence in bits of a [query, key] and b, rows made to sum to 1."""
    p = a.astype(numpy.float64)
    q = b.astype(numpy.float64)
    p /= p.sum(-1, keepdims=True)
    q /= q.sum(-1, keepdims=True)
    m = (p + q) / 2
    with numpy.errstate(divide="ignore", invalid="ignore"):
        terms = numpy.where(p > 0, p * numpy.log2(p / m), 0) + numpy.where(q > 0, q * numpy.log2(q / m), 0)
    return (terms.sum(-1) / 2).mean()


class Compare(Case):
    def rows(self, *arguments):
        return json.loads(self.done("compare", *arguments, "--format=json"))

    def assert_ranked(self, rows):
        values = [row["divergence"] for row in rows if row["divergence"] is not None]
        self.assertEqual(values, sorted(values, reverse=True))
        self.assertTrue(all(row["divergence"] is None for row in rows[len(values):]))
        for row in rows[:len(values)]:
            self.assertAlmostEqual(row["distance"], math.sqrt(row["divergence"]), delta=1e-9)
            self.assertTrue(0 <= row["divergence"] <= 1)

    @needs_numpy
    def test_another_layer(self):
        with h5py.File(SAMPLE) as file:
            maps = file["attention"][:]
        rows = self.rows(SAMPLE, "--other-layer=2")
        self.assertEqual(len(rows), maps.shape[0] * maps.shape[1])
        self.assert_ranked(rows)
        for row in rows:
            self.assertEqual((row["other-layer"], row["other-head"], row["queries"]), (2, row["head"], maps.shape[2]))
            self.assertAlmostEqual(row["divergence"], divergence(maps[row["layer"], row["head"]], maps[2, row["head"]]),
                                   delta=1e-6)
        self.assertEqual({row["divergence"] for row in rows if row["layer"] == 2}, {0})

    @needs_numpy
    def test_one_head(self):
        with h5py.File(SAMPLE) as file:
            maps = file["attention"][:]
        for row in self.rows(SAMPLE, "--other-layer=1", "--other-head=3"):
            self.assertEqual((row["other-layer"], row["other-head"]), (1, 3))
            self.assertAlmostEqual(row["divergence"], divergence(maps[row["layer"], row["head"]], maps[1, 3]), delta=1e-6)

    def test_made_of_several(self):
        """A layer or a head of the second side is one of its own, and none in what is made of several."""
        over_layers = ("--combine=mean", "--combine-over=layers")
        for choice, made in (("--other-layer=2", over_layers), ("--other-head=2", ("--combine=mean",)),
                             ("--other-head=2", ("--quantity=rollout",)),
                             ("--other-layer=2", ("--quantity=rollout", *over_layers)),
                             ("--other-layer=2", ("--combine=mean", "--combine-over=all"))):
            self.misused("compare", SAMPLE, choice, *made, says=f"{choice[:-2]} needs the {choice[8:-2]}s apart")
        rows = self.rows(SAMPLE, "--other-head=1", *over_layers)
        self.assertEqual({(row["other-layer"], row["other-head"]) for row in rows}, {("mean", 1)})
        rows = self.rows(SAMPLE, "--other-layer=2", "--combine=mean")
        self.assertEqual({(row["other-layer"], row["other-head"]) for row in rows}, {(2, "mean")})

    @needs_numpy
    def test_other_tokens(self):
        """A text with tokens put in, left out and changed: what both have is compared, made to sum to 1 anew."""
        random = numpy.random.default_rng(3)
        tokens = [["[CLS]", "time", "flies", "like", "an", "arrow", "[SEP]"],
                  ["[CLS]", "fruit", "flies", "often", "like", "arrow", "!", "[SEP]", "[SEP]"]]
        maps = [random.dirichlet(numpy.full(len(t), 0.3), (2, 3, len(t))).astype(numpy.float32) for t in tokens]
        names = [self.folder / "a.json", self.folder / "b.json"]
        for name, attention, words in zip(names, maps, tokens):
            name.write_text(json.dumps({"attention": attention.tolist(), "tokens": words}), encoding="utf-8")
        a, b = [0, 2, 3, 5], [0, 2, 4, 5]
        rows = self.rows(*names)
        self.assertEqual(len(rows), 6)
        self.assert_ranked(rows)
        # The last token is one of the two "[SEP]"; the other has no partner.
        options = []
        for last in (7, 8):
            columns = (a + [6], b + [last])
            options.append({(layer, head): divergence(maps[0][layer, head][numpy.ix_(columns[0], columns[0])],
                                                      maps[1][layer, head][numpy.ix_(columns[1], columns[1])])
                            for layer in range(2) for head in range(3)})
        self.assertTrue(any(all(abs(row["divergence"] - option[row["layer"], row["head"]]) < 1e-6 for row in rows)
                            for option in options))
        self.assertEqual({row["queries"] for row in rows}, {5})
        self.assertIn("attention: 5 of 7 and 9 queries are in both, and 5 of 7 and 9 keys\n", self.done("compare", *names))

    @needs_numpy
    def test_padding_of_a_mask(self):
        names = [self.folder / "a.json", self.folder / "b.json"]
        for seed, path in enumerate(names):
            maps = numpy.zeros((1, 1, 6, 6))
            maps[..., 2:] = numpy.random.default_rng(seed).dirichlet(numpy.ones(4), size=(1, 1, 6))
            path.write_text(json.dumps({"attention": maps.tolist(), "tokens": ["[PAD]"] * 2 + ["a", "b", "c", "d"],
                                        "key_mask": [0, 0, 1, 1, 1, 1]}))
        self.assertEqual({row["queries"] for row in self.rows(*names)}, {4})
        self.assertIn("attention: 4 of 4 and 4 queries are in both, and 4 of 4 and 4 keys\n", self.done("compare", *names))

    @needs_numpy
    def test_same_text_in_batches(self):
        """A text is the same wherever padding stands, without tokens too, and where padding is spelt as texts begin."""
        n = 8
        text = numpy.tril(numpy.random.default_rng(7).random((1, 2, n, n)))
        text /= text.sum(-1, keepdims=True)
        dumps = {}
        for before, behind in ((0, 0), (1, 0), (3, 0), (9, 0), (2, 1), (0, 3)):
            size = before + n + behind
            maps = numpy.full((1, 2, size, size), 1 / size)
            maps[:, :, before:before + n] = 0
            maps[:, :, before:before + n, before:before + n] = text
            maps[:, :, before + n:, before + n:] = 0
            for tokens in (None, ["<|endoftext|>"] * (before + 1) + list("abcdefg") + ["<|endoftext|>"] * behind):
                dump = {"attention": maps.tolist(), "causal": 0, "key_mask": [0] * before + [1] * n + [0] * behind}
                path = self.folder / f"{before}-{behind}-{tokens is None}.json"
                path.write_text(json.dumps({**dump, "tokens": tokens} if tokens else dump))
                dumps[before, behind, tokens is None] = path
        for first, a in dumps.items():
            for second, b in dumps.items():
                said = self.done("compare", a, b)
                self.assertIn("attention: 8 of 8 and 8 queries are in both, and 8 of 8 and 8 keys\n", said, (first, second))
                for row in self.rows(a, b):
                    self.assertLess(row["divergence"], 1e-9, (first, second))

    def test_same(self):
        for name in ("causal.h5", "encoder-decoder.h5", "heads-differ.json", "no-tokens.h5"):
            rows = self.rows(FIXTURES / name, FIXTURES / name)
            self.assertTrue(rows)
            self.assertEqual({row["divergence"] for row in rows} - {None}, {0}, name)

    def test_lacking(self):
        """An attention that lacks what is made of it is left out, and said; without any other, there is nothing."""
        source = FIXTURES / "encoder-decoder.h5"
        for options in ([source], ["--other-layer=0"]):
            for quantity in ("rollout", "residual", "flow"):
                result = test_cli.run("compare", source, *options, f"--quantity={quantity}", "--format=json")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual({row["block"] for row in json.loads(result.stdout)}, {"encoder", "decoder"})
                self.assertIn("“cross” is left out: the quantity needs queries and keys that are the same", result.stderr)
        self.fails("compare", source, source, "--quantity=norm", says="the quantity needs values and the output projection")
        self.fails("compare", FIXTURES / "cross-only.h5", source, "--quantity=flow", says="the quantity needs queries and keys")
        self.fails("compare", source, "--other-layer=99", "--quantity=rollout", says="no layer 99")

    def test_nothing_in_common(self):
        for name, words in (("a.json", ["x", "y"]), ("b.json", ["v", "w"])):
            (self.folder / name).write_text(json.dumps({"attention": [[[[1, 0], [0.5, 0.5]]]], "tokens": words}))
        arguments = (self.folder / "a.json", self.folder / "b.json")
        self.assertEqual([(row["queries"], row["divergence"]) for row in self.rows(*arguments)], [(0, None)])
        self.assertTrue(self.done("compare", *arguments, "--format=csv").endswith(",0,,\n"))
        self.assertRegex(self.done("compare", *arguments), r" 0 +- +-\n\Z")

    @needs_numpy
    def test_too_different(self):
        """Two long texts that are not aligned, and what that leaves in both."""
        n = 200_000
        names = [self.folder / "a.npz", self.folder / "b.npz"]
        for name, word in zip(names, "ab"):
            numpy.savez(name, attention=numpy.full((1, 1, 1, n), 1 / n, numpy.float32), query_tokens=numpy.array(["same"]),
                        key_tokens=numpy.array(["same"] + [word] * (n - 1)))
        table = self.done("compare", *names)
        self.assertIn("too long and too different to be aligned; only their beginnings and ends are compared\n", table)
        self.assertRegex(table, r" 0 +- +-\n\Z")

    def test_texts(self):
        model = CHECKPOINTS / "bert"
        rows = self.rows(model, model, "--ids=1,2,3,4,5")
        self.assertEqual({row["divergence"] for row in rows}, {0})
        rows = self.rows(model, "--ids=1,2,3,4,5", "--other-layer=0")
        self.assertTrue(any(row["divergence"] > 1e-3 for row in rows))

    def draw(self, name, *arguments):
        self.done("render", *arguments, "-o", self.folder / name)
        return (self.folder / name).read_bytes()

    def test_figures(self):
        """Both side by side, or the difference; what the second side is matters, and the figure says it."""
        for kind in ("--compare", "--difference"):
            same = ("render", SAMPLE, kind, SAMPLE, "--view=heatmap")
            pictures = [self.draw("a.png", *same[1:], *more)
                        for more in ((), ("--other-layer=3",), ("--other-head=2",), ("--other-layer=3", "--other-head=2"),
                                     ("--view=model-view",), ("--view=head-view", "--heads=all"), ("--token=3",),
                                     ("--theme=dark",))]
            self.assertEqual(len(set(pictures)), len(pictures), kind)
        text = self.draw("a.svg", SAMPLE, "--difference", SAMPLE, "--other-layer=3", "--layer=1", "--heads=2").decode()
        for words in ("difference B − A of attention weight", "layer 1", "head 2", "A: 1·2 · B: 3·2"):
            self.assertIn(words, text)
        text = self.draw("a.svg", SAMPLE, "--compare", FIXTURES / "causal.h5", "--other-layer=1").decode()
        for words in (f"A: {SAMPLE.name}", "B: causal.h5", "layer 0", "layer 1"):
            self.assertIn(words, text)
        self.draw("a.pdf", SAMPLE, "--compare", FIXTURES / "causal.h5")
        # What the file says of itself is of both, too.
        said = self.draw("a.png", SAMPLE, "--compare", FIXTURES / "causal.h5").split(b"iTXtDescription\0", 1)[1]
        for words in (f"A: {SAMPLE.name}", "B: causal.h5"):
            self.assertIn(words.encode(), said.split(b"IDAT", 1)[0])

    def test_one_scale(self):
        """The colour bars of both sides say the same numbers, those of the side that reaches farther."""
        def ticks(*arguments):
            text = self.draw("a.svg", SAMPLE, "--view=heatmap", *arguments, "--width=1000").decode()
            found = re.findall(r'font-size="10.5" fill="#[0-9a-f]+"(?: text-anchor="middle")? x="([0-9.]+)" y="[0-9.]+">(-?[0-9.]+)<', text)
            return [[label for x, label in found if (float(x) < 500) == is_left] for is_left in (True, False)]
        alone = [ticks(f"--heads={head}")[1] for head in (0, 2)]
        self.assertNotEqual(alone[0][-1], alone[1][-1])
        for heads in ((0, 2), (2, 0)):
            left, right = ticks(f"--heads={heads[0]}", "--compare", SAMPLE, f"--other-head={heads[1]}")
            self.assertEqual(left, right)
            self.assertEqual(left[-1], max((bar[-1] for bar in alone), key=float))

    def test_sorted_by_change(self):
        """In the model view, the heads that changed most stand first, in the order of the table that compare prints."""
        ranked = [(row["layer"], row["head"]) for row in self.rows(SAMPLE, "--other-layer=2")]
        for kind in ("--compare", "--difference"):
            text = self.draw("a.svg", SAMPLE, "--view=model-view", "--sort=change", kind, SAMPLE, "--other-layer=2").decode()
            names = [tuple(map(int, found)) for found in re.findall(r">(?:L)?([0-9]+)·(?:H)?([0-9]+)<", text)]
            self.assertEqual(names[:20], ranked[:20], kind)
            self.assertIn("sorted by change (Jensen–Shannon)", text)
        self.misused("render", SAMPLE, "--view=model-view", "--sort=change", "-o", self.folder / "a.png", says="--compare or --difference")

    def test_wrong_figures(self):
        target = self.folder / "a.png"
        self.misused("render", SAMPLE, "--other-layer=1", "-o", target, says="--compare or --difference")
        self.misused("render", SAMPLE, "--difference", SAMPLE, "--compare", SAMPLE, "-o", target, says="exclude")
        self.misused("render", SAMPLE, "--difference", SAMPLE, "--other-hidden=3", "-o", target, says="--other-hidden is not for")
        self.misused("render", SAMPLE, "--difference", SAMPLE, "--view=steps", "-o", target, says="not for the views")
        self.fails("render", SAMPLE, "--compare", SAMPLE, "--other-layer=99", "-o", target, says="no layer 99")
        self.fails("render", SAMPLE, "--difference", SAMPLE, "--other-head=99", "-o", target, says="no head 99")
        self.fails("render", SAMPLE, "--difference", self.folder / "none.h5", "-o", target, says="none.h5")
        self.fails("render", FIXTURES / "encoder-decoder.h5", "--difference", SAMPLE, "-o", target, says="same kind")
        self.assert_alone()

    def test_formats(self):
        rows = self.rows(SAMPLE, "--other-head=0")
        table = list(csv.DictReader(io.StringIO(self.done("compare", SAMPLE, "--other-head=0", "--format=csv"))))
        lines = self.done("compare", SAMPLE, "--other-head=0").splitlines()[2:]
        self.assertEqual((len(table), len(lines)), (len(rows), len(rows)))
        for row, record, line in zip(rows, table, lines):
            for name in ("layer", "head", "other-layer", "other-head", "queries"):
                self.assertEqual(int(record[name]), row[name])
            self.assertAlmostEqual(float(record["divergence"]), row["divergence"], delta=1e-6)
            self.assertEqual(line.split()[:3], ["attention", str(row["layer"]), str(row["head"])])
            self.assertAlmostEqual(float(line.split()[-1]), row["distance"], delta=1e-6)

    def test_replaced_between(self):
        """Of a dump of two files, compared with itself, the other one is replaced when the first side was read and the second was not."""
        def write(name, rank):
            with h5py.File(self.folder / name, "w") as file:
                file.attrs.update(rank=rank, ranks=2, sharding="heads")
                file["attention"] = numpy.random.default_rng().dirichlet([1] * 4, (1, 2, 4)).astype("f4")

        for rank in range(2):
            write(f"d.rank{rank}.h5", rank)
        write("new.h5", 1)
        source, pipe = self.folder / "d.rank0.h5", self.folder / "pipe"
        os.mkfifo(pipe)
        command = [CLI, "compare", source, source, "--other-tokens", pipe]
        with subprocess.Popen(command, env=test_cli.ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") as process:
            # It is open once it is read.
            with open(pipe, "w", encoding="utf-8") as tokens:
                (self.folder / "new.h5").rename(self.folder / "d.rank1.h5")
                tokens.write("a\nb\nc\nd\n")
            out, err = process.communicate(timeout=60)
        self.assertEqual((out, err), ("", f"headlight-cli: {source}: it has been written to since it was opened; open it again\n"))

    def test_wrong_usage(self):
        self.misused("compare", SAMPLE, says="needs a second file")
        self.misused("compare", "a", "b", "c", says="“c”")
        self.misused("compare", SAMPLE, SAMPLE, "--format=xml", says="table, csv or json")
        self.misused("compare", SAMPLE, "--other-text=b", says="no model")
        self.misused("compare", SAMPLE, SAMPLE, "--other-text-pair=b", says="--other-text-pair needs")
        self.misused("compare", SAMPLE, "--other-layer=-2", says="negative")
        self.misused("compare", SAMPLE, CHECKPOINTS / "bert", says="needs --other-text")
        self.fails("compare", SAMPLE, "--other-layer=99", says="no layer 99", about=SAMPLE)
        self.fails("compare", SAMPLE, "--other-head=99", says="no head 99", about=SAMPLE)
        self.fails("compare", SAMPLE, self.folder / "none.h5", says="none.h5", about=self.folder / "none.h5")
        self.fails("compare", FIXTURES / "encoder-decoder.h5", SAMPLE, says="same kind")
        self.fails("compare", SAMPLE, FIXTURES / "examples.h5", "--other-example=nobody", says="nobody")


if __name__ == "__main__":
    sys.exit(test_cli.main())

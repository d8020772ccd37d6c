# SPDX-License-Identifier: MIT
"""headlight-cli render to a page: what is in the file, how large it is, and that Headlight opens it again.

Usage: test-cli-page.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.
"""

import importlib.util
import json
import pathlib
import re
import sys

import h5py
import numpy

spec = importlib.util.spec_from_file_location("test_cli", pathlib.Path(__file__).with_name("test-cli.py"))
test_cli = importlib.util.module_from_spec(spec)
spec.loader.exec_module(test_cli)

Case, FIXTURES = test_cli.Case, test_cli.FIXTURES
SAMPLE = FIXTURES.parent.parent / "data" / "samples" / "minilm-time-flies.h5"


class Page(Case):
    def page(self, source, *options):
        path = self.folder / "page.html"
        self.done("render", source, *options, "--output", path)
        return path

    def numbers(self, source, name="attention", *options):
        """The numbers of a file as [layer, head, query, key], and its other members."""
        path = self.folder / "numbers.npz"
        self.done("convert", source, *options, "--output", path)
        with numpy.load(path) as file:
            members = {key: file[key] for key in file.files}
        if name in members:
            return members[name], members
        return numpy.stack([members[f"{name}/{i}"] for i in range(sum(key.startswith(f"{name}/") for key in members))]), members

    def data(self, page):
        text = page.read_text(encoding="utf-8")
        return json.loads(re.search(r'class="headlight-attention">(.*?)</script>', text, re.S)[1])

    def assert_close(self, page, expected, found):
        low, high = self.data(page)["range"]
        self.assertEqual(expected.shape, found.shape)
        # Half a step, and what float32 is off by.
        bound = (high - low) / 65532 / 2 + 2e-7 * max(abs(low), abs(high))
        self.assertLessEqual(numpy.abs(expected.astype(float) - found).max(), bound)
        self.assertLessEqual((high - low) / 65532 / 2, (high - low) / 65535)
        # What the page says is no less.
        self.assertGreaterEqual(float(re.search(r"±(\S+)\.$", self.data(page)["precision"])[1]), (high - low) / 65532 / 2)

    def test_opens_again(self):
        page = self.page(SAMPLE, "--layer=2", "--heads=5")
        wanted, before = self.numbers(SAMPLE, "attention", "--store=weights")
        found, after = self.numbers(page)
        self.assert_close(page, wanted, found)
        for name in ("tokens", "text", "text_pair", "sentence_b_start"):
            self.assertEqual(before[name].tolist(), after[name].tolist(), name)
        info = self.done("info", page)
        self.assertIn("Container: HTML (Headlight)", info)
        self.assertIn("6 layers × 12 heads × 13 queries × 13 keys", info)
        self.assertEqual(self.data(page)["model"], "all-MiniLM-L6-v2")
        self.assertIn("Model: all-MiniLM-L6-v2", info)
        # And from there once more: nothing changes then.
        again = self.folder / "again.html"
        self.done("render", page, "--output", again)
        numpy.testing.assert_allclose(self.numbers(again)[0], found, atol=1e-5)

    def test_cross(self):
        for source, block, name in ((FIXTURES / "encoder-decoder.h5", "cross", "cross_attention"),
                                    (FIXTURES / "encoder-decoder.h5", "decoder", "decoder_attention")):
            page = self.page(source, f"--block={block}")
            wanted, before = self.numbers(source, name)
            found, after = self.numbers(page, name)
            self.assert_close(page, wanted, found)
            self.assertEqual(before["decoder_tokens"].tolist(), after["decoder_tokens"].tolist())

    def test_causal(self):
        page = self.page(FIXTURES / "causal.h5")
        found, members = self.numbers(page)
        self.assertEqual(int(members["causal"]), 1)
        self.assertEqual(numpy.triu(found, 1).max(), 0)
        self.assertIn(65534, numpy.frombuffer(__import__("base64").b64decode(self.data(page)["layers"][0]["numbers"]), "<u2"))

    def test_quantity(self):
        """What is not weights is called what it is, there and where it is opened again."""
        page = self.page(SAMPLE, "--quantity=value")
        data = self.data(page)
        self.assertIn("value", data["quantity"])
        self.assertTrue(data["about"].startswith(data["quantity"]))
        figure = self.folder / "figure.svg"
        self.done("render", page, "--output", figure)
        self.assertIn(data["quantity"].split()[0], figure.read_text(encoding="utf-8"))
        wanted, _ = self.numbers(SAMPLE, "attention", "--quantity=value")
        self.assert_close(page, wanted, self.numbers(page)[0])

    def test_signed(self):
        """What lies on both sides of zero is so where it is opened again, and in what that is converted to: no number of a head is made of it."""
        other = self.folder / "other.npz"
        maps, members = self.numbers(SAMPLE, "attention", "--store=weights")
        numpy.savez(other, **{**members, "attention": maps[:, ::-1]})
        for options in (("--difference", other), ("--direction=asymmetry",)):
            page = self.page(SAMPLE, *options)
            dump = self.folder / "again.h5"
            self.done("convert", page, "-o", dump)
            weights, mean = self.folder / "weights.json", self.folder / "mean.h5"
            self.done("convert", page, "--store=weights", "-o", weights)
            self.done("convert", dump, "--combine=mean", "-o", mean)
            for source in (page, dump, weights, mean):
                told = test_cli.run("stats", source, "--format=json")
                self.assertEqual(told.stderr, "headlight-cli: “attention” has no entropy: it needs weights of queries on keys, not transposed and not a difference\n")
                rows = json.loads(told.stdout)
                self.assertEqual({row[name] for row in rows for name in ("entropy", "distance", "first", "self")}, {None}, options)
            for source in (dump, weights, mean):
                self.assertEqual(self.data(self.page(source))["signed"], 1)
        # A file may not say it.
        unsaid = self.folder / "unsaid.json"
        unsaid.write_text(json.dumps({"attention": [[[[0.5, -0.25], [0.5, 0.5]]]], "tokens": ["a", "b"], "quantity": "change"}))
        self.assertIsNone(json.loads(self.done("stats", unsaid, "--format=json"))[0]["entropy"])

    def test_transposed(self):
        """Rows of a page that stand for keys are turned back where it is opened."""
        for source, block, name in ((SAMPLE, "attention", "attention"), (FIXTURES / "encoder-decoder.h5", "cross", "cross_attention"),
                                    (FIXTURES / "causal.h5", "attention", "attention")):
            upright = self.page(source, f"--block={block}")
            wanted, before = self.numbers(upright, name)
            facts = self.data(upright)
            page = self.page(source, f"--block={block}", "--direction=transposed")
            found, after = self.numbers(page, name)
            numpy.testing.assert_array_equal(found, wanted)
            self.assertEqual(set(before), set(after))
            for member in set(before) - {name} - {f"{name}/{i}" for i in range(len(wanted))}:
                self.assertEqual(before[member].tolist(), after[member].tolist(), member)
            self.assertEqual([self.data(page).get(fact) for fact in ("causal", "quantity", "sentence_b_start")],
                             [facts.get(fact) for fact in ("causal", "quantity", "sentence_b_start")])
        self.assertIn("attention weight, transposed", self.data(self.page(page, "--direction=transposed"))["about"])

    def test_what_was_not_applied(self):
        """Where queries and keys are different tokens, there is no asymmetry, and weights stay weights."""
        self.assertIsNone(self.data(self.page(FIXTURES / "encoder-decoder.h5", "--block=cross", "--direction=asymmetry")).get("quantity"))

    def test_same_numbers(self):
        """What is no token, and what no query sees, is none where a page is opened again: numbers of heads are the same."""
        rng = numpy.random.default_rng(7)
        n, tokens = 10, ["[CLS]", "a", "b", "c", ".", "d", "e", "f", "g", "[SEP]"]
        queries, keys = rng.normal(size=(2, 2, 3, n, 8))
        sunk, window = self.folder / "sunk.json", self.folder / "window.json"
        common = {"queries": queries.tolist(), "keys": keys.tolist(), "tokens": tokens}
        sunk.write_text(json.dumps({**common, "causal": 1, "sinks": rng.normal(size=(2, 3)).tolist(), "sentence_b_start": 5}))
        window.write_text(json.dumps({**common, "sliding_window": 3}))
        numbers = "--numbers=entropy,evenness,first,previous,self,sink,special,mass-other,distance,pattern"
        for source in sunk, window, FIXTURES / "qk-window.h5", FIXTURES / "no-tokens.h5":
            before = json.loads(test_cli.run("stats", source, numbers, "--format=json").stdout)
            for options in (), ("--direction=transposed",):
                page = self.page(source, *options)
                after = json.loads(test_cli.run("stats", page, numbers, "--format=json").stdout)
                self.assertEqual(len(before), len(after))
                for one, other in zip(before, after):
                    self.assertEqual(set(one), set(other))
                    for name, value in one.items():
                        if isinstance(value, float):
                            self.assertAlmostEqual(value, other[name], delta=2e-4, msg=(source, options, name))
                        else:
                            self.assertEqual(value, other[name], (source, options, name))
            self.assertEqual(self.data(self.page(page)).get("sentence_b_start"), self.data(self.page(source)).get("sentence_b_start"))

    def test_as_seen(self):
        """Hidden tokens and whole words are left out as in the picture; so are numbers of them."""
        page = self.page(SAMPLE, "--hide-special=yes", "--words=yes")
        data = self.data(page)
        self.assertEqual(data["tokens"], "time flies like an arrow fruit flies like a banana".split())
        self.assertIn("special tokens hidden", data["about"])
        self.assertEqual(data["sentence_b_start"], 5)
        self.assertEqual(self.numbers(page)[0].shape, (6, 12, 10, 10))

    def test_where_the_second_text_begins(self):
        """It is counted on either side by itself, and told to who opens the page only where it is the same."""
        for hidden, second in (("", [7, 7]), ("k1", [7, 6]), ("q2-3", [5, 7]), ("1", [6, 6]), ("k0-6", [7, 0])):
            page = self.page(SAMPLE, f"--hidden={hidden}")
            data = self.data(page)
            self.assertEqual(data["second"], second, hidden)
            both = second[0] if second[0] == second[1] else 0
            self.assertEqual(data.get("sentence_b_start", 0), both, hidden)
            _, members = self.numbers(page)
            self.assertEqual(int(members.get("sentence_b_start", 0)), both, hidden)
        self.assertEqual(self.data(self.page(SAMPLE, "--sentences=ab"))["second"], [0, 0])

    def test_fewer_queries(self):
        """Queries stand at the last keys: of two texts each side has its own, and a page is causal where its last query stands at its last key."""
        n, first, b = 12, 2, 6
        names = [f"t{i}" for i in range(n)]
        weights = numpy.array([[(b * (i >= b) <= j <= i) / (i % b + 1) for j in range(n)] for i in range(n)])[first:]
        source = self.folder / "cached.json"
        for second in (b, n - 1):
            source.write_text(json.dumps({"format": "headlight-attention", "version": 2, "attention": [[weights.tolist()]], "causal": 1,
                                          "query_tokens": names[first:], "key_tokens": names, "sentence_b_start": second}))
            self.assertNotIn("warning", self.done("info", source))
            for part, queries, keys, causal in (("aa", names[first:second], names[:second], True), ("ba", names[second:], names[:second], False),
                                                ("bb", names[second:], names[second:], True), ("all", names[first:], names, True)):
                page = self.page(source, f"--sentences={part}")
                data = self.data(page)
                self.assertEqual((data.get("query_tokens", data.get("tokens")), data.get("key_tokens", data.get("tokens"))), (queries, keys), part)
                self.assertEqual(data.get("causal", 0), int(causal), part)
                self.assertNotIn("“causal”", self.done("info", page))
                if part != "all":
                    continue
                self.assertEqual(data["sentence_b_start"], second)
                again = self.data(self.page(page, "--sentences=ab"))
                self.assertEqual((again["query_tokens"], again["key_tokens"]), (names[first:second], names[second:]))

    def test_one_text_of_queries(self):
        """Where the queries of a page are of one text, who opens it knows those of two by the keys, where queries stand among these."""
        n, second = 8, 4
        names = [f"t{i}" for i in range(n)]
        weights = [[1 / (i + 1) if j <= i else 0 for j in range(n)] for i in range(n)]
        source = self.folder / "pair.json"
        for first, hidden, known in ((0, "q0", 4), (0, "q0-3", 4), (0, "q0-5", 4), (0, "k0-3", 0), (0, "0-3", 0), (3, "q0", 4), (3, "q0-2", 4),
                                     (3, "k0-3", 0), (3, "0", 3), (3, "q4", 0)):
            with self.subTest(first=first, hidden=hidden):
                source.write_text(json.dumps({"format": "headlight-attention", "version": 2, "attention": [[weights[first:]]], "causal": 1,
                                              "query_tokens": names[first:], "key_tokens": names, "sentence_b_start": second}))
                page = self.page(source, f"--hidden={hidden}")
                data = self.data(page)
                self.assertEqual(data.get("sentence_b_start"), known or None)
                if known == 0:
                    continue
                again = self.data(self.page(page))
                self.assertEqual((again["query_tokens"], again["second"]), (data["query_tokens"], data["second"]))

    def test_combined(self):
        data = self.data(self.page(SAMPLE, "--combine=mean"))
        self.assertEqual([len(layer["heads"]) for layer in data["layers"]], [1] * 6)
        self.assertEqual(data["merges_heads"], 1)

    def make(self, n, layers, heads):
        rng = numpy.random.default_rng(n)
        weights = rng.random((layers, heads, n, n), dtype=numpy.float32)
        weights /= weights.sum(-1, keepdims=True)
        path = self.folder / "big.npy"
        numpy.save(path, weights.astype(numpy.float16))
        return path

    def test_size(self):
        """72 heads of 40 tokens are less than 1 MB."""
        page = self.page(self.make(40, 6, 12))
        self.assertLess(page.stat().st_size, 1000000)
        self.assertGreater(page.stat().st_size, 72 * 40 * 40 * 2)

    def test_budget(self):
        """What does not fit is left out layer by layer, and said; what cannot fit at all makes no file."""
        page = self.page(self.make(1000, 3, 4), "--layer=2", "--heads=1")
        data = self.data(page)
        self.assertEqual([layer["layer"] for layer in data["layers"]], [1, 2])
        self.assertEqual(data["left_out"], "4 heads are left out: a page holds at most 8 million numbers.")
        info = self.done("info", page)
        self.assertIn("the file has only these layers of the model, which are counted from 0 here: 1, 2", info)
        page.unlink()
        self.fails("render", self.make(3000, 1, 1), "--output", page,
                   says="a page holds at most 8 million numbers, and one head has 9 million; hide tokens, or export a figure")
        self.assertFalse(page.exists())

    def test_some_heads(self):
        data = self.data(self.page(self.make(1100, 1, 8), "--heads=7"))
        self.assertEqual(data["layers"][0]["heads"], [0, 1, 2, 3, 4, 7])
        self.assertEqual(data["selected"], [[0, 7]])

    def test_window_and_a_layer_without(self):
        """What queries do not see is masked, and no weight of 0, where a layer has no attention too."""
        source = self.folder / "window.h5"
        i, j = numpy.mgrid[:8, :8]
        scores = numpy.where((j > i) | (j <= i - 3), -numpy.inf, numpy.random.default_rng(4).normal(size=(2, 2, 8, 8)))
        weights = numpy.exp(scores)
        weights /= weights.sum(-1, keepdims=True)
        with h5py.File(source, "w") as file:
            file["attention/0"], file["attention/2"] = weights.astype("f4")
            file.attrs.update(causal=1, sliding_window=3, layers=3)
        evenness = lambda path: [row["evenness"] for row in json.loads(self.done("stats", path, "--numbers=evenness", "--format=json"))]
        numpy.testing.assert_allclose(evenness(self.page(source)), evenness(source), rtol=1e-3)

    def test_padding(self):
        """Tokens that a mask says are padding count in no number where the page is opened again, and the rest is causal all the same."""
        padded, cross = self.folder / "padded.h5", self.folder / "cross.h5"
        i, j = numpy.mgrid[:7, :7]
        scores = numpy.where((j > i) | (j < 3), -numpy.inf, numpy.random.default_rng(4).normal(size=(1, 2, 7, 7)))
        weights = numpy.exp(scores)
        # So models give it for a query that sees nothing.
        weights[:, :, :3] = 1
        weights /= weights.sum(-1, keepdims=True)
        with h5py.File(padded, "w") as file:
            file.attrs["causal"] = 1
            file["attention"], file["key_mask"] = weights.astype("f4"), [0, 0, 0, 1, 1, 1, 1]
            file["tokens"] = ["[PAD]"] * 3 + ["the", "cat", "sat", "."]
        weights = numpy.exp(numpy.where(j > 4, -numpy.inf, numpy.random.default_rng(5).normal(size=(1, 2, 7, 7))))[:, :, 1:]
        with h5py.File(cross, "w") as file:
            file["cross_attention"] = (weights / weights.sum(-1, keepdims=True)).astype("f4")
            file["cross_key_mask"], file["decoder_key_mask"] = [1, 1, 1, 1, 1, 0, 0], [0, 0, 1, 1, 1, 1]
        for source, given, options in ((padded, [], []), (padded, [], ["--direction=transposed"]), (cross, [], []),
                                     (padded, ["--quantity=residual"], []), (padded, ["--words=yes"], [])):
            page = self.page(source, *given, *options)
            numbers = lambda path, *more: json.loads(self.done(
                "stats", path, *more, f"--numbers=entropy,evenness{'' if source is cross else ',first,distance,special'}", "--format=json"))
            for before, after in zip(numbers(source, *given), numbers(page), strict=True):
                for name, number in before.items():
                    if isinstance(number, float):
                        self.assertAlmostEqual(number, after[name], delta=1e-3, msg=(given, options, name))
            info = self.done("info", page)
            self.assertNotIn("warning", info)
            self.assertNotIn("a mask of single cells", info)

    def test_numbers_of_padding(self):
        """What is padding on one side of a difference, or of the diagonal, and has numbers there is none where the page is opened again."""
        padded, whole = self.folder / "padded.json", self.folder / "whole.json"
        scores = numpy.random.default_rng(6).normal(size=(1, 2, 5, 5))
        for path, mask in ((padded, [0, 1, 1, 1, 1]), (whole, [1] * 5)):
            weights = numpy.exp(numpy.where(mask, scores, -numpy.inf))
            weights[:, :, [not seen for seen in mask]] = 1
            weights /= weights.sum(-1, keepdims=True)
            path.write_text(json.dumps({"attention": weights.tolist(), "tokens": list("abcde"), "key_mask": mask}), encoding="utf-8")
        asymmetry, transposed = "--direction=asymmetry", "--direction=transposed"
        for source, options, is_padding in ((padded, [], True), (padded, [transposed], True), (padded, [f"--difference={padded}"], True),
                                            (padded, [asymmetry], False), (padded, [f"--difference={whole}"], False),
                                            (whole, [f"--difference={padded}"], False),
                                            (padded, [f"--difference={whole}", transposed], False)):
            page = self.page(source, "--crop-padding=no", *options)
            self.assertEqual('"key_mask":[0,1,1,1,1]' in page.read_text(encoding="utf-8"), is_padding, (source, options))
            self.assertNotIn("warning", self.done("info", page), (source, options))

    def test_side_by_side(self):
        self.fails("render", SAMPLE, "--compare", SAMPLE, "--other-layer=1", "--output", self.folder / "page.html",
                   says="a page shows one picture, not two side by side; show one, or the difference of both")

    def test_nothing_from_outside(self):
        """Nothing in the page names a place in a network, but for the name that SVG has."""
        text = self.page(SAMPLE).read_text(encoding="utf-8")
        self.assertEqual(set(re.findall(r"\w+://[\w./]+", text)), {"http://www.w3.org/2000/svg"})
        self.assertIn("default-src 'none'", text)
        self.assertEqual(text.count("</script>"), 2)

    def test_notebook(self):
        """As IPython.display.HTML leaves it in a notebook."""
        page = self.page(SAMPLE)
        output = {"output_type": "display_data", "metadata": {}, "data": {"text/html": page.read_text(encoding="utf-8").splitlines(True)}}
        notebook = self.folder / "notebook.ipynb"
        notebook.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
            {"cell_type": "code", "metadata": {}, "source": [], "execution_count": 1, "outputs": [output]}]}), encoding="utf-8")
        numpy.testing.assert_array_equal(self.numbers(notebook)[0], self.numbers(page)[0])


if __name__ == "__main__":
    sys.exit(test_cli.main())

# SPDX-License-Identifier: MIT
"""headlight-cli with maps that are made of several, or read another way round: against NumPy, and what it refuses.

Usage: test-cli-quantity.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.
"""

import csv
import importlib.util
import io
import json
import pathlib
import re
import sys

spec = importlib.util.spec_from_file_location("test_cli", pathlib.Path(__file__).with_name("test-cli.py"))
test_cli = importlib.util.module_from_spec(spec)
spec.loader.exec_module(test_cli)

Case, SAMPLE, FIXTURES = test_cli.Case, test_cli.SAMPLE, test_cli.FIXTURES
h5py, numpy, needs_numpy = test_cli.h5py, test_cli.numpy, test_cli.needs_numpy

MEAN = ("--combine=mean",)
OVER_ALL = ("--combine=mean", "--combine-over=all")


def numbers_of(weights):
    """Entropy, distance and the weight on the first, of [query, key]."""
    distance = abs(numpy.arange(weights.shape[1])[None, :] - numpy.arange(weights.shape[0])[:, None])
    logs = numpy.log(numpy.where(weights > 0, weights, 1))
    return -(weights * logs).sum(-1).mean(), (weights * distance).sum(-1).mean(), weights[:, 0].mean()


@needs_numpy
class Stats(Case):
    def setUp(self):
        super().setUp()
        with h5py.File(SAMPLE) as file:
            self.maps = file["attention"][...].astype(float)

    def rows(self, *arguments):
        return json.loads(self.done("stats", SAMPLE, "--format=json", *arguments))

    def assert_numbers(self, row, weights):
        for name, number in zip(("entropy", "distance", "first"), numbers_of(weights)):
            self.assertAlmostEqual(row[name], number, delta=1e-5)

    def test_mean_of_heads(self):
        for option, heads in ((), slice(None)), (("--heads=0,2,5",), [0, 2, 5]), (("--heads=3-6",), slice(3, 7)):
            rows = self.rows(*MEAN, *option)
            self.assertEqual([(row["layer"], row["head"]) for row in rows], [(layer, "mean") for layer in range(6)])
            for row in rows:
                self.assert_numbers(row, self.maps[row["layer"], heads].mean(0))

    def test_heads_differ(self):
        """All heads are all of every layer: those of a file of which convert makes a mean, and those that NumPy takes."""
        source = FIXTURES / "heads-differ.json"
        made = self.folder / "made.json"
        for options in MEAN, ("--combine=max",), OVER_ALL, ("--quantity=rollout",), ("--quantity=flow",):
            self.done("convert", source, "-o", made, *options)
            alone, of_made, over = (json.loads(self.done("stats", *arguments, "--format=json", "--numbers=distance,first,self"))
                                    for arguments in ((source, *options), (made,), (source, *options, "--examples=all")))
            for row, other, mean in zip(alone, of_made, over, strict=True):
                for name in "distance", "first", "self":
                    self.assertAlmostEqual(row[name], other[name], delta=1e-6, msg=(options, name))
                    self.assertAlmostEqual(row[name], mean[name], delta=1e-6, msg=(options, name))
        layers = [numpy.array(layer) for layer in json.loads(source.read_text(encoding="utf-8"))["attention"]]
        for option, heads in ((), slice(None)), (("--heads=0,3",), [0, 3]):
            rows = json.loads(self.done("stats", source, *MEAN, *option, "--format=json"))
            for row, layer in zip(rows, layers, strict=True):
                kept = layer[heads] if isinstance(heads, slice) else layer[[head for head in heads if head < len(layer)]]
                self.assert_numbers(row, kept.mean(0))
        self.fails("stats", source, *MEAN, "--heads=0,4", says="no head 4 in layer 0; the last one is 2")
        self.fails("stats", source, *MEAN, "--heads=3", says="no head 3 in layer 0; the last one is 2")

    def test_over_layers(self):
        rows = self.rows("--combine=mean", "--combine-over=layers", "--layers=1,4-5")
        self.assertEqual([(row["layer"], row["head"]) for row in rows], [("mean", head) for head in range(12)])
        for row in rows:
            self.assert_numbers(row, self.maps[[1, 4, 5], row["head"]].mean(0))

    def test_over_all(self):
        (row,) = self.rows(*OVER_ALL)
        self.assertEqual((row["layer"], row["head"]), ("mean", "mean"))
        self.assert_numbers(row, self.maps.mean((0, 1)))

    def test_residual(self):
        """Rows of A + I, divided by their sum; the mean over heads is that of the mean."""
        def residual(weights):
            weights = weights + numpy.eye(weights.shape[-1])
            return weights / weights.sum(-1, keepdims=True)

        for row in self.rows("--quantity=residual"):
            self.assert_numbers(row, residual(self.maps[row["layer"], row["head"]]))
        for row in self.rows("--quantity=residual", *MEAN):
            self.assert_numbers(row, residual(self.maps[row["layer"]].mean(0)))

    def test_formats(self):
        table = self.done("stats", SAMPLE, *MEAN).splitlines()
        self.assertEqual(table[1].split()[:3], ["attention", "0", "mean"])
        rows = list(csv.DictReader(io.StringIO(self.done("stats", SAMPLE, "--combine=max", "--format=csv"))))
        self.assertEqual((rows[5]["layer"], rows[5]["head"]), ("5", "max"))
        self.assertAlmostEqual(float(rows[5]["first"]), self.maps[5].max(0)[:, 0].mean(), delta=1e-5)

    def test_not_of_weights(self):
        """What is transposed has keys for rows, what is subtracted a sign: neither has these numbers."""
        for direction in ("transposed", "asymmetry"):
            result = test_cli.run("stats", SAMPLE, "--format=json", "--direction", direction)
            self.assertEqual((result.returncode, result.stderr.count("\n")), (0, 1))
            self.assertIn("needs weights of queries on keys, not transposed and not a difference", result.stderr)
            for row in json.loads(result.stdout)[:3]:
                self.assertEqual({row[name] for name in ("entropy", "distance", "first", "self")}, {None})


@needs_numpy
class Norms(Case):
    """Values and the output projection of a dump: two heads that share values, against NumPy."""
    def setUp(self):
        super().setUp()
        random = numpy.random.default_rng(3)
        scores = random.normal(0, 1, (2, 2, 6, 6))
        self.weights = numpy.exp(scores) / numpy.exp(scores).sum(-1, keepdims=True)
        self.values = random.normal(0, 1, (2, 1, 6, 3))
        self.output = random.normal(0, 1, (2, 2, 3, 5))
        self.vectors = numpy.einsum("lnk,lhkw->lhnw", self.values[:, 0], self.output)
        self.norms = numpy.linalg.norm(self.vectors, axis=-1)
        self.number = 0

    def write(self, **members):
        self.number += 1
        path = self.folder / f"made{self.number}.h5"
        with h5py.File(path, "w") as file:
            for name, numbers in {"attention": self.weights, **members}.items():
                file[name] = numpy.asarray(numbers, numpy.float32)
        return path

    def convert(self, source, *arguments, ending="h5"):
        self.number += 1
        path = self.folder / f"written{self.number}.{ending}"
        self.done("convert", source, "-o", path, *arguments)
        return path

    def read(self, path):
        if path.suffix == ".npz":
            with numpy.load(path) as file:
                return file["attention"].astype(float), str(file["quantity"])
        with h5py.File(path) as file:
            return file["attention"][...].astype(float), file.attrs["quantity"]

    def assert_maps(self, found, expected):
        self.assertEqual(found.shape, expected.shape)
        self.assertLessEqual(abs(found - expected).max(), 1e-6 * abs(expected).max())

    def test_convert(self):
        whole = self.write(values=self.values, output_projection=self.output)
        lengths = self.write(value_norms=self.norms)
        for source in (whole, lengths, self.convert(whole), self.convert(lengths, ending="json")):
            for ending in ("h5", "npz"):
                maps, quantity = self.read(self.convert(source, "--quantity=norm", ending=ending))
                self.assert_maps(maps, self.weights * self.norms[:, :, None])
                self.assertEqual(quantity, "norm")
        maps, quantity = self.read(self.convert(whole, "--combine=mean"))
        self.assert_maps(maps, self.weights.mean(1)[:, None])
        self.assertEqual(quantity, "weight · mean over heads")
        self.assertIn("The numbers are “weight · mean over heads” in place of weights", self.done("info", whole, "--combine=mean"))
        summed = self.convert(whole, "--quantity=norm", "--combine=sum")
        maps, quantity = self.read(summed)
        self.assert_maps(maps, numpy.linalg.norm(numpy.einsum("lhij,lhjw->lijw", self.weights, self.vectors), axis=-1)[:, None])
        self.assertEqual(quantity, "norm · sum over heads")
        self.fails("convert", lengths, "-o", self.folder / "no.h5", "--quantity=norm", "--combine=sum",
                   says="the quantity needs values and the output projection")
        self.misused("convert", whole, "-o", self.folder / "no.h5", "--quantity=norm", "--store=weights", says="--store")
        self.fails("convert", whole, "-o", self.folder / "no.h5", "--quantity=rollout", "--rollout-from=2",
                   says="begins with layer 2, and the last one is 1")

    def test_read_what_was_made(self):
        """The file says what it holds: no word about rows that do not sum to 1, and nothing more is made of it."""
        made = self.convert(self.write(value_norms=self.norms), "--quantity=norm")
        for how in "mean", "max":
            maps, quantity = self.read(self.convert(made, f"--combine={how}"))
            self.assert_maps(maps, getattr(self.weights * self.norms[:, :, None], how)(1)[:, None])
            self.assertEqual(quantity, f"norm · {how} over heads")
        text = self.done("info", made)
        self.assertIn("The numbers are “norm” in place of weights", text)
        self.assertNotIn("warning", text)
        figure = self.folder / "figure.svg"
        self.done("render", made, "-o", figure, "--view=heatmap")
        self.fails("render", made, "-o", figure, "--quantity=residual",
                   says="the quantity is made of weights, and the file holds “norm” in their place")

    def test_numbers_of_what_was_made(self):
        """They are those of the maps before they were written, and heads have no names."""
        whole = self.write(values=self.values, output_projection=self.output)
        for options in ("--quantity=norm",), ("--quantity=norm", "--combine=sum"), ("--combine=sum",), ("--combine=max",):
            with self.subTest(options=options):
                made = self.convert(whole, *options)
                numbers = ("--format=json", "--numbers=entropy,evenness,distance,first,sink,self")
                live, saved = (json.loads(self.done("stats", *arguments, *numbers)) for arguments in ((whole, *options), (made,)))
                for row, other in zip(live, saved, strict=True):
                    self.assertLessEqual(row["evenness"], 1)
                    for name in ("entropy", "evenness", "distance", "first", "sink", "self"):
                        self.assertAlmostEqual(row[name], other[name], delta=1e-5, msg=name)
                self.assertNotIn("name", json.loads(self.done("stats", made, "--format=json"))[0])

    def test_padding_of_what_was_made(self):
        """Tokens that a mask says are padding, or hides between others, are in what is written too."""
        source = self.folder / "padded.h5"
        i, j = numpy.mgrid[:7, :7]
        for keys, options in ((keys, options) for keys in ([0, 0, 0, 1, 1, 1, 1], [1, 0, 1, 1, 1, 1, 0]) for options in (
                MEAN, OVER_ALL, ("--quantity=residual",), ("--quantity=rollout",), ("--quantity=flow",))):
            scores = numpy.where((j > i) | (numpy.array(keys) == 0), -numpy.inf, numpy.random.default_rng(4).normal(size=(2, 2, 7, 7)))
            # So models give it for a query that sees nothing.
            weights = numpy.where(numpy.isinf(scores).all(-1, keepdims=True), 1, numpy.exp(scores))
            with h5py.File(source, "w") as file:
                file.attrs["causal"] = 1
                file["attention"], file["key_mask"] = (weights / weights.sum(-1, keepdims=True)).astype("f4"), keys
            made = self.convert(source, *options)
            numbers = ("--format=json", "--numbers=entropy,evenness,distance,first,self")
            live, saved = (json.loads(self.done("stats", *arguments, *numbers)) for arguments in ((source, *options), (made,)))
            with self.subTest(keys=keys, options=options), h5py.File(made) as file:
                # What goes through layers is not known to leave out a token between others.
                through = options[0] in ("--quantity=rollout", "--quantity=flow")
                self.assertEqual(file["key_mask"][...].tolist(), [1, 1, *keys[2:]] if through and keys[0] else keys)
                for row, other in zip(live, saved, strict=True):
                    for name in ("entropy", "evenness", "distance", "first", "self"):
                        self.assertAlmostEqual(row[name], other[name], delta=1e-5, msg=name)
                self.assertNotIn("warning", self.done("info", made))

    def test_rollout(self):
        residual = self.weights.mean(1) + numpy.eye(6)
        residual /= residual.sum(-1, keepdims=True)
        source = self.write()
        maps, quantity = self.read(self.convert(source, "--quantity=rollout"))
        self.assert_maps(maps, numpy.stack([residual[0], residual[1] @ residual[0]])[:, None])
        self.assertEqual(quantity, "rollout")
        maps, quantity = self.read(self.convert(source, "--quantity=rollout", "--rollout-from=1"))
        self.assert_maps(maps, numpy.stack([numpy.eye(6), residual[1]])[:, None])
        self.assertEqual(quantity, "rollout from layer 1 on")
        (row, _) = json.loads(self.done("find-heads", source, "--pair=#2:#4", "--quantity=rollout", "--format=json"))["heads"]
        self.assertIn(row["head"], ("mean", 0))

    def test_misfits(self):
        """What does not fit is said and left out; the weights are there."""
        more = {"values": self.values, "output_projection": self.output}
        for name, numbers, says in (
                ("output_projection", self.output[:1], "“output_projection” has 1 layers, and the attention 2"),
                ("output_projection", self.output[:, :1], "“output_projection” is of 1 heads, and the attention has 2"),
                ("output_projection", self.output[:, :, :2], "is for 2 features of a head, and “values” have 3"),
                ("output_projection", self.output[0], "“output_projection” has rank 3"),
                ("value_norms", self.norms[:, :, :5], "“value_norms” do not have the layers, heads and keys of the attention"),
                ("value_norms", self.norms[0], "“value_norms” has rank 2"),
                ("inputs", numpy.ones((2, 5, 5)), "“inputs” does not have the layers and queries of the attention"),
                ("stream", numpy.ones((1, 6, 5)), "“stream” does not have the layers and queries of the attention"),
                ("stream", numpy.ones((2, 6, 4)), "which cannot be added"),
                ("output_norm", numpy.ones(5), "“output_norm” is not a row of floating-point numbers for each of the 2 layers")):
            text = self.done("info", self.write(**{**more, name: numbers}))
            self.assertIn(says, text)
            self.assertIn("; it is left out", text)
            # What else is there does not stand in for a stream that is not known.
            if name in ("stream", "output_norm"):
                told = test_cli.run("stats", self.write(**{**more, "inputs": numpy.ones((2, 6, 5)), name: numbers}), "--numbers=mixing", "--format=json")
                self.assertEqual({row["mixing"] for row in json.loads(told.stdout)}, {None}, name)
                self.assertIn("mixing", told.stderr)
        self.assertNotIn("left out", self.done("info", self.write(**more, inputs=numpy.ones((2, 6, 5)), output_norm=numpy.ones((2, 5)))))

    def test_signed_rows(self):
        """What lies on both sides of zero has no whole that what is left could be divided by."""
        source = self.folder / "signed.json"
        rows = [[0.3, 0.9, -0.29], [0.5, -0.25, 0.125], [-0.5, 0.75, -0.25]]
        source.write_text(json.dumps({"attention": [[rows]], "tokens": ["a", "b", "c"], "quantity": "change", "signed": 1}))
        told = self.done("stats", source, "--layer=0", "--head=0", "--hidden=k1", "--renormalise=yes", "--format=csv")
        found = [[float(number) for number in line.split(",")[1:]] for line in told.splitlines()[1:]]
        numpy.testing.assert_allclose(found, [[row[0], row[2]] for row in rows], rtol=1e-6)

    def test_of_every_source(self):
        """Whatever takes a SOURCE takes a quantity of it."""
        commands = [line.split()[0] for line in self.done("--help").partition("Commands:\n")[2].splitlines() if " SOURCE " in line]
        self.assertGreaterEqual(len(commands), 6)
        for command in commands:
            self.assertIn("--quantity=weight|value|norm", self.done(command, "--help"), command)

    def test_info(self):
        """What would be written, and why something is not."""
        source = self.write(value_norms=self.norms)
        text = self.done("info", source, "--quantity=rollout")
        self.assertIn("2 layers × 1 head × 6 queries", text)
        self.assertIn("The numbers are “rollout” in place of weights", text)
        found = json.loads(self.done("info", source, "--quantity=norm", "--json"))
        self.assertEqual([(block["layers"], block["heads"]) for block in found["blocks"]], [(2, 2)])
        self.fails("info", source, "--quantity=value", says="the quantity needs values, which this attention does not have")
        self.misused("info", source, "--quantity=length", says="--quantity cannot be “length”")
        result = test_cli.run("info", FIXTURES / "encoder-decoder.h5", "--quantity=flow")
        self.assertNotIn("Cross", result.stdout)
        self.assertIn("“cross” is left out: the quantity needs queries and keys that are the same tokens", result.stderr)

    def test_made_of(self):
        """What queries, keys and values are made of fits them and the inputs, or is said and left out."""
        random = numpy.random.default_rng(3)
        inputs = random.normal(0, 1, (2, 6, 5))
        queries, weights = random.normal(0, 1, (2, 2, 6, 3)), random.normal(0, 1, (2, 2, 5, 3))
        bias = numpy.ones((2, 2, 1, 3))
        more = {"queries": queries, "keys": queries[:, :1], "values": self.values, "inputs": inputs}
        every = {**more, "query_projection": weights, "key_projection": weights[:, :1], "value_projection": weights[:, :1],
                 "query_bias": bias, "key_bias": bias[:, :1], "value_bias": bias[:, :1]}
        self.assertNotIn("left out", self.done("info", self.write(**every)))
        fits = "does not have the layers, heads and features of “{}”, and {} rows in each; it is left out"
        for name, numbers, says in (
                ("query_projection", weights[:1], fits.format("queries", 5)),
                ("query_projection", weights[:, :1], fits.format("queries", 5)),
                ("query_projection", weights[..., :2], fits.format("queries", 5)),
                ("query_projection", weights[:, :, :4], fits.format("queries", 5)),
                ("key_projection", weights, fits.format("keys", 5)),
                ("value_projection", weights, fits.format("values", 5)),
                ("value_projection", weights[0], "“value_projection” has rank 3"),
                ("query_bias", weights, fits.format("queries", 1)),
                ("key_bias", bias[..., :1], fits.format("keys", 1))):
            with self.subTest(name=name, shape=numbers.shape):
                text = self.done("info", self.write(**{**every, name: numbers}))
                self.assertIn(says, text)
                self.assertEqual(text.count("left out"), 1)
        del every["inputs"]
        self.assertIn("“query_projection” makes “queries” of “inputs”, which are not both there; it is left out",
                      self.done("info", self.write(**every)))

    def test_store_all(self):
        """A model's attention with what it is made of: X W + b is what is stored, as far as nothing becomes of it."""
        for model, finish in (("bert", None), ("opt", None), ("llama", "rotary"), ("gemma2", "rotary result"),
                              ("glm4", "rotary result")):
            target = self.folder / f"{model}.h5"
            self.done("recompute", test_cli.CHECKPOINTS / model, "--ids=5,6,7,8", "--store=all", "-o", target)
            with h5py.File(target) as file:
                self.assertEqual(file.attrs.get("finish"), finish)
                for name, made in ("query", "queries"), ("key", "keys"), ("value", "values"):
                    product = file["inputs"][...].astype(float)[:, None] @ file[f"{name}_projection"][...]
                    if f"{name}_bias" in file:
                        product += file[f"{name}_bias"]
                    found = file[made][...]
                    if finish is not None and name != "value":
                        found, product = found[:, :, :1], product[:, :, :1]
                    self.assertEqual(found.shape, product.shape)
                    self.assertLessEqual(abs(found - product).max(), 1e-5 * abs(product).max())

    def test_lacking(self):
        """An attention that lacks what it takes is left out, and said; without any other, there is nothing."""
        source = FIXTURES / "encoder-decoder.h5"
        result = test_cli.run("stats", source, "--quantity=residual", "--format=json")
        self.assertEqual(result.returncode, 0)
        self.assertEqual({row["block"] for row in json.loads(result.stdout)}, {"encoder", "decoder"})
        self.assertIn("“cross” is left out: the quantity needs queries and keys that are the same tokens", result.stderr)
        self.fails("stats", source, "--quantity=norm", says="the quantity needs values and the output projection")
        self.fails("find-heads", source, "--block=cross", "--pair=#0:#0", "--quantity=flow", says="the quantity needs queries and keys")

    def test_lacking_asymmetry(self):
        """There is none of other tokens, as where some of one side are left out: numbers are not those of the weights then."""
        says = "asymmetry needs queries and keys that are the same tokens"
        result = test_cli.run("stats", FIXTURES / "encoder-decoder.h5", "--direction=asymmetry", "--format=json")
        self.assertEqual(result.returncode, 0)
        self.assertEqual({row["block"] for row in json.loads(result.stdout)}, {"encoder", "decoder"})
        self.assertIn(f"“cross” is left out: {says}", result.stderr)
        self.fails("stats", SAMPLE, "--direction=asymmetry", "--hidden=q0", says=says)
        self.fails("stats", SAMPLE, "--direction=asymmetry", "--hidden=q0", "--format=csv", "--layer=0", "--head=0", says=says)
        self.assertEqual(test_cli.run("stats", SAMPLE, "--direction=asymmetry", "--hidden=0").returncode, 0)

    def test_lacking_of_examples(self):
        """Over several texts the same is left out as of one."""
        one = {"encoder_attention": numpy.full((2, 1, 3, 3), 1 / 3).tolist(), "encoder_tokens": list("abc"),
               "decoder_attention": [[[[1, 0], [.5, .5]]]], "decoder_tokens": list("xy"),
               "cross_attention": numpy.full((1, 1, 2, 3), 1 / 3).tolist()}
        source = self.folder / "examples.json"
        source.write_text(json.dumps({"format": "headlight-attention", "version": 2, "examples": {"e0": one, "e1": one}}),
                          encoding="utf-8")
        for options, blocks in ((("--quantity=rollout",), ("encoder", "decoder")),
                                (("--quantity=rollout", "--rollout-from=1"), ("encoder",)),
                                (("--direction=asymmetry",), ("encoder", "decoder"))):
            for texts in (), ("--examples=all",):
                with self.subTest(options=options, texts=texts):
                    result = test_cli.run("stats", source, *options, *texts, "--format=json", "--numbers=first")
                    self.assertEqual(result.returncode, 0, result.stderr)
                    self.assertEqual(tuple(dict.fromkeys(row["block"] for row in json.loads(result.stdout))), blocks)
                    for block in {"encoder", "decoder", "cross"}.difference(blocks):
                        self.assertEqual(result.stderr.count(f"“{block}” is left out: "), 1)
        self.fails("stats", source, "--quantity=norm", "--examples=all", says="“e0”: the quantity needs values")

    def test_lacking_of_the_first(self):
        """A map is that of the first attention, and no other's where that lacks something."""
        source = self.folder / "two.json"
        source.write_text(json.dumps({"format": "headlight-attention", "version": 2, "encoder_attention": numpy.full((1, 1, 3, 3), 1 / 3).tolist(),
                                      "decoder_attention": [[[[1, 0], [.5, .5]]]] * 2}), encoding="utf-8")
        place = "--format=csv", "--layer=0", "--head=0"
        over_layers = *MEAN, "--combine-over=layers", "--layers=1"
        self.fails("stats", source, *over_layers, *place, says="there is no layer 1; the last one is 0")
        self.assertIn("“encoder” is left out: ", test_cli.run("stats", source, *over_layers).stderr)
        self.assertEqual(len(self.done("stats", source, *MEAN, *place).splitlines()), 4)

    def test_lacking_in_a_text(self):
        """What one text lacks is left out of all: a mean over the texts is one over all of them, or an error."""
        def example(norms):
            return {**{f"{block}_{name}": numbers for block in norms for name, numbers in (("tokens", ["a", "b"]), ("value_norms", [[[1, 2]]]))},
                    "encoder_attention": [[[[1, 0], [.5, .5]]]], "decoder_attention": [[[[1, 0], [.2, .8]]]],
                    "encoder_tokens": ["a", "b"], "decoder_tokens": ["c", "d"]}

        source = self.folder / "examples.json"
        norm = source, "--examples=all", "--quantity=norm"
        chart = "--view=chart", "--chart=layers", "--number=first", "-o", self.folder / "figure.svg"
        for lacking in 0, 1, 2:
            with self.subTest(lacking=lacking):
                examples = {f"e{i}": example(("encoder", "decoder")[:1 + (i != lacking)]) for i in range(3)}
                source.write_text(json.dumps({"format": "headlight-attention", "version": 2, "examples": examples}), encoding="utf-8")
                result = test_cli.run("stats", *norm, "--numbers=first", "--format=json")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual([(row["block"], row["first-n"]) for row in json.loads(result.stdout)], [("encoder", 3)])
                self.assertIn(f"“decoder” is left out: example “e{lacking}”: the quantity needs values", result.stderr)
                self.done("render", *norm, "--block=encoder", *chart)
                self.fails("render", *norm, "--block=decoder", *chart, says="the quantity needs values")
        examples = {"e0": example(("encoder",)), "e1": example(("decoder",))}
        source.write_text(json.dumps({"format": "headlight-attention", "version": 2, "examples": examples}), encoding="utf-8")
        self.fails("stats", *norm, "--numbers=first", says="“e1”: the quantity needs values")

    def test_mixing_of_norm(self):
        """What is normalised before it is added is no sum over tokens, of a model as of its dump, saved again too."""
        for model, finish in (("gemma2", "rotary result"), ("gemma3", "norm rotary result"), ("olmo2", "norm rotary result"),
                              ("glm4", "rotary result"), ("llama", None)):
            source, arguments = test_cli.CHECKPOINTS / model, ("--ids=5,6,7,8",)
            for target in self.folder / f"{model}.h5", self.folder / f"{model}.json", None:
                found = test_cli.run("stats", source, *arguments, "--numbers=entropy,mixing", "--format=json")
                with self.subTest(source=source):
                    for row in json.loads(found.stdout):
                        self.assertIsNotNone(row["entropy"])
                        self.assertEqual(row["mixing"] is None, finish is not None)
                    self.assertEqual("normalised before it is added" in found.stderr, finish is not None)
                if target is not None:
                    self.done("recompute" if source.is_dir() else "convert", source, *arguments,
                              *(("--store=all",) if source.is_dir() else ()), "-o", target)
                    if finish is not None and target.suffix == ".h5":
                        with h5py.File(target) as file:
                            self.assertEqual(file.attrs["finish"], finish)
                source, arguments = target, ()

    def test_mixing_of_gap(self):
        """A layer without attention mixes nothing, and takes nothing from the others."""
        random = numpy.random.default_rng(5)
        values, output = random.normal(0, 1, (2, 1, 2, 2)), random.normal(0, 1, (2, 1, 2, 3))
        inputs = random.normal(0, 1, (3, 2, 3))
        maps = [[[[.5, .5], [.2, .8]]]] * 2
        rows = []
        for layers in ("0", "1"), ("0", "2"):
            file = {"format": "headlight-attention", "version": 2, "tokens": ["a", "b"], "inputs": inputs[[0, 2]].tolist()}
            for name, parts in ("attention", maps), ("values", values.tolist()), ("output_projection", output.tolist()):
                file[name] = dict(zip(layers, parts))
            if layers[1] == "2":
                file["layers"], file["inputs"] = 3, inputs.tolist()
            source = self.folder / "gap.json"
            source.write_text(json.dumps(file), encoding="utf-8")
            rows.append(json.loads(self.done("stats", source, "--numbers=entropy,mixing", "--format=json")))
            source.write_text(json.dumps({**file, "finish": "none, result"}), encoding="utf-8")
            for target in self.folder / "saved.h5", self.folder / "saved.json", None:
                self.assertIn("normalised before it is added", test_cli.run("stats", source, "--numbers=mixing").stderr)
                if target is not None:
                    self.done("convert", source, "-o", target)
                    source = target
        self.assertEqual([row["layer"] for row in rows[1]], [0, 2])
        for row, other in zip(*rows, strict=True):
            self.assertIsNotNone(row["mixing"])
            self.assertAlmostEqual(row["mixing"], other["mixing"], delta=1e-6)


class Render(Case):
    def texts(self, *arguments):
        """The caption of a figure as text of an SVG, and the rest of it."""
        figure = self.folder / "figure.svg"
        self.done("render", SAMPLE, "-o", figure, *arguments)
        return figure.read_bytes()

    def test_pictures_differ(self):
        seen = {}
        for options in ((), MEAN, ("--combine=max",), (*MEAN, "--heads=0,1"), OVER_ALL, (*OVER_ALL, "--layers=0,1"),
                        ("--combine=mean", "--combine-over=layers"), ("--direction=transposed",), ("--direction=asymmetry",),
                        (*MEAN, "--direction=asymmetry"), ("--quantity=residual",)):
            for view in ("head-view", "heatmap", "model-view"):
                picture = self.texts("--view", view, *options)
                self.assertNotIn(picture, seen, (options, seen.get(picture)))
                seen[picture] = options

    def test_ends_off_diagonal(self):
        """The end of the colours that the diagonal lies beyond is marked, and no other."""
        source, target = self.folder / "ends.json", self.folder / "figure.svg"
        for weights, marked in (([[-10, -3], [-6, -4]], ["≤ −6"]), ([[0.5, -3], [-8, 9]], ["≥ −3"]), ([[-1, 5], [2, -7]], ["≤ 0"]),
                                ([[-10, -3], [-6, 4]], ["≤ −6", "≥ −3"]), ([[0.9, 0.25], [0.5, 0.8]], ["≥ 0.5"])):
            source.write_text(json.dumps({"attention": [[weights]], "tokens": ["i", "j"]}), encoding="utf-8")
            self.done("render", source, "-o", target, "--view=heatmap", "--value-scale=off-diagonal")
            texts = re.findall(r"<text[^>]*>([^<]*)<", target.read_text(encoding="utf-8"))
            self.assertEqual([text for text in texts if text[0] in "≤≥"], marked, weights)

    def test_several_heads_make_one(self):
        """A heatmap shows one map: that of one head, or of several that are combined."""
        figure = self.folder / "figure.png"
        self.done("render", SAMPLE, "-o", figure, "--view=heatmap", "--heads=0,2-5", *MEAN)
        self.misused("render", SAMPLE, "-o", figure, "--view=heatmap", "--heads=0,2", says="one head")
        self.misused("render", SAMPLE, "-o", figure, "--view=heatmap", "--heads=0,2", "--combine=mean", "--combine-over=layers",
                     says="one head")

    def test_heads_differ(self):
        """The layer that is looked at says nothing of what heads of all layers come to."""
        pictures = set()
        for layer in range(3):
            figure = self.folder / f"figure{layer}.svg"
            self.done("render", FIXTURES / "heads-differ.json", "-o", figure, "--view=heatmap", *OVER_ALL, f"--layer={layer}")
            pictures.add(figure.read_bytes())
        self.assertEqual(len(pictures), 1)

    def test_heads_lack(self):
        """Rollout goes through no layer that has none of the heads, of either side of a difference; a caption names what there is."""
        source, other = FIXTURES / "heads-differ.json", self.folder / "other.json"
        layers = json.loads(source.read_text(encoding="utf-8"))
        other.write_text(json.dumps({**layers, "attention": [layer[:3] for layer in layers["attention"]]}))
        through = "follows attention through all layers, and layer %u has none of the heads that are chosen"
        figure = self.folder / "figure.svg"
        for quantity in "rollout", "flow":
            render = ("render", source, "-o", figure, "--view=heatmap", f"--quantity={quantity}", "--layer=2", "--heads=3")
            self.fails(*render, says="the quantity " + through % 0)
            self.done(*render, "--rollout-from=2")
            self.fails(*render, "--rollout-from=2", "--difference", other, says=f"{quantity.title()} of B " + through % 2)
        self.done("render", source, "-o", figure, "--view=heatmap", *OVER_ALL, "--layer=2", "--heads=3")
        self.assertIn("mean of head 3 of layer 2", figure.read_text(encoding="utf-8"))

    def test_asymmetry_of_cross_attention(self):
        """There is none: what is drawn is the attention itself."""
        plain, asymmetric = self.folder / "plain.png", self.folder / "asymmetric.png"
        cross = (FIXTURES / "encoder-decoder.h5", "--block=cross")
        self.done("render", *cross, "-o", plain)
        self.done("render", *cross, "-o", asymmetric, "--direction=asymmetry")
        self.assertEqual(plain.read_bytes(), asymmetric.read_bytes())

    def test_refused(self):
        figure = self.folder / "figure.png"
        for text in ("", "1,,2", "2-1", "a", "1-", "-1", "4096"):
            self.misused("render", SAMPLE, "-o", figure, *OVER_ALL, f"--layers={text}", says="--layers cannot be")
        for text in ("", "5-2", "1024"):
            self.misused("render", SAMPLE, "-o", figure, f"--heads={text}", says="--heads cannot be")
        self.misused("render", SAMPLE, "-o", figure, "--layers=1", says="--layers needs")
        for how in "max", "sum":
            self.misused("render", SAMPLE, "-o", figure, "--quantity=rollout", f"--combine={how}",
                         says=f"--quantity rollout is of the mean of heads: --combine {how} needs --combine-over layers")
        self.misused("render", SAMPLE, "-o", figure, "--layers=1", *MEAN, says="--layers needs")
        self.misused("stats", SAMPLE, "--heads=1", says="--heads needs")
        self.misused("render", SAMPLE, "-o", figure, "--combine=product", says="none|mean|max|sum")
        self.fails("render", SAMPLE, "-o", figure, *OVER_ALL, "--layers=6", says="no layer 6; the last one is 5")
        self.fails("render", SAMPLE, "-o", figure, *MEAN, "--heads=12", says="no head 12 in layer 0; the last one is 11")
        self.fails("render", FIXTURES / "encoder-decoder.h5", "--block=cross", "-o", figure, "--quantity=residual",
                   says="the quantity needs queries and keys that are the same tokens, which this attention")
        self.assertFalse(figure.exists())


if __name__ == "__main__":
    sys.exit(test_cli.main())

# SPDX-License-Identifier: MIT
"""Dumps of queries and keys, of every family: weights that are read back are those that the model gives.

Also what data/dump-format.md says of version 2, against NumPy: rules that layers differ in, biases, distances, masks, kinds of
attention, layers that differ, dumps in several files, times.  Usage: test-cli-store.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.
"""

import importlib.util
import json
import pathlib
import shutil
import sys
import tempfile
import unittest

import h5py
import numpy

spec = importlib.util.spec_from_file_location("test_cli", pathlib.Path(__file__).with_name("test-cli.py"))
test_cli = importlib.util.module_from_spec(spec)
spec.loader.exec_module(test_cli)

FORMAT = {"format": "headlight-attention", "version": 2}
KINDS = ("", "encoder_", "decoder_", "cross_")


def softmax(scores, sinks=None):
    greatest = scores.max(-1, keepdims=True)
    if sinks is not None:
        greatest = numpy.maximum(greatest, sinks)
    greatest = numpy.where(numpy.isfinite(greatest), greatest, 0)
    powers = numpy.exp(scores - greatest)
    total = powers.sum(-1, keepdims=True) + (0 if sinks is None else numpy.exp(sinks - greatest))
    return numpy.divide(powers, total, out=numpy.zeros_like(powers), where=total > 0)


def products(queries, keys):
    keys = numpy.repeat(keys, queries.shape[-3] // keys.shape[-3], -3)
    return queries.astype(float) @ keys.astype(float).swapaxes(-1, -2)


def visit(file):
    found = {}
    file.visititems(lambda name, item: found.update({name: item[...]}) if isinstance(item, h5py.Dataset) else None)
    return found


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="headlight-store-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.random = numpy.random.default_rng(16)

    def done(self, *arguments):
        result = test_cli.run(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def refused(self, path, *says):
        result = test_cli.run("info", path)
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertEqual(result.stderr.strip().count("\n"), 0, result.stderr)
        for text in says:
            self.assertIn(text, result.stderr)

    def normal(self, *shape):
        return self.random.normal(size=shape).astype("f4")

    def write(self, name, attributes={}, **members):
        path = self.folder / name
        with h5py.File(path, "w") as file:
            file.attrs.update(FORMAT | attributes)
            for member, value in members.items():
                file[member.replace("__", "/")] = value
        return path

    def weights(self, path):
        """What the program makes of a file."""
        target = self.folder / "weights.h5"
        self.done("convert", path, "--store=weights", "-o", target)
        with h5py.File(target) as file:
            return {name: value for name, value in visit(file).items() if "attention" in name}

    def compare(self, path, wanted):
        """Also by way of each container that is written."""
        paths = [path]
        for ending in ("h5", "npz", "json"):
            paths.append(self.folder / f"again.{ending}")
            self.done("convert", path, "--store=qk", "-o", paths[-1])
        for place in paths:
            found = self.weights(place)
            self.assertEqual(found.keys(), wanted.keys())
            for name in wanted:
                numpy.testing.assert_allclose(found[name], wanted[name], rtol=0, atol=1e-6, err_msg=f"{place} {name}")

    def test_families(self):
        n = 0
        for model in sorted(test_cli.CHECKPOINTS.iterdir()):
            if not (model / "config.json").exists():
                continue
            with self.subTest(model=model.name):
                ids, of_model, stored = "--ids=5,6,7,8,9,4,3,11,12", self.folder / "model.h5", self.folder / "qk.h5"
                self.done("recompute", model, ids, "-o", of_model)
                self.done("recompute", model, ids, "--store=qk", "-o", stored)
                with h5py.File(of_model) as file:
                    wanted = {name: value for name, value in visit(file).items() if "attention" in name}
                with h5py.File(stored) as file:
                    self.assertFalse([name for name in visit(file) if name.split("/")[0].endswith("attention")])
                found = self.weights(stored)
                self.assertEqual(found.keys(), wanted.keys())
                self.assertTrue(wanted)
                for name in wanted:
                    numpy.testing.assert_allclose(found[name], wanted[name], rtol=0, atol=1e-6, err_msg=name)
                n += 1
        self.assertGreater(n, 100)

    def test_rules(self):
        """Every layer with rules of its own, and all that may be said at once."""
        n, m, size = 17, 23, 8
        queries, keys = self.normal(3, 4, n, size), self.normal(3, 2, m, size)
        sinks, bias = self.normal(3, 4), self.normal(3, 4, n + m - 1)
        key_mask = numpy.ones(m, "u1")
        key_mask[[0, 7, 22]] = 0
        mask = self.random.random((n, m)) < .8
        mask[3] = False
        path = self.write("rules.h5", {"causal": [1, 0, 1], "sliding_window": [5, 4, 0], "chunk": [0, 0, 6],
                                       "query_offset": [6, 2, 3], "scale": [.3, .5, .2], "softcap": [0, 3., 0],
                                       "layer_types": ["full_attention", "sliding_attention", "chunked_attention"]},
                          queries=queries, keys=keys, sinks=sinks, bias=bias, key_mask=key_mask,
                          mask=numpy.packbits(mask, axis=-1, bitorder="little"), layer_names=["a.0", "a.1", "a.2"])
        i, j = numpy.arange(n)[:, None], numpy.arange(m)[None]
        wanted = numpy.zeros((3, 4, n, m))
        for layer, offset in enumerate((6, 2, 3)):
            place = i + offset
            seen = mask & (key_mask[None] != 0) & [(j <= place) & (j > place - 5), abs(place - j) < 4,
                                                   (j <= place) & (place // 6 == j // 6)][layer]
            scores = products(queries[layer], keys[layer]) * (.3, .5, .2)[layer]
            if layer == 1:
                scores = 3 * numpy.tanh(scores / 3)
            scores = numpy.where(seen, scores + bias[layer][:, j - i + n - 1], -numpy.inf)
            wanted[layer] = softmax(scores, sinks[layer][:, None, None])
        self.compare(path, {"attention": wanted})
        self.assertIn("1 × full_attention, 1 × sliding_attention, 1 × chunked_attention · a.0 … a.2", self.done("info", path))

    def test_distances(self):
        n, rows = 9, 5
        queries, keys = self.normal(2, 3, n, 4), self.normal(2, 3, n, 4)
        distance_queries, distance_keys = self.normal(2, 3, rows, 4), self.normal(2, 3, rows, 4)
        distance_rows = self.random.integers(0, rows, 2 * n - 1)
        i, j = numpy.arange(n)[:, None], numpy.arange(n)[None]
        row = distance_rows[j - i + n - 1]
        of_queries = numpy.take_along_axis(products(queries, distance_keys), numpy.broadcast_to(row, (2, 3, n, n)), -1)
        of_keys = products(keys, distance_queries)[:, :, j, row]
        members = {"queries": queries, "keys": keys, "distance_rows": distance_rows}
        both = self.write("both.h5", {"scale": .4}, **members, distance_queries=distance_queries,
                          distance_keys=distance_keys)
        self.compare(both, {"attention": softmax(.4 * (products(queries, keys) + of_queries + of_keys))})
        one = self.write("one.h5", {"scale": .4}, **members, distance_keys=distance_keys)
        self.compare(one, {"attention": softmax(.4 * (products(queries, keys) + of_queries))})

    def test_kinds(self):
        n, m = 7, 11
        sizes = {"encoder_": (m, m), "decoder_": (n, n), "cross_": (n, m)}
        members, wanted = {"encoder_tokens": [f"e{i}" for i in range(m)], "decoder_tokens": [f"d{i}" for i in range(n)]}, {}
        bias = self.normal(2, n + n - 1)
        for kind, (a, b) in sizes.items():
            queries, keys = self.normal(3, 2, a, 4), self.normal(3, 1, b, 4)
            members |= {f"{kind}queries": queries, f"{kind}keys": keys}
            scores = products(queries, keys) * (.7 if kind == "cross_" else .5)
            if kind == "decoder_":
                i, j = numpy.arange(n)[:, None], numpy.arange(n)[None]
                scores = numpy.where(j <= i, scores + bias[:, j - i + n - 1], -numpy.inf)
            wanted[f"{kind}attention"] = softmax(scores)
        path = self.write("kinds.h5", {"decoder_causal": 1, "cross_scale": .7}, decoder_bias=bias, **members)
        self.compare(path, wanted)

    def test_layers(self):
        """Layers differ in heads and head size, and one has no attention."""
        n, members, wanted = 8, {}, {}
        for layer, (heads, key_heads, size) in {0: (4, 2, 8), 1: (2, 1, 16), 3: (4, 4, 8)}.items():
            queries, keys = self.normal(heads, n, size), self.normal(key_heads, n, size)
            members |= {f"queries__{layer}": queries, f"keys__{layer}": keys,
                        f"value_norms__{layer}": numpy.ones((heads, n), "f4")}
            scores = numpy.where(numpy.tri(n, dtype=bool), products(queries, keys) * size ** -.5, -numpy.inf)
            wanted[f"attention/{layer}"] = softmax(scores)
        self.compare(self.write("layers.h5", {"causal": 1, "layers": 4}, **members), wanted)

    def test_layers_by_turns(self):
        """Layers differ in heads first and then in head size; what has two axes of each is read from JSON as from the other containers."""
        n, members, wanted = 6, {}, {}
        for layer, (heads, size) in enumerate(((2, 4), (4, 4), (1, 9), (2, 4))):
            queries, keys, bias = self.normal(heads, n, size), self.normal(heads, n, size), self.normal(heads, 2 * n - 1)
            members |= {f"queries__{layer}": queries, f"keys__{layer}": keys, f"bias__{layer}": bias,
                        f"value_norms__{layer}": 1 + abs(self.normal(heads, n))}
            distances = numpy.arange(n)[None] - numpy.arange(n)[:, None] + n - 1
            wanted[f"attention/{layer}"] = softmax(products(queries, keys) * size ** -.5 + bias[:, distances])
        path = self.write("rows.h5", {"causal": 0}, **members)
        self.compare(path, wanted)
        again = self.folder / "again.json"
        self.assertEqual(self.done("stats", again, "--numbers=norm-mass-first"), self.done("stats", path, "--numbers=norm-mass-first"))

    def test_projected_keys(self):
        """E and F of a Linformer stay beside what they are multiplied with."""
        n, k = 8, 3
        for shape in (k, n), (2, k, n), (2, 4, k, n):
            queries, keys, values = (self.normal(2, 4, n, 5) for _ in range(3))
            e, f = self.normal(*shape), self.normal(*shape)
            path = self.write("linformer.h5", {"scale": .5}, queries=queries, keys=keys, values=values, key_projections=e,
                              value_projections=f, tokens=[f"t{i}" for i in range(n)])
            wanted = softmax(queries @ ((e if e.ndim != 3 else e[:, None]) @ keys).swapaxes(-1, -2) * .5)
            again = path
            for ending in ("npz", "json", "h5"):
                again, before = self.folder / f"again.{ending}", again
                self.done("convert", before, "-o", again)
                numpy.testing.assert_allclose(self.weights(again)["attention"], wanted, rtol=0, atol=1e-6)
            with h5py.File(again) as file:
                for name, stored in {"keys": keys, "values": values, "key_projections": e, "value_projections": f}.items():
                    numpy.testing.assert_array_equal(file[name], numpy.broadcast_to(stored, file[name].shape), name)
            self.compare(path, {"attention": wanted})

    def test_ranks(self):
        n = 6
        queries, keys, sinks, bias = self.normal(2, 8, n, 4), self.normal(2, 4, n, 4), self.normal(2, 8), self.normal(2, 8, 11)
        tokens = [f"t{i}" for i in range(n)]

        def write(name, own, own_keys, **attributes):
            return self.write(name, {"causal": 1, **attributes}, queries=queries[:, own], keys=keys[:, own_keys],
                              sinks=sinks[:, own], bias=bias[:, own], tokens=tokens)

        wanted = self.weights(write("one.h5", slice(None), slice(None)))
        ranks = [write(f"run.rank{i}.h5", slice(2 * i, 2 * i + 2), slice(i, i + 1), rank=i, ranks=4, sharding="heads")
                 for i in range(4)]
        for rank in ranks[::2]:
            found = self.weights(rank)
            self.assertEqual(found.keys(), wanted.keys())
            numpy.testing.assert_array_equal(found["attention"], wanted["attention"])
        self.assertIn("HDF5, 4 files", self.done("info", ranks[3]))

        ranks[1].rename(self.folder / "away.h5")
        self.refused(ranks[0], "“run.rank1.h5” is missing: the dump is of 4 files")
        self.refused(self.folder / "away.h5", "NAME.rank0.h5")
        shutil.copy(ranks[0], ranks[1])
        self.refused(ranks[3], "“run.rank1.h5” does not say that its rank is 1")
        write("run.rank1.h5", slice(2, 4), slice(1, 2), rank=1, ranks=3, sharding="heads")
        self.refused(ranks[3], "“run.rank1.h5” is not of the same dump")
        self.write("run.rank1.h5", {"rank": 1, "ranks": 4, "sharding": "heads"}, queries=queries[:, 2:4, :5],
                   keys=keys[:, 1:2], sinks=sinks[:, 2:4], bias=bias[:, 2:4])
        self.refused(ranks[3], "“queries”", "“run.rank1.h5”", "only heads may differ")
        # While a second run writes its files, those of the first are still there.
        self.write("run.rank1.h5", {"rank": 1, "ranks": 4, "sharding": "heads"}, queries=queries[:, 2:4], keys=keys[:, 1:2],
                   sinks=sinks[:, 2:4], bias=bias[:, 2:4], tokens=["other", *tokens[1:]])
        self.refused(ranks[3], "“tokens” is not the same in “run.rank1.h5” as in “run.rank0.h5”: the files are of different runs")
        # The same texts, and another model: what the files say of their run tells, where they say it.
        for runs in (("a", "a", "a", "a"), (None, "a", "a", None), ("a", "b", "a", "a"), (None, "a", "b", None)):
            for i, run in enumerate(runs):
                write(f"run.rank{i}.h5", slice(2 * i, 2 * i + 2), slice(i, i + 1), rank=i, ranks=4, sharding="heads", **({"run": run} if run else {}))
            if "b" in runs:
                self.refused(ranks[3], f"“run.rank{runs.index('b')}.h5” is of another run than others: its “run” differs")
            else:
                numpy.testing.assert_array_equal(self.weights(ranks[0])["attention"], wanted["attention"])

    def test_ranks_of_examples(self):
        queries = self.normal(2, 2, 2, 5, 4)
        for rank in range(2):
            members = {f"examples__{name}__{member}": queries[rank] for name in ("0", f"own{rank}")
                       for member in ("queries", "keys")}
            self.write(f"run.rank{rank}.h5", {"rank": rank, "ranks": 2, "sharding": "examples"}, **members)
            self.write(f"root.rank{rank}.h5", {"rank": rank, "ranks": 2, "sharding": "examples"}, queries=queries[rank],
                       keys=queries[rank])
        for name, names in (("run", ["0, rank 0", "own0", "0, rank 1", "own1"]), ("root", ["rank 0", "rank 1"])):
            target = self.folder / "out.h5"
            self.done("convert", self.folder / f"{name}.rank1.h5", "--store=weights", "-o", target)
            with h5py.File(target) as file:
                self.assertEqual(sorted(file["examples"]), sorted(names))
                for example in names:
                    rank = int(example[-1])
                    numpy.testing.assert_allclose(file[f"examples/{example}/attention"],
                                                  softmax(products(queries[rank], queries[rank]) / 2), atol=1e-6)

    def test_ranks_of_both(self):
        """Two examples, the heads of each in two files."""
        queries, projection = self.normal(2, 2, 4, 5, 3), self.normal(2, 4, 3, 6)

        def write(rank, **attributes):
            own = slice(rank % 2 * 2, rank % 2 * 2 + 2)
            members = {f"examples__{rank // 2}__{member}": queries[rank // 2][:, own] for member in ("queries", "keys", "values")}
            return self.write(f"both.rank{rank}.h5", {"rank": rank, "ranks": 4, "sharding": "examples", "head_ranks": 2, **attributes},
                              output_projection=projection[:, own], **members)

        paths = [write(rank) for rank in range(4)]
        target = self.folder / "out.h5"
        for path in paths:
            self.done("convert", path, "--store=qk", "-o", target)
            with h5py.File(target) as file:
                self.assertEqual(sorted(file["examples"]), ["0", "1"])
                for example in range(2):
                    numpy.testing.assert_allclose(file[f"examples/{example}/queries"], queries[example], atol=1e-3)
        self.done("convert", paths[3], "--store=weights", "-o", target)
        with h5py.File(target) as file:
            for example in range(2):
                numpy.testing.assert_allclose(file[f"examples/{example}/attention"],
                                              softmax(products(queries[example], queries[example]) / 3 ** .5), atol=1e-6)
        for wrong in (1, 3, 0, -1, 2.5):
            write(2, head_ranks=wrong)
            for path in paths[::2]:
                self.refused(path, "attribute “head_ranks” of “both.rank", "does not divide the 4 files into equal parts")

    def test_times(self):
        queries, keys = self.normal(2, 2, 3, 4), self.normal(2, 2, 40, 4)
        starts = numpy.arange(40) * .02
        path = self.write("times.h5", cross_queries=queries, cross_keys=keys, decoder_tokens=["a", "b", "c"],
                          encoder_token_starts=starts, encoder_token_ends=starts + .02)
        self.done("convert", path, "--store=weights", "-o", self.folder / "out.h5")
        with h5py.File(self.folder / "out.h5") as file:
            self.assertEqual(file["encoder_tokens"].asstr()[1], "0.02–0.04 s")
            self.assertEqual(file["encoder_tokens"].asstr()[39], "0.78–0.80 s")
            numpy.testing.assert_array_equal(file["encoder_token_starts"], starts.astype("f4"))
            numpy.testing.assert_array_equal(file["encoder_token_ends"], (starts + .02).astype("f4"))
            self.assertNotIn("decoder_token_starts", file)
        # Once more through JSON, beside spellings of somebody's own; and with more times than positions.
        path = self.write("spelt.h5", queries=queries, keys=queries, tokens=["a", "b", "c"], token_starts=[1, 1.5, 2, 9])
        self.done("convert", path, "--store=qk", "-o", self.folder / "out.json")
        self.done("convert", self.folder / "out.json", "-o", self.folder / "again.h5")
        with h5py.File(self.folder / "again.h5") as file:
            self.assertEqual(list(file["tokens"].asstr()), ["a", "b", "c"])
            numpy.testing.assert_array_equal(file["token_starts"], [1, 1.5, 2])
            self.assertNotIn("token_ends", file)
        path = self.write("few.h5", queries=queries, keys=queries, tokens=["a", "b", "c"], token_starts=[1, 1.5])
        self.assertIn("times of 2 tokens are not of the 3 positions", self.done("info", path))
        path = self.write("unlike.h5", queries=queries, keys=queries, tokens=["a", "b", "c"], token_starts=[1, 2, 3], token_ends=[1])
        self.assertIn("3 starts and 1 ends; times of tokens are left out", self.done("info", path))
        path = self.write("starts.h5", queries=queries, keys=queries, token_starts=[0.005, 0.006, 1])
        self.assertIn("0.005 s", self.done("info", path))
        path = self.write("more.h5", queries=queries, keys=queries, token_starts=[1, 2, 3, 4])
        self.assertIn("there are more “token_starts” (4) than positions (3)", self.done("info", path))
        path = self.write("odd.h5", queries=queries, keys=queries, token_starts=[0, numpy.nan, 1])
        self.assertIn("NaN", self.done("info", path))

    def test_layers_that_were_not_captured(self):
        """They are told from layers without attention, and stay so where the file is written again."""
        queries, some = self.normal(2, 5, 4), {"captured": [1, 1, 0, 0], "layers": 4}
        path = self.write("some.h5", some | {"scale": .5}, **{"queries/0": queries, "keys/0": queries})
        again, json_file = self.folder / "again.h5", self.folder / "again.json"
        self.done("convert", path, "--store=qk", "-o", again)
        self.done("convert", path, "--store=weights", "-o", json_file)
        with h5py.File(again) as file:
            self.assertEqual(file.attrs["captured"].tolist(), [1, 1, 0, 0])
        for file in (path, again, json_file):
            said = self.done("info", file)
            self.assertIn("2 of 4 layers were not captured", said)
            self.assertIn("1 of 4 layers has no attention, as one of linear attention has none", said)
            for layer, says in ((1, "there is no attention in layer 1"), (2, "layer 2 was not captured")):
                for chosen in ([f"--layer={layer}"], ["--combine=mean", "--combine-over=layers", f"--layers={layer}"]):
                    result = test_cli.run("render", file, *chosen, "-o", self.folder / "out.svg")
                    self.assertNotEqual(result.returncode, 0)
                    self.assertIn(says, result.stderr)
        self.done("render", path, "--view=layers", "-o", self.folder / "layers.svg")
        drawn = (self.folder / "layers.svg").read_text()
        self.assertEqual(drawn.count("no attention in this layer"), 1)
        self.assertEqual(drawn.count("not captured"), 2)
        path = self.write("two.h5", {"captured": [1, 0], "layers": 2}, **{"queries/0": queries, "keys/0": queries})
        result = test_cli.run("render", path, "--quantity=rollout", "-o", self.folder / "out.svg")
        self.assertIn("follows attention through all layers, and layer 1 was not captured", result.stderr)
        # Whose attention is there is there.
        said = self.done("info", self.write("odd.h5", {"captured": [0, 0]}, queries=self.normal(2, 2, 5, 4), keys=self.normal(2, 2, 5, 4)))
        self.assertNotIn("not captured", said)

    def test_views_of_what_is_not_there(self):
        path = self.write("text.h5", attention=numpy.full((1, 1, 4, 4), .25, "f4"))
        for view, says in (("picture", "this view needs an image"), ("steps", "this view needs queries and keys")):
            result = test_cli.run("render", path, f"--view={view}", "-o", self.folder / "out.svg")
            self.assertEqual((result.returncode, len(result.stderr.splitlines())), (1, 1), result.stderr)
            self.assertIn(says, result.stderr)
            self.assertFalse((self.folder / "out.svg").exists())
        path = self.write("cross.h5", cross_attention=numpy.full((2, 1, 3, 4), .25, "f4"))
        result = test_cli.run("render", path, "--view=layers", "-o", self.folder / "out.svg")
        self.assertEqual(result.returncode, 1)
        self.assertIn("layers can be joined", result.stderr)

    def test_offset(self):
        """Tokens of queries that stand somewhere among the keys; a query before all keys sees nothing."""
        queries, keys = self.normal(1, 1, 3, 4), self.normal(1, 1, 8, 4)
        path = self.write("offset.h5", {"causal": 1, "query_offset": 2}, queries=queries, keys=keys,
                          tokens=[f"t{i}" for i in range(8)])
        seen = numpy.arange(8)[None] <= numpy.arange(3)[:, None] + 2
        self.compare(path, {"attention": softmax(numpy.where(seen, products(queries, keys) / 2, -numpy.inf))})
        self.assertIn("t2", json.dumps(json.loads(self.done("info", "--json", path))))
        path = self.write("before.h5", {"causal": 1, "query_offset": -2}, queries=queries, keys=keys)
        found = self.weights(path)["attention"]
        numpy.testing.assert_array_equal(found[:, :, :2], 0)
        numpy.testing.assert_allclose(found[:, :, 2, 0], 1)

    def test_refused(self):
        """What weights follow from must fit, and the sentence names what does not."""
        n = 4
        good = {"queries": self.normal(2, 2, n, 3), "keys": self.normal(2, 2, n, 3)}
        rows, table = numpy.zeros(2 * n - 1, "i4"), self.normal(2, 2, 5, 3)
        for i, (says, attributes, members) in enumerate((
            ("“bias”", {}, {"bias": self.normal(2, 2, 6)}),
            ("“bias”", {}, {"bias": self.normal(3, 7)}),
            ("“sinks”", {}, {"sinks": self.normal(2, 3)}),
            ("“distance_rows”", {}, {"distance_keys": table}),
            ("“distance_rows”", {}, {"distance_keys": table, "distance_rows": rows[1:]}),
            ("“distance_rows” has 5", {}, {"distance_keys": table, "distance_rows": rows + 5}),
            ("“distance_rows” has -1", {}, {"distance_keys": table, "distance_rows": rows - 1}),
            ("“distance_keys”", {}, {"distance_keys": self.normal(2, 1, 5, 3), "distance_rows": rows}),
            ("“softcap”", {"softcap": 3.}, {"distance_keys": table, "distance_rows": rows}),
            ("“key_mask”", {}, {"key_mask": numpy.ones(n + 1, "u1")}),
            ("“key_mask”", {}, {"key_mask": numpy.full(n, .5)}),
            ("“mask”", {}, {"mask": numpy.ones((n, 2), "u1")}),
            ("“mask”", {}, {"mask": numpy.ones((3, n, 1), "u1")}),
            ("“mask”", {}, {"mask": numpy.ones((n, 1), "i4")}),
            ("“scale”", {"scale": [1., 2., 3.]}, {}),
            ("“scale”", {"scale": [1., 0.]}, {}),
            ("“causal”", {"causal": [0, 2]}, {}),
            ("attribute “chunk” is -1 for layer 1; a whole number, 0 or more is needed", {"chunk": [3, -1]}, {}),
            ("attribute “sliding_window” is “x” for layer 0; a whole number, 0 or more is needed", {"sliding_window": "x, 3"}, {}),
            ("attribute “chunk” is a list of 3; a whole number, 0 or more is needed, or one for each of 2 layers", {"chunk": [3, 0, 3]}, {}),
            ("attribute “softcap” is -1; a number, 0 or more is needed", {"softcap": -1.}, {}),
            ("“query_offset”", {"query_offset": 1 << 40}, {}),
            ("“query_offset”", {"query_offset": .5}, {}),
        )):
            with self.subTest(says=says, case=i):
                self.refused(self.write(f"bad{i}.h5", attributes, **(good | members)), says)
        kind = {f"cross_{name}": value for name, value in good.items()}
        self.refused(self.write("kind.h5", cross_bias=self.normal(2, 2, 6), **kind), "“cross_bias”")
        self.refused(self.write("alone.h5", cross_queries=good["queries"]), "“cross_queries”", "“cross_keys”")

    def test_beside_weights(self):
        """A mask that stored weights contradict is said and left out; one that fits is told from small weights."""
        weights = numpy.full((1, 1, 4, 4), .25, "f4")
        path = self.write("odd.h5", attention=weights, key_mask=[1, 1, 0, 1])
        self.assertIn("“key_mask” hides keys that queries attend to", self.done("info", path))
        weights[..., 2] = 0
        path = self.write("even.h5", attention=weights, key_mask=[1, 1, 0, 1])
        self.assertIn("keys between others are masked", self.done("info", path))
        queries = self.normal(1, 1, 4, 3)
        said = self.done("info", self.write("none.h5", queries=queries, keys=queries, key_mask=[0, 0, 0, 0]))
        self.assertIn("all keys are masked: no query sees any", said)
        self.assertNotIn("between", said)
        old = self.write("old.h5", {"version": 1}, attention=weights, mask=self.normal(4, 4), key_mask=self.normal(9))
        said = self.done("info", old)
        self.assertFalse([line for line in said.splitlines() if "mask" in line and not line.startswith("Dataset")], said)


if __name__ == "__main__":
    sys.exit(test_cli.main())

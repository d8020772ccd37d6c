# SPDX-License-Identifier: MIT
"""headlight-cli on files that are common and not as data/dump-format.md says: what it makes of them, and that it says so.

Usage: test-cli-odd.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.
"""

import fcntl
import importlib.util
import json
import pathlib
import pickle
import shutil
import sys
import xml.etree.ElementTree

spec = importlib.util.spec_from_file_location("test_cli", pathlib.Path(__file__).with_name("test-cli.py"))
test_cli = importlib.util.module_from_spec(spec)
spec.loader.exec_module(test_cli)

Case, h5py, numpy = test_cli.Case, test_cli.h5py, test_cli.numpy


@test_cli.needs_numpy
class Odd(Case):
    def test_words(self):
        """The pickles of Clark et al. (2019): n words beside attention of n + 2 positions."""
        rng = numpy.random.default_rng(12)
        examples = []
        for words in (["time", "flies", "like", "an", "arrow"], ["she", "saw", "it"]):
            n = len(words) + 2
            weights = rng.random((2, 3, n, n)) + 0.1
            examples.append({"words": words, "heads": [0] * len(words), "relns": ["dep"] * len(words),
                             "attns": (weights / weights.sum(-1, keepdims=True)).astype("float16")})
        path = self.folder / "clark.pkl"
        path.write_bytes(pickle.dumps(examples, protocol=2))
        for example, words in enumerate(entry["words"] for entry in examples):
            svg = self.folder / f"{example}.svg"
            self.done("render", path, "--example", example, "--view", "heatmap", "-o", svg)
            text = svg.read_text(encoding="utf-8")
            for word in ["[CLS]", *words, "[SEP]"]:
                self.assertIn(word, text)
            said = self.done("info", path, "--example", example)
            self.assertIn("between [CLS] and [SEP]", said)

    def test_list_of_one(self):
        """What generate() returns of one step, and examples that are one."""
        weights = numpy.random.default_rng(14).random((3, 1, 2, 5, 5)) * numpy.tri(5) + numpy.tri(5) * .1
        layers = tuple((weights / weights.sum(-1, keepdims=True)).astype("f4"))
        plain = self.folder / "plain.pkl"
        plain.write_bytes(pickle.dumps({"attention": layers}))
        wanted = self.done("stats", plain, "--numbers=first,entropy")
        for name, content in {"steps": {"attentions": (layers,)}, "tokens": {"attention": [layers], "tokens": list("abcde")},
                              "decoder": {"decoder_attentions": (layers,)}, "list": [layers]}.items():
            path = self.folder / f"{name}.pkl"
            path.write_bytes(pickle.dumps(content))
            self.assertIn("3 layers × 2 heads × 5 queries × 5 keys", self.done("info", path), name)
            self.assertEqual(self.done("stats", path, "--numbers=first,entropy").replace("decoder  ", "attention"), wanted, name)
        path.write_bytes(pickle.dumps({"attentions": (tuple(layer.astype("i4") for layer in layers),)}))
        self.fails("info", path, says="“attentions/0” is not a list of numbers", about=path)

    def eager(self, seen, causal=True, n_queries=None):
        """Two layers of two heads as an eager model makes them: a query that sees nothing attends to all keys alike."""
        n = len(seen)
        sees = numpy.broadcast_to(numpy.array(seen) != 0, (n, n)) & (numpy.tri(n) != 0 if causal else True)
        weights = numpy.where(sees, self.random.random((2, 2, n, n)) + .1, 0)[:, :, n - (n_queries or n):]
        sums = weights.sum(-1, keepdims=True)
        return numpy.where(sums > 0, weights / numpy.where(sums > 0, sums, 1), 1 / n).astype("f4")

    def stats(self, path, example=0, numbers="entropy,evenness,first,distance,self"):
        return self.done("stats", path, "--example", example, "--numbers", numbers)

    def checks(self, path):
        return [line for line in self.done("info", path).splitlines() if line.startswith(("info", "warning")) and "was read as" not in line]

    def write_as(self, name, members):
        path = self.folder / name
        if path.suffix == ".h5":
            with h5py.File(path, "w") as file:
                file.update(members)
        elif path.suffix == ".npz":
            numpy.savez(path, **members)
        elif path.suffix == ".json":
            path.write_text(json.dumps({name: value.tolist() for name, value in members.items()}))
        elif path.suffix == ".safetensors":
            types = {"float32": "F32", "int64": "I64", "bool": "BOOL"}
            header, end = {}, 0
            for member, value in members.items():
                header[member] = {"dtype": types[value.dtype.name], "shape": value.shape, "data_offsets": [end, end + value.nbytes]}
                end += value.nbytes
            text = json.dumps(header).encode()
            path.write_bytes(len(text).to_bytes(8, "little") + text + b"".join(value.tobytes() for value in members.values()))
        else:
            path.write_bytes(pickle.dumps(members))
        return path

    def test_attention_mask(self):
        """What a tokenizer says of padding, saved beside the attention: numbers are those of the text without it."""
        self.random = numpy.random.default_rng(7)
        seen = numpy.array([[0, 0, 1, 1, 1, 1, 1], [1] * 7, [0, 1, 1, 1, 1, 1, 0]])
        weights = numpy.stack([self.eager(row) for row in seen], 1)
        wanted = []
        for item, row in enumerate(seen):
            kept = numpy.flatnonzero(row)
            cut = {"attention": weights[:, item][:, :, kept][..., kept], "causal": numpy.array(1)}
            wanted.append(self.stats(self.write_as("cut.npz", cut)))
        for ending in ("h5", "npz", "json", "pkl", "safetensors"):
            for mask in (seen, seen != 0) if ending != "json" else (seen,):
                path = self.write_as(f"batch.{ending}", {"attentions": weights, "attention_mask": mask})
                for item in range(3):
                    self.assertEqual(self.stats(path, item), wanted[item], f"{ending} {item}")
        self.assertIn("the first 2 keys: they are shown as masked", self.done("info", path))
        # What says the same in our words goes before it.
        path = self.write_as("both.npz", {"attentions": weights, "attention_mask": seen[::-1], "key_mask": seen})
        self.assertEqual(self.stats(path), wanted[0])
        path = self.write_as("wrong.npz", {"attentions": weights, "attention_mask": seen[::-1]})
        self.assertIn("“attention_mask” hides keys that queries attend to; it is left out", self.done("info", path))

        plain = self.write_as("plain.npz", {"attentions": weights})
        said, numbers = self.checks(plain), self.stats(plain)
        added = numpy.where(seen[:, None, None] != 0, 0, -numpy.inf).astype("f4")
        for number, mask in enumerate((added, added[:, 0, 0], numpy.zeros((3, 7), "f4"), numpy.broadcast_to(added, (3, 1, 7, 7)), seen[:, :6],
                                       seen[[0, 1, 2, 0]], seen[0], seen[:1], seen * 2, seen * .5, seen[..., None], numpy.array(1))):
            path = self.write_as(f"other{number}.npz", {"attentions": weights, "attention_mask": mask})
            self.assertEqual(self.checks(path), said, number)
            self.assertEqual(self.stats(path), numbers, number)

    def test_attention_masks(self):
        """Of an encoder and a decoder, and of lists of examples."""
        self.random = numpy.random.default_rng(8)
        seen, own = [1, 1, 1, 1, 1, 0], [0, 1, 1, 1]
        cross = numpy.where(numpy.array(seen) != 0, self.random.random((2, 2, 4, 6)), 0)
        members = {"encoder_attentions": self.eager(seen, causal=False), "decoder_attentions": self.eager(own),
                   "cross_attentions": (cross / cross.sum(-1, keepdims=True)).astype("f4")}
        path = self.write_as("t5.npz", {**members, "attention_mask": numpy.array([seen]), "decoder_attention_mask": numpy.array([own])})
        said = self.done("info", path)
        self.assertIn("the first 1 keys", said)
        self.assertIn("the last 1 keys", said)
        self.assertNotIn("warning", said)
        kept = self.write_as("kept.npz", {**members, "encoder_key_mask": numpy.array(seen), "cross_key_mask": numpy.array(seen),
                                          "decoder_key_mask": numpy.array(own)})
        self.assertEqual(self.stats(path, numbers="entropy,evenness"), self.stats(kept, numbers="entropy,evenness"))
        # Beside self-attention it is none of the keys of others, be they as many.
        cross = self.random.dirichlet(numpy.ones(4), (2, 2, 4)).astype("f4")
        path = self.write_as("bert.npz", {"attentions": self.eager(own), "cross_attentions": cross, "attention_mask": numpy.array([own])})
        self.assertIn("the first 1 keys", self.done("info", path))
        self.assertNotIn("warning", self.done("info", path))

        texts = [[0, 0, 1, 1, 1, 1], [0, 1, 1, 1, 1, 1]]
        maps = [self.eager(text)[:, None] for text in texts]
        for name in "attention_mask", "key_mask":
            for masks in ([numpy.array([text]) for text in texts], numpy.array(texts)):
                path = self.write_as("list.pkl", {"attentions": [list(layers) for layers in maps], name: masks,
                                                  "tokens": [list("abcdef"), list("ghijkl")]})
                for item in range(2):
                    said = self.done("info", path, "--example", item)
                    self.assertIn(f"the first {2 - item} keys", said)
                    self.assertNotIn("warning", said)

    def test_key_mask_of_lists(self):
        """Examples that are tensors of their own have a row of the mask each; batches of a list an element each."""
        self.random = numpy.random.default_rng(10)
        texts = numpy.array([[1, 1, 1, 1, 1, 0], [1, 1, 1, 0, 0, 0], [1, 1, 1, 1, 0, 0]])
        maps = [self.eager(text, causal=False) for text in texts]
        for name in "text", "attn_":
            members = {f"{name}{item}": layers for item, layers in enumerate(maps)}
            path = self.write_as(f"{name}.npz", {**members, "key_mask": texts})
            for item, text in enumerate(texts):
                said = self.done("info", path, "--example", item)
                self.assertIn(f"the last {6 - text.sum()} keys", said)
                self.assertNotIn("warning", said)
        members = {f"text{item}": maps[0] for item in range(3)}
        alike = [self.write_as(f"alike{mask.ndim}.npz", {**members, "key_mask": mask}) for mask in (texts[0], texts[:1])]
        other = self.write_as("other.npz", {**members, "key_mask": texts[:2]})
        for item in range(3):
            for path in alike:
                self.assertIn("the last 1 keys", self.done("info", path, "--example", item))
            self.assertIn("“key_mask” is not", self.done("info", other, "--example", item))

        batches = [[0, 1], [2, 0], [1, 2]]
        layers = [list(numpy.stack([maps[item] for item in batch], 1)) for batch in batches]
        path = self.write_as("batches.pkl", {"attentions": layers, "key_mask": [texts[batch] for batch in batches]})
        for number, item in enumerate(sum(batches, [])):
            said = self.done("info", path, "--example", number)
            self.assertIn(f"the last {6 - texts[item].sum()} keys", said)
            self.assertNotIn("warning", said)
        path = self.write_as("batch.pkl", {"attentions": layers[:1], "key_mask": texts[batches[0]]})
        for number, item in enumerate(batches[0]):
            self.assertIn(f"the last {6 - texts[item].sum()} keys", self.done("info", path, "--example", number))

    def test_padding_of_a_decoder(self):
        """Queries of cross attention that are padding of the decoder count in no number."""
        self.random = numpy.random.default_rng(13)

        def numbers(path, example=0):
            lines = self.stats(path, example, numbers="entropy,evenness,first").splitlines()
            return [line for line in lines if line.startswith("cross")]

        for own in ([0, 0, 1, 1, 1], [1, 1, 1, 0, 0], [0, 1, 1, 1, 0], [1] * 5):
            own = numpy.array(own)
            seen = numpy.array([1, 1, 1, 0])
            cross = numpy.where(seen != 0, self.random.random((2, 2, 5, 4)) + .1, 0)
            cross = (cross / cross.sum(-1, keepdims=True)).astype("f4")
            cross_only = {"cross_attentions": cross, "cross_key_mask": seen}
            decoder = {**cross_only, "decoder_attentions": self.eager(own)}
            wanted = numbers(self.write_as("cut.npz", {**cross_only, "cross_attentions": cross[:, :, own != 0]}))
            self.assertEqual(len(wanted), 4)
            paths = [self.write_as(f"{name}-{len(members)}.npz", {**members, name: mask}) for members in (cross_only, decoder)
                     for name, mask in (("decoder_key_mask", own), ("decoder_attention_mask", own[None]))]
            paths += [self.write_as(f"bert-{name}.npz", {**cross_only, "attentions": self.eager(own), name: own[None]})
                      for name in ("key_mask", "attention_mask")]
            # Beside what is of an encoder, which has padding of its own, of as many tokens too.
            for keys in (seen, numpy.array([0, 1, 1, 1, 0])):
                encoder = {**cross_only, "attentions": self.eager(keys), "key_mask": keys}
                paths += [self.write_as(f"encoder-{len(keys)}-{name}.npz", {**encoder, name: mask})
                          for name, mask in (("decoder_key_mask", own), ("decoder_attention_mask", own[None]))]
            for path in paths:
                self.assertEqual(numbers(path), wanted, (path, own))
                kept = path.with_suffix(".h5")
                self.done("convert", path, "-o", kept)
                self.assertEqual(numbers(kept), wanted, (kept, own))
                self.assertIn("cross: {0} of {0} and {0} queries".format(own.sum()), self.done("compare", path, kept))
            # What the decoder contradicts is left out, and says nothing of others.
            wrong = self.write_as("wrong.npz", {**decoder, "decoder_key_mask": numpy.array([1, 0, 0, 1, 0])})
            whole = self.write_as("whole.npz", cross_only)
            self.assertIn("“decoder_key_mask” hides keys that queries attend to", self.done("info", wrong))
            self.assertEqual(numbers(wrong), numbers(whole))
            short = self.write_as("short.npz", {**cross_only, "decoder_key_mask": own[1:]})
            self.assertIn("“decoder_key_mask” is not", self.done("info", short))
            self.assertEqual(numbers(short), numbers(whole))
        masks = numpy.array([[1, 1, 0, 0, 0], [0, 0, 0, 1, 1]])
        path = self.write_as("batch.npz", {"cross_attentions": numpy.stack([cross] * 2, 1), "decoder_attention_mask": masks})
        for item, cut in enumerate((cross[:, :, :2], cross[:, :, 3:])):
            self.assertEqual(numbers(path, item), numbers(self.write_as("cut.npz", {"cross_attentions": cut})))

    def test_mask_of_lists(self):
        """Bits of each example: an item of the batch, or an element; what is of others is no mask of this one."""
        random = numpy.random.default_rng(11)
        scores = random.standard_normal((3, 2, 2, 6, 6)).astype("f4")
        places = numpy.arange(6)
        seen = numpy.stack([(places[:, None] < cut) == (places < cut) for cut in (3, 2, 4)])
        bits = numpy.packbits(seen, axis=-1, bitorder="little")

        def numbers(path, item):
            return self.done("stats", path, "--softmax", "--example", item, "--layer", 0, "--head", 1, "--format", "csv")

        items = numpy.stack([bits] * 2)
        members = {f"text{item}": layers for item, layers in enumerate(scores)}
        batch = self.write_as("batch.npz", {"attention": scores.swapaxes(0, 1), "mask": items})
        wanted = [numbers(batch, item) for item in range(3)]
        lists = [list(layers[:, None]) for layers in scores]
        for path in (self.write_as("items.npz", {**members, "mask": items}),
                     self.write_as("elements.pkl", {"attentions": lists, "mask": list(bits)}),
                     self.write_as("layers.pkl", {"attentions": lists, "mask": list(items.swapaxes(0, 1))})):
            self.assertEqual([numbers(path, item) for item in range(3)], wanted, path)
        for mask in bits[1], items[:, 1:2]:
            path = self.write_as("alike.npz", {**members, "mask": mask})
            self.assertEqual(numbers(path, 1), wanted[1])
            self.assertNotEqual(numbers(path, 2), wanted[2])
        path = self.write_as("other.npz", {**members, "mask": items[:, :2]})
        self.assertIn("“mask” is 2 × 2 × 6 × 1", self.done("info", path, "--softmax", "--example", 1))

    def test_attention_mask_of_generation(self):
        """The mask is that of the prompt, or of all tokens; of each prompt two texts may be generated."""
        self.random = numpy.random.default_rng(9)
        prompts = numpy.array([[0, 0, 1, 1], [1, 1, 1, 1]])
        steps = []
        for step in range(3):
            rows = [self.eager([*prompt, *[1] * step], n_queries=1 if step else 4) for prompt in numpy.repeat(prompts, 2, 0)]
            steps.append(tuple(numpy.stack(rows, 1)))
        for n_later in (0, 2, 3):
            mask = numpy.concatenate([prompts, numpy.ones((2, n_later), int)], 1)
            path = self.write_as("generated.pkl", {"attentions": tuple(steps), "attention_mask": mask})
            for example in range(16):
                said = self.done("info", path, "--example", example)
                self.assertEqual("the first 2 keys" in said, example < 8, said)
                self.assertNotIn("warning", said)
        cut = [tuple(layer[:2, :, 2 * (step == 0):, 2:] for layer in layers) for step, layers in enumerate(steps)]
        self.assertEqual(self.stats(path), self.stats(self.write_as("cut.pkl", {"attentions": tuple(cut)})))

    def test_no_numbers_where_masked(self):
        """What is masked counts as 0, whatever the file has there."""
        n = 7
        seen = {"causal": numpy.tri(n, dtype=bool), "mask": numpy.random.default_rng(15).random((n, n)) < .6}
        seen["mask"] |= numpy.eye(n, dtype=bool)
        for rule, cells in seen.items():
            said = []
            for hidden in (0, numpy.nan):
                weights = numpy.random.default_rng(16).random((2, 3, n, n)) * cells
                weights = numpy.where(cells, weights / weights.sum(-1, keepdims=True), hidden)
                path = self.folder / f"{rule}-{hidden}.h5"
                with h5py.File(path, "w") as file:
                    file["attention"] = weights.astype("f4")
                    file.attrs.update({"format": "headlight-attention", "version": 2})
                    if rule == "causal":
                        file.attrs["causal"] = 1
                    else:
                        file["mask"] = numpy.packbits(cells, axis=-1, bitorder="little")
                said.append(self.done("stats", path, "--numbers=first,entropy,distance"))
            self.assertEqual(*said)
            compared = self.done("compare", *(self.folder / f"{rule}-{hidden}.h5" for hidden in (0, numpy.nan)), "--format=csv")
            for row in compared.splitlines()[1:]:
                self.assertEqual(row.split(",")[5], str(n), compared)

    def test_one_string(self):
        """An attribute, or a dataset without axes, in place of a list of tokens."""
        for member in ("attribute", "dataset"):
            path = self.folder / f"{member}.h5"
            with h5py.File(path, "w") as file:
                file["attention"] = numpy.full((1, 1, 3, 2), 0.5, "f4")
                file["query_tokens"] = ["a", "b", "c"]
                if member == "attribute":
                    file.attrs["key_tokens"] = "the cat"
                else:
                    file["key_tokens"] = "the cat"
            svg = self.folder / "string.svg"
            self.done("render", path, "--view", "heatmap", "-o", svg)
            text = svg.read_text(encoding="utf-8")
            self.assertIn(">the<", text)
            self.assertIn(">cat<", text)
            self.assertIn("one string in place of a list", self.done("info", path))

    def render_map(self, weights, *options):
        """The size of a heatmap and the texts in it."""
        path = self.folder / "map.json"
        tokens = [f"token{i}" for i in range(len(weights[0]))]
        path.write_text(json.dumps({"attention": [[weights]], "query_tokens": tokens[:len(weights)], "key_tokens": tokens}))
        target = self.folder / "map.svg"
        self.done("render", path, "--view", "heatmap", *options, "-o", target)
        root = xml.etree.ElementTree.parse(target).getroot()
        texts = ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]
        return [float(root.get(side).removesuffix("px")) for side in ("width", "height")], texts

    def test_small(self):
        """A figure is as large as its content unless it is given a size."""
        weights = [[0.5, 0.25, 0.25], [0, 0.5, 0.5], [1, 0, 0]]
        (width, height), texts = self.render_map(weights)
        self.assertLess(width, 400)
        self.assertLess(height, 400)
        # Nothing is cut off, and cells have their natural size: numbers fit into them.
        for word in ("token0", "token2", "0.50", "0.25", "query", "key"):
            self.assertIn(word, texts)
        self.assertEqual(self.render_map(weights, "--width", 640, "--height", 480)[0], [640, 480])
        self.assertEqual(self.render_map(weights, "--height", 480)[0][1], 480)
        (width, height), _ = self.render_map(weights, "--width", 640)
        self.assertEqual(width, 640)
        self.assertLess(height, 400)
        size = self.render_map([[1 / 64] * 64] * 64)[0]
        self.assertLessEqual(size[0], 800)
        self.assertLessEqual(size[1], 720)
        self.assertGreater(min(size), 600)

    def test_zeros(self):
        """What is exactly 0 reads so; what is nearly 0 does not, and neither does what a filter leaves out."""
        weights = [[0.5, 0.499, 0.001], [0, 0.5, 0.5], [1, 0, 0]]
        self.assertEqual(self.render_map(weights)[1].count("0"), 3 + 1)
        self.assertEqual(self.render_map(weights, "--threshold", 0.1)[1].count("0"), 1)

    def test_unknown(self):
        """A protein without spaces is one unknown word, which is said; each of its letters may be a token."""
        folder = self.folder / "protein"
        shutil.copytree(test_cli.CHECKPOINTS / "bert", folder)
        vocabulary = {token: i for i, token in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"MKTAYIQRS"])}
        (folder / "tokenizer.json").write_text(json.dumps({
            "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
            "pre_tokenizer": {"type": "Whitespace"}, "post_processor": None, "decoder": None,
            "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                      "max_input_chars_per_word": 100, "vocab": vocabulary}}))
        target = self.folder / "protein.h5"
        result = test_cli.run("recompute", folder, "--text", "MKTAYIAKQR", "-o", target)
        self.assertEqual(result.returncode, 0)
        self.assertIn("100 % of the text is unknown to the model and became [UNK]", result.stderr)
        self.assertIn("--letters", result.stderr)
        with h5py.File(target) as file:
            self.assertEqual(file["tokens"][...].tolist(), [b"[UNK]"])
        self.done("recompute", folder, "--text", "MKTAYIAKQR", "--letters", "-o", target)
        with h5py.File(target) as file:
            self.assertEqual(b"".join(file["tokens"][...].tolist()), b"MKTAYIAKQR")
        self.assertEqual(self.done("recompute", folder, "--text", "M K ZZ", "-o", target), "")
        # Of letters that are as unknown nothing is promised.
        result = test_cli.run("recompute", folder, "--text", "ZZZZ", "-o", target)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.misused("recompute", folder, "--ids", "1", "--letters", "-o", target, says="--letters needs --text")

    def test_writer(self):
        """What is written into a mapping is not told by the time of the file."""
        path = self.folder / "a.npy"
        numpy.save(path, numpy.full((1, 2, 4, 4), .25, "f4"))
        self.done("stats", path)
        mapped = numpy.load(path, mmap_mode="r+")
        try:
            with open(path, "rb") as file:
                fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
            self.skipTest("the file system does not tell who writes")
        except BlockingIOError:
            pass
        result = test_cli.run("stats", path)
        self.assertEqual(result.returncode, 0)
        self.assertIn("another program has the file open for writing", result.stderr)
        result = test_cli.run("info", path)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout.count("another program has the file open for writing"), 1)
        del mapped
        self.done("stats", path)

    def test_unknown_queries(self):
        """Numbers that are means over a few queries are not taken for those of all: what takes something in of an unknown token is unknown."""
        n = 20
        weights = numpy.tri(n, dtype="f4") / numpy.arange(1, n + 1, dtype="f4")[:, None]
        weights = numpy.broadcast_to(weights, (3, 1, n, n)).copy()
        weights[1, 0, 5] = numpy.nan
        path = self.folder / "a.npy"
        numpy.save(path, weights)
        for quantity, says in (("weight", "1 map, queries with weights that are no numbers are left out, 1 of 20"),
                               ("rollout", "2 maps, queries with weights that are no numbers are left out, up to 15 of 20"),
                               ("flow", "2 maps, queries with weights that are no numbers are left out, up to 15 of 20")):
            for numbers in ((), ("--numbers=entropy",), ("--numbers=distance,pattern",)):
                result = test_cli.run("stats", path, f"--quantity={quantity}", *numbers)
                self.assertEqual((result.returncode, result.stderr), (0, f"headlight-cli: “attention”: in {says}\n"), (quantity, numbers))
        numpy.save(path, weights[:1])
        self.done("stats", path, "--quantity=rollout")

    def test_unwritten(self):
        """Chunks that nobody wrote are zeros, as if they had been: one by one, and where many of them become a pixel."""
        n = 1800
        weights = numpy.zeros((1, 1, n, n), "f4")
        weights[..., :400, :400] = numpy.random.default_rng(3).random((400, 400))
        pictures = []
        for kind, options in {"plain": {}, "gzip": {"compression": "gzip"}, "latest": {}, "whole": {}}.items():
            path = self.folder / f"{kind}.h5"
            with h5py.File(path, "w", libver="latest" if kind == "latest" else None) as file:
                attention = file.create_dataset("attention", weights.shape, "f4", chunks=(1, 1, 100, 100), **options)
                part = slice(None) if kind == "whole" else slice(0, 400)
                attention[0, 0, part, part] = weights[0, 0, part, part]
            target = self.folder / "unwritten.png"
            self.done("render", path, "--view=heatmap", "--width=300", "--height=300", "-o", target)
            pictures.append(target.read_bytes())
            rows = self.done("stats", path, "--layer=0", "--head=0", "--format=csv").splitlines()
            self.assertEqual(len(rows), n + 1)
            numbers = numpy.array([float(cell) for cell in rows[300].split(",")[-n:]])
            numpy.testing.assert_allclose(numbers, weights[0, 0, 299], atol=1e-6)
        self.assertEqual(len(set(pictures)), 1)


if __name__ == "__main__":
    sys.exit(test_cli.main())

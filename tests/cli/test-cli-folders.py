# SPDX-License-Identifier: MIT
"""headlight-cli with models in folders as people have them: weights of PyTorch, sentence-transformers, trainings, adapters.

Usage: test-cli-folders.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.
"""

import importlib.util
import json
import pathlib
import shutil
import struct
import sys
import tempfile
import unittest

spec = importlib.util.spec_from_file_location("models", pathlib.Path(__file__).with_name("test-cli-models.py"))
models = importlib.util.module_from_spec(spec)
spec.loader.exec_module(models)

FOLDERS = models.TESTS / "model" / "folders"
CHECKPOINTS = models.TESTS / "model" / "checkpoints"
IDS = "--ids=3,14,15,9,26,5,35"
numpy = models.test_cli.numpy


class Case(models.Case):
    def copy(self, source, name):
        return pathlib.Path(shutil.copytree(source, self.elsewhere / name))

    def stats(self, name):
        result = self.run_cli("stats", name, IDS, "--format=json")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return json.loads(result.stdout)

    def change_config(self, folder, **members):
        path = folder / "adapter_config.json"
        config = json.loads(path.read_text()) | members
        path.write_text(json.dumps(config))

    def get_base(self, name):
        return str(CHECKPOINTS / name)


class Weights(Case):
    def test_what_is_there_instead(self):
        folder = self.copy(CHECKPOINTS / "bert", "bert")
        (folder / "model.safetensors").unlink()
        self.fails("info", folder, IDS, says="no “model.safetensors” in the folder, nor “pytorch_model.bin”")
        (folder / "onnx").mkdir()
        for file, program in (("onnx/model.onnx", "ONNX"), ("flax_model.msgpack", "Flax"), ("tf_model.h5", "TensorFlow")):
            (folder / file).write_bytes(b"1234")
            self.fails("info", folder, IDS, says=f"the weights are there for {program} only (“{file}”)")
        (folder / "pytorch_model.bin").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:01\nsize 4\n")
        self.fails("info", folder, IDS, says="pytorch_model.bin: this is not the file itself, but what Git keeps")

    def test_pickles_are_not_run(self):
        folder = self.copy(CHECKPOINTS / "bert", "bert")
        (folder / "model.safetensors").unlink()
        victim = self.elsewhere / "victim"
        (folder / "pytorch_model.bin").write_bytes(f"cos\nsystem\n(S'touch {victim}'\ntR.".encode())
        self.fails("info", folder, IDS, says="pytorch_model.bin: ")
        self.assertFalse(victim.exists())

    def test_spoilt(self):
        folder = self.copy(FOLDERS / "bin", "bin")
        path = folder / "pytorch_model.bin"
        content = path.read_bytes()
        for cut in (0, 3, 100, len(content) // 2, len(content) - 1):
            path.write_bytes(content[:cut])
            self.fails("info", folder, IDS, says="pytorch_model.bin: ")
        path.unlink()
        path.mkdir()
        self.fails("info", folder, IDS, says="not a regular file")

    @models.test_cli.needs_numpy
    def test_one_scale(self):
        """A matrix of numbers of 8 bits has one scale for all, however large it is, where config.json has no rectangles."""
        numbers = numpy.random.default_rng(3)
        tensors = read_tensors(CHECKPOINTS / "llama" / "model.safetensors")
        plain, packed = dict(tensors), dict(tensors)
        for name, shape in (("gate", (200, 32)), ("up", (200, 32)), ("down", (32, 200))):
            for key in [key for key in tensors if key.endswith(f"mlp.{name}_proj.weight")]:
                packed[key] = numbers.integers(0x28, 0x48, shape, "u1")
                packed[f"{key}_scale_inv"] = numpy.full((1, 1), 0.25)
                plain[key] = 0.25 * 2.0 ** ((packed[key] >> 3) - 7.0) * (1 + (packed[key] & 7) / 8)
        config = json.loads((CHECKPOINTS / "llama" / "config.json").read_text()) | {"intermediate_size": 200}
        folders = []
        for name, weights, more in (("plain", plain, {}),
                                    ("packed", packed, {"quantization_config": {"quant_method": "fp8", "weight_block_size": None}}),
                                    ("sides", packed, {"quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]}})):
            folders.append(self.copy(CHECKPOINTS / "llama", name))
            (folders[-1] / "config.json").write_text(json.dumps(config | more))
            write_tensors(folders[-1] / "model.safetensors", weights)
        self.assertEqual(self.stats(folders[1]), self.stats(folders[0]))
        self.fails("stats", folders[2], IDS, says="do not fit")

    def test_a_shard_is_missing(self):
        folder = self.copy(FOLDERS / "bin-sharded", "sharded")
        (folder / "pytorch_model-00002-of-00002.bin").unlink()
        self.fails("info", folder, IDS, says="pytorch_model-00002-of-00002.bin: ")

    def test_safetensors_go_first(self):
        folder = self.copy(CHECKPOINTS / "bert", "bert")
        (folder / "pytorch_model.bin").write_bytes(b"nothing")
        self.assertEqual(self.stats(folder), self.stats(CHECKPOINTS / "bert"))


class Inside(Case):
    def test_within_another_kind(self):
        """The model of a text within one of images and texts: tensors are called as transformers 4 and 5 do it."""
        for name in ("mistral", "llama", "qwen3"):
            config = json.loads((CHECKPOINTS / name / "config.json").read_text())
            content = (CHECKPOINTS / name / "model.safetensors").read_bytes()
            begin_of_numbers = 8 + struct.unpack("<Q", content[:8])[0]
            entries = json.loads(content[8:begin_of_numbers])
            del entries["__metadata__"]
            for begin, head in (("language_model.model.", "language_model.lm_head"), ("model.language_model.", "lm_head")):
                folder = self.copy(CHECKPOINTS / name, "wrapped")
                (folder / "config.json").write_text(json.dumps({"model_type": "mistral3", "text_config": config}))
                renamed = json.dumps({key.replace("lm_head", head) if "lm_head" in key else begin + key.removeprefix("model."): entry
                                      for key, entry in entries.items()}).encode()
                (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(renamed)) + renamed + content[begin_of_numbers:])
                self.assertEqual(self.stats(folder), self.stats(CHECKPOINTS / name), (name, begin))
                shutil.rmtree(folder)

    def test_a_training(self):
        folder = self.elsewhere / "training"
        for step, name in ((500, "gpt2"), (1000, "bert"), (999, "gpt2")):
            self.copy(CHECKPOINTS / name, f"training/checkpoint-{step}")
            (folder / f"checkpoint-{step}" / "optimizer.pt").write_bytes(b"nothing")
        (folder / "checkpoint-2000").mkdir()
        self.assertEqual(self.stats(folder), self.stats(CHECKPOINTS / "bert"))
        self.assertIn("Model: training/checkpoint-1000", self.run_cli("info", folder, IDS).stdout)
        self.assertEqual(self.stats(folder / "checkpoint-500"), self.stats(CHECKPOINTS / "gpt2"))

    def test_sentences(self):
        self.assertIn("Model: sentences/0_Transformer", self.run_cli("info", FOLDERS / "sentences", IDS).stdout)
        folder = self.copy(FOLDERS / "sentences", "sentences")
        for path in ("../bert", "a/b", "", ".", "none"):
            (folder / "modules.json").write_text(json.dumps([{"path": path}, 3, {}]))
            self.copy(CHECKPOINTS / "bert", "bert")
            self.fails("info", folder, IDS, says="no “config.json” in the folder")
            shutil.rmtree(self.elsewhere / "bert")


class Adapters(Case):
    def test_its_base_and_itself(self):
        folder = FOLDERS / "lora"
        self.assertEqual(self.stats(f"{folder}:base"), self.stats(CHECKPOINTS / "llama"))
        self.assertNotEqual(self.stats(folder), self.stats(CHECKPOINTS / "llama"))
        result = self.run_cli("compare", folder, f"{folder}:base", IDS, "--format=json")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertGreater(max(row["distance"] for row in json.loads(result.stdout)), 0.1)

    def test_base_by_name(self):
        folder = self.copy(FOLDERS / "lora", "adapter")
        self.change_config(folder, base_model_name_or_path="who/llama")
        self.fails("info", folder, IDS, says="it changes the model “who/llama”, which cannot be opened: there is no such file")
        source = CHECKPOINTS / "llama"
        self.add_to_hub("who/llama", {file: (source / file).read_bytes() for file in ("config.json", "model.safetensors")})
        self.assertEqual(self.stats(folder), self.stats(FOLDERS / "lora"))
        self.assertEqual(self.stats(f"{folder}:base"), self.stats(source))

    def test_of_a_training(self):
        """The tokenizer is beside the last checkpoint, which is the adapter."""
        folder = self.elsewhere / "training"
        self.change_config(self.copy(FOLDERS / "lora", "training/checkpoint-10"), base_model_name_or_path=self.get_base("llama"))
        words = {"type": "WordLevel", "unk_token": "w0", "vocab": {f"w{number}": number for number in range(60)}}
        self.write(folder / "tokenizer.json", {
            "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
            "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": None, "decoder": None, "model": words})
        on, off = (self.run_cli("tokens", name, "--text=w3 w14 w15") for name in (folder, f"{folder}:base"))
        self.assertEqual((off.returncode, off.stderr, off.stdout), (0, "", on.stdout))
        self.assertEqual(self.stats(f"{folder}:base"), self.stats(CHECKPOINTS / "llama"))

    def test_list(self):
        adapter = {file: (FOLDERS / "lora" / file).read_bytes() for file in ("adapter_config.json", "adapter_model.safetensors")}
        config = json.loads(adapter["adapter_config.json"]) | {"base_model_name_or_path": "who/llama"}
        self.add_to_hub("who/adapter", adapter | {"adapter_config.json": config})
        self.assertEqual(self.list()["who/adapter"]["problem"], "it changes the model “who/llama”, which is not there")
        source = CHECKPOINTS / "llama"
        self.add_to_hub("who/llama", {file: (source / file).read_bytes() for file in ("config.json", "model.safetensors")})
        row = self.list()["who/adapter"]
        self.assertEqual((row["family"], row["problem"]), (self.list()["who/llama"]["family"], None))
        self.assertEqual(row["size"], len(adapter["adapter_model.safetensors"]))
        self.assertEqual(self.stats("who/adapter"), self.stats(FOLDERS / "lora"))
        self.assertEqual(self.stats("who/adapter:base"), self.stats(source))

    def test_what_is_not_known(self):
        folder = self.copy(FOLDERS / "lora", "adapter")
        self.change_config(folder, base_model_name_or_path=self.get_base("llama"))
        original = (folder / "adapter_config.json").read_text()
        for members, says in (
                ({"peft_type": "IA3"}, "adapters of the kind “IA3” are not supported; those of LoRA are"),
                ({"peft_type": 3}, "of the kind “”"),
                ({"layer_replication": [[0, 1]]}, "adapters with “layer_replication” are not supported"),
                ({"use_qalora": True}, "“use_qalora”"),
                ({"init_lora_weights": "pissa_niter_16"}, "“pissa_niter_16” has changed beforehand"),
                ({"init_lora_weights": "lora_ga"}, "“lora_ga” has changed beforehand"),
                ({"base_model_name_or_path": None}, "does not say which model"),
                ({"base_model_name_or_path": "smb://host/llama"}, "only local files"),
                ({"base_model_name_or_path": str(folder)}, "it is an adapter itself"),
                ({"base_model_name_or_path": "/nowhere/at/all"}, "“/nowhere/at/all”, which cannot be opened"),
                ({"lora_alpha": "many"}, "“lora_alpha” is not a number"),
                ({"alpha_pattern": {"(": 3}}, "“(” in “alpha_pattern” is not understood"),
                ({"alpha_pattern": {"(([a-z_.0-9]+)+)+[A-Z]": 3}}, "“(([a-z_.0-9]+)+)+[A-Z]” in “alpha_pattern” is not understood"),
                ({"alpha_pattern": {"a": []}}, "not a list of numbers"),
                ({"use_rslora": 3}, "“use_rslora” is not true or false")):
            self.change_config(folder, **members)
            self.fails("info", folder, IDS, says=says)
            (folder / "adapter_config.json").write_text(original)
        (folder / "adapter_config.json").write_text("[]")
        self.fails("info", folder, IDS, says="adapter_config.json: it is no object")

    def rename(self, path, old, new):
        """Another name of the same length in the header of a file."""
        content = path.read_bytes()
        size = struct.unpack("<Q", content[:8])[0]
        header = content[8:8 + size]
        self.assertIn(old, header)
        path.write_bytes(content[:8] + header.replace(old, new) + content[8 + size:])

    def test_what_does_not_fit(self):
        for name, base, old, new, says in (
                ("lora", "llama", b"layers.1.self_attn.q_proj", b"layers.7.self_attn.q_proj", "which its base does not have"),
                ("lora", "llama", b"layers.1.self_attn.q_proj.lora_A", b"layers.1.self_attn.q_proj.lora_C", "is not known"),
                ("lora", "llama", b"layers.1.self_attn.q_proj.lora_A", b"layers.0.mlp.gate_proj.xx.lora_A", "is not all there"),
                ("lora", "bert", b"base_model", b"base_model", "which its base does not have"),
        ):
            folder = self.copy(FOLDERS / name, "adapter")
            self.change_config(folder, base_model_name_or_path=self.get_base(base))
            self.rename(folder / "adapter_model.safetensors", old, new)
            self.fails("info", folder, IDS, says=says)
            shutil.rmtree(folder)
        folder = self.copy(FOLDERS / "lora", "adapter")
        self.change_config(folder, base_model_name_or_path=self.get_base("qwen3"))
        self.fails("info", folder, IDS, says="cannot be added to one of")
        (folder / "adapter_model.safetensors").unlink()
        self.fails("info", folder, IDS, says="no “adapter_model.safetensors” in the folder, nor “adapter_model.bin”")


def read_tensors(path):
    content = path.read_bytes()
    begin = 8 + struct.unpack("<Q", content[:8])[0]
    entries = json.loads(content[8:begin])
    entries.pop("__metadata__", None)
    return {name: numpy.frombuffer(content, "<f4", numpy.prod(entry["shape"], dtype=int), begin + entry["data_offsets"][0])
            .reshape(entry["shape"]) for name, entry in entries.items()}


def write_tensors(path, tensors):
    entries, numbers = {}, b""
    for name, tensor in tensors.items():
        whole = tensor.dtype == "u1"
        data = tensor.tobytes() if whole else tensor.astype("<f4").tobytes()
        entries[name] = {"dtype": "F8_E4M3" if whole else "F32", "shape": tensor.shape, "data_offsets": [len(numbers), len(numbers) + len(data)]}
        numbers += data
    header = json.dumps(entries).encode()
    header += b" " * (-len(header) % 8)
    path.write_bytes(struct.pack("<Q", len(header)) + header + numbers)


@models.test_cli.needs_numpy
class TiedAdapters(Case):
    """Adapters of what a model has once and uses several times: what PEFT changes of it is what is named, and nothing else."""

    def setUp(self):
        super().setUp()
        self.random = numpy.random.default_rng(1)

    def make(self, *shape):
        return self.random.standard_normal(shape).astype("f4") / 2

    def make_sum(self, n_out, n_in):
        """A, B, and what they add."""
        a, b = self.make(2, n_in), self.make(n_out, 2)
        return a, b, 2 * b @ a

    def predict(self, folder, *arguments):
        result = self.run_cli("predict", folder, IDS, "--top=100", "--format=json", *arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return {(row["position"], row["id"]): row["probability"] for row in json.loads(result.stdout)}

    def check(self, base, change, tensors, *arguments, saved=None, **members):
        """The base with an adapter that has the tensors @change gives what it gives with @tensors among its own."""
        adapter = self.write_adapter(base, change, saved, **members)
        merged = self.copy(CHECKPOINTS / base, "merged")
        path = merged / "model.safetensors"
        write_tensors(path, read_tensors(path) | tensors)
        expected, predicted = self.predict(merged, *arguments), self.predict(adapter, *arguments)
        self.assertEqual(predicted.keys(), expected.keys())
        self.assertLess(max(abs(predicted[key] - expected[key]) for key in expected), 1e-5, change.keys())
        self.assertEqual(self.predict(f"{adapter}:base", *arguments), self.predict(CHECKPOINTS / base, *arguments))
        shutil.rmtree(merged)

    def write_adapter(self, base, change, saved=None, **members):
        adapter = self.elsewhere / "adapter"
        adapter.mkdir(exist_ok=True)
        config = {"peft_type": "LORA", "r": 2, "lora_alpha": 4, "modules_to_save": saved,
                  "base_model_name_or_path": self.get_base(base)} | members
        (adapter / "adapter_config.json").write_text(json.dumps(config))
        write_tensors(adapter / "adapter_model.safetensors",
                      {f"base_model.model.{name}": tensor for name, tensor in change.items()})
        return adapter

    def get_table(self, base, name):
        return read_tensors(CHECKPOINTS / base / "model.safetensors")[name]

    def test_words_and_head(self):
        words, head = "model.embed_tokens.weight", "lm_head.weight"
        table = self.get_table("llama-tied", head)
        n, width = table.shape
        a, b, more = self.make_sum(width, n)
        rows = {"model.embed_tokens.lora_embedding_A": a, "model.embed_tokens.lora_embedding_B": b}
        self.check("llama-tied", rows, {words: table + more.T, head: table})
        a, b, more = self.make_sum(n, width)
        self.check("llama-tied", {"lm_head.lora_A.weight": a, "lm_head.lora_B.weight": b}, {words: table, head: table + more})
        own, other = self.make(n, width), self.make(n, width)
        self.check("llama-tied", {words: own}, {words: own, head: table}, saved=["embed_tokens"])
        self.check("llama-tied", {head: own}, {words: table, head: own}, saved=["lm_head"])
        self.check("llama-tied", {words: own, head: other}, {words: own, head: other}, saved=["embed_tokens", "lm_head"])

    def test_longer_words(self):
        """Embeddings of the base that were made longer for a training, before which the head was tied to them."""
        n, width = self.get_table("llama-tied", "lm_head.weight").shape
        longer = self.make(n + 3, width)
        a, b, more = self.make_sum(width, n + 3)
        self.check("llama-tied", {"model.embed_tokens.base_layer.weight": longer, "model.embed_tokens.lora_embedding_A": a,
                                  "model.embed_tokens.lora_embedding_B": b},
                   {"model.embed_tokens.weight": longer + more.T, "lm_head.weight": longer})

    def test_two_stacks(self):
        names = "encoder.embed_tokens", "decoder.embed_tokens"
        table = self.get_table("t5", "shared.weight")
        n, width = table.shape
        head = self.make(n, width)
        change, tensors = {"lm_head.weight": head}, {"lm_head.weight": head}
        for name in names:
            a, b, more = self.make_sum(width, n)
            change |= {f"{name}.lora_embedding_A": a, f"{name}.lora_embedding_B": b}
            tensors[f"{name}.weight"] = table + more.T
        ids = "--decoder-ids=0,8,21,4"
        self.check("t5", change, tensors, ids, saved=["lm_head"])
        # The module that those of the stacks share their table with is not run itself.
        self.check("t5", {"shared.weight": self.make(n, width)}, {}, ids, saved=["shared"])

    def test_squares(self):
        """Matrices whose sizes do not tell which way they lie do so as those of the model, whatever PEFT says."""
        for base, module, turned in (("gpt2", "transformer.h.0.attn.c_proj", True),
                                     ("llama", "model.layers.0.self_attn.q_proj", False)):
            name = f"{module}.weight"
            table = self.get_table(base, name)
            self.assertEqual(*table.shape)
            a, b, more = self.make_sum(*table.shape)
            for says in (True, False, None):
                self.check(base, {f"{module}.lora_A.weight": a, f"{module}.lora_B.weight": b},
                           {name: table + (more.T if turned else more)}, fan_in_fan_out=says)

    def test_head_of_a_wrapper(self):
        """The model of a wrapper has its head within its files, and outside by the names of today; or the other way round."""
        inner, outer = "language_model.lm_head", "lm_head"
        table = self.get_table("ministral3", f"{outer}.weight")
        a, b, more = self.make_sum(*table.shape)
        own = self.make(*table.shape)
        source = CHECKPOINTS / "ministral3"
        tensors = read_tensors(source / "model.safetensors")
        for there in (inner, outer):
            base = self.copy(source, "base")
            del tensors[f"{outer}.weight"]
            write_tensors(base / "model.safetensors", tensors | {f"{there}.weight": table})
            for name in (inner, outer):
                for change, head in (({f"{name}.lora_A.weight": a, f"{name}.lora_B.weight": b}, table + more),
                                     ({f"{name}.weight": own}, own)):
                    adapter = self.write_adapter(base, change, ["lm_head"])
                    merged = self.copy(base, "merged")
                    write_tensors(merged / "model.safetensors", tensors | {f"{there}.weight": head})
                    expected, predicted = self.predict(merged), self.predict(adapter)
                    self.assertLess(max(abs(predicted[key] - expected[key]) for key in expected), 1e-5, (there, name))
                    shutil.rmtree(merged)
            tensors[f"{outer}.weight"] = table
            shutil.rmtree(base)

    def test_old_norms(self):
        """The base has weights of norms as gamma and beta, what takes their place has the names of today."""
        norm = "encoder.layer.0.attention.output.LayerNorm"
        gamma, beta = self.make(24), self.make(24)
        path = self.copy(CHECKPOINTS / "bert-gamma", "merged") / "model.safetensors"
        adapter = self.write_adapter("bert-gamma", {f"{norm}.weight": gamma, f"{norm}.bias": beta}, ["LayerNorm"])
        write_tensors(path, read_tensors(path) | {f"{norm}.gamma": gamma, f"{norm}.beta": beta})
        self.assertEqual(self.stats(adapter), self.stats(path.parent))
        self.assertNotEqual(self.stats(adapter), self.stats(CHECKPOINTS / "bert-gamma"))

    def test_what_has_no_place(self):
        for name in ("model.layers.7.input_layernorm.weight", "outer.model.layers.0.input_layernorm.weight",
                     "model.norm.modules_to_save.other.weight", "base_model.model.model.norm.weight"):
            adapter = self.write_adapter("llama", {name: self.make(32)}, ["norm", "input_layernorm"])
            plain = name.replace(".modules_to_save", "")
            self.fails("info", adapter, IDS, says=name if name.startswith("base_model") else f"changes “{plain}”, which")
        self.check("llama", {"classifier.0.weight": self.make(2, 32), "score.weight": self.make(2, 32)}, {}, saved=["classifier"])

    def test_twice(self):
        for name, other in (("model.norm.weight", "model.norm.modules_to_save.weight"),
                            ("lm_head.lora_magnitude_vector", "lm_head.lora_magnitude_vector.weight")):
            change = {name: self.make(32), other: self.make(32)}
            self.fails("info", self.write_adapter("llama", change), IDS, says="is there twice")

    def test_dora(self):
        a, b, _ = self.make_sum(60, 32)
        adapter = self.write_adapter("llama", {"lm_head.lora_A.weight": a, "lm_head.lora_B.weight": b}, use_dora=True)
        self.fails("info", adapter, IDS, says="what changes “lm_head” is not all there")
        words = "model.embed_tokens"
        change = {f"{words}.lora_embedding_A": b.T, f"{words}.lora_embedding_B": a.T}
        adapter = self.write_adapter("llama", change | {f"{words}.lora_magnitude_vector": self.make(32)}, use_dora=True)
        self.fails("info", adapter, IDS, says="adapters with “use_dora” of an embedding are not supported")

    def test_bias(self):
        table = self.get_table("bert-prefixed", "bert.embeddings.word_embeddings.weight")
        own = {"cls.predictions.decoder.weight": self.make(*table.shape), "cls.predictions.decoder.bias": self.make(len(table))}
        self.check("bert-prefixed", own, own, saved=["decoder"])


if __name__ == "__main__":
    sys.exit(models.test_cli.main())

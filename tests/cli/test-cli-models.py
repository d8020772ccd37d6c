# SPDX-License-Identifier: MIT
"""headlight-cli models, and names of models in place of files, in caches made up as the programs lay theirs out.

Usage: test-cli-models.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.
"""

import csv
import hashlib
import importlib.util
import io
import json
import os
import pathlib
import shutil
import struct
import sys
import tempfile
import unittest

import program

spec = importlib.util.spec_from_file_location("test_cli", pathlib.Path(__file__).with_name("test-cli.py"))
test_cli = importlib.util.module_from_spec(spec)
spec.loader.exec_module(test_cli)

CLI, TESTS = test_cli.CLI, test_cli.TESTS.resolve()
BERT = TESTS / "model" / "checkpoints" / "bert"
HASH = "0123456789abcdef0123456789abcdef01234567"


def make_gguf(architecture, before=0):
    """The header of a file without tensors, other keys before the architecture."""
    text = lambda string: struct.pack("<Q", len(string)) + string
    pairs = [text(b"tokenizer.%d" % i) + struct.pack("<I", 8) + text(b"x" * 1000) for i in range(before)]
    pairs.append(text(b"general.architecture") + struct.pack("<I", 8) + text(architecture.encode()))
    return b"GGUF" + struct.pack("<IQQ", 3, 0, len(pairs)) + b"".join(pairs)


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="headlight-models-"))
        self.addCleanup(shutil.rmtree, self.home)
        self.hub = self.home / ".cache" / "huggingface" / "hub"
        self.ollama = self.home / ".ollama" / "models"
        self.elsewhere = self.home / "elsewhere"
        self.elsewhere.mkdir()

    def run_cli(self, *arguments, **variables):
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("HF_", "OLLAMA", "LLAMA", "XDG_"))}
        environment |= {"LC_ALL": "C.UTF-8", "G_DEBUG": "fatal-criticals", "HOME": str(self.home), **variables}
        return program.run([CLI, *map(str, arguments)], env=environment, cwd=self.elsewhere)

    def list(self, *arguments, says="", **variables):
        """The rows of the list by name."""
        result = self.run_cli("models", "--format=json", *arguments, **variables)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(says, result.stderr)
        if not says:
            self.assertEqual(result.stderr, "")
        return {row["name"]: row for row in json.loads(result.stdout)}

    def fails(self, *arguments, says, **variables):
        result = self.run_cli(*arguments, **variables)
        self.assertEqual((result.returncode, result.stdout), (1, ""), result.stderr)
        self.assertRegex(result.stderr, r"\Aheadlight-cli: [^\n]+\n\Z")
        self.assertIn(says, result.stderr)

    def write(self, path, content):
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, (dict, list)):
            content = json.dumps(content)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def add_to_hub(self, name, files, hub=None, main=HASH, links=1):
        """A model as the hub's tools lay it out: each file of a snapshot is a link to a blob."""
        model = (hub or self.hub) / ("models--" + name.replace("/", "--"))
        snapshot = model / "snapshots" / HASH
        snapshot.mkdir(parents=True)
        if main is not None:
            self.write(model / "refs" / "main", main)
        for file, content in files.items():
            if isinstance(content, (dict, list)):
                content = json.dumps(content).encode()
            blob = self.write(model / "blobs" / hashlib.sha256(content).hexdigest(), content)
            for i in range(1, links):
                other = self.write(self.home / "shared" / f"{blob.name}-{i}", content)
                blob.unlink()
                blob.symlink_to(other)
            link = snapshot / file
            link.parent.mkdir(exist_ok=True)
            link.symlink_to(os.path.relpath(blob, link.parent))
        return snapshot

    def add_bert(self, name="google/bert-tiny", **options):
        files = {file: (BERT / file).read_bytes() for file in ("config.json", "model.safetensors")}
        return self.add_to_hub(name, files, **options)

    def add_to_ollama(self, path, content, kind="manifests", wrap=None, models=None):
        models = models or self.ollama
        digest = hashlib.sha256(content).hexdigest()
        self.write(models / "blobs" / f"sha256-{digest}", content)
        manifest = {"schemaVersion": 2, "layers": [
            {"mediaType": "application/vnd.ollama.image.license", "digest": "sha256:" + "0" * 64},
            {"mediaType": "application/vnd.ollama.image.model", "digest": f"sha256:{digest}", "size": len(content)}]}
        self.write(models / kind / path, wrap(manifest) if wrap else manifest)
        return models / "blobs" / f"sha256-{digest}"


class Caches(Case):
    def test_nothing(self):
        rows = self.list(says="there are no models in ~/.cache/huggingface/hub, ~/.ollama/models, ")
        self.assertEqual(rows, {})

    def test_hugging_face(self):
        snapshot = self.add_bert(links=2)
        self.add_to_hub("who/novel", {"config.json": {"model_type": "novel"}, "model.safetensors": b"1234"})
        self.add_to_hub("old", {"config.json": {"model_type": "gpt2"}, "pytorch_model.bin": b"12345"})
        self.add_to_hub("a/files", {"config.json": {"model_type": "llama"}, "f-Q4.gguf": make_gguf("llama"),
                                    "f-Q8.gguf": make_gguf("llama"), "BF16/f-00001-of-00002.gguf": make_gguf("qwen3"),
                                    "BF16/f-00002-of-00002.gguf": make_gguf("other")})
        self.add_to_hub("a/words", {"tokenizer.json": b"{}"})
        self.add_to_hub("a/config", {"config.json": {"model_type": "bert"}})
        (self.hub / "models--a--begun").mkdir()
        (self.hub / "datasets--a--b").mkdir()
        rows = self.list()
        self.assertEqual(set(rows), {"google/bert-tiny", "who/novel", "old", "a/files/f-Q4.gguf", "a/files/f-Q8.gguf",
                                     "a/files/BF16/f-00001-of-00002.gguf", "a/words", "a/config", "a/begun"})
        row = rows["google/bert-tiny"]
        self.assertEqual(row, {"name": "google/bert-tiny", "source": "hugging-face", "family": "BERT", "problem": None,
                               "size": (BERT / "model.safetensors").stat().st_size, "path": str(snapshot)})
        self.assertEqual(rows["who/novel"]["problem"], "models of type “novel” are not known")
        self.assertEqual((rows["who/novel"]["family"], rows["who/novel"]["size"]), (None, 4))
        self.assertEqual((rows["old"]["family"], rows["old"]["size"]), ("GPT-2", 5))
        shards = rows["a/files/BF16/f-00001-of-00002.gguf"]
        self.assertEqual(shards["family"], "Qwen3")
        self.assertEqual(shards["size"], len(make_gguf("qwen3")) + len(make_gguf("other")))
        self.assertIn("neither", rows["a/words"]["problem"])
        self.assertIn("no “model.safetensors”", rows["a/config"]["problem"])
        self.assertIn("no snapshot", rows["a/begun"]["problem"])
        self.assertEqual([name for name in rows if rows[name]["problem"]], list(rows)[-4:])

    def test_shards(self):
        """An index calls them as it likes; what lies beside them counts nothing."""
        weights = (BERT / "model.safetensors").read_bytes()
        index = lambda *names: {"weight_map": {f"{place}.weight": name for place, name in enumerate(names)}}
        files = {"config.json": (BERT / "config.json").read_bytes()}
        self.add_to_hub("some/odd", files | {"model.safetensors.index.json": index("weights_1.safetensors"),
                                             "weights_1.safetensors": weights, "model.old.safetensors": b"123"})
        self.add_to_hub("some/within", files | {"model.safetensors.index.json": index("parts/1.safetensors"),
                                                "parts/1.safetensors": weights})
        self.add_to_hub("some/half", files | {"model.safetensors.index.json": index("1.safetensors", "2.safetensors"),
                                              "1.safetensors": b"1"})
        # For a list only one that says what the names do not is read.
        numbered = [f"model-0000{number}-of-00002.safetensors" for number in (1, 2)]
        self.add_to_hub("some/unread", files | {"model.safetensors.index.json": b"no index"} | dict.fromkeys(numbered, b"12"))
        self.add_to_hub("some/rest", files | {"model.safetensors.index.json": index("1.safetensors"),
                                              "1.safetensors": b"1", numbered[0]: b"12"})
        rows = self.list()
        self.assertEqual({name: row["size"] for name, row in rows.items()},
                         {"some/odd": len(weights), "some/within": len(weights), "some/half": 1, "some/unread": 4, "some/rest": 1})
        for name in ("some/odd", "some/within"):
            result = self.run_cli("info", name, "--ids=1,2")
            self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_places(self):
        for number, (variable, below) in enumerate([("HF_HUB_CACHE", "."), ("HF_HOME", "hub"),
                                                    ("XDG_CACHE_HOME", "huggingface/hub")]):
            folder = self.home / f"place-{number}"
            self.add_bert(hub=folder / below)
            self.assertEqual(list(self.list(**{variable: str(folder)})), ["google/bert-tiny"])
        self.assertEqual(list(self.list(HF_HOME="~/place-1")), ["google/bert-tiny"])
        self.write(self.home / "llama" / "x_y.gguf", make_gguf("gemma3"))
        self.add_to_hub("y/z", {"z.gguf": make_gguf("bert")}, hub=self.home / "llama")
        rows = self.list(LLAMA_CACHE=str(self.home / "llama"))
        self.assertEqual({name: row["source"] for name, row in rows.items()},
                         {"llama.cpp:x_y.gguf": "llama.cpp", "llama.cpp:y/z/z.gguf": "llama.cpp"})
        self.write(self.home / ".cache" / "llama.cpp" / "w.gguf", make_gguf("gemma3"))
        self.assertEqual(list(self.list()), ["llama.cpp:w.gguf"])

    def test_shared_folder(self):
        self.add_to_hub("y/z", {"z.gguf": make_gguf("bert")})
        self.assertEqual(list(self.list(LLAMA_CACHE=str(self.hub))), ["y/z/z.gguf"])

    def test_ollama(self):
        blob = self.add_to_ollama("registry.ollama.ai/library/llama3.2/latest", make_gguf("llama"))
        self.add_to_ollama("registry.ollama.ai/library/llama3.2/3b", make_gguf("llama"))
        self.add_to_ollama("registry.ollama.ai/somebody/tuned/v1", make_gguf("qwen2"))
        self.add_to_ollama("hf.co/unsloth/gemma/Q4", make_gguf("gemma2"))
        self.add_to_ollama("registry.ollama.ai/library/listed/a", make_gguf("gpt2"), "manifests-v2", lambda m: [m])
        self.add_to_ollama("registry.ollama.ai/library/listed/b", make_gguf("phi2"), "manifests-v2",
                           lambda m: {"manifests": [{"digest": "sha256:" + self.store(m)}]})
        self.add_to_ollama("registry.ollama.ai/library/gone/1", make_gguf("t5")).unlink()
        self.write(self.ollama / "manifests/registry.ollama.ai/library/cloud/1", {"layers": []})
        rows = self.list()
        self.assertEqual({name: row["family"] for name, row in rows.items()},
                         {"ollama:llama3.2:latest": "LLaMA", "ollama:llama3.2:3b": "LLaMA",
                          "ollama:somebody/tuned:v1": "Qwen2", "ollama:hf.co/unsloth/gemma:Q4": "Gemma 2",
                          "ollama:listed:a": "GPT-2", "ollama:listed:b": "Phi", "ollama:gone:1": None,
                          "ollama:cloud:1": None})
        self.assertEqual((rows["ollama:llama3.2:3b"]["path"], rows["ollama:llama3.2:3b"]["size"]),
                         (str(blob), len(make_gguf("llama"))))
        self.assertEqual(rows["ollama:gone:1"]["problem"], "the file that its manifest names is not there")
        self.assertEqual(rows["ollama:cloud:1"]["problem"], "its manifest names no GGUF file")

    def store(self, manifest):
        text = json.dumps(manifest).encode()
        digest = hashlib.sha256(text).hexdigest()
        self.write(self.ollama / "blobs" / f"sha256-{digest}", text)
        return digest

    def test_newer_manifests_come_first(self):
        path = "registry.ollama.ai/library/same/latest"
        self.add_to_ollama(path, make_gguf("llama"))
        self.add_to_ollama(path, make_gguf("gemma3"), "manifests-v2")
        self.assertEqual({name: row["family"] for name, row in self.list().items()}, {"ollama:same:latest": "Gemma 3"})

    def test_lm_studio(self):
        models = self.home / ".lmstudio" / "models"
        self.write(models / "lmstudio-community" / "Llama-GGUF" / "Llama-Q4_K_M.gguf", make_gguf("llama"))
        self.write(models / "lmstudio-community" / "Llama-GGUF" / "mmproj.gguf", make_gguf("clip"))
        (models / "mlx").mkdir()
        (models / "mlx" / "bert").symlink_to(BERT)
        rows = self.list()
        self.assertEqual({name: row["family"] for name, row in rows.items()},
                         {"lmstudio:lmstudio-community/Llama-GGUF/Llama-Q4_K_M.gguf": "LLaMA", "lmstudio:mlx/bert": "BERT",
                          "lmstudio:lmstudio-community/Llama-GGUF/mmproj.gguf": None})

    def test_older_folder_of_lm_studio(self):
        self.write(self.home / ".cache" / "lm-studio" / "models" / "someone" / "Qwen" / "Qwen-Q8_0.gguf", make_gguf("qwen2"))
        self.assertEqual(list(self.list()), ["lmstudio:someone/Qwen/Qwen-Q8_0.gguf"])

    def test_search_and_formats(self):
        self.add_bert()
        self.add_to_ollama("registry.ollama.ai/library/llama3.2/latest", make_gguf("llama"))
        self.assertEqual(list(self.list("OLLAMA")), ["ollama:llama3.2:latest"])
        self.assertEqual(list(self.list("tiny", "hugging")), ["google/bert-tiny"])
        self.assertEqual(list(self.list("tiny ollama")), [])
        lines = self.run_cli("models", "--format=csv").stdout
        rows = list(csv.DictReader(io.StringIO(lines)))
        self.assertEqual([row["name"] for row in rows], ["google/bert-tiny", "ollama:llama3.2:latest"])
        self.assertEqual(rows[0]["problem"], "")
        table = self.run_cli("models").stdout.splitlines()
        self.assertRegex(table[0], r"^name +source +MB family$")
        self.assertRegex(table[1], r"^google/bert-tiny +Hugging Face +0\.\d BERT$")
        self.assertEqual(self.run_cli("models", "--format=xml").returncode, 2)
        self.assertIn("models [", self.run_cli("models", "--help").stdout)


class Hostile(Case):
    def test_refs(self):
        secret = self.write(self.home / "secret" / "config.json", {"model_type": "bert"}).parent
        self.write(secret / "model.safetensors", b"1")
        for number, main in enumerate(["../../../../../secret", "", "/etc", "x" * 4000, "é"]):
            model = self.hub / f"models--a--b{number}"
            (model / "snapshots").mkdir(parents=True)
            self.write(model / "refs" / "main", main)
        rows = self.list()
        self.assertEqual(len(rows), 5)
        for row in rows.values():
            self.assertIn("no snapshot", row["problem"])

    def test_links_that_lead_back(self):
        self.add_to_ollama("registry.ollama.ai/library/llama3.2/latest", make_gguf("llama"))
        host = self.ollama / "manifests" / "registry.ollama.ai"
        for name in ("again", "library/again", "library/llama3.2/again"):
            (host / name).symlink_to(self.ollama / "manifests")
        (self.ollama / "manifests" / "self").symlink_to("self")
        snapshot = self.add_bert()
        (snapshot / "again").symlink_to(snapshot)
        rows = self.list()
        self.assertEqual((rows["ollama:llama3.2:latest"]["family"], rows["google/bert-tiny"]["family"]), ("LLaMA", "BERT"))
        self.assertLess(len(rows), 10)

    def test_too_many(self):
        folder = self.home / ".cache" / "llama.cpp"
        folder.mkdir(parents=True)
        first = self.write(folder / "0.gguf", make_gguf("llama"))
        for number in range(60000):
            os.link(first, folder / f"{number}.bin")
        rows = self.list(says="the first 50000 files and folders were looked at")
        self.assertLessEqual(len(rows), 1)

    @unittest.skipIf(os.geteuid() == 0, "nothing is unreadable to root")
    def test_unreadable(self):
        self.add_bert()
        folder = self.hub / "models--a--b" / "snapshots" / HASH
        folder.mkdir(parents=True)
        folder.chmod(0)
        self.addCleanup(folder.chmod, 0o700)
        self.assertEqual(self.list(says=str(folder))["google/bert-tiny"]["family"], "BERT")

    def test_a_file_for_a_folder(self):
        self.write(self.hub, b"")
        self.assertEqual(self.list(says=str(self.hub)), {})

    def test_json(self):
        lies = [b"", b"[", b"null", b"{\"model_type\": 3}", b"{\"model_type\": [\"bert\"]}", b"[" * 100000, b"\xff" * 10,
                b"{}" + b" " * (2 << 20), b"{\"model_type\": \"" + b"x" * 100000 + b"\"}"]
        for number, lie in enumerate(lies):
            self.add_to_hub(f"a/m{number}", {"config.json": lie, "model.safetensors": b"1"})
            self.write(self.ollama / f"manifests/registry.ollama.ai/library/m{number}/1", lie)
        for number, digest in enumerate(["sha256:../../secret", "md5:00", "sha256:" + "z" * 64, 3, None]):
            self.write(self.ollama / f"manifests/registry.ollama.ai/library/d{number}/1",
                       {"layers": [{"mediaType": "application/vnd.ollama.image.model", "digest": digest}, 3, None]})
        os.mkfifo(self.ollama / "manifests/registry.ollama.ai/library/m0/2")
        rows = self.list()
        self.assertEqual(len(rows), 2 * len(lies) + 5)
        for row in rows.values():
            self.assertTrue(row["problem"] and "\n" not in row["problem"], row)
            self.assertLess(len(row["problem"]), 400)

    def test_long_config(self):
        text = (BERT / "config.json").read_bytes()
        for past in (0, 1):
            self.add_to_hub(f"a/m{past}", {"config.json": text.ljust((1 << 20) + past), "model.safetensors": b"1"})
        rows = self.list()
        self.assertEqual(rows["a/m0"]["family"], "BERT")
        self.assertIn("more than 1048576 bytes", rows["a/m1"]["problem"])

    def test_gguf(self):
        whole = make_gguf("llama")
        lies = {"empty": b"", "short": whole[:20], "no": b"GGUF" + struct.pack("<IQQ", 3, 0, 0),
                "many": b"GGUF" + struct.pack("<IQQ", 3, 0, 1 << 60), "other": whole.replace(b"GGUF", b"FUGG"),
                "late": make_gguf("llama", 2000)}
        for name, content in lies.items():
            self.write(self.home / ".cache" / "llama.cpp" / f"{name}.gguf", content)
        rows = self.list()
        self.assertEqual({row["family"] for row in rows.values()}, {None})
        self.assertIn("do not say its architecture", rows["llama.cpp:late.gguf"]["problem"])


class Names(Case):
    def test_hugging_face(self):
        self.add_bert()
        for name in ("google/bert-tiny", self.hub / "models--google--bert-tiny" / "snapshots" / HASH):
            output = self.elsewhere / "out.h5"
            result = self.run_cli("recompute", name, "--ids=1,2,3", "-o", output)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn("google/bert-tiny", self.run_cli("info", output).stdout)

    def test_every_option(self):
        self.add_bert("google/bert-tiny")
        self.add_bert("google/bert-other")
        result = self.run_cli("compare", "google/bert-tiny", "google/bert-other", "--ids=1,2,3", "--format=json")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.fails("compare", "google/bert-tiny", "google/none", "--ids=1,2,3", says="nor a model of this name")
        for option in (["--tokenizer=a/none", "--text=a"], ["--compare=a/none"]):
            self.fails("render", TESTS / "fixtures" / "f64.h5", *option, "-o", "x.svg", says="nor a model of this name")
        self.fails("tokens", "google/none", "--text=a", says="nor a model of this name in ~/.cache/huggingface/hub, ~/.ollama")

    def test_a_path_goes_first(self):
        self.add_bert()
        shutil.copytree(TESTS / "model" / "checkpoints" / "gpt2", self.elsewhere / "google" / "bert-tiny")
        self.assertIn("Model: bert-tiny", self.run_cli("info", "google/bert-tiny", "--ids=1,2").stdout)
        self.fails("info", "google/nothing.h5", says="there is no such file")

    def test_ollama(self):
        self.add_to_ollama("registry.ollama.ai/library/llama3.2/latest", make_gguf("clip"))
        self.add_to_ollama("registry.ollama.ai/library/one/3b", make_gguf("clip"))
        self.add_to_ollama("registry.ollama.ai/library/two/3b", make_gguf("clip"))
        self.add_to_ollama("registry.ollama.ai/library/two/7b", make_gguf("clip"))
        self.write(self.ollama / "manifests/registry.ollama.ai/library/cloud/latest", {"layers": []})
        for name in ("ollama:llama3.2", "ollama:llama3.2:latest", "ollama:one", "llama3.2", "llama3.2:latest", "two:7b"):
            self.fails("info", name, "--ids=1", says="“clip”")
        self.fails("info", "ollama:two", "--ids=1", says="several models that this can be: ollama:two:3b, ollama:two:7b")
        self.fails("info", "ollama:none", "--ids=1", says="no model of this name in ~/.ollama/models, /usr/share/ollama")
        self.fails("info", "ollama:llama3", "--ids=1", says="no model of this name")
        self.fails("info", "ollama:cloud", "--ids=1", says="names no GGUF file")

    def test_files_of_a_folder(self):
        self.add_to_hub("a/one", {"f.gguf": make_gguf("clip")})
        self.add_to_hub("a/two", {"f.gguf": make_gguf("clip"), "g.gguf": make_gguf("clip")})
        self.fails("info", "a/one", "--ids=1", says="“clip”")
        self.fails("info", "a/two/g.gguf", "--ids=1", says="“clip”")
        self.fails("info", "a/two", "--ids=1", says="a/two/f.gguf, a/two/g.gguf")


if __name__ == "__main__":
    sys.exit(test_cli.main())

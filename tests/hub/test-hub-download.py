# SPDX-License-Identifier: MIT
"""headlight-cli download from a hub on this computer that behaves, and that does not; what is written is what the hub's own tools write.

Usage: test-hub-download.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.
"""

import ctypes
import errno
import fcntl
import hashlib
import importlib.util
import itertools
import json
import os
import pathlib
import platform
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

from hub_server import COMMIT, Hub, Proxy, git_hash

spec = importlib.util.spec_from_file_location("test_cli", pathlib.Path(__file__).parent.parent / "cli" / "test-cli.py")
test_cli = importlib.util.module_from_spec(spec)
spec.loader.exec_module(test_cli)

CLI, TESTS = test_cli.CLI, test_cli.TESTS.resolve()
BERT = TESTS / "model" / "checkpoints" / "bert"
SAMPLE = TESTS.parent / "data" / "samples" / "minilm-l6-v2.gguf"
OTHER = "fedcba9876543210fedcba9876543210fedcba98"
WORDS = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
         "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": None, "decoder": None,
         "model": {"type": "WordLevel", "unk_token": "w0", "vocab": {f"w{number}": number for number in range(100)}}}


# symlink() and symlinkat(), of which newer machines have the second alone.
LINK_CALLS = {"x86_64": [88, 266], "aarch64": [36]}.get(platform.machine())
libc = ctypes.CDLL(None, use_errno=True)


def refuse_links():
    """As a file system does that has no symbolic links: from here on the kernel says so to this process and those that it starts."""
    # The number of the call, against each of these; else it goes on.
    code = [(0x20, 0, 0, 0), *(line for call in LINK_CALLS for line in ((0x15, 0, 1, call), (0x06, 0, 0, 0x50000 | errno.EPERM))), (0x06, 0, 0, 0x7fff0000)]
    lines = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *line) for line in code))
    program = ctypes.create_string_buffer(struct.pack("@HP", len(code), ctypes.addressof(lines)))
    if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, program, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "no filter of system calls")


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="headlight-hub-"))
        self.addCleanup(shutil.rmtree, self.home)
        self.cache = self.home / ".cache" / "huggingface" / "hub"
        self.hub = Hub()
        self.addCleanup(self.hub.close)
        self.weights = (BERT / "model.safetensors").read_bytes()
        self.hub.add("some/bert", {
            "config.json": (BERT / "config.json").read_bytes(), "model.safetensors": self.weights,
            "tokenizer.json": json.dumps(WORDS).encode(), "README.md": b"# Words", "pytorch_model.bin": b"the same, older",
            "onnx/model.onnx": b"the same, elsewhere", "vocab.txt": b""}, large={"model.safetensors", "onnx/model.onnx"})
        self.model = self.cache / "models--some--bert"

    def environment(self, **variables):
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("HF_", "OLLAMA", "LLAMA", "XDG_", "TRANSFORMERS", "HUGGING"))
                       and not name.lower().endswith("_proxy")}
        return environment | {"LC_ALL": "C.UTF-8", "G_DEBUG": "fatal-criticals", "HOME": str(self.home),
                              "HF_ENDPOINT": self.hub.address, **variables}

    def start(self, *arguments, **variables):
        return subprocess.Popen([CLI, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, encoding="utf-8", env=self.environment(**variables), cwd=self.home)

    def run_cli(self, *arguments, **variables):
        process = self.start(*arguments, **variables)
        out, err = process.communicate(timeout=120)
        return process.returncode, out, err

    def fetch(self, name="some/bert", **variables):
        """The path that is printed."""
        status, out, err = self.run_cli("download", name, **variables)
        self.assertEqual(status, 0, err)
        return pathlib.Path(out.removesuffix("\n"))

    def fails(self, *says, name="some/bert", **variables):
        status, out, err = self.run_cli("download", name, **variables)
        self.assertEqual((status, out), (1, ""), err)
        last = err.splitlines()[-1]
        self.assertTrue(last.startswith(f"headlight-cli: {name}: "), err)
        for text in says:
            # Sizes have a space that keeps lines together.
            self.assertIn(text, last.replace("\N{NO-BREAK SPACE}", " "))

    def blob(self, path, model="some/bert"):
        return self.cache / ("models--" + model.replace("/", "--")) / "blobs" / self.hub.models[model].hash(path)

    def assert_nothing_half(self):
        """Neither a snapshot nor a revision of what is not whole."""
        self.assertFalse((self.model / "snapshots").exists())
        self.assertFalse((self.model / "refs").exists())


class Layout(Case):
    def test_folder(self):
        path = self.fetch()
        self.assertEqual(path, self.model / "snapshots" / COMMIT)
        names = {"config.json", "model.safetensors", "tokenizer.json", "vocab.txt"}
        self.assertEqual({file.name for file in path.iterdir()}, names)
        for name in names:
            digest = self.hub.models["some/bert"].hash(name)
            self.assertEqual(os.readlink(path / name), f"../../blobs/{digest}")
            self.assertEqual((path / name).read_bytes(), self.hub.models["some/bert"].files[name])
        self.assertEqual(self.blob("vocab.txt").name, "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391")
        self.assertEqual((self.model / "refs" / "main").read_text(), COMMIT)
        self.assertEqual({file.name for file in (self.model / "blobs").iterdir()},
                         {self.hub.models["some/bert"].hash(name) for name in names})
        # The list came in pages, and nothing was asked for that is not needed.
        self.assertEqual(len(self.hub.requests("/tree/")), 2)
        self.assertEqual(self.hub.requests("README") + self.hub.requests("pytorch") + self.hub.requests("onnx"), [])

    def test_listed_and_opened(self):
        path = self.fetch()
        offline = {"HF_ENDPOINT": "http://127.0.0.1:1"}
        status, out, err = self.run_cli("models", "--format=json", **offline)
        self.assertEqual((status, err), (0, ""))
        row, = json.loads(out)
        self.assertEqual((row["name"], row["family"], row["path"], row["problem"]), ("some/bert", "BERT", str(path), None))
        for name in ("some/bert", "some/bert@main", f"some/bert@{COMMIT}"):
            status, out, err = self.run_cli("tokens", name, "--text", "w3 w15", **offline)
            self.assertEqual((status, err), (0, ""))
            self.assertIn("w15", out)

    @unittest.skipIf(LINK_CALLS is None, "the numbers of its system calls are not known")
    def test_no_links(self):
        """A disk that has none, as exFAT: the files themselves are in the snapshot, and are not asked for again. Two may be of the same bytes."""
        self.hub.models["some/bert"].files |= {"added_tokens.json": b"{}", "special_tokens_map.json": b"{}"}
        for turn in range(2):
            process = subprocess.run([CLI, "download", "some/bert"], capture_output=True, encoding="utf-8", env=self.environment(),
                                     cwd=self.home, preexec_fn=refuse_links, timeout=120)
            self.assertEqual(process.returncode, 0, process.stderr)
            path = pathlib.Path(process.stdout.removesuffix("\n"))
            self.assertEqual(path, self.model / "snapshots" / COMMIT)
            for name in ("config.json", "model.safetensors", "tokenizer.json", "vocab.txt", "added_tokens.json", "special_tokens_map.json"):
                self.assertFalse((path / name).is_symlink())
                self.assertEqual((path / name).read_bytes(), self.hub.models["some/bert"].files[name])
            self.assertEqual(list((self.model / "blobs").iterdir()), [])
            self.assertEqual((self.model / "refs" / "main").read_text(), COMMIT)
            self.assertEqual("of which 0 bytes are to be downloaded" in process.stderr, turn == 1)
            self.assertEqual(self.hub.requests("/resolve/") == [], turn == 1)
            del self.hub.seen[:]
        # Where there are links, too, it stays as it is.
        self.assertEqual(self.fetch(), path)
        self.assertFalse((path / "config.json").is_symlink())
        status, out, err = self.run_cli("tokens", "some/bert", "--text", "w3 w15", HF_ENDPOINT="http://127.0.0.1:1")
        self.assertEqual((status, err), (0, ""))
        self.assertIn("w15", out)

    def test_again(self):
        self.fetch()
        del self.hub.seen[:]
        status, out, err = self.run_cli("download", "some/bert")
        self.assertEqual(status, 0)
        self.assertIn("of which 0 bytes are to be downloaded", err)
        self.assertEqual(self.hub.requests("/resolve/"), [])
        # A new revision shares what has not changed.
        model = self.hub.models["some/bert"]
        model.revisions["main"] = OTHER
        model.files["tokenizer.json"] += b" "
        path = self.fetch()
        self.assertEqual(path, self.model / "snapshots" / OTHER)
        self.assertEqual((self.model / "refs" / "main").read_text(), OTHER)
        self.assertEqual(len(self.hub.requests("/resolve/")), 1)
        self.assertTrue((self.model / "snapshots" / COMMIT / "tokenizer.json").exists())

    def test_abandoned(self):
        """What killed processes have left on a disk without locks, which nobody goes on with, is removed in the end; nothing else is."""
        blobs, digest = self.model / "blobs", self.hub.models["some/bert"].hash("model.safetensors")
        blobs.mkdir(parents=True)
        names = {f"{digest}.0123456789abcdef.incomplete", f"{'a' * 40}.0123456789abcdef.incomplete", f"{'b' * 40}.fedcba9876543210.incomplete",
                 f"{'a' * 40}.incomplete", f"{'a' * 40}.01234567.incomplete", "a.0123456789abcdef.incomplete", f"{'a' * 40}.0123456789abcdef"}
        young = {name for name in names if name.startswith("b")}
        for name in names:
            (blobs / name).write_bytes(b"x")
            os.utime(blobs / name, (time.time() - 86400 * (1 if name in young else 4),) * 2)
        (blobs / f"{'c' * 40}.0123456789abcdef.incomplete").mkdir()
        os.utime(blobs / f"{'c' * 40}.0123456789abcdef.incomplete", (0, 0))
        self.fetch()
        self.assertEqual(names - {file.name for file in blobs.iterdir()},
                         {f"{digest}.0123456789abcdef.incomplete", f"{'a' * 40}.0123456789abcdef.incomplete"})
        self.assertTrue((blobs / f"{'c' * 40}.0123456789abcdef.incomplete").is_dir())

    def test_revisions(self):
        model = self.hub.models["some/bert"]
        model.revisions |= {"v1/final": OTHER}
        self.assertEqual(self.fetch("some/bert@v1/final"), self.model / "snapshots" / OTHER)
        self.assertEqual((self.model / "refs" / "v1" / "final").read_text(), OTHER)
        self.assertFalse((self.model / "refs" / "main").exists())
        self.fetch(f"some/bert@{COMMIT}")
        self.assertEqual([path.name for path in (self.model / "refs").iterdir()], ["v1"])
        self.fails("there is no revision “v2”; there are: main, v1/final", name="some/bert@v2")
        self.fails("there is no such revision of it on 127.0.0.1", name=f"some/bert@{'7' * 40}")

    def test_shards(self):
        """They are called as the index has it, which is up to whoever made it."""
        for number, (index, names) in enumerate((
                ("model.safetensors.index.json", [f"model-0000{part}-of-00003.safetensors" for part in (1, 2, 3)]),
                ("model.safetensors.index.json", ["model.safetensors-00001-of-00001.safetensors"]),
                ("model.safetensors.index.json", [f"model-0000{part}-of-000002.safetensors" for part in (1, 2)]),
                ("model.safetensors.index.json", ["weights_1.safetensors"]),
                ("pytorch_model.bin.index.json", [f"pytorch_model_0000{part}-of-00002.bin" for part in (1, 2)]))):
            parts = {name: bytes([place]) * 100 for place, name in enumerate(names)}
            weights = {"weight_map": {f"{name}.weight": name for name in names} | {"b.weight": names[0]}}
            self.hub.add(f"some/shards{number}", {
                "config.json": b"{}", index: json.dumps(weights).encode(), **parts, "model-00001-of-00002.gguf": b"x",
                "other-00001-of-00003.safetensors": b"x"}, large=parts)
            path = self.fetch(f"some/shards{number}")
            self.assertEqual({file.name for file in path.iterdir()}, {"config.json", index, *parts})

    def test_no_shards(self):
        for weights, says in (({"a": "model-1.safetensors", "b": "model-2.safetensors"},
                               "the hub has no “model-2.safetensors”, which “model.safetensors.index.json” names"),
                              ({"a": "../config.json"}, "tensor “a” is said to be in “../config.json”, which cannot be a file"),
                              ({}, "“model.safetensors.index.json” names no weights"), (7, "names no weights")):
            self.hub.add("some/shards", {"config.json": b"{}", "model-1.safetensors": b"1",
                                         "model.safetensors.index.json": json.dumps({"weight_map": weights}).encode()})
            self.fails(says, name="some/shards")
            self.assertFalse((self.cache / "models--some--shards").exists())
        self.hub.add("some/shards", {"config.json": b"{}", "model.safetensors.index.json": b"{"})
        self.fails("model.safetensors.index.json: ", name="some/shards")

    def test_pieces(self):
        """A tokenizer may only be there as a model of SentencePiece."""
        names = ("tokenizer.model", "spiece.model", "spm.model", "sentencepiece.bpe.model")
        for name in names:
            self.hub.add("some/pieces", {"config.json": b"{}", "pytorch_model.bin": b"1", name: b"2", "other.model": b"3"})
            self.assertEqual({file.name for file in self.fetch("some/pieces").iterdir()}, {"config.json", "pytorch_model.bin", name})
            shutil.rmtree(self.cache)

    def test_odd_name(self):
        """A picture that cannot be written here is no reason to do without a model."""
        self.hub.add("some/family", {"config.json": b"{}", "model.safetensors": b"1", "\U0001f468\u200d\U0001f469.png": b"2",
                                     "a\\b.txt": b"3"})
        self.assertEqual({file.name for file in self.fetch("some/family").iterdir()}, {"config.json", "model.safetensors"})

    def test_older_and_adapters(self):
        self.hub.add("old", {"config.json": b"{}", "pytorch_model.bin": b"1", "tf_model.h5": b"2"})
        self.assertEqual({file.name for file in self.fetch("old").iterdir()}, {"config.json", "pytorch_model.bin"})
        self.assertTrue((self.cache / "models--old").exists())
        self.hub.add("some/lora", {"adapter_config.json": b"{}", "adapter_model.safetensors": b"1", "optimizer.pt": b"2"})
        self.assertEqual({file.name for file in self.fetch("some/lora").iterdir()},
                         {"adapter_config.json", "adapter_model.safetensors"})
        self.hub.add("some/sentences", {"modules.json": b"[]", "0_Transformer/config.json": b"{}",
                                        "0_Transformer/pytorch_model.bin": b"1", "1_Pooling/config.json": b"{}"})
        path = self.fetch("some/sentences")
        self.assertEqual(os.readlink(path / "0_Transformer" / "config.json"), f"../../../blobs/{git_hash(b'{}')}")
        self.assertTrue((path / "modules.json").exists())

    def test_nothing_to_have(self):
        self.hub.add("some/pictures", {"README.md": b"", "config.json": b"{}", "tf_model.h5": b"1"})
        self.fails("neither a config.json with model.safetensors", name="some/pictures")


class Gguf(Case):
    def setUp(self):
        super().setUp()
        sample = SAMPLE.read_bytes()
        self.files = {"small-Q4_K_M.gguf": sample, "small-q8_0.gguf": b"8" * 2000, "small.F16.gguf": b"16" * 2000,
                      "BF16/small-BF16-00001-of-00002.gguf": b"b" * 3000, "BF16/small-BF16-00002-of-00002.gguf": b"B" * 3000,
                      "mmproj-small-F16.gguf": b"eyes", "small.imatrix.gguf": b"counts", "README.md": b"",
                      "config.json": b"{}"}
        self.hub.add("some/small-GGUF", self.files, large={name for name in self.files if name.endswith(".gguf")})
        self.folder = self.cache / "models--some--small-GGUF" / "snapshots" / COMMIT

    def test_choice(self):
        size = f"Q4_K_M ({len(self.files['small-Q4_K_M.gguf']) / 1e6:.1f} MB)"
        self.fails("it has several GGUF files; name one as in “some/small-GGUF:Q4_K_M”", "Q8_0 (2.0 kB)", "F16 (4.0 kB)",
                   "BF16 (6.0 kB)", size, name="some/small-GGUF")
        self.fails("there is no GGUF file “Q2_K”; there are: Q8_0, F16, BF16, Q4_K_M", name="some/small-GGUF:Q2_K")
        self.assertEqual(self.hub.requests("/resolve/"), [])

    def test_one(self):
        path = self.fetch("some/small-GGUF:q4_k_m")
        self.assertEqual(path, self.folder / "small-Q4_K_M.gguf")
        self.assertEqual([file.name for file in self.folder.iterdir()], ["small-Q4_K_M.gguf"])
        for name in ("some/small-GGUF:Q4_K_M", "some/small-GGUF", "some/small-GGUF/small-Q4_K_M.gguf"):
            status, out, err = self.run_cli("tokens", name, "--text", "time flies", HF_ENDPOINT="http://127.0.0.1:1")
            self.assertEqual((status, err), (0, ""))
            self.assertIn("flies", out)

    def test_by_name(self):
        for name in ("some/small-GGUF/small-q8_0.gguf", "some/small-GGUF:small-q8_0.gguf", "some/small-GGUF@main:Q8_0"):
            self.assertEqual(self.fetch(name), self.folder / "small-q8_0.gguf")

    def test_shards(self):
        path = self.fetch("some/small-GGUF:BF16")
        self.assertEqual(path, self.folder / "BF16" / "small-BF16-00001-of-00002.gguf")
        self.assertEqual(len(list(path.parent.iterdir())), 2)


class Resume(Case):
    def test_cut(self):
        """A connection that is lost is made again, and goes on from where it was."""
        step = len(self.weights) // 4
        self.hub.faults |= {"cut": step, "cuts": 3}
        path = self.fetch()
        self.assertEqual((path / "model.safetensors").read_bytes(), self.weights)
        ranges = [headers.get("Range") for headers in self.hub.requests("/", host="store")]
        self.assertEqual(ranges, [None, *(f"bytes={step * i}-" for i in (1, 2, 3))])

    def test_given_up(self):
        """What has come is kept, and the next one goes on."""
        self.hub.faults |= {"cut": 0}
        self.fails("model.safetensors: the connection was lost; what has come is kept")
        self.assert_nothing_half()
        incomplete = self.blob("model.safetensors").with_name(self.blob("model.safetensors").name + ".incomplete")
        self.assertEqual(incomplete.stat().st_size, 0)
        incomplete.write_bytes(self.weights[:1234])
        del self.hub.faults["cut"], self.hub.seen[:]
        path = self.fetch()
        self.assertEqual((path / "model.safetensors").read_bytes(), self.weights)
        self.assertEqual([headers["Range"] for headers in self.hub.requests("/", host="store")], ["bytes=1234-"])
        self.assertFalse(incomplete.exists())

    def test_interrupted(self):
        """Ctrl+C ends it at once, and leaves what has come."""
        self.hub.faults |= {"slow": 100}
        process = self.start("download", "some/bert")
        incomplete = self.blob("model.safetensors").with_name(self.blob("model.safetensors").name + ".incomplete")
        deadline = time.monotonic() + 60
        while not (incomplete.exists() and incomplete.stat().st_size > 0):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assert_nothing_half()
        half = incomplete.stat().st_size
        del self.hub.faults["slow"]
        self.fetch()
        self.assertEqual(self.hub.requests("/", host="store")[-1]["Range"], f"bytes={half}-")

    def test_no_range(self):
        """Who cannot send the rest sends all of it."""
        blob = self.blob("model.safetensors")
        blob.parent.mkdir(parents=True)
        blob.with_name(blob.name + ".incomplete").write_bytes(b"x" * 100)
        self.hub.faults |= {"no_range": True}
        self.assertEqual((self.fetch() / "model.safetensors").read_bytes(), self.weights)

    def test_other_beginning(self):
        """A beginning of something else, or too much of it, is dropped."""
        blob = self.blob("model.safetensors")
        blob.parent.mkdir(parents=True)
        for rest in (b"x" * 100, self.weights[:-1] + b"?", self.weights + b"more"):
            blob.with_name(blob.name + ".incomplete").write_bytes(rest)
            self.assertEqual((self.fetch() / "model.safetensors").read_bytes(), self.weights)
            blob.unlink()

    def test_blob_of_another_size(self):
        self.fetch()
        self.blob("config.json").write_bytes(b"{")
        path = self.fetch()
        self.assertEqual((path / "config.json").read_bytes(), (BERT / "config.json").read_bytes())


class Two(Case):
    def test_lock(self):
        """The lock is the one that the hub's own tools take; who has it is waited for."""
        lock = self.cache / ".locks" / "models--some--bert" / (self.blob("config.json").name + ".lock")
        lock.parent.mkdir(parents=True)
        with open(lock, "w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            process = self.start("download", "some/bert")
            with self.assertRaises(subprocess.TimeoutExpired):
                process.communicate(timeout=2)
            self.assertEqual(self.hub.requests("/resolve/"), [])
            # Somebody else has brought it meanwhile, and takes the lock with it.
            self.blob("config.json").parent.mkdir(parents=True, exist_ok=True)
            self.blob("config.json").write_bytes((BERT / "config.json").read_bytes())
            lock.unlink()
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        self.assertEqual(self.hub.requests("/config.json"), [])

    def test_at_once(self):
        processes = [self.start("download", "some/bert") for _ in range(4)]
        for process in processes:
            out, err = process.communicate(timeout=120)
            self.assertEqual((process.returncode, out), (0, f"{self.model / 'snapshots' / COMMIT}\n"), err)
        self.assertEqual(len(self.hub.requests("/", host="store")), 1)


class Token(Case):
    def test_places(self):
        self.hub.faults["token"] = "hf_secret"
        for variables, file in (({"HF_TOKEN": " hf_secret\n"}, None),
                                ({"HF_TOKEN_PATH": str(self.home / "kept")}, self.home / "kept"),
                                ({"HF_HOME": str(self.home / "place"), "HF_HUB_CACHE": str(self.cache)}, self.home / "place" / "token"),
                                ({}, self.home / ".cache" / "huggingface" / "token")):
            if file is not None:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text("hf_secret\n")
            self.fetch(**variables)
            shutil.rmtree(self.model)

    def test_only_for_the_hub(self):
        self.fetch(HF_TOKEN="hf_secret")
        self.assertTrue(all(headers["Authorization"] == "Bearer hf_secret" for headers in self.hub.requests("/", host="hub")))
        others = self.hub.requests("/", host="store")
        self.assertEqual(len(others), 1)
        self.assertNotIn("hf_secret", json.dumps(others))

    def test_refused(self):
        self.hub.faults["token"] = "hf_secret"
        self.fails("there is no such model or file on 127.0.0.1, or it is private and needs a token, in HF_TOKEN or ",
                   "/huggingface/token")
        self.fails("or the token does not allow it", HF_TOKEN="hf_other")
        self.fails("or it is private and needs a token", HF_TOKEN="hf_secret", HF_HUB_DISABLE_IMPLICIT_TOKEN="1")
        self.assertEqual(self.hub.requests("/resolve/"), [])

    def test_is_none(self):
        for token in ("two words", "line\r\nHost: elsewhere", "ünsendable", "x" * 5000):
            self.fails("is none: it has other characters than tokens have", HF_TOKEN=token)
        self.assertEqual(self.hub.seen, [])

    @unittest.skipUnless(shutil.which("openssl"), "openssl is not installed")
    def test_not_for_who_is_somebody_else(self):
        """Who has no right certificate learns nothing."""
        files = [self.home / name for name in ("certificate.pem", "key.pem")]
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
                        "-addext", "subjectAltName=IP:127.0.0.1", "-out", files[0], "-keyout", files[1]],
                       check=True, capture_output=True)
        self.hub.protect(*files)
        self.fails("127.0.0.1 cannot be reached: ", "certificate", HF_TOKEN="hf_secret")
        self.assertEqual(self.hub.seen, [])

    def test_proxy(self):
        """What stands between says nothing about the hub, and sees no token; its own password it gets once, to the right place."""
        refused, wrong = "the proxy does not let through to hub.example: status {}", "the proxy does not take the name and password"
        for status, headers in (("403 Forbidden", ""), ("404 Not Found", "X-Error-Code: GatedRepo\r\n"),
                                ("302 Found", f"Location: {self.hub.address}/some/bert\r\n"),
                                ("407 Proxy Authentication Required", 'Proxy-Authenticate: Basic realm="x"\r\n')):
            for closes, user in itertools.product((False, True), ("", "somebody:p%3Aw@")):
                proxy = Proxy(f"HTTP/1.1 {status}\r\n{headers}Content-Length: 0\r\n\r\n", closes=closes)
                says = wrong if user and status.startswith("407") else refused.format(status[:3])
                self.fails(says, HF_ENDPOINT="https://hub.example", HF_TOKEN="hf_secret", https_proxy=f"http://{user}127.0.0.1:{proxy.port}")
                proxy.close()
                places = [place for place, _ in proxy.seen]
                self.assertEqual(places[0], "hub.example:443")
                if not status.startswith("302"):
                    self.assertEqual(len(places), 1)
                self.assertNotIn("hf_secret", json.dumps(proxy.seen))
                self.assertEqual(proxy.seen[0][1].get("Proxy-Authorization"), "Basic c29tZWJvZHk6cDp3" if user else None)
        self.assertEqual(self.hub.seen, [])

    def test_busy_proxy(self):
        """It is asked again, as the hub itself is."""
        busy, closed = (f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n" for status in ("503 Service Unavailable", "403 Forbidden"))
        refused = "the proxy does not let through to hub.example: status "
        for closes in (False, True):
            for answers, says, n in (((busy, closed), f"some/bert: {refused}403", 2),
                                     ((busy,), f"hub.example cannot be reached: {refused}503", 5)):
                proxy = Proxy(*answers, closes=closes)
                self.fails(says, HF_ENDPOINT="https://hub.example", https_proxy=f"http://127.0.0.1:{proxy.port}")
                proxy.close()
                self.assertEqual([place for place, _ in proxy.seen], ["hub.example:443"] * n)

    def test_open_proxy(self):
        """Without a tunnel it reads all."""
        proxy = Proxy("HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n")
        self.fails("the proxy does not take the name and password", HF_ENDPOINT="http://hub.example",
                   http_proxy=f"http://somebody:p%3Aw@127.0.0.1:{proxy.port}")
        proxy.close()
        (place, headers), = proxy.seen
        self.assertTrue(place.startswith("http://hub.example/"))
        self.assertEqual(headers["Proxy-Authorization"], "Basic c29tZWJvZHk6cDp3")

    def test_gated(self):
        self.hub.faults["gated"] = True
        self.fails("config.json: its authors want their terms to be agreed to first", "a token of who has agreed, in HF_TOKEN")
        self.fails("config.json: its authors want their terms to be agreed to first, on its page on 127.0.0.1", HF_TOKEN="hf_me")

    def test_missing(self):
        self.fails("there is no such model or file on 127.0.0.1", name="some/none")


class Faults(Case):
    def test_passing(self):
        self.hub.faults["status"] = [500, 503, 502]
        self.fetch()

    def test_lists_break_off(self):
        self.hub.faults["cut_lists"] = 3
        self.fetch()
        self.hub.faults["cut_lists"] = 100
        self.fails("the hub’s answer broke off: ")

    def test_rate(self):
        self.hub.faults |= {"status": [429, 429], "retry": "1"}
        self.fetch()
        del self.hub.seen[:]
        self.hub.faults |= {"status": [429], "retry": "3600"}
        self.fails("the hub is asked too much: it says to come back in 3600 seconds")
        self.assertEqual(len(self.hub.seen), 1)

    def test_lasting(self):
        self.hub.faults["status"] = [500] * 100
        self.fails("127.0.0.1 answers with status 500")
        self.assertEqual(len(self.hub.seen), 5)
        self.hub.faults["status"] = [418]
        self.fails("127.0.0.1 answers with status 418")

    def test_no_hub(self):
        self.fails("127.0.0.1 cannot be reached: ", HF_ENDPOINT="http://127.0.0.1:1")
        self.fails("HF_ENDPOINT is not the address of a hub", HF_ENDPOINT="huggingface.co")
        self.fails("HF_ENDPOINT is not the address of a hub", HF_ENDPOINT="file:///etc")

    def test_wrong_hash(self):
        self.hub.faults["wrong"] = True
        self.fails("model.safetensors: what has come does not have the hash it should have, and was thrown away")
        self.assert_nothing_half()
        incomplete = self.blob("model.safetensors").with_name(self.blob("model.safetensors").name + ".incomplete")
        self.assertEqual(incomplete.stat().st_size, 0)
        del self.hub.faults["wrong"]
        self.fetch()

    def test_wrong_size(self):
        self.hub.faults["longer"] = True
        self.fails("127.0.0.1 has a file of another size than the hub says")
        self.assert_nothing_half()

    def test_no_space(self):
        tree = [{"type": "file", "path": "config.json", "size": 2, "oid": git_hash(b"{}")},
                {"type": "file", "path": "model.safetensors", "size": 1 << 45, "oid": COMMIT,
                 "lfs": {"oid": "0" * 64, "size": 1 << 45}}]
        self.hub.faults["tree"] = json.dumps(tree).encode()
        self.fails("it needs 35.2 TB more in ", " are free")
        self.assertEqual(self.hub.requests("/resolve/"), [])
        self.assertFalse(self.model.exists())

    def test_read_only(self):
        if os.geteuid() == 0:
            place = self.home / "file"
            place.write_text("")
        else:
            place = self.home / "closed"
            place.mkdir(mode=0o500)
        self.fails("cannot be written: ", HF_HUB_CACHE=str(place / "hub"))


class Lies(Case):
    def lie(self, *says, **faults):
        self.hub.faults.clear()
        self.hub.faults |= faults
        self.fails(*says)
        self.assert_nothing_half()
        self.assertEqual(sorted(path.name for path in self.home.iterdir() if path.name != ".cache"), [])

    def tree(self, **changes):
        entry = {"type": "file", "path": "config.json", "size": 2, "oid": git_hash(b"{}")} | changes
        return json.dumps([{"type": "file", "path": "model.safetensors", "size": 2, "oid": git_hash(b"{}")}, entry]).encode()

    def test_paths(self):
        """What might lead out of the folder is passed over, as if it were not there."""
        for path in ("../config.json", "/etc/config.json", "a/../../config.json", "a//config.json", "./config.json", "", "a\\b",
                     "..", "config.json\n", "\x1b[2Jx", "x" * 600, "/".join("abcdefghijklmnopqrstuvwxyz"), "config.json/"):
            self.lie("there is neither a config.json with", tree=self.tree(path=path))
        for path in (7, None):
            self.lie("the name of a file is none", tree=self.tree(path=path))

    def test_hashes_and_sizes(self):
        for oid in ("../../../../x", "0" * 39, "0" * 64, "A" * 40, "", None, 5, ["0"]):
            self.lie("the hash of a file is none", tree=self.tree(oid=oid))
        self.lie("the hash of a file is none", tree=self.tree(lfs={"oid": "0" * 40, "size": 2}))
        for size in (-1, 1.5, 1e300, "2", None, 1 << 60):
            self.lie("the size of a file is none", tree=self.tree(size=size))
        self.lie("the size of a file is none", tree=self.tree(lfs={"oid": "0" * 64}))

    def test_answers(self):
        for tree in (b"", b"<html>", b"{}", b"[", b"[" * 10000, b"null", b"\xff"):
            self.lie("the hub’s answer is not what it should be", tree=tree)
        for refs in (b"[]", b"{}", b'{"branches": 7}', b'{"branches": [7, null, {"name": []}]}'):
            self.lie("there is no revision “main”", refs=refs)
        for commit in ("../..", "main", "", COMMIT[:-1], 7):
            self.lie("" if commit == 7 else "a commit is none",
                     refs=json.dumps({"branches": [{"name": "main", "targetCommit": commit}]}).encode())

    def test_huge(self):
        self.lie("the hub’s answer is larger than 16 MB", tree=b" " * (17 << 20))
        entry = json.loads(self.tree())[0]
        self.lie("there are too many files", tree=json.dumps([entry] * 20001).encode())

    def test_no_end(self):
        self.lie("leads from one address to the next without end", endless=True)
        self.lie("the list of its files has no end", next=f"{self.hub.address}/api/models/some/bert/tree/{COMMIT}?cursor=0")

    def test_leads_elsewhere(self):
        self.lie("127.0.0.1 leads to an address that is not its own", next=f"{self.hub.store_address}/api/models/some/bert/tree/x")
        self.assertEqual(self.hub.requests("/", host="store"), [])
        for address in ("file:///etc/passwd", "ftp://127.0.0.1/x", "javascript:1", "http://"):
            self.lie("leads to an address that is none", open=address)

    def test_another_hash(self):
        """What the hub says of a file is not what its list says."""
        digest = hashlib.sha256(b"other").hexdigest()
        self.lie("model.safetensors: it has another hash than the hub’s list says",
                 tree=json.dumps([{"type": "file", "path": "config.json", "size": len(self.hub.models["some/bert"].files["config.json"]),
                                   "oid": self.hub.models["some/bert"].hash("config.json")},
                                  {"type": "file", "path": "model.safetensors", "size": len(self.weights), "oid": COMMIT,
                                   "lfs": {"oid": digest, "size": len(self.weights)}}]).encode())
        self.assertEqual((self.model / "blobs" / (digest + ".incomplete")).stat().st_size, 0)


class Offline(Case):
    def test_variables(self):
        for variables, said in (({"HF_HUB_OFFLINE": "1"}, "HF_HUB_OFFLINE"), ({"HF_HUB_OFFLINE": "Yes"}, "HF_HUB_OFFLINE"),
                                ({"TRANSFORMERS_OFFLINE": "true"}, "TRANSFORMERS_OFFLINE")):
            self.fails(f"nothing is downloaded, since {said} is set", **variables)
        self.assertEqual(self.hub.seen, [])
        self.fetch(HF_HUB_OFFLINE="0", TRANSFORMERS_OFFLINE="1")

    def test_never_by_itself(self):
        """A model that is not there is told of, not fetched."""
        status, out, err = self.run_cli("tokens", "some/bert", "--text", "w1")
        self.assertEqual((status, out), (1, ""))
        self.assertIn("nor a model of this name in ~/.cache/huggingface/hub", err)
        self.assertIn("“headlight-cli download some/bert” fetches it", err)
        self.assertEqual(self.hub.seen, [])


class Usage(Case):
    def test_names(self):
        for name in ("", "a/b/c", "../x", "a/..", "-a/b", "a--b/c", "a b/c", "a/b@", "a/b@..", "a/b:", "a/b:../x", "a/b/../x.gguf",
                     "a/b@x/../y", "ä/b", "x" * 97, "a/b/c.gguf:Q4_K_M", "http://a/b", "/a/b"):
            with self.subTest(name):
                status, out, err = self.run_cli("download", "--", name)
                self.assertEqual((status, out), (1, ""), err)
                self.assertIn("models of the hub are called “org/name”", err)
        self.assertEqual(self.hub.seen, [])

    def test_arguments(self):
        for arguments in ((), ("a/b", "c/d")):
            status, out, err = self.run_cli("download", *arguments)
            self.assertEqual((status, out), (2, ""))
            self.assertIn("one NAME of a model is needed", err)


if __name__ == "__main__":
    # They wait for connections that are made again, later each time.
    sys.exit(test_cli.main(at_once=8))

# SPDX-License-Identifier: MIT
"""headlight-cli with the last layers of a model left out: what is there is as it is in all of it, and what needs them says so. How fast a run is.

Usage: test-cli-part.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.
"""

import contextlib
import importlib.util
import json
import pathlib
import os
import pty
import re
import subprocess
import sys

spec = importlib.util.spec_from_file_location("test_cli", pathlib.Path(__file__).with_name("test-cli.py"))
test_cli = importlib.util.module_from_spec(spec)
spec.loader.exec_module(test_cli)

Case, CHECKPOINTS, SAMPLE, h5py, numpy = (test_cli.Case, test_cli.CHECKPOINTS, test_cli.SAMPLE, test_cli.h5py, test_cli.numpy)
MODEL = SAMPLE.with_name("minilm-l6-v2.gguf")
IDS = ("--ids=5,6,7,8", )


@test_cli.needs_numpy
class Maps(Case):
    def read(self, model, *options):
        """The maps of each layer, by the name of the attention."""
        target = self.folder / "a.h5"
        self.done("recompute", CHECKPOINTS / model, *IDS, *options, "-o", target)
        maps = {}
        with h5py.File(target) as file:
            for name in (name for name in file if name.endswith("attention")):
                # Without a map in each layer, they are apart.
                maps[name] = ({int(layer): file[name][layer][...] for layer in file[name]} if isinstance(file[name], h5py.Group)
                              else dict(enumerate(file[name][...])))
        return maps

    def check(self, part, whole, last):
        expected = {layer: map for layer, map in whole.items() if layer <= last}
        self.assertEqual(sorted(part), sorted(expected))
        for layer, map in expected.items():
            numpy.testing.assert_array_equal(part[layer], map)

    def test_same(self):
        """Each kind of stack; ALBERT's layers share their weights, and Qwen 3.5 has layers without a map."""
        for model in ("bert", "albert", "gpt2", "llama", "gemma3", "qwen35"):
            whole = self.read(model)["attention"]
            for last in range(min(whole), max(whole) + 1):
                self.check(self.read(model, f"--stop-after-layer={last}")["attention"], whole, last)
        self.fails("info", CHECKPOINTS / "qwen35", *IDS, "--stop-after-layer=0", says="up to layer 0 there is no attention")

    def test_decoder(self):
        """The decoder needs all of the encoder."""
        whole = self.read("t5", "--decoder-ids=0,5,6")
        part = self.read("t5", "--decoder-ids=0,5,6", "--stop-after-layer=0")
        self.assertEqual(sorted(whole), sorted(part))
        for name in whole:
            self.check(part[name], whole[name], 1 if name == "encoder_attention" else 0)


class Refused(Case):
    def test_layers(self):
        self.fails("info", CHECKPOINTS / "bert", *IDS, "--stop-after-layer=2",
                   says="there is no layer 2 to stop after; the last one is 1")
        for text in ("x", "-1", "1.5", "99999999999"):
            self.misused("info", CHECKPOINTS / "bert", *IDS, f"--stop-after-layer={text}",
                         says=f"--stop-after-layer cannot be “{text}”; it is the number of a layer, counted from 0")
        for command in (("info", SAMPLE), ("probe", SAMPLE)):
            self.misused(*command, "--stop-after-layer=0", says="is no model: --stop-after-layer is for models")
        self.misused("compare", CHECKPOINTS / "bert", SAMPLE, *IDS, "--other-stop-after-layer=0", says="are for models")

    def test_predictions(self):
        for command in ("predict", "generate", "ablate", "attribute"):
            self.fails(command, CHECKPOINTS / "gpt2", *IDS, "--stop-after-layer=0",
                       says="need all layers of the model, and those after layer 0 are left out")
        result = test_cli.run("stats", CHECKPOINTS / "gpt2", *IDS, "--stop-after-layer=0", "--numbers=ablation-zero,entropy",
                              "--format=json")
        self.assertIn("it needs all layers of the model, and the last ones are left out", result.stderr)
        self.assertIn("entropy", result.stdout)
        # The last layer is all of them.
        self.done("predict", CHECKPOINTS / "gpt2", *IDS, "--stop-after-layer=1")


class Everywhere(Case):
    def figure(self, *arguments):
        target = self.folder / "a.svg"
        self.done("render", *arguments, "-o", target)
        return target.read_text(encoding="utf-8")

    def test_texts(self):
        texts = self.folder / "texts.txt"
        texts.write_text("time flies like an arrow\nfruit flies like a banana\n", encoding="utf-8")
        rows = self.done("stats", MODEL, "--texts", texts, "--stop-after-layer=1", "--format=csv").splitlines()
        whole = self.done("stats", MODEL, "--texts", texts, "--format=csv").splitlines()
        self.assertEqual(len(rows), 1 + 2 * 12)
        self.assertEqual(rows, whole[:len(rows)])
        self.assertIn("2 layers", self.figure(MODEL, "--texts", texts, "--stop-after-layer=1", "--view=model-view", "--sort=entropy"))

    def test_session(self):
        """A session says it, an option that is written counts more, and a second side may compute others."""
        path = self.folder / "a.headlight"

        def write(**members):
            path.write_text(json.dumps({"format": "headlight-session", "version": 1, "uri": MODEL.resolve().as_uri(), **members}))
            return path
        text, options = "time flies", ("--text=time flies", "--view=model-view")
        state = {"view": "model-view"}
        two = self.figure(MODEL, *options, "--stop-after-layer=1")
        self.assertEqual(self.figure(write(text=text, state=state, **{"stop-after-layer": 1})), two)
        self.assertEqual(self.figure(path, "--stop-after-layer=3"), self.figure(MODEL, *options, "--stop-after-layer=3"))
        other = {"text": "an arrow", "stop-after-layer": 2}
        pair = (*options, f"--compare={MODEL}", "--other-text=an arrow")
        self.assertEqual(self.figure(write(text=text, state=state, other=other, **{"stop-after-layer": 1})),
                         self.figure(MODEL, *pair, "--stop-after-layer=1", "--other-stop-after-layer=2"))
        del other["stop-after-layer"]
        self.assertEqual(self.figure(write(text=text, state=state, other=other, **{"stop-after-layer": 1})),
                         self.figure(MODEL, *pair, "--stop-after-layer=1", "--other-stop-after-layer="))
        self.assertEqual(self.figure(MODEL, *pair, "--stop-after-layer=1"),
                         self.figure(MODEL, *pair, "--stop-after-layer=1", "--other-stop-after-layer=1"))
        for wrong in (-1, 1.5, "1"):
            self.fails("render", write(text=text, **{"stop-after-layer": wrong}), "-o", self.folder / "x.svg",
                       says="“stop-after-layer” is not")
        self.fails("render", write(**{"stop-after-layer": 1}), "-o", self.folder / "x.svg", says="“text” is missing")


class Pace(Case):
    def watch(self, n):
        """What is said on a terminal while so many texts are read."""
        ours, theirs = pty.openpty()
        texts = self.folder / "texts.txt"
        texts.write_text("\n".join([" ".join(["time flies like an arrow"] * 100)] * n), encoding="utf-8")
        process = subprocess.Popen([test_cli.CLI, "stats", MODEL, "--texts", texts, "--format=csv"], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=theirs, env=test_cli.ENVIRONMENT)
        os.close(theirs)
        said = b""
        with open(ours, "rb", buffering=0) as terminal, contextlib.suppress(OSError):
            while part := terminal.read(4096):
                said += part
        self.assertEqual(process.wait(120), 0)
        return said.decode().split("\r")

    def test_terminal(self):
        """On a terminal, a run of more than half a second says how fast it is, and leaves nothing of that behind. How much is to be
        done in that time depends on the computer."""
        for n in (3, 8, 40, 200):
            lines = self.watch(n)
            if any(re.search(rf"Text \d+ of {n} +\d+ % · [\d.]+.MB · \d+ s left", line) for line in lines):
                break
        else:
            self.fail(lines)
        self.assertEqual(lines[-1], "\x1b[K")


if __name__ == "__main__":
    sys.exit(test_cli.main())

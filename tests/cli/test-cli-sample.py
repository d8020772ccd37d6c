# SPDX-License-Identifier: MIT
"""The model that comes along, against the attention of the same model in float32 that comes along too.

Usage: test-cli-sample.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.
"""

import importlib.util
import json
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

import h5py
import numpy as np

import program

spec = importlib.util.spec_from_file_location("test_cli", pathlib.Path(__file__).with_name("test-cli.py"))
test_cli = importlib.util.module_from_spec(spec)
spec.loader.exec_module(test_cli)

CLI, SAMPLES = test_cli.CLI, test_cli.TESTS.resolve().parent / "data" / "samples"
MODEL, DUMP = SAMPLES / "minilm-l6-v2.gguf", SAMPLES / "minilm-time-flies.h5"
TEXTS = ("--text", "Time flies like an arrow", "--text-pair", "fruit flies like a banana")


class Sample(unittest.TestCase):
    def done(self, *arguments):
        result = program.run([CLI, *map(str, arguments)], env=os.environ)
        self.assertEqual((result.returncode, result.stderr), (0, ""), arguments)
        return result.stdout

    def test_tokens(self):
        text = "Attention isn't an explanation."
        self.assertEqual(json.loads(self.done("tokens", MODEL, "--json", "--text", text))["tokens"],
                         ["[CLS]", "attention", "isn", "'", "t", "an", "explanation", ".", "[SEP]"])

    def test_attention(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="headlight-sample-"))
        self.addCleanup(shutil.rmtree, folder)
        self.done("recompute", MODEL, *TEXTS, "--output", folder / "own.h5")
        with h5py.File(folder / "own.h5") as own, h5py.File(DUMP) as exact:
            self.assertEqual(own["tokens"].asstr()[:].tolist(), exact["tokens"].asstr()[:].tolist())
            difference = np.abs(own["attention"][:] - exact["attention"][:])
        # The file's licence says 0.0037, over five sentences.
        self.assertLess(difference.mean(), 0.006)
        self.assertGreater(difference.mean(), 0.0005)

    def test_every_view(self):
        """The dump holds what each view and each quantity is made of."""
        choices = json.loads(self.done("info", "--json", DUMP))
        self.assertIn("output_projection", [dataset["name"] for dataset in choices["datasets"]])
        folder = pathlib.Path(tempfile.mkdtemp(prefix="headlight-sample-"))
        self.addCleanup(shutil.rmtree, folder)
        for option, names in (("--view", "head-view heatmap model-view steps neuron layers chart"),
                              ("--quantity", "weight value norm residual rollout flow")):
            for name in names.split():
                self.done("render", DUMP, f"{option}={name}", "--output", folder / f"{name}.svg")
                text = (folder / f"{name}.svg").read_text(encoding="utf-8")
                self.assertNotIn("needs", text.lower(), name)
                self.assertGreater(len(text), 10_000, name)

    def test_made_of(self):
        """The weights are those that queries and keys give, and norms those of the model in float32."""
        with h5py.File(DUMP) as exact:
            queries, keys = exact["queries"][:], exact["keys"][:]
            scores = queries @ keys.swapaxes(-1, -2) / np.sqrt(queries.shape[-1])
            weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
            self.assertLess(np.abs(weights - exact["attention"][:]).max(), 1e-5)
            # The rows of W_O are float16.
            self.assertEqual(exact["output_projection"].dtype, np.float16)

    def test_size(self):
        self.assertLessEqual(MODEL.stat().st_size, 16_000_000)
        self.assertLessEqual(DUMP.stat().st_size, 2_500_000)
        self.assertIn("Apache License", MODEL.with_suffix(".LICENSE").read_text(encoding="utf-8"))


if __name__ == "__main__":
    sys.exit(test_cli.main())

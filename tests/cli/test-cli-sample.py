# SPDX-License-Identifier: MIT
"""The model that comes along, against the attention of the same model in float32 that comes along too.

Usage: test-cli-sample.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.
"""

import importlib.util
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

spec = importlib.util.spec_from_file_location("test_cli", pathlib.Path(__file__).with_name("test-cli.py"))
test_cli = importlib.util.module_from_spec(spec)
spec.loader.exec_module(test_cli)

CLI, SAMPLES = test_cli.CLI, test_cli.TESTS.resolve().parent / "data" / "samples"
MODEL, DUMP = SAMPLES / "minilm-l6-v2.gguf", SAMPLES / "minilm-time-flies.h5"
TEXTS = ("--text", "Time flies like an arrow", "--text-pair", "fruit flies like a banana")


class Sample(unittest.TestCase):
    def done(self, *arguments):
        result = subprocess.run([CLI, *map(str, arguments)], capture_output=True, encoding="utf-8", timeout=120)
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

    def test_size(self):
        self.assertLessEqual(MODEL.stat().st_size, 16_000_000)
        self.assertIn("Apache License", MODEL.with_suffix(".LICENSE").read_text(encoding="utf-8"))


if __name__ == "__main__":
    sys.exit(test_cli.main())

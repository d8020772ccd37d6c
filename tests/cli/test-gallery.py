#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The gallery: its page shows the commands that its script runs, and those that need no model run.

Usage: test-gallery.py HEADLIGHT-CLI
"""
import importlib.util
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CLI = sys.argv.pop(1)
DATA = Path(__file__).resolve().parents[2] / "data"
SCRIPT = DATA / "gallery" / "make-gallery.py"


def load_script():
    spec = importlib.util.spec_from_file_location("gallery", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Gallery(unittest.TestCase):
    def setUp(self):
        self.script = load_script()

    def test_page(self):
        page = (DATA / "gallery.md").read_text()
        pictures = set()
        for _, title, words, commands in self.script.FIGURES:
            for text in (f"## {title}\n", words, *map(self.script.wrap, commands)):
                self.assertIn(text, page)
            for picture in self.script.list_pictures(commands):
                self.assertIn(f"(gallery/{picture})", page)
                pictures.add(picture)
        there = {path.name for path in SCRIPT.parent.iterdir() if path.suffix in (".png", ".svg")}
        self.assertEqual(there, pictures)
        for name in there:
            self.assertLessEqual((SCRIPT.parent / name).stat().st_size, self.script.MAX_BYTES, name)

    def test_made_inputs(self):
        with tempfile.TemporaryDirectory(prefix="headlight-gallery-test-") as work:
            result = subprocess.run([sys.executable, SCRIPT, CLI, work], capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, result.stderr)
            made = result.stdout.split()
            self.assertGreaterEqual(len(made), 5)
            for name, _, _, commands in self.script.FIGURES:
                for picture in self.script.list_pictures(commands):
                    path = Path(work) / "gallery" / picture
                    self.assertEqual(path.exists(), name in made, picture)
            self.assertFalse((Path(work) / "gallery.md").exists())

    def test_patterns(self):
        """The rule finds each of the five classes in the heads that were made for it."""
        with tempfile.TemporaryDirectory(prefix="headlight-gallery-test-") as work:
            self.script.make_patterns(Path(work))
            result = subprocess.run([CLI, "stats", Path(work) / "patterns.json", "--numbers", "pattern", "--format", "csv"],
                                    capture_output=True, text=True, check=True)
        classes = [line.split(",")[-1] for line in result.stdout.splitlines()[1:]]
        self.assertEqual(classes, ["vertical", "diagonal", "vertical+diagonal", "block", "heterogeneous"])


if __name__ == "__main__":
    unittest.main()

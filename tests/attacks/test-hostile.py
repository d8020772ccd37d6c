#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Tokens, names and descriptions that somebody chose to do harm: to steer a terminal, to turn a line over, to run in a page or a
spreadsheet, to fill the screen. Each is seen as what it is, in whatever the command line prints or draws.

Usage: test-hostile.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.
"""

import csv
import html.parser
import io
import json
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import h5py
import numpy

from hostile_texts import CONTROLS, FORMULA, HOSTILE

CLI, TESTS = sys.argv[1], pathlib.Path(sys.argv[2])
ENVIRONMENT = {**os.environ, "LC_ALL": "C.UTF-8", "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}

NAMES = list(HOSTILE)


def make_weights(n):
    scores = numpy.random.default_rng(5).standard_normal((2, 2, n, n))
    weights = numpy.exp(scores)
    return (weights / weights.sum(-1, keepdims=True)).astype("f4")


class PageParser(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.scripts, self.inside = [], [], [], None

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]
        self.inside = tag

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside == "script":
            self.scripts.append(data)


class Hostile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="headlight-hostile-")
        cls.folder = pathlib.Path(cls.temporary.name)
        weights = make_weights(len(NAMES))
        texts = list(HOSTILE.values())
        cls.json = cls.folder / "dump.json"
        cls.json.write_text(json.dumps({"tokens": texts, "attention": weights.tolist(), "model": HOSTILE["escape"] + HOSTILE["bidi"], "text": HOSTILE["lines"], HOSTILE["csi"]: 1,
                                        HOSTILE["markup"]: weights.tolist()}))
        # Strings of HDF5 end at a zero, and may be no UTF-8.
        cls.h5 = cls.folder / "dump.h5"
        with h5py.File(cls.h5, "w") as file:
            file["attention"] = weights
            file["tokens"] = numpy.array([text.replace("\0", "").encode() + (b"\xff\xfe\xc3" if name == "csi" else b"") for name, text in HOSTILE.items()], dtype=object)
            file.attrs["model"] = HOSTILE["escape"].replace("\0", "")
            file[HOSTILE["bidi"]] = weights
            file[HOSTILE["escape"].replace("/", "")] = weights
        cls.several = cls.folder / "several.json"
        cls.several.write_text(json.dumps({"examples": {text: {"tokens": texts, "attention": weights.tolist()} for text in texts if text and "/" not in text}}))
        cls.plain = cls.folder / "plain.json"
        cls.plain.write_text(json.dumps({"tokens": [f"t{i}" for i in range(len(texts))], "attention": weights.tolist()}))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def command(self, *arguments, status=(0, 1)):
        result = subprocess.run([CLI, *map(str, arguments)], env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
        self.assertIn(result.returncode, status, result.stderr)
        self.check_shown(result.stderr, arguments)
        self.assertLess(len(result.stderr), 20000)
        return result

    def check_shown(self, data, arguments):
        """What a terminal is given: text in UTF-8 without anything that it would act on."""
        text = data.decode("utf-8")
        found = CONTROLS.search(text)
        if found:
            self.fail(f"{arguments}: {found.group()!r} in {text[max(0, found.start() - 60):found.end() + 40]!r}")

    def test_terminal(self):
        for source in (self.json, self.h5, self.several):
            for arguments in (["info", source], ["info", source, "--verify"], ["info", source, "--example=1"], ["stats", source],
                              ["find-heads", source, "--pair=#1:#2"], ["find-heads", source, "--pair=#1:#4", "--pair=#3:#5"], ["compare", source, source], ["compare", source, self.plain],
                              ["stats", source, "--examples=all"], ["info", source, "--dataset=" + HOSTILE["escape"].replace("\0", "")], ["info", source, "--example=" + HOSTILE["bidi"]],
                              ["find-heads", source, "--pair=" + HOSTILE["escape"] + ":" + HOSTILE["bidi"]]):
                with self.subTest(arguments):
                    result = self.command(*arguments)
                    self.check_shown(result.stdout, arguments)
                    self.assertLess(len(result.stdout), 200000)

    def test_json(self):
        for arguments in (["info", self.json, "--json"], ["stats", self.json, "--format=json"], ["info", self.h5, "--json"], ["find-heads", self.json, "--pair=#1:#2", "--format=json"],
                          ["compare", self.json, self.json, "--format=json"]):
            with self.subTest(arguments):
                result = self.command(*arguments, status=(0,))
                told = json.loads(result.stdout.decode("utf-8"))
                self.check_shown(result.stdout, arguments)
                if arguments[0] == "info" and arguments[1] == self.json:
                    self.assertIn(HOSTILE["csi"], json.dumps(told, ensure_ascii=False))

    def test_csv(self):
        for arguments in (["stats", self.json, "--format=csv"], ["stats", self.json, "--layer=0", "--head=0", "--format=csv"], ["find-heads", self.json, "--pair=#1:#2", "--pair=#10:#11", "--vectors", "--format=csv"],
                          ["compare", self.json, self.json, "--format=csv"], ["compare", self.several, self.several, "--format=csv"]):
            with self.subTest(arguments):
                result = self.command(*arguments, status=(0,))
                rows = list(csv.reader(io.StringIO(result.stdout.decode("utf-8"), newline="")))
                self.assertEqual({len(row) for row in rows}, {len(rows[0])})
                for row in rows:
                    for cell in row:
                        if not re.fullmatch(r"-?[0-9.e+-]+", cell):
                            self.assertNotRegex(cell, r"\A[=+@\t\r-].", cell)
                            self.assertNotRegex(cell, FORMULA)

    def test_csv_on_terminal(self):
        """What programs read is as it is; who looks at it in a terminal is safe all the same."""
        for arguments in (["stats", self.json, "--layer=0", "--head=0", "--format=csv"], ["find-heads", self.json, "--pair=#1:#2", "--vectors", "--format=csv"]):
            leader, follower = pty.openpty()
            process = subprocess.Popen([CLI, *map(str, arguments)], env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=follower, stderr=subprocess.DEVNULL)
            os.close(follower)
            data = b""
            while True:
                try:
                    part = os.read(leader, 1 << 16)
                except OSError:
                    break
                if not part:
                    break
                data += part
            os.close(leader)
            self.assertEqual(process.wait(), 0)
            self.assertGreater(len(data), 60)
            self.check_shown(data.replace(b"\r\n", b"\n"), arguments)

    def test_annotations(self):
        """Names of relations, and words."""
        words = [text for text in HOSTILE.values() if text.strip() and not re.search("[\t\n\r]", text)][:12]
        plain, path = self.folder / "words.json", self.folder / "words.conllu"
        plain.write_text(json.dumps({"tokens": words, "attention": make_weights(len(words)).tolist()}))
        path.write_text("".join(f"{i + 1}\t{word}\t_\tX\t_\t_\t{i}\t{word if i else 'root'}\t_\t_\n" for i, word in enumerate(words)) + "\n", encoding="utf-8")
        for arguments in (["probe", plain, f"--annotations={path}"], ["probe", plain, f"--annotations={path}", "--relation=" + HOSTILE["bidi"]],
                          ["stats", plain, "--numbers=dependency", f"--annotations={path}"]):
            with self.subTest(arguments):
                self.check_shown(self.command(*arguments).stdout, arguments)

    def test_models(self):
        """What a configuration and a vocabulary say."""
        folder = self.folder / ("model" + HOSTILE["bidi"])
        folder.mkdir()
        source = TESTS / "model/checkpoints/gpt2"
        config = json.loads((source / "config.json").read_text())
        for name in ("_name_or_path", "architectures", "transformers_version"):
            config[name] = [HOSTILE["escape"]] if name == "architectures" else HOSTILE["escape"]
        texts = [text for text in HOSTILE.values() if 0 < len(text) < 4000]
        (folder / "model.safetensors").symlink_to(source / "model.safetensors")
        (folder / "tokenizer.json").write_text(json.dumps({
            "version": "1.0", "truncation": None, "padding": None, "normalizer": None, "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": None, "decoder": None,
            "added_tokens": [{"id": i, "content": text, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": i % 2 == 0}
                             for i, text in enumerate(texts)],
            "model": {"type": "WordLevel", "unk_token": texts[0], "vocab": {text: i for i, text in enumerate(texts)}}}))
        (folder / "config.json").write_text(json.dumps(config))
        for arguments in (["info", folder, "--text=a b"], ["tokens", folder, "--text", " ".join(texts)[:900].replace("\0", "")], ["predict", folder, "--ids=1,2,3"],
                          ["generate", folder, "--ids=1,2", "--max-tokens=3"], ["stats", folder, "--ids=1,2,3"], ["attribute", folder, "--ids=1,2,3"], ["ablate", folder, "--ids=1,2,3"]):
            with self.subTest(arguments):
                self.check_shown(self.command(*arguments, status=(0, 1, 2)).stdout, arguments)
        for kind in (HOSTILE["escape"], HOSTILE["bidi"], HOSTILE["markup"], "x" * 100000):
            (folder / "config.json").write_text(json.dumps({**config, "model_type": kind}))
            self.assertEqual(self.command("info", folder, "--ids=1", status=(1,)).stderr.count(b"\n"), 1)

    def test_convert(self):
        """Tokens go through as they are."""
        for source in (self.json, self.h5):
            target = self.folder / "out.json"
            self.command("convert", source, "-o", target, status=(0,))
            data = target.read_bytes()
            json.loads(data.decode("utf-8"))
            self.assertNotRegex(data, b"[\x00-\x08\x0b-\x1f]")

    def make_pictured(self):
        """The words beside an image, of which the last four are patches."""
        path = self.folder / "pictured.h5"
        self.command("convert", self.json, "-o", path, status=(0,))
        with h5py.File(path, "a") as file:
            first = file["attention"].shape[-1] - 4
            file["image"] = numpy.zeros((8, 8, 3), "u1")
            file["image_tokens"] = numpy.array([[0, first, 2, 2, 2, 0, 0, 8, 8]], "f4")
        return path

    def test_svg(self):
        for view in ("head-view", "heatmap", "model-view", "layers", "chart", "picture"):
            for source in (self.make_pictured(),) if view == "picture" else (self.json, self.h5):
                target = self.folder / "out.svg"
                self.command("render", source, "-o", target, f"--view={view}", "--token=1:2", status=(0,))
                with self.subTest(view=view):
                    data = target.read_text(encoding="utf-8")
                    root = xml.etree.ElementTree.fromstring(data)
                    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
                    self.assertFalse(tags & {"script", "foreignObject", "a", "iframe", "b"}, tags)
                    for element in root.iter():
                        self.assertFalse([name for name in element.attrib if name.lower().startswith("on")])
                    self.assertIsNone(CONTROLS.search(data))
                    self.assertLess(len(data), 8 << 20)

    def test_pictures(self):
        for suffix, head in (("png", b"\x89PNG"), ("pdf", b"%PDF")):
            for view in ("head-view", "heatmap", "model-view"):
                target = self.folder / ("out." + suffix)
                self.command("render", self.json, "-o", target, f"--view={view}", status=(0,))
                data = target.read_bytes()
                self.assertTrue(data.startswith(head))
                self.assertLess(len(data), 8 << 20)

    def test_page(self):
        plain, target = self.folder / "plain.html", self.folder / "out.html"
        self.command("render", self.plain, "-o", plain, status=(0,))
        for source in (self.json, self.h5):
            self.command("render", source, "-o", target, status=(0,))
            pages = []
            for path in (plain, target):
                page = PageParser()
                page.feed(path.read_text(encoding="utf-8"))
                pages.append(page)
            self.assertEqual(sorted(set(pages[0].tags)), sorted(set(pages[1].tags)))
            self.assertEqual(pages[0].tags.count("script"), pages[1].tags.count("script"))
            self.assertFalse([name for name in pages[1].attributes if name.startswith("on")])
            self.assertNotIn("<script>alert", target.read_text(encoding="utf-8"))
            self.assertIsNone(re.search("[\x00-\x08\x0b-\x1f\x7f]", target.read_text(encoding="utf-8")))

    def test_file_names(self):
        for name in ("escape", "bidi", "lines", "markup"):
            path = self.folder / (HOSTILE[name].replace("\0", "").replace("/", "") + ".json")
            path.write_text("{")
            result = self.command("info", path, status=(1,))
            self.assertEqual(result.stderr.count(b"\n"), 1)

    def test_long_names(self):
        """Each is one line, and not a long one; programs are told more of it."""
        name = "m\x1b" * 10_000
        weights = make_weights(3).tolist()
        dump = {"model": name, "attention": weights, "layer_types": [name] * 2, "layer_names": [name] * 2, name: weights}
        dumps, attribute = self.folder / "names.json", self.folder / "names.h5"
        dumps.write_text(json.dumps({"model": name, "examples": {name: dump, name + "2": dump}}))
        with h5py.File(attribute, "w") as file:
            file["attention"] = make_weights(3)
            file.attrs["model"] = "m" * 60000
        for source in (dumps, attribute):
            told = self.command("info", source, status=(0,)).stdout
            self.check_shown(told, ["info", source])
            self.assertLess(max(map(len, told.splitlines())), 5000)
            self.assertIn("Model: m", told.decode())
            self.assertIn("…\n", told.decode())
            told = self.command("info", source, "--json", status=(0,)).stdout
            self.assertLess(len(told), 60000)
            told = json.loads(told)
            self.assertEqual(told["model"], (name if source == dumps else "m" * 60000)[:1000] + "…")
        for arguments in (["stats", dumps], ["compare", dumps, dumps], ["find-heads", dumps, "--pair=#1:#2"]):
            self.assertLess(len(self.command(*arguments).stdout), 100000)
        for path in (dumps, attribute):
            page = self.folder / "names.html"
            self.command("render", path, "-o", page, status=(0,))
            self.assertNotIn(b"m" * 1001 if path == attribute else b"m\\u001b" * 501, page.read_bytes())
            path.unlink()

    def test_long(self):
        """A token of 100 MB, and very many."""
        weights = make_weights(3).tolist()
        path = self.folder / "long.json"
        path.write_text(json.dumps({"tokens": ["a", "b" * 100_000_000, "c"], "attention": weights}))
        for arguments in (["info", path], ["stats", path], ["find-heads", path, "--pair=0:1"], ["find-heads", path, "--pair=a:c"],
                          ["render", path, "-o", self.folder / "long.svg"], ["render", path, "-o", self.folder / "long.html"]):
            with self.subTest(arguments[0]):
                result = self.command(*arguments)
                self.assertLess(len(result.stdout), 100000)
                if arguments[0] == "render" and result.returncode == 0:
                    self.assertLess(arguments[3].stat().st_size, 4 << 20)
        path.unlink()


class TapResult(unittest.TestResult):
    n = 0

    def tell(self, ok, test, text=""):
        TapResult.n += 1
        print(f"{'ok' if ok else 'not ok'} {TapResult.n} - {test.id()}", flush=True)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed = True

    def stopTest(self, test):
        problems = [text for failed, text in self.failures + self.errors if failed is test or getattr(failed, "test_case", None) is test]
        for text in problems:
            print("# " + text.replace("\n", "\n# "))
        self.tell(not problems, test)
        super().stopTest(test)


def main():
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Hostile)
    print("TAP version 13")
    print(f"1..{suite.countTestCases()}")
    result = TapResult()
    suite.run(result)
    return not result.wasSuccessful()


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""headlight-cli render with a session as its source: the same figure as with its options, and what is wrong in one sentence.

Usage: test-cli-session.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.
"""

import importlib.util
import json
import pathlib
import sys

spec = importlib.util.spec_from_file_location("test_cli", pathlib.Path(__file__).with_name("test-cli.py"))
test_cli = importlib.util.module_from_spec(spec)
spec.loader.exec_module(test_cli)

Case, FIXTURES, SAMPLE = test_cli.Case, test_cli.FIXTURES, test_cli.SAMPLE


class Sessions(Case):
    def write(self, **members):
        path = self.folder / "a.headlight"
        content = {"format": "headlight-session", "version": 1, "uri": pathlib.Path(SAMPLE).resolve().as_uri()}
        content.update(members)
        path.write_text(json.dumps({key: value for key, value in content.items() if value is not None}), encoding="utf-8")
        return path

    def figure(self, source, *options):
        target = self.folder / "a.png"
        self.done("render", source, *options, "-o", target)
        return target.read_bytes()

    def test_same(self):
        """Each property that a session can have, beside the option of the same name."""
        for state in ({}, {"view": "heatmap", "layer": "3", "heads": "5", "theme": "dark", "token": "3:2"},
                      {"heads": "0,2-4", "head": "3", "layer": "1", "threshold": "0.1", "words": "yes"},
                      {"combine": "mean", "combine-over": "layers", "layers": "1,3", "view": "heatmap"},
                      {"heads": "none"}, {"token": ":4"}):
            options = [f"--{name}={text}" for name, text in state.items()]
            self.assertEqual(self.figure(self.write(state=state)), self.figure(SAMPLE, *options), state)
        self.assertEqual(self.figure(self.write(state={"layer": "3"}), "--layer=2", "--view=heatmap"),
                         self.figure(SAMPLE, "--layer=2", "--view=heatmap"))

    def test_reading(self):
        """How a file is read, and which example of it."""
        file = (FIXTURES / "examples.h5").resolve().as_uri()
        self.assertEqual(self.figure(self.write(uri=file, example=1)), self.figure(FIXTURES / "examples.h5", "--example=1"))
        logits = (FIXTURES / "raw-logits.h5").resolve().as_uri()
        tokens = [f"t{i}" for i in range(4)]
        self.assertEqual(self.figure(self.write(uri=logits, softmax=True, tokens=tokens)),
                         self.figure(FIXTURES / "raw-logits.h5", "--softmax", "--tokens", json.dumps(tokens)))

    def test_wrong(self):
        target = self.folder / "wrong.png"
        for members, says in (({"version": 2}, "newer version"), ({"version": "1"}, "“version”"), ({"format": "x"}, "“format”"),
                              ({"new": 1}, "“new”"), ({"state": {"new": "1"}}, "“new”"), ({"state": []}, "“state”"),
                              ({"state": {"layer": 3}}, "“layer” is not a string"), ({"state": {"heads": "x"}}, "“heads” cannot be “x”"),
                              ({"uri": None}, "“file” is missing"), ({"uri": "http://example.org/a.h5"}, "“uri”"),
                              ({"example": -1}, "“example”"), ({"zoom": "1"}, "“zoom”"), ({"scroll": [1]}, "“scroll”"),
                              ({"tokens": [1]}, "“tokens”"), ({"axes": "up,down"}, "“axes”"), ({"text-pair": "x"}, "“text” is missing"),
                              ({"uri": (self.folder / "gone.h5").as_uri()}, "gone.h5”, which it shows, is not there")):
            path = self.write(**members)
            self.fails("render", path, "-o", target, says=says, about=path)
            self.assertFalse(target.exists())
        path = self.write(state={"layer": "99"})
        self.fails("render", path, "-o", target, says="no layer 99; the last one is 5")
        path.write_text('{"format": "headlight-session", "version": 1', encoding="utf-8")
        self.fails("render", path, "-o", target, says="", about=path)
        path.write_text(" " * (17 << 20), encoding="utf-8")
        self.fails("render", path, "-o", target, says="larger than 16 MiB", about=path)


if __name__ == "__main__":
    sys.exit(test_cli.main())

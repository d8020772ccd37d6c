# SPDX-License-Identifier: MIT
"""headlight-cli built with the thread sanitizer, which ends it with a status of its own where threads are not in order.

Usage: test-cli-threads.py HEADLIGHT-CLI TESTS-FOLDER PRELOADED.  Prints TAP.  PRELOADED tells the sanitizer what the libraries order.
"""

import importlib.util
import os
import pathlib
import sys

spec = importlib.util.spec_from_file_location("test_cli", pathlib.Path(__file__).parent.parent / "cli" / "test-cli.py")
test_cli = importlib.util.module_from_spec(spec)
spec.loader.exec_module(test_cli)

Case, CHECKPOINTS, FIXTURES, SAMPLE = test_cli.Case, test_cli.CHECKPOINTS, test_cli.FIXTURES, test_cli.SAMPLE
MODEL = SAMPLE.with_name("minilm-l6-v2.gguf")
# Not for the interpreter of this.
test_cli.ENVIRONMENT["LD_PRELOAD"] = str(pathlib.Path(sys.argv[3]).resolve())


class Threads(Case):
    def test_render(self):
        for name, options in (("a.png", []), ("b.svg", ["--view=model-view", "--sort=entropy"]), ("c.pdf", ["--view=heatmap"]), ("d.html", []),
                              ("e.png", ["--view=layers"]), ("f.svg", ["--view=chart"]),
                              ("g.png", ["--view=model-view", "--quantity=rollout"]),
                              ("h.png", [f"--compare={FIXTURES / 'causal.h5'}"])):
            with self.subTest(name):
                self.done("render", SAMPLE, "-o", self.folder / name, *options)
                self.assertGreater((self.folder / name).stat().st_size, 1000)
        self.done("render", FIXTURES / "qk-plain.h5", "--view=steps", "-o", self.folder / "i.png")

    def test_numbers(self):
        self.assertEqual(len(self.done("stats", SAMPLE, "--format=csv").splitlines()), 73)
        self.done("find-heads", SAMPLE, "--pair=banana:fruit")
        self.done("compare", SAMPLE, SAMPLE)
        self.done("info", SAMPLE, "--json")

    def test_convert(self):
        source = SAMPLE
        for name in ("a.npz", "b.json", "c.h5"):
            self.done("convert", source, "-o", self.folder / name)
            source = self.folder / name

    def test_models(self):
        """Of each kind of stack, and one that is large enough for its products to be shared out."""
        for name in ("bert", "mistral", "mixtral", "qwen35"):
            with self.subTest(name):
                self.done("recompute", CHECKPOINTS / name, "--ids=5,6,7,8,9", "-o", self.folder / f"{name}.h5")
        self.done("recompute", CHECKPOINTS / "t5", "--ids=5,6,7", "--decoder-ids=0,5,6", "-o", self.folder / "t5.npz")
        self.done("predict", CHECKPOINTS / "gpt2", "--ids=5,6,7")
        self.done("generate", CHECKPOINTS / "mistral", "--ids=5,6,7", "--max-tokens=4")
        self.done("recompute", MODEL, "--text", " ".join(["time flies like an arrow"] * 8), "-o", self.folder / "long.npz")
        texts = self.folder / "texts.txt"
        texts.write_text("time flies like an arrow\nfruit flies like a banana\n", encoding="utf-8")
        self.assertEqual(len(self.done("stats", MODEL, "--texts", texts, "--format=csv").splitlines()), 73)


class Races(Case):
    def test_found(self):
        """What is not in order is seen, also in what the compiler makes threads of; what is in order is not."""
        program = os.environ["HL_TEST_RACES"]
        for kind, status in (("region", 66), ("lock", 0), ("critical", 0), ("barrier", 0), ("no-lock", 66), ("task", 0)):
            with self.subTest(kind):
                result = test_cli.subprocess.run([program, kind], capture_output=True, encoding="utf-8", env=test_cli.ENVIRONMENT)
                self.assertEqual(result.returncode, status, result.stderr)


if __name__ == "__main__":
    sys.exit(test_cli.main())

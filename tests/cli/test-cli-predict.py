# SPDX-License-Identifier: MIT
"""headlight-cli predict and generate: against what transformers gives, and what they refuse.

Usage: test-cli-predict.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.
"""

import csv
import importlib.util
import io
import json
import pathlib
import shutil
import sys

spec = importlib.util.spec_from_file_location("test_cli", pathlib.Path(__file__).with_name("test-cli.py"))
test_cli = importlib.util.module_from_spec(spec)
spec.loader.exec_module(test_cli)

Case, CHECKPOINTS, h5py, numpy = test_cli.Case, test_cli.CHECKPOINTS, test_cli.h5py, test_cli.numpy
needs_numpy = test_cli.needs_numpy
HEADS, PREDICTIONS = CHECKPOINTS.parent / "heads", CHECKPOINTS.parent / "predictions"


def join(numbers):
    return ",".join(str(int(number)) for number in numbers)


def add_words(folder):
    """Gives a model a tokenizer; its words."""
    names = [chr(97 + number // 8) + chr(97 + number % 8) for number in range(60)]
    words = {f"Ġ{name}": number for number, name in enumerate(names)}
    (folder / "tokenizer.json").write_text(json.dumps({
        "model": {"type": "WordLevel", "vocab": words, "unk_token": "Ġab"},
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": True, "use_regex": True}}))
    # The classes of GPT-2 and BART do not put a space before a text, whatever the other file says.
    (folder / "tokenizer_config.json").write_text(json.dumps({"add_prefix_space": True}))
    return names


def read(name):
    with h5py.File(PREDICTIONS / f"{name}.h5") as file:
        return {dataset: file[dataset][...] for dataset in file}


@needs_numpy
class Predict(Case):
    def test_lens(self):
        reference = read("llama")
        rows = json.loads(self.done("predict", CHECKPOINTS / "llama", "--ids", join(reference["ids"]), "--layers=all",
                                    "--top=2", "--format=json"))
        logits = reference["lens"]
        chances = numpy.exp(logits - logits.max(-1, keepdims=True))
        chances /= chances.sum(-1, keepdims=True)
        self.assertEqual(len(rows), chances[..., 0].size * 2)
        for row in rows:
            expected = chances[row["layers"], row["position"]]
            self.assertAlmostEqual(row["probability"], expected[row["id"]], delta=1e-5)
            self.assertAlmostEqual(row["probability"], numpy.sort(expected)[-row["rank"]], delta=1e-5)

    def test_masked(self):
        reference = read("bert-prefixed")
        # Without segments a whole text is the first.
        rows = list(csv.DictReader(io.StringIO(self.done(
            "predict", CHECKPOINTS / "bert-prefixed", "--ids", join(reference["ids"]), "--position=3", "--format=csv"))))
        self.assertEqual([row["rank"] for row in rows], list("12345"))
        self.assertEqual({(row["position"], row["layers"]) for row in rows}, {("3", "2")})

    def test_decoder(self):
        reference = read("t5")
        arguments = ("predict", CHECKPOINTS / "t5", "--ids", join(reference["ids"]), "--top=1", "--format=json")
        rows = json.loads(self.done(*arguments, "--decoder-ids", join(reference["decoder_ids"])))
        self.assertEqual([row["id"] for row in rows], reference["lens"][-1].argmax(-1).tolist())
        # Without a text it says what the decoder begins with.
        self.assertEqual(len(json.loads(self.done(*arguments))), 1)

    def test_refused(self):
        self.fails("predict", CHECKPOINTS / "bert", "--ids=5", says="no head that predicts tokens")
        self.fails("predict", HEADS / "electra-discriminator", "--ids=5", says="discriminator")
        self.fails("predict", CHECKPOINTS / "gpt2", "--ids=5,6", "--position=2", says="the text has 2 tokens")
        self.fails("predict", CHECKPOINTS / "gpt2", "--ids", join([3] * 33), says="at most 32")
        self.fails("predict", CHECKPOINTS / "gpt2", "--text", "", says="tokenizer")
        self.misused("predict", "a", says="--text or --ids")
        self.misused("predict", "a", "--ids=5", "--layers=2", says="last or all")
        self.misused("predict", "a", "--ids=5", "--top=0", says="--top")
        self.misused("predict", "a", "--ids=5", "--position=-2", says="--position")

    def test_help(self):
        for command in ("predict", "generate"):
            self.assertIn("SOURCE", self.done(command, "--help"))


@needs_numpy
class Generate(Case):
    def test_greedy(self):
        for name in ("gpt2", "llama", "gemma3", "qwen2"):
            reference = read(name)
            written = self.done("generate", CHECKPOINTS / name, "--ids", join(reference["prompt"]), "--max-tokens=16")
            self.assertEqual([int(number) for number in written.split()],
                             reference["generated"][len(reference["prompt"]):].tolist())
        for name in ("t5", "bart"):
            reference = read(name)
            written = self.done("generate", CHECKPOINTS / name, "--ids", join(reference["prompt"]), "--max-tokens=16")
            self.assertEqual([int(number) for number in written.split()], reference["generated"][1:].tolist())

    def test_seed(self):
        arguments = ("generate", CHECKPOINTS / "mistral", "--ids=5,6,7", "--temperature=2", "--max-tokens=12")
        one = self.done(*arguments, "--seed=1")
        self.assertEqual(self.done(*arguments, "--seed=1"), one)
        self.assertNotEqual(self.done(*arguments, "--seed=2"), one)

    def test_output(self):
        written, again = self.folder / "written.h5", self.folder / "again.h5"
        ids = "5,6,7"
        new = self.done("generate", CHECKPOINTS / "gemma3", f"--ids={ids}", "--max-tokens=9", "-o", written)
        whole = ",".join([ids, *new.split()])
        self.done("recompute", CHECKPOINTS / "gemma3", f"--ids={whole}", "-o", again)
        with h5py.File(written) as one, h5py.File(again) as other:
            self.assertEqual(one["attention"].shape, other["attention"].shape)
            self.assertLessEqual(abs(one["attention"][...] - other["attention"][...]).max(), 1e-5)
            self.assertEqual(list(one["tokens"]), list(other["tokens"]))
        # Nothing is written before that is said.
        for name in "written.bad", "h5", ".h5":
            self.misused("generate", CHECKPOINTS / "gemma3", f"--ids={ids}", "--max-tokens=9", "-o", self.folder / name,
                         says="--output must end in .h5")
        refused = test_cli.run("generate", CHECKPOINTS / "gemma3", f"--ids={ids}", "--max-tokens=9", "-o", self.folder / "no" / "a.h5")
        self.assertEqual((refused.returncode, refused.stdout), (1, ""))
        self.assertIn("a.h5: it cannot be written", refused.stderr)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["again.h5", "written.h5"])

    def test_text_of_output(self):
        """It is what was tokenized, or is not there."""
        target = self.folder / "a.h5"
        for name, more, goes_on in (("gpt2", (), True), ("t5", (), False), ("t5", ("--target-text", "ba bb bc"), False)):
            folder = self.folder / name
            if not folder.exists():
                shutil.copytree(CHECKPOINTS / name, folder)
                add_words(folder)
            written = self.done("generate", folder, "--text", "af ag ah", *more, "--max-tokens=3", "-o", target)
            with h5py.File(target) as file:
                self.assertEqual(file.attrs["text"], "af ag ah" + written[:-1] * goes_on)
                self.assertEqual([word.decode() for word in file["tokens" if goes_on else "encoder_tokens"][:3]], ["Ġaf", "Ġag", "Ġah"])
            self.done("generate", folder, "--text", "af ag", "--text-pair", "ah", *more, "--max-tokens=3", "-o", target)
            with h5py.File(target) as file:
                self.assertNotIn("text", file.attrs)

    def test_long_text(self):
        """What is left out of a text is said by all that run a model on one."""
        folder = self.folder / "words"
        shutil.copytree(CHECKPOINTS / "gpt2", folder)
        add_words(folder)
        for command in ("predict", "ablate", "attribute", "generate"):
            result = test_cli.run(command, folder, "--text", " ".join(["af"] * 40))
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("headlight-cli: the model takes at most 32 tokens: 8 tokens of the text are left out\n", result.stderr)

    def test_text(self):
        folder = self.folder / "words"
        shutil.copytree(CHECKPOINTS / "gpt2", folder)
        names = add_words(folder)
        text = " ".join(names[5:8])
        ids = self.done("generate", folder, "--ids=5,6,7", "--max-tokens=4")
        self.assertRegex(ids, r"^( [a-z]{2}){4}\n$")
        self.assertEqual(self.done("generate", folder, "--text", text, "--max-tokens=4"), ids)
        first = ids.split()[0]
        self.assertEqual(self.done("generate", folder, "--text", text, "--stop", first), f" {first}\n")
        self.fails("generate", folder, "--text", "", says="the text has no tokens")
        # A line without a word says why.
        (folder / "tokenizer.json").write_text(json.dumps({
            "model": {"type": "WordLevel", "vocab": {f"<{name}>": number for number, name in enumerate(names)}, "unk_token": "<ab>"}}))
        silent = test_cli.run("generate", folder, "--ids=5,6,7", "--max-tokens=4")
        self.assertEqual((silent.returncode, silent.stdout), (0, "\n"))
        self.assertIn("special ones", silent.stderr)
        # What a vocabulary has in it does not reach the terminal as a command.
        (folder / "tokenizer.json").write_text(json.dumps({
            "model": {"type": "WordLevel", "vocab": {f"Ġ{name}ě": number for number, name in enumerate(names)}, "unk_token": "Ġab"},
            "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": True, "use_regex": True}}))
        odd = self.done("generate", folder, "--ids=5,6,7", "--max-tokens=4")
        self.assertNotIn("\x1b", odd)
        self.assertIn("\u241b", odd)

    def test_refused(self):
        self.fails("generate", CHECKPOINTS / "bert-prefixed", "--ids=5", says="only a decoder goes on")
        self.fails("generate", CHECKPOINTS / "llama-bias", "--ids=5", says="no head that predicts tokens")
        self.misused("generate", "a", says="--text or --ids")
        self.misused("generate", "a", "--ids=5", "--max-tokens=0", says="--max-tokens")
        self.misused("generate", "a", "--ids=5", "--temperature=-1", says="--temperature")
        self.misused("generate", "a", "--ids=5", "--seed=1", says="--seed needs --temperature")


if __name__ == "__main__":
    sys.exit(test_cli.main())

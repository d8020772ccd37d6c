# SPDX-License-Identifier: MIT
"""headlight-cli ablate and attribute: what they print, and what they refuse.  Their numbers are tested in tests/core/experiment.

Usage: test-cli-experiment.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.
"""

import csv
import importlib.util
import io
import json
import math
import pathlib
import shutil
import struct
import sys

spec = importlib.util.spec_from_file_location("test_cli", pathlib.Path(__file__).with_name("test-cli.py"))
test_cli = importlib.util.module_from_spec(spec)
spec.loader.exec_module(test_cli)

Case, SAMPLE, CHECKPOINTS = test_cli.Case, test_cli.SAMPLE, test_cli.CHECKPOINTS

GPT2 = (CHECKPOINTS / "gpt2", "--ids=5,6,7,8,9")
T5 = (CHECKPOINTS / "t5", "--ids=5,6,7,8,9", "--decoder-ids=0,4,5")
BERT = (CHECKPOINTS / "bert-prefixed", "--ids=5,6,7,8,9")


class Ablate(Case):
    def ablate(self, *arguments):
        return json.loads(self.done("ablate", *arguments, "--format=json"))

    def test_formats_agree(self):
        found = self.ablate(*GPT2)
        rows = list(csv.DictReader(io.StringIO(self.done("ablate", *GPT2, "--format=csv"))))
        self.assertEqual([(row["block"], int(row["layer"]), int(row["head"])) for row in rows],
                         [("attention", layer, head) for layer in range(2) for head in range(3)])
        for row, head in zip(rows, found["heads"]):
            for name in ("state_change", "divergence", "probability", "log_change"):
                self.assertAlmostEqual(float(row[name]), head[name], delta=1e-5)
            self.assertAlmostEqual(math.log(head["probability"] / found["probability"]), head["log_change"], delta=1e-5)
        self.assertEqual((found["method"], found["position"]), ("zero", 4))

    def test_sentences(self):
        lines = self.done("ablate", *GPT2).splitlines()
        found = self.ablate(*GPT2)
        worst = max(found["heads"], key=lambda head: abs(head["log_change"]))
        verb = "falls" if worst["log_change"] < 0 else "rises"
        self.assertEqual(lines[0], f"at token 4, “{found['token']}” has probability {found['probability']:.2f}")
        self.assertEqual(lines[1], f"without head {worst['layer']}·{worst['head']} “{found['token']}” {verb} from "
                                   f"{found['probability']:.2f} to {worst['probability']:.2f}")
        self.assertIn("state_change", lines[4])
        self.assertEqual(len(lines), 1 + 3 + 1 + 6)

    def test_aim(self):
        found = self.ablate(*GPT2, "--position=2", "--token=#9")
        self.assertEqual((found["position"], found["id"], found["token"]), (2, 9, "#9"))
        (item,) = [item for item in self.ablate(*GPT2)["heads"] if (item["layer"], item["head"]) == (1, 1)]
        self.assertNotEqual(item["probability"], found["heads"][4]["probability"])
        self.assertEqual(item["state_change"], found["heads"][4]["state_change"])

    def test_no_numbers(self):
        """Logits that are no numbers are no prediction, here as with predict."""
        folder = self.folder / "model"
        shutil.copytree(CHECKPOINTS.parent / "heads/llama-dynamic-lm", folder)
        weights = bytearray((folder / "model.safetensors").read_bytes())
        start = 8 + int.from_bytes(weights[:8], "little")
        begin, end = json.loads(weights[8:start])["lm_head.weight"]["data_offsets"]
        weights[start + begin:start + end] = struct.pack("<f", 3e38) * ((end - begin) // 4)
        (folder / "model.safetensors").write_bytes(weights)
        for command in ("predict", "ablate"):
            self.fails(command, folder, "--ids=5,6,7", "--format=json", says="are NaN or infinite")

    def test_together(self):
        alone = self.ablate(*GPT2)["heads"]
        (head,) = [head for head in alone if (head["layer"], head["head"]) == (1, 2)]
        one = self.ablate(*GPT2, "--heads=1.2")
        self.assertEqual([(item["layer"], item["head"]) for item in one["heads"]], [(1, 2)])
        for name, value in one["together"].items():
            self.assertAlmostEqual(value, head[name], delta=1e-6)
        several = self.ablate(*GPT2, "--heads=0.0,0.1,0.2,1.0,1.1,1.2")
        self.assertGreater(several["together"]["state_change"], max(item["state_change"] for item in alone))
        self.assertIn("without heads 1·2, 0·1 ", self.done("ablate", *GPT2, "--heads=1.2,0.1"))
        self.assertIn("with uniform attention of 5 heads ", self.done("ablate", *GPT2, "--heads=0.0,0.1,0.2,1.0,1.1", "--method=uniform"))

    def test_blocks(self):
        heads = self.ablate(*T5)["heads"]
        self.assertEqual([head["block"] for head in heads], ["encoder"] * 8 + ["decoder"] * 8 + ["cross"] * 8)
        self.assertEqual(self.ablate(*T5, "--block=cross")["heads"], heads[16:])
        self.assertIn("without cross head 1·0 ", self.done("ablate", *T5, "--block=cross", "--heads=1.0"))

    def test_numbers(self):
        """The numbers of heads are the changes of states."""
        for method in ("zero", "uniform"):
            rows = json.loads(self.done("stats", *GPT2, f"--numbers=ablation-{method}", "--format=json"))
            heads = self.ablate(*GPT2, f"--method={method}")["heads"]
            self.assertEqual([row[f"ablation-{method}"] for row in rows], [head["state_change"] for head in heads])

    def test_states_only(self):
        """Without a prediction to look at, standard error says why there is none."""
        for model, says in [(CHECKPOINTS / "bert", "has no head that predicts tokens"), (BERT[0], "no token of the text is masked"),
                            (CHECKPOINTS / "t5", "without a text for the decoder")]:
            result = test_cli.run("ablate", model, "--ids=5,6,7", "--format=json")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(says, result.stderr)
            found = json.loads(result.stdout)
            self.assertNotIn("probability", found)
            self.assertEqual(set(found["heads"][0]), {"block", "layer", "head", "state_change"})
        self.assertIn("the mean final state changes by", test_cli.run("ablate", BERT[0], "--ids=5,6,7").stdout)

    def test_refused(self):
        self.misused("ablate", SAMPLE, says="runs a model")
        self.misused("ablate", GPT2[0], says="needs --text or --ids")
        self.misused("ablate", *GPT2, "--method=mean", says="zero, uniform")
        self.misused("ablate", *GPT2, "--block=middle", says="“middle”")
        self.misused("ablate", *GPT2, "--heads=1", says="L.H")
        for arguments, says in [
            (("--position=5",), "there is no token 5; the last is 4"), (("--position=word",), "there is no “word”"),
            (("--token=#60",), "there is no token 60; the model predicts 60"), (("--heads=2.0",), "no head 0 in layer 2"),
            (("--heads=0.3",), "no head 3 in layer 0"), (("--block=cross",), "no block “cross”"),
        ]:
            self.fails("ablate", *GPT2, *arguments, says=says, about=GPT2[0])
        self.fails("ablate", *T5, "--heads=0.0", says="--block has to say", about=T5[0])
        self.fails("ablate", CHECKPOINTS / "bert", "--ids=5", "--position=0", says="no head that predicts", about=CHECKPOINTS / "bert")


LONG = "n" * 4000


class Words(Case):
    """Positions and tokens as people write them, of a masked language model with a small vocabulary."""

    def setUp(self):
        super().setUp()
        vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "tower", "in", "paris", "lon", "##don"]
        vocabulary += [f"w{number}" for number in range(len(vocabulary), 59)] + [LONG]
        self.model = self.folder / "model"
        shutil.copytree(BERT[0], self.model)
        (self.model / "tokenizer.json").write_text(json.dumps({
            "model": {"type": "WordPiece", "vocab": {word: number for number, word in enumerate(vocabulary)}, "unk_token": "[UNK]",
                      "continuing_subword_prefix": "##", "max_input_chars_per_word": 100},
            "added_tokens": [{"id": number, "content": word, "special": True} for number, word in enumerate(vocabulary[:5])],
            "normalizer": {"type": "BertNormalizer", "lowercase": True}, "pre_tokenizer": {"type": "BertPreTokenizer"},
            "post_processor": {"type": "BertProcessing", "cls": ["[CLS]", 2], "sep": ["[SEP]", 3]},
        }), encoding="utf-8")

    def ablate(self, *arguments):
        return json.loads(self.done("ablate", self.model, *arguments, "--format=json"))

    def test_masked(self):
        found = self.ablate("--text=the tower in [MASK]", "--token=Paris")
        self.assertEqual((found["position"], found["id"], found["token"]), (4, 8, "paris"))
        self.assertIn("“paris” has probability", self.done("ablate", self.model, "--text=the tower in [MASK]", "--token=paris"))

    def test_long(self):
        """Sentences have the beginning of a long name, programs all of it."""
        arguments = ("--text=the tower in [MASK]", "--token=#59")
        cut = f"“{LONG[:60]}…”"
        self.assertEqual(self.ablate(*arguments)["token"], LONG)
        lines = self.done("ablate", self.model, *arguments).splitlines()
        self.assertIn(f"{cut} has probability", lines[0])
        self.assertIn(f" {cut} ", lines[1])
        said = self.done("attribute", self.model, *arguments, "--against=#7")
        self.assertTrue(said.startswith(f"the logit of {cut} less that of “in” at token 4"), said)

    def test_word(self):
        text = "--text=the tower in london in the [MASK]"
        for position, index in (("tower", 2), ("london", 4), ("in#2", 6), ("the#1", 1), ("0", 0)):
            self.assertEqual(self.ablate(text, f"--position={position}")["position"], index)
        for position, says in (("in", "“in” is there 2 times: write in#1 to in#2"), ("in#3", "“in” is there 2 times"),
                               ("rome", "there is no “rome” in the text")):
            self.fails("ablate", self.model, text, f"--position={position}", says=says)

    def test_token(self):
        text = "--text=the [MASK]"
        for token, number in (("tower", 6), ("##don", 10), ("#7", 7), ("[CLS]", 2)):
            self.assertEqual(self.ablate(text, f"--token={token}")["id"], number)
        self.fails("ablate", self.model, text, "--token=london", says="“london” is 2 tokens of this model")
        self.fails("ablate", self.model, text, "--token=rome", says="“rome” is no token of this model")


class Attribute(Case):
    def attribute(self, *arguments):
        return json.loads(self.done("attribute", *arguments, "--format=json"))

    def test_sum(self):
        for arguments in (GPT2, T5, (*BERT, "--position=2"), (CHECKPOINTS / "gemma2", "--ids=4,5,6")):
            for more in ((), ("--token=#7", "--against=#9")):
                found = self.attribute(*arguments, *more)
                self.assertAlmostEqual(sum(item["value"] for item in found["items"]), found["logit"], delta=1e-4)
                self.assertEqual("against" in found, bool(more))
        self.assertEqual({item["block"] for item in self.attribute(*T5)["items"] if item["part"] == "head"}, {"decoder", "cross"})

    def test_said(self):
        self.assertNotIn("taken at the scale", self.done("attribute", *GPT2))
        self.assertIn("taken at the scale", self.done("attribute", *BERT, "--position=1"))
        self.assertIn("is the one before that. Norms between the layers, and the layer of a head that predicts, are taken at",
                      self.done("attribute", CHECKPOINTS / "gemma2", "--ids=4,5,6"))
        self.assertTrue(self.done("attribute", *GPT2, "--token=#7", "--against=#9").startswith("the logit of “#7” less that of “#9” at token 4 is "))

    def test_table(self):
        rows = list(csv.DictReader(io.StringIO(self.done("attribute", *GPT2, "--format=csv"))))
        values = [abs(float(row["value"])) for row in rows]
        self.assertEqual(values, sorted(values, reverse=True))
        self.assertEqual(sorted({row["part"] for row in rows}), ["bias", "embedding", "feed_forward", "head"])
        self.assertEqual(len(rows), 2 * (3 + 1) + 2)

    def test_refused(self):
        self.misused("attribute", SAMPLE, says="runs a model")
        self.fails("attribute", CHECKPOINTS / "bert", "--ids=5,6", says="no head that predicts", about=CHECKPOINTS / "bert")
        self.fails("attribute", *BERT, says="a position has to be chosen", about=BERT[0])
        self.fails("attribute", *GPT2, "--against=#99", says="there is no token 99", about=GPT2[0])
        self.fails("attribute", *GPT2, "--token=word", says="tokenizer", about=GPT2[0])


if __name__ == "__main__":
    sys.exit(test_cli.main())

# SPDX-License-Identifier: MIT
"""headlight-cli is given options that have nothing to act on: it says so, and does nothing. What acts on something is done.

Usage: test-cli-idle.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.
"""

import importlib.util
import json
import pathlib
import shutil
import sys

spec = importlib.util.spec_from_file_location("test_cli", pathlib.Path(__file__).with_name("test-cli.py"))
test_cli = importlib.util.module_from_spec(spec)
spec.loader.exec_module(test_cli)

Case, CHECKPOINTS, FIXTURES, SAMPLE = test_cli.Case, test_cli.CHECKPOINTS, test_cli.FIXTURES, test_cli.SAMPLE
BERT, GPT2 = CHECKPOINTS / "bert", CHECKPOINTS / "gpt2"
MEAN, ROLLOUT = "--combine=mean", "--quantity=rollout"
APART = "needs the heads apart, of which --combine, or rollout or flow, makes one map"


class Idle(Case):
    def write(self, name, n=10, **members):
        path = self.folder / name
        rows = [[1 / n] * n] * n
        path.write_text(json.dumps({"attention": [[rows, rows]], "tokens": [f"t{i}" for i in range(n)], **members}), encoding="utf-8")
        return path

    def figure(self, source, *options, name="figure.svg"):
        """The text of a figure that can be had."""
        path = self.folder / name
        self.done("render", source, *options, "-o", path)
        return path.read_text(encoding="utf-8")

    def misdrawn(self, source, *options, says, name="refused.svg"):
        self.misused("render", source, *options, "-o", self.folder / name, says=says)
        self.assertFalse((self.folder / name).exists())

    def undrawn(self, source, *options, says):
        self.fails("render", source, *options, "-o", self.folder / "undrawn.svg", says=says, about=source)
        self.assertFalse((self.folder / "undrawn.svg").exists())

    def test_quantity(self):
        """Of what nothing is made of."""
        out = self.folder / "out.h5"
        for command in (("stats", SAMPLE), ("find-heads", SAMPLE, "--pair=flies:time"), ("compare", SAMPLE, SAMPLE), ("info", SAMPLE),
                        ("convert", SAMPLE, "-o", out), ("render", SAMPLE, "-o", self.folder / "out.svg")):
            self.misused(*command, "--rollout-from=1", says="--rollout-from needs --quantity rollout or flow")
            self.misused(*command, "--quantity=residual", "--rollout-from=1", says="--rollout-from needs --quantity rollout or flow")
            self.misused(*command, "--combine-over=layers", says="--combine-over needs --combine")
        self.misused("stats", SAMPLE, "--layers=1", says="--layers needs --combine, and --combine-over layers or all")
        self.assert_alone()
        self.done("stats", SAMPLE, ROLLOUT, "--rollout-from=1")

    def test_numbers(self):
        for option, value in (("seed", 1), ("period", 9)):
            self.misused("stats", SAMPLE, f"--{option}={value}", "--numbers=entropy",
                         says=f"--{option} needs --numbers previous-token, duplicate-token or induction")
        for option in ("queries", "keys"):
            self.misused("stats", SAMPLE, f"--{option}=1", says=f"--{option} needs --numbers retrieval")
        for options in ((), ("--quantity=residual",)):
            self.misused("stats", SAMPLE, "--heads=1", *options, says="--heads needs --combine, or --quantity rollout or flow")
        self.done("stats", SAMPLE, "--queries=1", "--keys=2", "--numbers=retrieval")
        self.done("stats", SAMPLE, "--heads=1", MEAN)
        for quantity in (ROLLOUT, "--quantity=flow"):
            self.assertEqual(self.done("stats", SAMPLE, "--heads=0,1", quantity), self.done("stats", SAMPLE, "--heads=0,1", quantity, MEAN))
            self.assertNotEqual(self.done("stats", SAMPLE, "--heads=0,1", quantity), self.done("stats", SAMPLE, "--heads=0,2", quantity))

    def test_one_of_several(self):
        """A head of what is made of all is none."""
        for made in ((MEAN,), (ROLLOUT,), (MEAN, "--combine-over=all")):
            self.misused("compare", SAMPLE, "--other-head=1", *made, says=f"--other-head {APART}")
            self.misdrawn(SAMPLE, f"--difference={SAMPLE}", "--other-head=1", *made, says=f"--other-head {APART}")
            self.figure(SAMPLE, f"--compare={SAMPLE}", "--other-head=1", *made)
            for option in ("sort", "colour-by"):
                self.misdrawn(SAMPLE, "--view=model-view", f"--{option}=entropy", *made, says=f"--{option} {APART}")
        layers = MEAN, "--combine-over=layers"
        self.misused("compare", SAMPLE, "--other-layer=1", *layers, says="--other-layer needs the layers apart, of which --combine makes one map")
        self.done("compare", SAMPLE, "--other-head=1", *layers)

    def test_written_beside_a_session(self):
        """What acts on what a session says is not idle, and what a session itself keeps is not written."""
        session = self.folder / "one.headlight"
        for state, options in (({"quantity": "rollout"}, ["--rollout-from=1"]), ({"combine": "mean"}, ["--combine-over=layers", "--layers=1-2"]),
                               ({"rollout-from": "2", "combine-over": "layers"}, [])):
            session.write_text(json.dumps({"format": "headlight-session", "version": 1, "uri": SAMPLE.resolve().as_uri(), "state": state}))
            self.figure(session, *options)
            written = [f"--{name}={value}" for name, value in state.items()] + options
            self.figure(SAMPLE, "--as-seen", *written)
        self.misdrawn(session, "--rollout-from=1", says="--rollout-from needs")

    def test_tokens(self):
        pair, one = FIXTURES / "sentence-pair.h5", self.write("one.json")
        self.undrawn(one, "--sentences=ab", says="--sentences needs a pair of texts")
        self.undrawn(one, "--hidden=10,12-99", says="none of the tokens of --hidden is there: they count from 0")
        for options in (("--hidden=9-99",), ("--hidden=",), ("--sentences=all",), ("--hidden=99", "--as-seen"), ("--sentences=ab", "--as-seen"),
                        ("--sentences=ab", f"--compare={pair}")):
            self.figure(one, *options)
        for options in ((), ("--layer=0", "--head=0", "--format=csv")):
            self.fails("stats", one, *options, "--hidden=10,12-99", says="none of the tokens of --hidden is there: they count from 0", about=one)
            self.done("stats", one, *options, "--hidden=9-99")
        both = self.folder / "both.json"
        both.write_text(json.dumps({"encoder_attention": [[[[1]]]], "decoder_attention": [[[[.5, .5], [.5, .5]]]]}))
        self.done("stats", both, "--hidden=1")
        self.fails("stats", both, "--hidden=2", says="none of the tokens of --hidden is there", about=both)
        self.figure(pair, "--sentences=ab")
        for view in ("heatmap", "steps"):
            self.misdrawn(one, f"--view={view}", "--heads=none", says="this view shows one head, and --heads names none")
        self.figure(one, "--view=heatmap", "--heads=none", "--head=1")
        self.figure(one, "--heads=none")

    def test_scale(self):
        """There is no logarithm of what is below zero, and the caption says what is drawn."""
        said = "linear colours, as there are numbers below zero"
        for scale in ("log", "cumulative"):
            for view in ("heatmap", "model-view"):
                options = f"--view={view}", f"--value-scale={scale}"
                self.assertIn(said, self.figure(SAMPLE, *options, f"--difference={SAMPLE}"))
                self.assertIn(said, self.figure(SAMPLE, *options, "--direction=asymmetry"))
                self.assertNotIn(said, self.figure(SAMPLE, *options))

    def test_texts(self):
        """Of several texts a figure has numbers, and a page has nothing."""
        source = self.folder / "several.json"
        rows = [[.5, .5], [.2, .8]]
        source.write_text(json.dumps({"format": "headlight-attention", "version": 2, "examples": {
            name: {"tokens": ["a", "b"], "attention": [[rows]]} for name in "xy"}}))
        texts, model_view, chart = "--examples=all", "--view=model-view", "--view=chart"
        self.misdrawn(source, texts, model_view, says="in --view model-view, --texts, --examples and --annotations need a number of heads")
        self.figure(source, texts, model_view, "--sort=entropy")
        self.figure(source, texts, model_view, "--colour-by=entropy")
        for options in ((chart,), (chart, texts)):
            self.misdrawn(source, *options, name="page.html", says="a page has maps and no charts")
        self.misdrawn(source, texts, model_view, "--sort=entropy", name="page.html", says="a page is of one text")
        self.misused("stats", source, "--examples=", says="--examples is empty")
        self.misused("stats", source, "--relation=nsubj", says="--relation goes with --texts, --examples or --annotations")
        self.misdrawn(source, chart, "--relation=nsubj", says="--relation goes with --texts, --examples or --annotations")
        self.misdrawn(source, "--examples=", chart, says="--examples is empty")

    def test_charts(self):
        """A figure of nothing but a notice is none."""
        chart = "--view=chart"
        self.undrawn(SAMPLE, chart, "--chart=layers", "--number=pattern", says="A class has no mean")
        self.undrawn(SAMPLE, chart, "--chart=layers", "--number=none", says="No number is chosen")
        self.undrawn(SAMPLE, chart, "--chart=grid", "--number=retrieval", says="No head has a number for")
        self.undrawn(SAMPLE, chart, "--chart=grid", "--number=pattern", f"--difference={SAMPLE}", says="A class has no difference")
        self.undrawn(SAMPLE, chart, "--chart=grid", "--number=none", f"--compare={SAMPLE}", says="No number is chosen")
        self.assertIn("A class has no mean", self.figure(SAMPLE, chart, "--chart=layers", "--number=pattern", "--as-seen"))
        for kind in ("layers", "grid", "shares", "scatter"):
            self.figure(SAMPLE, chart, f"--chart={kind}")

    def test_numbers_of_no_head(self):
        """A number that one side has is none of the other's; frames and an order by what no head has say nothing."""
        one, number, lack = self.write("one.json"), "norm-mass-special", "No head has a number for “"
        first, second = (BERT, "--ids=1,2,3"), f"--compare={one}"
        for options in (("--view=chart", "--chart=layers", f"--number={number}"), ("--view=chart", "--chart=grid", f"--number={number}"),
                        ("--view=model-view", f"--sort={number}"), ("--view=model-view", f"--colour-by={number}")):
            self.figure(*first, *options)
            self.fails("render", *first, second, *options, "-o", self.folder / "undrawn.svg", says=lack, about=one)
            self.undrawn(one, *options, says=lack)
            for of_one in (first + (second,), (one,)):
                figure = self.figure(*of_one, *options, "--as-seen")
                self.assertIn("No head has a number" if "chart" in options[0] else "–", figure)
        order = f"--sort={number}", f"--colour-by={number}"
        # A page has neither, and a window draws what a session says.
        self.figure(one, "--view=model-view", *order, name="page.html")
        session = self.folder / "one.headlight"
        session.write_text(json.dumps({"format": "headlight-session", "version": 1, "uri": one.resolve().as_uri(),
                                       "state": {"view": "model-view", "sort": number, "colour-by": number}}))
        self.assertIn("–", self.figure(session))
        for option in order:
            self.fails("render", session, option, "-o", self.folder / "undrawn.svg", says=lack, about=one)

    def test_views(self):
        """What is of a view that is not shown."""
        for option in ("chart=grid", "number=entropy"):
            self.misdrawn(SAMPLE, "--view=heatmap", f"--{option}", says=f"--{option.partition('=')[0]} needs --view chart")
        for option in ("sort=entropy", "colour-by=entropy"):
            self.misdrawn(SAMPLE, f"--{option}", says=f"--{option.partition('=')[0]} needs --view model-view")
        self.figure(SAMPLE, "--number=none", "--sort=none", "--colour-by=none")
        self.figure(SAMPLE, "--as-seen", "--chart=grid", "--number=entropy", "--sort=entropy", "--colour-by=entropy")
        session = self.folder / "one.headlight"
        for view, options in (("chart", ("--chart=grid", "--number=entropy")), ("model-view", ("--sort=entropy", "--colour-by=entropy"))):
            session.write_text(json.dumps({"format": "headlight-session", "version": 1, "uri": SAMPLE.resolve().as_uri(), "state": {"view": view}}))
            self.figure(session, *options)

    def test_as_seen(self):
        """A window says what there is nothing of, and so does the figure of it: the same as of a session."""
        source = self.write("weights.json")
        idle = (({"view": "chart", "number": "pair"}, {}, "Find heads by a pair"), ({"view": "chart", "number": "change"}, {}, "nothing to compare"),
                ({"view": "model-view", "sort": "pair", "colour-by": "change"}, {}, "attention weight"),
                ({"view": "chart", "chart": "plane"}, {}, "queries and keys"), ({"view": "steps"}, {}, "queries and keys"),
                ({"view": "steps"}, {"other": {"difference": True}}, "queries and keys"),
                ({"view": "chart", "chart": "scatter"}, {"other": {"difference": True}}, "Distances between heads have no difference"))
        for state, more, says in idle:
            session = self.folder / "one.headlight"
            session.write_text(json.dumps({"format": "headlight-session", "version": 1, "uri": source.resolve().as_uri(), "state": state, **more}))
            options = [f"--{name}={value}" for name, value in state.items()] + ([f"--difference={source}"] if more else [])
            figure = self.figure(source, "--as-seen", *options)
            self.assertIn(says, figure)
            self.assertEqual(figure, self.figure(session, "--as-seen"), options)

    def test_difference_of_steps(self):
        """A window has no difference of steps, but the side that is named is there, and has what is said of it."""
        steps, difference, session = ("--as-seen", "--view=steps", "--head=1"), f"--difference={SAMPLE}", self.folder / "one.headlight"
        session.write_text(json.dumps({"format": "headlight-session", "version": 1, "uri": SAMPLE.resolve().as_uri(),
                                       "state": {"view": "steps", "head": "1"}, "other": {"difference": True}}))
        alone = self.figure(SAMPLE, *steps)
        self.assertEqual(alone, self.figure(SAMPLE, *steps, difference))
        self.assertEqual(alone, self.figure(session, "--as-seen"))
        self.assertEqual(alone, self.figure(SAMPLE, *steps, difference, "--other-layer=1"))
        lack, target = self.folder / "lack.json", ("-o", self.folder / "undrawn.svg")
        self.fails("render", SAMPLE, *steps, f"--difference={lack}", *target, says="there is no such file", about=lack)
        self.fails("render", SAMPLE, *steps, difference, "--other-layer=77", *target, says="there is no layer 77", about=SAMPLE)
        self.misdrawn(session, "--as-seen", "--other-layer=77", says="options that begin with --other need --compare or --difference")

    def copy(self, *words):
        """A model with a tokenizer of these words."""
        folder = self.folder / "model"
        shutil.copytree(BERT, folder)
        (folder / "vocab.txt").write_text("".join(f"{word}\n" for word in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", *words)))
        return folder

    def test_models(self):
        """What is for models, and what is for files."""
        tokenizer = f"--tokenizer={self.copy()}", "--text=the fox"
        self.misused("info", SAMPLE, *tokenizer, "--stop-after-layer=0", says="is no model: --stop-after-layer is for models")
        for option in ("--decoder-ids=1,2", "--target-text=a"):
            self.misused("info", SAMPLE, *tokenizer, option, says="is no model: --target-text and --decoder-ids are for models")
        for option in ("--other-tokens=a.txt", "--other-dataset=foo", "--other-axes=query,key", "--other-softmax=yes"):
            self.misused("compare", BERT, BERT, "--ids=1,2,3", option,
                         says="is a model: --other-dataset, --other-axes, --other-tokens and --other-softmax are for files")
        self.done("compare", BERT, BERT, "--ids=1,2,3", "--other-tokens=", "--other-dataset=", "--other-axes=", "--other-softmax=no")

    def test_letters(self):
        """Those of the first side are also of the second, and may be of the second alone."""
        model = self.copy("cat", "dog", *"cat", *"dog")
        compare = "compare", model, "--text=cat dog", "--letters"
        whole = self.done(*compare, "--other-text=cat dog").splitlines()[0]
        self.assertTrue(whole.startswith("attention: 8 of 8 and 8 queries are in both"), whole)
        self.assertEqual(whole, self.done(*compare, "--other-text=c a t d o g").splitlines()[0])
        self.assertEqual(whole, self.done(*compare, model).splitlines()[0])
        self.done(*compare, model, "--other-stop-after-layer=0")
        dump, other = self.folder / "cat.h5", "--other-text=cat dog"
        self.done("recompute", model, "--text=cat dog", "--letters", "-o", dump)
        self.assertEqual(whole, self.done("compare", dump, model, other, "--letters").splitlines()[0])
        self.assertNotEqual(whole, self.done("compare", dump, model, other).splitlines()[0])
        self.assertEqual(self.figure(dump, f"--compare={model}", other, "--letters"), self.figure(dump, f"--compare={model}", "--other-text=c a t d o g"))
        self.misused("compare", dump, dump, "--other-layer=1", "--letters", says="--letters needs --text or --target-text")

    def test_lists(self):
        ablate = "ablate", GPT2, "--ids=1,2,3"
        self.misused(*ablate, "--heads=", says="--heads cannot be “”; it is L.H")
        self.done(*ablate, "--heads=0.0")

    def test_stop(self):
        """What is written without a tokenizer is no text."""
        generate = "generate", GPT2, "--ids=1,2", "--max-tokens=2"
        self.fails(*generate, "--stop=x", says="--stop needs a tokenizer", about=GPT2)
        self.done(*generate)

    def test_sentences(self):
        """What is said of a wrong option is true of it."""
        for option, value, rule in (("layer", 4294967295, "a whole number in 0…4294967294"), ("head", -1, "a whole number in 0…4294967294"),
                                    ("threshold", "nan", "a number in 0…1"), ("rollout-from", 0.5, "a whole number in 0…")):
            self.misdrawn(SAMPLE, f"--{option}={value}", says=f"--{option} cannot be “{value}”; it is {rule}")
        self.undrawn(SAMPLE, "--head=99999", says="there is no head 99999 in layer 0; the last one is 11")
        other = self.write("other.json")
        self.fails("compare", SAMPLE, other, "--other-layer=9", says="there is no layer 9; the last one is 0", about=other)
        self.fails("render", SAMPLE, f"--difference={other}", "--other-head=9", "-o", self.folder / "a.svg", says="there is no head 9 in it", about=other)
        result = test_cli.run("stats", FIXTURES / "encoder-decoder.h5", "--numbers=retrieval", "--queries=die", "--keys=cat")
        self.assertNotIn("it needs a span of queries and one of keys", result.stderr)
        self.assertIn("“encoder” has no retrieval: there is no “die” among the queries", result.stderr)


if __name__ == "__main__":
    sys.exit(test_cli.main())

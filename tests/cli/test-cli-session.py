# SPDX-License-Identifier: MIT
"""headlight-cli render with a session as its source: the same figure as with its options, and what is wrong in one sentence.

Usage: test-cli-session.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.
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

    def test_examples_named_by_numbers(self):
        """A session counts, whatever examples are called; who writes a name means the name, and a # makes it a number."""
        source = self.folder / "numbers.json"
        maps = [[1, 0, 0], [.5, .5, 0], [.2, .3, .5]], [[1, 0, 0], [.1, .9, 0], [0, 0, 1]], [[1, 0, 0], [.7, .3, 0], [.6, .2, .2]]
        source.write_text(json.dumps({"format": "headlight-attention", "version": 2, "examples": {
            name: {"tokens": list("abc"), "attention": [[maps[i]]]} for i, name in enumerate(("#2", "2", "3"))}}), encoding="utf-8")
        uri = source.as_uri()
        figures = [self.figure(source, f"--example={name}") for name in ("0", "2", "3")]
        self.assertEqual(len(set(figures)), 3)
        self.assertEqual([self.figure(source, f"--example=#{i}") for i in range(3)], figures)
        self.assertEqual([self.figure(self.write(uri=uri, example=i)) for i in range(3)], figures)
        for kind in "compare", "difference":
            drawn = self.check_other({"example": 2, "difference": kind == "difference"}, "--example=2", f"--{kind}={source}", "--other-example=#2",
                                     first=source, example=1)
            self.assertNotEqual(drawn, self.figure(source, "--example=2", f"--{kind}={source}", "--other-example=2"))
        for wanted in "#3", "#", "#-1", "4":
            self.fails("info", source, f"--example={wanted}", says=f"there is no example “{wanted}”; there are 3")

    def test_pin_of_layer(self):
        """In the view of all layers what is pinned is of its layer, whichever is looked at."""
        state = {"view": "layers", "layer": "1"}
        drawn = [self.figure(self.write(state=state | {"token": token})) for token in ("3", "3@layer.1", "3@layer.4", "3:2@layer.4")]
        self.assertEqual(drawn[0], drawn[1])
        self.assertEqual(len(set(drawn)), 3)
        self.assertEqual(drawn[2], self.figure(self.write(state=state | {"layer": "4", "token": "3"})))
        for kind in "compare", "difference":
            self.assertEqual(self.figure(SAMPLE, "--view=layers", "--token=3@layer.4", f"--{kind}={SAMPLE}"),
                             self.figure(SAMPLE, "--view=layers", "--layer=4", "--token=3", f"--{kind}={SAMPLE}"))
        self.fails("render", self.write(state=state | {"token": "3@layer.6"}), "-o", self.folder / "no.png", says="no layer 6; the last one is 5")

    def test_quantity_of_one_side(self):
        """Weights are drawn where a quantity cannot be had, of a session as of what is asked for as seen; elsewhere it stays what was asked for."""
        lengths = self.folder / "lengths.json"
        plain = {"format": "headlight-attention", "version": 2, "tokens": ["a", "b"], "attention": [[[[1, 0], [.5, .5]]]]}
        lengths.write_text(json.dumps({**plain, "value_norms": [[[1, 3]]]}), encoding="utf-8")
        weights = self.folder / "weights.json"
        weights.write_text(json.dumps(plain), encoding="utf-8")
        for first, second in (lengths, weights), (weights, lengths):
            options = [first, "--view=heatmap", "--quantity=norm", f"--compare={second}"]
            seen = self.figure(*options, "--as-seen")
            path = self.write(uri=first.as_uri(), state={"view": "heatmap", "quantity": "norm"}, other={"uri": second.as_uri()})
            self.assertEqual(seen, self.figure(path, "--as-seen"))
            self.assertNotEqual(seen, self.figure(first, "--view=heatmap", f"--compare={second}", "--as-seen"))
            self.fails("render", *options, "-o", self.folder / "no.png", says="the quantity needs values")
        # What the view makes nothing of is not asked for.
        self.assertEqual(self.figure(lengths, "--view=chart", "--quantity=norm", "--combine=sum"),
                         self.figure(lengths, "--view=chart", "--quantity=norm"))
        self.fails("render", lengths, "--view=heatmap", "--quantity=norm", "--combine=sum", "-o", self.folder / "no.png",
                   says="the quantity needs values and the output projection")
        for view in "steps", "neuron":
            self.figure(FIXTURES / "qk-plain.h5", f"--view={view}", "--quantity=norm")

    def test_fewer_layers_and_heads(self):
        """What a window shows where there are fewer than were chosen is drawn as seen; without, it is refused."""
        sizes = []
        for layers in (2, 2, 1), (2,):
            sizes.append(self.folder / f"{len(layers)}.json")
            sizes[-1].write_text(json.dumps({"format": "headlight-attention", "version": 2, "tokens": ["a", "b"],
                                             "attention": [[[[1, 0], [.5, .5]]] * n for n in layers]}), encoding="utf-8")
        first, second = sizes
        rollout, no_layer = ("--quantity=rollout", "--rollout-from=2"), "there is no layer 2 to begin with; the last one is 0"
        mean, no_head = ("--combine=mean", "--combine-over=layers", "--heads=1"), "there is no head 1 in layer 2; the last one is 0"
        for options, says in ((first, *rollout, f"--compare={second}"), no_layer), ((second, *rollout), no_layer), ((first, *mean, "--layers=2"), no_head):
            self.figure(*options, "--as-seen")
            self.fails("render", *options, "-o", self.folder / "no.png", says=says)

    def check_other(self, other, *options, first=SAMPLE, state=None, **members):
        """A session with a second side, beside the options that say the same."""
        state = state or {}
        path = self.write(uri=pathlib.Path(first).resolve().as_uri(), state=state, other=other, **members)
        options = [f"--{name}={text}" for name, text in state.items()] + list(options)
        figure = self.figure(path)
        self.assertEqual(figure, self.figure(first, *options), (other, options))
        return figure

    def test_other_heads(self):
        """The same document once more, side by side and as difference; what is written counts more."""
        drawn = set()
        for state in ({"view": "heatmap", "layer": "1"}, {"heads": "0,2-4", "head": "3", "layer": "1", "threshold": "0.1"},
                      {"combine": "mean", "combine-over": "layers", "layers": "1,3", "view": "heatmap"}):
            for own in ({}, {"layer": "3"}, {"head": "2"}, {"layer": "3", "head": "2"}):
                options = [f"--other-{name}={text}" for name, text in own.items()]
                drawn.add(self.check_other({"state": own}, f"--compare={SAMPLE}", *options, state=state))
                # Of layers that are made one none is another; what a session keeps of one is not written.
                options = options if "combine" not in state else [f"--other-head={own['head']}"] if "head" in own else []
                drawn.add(self.check_other({"state": own, "difference": True}, f"--difference={SAMPLE}", *options, state=state))
        self.assertGreater(len(drawn), 16)
        path = self.write(other={"state": {"layer": "3"}})
        self.assertEqual(self.figure(path, "--other-layer=2"), self.figure(SAMPLE, f"--compare={SAMPLE}", "--other-layer=2"))
        self.assertEqual(self.figure(path, f"--difference={SAMPLE}", "--other-head=2"),
                         self.figure(SAMPLE, f"--difference={SAMPLE}", "--other-head=2"))
        # The steps to weights are of one side, also where the window shows the difference of weights.
        qk = FIXTURES / "qk-plain.h5"
        path = self.write(uri=qk.resolve().as_uri(), state={"view": "steps"}, other={"difference": True})
        self.assertEqual(self.figure(path), self.figure(qk, "--view=steps"))

    def test_other_tokens(self):
        """What is hidden and pinned goes along by the tokens, or is said of the second side alone; so does where it is scrolled."""
        causal = FIXTURES / "causal.h5"
        for kind in ("compare", "difference"):
            difference = {"difference": True} if kind == "difference" else {}
            plain = self.check_other({"uri": causal.resolve().as_uri(), **difference}, f"--{kind}={causal}")
            pinned = self.check_other({"uri": causal.resolve().as_uri(), "state": {"token": "2"}, **difference}, f"--{kind}={causal}",
                                      "--other-token=2")
            self.assertNotEqual(plain, pinned)
        hidden = self.check_other({"uri": causal.resolve().as_uri(), "state": {"hidden": "1"}}, f"--compare={causal}", "--other-hidden=1")
        self.assertNotEqual(plain, hidden)

    def test_other_place(self):
        """Both sides are zoomed alike, and scrolled each in its way."""
        place = {"zoom": 90, "scroll": [0, 60]}
        options = ["--zoom=90", "--scroll=0,60"]
        drawn = {self.check_other({"scroll": scroll} if scroll else {}, f"--compare={SAMPLE}", *options, *more, state={"view": "heatmap"}, **place)
                 for scroll, more in ((None, ["--other-scroll=0,0"]), ([0, 30], ["--other-scroll=0,30"]), ([0, 60], []))}
        self.assertEqual(len(drawn), 3)

    def test_other_reading(self):
        """How the second file is read, and which example of it."""
        examples = FIXTURES / "examples.h5"
        uri = examples.resolve().as_uri()
        self.check_other({"example": 1}, "--example=0", f"--compare={examples}", "--other-example=1", first=examples)
        self.check_other({}, "--example=1", f"--compare={examples}", "--other-example=0", first=examples, example=1)
        logits = FIXTURES / "raw-logits.h5"
        tokens = [f"t{i}" for i in range(4)]
        written = f"--tokens={json.dumps(tokens)}"
        self.check_other({"uri": logits.resolve().as_uri(), "softmax": True, "tokens": tokens}, f"--compare={logits}",
                         "--other-softmax=yes", f"--other-tokens={json.dumps(tokens)}")
        # Of the second side nothing is said: it is read as it is, not as the first.
        own = self.check_other({"uri": uri}, "--softmax", written, f"--compare={examples}", "--other-softmax=no", "--other-tokens=",
                               first=logits, softmax=True, tokens=tokens)
        self.assertNotEqual(own, self.figure(logits, "--softmax", written, f"--compare={logits}"))

    def add_tokenizer(self, folder, numbers=range(50)):
        words = {"type": "WordLevel", "unk_token": "w0", "vocab": {f"w{i}": number for i, number in enumerate(numbers)}}
        (folder / "tokenizer.json").write_text(json.dumps({
            "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
            "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": None, "decoder": None, "model": words}), encoding="utf-8")

    def test_other_text(self):
        """A model on two texts, which are told apart; on one text it is the same model and text once more."""
        model = self.folder / "bert"
        shutil.copytree(CHECKPOINTS / "bert", model)
        self.add_tokenizer(model)
        text = "--text=w5 w6 w7"
        two = self.check_other({"text": "w5 w9 w7"}, text, f"--compare={model}", "--other-text=w5 w9 w7", first=model, text="w5 w6 w7")
        one = self.check_other({}, text, f"--compare={model}", first=model, text="w5 w6 w7")
        self.assertNotEqual(one, two)

    def test_adapter(self):
        """One that is off is off on the side of which that is said."""
        for folder, name in ((CHECKPOINTS / "llama", "llama"), (CHECKPOINTS.parent / "folders" / "lora", "lora")):
            shutil.copytree(folder, self.folder / name)
        adapter = self.folder / "lora"
        config = json.loads((adapter / "adapter_config.json").read_text())
        (adapter / "adapter_config.json").write_text(json.dumps(config | {"base_model_name_or_path": "../llama"}), encoding="utf-8")
        self.add_tokenizer(self.folder / "llama")
        off = self.check_adapter(adapter)
        # One that brings its own tokenizer keeps that while it is off: the picture is of the same tokens.
        self.add_tokenizer(adapter, [0, *range(49, 0, -1)])
        own = self.check_adapter(adapter)
        self.assertNotEqual(own, off)
        self.assertEqual(off, self.figure(self.folder / "llama", "--text=w5 w6 w7"))
        text = "--text=w5 w6 w7"
        self.assertEqual(self.done("tokens", f"{adapter}:base", text), self.done("tokens", adapter, text))
        self.assertEqual(self.done("stats", f"{adapter}:base", text), self.done("stats", self.folder / "llama", "--ids=45,44,43"))

    def check_adapter(self, adapter):
        uri, text = adapter.resolve().as_uri(), "w5 w6 w7"
        on = self.figure(self.write(uri=uri, text=text))
        self.assertEqual(on, self.figure(adapter, f"--text={text}"))
        self.assertEqual(on, self.figure(self.write(uri=uri, text=text, adapter=True)))
        off = self.figure(self.write(uri=uri, text=text, adapter=False))
        self.assertEqual(off, self.figure(f"{adapter}:base", f"--text={text}"))
        self.assertNotEqual(off, on)
        self.check_other({"text": text, "adapter": False}, f"--text={text}", f"--compare={adapter}:base", first=adapter, text=text)
        both = [self.figure(self.write(uri=uri, text=text, adapter=False, other=other)) for other in ({"text": text}, {})]
        self.assertEqual(both, [self.figure(f"{adapter}:base", f"--text={text}", f"--compare={second}")
                                for second in (adapter, f"{adapter}:base")])
        return off

    def test_wrong(self):
        target = self.folder / "wrong.png"
        for members, says in (({"version": 2}, "newer version"), ({"version": "1"}, "“version”"), ({"format": "x"}, "“format”"),
                              ({"new": 1}, "“new”"), ({"state": {"new": "1"}}, "“new”"), ({"state": []}, "“state”"),
                              ({"state": {"layer": 3}}, "“layer” is not a string"), ({"state": {"heads": "x"}}, "“heads” cannot be “x”"),
                              ({"uri": None}, "“file” is missing"), ({"uri": "http://example.org/a.h5"}, "“uri”"),
                              ({"example": -1}, "“example”"), ({"zoom": "1"}, "“zoom”"), ({"scroll": [1]}, "“scroll”"),
                              ({"tokens": [1]}, "“tokens”"), ({"axes": "up,down"}, "“axes”"), ({"text-pair": "x"}, "“text” is missing"),
                              ({"uri": (self.folder / "gone.h5").as_uri()}, "gone.h5”, which it shows, is not there"),
                              ({"uri": "file://" + "/a" * 2000 + "/gone.h5"}, "“" + "/a" * 75 + "…" + "/a" * 71 + "/gone.h5”, which it shows, is not there")):
            path = self.write(**members)
            self.fails("render", path, "-o", target, says=says, about=path)
            self.assertFalse(target.exists())
        for other, says in (([], "“other” is not an object"), ({"new": 1}, "“other”: this version"), ({"zoom": 1}, "“zoom”"),
                            ({"state": {"view": "heatmap"}}, "“view”"), ({"difference": "yes"}, "“difference”"),
                            ({"dataset": "x"}, "“file” is missing"), ({"uri": (self.folder / "gone.h5").as_uri()}, "is not there")):
            path = self.write(other=other)
            self.fails("render", path, "-o", target, says=says, about=path)
        for state, says in (({"layer": "99"}, "no layer 99"), ({"head": "99"}, "no head 99"), ({"token": "99"}, "no token 99"),
                            ({"block": "cross"}, "no block “cross”")):
            for difference in (True, False):
                self.fails("render", self.write(other={"state": state, "difference": difference}), "-o", target, says=says)
        for option, says in (("--other-softmax=x", "yes|no"), ("--other-axes=up", "--other-axes: "), ("--other-scroll=1", "--other-scroll"),
                             ("--other-hidden=x", "--other-hidden"), ("--other-token=x", "--other-token"), ("--other-block=x", "--other-block")):
            self.misused("render", SAMPLE, "--compare", SAMPLE, option, "-o", target, says=says)
        self.misused("render", SAMPLE, "--other-token=1", "-o", target, says="--compare or --difference")
        # Of the pair beside a single text the second alone is shown, which has no token 0.
        for how in ("--compare", "--difference"):
            self.fails("render", FIXTURES / "group-twelve-layers.h5", how, SAMPLE, "--sentences=ba", "--other-token=0", "-o", target,
                       says="no token 0 among those shown")
        self.misused("render", SAMPLE, "--compare", SAMPLE, "--other-target-text=b", "-o", target, says="no model")
        path = self.write(state={"layer": "99"})
        self.fails("render", path, "-o", target, says="no layer 99; the last one is 5")
        path = self.write(dataset="x" * 1000000)
        self.fails("render", path, "-o", target, says="there is no “" + "x" * 200 + "…”")
        path.write_text('{"format": "headlight-session", "version": 1', encoding="utf-8")
        self.fails("render", path, "-o", target, says="", about=path)
        path.write_text(" " * (17 << 20), encoding="utf-8")
        self.fails("render", path, "-o", target, says="larger than 16 MiB", about=path)


if __name__ == "__main__":
    sys.exit(test_cli.main())

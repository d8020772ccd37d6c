# SPDX-License-Identifier: MIT
"""headlight-cli over several texts, and heads held against annotations: against PyTorch in float64, and what it refuses.

Usage: test-cli-texts.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.
"""

import csv
import importlib.util
import io
import json
import pathlib
import os
import pickle
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time

spec = importlib.util.spec_from_file_location("test_cli", pathlib.Path(__file__).with_name("test-cli.py"))
test_cli = importlib.util.module_from_spec(spec)
spec.loader.exec_module(test_cli)

Case, FIXTURES, run = test_cli.Case, test_cli.FIXTURES, test_cli.run
h5py, numpy, needs_numpy = test_cli.h5py, test_cli.numpy, test_cli.needs_numpy

MODELS = FIXTURES.parent / "model"
REFERENCES = json.loads((MODELS / "corpus-references.json").read_text())
USUAL = ("entropy", "distance", "first", "special", "previous", "next", "self", "sink")
NUMBERS = USUAL + tuple(f"norm-{kind}-{name}" for kind in ("mass", "share") for name in ("special", "other", "previous")) + (
    "mass-cls", "mass-other", "mixing")
EXAMPLE = [[0.2] * 5, [0.70, 0.05, 0.15, 0.05, 0.05], [0.2] * 5, [0.3, 0.25, 0.05, 0.3, 0.1], [0.2] * 5]


class Corpus(Case):
    def setUp(self):
        super().setUp()
        self.model = self.folder / "model"
        shutil.copytree(MODELS / "checkpoints/bert", self.model)
        (self.model / "vocab.txt").write_text("\n".join(REFERENCES["vocabulary"]) + "\n")
        self.texts = self.write("texts.txt", "\n".join(REFERENCES["texts"]) + "\n")
        self.sentences = self.write("sentences.conllu", REFERENCES["conllu"])

    def write(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def write_dump(self, name, **members):
        return self.write(name, json.dumps(members))

    def over(self, lines, *arguments):
        """What is told of texts, the rows."""
        path = self.write("some.txt", "\n".join(lines) + "\n")
        return json.loads(run("stats", self.model, "--texts", path, "--format=json", *arguments).stdout)


class Texts(Corpus):
    def test_against_references(self):
        result = run("stats", self.model, "--texts", self.texts, "--format=json")
        self.assertEqual(result.returncode, 0)
        # One of the texts has more than 32 tokens.
        self.assertIn("1 text is longer than the model takes, and was cut", result.stderr)
        rows = json.loads(result.stdout)
        self.assertEqual(len(rows), 6)
        for name in USUAL:
            expected = REFERENCES["numbers"][name]
            largest = max(map(abs, expected["mean"]))
            for row, mean, deviation in zip(rows, expected["mean"], expected["sd"]):
                self.assertAlmostEqual(row[name], mean, delta=1e-5 * largest)
                self.assertAlmostEqual(row[f"{name}-sd"], deviation, delta=1e-5 * largest)
                self.assertEqual(row[f"{name}-n"], len(REFERENCES["texts"]))

    def test_one_text_is_itself(self):
        text = REFERENCES["texts"][0]
        names = "entropy,distance,sink,mass-other"
        single = json.loads(self.done("stats", self.model, "--text", text, f"--numbers={names}", "--format=json"))
        for row, own in zip(self.over([text], f"--numbers={names}"), single):
            for name in names.split(","):
                self.assertEqual(row[name], own[name])
                self.assertIsNone(row[f"{name}-sd"])
                self.assertEqual(row[f"{name}-n"], 1)

    def test_means_of_singles(self):
        lines = REFERENCES["texts"][:4]
        singles = [json.loads(self.done("stats", self.model, "--text", line, "--format=json")) for line in lines]
        for i, row in enumerate(self.over(lines)):
            for name in USUAL:
                values = [single[i][name] for single in singles]
                self.assertAlmostEqual(row[name], statistics.fmean(values), delta=1e-12)
                self.assertAlmostEqual(row[f"{name}-sd"], statistics.stdev(values), delta=1e-12)

    def test_means_of_many(self):
        """Texts of all lengths, which are read in groups, are what each is by itself."""
        lines = [" ".join((text.split() * 3)[:1 + 7 * i % 12]) for i, text in enumerate(REFERENCES["texts"] * 3)]
        names = ",".join(NUMBERS)
        own = {line: json.loads(self.done("stats", self.model, "--text", line, "--numbers", names, "--format=json"))
               for line in set(lines)}
        for i, row in enumerate(self.over(lines, "--numbers", names)):
            for name in NUMBERS:
                values = [own[line][i][name] for line in lines if own[line][i][name] is not None]
                self.assertEqual(row[f"{name}-n"], len(values))
                self.assertAlmostEqual(row[name] or 0, statistics.fmean(values or [0]), delta=1e-6)

    def test_order_does_not_matter(self):
        lines = REFERENCES["texts"]
        for forth, back in zip(self.over(lines), self.over(lines[::-1])):
            for name in USUAL:
                self.assertAlmostEqual(forth[name], back[name], delta=1e-12)
                self.assertAlmostEqual(forth[f"{name}-sd"], back[f"{name}-sd"], delta=1e-12)

    def test_two_texts_a_line(self):
        (row, *_) = self.over(["the cat\tthe dog walks"], "--numbers=entropy,distance")
        (own, *_) = json.loads(self.done("stats", self.model, "--text=the cat", "--text-pair=the dog walks",
                                         "--numbers=entropy,distance", "--format=json"))
        self.assertEqual((row["entropy"], row["distance"]), (own["entropy"], own["distance"]))

    def test_classes_are_shares(self):
        lines = REFERENCES["texts"][:6]
        singles = [json.loads(self.done("stats", self.model, "--text", line, "--numbers=pattern", "--format=json"))
                   for line in lines]
        for i, row in enumerate(self.over(lines, "--numbers=pattern")):
            for word in ("vertical", "diagonal", "vertical+diagonal", "block", "heterogeneous"):
                share = sum(single[i]["pattern"] == word for single in singles) / len(lines)
                self.assertAlmostEqual(row[f"pattern-{word}"], share, delta=1e-12)

    def test_formats(self):
        path = self.write("some.txt", "the cat\r\n\r\nthe dog walks\r\n")
        table = self.done("stats", self.model, "--texts", path, "--numbers=entropy")
        self.assertTrue(table.startswith("mean over 2 texts, in brackets the standard deviation\n"))
        self.assertRegex(table, r"attention +0 +0 +\d\.\d{4} \(\d\.\d{4}\)\n")
        rows = list(csv.DictReader(io.StringIO(self.done("stats", self.model, "--texts", path, "--numbers=entropy",
                                                         "--format=csv"))))
        self.assertEqual(list(rows[0]), ["block", "layer", "head", "entropy", "entropy-sd", "entropy-n"])
        self.assertEqual(rows[0]["entropy-n"], "2")

    def test_derived(self):
        """What a command line derives is derived of each text."""
        lines = REFERENCES["texts"][:2]
        singles = [json.loads(self.done("stats", self.model, "--text", line, "--combine=mean", "--numbers=entropy",
                                        "--format=json")) for line in lines]
        for i, row in enumerate(self.over(lines, "--combine=mean", "--numbers=entropy")):
            self.assertEqual(row["head"], "mean")
            self.assertAlmostEqual(row["entropy"], statistics.fmean(single[i]["entropy"] for single in singles), delta=1e-12)

    def test_what_is_needed(self):
        """Who asks for a number that no text has is told what it needs, once, and of which text that the program makes it is."""
        def said(*arguments):
            return [line.removeprefix("headlight-cli: ") for line in run("stats", *arguments).stderr.splitlines()]

        path = self.write("some.txt", "\n".join(REFERENCES["texts"][:2]) + "\n")
        self.assertEqual(said(self.model, "--texts", path, "--numbers=retrieval,entropy,induction"),
                         ["“attention” has no retrieval: it needs a span of queries and one of keys", "the random text is 2 × 16 tokens, seed 0"])
        row = {"tokens": ["a", "b"], "attention": [[[[0.5, 0.5]] * 2]]}
        source = self.write_dump("needs.json", examples={"x": row, "y": row})
        needs = "needs values and the output projection, which this file does not have"
        self.assertEqual(said(source, "--examples=all", "--numbers=norm-mass-first,first"), [f"“attention” has no norm-mass-first: it {needs}"])
        known = self.write_dump("known.json", examples={"x": row, "y": {**row, "value_norms": [[[1, 2]]]}})
        self.assertEqual(said(known, "--examples=all", "--numbers=norm-mass-first,first"), [])
        # Of the usual numbers, where there is none.
        for options in ("--examples=all",), ("--example=x",):
            self.assertEqual(said(source, "--direction=transposed", *options), ["“attention” has no entropy: it needs weights of queries on keys, not transposed and not a difference"])
            self.assertEqual(said(source, *options), [])

    def test_classes_of_figures(self):
        """A class has no mean over texts: what is drawn is the one that most of them have."""
        n, figure = 10, self.folder / "figure.svg"
        vertical, diagonal = [[float(key == 4) for key in range(n)]] * n, [[float(key == query) for key in range(n)] for query in range(n)]
        source = self.write_dump("classes.json", examples={name: {"tokens": [f"t{i}" for i in range(n)], "attention": [[one, other]]} for name, one, other in (
            ("a", vertical, diagonal), ("b", diagonal, vertical), ("c", vertical, vertical))})
        self.done("render", source, "--examples=all", "--view=model-view", "--sort=pattern", "--width=1400", "-o", figure)
        text = figure.read_text(encoding="utf-8")
        self.assertIn("sorted by pattern, most frequent over 3 texts", text)
        self.assertNotIn("mean over", text)

    def test_bad_texts(self):
        def fails(text, says):
            path = self.write("bad.txt", text)
            self.fails("stats", self.model, "--texts", path, says=says, about=path)

        fails("", "there is no text in it")
        fails("a\nb\xff".encode("latin-1"), "line 2 is not text in UTF-8")
        fails("a\tb\tc\n", "line 1 has more than one tab; it is a text, or two separated by a tab")
        fails("a" * (1 << 20) + "b", "line 1 is longer than 1 MiB")
        self.fails("stats", self.model, "--texts", self.folder / "none.txt", says="it cannot be read: No such file or directory")
        self.fails("stats", self.model, "--texts", self.texts, "--numbers=dependency",
                   says="dependency and coreference need --annotations")

    def test_misuse(self):
        dump = FIXTURES / "examples.h5"
        self.misused("stats", dump, "--texts", self.texts, says="is no model: --texts is for models")
        self.misused("stats", self.model, "--examples=all", says="is a model: --examples is for files")
        self.misused("stats", self.model, "--texts", self.texts, "--text=a", says="are for one text")


class Examples(Corpus):
    def rows(self, *arguments):
        return json.loads(self.done("stats", FIXTURES / "examples.h5", "--format=json", "--numbers=entropy,first", *arguments))

    @needs_numpy
    def test_means(self):
        with h5py.File(FIXTURES / "examples.h5") as file:
            names = list(file["examples"])
        for wanted, option in ((names, "all"), (names[1:], ",".join(names[1:]))):
            singles = [self.rows("--example", name) for name in wanted]
            for i, row in enumerate(self.rows("--examples", option)):
                self.assertEqual(row["entropy-n"], len(wanted))
                for name in ("entropy", "first"):
                    self.assertAlmostEqual(row[name], statistics.fmean(single[i][name] for single in singles), delta=1e-12)

    def test_unlike(self):
        a = {"attention": [[[[1, 0], [0.5, 0.5]]]]}
        path = self.write_dump("unlike.json", examples={"a": a, "b": {"attention": a["attention"] * 2}})
        self.fails("stats", path, "--examples=all", about=path,
                   says="example “b” does not have the layers and heads of those before it")
        self.fails("stats", path, "--examples=a,c", says="there is no example “c”")


class Probe(Corpus):
    def test_against_references(self):
        expected = REFERENCES["probe"]
        for name, own in expected["relations"].items():
            rows = json.loads(self.done("probe", self.model, "--annotations", self.sentences, "--relation", name,
                                        "--format=json"))
            for side in ("dependent", "governor"):
                self.assertEqual([row["n"] for row in rows], [own["n"]] * 6)
                for row, accuracy in zip(rows, own[side]):
                    self.assertAlmostEqual(row[side], accuracy, delta=1e-12)
        rows = json.loads(self.done("probe", self.model, "--annotations", self.sentences, "--relation=coreference",
                                    "--format=json"))
        for row, accuracy in zip(rows, expected["coreference"]["accuracy"]):
            self.assertEqual(row["n"], expected["coreference"]["n"])
            self.assertAlmostEqual(row["accuracy"], accuracy, delta=1e-12)

    def test_best_beside_baseline(self):
        expected = REFERENCES["probe"]
        rows = json.loads(self.done("probe", self.model, "--annotations", self.sentences, "--format=json"))
        self.assertEqual(rows[0]["relation"], "all")
        counts = [row["n"] for row in rows if row["relation"] not in ("all", "coreference")]
        self.assertEqual(counts, sorted(counts, reverse=True))
        for row in rows:
            if row["relation"] == "coreference":
                self.assertAlmostEqual(row["baseline"], expected["coreference"][row["rule"]], delta=1e-12)
                self.assertAlmostEqual(row["accuracy"], max(expected["coreference"]["accuracy"]), delta=1e-12)
                continue
            own = expected["relations"][row["relation"]]
            self.assertAlmostEqual(row["accuracy"], max(own["dependent"] + own["governor"]), delta=1e-12)
            self.assertAlmostEqual(row["accuracy"], own[row["attends"]][3 * row["layer"] + row["head"]], delta=1e-12)
            self.assertAlmostEqual(row["baseline"], own["baseline"], delta=1e-12)

    def test_numbers_of_heads(self):
        expected = REFERENCES["probe"]
        rows = json.loads(self.done("stats", self.model, "--annotations", self.sentences, "--relation=obj",
                                    "--numbers=dependency,coreference", "--format=json"))
        own = expected["relations"]["obj"]
        for i, row in enumerate(rows):
            self.assertAlmostEqual(row["dependency"], max(own["dependent"][i], own["governor"][i]), delta=1e-12)
            self.assertAlmostEqual(row["coreference"], expected["coreference"]["accuracy"][i], delta=1e-12)
            self.assertEqual(row["dependency-n"], own["n"])

    def test_nothing_is_without_effect(self):
        """What would say nothing beside what else is asked is refused."""
        texts = self.write("two.txt", "the\nthe\n")
        for option in ("--seed=1", "--period=9", "--queries=0-1", "--keys=0-1"):
            self.misused("stats", self.model, "--texts", texts, option, says="are for one text")
        self.misused("stats", self.model, "--texts", texts, "--layer=0", "--head=0", "--format=csv", says="are for one text")
        self.misused("stats", self.model, "--text=the", "--relation=obj", says="--relation goes with")
        self.misused("stats", self.model, "--annotations", self.sentences, "--relation=obj", says="--relation needs dependency")
        self.misused("stats", self.model, "--texts", texts, "--annotations", self.sentences, says="--annotations needs dependency or coreference as --numbers")
        self.misused("render", self.model, "--annotations", self.sentences, "--relation=obj", "--view=chart", "--number=entropy", "-o", "a.png",
                     says="--relation needs dependency as --number\n")
        self.done("stats", self.model, "--annotations", self.sentences)

    def test_other_texts(self):
        """What is annotated is not what means are over, and each is said of its own."""
        n = sum(line.startswith("1\t") for line in REFERENCES["conllu"].splitlines())
        texts = self.write("one.txt", "the\n")
        options = ("--texts", texts, "--annotations", self.sentences)
        said = self.done("stats", self.model, *options, "--numbers=entropy,dependency").splitlines()
        self.assertEqual(said[:2], ["mean over 1 text", f"dependency is over {n} texts"])
        figure = self.folder / "x.svg"
        self.done("render", self.model, *options, "--view=chart", "--chart=grid", "--number=dependency", "-o", figure)
        self.assertIn(f"words whose head is found, over {n} texts", figure.read_text())
        said = self.done("stats", self.model, "--annotations", self.sentences, "--numbers=entropy,dependency").splitlines()
        self.assertIn("mean over", said[0])
        self.assertNotIn("is over", said[1])

    def test_documents(self):
        """Dependency is of sentences, and coreference of documents, of which a file may have none."""
        sentence = "".join(f"{i}\tthe\t_\t_\t_\t_\t{head}\t{name}\t_\t{{}}\n" for i, head, name in ((1, 2, "nsubj"), (2, 0, "root"), (3, 2, "obj")))
        entity = "Entity=(e1-person-1-)"
        document = self.write("document.conllu", "# newdoc id = d\n# global.Entity = eid-etype-head-other\n" +
                              3 * (sentence.format(entity, "_", entity) + "\n"))
        bare = self.write("bare.conllu", 3 * (sentence.format("_", "_", "_") + "\n"))
        numbers = "--numbers=entropy,dependency,coreference"
        texts = self.write("two.txt", "the\nthe\n")
        head = lambda *arguments: self.done("stats", self.model, *arguments, numbers).split("\n\n")[0].splitlines()[:3]
        over = "mean over {} texts, in brackets the standard deviation"
        self.assertEqual(head("--texts", texts, "--annotations", document), [over.format(2), "dependency is over 3 texts", "coreference is over 1 text"])
        self.assertEqual(head("--annotations", document)[:2], [over.format(3), "coreference is over 1 text"])
        probed = lambda *arguments: [line for line in self.done("probe", self.model, *arguments).splitlines() if "over " in line]
        self.assertEqual(probed("--annotations", document), ["over 3 texts", "coreference is over 1 text"])
        for relation, text in ("all", "over 3 texts"), ("nsubj", "over 3 texts"), ("coreference", "over 1 text"):
            self.assertEqual(probed("--annotations", document, f"--relation={relation}"), [text])
        self.assertEqual(probed("--annotations", bare), ["over 3 texts"])
        for lines in (head("--texts", texts, "--annotations", bare)[2], head("--annotations", bare)[1]):
            self.assertNotIn("is over", lines)
        for annotations, number, label in ((document, "coreference", "found, over 1 text"), (document, "dependency", "found, over 3 texts")):
            figure = self.folder / "x.svg"
            self.done("render", self.model, "--annotations", annotations, "--view=chart", "--chart=grid", f"--number={number}", "-o", figure)
            self.assertRegex(figure.read_text(), label + r"\b")
        members = {name: {"tokens": ["the"] * 3, "attention": [[[[1, 0, 0]] * 3]]} for name in "abc"}
        said = self.done("stats", self.write_dump("three.json", examples=members), "--annotations", bare, "--examples=all", numbers)
        self.assertNotIn("is over", said)
        said = self.done("stats", self.write_dump("one.json", **members["a"]), "--annotations", self.write("a.conllu", sentence.format("_", "_", "_")),
                         "--numbers=entropy,coreference")
        self.assertNotIn("is over", said)

    def test_sentences_of_documents_count_once(self):
        n = sum(line.startswith("1\t") for line in REFERENCES["conllu"].splitlines())
        self.assertGreater(n, 1)
        self.assertTrue(self.done("probe", self.model, "--annotations", self.sentences).startswith(f"over {n} texts\n"))

    def example(self, **more):
        return {"tokens": ["[CLS]", "a", "b", "c", "[SEP]"], "attention": [[EXAMPLE]], "words": ["a", "b", "c"],
                "heads": [2, 0, 2], "relns": ["nsubj", "root", "obj"], **more}

    def test_chosen_examples(self):
        """Words are those of the examples that are asked for, each once; what others lack does not matter."""
        found = [[0.2] * 5, [0.05, 0.05, 0.8, 0.05, 0.05], [0.2] * 5, [0.05, 0.05, 0.8, 0.05, 0.05], [0.2] * 5]
        missed = [[0.2] * 5, [0.05, 0.05, 0.05, 0.8, 0.05], [0.2] * 5, [0.05, 0.8, 0.05, 0.05, 0.05], [0.2] * 5]
        bare = {"tokens": ["x", "y", "z", "a", "b"], "attention": [[EXAMPLE]]}
        members = {"a": self.example(attention=[[found]]), "b": self.example(attention=[[missed]]), "c": bare}
        path = self.write_dump("three.json", examples=members)
        for examples, accuracy, n in (("0", 1, 2), ("b", 0, 2), ("a,b", 0.5, 4), ("0,0,a", 1, 2)):
            (row,) = json.loads(self.done("stats", path, "--examples", examples, "--numbers=dependency,entropy", "--format=json"))
            self.assertEqual((row["dependency"], row["dependency-n"], row["entropy-n"]), (accuracy, n, n // 2), examples)
        self.fails("stats", path, "--examples=all", "--numbers=dependency", says="example 2: it has no “words” with “heads”")
        row = "\t_\t_\t_\t_\t"
        conllu = self.write("abc.conllu", f"1\ta{row}2\tnsubj\t_\t_\n2\tb{row}0\troot\t_\t_\n3\tc{row}2\tobj\t_\t_\n")
        (row,) = json.loads(self.done("stats", path, "--examples=b", "--annotations", conllu, "--numbers=dependency", "--format=json"))
        self.assertEqual((row["dependency"], row["dependency-n"]), (0, 2))
        self.fails("stats", path, "--examples=a,b", "--annotations", conllu, "--numbers=dependency",
                   says="there are 1 sentences, 1 documents and 2 examples")

    def test_example_of_the_definition(self):
        path = self.write_dump("example.json", **self.example())
        all_, nsubj, obj = json.loads(self.done("probe", path, "--format=json"))
        self.assertEqual((all_["n"], all_["accuracy"], all_["attends"], all_["baseline"]), (2, 0.5, "dependent", 0.5))
        self.assertEqual((nsubj["relation"], nsubj["accuracy"], nsubj["rule"]), ("nsubj", 1, "+1"))
        self.assertEqual((obj["relation"], obj["rule"], obj["baseline"]), ("obj", "-1", 1))
        self.assertTrue(self.done("probe", path).startswith("over 1 text\n"))

    def test_converted(self):
        """What is probed in a file is probed in what is made of it, also of a part of it or of what follows from it."""
        path = self.write_dump("example.json", **self.example())
        for name, options in {"all.json": (), "all.npz": (), "all.h5": (), "weights.h5": ("--store=weights",),
                              "mean.h5": ("--combine=mean",)}.items():
            target = self.folder / name
            self.done("convert", path, *options, "-o", target)
            self.assertEqual(self.done("probe", target), self.done("probe", path), name)
        with h5py.File(target) as file:
            self.assertEqual([text.decode() for text in file["words"]], ["a", "b", "c"])
            self.assertEqual(list(file["heads"]), [2, 0, 2])
            self.assertEqual([text.decode() for text in file["relns"]], ["nsubj", "root", "obj"])
        example = self.example()
        del example["relns"]
        path = self.write_dump("without.json", **example)
        self.done("convert", path, "-o", target)
        with h5py.File(target) as file:
            self.assertNotIn("relns", file)
        self.assertEqual(self.done("probe", target), self.done("probe", path))

    @needs_numpy
    def test_pickle(self):
        """As Clark et al. wrote them: fewer words than positions, by [CLS] and [SEP]."""
        sentence = {"words": ["a", "b", "c"], "heads": [2, 0, 2], "relns": ["nsubj", "root", "obj"],
                    "attns": numpy.array([[EXAMPLE]], dtype=numpy.float16)}
        path = self.write("dev.pkl", pickle.dumps([sentence, sentence]))
        rows = json.loads(self.done("probe", path, "--format=json"))
        self.assertEqual((rows[0]["n"], rows[0]["accuracy"]), (4, 0.5))

    def test_file_with_annotations(self):
        row = "\t_\t_\t_\t_\t"
        conllu = self.write("abc.conllu", f"1\ta{row}2\tnsubj\t_\t_\n2\tb{row}0\troot\t_\t_\n3\tc{row}2\tobj\t_\t_\n")
        example = self.example()
        del example["words"], example["heads"], example["relns"]
        path = self.write_dump("plain.json", **example)
        self.assertEqual(self.done("probe", path, "--annotations", conllu),
                         self.done("probe", self.write_dump("own.json", **self.example())))

    def test_of_a_quantity(self):
        """Heads are held to the words by what is made of weights, here each column times the length of what its token brings."""
        path = self.write_dump("lengths.json", **self.example(value_norms=[[[1, 1, 10, 1, 1]]]))
        for source, words in (((path,), ()), ((path, "--annotations"), "abc")):
            if words:
                row = "\t_\t_\t_\t_\t"
                source += (self.write("abc.conllu", f"1\ta{row}2\tnsubj\t_\t_\n2\tb{row}0\troot\t_\t_\n3\tc{row}2\tobj\t_\t_\n"),)
            (weight, *_) = json.loads(self.done("probe", *source, "--format=json"))
            (norm, *_) = json.loads(self.done("probe", *source, "--quantity=norm", "--format=json"))
            self.assertEqual((weight["accuracy"], norm["accuracy"]), (0.5, 1))
        self.assertIn("    0  mean ", self.done("probe", path, "--combine=mean"))
        (row,) = json.loads(self.done("stats", path, "--examples=all", "--numbers=dependency", "--quantity=norm", "--format=json"))
        self.assertEqual(row["dependency"], 1)
        self.fails("probe", path, "--quantity=value", says="the quantity needs values, which this attention does not have")
        self.fails("stats", path, "--examples=all", "--numbers=dependency", "--hide-special=yes",
                   says="words are looked for among all tokens, and some are left out")

    def test_of_a_layer(self):
        """What is made of all heads of a layer is held to the words itself, not the head that stands at its place."""
        options = ("--annotations", self.sentences, "--quantity=rollout", "--format=json")
        rows = json.loads(self.done("stats", self.model, "--numbers=dependency,coreference", *options))
        own = json.loads(self.done("probe", self.model, "--relation=all", *options))
        mentions = json.loads(self.done("probe", self.model, "--relation=coreference", *options))
        self.assertEqual([(row["layer"], row["head"]) for row in own], [(0, "mean"), (1, "mean")])
        for row, words, found in zip(rows, own, mentions, strict=True):
            self.assertEqual((row["dependency"], row["coreference"]), (max(words["dependent"], words["governor"]), found["accuracy"]))
        heads = json.loads(self.done("stats", self.model, "--numbers=dependency", "--annotations", self.sentences, "--format=json"))
        self.assertNotEqual([row["dependency"] for row in rows], [row["dependency"] for row in heads[:2]])
        # Words are put together anyway.
        words = json.loads(self.done("stats", self.model, "--numbers=dependency", "--annotations", self.sentences, "--words=yes", "--format=json"))
        self.assertEqual([row["dependency"] for row in words], [row["dependency"] for row in heads])

    def test_of_the_encoder(self):
        """Annotated words are those that the encoder reads; what else there is has no such number."""
        maps = [[[[1 / 3] * 3] * 3]]
        path = self.write_dump("both.json", encoder_attention=maps, decoder_attention=maps * 2, cross_attention=maps,
                               encoder_tokens=["a", "b", "c"], decoder_tokens=["a", "b", "c"])
        conllu = self.write("abc.conllu", "".join(f"{i}\t{word}" + "\t_" * 4 + f"\t{head}\tdep\t_\t_\n"
                                                  for i, word, head in ((1, "a", 2), (2, "b", 0), (3, "c", 2))))
        rows = json.loads(self.done("stats", path, "--examples=all", "--annotations", conllu, "--numbers=dependency,entropy", "--format=json"))
        self.assertEqual([(row["block"], row["dependency"] is None, row["dependency-n"]) for row in rows],
                         [("encoder", False, 2), ("decoder", True, 0), ("decoder", True, 0), ("cross", True, 0)])

    def test_of_the_decoder(self):
        """Where the encoder has other queries than keys, words are those of the decoder."""
        path = self.write_dump("odd.json", encoder_attention=[[[[0.2, 0.3, 0.5]] * 2] * 2], cross_attention=[[[[1 / 3] * 3] * 3]],
                               decoder_attention=[[[[1, 0, 0], [0.9, 0.1, 0], [0.2, 0.7, 0.1]]]], decoder_tokens=["a", "b", "c"])
        conllu = self.write("abc.conllu", "".join(f"{i}\t{word}" + "\t_" * 4 + f"\t{head}\tdep\t_\t_\n"
                                                  for i, word, head in ((1, "a", 0), (2, "b", 1), (3, "c", 2))))
        rows = json.loads(self.done("stats", path, "--annotations", conllu, "--numbers=dependency,entropy", "--format=json"))
        self.assertEqual([(row["block"], row["dependency"], row["dependency-n"]) for row in rows],
                         [("encoder", None, 0), ("encoder", None, 0), ("decoder", 1, 2), ("cross", None, 0)])

    def test_what_does_not_fit(self):
        def fails(says, *arguments, **members):
            path = self.write_dump("bad.json", **members)
            self.fails("probe", path, *arguments, says=says, about=path)

        fails("example 0: it has no “words” with “heads”", attention=[[EXAMPLE]])
        fails("the annotations do not fit: word 2 is “b”, and token 2 is “x”", **self.example(tokens=["[CLS]", "a", "x", "c", "[SEP]"]))
        fails("the annotations do not fit: there are ", "--annotations", self.sentences, **self.example())
        fails("no word has the relation “iobj”", "--relation=iobj", **self.example())
        fails("no mention has an antecedent", "--relation=coreference", **self.example())
        for heads in ([2, 0], [4, 0, 2], [1, 0, 2], [1.5, 0, 2]):
            # The file can be looked at without.
            path = self.write_dump("bad.json", **self.example(heads=heads))
            self.assertIn("the annotations are left out", self.done("info", path))
            self.fails("probe", path, says="it has no “words” with “heads”")
        bad = self.write("bad.conllu", "1\ta\n")
        self.fails("probe", self.model, "--annotations", bad, says="line 1: there are 2 columns; CoNLL-U has 10", about=bad)
        plain = self.write("plain.conllu", "1\tthe" + "\t_" * 8 + "\n")
        self.fails("probe", self.model, "--annotations", plain, says="no word has a head, and there are no mentions")
        self.misused("probe", self.model, says="is a model, which needs --annotations")


class Interrupts(Corpus):
    """Who is interrupted tells what is known so far, and ends by the signal."""

    N = 400000

    def setUp(self):
        super().setUp()
        words = REFERENCES["vocabulary"][5:12]
        self.lines = [" ".join(words[i % 7:i % 7 + 3]) for i in range(self.N)]
        self.many = self.write("many.txt", "\n".join(self.lines) + "\n")

    def interrupt(self, number, *arguments):
        """What a command says that is interrupted once it has begun; when that is nobody knows."""
        delay = 0.4
        while delay < 60:
            with subprocess.Popen([test_cli.CLI, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True, env=test_cli.ENVIRONMENT) as process:
                time.sleep(delay)
                process.send_signal(number)
                out, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, -number, err)
            if "interrupted after" in err:
                return out, err
            delay *= 1.4
        return self.fail("it never began")

    def test_stats(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            out, err = self.interrupt(number, "stats", self.model, "--texts", self.many, "--format=json")
            (n, n_all) = map(int, re.search(r"interrupted after (\d+) of (\d+) texts; the numbers are of these", err).groups())
            self.assertEqual(n_all, self.N)
            self.assertTrue(0 < n < self.N)
            rows = json.loads(out)
            self.assertEqual({row["entropy-n"] for row in rows}, {n})
        self.assertEqual(rows, self.over(self.lines[:n]))

    def test_probe(self):
        sentences = self.write("many.conllu", REFERENCES["conllu"] * 600)
        out, err = self.interrupt(signal.SIGINT, "probe", self.model, "--annotations", sentences)
        n = int(re.search(r"interrupted after (\d+) texts?; the numbers are of these", err).group(1))
        self.assertTrue(out.startswith(f"over {n} texts\n"), out)

    def test_render(self):
        figure = self.folder / "x.svg"
        with subprocess.Popen([test_cli.CLI, "render", self.model, "--texts", self.many, "--view=chart", "-o", figure],
                              env=test_cli.ENVIRONMENT) as process:
            time.sleep(1.5)
            process.send_signal(signal.SIGTERM)
        self.assertEqual(process.returncode, -signal.SIGTERM)
        self.assertEqual([path.name for path in self.folder.iterdir() if "x.svg" in path.name], [])

    def test_pipe(self):
        """What another program writes, as the shell's <(…) has it."""
        queue = self.folder / "queue"
        os.mkfifo(queue)
        with subprocess.Popen([test_cli.CLI, "stats", self.model, "--texts", queue], stdout=subprocess.PIPE, text=True,
                              env=test_cli.ENVIRONMENT) as process:
            queue.write_text("".join(f"{line}\n" for line in self.lines[:3]))
            self.assertTrue(process.stdout.read().startswith("mean over 3 texts, "))
        self.assertEqual(process.returncode, 0)

    def test_pipe_of_nobody(self):
        """It is waited for no longer than until the first interrupt."""
        queue = self.folder / "queue"
        os.mkfifo(queue)
        with subprocess.Popen([test_cli.CLI, "stats", self.model, "--texts", queue], stderr=subprocess.PIPE, text=True,
                              env=test_cli.ENVIRONMENT) as process:
            try:
                time.sleep(1)
                process.send_signal(signal.SIGINT)
                self.assertEqual(process.wait(30), -signal.SIGINT)
            finally:
                process.kill()


if __name__ == "__main__":
    sys.exit(test_cli.main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Learned sinks: dumps of queries and keys with `sinks`, what is said of their rows, and a model that has them.

Usage: test-cli-sinks.py HEADLIGHT-CLI TESTS.  Prints TAP.
"""

import json
import math
import os
import pathlib
import random
import sys
import tempfile

import program

CLI = sys.argv[1]
TESTS = pathlib.Path(sys.argv[2])


def run(*arguments, status=0):
    result = program.run([CLI, *map(str, arguments)], env={**os.environ, "LC_ALL": "C.UTF-8", "G_DEBUG": "fatal-criticals"})
    assert result.returncode == status, f"{arguments}: {result.returncode} {result.stderr}"
    return result


def make_dump(sinks):
    generator = random.Random(5)
    numbers = lambda: [[[[generator.gauss(0, 1) for _ in range(8)] for _ in range(6)] for _ in range(2)] for _ in range(3)]
    return {"queries": numbers(), "keys": numbers(), "causal": 1, "scale": 0.5, "tokens": list("abcdef"), "sinks": sinks}


def attend(dump, layer, head):
    rows = []
    sinks = dump["sinks"].get(str(layer)) if isinstance(dump["sinks"], dict) else dump["sinks"][layer]
    for i, query in enumerate(dump["queries"][layer][head]):
        powers = [math.exp(dump["scale"] * sum(a * b for a, b in zip(query, key))) for key in dump["keys"][layer][head][:i + 1]]
        whole = sum(powers) + (math.exp(sinks[head]) if sinks else 0)
        rows.append([x / whole for x in powers] + [0] * (5 - i))
    return rows


def test_weights(folder):
    dump = make_dump([[0.5, -3], [2, 0], [30, -30]])
    path, out = folder / "qk.json", folder / "weights.json"
    path.write_text(json.dumps(dump))
    said = run("info", path).stdout
    assert "a learned sink of each head takes" in said and "do not sum" not in said, said
    run("convert", path, "--store", "weights", "--output", out)
    found = json.loads(out.read_text())
    assert found["sinks"] == dump["sinks"]
    for layer in range(3):
        for head in range(2):
            for i, (row, expected) in enumerate(zip(found["attention"][layer][head], attend(dump, layer, head))):
                for x, y in zip(row, expected):
                    assert abs(x - y) < 1e-6, (layer, head, i, row, expected)
    assert "a learned sink of each head takes" in run("info", out).stdout
    again = folder / "again.json"
    run("convert", path, "--output", again)
    assert json.loads(again.read_text())["sinks"] == dump["sinks"]


def test_some_layers(folder):
    """Layers that the group does not name have no sinks; both containers keep it so."""
    dump = make_dump({"0": [0.5, -3], "2": [1, 2]})
    path = folder / "qk.json"
    path.write_text(json.dumps(dump))
    for store in ("weights", "qk"):
        first, second, out = folder / f"{store}.json", folder / f"{store}.h5", folder / f"{store}-again.json"
        run("convert", path, "--store", store, "--output", first)
        run("convert", first, "--output", second)
        run("convert", second, "--store", "weights", "--output", out)
        for name in (first, out):
            assert json.loads(name.read_text())["sinks"] == dump["sinks"]
        found = json.loads(out.read_text())["attention"]
        for layer in range(3):
            for head in range(2):
                for i, (row, expected) in enumerate(zip(found[layer][head], attend(dump, layer, head))):
                    assert all(abs(x - y) < 1e-6 for x, y in zip(row, expected)), (layer, head, i, row, expected)
                    assert (sum(row) > 1 - 1e-6) == (layer == 1), (layer, head, i)


def test_layers_of_several_sizes(folder):
    """A layer has as many sinks as it has heads."""
    dump, few = make_dump(None), {}
    for name in ("queries", "keys"):
        few[name] = {"0": dump[name][0], "1": dump[name][1][:1]}
    few |= {name: dump[name] for name in ("causal", "scale", "tokens")}
    few["sinks"] = {"0": [0.5, 1], "1": [2]}
    path, out = folder / "qk.json", folder / "weights.json"
    path.write_text(json.dumps(few))
    run("convert", path, "--store", "qk", "--output", folder / "again.h5")
    run("convert", folder / "again.h5", "--store", "weights", "--output", out)
    found = json.loads(out.read_text())
    assert found["sinks"] == few["sinks"]
    for layer, heads in ((0, 2), (1, 1)):
        for head in range(heads):
            rows = attend({**few, "queries": {layer: few["queries"][str(layer)]}, "keys": {layer: few["keys"][str(layer)]}}, layer, head)
            for row, expected in zip(found["attention"][layer][head], rows):
                assert all(abs(x - y) < 1e-6 for x, y in zip(row, expected)), (layer, head)


def test_faults(folder):
    for sinks, said in (({"0": [1, 2], "1": [1, 2, 3]}, "“sinks” is not a floating-point number for each layer and head"),
                        ({"0": [1, 2], "7": [1, 2]}, "“sinks” is not a floating-point number for each layer and head"),
                        ({"1": [[1, 2]]}, "“sinks” is not a floating-point number for each layer and head"),
                        ({"1": [1, float("nan")]}, "“sinks” has a number that is NaN or infinite"),
                        ([[1, 2]], "“sinks” is not a floating-point number for each layer and head"),
                        ([[0.5, float("inf")], [1.5, 1], [1, 1]], "“sinks” has a number that is NaN or infinite")):
        path = folder / "fault.json"
        path.write_text(json.dumps(make_dump(sinks)))
        result = run("info", path, status=1)
        assert said in result.stderr, result.stderr


def test_model(folder):
    out = folder / "gpt-oss.json"
    run("recompute", TESTS / "model/checkpoints/gpt-oss", "--ids=5,6,7,8,9", "--output", out)
    found = json.loads(out.read_text())
    assert [len(x) for x in found["sinks"]] == [4, 4]
    sums = [sum(row) for layer in found["attention"] for head in layer for row in head]
    assert max(sums) < 1 and min(sums) > 0
    assert "a learned sink of each head takes" in run("info", out).stdout


def test_column(folder):
    """A head's table has a column for the sink, rows of which sum to 1; numbers count it in."""
    model, ids = TESTS / "model/checkpoints/gpt-oss", "--ids=5,6,7,8,9"
    lines = [line.split(",") for line in run("stats", model, ids, "--layer=1", "--head=2", "--format=csv").stdout.split()]
    assert lines[0][1] == "[sink]" and len(lines[0]) == 7, lines[0]
    rows = [[float(x) for x in line[1:]] for line in lines[1:]]
    for row in rows:
        assert row[0] > 0 and abs(sum(row) - 1) < 1e-5, row
    entropy = sum(-x * math.log(x) for row in rows for x in row if x > 0) / len(rows)
    found = [x for x in json.loads(run("stats", model, ids, "--format=json").stdout) if (x["layer"], x["head"]) == (1, 2)][0]
    assert abs(found["entropy"] - entropy) < 1e-5, (found, entropy)
    assert abs(found["sink"] - sum(row[0] for row in rows) / len(rows)) < 1e-5
    for view in ("head-view", "heatmap", "model-view", "layers", "steps"):
        run("render", model, ids, f"--view={view}", "--output", folder / f"{view}.svg")
        text = (folder / f"{view}.svg").read_text()
        assert "sink" in text, view


def test_pages(folder):
    """A page that lacks keys keeps the sink's column as it was; of what lacks none the sink is known again."""
    dump, page = folder / "qk.json", folder / "page.html"
    dump.write_text(json.dumps({**make_dump([[0.5, -3], [2, 0], [30, -30]]), "sentence_b_start": 3}))
    table = lambda *arguments: [line.split(",") for line in run("stats", *arguments, "--layer=1", "--head=0", "--format=csv").stdout.split()]
    whole = table(dump)
    for options, is_sink in ([], True), (["--hidden=0,3"], False), (["--hidden=0,3", "--renormalise=yes"], True), (["--sentences=ba"], False):
        run("render", dump, *options, "--output", page)
        assert ("a learned sink of each head takes" in run("info", page).stdout) == is_sink, options
        # Queries of the second text, and keys of the first.
        expected = [line[:5] for line in (whole[0], *whole[4:])] if options == ["--sentences=ba"] else table(dump, *options)
        found = table(page)
        assert found[0] == expected[0] and found[0][1] == "[sink]", (options, found[0], expected[0])
        for row, other in zip(found[1:], expected[1:]):
            assert all(abs(float(x) - float(y)) < 1e-3 for x, y in zip(row[1:], other[1:])), (options, row, other)


def measure(rows):
    """Entropy, distance, first, previous, next and self of weights of which the sink takes the rest."""
    found = []
    for i, row in enumerate(rows):
        keys = dict(enumerate(row))
        entropy = -sum(x * math.log(x) for x in [*row, 1 - sum(row)] if x > 0)
        distance = sum(x * abs(i - j) for j, x in keys.items()) / sum(row)
        found.append([entropy, distance, row[0], keys.get(i - 1, 0), keys.get(i + 1, 0), row[i]])
    return [sum(numbers) / len(rows) for numbers in zip(*found)]


def test_numbers(folder):
    """The sink is no key of numbers: no first token, and before no other. So it is of files and models, of a text and of a mean."""
    model, ids, out = TESTS / "model/checkpoints/gpt-oss", "--ids=1,2,3,4,5,6,7,8,9", folder / "gpt-oss.h5"
    names = ["entropy", "distance", "first", "previous", "next", "self", "sink"]
    numbers, json_ = f"--numbers={','.join(names)}", "--format=json"
    run("recompute", model, ids, "--output", out)
    run("convert", out, "--output", folder / "gpt-oss.json")
    weights = json.loads((folder / "gpt-oss.json").read_text())["attention"]
    found = json.loads(run("stats", out, numbers, json_).stdout)
    assert len(found) == 8
    for row in found:
        rows = weights[row["layer"]][row["head"]]
        expected = [*measure(rows), 1 - sum(map(sum, rows)) / len(rows)]
        assert all(abs(row[name] - x) < 1e-5 for name, x in zip(names, expected)), (row, expected)
    assert json.loads(run("stats", model, ids, numbers, json_).stdout) == found
    # No words are in pieces.
    for options in (["--examples=all"], ["--words=yes"], ["--examples=all", "--words=yes"]):
        means = json.loads(run("stats", out, numbers, json_, *options).stdout)
        assert all(abs(row[name] - mean[name]) < 1e-9 for row, mean in zip(found, means, strict=True) for name in names), options
    assert all("name" in row for row in json.loads(run("stats", out, json_).stdout))
    # Of a mean of heads it takes no part either.
    for row in json.loads(run("stats", out, numbers, json_, "--combine=mean").stdout):
        rows = [[sum(x) / 4 for x in zip(*heads)] for heads in zip(*weights[row["layer"]])]
        assert all(abs(row[name] - x) < 1e-5 for name, x in zip(names[1:], measure(rows)[1:])), row


def test_between_others(folder):
    """Nor does it make keys other tokens than the queries."""
    dump = make_dump([[0.5, -3], [2, 0], [30, -30]])
    del dump["causal"]
    path = folder / "qk.json"
    path.write_text(json.dumps(dump))
    for row in json.loads(run("stats", path, "--format=json").stdout):
        assert all(row[name] is not None for name in ("distance", "previous", "next", "self")), row


def test_names(folder):
    """Who looks at all but the first token parks nothing there, whatever takes the rest: a sink, or keys that were cut off."""
    row = [0] + [0.02] * 9
    path = folder / "weights.json"
    for more in ({}, {"sinks": [[5, 5]]}):
        path.write_text(json.dumps({"attention": [[[row] * 10] * 2], "tokens": list("abcdefghij"), **more}))
        assert "the first token" not in run("info", path).stdout, more
        for found in json.loads(run("stats", path, "--format=json").stdout):
            assert found["name"] != "first-token-sink" and abs(found["sink"] - (0.82 if more else 0)) < 1e-6, found


def test_mean(folder):
    """What is the mean of such weights is said not to be weights."""
    out = folder / "mean.json"
    run("convert", TESTS / "model/checkpoints/gpt-oss", "--ids=5,6,7,8,9", "--combine=mean", "--output", out)
    assert json.loads(out.read_text())["quantity"] == "weight · mean over heads"
    assert "do not sum" not in run("info", out).stdout


def test_scores(folder):
    """Of scores, the softmax that they are taken through has the sink too."""
    dump = make_dump([[0.5, -3], [2, 0], [30, -30]])
    scores = [[[[sum(a * b for a, b in zip(query, key)) * dump["scale"] for key in keys] for query in queries]
               for queries, keys in zip(*layer)] for layer in zip(dump["queries"], dump["keys"])]
    path, out = folder / "scores.json", folder / "weights.json"
    path.write_text(json.dumps({"attention": scores, "causal": 1, "sinks": dump["sinks"], "tokens": dump["tokens"]}))
    run("convert", path, "--softmax", "--store", "weights", "--output", out)
    found = json.loads(out.read_text())["attention"]
    for layer in range(3):
        for head in range(2):
            for row, expected in zip(found[layer][head], attend(dump, layer, head)):
                assert all(abs(x - y) < 1e-6 for x, y in zip(row, expected)), (layer, head, row, expected)


def test_no_partner(folder):
    """In the difference from a layer without attention, it is said why nothing is seen."""
    ids = "--ids=5,6,7,8,9"
    other = folder / "other.h5"
    run("recompute", TESTS / "model/checkpoints/qwen35", ids, "--output", other)
    difference = ["render", TESTS / "model/checkpoints/gpt-oss", ids, "--view=heatmap", f"--difference={other}", "--output",
                  folder / "difference.svg"]
    for layer, said in ((0, True), (1, False)):
        run(*difference, f"--layer={layer}")
        assert ("no attention in this layer" in (folder / "difference.svg").read_text()) == said, layer
    assert f"{other}: there is no attention in layer 0\n" in run(*difference, "--other-layer=0", status=1).stderr


def main():
    tests = [test_weights, test_some_layers, test_layers_of_several_sizes, test_faults, test_model, test_column, test_pages, test_numbers,
             test_between_others, test_names, test_mean, test_scores, test_no_partner]
    print(f"1..{len(tests)}")
    failed = False
    for number, test in enumerate(tests, 1):
        try:
            with tempfile.TemporaryDirectory() as folder:
                test(pathlib.Path(folder))
            print(f"ok {number} {test.__name__}")
        except AssertionError as error:
            failed = True
            print(f"not ok {number} {test.__name__}\n# {error}")
    sys.exit(failed)


if __name__ == "__main__":
    main()

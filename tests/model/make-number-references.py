#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes head-numbers.json: numbers of heads, in float64, of what PyTorch computes.

Needs torch, transformers and h5py.  Of tiny models on some token numbers, and of MiniLM on a sentence; numbers as they are defined, one map
at a time, with nothing of what the program does to have them faster; of MiniLM also how often heads are right about the sentences of
annotated.conllu of the gallery.

  make-number-references.py FOLDER   FOLDER holds all-MiniLM-L6-v2
"""

import importlib.util
import json
import pathlib
import re
import sys
import unicodedata

import numpy as np
import torch
import transformers as T

HERE = pathlib.Path(__file__).resolve().parent
TEXT = "The engineers, who built it, had never seen anything like it."
SEED, PERIOD = 7, 9
QUERIES, KEYS = (6, 9), (1, 3)  # of retrieval, with the last


def load_quantities():
    spec = importlib.util.spec_from_file_location("quantities", HERE / "make-quantity-references.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


Q = load_quantities()


def draw(seed):
    """SplitMix64."""
    mask = 2**64 - 1
    while True:
        seed = seed + 0x9E3779B97F4A7C15 & mask
        z = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
        yield z ^ z >> 31


def make_text(size, names):
    """PERIOD random tokens written twice; special ones are drawn again."""
    ids = []
    for number in draw(SEED):
        name = names(number % size)
        if name is None or not re.fullmatch(r"\[[A-Z]+\]", name):
            ids.append(number % size)
        if len(ids) == PERIOD:
            return ids * 2


def sum_classes(names, gets):
    """What each class of keys gets: gets[j] on key j, mean over queries."""
    sums = dict.fromkeys(("cls", "sep", "bare-first", "punctuation", "other"), 0.0)
    for j, name in enumerate(names):
        if name == "[CLS]":
            kind = "cls"
        elif name == "[SEP]":
            kind = "sep"
        elif j == 0:
            kind = "bare-first"
        elif is_punctuation(name):
            kind = "punctuation"
        else:
            kind = "other"
        sums[kind] += gets[j]
    return {**sums, "special": sum(g for name, g in zip(names, gets) if re.fullmatch(r"\[[A-Z]+\]", name))}


def is_punctuation(name):
    return all(unicodedata.category(c).startswith("P") for c in name)


def measure_queries(a, names):
    """What [SEP] and all others give to [SEP], and the entropy of what [CLS] gives."""
    ends = np.array([name == "[SEP]" for name in names])
    opens = a[[name == "[CLS]" for name in names]]
    return {"sep-to-sep": a[ends][:, ends].sum(1).mean(), "others-to-sep": a[~ends][:, ends].sum(1).mean(),
            "entropy-cls": -(opens * np.log(opens)).sum(1).mean()}


def measure_lengths(norms, names):
    """The mean length of the vectors of each class of tokens."""
    classes = {"special": lambda name: name in ("[CLS]", "[SEP]"), "cls": lambda name: name == "[CLS]", "sep": lambda name: name == "[SEP]",
               "punctuation": is_punctuation, "other": lambda name: name not in ("[CLS]", "[SEP]") and not is_punctuation(name)}
    return {f"length-{kind}": norms[[has(name) for name in names]].mean() for kind, has in classes.items()}


def diagonal(a, offset):
    """The mean over all queries of what each gives to the key so far from its place, 0 where there is none."""
    return np.trace(a, offset) / len(a)


def name_pattern(a):
    v = a.mean(0).max()
    d = max(diagonal(a, offset) for offset in range(-3, 4))
    if v >= 0.25:
        return "vertical+diagonal" if d >= 0.25 else "vertical"
    return "diagonal" if d >= 0.25 else "heterogeneous"


def measure_head(a, norms, names):
    positive = np.where(a > 0, a, 1)
    found = {"retrieval": a[QUERIES[0]:QUERIES[1] + 1, KEYS[0]:KEYS[1] + 1].sum(1).mean()}
    found |= {"entropy": -(a * np.log(positive)).sum(1).mean(), "first": a[:, 0].mean(), "sink": a[:, 0].mean()}
    weighted = a * norms
    total = weighted.sum(1).mean()
    found["norm-mass-first"] = weighted[:, 0].mean()
    found["norm-share-first"] = weighted[:, 0].mean() / total
    found["length-first"] = norms[0]
    if names is not None:
        found |= measure_queries(a, names) | measure_lengths(norms, names)
        for kind, mass in sum_classes(names, a.mean(0)).items():
            found["special" if kind == "special" else f"mass-{kind}"] = mass
        for kind, mass in sum_classes(names, weighted.mean(0)).items():
            found[f"norm-mass-{kind}"], found[f"norm-share-{kind}"] = mass, mass / total
    return found


def measure_place(a, norms):
    n = len(a)
    weighted = a * norms
    total = weighted.sum(1).mean()
    found = {"distance": (a * abs(np.arange(n)[:, None] - np.arange(n))).sum(1).mean(), "pattern": name_pattern(a)}
    for name, offset in (("previous", -1), ("self", 0), ("next", 1)):
        found[name] = diagonal(a, offset)
        found[f"norm-mass-{name}"] = diagonal(weighted, offset)
        found[f"norm-share-{name}"] = diagonal(weighted, offset) / total
    return found


def measure(model, inputs, kinds, names):
    """Of each kind of attention a row for each layer and head."""
    found = {}
    out, values = Q.run(model, inputs, kinds)
    for kind, (layers, _, output, norm_name) in kinds.items():
        rows = []
        for number, block in enumerate(model.get_submodule(layers)):
            a = out[Q.ATTENTIONS[kind]][number][0].numpy()
            projection = block.get_submodule(output)
            vectors = Q.transform(values[kind, number], projection, len(a))
            if kind != "cross":
                stream = out[Q.STATES[kind]][number][0].numpy()
                norm = block.get_submodule(norm_name) if norm_name else None
                mixing = {"mixing": Q.measure_mixing(a, vectors, stream, projection, norm).mean()} if Q.mixes(block) else {}
            for head, weights in enumerate(a):
                norms = np.linalg.norm(vectors[head], axis=-1)
                row = measure_head(weights, norms, names)
                if kind != "cross":
                    row |= measure_place(weights, norms) | mixing
                rows.append(row)
        found[kind] = rows
    return found


def add_random(rows, model, inputs, kinds):
    """The diagonals of random tokens written twice; of a decoder behind an encoder they are its own."""
    out, _ = Q.run(model, inputs, kinds)
    for kind in kinds:
        if kind == "cross":
            continue
        maps = np.concatenate([layer[0].numpy() for layer in out[Q.ATTENTIONS[kind]]])
        for row, a in zip(rows[kind], maps):
            for name, offset in (("previous-token", 1), ("duplicate-token", PERIOD), ("induction", PERIOD - 1)):
                row[name] = np.diagonal(a, -offset).mean()


def read_sentences(path):
    """Words, heads, and mentions as head word and entity, of each sentence; no mention is longer than its sentence."""
    for block in path.read_text().strip().split("\n\n"):
        rows = [line.split("\t") for line in block.splitlines() if not line.startswith("#")]
        mentions = []
        for place, row in enumerate(rows):
            for entity, head in re.findall(r"\((e\d+)-\w+-(\d+)-", row[9]):
                mentions.append((place + int(head) - 1, entity))
        yield [row[1] for row in rows], [int(row[6]) - 1 for row in rows], sorted(mentions)


def find_most(words, i):
    """The other word that most weight goes to, of each head."""
    row = words[:, i].copy()
    row[:, i] = -1
    return row.argmax(1)


def probe(model, tokenizer, path):
    """How often each head is right: about dependents, about governors, about mentions."""
    right, n, n_mentions = {"dependent": 0, "governor": 0, "coreference": 0}, 0, 0
    for words, heads, mentions in read_sentences(path):
        encoding = tokenizer(words, is_split_into_words=True, return_tensors="pt")
        with torch.no_grad():
            maps = torch.cat(model(**encoding, output_attentions=True).attentions).flatten(0, 1).numpy()
        member = np.array([[place == word for place in encoding.word_ids()] for word in range(len(words))], float)
        pooled = np.einsum("wi,hij,vj->hwv", member / member.sum(1, keepdims=True), maps, member)
        for i, head in enumerate(heads):
            if head >= 0:
                right["dependent"] = right["dependent"] + (find_most(pooled, i) == head)
                right["governor"] = right["governor"] + (find_most(pooled.transpose(0, 2, 1), i) == head)
                n += 1
        for k, (place, entity) in enumerate(mentions):
            antecedents = [other for other, name in mentions[:k] if name == entity]
            if antecedents:
                right["coreference"] = right["coreference"] + np.isin(find_most(pooled, place), antecedents)
                n_mentions += 1
    return {name: (count / (n_mentions if name == "coreference" else n)).tolist() for name, count in right.items()}


def make(model, kinds, ids, names, size, name_of):
    def get_inputs(numbers):
        tensor = torch.tensor(numbers)[None]
        return {"input_ids": tensor} | ({"decoder_input_ids": tensor} if "decoder" in kinds else {})

    rows = measure(model, get_inputs(ids), kinds, names)
    add_random(rows, model, get_inputs(make_text(size, name_of)), kinds)
    return {"ids": ids, "rows": {kind: {nick: [row[nick] for row in heads] for nick in heads[0]} for kind, heads in rows.items()}}


def main():
    torch.set_num_threads(1)
    found = {"seed": SEED, "period": PERIOD, "queries": QUERIES, "keys": KEYS, "text": TEXT}
    for name, (model_class, kinds) in Q.MODELS.items():
        model = model_class.from_pretrained(HERE / "checkpoints" / name, attn_implementation="eager", dtype=torch.float64).eval()
        ids = [number * 7 % model.config.vocab_size for number in range(3, 15)]
        found[name] = make(model, kinds, ids, None, model.config.vocab_size, lambda number: None)
        print(name)
    tokenizer = T.AutoTokenizer.from_pretrained(sys.argv[1])
    model = T.AutoModel.from_pretrained(sys.argv[1], attn_implementation="eager", dtype=torch.float64).eval()
    ids = tokenizer(TEXT)["input_ids"]
    found["minilm"] = make(model, Q.MODELS["bert"][1], ids, tokenizer.convert_ids_to_tokens(ids), model.config.vocab_size,
                           tokenizer.convert_ids_to_tokens)
    found["probe"] = probe(model, tokenizer, HERE.parents[1] / "data/gallery/annotated.conllu")
    (HERE / "head-numbers.json").write_text(json.dumps(json.loads(json.dumps(found), parse_float=lambda x: round(float(x), 9)), separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()

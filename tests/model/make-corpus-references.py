#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Numbers of heads over several texts, and heads held against annotated sentences, with PyTorch in float64 and NumPy.

Needs torch and transformers.  Writes corpus-references.json beside itself: a vocabulary for checkpoints/bert, texts, sentences in CoNLL-U,
and what `headlight-cli stats --texts` and `probe` should say of them.  Words and trees are random.
"""

import json
import pathlib
import random

import numpy as np
import torch
import transformers as T

HERE = pathlib.Path(__file__).resolve().parent
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
STEMS = ["walk", "talk", "open", "read", "call", "help", "play", "work"]
PIECES = ["##s", "##ed", "##ing", "##er"]
WORDS = ["the", "a", "she", "he", "it", "we", "they", "cat", "dog", "bird", "house", "river", "road", "and", "but", "old", "new", "red", "to", "of",
         "in", "on", "by", "for", "not", "so", "then", "now", "here", "there", "up", "down", "out", "off", "one", "two", "day", "way", "man", "sea"]
VOCABULARY = (SPECIAL + STEMS + PIECES + [".", ",", "!"] + WORDS)[:60]
RELATIONS = ["nsubj", "obj", "det", "punct"]
LIMIT = 32


def pieces(word):
    word = word.lower()
    for stem in STEMS:
        if word.startswith(stem) and word != stem:
            return [stem, "##" + word[len(stem):]]
    return [word]


def encode(words):
    """Tokens with [CLS] and [SEP], and of each word the first token and how many."""
    tokens, runs = ["[CLS]"], []
    for word in words:
        own = pieces(word)[:LIMIT - 1 - len(tokens)]
        runs.append((len(tokens), len(own)))
        tokens += own
    return tokens + ["[SEP]"], runs


def attend(model, tokens):
    ids = torch.tensor([[VOCABULARY.index(token) for token in tokens]])
    with torch.no_grad():
        return np.stack([layer[0].numpy() for layer in model(ids, output_attentions=True).attentions])


def measure(maps, tokens):
    """[numbers, layers · heads]"""
    n = len(tokens)
    maps = maps.reshape(-1, n, n)
    distance = np.abs(np.arange(n)[:, None] - np.arange(n))
    special = np.array([token in SPECIAL for token in tokens])
    logs = np.log(np.where(maps > 0, maps, 1))
    return {
        "entropy": -(maps * logs).sum(-1).mean(-1),
        "distance": (maps * distance).sum(-1).mean(-1),
        "first": maps[:, :, 0].mean(-1),
        "special": (maps * special).sum(-1).mean(-1),
        "previous": np.trace(maps, -1, 1, 2) / n,
        "next": np.trace(maps, 1, 1, 2) / n,
        "self": np.trace(maps, 0, 1, 2) / n,
        "sink": maps[:, :, 0].mean(-1),
    }


def pool(maps, runs):
    """[layers · heads, words, words]: the mean over tokens of a query of the sum over those of a key."""
    maps = maps.reshape(-1, *maps.shape[2:])
    keys = np.stack([maps[:, :, first:first + n].sum(-1) for first, n in runs], -1)
    return np.stack([keys[:, first:first + n].mean(1) if n else keys[:, :1].sum(1) * 0 for first, n in runs], 1)


def find_most(words, i, transposed):
    column = (words[:, :, i] if transposed else words[:, i]).copy()
    column[:, i] = 0
    return np.where(column.max(-1) > 0, column.argmax(-1), -1)


def make_sentence(generator):
    n = generator.randint(4, 11)
    words = [generator.choice([stem + piece[2:] for stem in STEMS for piece in PIECES] + STEMS + VOCABULARY[20:]) for _ in range(n)] + ["."]
    root = generator.randrange(n + 1)
    heads = [-1 if i == root else generator.choice([j for j in range(max(0, i - 3), min(n + 1, i + 4)) if j != i]) for i in range(n + 1)]
    mentions = {i: generator.randrange(3) for i in generator.sample(range(n), 2)}
    return words, heads, [generator.choice(RELATIONS) for _ in words], mentions


def to_conllu(documents):
    lines = []
    for i, document in enumerate(documents):
        lines.append(f"# newdoc id = {i}")
        for words, heads, relations, mentions in document:
            for j, word in enumerate(words):
                misc = [f"Entity=(e{mentions[j]}-x-1)"] if j in mentions else []
                misc += ["SpaceAfter=No"] if j + 2 == len(words) else []
                head = "0" if heads[j] < 0 else str(heads[j] + 1)
                relation = "root" if heads[j] < 0 else relations[j]
                lines.append("\t".join([str(j + 1), word, "_", "_", "_", "_", head, relation, "_", "|".join(misc) or "_"]))
            lines.append("")
    return "\n".join(lines) + "\n"


def pack(documents):
    """As many sentences of a document at a time as the model takes."""
    for document in documents:
        part, size = [], 0
        for sentence in document:
            own = sum(len(pieces(word)) for word in sentence[0])
            if part and size + own > LIMIT - 2:
                yield part
                part, size = [], 0
            part.append(sentence)
            size += own
        yield part


def probe(model, documents):
    counts, offsets, n = {}, {}, {}
    for words, heads, relations, _ in (sentence for document in documents for sentence in document):
        tokens, runs = encode(words)
        pooled = pool(attend(model, tokens), runs)
        for i, head in enumerate(heads):
            if head < 0:
                continue
            right = np.stack([find_most(pooled, i, False) == head, find_most(pooled, i, True) == head])
            for name in ("all", relations[i]):
                counts[name] = counts.get(name, 0) + right
                n[name] = n.get(name, 0) + 1
                offsets.setdefault(name, {}).setdefault(head - i, 0)
                offsets[name][head - i] += 1
    found, n_mentions, nearest, same = 0, 0, 0, 0
    for part in pack(documents):
        words, mentions = [], []
        for own, _, _, named in part:
            mentions += [(len(words) + i, entity) for i, entity in sorted(named.items())]
            words += own
        tokens, runs = encode(words)
        pooled = pool(attend(model, tokens), runs)
        for k, (i, entity) in enumerate(mentions):
            before = mentions[:k][::-1]
            antecedents = [j for j, other in before if other == entity]
            if not antecedents:
                continue
            n_mentions += 1
            found = found + np.isin(find_most(pooled, i, False), antecedents)
            nearest += before[0][1] == entity
            alike = [other for j, other in before if words[j] == words[i]] or [before[0][1]]
            same += alike[0] == entity
    return {
        "relations": {name: {"n": n[name], "dependent": (counts[name][0] / n[name]).tolist(), "governor": (counts[name][1] / n[name]).tolist(),
                             "baseline": max(offsets[name].values()) / n[name]} for name in counts},
        "coreference": {"n": n_mentions, "accuracy": (found / n_mentions).tolist(), "nearest": nearest / n_mentions, "same word": same / n_mentions},
    }


def main():
    generator = random.Random(5)
    model = T.BertModel.from_pretrained(HERE / "checkpoints/bert", attn_implementation="eager").double().eval()
    documents = [[make_sentence(generator) for _ in range(generator.randint(1, 5))] for _ in range(8)]
    texts = [make_sentence(generator)[0] for _ in range(9)]
    texts.append([word for text in texts for word in text])  # longer than the model takes
    numbers = []
    for text in texts:
        tokens, _ = encode(text)
        numbers.append(measure(attend(model, tokens), tokens))
    values = {name: np.stack([text[name] for text in numbers]) for name in numbers[0]}
    (HERE / "corpus-references.json").write_text(json.dumps({
        "vocabulary": VOCABULARY,
        "texts": [" ".join(text) for text in texts],
        "numbers": {name: {"mean": value.mean(0).tolist(), "sd": value.std(0, ddof=1).tolist()} for name, value in values.items()},
        "conllu": to_conllu(documents),
        "probe": probe(model, documents),
    }, indent=1) + "\n")


if __name__ == "__main__":
    main()

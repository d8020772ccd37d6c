#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes what corpus-folder, corpus-tokenizer and corpus-lists begin with: the models, adapters and tokenizers of the tests, made small.

Usage: make-corpus.py

Of weights the headers remain, as their numbers are zero in fuzz-folder; of a vocabulary what the first tokens need. What a run of the
fuzzer adds under another name stays.
"""

import json
import pathlib
import struct

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent
TOKENS = 40

MODELS = ["bert-prefixed", "bert-sharded", "deberta-v2-conv", "gpt2", "llama-yarn", "t5-gated", "deepseek-v3", "qwen35-moe", "gemma4-dense", "gpt-oss-mxfp4"]


def pack(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def read_header(path):
    data = path.read_bytes()
    length, = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length])
    header.pop("__metadata__", None)
    return pack(header)


def join(files):
    """Returns an input of fuzz-folder: names and bytes."""
    return b"".join(b"@@ " + name.encode() + b"\n" + data + b"\n" for name, data in files)


def read_folder(folder):
    files = []
    for path in sorted(folder.iterdir()):
        if path.suffix == ".safetensors":
            files.append((path.name, read_header(path)))
        elif path.suffix == ".json":
            files.append((path.name, pack(json.loads(path.read_text()))))
    return files


def cut_tokenizer(path):
    """Returns a tokenizer.json with few tokens."""
    tokenizer = json.loads(path.read_text())
    model = tokenizer["model"]
    vocab = model["vocab"]
    if isinstance(vocab, list):
        model["vocab"] = vocab[:TOKENS]
        n = len(model["vocab"])
    else:
        kept = sorted(vocab, key=vocab.get)[:TOKENS]
        merges = []
        for merge in model.get("merges", []):
            first, second = merge if isinstance(merge, list) else merge.split(" ")
            if len(merges) < 8 and len(kept) < 2 * TOKENS and first + second in vocab:
                merges.append(merge)
                kept += [token for token in (first, second, first + second) if token not in kept]
        model["vocab"] = {token: index for index, token in enumerate(kept)}
        if "merges" in model:
            model["merges"] = merges
        n = len(kept)
    for index, token in enumerate(tokenizer.get("added_tokens", [])[:6]):
        token["id"] = index
    tokenizer["added_tokens"] = tokenizer.get("added_tokens", [])[:6]
    assert n
    return pack(tokenizer)


def write(corpus, name, data):
    folder = HERE / corpus
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(data)


def main():
    for name in MODELS:
        write("corpus-folder", name, join(read_folder(TESTS / "model/checkpoints" / name)))
    write("corpus-folder", "clip-vision", join(read_folder(TESTS / "model/vision/clip-vision")))
    lora = read_folder(TESTS / "model/folders/lora")
    write("corpus-folder", "lora", join(lora))

    words = "\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "cat", "##s"]).encode()
    bert = [file for file in read_folder(TESTS / "model/checkpoints/bert")]
    write("corpus-folder", "vocab", join(bert[:1] + [
        ("vocab.txt", words), ("tokenizer_config.json", pack({"do_lower_case": True, "model_max_length": 12, "tokenizer_class": "BertTokenizer"})),
        ("special_tokens_map.json", pack({"cls_token": "[CLS]", "sep_token": {"content": "[SEP]"}}))] + bert[1:]))
    pairs = pack({token: index for index, token in enumerate(["<s>", "</s>", "<unk>", "a", "b", "c", "t", "ca", "cat", "Ġ"])})
    write("corpus-folder", "merges", join(bert[:1] + [
        ("vocab.json", pairs), ("merges.txt", b"#version: 0.2\nc a\nca t"), ("added_tokens.json", pack({"<mask>": 10}))] + bert[1:]))

    for path in sorted((TESTS / "tokenizer").glob("*.json")):
        tokenizer = json.loads(path.read_text())
        if isinstance(tokenizer, dict) and "vocab" in tokenizer.get("model", {}):
            small = cut_tokenizer(path)
            # Some hold a table of characters that is larger than all else.
            if len(small) < 4096:
                write("corpus-tokenizer", path.stem, small)

    # What expressions are written with, a few in each.
    cases = [json.loads(case["tokenizer"]) for case in json.loads((TESTS / "tokenizer/cases.json").read_text())["cases"]]
    splits = [case["pre_tokenizer"] for case in cases if (case.get("pre_tokenizer") or {}).get("type") == "Split"]
    for first in range(0, len(splits), 12):
        steps = {"type": "Sequence", "pretokenizers": splits[first : first + 12]}
        model = {"type": "WordLevel", "vocab": {"?": 0, "a": 1}, "unk_token": "?"}
        write("corpus-tokenizer", f"patterns-{first}", pack({"model": model, "pre_tokenizer": steps}))

    # What calls a group where PCRE2 lets it, what refers back without a step, and a model without a token for what is unknown.
    for name, regex in {"calls": r"(?:(.*\K)){0}(?=(?1))", "references": r"(a*)" + 9 * "(?:" + r"(?=\1)" + 9 * "){2}" + "[bc]"}.items():
        split = {"type": "Split", "pattern": {"Regex": regex}, "behavior": "Isolated"}
        write("corpus-tokenizer", name, pack({"model": model, "pre_tokenizer": split}))
    write("corpus-tokenizer", "no-unknown", pack({"model": {"type": "Unigram", "unk_id": None, "vocab": [["H", -1], ["e", -2], ["l", -3], ["o", -4]]}}))

    for name, data in {
            "json": b'["The", "c\\u0061t", "\\ud83d\\ude00", ""]', "lines": b"The\ncat\r\n\n[", "mark": b"\xef\xbb\xbfThe\ncat",
            "axes": b"layer,example=0,head,query,key", "letters": b"step,layer,example,head,query,key", "pair": b"The -> ca\\nt",
            "positions": b"0 -> 1\n# of them\n\"The\" -> 1\tname", "arrow": "The → ca\\nt".encode()}.items():
        write("corpus-lists", name, data)


if __name__ == "__main__":
    main()

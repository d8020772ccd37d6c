#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trains small models of SentencePiece, and says what the library makes of the corpus with them.

Usage: make-pieces.py [NAME ...]

Writes pieces/NAME: the model under the name that such a folder has it by, the JSON that says which family it is for, and sums.txt, the MD5 sum
of the ids of each hundred lines, with the ids and the special tokens of the family as transformers makes them: what is between special tokens
of a line is cut for itself.  Needs sentencepiece and
tokenizers.
"""

import hashlib
import io
import json
import pathlib
import re
import shutil
import struct
import sys

import sentencepiece
from tokenizers import normalizers

import corpus

HERE = pathlib.Path(__file__).parent / "pieces"

# What is replaced: some of what NFKC does, and spaces of other kinds.  Nothing that marks can follow: those SentencePiece and the library
# tokenizers, which is what counts here, treat differently.
RULES = {"\t": " ", "\n": " ", "\r": " ", "\u200b": "", "\ufb01": "fi",
         "\u00bd": "1\u20442", "\u2026": "..."}
SPECIAL = {"unk_id": 0, "bos_id": 1, "eos_id": 2, "pad_id": -1}


def shift(ids, offset, unknown):
    return [unknown if i == 0 else i + offset for i in ids]


def lower(text):
    """As ALBERT's tokenizer does."""
    steps = (normalizers.Replace("``", '"'), normalizers.Replace("''", '"'), normalizers.NFKD(), normalizers.StripAccents(),
             normalizers.Lowercase())
    return normalizers.Sequence(list(steps)).normalize_str(text)


# name: the file, the other files, how it is trained, what is done to a text, and what becomes of the ids.
KINDS = {
    "xlm-roberta": ("sentencepiece.bpe.model", {"tokenizer_config.json": {"tokenizer_class": "XLMRobertaTokenizer"}},
                    {"model_type": "unigram", **SPECIAL}, str, lambda ids: [0, *shift(ids, 1, 3), 2]),
    "camembert": ("sentencepiece.bpe.model", {"config.json": {"model_type": "camembert"}},
                  {"model_type": "unigram", **SPECIAL}, str, lambda ids: [5, *shift(ids, 4, 3), 6]),
    "t5": ("spiece.model", {"tokenizer_config.json": {"tokenizer_class": "T5TokenizerFast"}},
           {"model_type": "unigram", "pad_id": 0, "eos_id": 1, "unk_id": 2, "bos_id": -1}, str, lambda ids: [*ids, 1]),
    "mt5": ("spiece.model", {"config.json": {"model_type": "mt5"}},
            {"model_type": "unigram", "pad_id": 0, "eos_id": 1, "unk_id": 2, "bos_id": -1, "byte_fallback": True}, str,
            lambda ids: [*ids, 1]),
    "albert": ("spiece.model", {"config.json": {"model_type": "albert"}},
               # With more pieces, two ways to cut a line are equally likely.
               {"model_type": "unigram", "vocab_size": 450, "pad_id": 0, "unk_id": 1, "bos_id": -1, "eos_id": -1,
                "control_symbols": ["[CLS]", "[SEP]", "[MASK]"]}, lower, lambda ids: [2, *ids, 3]),
    "llama": ("tokenizer.model", {"config.json": {"model_type": "llama"}},
              {"model_type": "bpe", **SPECIAL, "byte_fallback": True, "remove_extra_whitespaces": False,
               "allow_whitespace_only_pieces": True, "split_digits": True, "normalization": "identity"}, str, lambda ids: [1, *ids]),
    "gemma": ("tokenizer.model", {"tokenizer_config.json": {"tokenizer_class": "GemmaTokenizer"}},
              {"model_type": "bpe", "pad_id": 0, "eos_id": 1, "bos_id": 2, "unk_id": 3, "byte_fallback": True,
               "remove_extra_whitespaces": False, "add_dummy_prefix": False, "allow_whitespace_only_pieces": True,
               "bos_piece": "<bos>", "eos_piece": "<eos>", "normalization": "identity"}, str, lambda ids: [2, *ids]),
}


def get_special(name, processor):
    """Tokens that stand for no text, and their ids."""
    pieces = {processor.id_to_piece(i): i for i in range(len(processor)) if processor.is_control(i) or processor.is_unknown(i)}
    n = len(processor)
    if name == "xlm-roberta":
        return {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "<mask>": n + 1}
    if name == "camembert":
        return {"<s>": 5, "</s>": 6, "<pad>": 1, "<unk>": 3, "<mask>": n + 4}
    if name == "t5":
        return pieces | {f"<extra_id_{i}>": n + 99 - i for i in range(100)}
    return pieces


def encode(text, processor, special, prepare, finish):
    parts = re.split("(" + "|".join(map(re.escape, special)) + ")", text)
    # What begins and ends a text is put around all of it.
    whole = finish([])
    before = finish([7])
    at = next(i for i in range(len(before)) if i >= len(whole) or before[i] != whole[i])
    ids = []
    for part, following in zip(parts, [*parts[1:], ""]):
        # Masks take the spaces before them.
        part = part.rstrip() if following in ("<mask>", "[MASK]") else part
        if part in special:
            ids.append(special[part])
        elif part:
            piece_ids = finish(processor.encode(prepare(part)))
            ids += piece_ids[at:len(piece_ids) - (len(whole) - at)]
    return [*whole[:at], *ids, *whole[at:]]


def train(options):
    options = {"vocab_size": 700} | options
    rules = options.pop("normalization", None)
    path = HERE / "rules.tsv"
    if rules is None:
        path.write_text("".join("\t".join(" ".join(f"{ord(c):X}" for c in part) for part in rule) + "\n" for rule in RULES.items()))
        options["normalization_rule_tsv"] = str(path)
    else:
        options["normalization_rule_name"] = rules
    # Words that most of the corpus is made of; what else is in it is unknown to the models.
    words = [word for word in corpus.WORDS if word.strip() and "\n" not in word and "aaaa" not in word]
    numbers = corpus.Numbers(1)
    texts = [" ".join(words[numbers.next(len(words))] for _ in range(12)) for _ in range(6000)]
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(texts), model_writer=model, hard_vocab_limit=False,
                                             character_coverage=0.98, minloglevel=2, num_threads=1, **options)
    path.unlink(missing_ok=True)
    return model.getvalue()


def main():
    for name, (file, others, options, prepare, finish) in KINDS.items():
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        folder = HERE / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        model = train(options)
        (folder / file).write_bytes(model)
        for other, content in others.items():
            (folder / other).write_text(json.dumps(content) + "\n")
        processor = sentencepiece.SentencePieceProcessor(model_proto=model)
        special = get_special(name, processor)
        texts = [case[0] for case in corpus.cases()]
        print(name, len(model), "bytes", len(processor), "pieces")
        with open(folder / "sums.txt", "w", encoding="ascii") as sums:
            for first in range(0, len(texts), corpus.BLOCK):
                total = hashlib.md5()
                for text in texts[first:first + corpus.BLOCK]:
                    ids = encode(text, processor, special, prepare, finish)
                    total.update(struct.pack(f"<{len(ids) + 1}I", len(ids), *ids))
                print(total.hexdigest()[:16], file=sums)


if __name__ == "__main__":
    main()

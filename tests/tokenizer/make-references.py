#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes small tokenizers of every kind, and says what the Python `tokenizers` library makes of the corpus.

Usage: make-references.py CHARSMAP [NAME…]

CHARSMAP is a file with SentencePiece's table of replacements, that is normalizer_spec.precompiled_charsmap of
any model that SentencePiece trained with its own nmt_nfkc rules.  For each tokenizer NAME.json is written, and
NAME.txt: MD5 sums of the ids and segments and of the offsets, in bytes, of each hundred cases, and the ids of the
first hundred.  The pipelines are those of the families that they are named after; only the vocabularies are small.
"""

import collections
import functools
import hashlib
import itertools
import json
import pathlib
import random
import struct
import sys

from tokenizers import (
    AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers,
)

import corpus

HERE = pathlib.Path(__file__).parent
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
GPT4 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
O200K = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
ALPHABET = pre_tokenizers.ByteLevel.alphabet()


@functools.cache
def lines():
    return [corpus.line(i) for i in range(0, 12000, 3)]


def train(tokenizer, trainer):
    tokenizer.train_from_iterator(lines(), trainer)
    return tokenizer


def template(single, pair, tokenizer, *names):
    ids = [(name, tokenizer.token_to_id(name)) for name in names]
    return processors.TemplateProcessing(single=single, pair=pair, special_tokens=ids)


def bert(lowercase, strip_accents=None):
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lowercase, strip_accents=strip_accents)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    train(tokenizer, trainers.WordPieceTrainer(vocab_size=1500, special_tokens=specials, show_progress=False))
    tokenizer.post_processor = template(
        "[CLS]:0 $A:0 [SEP]:0", "[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1", tokenizer, "[CLS]", "[SEP]"
    )
    tokenizer.add_tokens([AddedToken("Added", single_word=True), AddedToken("<special>", lstrip=True)])
    return tokenizer


def byte_bpe(specials, pre_tokenizer, normalizer=None, size=1200, **options):
    tokenizer = Tokenizer(models.BPE(**options))
    tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = pre_tokenizer
    trainer = trainers.BpeTrainer(
        vocab_size=size, special_tokens=specials, initial_alphabet=ALPHABET, show_progress=False
    )
    return train(tokenizer, trainer)


def gpt2():
    tokenizer = byte_bpe(["<|endoftext|>"], pre_tokenizers.ByteLevel(add_prefix_space=False))
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    return tokenizer


def roberta():
    specials = ["<s>", "<pad>", "</s>", "<unk>", AddedToken("<mask>", lstrip=True, special=True)]
    tokenizer = byte_bpe(specials, pre_tokenizers.ByteLevel(add_prefix_space=True))
    tokenizer.post_processor = processors.RobertaProcessing(
        ("</s>", 2), ("<s>", 0), add_prefix_space=True, trim_offsets=True
    )
    return tokenizer


def neox():
    tokenizer = byte_bpe(
        ["<|endoftext|>", "<|padding|>"], pre_tokenizers.ByteLevel(add_prefix_space=False), normalizers.NFC()
    )
    tokenizer.add_tokens([AddedToken(" " * n, normalized=True) for n in range(12, 1, -1)])
    tokenizer.post_processor = template("$A:0 <|endoftext|>:0", "$A:0 $B:1 <|endoftext|>:1", tokenizer, "<|endoftext|>")
    return tokenizer


def split_then_bytes(regex):
    return pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(regex), behavior="isolated", invert=False),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ])


def llama3():
    tokenizer = byte_bpe(["<|endoftext|>", "<s>"], split_then_bytes(GPT4), ignore_merges=True)
    tokenizer.post_processor = processors.Sequence([
        processors.ByteLevel(trim_offsets=True),
        template("<s>:0 $A:0", "<s>:0 $A:0 <s>:1 $B:1", tokenizer, "<s>"),
    ])
    return tokenizer


def qwen():
    regex = GPT4.replace(r"\p{N}{1,3}", r"\p{N}")
    tokenizer = byte_bpe(["<|endoftext|>"], split_then_bytes(regex), normalizers.NFC())
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    return tokenizer


def o200k():
    return byte_bpe(["<|endoftext|>"], split_then_bytes(O200K))


def with_bytes(size, specials, normalizer, **options):
    """Trains BPE on characters, and adds the 256 tokens that bytes fall back to."""
    alphabet = sorted({c for text in lines() for c in text if c.isascii() and c.isprintable()} | {"▁"})
    trained = Tokenizer(models.BPE(unk_token="<unk>"))
    trained.normalizer = normalizer
    trained.pre_tokenizer = pre_tokenizers.Split("▁", "merged_with_next")
    trainer = trainers.BpeTrainer(
        vocab_size=size, special_tokens=specials + BYTES, initial_alphabet=alphabet, limit_alphabet=300,
        show_progress=False,
    )
    trained.train_from_iterator(lines(), trainer)
    model = json.loads(trained.to_str())["model"]
    merges = [tuple(merge) for merge in model["merges"]]
    result = Tokenizer(models.BPE(model["vocab"], merges, unk_token="<unk>", byte_fallback=True, **options))
    result.add_special_tokens(specials)
    return result


def llama():
    normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    tokenizer = with_bytes(1400, ["<unk>", "<s>", "</s>"], normalizer, fuse_unk=True)
    tokenizer.normalizer = normalizer
    tokenizer.post_processor = template("<s>:0 $A:0", "<s>:0 $A:0 <s>:1 $B:1", tokenizer, "<s>")
    return tokenizer


def mistral():
    tokenizer = with_bytes(1400, ["<unk>", "<s>", "</s>"], normalizers.Replace(" ", "▁"), fuse_unk=True)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="first", split=False)
    tokenizer.post_processor = template("<s>:0 $A:0", "<s>:0 $A:0 <s>:1 $B:1", tokenizer, "<s>")
    return tokenizer


def gemma():
    tokenizer = with_bytes(1400, ["<pad>", "</s>", "<s>", "<unk>"], normalizers.Replace(" ", "▁"), fuse_unk=True)
    tokenizer.normalizer = normalizers.Replace(" ", "▁")
    tokenizer.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    tokenizer.add_tokens([AddedToken("\n" * n, normalized=False) for n in range(2, 6)])
    tokenizer.post_processor = template("<s>:0 $A:0", "<s>:0 $A:0 <s>:1 $B:1", tokenizer, "<s>")
    return tokenizer


def unigram(normalizer, pre_tokenizer, specials, byte_fallback=False, size=1500):
    trained = Tokenizer(models.Unigram())
    trained.normalizer = normalizer
    trained.pre_tokenizer = pre_tokenizer
    unknown = "<unk>"
    pieces = specials + (BYTES if byte_fallback else [])
    trainer = trainers.UnigramTrainer(
        vocab_size=size, special_tokens=pieces, unk_token=unknown, show_progress=False, max_piece_length=16
    )
    # The other characters stay unknown, as some are in every vocabulary.
    common = {c for c, _ in collections.Counter("".join(lines())).most_common(450)}
    trained.train_from_iterator(["".join(c for c in text if c in common) for text in lines()], trainer)
    vocab = [(piece, round(score, 6)) for piece, score in json.loads(trained.to_str())["model"]["vocab"]]
    tokenizer = Tokenizer(models.Unigram(vocab, specials.index(unknown), byte_fallback))
    tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = pre_tokenizer
    tokenizer.add_special_tokens([AddedToken(s, lstrip=s == "<mask>", special=True) for s in specials])
    return tokenizer


def charsmap():
    return normalizers.Precompiled(pathlib.Path(sys.argv[1]).read_bytes())


def xlm_roberta():
    tokenizer = unigram(
        normalizers.Sequence([charsmap(), normalizers.Replace(Regex(" {2,}"), " ")]),
        pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]),
        ["<s>", "<pad>", "</s>", "<unk>", "<mask>"],
    )
    tokenizer.post_processor = template("<s> $A </s>", "<s> $A </s> </s> $B </s>", tokenizer, "<s>", "</s>")
    return tokenizer


def t5():
    specials = ["<pad>", "</s>", "<unk>"] + [f"<extra_id_{i}>" for i in range(4)]
    tokenizer = unigram(
        normalizers.Sequence([
            charsmap(), normalizers.Strip(left=False, right=True), normalizers.Replace(Regex(" {2,}"), "▁"),
        ]),
        pre_tokenizers.Metaspace(prepend_scheme="always"), specials,
    )
    tokenizer.post_processor = template("$A </s>", "$A </s> $B </s>", tokenizer, "</s>")
    return tokenizer


def albert():
    tokenizer = unigram(
        normalizers.Sequence([
            normalizers.Replace("``", '"'), normalizers.Replace("''", '"'), normalizers.NFKD(),
            normalizers.StripAccents(), normalizers.Lowercase(), normalizers.Replace(Regex(" {2,}"), " "),
        ]),
        pre_tokenizers.Metaspace(prepend_scheme="always"), ["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"],
    )
    tokenizer.post_processor = template(
        "[CLS]:0 $A:0 [SEP]:0", "[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1", tokenizer, "[CLS]", "[SEP]"
    )
    return tokenizer


def bytes_unigram():
    return unigram(
        normalizers.NFKC(), pre_tokenizers.Metaspace(prepend_scheme="first"), ["<unk>", "<s>"], True
    )


def clip():
    """CLIP: BPE with an ending, and unknown tokens one by one."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", continuing_subword_prefix="", end_of_word_suffix="</w>"))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(
            Regex(r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"), "removed", invert=True
        ),
        pre_tokenizers.Digits(individual_digits=True),
    ])
    trainer = trainers.BpeTrainer(
        vocab_size=900, special_tokens=["<unk>"], end_of_word_suffix="</w>", limit_alphabet=200, show_progress=False
    )
    return train(tokenizer, trainer)


def words():
    """Whole words, after everything that the others leave out."""
    tokenizer = Tokenizer(models.WordLevel(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Sequence([
        normalizers.Nmt(), normalizers.NFD(), normalizers.Replace(Regex(r"(?<=\d)[.,](?=\d)|\d{4}+"), "~"),
        normalizers.Strip(),
    ])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Whitespace(), pre_tokenizers.Punctuation(behavior="contiguous"),
        pre_tokenizers.CharDelimiterSplit("q"),
        pre_tokenizers.Split(Regex("[aeiou]+"), "merged_with_next"),
        pre_tokenizers.Split("t", "merged_with_previous"), pre_tokenizers.FixedLength(length=7),
    ])
    trainer = trainers.WordLevelTrainer(vocab_size=1500, special_tokens=["[UNK]"], show_progress=False)
    return train(tokenizer, trainer)


TOKENIZERS = {
    "bert-uncased": lambda: bert(True), "bert-cased": lambda: bert(False), "gpt2": gpt2, "roberta": roberta,
    "gpt-neox": neox, "llama3": llama3, "qwen": qwen, "o200k": o200k, "llama": llama, "mistral": mistral,
    "gemma": gemma, "xlm-roberta": xlm_roberta, "t5": t5, "albert": albert, "bytes-unigram": bytes_unigram,
    "clip": clip, "words": words,
}


def pack(numbers):
    return struct.pack(f"<{len(numbers)}I", *numbers)


def encode(tokenizer, block):
    """Returns the encodings of cases; those cut to a length one by one."""
    results = [None] * len(block)
    whole = [i for i, case in enumerate(block) if not case[2]]
    inputs = [block[i][0] if block[i][1] is None else block[i][:2] for i in whole]
    tokenizer.no_truncation()
    for i, encoding in zip(whole, tokenizer.encode_batch(inputs)):
        results[i] = encoding
    for i, (text, pair, most) in enumerate(block):
        if most:
            tokenizer.enable_truncation(most, strategy="longest_first")
            results[i] = tokenizer.encode(text, pair)
    return results


@functools.cache
def cases():
    """Returns all cases, and for each where the characters of its texts begin in bytes."""
    every = list(corpus.cases())
    return every, [
        [[0, *itertools.accumulate(len(c.encode()) for c in text or "")] for text in case[:2]] for case in every
    ]


def byte_offsets(encoding, starts):
    flat = []
    for (start, end), sequence in zip(encoding.offsets, encoding.sequence_ids):
        flat += (starts[sequence][start], starts[sequence][end]) if sequence is not None else (0, 0)
    return flat


def write_references(tokenizer, path):
    every, all_starts = cases()
    with open(path, "w", encoding="ascii") as file:
        for first in range(0, len(every), corpus.BLOCK):
            block = every[first : first + corpus.BLOCK]
            ids, offsets = hashlib.md5(), hashlib.md5()
            for starts, encoding in zip(all_starts[first:], encode(tokenizer, block)):
                ids.update(pack([len(encoding.ids), *encoding.ids, *encoding.type_ids]))
                offsets.update(pack(byte_offsets(encoding, starts)))
                if first == 0:
                    print("ids", *encoding.ids, file=file)
            print("sum", ids.hexdigest()[:16], offsets.hexdigest()[:16], file=file)


def main():
    random.seed(0)
    for name in sys.argv[2:] or TOKENIZERS:
        tokenizer = TOKENIZERS[name]()
        tokenizer.save(str(HERE / f"{name}.json"), pretty=False)
        write_references(Tokenizer.from_file(str(HERE / f"{name}.json")), HERE / f"{name}.txt")
        print(name)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes cases.json: what the Python `tokenizers` library makes of small tokenizers that no family has.

Each case is a tokenizer, and texts with their ids and, in bytes, their offsets.  The sets are regular expressions for single
characters, with MD5 sums of the code points that they match of those that the test asks for.
"""

import hashlib
import itertools
import json
import pathlib
import struct

from tokenizers import Regex, Tokenizer, pre_tokenizers

HERE = pathlib.Path(__file__).parent
ENDS = (0x33480, 0xE0000, 0xE0200)
CODE_POINTS = [c for c in range(1, ENDS[2]) if not 0xD800 <= c < 0xE000 and (c < ENDS[0] or c >= ENDS[1])]
BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")
WORDS = (
    "", "क्या हिन्दी है", "e\u0301te\u0301 été", "5m² ½ ①ⓐ", "a_b-c d.e", "हिन्दी 12 x9", "a\u180eb\u2003c", " \n x", "\u0cf3a \U00011f50b",
    "Straße ſs", "日本 kana かな",
)


def words(*tokens):
    """Returns a model of whole words; what is not one of them is 0."""
    return {"type": "WordLevel", "vocab": {"?": 0, **{token: i + 1 for i, token in enumerate(tokens)}}, "unk_token": "?"}


def characters(alphabet, **options):
    """Returns a model of single characters; what is not one of them is 0."""
    vocab = {c: i for i, c in enumerate("?" + alphabet)}
    return {"type": "BPE", "vocab": vocab, "merges": [], "unk_token": "?", **options}


def split(pattern, behavior="Isolated", invert=False):
    return {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": invert}


def replace(pattern, content):
    return {"type": "Replace", "pattern": pattern, "content": content}


def added(index, content, **flags):
    off = dict(single_word=False, lstrip=False, rstrip=False, normalized=False, special=False)
    return {"id": index, "content": content, **off, **flags}


def tokenizer(model, *tokens, **members):
    return {"version": "1.0", "added_tokens": tokens, **members, "model": model}


def split_cases():
    """Yields regular expressions that mean something else to PCRE2, or match nothing."""
    yield tokenizer(words(*"ACGT"), pre_tokenizer=split({"String": ""})), ("ACGT", "", "Aé")
    for regex in ("", "a*", "a|", "a{,2}", r"\s*", r"(?=a)|a", "$"):
        for behavior in BEHAVIORS:
            yield tokenizer(words("a"), pre_tokenizer=split({"Regex": regex}, behavior)), ("baab", "aab", "b a  c", "a\nb\n")
    for regex in (
        r"\x{e9}", r"\x{e9}+|\x{2003}", r"[\x{a0}-\x{ff}]+", r"\x{31}", r"\xe2\x91\xa0", r"[\xc3\xa9x]", r"\x41|\x61", r"\b", r"\B",
        r"\bx", r"\w+\b", r"\b\w+|\B.", r"[^\W_]+", r"[^\W\d_]+", r"[\W_]+", r"[^\S\n]+", r"[\S]+", r"[^\S\W]", r"[\S\W]", r"[^\D_]+",
        r"[\D]+", r"[\H]+", r"[^\H]", r"\w+", r"\W+", r"(?<=\w)\s", r"(?<![^\W_])\w", r"[[:alpha:]]+", r"[^[:alpha:] ]+", r"[[:^punct:]x]+",
        r"[[:digit:]_]+|[[:space:]]", r"[^[:^alnum:]]+", r"\v|[\v\n]", r"\P{L}+", r"[^\P{L}a]+", r"[\p{^L}]+",
        r"[.a.]", r"\é{2}+|\ß", r"[^=_=]+", r"[:c:]", r"[\W^a]+", r"[^\W^]+", r"[[:^punct:]^]", r"[\S^b]", r"[-\W]+",
        r"(?:[^\W\d_]+|\d+)\s", r"(?:[^\W\d_]+|\d+|[^\w\s])",
        r" ?[^(\s|[.,!?…。，、।۔،])]+", r"[a[bc]]+", r"[^a[b[-x]]-z]+", r"[a[b-]x-z]+", r"[[a]-z]+", r"(?i)[x[ß]]+", r"[^\D[b]_]+", r"[_[\W]]+",
        r"a(?i)B|C", r"(a(?i)b|c)d", r"x|(?i)A_|D", r"(?x) a _ # (b\n| \s", r"(?x: x {1}+) # no comment", "a(?#b(c)_",
    ):
        yield tokenizer(words(), pre_tokenizer=split({"Regex": regex})), WORDS + (
            "ab aB c cd aCd ABcd", "a\x0bb\nc\x0c", "a_b A_d", "a^b ^^ (c|d) [e-x]! z",
        )


def overlap_cases():
    """Yields classes of sets that share characters, each of which takes as long again if both are tried."""
    for regex in (r"[\W[:punct:]]*1", r"(?:[\W\S\D]+x)?~", r"(?i:[ßﬆ]*1)"):
        yield tokenizer(words(), pre_tokenizer=split({"Regex": regex})), (60 * "~", 50 * "ßﬆ", 60 * "~" + "1")


def caseless_cases():
    """Yields expressions of which case does not count: a character may be several letters then."""
    for regex in (
        "ss", "sss", "sst", "ss+", "s+", "ss?", "st", "ff", "fff", "fi", "ffi", "ffl|fl", "ß", "[ß]", "[sß]+", "[ß-ÿ]", "ﬁ", "[ﬆ]x?", "ΐ", "İ", "[^ß]",
        "ßs", "sß", "maß|fuss", r"\p{Lu}", r"[\p{L}]+", "'s|'t|'re|'ve|'m|'ll|'d", "[sdmt]|ll|ve|re", "k", "[k-l]", "(?-i)ss|s(?i)t", "(?-i:ss)|st",
    ):
        yield tokenizer(words(), pre_tokenizer=split({"Regex": f"(?i:{regex})"})), (
            "ss ß ẞ SS sS ſs sſ", "st ﬅ ﬆ ſt ff ﬀ fi ﬁ fl ﬂ", "ffi ﬃ ﬀi fﬁ ffl ﬄ fff ﬀf fﬀ", "sss ßs sß sst ßt sﬆ", "K k Å å i\u0307 İ",
            "ΐ ΐ", "Maß FUSS maß Fuß", "it's IT'LL we'ſ",
        )


def normalizer_cases():
    for pattern in ({"String": ""}, {"Regex": ""}, {"Regex": "a*"}, {"Regex": r"\s*$"}, {"Regex": r"\b"}, {"Regex": r"(?=a)|a+"}):
        yield tokenizer(characters("abc _"), normalizer=replace(pattern, "_")), ("abc", "baab", "ab  ", "a\nb c\n")


def beginning_cases():
    """Yields pre-tokenizers that look where a text begins, behind normalizers that take the beginning away."""
    for scheme in ("first", "always", "never"):
        for normalizer in (
            {"type": "Strip", "strip_left": True, "strip_right": True}, {"type": "Nmt"}, {"type": "StripAccents"},
            {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": False, "strip_accents": True, "lowercase": True},
            replace({"Regex": r"^\s+"}, ""), {"type": "Prepend", "prepend": "c"},
        ):
            metaspace = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": False}
            yield (
                tokenizer(characters("abc ▁"), added(6, "<x>"), normalizer=normalizer, pre_tokenizer=metaspace),
                (" ab", "ab", "\x01ab", "\u0301ab", " ", " a<x> b", "<x> ab"),
            )


def added_cases():
    """Yields added tokens that take the spaces beside them.  The library fails where one would end before it begins."""
    taking = added(5, "<x>", rstrip=True)
    for normalized in (False, True):
        for tokens, texts in (
            ((taking, added(6, "\n", lstrip=True)), ("a<x>\nb", "a<x>\n", "a \nb", "<x>")),
            ((taking, added(6, "\n", lstrip=True, rstrip=True)), ("a<x>\nb", "a<x> \n \nb", "a<x> \n b\nc", "<x>\n\n \n")),
            ((added(5, "  ", lstrip=True, rstrip=True),), ("a      b", "a   b", "  ", " a   ")),
            ((added(5, "  ", lstrip=True),), ("a      b", "a   b", "  ", " a   ")),
            ((added(5, "  ", rstrip=True),), ("a      b", "a   b", "  ", " a   ")),
            ((taking, added(6, "<y>", lstrip=True)), ("a <x> <y> b", "<x><y>", "<x>  <x> <y>  <y>")),
        ):
            yield tokenizer(characters("abc "), *({**token, "normalized": normalized} for token in tokens)), texts


def id_cases():
    """Yields added tokens whose ids are not those that the library gives them, which passes over what the file says."""
    hole = characters("abc", vocab={"?": 0, "a": 1, "b": 2, "c": 3, "zz": 40})
    pieces = {"type": "Unigram", "unk_id": 0, "vocab": [["?", 0], ["a", -1], ["a", -2], ["b", -1]]}
    for model, tokens in (
        (characters("abc"), (added(10, "<x>"), added(20, "<y>"))),
        (characters("abc"), (added(5, "<y>"), added(4, "<x>", special=True))),
        (characters("abc"), (added(4, "<y>"), added(4, "<x>"))),
        (characters("abc"), (added(9, "a"), added(4, "<x>"), added(0, "?"), added(5, "<y>"))),
        (hole, (added(41, "<x>"), added(42, "<y>"))),
        (hole, (added(40, "zz"), added(41, "<x>"))),
        (hole, (added(4, "<x>"), added(40, "zz"), added(5, "<y>"), added(2, "b"))),
        (words(), (added(4, "<x>"), added(2, "<y>"))),
        ({**words(), "vocab": {}}, (added(5, "<x>"), added(7, "<y>"), added(9, "a"), added(1, "b"), added(0, " "), added(3, "z"))),
        (pieces, (added(4, "<x>"), added(5, "<y>"))),
        (characters("abc "), (added(5, "<x>"), added(6, "<x>", lstrip=True), added(7, "<y>"))),
        (characters("abc "), (added(5, "<x>", lstrip=True), added(5, "<x>"), added(6, "<y>", special=True), added(6, "<y>"))),
    ):
        yield tokenizer(model, *tokens), ("a<x>b<y>", "b a <x> <y>zz")
    twice = tokenizer(characters("abc", vocab={"?": 0, "a": 1, "b": 2, "A": 3}), added(3, "<x>"), added(4, "<y>"))
    yield json.dumps(twice).replace('"A"', '"a"'), ("a<x>b<y>",)
    lowercase = {"type": "Lowercase"}
    for order in (False, True), (True, False):
        tokens = (added(8, "<X>", normalized=normalized, rstrip=normalized) for normalized in order)
        yield tokenizer(characters("abc <x>"), *tokens, normalizer=lowercase), ("a <x>b <X>c <x> <X> ",)


def spell(case):
    """Returns what the library makes of the texts of a case."""
    config, texts = case
    spelt = config if isinstance(config, str) else json.dumps(config, ensure_ascii=False)
    library = Tokenizer.from_str(spelt)
    rows = []
    for text in texts:
        encoding = library.encode(text)
        starts = [0, *itertools.accumulate(len(c.encode()) for c in text)]
        offsets = [starts[i] for pair in encoding.offsets for i in pair]
        rows.append({"text": text, "ids": encoding.ids, "offsets": offsets})
    return {"tokenizer": spelt, "texts": rows}


def sum_set(regex):
    """Returns the sum of the code points that a regular expression matches."""
    removed = pre_tokenizers.Split(Regex(regex), "removed")
    kept = {i for _, (start, end) in removed.pre_tokenize_str("".join(map(chr, CODE_POINTS))) for i in range(start, end)}
    found = [c for i, c in enumerate(CODE_POINTS) if i not in kept]
    return {"regex": regex, "n": len(found), "sum": hashlib.md5(struct.pack(f"<{len(found)}I", *found)).hexdigest()}


def sum_scripts():
    """Returns the sum of where the library cuts texts of every code point between letters of two scripts."""
    ends, at = [], 0
    for c in CODE_POINTS:
        text = f"a{chr(c)}я"
        for _, (_, end) in pre_tokenizers.UnicodeScripts().pre_tokenize_str(text):
            ends.append(at + len(text[:end].encode()))
        at += len(text.encode())
    return {"n": len(ends), "sum": hashlib.md5(struct.pack(f"<{len(ends)}I", *ends)).hexdigest()}


SETS = (
    r"\w", r"[\w]", r"\W", r"[\W]", r"[^\W_]", r"\d", r"\D", r"[\D]", r"\s", r"\S", r"[\S]", r"[^\S\n]", r"\h", r"\H", r"[\H]", r"\v",
    r"\p{L}", r"\P{L}", r"[\P{L}]", r"\p{N}", r"\p{M}", r"[\P{Nd}\p{L}]", r"[[:alnum:]]", r"[[:alpha:]]", r"[[:ascii:]]", r"[[:blank:]]",
    r"[[:cntrl:]]", r"[[:digit:]]", r"[[:lower:]]", r"[[:^lower:]]", r"[[:punct:]]", r"[[:space:]]", r"[[:upper:]]", r"[[:word:]]",
    r"[[:xdigit:]]",
)


def main():
    cases = [spell(case) for case in (*split_cases(), *overlap_cases(), *caseless_cases(), *normalizer_cases(), *beginning_cases(), *added_cases(), *id_cases())]
    lines = [",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows) for rows in
             (cases, [sum_set(regex) for regex in SETS])]
    lines.append(json.dumps(sum_scripts()))
    (HERE / "cases.json").write_text('{"cases":[\n%s\n],\n"sets":[\n%s\n],\n"scripts":%s}\n' % tuple(lines))


if __name__ == "__main__":
    main()

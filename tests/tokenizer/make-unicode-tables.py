#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes src/core/tokenizer/text/hl-unicode-tables.h from how the Python `tokenizers` library behaves.

That library is built from parts that follow different versions of Unicode, one of them version 8.  To give the
same ids, the classes of characters that decide about tokens are measured here, one code point at a time, and
not taken from GLib.  Run it with Python 3.11, whose own tables are those of Unicode 14, as are PCRE2 10.42's:
what is listed as newer is newer than those.
"""

import sys
import unicodedata

from tokenizers import Regex, __version__, normalizers, pre_tokenizers

CODE_POINTS = [c for c in range(1, 0x110000) if not 0xD800 <= c < 0xE000]
# What Unicode 15 and 16 decompose, which Python 3.11 does not know yet and some versions of GLib do.
NEWER_DECOMPOSITIONS = {
    *range(0x1E030, 0x1E06E), 0x105C9, 0x105E4, 0x11383, 0x11385, 0x1138E, 0x11391, 0x113C5, 0x113C7, 0x113C8,
    *range(0x16121, 0x16129), *range(0x16D68, 0x16D6B), *range(0x1CCD6, 0x1CCFA),
}
CLASSES = ("L", "M", "N", "P", "S", "Lu", "Ll", "Lm", "Lo", "Nd")
# Named sets of characters, and categories that belong to them wholly.
SETS = {"alpha": ("L", "Nl"), "lower": "Ll", "upper": "Lu"}


def ranges(code_points):
    """Yields (first, last) of runs of sorted code points."""
    first = last = None
    for c in code_points:
        if last is not None and c == last + 1:
            last = c
            continue
        if first is not None:
            yield first, last
        first = last = c
    if first is not None:
        yield first, last


def bert(**on):
    """Returns a BERT normalizer with all off but what is named."""
    off = dict(clean_text=False, handle_chinese_chars=False, strip_accents=False, lowercase=False)
    return normalizers.BertNormalizer(**{**off, **on})


def drops(normalizer):
    """Returns the code points that a normalizer leaves out."""
    return [c for c in CODE_POINTS if normalizer.normalize_str("x" + chr(c) + "y") == "xy"]


def splits(pre_tokenizer):
    """Returns the code points that a pre-tokenizer takes away altogether, or sets apart from letters."""
    return [c for c in CODE_POINTS if len(pre_tokenizer.pre_tokenize_str("x" + chr(c) + "y")) == 3]


def joins(pre_tokenizer):
    """Returns the code points that a pre-tokenizer leaves within a word."""
    return [c for c in CODE_POINTS if len(pre_tokenizer.pre_tokenize_str("x" + chr(c) + "y")) == 1]


def undecomposed():
    """Returns the code points that Unicode 16 decomposes and the library does not."""
    nfkd = normalizers.NFKD()
    return [
        c
        for c in CODE_POINTS
        if (c in NEWER_DECOMPOSITIONS or unicodedata.normalize("NFKD", chr(c)) != chr(c))
        and nfkd.normalize_str(chr(c)) == chr(c)
    ]


def lower_pairs():
    """Returns {code point: distance} of what the library lowers, and g_unichar_tolower() does not."""
    lower = normalizers.Lowercase()
    pairs = {}
    for c in CODE_POINTS:
        small = lower.normalize_str(chr(c))
        letter = unicodedata.category(chr(c)) in ("Lu", "Lt")
        if len(small) == 1 and small != (chr(c).lower() if letter else chr(c)):
            pairs[c] = ord(small) - c
    return pairs


def newer(regex, categories):
    """Returns what a regular expression matches in the library and is not of these categories in Unicode 14."""
    split = pre_tokenizers.Split(Regex(regex), "removed")
    return [
        c
        for c in CODE_POINTS
        if not unicodedata.category(chr(c)).startswith(categories) and not split.pre_tokenize_str(chr(c))
    ]


def without_script():
    """Returns the code points that the library takes for no script's: they go with any neighbour."""
    scripts = pre_tokenizers.UnicodeScripts()
    return [c for c in CODE_POINTS if all(len(scripts.pre_tokenize_str(a + chr(c) + a)) == 1 for a in "aя")]


def print_ranges(name, comment, code_points):
    print(f"/* {comment} */\nstatic const HlCodeRange {name}[] = {{")
    row = [f"{{ 0x{first:04x}, 0x{last:04x} }}," for first, last in ranges(code_points)]
    for i in range(0, len(row), 4):
        print("  " + " ".join(row[i : i + 4]))
    print("};\n")


def main():
    if unicodedata.unidata_version != "14.0.0":
        sys.exit("this Python's tables are not those of Unicode 14")
    print("/* SPDX-License-Identifier: MIT */")
    print("/* Made by tests/tokenizer/make-unicode-tables.py; do not edit.")
    print(f" * Classes of characters as the Python tokenizers library {__version__} has them. */")
    print("#pragma once\n")
    print_ranges("control_ranges", "What cleaning a text for BERT takes away.", drops(bert(clean_text=True)))
    print_ranges("nonspacing_ranges", "What BERT calls accents.", drops(bert(strip_accents=True)))
    print_ranges("mark_ranges", "What StripAccents takes away.", drops(normalizers.StripAccents()))
    print_ranges("punctuation_ranges", "Punctuation.", splits(pre_tokenizers.Punctuation()))
    print_ranges("number_ranges", "Digits and other numbers.", splits(pre_tokenizers.Digits()))
    print_ranges("word_ranges", "What words are made of.", joins(pre_tokenizers.Whitespace()))
    print_ranges("unscripted_ranges", "What is of no script.", without_script())
    print_ranges("undecomposed_ranges", "Decomposed in Unicode 16, but not there.", undecomposed())
    print("/* Capitals that g_unichar_tolower() leaves alone, with the way to the small letter. */")
    print("static const HlCodeShift lower_shifts[] = {")
    pairs = lower_pairs()
    for distance in sorted(set(pairs.values())):
        for first, last in ranges([c for c in pairs if pairs[c] == distance]):
            print(f"  {{ 0x{first:04x}, 0x{last:04x}, {distance} }},")
    print("};\n")
    print("/* What is newer than Unicode 14 in classes of regular expressions, and what sets have beside categories. */")
    print("static const struct\n{\n  const char *name;\n  const char *ranges;\n} newer_classes[] = {")
    for name in (*CLASSES, *SETS):
        regex = f"[[:{name}:]]" if name in SETS else rf"\p{{{name}}}"
        print(f'  {{ "{name}",')
        row = ["\\\\x{%X}-\\\\x{%X}" % pair for pair in ranges(newer(regex, SETS.get(name, name)))]
        for i in range(0, len(row), 4):
            end = " }," if i + 4 >= len(row) else ""
            print(f'    "{"".join(row[i : i + 4])}"{end}')
    print("};")


if __name__ == "__main__":
    main()

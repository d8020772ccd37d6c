#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes token-words.json: how tokenizers spell some texts, which pieces are one word, and how they are shown.

The tokenizers are those beside it. Words are found without the marks of pieces: where a tokenizer cuts words
before it cuts pieces (BERT), from the numbers of words it gives; else from where pieces lie in the text, with the
word boundaries of the `regex` module (Unicode Standard Annex 29). Needs `regex` and `tokenizers`.
"""

import json
import pathlib

import regex
from tokenizers import Tokenizer

HERE = pathlib.Path(__file__).parent
BY_NUMBER = ("bert-cased", "bert-uncased")
BYTES = ("gpt2", "roberta", "gpt-neox", "llama3", "qwen", "o200k")
PIECES = ("llama", "mistral", "gemma", "t5", "xlm-roberta", "albert")
UNSPACED = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Yi}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}ー]"
)
KATAKANA = regex.compile(r"[\p{Katakana}ー]{2}")
BOUNDARY = regex.compile(r"(?w)\b")
TEXTS = (
    "The quick brown fox jumps over the lazy dogs.",
    "Unbelievable tokenization, isn’t it? Don't stop: I'M here!",
    "The U.S. paid 3.14 or 1,000,000 (about 2024) to example.com.",
    "a snake_case_name = other_name + 42",
    "naïve café Ångström Straße İstanbul Привет мир",
    "if x:\n    return [y]\n",
    "schnell und leise, das Gehäuse",
    "时间像箭一样飞。",
    "She said “你好” twice",
    "東京タワー、カタカナの日本語",
    "สวัสดีชาวโลก ok",
    "שלום עולם, مرحبا بالعالم",
    "नमस्ते दुनिया क्षत्रिय",
    "한국어 문장입니다 👩🏽‍💻 and 🇩🇪🇫🇷 — so",
)


def byte_of():
    visible = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = [byte for byte in range(256) if byte not in visible]
    return {chr(byte): byte for byte in visible} | {chr(0x100 + i): byte for i, byte in enumerate(hidden)}


ALPHABET = byte_of()


def bytes_of(name, token):
    """Returns what a token stands for."""
    if name in BYTES:
        return bytes(ALPHABET[c] for c in token) if all(c in ALPHABET for c in token) else token.encode()
    if name in PIECES:
        found = regex.fullmatch(r"<0x([0-9A-F]{2})>", token)
        return bytes([int(found[1], 16)]) if found else token.replace("▁", " ").encode()
    return token.removeprefix("##").encode() if len(token) > 2 else token.encode()


def readable(data):
    """Returns what is a character as it is, and the bytes that are none as numbers."""
    return "".join(
        f"‹{ord(c) - 0xDC00:02X}›" if 0xDC80 <= ord(c) <= 0xDCFF else c for c in data.decode("utf-8", "surrogateescape")
    )


def show(data):
    stripped = data.lstrip(b" ")
    return readable(stripped if stripped and not stripped[:1].isspace() else data)


def find_words(name, text, encoding):
    """Returns a flag for each token, whether it begins a word."""
    special = encoding.special_tokens_mask
    begins = []
    boundaries = {found.start() for found in BOUNDARY.finditer(text)}
    for i, (start, end) in enumerate(encoding.offsets):
        if i == 0 or special[i] or special[i - 1]:
            begins.append(1)
            continue
        if name in BY_NUMBER:
            begins.append(int(encoding.word_ids[i] != encoding.word_ids[i - 1]))
            continue
        piece = bytes_of(name, encoding.tokens[i])
        before = bytes_of(name, encoding.tokens[i - 1])
        before_end = encoding.offsets[i - 1][1]
        # Where a piece lies is told without the space before it, or with it.
        while start < end and text[start] == " " and not piece.startswith(b" "):
            start += 1
        if start < before_end:
            begins.append(0)
        elif piece[:1] in b" \n\t\r" or before[-1:] in b"\n\t\r":
            begins.append(1)
        elif not before.strip():
            begins.append(0)
        elif regex.search(r"[\p{M}‍\U0001F3FB-\U0001F3FF]$", text[: start + 1]) or text[start - 1] == "‍":
            begins.append(0)
        elif UNSPACED.match(text[start]) or UNSPACED.match(text[start - 1]):
            begins.append(int(not KATAKANA.match(text[start - 1 : start + 1])))
        else:
            begins.append(int(start in boundaries))
    return begins


def main():
    cases = []
    for name in (*BY_NUMBER, *BYTES, *PIECES):
        tokenizer = Tokenizer.from_file(str(HERE / f"{name}.json"))
        for text in TEXTS:
            encoding = tokenizer.encode(text)
            begins = find_words(name, text, encoding)
            special = encoding.special_tokens_mask
            data = [t.encode() if s else bytes_of(name, t) for t, s in zip(encoding.tokens, special)]
            labels = [t if s or name in BY_NUMBER else show(d) for t, s, d in zip(encoding.tokens, special, data)]
            words = []
            for begin, one, label in zip(begins, data, labels):
                if begin:
                    words.append([])
                words[-1].append((one, label))
            words = [word[0][1] if len(word) == 1 else show(b"".join(one for one, _ in word)) for word in words]
            case = {"tokenizer": name, "text": text, "tokens": encoding.tokens}
            cases.append(case | {"begins": begins, "labels": labels, "words": words})
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
    (HERE / "token-words.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()

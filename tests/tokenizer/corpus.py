# SPDX-License-Identifier: MIT
"""The lines that tokenizers are compared on.  tests/core/tokenizer/test-tokenizer-corpus.c makes the same ones."""

import codecs
import pathlib

WORDS = [
    codecs.escape_decode(line)[0].decode()
    for line in (pathlib.Path(__file__).parent / "corpus.txt").read_bytes().splitlines()
]
SEPARATORS = (" ", " ", " ", " ", " ", "", "", "  ", "   ", "\t", "\n", ", ")
RANGES = (
    (0x01, 0x7F), (0xA0, 0x24F), (0x300, 0x36F), (0x370, 0x52F), (0x590, 0x6FF), (0x900, 0xDFF), (0xE00, 0xEFF),
    (0x1100, 0x11FF), (0x1E00, 0x1FFF), (0x2000, 0x206F), (0x20A0, 0x2BFF), (0x3000, 0x33FF), (0x4E00, 0x9FFF),
    (0xAC00, 0xD7A3), (0xF900, 0xFAFF), (0xFB00, 0xFFFF), (0x1F000, 0x1FAFF), (0x20000, 0x2A6DF),
)
N_LINES = 20000
BLOCK = 100
PAIR_SHIFT = 1000000
POINTS_PER_LINE = 64
N_POINT_LINES = 0x110000 // POINTS_PER_LINE


class Numbers:
    """A linear congruential generator (Knuth's MMIX)."""

    def __init__(self, seed):
        self.state = seed
        for _ in range(3):
            self.next(1)

    def next(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % n


def line(index):
    """Returns a line of mixed scripts."""
    numbers = Numbers(index)
    parts = []
    for _ in range(1 + numbers.next(14)):
        kind = numbers.next(8)
        if kind < 6:
            parts.append(WORDS[numbers.next(len(WORDS))])
        elif kind < 7:
            first, last = RANGES[numbers.next(len(RANGES))]
            for _ in range(1 + numbers.next(4)):
                parts.append(chr(first + numbers.next(last - first + 1)))
        else:
            parts.append(WORDS[numbers.next(12)] * (1 + numbers.next(3)))
        parts.append(SEPARATORS[numbers.next(len(SEPARATORS))])
    return "".join(parts)


def point_line(index):
    """Returns a line with 64 code points in order, each between letters; none for zero and surrogates."""
    points = range(index * POINTS_PER_LINE, (index + 1) * POINTS_PER_LINE)
    return "".join(f"a{chr(c)}b " for c in points if c != 0 and not 0xD800 <= c < 0xE000)


def cases():
    """Yields (text, second text or None, most tokens or 0) of every case."""
    for i in range(N_LINES):
        pair = line(i + PAIR_SHIFT) if i % 4 == 3 else None
        yield line(i), pair, 8 + i % 40 if i % 8 in (5, 7) else 0
    for i in range(N_POINT_LINES):
        yield point_line(i), None, 0

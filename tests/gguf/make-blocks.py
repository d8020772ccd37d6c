#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes blocks.txt: for every quantised type, the SHA-256 of what gguf.quants.dequantize makes of 4096 blocks, as float32.

Needs numpy and gguf.  The bytes of the blocks are those of a generator that test-block.c has too (splitmix64, from the number of the
type on); of the scales, bit 14 is cleared, so that all are finite.
"""

import hashlib
import pathlib

import gguf
import gguf.quants
import numpy as np

N_BLOCKS = 4096
# Where the upper bytes of 16-bit scales are.
SCALES = {
    "Q4_0": [1], "Q4_1": [1, 3], "Q5_0": [1], "Q5_1": [1, 3], "Q8_0": [1], "IQ4_NL": [1], "MXFP4": [], "Q2_K": [81, 83], "Q3_K": [109],
    "Q4_K": [1, 3], "Q5_K": [1, 3], "Q6_K": [209], "IQ4_XS": [1], "IQ2_XXS": [1], "IQ2_XS": [1], "IQ2_S": [1], "IQ3_XXS": [1],
    "IQ3_S": [1], "IQ1_S": [1], "IQ1_M": [55], "TQ1_0": [53], "TQ2_0": [65],
}


def make_bytes(seed, n):
    """The first n bytes of splitmix64, whose numbers are little-endian."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(1, n // 8 + 2, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    return z.astype("<u8").view(np.uint8)[:n]


def main():
    lines = []
    for name, scales in SCALES.items():
        kind = gguf.GGMLQuantizationType[name]
        size = gguf.GGML_QUANT_SIZES[kind][1]
        blocks = make_bytes(int(kind), N_BLOCKS * size).reshape(N_BLOCKS, size).copy()
        for at in scales:
            blocks[:, at] &= 0xBF
        with np.errstate(over="ignore"):
            numbers = gguf.quants.dequantize(blocks, kind).astype("<f4")
        assert not np.isnan(numbers).any(), name
        lines.append(f"{name} {int(kind)} {' '.join(map(str, scales)) or '-'} {hashlib.sha256(numbers.tobytes()).hexdigest()}\n")
    pathlib.Path(__file__).with_name("blocks.txt").write_text("".join(lines))


if __name__ == "__main__":
    main()

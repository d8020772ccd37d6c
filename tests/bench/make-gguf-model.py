#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a GGUF file of a Llama of 1.1 billion parameters in Q4_K, with random weights: 620 MB, to measure large models with.

Needs NumPy.  It has 22 layers, 32 heads and 4 of keys, a width of 2048, and a vocabulary of 32000, as TinyLlama has.

  make-gguf-model.py FILE
"""

import os
import pathlib
import struct
import sys

import numpy as np

LAYERS, HEADS, KEY_HEADS, WIDTH, INNER, WORDS = 22, 32, 4, 2048, 5632, 32000
KEY_WIDTH = WIDTH // HEADS * KEY_HEADS
# A layer's weights, [columns, rows] as GGUF has them.
LAYER = {"attn_q": (WIDTH, WIDTH), "attn_k": (WIDTH, KEY_WIDTH), "attn_v": (WIDTH, KEY_WIDTH), "attn_output": (WIDTH, WIDTH),
         "ffn_gate": (WIDTH, INNER), "ffn_up": (WIDTH, INNER), "ffn_down": (INNER, WIDTH)}
LAYER_NUMBERS = sum(columns * rows for columns, rows in LAYER.values())
F32, Q4_K = 0, 12
BLOCK, BLOCK_BYTES = 256, 144
LAYER_BYTES = LAYER_NUMBERS // BLOCK * BLOCK_BYTES
ALIGNMENT = 32
# Blocks that are made at a time.
CHUNK = 1 << 16


def list_tensors():
    """Yields the name, type, dimensions and bytes of every tensor."""
    def matrix(name, columns, rows):
        return name, Q4_K, (columns, rows), columns * rows // BLOCK * BLOCK_BYTES

    def norm(name):
        return name, F32, (WIDTH,), 4 * WIDTH

    yield matrix("token_embd.weight", WIDTH, WORDS)
    for layer in range(LAYERS):
        yield norm(f"blk.{layer}.attn_norm.weight")
        yield norm(f"blk.{layer}.ffn_norm.weight")
        for name, (columns, rows) in LAYER.items():
            yield matrix(f"blk.{layer}.{name}.weight", columns, rows)
    yield norm("output_norm.weight")
    yield matrix("output.weight", WIDTH, WORDS)


def string(text):
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def pair(key, value):
    """A key, and a value of the type that GGUF has for what Python has."""
    if isinstance(value, list):
        kind, form = {str: (8, None), float: (6, "f"), int: (5, "i")}[type(value[0])]
        items = b"".join(map(string, value)) if form is None else struct.pack(f"<{len(value)}{form}", *value)
        return string(key) + struct.pack("<IIQ", 9, kind, len(value)) + items
    if isinstance(value, str):
        return string(key) + struct.pack("<I", 8) + string(value)
    if isinstance(value, float):
        return string(key) + struct.pack("<If", 6, value)
    return string(key) + struct.pack("<II", 4, value)


def make_header():
    """Everything before the tensors, and where each of them begins."""
    tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
    kinds = [2, 3, 3] + [6] * 256
    tokens += [f"▁w{i}" for i in range(WORDS - len(tokens))]
    kinds += [1] * (WORDS - len(kinds))
    pairs = {
        "general.architecture": "llama", "general.name": "Random 1.1B", "llama.block_count": LAYERS, "llama.context_length": 2048,
        "llama.embedding_length": WIDTH, "llama.feed_forward_length": INNER, "llama.attention.head_count": HEADS,
        "llama.attention.head_count_kv": KEY_HEADS, "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "llama.rope.dimension_count": WIDTH // HEADS, "llama.rope.freq_base": 1e4, "llama.vocab_size": WORDS,
        "tokenizer.ggml.model": "llama", "tokenizer.ggml.tokens": tokens, "tokenizer.ggml.scores": [-float(i) for i in range(WORDS)],
        "tokenizer.ggml.token_type": kinds, "tokenizer.ggml.bos_token_id": 1, "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.ggml.unknown_token_id": 0,
    }
    infos, offset = b"", 0
    for name, kind, dims, size in list_tensors():
        infos += string(name) + struct.pack(f"<I{len(dims)}QIQ", len(dims), *dims, kind, offset)
        offset += -(-size // ALIGNMENT) * ALIGNMENT
    header = b"GGUF" + struct.pack("<IQQ", 3, sum(1 for _ in list_tensors()), len(pairs))
    header += b"".join(pair(key, value) for key, value in pairs.items()) + infos
    return header + bytes(-len(header) % ALIGNMENT)


def write_blocks(file, rng, n_bytes):
    """Blocks with numbers of about ±0.03 around 0."""
    for first in range(0, n_bytes // BLOCK_BYTES, CHUNK):
        n = min(CHUNK, n_bytes // BLOCK_BYTES - first)
        blocks = np.frombuffer(rng.bytes(n * BLOCK_BYTES), np.uint8).reshape(n, BLOCK_BYTES).copy()
        blocks[:, :4] = np.array([1e-4, 7.5e-4], "<f2").view(np.uint8)
        file.write(blocks.tobytes())


def make(path):
    rng = np.random.default_rng(0)
    # Never half a file under the name that is looked for.
    whole = path.with_name(path.name + ".part")
    with open(whole, "wb") as file:
        file.write(make_header())
        for _, kind, dims, size in list_tensors():
            if kind == F32:
                file.write(np.ones(dims, "<f4").tobytes())
            else:
                write_blocks(file, rng, size)
            file.write(bytes(-size % ALIGNMENT))
    os.replace(whole, path)


def main():
    path = pathlib.Path(sys.argv[1])
    make(path)
    print(f"{path}: {path.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()

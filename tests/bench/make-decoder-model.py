#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a LLaMA of the size of SmolLM2-135M with random weights in float16: 269 MB, to time generation with.

Needs NumPy.

  make-decoder-model.py FOLDER
"""

import json
import pathlib
import sys

import numpy as np

LAYERS, HEADS, KEY_HEADS, WIDTH, INNER, WORDS, POSITIONS = 30, 9, 3, 576, 1536, 49152, 8192


def list_tensors():
    """Yields the name and shape of every tensor."""
    keys = WIDTH // HEADS * KEY_HEADS
    yield "model.embed_tokens.weight", (WORDS, WIDTH)
    yield "model.norm.weight", (WIDTH,)
    for layer in range(LAYERS):
        stem = f"model.layers.{layer}."
        yield f"{stem}input_layernorm.weight", (WIDTH,)
        yield f"{stem}post_attention_layernorm.weight", (WIDTH,)
        yield f"{stem}self_attn.q_proj.weight", (WIDTH, WIDTH)
        yield f"{stem}self_attn.k_proj.weight", (keys, WIDTH)
        yield f"{stem}self_attn.v_proj.weight", (keys, WIDTH)
        yield f"{stem}self_attn.o_proj.weight", (WIDTH, WIDTH)
        yield f"{stem}mlp.gate_proj.weight", (INNER, WIDTH)
        yield f"{stem}mlp.up_proj.weight", (INNER, WIDTH)
        yield f"{stem}mlp.down_proj.weight", (WIDTH, INNER)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    config = {"model_type": "llama", "hidden_size": WIDTH, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS,
              "num_key_value_heads": KEY_HEADS, "intermediate_size": INNER, "vocab_size": WORDS,
              "max_position_embeddings": POSITIONS, "rope_theta": 100000, "rms_norm_eps": 1e-5, "hidden_act": "silu",
              "tie_word_embeddings": True}
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    header, end = {}, 0
    for name, shape in list_tensors():
        size = 2 * int(np.prod(shape))
        header[name] = {"dtype": "F16", "shape": shape, "data_offsets": [end, end + size]}
        end += size
    text = json.dumps(header).encode()
    rng = np.random.default_rng(0)
    with open(folder / "model.safetensors", "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for name, shape in list_tensors():
            numbers = rng.standard_normal(shape, np.float32) * np.float32(0.04)
            if "norm" in name:
                numbers += 1
            file.write(numbers.astype(np.float16).tobytes())
    print(f"{folder}: {end / 1e6:.0f} MB")


if __name__ == "__main__":
    main()

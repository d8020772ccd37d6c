#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a BERT of 30 layers, 16 heads and a width of 1024 with random weights: 1.6 GB of float32, to measure memory with.

Needs NumPy.  A text of 512 tokens for it: headlight-cli info FOLDER --ids $(seq -s, 1000 1511)

  make-big-model.py FOLDER
"""

import json
import pathlib
import sys

import numpy as np

LAYERS, HEADS, WIDTH, INNER, WORDS, POSITIONS = 30, 16, 1024, 4096, 30522, 512


def list_tensors():
    """Yields the name and shape of every tensor."""
    yield "embeddings.word_embeddings.weight", (WORDS, WIDTH)
    yield "embeddings.position_embeddings.weight", (POSITIONS, WIDTH)
    yield "embeddings.token_type_embeddings.weight", (2, WIDTH)
    yield from list_linear("embeddings.LayerNorm", WIDTH)
    for layer in range(LAYERS):
        stem = f"encoder.layer.{layer}."
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            yield from list_linear(f"{stem}attention.{part}", WIDTH, WIDTH)
        yield from list_linear(f"{stem}attention.output.LayerNorm", WIDTH)
        yield from list_linear(f"{stem}intermediate.dense", INNER, WIDTH)
        yield from list_linear(f"{stem}output.dense", WIDTH, INNER)
        yield from list_linear(f"{stem}output.LayerNorm", WIDTH)


def list_linear(name, *shape):
    yield f"{name}.weight", shape
    yield f"{name}.bias", shape[:1]


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    config = {"model_type": "bert", "hidden_size": WIDTH, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS,
              "intermediate_size": INNER, "vocab_size": WORDS, "max_position_embeddings": POSITIONS, "type_vocab_size": 2,
              "hidden_act": "gelu", "layer_norm_eps": 1e-12}
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    header, end = {}, 0
    for name, shape in list_tensors():
        size = 4 * int(np.prod(shape))
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [end, end + size]}
        end += size
    text = json.dumps(header).encode()
    rng = np.random.default_rng(0)
    with open(folder / "model.safetensors", "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for name, shape in list_tensors():
            numbers = rng.standard_normal(shape, np.float32) * np.float32(0.03)
            if name.endswith("LayerNorm.weight"):
                numbers += 1
            file.write(numbers.tobytes())
    print(f"{folder}: {end / 1e9:.2f} GB")


if __name__ == "__main__":
    main()

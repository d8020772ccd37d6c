#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the large dumps that the bench opens: make-big-dumps.py FOLDER

    75mb.h5     6 x 12 x 512 x 512 float32, contiguous, as h5py writes it
    805mb.h5    24 x 16 x 1024 x 1024 float16, a chunk a head, shuffle + gzip 4
    4096.h5     one head of 4096 x 4096 float32, contiguous
    32k.h5      queries and keys of 32768 tokens, 12 x 12 x 64 float32, contiguous; a sparse file, as only layer 5 is written
    patches.h5  queries and keys of an image of 32 x 32 patches, 12 x 12 x 64 float16

Numbers are softmax over random scores with a bias towards near keys, seeded, so that they compress about as real attention does.
Files that are there already are left alone. NumPy and h5py (Debian: python3-h5py) are needed.
"""

import pathlib
import sys

import h5py
import numpy as np

DUMPS = {
    "75mb.h5": ((6, 12, 512, 512), np.float32, {}),
    "805mb.h5": (
        (24, 16, 1024, 1024),
        np.float16,
        {"chunks": (1, 1, 1024, 1024), "shuffle": True, "compression": "gzip", "compression_opts": 4},
    ),
    "4096.h5": ((1, 1, 4096, 4096), np.float32, {}),
}


def make_head(rng, n, reach):
    """Weights of one head: random scores, less for keys far from the query."""
    positions = np.arange(n, dtype=np.float32)
    scores = rng.standard_normal((n, n), dtype=np.float32) * 2
    scores -= np.abs(positions[:, None] - positions[None, :]) / reach
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def write(path, shape, dtype, options):
    rng = np.random.default_rng(20170612)
    layers, heads, n, _ = shape
    part = path.with_suffix(".part")
    with h5py.File(part, "w") as f:
        f.attrs["format"] = "headlight-attention"
        f.attrs["version"] = 1
        f.attrs["model"] = "random"
        f["tokens"] = [f"t{i}" for i in range(n)]
        attention = f.create_dataset("attention", shape, dtype, track_times=False, **options)
        for layer in range(layers):
            for head in range(heads):
                attention[layer, head] = make_head(rng, n, 4.0 * 2 ** (head % 8))
    part.rename(path)


def write_projections(path):
    rng = np.random.default_rng(20170612)
    n, shape = 32768, (12, 12, 32768, 64)
    part = path.with_suffix(".part")
    with h5py.File(part, "w") as f:
        f.attrs["format"] = "headlight-attention"
        f.attrs["version"] = 1
        f["tokens"] = [f"t{i}" for i in range(n)]
        for name in ("queries", "keys"):
            projection = f.create_dataset(name, shape, np.float32, track_times=False)
            for head in range(shape[1]):
                projection[5, head] = rng.standard_normal((n, shape[3]), dtype=np.float32) * 1.5
    part.rename(path)


def write_patches(path):
    rng = np.random.default_rng(20170612)
    side, shape = 32, (12, 12, 1 + 32 * 32, 64)
    part = path.with_suffix(".part")
    with h5py.File(part, "w") as f:
        f.attrs["format"] = "headlight-attention"
        f.attrs["version"] = 2
        f["tokens"] = ["CLS"] + [f"patch {row},{column}" for row in range(1, side + 1) for column in range(1, side + 1)]
        f["image"] = rng.integers(0, 256, (480, 640, 3), np.uint8)
        for name in ("queries", "keys"):
            f[name] = rng.standard_normal(shape, dtype=np.float32).astype(np.float16) * np.float16(1.5)
    part.rename(path)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, (shape, dtype, options) in DUMPS.items():
        path = folder / name
        if not path.exists():
            write(path, shape, dtype, options)
        print(f"{path}: {path.stat().st_size / 1e6:.0f} MB")
    if not (folder / "32k.h5").exists():
        write_projections(folder / "32k.h5")
    if not (folder / "patches.h5").exists():
        write_patches(folder / "patches.h5")


if __name__ == "__main__":
    main()

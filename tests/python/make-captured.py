#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes captured/: small dumps as the Python package writes them, each with the weights of the same model's eager attention.

Usage: make-captured.py [FAMILY …].  Writes only those where any is named.  Needs PyTorch and transformers (build-aux/torch-python); only to be run when the format changes.

NAME.h5 is a dump, NAME.weights.h5 has groups `0`, `1` … of examples, with `attention` or `encoder_attention` …, each a group of
one dataset a layer. Of shards NAME.rank0.h5 … are the dumps.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUT = ROOT / "tests/python/captured"
sys.path[:0] = [str(ROOT / "src/python"), str(ROOT / "tests/python")]
sys.dont_write_bytecode = True

import h5py
import numpy as np
import torch
import transformers

import families
import headlight

FIELDS = {"attentions": "attention", "encoder_attentions": "encoder_attention", "decoder_attentions": "decoder_attention",
          "cross_attentions": "cross_attention"}
torch.set_grad_enabled(False)
transformers.utils.logging.set_verbosity_error()


def inputs_of(kind):
    generator = torch.Generator().manual_seed(1)
    if kind == "vision":
        return {"pixel_values": torch.randn(1, 3, 24, 24, generator=generator)}
    ids = torch.randint(5, 60, (2, 9), generator=generator)
    mask = torch.ones_like(ids)
    mask[1, slice(0, 3) if kind == "decoder" else slice(6, 9)] = 0
    inputs = {"input_ids": ids, "attention_mask": mask}
    if kind == "seq2seq":
        inputs["decoder_input_ids"] = torch.randint(5, 60, (2, 7), generator=generator)
        inputs["decoder_attention_mask"] = torch.ones(2, 7, dtype=torch.long)
    return inputs


def write_weights(path, outputs, inputs, numbers):
    with h5py.File(path, "w") as file:
        for field, name in FIELDS.items():
            maps = [m for m in (outputs.get(field) or ()) if m is not None]
            query = inputs.get("decoder_attention_mask" if field in ("decoder_attentions", "cross_attentions") else "attention_mask")
            key = inputs.get("decoder_attention_mask" if field == "decoder_attentions" else "attention_mask")
            for number, weights in zip(numbers or range(len(maps)), maps):
                for item, one in enumerate(weights):
                    for axis, mask in ((1, query), (2, key)):
                        if mask is not None:
                            one = one.index_select(axis, mask[item].nonzero().flatten())
                    file.create_dataset(f"{item}/{name}/{number}", data=one.numpy(), compression="gzip", shuffle=True)


def capture_family(name, numbers=None):
    kind = families.FAMILIES[name][2]
    # What asks no registry is looked at in its own products.
    own = name in ("deberta-v3", "bloom")
    model, inputs = families.make(name, "eager" if own else None), inputs_of(kind)
    if numbers:
        # Layers of several sizes take room.
        inputs = {key: value[1:] for key, value in inputs.items()}
    with headlight.capture(model, OUT / f"{name}.h5", tokenizer=families.Words(), dtype="float32"):
        model(**inputs)
    write_weights(OUT / f"{name}.weights.h5", families.make(name, "eager")(**inputs, output_attentions=True), inputs, numbers)


def capture_generation(name, cache):
    model = families.make(name)
    ids = inputs_of("decoder")["input_ids"][:1, :6]
    with headlight.capture(model, OUT / f"{name}-generate.h5", tokenizer=families.Words(), dtype="float32"):
        out = model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=7, min_new_tokens=7, do_sample=False, **cache)
    read = {"input_ids": out[:, :-1]}
    write_weights(OUT / f"{name}-generate.weights.h5", families.make(name, "eager")(**read, output_attentions=True), read, None)


class Masked(torch.nn.Module):
    """Attention with a mask that is no rule."""

    def forward(self, query, mask):
        return torch.nn.functional.scaled_dot_product_attention(query, query, query, attn_mask=mask)


def capture_mask():
    generator = torch.Generator().manual_seed(1)
    query, seen = torch.randn(1, 3, 11, 4, generator=generator), torch.rand(11, 11, generator=generator) > 0.6
    model = Masked()
    with headlight.capture(model, OUT / "mask.h5", dtype="float32"):
        model(query, seen)
    weights = (query @ query.transpose(2, 3) / 2).masked_fill(~seen, float("-inf")).softmax(-1).nan_to_num(0.0)
    write_weights(OUT / "mask.weights.h5", {"attentions": (weights,)}, {}, None)


def capture_ranks(mode, name):
    """Both ranks' files of the models of test-ranks.py, with the weights of one process."""
    with tempfile.TemporaryDirectory() as folder:
        worker = [ROOT / "tests/python/rank_worker.py", ROOT, folder, mode]
        subprocess.run([sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2", *worker], check=True,
                       env={**os.environ, "OMP_NUM_THREADS": "1", "HL_TEST_EXAMPLES": "2"}, capture_output=True)
        for rank in range(2):
            (OUT / f"{name}.rank{rank}.h5").write_bytes(pathlib.Path(folder, f"run.rank{rank}.h5").read_bytes())
    sys.argv[1:] = [str(ROOT), "", mode]
    os.environ["HL_TEST_EXAMPLES"] = "2"
    import rank_worker
    ids, mask = rank_worker.inputs()
    model = rank_worker.make()
    model.set_attn_implementation("eager")
    outputs = model(ids, attention_mask=mask, output_attentions=True)
    write_weights(OUT / f"{name}.weights.h5", outputs, {"attention_mask": mask}, None)


def main():
    OUT.mkdir(exist_ok=True)
    if sys.argv[1:]:
        for name in sys.argv[1:]:
            capture_family(name)
        return
    for name in ("bert", "gemma2", "gpt-oss", "llama4", "deberta-v3", "bloom"):
        capture_family(name)
    capture_family("t5", numbers=[0, 1])
    capture_family("modernbert", numbers=[0, 1, 2, 3])
    capture_family("gemma4", numbers=[0, 1, 2, 3])
    capture_family("qwen3-next", numbers=[3])
    capture_family("dinov2-registers")
    capture_generation("mistral", {"cache_implementation": "static"})
    capture_mask()
    capture_ranks("ddp", "examples")
    capture_ranks("tensor", "heads")
    for path in sorted(OUT.iterdir()):
        size = path.stat().st_size
        print(path.name, size)
        if size > 30000:
            sys.exit(f"{path} is larger than it should be")


main()

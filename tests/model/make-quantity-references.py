#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes quantities/NAME.h5: what is made of weights, in float64, of what PyTorch computes.

Needs torch, transformers and h5py.  Of each tiny model, on the token numbers of its reference.h5, and of each KIND of attention:

  value_KIND [heads, queries, keys]   of the last layer: A |v|, v with its bias
  norm_KIND [layers, heads, queries, keys]   |A f|, f = values times the head's part of the output projection, without its bias
  sum_KIND [layers, queries, keys]   |sum over heads of A f|
  residual_KIND [heads, n, n]   of self-attention, and of the last layer: rownorm(A + I)
  rollout_KIND [layers, n, n]   products of rownorm(mean of heads + I)
  late_KIND [layers, n, n]   the same from layer 1 on; before it, what goes into it is not mixed yet
  flow_KIND [n, n]   of the last layer: greatest flows to the input, rows divided by their sums
  distance_KIND [layers * heads, layers * heads]   Jensen-Shannon divergence of the rows of two heads in bits, the mean over queries
  mixing_KIND [layers, n]   the part of what stands behind attention that comes from other tokens, by the whole formula;
    none where what attention gives is normalised before it is added

  make-quantity-references.py            all models
  make-quantity-references.py NAME ...   some of them
  make-quantity-references.py --minilm FOLDER   minilm-quantities.npz: the same of MiniLM on a sentence
"""

import pathlib
import sys

import h5py
import numpy as np
import torch
import transformers as T

HERE = pathlib.Path(__file__).resolve().parent
TEXT = "The engineers who built it had never seen anything like it."

# Class, and of each kind of attention: the layers, what gives values and what follows the heads in a layer, and the norm behind attention.
BERT = ("encoder.layer", "attention.self.value", "attention.output.dense", "attention.output.LayerNorm")
LLAMA = ("layers", "self_attn.v_proj", "self_attn.o_proj", None)
MODELS = {
    "bert": (T.BertModel, {"attention": BERT}),
    "gpt2": (T.GPT2Model, {"attention": ("h", "attn.c_attn", "attn.c_proj", None)}),
    "llama": (T.LlamaModel, {"attention": LLAMA}),
    "gemma3": (T.Gemma3TextModel, {"attention": LLAMA}),
    "t5": (T.T5Model, {
        "encoder": ("encoder.block", "layer.0.SelfAttention.v", "layer.0.SelfAttention.o", None),
        "decoder": ("decoder.block", "layer.0.SelfAttention.v", "layer.0.SelfAttention.o", None),
        "cross": ("decoder.block", "layer.1.EncDecAttention.v", "layer.1.EncDecAttention.o", None),
    }),
}
ATTENTIONS = {"attention": "attentions", "encoder": "encoder_attentions", "decoder": "decoder_attentions", "cross": "cross_attentions"}
STATES = {"attention": "hidden_states", "encoder": "encoder_hidden_states", "decoder": "decoder_hidden_states"}


def run(model, inputs, kinds):
    """What the model gives, and the values of each kind and layer."""
    values, hooks = {}, []
    for kind, (layers, value, _, _) in kinds.items():
        for number, layer in enumerate(model.get_submodule(layers)):
            def keep(module, args, result, place=(kind, number), fused=value.endswith("c_attn")):
                values[place] = (result.chunk(3, dim=-1)[2] if fused else result)[0].numpy()
            hooks.append(layer.get_submodule(value).register_forward_hook(keep))
    with torch.no_grad():
        out = model(**inputs, output_attentions=True, output_hidden_states=True)
    for hook in hooks:
        hook.remove()
    return out, values


def transform(values, projection, n_heads):
    """f of each head and key: [heads, keys, width]."""
    weight = projection.weight.detach().numpy()
    if isinstance(projection, torch.nn.Linear):
        weight = weight.T
    size = len(weight) // n_heads
    n_value_heads = values.shape[-1] // size
    return np.stack([values[:, h * n_value_heads // n_heads * size:][:, :size] @ weight[h * size:(h + 1) * size]
                     for h in range(n_heads)])


def measure_lengths(values, projection, n_heads):
    """|v| of each head and key: [heads, keys]."""
    weight = projection.weight.detach().numpy()
    size = weight.shape[1 if isinstance(projection, torch.nn.Linear) else 0] // n_heads
    lengths = np.linalg.norm(values.reshape(len(values), -1, size), axis=-1).T
    return lengths[[h * len(lengths) // n_heads for h in range(n_heads)]]


def measure_divergences(maps):
    """Of all pairs of maps [maps, queries, keys]."""
    def measure(p, q):
        middle = (p + q) / 2
        return sum((a * np.log2(np.where(a > 0, a / np.where(middle > 0, middle, 1), 1))).sum(-1) for a in (p, q)).mean() / 2
    return np.array([[measure(p, q) for q in maps] for p in maps])


def normalise_rows(maps):
    return maps / maps.sum(-1, keepdims=True)


def make_rollout(residual, first=0):
    rollout = [np.eye(len(residual[0]))]
    for number, part in enumerate(residual):
        rollout.append(part @ rollout[-1] if number >= first else rollout[-1])
    return np.stack(rollout[1:])


def mixes(block):
    return not hasattr(block, "pre_feedforward_layernorm")


def measure_mixing(weights, vectors, stream, projection, norm):
    """Of each query, by the formula as it is written: s_ij, centred, divided and weighted by the norm, if there is one."""
    bias = 0 if projection.bias is None else projection.bias.detach().numpy()
    ratios = []
    for i, x in enumerate(stream):
        parts = np.einsum("hj,hjw->jw", weights[:, i], vectors)
        parts[i] += x
        if norm is not None:
            deviation = np.sqrt((parts.sum(0) + bias).var() + norm.eps)
            parts = (parts - parts.mean(1, keepdims=True)) / deviation * norm.weight.detach().numpy()
        others = np.linalg.norm(parts.sum(0) - parts[i])
        ratios.append(others / (others + np.linalg.norm(parts[i])))
    return np.array(ratios)


def find_flow(capacities, source, sink):
    """From a node of the last level to one of the first, along the shortest path that is left, as often as there is one."""
    n_levels, n = capacities.shape[:2]
    left = np.zeros(((n_levels + 1) * n,) * 2)
    for level in range(n_levels):
        left[(level + 1) * n:(level + 2) * n, level * n:(level + 1) * n] = capacities[level]
    source, flow = n_levels * n + source, 0
    while True:
        before, queue = {source: None}, [source]
        for node in queue:
            for other in np.flatnonzero(left[node] > 1e-13):
                if other not in before:
                    before[other] = node
                    queue.append(other)
        if sink not in before:
            return flow
        path, node = [], sink
        while before[node] is not None:
            path.append((before[node], node))
            node = before[node]
        amount = min(left[edge] for edge in path)
        for a, b in path:
            left[a, b] -= amount
            left[b, a] += amount
        flow += amount


def measure(model, inputs, kinds):
    found = {}
    out, values = run(model, inputs, kinds)
    for kind, (layers, _, output, norm_name) in kinds.items():
        weights = [layer[0].numpy() for layer in out[ATTENTIONS[kind]]]
        blocks = model.get_submodule(layers)
        norms, sums, mixing = [], [], []
        for number, a in enumerate(weights):
            projection = blocks[number].get_submodule(output)
            vectors = transform(values[kind, number], projection, len(a))
            norms.append(a * np.linalg.norm(vectors, axis=-1)[:, None])
            sums.append(np.linalg.norm(np.einsum("hij,hjw->ijw", a, vectors), axis=-1))
            if kind == "cross":
                continue
            stream = out[STATES[kind]][number][0].numpy()
            norm = blocks[number].get_submodule(norm_name) if norm_name else None
            if mixes(blocks[number]):
                mixing.append(measure_mixing(a, vectors, stream, projection, norm))
        found[f"norm_{kind}"], found[f"sum_{kind}"] = np.stack(norms), np.stack(sums)
        found[f"value_{kind}"] = a * measure_lengths(values[kind, number], projection, len(a))[:, None]
        found[f"distance_{kind}"] = measure_divergences(np.concatenate(weights))
        if kind == "cross":
            continue
        n = len(stream)
        found[f"residual_{kind}"] = normalise_rows(a + np.eye(n))
        residual = np.stack([normalise_rows(a.mean(0) + np.eye(n)) for a in weights])
        found[f"rollout_{kind}"], found[f"late_{kind}"] = make_rollout(residual), make_rollout(residual, 1)
        if mixing:
            found[f"mixing_{kind}"] = np.stack(mixing)
        found[f"flow_{kind}"] = normalise_rows(np.array([[find_flow(residual, i, j) for j in range(n)] for i in range(n)]))
    return found


def make(name):
    model_class, kinds = MODELS[name]
    folder = HERE / "checkpoints" / name
    model = model_class.from_pretrained(folder, attn_implementation="eager", dtype=torch.float64).eval()
    with h5py.File(folder / "reference.h5") as file:
        inputs = {argument: torch.tensor(file[dataset][()].astype(np.int64))[None]
                  for argument, dataset in (("input_ids", "ids"), ("token_type_ids", "segments"), ("decoder_input_ids", "decoder_ids"))
                  if dataset in file}
    with h5py.File(HERE / "quantities" / f"{name}.h5", "w") as file:
        for dataset, numbers in measure(model, inputs, kinds).items():
            file.create_dataset(dataset, data=numbers.astype(np.float32), compression="gzip", shuffle=True)
    print(name)


def main():
    torch.set_num_threads(1)
    if sys.argv[1:2] == ["--minilm"]:
        tokenizer = T.AutoTokenizer.from_pretrained(sys.argv[2])
        model = T.AutoModel.from_pretrained(sys.argv[2], attn_implementation="eager", dtype=torch.float64).eval()
        found = measure(model, tokenizer(TEXT, return_tensors="pt"), MODELS["bert"][1])
        np.savez_compressed(HERE / "minilm-quantities.npz", text=TEXT, **{name: numbers.astype(np.float32) for name, numbers in found.items()})
        return
    for name in sys.argv[1:] or MODELS:
        make(name)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""A small independent reader of dumps of version 2, as data/dump-format.md describes them: weights in float64 by NumPy."""
import glob
import re

import h5py
import numpy as np


def each_layer(value, layers):
    """A rule's number, of one for all or one a layer."""
    if isinstance(value, (bytes, str)):
        value = [float(x) for x in (value.decode() if isinstance(value, bytes) else value).split(",")]
    value = np.asarray(value, float).reshape(-1)
    return np.repeat(value, layers) if value.size == 1 else value


def read_layers(item):
    """{number: array} of one dataset with an axis of layers, or of a group of one dataset a layer."""
    if isinstance(item, h5py.Group):
        return {int(name): np.asarray(item[name], float) for name in item}
    return dict(enumerate(np.asarray(item, float)))


def unpack(bits, keys):
    return np.unpackbits(np.asarray(bits), axis=-1, bitorder="little")[..., :keys].astype(bool)


def layer_weights(q, k, rule):
    """Weights [heads, queries, keys] of one layer."""
    heads, n, d = q.shape
    m = k.shape[1]
    k = np.repeat(k, heads // k.shape[0], axis=0)
    scores = np.einsum("hid,hjd->hij", q, k)
    if "distance_rows" in rule:
        rows = rule["distance_rows"][np.arange(m)[None] - np.arange(n)[:, None] + n - 1]
        if "distance_keys" in rule:
            scores += np.einsum("hid,hijd->hij", q, rule["distance_keys"][:, rows])
        if "distance_queries" in rule:
            scores += np.einsum("hjd,hijd->hij", k, rule["distance_queries"][:, rows])
    scores *= rule.get("scale", d ** -0.5)
    if rule.get("softcap"):
        scores = rule["softcap"] * np.tanh(scores / rule["softcap"])
    causal = bool(rule.get("causal", 0))
    place = np.arange(n)[:, None] + rule.get("query_offset", m - n if causal else 0)
    j = np.arange(m)[None]
    seen = np.ones((n, m), bool)
    if causal:
        seen &= j <= place
    if rule.get("sliding_window"):
        seen &= j > place - rule["sliding_window"]
        if not causal:
            seen &= j < place + rule["sliding_window"]
    if rule.get("chunk"):
        seen &= j // rule["chunk"] == place // rule["chunk"]
    if "key_mask" in rule:
        seen &= rule["key_mask"][None] != 0
    if "mask" in rule:
        seen &= rule["mask"]
    if "bias" in rule:
        i = np.arange(n)[:, None]
        scores = scores + rule["bias"][:, j - i + n - 1]
    scores = np.where(seen, scores, -np.inf)
    top = scores.max(-1, keepdims=True)
    if "sinks" in rule:
        top = np.maximum(top, rule["sinks"][:, None, None])
    top = np.where(np.isfinite(top), top, 0)
    powers = np.exp(scores - top)
    whole = powers.sum(-1, keepdims=True)
    if "sinks" in rule:
        whole = whole + np.exp(rule["sinks"][:, None, None] - top)
    return np.divide(powers, whole, out=np.zeros_like(powers), where=whole > 0)


def kind_weights(group, root, prefix):
    """{layer: weights} of one kind of attention of an example; None where the file has none."""
    if prefix + "attention" in group:
        return read_layers(group[prefix + "attention"])
    if prefix + "queries" not in group:
        return None
    queries, keys = read_layers(group[prefix + "queries"]), read_layers(group[prefix + "keys"])
    count = max(queries) + 1

    def find(name):
        for place in (group, root):
            if prefix + name in place.attrs:
                return each_layer(place.attrs[prefix + name], count)
        return None

    found = {}
    for layer, q in queries.items():
        rule = {}
        for name in ("causal", "scale", "sliding_window", "chunk", "softcap", "query_offset"):
            values = find(name)
            if values is not None:
                rule[name] = values[layer]
        for name in ("key_mask", "mask", "bias", "sinks", "distance_rows", "distance_queries", "distance_keys"):
            if prefix + name not in group:
                continue
            if name in ("distance_queries", "distance_keys"):
                rule[name] = read_layers(group[prefix + name])[layer]
                continue
            if name == "sinks":
                of_layers = read_layers(group[prefix + name])
                if layer in of_layers:
                    rule[name] = of_layers[layer]
                continue
            data = np.asarray(group[prefix + name])
            if name == "mask":
                data = unpack(data, keys[layer].shape[1])
                data = data[layer] if data.ndim == 3 else data
            elif name == "bias":
                data = data[layer] if data.ndim == 3 else data
            rule[name] = data
        found[layer] = layer_weights(q, keys[layer], rule)
    return found


def read_group(group, root):
    example = {}
    for prefix in ("", "encoder_", "decoder_", "cross_"):
        weights = kind_weights(group, root, prefix)
        if weights is not None:
            example[prefix[:-1]] = weights
    example["tokens"] = {name: [x.decode() for x in group[name][()]] for name in group if name.endswith("tokens") and not name.endswith("image_tokens")}
    return example


def read(path):
    """Examples of a file, in order; each {kind: {layer: weights [heads, queries, keys]}, "tokens": …}."""
    with h5py.File(path) as file:
        assert file.attrs["format"] == "headlight-attention" and file.attrs["version"] == 2, dict(file.attrs)
        if "examples" in file:
            return [read_group(file["examples"][name], file) for name in file["examples"]]
        return [read_group(file, file)]


def read_ranks(path):
    """Examples of run.rank0.h5, run.rank1.h5 … as one."""
    files = sorted(glob.glob(re.sub(r"\.h5$", ".rank*.h5", str(path))), key=lambda x: int(re.search(r"rank(\d+)", x)[1]))
    parts = [read(x) for x in files]
    with h5py.File(files[0]) as file:
        assert file.attrs["ranks"] == len(files)
        beside = file.attrs.get("head_ranks", 1) if file.attrs["sharding"] == "examples" else len(files)
    return [example for first in range(0, len(parts), beside) for example in join_heads(parts[first:first + beside])]


def join_heads(parts):
    joined = parts[0]
    for number, example in enumerate(joined):
        for kind in set(example) - {"tokens"}:
            for layer in example[kind]:
                example[kind][layer] = np.concatenate([part[number][kind][layer] for part in parts])
    return joined

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Captures tiny models of every family and compares weights with those of the same model's eager attention.

Usage: test-families.py HEADLIGHT-CLI SOURCE-ROOT [FAMILY …].  Prints TAP.  Needs PyTorch and transformers.

Weights are computed from the file by reference_reader.py, and by headlight-cli where the file is of a version that it reads.
"""
import inspect
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import traceback

CLI, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
sys.path[:0] = [str(ROOT / "src/python"), str(ROOT / "tests/python")]
sys.dont_write_bytecode = True

import h5py
import numpy as np
import torch
import transformers

import families
import headlight
import reference_reader

BOUND = 1e-5
FIELDS = {"": "attentions", "encoder": "encoder_attentions", "decoder": "decoder_attentions", "cross": "cross_attentions"}
transformers.utils.logging.set_verbosity_error()
torch.set_num_threads(1)
torch.set_grad_enabled(False)


def make_inputs(kind, padding):
    generator = torch.Generator().manual_seed(1)
    if kind == "vision":
        return {"pixel_values": torch.randn(2, 3, 24, 24, generator=generator)}
    ids = torch.randint(5, 60, (2, 11), generator=generator)
    inputs = {"input_ids": ids}
    if padding != "none":
        inputs["attention_mask"] = torch.ones_like(ids)
        inputs["attention_mask"][1, slice(0, 4) if padding == "left" else slice(7, 11)] = 0
    if kind == "seq2seq":
        inputs["decoder_input_ids"] = torch.randint(5, 60, (2, 9), generator=generator)
        if padding != "none":
            inputs["decoder_attention_mask"] = torch.ones(2, 9, dtype=torch.long)
            inputs["decoder_attention_mask"][1, 6:] = 0
    return inputs


def kept_of(kind, inputs, item, n):
    """Which positions are no padding, of queries and of keys of a kind of attention."""
    encoder, decoder = inputs.get("attention_mask"), inputs.get("decoder_attention_mask")
    query, key = {"": (encoder, encoder), "encoder": (encoder, encoder), "decoder": (decoder, decoder), "cross": (decoder, encoder)}[kind]
    return [np.ones(size, bool) if mask is None else mask[item].bool().numpy() for mask, size in zip((query, key), n)]


def of_program(path, folder):
    """The same examples as reference_reader.read gives, as headlight-cli reads them; None where it cannot yet."""
    out = folder / "weights.json"
    done = subprocess.run([CLI, "convert", path, "--store", "weights", "--output", out], capture_output=True, text=True,
                          env={**os.environ, "LC_ALL": "C.UTF-8"})
    assert done.returncode == 0, done.stderr
    data = json.loads(out.read_text())
    examples = list(data["examples"].values()) if "examples" in data else [data]
    found = []
    for example in examples:
        of = {}
        for kind in FIELDS:
            layers = example.get(f"{kind}_attention" if kind else "attention")
            if layers is not None:
                pairs = layers.items() if isinstance(layers, dict) else enumerate(layers)
                of[kind] = {int(number): np.array(layer) for number, layer in pairs}
        found.append(of)
    return found


def compare(examples, outputs, inputs, computed_only=False):
    worst = 0.0
    for item, example in enumerate(examples):
        assert set(example) - {"tokens"} == ({"encoder", "decoder", "cross"} if "decoder_input_ids" in inputs else {""}), set(example)
        for kind in set(example) - {"tokens"}:
            maps = [m for m in outputs[FIELDS[kind]] if m is not None]
            assert len(maps) == len(example[kind]), (kind, len(maps), sorted(example[kind]))
            for wanted, (number, weights) in zip(maps, sorted(example[kind].items())):
                queries, keys = kept_of(kind, inputs, item, wanted.shape[2:])
                wanted = wanted[item].float().numpy()[:, queries][:, :, keys]
                assert wanted.shape == weights.shape, (kind, number, wanted.shape, weights.shape)
                # Queries that the model left out have rows of zeros.
                rows = weights.sum(-1) > 1e-3 if computed_only else np.ones(weights.shape[:2], bool)
                assert rows[:, -1].all()
                worst = max(worst, float(np.abs(wanted - weights)[rows].max()))
    return worst


def check_stored(name, path, dtype=torch.float32):
    """Queries and keys, and weights only of models of which these would not tell the weights."""
    only_weights = name in WEIGHTS or (dtype != torch.float32 and name == "bloom")
    with h5py.File(path) as file:
        stored = {key.split("_")[-1] for group in file["examples"].values() for key in group} & {"queries", "attention"}
    assert stored == ({"attention"} if only_weights else {"queries"}), stored


def check_family(name, implementation, padding, folder):
    kind = families.FAMILIES[name][2]
    model, inputs = families.make(name, implementation), make_inputs(kind, padding)
    plain = model(**inputs)
    path = folder / "run.h5"
    with headlight.capture(model, path, tokenizer=families.Words(), dtype="float32"):
        captured = model(**inputs)
    assert plain.keys() == captured.keys()
    assert torch.equal(plain[0], captured[0]), "outputs differ from those without capture"
    outputs = families.make(name, "eager")(**inputs, output_attentions=True)
    check_stored(name, path)
    examples = reference_reader.read(path)
    assert len(examples) == 2
    worst = compare(examples, outputs, inputs)
    worst = max(worst, compare(of_program(path, folder), outputs, inputs))
    assert worst <= BOUND, f"{worst:.2e}"
    if kind != "vision":
        for item, example in enumerate(examples):
            row = inputs["input_ids"][item][kept_of("encoder", inputs, item, (11, 11))[0]]
            assert example["tokens"]["encoder_tokens" if kind == "seq2seq" else "tokens"] == [f"w{i}" for i in row]
    else:
        assert examples[0]["tokens"]["tokens"][-1] == "patch 3,3"
    return worst


def check_half(name, implementation, dtype, folder):
    """In 16 bits a model rounds scores and weights, and what comes before them; the reader of a file does not."""
    kind = families.FAMILIES[name][2]
    model, inputs = families.make(name, implementation, dtype), make_inputs(kind, "none")
    inputs = {given: value.to(dtype) if value.is_floating_point() else value for given, value in inputs.items()}
    plain = model(**inputs)
    path = folder / "run.h5"
    with headlight.capture(model, path, dtype="float32"):
        captured = model(**inputs)
    assert torch.equal(plain[0], captured[0]), "outputs differ from those without capture"
    outputs = families.make(name, "eager", dtype)(**inputs, output_attentions=True)
    check_stored(name, path, dtype)
    worst = compare(reference_reader.read(path), outputs, inputs)
    assert worst <= HALF_BOUNDS[dtype], f"{worst:.2e}"
    return worst


def check_eager(name, implementation, cache, folder):
    """Weights that a model gives itself, step by step, each of whose caches may have forgotten what stands before a window."""
    model, kind = families.make(name, implementation), families.FAMILIES[name][2]
    ids = torch.randint(5, 60, (2, 7), generator=torch.Generator().manual_seed(1))
    options = {"static": {"cache_implementation": "static"}, "none": {"use_cache": False}, "dynamic": {}}[cache]
    path = folder / "run.h5"
    with headlight.capture(model, path, dtype="float32", store="eager"):
        out = model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=8, min_new_tokens=8, do_sample=False, **options)
    inputs = {"input_ids": ids, "decoder_input_ids": out[:, :-1]} if kind == "seq2seq" else {"input_ids": out[:, :-1]}
    worst = compare(reference_reader.read(path), model(**inputs, output_attentions=True), inputs)
    assert worst <= BOUND, f"{worst:.2e}"
    return worst


def check_generation(name, implementation, cache, padded, folder):
    kind = families.FAMILIES[name][2]
    model = families.make(name, implementation)
    ids = torch.randint(5, 60, (2, 7), generator=torch.Generator().manual_seed(1))
    mask = torch.ones_like(ids)
    if padded:
        mask[1, :3] = 0
    options = {"max_new_tokens": 8, "min_new_tokens": 8, "do_sample": False}
    options |= {"static": {"cache_implementation": "static"}, "none": {"use_cache": False}, "dynamic": {}}[cache]
    plain = model.generate(ids, attention_mask=mask, **options)
    path = folder / "run.h5"
    with headlight.capture(model, path, tokenizer=families.Words(), dtype="float32"):
        out = model.generate(ids, attention_mask=mask, **options)
    assert torch.equal(plain, out), "outputs differ from those without capture"
    # The last token is written, but never read.
    read = out[:, :-1]
    if kind == "seq2seq":
        inputs = {"input_ids": ids, "attention_mask": mask, "decoder_input_ids": read, "decoder_attention_mask": torch.ones_like(read)}
    else:
        whole = torch.cat([mask, torch.ones(2, read.shape[1] - 7, dtype=torch.long)], 1)
        inputs = {"input_ids": read, "attention_mask": whole}
    eager = families.make(name, "eager")
    places = {}
    if kind != "seq2seq" and "position_ids" in inspect.signature(eager.forward).parameters:
        places["position_ids"] = (inputs["attention_mask"].cumsum(1) - 1).clip(0)
    outputs = eager(**inputs, **places, output_attentions=True)
    check_stored(name, path)
    examples = reference_reader.read(path)
    assert len(examples) == 2
    worst = compare(examples, outputs, inputs, computed_only=name == "gemma4")
    worst = max(worst, compare(of_program(path, folder), outputs, inputs, computed_only=name == "gemma4"))
    assert worst <= BOUND, f"{worst:.2e}"
    return worst


# Where transformers' own attentions differ by implementation: ALiBi is scaled by one of them only.
NO_SDPA = {"deberta-talking", "xlnet", "codegen", "gemma2", "gpt-oss", "deberta", "deberta-v2", "deberta-v3", "deberta-c2p", "deberta-p2c", "mpnet", "bloom", "gpt-j", "gpt-neo", "mpt", "falcon-alibi"}
# Whose scores no rule tells, so that weights are stored.
WEIGHTS = {"falcon-alibi", "deberta-talking", "xlnet"}
# By the bits of their fractions, 10 and 7; the most that was seen is 0.012 and 0.095.
HALF_BOUNDS = {torch.float16: 0.02, torch.bfloat16: 0.15}
# Whose caches differ: none, of all, of a window, of both, of an encoder and decoder.
EAGER = {"bloom", "llama", "mistral", "gpt-oss", "t5"}
# Whose distances to their caches' ends make static ones impossible, as GPT-Neo's own mask does, which counts from the end.
NO_STATIC = {"falcon-alibi", "qwen3-next", "gpt-neo"}


def cases(names):
    for name in names:
        kind = families.FAMILIES[name][2]
        for implementation in ("eager",) if name in NO_SDPA else ("sdpa", "eager"):
            for padding in ("none",) if kind == "vision" else ("none", "right", "left"):
                yield f"{name} {implementation} padding {padding}", check_family, (name, implementation, padding)
            if kind in ("decoder", "seq2seq"):
                for cache in ("dynamic", "none") if name in NO_STATIC else ("dynamic", "static", "none"):
                    for padded in (False, True):
                        yield (f"{name} {implementation} generate, cache {cache}{', padded' if padded else ''}", check_generation,
                               (name, implementation, cache, padded))
        for dtype in HALF_BOUNDS:
            yield f"{name} {dtype}", check_half, (name, "eager" if name in NO_SDPA else "sdpa", dtype)
        if name in EAGER:
            for cache in ("dynamic", "static", "none"):
                yield f"{name} store=eager, cache {cache}", check_eager, (name, "eager", cache)


def main():
    every = list(cases(sys.argv[3:] or list(families.FAMILIES)))
    print(f"1..{len(every)}")
    failed = False
    for number, (name, check, arguments) in enumerate(every, 1):
        try:
            with tempfile.TemporaryDirectory() as folder:
                worst = check(*arguments, pathlib.Path(folder))
            print(f"ok {number} {name}, {worst:.1e}", flush=True)
        except Exception:
            failed = True
            print(f"not ok {number} {name}", flush=True)
            traceback.print_exc()
    sys.exit(failed)


main()

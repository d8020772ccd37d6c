#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tiny GGUF models of every architecture, and the attention that transformers computes with the same weights.

Needs torch, transformers, safetensors, h5py, numpy and gguf.  models/NAME/model.gguf is a checkpoint of tests/model/checkpoints with the names
that the package gguf has for its tensors, the order that llama.cpp's converter brings them into, and its keys; models/NAME/reference.h5 is
as there.  Where GGUF files cannot say what the checkpoint's config.json does, the reference is made without it.

  make-models.py            all models
  make-models.py NAME ...   some of them
"""

import dataclasses
import importlib.util
import pathlib
import sys

import gguf
import gguf.quants
import numpy as np
import torch
import transformers as T

HERE = pathlib.Path(__file__).resolve().parent
SPEC = importlib.util.spec_from_file_location("references", HERE.parent / "model" / "make-references.py")
references = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(references)

Q = gguf.GGMLQuantizationType
# Tokens of the references.
N, M = 12, 7


@dataclasses.dataclass
class Row:
    """How a model is made of a checkpoint: its architecture, what else its configuration is, and what its file has besides."""

    checkpoint: str
    arch: gguf.MODEL_ARCH
    changes: dict = dataclasses.field(default_factory=dict)
    arrays: bool = False
    pattern: object = None
    big: bool = False
    split: int = 0


A = gguf.MODEL_ARCH
MODELS = {
    "llama": Row("llama", A.LLAMA),
    "llama-arrays": Row("llama", A.LLAMA, arrays=True),
    "llama-split": Row("llama", A.LLAMA, split=8),
    "llama-big-endian": Row("llama", A.LLAMA, big=True),
    "llama-bias": Row("llama-bias", A.LLAMA),
    "llama-tied": Row("llama-tied", A.LLAMA),
    "llama3": Row("llama3", A.LLAMA),
    "llama-linear": Row("llama-linear", A.LLAMA),
    "llama-yarn": Row("llama-yarn", A.LLAMA),
    "qwen2": Row("qwen2", A.QWEN2),
    "qwen3": Row("qwen3", A.QWEN3),
    # The pattern of layers and the scale of queries are not in files of Gemma.
    "mixtral": Row("mixtral", A.LLAMA),
    "qwen3-moe": Row("qwen3-moe", A.QWEN3MOE),
    # The limit of gates is not in files of gpt-oss.
    "gpt-oss": Row("gpt-oss", A.GPT_OSS, {"swiglu_limit": 7.0}),
    "gemma2": Row("gemma2", A.GEMMA2, {"query_pre_attn_scalar": 12}),
    "gemma3": Row("gemma3", A.GEMMA3, {"query_pre_attn_scalar": 12, "layer_types": ["sliding_attention"] * 3}),
    "gemma3-pattern": Row("gemma3", A.GEMMA3, {"query_pre_attn_scalar": 12}, pattern=2),
    "gemma3-list": Row("gemma3", A.GEMMA3, {"query_pre_attn_scalar": 12}, pattern=[True, False, True]),
    "gpt2": Row("gpt2", A.GPT2, {"scale_attn_by_inverse_layer_idx": False}),
    "gpt-neox": Row("gpt-neox", A.GPTNEOX),
    "gpt-neox-serial": Row("gpt-neox", A.GPTNEOX, {"use_parallel_residual": False}),
    "phi": Row("phi", A.PHI2),
    "bert": Row("bert", A.BERT),
    "t5": Row("t5", A.T5, {"relative_attention_max_distance": 128}),
    "t5-gated": Row("t5-gated", A.T5, {"relative_attention_max_distance": 128}),
}


def first(config, *names):
    """The first of several values that a configuration has."""
    return next((getattr(config, name) for name in names if getattr(config, name, None) is not None), None)


def round_weights(model):
    """Makes weights float16, and nothing else: to() would round the frequencies of rotary embeddings too."""
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(parameter.half().float())


def add_keys(writer, config, row):
    """What the converter writes of a config.json."""
    heads = first(config, "num_attention_heads", "num_heads", "n_head")
    width = first(config, "hidden_size", "d_model", "n_embd")
    layers = first(config, "num_hidden_layers", "num_layers", "n_layer")
    head_size = first(config, "head_dim", "d_kv")
    keys = first(config, "num_key_value_heads")
    writer.add_context_length(first(config, "max_position_embeddings", "n_positions") or 512)
    writer.add_embedding_length(width)
    writer.add_block_count(layers)
    inner = first(config, "intermediate_size", "d_ff", "n_inner") or 4 * width
    writer.add_feed_forward_length([inner] * layers if row.arrays else inner)
    writer.add_head_count([heads] * layers if row.arrays else heads)
    if keys is not None:
        writer.add_head_count_kv([keys] * layers if row.arrays else keys)
    if head_size is not None:
        writer.add_key_length(head_size)
        writer.add_value_length(head_size)
    if first(config, "rms_norm_eps") is not None:
        writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    else:
        writer.add_layer_norm_eps(first(config, "layer_norm_eps", "layer_norm_epsilon"))
    if row.arch in (A.GEMMA2, A.GEMMA3):
        writer.add_sliding_window(config.sliding_window)
        if config.attn_logit_softcapping is not None:
            writer.add_attn_logit_softcapping(config.attn_logit_softcapping)
        if config.final_logit_softcapping is not None:
            writer.add_final_logit_softcapping(config.final_logit_softcapping)
    if first(config, "num_local_experts") is not None:
        writer.add_expert_count(config.num_local_experts)
        writer.add_expert_used_count(config.num_experts_per_tok)
        writer.add_expert_feed_forward_length(first(config, "moe_intermediate_size", "intermediate_size"))
    if row.arch == A.GPT_OSS:
        writer.add_sliding_window(config.sliding_window)
    if row.pattern is not None:
        writer.add_sliding_window_pattern(row.pattern)
    if row.arch == A.GPTNEOX:
        writer.add_parallel_residual(config.use_parallel_residual)
    if row.arch == A.BERT:
        writer.add_causal_attention(False)
    if row.arch == A.T5:
        writer.add_layer_norm_rms_eps(config.layer_norm_epsilon)
        writer.add_relative_attn_buckets_count(config.relative_attention_num_buckets)
        writer.add_decoder_start_token_id(config.decoder_start_token_id)
    rope = getattr(config, "rope_parameters", None) or {}
    rope = rope.get("full_attention", rope)
    if rope:
        writer.add_rope_freq_base(rope["rope_theta"])
        writer.add_rope_dimension_count(int((head_size or width // heads) * rope.get("partial_rotary_factor", 1)))
    if rope.get("rope_type") in ("linear", "yarn"):
        writer.add_rope_scaling_type(gguf.RopeScalingType(rope["rope_type"]))
        writer.add_rope_scaling_factor(rope["factor"])
    if rope.get("rope_type") == "yarn":
        writer.add_rope_scaling_orig_ctx_len(rope["original_max_position_embeddings"])


def permute(rows, heads):
    """Pairs that turn together beside one another."""
    return rows.reshape(heads, 2, rows.shape[0] // heads // 2, *rows.shape[1:]).swapaxes(1, 2).reshape(rows.shape)


def change(name, array, config, arch):
    """A tensor as the converter stores it."""
    if arch == A.LLAMA and (".q_proj." in name or ".k_proj." in name):
        return permute(array, config.num_attention_heads if ".q_proj." in name else config.num_key_value_heads)
    if arch in (A.GEMMA2, A.GEMMA3) and name.endswith("norm.weight"):
        return array + 1
    if arch == A.GPT2 and name.endswith(("c_attn.weight", "c_proj.weight", "c_fc.weight")):
        return array.T
    if arch == A.GPTNEOX and "query_key_value" in name:
        heads = config.num_attention_heads
        return array.reshape(heads, 3, -1, *array.shape[1:]).swapaxes(0, 1).reshape(array.shape)
    return array


def get_divisors(config):
    """What LLaMA 3 divides frequencies by."""
    rope = config.rope_parameters
    frequencies = 1 / rope["rope_theta"] ** (np.arange(0, config.head_dim, 2) / config.head_dim)
    turns = rope["original_max_position_embeddings"] * frequencies / (2 * np.pi)
    smooth = np.clip((turns - rope["low_freq_factor"]) / (rope["high_freq_factor"] - rope["low_freq_factor"]), 0, 1)
    return (1 / ((1 - smooth) / rope["factor"] + smooth)).astype(np.float32)


def part_experts(name, array, arch):
    """Gates and values of experts, which transformers has in one, as (name, array)."""
    layer = f"blk.{name.split('.')[2]}."
    suffix = "bias" if name.endswith("_bias") else "weight"
    rows = array.swapaxes(1, 2) if arch == A.GPT_OSS and suffix == "weight" else array
    if ".down_proj" in name:
        return [(f"{layer}ffn_down_exps.{suffix}", rows)]
    half = rows.shape[1] // 2
    gate, value = (rows[:, ::2], rows[:, 1::2]) if arch == A.GPT_OSS else (rows[:, :half], rows[:, half:])
    return [(f"{layer}ffn_gate_exps.{suffix}", gate), (f"{layer}ffn_up_exps.{suffix}", value)]


def write(name, model, row, seed, types=None):
    """Writes a model's file and its reference."""
    print(name)
    folder = HERE / "models" / name
    folder.mkdir(parents=True, exist_ok=True)
    write_model(folder / "model.gguf", model, row, types)
    references.write_reference(folder / "reference.h5", model, N, M, seed)


def write_model(path, model, row, types):
    """Writes a model; the tensors that types names as quantised ones, which the model's are replaced by."""
    config = model.config
    writer = gguf.GGUFWriter(path, gguf.MODEL_ARCH_NAMES[row.arch], endianess=gguf.GGUFEndian.BIG if row.big else gguf.GGUFEndian.LITTLE,
                             split_max_tensors=row.split)
    writer.add_name(f"Tiny {path.parent.name}")
    add_keys(writer, config, row)
    names = gguf.get_tensor_name_map(row.arch, 64)
    if getattr(config, "rope_parameters", None) and config.rope_parameters.get("rope_type") == "llama3":
        writer.add_tensor("rope_freqs.weight", get_divisors(config))
    seen = set()
    for name, tensor in model.state_dict().items():
        if name.endswith((".attn.bias", ".masked_bias", "inv_freq")) or "pooler" in name or "position_ids" in name:
            continue
        if ".experts." in name:
            for new, array in part_experts(name, tensor.float().numpy(), row.arch):
                writer.add_tensor(new, np.ascontiguousarray(array).astype(np.float16 if array.ndim > 2 else np.float32))
            continue
        if name.endswith((".mlp.gate.weight", ".self_attn.sinks")):
            new = "ffn_gate_inp.weight" if name.endswith("gate.weight") else "attn_sinks.weight"
            writer.add_tensor(f"blk.{name.split('.')[2]}.{new}", tensor.float().numpy())
            continue
        new = names.get_name(name, try_suffixes=(".weight", ".bias"))
        tied = tensor.data_ptr() == model.get_input_embeddings().weight.data_ptr()
        if new in seen or tied and new != "token_embd.weight":
            continue
        assert new is not None, name
        seen.add(new)
        array = np.ascontiguousarray(change(name, tensor.float().numpy(), config, row.arch))
        if types is not None and new in types:
            raw, kind = types[new]
            writer.add_tensor(new, raw, raw_dtype=kind)
        else:
            writer.add_tensor(new, array.astype(np.float16 if array.ndim > 1 else np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def make(name, seed):
    row = MODELS[name]
    config_class, model_class, _, _ = references.MODELS[row.checkpoint]
    folder = references.ROOT / row.checkpoint
    config = config_class.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32, **row.changes)
    model = model_class.from_pretrained(folder, config=config, attn_implementation="eager", dtype=torch.float32).eval()
    round_weights(model)
    write(name, model, row, seed)


# Types whose rows are of 256, and of 32, which are those of a model's matrices in turn; where the scales of blocks are, and how large.
LARGE = {Q.Q2_K: (80, 82), Q.Q3_K: (108,), Q.Q4_K: (0, 2), Q.Q5_K: (0, 2), Q.Q6_K: (208,), Q.IQ4_XS: (0,), Q.IQ2_XXS: (0,), Q.IQ2_XS: (0,),
         Q.IQ2_S: (0,), Q.IQ3_XXS: (0,), Q.IQ3_S: (0,), Q.IQ1_S: (0,), Q.IQ1_M: (), Q.TQ1_0: (52,), Q.TQ2_0: (64,)}
SMALL = {Q.Q4_0: (0,), Q.Q4_1: (0, 2), Q.Q5_0: (0,), Q.Q5_1: (0, 2), Q.Q8_0: (0,), Q.IQ4_NL: (0,), Q.MXFP4: ()}


def make_blocks(generator, kind, scales, shape):
    """Random blocks of a type whose numbers are spread as weights are."""
    elements, size = gguf.GGML_QUANT_SIZES[kind]
    raw = generator.integers(0, 256, (shape[0], shape[1] // elements, size), dtype=np.uint8)

    def set_scale(scale):
        half = np.frombuffer(np.float16(scale).tobytes(), np.uint8)
        for at in scales:
            raw[:, :, at:at + 2] = half
        if kind == Q.IQ1_M:
            for i in range(4):
                raw[:, :, 49 + 2 * i] = raw[:, :, 49 + 2 * i] & 15 | (half[i // 2] >> 4 * (i % 2) & 15) << 4
        if kind == Q.MXFP4:
            raw[:, :, 0] = 127 + int(round(np.log2(scale)))
        return gguf.quants.dequantize(raw.reshape(shape[0], -1), kind)

    # By a power of two, so that it is a half exactly.
    spread = set_scale(2.0 ** -8).std() * 2.0 ** 8
    numbers = set_scale(2.0 ** round(np.log2(1.2 / shape[1] ** 0.5 / spread)))
    return raw.reshape(shape[0], -1), numbers


def make_quantised():
    """Qwen3, whose queries and keys are normed, with a matrix of every type."""
    config = T.Qwen3Config(vocab_size=references.VOCABULARY, hidden_size=256, num_hidden_layers=3, num_attention_heads=2,
                           num_key_value_heads=1, head_dim=16, intermediate_size=32, max_position_embeddings=64, tie_word_embeddings=True,
                           attn_implementation="eager")
    torch.manual_seed(1)
    model = T.Qwen3ForCausalLM(config).eval()
    references.spread(model, 1)
    model.tie_weights()
    generator = np.random.default_rng(1)
    names = gguf.get_tensor_name_map(A.QWEN3, 64)
    large, small, types = list(LARGE.items()), list(SMALL.items()), {}
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            kinds = large if parameter.ndim == 2 and parameter.shape[1] == 256 and large else small
            if parameter.ndim == 2 and kinds:
                kind, scales = kinds.pop(0)
                raw, numbers = make_blocks(generator, kind, scales, tuple(parameter.shape))
                parameter.copy_(torch.from_numpy(numbers))
                types[names.get_name(name, try_suffixes=(".weight",))] = raw, kind
    assert not large and not small
    write("quantised", model, Row("", A.QWEN3), 1, types)


def make_large_gemma():
    """What 46 layers have of Gemma 2: queries are scaled by another number than the head's size."""
    config = T.Gemma2Config(vocab_size=references.VOCABULARY, hidden_size=24, num_hidden_layers=46, num_attention_heads=2,
                            num_key_value_heads=1, head_dim=4, intermediate_size=8, max_position_embeddings=64, query_pre_attn_scalar=12,
                            sliding_window=5, attn_implementation="eager")
    torch.manual_seed(1)
    model = T.Gemma2ForCausalLM(config).eval()
    references.spread(model, 1)
    model.tie_weights()
    round_weights(model)
    write("gemma2-27b", model, Row("", A.GEMMA2), 1)


def main():
    torch.set_num_threads(1)
    wanted = sys.argv[1:]
    for seed, name in enumerate(MODELS):
        if not wanted or name in wanted:
            make(name, seed)
    if not wanted or "quantised" in wanted:
        make_quantised()
    if not wanted or "gemma2-27b" in wanted:
        make_large_gemma()


if __name__ == "__main__":
    main()

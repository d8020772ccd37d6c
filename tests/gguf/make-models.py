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
    # Ollama's own names for what llama.cpp calls otherwise.
    ollama: bool = False
    # What layers have of their own: heads, key heads and the width between the products of a feed-forward.
    own: list = dataclasses.field(default_factory=list)
    # Layers behind those of the model, which predict further tokens.
    n_next: int = 0
    # Whether the file has the key of a factor of positions from before there were several ways of scaling.
    old: bool = False
    # Whether what makes keys and values of latent attention is in two tensors, a matrix for each head.
    apart: bool = False


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
    "phi3": Row("phi3", A.PHI3),
    "phi4-mini": Row("phi4-mini", A.PHI3),
    # What tells how much worse an expert may be is not in files.
    "phi-moe": Row("phi-moe", A.PHIMOE, {"router_jitter_noise": 0.01}),
    "falcon": Row("falcon", A.FALCON),
    "falcon-new": Row("falcon-new", A.FALCON),
    "mpt": Row("mpt", A.MPT),
    "olmo": Row("olmo", A.OLMO),
    "olmo2": Row("olmo2", A.OLMO2),
    "olmoe": Row("olmoe", A.OLMOE),
    "granite": Row("granite", A.GRANITE),
    "granite-moe": Row("granite-moe", A.GRANITE_MOE),
    "glm": Row("glm", A.CHATGLM),
    "glm4": Row("glm4", A.GLM4, n_next=1),
    "qwen2-moe": Row("qwen2-moe", A.QWEN2MOE),
    "deepseek-v2": Row("deepseek-v2", A.DEEPSEEK2),
    "deepseek-v3": Row("deepseek-v3", A.DEEPSEEK2, {"rope_parameters": {**references.YARN, "mscale": 0.7, "mscale_all_dim": 0.7}}),
    "deepseek-v3-apart": Row("deepseek-v3", A.DEEPSEEK2, {"rope_parameters": {**references.YARN, "mscale": 0.7, "mscale_all_dim": 0.7}},
                             apart=True),
    "gpt-oss-ollama": Row("gpt-oss", A.GPT_OSS, {"swiglu_limit": 7.0, "rope_parameters": {**references.YARN, "truncate": False}},
                          ollama=True),
    "cohere": Row("cohere", A.COMMAND_R),
    "cohere2": Row("cohere2", A.COHERE2, {"layer_types": ["sliding_attention"] * 3}),
    "bloom": Row("bloom", A.BLOOM),
    "starcoder": Row("gpt-bigcode", A.STARCODER),
    "starcoder2": Row("starcoder2", A.STARCODER2),
    "stablelm": Row("stablelm", A.STABLELM),
    "stablelm-parallel": Row("stablelm-parallel", A.STABLELM),
    "nemotron": Row("nemotron", A.NEMOTRON),
    "gemma": Row("gemma", A.GEMMA),
    # Which layers know positions, and which have a window, is not in files: all but every fourth.
    "smollm3": Row("smollm3", A.SMOLLM3, {"no_rope_layers": [1, 1, 1]}),
    # Of four layers the last has a map, which is what files say when they say nothing.
    "qwen35": Row("qwen35", A.QWEN35),
    "qwen35-moe": Row("qwen35-moe", A.QWEN35MOE),
    "qwen3-next": Row("qwen3-next", A.QWEN3NEXT),
    "cohere-plus": Row("cohere-plus", A.COMMAND_R),
    # How queries grow with their position, and chunks, are not in files; at this length neither is to be seen.
    "llama4": Row("llama4", A.LLAMA4, {"floor_scale": 8192, "attn_scale": 0.1, "attention_chunk_size": 8192, "no_rope_layers": [1, 1, 1],
                                       "layer_types": ["chunked_attention"] * 3}),
    "ministral3": Row("ministral3", A.MISTRAL3),
    "glm4-moe": Row("glm4-moe", A.GLM4_MOE, n_next=1),
    "arcee": Row("arcee", A.ARCEE),
    "ernie4-5": Row("ernie4-5", A.ERNIE4_5),
    "seed-oss": Row("seed-oss", A.SEED_OSS),
    "nomic-bert": Row("nomic-bert", A.NOMIC_BERT),
    "modern-bert": Row("modernbert", A.MODERN_BERT, pattern=3),
    "gemma-embedding": Row("embedding-gemma", A.GEMMA_EMBEDDING, {"query_pre_attn_scalar": 12}, pattern=2),
    "gemma-embedding-plain": Row("embedding-gemma", A.GEMMA_EMBEDDING, {"query_pre_attn_scalar": 12, "layer_types": ["sliding_attention"] * 3}),
    "gemma4": Row("gemma4", A.GEMMA4),
    "gemma4-dense": Row("gemma4-dense", A.GEMMA4),
    "llama-both-ways": Row("llama-both-ways", A.LLAMA),
    "llama-linear-old": Row("llama-linear", A.LLAMA, old=True),
    "umt5": Row("umt5", A.T5, {"relative_attention_max_distance": 128}),
    "olmo3": Row("olmo3", A.OLMO2, {"rope_parameters": {"full_attention": references.YARN,
                                                        "sliding_attention": {"rope_type": "default", "rope_theta": 500.0}}},
                 pattern=[True, False]),
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
    heads = first(config, "num_attention_heads", "num_heads", "n_head", "n_heads")
    width = first(config, "hidden_size", "d_model", "n_embd")
    layers = first(config, "num_hidden_layers", "num_layers", "n_layer", "n_layers")
    if row.arch == A.GEMMA4:
        config.allow_global_per_layer_attribute_access = True
    head_size = first(config, "head_dim", "d_kv") if not hasattr(config, "kv_lora_rank") else None
    keys = get_key_heads(config)
    writer.add_context_length(first(config, "max_position_embeddings", "n_positions") or 512)
    writer.add_embedding_length(width)
    writer.add_block_count(layers + row.n_next)
    if row.n_next > 0:
        writer.add_nextn_predict_layers(row.n_next)
        for layer in range(layers, layers + row.n_next):
            writer.add_tensor(f"blk.{layer}.nextn.enorm.weight", np.ones(width, np.float32))
    inner = first(config, "intermediate_size_mlp", "intermediate_size", "d_ff", "n_inner", "ffn_hidden_size") or 4 * width
    own = list(zip(*row.own)) or [[number] * layers for number in (heads, keys, inner)] if row.arrays else [heads, keys, inner]
    if row.arch == A.GEMMA4:
        head_size = max(layer.head_dim for layer in config.per_layer_config)
        own = [heads, *get_gemma4_sizes(config)]
        add_gemma4_keys(writer, config)
    writer.add_feed_forward_length(own[2])
    writer.add_head_count(own[0])
    if keys is not None:
        writer.add_head_count_kv(own[1])
    if head_size is not None:
        writer.add_key_length(head_size)
        writer.add_value_length(head_size)
    if first(config, "rms_norm_eps") is not None:
        writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    else:
        writer.add_layer_norm_eps(first(config, "layer_norm_eps", "layer_norm_epsilon", "norm_eps", "norm_epsilon") or 1e-5)
    add_expert_keys(writer, config, row)
    add_factor_keys(writer, config, row)
    if row.arch in DELTA:
        add_delta_keys(writer, config)
    if hasattr(config, "kv_lora_rank"):
        add_latent_keys(writer, config, row)
    if row.arch in (A.GEMMA2, A.GEMMA3, A.GEMMA4):
        writer.add_sliding_window(config.sliding_window)
        if first(config, "attn_logit_softcapping") is not None:
            writer.add_attn_logit_softcapping(config.attn_logit_softcapping)
        if config.final_logit_softcapping is not None:
            writer.add_final_logit_softcapping(config.final_logit_softcapping)
    if row.arch in (A.GPT_OSS, A.PHI3, A.COHERE2, A.STARCODER2, A.OLMO2) and first(config, "sliding_window") is not None:
        writer.add_sliding_window(config.sliding_window)
    if row.pattern is not None:
        writer.add_sliding_window_pattern(row.pattern)
    if row.arch in (A.GPTNEOX, A.STABLELM):
        writer.add_parallel_residual(config.use_parallel_residual)
    if row.arch in (A.BERT, A.NOMIC_BERT, A.MODERN_BERT, A.GEMMA_EMBEDDING) or not getattr(config, "is_causal", True):
        writer.add_causal_attention(False)
    if row.arch == A.MODERN_BERT:
        writer.add_sliding_window(config.local_attention)
        writer.add_rope_freq_base_swa(config.rope_parameters["sliding_attention"]["rope_theta"])
    if row.arch == A.GEMMA_EMBEDDING:
        # As config.json has it, which the configuration's constructor halves.
        writer.add_sliding_window(2 * (config.sliding_window - 1))
    if row.arch == A.T5:
        writer.add_layer_norm_rms_eps(config.layer_norm_epsilon)
        writer.add_relative_attn_buckets_count(config.relative_attention_num_buckets)
        writer.add_decoder_start_token_id(config.decoder_start_token_id)
    rope = getattr(config, "rope_parameters", None) or {}
    rope = rope.get("full_attention", rope)
    if rope:
        writer.add_rope_freq_base(rope["rope_theta"])
        # What stands still of a head that is turned in part has a divisor, see below.
        fraction = 1 if row.arch == A.GEMMA4 else rope.get("partial_rotary_factor", 1)
        size = first(config, "qk_rope_head_dim") or int((head_size or width // heads) * fraction)
        writer.add_rope_dimension_count(size)
    if row.old:
        writer.add_float32(f"{writer.arch}.rope.scale_linear", rope["factor"])
    elif rope.get("rope_type") in ("linear", "yarn"):
        if not row.ollama:
            writer.add_rope_scaling_type(gguf.RopeScalingType(rope["rope_type"]))
        writer.add_rope_scaling_factor(rope["factor"])
    if rope.get("rope_type") == "yarn":
        writer.add_rope_scaling_orig_ctx_len(rope["original_max_position_embeddings"])
        if rope.get("llama_4_scaling_beta"):
            writer.add_attn_temperature_scale(rope["llama_4_scaling_beta"])
        if rope.get("mscale_all_dim"):
            writer.add_rope_scaling_yarn_log_mul(0.1 * rope["mscale_all_dim"])
    if rope.get("rope_type") == "longrope":
        original = rope.get("original_max_position_embeddings") or config.original_max_position_embeddings
        scale = config.max_position_embeddings / original
        writer.add_rope_scaling_orig_ctx_len(original)
        writer.add_rope_scaling_attn_factors((1 + np.log(scale) / np.log(original)) ** 0.5)
        for length in ("long", "short"):
            writer.add_tensor(f"rope_factors_{length}.weight", np.array(rope[f"{length}_factor"], np.float32))


def get_gemma4_sizes(config):
    """Heads of keys, and widths between the products of a feed-forward: lists where layers differ."""
    n, n_borrowers = config.num_hidden_layers, config.num_kv_shared_layers
    keys = [layer.num_key_value_heads for layer in config.per_layer_config]
    inner = [config.intermediate_size * (2 if config.use_double_wide_mlp and i >= n - n_borrowers else 1) for i in range(n)]
    return [numbers if len(set(numbers)) > 1 else numbers[0] for numbers in (keys, inner)]


def add_gemma4_keys(writer, config):
    """Heads of two sizes, layers that use the keys of others, and embeddings that layers have of their own."""
    local = [kind == "sliding_attention" for kind in config.layer_types]
    size = config.per_layer_config[local.index(True)].head_dim
    rope = config.rope_parameters
    writer.add_shared_kv_layers(config.num_kv_shared_layers)
    writer.add_embedding_length_per_layer_input(config.hidden_size_per_layer_input or 0)
    writer.add_sliding_window_pattern(local)
    writer.add_key_length_swa(size)
    writer.add_value_length_swa(size)
    writer.add_rope_dimension_count_swa(size)
    writer.add_rope_freq_base_swa(rope["sliding_attention"]["rope_theta"])
    pairs = config.per_layer_config[local.index(False)].head_dim // 2
    turning = int(pairs * rope["full_attention"]["partial_rotary_factor"])
    writer.add_tensor("rope_freqs.weight", np.array([1.0] * turning + [1e30] * (pairs - turning), np.float32))


def get_key_heads(config):
    """How many heads keys and values have."""
    if isinstance(config, T.FalconConfig):
        return config.num_kv_heads if config.new_decoder_architecture else 1
    if isinstance(config, T.GPTBigCodeConfig):
        return 1
    return first(config, "num_key_value_heads")


def add_expert_keys(writer, config, row):
    """The numbers of a mixture of experts."""
    n_experts = first(config, "num_local_experts", "n_routed_experts", "num_experts")
    if n_experts is None:
        return
    writer.add_expert_count(n_experts)
    writer.add_expert_used_count(config.num_experts_per_tok)
    writer.add_expert_feed_forward_length(first(config, "moe_intermediate_size", "intermediate_size"))
    if first(config, "shared_expert_intermediate_size") is not None:
        writer.add_expert_shared_feed_forward_length(config.shared_expert_intermediate_size)
    if row.arch in (A.DEEPSEEK2, A.GLM4_MOE):
        sigmoid = not isinstance(config, T.DeepseekV2Config)
        writer.add_leading_dense_block_count(config.first_k_dense_replace)
        writer.add_expert_shared_count(config.n_shared_experts)
        writer.add_expert_weights_scale(config.routed_scaling_factor)
        writer.add_expert_weights_norm(config.norm_topk_prob)
        writer.add_expert_group_count(config.n_group)
        writer.add_expert_group_used_count(config.topk_group)
        writer.add_expert_gating_func(gguf.ExpertGatingFuncType.SIGMOID if sigmoid else gguf.ExpertGatingFuncType.SOFTMAX)


def add_factor_keys(writer, config, row):
    """What words, scores, results and logits are multiplied by or cut to."""
    if row.arch in (A.GRANITE, A.GRANITE_MOE):
        writer.add_attention_scale(config.attention_multiplier)
        writer.add_embedding_scale(config.embedding_multiplier)
        writer.add_residual_scale(config.residual_multiplier)
        writer.add_logit_scale(config.logits_scaling)
    if row.arch in (A.COMMAND_R, A.COHERE2):
        writer.add_logit_scale(config.logit_scale)
    if row.arch == A.OLMO and config.clip_qkv is not None:
        writer.add_clamp_kqv(config.clip_qkv)
    if row.arch == A.MPT:
        writer.add_clamp_kqv(config.attn_config.clip_qkv)
        writer.add_max_alibi_bias(config.attn_config.alibi_bias_max)


def add_delta_keys(writer, config):
    """The sizes of layers without a map."""
    writer.add_ssm_conv_kernel(config.linear_conv_kernel_dim)
    writer.add_ssm_state_size(config.linear_key_head_dim)
    writer.add_ssm_group_count(config.linear_num_key_heads)
    writer.add_ssm_time_step_rank(config.linear_num_value_heads)
    writer.add_ssm_inner_size(config.linear_value_head_dim * config.linear_num_value_heads)
    writer.add_full_attention_interval(config.layer_types.index("full_attention") + 1)


def add_latent_keys(writer, config, row):
    """The sizes of heads that are made by way of fewer features; those that are apart are thought of as one head of these."""
    whole = config.qk_nope_head_dim + config.qk_rope_head_dim
    if config.q_lora_rank is not None:
        writer.add_q_lora_rank(config.q_lora_rank)
    writer.add_kv_lora_rank(config.kv_lora_rank)
    writer.add_key_length(config.kv_lora_rank + config.qk_rope_head_dim if row.apart else whole)
    writer.add_value_length(config.kv_lora_rank if row.apart else config.v_head_dim)
    if row.apart:
        writer.add_key_length_mla(whole)
        writer.add_value_length_mla(config.v_head_dim)


def permute(rows, heads):
    """Pairs that turn together beside one another."""
    return rows.reshape(heads, 2, rows.shape[0] // heads // 2, *rows.shape[1:]).swapaxes(1, 2).reshape(rows.shape)


def change(name, array, config, arch):
    """A tensor as the converter stores it."""
    if arch in PERMUTED and (".q_proj." in name or ".k_proj." in name):
        return permute(array, len(array) // (first(config, "head_dim") or config.hidden_size // config.num_attention_heads))
    plus_one = (A.GEMMA, A.GEMMA2, A.GEMMA3, A.GEMMA_EMBEDDING, A.NEMOTRON, *DELTA)
    if arch in plus_one and name.endswith("norm.weight") and ".linear_attn." not in name:
        return array + 1
    if name.endswith(".A_log"):
        array = -np.exp(array)
    if ".conv1d." in name:
        array = array.squeeze(1)
    if arch in (A.QWEN35, A.QWEN35MOE) and ".linear_attn." in name:
        return tile_values(name, array, config)
    if arch == A.GPT2 and name.endswith(("c_attn.weight", "c_proj.weight", "c_fc.weight")):
        return array.T
    if arch in (A.GPTNEOX, A.BLOOM) and "query_key_value" in name:
        heads = first(config, "num_attention_heads", "n_head")
        return array.reshape(heads, 3, -1, *array.shape[1:]).swapaxes(0, 1).reshape(array.shape)
    if arch == A.FALCON and "query_key_value" in name:
        heads, keys = config.num_attention_heads, get_key_heads(config)
        groups = array.reshape(keys, heads // keys + 2, config.hidden_size // heads, -1)
        return np.concatenate([groups[:, :-2].reshape(-1, array.shape[1]), groups[:, -2].reshape(-1, array.shape[1]),
                               groups[:, -1].reshape(-1, array.shape[1])])
    return array


def tile_values(name, array, config):
    """Heads of values that share a key, a whole number of key heads apart."""
    keys, values = config.linear_num_key_heads, config.linear_num_value_heads
    if name.endswith("norm.weight"):
        return array
    if ".out_proj." in name:
        return tile(array.T, keys, values).T
    first_value = 2 * keys * config.linear_key_head_dim if ".in_proj_qkv." in name or ".conv1d." in name else 0
    return np.concatenate([array[:first_value], tile(array[first_value:], keys, values)])


def tile(rows, keys, values):
    """Rows of heads in groups, in the order of the heads of a group."""
    return rows.reshape(keys, values // keys, -1, *rows.shape[1:]).swapaxes(0, 1).reshape(rows.shape)


def part_mixed(layer, array, config):
    """Queries, keys and values of a layer without a map, and their gates, which one tensor has by key heads, as (name, array)."""
    keys, values = config.linear_key_head_dim, config.linear_value_head_dim * config.linear_num_value_heads // config.linear_num_key_heads
    groups = array.reshape(config.linear_num_key_heads, -1, array.shape[1])
    parts = np.split(groups, [keys, 2 * keys, 2 * keys + values], axis=1)
    query, key, value, gate = (part.reshape(-1, array.shape[1]) for part in parts)
    return [(f"blk.{layer}.attn_qkv.weight", np.concatenate([query, key, value])), (f"blk.{layer}.attn_gate.weight", gate)]


def get_divisors(config):
    """What LLaMA 3 divides frequencies by."""
    rope = config.rope_parameters
    frequencies = 1 / rope["rope_theta"] ** (np.arange(0, config.head_dim, 2) / config.head_dim)
    turns = rope["original_max_position_embeddings"] * frequencies / (2 * np.pi)
    smooth = np.clip((turns - rope["low_freq_factor"]) / (rope["high_freq_factor"] - rope["low_freq_factor"]), 0, 1)
    return (1 / ((1 - smooth) / rope["factor"] + smooth)).astype(np.float32)


def part_experts(name, array, arch):
    """Gates and values of experts, which transformers has in one, as (name, array)."""
    layer = f"blk.{get_layer(name)}."
    suffix = "bias" if name.endswith("_bias") else "weight"
    rows = array.swapaxes(1, 2) if arch in (A.GPT_OSS, A.LLAMA4) and suffix == "weight" else array
    if ".down_proj" in name:
        return [(f"{layer}ffn_down_exps.{suffix}", rows)]
    half = rows.shape[1] // 2
    gate, value = (rows[:, ::2], rows[:, 1::2]) if arch == A.GPT_OSS else (rows[:, :half], rows[:, half:])
    return [(f"{layer}ffn_gate_exps.{suffix}", gate), (f"{layer}ffn_up_exps.{suffix}", value)]


def part_latent(layer, array, config):
    """What makes keys of each head, and what makes its values, as (name, array)."""
    heads = array.reshape(config.num_attention_heads, -1, array.shape[1])
    keys, values = heads[:, :config.qk_nope_head_dim], heads[:, config.qk_nope_head_dim:]
    return [(f"blk.{layer}.attn_k_b.weight", keys.swapaxes(1, 2)), (f"blk.{layer}.attn_v_b.weight", values)]


def get_layer(name):
    """The number of the layer that a tensor is of."""
    return next(part for part in name.split(".") if part.isdigit())


# Those with layers that have no map.
DELTA = (A.QWEN35, A.QWEN35MOE, A.QWEN3NEXT)

# Where what is stored in pairs is turned.
PERMUTED = (A.LLAMA, A.MISTRAL3, A.SMOLLM3, A.OLMO, A.GRANITE, A.GRANITE_MOE, A.ARCEE)

# What the package's table of names does not have of newer versions of transformers: the router, and what has no suffix.
ROUTERS = {".mlp.gate.weight": "ffn_gate_inp.weight", ".router.weight": "ffn_gate_inp.weight", ".router.bias": "ffn_gate_inp.bias",
           ".self_attn.sinks": "attn_sinks.weight", ".e_score_correction_bias": "exp_probs_b.bias",
           ".shared_expert_gate.weight": "ffn_gate_inp_shexp.weight", ".dt_bias": "ssm_dt.bias", ".A_log": "ssm_a",
           ".layer_scalar": "layer_output_scale.weight"}
# What Ollama calls otherwise.
OLLAMA = {"attn_output.weight": "attn_out.weight", "attn_output.bias": "attn_out.bias", "attn_sinks.weight": "attn_sinks",
          "post_attention_norm.weight": "ffn_norm.weight"}


def rename(name, row):
    """A name as those who wrote the file have it."""
    for theirs, own in OLLAMA.items() if row.ollama else ():
        if name.endswith(theirs):
            return name.removesuffix(theirs) + own
    return name


def write(name, model, row, seed, types=None):
    """Writes a model's file and its reference."""
    print(name)
    folder = HERE / "models" / name
    folder.mkdir(parents=True, exist_ok=True)
    write_model(folder / "model.gguf", model, row, types)
    references.write_reference(folder / "reference.h5", model, N, M, seed)


def get_state(model, row):
    """The tensors as the converter finds them: of NomicBERT under its authors' names."""
    if row.arch != A.NOMIC_BERT:
        return model.state_dict()
    path = references.ROOT / row.checkpoint / "model.safetensors"
    return {name.removeprefix("nomic_bert."): tensor.half().float() for name, tensor in references.load_file(path).items()
            if not name.startswith("cls.")}


def write_model(path, model, row, types):
    """Writes a model; the tensors that types names as quantised ones, which the model's are replaced by."""
    config = model.config
    arch = "gptoss" if row.ollama else gguf.MODEL_ARCH_NAMES[row.arch]
    writer = gguf.GGUFWriter(path, arch, endianess=gguf.GGUFEndian.BIG if row.big else gguf.GGUFEndian.LITTLE,
                             split_max_tensors=row.split)
    writer.add_name(f"Tiny {path.parent.name}")
    add_keys(writer, config, row)
    names, usual = gguf.get_tensor_name_map(row.arch, 64), gguf.get_tensor_name_map(A.LLAMA, 64)
    if getattr(config, "rope_parameters", None) and config.rope_parameters.get("rope_type") == "llama3":
        writer.add_tensor("rope_freqs.weight", get_divisors(config))
    seen = set()
    for name, tensor in get_state(model, row).items():
        if name.endswith((".attn.bias", ".masked_bias", "inv_freq")) or "pooler" in name or "position_ids" in name:
            continue
        if ".experts." in name:
            parts = part_experts(name, tensor.float().numpy(), row.arch)
            if row.ollama and ".gate_up_proj" in name:
                # Rows of gates and values in turn.
                array = tensor.float().numpy()
                parts = [(parts[0][0].replace("gate_exps", "gate_up_exps"), array if array.ndim == 2 else array.swapaxes(1, 2))]
            for new, array in parts:
                writer.add_tensor(new, np.ascontiguousarray(array).astype(np.float16 if array.ndim > 2 else np.float32))
            continue
        parts = (part_latent if row.apart and ".kv_b_proj." in name else part_mixed if ".in_proj_qkvz." in name else None)
        if parts is not None:
            for new, array in parts(get_layer(name), tensor.float().numpy(), config):
                writer.add_tensor(new, np.ascontiguousarray(array).astype(np.float16))
            continue
        router = next((new for end, new in ROUTERS.items() if name.endswith(end)), None)
        if router is not None:
            writer.add_tensor(rename(f"blk.{get_layer(name)}.{router}", row), change(name, tensor.float().numpy(), config, row.arch))
            continue
        if "_layernorm.norms." in name:
            if ".norms.0." in name:
                heads = config.num_attention_heads if ".q_" in name else config.num_key_value_heads
                rows = [model.state_dict()[name.replace(".norms.0.", f".norms.{head}.")].numpy() for head in range(heads)]
                writer.add_tensor(f"blk.{get_layer(name)}.attn_{name.split('_layernorm')[0][-1]}_norm.weight", np.stack(rows))
            continue
        new = next(filter(None, (table.get_name(candidate, try_suffixes=(".weight", ".bias"))
                                 for table in (names, usual) for candidate in (name, name.removeprefix("transformer."), "model." + name))),
                   None)
        tied = tensor.data_ptr() == model.get_input_embeddings().weight.data_ptr()
        if new in seen or tied and new != "token_embd.weight":
            continue
        assert new is not None, name
        seen.add(new)
        new = rename(new, row)
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


def load(name):
    """The model of a row, its weights as they are in the file, and the row."""
    row = MODELS[name]
    config_class, model_class, _, _ = references.MODELS[row.checkpoint]
    folder = references.ROOT / row.checkpoint
    config = config_class.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32, **row.changes)
    model = model_class.from_pretrained(folder, config=config, attn_implementation="eager", dtype=torch.float32).eval()
    round_weights(model)
    model.config._experts_implementation = "eager"
    return model, row


def make(name, seed):
    model, row = load(name)
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


def make_unlike():
    """LLaMA whose layers have other numbers of heads, and feed-forwards of other widths."""
    own = [(4, 2, 36), (2, 1, 20), (4, 4, 28)]
    common = {**references.LLAMA, "num_hidden_layers": len(own), "head_dim": 8}
    model = T.LlamaForCausalLM(T.LlamaConfig(**common, attn_implementation="eager"))
    for i, (heads, keys, inner) in enumerate(own):
        config = T.LlamaConfig(**{**common, "num_attention_heads": heads, "num_key_value_heads": keys, "intermediate_size": inner},
                               attn_implementation="eager")
        model.model.layers[i] = type(model.model.layers[i])(config, i)
    model.eval()
    torch.manual_seed(1)
    references.spread(model, 1)
    round_weights(model)
    write("llama-unlike", model, Row("", A.LLAMA, arrays=True, own=own), 1)


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
    if not wanted or "llama-unlike" in wanted:
        make_unlike()
    if not wanted or "gemma2-27b" in wanted:
        make_large_gemma()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tiny models of every family, and the attention that transformers computes with them.

Needs torch, transformers, safetensors and h5py.  Every folder below checkpoints/ holds config.json,
model.safetensors (or shards) and reference.h5: the token numbers `ids`, `segments` and `decoder_ids`, and
the attention as float32, in the datasets of data/dump-format.md.  Weights are random but spread out, so that
attention is far from uniform.

  make-references.py            all models
  make-references.py NAME ...   some of them
  make-references.py --of FOLDER OUT.h5 N   a model on disk, on N random tokens
"""

import json
import pathlib
import sys

import h5py
import numpy as np
import torch
import transformers as T
from safetensors.torch import load_file, save_file

ROOT = pathlib.Path(__file__).resolve().parent / "checkpoints"
N, M, VOCABULARY = 23, 11, 60

BERT = dict(vocab_size=VOCABULARY, hidden_size=24, num_hidden_layers=2, num_attention_heads=3,
            intermediate_size=40, max_position_embeddings=32)
LLAMA = dict(vocab_size=VOCABULARY, hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
             num_key_value_heads=2, intermediate_size=36, max_position_embeddings=64, pad_token_id=0)
BART = dict(vocab_size=VOCABULARY, d_model=32, encoder_layers=1, decoder_layers=2, encoder_attention_heads=4,
            decoder_attention_heads=2, encoder_ffn_dim=24, decoder_ffn_dim=28, max_position_embeddings=32,
            pad_token_id=1, bos_token_id=0, eos_token_id=2, decoder_start_token_id=2, forced_eos_token_id=2)
# Of tied rows, random decoders that norm first repeat what they read.
UNTIED = {**BART, "tie_word_embeddings": False}
T5 = dict(vocab_size=VOCABULARY, d_model=32, d_kv=6, d_ff=28, num_layers=2, num_decoder_layers=2, num_heads=4,
          relative_attention_num_buckets=8, relative_attention_max_distance=20, decoder_start_token_id=0)
LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
          "original_max_position_embeddings": 16, "rope_theta": 500.0}
GPT = dict(vocab_size=VOCABULARY, n_embd=32, n_inner=40, n_layer=2, n_head=4, n_positions=32, bos_token_id=0, eos_token_id=0)
LONG = {"rope_type": "longrope", "rope_theta": 500.0, "partial_rotary_factor": 0.75, "short_factor": [1.0, 1.1, 1.3],
        "long_factor": [1.0, 2.5, 4.0]}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16, "rope_theta": 500.0}

DEEPSEEK = dict(vocab_size=VOCABULARY, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=4,
                intermediate_size=36, max_position_embeddings=64, pad_token_id=0, n_routed_experts=8, num_experts_per_tok=3,
                n_group=4, topk_group=2, n_shared_experts=2, moe_intermediate_size=16, kv_lora_rank=10, qk_rope_head_dim=6,
                qk_nope_head_dim=8, v_head_dim=12, first_k_dense_replace=1, routed_scaling_factor=1.5)

GEMMA4 = dict(vocab_size=VOCABULARY, hidden_size=32, num_attention_heads=4, num_key_value_heads=2, intermediate_size=36,
              head_dim=8, global_head_dim=12, sliding_window=7, max_position_embeddings=64, pad_token_id=0, bos_token_id=1, eos_token_id=2,
              rms_norm_eps=1e-3,
              rope_parameters={"full_attention": {"rope_type": "proportional", "partial_rotary_factor": 0.5, "rope_theta": 10000.0},
                               "sliding_attention": {"rope_type": "default", "rope_theta": 500.0}})
QWEN_DELTA = {**LLAMA, "hidden_size": 24, "rms_norm_eps": 1e-3, "head_dim": 12, "linear_num_key_heads": 2,
              "linear_num_value_heads": 4, "linear_key_head_dim": 6, "linear_value_head_dim": 8,
              "layer_types": ["linear_attention", "full_attention"], "num_experts": 5, "num_experts_per_tok": 2,
              "moe_intermediate_size": 12, "shared_expert_intermediate_size": 16,
              "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.5,
                                  "mrope_section": [1, 1, 1]}}

# name: class of the configuration, class of the model, parameters, and what is done to the files.
MODELS = {
    "bert": (T.BertConfig, T.BertModel, BERT, {}),
    "bert-prefixed": (T.BertConfig, T.BertForMaskedLM, BERT, {}),
    "bert-gamma": (T.BertConfig, T.BertModel, BERT, {"gamma": True}),
    "bert-f16": (T.BertConfig, T.BertModel, BERT, {"dtype": torch.float16}),
    "bert-sharded": (T.BertConfig, T.BertModel, BERT, {"shard": "12KB"}),
    "roberta": (T.RobertaConfig, T.RobertaModel, {**BERT, "pad_token_id": 1}, {}),
    "xlm-roberta": (T.XLMRobertaConfig, T.XLMRobertaForMaskedLM, {**BERT, "pad_token_id": 1}, {}),
    "camembert": (T.CamembertConfig, T.CamembertModel, {**BERT, "pad_token_id": 1}, {}),
    "distilbert": (T.DistilBertConfig, T.DistilBertModel,
                   dict(vocab_size=VOCABULARY, dim=24, n_layers=2, n_heads=3, hidden_dim=40, max_position_embeddings=32), {}),
    "electra": (T.ElectraConfig, T.ElectraModel, {**BERT, "embedding_size": 24}, {}),
    "albert": (T.AlbertConfig, T.AlbertModel,
               {**BERT, "embedding_size": 20, "num_hidden_layers": 4, "num_hidden_groups": 2}, {}),
    "modernbert": (T.ModernBertConfig, T.ModernBertModel,
                   {**BERT, "num_hidden_layers": 4, "local_attention": 8, "pad_token_id": 0, "bos_token_id": 1,
                    "eos_token_id": 2, "cls_token_id": 1, "sep_token_id": 2}, {}),
    "modernbert-old": (T.ModernBertConfig, T.ModernBertForMaskedLM,
                       {**BERT, "num_hidden_layers": 4, "local_attention": 8, "pad_token_id": 0, "bos_token_id": 1,
                        "eos_token_id": 2, "cls_token_id": 1, "sep_token_id": 2},
                       {"config": {"layer_types": None, "rope_parameters": None, "global_attn_every_n_layers": 3,
                                   "global_rope_theta": 160000.0, "local_rope_theta": 10000.0}}),
    "gpt2": (T.GPT2Config, T.GPT2LMHeadModel,
             dict(vocab_size=VOCABULARY, n_embd=24, n_layer=2, n_head=3, n_positions=32, bos_token_id=0, eos_token_id=0,
                  scale_attn_by_inverse_layer_idx=True), {}),
    "gpt-neox": (T.GPTNeoXConfig, T.GPTNeoXForCausalLM, {**BERT, "rotary_pct": 0.5}, {}),
    "gpt-neox-serial": (T.GPTNeoXConfig, T.GPTNeoXModel, {**BERT, "use_parallel_residual": False}, {}),
    "opt": (T.OPTConfig, T.OPTForCausalLM,
            dict(vocab_size=VOCABULARY, hidden_size=24, num_hidden_layers=2, num_attention_heads=3, ffn_dim=40,
                 max_position_embeddings=32, word_embed_proj_dim=24), {}),
    "opt-after": (T.OPTConfig, T.OPTModel,
                  dict(vocab_size=VOCABULARY, hidden_size=24, num_hidden_layers=2, num_attention_heads=3, ffn_dim=40,
                       max_position_embeddings=32, word_embed_proj_dim=20, do_layer_norm_before=False), {}),
    "llama": (T.LlamaConfig, T.LlamaForCausalLM, LLAMA, {}),
    "llama-old": (T.LlamaConfig, T.LlamaForCausalLM, LLAMA,
                  {"config": {"rope_parameters": None, "rope_theta": 10000.0, "rope_scaling": None}}),
    "llama-bias": (T.LlamaConfig, T.LlamaModel, {**LLAMA, "attention_bias": True, "mlp_bias": True}, {}),
    "llama-tied": (T.LlamaConfig, T.LlamaForCausalLM, {**LLAMA, "tie_word_embeddings": True}, {"keep_head": True}),
    "llama3": (T.LlamaConfig, T.LlamaModel, {**LLAMA, "rope_parameters": LLAMA3}, {}),
    "llama-yarn": (T.LlamaConfig, T.LlamaModel, {**LLAMA, "rope_parameters": YARN}, {}),
    "llama-linear": (T.LlamaConfig, T.LlamaModel,
                     {**LLAMA, "rope_parameters": {"rope_type": "linear", "factor": 2.5, "rope_theta": 10000.0}}, {}),
    "llama-dynamic": (T.LlamaConfig, T.LlamaModel,
                      {**LLAMA, "max_position_embeddings": 16,
                       "rope_parameters": {"rope_type": "dynamic", "factor": 2.0, "rope_theta": 10000.0}}, {}),
    "mistral": (T.MistralConfig, T.MistralForCausalLM, {**LLAMA, "num_hidden_layers": 3, "sliding_window": 7, "head_dim": 12}, {"dtype": torch.bfloat16}),
    "qwen2": (T.Qwen2Config, T.Qwen2ForCausalLM, LLAMA, {}),
    "qwen2-window": (T.Qwen2Config, T.Qwen2Model,
                     {**LLAMA, "use_sliding_window": True, "num_hidden_layers": 3, "sliding_window": 6, "max_window_layers": 1}, {}),
    "qwen3": (T.Qwen3Config, T.Qwen3ForCausalLM, {**LLAMA, "head_dim": 12}, {}),
    "gemma2": (T.Gemma2Config, T.Gemma2ForCausalLM,
               {**LLAMA, "head_dim": 12, "num_hidden_layers": 3, "sliding_window": 7, "query_pre_attn_scalar": 20, "attn_logit_softcapping": 5.0}, {}),
    "gemma3": (T.Gemma3TextConfig, T.Gemma3ForCausalLM,
               {**LLAMA, "head_dim": 12, "num_hidden_layers": 3, "sliding_window": 7, "query_pre_attn_scalar": 20, "sliding_window_pattern": 2}, {}),
    "gemma3-old": (T.Gemma3TextConfig, T.Gemma3ForCausalLM,
                   {**LLAMA, "head_dim": 12, "num_hidden_layers": 3, "sliding_window": 7, "query_pre_attn_scalar": 20, "sliding_window_pattern": 2,
                    "rope_parameters": {"full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000000.0},
                                        "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}}},
                   {"config": {"layer_types": None, "sliding_window_pattern": 2, "rope_parameters": None,
                               "rope_theta": 1000000.0, "rope_local_base_freq": 10000.0,
                               "rope_scaling": {"factor": 8.0, "rope_type": "linear"}}, "nest": True}),
    "phi": (T.PhiConfig, T.PhiForCausalLM, LLAMA, {}),
    "t5": (T.T5Config, T.T5ForConditionalGeneration, T5, {}),
    "t5-gated": (T.T5Config, T.T5Model, {**T5, "feed_forward_proj": "gated-gelu"}, {}),
    "bart": (T.BartConfig, T.BartForConditionalGeneration, BART, {}),
    "marian": (T.MarianConfig, T.MarianMTModel,
               {**BART, "scale_embedding": True, "activation_function": "swish", "pad_token_id": 59}, {}),
    "mixtral": (T.MixtralConfig, T.MixtralForCausalLM, {**LLAMA, "num_local_experts": 5, "num_experts_per_tok": 2},
                {"dtype": torch.bfloat16}),
    "qwen2-moe": (T.Qwen2MoeConfig, T.Qwen2MoeForCausalLM,
                  {**LLAMA, "num_hidden_layers": 3, "num_experts": 6, "num_experts_per_tok": 3, "moe_intermediate_size": 20,
                   "shared_expert_intermediate_size": 28, "mlp_only_layers": [1]}, {"dtype": torch.bfloat16}),
    "qwen3-moe": (T.Qwen3MoeConfig, T.Qwen3MoeForCausalLM,
                  {**LLAMA, "head_dim": 12, "num_experts": 6, "num_experts_per_tok": 2, "moe_intermediate_size": 20,
                   "norm_topk_prob": True}, {"dtype": torch.bfloat16}),
    "gpt-oss": (T.GptOssConfig, T.GptOssForCausalLM,
                {**LLAMA, "num_local_experts": 5, "num_experts_per_tok": 2, "head_dim": 12, "sliding_window": 7, "intermediate_size": 28,
                 "swiglu_limit": 1.5, "rope_parameters": {**YARN, "truncate": False}}, {"dtype": torch.bfloat16}),
    "gpt-oss-mxfp4": (T.GptOssConfig, T.GptOssForCausalLM,
                      {**LLAMA, "num_local_experts": 5, "num_experts_per_tok": 2, "head_dim": 12, "sliding_window": 7,
                       "intermediate_size": 32, "rope_parameters": {**YARN, "truncate": False}},
                      {"dtype": torch.bfloat16, "pack": "mxfp4"}),
    "deepseek-v3-fp8": (T.DeepseekV3Config, T.DeepseekV3ForCausalLM, {**DEEPSEEK, "q_lora_rank": 12},
                        {"dtype": torch.bfloat16, "pack": "fp8", "config": {
                            "quantization_config": {"quant_method": "fp8", "fmt": "e4m3", "weight_block_size": [16, 12]}}}),
    "deepseek-v2": (T.DeepseekV2Config, T.DeepseekV2ForCausalLM,
                    {**DEEPSEEK, "topk_method": "group_limited_greedy", "q_lora_rank": None}, {"dtype": torch.bfloat16}),
    "deepseek-v3": (T.DeepseekV3Config, T.DeepseekV3ForCausalLM,
                    {**DEEPSEEK, "q_lora_rank": 12, "rope_parameters": {**YARN, "mscale": 1.0, "mscale_all_dim": 0.7}},
                    {"dtype": torch.bfloat16}),
    "olmoe": (T.OlmoeConfig, T.OlmoeForCausalLM,
              {**LLAMA, "num_experts": 4, "num_experts_per_tok": 2, "eos_token_id": 2}, {"dtype": torch.bfloat16}),
    "granite-moe": (T.GraniteMoeConfig, T.GraniteMoeForCausalLM,
                    {**LLAMA, "num_local_experts": 4, "num_experts_per_tok": 2, "attention_multiplier": 0.3, "embedding_multiplier": 2.0,
                     "residual_multiplier": 0.6, "logits_scaling": 1.5}, {"dtype": torch.bfloat16}),
    "phi-moe": (T.PhimoeConfig, T.PhimoeForCausalLM,
                {**LLAMA, "num_local_experts": 5, "num_experts_per_tok": 2, "router_jitter_noise": 0.2}, {"dtype": torch.bfloat16}),
    "smollm3": (T.SmolLM3Config, T.SmolLM3ForCausalLM,
                {**LLAMA, "num_hidden_layers": 3, "no_rope_layers": [1, 0, 1], "bos_token_id": 1, "eos_token_id": 2}, {}),
    "cohere": (T.CohereConfig, T.CohereForCausalLM, {**LLAMA, "bos_token_id": 1, "eos_token_id": 2}, {}),
    "cohere2": (T.Cohere2Config, T.Cohere2ForCausalLM,
                {**LLAMA, "num_hidden_layers": 3, "sliding_window": 7, "bos_token_id": 1, "eos_token_id": 2,
                 "layer_types": ["sliding_attention", "full_attention", "sliding_attention"]}, {}),
    "cohere2-old": (T.Cohere2Config, T.Cohere2Model,
                    {**LLAMA, "num_hidden_layers": 2, "sliding_window": 7, "sliding_window_pattern": 2, "bos_token_id": 1, "eos_token_id": 2},
                    {"config": {"layer_types": None, "sliding_window_pattern": 2}}),
    "gptj": (T.GPTJConfig, T.GPTJForCausalLM, {**GPT, "rotary_dim": 4}, {}),
    "codegen": (T.CodeGenConfig, T.CodeGenForCausalLM, {**GPT, "n_head": 8, "rotary_dim": 2}, {}),
    "gpt-neo": (T.GPTNeoConfig, T.GPTNeoForCausalLM,
                dict(vocab_size=VOCABULARY, hidden_size=24, num_layers=2, num_heads=3, max_position_embeddings=32,
                     attention_types=[[["global", "local"], 1]], window_size=6, bos_token_id=0, eos_token_id=0), {}),
    "gpt-bigcode": (T.GPTBigCodeConfig, T.GPTBigCodeForCausalLM, GPT, {}),
    "gpt-bigcode-heads": (T.GPTBigCodeConfig, T.GPTBigCodeModel, {**GPT, "multi_query": False}, {}),
    "bloom": (T.BloomConfig, T.BloomForCausalLM,
              dict(vocab_size=VOCABULARY, hidden_size=30, n_layer=2, n_head=5, bos_token_id=0, eos_token_id=0), {}),
    "falcon": (T.FalconConfig, T.FalconForCausalLM,
               dict(vocab_size=VOCABULARY, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, alibi=False), {}),
    "falcon-new": (T.FalconConfig, T.FalconForCausalLM,
                   dict(vocab_size=VOCABULARY, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, num_kv_heads=2,
                        new_decoder_architecture=True, alibi=False), {}),
    "falcon-alibi": (T.FalconConfig, T.FalconForCausalLM,
                     dict(vocab_size=VOCABULARY, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, ffn_hidden_size=40, alibi=True,
                          multi_query=False, parallel_attn=False, bias=True), {}),
    "mpt": (T.MptConfig, T.MptForCausalLM,
            dict(vocab_size=VOCABULARY, d_model=24, n_layers=2, n_heads=6, max_seq_len=32,
                 attn_config={"clip_qkv": 1.5}), {}),
    "stablelm": (T.StableLmConfig, T.StableLmForCausalLM, {**LLAMA, "use_qkv_bias": True}, {}),
    "stablelm-parallel": (T.StableLmConfig, T.StableLmForCausalLM,
                          {**LLAMA, "use_parallel_residual": True, "qk_layernorm": True}, {}),
    "starcoder2": (T.Starcoder2Config, T.Starcoder2ForCausalLM, {**LLAMA, "sliding_window": 9}, {}),
    "nemotron": (T.NemotronConfig, T.NemotronForCausalLM, LLAMA, {}),
    "persimmon": (T.PersimmonConfig, T.PersimmonForCausalLM,
                  {key: value for key, value in LLAMA.items() if key != "num_key_value_heads"}, {}),
    "phi3": (T.Phi3Config, T.Phi3ForCausalLM, {**LLAMA, "sliding_window": 9}, {}),
    "phi4-mini": (T.Phi3Config, T.Phi3ForCausalLM,
                  {**LLAMA, "rope_parameters": LONG, "original_max_position_embeddings": 16}, {}),
    "phi4-mini-short": (T.Phi3Config, T.Phi3Model,
                        {**LLAMA, "rope_parameters": LONG, "original_max_position_embeddings": 32},
                        {"config": {"rope_parameters": None, "rope_theta": 500.0, "partial_rotary_factor": 0.75,
                                    "original_max_position_embeddings": 32,
                                    "rope_scaling": {"type": "su", "short_factor": LONG["short_factor"],
                                                     "long_factor": LONG["long_factor"]}}}),
    "gemma": (T.GemmaConfig, T.GemmaForCausalLM, {**LLAMA, "head_dim": 12}, {}),
    "olmo": (T.OlmoConfig, T.OlmoForCausalLM, {**LLAMA, "clip_qkv": 1.5}, {}),
    "olmo2": (T.Olmo2Config, T.Olmo2ForCausalLM, LLAMA, {}),
    "olmo3": (T.Olmo3Config, T.Olmo3ForCausalLM,
              {**LLAMA, "sliding_window": 7, "layer_types": ["sliding_attention", "full_attention"]}, {}),
    "granite": (T.GraniteConfig, T.GraniteForCausalLM,
                {**LLAMA, "embedding_multiplier": 3.0, "attention_multiplier": 0.25, "residual_multiplier": 0.6,
                 "logits_scaling": 2.0}, {}),
    "glm": (T.GlmConfig, T.GlmForCausalLM, {**LLAMA, "head_dim": 8}, {}),
    "glm4": (T.Glm4Config, T.Glm4ForCausalLM, {**LLAMA, "head_dim": 8}, {}),
    "ministral": (T.MinistralConfig, T.MinistralForCausalLM,
                  {**LLAMA, "head_dim": 8, "num_hidden_layers": 3, "sliding_window": 7,
                   "layer_types": ["full_attention", "sliding_attention", "full_attention"]}, {}),
    "helium": (T.HeliumConfig, T.HeliumForCausalLM, {**LLAMA, "head_dim": 8}, {}),
    "arcee": (T.ArceeConfig, T.ArceeForCausalLM, LLAMA, {}),
    "ernie4-5": (T.Ernie4_5Config, T.Ernie4_5ForCausalLM, {**LLAMA, "head_dim": 12}, {}),
    "seed-oss": (T.SeedOssConfig, T.SeedOssForCausalLM, {**LLAMA, "head_dim": 8}, {}),
    "qwen35": (T.Qwen3_5TextConfig, T.Qwen3_5ForCausalLM,
                {**LLAMA, "hidden_size": 24, "rms_norm_eps": 1e-3, "head_dim": 12, "num_hidden_layers": 4, "linear_num_key_heads": 2, "linear_num_value_heads": 4,
                 "linear_key_head_dim": 6, "linear_value_head_dim": 8, "full_attention_interval": 2,
                 "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.5,
                                     "mrope_section": [1, 1, 1]}}, {"dtype": torch.bfloat16}),
    "gemma4": (T.Gemma4TextConfig, T.Gemma4ForCausalLM,
               {**GEMMA4, "num_hidden_layers": 5, "layer_types": ["full_attention", "sliding_attention"] * 2 + ["full_attention"], "num_kv_shared_layers": 2,
                "intermediate_size": 20, "hidden_size_per_layer_input": 4, "vocab_size_per_layer_input": VOCABULARY, "use_double_wide_mlp": True,
                "final_logit_softcapping": 5.0}, {"dtype": torch.bfloat16}),
    "gemma4-dense": (T.Gemma4TextConfig, T.Gemma4ForCausalLM,
                     {**GEMMA4, "num_hidden_layers": 2, "layer_types": ["sliding_attention", "full_attention"],
                      "hidden_size_per_layer_input": 0, "attention_k_eq_v": True, "num_global_key_value_heads": 1},
                     {"dtype": torch.bfloat16, "config": {"per_layer_config": None, "global_head_dim": 12,
                                                          "num_global_key_value_heads": 1}}),
    "llama4": (T.Llama4TextConfig, T.Llama4ForCausalLM,
               {**LLAMA, "num_hidden_layers": 3, "head_dim": 8, "intermediate_size": 20, "intermediate_size_mlp": 28,
                "num_local_experts": 4, "num_experts_per_tok": 2, "interleave_moe_layer_step": 2, "no_rope_layers": [1, 0, 1],
                "attention_chunk_size": 7, "floor_scale": 4, "attn_scale": 0.5, "rms_norm_eps": 1e-3},
               {"dtype": torch.bfloat16}),
    "ministral3": (T.Ministral3Config, T.Ministral3ForCausalLM,
                   {**LLAMA, "head_dim": 8, "rope_parameters": {**YARN, "original_max_position_embeddings": 5, "mscale": 1.0,
                                                                "mscale_all_dim": 1.0, "llama_4_scaling_beta": 0.4}}, {}),
    "glm4-moe": (T.Glm4MoeConfig, T.Glm4MoeForCausalLM,
                 {**LLAMA, "head_dim": 8, "num_hidden_layers": 3, "n_routed_experts": 6, "num_experts_per_tok": 2, "n_group": 2,
                  "topk_group": 1, "moe_intermediate_size": 12, "first_k_dense_replace": 1, "n_shared_experts": 1,
                  "attention_bias": True, "use_qk_norm": True, "routed_scaling_factor": 1.5}, {"dtype": torch.bfloat16}),
    "qwen35-moe": (T.Qwen3_5MoeTextConfig, T.Qwen3_5MoeForCausalLM, QWEN_DELTA, {"dtype": torch.bfloat16, "fuse": True}),
    "qwen3-next": (T.Qwen3NextConfig, T.Qwen3NextForCausalLM, {**QWEN_DELTA, "norm_topk_prob": True, "mlp_only_layers": [1]},
                   {"dtype": torch.bfloat16}),
    "cohere-plus": (T.CohereConfig, T.CohereForCausalLM,
                    {**LLAMA, "bos_token_id": 1, "eos_token_id": 2, "use_qk_norm": True, "layer_norm_eps": 1e-3}, {}),
    "mpnet": (T.MPNetConfig, T.MPNetForMaskedLM, {**BERT, "pad_token_id": 1}, {}),
    "nomic-bert": (T.NomicBertConfig, T.NomicBertForMaskedLM, BERT, {}),
    "nomic-bert-hub": (T.NomicBertConfig, T.NomicBertModel, BERT,
                       {"config": {"hidden_size": None, "num_hidden_layers": None, "num_attention_heads": None, "head_dim": None,
                                   "intermediate_size": None, "hidden_act": None, "layer_norm_eps": None, "rope_parameters": None,
                                   "n_embd": 24, "n_layer": 2, "n_head": 3, "n_inner": 40, "activation_function": "swiglu",
                                   "layer_norm_epsilon": 1e-12, "rotary_emb_base": 1000, "rotary_emb_fraction": 1.0,
                                   "rotary_emb_interleaved": False, "rotary_scaling_factor": None, "prenorm": False,
                                   "qkv_proj_bias": False, "mlp_fc1_bias": False, "use_rms_norm": False}}),
    "esm": (T.EsmConfig, T.EsmForMaskedLM,
            {**BERT, "pad_token_id": 1, "mask_token_id": 32, "position_embedding_type": "rotary", "token_dropout": True,
             "emb_layer_norm_before": False}, {}),
    "esm-1b": (T.EsmConfig, T.EsmModel,
               {**BERT, "pad_token_id": 1, "mask_token_id": 32, "position_embedding_type": "absolute", "token_dropout": True,
                "emb_layer_norm_before": True}, {}),
    "mt5": (T.MT5Config, T.MT5ForConditionalGeneration, {**T5, "feed_forward_proj": "gated-gelu"}, {"dtype": torch.bfloat16, "own_rows": True}),
    "umt5": (T.UMT5Config, T.UMT5ForConditionalGeneration, {**T5, "feed_forward_proj": "gated-gelu"}, {"dtype": torch.bfloat16, "own_rows": True}),
    "mbart": (T.MBartConfig, T.MBartForConditionalGeneration, {**UNTIED, "scale_embedding": True}, {"dtype": torch.bfloat16}),
    "m2m-100": (T.M2M100Config, T.M2M100ForConditionalGeneration, UNTIED, {"dtype": torch.bfloat16}),
    "xlm-roberta-xl": (T.XLMRobertaXLConfig, T.XLMRobertaXLForMaskedLM, {**BERT, "pad_token_id": 1}, {}),
    "embedding-gemma": (T.Gemma3TextConfig, T.Gemma3TextModel,
                        {**LLAMA, "head_dim": 12, "num_hidden_layers": 3, "sliding_window": 8, "query_pre_attn_scalar": 20,
                         "sliding_window_pattern": 2, "use_bidirectional_attention": True}, {"dtype": torch.bfloat16}),
    "pegasus": (T.PegasusConfig, T.PegasusForConditionalGeneration,
                {**UNTIED, "scale_embedding": True, "pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0, "decoder_layers": 1,
                 "max_position_embeddings": 24, "d_model": 24}, {}),
    "biogpt": (T.BioGptConfig, T.BioGptForCausalLM, {**BERT, "layer_norm_eps": 0.25}, {}),
    "blenderbot": (T.BlenderbotConfig, T.BlenderbotForConditionalGeneration, UNTIED, {"dtype": torch.bfloat16}),
    "deberta-v3": (T.DebertaV2Config, T.DebertaV2ForMaskedLM,
                   {**BERT, "relative_attention": True, "position_buckets": 6, "max_relative_positions": -1, "share_att_key": True,
                    "norm_rel_ebd": "layer_norm", "position_biased_input": False, "pos_att_type": "p2c|c2p", "type_vocab_size": 0}, {}),
    "deberta-v2-conv": (T.DebertaV2Config, T.DebertaV2Model,
                        {**BERT, "relative_attention": True, "position_buckets": 4, "max_relative_positions": 20, "share_att_key": True,
                         "norm_rel_ebd": "layer_norm", "position_biased_input": False, "pos_att_type": ["c2p", "p2c"],
                         "conv_kernel_size": 3, "conv_act": "gelu", "type_vocab_size": 0}, {"dtype": torch.bfloat16}),
    "deberta-v2-parts": (T.DebertaV2Config, T.DebertaV2Model,
                         {**BERT, "relative_attention": True, "max_relative_positions": 9, "pos_att_type": ["c2p", "p2c"],
                          "type_vocab_size": 2}, {}),
    "deberta-v2-keys": (T.DebertaV2Config, T.DebertaV2Model,
                        {**BERT, "relative_attention": True, "position_buckets": 8, "share_att_key": True, "pos_att_type": ["c2p"]},
                        {"dtype": torch.bfloat16}),
    "gemma3-bias": (T.Gemma3TextConfig, T.Gemma3ForCausalLM,
                    {**LLAMA, "head_dim": 12, "sliding_window": 7, "query_pre_attn_scalar": 20, "sliding_window_pattern": 2,
                     "attention_bias": True}, {}),
    "olmo2-bias": (T.Olmo2Config, T.Olmo2ForCausalLM, {**LLAMA, "attention_bias": True}, {"dtype": torch.bfloat16}),
    "bert-decoder": (T.BertConfig, T.BertLMHeadModel, {**BERT, "is_decoder": True}, {}),
    "bart-untied": (T.BartConfig, T.BartForConditionalGeneration, {**UNTIED, "decoder_layers": 1}, {"dtype": torch.bfloat16}),
    "bert-untied": (T.BertConfig, T.BertForMaskedLM, {**BERT, "tie_word_embeddings": False}, {"dtype": torch.bfloat16}),
    "roberta-untied": (T.RobertaConfig, T.RobertaForMaskedLM, {**BERT, "pad_token_id": 1, "tie_word_embeddings": False},
                       {"dtype": torch.bfloat16}),
    "albert-untied": (T.AlbertConfig, T.AlbertForMaskedLM, {**BERT, "embedding_size": 16, "tie_word_embeddings": False},
                      {"dtype": torch.bfloat16}),
    "qwen3-moe-window": (T.Qwen3MoeConfig, T.Qwen3MoeModel,
                         {**LLAMA, "hidden_size": 16, "head_dim": 8, "num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 8,
                          "use_sliding_window": True, "sliding_window": 5}, {"dtype": torch.bfloat16}),
    "phi-moe-short": (T.PhimoeConfig, T.PhimoeModel,
                      {**LLAMA, "hidden_size": 16, "intermediate_size": 12, "num_local_experts": 3, "num_experts_per_tok": 2,
                       "rope_parameters": {"rope_type": "longrope", "rope_theta": 500.0, "short_factor": [1.0, 1.3],
                                           "long_factor": [1.0, 4.0], "original_max_position_embeddings": 32,
                                           "short_mscale": 1.3, "long_mscale": 1.7}}, {"dtype": torch.bfloat16}),
    "llama-both-ways": (T.LlamaConfig, T.LlamaForCausalLM, {**LLAMA, "is_causal": False}, {"dtype": torch.bfloat16}),
    "olmoe-clip": (T.OlmoeConfig, T.OlmoeForCausalLM,
                   {**LLAMA, "hidden_size": 16, "intermediate_size": 12, "num_key_value_heads": 4, "num_experts": 3, "num_experts_per_tok": 2,
                    "clip_qkv": 0.8, "eos_token_id": 2}, {"dtype": torch.bfloat16}),
}


def spread(model, seed):
    """Gives every weight a size that makes scores differ by several units."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            noise = torch.randn(parameter.shape, generator=generator)
            if "embed_positions" in name and isinstance(model, (T.MarianMTModel, T.PegasusForConditionalGeneration)):
                continue  # sines and cosines, which no training changes
            if parameter.ndim == 0 or "patch_embed" in name and parameter.ndim > 1:
                parameter.copy_(noise / max(parameter[:1].numel(), 1) ** 0.5 if parameter.ndim else noise)  # of the pixels of a patch
            elif parameter.ndim == 1:
                gain = "norm" in name.lower() and name.endswith("weight") or ".ln_" in name and name.endswith("weight")
                plus_one = any(part in type(model).__name__.lower() for part in ("gemma", "nemotron")) and "Gemma4" not in type(model).__name__
                parameter.copy_((0 if plus_one else 1) * gain + 0.3 * noise)
            elif "embed" in name or "wte" in name or "wpe" in name or "shared" in name:
                parameter.copy_(noise)
            elif "relative" in name:
                parameter.copy_(2 * noise)
            else:
                gain = 1.8 if any(part in name for part in ("q_", ".q.", "k_", ".k.", "query", "key", "qkv", "c_attn")) else 0.8
                width = parameter.shape[0] if "Conv1D" in str(type(model)) else parameter.shape[-1]
                if getattr(model.config, "model_type", "") in ("t5", "mt5", "umt5") and (".q." in name or ".k." in name):
                    gain = 0.9
                parameter.copy_(gain * noise / width ** 0.5)
        for name, buffer in model.named_buffers():
            if name.endswith("layer_scalar"):
                buffer.copy_(1 + 0.3 * torch.randn(buffer.shape, generator=generator).abs())
            if name.endswith("e_score_correction_bias"):
                buffer.copy_(0.3 * torch.randn(buffer.shape, generator=generator))


def add_alibi_once(model, inputs):
    """Takes the bias by distance out of the mask of Falcon's layers, where eager attention, which has added it already,
    adds it again.  Scaled dot-product attention, which is the default and keeps no weights, adds it once: what the model
    then predicts has to be the same."""
    def change(module, arguments, keywords):
        mask = keywords["attention_mask"]
        keywords["attention_mask"] = torch.where(mask < -1e9, mask, 0)
        return arguments, keywords
    model.config._attn_implementation = "sdpa"
    with torch.no_grad():
        expected = model(**inputs).logits
    for layer in model.transformer.h:
        layer.register_forward_pre_hook(change, with_kwargs=True)
    with torch.no_grad():
        assert (model(**inputs, output_attentions=True).logits - expected).abs().max() < 1e-9


def get_attentions(model, ids, segments, decoder_ids):
    """Runs a model; returns its attentions by the names of the dump format."""
    inputs = {"input_ids": ids}
    if segments is not None:
        inputs["token_type_ids"] = segments
    if decoder_ids is not None:
        inputs["decoder_input_ids"] = decoder_ids
    if isinstance(model, T.FalconForCausalLM) and model.config.alibi:
        add_alibi_once(model, inputs)
    with torch.no_grad():
        out = model(**inputs, output_attentions=True)
    if decoder_ids is None:
        maps = list(out.attentions)
        types = getattr(model.config, "layer_types", None) or []
        if "linear_attention" in types and len(maps) < len(types):
            # Layers without a map are zeros.
            maps = [torch.zeros_like(maps[0]) if kind == "linear_attention" else maps.pop(0) for kind in types]
        n_heads = max(weights.shape[1] for weights in maps)
        # So are heads that other layers have.
        maps = [torch.nn.functional.pad(weights, (0, 0, 0, 0, 0, n_heads - weights.shape[1])) for weights in maps]
        return {"attention": torch.cat(maps).numpy()}
    return {
        "encoder_attention": torch.cat(out.encoder_attentions).numpy(),
        "decoder_attention": torch.cat(out.decoder_attentions).numpy(),
        "cross_attention": torch.cat(out.cross_attentions).numpy(),
    }


def write_reference(path, model, n, m, seed=0):
    generator = torch.Generator().manual_seed(1000 + seed)
    vocabulary = model.config.vocab_size if hasattr(model.config, "vocab_size") else VOCABULARY
    ids = torch.randint(3, vocabulary - 1, (1, n), generator=generator)
    two = getattr(model.config, "is_encoder_decoder", False)
    decoder_ids = torch.randint(3, vocabulary - 1, (1, m), generator=generator) if two else None
    if getattr(model.config, "token_dropout", False):
        # What makes up for masks depends on how many there are.
        ids[0, 4], ids[0, 9] = model.config.mask_token_id, model.config.mask_token_id
    segments = None
    if getattr(model.config, "type_vocab_size", 0) > 1 and "token_type_ids" in model.forward.__code__.co_varnames:
        segments = (torch.arange(n)[None] >= n // 2).long()
    with h5py.File(path, "w") as file:
        for name, values in get_attentions(model, ids, segments, decoder_ids).items():
            file.create_dataset(name, data=values.astype(np.float32), compression="gzip", shuffle=True)
            spread_of = np.median(values.max(axis=-1)) * values.shape[-1]
            print(f"  {name} {values.shape} median greatest weight: {spread_of:.1f} times uniform")
        file["ids"] = ids[0].numpy().astype(np.int32)
        if segments is not None:
            file["segments"] = segments[0].numpy().astype(np.int32)
        if two:
            file["decoder_ids"] = decoder_ids[0].numpy().astype(np.int32)


def pack_mxfp4(name, weight):
    """Numbers of 4 bits, two a byte, and an exponent for each 32; of experts only, whose inputs come last then."""
    if ".experts." not in name or name.endswith("_bias"):
        return None
    rows = weight.float().swapaxes(1, 2)
    groups = rows.reshape(*rows.shape[:2], -1, 32)
    exponents = torch.floor(torch.log2(groups.abs().amax(-1))) - 2
    numbers = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6, 0, -0.5, -1, -1.5, -2, -3, -4, -6])
    codes = (groups[..., None] / 2 ** exponents[..., None, None] - numbers).abs().argmin(-1)
    blocks = (codes[..., ::2] | codes[..., 1::2] << 4).to(torch.uint8)
    dequantised = (numbers[codes] * 2 ** exponents[..., None]).reshape(rows.shape).swapaxes(1, 2)
    return dequantised, {f"{name}_blocks": blocks, f"{name}_scales": (exponents + 127).to(torch.uint8)}


def pack_fp8(name, weight):
    """Numbers of 8 bits, and a scale for each 16 × 12 of them."""
    if weight.ndim != 2 or not name.endswith("_proj.weight") and "_proj_with_mqa" not in name:
        return None
    n, m = weight.shape
    scales = torch.empty((n + 15) // 16, (m + 11) // 12)
    packed, dequantised = torch.empty(n, m, dtype=torch.float8_e4m3fn), torch.empty(n, m)
    for i in range(scales.shape[0]):
        for j in range(scales.shape[1]):
            part = slice(16 * i, 16 * i + 16), slice(12 * j, 12 * j + 12)
            # By a power of two, so that the product is a bfloat16 exactly.
            scales[i, j] = 2 ** torch.floor(torch.log2(weight[part].abs().max() / 240))
            packed[part] = (weight[part].float() / scales[i, j]).to(torch.float8_e4m3fn)
            dequantised[part] = packed[part].float() * scales[i, j]
    return dequantised, {name: packed, f"{name}_scale_inv": scales}


PACKERS = {"mxfp4": pack_mxfp4, "fp8": pack_fp8}


def pack_weights(folder, options):
    """Makes weights be what they will be when packed; returns what takes their place afterwards, by their names."""
    if "pack" not in options:
        return {}
    path = folder / "model.safetensors"
    weights, packed = load_file(path), {}
    for name, weight in weights.items():
        found = PACKERS[options["pack"]](name, weight)
        if found is not None:
            weights[name] = found[0].to(weight.dtype).contiguous()
            assert torch.equal(weights[name].float(), found[0])
            packed[name] = found[1]
    assert packed
    save_file(weights, path)
    return packed


def change_files(folder, options, packed={}):
    """Makes the files be as another version or author would have written them."""
    config_path = folder / "config.json"
    config = json.loads(config_path.read_text())
    config.pop("transformers_version", None)
    for key, value in options.get("config", {}).items():
        config.pop(key, None)
        if value is not None:
            config[key] = value
    weights_path = folder / "model.safetensors"
    if options.get("nest"):
        config = {"model_type": "gemma3", "architectures": ["Gemma3ForConditionalGeneration"], "text_config": config}
        weights = {name.replace("model.", "language_model.model.", 1): value
                   for name, value in load_file(weights_path).items()}
        save_file(weights, weights_path)
    if options.get("keep_head"):
        # Of tied weights, a file may keep either.
        weights = load_file(weights_path)
        weights["lm_head.weight"] = weights.pop("model.embed_tokens.weight")
        save_file(weights, weights_path)
    if options.get("gamma"):
        weights = {name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): value
                   for name, value in load_file(weights_path).items()}
        save_file(weights, weights_path)
    if packed:
        weights = load_file(weights_path)
        for name, parts in packed.items():
            del weights[name]
            weights.update({part: tensor.contiguous() for part, tensor in parts.items()})
        save_file(weights, weights_path)
    if options.get("fuse"):
        # Newer files have the gates, values and outputs of all experts in two tensors.
        weights, experts = load_file(weights_path), {}
        for name in [name for name in weights if ".experts." in name]:
            start, number, part, _ = name.rsplit(".", 3)
            experts.setdefault(start, {}).setdefault(part, {})[int(number)] = weights.pop(name)
        for start, parts in experts.items():
            gate, up, down = (torch.stack([parts[part][i] for i in sorted(parts[part])]) for part in ("gate_proj", "up_proj", "down_proj"))
            weights[f"{start}.gate_up_proj"], weights[f"{start}.down_proj"] = torch.cat([gate, up], 1), down
        save_file(weights, weights_path)
    config_path.write_text(json.dumps(config, indent=1, sort_keys=True) + "\n")


def make(name, seed):
    config_class, model_class, parameters, options = MODELS[name]
    parameters = dict(parameters)
    config = config_class(**parameters, attn_implementation="eager")
    torch.manual_seed(seed)
    model = model_class(config).eval()
    spread(model, seed)
    model.tie_weights()
    folder = ROOT / name
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    dtype = options.get("dtype", torch.float32)
    model.to(dtype)
    model.save_pretrained(folder, max_shard_size=options.get("shard", "1GB"))
    (folder / "generation_config.json").unlink(missing_ok=True)
    if options.get("own_rows"):
        # What T5 1.1 and mT5 have, and what this version of transformers keeps only of files that have it.
        path = folder / "model.safetensors"
        rows = 0.3 * torch.randn(VOCABULARY, config.d_model, generator=torch.Generator().manual_seed(3000 + seed))
        save_file({**load_file(path), "lm_head.weight": rows.to(dtype)}, path, metadata={"format": "pt"})
    print(name)
    packed = pack_weights(folder, options)
    # The reference is computed in float64 with the weights as they were rounded for the file; loaded anew, for
    # to() rounds the frequencies of rotary embeddings too.
    model = model_class.from_pretrained(folder, attn_implementation="eager", dtype=torch.float64).eval()
    # Products of experts that are grouped are for float32 only.
    model.config._experts_implementation = "eager"
    write_reference(folder / "reference.h5", model, N, M, seed)
    change_files(folder, options, packed)


def main():
    torch.set_num_threads(1)
    if sys.argv[1:2] == ["--of"]:
        folder, out, n = sys.argv[2], sys.argv[3], int(sys.argv[4])
        model = T.AutoModel.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32).eval()
        write_reference(out, model, n, n)
        return
    for seed, name in enumerate(MODELS):
        if not sys.argv[1:] or name in sys.argv[1:]:
            make(name, seed)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""Tiny models of families that transformers has, with random weights that are spread out."""
import torch
import transformers as T

V = 60
BASE = dict(vocab_size=V, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=36, max_position_embeddings=64, pad_token_id=0)
GQA = dict(BASE, num_key_value_heads=2, bos_token_id=1, eos_token_id=2)
BART = dict(vocab_size=V, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=24,
            decoder_ffn_dim=28, max_position_embeddings=64, pad_token_id=1, bos_token_id=0, eos_token_id=2, decoder_start_token_id=2, forced_eos_token_id=None)
T5 = dict(vocab_size=V, d_model=32, d_kv=6, d_ff=28, num_layers=2, num_decoder_layers=2, num_heads=4, relative_attention_num_buckets=8,
          relative_attention_max_distance=20, decoder_start_token_id=0, pad_token_id=0, eos_token_id=1)
VIT = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=36, image_size=24, patch_size=8)
SWA = ["sliding_attention", "full_attention"]

# Name: class, configuration, and what it is: encoder, decoder, seq2seq, vision.
FAMILIES = {
    "bert": (T.BertModel, lambda: T.BertConfig(**BASE), "encoder"),
    "roberta": (T.RobertaModel, lambda: T.RobertaConfig(**dict(BASE, pad_token_id=1)), "encoder"),
    "distilbert": (T.DistilBertModel, lambda: T.DistilBertConfig(vocab_size=V, dim=32, n_layers=2, n_heads=4, hidden_dim=36, max_position_embeddings=64), "encoder"),
    "albert": (T.AlbertModel, lambda: T.AlbertConfig(**dict(BASE, embedding_size=16, num_hidden_layers=3)), "encoder"),
    "electra": (T.ElectraModel, lambda: T.ElectraConfig(**dict(BASE, embedding_size=16)), "encoder"),
    "modernbert": (T.ModernBertModel, lambda: T.ModernBertConfig(**dict(BASE, local_attention=6, num_hidden_layers=4, global_attn_every_n_layers=2, cls_token_id=3, sep_token_id=4, bos_token_id=3, eos_token_id=4)), "encoder"),
    "gpt2": (T.GPT2LMHeadModel, lambda: T.GPT2Config(vocab_size=V, n_embd=32, n_layer=2, n_head=4, n_positions=64, bos_token_id=1, eos_token_id=2), "decoder"),
    "llama": (T.LlamaForCausalLM, lambda: T.LlamaConfig(**GQA), "decoder"),
    "mistral": (T.MistralForCausalLM, lambda: T.MistralConfig(**GQA, sliding_window=6), "decoder"),
    "mixtral": (T.MixtralForCausalLM, lambda: T.MixtralConfig(**GQA, num_local_experts=2), "decoder"),
    "qwen2": (T.Qwen2ForCausalLM, lambda: T.Qwen2Config(**GQA, use_sliding_window=True, sliding_window=5, max_window_layers=1), "decoder"),
    "qwen3": (T.Qwen3ForCausalLM, lambda: T.Qwen3Config(**GQA, head_dim=12), "decoder"),
    "gemma2": (T.Gemma2ForCausalLM, lambda: T.Gemma2Config(**GQA, head_dim=8, sliding_window=6, attn_logit_softcapping=5.0, query_pre_attn_scalar=16), "decoder"),
    "gemma3": (T.Gemma3ForCausalLM, lambda: T.Gemma3TextConfig(**GQA, head_dim=8, sliding_window=6, layer_types=SWA), "decoder"),
    "gpt-oss": (T.GptOssForCausalLM, lambda: T.GptOssConfig(**GQA, head_dim=8, sliding_window=6, num_local_experts=2, num_experts_per_tok=1, layer_types=SWA), "decoder"),
    "phi3": (T.Phi3ForCausalLM, lambda: T.Phi3Config(**GQA), "decoder"),
    "gpt-neox": (T.GPTNeoXForCausalLM, lambda: T.GPTNeoXConfig(**dict(BASE, bos_token_id=1, eos_token_id=2)), "decoder"),
    "opt": (T.OPTForCausalLM, lambda: T.OPTConfig(vocab_size=V, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, ffn_dim=36, word_embed_proj_dim=32, max_position_embeddings=64), "decoder"),
    "olmo2": (T.Olmo2ForCausalLM, lambda: T.Olmo2Config(**GQA), "decoder"),
    "cohere2": (T.Cohere2ForCausalLM, lambda: T.Cohere2Config(**GQA, sliding_window=6, layer_types=SWA), "decoder"),
    "granite": (T.GraniteForCausalLM, lambda: T.GraniteConfig(**GQA, attention_multiplier=0.7), "decoder"),
    "deepseek-v3": (T.DeepseekV3ForCausalLM, lambda: T.DeepseekV3Config(**dict(GQA, num_key_value_heads=4), q_lora_rank=12, kv_lora_rank=10, qk_rope_head_dim=4, v_head_dim=6, qk_nope_head_dim=8, n_routed_experts=4, num_experts_per_tok=2, n_group=2, topk_group=1, first_k_dense_replace=1, moe_intermediate_size=16), "decoder"),
    "llama4": (T.Llama4ForCausalLM, lambda: T.Llama4TextConfig(**dict(GQA, intermediate_size_mlp=36), head_dim=8, attention_chunk_size=8, num_local_experts=2, layer_types=["chunked_attention", "full_attention"], no_rope_layers=[1, 0]), "decoder"),
    "qwen3-next": (T.Qwen3NextForCausalLM, lambda: T.Qwen3NextConfig(**dict(GQA, num_hidden_layers=4), head_dim=8, linear_num_value_heads=4, linear_num_key_heads=2, linear_key_head_dim=8, linear_value_head_dim=8, num_experts=2, num_experts_per_tok=1, moe_intermediate_size=16, shared_expert_intermediate_size=16), "decoder"),
    "gemma4": (T.Gemma4ForCausalLM, lambda: T.Gemma4TextConfig(**dict(GQA, num_hidden_layers=4), head_dim=8, global_head_dim=16, sliding_window=6, hidden_size_per_layer_input=8, vocab_size_per_layer_input=V, num_kv_shared_layers=1, layer_types=["sliding_attention", "full_attention"] * 2), "decoder"),
    "t5": (T.T5ForConditionalGeneration, lambda: T.T5Config(**T5), "seq2seq"),
    "mt5": (T.MT5ForConditionalGeneration, lambda: T.MT5Config(**T5), "seq2seq"),
    "bart": (T.BartForConditionalGeneration, lambda: T.BartConfig(**BART), "seq2seq"),
    "marian": (T.MarianMTModel, lambda: T.MarianConfig(**BART), "seq2seq"),
    "pegasus": (T.PegasusForConditionalGeneration, lambda: T.PegasusConfig(**BART), "seq2seq"),
    "vit": (T.ViTModel, lambda: T.ViTConfig(**VIT), "vision"),
    "dinov2-registers": (T.Dinov2WithRegistersModel, lambda: T.Dinov2WithRegistersConfig(**VIT, num_register_tokens=2), "vision"),
    "clip-vision": (T.CLIPVisionModel, lambda: T.CLIPVisionConfig(**VIT), "vision"),
    # These do not ask the registry.
    "deberta": (T.DebertaModel, lambda: T.DebertaConfig(**BASE, relative_attention=True, max_relative_positions=7, pos_att_type=["p2c", "c2p"], type_vocab_size=0), "encoder"),
    "deberta-v3": (T.DebertaV2Model, lambda: T.DebertaV2Config(**BASE, relative_attention=True, pos_att_type=["p2c", "c2p"], share_att_key=True, position_buckets=4, norm_rel_ebd="layer_norm"), "encoder"),
    "deberta-c2p": (T.DebertaV2Model, lambda: T.DebertaV2Config(**BASE, relative_attention=True, pos_att_type=["c2p"]), "encoder"),
    "deberta-p2c": (T.DebertaV2Model, lambda: T.DebertaV2Config(**BASE, relative_attention=True, pos_att_type=["p2c"]), "encoder"),
    "deberta-v2": (T.DebertaV2Model, lambda: T.DebertaV2Config(**BASE, relative_attention=True, pos_att_type=["p2c", "c2p"]), "encoder"),
    "deberta-talking": (T.DebertaModel, lambda: T.DebertaConfig(**BASE, relative_attention=True, max_relative_positions=7, pos_att_type=["c2p"], talking_head=True), "encoder"),
    "xlnet": (T.XLNetModel, lambda: T.XLNetConfig(vocab_size=V, d_model=32, n_layer=2, n_head=4, d_inner=36), "encoder"),
    "codegen": (T.CodeGenForCausalLM, lambda: T.CodeGenConfig(vocab_size=V, n_embd=32, n_layer=2, n_head=4, n_positions=64, rotary_dim=4, bos_token_id=1, eos_token_id=2), "decoder"),
    "mpnet": (T.MPNetModel, lambda: T.MPNetConfig(**dict(BASE, pad_token_id=1)), "encoder"),
    "falcon": (T.FalconForCausalLM, lambda: T.FalconConfig(vocab_size=V, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, new_decoder_architecture=True, num_kv_heads=2, bos_token_id=1, eos_token_id=2), "decoder"),
    "falcon-alibi": (T.FalconForCausalLM, lambda: T.FalconConfig(vocab_size=V, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, alibi=True, multi_query=True, bos_token_id=1, eos_token_id=2), "decoder"),
    "bloom": (T.BloomForCausalLM, lambda: T.BloomConfig(vocab_size=V, hidden_size=32, n_layer=2, n_head=4, bos_token_id=1, eos_token_id=2), "decoder"),
    "mpt": (T.MptForCausalLM, lambda: T.MptConfig(vocab_size=V, d_model=32, n_layers=2, n_heads=4, max_seq_len=64), "decoder"),
    "gpt-neo": (T.GPTNeoForCausalLM, lambda: T.GPTNeoConfig(vocab_size=V, hidden_size=32, num_layers=2, num_heads=4, attention_types=[[["global", "local"], 1]], window_size=5, max_position_embeddings=64, bos_token_id=1, eos_token_id=2), "decoder"),
    "gpt-j": (T.GPTJForCausalLM, lambda: T.GPTJConfig(vocab_size=V, n_embd=32, n_layer=2, n_head=4, n_positions=64, rotary_dim=4, bos_token_id=1, eos_token_id=2), "decoder"),
}


def make(name, implementation=None, dtype=torch.float32):
    """A model of the family; the same weights each time."""
    cls, config, _ = FAMILIES[name]
    torch.manual_seed(3)
    config = config()
    if implementation:
        config._attn_implementation = implementation
    if dtype != torch.float32:
        # Kernels for experts in halves want sizes that tiny models do not have.
        config._experts_implementation = "eager"
    model = cls(config)
    generator = torch.Generator().manual_seed(7)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                # T5 does not scale its scores: with larger weights the order of sums would show in them.
                parameter.normal_(0, 0.2 if "t5" in name else 0.35, generator=generator)
            elif "sinks" in [n.rpartition(".")[2] for n, p in model.named_parameters() if p is parameter]:
                parameter.normal_(0, 1, generator=generator)
    return model.eval().to(dtype)


class Words:
    """A tokenizer of numbers."""

    def convert_ids_to_tokens(self, ids):
        return [f"w{i}" for i in ids]

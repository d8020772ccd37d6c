#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes what transformers predicts with tiny models, in float64, for tests/core/predict.

Needs what make-references.py beside it does.  Models whose checkpoints there hold no head that predicts tokens are
made anew, with one, below heads/.  Of every model predictions/NAME.h5 holds the token numbers `ids`, `segments` and
`decoder_ids`, `lens` [layers + 1, positions, tokens]: the logits of the stream before the first layer and after every
layer, through the final norm; the last are those of the model.  Of models that generate, also `prompt` (or `ids`, the
encoder's) and `generated`, what greedy generation gives, prompt included.

  make-prediction-references.py            all models
  make-prediction-references.py NAME ...   some of them
"""

import importlib.util
import pathlib
import sys

import h5py
import numpy as np
import torch
import transformers as T

HERE = pathlib.Path(__file__).resolve().parent
SPEC = importlib.util.spec_from_file_location("references", HERE / "make-references.py")
R = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(R)

OPT = dict(vocab_size=R.VOCABULARY, hidden_size=24, num_hidden_layers=2, num_attention_heads=3, ffn_dim=40,
           max_position_embeddings=32, word_embed_proj_dim=20)

# Made anew: class of the configuration, class of the model, parameters.
MADE = {
    "roberta-lm": (T.RobertaConfig, T.RobertaForMaskedLM, {**R.BERT, "pad_token_id": 1}),
    "distilbert-lm": (T.DistilBertConfig, T.DistilBertForMaskedLM,
                      dict(vocab_size=R.VOCABULARY, dim=24, n_layers=2, n_heads=3, hidden_dim=40, max_position_embeddings=32)),
    "electra-generator": (T.ElectraConfig, T.ElectraForMaskedLM, {**R.BERT, "embedding_size": 20}),
    "electra-discriminator": (T.ElectraConfig, T.ElectraForPreTraining, {**R.BERT, "embedding_size": 20}),
    "albert-lm": (T.AlbertConfig, T.AlbertForMaskedLM,
                  {**R.BERT, "embedding_size": 20, "num_hidden_layers": 4, "num_hidden_groups": 2}),
    "opt-project": (T.OPTConfig, T.OPTForCausalLM, {**OPT, "do_layer_norm_before": False}),
    "t5-own-rows": (T.T5Config, T.T5ForConditionalGeneration,
                    {**R.T5, "feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}),
    "llama-dynamic-lm": (T.LlamaConfig, T.LlamaForCausalLM,
                         {**R.LLAMA, "rope_parameters": {"rope_type": "dynamic", "factor": 2.0, "rope_theta": 10000.0,
                                                         "original_max_position_embeddings": 16}}),
    "gemma2-capped": (T.Gemma2Config, T.Gemma2ForCausalLM,
                      {**R.LLAMA, "head_dim": 12, "sliding_window": 7, "query_pre_attn_scalar": 20,
                       "attn_logit_softcapping": 5.0, "final_logit_softcapping": 3.0}),
}

# Those of make-references.py that have a head: the class that has it.
THERE = {
    "bert-prefixed": T.BertForMaskedLM,
    "xlm-roberta": T.XLMRobertaForMaskedLM,
    "modernbert-old": T.ModernBertForMaskedLM,
    "gpt2": T.GPT2LMHeadModel,
    "gpt-neox": T.GPTNeoXForCausalLM,
    "opt": T.OPTForCausalLM,
    "llama": T.LlamaForCausalLM,
    "llama-tied": T.LlamaForCausalLM,
    "mistral": T.MistralForCausalLM,
    "qwen2": T.Qwen2ForCausalLM,
    "qwen3": T.Qwen3ForCausalLM,
    "gemma3": T.Gemma3ForCausalLM,
    "phi": T.PhiForCausalLM,
    "t5": T.T5ForConditionalGeneration,
    "bart": T.BartForConditionalGeneration,
    "marian": T.MarianMTModel,
    "mixtral": T.MixtralForCausalLM,
    "qwen2-moe": T.Qwen2MoeForCausalLM,
    "qwen3-moe": T.Qwen3MoeForCausalLM,
    "gpt-oss": T.GptOssForCausalLM,
    "deepseek-v2": T.DeepseekV2ForCausalLM,
    "deepseek-v3": T.DeepseekV3ForCausalLM,
    "olmoe": T.OlmoeForCausalLM,
    "granite-moe": T.GraniteMoeForCausalLM,
    "phi-moe": T.PhimoeForCausalLM,
    "smollm3": T.SmolLM3ForCausalLM,
    "cohere": T.CohereForCausalLM,
    "cohere2": T.Cohere2ForCausalLM,
    "gptj": T.GPTJForCausalLM,
    "codegen": T.CodeGenForCausalLM,
    "gpt-neo": T.GPTNeoForCausalLM,
    "gpt-bigcode": T.GPTBigCodeForCausalLM,
    "bloom": T.BloomForCausalLM,
    "falcon": T.FalconForCausalLM,
    "falcon-new": T.FalconForCausalLM,
    "mpt": T.MptForCausalLM,
    "stablelm-parallel": T.StableLmForCausalLM,
    "nemotron": T.NemotronForCausalLM,
    "phi3": T.Phi3ForCausalLM,
    "phi4-mini": T.Phi3ForCausalLM,
    "gemma": T.GemmaForCausalLM,
    "olmo": T.OlmoForCausalLM,
    "olmo2": T.Olmo2ForCausalLM,
    "olmo3": T.Olmo3ForCausalLM,
    "granite": T.GraniteForCausalLM,
    "glm4": T.Glm4ForCausalLM,
    "qwen35": T.Qwen3_5ForCausalLM,
    "gemma4": T.Gemma4ForCausalLM,
    "gemma4-dense": T.Gemma4ForCausalLM,
    "llama4": T.Llama4ForCausalLM,
    "ministral3": T.Ministral3ForCausalLM,
    "glm4-moe": T.Glm4MoeForCausalLM,
    "qwen35-moe": T.Qwen3_5MoeForCausalLM,
    "qwen3-next": T.Qwen3NextForCausalLM,
    "cohere-plus": T.CohereForCausalLM,
    "mpnet": T.MPNetForMaskedLM,
    "deberta-v3": T.DebertaV2ForMaskedLM,
    "nomic-bert": T.NomicBertForMaskedLM,
    "esm": T.EsmForMaskedLM,
    "xlm-roberta-xl": T.XLMRobertaXLForMaskedLM,
    "mt5": T.MT5ForConditionalGeneration,
    "umt5": T.UMT5ForConditionalGeneration,
    "mbart": T.MBartForConditionalGeneration,
    "m2m-100": T.M2M100ForConditionalGeneration,
    "pegasus": T.PegasusForConditionalGeneration,
    "biogpt": T.BioGptForCausalLM,
    "blenderbot": T.BlenderbotForConditionalGeneration,
    "gemma3-bias": T.Gemma3ForCausalLM,
    "bert-decoder": T.BertLMHeadModel,
    "bert-untied": T.BertForMaskedLM,
    "roberta-untied": T.RobertaForMaskedLM,
    "albert-untied": T.AlbertForMaskedLM,
}

# Those of tests/gguf/models whose heads, or what leaves their last layer, are other in files.
GGUF = ["granite", "cohere", "deepseek-v3-apart", "gpt-oss-ollama", "phi4-mini", "phi-moe", "gemma4", "gemma4-dense"]

# What generation is compared of, and how many tokens of the text it begins with.
PROMPT = 9


def make(name, seed):
    config_class, model_class, parameters = MADE[name]
    torch.manual_seed(seed)
    model = model_class(config_class(**parameters, attn_implementation="eager")).eval()
    R.spread(model, seed)
    model.tie_weights()
    folder = HERE / "heads" / name
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    model.save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)
    R.change_files(folder, {})
    if name == "t5-own-rows":
        # What T5 1.1 has, and what this version of transformers keeps only of files that have it.
        path = folder / "model.safetensors"
        noise = torch.randn(R.VOCABULARY, R.T5["d_model"], generator=torch.Generator().manual_seed(seed))
        R.save_file({**R.load_file(path), "lm_head.weight": 0.3 * noise}, path)
    (folder / "model.safetensors").chmod(0o644)


def get_head(model):
    """Returns what takes the stream after a layer to logits, the final norm included."""
    name = type(model).__name__
    if name.startswith("XLMRobertaXL"):
        return lambda x: model.lm_head(model.roberta.encoder.LayerNorm(x))
    if name.startswith("Esm"):
        return lambda x: model.lm_head(model.esm.encoder.emb_layer_norm_after(x))
    if name.startswith("BioGpt"):
        return lambda x: model.output_projection(model.biogpt.layer_norm(x))
    if name.startswith(("Bert", "Roberta", "XLMRoberta", "MPNet", "Nomic", "Deberta")):
        return getattr(model, "cls", None) or model.lm_head
    if name.startswith("DistilBert"):
        return lambda x: model.vocab_projector(model.vocab_layer_norm(model.activation(model.vocab_transform(x))))
    if name.startswith("Electra"):
        return lambda x: model.generator_lm_head(model.generator_predictions(x))
    if name.startswith("Albert"):
        return model.predictions
    if name.startswith("ModernBert"):
        return lambda x: model.decoder(model.head(model.model.final_norm(x)))
    if hasattr(model, "transformer"):
        norm = getattr(model.transformer, "ln_f", None) or model.transformer.norm_f
        return lambda x: model.lm_head(norm(x))
    if name.startswith("GPTNeoX"):
        return lambda x: model.get_output_embeddings()(model.gpt_neox.final_layer_norm(x))
    if name.startswith("OPT"):
        decoder = model.model.decoder
        norm = decoder.final_layer_norm or (lambda x: x)
        project = decoder.project_out or (lambda x: x)
        return lambda x: model.lm_head(project(norm(x)))
    if name.startswith("PhiFor"):
        return lambda x: model.lm_head(model.model.final_layernorm(x))
    if name.startswith(("T5", "MT5", "UMT5")):
        scale = model.config.d_model ** -0.5 if getattr(model.config, "scale_decoder_outputs", name.startswith("UMT5")) else 1
        return lambda x: model.lm_head(model.decoder.final_layer_norm(x) * scale)
    if name.startswith(("MBart", "Pegasus", "Blenderbot")):
        return lambda x: model.lm_head(model.model.decoder.layer_norm(x)) + model.final_logits_bias
    if name.startswith("M2M100"):
        return lambda x: model.lm_head(model.model.decoder.layer_norm(x))
    if name.startswith(("Bart", "Marian")):
        return lambda x: model.lm_head(x) + model.final_logits_bias
    cap = getattr(model.config, "final_logit_softcapping", None)
    multiplier = getattr(model.config, "logit_scale", 1) / getattr(model.config, "logits_scaling", 1)
    plain = lambda x: model.lm_head(model.model.norm(x)) * multiplier
    return (lambda x: cap * torch.tanh(plain(x) / cap)) if cap else plain


def generate(model, n, generator):
    """Of several prompts the one whose continuation varies most: random models repeat themselves."""
    best = None
    for _ in range(40):
        prompt = torch.randint(3, R.VOCABULARY - 1, (1, n), generator=generator)
        generated = model.generate(prompt, max_new_tokens=16, do_sample=False, num_beams=1, forced_eos_token_id=None,
                                   pad_token_id=0)
        if best is None or len(set(generated[0, -16:].tolist())) > len(set(best[1][0, -16:].tolist())):
            best = prompt, generated
    return best


def write(name, model, seed):
    generator = torch.Generator().manual_seed(2000 + seed)
    two = model.config.is_encoder_decoder
    causal = model.can_generate() and not two
    ids = torch.randint(3, R.VOCABULARY - 1, (1, 14), generator=generator)
    inputs = {"input_ids": ids}
    if two:
        inputs["decoder_input_ids"] = torch.randint(3, R.VOCABULARY - 1, (1, R.M), generator=generator)
    segments = None
    if getattr(model.config, "type_vocab_size", 0) > 1:
        segments = (torch.arange(ids.shape[1])[None] >= 8).long()
        inputs["token_type_ids"] = segments
    with torch.no_grad():
        out = model(**inputs, output_hidden_states=True)
        head = get_head(model)
        states = out.decoder_hidden_states if two else out.hidden_states
        # The last of them has the final norm behind it already.
        lens = [head(x)[0] for x in states[:-1]] + [out.logits[0]]
    with h5py.File(HERE / "predictions" / f"{name}.h5", "w") as file:
        file["ids"] = ids[0].numpy().astype(np.int32)
        if segments is not None:
            file["segments"] = segments[0].numpy().astype(np.int32)
        if two:
            file["decoder_ids"] = inputs["decoder_input_ids"][0].numpy().astype(np.int32)
        file.create_dataset("lens", data=torch.stack(lens).numpy(), compression="gzip", shuffle=True)
        if two or causal:
            prompt, generated = generate(model, ids.shape[1] if two else PROMPT, generator)
            file["prompt"] = prompt[0].numpy().astype(np.int32)
            file["generated"] = generated[0].numpy().astype(np.int32)
            print(name, generated[0].tolist())


def write_of_file(name, seed):
    """What a model in a GGUF file predicts, with the weights that are in it."""
    spec = importlib.util.spec_from_file_location("models", HERE.parent / "gguf" / "make-models.py")
    models = importlib.util.module_from_spec(spec)
    sys.modules["models"] = models
    spec.loader.exec_module(models)
    model, _ = models.load(name)
    model.double()
    write(f"gguf-{name}", model, seed)


def main():
    torch.set_num_threads(1)
    (HERE / "predictions").mkdir(exist_ok=True)
    for seed, name in enumerate(GGUF):
        if not sys.argv[1:] or f"gguf-{name}" in sys.argv[1:]:
            write_of_file(name, seed)
    for seed, name in enumerate([*MADE, *THERE]):
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        if name in MADE:
            make(name, seed)
        folder = HERE / ("heads" if name in MADE else "checkpoints") / name
        model_class = MADE[name][1] if name in MADE else THERE[name]
        if name == "electra-discriminator":
            continue
        model = model_class.from_pretrained(folder, attn_implementation="eager", dtype=torch.float64).eval()
        # Products of experts that are grouped are for float32 only.
        model.config._experts_implementation = "eager"
        write(name, model, seed)


if __name__ == "__main__":
    main()

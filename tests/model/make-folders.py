#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tiny models in folders as people have them, and the attention that transformers and PEFT compute with them.

Needs what make-references.py beside it does, and peft.  Every folder below folders/ holds what its name says and reference.h5,
as the folders of checkpoints/ do; adapters are to a model of checkpoints/, which stays there.

  make-folders.py            all folders
  make-folders.py NAME ...   some of them
"""

import importlib.util
import json
import pathlib
import shutil
import sys

import peft
import torch
import transformers as T

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE / "folders"

spec = importlib.util.spec_from_file_location("references", HERE / "make-references.py")
references = importlib.util.module_from_spec(spec)
spec.loader.exec_module(references)


def load(name, model_class):
    """A model of checkpoints/, in float64."""
    return model_class.from_pretrained(HERE / "checkpoints" / name, attn_implementation="eager", dtype=torch.float64).eval()


def copy_config(name, folder):
    folder.mkdir(parents=True)
    shutil.copy(HERE / "checkpoints" / name / "config.json", folder)


def round_to(model, dtype):
    """What is in the file, which the reference is computed with."""
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(parameter.to(dtype).double())


def make_bin(folder):
    """As before 2019: gamma and beta, a head that predicts, and in a zip file."""
    copy_config("bert", folder)
    model = load("bert-prefixed", T.BertForMaskedLM)
    state = {}
    for name, value in model.state_dict().items():
        name = name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta")
        state[name] = value.float()
    state["bert.embeddings.position_ids"] = torch.arange(32)[None]
    torch.save(state, folder / "pytorch_model.bin")
    return model


def make_bin_legacy(folder):
    """As before PyTorch 1.6, from several devices, with 16 bits, tied weights, and one matrix whose columns lie one after another."""
    copy_config("gpt2", folder)
    model = load("gpt2", T.GPT2LMHeadModel)
    round_to(model, torch.float16)
    state = {"module." + name: value.half() for name, value in model.state_dict().items()}
    state["module.lm_head.weight"] = state["module.transformer.wte.weight"]
    turned = "module.transformer.h.0.attn.c_attn.weight"
    state[turned] = state[turned].T.contiguous().T
    torch.save(state, folder / "pytorch_model.bin", _use_new_zipfile_serialization=False)
    return model


def make_bin_sharded(folder):
    """In two files, bfloat16."""
    copy_config("llama", folder)
    model = load("llama", T.LlamaForCausalLM)
    round_to(model, torch.bfloat16)
    state = {name: value.bfloat16() for name, value in model.state_dict().items()}
    places = {}
    for part in (0, 1):
        file = f"pytorch_model-{part + 1:05}-of-00002.bin"
        shard = {name: value for i, (name, value) in enumerate(state.items()) if i % 2 == part}
        torch.save(shard, folder / file)
        places.update(dict.fromkeys(shard, file))
    (folder / "pytorch_model.bin.index.json").write_text(json.dumps({"metadata": {}, "weight_map": places}))
    return model


def make_sentences(folder):
    """As sentence-transformers did: the transformer in a folder of its own, beside the pooling."""
    copy_config("distilbert", folder / "0_Transformer")
    shutil.copy(HERE / "checkpoints/distilbert/model.safetensors", folder / "0_Transformer")
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling/config.json").write_text('{"word_embedding_dimension": 24, "pooling_mode_mean_tokens": true}\n')
    kinds = ("Transformer", "Pooling")
    modules = [{"idx": i, "name": str(i), "path": f"{i}_{kind}", "type": f"sentence_transformers.models.{kind}"}
               for i, kind in enumerate(kinds)]
    (folder / "modules.json").write_text(json.dumps(modules, indent=2) + "\n")
    return load("distilbert", T.DistilBertModel)


def make_adapter(folder, name, model_class, binary=False, **options):
    """An adapter with random numbers to a model of checkpoints/, which it finds by a path."""
    torch.manual_seed(7)
    model = peft.get_peft_model(load(name, model_class), peft.LoraConfig(**options)).eval()
    with torch.no_grad():
        for key, parameter in model.named_parameters():
            if "lora_magnitude" in key:
                parameter.mul_(1 + 0.4 * torch.rand(parameter.shape))
            elif "lora_" in key or parameter.requires_grad:
                parameter.add_(0.25 * torch.randn(parameter.shape))
            parameter.copy_(parameter.float().double())
    state = {key: value.float().contiguous() for key, value in peft.get_peft_model_state_dict(model).items()}
    model.save_pretrained(folder, safe_serialization=not binary, state_dict=None)
    (folder / "README.md").unlink(missing_ok=True)
    path = folder / ("adapter_model.bin" if binary else "adapter_model.safetensors")
    if binary:
        torch.save(state, path)
    else:
        references.save_file(state, path)
    config_path = folder / "adapter_config.json"
    config = json.loads(config_path.read_text())
    config["base_model_name_or_path"] = f"../../checkpoints/{name}"
    config = {key: sorted(value) if key == "target_modules" and isinstance(value, list) else value for key, value in config.items()}
    config_path.write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")
    # As whoever opens it gets it.
    return peft.PeftModel.from_pretrained(load(name, model_class), folder, autocast_adapter_dtype=False).double().eval().merge_and_unload()


def make_lora(folder):
    """Products of several ranks, some with a factor of their own."""
    return make_adapter(folder, "llama", T.LlamaForCausalLM, r=4, lora_alpha=6, use_rslora=True,
                        target_modules=["q_proj", "k_proj", "v_proj", "o_proj", "down_proj"],
                        rank_pattern={"o_proj": 2}, alpha_pattern={r"layers\.1\.self_attn\.(q|k)_proj": 3, "down_proj": 11})


def make_lora_turned(folder):
    """Matrices that are stored the other way, in a file of PyTorch."""
    return make_adapter(folder, "gpt2", T.GPT2LMHeadModel, binary=True, r=3, lora_alpha=5, target_modules=["c_attn", "c_proj"],
                        fan_in_fan_out=True)


def make_dora(folder):
    """Lengths of rows, biases, and norms that were trained whole, under names that its base does not have."""
    return make_adapter(folder, "bert", T.BertForSequenceClassification, r=2, lora_alpha=4, use_dora=True, bias="lora_only",
                        target_modules=["query", "value", "dense"], modules_to_save=["classifier", "LayerNorm"])


def make_lora_words(folder):
    """Embeddings too, whose rows are what goes in."""
    return make_adapter(folder, "roberta", T.RobertaModel, r=2, lora_alpha=3, target_modules=["query", "key", "word_embeddings"])


def make_lora_bias(folder):
    """Biases of products."""
    return make_adapter(folder, "opt", T.OPTForCausalLM, r=2, lora_alpha=3, lora_bias=True, target_modules=["q_proj", "fc1"])


FOLDERS = {
    "bin": make_bin,
    "bin-legacy": make_bin_legacy,
    "bin-sharded": make_bin_sharded,
    "sentences": make_sentences,
    "lora": make_lora,
    "lora-turned": make_lora_turned,
    "lora-words": make_lora_words,
    "lora-bias": make_lora_bias,
    "dora": make_dora,
}


def main():
    torch.set_num_threads(1)
    for seed, (name, make) in enumerate(FOLDERS.items()):
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        folder = ROOT / name
        shutil.rmtree(folder, ignore_errors=True)
        print(name)
        references.write_reference(folder / "reference.h5", make(folder), references.N, references.M, seed)


if __name__ == "__main__":
    main()

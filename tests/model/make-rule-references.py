#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What transformers writes with models whose files have rules for it, greedily, in float64.

Needs torch and transformers.  Writes rule-references.json beside itself: of each case a model of checkpoints/, what its
config.json has otherwise, its generation_config.json, the tokens that it begins with (the encoder's, where there is one) and
those that the decoder then has.
"""

import json
import pathlib
import shutil
import tempfile

import torch
import transformers as T

HERE = pathlib.Path(__file__).resolve().parent
CLASSES = {"llama": T.LlamaForCausalLM, "t5": T.T5ForConditionalGeneration, "bart": T.BartForConditionalGeneration}
PROMPT = [43, 10, 30, 7, 52, 19, 25, 11, 38]
# What each of them has in its generation_config.json beside the rules.
ENDS = {"llama": {"eos_token_id": 2}, "t5": {"eos_token_id": 1, "decoder_start_token_id": 0},
        "bart": {"eos_token_id": 2, "decoder_start_token_id": 2}}

# Model, prompt, rules, what config.json has otherwise; None leaves a key out there, and instead of rules the file.
CASES = [
    ("t5", PROMPT, {"forced_bos_token_id": 7}, {}),
    ("bart", PROMPT, {"forced_bos_token_id": 7}, {}),
    ("llama", PROMPT[:1], {"forced_bos_token_id": 7}, {}),
    ("llama", PROMPT, {"forced_bos_token_id": 7}, {}),
    ("t5", PROMPT, {"decoder_start_token_id": 11}, {}),
    ("t5", PROMPT, {"decoder_start_token_id": 11}, {"decoder_start_token_id": None}),
    ("bart", PROMPT, {"decoder_start_token_id": 11}, {"decoder_start_token_id": None}),
    ("bart", PROMPT, {}, {"forced_bos_token_id": 8}),
    ("bart", PROMPT, None, {"forced_bos_token_id": 8}),
    ("llama", PROMPT, {"suppress_tokens": [36, 7]}, {}),
    ("llama", PROMPT, {"begin_suppress_tokens": [48, 36]}, {}),
    ("llama", PROMPT[:1], {"begin_suppress_tokens": [20]}, {}),
    ("llama", PROMPT[:1], {"forced_bos_token_id": 7, "begin_suppress_tokens": [7, 51]}, {}),
    ("bart", PROMPT, {"forced_bos_token_id": 7, "begin_suppress_tokens": [52]}, {}),
    ("llama", PROMPT, {"eos_token_id": [45, 22], "min_new_tokens": 9}, {}),
    ("llama", PROMPT, {"eos_token_id": 45, "min_new_tokens": 3}, {}),
    ("llama", PROMPT, {"eos_token_id": 45, "min_length": 15}, {}),
    ("llama", PROMPT, {"eos_token_id": 22, "min_length": 30, "min_new_tokens": 2}, {}),
    ("t5", PROMPT, {"eos_token_id": 13, "min_length": 4}, {}),
    ("llama", PROMPT, {"eos_token_id": 45, "bad_words_ids": [[45], [7]]}, {}),
    ("llama", PROMPT, {"bad_words_ids": [[22]]}, {}),
    ("llama", PROMPT, {}, {"suppress_tokens": [36], "bad_words_ids": [[48]]}),
    ("llama", PROMPT, None, {"eos_token_id": 45, "suppress_tokens": [36], "min_length": 15}),
]


def write(folder, name, prompt, rules, other):
    for file in (HERE / "checkpoints" / name).iterdir():
        shutil.copy(file, folder)
    config = {**json.loads((folder / "config.json").read_text()), **other}
    (folder / "config.json").write_text(json.dumps({key: value for key, value in config.items() if value is not None}))
    if rules is not None:
        (folder / "generation_config.json").write_text(json.dumps({**ENDS[name], **rules}))
    model = CLASSES[name].from_pretrained(folder, attn_implementation="eager", dtype=torch.float64).eval()
    # A last token that is forced is no part of this.
    model.generation_config.forced_eos_token_id = None
    with torch.no_grad():
        ids = model.generate(torch.tensor([prompt]), max_new_tokens=12, do_sample=False, num_beams=1)
    return ids[0].tolist()


def main():
    torch.set_num_threads(1)
    cases = []
    for name, prompt, rules, other in CASES:
        with tempfile.TemporaryDirectory() as folder:
            written = write(pathlib.Path(folder), name, prompt, rules, other)
        own = None if rules is None else {**ENDS[name], **rules}
        cases.append({"model": name, "config": other, "generation_config": own, "prompt": prompt, "written": written})
        print(name, rules, other, written)
    lines = ",\n".join(json.dumps(case) for case in cases)
    (HERE / "rule-references.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()

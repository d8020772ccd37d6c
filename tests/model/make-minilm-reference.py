#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes minilm.npz: what transformers makes of some texts with the real all-MiniLM-L6-v2.

Needs torch, transformers and the model's folder, which test-minilm.py fetches.  For each case token numbers, tokens and
segments as the tokenizer gives them, cut to the model's length, and the attention, float32, of HEADS of every layer.

  make-minilm-reference.py FOLDER
"""

import json
import pathlib
import sys

import numpy as np
import torch
import transformers

OUTPUT = pathlib.Path(__file__).with_name("minilm.npz")
HEADS = [0, 5, 11]

# Text and second text.
CASES = [
    ["time flies like an arrow", "fruit flies like a banana"],
    ["The animal didn't cross the street because it was too tired.", None],
    ["Ein Mädchen aß Äpfel im Café — naïve, n'est-ce pas?", "Das Mädchen war satt!"],
    ["日本語の文章 and 한국어, עברית, ไทย", "Ελληνικά; Русский язык"],
    ["👩‍👩‍👧 emoji 🎉🎉\t tabs,\nlines\u00a0and\u200bspaces\u0007", "x" * 120],
    ["İstanbul ﬁne ½ ² Å e\u0301 [MASK] [SEP] ##ing", "(a+b)*c==d; $5.00 50%"],
    ["", "only the second"],
]


def main():
    folder = sys.argv[1]
    # One thread, one order of the sums.
    torch.set_num_threads(1)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    model = transformers.AutoModel.from_pretrained(folder, local_files_only=True, attn_implementation="eager",
                                                   dtype=torch.float32).eval()
    arrays = {"cases": np.array(json.dumps(CASES, ensure_ascii=False)), "heads": np.array(HEADS)}
    for number, (text, pair) in enumerate(CASES):
        inputs = tokenizer(text, pair, return_tensors="pt", return_token_type_ids=True, truncation=True)
        with torch.no_grad():
            attention = torch.cat(model(**inputs, output_attentions=True).attentions).numpy()
        ids = inputs["input_ids"][0]
        arrays[f"ids{number}"] = ids.numpy().astype(np.int32)
        arrays[f"tokens{number}"] = np.array(json.dumps(tokenizer.convert_ids_to_tokens(ids), ensure_ascii=False))
        arrays[f"segments{number}"] = inputs["token_type_ids"][0].numpy().astype(np.int32)
        arrays[f"attention{number}"] = attention[:, HEADS]
        print(len(ids), tokenizer.convert_ids_to_tokens(ids))
    np.savez_compressed(OUTPUT, **arrays)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times PyTorch's eager forward pass with all attentions, two threads: bench-forward.py FOLDER."""

import sys
import time

import torch
import transformers

torch.set_num_threads(2)
model = transformers.AutoModel.from_pretrained(sys.argv[1], attn_implementation="eager", dtype=torch.float32).eval()
for n in (16, 128, 512):
    ids = torch.tensor([[1000 + i * 7919 % 20000 for i in range(n)]])
    best = float("inf")
    with torch.no_grad():
        for _ in range(15):
            begin = time.perf_counter()
            model(input_ids=ids, output_attentions=True)
            best = min(best, time.perf_counter() - begin)
    print(f"{n:4} tokens: {best * 1000:7.2f} ms")

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times a forward pass of a model of GPT-2's size that is captured, beside the same pass with SDPA that is not.

Usage: PYTHONPATH=src/python bench-capture.py.  Needs PyTorch and transformers.

The two take turns, so that what else the machine does strikes both; ratios are of the fastest runs, and, as "typical", of the medians. "block"
counts all of the `with` block, until the file is in its place. Prints "name value unit" lines; nothing without PyTorch.
"""
import os
import statistics
import sys
import tempfile
import time

TOKENS, ROUNDS, THREADS = 512, 15, 2


def main():
    try:
        import torch
        import transformers

        import headlight
    except ImportError:
        return
    transformers.utils.logging.set_verbosity_error()
    torch.set_num_threads(THREADS)
    torch.set_grad_enabled(False)
    torch.manual_seed(0)
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config(attn_implementation="sdpa")).eval()
    ids = torch.randint(0, 50000, (1, TOKENS))

    def forward():
        begin = time.perf_counter()
        model(ids)
        return time.perf_counter() - begin

    with tempfile.TemporaryDirectory() as folder:
        def captured():
            begin = time.perf_counter()
            with headlight.capture(model, os.path.join(folder, "run.h5")):
                inner = forward()
            return inner, time.perf_counter() - begin

        forward(), captured()
        times = [(forward(), *captured()) for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)]
    plain, inner, block = zip(*times)
    print(f"forward-{TOKENS}-without-capture {min(plain) * 1000:.4g} ms")
    for name, values in (("", inner), ("block-", block)):
        print(f"capture-{TOKENS}-{name}ratio {min(values) / min(plain):.4g} x")
        print(f"capture-{TOKENS}-{name}typical-ratio {statistics.median(values) / statistics.median(plain):.4g} x")


main()

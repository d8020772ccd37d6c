#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times the forward pass beside PyTorch's eager one with all attentions, on two threads.

Usage: bench-forward.py BENCH-FORWARD FOLDER

BENCH-FORWARD is the program of that name, FOLDER a model. The two take turns, so that what else the machine does strikes
both. The ratio is that of the fastest runs, and, as "typical", that of the medians. Prints "name value unit" lines; without
PyTorch only Headlight's own times.
"""
import os
import statistics
import subprocess
import sys
import time

THREADS = 2
ROUNDS = 25
# Runs of one after the other in a round, and the pause before, in which the threads of the other stop waiting for work.
BURST = 3
PAUSE = 0.03
LENGTHS = (16, 128, 512)
# Columns and rows of the weights of MiniLM's layers.
PRODUCTS = ((384, 384), (1536, 384), (384, 1536))


class Headlight:
    def __init__(self, program, folder):
        self.process = subprocess.Popen([program, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env=dict(os.environ, OMP_NUM_THREADS=str(THREADS)))

    def ask(self, question):
        self.process.stdin.write(f"{question}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())


def load_torch(folder):
    """A function that times one pass, or None."""
    try:
        import torch
        import transformers
    except ImportError:
        return None
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    torch.set_num_threads(THREADS)
    model = transformers.AutoModel.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32).eval()

    def run(n):
        ids = torch.tensor([[1000 + i * 7919 % 20000 for i in range(n)]])
        begin = time.perf_counter()
        with torch.no_grad():
            model(input_ids=ids, output_attentions=True)
        return (time.perf_counter() - begin) * 1000

    return run


def burst(run, n):
    time.sleep(PAUSE)
    return [run(n) for _ in range(BURST)]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    ours = Headlight(*sys.argv[1:])
    theirs = load_torch(sys.argv[2])
    for n in LENGTHS:
        print(f"forward-{n}-first {ours.ask(n):.3f} ms")
    for n in LENGTHS:
        mine, other = [], []
        for _ in range(ROUNDS):
            mine += burst(ours.ask, n)
            other += burst(theirs, n) if theirs else []
        print(f"forward-{n} {min(mine):.3f} ms")
        if theirs:
            print(f"forward-{n}-pytorch {min(other):.3f} ms")
            print(f"forward-{n}-ratio {min(other) / min(mine):.3f} ×")
            print(f"forward-{n}-ratio-typical {statistics.median(other) / statistics.median(mine):.3f} ×", flush=True)
    rates = {}
    for _ in range(ROUNDS):
        for shape in [(2048, 2048, 2048)] + [(m, *weights) for m in LENGTHS for weights in PRODUCTS]:
            rates[shape] = max(rates.get(shape, 0), ours.ask("product {} {} {}".format(*shape)))
    whole = rates.pop((2048, 2048, 2048))
    print(f"product-2048 {whole:.1f} GF/s")
    for (m, n, k), rate in rates.items():
        print(f"product-{m}x{n}x{k} {100 * rate / whole:.1f} %")


main()

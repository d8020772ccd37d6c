#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times the ablation of all heads of MiniLM beside PyTorch with hooks, on two threads.

Usage: bench-ablation.py BENCH-ABLATION FOLDER

PyTorch runs the whole model once for every head, with a hook that sets the head's part of what goes into the output projection
to zero.  The two take turns, so that what else the machine does strikes both.  The ratio is that of the fastest runs, and, as
"typical", that of the medians.  What the products alone need at the rate of a large product in the same run is the limit of any
such run.  Prints "name value unit" lines; without PyTorch only Headlight's own times.
"""
import json
import os
import statistics
import subprocess
import sys
import time

THREADS = 2
ROUNDS = 7
N_TOKENS = 24
# The pause before a run, in which the threads of the other stop waiting for work.
PAUSE = 0.05


class Headlight:
    def __init__(self, program, folder):
        self.process = subprocess.Popen([program, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env=dict(os.environ, OMP_NUM_THREADS=str(THREADS)))

    def ask(self, words=N_TOKENS):
        time.sleep(PAUSE)
        self.process.stdin.write(f"{words}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())


def load_torch(folder):
    """A function that times the ablation, or None."""
    try:
        import torch
        import transformers
    except ImportError:
        return None
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    torch.set_num_threads(THREADS)
    model = transformers.AutoModel.from_pretrained(folder, dtype=torch.float32).eval()
    ids = torch.tensor([[1000 + i * 7919 % 20000 for i in range(N_TOKENS)]])
    n_heads = model.config.num_attention_heads
    size = model.config.hidden_size // n_heads

    def measure(layer, head, intact):
        def change(module, args):
            heads = args[0].clone()
            heads[..., head * size:(head + 1) * size] = 0
            return (heads,) + args[1:]

        hook = layer.attention.output.dense.register_forward_pre_hook(change)
        states = model(input_ids=ids).last_hidden_state[0].mean(dim=0)
        hook.remove()
        return 1 - torch.cosine_similarity(states, intact, dim=0)

    def run():
        time.sleep(PAUSE)
        begin = time.perf_counter()
        with torch.no_grad():
            intact = model(input_ids=ids).last_hidden_state[0].mean(dim=0)
            for layer in model.encoder.layer:
                for head in range(n_heads):
                    measure(layer, head, intact)
        return (time.perf_counter() - begin) * 1000

    return run


def count_operations(folder):
    """Those of the products that cannot be spared: the intact run, then for every head the rest of its layer and all that follow.
    Queries, keys and values of its own layer are those of the intact run."""
    with open(os.path.join(folder, "config.json")) as file:
        config = json.load(file)
    width, n_layers = config["hidden_size"], config["num_hidden_layers"]
    output, forward = width * width, 2 * width * config["intermediate_size"]
    layer = 4 * output + forward
    apart = sum(output + forward + (n_layers - 1 - i) * layer for i in range(n_layers))
    return 2 * N_TOKENS * (n_layers * layer + config["num_attention_heads"] * apart)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    ours = Headlight(*sys.argv[1:])
    theirs = load_torch(sys.argv[2])
    mine, other, rates = [], [], []
    print(f"ablation-{N_TOKENS}-first {ours.ask():.3f} ms")
    for _ in range(ROUNDS):
        mine.append(ours.ask())
        other += [theirs()] if theirs else []
        rates.append(ours.ask("product 2048 2048 2048"))
    print(f"ablation-{N_TOKENS} {min(mine):.3f} ms")
    least = count_operations(sys.argv[2]) / max(rates) / 1e6
    print(f"ablation-{N_TOKENS}-products-alone {least:.3f} ms")
    print(f"ablation-{N_TOKENS}-of-product-rate {100 * least / min(mine):.1f} %")
    if theirs:
        print(f"ablation-{N_TOKENS}-pytorch {min(other):.3f} ms")
        print(f"ablation-{N_TOKENS}-ratio {min(other) / min(mine):.3f} ×")
        print(f"ablation-{N_TOKENS}-ratio-typical {statistics.median(other) / statistics.median(mine):.3f} ×")


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times numbers of heads over many texts beside PyTorch, which reads one text at a time with all attentions, and NumPy.

Usage: bench-texts.py HEADLIGHT-CLI FOLDER

FOLDER is a model of BERT's kind, read on two threads by both. All numbers of weights are computed, raw and weighted by the length of what keys
bring. The two take turns, so that what else the machine does strikes both; Headlight's time is that of its process, without its start of a
process with one text, PyTorch's that of the texts alone. Prints "name value unit" lines; without PyTorch only Headlight's own.
"""
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

THREADS = 2
ROUNDS = 3
N_TEXTS = 1000
# PyTorch reads so many in a round; its time is told for all.
N_OTHER = 100
WORDS = """the a old young red small house river market letter window teacher garden bird child opened wrote saw found followed carried quickly
slowly under over behind because while although she he they it never often tall bright quiet morning evening city bread music question answer
winter road travelled waited laughed built remembered""".split()
NUMBERS = ["entropy", "distance", "first", "special", "previous", "next", "self", "sink", "pattern", "mass-cls", "mass-sep", "mass-bare-first",
           "mass-punctuation", "mass-other"]
NORMS = [f"norm-{kind}-{name}" for kind in ("mass", "share")
         for name in ("first", "special", "cls", "sep", "bare-first", "punctuation", "other", "previous", "self", "next")]


def make_texts():
    generator = random.Random(1)
    return [" ".join(generator.choice(WORDS) for _ in range(generator.randint(8, 34))).capitalize() + "." for _ in range(N_TEXTS)]


def measure(program, folder, texts):
    """Seconds of a run over texts, and the most memory that it took, in MB."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(texts) + "\n")
        file.flush()
        begin = time.perf_counter()
        process = subprocess.Popen([program, "stats", folder, "--texts", file.name, "--format=csv", f"--numbers={','.join(NUMBERS + NORMS)}"],
                                   stdout=subprocess.DEVNULL, env=dict(os.environ, OMP_NUM_THREADS=str(THREADS)))
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
    if status != 0:
        sys.exit("headlight-cli failed")
    return seconds, usage.ru_maxrss / 1024


def load_torch(folder):
    """A function that reads texts, or None."""
    try:
        import numpy as np
        import torch
        import transformers
    except ImportError:
        return None
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    torch.set_num_threads(THREADS)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32).eval()
    heads = model.config.num_attention_heads
    values = []
    outputs = []
    for layer in model.encoder.layer:
        layer.attention.self.value.register_forward_hook(lambda module, inputs, output: values.append(output))
        weight = layer.attention.output.dense.weight.detach()
        outputs.append(weight.T.reshape(heads, -1, weight.shape[0]))

    def sum_masses(maps, classes, n):
        """[numbers, layers · heads] of the mean weight on each class of key, and on what is beside a query."""
        return np.concatenate([(maps.mean(-2) @ classes.T).T, [np.trace(maps, offset, 1, 2) / n for offset in (-1, 0, 1)]])

    def read(text):
        values.clear()
        with torch.no_grad():
            encoding = tokenizer(text, return_tensors="pt")
            result = model(**encoding, output_attentions=True)
            n = encoding["input_ids"].shape[1]
            lengths = [torch.einsum("nhd,hdw->hnw", value[0].reshape(n, heads, -1), output).norm(dim=-1)
                       for value, output in zip(values, outputs)]
        maps = torch.cat(result.attentions, 1)[0].numpy()
        lengths = torch.cat(lengths).numpy()
        tokens = tokenizer.convert_ids_to_tokens(encoding["input_ids"][0])
        is_cls, is_sep = (np.array([token == name for token in tokens]) for name in ("[CLS]", "[SEP]"))
        is_first = np.arange(n) == 0
        is_punctuation = np.array([not any(c.isalnum() for c in token) for token in tokens]) & ~is_first & ~is_cls & ~is_sep
        is_bare = is_first & ~is_cls & ~is_sep
        classes = np.stack([is_first, is_cls | is_sep, is_cls, is_sep, is_bare, is_punctuation,
                            ~(is_cls | is_sep | is_bare | is_punctuation)]).astype("f4")
        distance = np.abs(np.arange(n)[:, None] - np.arange(n))
        masses = sum_masses(maps, classes, n)
        weighted = maps * lengths[:, None, :]
        norm_masses = sum_masses(weighted, classes, n)
        pattern_vertical = maps.mean(-2).max(-1) >= 0.25
        pattern_diagonal = np.max([np.trace(maps, offset, 1, 2) / n for offset in range(-3, 4)], 0) >= 0.25
        return np.concatenate([
            [-(maps * np.log(np.where(maps > 0, maps, 1))).sum(-1).mean(-1), (maps * distance).sum(-1).mean(-1),
             2 * pattern_vertical + pattern_diagonal],
            masses, norm_masses, norm_masses / weighted.sum((-1, -2)) * n])

    def run(texts):
        begin = time.perf_counter()
        sum(read(text) for text in texts)
        return time.perf_counter() - begin

    run(texts=make_texts()[:20])
    return run


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, folder = sys.argv[1:]
    texts = make_texts()
    theirs = load_torch(folder)
    mine, other, memory = [], [], []
    for _ in range(ROUNDS):
        start, _ = measure(program, folder, texts[:1])
        few = measure(program, folder, texts[:100])[1]
        seconds, most = measure(program, folder, texts)
        mine.append((seconds - start) * 1000)
        memory.append(most - few)
        if theirs:
            other.append(theirs(texts[:N_OTHER]) * 1000 * N_TEXTS / N_OTHER)
    print(f"texts-1000 {min(mine):.0f} ms")
    print(f"texts-1000-growth {min(memory):.1f} MB")
    if theirs:
        print(f"texts-1000-pytorch {min(other):.0f} ms")
        print(f"texts-1000-ratio {min(other) / min(mine):.3f} ×")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times models in GGUF files beside llama.cpp and PyTorch's eager forward with all attentions, on two threads.

Usage: bench-gguf.py BENCH-GGUF HEADLIGHT-CLI FOLDER

BENCH-GGUF and HEADLIGHT-CLI are the programs of these names. FOLDER is where PyTorch's weights are kept, once transformers has made float32 of the files, and the
model of make-gguf-model.py. The files of SmolLM2 and Gemma 3 are those in HEADLIGHT_BENCH_GGUF, or fetched by pip. All take turns, so that
what else the machine does strikes all; the ratios are those of the fastest runs. Beside them stands what the machine can do: the rate of a
large product in float32, and of reading a file from memory. Prints "name value unit" lines; what is not there is left out and said.
"""
import contextlib
import importlib.util
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
THREADS = 2
LENGTHS = (128, 512)
# Of turns for all that is measured of one length, and seconds after which there are no more on a machine that is busy.
ROUNDS, MIN_ROUNDS, MAX_TIME = 8, 2, 25
# The pause before a turn, in which the threads of the other stop waiting for work.
PAUSE = 0.03
FIRST = 16
# Of that many tokens, for SmolLM2.
TEXT = "Time flies like an arrow, and fruit flies like a banana, they say."


def import_file(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


real_files = import_file("real_files", HERE.parent / "gguf" / "real_files.py")
made = import_file("made", HERE / "make-gguf-model.py")

# Weights of a layer's products; those of the last, but for queries, keys and values, are not needed for attention.
WEIGHTS = {"smollm2": 29 * (2 * 576 * 576 + 2 * 576 * 192 + 3 * 576 * 1536) + 576 * (576 + 2 * 192),
           "gemma3": 17 * (2 * 640 * 1024 + 2 * 640 * 256 + 3 * 640 * 2048) + 640 * (1024 + 2 * 256)}


def say(text):
    print(f"bench-gguf: {text}", file=sys.stderr, flush=True)


class Headlight:
    """The program, which answers line by line."""

    def __init__(self, program, path):
        self.process = subprocess.Popen([program, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env=dict(os.environ, OMP_NUM_THREADS=str(THREADS)))

    def ask_all(self, question):
        time.sleep(PAUSE)
        self.process.stdin.write(f"{question}\n")
        self.process.stdin.flush()
        return [float(word) for word in self.process.stdout.readline().split()]

    def ask(self, question):
        return self.ask_all(question)[0]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def make_ids(n):
    return [1000 + i * 7919 % 20000 for i in range(n)]


def time_call(call):
    time.sleep(PAUSE)
    begin = time.perf_counter()
    call()
    return (time.perf_counter() - begin) * 1000


def load_llama(path):
    """A function that times the evaluation of a prompt, and the milliseconds of loading; or None."""
    try:
        import llama_cpp
    except ImportError as error:
        say(f"without llama.cpp: {error}")
        return None, 0
    begin = time.perf_counter()
    # It says on stderr what it loads, whatever it is told.
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stderr(nowhere):
        model = llama_cpp.Llama(str(path), n_ctx=1024, n_batch=512, n_threads=THREADS, n_threads_batch=THREADS, verbose=False)
    load = (time.perf_counter() - begin) * 1000

    def run(n):
        model.reset()
        llama_cpp.llama_memory_clear(llama_cpp.llama_get_memory(model._ctx.ctx), True)
        return time_call(lambda: model.eval(make_ids(n)))

    return run, load


def load_torch(path, folder):
    """A function that times one pass with all attentions; or None."""
    try:
        import torch
        import transformers
    except ImportError as error:
        say(f"without PyTorch: {error}")
        return None
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    torch.set_num_threads(THREADS)
    weights = folder / f"{path.stem}-float32"
    if not (weights / "config.json").exists():
        say(f"float32 weights of {path.name}, once")
        unpacked = transformers.AutoModel.from_pretrained(path.parent, gguf_file=path.name, dtype=torch.float32)
        # What comes from a GGUF file counts as quantised still, and would not be written.
        del unpacked.config.quantization_config
        model = transformers.AutoModel.from_config(unpacked.config, dtype=torch.float32)
        model.load_state_dict(unpacked.state_dict())
        model.save_pretrained(weights)
    model = transformers.AutoModel.from_pretrained(weights, attn_implementation="eager", dtype=torch.float32).eval()

    def run(n):
        ids = torch.tensor([make_ids(n)])
        with torch.no_grad():
            return time_call(lambda: model(input_ids=ids, output_attentions=True, use_cache=False))

    return run


def rounds():
    begin = time.monotonic()
    for i in range(ROUNDS):
        if i < MIN_ROUNDS or time.monotonic() - begin < MAX_TIME:
            yield i


def least(ask, times):
    return min(ask() for _ in range(times))


def render(cli, path, folder):
    """From nothing to a picture of a head of the first layer."""
    subprocess.run([cli, "render", path, "--text", TEXT, "--view", "heatmap", "--layer", "0", "--heads", "0", "--output",
                    folder / "figure.png"], check=True, stdout=subprocess.DEVNULL)


def measure_real(program, cli, folder, name, path):
    """What is promised of a file that people have."""
    ours = Headlight(program, path)
    llama, load = load_llama(path)
    torch = load_torch(path, folder)
    stem = f"gguf-{name}"
    print(f"{stem}-open {least(lambda: ours.ask('open'), 5):.1f} ms")
    if llama:
        print(f"{stem}-open-llama.cpp {load:.1f} ms")
    print(f"{stem}-open-and-first-layer-of-{FIRST} {least(lambda: ours.ask(f'first {FIRST}'), 5):.1f} ms")
    print(f"{stem}-whole-process-until-a-picture {least(lambda: time_call(lambda: render(cli, path, folder)), 5):.1f} ms")
    print(f"{stem}-resident-512 {ours.ask('resident 512'):.1f} MB")
    for n in LENGTHS:
        mine, rate, theirs, eager = [], [], [], []
        for _ in rounds():
            mine += [ours.ask(f"pass {n}"), ours.ask(f"pass {n}")]
            rate.append(ours.ask("product 2048 2048 2048"))
            theirs += [llama(n)] if llama else []
            eager += [torch(n)] if torch else []
        print(f"{stem}-{n} {min(mine):.2f} ms")
        print(f"{stem}-{n}-of-product-rate {100 * 2e-6 * n * WEIGHTS[name] / min(mine) / max(rate):.1f} %")
        if llama:
            print(f"{stem}-{n}-llama.cpp {min(theirs):.2f} ms")
            print(f"{stem}-{n}-llama.cpp-ratio {min(theirs) / min(mine):.3f} ×")
        if torch:
            print(f"{stem}-{n}-pytorch {min(eager):.2f} ms")
            print(f"{stem}-{n}-pytorch-ratio {min(eager) / min(mine):.3f} ×", flush=True)
    ours.close()


def measure_large(program, path):
    """A file of 1.1 billion parameters. What bounds a layer is reading its weights, or its multiplications where those take longer."""
    ours = Headlight(program, path)
    opening = least(lambda: ours.ask("open"), 5)
    first = least(lambda: ours.ask(f"first {FIRST}"), 5)
    layers = {1: [], FIRST: []}
    rate, reading = 0, 0
    for _ in rounds():
        for n, runs in layers.items():
            runs += [ours.ask_all(f"layers {n}") for _ in range(3)]
        rate = max(rate, ours.ask("product 2048 2048 2048"))
        reading = max(reading, ours.ask("reading"))
    print(f"gguf-1.1b-open {opening:.1f} ms")
    print(f"gguf-1.1b-open-and-first-layer-of-{FIRST} {first:.1f} ms")
    print(f"gguf-1.1b-resident-512 {ours.ask('resident 512'):.1f} MB")
    print(f"gguf-reading {reading:.2f} GB/s")
    print(f"gguf-product-rate {rate:.1f} GF/s")
    reads = 1e-6 * made.LAYER_BYTES / reading
    for n, runs in layers.items():
        bound = max(reads, 2e-6 * n * made.LAYER_NUMBERS / rate)
        # The slowest of all layers, each at its fastest.
        worst = max(min(times) for times in zip(*runs))
        print(f"gguf-1.1b-layer-of-{n} {worst:.3f} ms")
        print(f"gguf-1.1b-layer-of-{n}-bound {bound:.3f} ms")
        print(f"gguf-1.1b-layer-of-{n}-of-bound {100 * bound / worst:.1f} %", flush=True)
    ours.close()


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    program, cli, folder = *sys.argv[1:3], pathlib.Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    if "HEADLIGHT_BENCH_GGUF" in os.environ:
        os.environ["HL_TEST_GGUF"] = os.environ["HEADLIGHT_BENCH_GGUF"]
    for name, (file, wheels) in real_files.FILES.items():
        try:
            path = real_files.find_file(file, wheels)
        except real_files.Skip as reason:
            say(reason)
            continue
        measure_real(program, cli, folder, name, path)
    large = folder / "random-1.1b-q4_k.gguf"
    if not large.exists():
        made.make(large)
    measure_large(program, large)


main()

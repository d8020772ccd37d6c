#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The command line on damaged files of every kind: no crash, no finding of a sanitizer, no more memory or time than there is to be, and
one sentence for each file that is refused.

Usage: test-mutants.py RUN-MANY TESTS-FOLDER [--count N] [--seed N] [--kind SUFFIX] [--keep FOLDER] [--mutant SEED:NUMBER]

RUN-MANY is the program of run-many.c, which is best built with -Db_sanitize=address,undefined. Prints TAP: a test for each kind, over which N
files are spread evenly. What is found is told with its number; --mutant makes that one again, and --keep puts it into a folder.
"""

import argparse
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy as np

import mutants

SECONDS, KIB = 5, 256 << 10
# What HDF5 asks for because a file says so, and never touches, is refused as it is where memory is short; it is ours to live with that.
REFUSED = re.compile(r"^==\d+==WARNING: AddressSanitizer failed to allocate.*\n", re.MULTILINE)
ENVIRONMENT = {"LC_ALL": "C.UTF-8", "G_SLICE": "always-malloc", "OMP_NUM_THREADS": "1", "G_MESSAGES_DEBUG": "",
               "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1:quarantine_size_mb=8:allocator_may_return_null=1:"
                               "max_allocation_size_mb=1024",
               "UBSAN_OPTIONS": "halt_on_error=1:abort_on_error=1:print_stacktrace=1"}
SENTENCE = re.compile(r"\Aheadlight-cli: [^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*\Z")
MAX_SENTENCE = 4000
HELP = "Try “headlight-cli --help”."

DUMPS = [
    ["info", "F"], ["info", "F", "--json"], ["info", "F", "--verify"], ["stats", "F"], ["stats", "F", "--format=json"],
    ["render", "F", "-o", "O.svg"], ["render", "F", "-o", "O.png", "--view=heatmap"], ["render", "F", "-o", "O.pdf", "--view=model-view"],
    ["convert", "F", "-o", "O.json"], ["convert", "F", "-o", "O.npz"], ["convert", "F", "-o", "O.h5"],
    ["find-heads", "F", "--pair=0:1"], ["compare", "F", "F"], ["render", "F", "-o", "O.html"], ["info", "F", "--example=1"],
]
MODELS = [
    ["info", "F", "--text=a cat sat"], ["info", "F", "--ids=1,2,0"], ["tokens", "F", "--text=a cat sat"], ["recompute", "F", "--ids=1,2,3", "-o", "O.json"],
    ["stats", "F", "--ids=2,1"], ["render", "F", "--ids=1,2", "-o", "O.svg"], ["predict", "F", "--ids=1,2"],
]
PICTURES = [["render", "F", "-o", "O.svg", "--view=picture"], ["render", "F", "-o", "O.png", "--view=picture"]]
IMAGES = [["info", "VISION", "--image=F"], ["render", "VISION", "--image=F", "-o", "O.svg", "--view=picture"], ["recompute", "VISION", "--image=F", "-o", "O.h5"]]
SEEING = [["info", "F", "--image", "IMAGE"], ["stats", "F", "--image", "IMAGE"], ["render", "F", "--image", "IMAGE", "-o", "O.svg", "--view=picture"],
          ["recompute", "F", "--image", "IMAGE", "-o", "O.h5"]]
SESSIONS = [["render", "F", "-o", "O.svg"], ["render", "F", "-o", "O.png"]]
ANNOTATIONS = [["probe", "DUMP", "--annotations=F"], ["stats", "DUMP", "--numbers=dependency", "--annotations=F"], ["stats", "MODEL", "--texts=F"]]
LISTS = [["info", "NPY", "--tokens=F"], ["find-heads", "DUMP", "--pairs=F"], ["stats", "MODEL", "--texts=F"]]


def read(*paths):
    return [(path.suffix, path.name, path.read_bytes()) for path in paths]


class Kind:
    """Files of one kind: what is whole, what else is in the folder, and what is done with it."""

    def __init__(self, commands, bases, folder=None):
        self.commands, self.bases, self.folder = commands, bases, folder


def make_picture():
    """A dump with an image of three by four patches."""
    numbers = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "picture.h5")
        with h5py.File(path, "w") as dump:
            weights = numbers.random((1, 2, 13, 13), dtype=np.float32)
            dump["attention"] = weights / weights.sum(-1, keepdims=True)
            dump["image"] = numbers.integers(0, 256, (12, 16, 3), dtype=np.uint8)
            dump["image_tokens"] = [[0, 1, 3, 4, 4, 0, 0, 16, 12]]
        return read(path)


def find_kinds(tests):
    fixtures, checkpoints = tests / "fixtures", tests / "model/checkpoints"

    def some(pattern):
        return [path for path in sorted(fixtures.glob(pattern)) if path.stat().st_size < 40000 and path.name not in ("expected.json", "head-stats.json")]

    kinds = {
        "hdf5": Kind(DUMPS, read(*some("*.h5"), *some("generation/*.h5"))),
        "json": Kind(DUMPS, read(*some("*.json"), *some("generation/*.json"), *some("nested/*.json"))),
        "npy": Kind(DUMPS, read(*some("**/*.npy"))),
        "npz": Kind(DUMPS, read(*some("**/*.npz"))),
        "torch": Kind(DUMPS, read(*some("**/*.pt"), *some("**/*.pth"), *some("**/*.bin"))),
        "pickle": Kind(DUMPS, read(*some("**/*.pkl"))),
        "safetensors": Kind(DUMPS, read(*some("**/*.safetensors"))),
        "page": Kind(DUMPS, read(*some("pages/*.html"), *some("pages/*.ipynb"))),
        "session": Kind(SESSIONS, read(fixtures / "session.headlight", *sorted((tests / "fuzz/corpus-session").glob("*")))),
        "annotations": Kind(ANNOTATIONS, read(*sorted((tests / "fuzz/corpus-conllu").glob("*.conllu")))),
        "lists": Kind(LISTS, read(*sorted((tests / "fuzz/corpus-lists").glob("*")))),
        "gguf": Kind(MODELS, read(*[path for name in ("bert", "llama", "gpt2", "gemma3", "mixtral", "llama-big-endian") for path in sorted((tests / "gguf/models" / name).glob("*.gguf"))])),
    }
    captured = [path for path in sorted((tests / "python/captured").glob("*.h5")) if ".weights." not in path.name]
    kinds["captured"] = Kind(DUMPS, read(*captured))
    kinds["picture"] = Kind(DUMPS + 4 * PICTURES, make_picture())
    kinds["image"] = Kind(IMAGES, read(*sorted((tests / "model/images").glob("*.png"))))
    seeing = [path for path in sorted((tests / "model/vision/vit").iterdir()) if path.name not in ("reference.h5", "pixels.npy")]
    kinds["folder-vit"] = Kind(SEEING, read(*seeing), seeing)
    for name in ("bert", "gpt2", "t5", "deepseek-v3", "bert-sharded"):
        folder = checkpoints / name
        files = [path for path in sorted(folder.iterdir()) if path.name != "reference.h5"]
        kinds["folder-" + name] = Kind(MODELS, read(*files), files)
    tokenizer = sorted((tests / "fuzz/corpus-tokenizer").glob("*"))
    bert = [path for path in (checkpoints / "bert").iterdir() if path.name != "reference.h5"]
    kinds["tokenizer"] = Kind(MODELS[:1] + MODELS[2:3], [(".json", "tokenizer.json", path.read_bytes()) for path in tokenizer], bert)
    pieces = [path for path in (checkpoints / "t5").iterdir() if path.name != "reference.h5"]
    kinds["pieces"] = Kind(MODELS[:1] + MODELS[2:3], read(tests / "tokenizer/pieces/t5/spiece.model"), pieces)
    for kind in kinds.values():
        kind.bases = [(suffix if suffix in mutants.STRUCTURED else ".conllu" if "." not in name else ".json", name, data)
                      for suffix, name, data in kind.bases]
    for suffix, name in ((".json", "session"), (".txt", "lists")):
        kinds[name].bases = [(suffix, base_name, data) for _, base_name, data in kinds[name].bases]
    return kinds


class Program:
    def __init__(self, program):
        self.process = subprocess.Popen([program, str(2 * SECONDS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **ENVIRONMENT})

    def run(self, arguments):
        """Returns with what it ended: exit status, signal, seconds, KiB, and what it said."""
        told = b"".join(os.fsencode(argument) + b"\0" for argument in arguments)
        self.process.stdin.write(told + b"\0")
        self.process.stdin.flush()
        status, number, seconds, kib, _, size = self.process.stdout.readline().split()
        said = self.process.stdout.read(int(size))
        return int(status), int(number), float(seconds), int(kib), said.decode("utf-8", "backslashreplace")


def judge(result):
    """Returns what is wrong, None for nothing."""
    status, number, seconds, kib, said = result
    said = REFUSED.sub("", said)
    if "Sanitizer" in said or "runtime error" in said:
        return "a sanitizer reports"
    if number:
        return f"signal {number}"
    if seconds > SECONDS:
        return f"{seconds:.1f} s"
    if kib > KIB:
        return f"{kib >> 10} MiB"
    lines = said.split("\n")
    if lines.pop() != "":
        return "the last line has no end"
    # What is damaged so much that it is no model any more was given options that are for models.
    if status == 2 and len(lines) == 2 and lines[1] == HELP:
        status, lines = 1, lines[:1]
    if status not in (0, 1):
        return f"exit status {status}"
    if status == 1 and len(lines) != 1:
        return f"{len(lines)} sentences"
    for line in lines:
        if not SENTENCE.match(line) or len(line) > MAX_SENTENCE:
            return "no sentence"
    return None


class Bench:
    def __init__(self, tests, program, folder, seed, keep):
        self.kinds, self.program, self.folder, self.seed, self.keep = find_kinds(tests), program, folder, seed, keep
        self.whole = {"DUMP": tests / "fixtures/f32-contiguous.h5", "NPY": tests / "fixtures/foreign/map-half.npy", "MODEL": tests / "gguf/models/bert",
                      "VISION": tests / "model/vision/vit", "IMAGE": tests / "model/images/picture.png"}
        self.whole["MODEL"] = next(iter(sorted(self.whole["MODEL"].glob("*.gguf"))))
        # What a session names.
        shutil.copy(tests / "fixtures/sentence-pair.h5", folder)
        self.slowest, self.largest = 0.0, 0

    def mutate(self, name, number):
        """Returns how it is damaged, and the command."""
        kind = self.kinds[name]
        lot = random.Random(f"{self.seed} {name} {number}")
        suffix, base, data = lot.choice(kind.bases)
        way, data = mutants.damage(lot, suffix, data)
        target = self.folder / ("mutant" + (suffix if kind.folder is None else ""))
        if kind.folder is not None:
            shutil.rmtree(target, ignore_errors=True)
            target.mkdir()
            for path in kind.folder:
                (target / path.name).symlink_to(path)
            (target / base).unlink(missing_ok=True)
            (target / base).write_bytes(data)
        else:
            target.write_bytes(data)
        command = [str(self.folder / word.replace("O", "out", 1)) if word.startswith("O.") else
                   word.replace("=F", f"={target}") if word.endswith("=F") else str(target) if word == "F" else str(self.whole.get(word, word))
                   for word in lot.choice(kind.commands)]
        return f"{way} {base}", target, command

    def test(self, name, numbers):
        """Returns what is found."""
        found = []
        for number in numbers:
            how, target, command = self.mutate(name, number)
            result = self.program.run(command)
            self.slowest, self.largest = max(self.slowest, result[2]), max(self.largest, result[3])
            wrong = judge(result)
            if wrong is None:
                continue
            found.append(f"{self.seed}:{name}:{number} {how}: {wrong}: {' '.join(command)}\n{result[4][-3000:]}")
            if self.keep is not None:
                kept = self.keep / f"{name}-{number}{target.suffix}"
                (shutil.copytree if target.is_dir() else shutil.copy)(target, kept)
        return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("tests", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=190)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--kind")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--mutant", help="as it was told, SEED:KIND:NUMBER")
    options = parser.parse_args()
    root = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    if options.keep is not None:
        options.keep.mkdir(exist_ok=True)
    if options.mutant is not None:
        options.seed, options.kind, number = options.mutant.split(":")
        options.first, options.count = int(number), 1

    with tempfile.TemporaryDirectory(prefix="headlight-mutants-", dir=root) as folder:
        bench = Bench(options.tests.resolve(), Program(options.program), pathlib.Path(folder), options.seed, options.keep)
        kinds = [name for name in bench.kinds if options.kind in (None, name)]
        each = max(1, options.count // len(kinds))
        print("TAP version 13")
        print(f"1..{len(kinds)}")
        failed = False
        for number, name in enumerate(kinds, 1):
            found = bench.test(name, range(options.first, options.first + each))
            for one in found:
                print("# " + one.replace("\n", "\n#   "))
            print(f"{'not ok' if found else 'ok'} {number} - {name}, {each} files", flush=True)
            failed |= bool(found)
        print(f"# at most {bench.slowest:.1f} s and {bench.largest >> 10} MiB")
    return failed


if __name__ == "__main__":
    sys.exit(main())

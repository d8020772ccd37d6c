#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Files that are cut off, emptied, lengthened, overwritten in their place, replaced or deleted while a command reads them: it prints what
one version gives, or one sentence. Never numbers of two versions, and no crash.

Usage: test-changing.py HEADLIGHT-CLI TESTS-FOLDER [--count N] [--seed N]

N times, 60 unless it is said, something is done at a random moment. Prints TAP: a test for each way.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

import h5py
import numpy

ENVIRONMENT = {**os.environ, "LC_ALL": "C.UTF-8", "OMP_NUM_THREADS": "1"}
LONG_AGO = 1000000000
CHANGES = ["cut", "emptied", "grown", "overwritten", "replaced", "deleted"]
# F is the file, G another one that stays as it is, O what is written.
COMMANDS = [
    ["stats", "F", "--format=csv"], ["info", "F", "--json"], ["info", "F", "--verify"], ["find-heads", "F", "--pair=#1:#0", "--format=csv"],
    ["convert", "F", "-o", "O.json"], ["convert", "F", "-o", "O.npz"], ["convert", "F", "-o", "O.h5"],
    ["render", "F", "-o", "O.svg", "--layer=1", "--heads=1"], ["render", "F", "-o", "O.png", "--view=model-view"],
    ["render", "F", "-o", "O.svg", "--view=layers"], ["render", "F", "-o", "O.html"],
    ["compare", "F", "--other-layer=1", "--format=csv"], ["compare", "F", "G", "--format=csv"], ["compare", "G", "F", "--format=csv"],
]
MODEL_COMMANDS = [
    ["stats", "F", "--ids=1,2,3,4", "--format=csv"], ["recompute", "F", "--ids=1,2,3,4,5", "-o", "O.json"], ["recompute", "F", "--ids=1,2,3,4,5", "-o", "O.h5"],
    ["render", "F", "--ids=1,2,3,4", "-o", "O.svg", "--view=model-view"],
    ["compare", "F", "--ids=1,2,3,4", "--other-layer=1", "--format=csv"],
]
DECODER_COMMANDS = [["predict", "F", "--ids=1,2,3"]]


def make_weights(seed):
    scores = numpy.random.default_rng(seed).standard_normal((6, 8, 40, 40))
    weights = numpy.exp(scores)
    return (weights / weights.sum(-1, keepdims=True)).astype("f4")


def write_version(path, seed):
    weights = make_weights(seed)
    if path.suffix == ".npy":
        numpy.save(path, weights)
    elif path.suffix == ".npz":
        numpy.savez(path, attention=weights)
    elif path.suffix == ".json":
        path.write_text(json.dumps({"attention": numpy.round(weights[:2, :2].astype(float), 6).tolist()}).ljust(90000))
    else:
        with h5py.File(path, "w") as file:
            file.create_dataset("attention", data=weights, chunks=(1, 1, 40, 40) if path.stem == "chunked" else None)


def change(path, way, other):
    data = path.read_bytes()
    if way == "cut":
        os.truncate(path, len(data) // 2)
    elif way == "emptied":
        os.truncate(path, 0)
    elif way == "deleted":
        path.unlink()
    elif way == "replaced":
        beside = path.with_name("beside")
        beside.write_bytes(other)
        beside.rename(path)
    else:
        with open(path, "r+b", buffering=0) as file:
            if way == "grown":
                file.seek(0, os.SEEK_END)
                file.write(b"more" * 100)
            else:
                file.write(other)


class Bench:
    def __init__(self, cli, tests, folder):
        self.cli, self.folder = cli, folder
        self.targets = []
        for name in ("contiguous.h5", "chunked.h5", "dump.npy", "dump.npz", "dump.json"):
            versions = []
            for seed in (1, 2):
                path = folder / name
                write_version(path, seed)
                versions.append(path.read_bytes())
            self.targets.append((name, None, versions, COMMANDS))
        for name, source in (("model.gguf", tests / "gguf/models/llama/model.gguf"), ("model.safetensors", tests / "model/checkpoints/bert/model.safetensors")):
            data = source.read_bytes()
            # Numbers at the end: a quarter of them halved, by the lowest bit of their exponents.
            other = bytearray(data)
            for at in range(len(data) - 4000, len(data), 4):
                other[at + 1] ^= 0x40
            self.targets.append((name, tests / "model/checkpoints/bert/config.json" if name.endswith("rs") else None, [data, bytes(other)],
                                 MODEL_COMMANDS + (DECODER_COMMANDS if name.endswith("gguf") else [])))
        self.known = {}
        write_version(folder / "unchanged.h5", 3)

    def place(self, target):
        """Puts the first version where it is read. Returns its path, and what a command is given."""
        name, config, versions, _ = target
        folder = self.folder / "place"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        path = folder / name
        path.write_bytes(versions[0])
        os.utime(path, (LONG_AGO, LONG_AGO))
        if config is not None:
            shutil.copy(config, folder)
        return path, folder if config is not None else path

    def start(self, command, source):
        places = {"F": str(source), "G": str(self.folder / "unchanged.h5"), **{word: str(self.folder / word) for word in command if word.startswith("O.")}}
        self.written = [self.folder / word for word in command if word.startswith("O.")]
        for written in self.written:
            written.unlink(missing_ok=True)
        return subprocess.Popen([self.cli, *(places.get(word, word) for word in command)], env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def finish(self, process):
        out, err = process.communicate(timeout=120)
        return process.returncode, out + b"".join(written.read_bytes() for written in self.written if written.exists()), err.decode("utf-8")

    def learn(self, target, command):
        """What each version gives, and how long that takes."""
        key = target[0], tuple(command)
        if key not in self.known:
            outs = []
            for version in target[2]:
                path, source = self.place(target)
                path.write_bytes(version)
                begin = time.monotonic()
                status, out, err = self.finish(self.start(command, source))
                assert status == 0, err
                outs.append(out)
            self.known[key] = outs, time.monotonic() - begin
        return self.known[key]

    def test(self, way, lot, count):
        found, n_refused = [], 0
        for _ in range(count):
            target = lot.choice(self.targets)
            command = lot.choice(target[3])
            outs, seconds = self.learn(target, command)
            path, source = self.place(target)
            process = self.start(command, source)
            time.sleep(lot.uniform(0, seconds))
            change(path, way, target[2][1])
            status, out, err = self.finish(process)
            # An empty file is no model, and a text is not for what is none.
            if status in (1, 2) and err.count("\n") == status and err.startswith("headlight-cli: "):
                n_refused += 1
            elif status != 0 or (out not in outs and way != "grown") or (way == "grown" and out != outs[0] and target[0] != "dump.json"):
                found.append(f"{' '.join(command)} of {target[0]}: exit {status}, {err[:300]!r}, {len(out)} bytes of no version")
        print(f"# {way}: {n_refused} of {count} refused")
        return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("tests", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", default="1")
    options = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory(prefix="headlight-changing-") as folder:
        bench = Bench(os.path.abspath(options.cli), options.tests.resolve(), pathlib.Path(folder))
        print("TAP version 13")
        print(f"1..{len(CHANGES)}")
        for number, way in enumerate(CHANGES, 1):
            found = bench.test(way, random.Random(f"{options.seed} {way}"), max(1, options.count // len(CHANGES)))
            for one in found:
                print("# " + one)
            print(f"{'not ok' if found else 'ok'} {number} - {way}", flush=True)
            failed |= bool(found)
    return failed


if __name__ == "__main__":
    sys.exit(main())

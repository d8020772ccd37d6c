#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Dumps that the Python package has written of models, in captured/, against the weights of the models' eager attention.

Usage: test-captured.py HEADLIGHT-CLI SOURCE-ROOT.  Prints TAP.  Needs no PyTorch.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

CLI, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
sys.path[:0] = [str(ROOT / "tests/python")]
sys.dont_write_bytecode = True
FOLDER = ROOT / "tests/python/captured"

import h5py
import numpy as np

import reference_reader

BOUND = 1e-5
KINDS = ("", "encoder", "decoder", "cross")


def expected(name):
    """Examples, each {kind: {layer: weights}}."""
    with h5py.File(FOLDER / f"{name}.weights.h5") as file:
        return [{kind: reference_reader.read_layers(group[f"{kind}_attention" if kind else "attention"]) for kind in KINDS
                 if (f"{kind}_attention" if kind else "attention") in group} for group in (file[str(i)] for i in range(len(file)))]


def compare(found, wanted):
    assert len(found) == len(wanted), (len(found), len(wanted))
    for one, other in zip(found, wanted):
        assert set(one) - {"tokens"} == set(other), (set(one), set(other))
        for kind in other:
            assert sorted(one[kind]) == sorted(other[kind]), (kind, sorted(one[kind]), sorted(other[kind]))
            for layer, weights in other[kind].items():
                assert one[kind][layer].shape == weights.shape, (kind, layer, one[kind][layer].shape, weights.shape)
                worst = np.abs(one[kind][layer] - weights).max()
                assert worst <= BOUND, f"{kind} layer {layer}: {worst:.2e}"


def check_reader(name):
    sharded = not (FOLDER / f"{name}.h5").exists()
    compare((reference_reader.read_ranks if sharded else reference_reader.read)(FOLDER / f"{name}.h5"), expected(name))


def check_program(name):
    """headlight-cli, of shards each by itself."""
    shards = sorted(FOLDER.glob(f"{name}.rank*.h5"))
    for path in shards or [FOLDER / f"{name}.h5"]:
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder, "weights.h5")
            done = subprocess.run([CLI, "convert", path, "--store", "weights", "--output", out], capture_output=True, text=True,
                                  env={**os.environ, "LC_ALL": "C.UTF-8", "G_DEBUG": "fatal-criticals"})
            assert done.returncode == 0, done.stderr
            with h5py.File(out) as file:
                groups = [file["examples"][key] for key in file["examples"]] if "examples" in file else [file]
                found = [{kind: reference_reader.read_layers(group[f"{kind}_attention" if kind else "attention"]) for kind in KINDS
                          if (f"{kind}_attention" if kind else "attention") in group} for group in groups]
            compare(found, expected(name))


def main():
    names = sorted(path.name[:-len(".weights.h5")] for path in FOLDER.glob("*.weights.h5"))
    assert len(names) > 10, names
    print(f"1..{2 * len(names)}")
    failed = False
    for number, (name, check) in enumerate(((name, check) for name in names for check in (check_reader, check_program)), 1):
        title = f"{name} by {check.__name__[6:]}"
        try:
            check(name)
            print(f"ok {number} {title}", flush=True)
        except AssertionError as error:
            failed = True
            print(f"not ok {number} {title}\n# {error}", flush=True)
    sys.exit(failed)


main()

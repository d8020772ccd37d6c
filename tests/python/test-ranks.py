#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Models that are shared out among processes: files of all ranks, joined, equal the file of one process.

Usage: test-ranks.py HEADLIGHT-CLI SOURCE-ROOT.  Prints TAP.  Needs PyTorch and transformers.
"""
import functools
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[2])
WORKER = ROOT / "tests/python/rank_worker.py"
sys.path[:0] = [str(ROOT / "src/python"), str(ROOT / "tests/python")]
sys.dont_write_bytecode = True

import h5py
import numpy as np

import reference_reader
import tap


def run(folder, mode, ranks):
    launcher = ["-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={ranks}"] if ranks > 1 else []
    done = subprocess.run([sys.executable, *launcher, WORKER, ROOT, folder, mode], capture_output=True, text=True, timeout=900,
                          env={**os.environ, "OMP_NUM_THREADS": "1"})
    assert done.returncode == 0, done.stderr[-3000:]


def of_program(path):
    """Examples of a dump, or of all files of it, as headlight-cli reads them: {layer: weights}, in order."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "weights.h5")
        done = subprocess.run([sys.argv[1], "convert", path, "--store", "weights", "--output", out], capture_output=True, text=True,
                              env={**os.environ, "LC_ALL": "C.UTF-8"})
        assert done.returncode == 0, done.stderr
        with h5py.File(out) as file:
            return [reference_reader.read_layers(file["examples"][name]["attention"]) for name in file["examples"]]


ALONE = tempfile.TemporaryDirectory()
# What files said of their run: those of two runs have nothing in common.
seen_runs = set()


@functools.cache
def whole():
    """The folder of what one process writes."""
    run(ALONE.name, "one", 1)
    return ALONE.name


@functools.cache
def whole_of_program():
    return of_program(os.path.join(whole(), "run.h5"))


def check(mode, ranks, sharding, beside=None):
    one, beside = whole(), beside or (ranks if sharding == "heads" else 1)
    with tempfile.TemporaryDirectory() as several:
        if mode == "plan":
            run(several, "save", 1)
        run(several, mode, ranks)
        path = os.path.join(several, "run.h5")
        assert sorted(name for name in os.listdir(several) if name != "model") == [f"run.rank{rank}.h5" for rank in range(ranks)]
        names, runs = [], set()
        for rank in range(ranks):
            with h5py.File(os.path.join(several, f"run.rank{rank}.h5")) as file:
                assert (file.attrs["rank"], file.attrs["ranks"], file.attrs["sharding"]) == (rank, ranks, sharding), dict(file.attrs)
                runs.add(file.attrs["run"])
                assert file.attrs.get("head_ranks", 1) == (beside if sharding == "examples" else 1)
                names += list(file["examples"]) if rank % beside == 0 else []
                projection = file["output_projection"][()]
                part = projection if rank % beside == 0 else np.concatenate([part, projection], 1)
        assert len(runs) == 1 and not runs & seen_runs, runs
        seen_runs.update(runs)
        if sharding == "examples":
            assert len(set(names)) == len(names), names
        with h5py.File(os.path.join(one, "run.h5")) as file:
            assert np.array_equal(file["output_projection"][()], part)
        wanted, found = reference_reader.read(os.path.join(one, "run.h5")), reference_reader.read_ranks(path)
        assert len(wanted) == len(found) == 8
        joined = of_program(os.path.join(several, f"run.rank{ranks - 1}.h5"))
        assert len(joined) == 8
        for a, b in zip(whole_of_program(), joined):
            assert all(a[layer].shape == b[layer].shape and np.abs(a[layer] - b[layer]).max() <= 1e-5 for layer in a)
        for a, b in zip(wanted, found):
            assert sorted(a[""]) == sorted(b[""]) == [0, 1]
            for layer in a[""]:
                assert a[""][layer].shape == b[""][layer].shape
                assert np.abs(a[""][layer] - b[""][layer]).max() <= 1e-5


def test_two_ranks_of_data_parallel():
    check("ddp", 2, "examples")


def test_four_ranks_of_data_parallel():
    check("ddp", 4, "examples")


def test_two_ranks_of_fully_sharded_parameters():
    check("fsdp", 2, "examples")


def test_four_ranks_of_fully_sharded_parameters():
    check("fsdp", 4, "examples")


def test_two_ranks_of_tensor_parallel():
    check("tensor", 2, "heads")


def test_four_ranks_of_tensor_parallel():
    check("tensor", 4, "heads")


def test_two_ranks_as_transformers_shares_out():
    check("plan", 2, "heads")


def test_data_and_tensor_parallel():
    check("both", 4, "examples", 2)


def test_two_runs_of_one_job():
    """Files of the same path, of which one was left from the first run, are no dump."""
    with tempfile.TemporaryDirectory() as folder:
        run(folder, "twice", 2)
        assert len(of_program(os.path.join(folder, "first.rank0.h5"))) == len(of_program(os.path.join(folder, "run.rank0.h5"))) == 8
        os.replace(os.path.join(folder, "first.rank1.h5"), os.path.join(folder, "run.rank1.h5"))
        done = subprocess.run([sys.argv[1], "info", os.path.join(folder, "run.rank0.h5")], capture_output=True, text=True,
                              env={**os.environ, "LC_ALL": "C.UTF-8"})
        assert done.returncode == 1 and "is of another run than others" in done.stderr, done


tap.run(globals())

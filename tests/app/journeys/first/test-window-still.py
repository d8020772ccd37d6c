#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Nothing moves after the first picture, whatever is read, counted and compared by then. Arguments: headlight DUMP FIXTURES"""
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

FIELD = "first-picture-moves "


def count_moves(*arguments):
    """How often the picture's place in the window changed, as the trace has it; the rest of the trace is not waited for."""
    with subprocess.Popen([sys.argv[1], "--trace", *arguments], stdout=subprocess.PIPE, text=True) as trace:
        lines = []
        for line in trace.stdout:
            lines.append(line)
            if line.startswith(FIELD):
                trace.kill()
                return int(line[len(FIELD):].split()[0])
    raise AssertionError(f"the trace ended without the first picture: {lines}")


def make_text(folder, n_tokens):
    path = Path(folder, f"{n_tokens}.h5")
    with h5py.File(path, "w") as file:
        file["attention"] = np.tril(np.ones((2, 2, n_tokens, n_tokens), "f4")) / np.arange(1, n_tokens + 1, dtype="f4")[:, None]
        file["tokens"] = np.array([f"t{i}" for i in range(n_tokens)], dtype=h5py.string_dtype())
    return path


def main():
    with tempfile.TemporaryDirectory() as folder:
        # More than fits, by far or just so: a minimap stands beside it.
        cases = (("sample", "--sample"), ("dump", sys.argv[2]), ("long", make_text(folder, 300)),
                 *((f"{n} tokens", make_text(folder, n)) for n in (40, 44, 50, 56)))
        print(f"1..{len(cases)}")
        for i, (name, argument) in enumerate(cases, 1):
            moves = count_moves(argument)
            print(f"{'ok' if moves == 0 else 'not ok'} {i} {name}: the picture's place changed {moves} times", flush=True)


main()

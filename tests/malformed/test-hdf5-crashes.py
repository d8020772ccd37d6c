#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that files end, or never end, the HDF5 library alone: that Headlight's guards around it are needed.

Usage: test-hdf5-crashes.py WALK-HDF5 FOLDER.  Prints TAP.
"""

import pathlib
import subprocess
import sys

# Processor time that no such file needs to be read.
SECONDS = 2
LEAST = 12


def run(*arguments):
    return subprocess.run(arguments, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8").stdout


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    version = run(program, "--version").strip()
    if not version.startswith("1.10."):
        print(f"1..0 # SKIP the files were found with libhdf5 1.10; this is {version}")
        return 0
    files = sorted(folder.glob("library-*.h5"))
    good = [folder.parent / "fixtures" / name for name in ("f32-contiguous.h5", "attribute-kinds.h5", "tokens-vlen-utf8.h5")]
    answers = [line.partition("\t")[2] for line in run(program, str(SECONDS), *files, *good).splitlines()]
    expected = ["hung" if path.name.startswith("library-hangs-") else "crashed" for path in files] + ["read"] * len(good)
    passed = [answer.split(" ")[0] == word for answer, word in zip(answers, expected)] + [len(files) >= LEAST]
    print(f"1..{len(passed)}")
    for number, (path, answer, right) in enumerate(zip(files + good, answers, passed), 1):
        print(f"{'ok' if right else 'not ok'} {number} - {path.name}: {answer}")
    print(f"{'ok' if passed[-1] else 'not ok'} {len(passed)} - there are at least {LEAST}")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())

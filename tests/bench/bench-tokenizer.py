#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times the tokenizer beside Python's tokenizers, line by line on one thread.

Usage: bench-tokenizer.py BENCH-TOKENIZER FOLDER TEXT

BENCH-TOKENIZER is the program of that name, FOLDER a model, TEXT a file in UTF-8. The two take turns; the ratio is that of the
fastest runs. Prints "name value unit" lines; without tokenizers only Headlight's own rate.
"""
import pathlib
import subprocess
import sys
import time

ROUNDS = 15


def load_theirs(folder, lines):
    """A function that times all lines, or None."""
    try:
        import tokenizers
    except ImportError:
        return None
    tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()

    def run():
        begin = time.perf_counter()
        for line in lines:
            tokenizer.encode(line)
        return time.perf_counter() - begin

    return run


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    program, folder, text = sys.argv[1:]
    lines = pathlib.Path(text).read_text(encoding="utf-8").split("\n")
    theirs = load_theirs(pathlib.Path(folder), lines)
    process = subprocess.Popen([program, folder, text], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    mine, other = [], []
    for _ in range(ROUNDS):
        process.stdin.write("\n")
        process.stdin.flush()
        mine.append(float(process.stdout.readline()))
        if theirs:
            other.append(theirs())
    print(f"tokenizer {len(lines) / min(mine):.0f} lines/s")
    if theirs:
        print(f"tokenizer-python {len(lines) / min(other):.0f} lines/s")
        print(f"tokenizer-ratio {min(other) / min(mine):.3f} ×")


main()

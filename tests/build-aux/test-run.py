#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests build-aux/run without a display and without building: which files are given a text to run."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# In place of build-aux/common.sh, and of the program that is built: it notes what it is asked for.
COMMON = """
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." >/dev/null && pwd)
say () { :; }
fail () { echo "$*" >&2; exit 1; }
quietly () { :; }
install_packages () { :; }
configure_main () { :; }
"""
PROGRAM = """#!/bin/sh
printf '%s\\n' "$*"
"""


def main():
    failed = False
    print("1..4")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "build-aux").mkdir()
        shutil.copy(sys.argv[1], folder / "build-aux/run")
        (folder / "build-aux/common.sh").write_text(COMMON)
        program = folder / "build/root/bin/headlight-cli"
        program.parent.mkdir(parents=True)
        for path in (program, program.with_name("headlight")):
            path.write_text(PROGRAM)
            path.chmod(0o755)
        (folder / "model").mkdir()
        (folder / "model.bin").write_bytes(b"GGUF\3\0\0\0")
        (folder / "dump.gguf").write_bytes(b"\x89HDF\r\n\x1a\n")
        (folder / "empty").write_bytes(b"")
        for number, (file, is_model) in enumerate({"model": True, "model.bin": True, "dump.gguf": False, "empty": False}.items(), 1):
            environment = {**os.environ, "DISPLAY": "", "WAYLAND_DISPLAY": ""}
            done = subprocess.run(["bash", folder / "build-aux/run", file], cwd=folder, env=environment, capture_output=True, text=True, check=False)
            asked = [line for line in done.stdout.splitlines() if line.startswith("render ")]
            right = done.returncode == 0 and len(asked) == 6 and all(("--text" in line) == is_model for line in asked)
            failed |= not right
            print(f"{'ok' if right else 'not ok'} {number} {file}")
            if not right:
                print("".join(f"# {line}\n" for line in [f"{done.returncode}", *done.stdout.splitlines(), *done.stderr.splitlines()]), end="")
    return failed


if __name__ == "__main__":
    sys.exit(main())

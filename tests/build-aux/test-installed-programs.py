#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that programs find the library where they are installed, without a variable that says where it is.

Usage: test-installed-programs.py BUILD-FOLDER MESON READELF
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def read(readelf, program, entry):
    found = subprocess.run([readelf, "--dynamic", program], check=True, stdout=subprocess.PIPE, text=True, env={**os.environ, "LC_ALL": "C"}).stdout
    return re.findall(rf"\({entry}\).*\[(.*)\]", found)


def find(build, folder, readelf, name):
    """Why a program does not find its library; None if it does."""
    prefix = {option["name"]: option["value"] for option in
              json.loads((build / "meson-info" / "intro-buildoptions.json").read_text(encoding="utf-8"))}["prefix"]
    program = folder / prefix.lstrip("/") / "bin" / name
    library = next((needed for needed in read(readelf, program, "NEEDED") if needed.startswith("libheadlight")), None)
    places = ":".join(read(readelf, program, "RUNPATH") + read(readelf, program, "RPATH"))
    if library is None:
        return "it needs no library of ours"
    if prefix == "/usr":
        return f"it says “{places}”, though nobody need" if places else None
    if not any((folder / place.lstrip("/") / library).exists() for place in places.split(":") if place):
        return f"there is no {library} in “{places}”"
    return None


def main():
    build, meson, readelf = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    programs = ("headlight", "headlight-cli")
    print("TAP version 13")
    print(f"1..{len(programs)}")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([meson, "install", "-C", build, "--no-rebuild", "--quiet", "--tags", "runtime", "--destdir", folder], check=True,
                       stdout=subprocess.DEVNULL)
        for number, name in enumerate(programs, 1):
            wrong = find(build, pathlib.Path(folder), readelf, name)
            if wrong is not None:
                print(f"# {wrong}")
            print(f"{'ok' if wrong is None else 'not ok'} {number} - {name}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that the Flatpak sees the folders in which models are looked for.

Usage: test-flatpak-places.py MANIFEST HEADLIGHT-CLI
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

# Of /usr a Flatpak sees its own.
HIDDEN = "/usr/"
ELSEWHERE = ("HF_HUB_CACHE", "HF_HOME", "OLLAMA_MODELS", "LLAMA_CACHE", "XDG_CACHE_HOME")


def list_seen(manifest):
    """The folders that are let in, as a person writes them, each once."""
    arguments = json.loads(pathlib.Path(manifest).read_text(encoding="utf-8"))["finish-args"]
    places = [argument.partition("=")[2].partition(":")[0] for argument in arguments if argument.startswith("--filesystem=")]
    places = [place.replace("xdg-cache", "~/.cache") for place in places]
    return places if len(set(places)) == len(places) else []


def list_wanted(program):
    """Those that the program names where it finds no model."""
    environment = {name: value for name, value in os.environ.items() if name not in ELSEWHERE}
    with tempfile.TemporaryDirectory() as home:
        said = subprocess.run([program, "models"], check=True, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, encoding="utf-8",
                              env={**environment, "HOME": home, "LC_ALL": "C.UTF-8"}).stderr
    return said.partition("there are no models in ")[2].strip().split(", ")


def main():
    manifest, program = sys.argv[1:]
    seen = list_seen(manifest)
    wanted = [place for place in list_wanted(program) if not place.startswith(HIDDEN)]
    print("TAP version 13")
    print(f"1..{len(wanted)}")
    for number, place in enumerate(wanted, 1):
        is_seen = any(f"{place}/".startswith(f"{outer}/") for outer in seen)
        print(f"{'ok' if is_seen else 'not ok'} {number} - {place}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that programs can be built with what is installed of the library: with no header beside it.

Usage: test-installed-headers.py BUILD-FOLDER PKG-CONFIG COMPILER…
"""

import json
import pathlib
import subprocess
import sys
import tempfile


def main():
    build, pkg_config, compiler = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    installed = json.loads((build / "meson-info" / "intro-installed.json").read_text(encoding="utf-8"))
    headers = {source: target.split("/headlight-1.0/")[1] for source, target in installed.items() if "/headlight-1.0/" in target}
    flags = subprocess.run([pkg_config, "--cflags", "glib-2.0", "gio-2.0"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    print("TAP version 13")
    print(f"1..{len(headers)}")
    with tempfile.TemporaryDirectory() as folder:
        for source, name in headers.items():
            place = pathlib.Path(folder, name)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(source)
        for number, name in enumerate(sorted(headers.values()), 1):
            result = subprocess.run([*compiler, "-std=c11", "-fsyntax-only", "-I", folder, *flags, "-x", "c", "-"], text=True,
                                    input=f'#include "{name}"\n', stderr=subprocess.PIPE)
            if result.returncode:
                print(*(f"# {line}" for line in result.stderr.splitlines()[:5]), sep="\n")
            print(f"{'not ' if result.returncode else ''}ok {number} - {name}")


if __name__ == "__main__":
    main()

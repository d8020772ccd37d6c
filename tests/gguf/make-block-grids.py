#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes src/core/base/block/hl-block-grids.h: the tables of the quantised types that look their magnitudes up.

Needs the package gguf.  Every row is one number: two bits for each of eight magnitudes, or three for each of four.
"""

import pathlib

import gguf
import gguf.quants as quants

TARGET = pathlib.Path(__file__).resolve().parents[2] / "src/core/base/block/hl-block-grids.h"
TABLES = {
    "iq2_xxs": (quants.IQ2_XXS, (8, 25, 43), 2),
    "iq2_xs": (quants.IQ2_XS, (8, 25, 43), 2),
    "iq2_s": (quants.IQ2_S, (8, 25, 43), 2),
    "iq3_xxs": (quants.IQ3_XXS, (4, 12, 20, 28, 36, 44, 52, 62), 3),
    "iq3_s": (quants.IQ3_S, (1, 3, 5, 7, 9, 11, 13, 15), 3),
    "iq1_s": (quants.IQ1_S, (-1, 0, 1), 2),
}


def main():
    lines = ["/* SPDX-License-Identifier: MIT */",
             "/* Made by tests/gguf/make-block-grids.py; do not edit.",
             " * Rows of magnitudes that quantised types of GGUF files look up, a few bits for each. */",
             "#pragma once", "", "#include <glib.h>"]
    for name, (kind, magnitudes, bits) in TABLES.items():
        kind.init_grid()
        rows = kind.grid.reshape(-1, kind.grid.shape[-1]).astype(int).tolist()
        packed = [sum(magnitudes.index(value) << bits * place for place, value in enumerate(row)) for row in rows]
        lines += ["", f"static const guint16 grid_{name}[{len(packed)}] = {{"]
        lines += ["  " + ", ".join(f"0x{value:04x}" for value in packed[at:at + 14]) + ","
                  for at in range(0, len(packed), 14)]
        lines.append("};")
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

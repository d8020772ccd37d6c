#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tests/fuzz/corpus-gguf: small files of every kind of value and every type of tensor, in both byte orders.

Needs numpy and gguf.
"""

import pathlib
import struct

import gguf
import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "fuzz" / "corpus-gguf"


def main():
    FOLDER.mkdir(exist_ok=True)
    for order in (gguf.GGUFEndian.LITTLE, gguf.GGUFEndian.BIG):
        path = FOLDER / f"values-{order.name.lower()}"
        writer = gguf.GGUFWriter(path, "llama", endianess=order)
        for kind in ("uint8", "int8", "uint16", "int16", "uint32", "int32", "float32", "uint64", "int64", "float64"):
            getattr(writer, f"add_{kind}")(kind, 7)
        writer.add_bool("bool", True)
        writer.add_array("strings", ["a", "", "für"])
        writer.add_array("numbers", [1, 2, 3])
        writer.add_tensor("half", np.ones((2, 3), np.float16))
        writer.add_tensor("single", np.ones((2,), np.float32))
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
    for kind, (elements, size) in gguf.GGML_QUANT_SIZES.items():
        if kind.name.startswith(("Q8_1", "Q8_K")) or elements == 1:
            continue
        writer = gguf.GGUFWriter(FOLDER / kind.name.lower(), "llama")
        writer.add_custom_alignment(8)
        writer.add_tensor("w", np.arange(size, dtype=np.uint8).reshape(1, size), raw_dtype=kind)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
    # An array that is said to have 2^61 numbers, and a matrix whose sizes do not fit in 64 bits.
    (FOLDER / "long-array").write_bytes(b"GGUF" + struct.pack("<IQQQ1sIIQ", 3, 0, 1, 1, b"a", 9, 12, 1 << 61))
    (FOLDER / "wide").write_bytes(b"GGUF" + struct.pack("<IQQQ1sIQQIQ", 3, 1, 0, 1, b"w", 2, 1 << 33, 1 << 33, 0, 0))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the malformed files in this folder, expected.tsv and, with --big, those made at test time.

Needs NumPy and h5py only.  Everything is seeded: running this again with Debian 12's h5py changes
no byte.
"""

import argparse
import pathlib

# These only register their files; the order is that of expected.tsv.
import malformed_hdf5  # noqa: F401
import malformed_tree  # noqa: F401
import malformed_json  # noqa: F401
import malformed_foreign  # noqa: F401
import malformed_crashes  # noqa: F401
import malformed_big
from malformed_case import BIG, CASES

HERE = pathlib.Path(__file__).parent


def table(cases):
    lines = [f"{name}\t{c.outcome}\t{c.contains}\t{c.why}\n" for name, c in cases.items()]
    return "file\toutcome\tcontains\twhy\n" + "".join(lines)


def write(folder, cases):
    folder.mkdir(parents=True, exist_ok=True)
    for name, one in cases.items():
        one.make(folder / name)
    (folder / "expected.tsv").write_text(table(cases))


def main():
    parser = argparse.ArgumentParser(description="Write the malformed files.")
    parser.add_argument("--big", type=pathlib.Path, metavar="DIR",
                        help="write the big files and their expected.tsv to DIR instead")
    parser.add_argument("--deep-bytes", type=int, default=malformed_big.SIZES["deep"],
                        help="size of the deep JSON files (default: %(default)s)")
    parser.add_argument("--only", metavar="NAME", action="append",
                        help="with --big: write only this file (may be repeated)")
    arguments = parser.parse_args()

    malformed_big.SIZES["deep"] = arguments.deep_bytes
    folder = arguments.big or HERE
    cases = BIG if arguments.big else CASES
    if arguments.only:
        cases = {name: cases[name] for name in arguments.only}
    write(folder, cases)
    if not arguments.big:
        (HERE / "big.tsv").write_text(table(BIG))
    print(f"{len(cases)} files")


if __name__ == "__main__":
    main()

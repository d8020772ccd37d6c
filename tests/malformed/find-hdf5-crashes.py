#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Finds damage to HDF5 files that ends, or never ends, a program that reads them with the library alone.

Usage: find-hdf5-crashes.py WALK-HDF5 [--seed N] [--tries N] [--base NAME]...

WALK-HDF5 is the program of walk-hdf5.c, build/tests/malformed/walk-hdf5.  Dumps as malformed_crashes.py makes them are
damaged in one to three places: a field of 1, 2, 4 or 8 bytes becomes 0, the largest, a small number or an address in
the file, an address another that is there, or a bit is turned; some are cut off.  Of the places, those that need not be
damaged are mended.  What is found is printed as malformed_crashes.py lists it, one for each base and function of the
library.  The same seed tries the same damage.
"""

import argparse
import pathlib
import random
import subprocess
import tempfile

import malformed_crashes
from malformed_crashes import damaged

# Processor time after which reading is said never to end, and that for another look at it.
SECONDS, PATIENCE = 1, 10
BATCH = 64


class Walker:
    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)

    def walk(self, files, seconds=SECONDS):
        """Returns what comes of reading each of some files, given as bytes: "read", "crashed in H5F_open" and so on."""
        paths = [self.folder / f"{number}.h5" for number in range(len(files))]
        for path, data in zip(paths, files):
            path.write_bytes(data)
        done = subprocess.run([self.program, str(seconds), *paths], check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, encoding="utf-8")
        return [line.partition("\t")[2] for line in done.stdout.splitlines()]

    def is_bad(self, data, seconds=SECONDS):
        return is_bad(self.walk([data], seconds)[0])


def is_bad(answer):
    return answer.startswith(("crashed", "hung"))


def make_edit(lot, data):
    """Returns a place and the bytes that are put there."""
    kind = lot.random()
    if kind < 0.2:
        # What points elsewhere points to where another does: to itself, back, to the middle of something else.
        places = [at for at in range(8, len(data) - 7, 8) if 0 < int.from_bytes(data[at:at + 8], "little") < len(data)]
        at, other = lot.choice(places), lot.choice(places)
        return at, data[other:other + 8]
    at = lot.randrange(8, len(data))
    if kind < 0.4:
        return at, bytes([data[at] ^ 1 << lot.randrange(8)])
    width = lot.choice((1, 1, 2, 4, 8))
    whole = 1 << 8 * width
    value = lot.choice((0, 1, whole - 1, whole // 2, whole // 2 - 1, lot.randrange(256), lot.randrange(len(data)) & ~7, lot.randrange(whole)))
    return at, (value % whole).to_bytes(width, "little")[: len(data) - at]


def make_damage(lot, data):
    """Returns the edits, and where the file ends, None for where it did."""
    edits = [make_edit(lot, data) for _ in range(lot.choice((1, 1, 1, 2, 3)))]
    return edits, lot.randrange(100, len(data)) if lot.random() < 0.03 else None


def mend(walker, base, edits, end):
    """Returns the least of the edits that does the same harm: as few of them, and as few bytes."""
    if end is not None and walker.is_bad(damaged(base, edits)):
        end = None
    single = [(at + i, new[i:i + 1]) for at, new in edits for i in range(len(new)) if base[at + i:at + i + 1] != new[i:i + 1]]
    if walker.is_bad(damaged(base, single, end)):
        for edit in list(single):
            fewer = [other for other in single if other is not edit]
            if walker.is_bad(damaged(base, fewer, end)):
                single = fewer
        edits = single
    joined = []
    for at, new in edits:
        if joined and joined[-1][0] + len(joined[-1][1]) == at:
            joined[-1] = (joined[-1][0], joined[-1][1] + new)
        else:
            joined.append((at, new))
    return joined, end


def search(walker, base, tries, lot):
    """Yields the damage that does harm, for each function and harm the first."""
    found = set()
    for _ in range(0, tries, BATCH):
        damage = [make_damage(lot, base) for _ in range(BATCH)]
        for (edits, end), answer in zip(damage, walker.walk([damaged(base, edits, end) for edits, end in damage])):
            if not is_bad(answer) or answer in found:
                continue
            edits, end = mend(walker, base, edits, end)
            # What is slow but ends is no harm, nor what depends on where memory happens to lie.
            again = walker.walk([damaged(base, edits, end)] * 4, PATIENCE)
            found |= {answer, *again}
            if all(map(is_bad, again)):
                yield again[0], edits, end


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="WALK-HDF5")
    parser.add_argument("--seed", metavar="N", type=int, default=1)
    parser.add_argument("--tries", metavar="N", type=int, default=20000, help="how many files of each base")
    parser.add_argument("--base", metavar="NAME", action="append", choices=malformed_crashes.BASES)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        walker = Walker(options.program, folder)
        for name in options.base or malformed_crashes.BASES:
            base = malformed_crashes.make_base(name)
            for answer, edits, end in search(walker, base, options.tries, random.Random(f"{options.seed} {name}")):
                print((name, edits, end, answer), flush=True)


if __name__ == "__main__":
    main()

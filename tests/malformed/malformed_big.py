# SPDX-License-Identifier: MIT
"""Files too big to keep in the repository; they are made when the tests run."""

import os

import h5py
import numpy as np

from malformed_case import BIG, case
from malformed_hdf5 import good, hdf5, put, weights
from malformed_json import ATTENTION, GOOD

# Set by make-malformed.py --deep-bytes.
SIZES = {"deep": 200_000_000}
BLOCK = 1 << 20


def big(name, outcome, contains, why):
    return case(name, outcome, contains, why, table=BIG)


def repeat(f, text, count):
    """Writes text count times without holding it all."""
    data = text.encode()
    per_block = max(1, BLOCK // len(data))
    block = data * per_block
    for _ in range(count // per_block):
        f.write(block)
    f.write(data * (count % per_block))


@big("deep-brackets.json", "error", "", "nothing but opening brackets")
def _(path):
    with path.open("wb") as f:
        repeat(f, "[", SIZES["deep"])


@big("deep-objects.json", "error", "", "objects inside one another, never closed")
def _(path):
    with path.open("wb") as f:
        repeat(f, '{"a":', SIZES["deep"] // 5)


@big("deep-attention.json", "error", "attention", "attention is lists all the way down")
def _(path):
    with path.open("wb") as f:
        f.write(b'{"attention":')
        repeat(f, "[", SIZES["deep"])


@big("deep-closed.json", "any", "", "an unknown member, deep and closed again, then good attention")
def _(path):
    with path.open("wb") as f:
        f.write(b'{"x":')
        repeat(f, "[", SIZES["deep"] // 2)
        repeat(f, "]", SIZES["deep"] // 2)
        f.write(b"," + GOOD[1:].encode())


@big("long-string.json", "any", "", "an unknown member is a string of 300 MB, then good attention")
def _(path):
    with path.open("wb") as f:
        f.write(b'{"x":"')
        repeat(f, "abcdefgh", 300_000_000 // 8)
        f.write(b'",' + GOOD[1:].encode())


@big("long-token.json", "any", "", "a token of 300 MB")
def _(path):
    with path.open("wb") as f:
        f.write(b'{"attention":' + ATTENTION.encode() + b',"tokens":["')
        repeat(f, "abcdefgh", 300_000_000 // 8)
        f.write(b'","b","c"]}')


@big("long-name.json", "any", "", "a member's name of 1 MB, then good attention")
def _(path):
    with path.open("wb") as f:
        f.write(b'{"')
        repeat(f, "k", 1_000_000)
        f.write(b'":1,' + GOOD[1:].encode())


@big("long-number.json", "any", "", "a number of 100 million digits")
def _(path):
    with path.open("wb") as f:
        f.write(b'{"attention":[[[[0.')
        repeat(f, "5", 100_000_000)
        f.write(b']]],"tokens":["a"]}'.replace(b"]]]", b"]]]]"))


@big("many-tokens.json", "any", "", "20 million tokens for three positions")
def _(path):
    with path.open("wb") as f:
        f.write(b'{"attention":' + ATTENTION.encode() + b',"tokens":["a"')
        repeat(f, ',"b"', 20_000_000)
        f.write(b"]}")


@big("many-members.json", "any", "", "five million unknown members, then good attention")
def _(path):
    with path.open("wb") as f:
        f.write(b"{")
        repeat(f, '"x":1,', 5_000_000)
        f.write(GOOD[1:].encode())


@big("many-layers.json", "any", "", "ten million layers of one head, one position")
def _(path):
    with path.open("wb") as f:
        f.write(b'{"attention":[[[[1]]]')
        repeat(f, ",[[[1]]]", 10_000_000)
        f.write(b"]}")


@big("white-space.json", "error", "", "100 MB of white space")
def _(path):
    with path.open("wb") as f:
        repeat(f, " \n", 50_000_000)


@big("ragged-late.json", "error", "attention", "50 MB of numbers, the last row is one short")
def _(path):
    row = "[" + ",".join(["0.0625"] * 16) + "]"
    head = "[" + ",".join([row] * 16) + "]"
    with path.open("wb") as f:
        f.write(b'{"attention":[[' + head.encode())
        repeat(f, "," + head, 27_000)
        f.write(b"," + head.replace(",0.0625]]", "]]").encode() + b"]]}")


@big("truncated-late.json", "error", "", "50 MB of numbers, then the end of the file")
def _(path):
    row = "[" + ",".join(["0.0625"] * 16) + "]"
    head = "[" + ",".join([row] * 16) + "]"
    with path.open("wb") as f:
        f.write(b'{"attention":[[' + head.encode())
        repeat(f, "," + head, 27_000)


@big("layers-100000.h5", "any", "", "a group of 100,000 layers, one position each")
def _(path):
    with hdf5(path) as f:
        group = f.create_group("attention")
        one = np.ones((1, 1, 1), np.float32)
        for i in range(100_000):
            put(group, str(i), one)


@big("examples-100000.h5", "any", "", "100,000 examples of the same attention")
def _(path):
    with hdf5(path) as f:
        put(f, "shared/attention", weights(2, 2, 6, 6))
        examples = f.create_group("examples")
        for i in range(100_000):
            examples[f"{i:06}"] = f["shared"]


@big("deep-groups.h5", "opens", "", "10,000 groups inside one another beside good attention")
def _(path):
    with hdf5(path) as f:
        put(f, "attention", weights(2, 2, 6, 6))
        group = f.create_group("g")
        for _ in range(10_000):
            group = group.create_group("g")


@big("deep-examples.h5", "error", "", "examples/x/x/x/..., 10,000 groups and no attention")
def _(path):
    with hdf5(path) as f:
        group = f.create_group("examples")
        for _ in range(10_000):
            group = group.create_group("x")


@big("long-chain.h5", "any", "", "attention is reached through 1,000 soft links")
def _(path):
    with hdf5(path) as f:
        put(f, "link0", weights(2, 2, 6, 6))
        for i in range(1000):
            f[f"link{i + 1}"] = h5py.SoftLink(f"/link{i}")
        f["attention"] = h5py.SoftLink("/link1000")


@big("many-heads.h5", "any", "", "one million heads of one position")
def _(path):
    with hdf5(path) as f:
        put(f, "attention", np.ones((1, 1_000_000, 1, 1), np.float32))


@big("folder.h5", "error", "folder", "a folder with the name of a dump")
def _(path):
    path.mkdir(exist_ok=True)


@big("fifo.h5", "error", "", "a named pipe nobody writes to: opening must not wait")
def _(path):
    path.unlink(missing_ok=True)
    os.mkfifo(path)


@big("link-to-itself.h5", "error", "", "a symbolic link in the file system that points at itself")
def _(path):
    path.unlink(missing_ok=True)
    path.symlink_to(path.name)


@big("unreadable.h5", "error", "", "a good dump without permission to read (root may read it: then "
     "leave this one out)")
def _(path):
    path.unlink(missing_ok=True)
    good(path)
    path.chmod(0)

# SPDX-License-Identifier: MIT
"""HDF5 files that end, or never end, a program that reads them with the library alone, found by find-hdf5-crashes.py.

tests/malformed/test-hdf5-crashes.py shows that they do, and test-malformed that Headlight answers.
"""

import pathlib
import tempfile

import h5py
import numpy as np

from malformed_case import case
from malformed_hdf5 import GZIP, UTF8, hdf5, put, put_group, weights


def _chunked(f):
    put(f, "attention", weights(1, 2, 6, 6), chunks=(1, 1, 6, 6), **GZIP, fletcher32=True)


def _contiguous(f):
    put(f, "attention", weights(1, 2, 6, 6), fillvalue=0.5)


def _attributes(f):
    put(f, "attention", weights(1, 1, 6, 6))
    f.attrs.create("causal", True)
    f.attrs.create("model", "model", dtype=UTF8)
    f["attention"].attrs.create("sentence_b_start", np.int32(3))
    f["attention"].attrs.create("names", np.array(["a", "b"], "S4"))


def _strings(f):
    del f["tokens"]
    put(f, "tokens", np.array("[CLS] time flies like arrows [SEP]".split(), object), dtype=UTF8)
    put(f, "attention", weights(1, 1, 6, 6))


def _types(f):
    put(f, "attention", np.zeros((1, 1, 6, 6), bool))
    put(f, "more", np.zeros(3, [("a", "f4"), ("b", "S3"), ("c", "i2", (2,))]))
    f["name"] = np.dtype("f4")


def _groups(f):
    put_group(f, "attention")
    for layer in range(3):
        put(f["attention"], str(layer), weights(1, 4, 4))
    f["link"] = h5py.SoftLink("attention/0")


BASES = {function.__name__[1:]: function for function in (_chunked, _contiguous, _attributes, _strings, _types, _groups)}


def make_base(name):
    """Returns the bytes of a dump, of old structures: those of HDF5 1.10 have checksums, which save most from harm."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "base.h5")
        with hdf5(path, old=True) as f:
            BASES[name](f)
        return path.read_bytes()


def damaged(data, edits, end=None):
    """Returns data with bytes put at some places, and what is behind an end cut off."""
    data = bytearray(data)
    for at, new in edits:
        data[at:at + len(new)] = new
    return bytes(data[:end])


# What is put where in which base, what it must come to, and why the library (1.10.8) does not answer.
FOUND = {
    "crash-chunk-shape": (
        "chunked", [(1665, b"\x10")], "error-on-read", "a chunk is damaged",
        "chunks of 1,048,582 keys, of which 6 are there; H5VM_memcpyvv copies what is behind"),
    "crash-chunk-bytes": (
        "chunked", [(4176, b"\x01")], "error-on-read", "a chunk is damaged",
        "a chunk of one byte, shorter than its checksum; H5_checksum_fletcher32 sums a negative number of bytes"),
    "crash-attribute-text": (
        "attributes", [(2256, b"\x80")], "opens-with-warning", "",
        "the text of an attribute is 550 GB long; H5HG_read copies as much out of a heap of 4 KiB"),
    "crash-attribute-type": (
        "attributes", [(1709, b"\xff")], "opens-with-warning", "",
        "the type of an attribute is longer than the header that it is in; H5O__msg_iterate_real reads behind it"),
    "crash-attribute-space": (
        "attributes", [(1801, b"\xff")], "opens-with-warning", "",
        "an attribute's text is a sequence of something else; H5F_addr_decode looks for it where nothing is"),
    "crash-names-size": (
        "attributes", [(688, b"\xff" * 8)], "error", "a heap of names is longer than the file",
        "the names of a group are the largest number of bytes long; less than nothing is allocated"),
    "crash-names-place": (
        "attributes", [(704, b"\xff" * 8)], "error", "something lies behind the end of the file",
        "the names of a group lie nowhere; H5F__accum_read reads them there"),
    "crash-token-number": (
        "strings", [(2094, b"\x02")], "opens-with-warning", "",
        "a token is number 131,076 of a heap of 6; H5HG_read does not count"),
    "crash-token-room": (
        "strings", [(2317, b"\xff\xff\xff")], "opens", "",
        "the free room of a heap of tokens is longer than the heap; H5C_protect goes on behind it"),
    "crash-token-length": (
        "strings", [(2265, b"\x10")], "opens-with-warning", "",
        "a token is longer than its heap, which is overwritten"),
    "crash-short": (
        "strings", [(1553, b"\x00\x00\x00")], "error", "less of it is stored than it announces",
        "numbers of which none are stored; H5VM_memcpyvv copies them"),
    "crash-enumeration": (
        "types", [(1518, b"\xa5")], "error", "its type is damaged",
        "values of an enumeration of 10 MB each, more than the header has; H5O_msg_read_oh copies them"),
    "crash-fill": (
        "contiguous", [(1536, b"\x03\x22\x00\x00\x00\x10")], "error", "less of it is stored than it announces",
        "a fill value of 256 MiB, more than the header has; H5O_msg_read_oh copies it"),
    "hangs-attribute-heap": (
        "attributes", [(2277, b"\x00")], "opens-with-warning", "",
        "the free room of a heap ends before the heap, and behind it are places of 0 bytes, one after the other"),
    "hangs-token-heap": (
        "strings", [(2169, b"\x06")], "opens-with-warning", "",
        "a token that reaches to where a heap is empty, in which there are places of 0 bytes"),
    "hangs-root": (
        "attributes", [(1088, b"`\x00")], "error", "has a member “attention”",
        "a group that is in itself, of which it is said that it is there once; H5Ovisit goes round"),
    "hangs-group": (
        "groups", [(4544, b"x\x05")], "error", "“attention/1” is a group",
        "the same with a group of layers"),
}


def _found(name, base, edits, outcome, contains, why):
    @case(f"library-{name}.h5", outcome, contains, why)
    def _(path):
        path.write_bytes(damaged(make_base(base), edits))


for _name, _values in FOUND.items():
    _found(_name, *_values)


# The library ends by what happens to be in memory that it has not written to.
@case("link-name-long.h5", "error", "the members of the group “examples” cannot be read",
      "the name of a member is longer than the header that it is in; H5G__link_release_table frees what was not made")
def _link_name(path):
    fixture = pathlib.Path(__file__).parents[1] / "fixtures" / "examples.h5"
    path.write_bytes(damaged(fixture.read_bytes(), [(12178, b"\x7f\x00")]))

# SPDX-License-Identifier: MIT
"""HDF5 files whose attention has a shape, type, storage or place that is wrong."""

import contextlib
import zlib

import h5py
import numpy as np
from h5py import h5d, h5f, h5g, h5p, h5s, h5t

from malformed_case import case

UTF8 = h5py.string_dtype("utf-8")
TOKENS = "[CLS] time flies like arrows [SEP]".split()
GZIP = {"compression": "gzip", "compression_opts": 4, "shuffle": True}
HUGE = 2**31


def weights(*shape, seed=0):
    w = np.exp(np.random.default_rng(seed).normal(0, 1, shape))
    return (w / w.sum(axis=-1, keepdims=True)).astype(np.float32)


def put(f, name, data=None, **options):
    return f.create_dataset(name, data=data, track_times=False, **options)


@contextlib.contextmanager
def hdf5(path, tokens=TOKENS, old=False):
    """Creates a file without time stamps, with tokens in it.

    The structures of HDF5 1.10 are smaller than the old ones, but have checksums: files that are to
    be damaged need old ones, so that more than the checksum is put to the test.
    """
    plist = h5p.create(h5p.FILE_CREATE)
    plist.set_obj_track_times(False)
    access = h5p.create(h5p.FILE_ACCESS)
    access.set_fclose_degree(h5f.CLOSE_STRONG)
    if not old:
        access.set_libver_bounds(h5f.LIBVER_V110, h5f.LIBVER_V110)
    with h5py.File(h5f.create(bytes(path), h5f.ACC_TRUNC, plist, access)) as f:
        if tokens is not None:
            # Fixed length: a heap of variable-length strings would double each file.
            put(f, "tokens", np.array(tokens, "S"))
        yield f


def good(path, **options):
    """A dump with nothing wrong with it, made of old structures; returns its bytes."""
    with hdf5(path, old=True) as f:
        put(f, "attention", weights(2, 2, 6, 6), **options)
    return path.read_bytes()


def put_group(f, name):
    """Creates a group, and those it lies in, without time stamps; returns it."""
    plist = h5p.create(h5p.GROUP_CREATE)
    plist.set_obj_track_times(False)
    for part in name.split("/"):
        f = f[part] if part in f else h5py.Group(h5g.create(f.id, part.encode(), gcpl=plist))
    return f


def declare(f, name, shape, kind=h5t.IEEE_F32LE, chunk=None, space=None, external=None,
            virtual=()):
    """Declares a dataset without writing any of it."""
    plist = h5p.create(h5p.DATASET_CREATE)
    plist.set_obj_track_times(False)
    if chunk:
        plist.set_chunk(chunk)
    if external:
        plist.set_external(*external)
    for mapping in virtual:
        plist.set_virtual(*mapping)
    h5d.create(f.id, name.encode(), kind, space or h5s.create_simple(shape), plist)


# Damaged files


def _truncated(part, size_of):
    @case(f"truncated-{part}.h5", "error", "", f"cut off: {part}")
    def _(path):
        data = good(path, chunks=(1, 1, 6, 6), **GZIP)
        path.write_bytes(data[: size_of(len(data))])


for _part, _size in (
    ("4-bytes", lambda n: 4),
    ("signature", lambda n: 8),
    ("superblock", lambda n: 60),
    ("quarter", lambda n: n // 4),
    ("half", lambda n: n // 2),
    ("most", lambda n: n * 9 // 10),
    ("last-byte", lambda n: n - 1),
):
    _truncated(_part, _size)


@case("empty.h5", "error", "empty", "no bytes at all")
def _(path):
    path.write_bytes(b"")


@case("wrong-magic.h5", "error", "", "first byte of the signature changed")
def _(path):
    data = good(path)
    path.write_bytes(b"\x88" + data[1:])


@case("text.h5", "error", "", "plain text with the name of an HDF5 file")
def _(path):
    path.write_text("These are notes, not attention.\n" * 20)


@case("png.h5", "error", "", "the first bytes of a picture")
def _(path):
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))


@case("newline-translated.h5", "error", "", "copied in text mode: CR LF became LF")
def _(path):
    path.write_bytes(good(path).replace(b"\r\n", b"\n"))


@case("continuation-of-1-gb.h5", "error", "damaged", "the root group's header goes on elsewhere, for more than 1 GB")
def _(path):
    data = bytearray(good(path))
    message = int.from_bytes(data[64:72], "little") + 16
    assert data[message:message + 4] == bytes([0x11, 0, 16, 0]), "the symbol table comes first"
    data[message] = 0x10
    data[message + 8:message + 24] = (800).to_bytes(8, "little") + (0x62000000).to_bytes(8, "little")
    path.write_bytes(data)


@case("really-hdf5.json", "opens", "", "an HDF5 file with the wrong extension: the content decides")
def _(path):
    good(path)


@case("gzip-corrupt.h5", "error-on-read", "", "bytes inside a compressed chunk are flipped")
def _(path):
    good(path, chunks=(1, 1, 6, 6), **GZIP)
    with h5py.File(path) as f:
        places = [f["attention"].id.get_chunk_info(i).byte_offset for i in range(4)]
    data = bytearray(path.read_bytes())
    for place in places:
        for i in range(8, 40):
            data[place + i] ^= 0x5A
    path.write_bytes(data)


@case("checksum-wrong.h5", "error-on-read", "", "a chunk does not match its Fletcher-32 checksum")
def _(path):
    good(path, chunks=(1, 2, 6, 6), fletcher32=True)
    with h5py.File(path) as f:
        places = [f["attention"].id.get_chunk_info(i).byte_offset for i in range(2)]
    data = bytearray(path.read_bytes())
    for place in places:
        data[place + 50] ^= 1
    path.write_bytes(data)


def _flipped(seed):
    @case(f"flipped-{seed:02}.h5", "any", "", f"four bytes changed at random (seed {seed})")
    def _(path):
        chunked = {"chunks": (1, 1, 6, 6), **GZIP} if seed % 5 == 0 else {}
        data = bytearray(good(path, **chunked))
        rng = np.random.default_rng(seed)
        used = [i for i, byte in enumerate(data) if byte]
        for i in rng.choice(used, 4, replace=False):
            data[i] = rng.integers(256)
        path.write_bytes(data)


for _seed in range(30):
    _flipped(_seed)


# Shape and type


def _rank(rank):
    read = rank in (2, 3, 6)
    @case(f"rank-{rank}.h5", "opens" if read else "error", "" if read else f"rank {rank}", f"attention has {rank} axes")
    def _(path):
        with hdf5(path) as f:
            put(f, "attention", np.ones((1,) * (rank - 2) + (6,) * min(rank, 2), np.float32))


for _n in (1, 2, 3, 6, 7):
    _rank(_n)


@case("rank-0.h5", "error", "attention", "attention is a scalar")
def _(path):
    with hdf5(path) as f:
        put(f, "attention", np.float32(1))


@case("null-dataspace.h5", "error", "attention", "attention has a null dataspace")
def _(path):
    with hdf5(path) as f:
        declare(f, "attention", None, space=h5s.create(h5s.NULL))


_TYPES = {
    "int32": np.int32,
    "uint8": np.uint8,
    "boolean": np.bool_,
    "complex": np.complex64,
    "compound": [("row", "f4"), ("column", "f4")],
    "fixed-string": "S4",
    "opaque": "V4",
}


def _type(name, kind):
    @case(f"type-{name}.h5", "error", "attention", f"attention is of type {name}")
    def _(path):
        with hdf5(path) as f:
            put(f, "attention", np.zeros((2, 2, 6, 6), kind))


for _name, _kind in _TYPES.items():
    _type(_name, _kind)


@case("type-string.h5", "error", "attention", "attention holds variable-length strings")
def _(path):
    with hdf5(path) as f:
        put(f, "attention", np.full((1, 1, 2, 2), "0.5", object), dtype=UTF8)


@case("type-array.h5", "error", "attention", "rows are packed into an array type")
def _(path):
    with hdf5(path) as f:
        declare(f, "attention", (2, 2, 6), h5t.array_create(h5t.IEEE_F32LE, (6,)))


@case("type-vlen.h5", "error", "attention", "rows are variable-length sequences")
def _(path):
    with hdf5(path) as f:
        declare(f, "attention", (1, 1, 6, 1), h5t.vlen_create(h5t.IEEE_F32LE))


@case("type-reference.h5", "error", "attention", "attention holds object references")
def _(path):
    with hdf5(path) as f:
        put(f, "attention", np.full((1, 1, 2, 2), f["tokens"].ref, object), dtype=h5py.ref_dtype)


def _empty_axis(axis, name):
    @case(f"no-{name}.h5", "error", "attention", f"the axis of {name} has length 0")
    def _(path):
        shape = [2, 2, 6, 6]
        shape[axis] = 0
        with hdf5(path) as f:
            put(f, "attention", np.zeros(shape, np.float32))


for _axis, _name in enumerate(("layers", "heads", "queries", "keys")):
    _empty_axis(_axis, _name)


@case("no-batch-items.h5", "error", "attention", "the batch axis has length 0")
def _(path):
    with hdf5(path) as f:
        put(f, "attention", np.zeros((2, 0, 2, 6, 6), np.float32))


_HUGE = {
    "layers": (2**62, 1, 6, 6),
    "heads": (1, 2**40, 6, 6),
    "square": (1, 1, HUGE, HUGE),
    "product": (2**33, 2**33, 6, 6),
    "wraps-to-small": (2**32, 2**32 + 1, 2, 2),
    "batch": (1, 2**40, 1, 6, 6),
}


def _huge(name, shape):
    @case(f"huge-{name}.h5", "error", "attention",
          "declares " + " x ".join(map(str, shape)) + " and stores nothing")
    def _(path):
        with hdf5(path) as f:
            declare(f, "attention", shape, chunk=tuple(min(n, 8) for n in shape))


for _name, _shape in _HUGE.items():
    _huge(_name, _shape)


@case("huge-unwritten.h5", "any", "", "4 x 4 x 65536 x 65536, never written: 275 GB of fill value; "
      "a sentence, or zeros on demand within the memory budget")
def _(path):
    with hdf5(path) as f:
        declare(f, "attention", (4, 4, 65536, 65536), chunk=(1, 1, 64, 64))


@case("huge-chunk.h5", "error", "chunk", "one chunk of 1 GiB, zeros deflated twice into 3 KB: to "
      "read any row the whole chunk must be unpacked")
def _(path):
    side = 16384
    outer, inner = zlib.compressobj(9), zlib.compressobj(9)
    packed = b"".join(outer.compress(inner.compress(bytes(side * 4))) for _ in range(side))
    packed += outer.compress(inner.flush()) + outer.flush()
    with hdf5(path) as f:
        plist = h5p.create(h5p.DATASET_CREATE)
        plist.set_obj_track_times(False)
        plist.set_chunk((1, 1, side, side))
        plist.set_deflate(9)
        plist.set_deflate(9)
        space = h5s.create_simple((1, 1, side, side))
        data = h5d.create(f.id, b"attention", h5t.IEEE_F32LE, space, plist)
        data.write_direct_chunk((0, 0, 0, 0), packed)


# Storage


def lzf(path):
    """A dump compressed with LZF.

    Equal weights: a chunk that does not get smaller would be stored as it is, for all to read.
    """
    with hdf5(path, old=True) as f:
        even = np.full((2, 2, 6, 6), 1 / 6, np.float32)
        put(f, "attention", even, chunks=(1, 2, 6, 6), compression="lzf")
        assert not any(f["attention"].id.get_chunk_info(i).filter_mask for i in range(2))
    return path.read_bytes()


@case("filter-lzf.h5", "error", "filter", "compressed with LZF, which this HDF5 cannot undo")
def _(path):
    lzf(path)


@case("filter-unknown.h5", "error", "filter", "compressed with filter 32099, which nobody knows")
def _(path):
    data = lzf(path)
    here = data.index(b"lzf\0")
    # The message: id, length of the name, flags, number of values; then the name.
    assert data[here - 8 : here - 6] == (32000).to_bytes(2, "little")
    path.write_bytes(data[: here - 8] + (32099).to_bytes(2, "little") + data[here - 6 :])


@case("external-storage.h5", "error", "external", "the numbers lie in another file, /etc/passwd")
def _(path):
    with hdf5(path) as f:
        declare(f, "attention", (2, 2, 6, 6), external=(b"/etc/passwd", 0, 576))


@case("external-storage-relative.h5", "error", "external", "the numbers lie in another file")
def _(path):
    with hdf5(path) as f:
        declare(f, "attention", (2, 2, 6, 6), external=(b"../numbers.bin", 0, 576))


@case("virtual-other-file.h5", "error", "virtual", "a virtual dataset made of other files")
def _(path):
    parts = []
    for i in range(2):
        space = h5s.create_simple((2, 2, 6, 6))
        space.select_hyperslab((i, 0, 0, 0), (1, 2, 6, 6))
        source = h5s.create_simple((2, 6, 6))
        parts.append((space, f"part-{i}.h5".encode(), b"attention", source))
    with hdf5(path) as f:
        declare(f, "attention", (2, 2, 6, 6), virtual=parts)


@case("virtual-itself.h5", "error", "virtual", "a virtual dataset whose source is itself")
def _(path):
    space = h5s.create_simple((2, 2, 6, 6))
    with hdf5(path) as f:
        declare(f, "attention", (2, 2, 6, 6), virtual=[(space, b".", b"attention", space)])

# SPDX-License-Identifier: MIT
"""Damaged files: what is read, and each way to damage it. Used by test-mutants.py; the same seed makes the same files."""

import base64
import io
import json
import pathlib
import random
import re
import struct
import zipfile
import zlib

HOSTILE = ["", "\x00", "\x1b[31m", "\u202e", "<b>&amp;</b>", "%s%n", "../../etc/passwd", "/etc/passwd", "a" * 70000, "\ufffe", "\ud800", "\u0301" * 40,
           "-1", "NaN", "1e999", "=1+1", "\n\n", "'\"\\"]
NUMBERS = ["0", "-1", "1", "2", "255", "65536", "2147483648", "4294967295", "4294967296", "9223372036854775807", "9223372036854775808", "18446744073709551615",
           "1e308", "1e999", "-0.0", "0.5", "NaN", "Infinity", "-Infinity", "1000000000", "99999999999999999999999", "true", "null"]
VALUES = ["[]", "{}", '""', "null", "[[]]", "[[],[1]]", "[" * 5000, "{\"a\":" * 200, "true", "[null]", '["x"]', "[0]", "[NaN]"]
SIZES = [0, 1, 2, 3, 7, 8, 127, 128, 255, 256, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 1 << 32, 1 << 40, (1 << 63) - 1, 1 << 63,
         (1 << 64) - 1, (1 << 64) - 8]


def blind(lot, data):
    """Bytes turned, cut off, put in, taken out, or taken from elsewhere; what stands there is not looked at."""
    data = bytearray(data)
    if not data:
        return bytes(data)
    for _ in range(lot.choice((1, 1, 2, 4, 16))):
        kind = lot.randrange(7)
        at = lot.randrange(len(data)) if data else 0
        if not data:
            break
        if kind == 0:
            data[at] ^= 1 << lot.randrange(8)
        elif kind == 1:
            data[at] = lot.choice((0, 1, 0x7f, 0x80, 0xff, lot.randrange(256)))
        elif kind == 2:
            del data[at:at + lot.choice((1, 2, 4, 8, 64, 1000))]
        elif kind == 3:
            data[at:at] = bytes(lot.randrange(256) for _ in range(lot.choice((1, 2, 8, 40))))
        elif kind == 4:
            other, n = lot.randrange(len(data)), lot.choice((1, 4, 8, 32, 256))
            data[at:at + n] = data[other:other + n]
        elif kind == 5:
            other, n = lot.randrange(len(data)), lot.choice((8, 64, 512))
            data[at:at] = data[other:other + n]
        elif lot.random() < 0.5:
            del data[at:]
    return bytes(data)


def fields(lot, data, head=None):
    """A number of 1, 2, 4 or 8 bytes becomes another, mostly near the beginning."""
    data = bytearray(data)
    for _ in range(lot.choice((1, 1, 2, 3))):
        reach = len(data) if head is None or lot.random() < 0.2 else min(head, len(data))
        if reach < 1:
            break
        width = lot.choice((1, 2, 4, 8, 8))
        at = lot.randrange(reach)
        if lot.random() < 0.6:
            at -= at % width
        order = lot.choice(("little", "little", "little", "big"))
        old = int.from_bytes(data[at:at + width], order)
        value = lot.choice(SIZES + [old + 1, old - 1, old * 2, old ^ 1 << lot.randrange(8 * width), len(data), len(data) - at])
        new = (value % (1 << 8 * width)).to_bytes(width, order)[:len(data) - at]
        data[at:at + len(new)] = new
    return bytes(data)


TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[\[\]{},:]|true|false|null|NaN')


def text(lot, data):
    """Numbers, names, brackets and values of JSON become others."""
    for _ in range(lot.choice((1, 1, 2, 3))):
        found = list(TOKEN.finditer(data))
        if not found:
            return blind(lot, data)
        item = lot.choice(found[:60] if lot.random() < 0.4 else found)
        old = item.group()
        kind = lot.randrange(8)
        if kind == 0:
            new = b""
        elif kind == 1:
            new = old + old
        elif kind == 2:
            new = lot.choice(VALUES).encode()
        elif kind == 3:
            new = lot.choice(found).group()
        elif old[:1] in b"-0123456789":
            new = lot.choice(NUMBERS).encode()
        elif old[:1] == b'"':
            if lot.random() < 0.5:
                new = json.dumps(lot.choice(HOSTILE), ensure_ascii=lot.random() < 0.5).encode("utf-8", "surrogatepass")
            else:
                other = [one.group() for one in found if one.group()[:1] == b'"']
                new = lot.choice(other)
        else:
            new = lot.choice((b"[", b"]", b"{", b"}", b",", b":", b"\xff", b"\x00"))
        data = data[:item.start()] + new + data[item.end():]
    return data


def lines(lot, data):
    """Columns and lines of a table or a list."""
    rows = data.split(b"\n")
    for _ in range(lot.choice((1, 2, 3))):
        at = lot.randrange(len(rows))
        kind = lot.randrange(6)
        if kind == 0:
            rows[at:at] = [rows[lot.randrange(len(rows))]]
        elif kind == 1 and len(rows) > 1:
            del rows[at]
        else:
            cells = rows[at].split(b"\t")
            cell = lot.randrange(len(cells))
            if kind == 2:
                del cells[cell]
            elif kind == 3:
                cells[cell] = lot.choice(NUMBERS).encode()
            elif kind == 4:
                cells[cell] = lot.choice(HOSTILE).encode("utf-8", "surrogatepass")
            else:
                cells[cell:cell] = [b"1-2", b"3.1", b"_"][:lot.randrange(1, 4)]
            rows[at] = b"\t".join(cells)
    return b"\n".join(rows)


def safetensors(lot, data):
    """The header is other, and its length goes with it, or does not."""
    length, = struct.unpack("<Q", data[:8])
    header, numbers = data[8:8 + length], data[8 + length:]
    header = text(lot, header)
    told = len(header) if lot.random() < 0.85 else lot.choice(SIZES)
    return struct.pack("<Q", told) + header + numbers


def npy(lot, data):
    """The header of an array is other, as long as before or with its length mended."""
    if data[:6] != b"\x93NUMPY":
        return blind(lot, data)
    wide = data[6] >= 2
    length = int.from_bytes(data[8:12 if wide else 10], "little")
    begin = 12 if wide else 10
    header, numbers = data[begin:begin + length], data[begin + length:]
    kind = lot.randrange(6)
    if kind == 0:
        header = re.sub(rb"'descr': *'[^']*'", b"'descr': '" + lot.choice((b"<f8", b">f2", b"|O", b"<i8", b"|u1", b"<c8", b"<f16", b"|V4", b"<U9", b"<f0", b"|b1", b"")) + b"'", header)
    elif kind == 1:
        shape = ", ".join(str(lot.choice(SIZES[:16] + [2, 3, 12])) for _ in range(lot.randrange(9)))
        header = re.sub(rb"\([^)]*\)", b"(" + shape.encode() + b",)", header)
    elif kind == 2:
        header = header.replace(b"False", b"True") if b"False" in header else header.replace(b"True", b"False")
    elif kind == 3:
        header = text(lot, header)
    elif kind == 4:
        header = blind(lot, header)
    else:
        numbers = numbers[:lot.randrange(len(numbers) + 1)]
    told = len(header) if lot.random() < 0.9 else lot.choice(SIZES)
    return data[:8] + (told % (1 << 16 * (1 + wide))).to_bytes(begin - 8, "little") + header + numbers


def pickle(lot, data):
    """Operations and their arguments become others."""
    data = bytearray(data)
    names = [b"torch._utils _rebuild_tensor_v2", b"os system", b"builtins eval", b"numpy dtype", b"collections OrderedDict", b"torch FloatStorage"]
    for _ in range(lot.choice((1, 1, 2, 4))):
        if not data:
            break
        at = lot.randrange(len(data))
        kind = lot.randrange(5)
        if kind == 0:
            data[at] = lot.choice(b"()]}lRbQtu.0123cKMJNXhjqrs\x80\x85\x86\x87\x88\x89\x8a\x8c\x8e\x94\x95")
        elif kind == 1:
            places = [i for i in range(len(data)) if data[i] in b"KMJ"] or [at]
            at = lot.choice(places)
            data[at + 1:at + 1] = (lot.choice(SIZES) % (1 << 32)).to_bytes(4, "little")
            data[at:at + 1] = b"J"
            del data[at + 5:at + 6]
        elif kind == 2:
            module, name = lot.choice(names).split(b" ")
            data[at:at] = b"c" + module + b"\n" + name + b"\n"
        elif kind == 3:
            data = bytearray(fields(lot, bytes(data)))
        else:
            data = bytearray(blind(lot, bytes(data)))
    return bytes(data)


def member(lot, name, data):
    if data[:6] == b"\x93NUMPY":
        return npy(lot, data)
    if name.endswith(("data.pkl", ".pkl")) or data[:1] == b"\x80":
        return pickle(lot, data)
    return blind(lot, data)


def archive(lot, data):
    """A member is other and its checksum goes with it, or what stands about the members is."""
    if lot.random() < 0.4:
        return fields(lot, data) if lot.random() < 0.5 else directory(lot, data)
    source = zipfile.ZipFile(io.BytesIO(data))
    target = io.BytesIO()
    infos = source.infolist()
    # In torch's files the pickle is what leads.
    chosen = next((info for info in infos if info.filename.endswith("data.pkl") and lot.random() < 0.8), None) or lot.choice(infos)
    with zipfile.ZipFile(target, "w") as out:
        for info in infos:
            content = source.read(info)
            name = info.filename
            if info is chosen:
                if lot.random() < 0.15:
                    name = lot.choice(["../" + name, "/" + name, name + "/", name * 2, "\u202e" + name, "a" * 60000, name.upper()])
                elif lot.random() < 0.1:
                    continue
                else:
                    content = member(lot, name, content)
            method = zipfile.ZIP_DEFLATED if lot.random() < 0.1 else info.compress_type
            out.writestr(zipfile.ZipInfo(name), content, method)
    return target.getvalue()


def directory(lot, data):
    """A field of the central directory, of a local header or of what ends the file."""
    data = bytearray(data)
    places = [match.start() for match in re.finditer(rb"PK(\x01\x02|\x03\x04|\x05\x06|\x06\x06|\x06\x07)", bytes(data))]
    if not places:
        return blind(lot, data)
    for _ in range(lot.choice((1, 2))):
        at = lot.choice(places) + lot.randrange(4, 46)
        width = lot.choice((2, 4))
        if at + width > len(data):
            continue
        data[at:at + width] = (lot.choice(SIZES + [len(data)]) % (1 << 8 * width)).to_bytes(width, "little")
    return bytes(data)


def hash_of_hdf5(data):
    """Bob Jenkins' lookup3, with which newer structures of HDF5 are checked."""
    mask = 0xffffffff

    def turn(value, by):
        return (value << by | value >> 32 - by) & mask

    a = b = c = 0xdeadbeef + len(data) & mask
    while len(data) > 12:
        x, y, z = struct.unpack("<III", data[:12])
        a, b, c = a + x & mask, b + y & mask, c + z & mask
        for first, by in (("a", 4), ("b", 6), ("c", 8), ("a", 16), ("b", 19), ("c", 4)):
            if first == "a":
                a = (a - c & mask) ^ turn(c, by)
                c = c + b & mask
            elif first == "b":
                b = (b - a & mask) ^ turn(a, by)
                a = a + c & mask
            else:
                c = (c - b & mask) ^ turn(b, by)
                b = b + a & mask
        data = data[12:]
    if not data:
        return c
    x, y, z = struct.unpack("<III", data.ljust(12, b"\0"))
    a, b, c = a + x & mask, b + y & mask, c + z & mask
    c = (c ^ b) - turn(b, 14) & mask
    a = (a ^ c) - turn(c, 11) & mask
    b = (b ^ a) - turn(a, 25) & mask
    c = (c ^ b) - turn(b, 16) & mask
    a = (a ^ c) - turn(c, 4) & mask
    b = (b ^ a) - turn(a, 14) & mask
    return (c ^ b) - turn(b, 24) & mask


def checked_structures(data):
    """Returns from where to where the structures of an HDF5 file go that have a checksum, which stands at their end."""
    found = []
    if data[8:9] in (b"\2", b"\3"):
        found.append((0, 44))
    for match in re.finditer(b"OHDR\2", data):
        at = match.start()
        flags = data[at + 5]
        begin = at + 6 + (16 if flags & 0x20 else 0) + (4 if flags & 0x10 else 0)
        width = 1 << (flags & 3)
        end = begin + width + int.from_bytes(data[begin:begin + width], "little")
        if end + 4 <= len(data):
            found.append((at, end))
    return [(at, end) for at, end in found if hash_of_hdf5(data[at:end]) == int.from_bytes(data[end:end + 4], "little")]


def hdf5(lot, data):
    """Fields and addresses, with checksums mended where there are some."""
    structures = checked_structures(data)
    new = bytearray(data)
    for _ in range(lot.choice((1, 1, 2, 3))):
        at, end = lot.choice(structures) if structures and lot.random() < 0.7 else (0, len(new))
        place = lot.randrange(at, end)
        kind = lot.random()
        if kind < 0.25:
            words = [i for i in range(8, len(new) - 7, 8) if 0 < int.from_bytes(new[i:i + 8], "little") < len(new)]
            if words:
                place, other = lot.choice(words), lot.choice(words)
                new[place:place + 8] = new[other:other + 8]
        elif kind < 0.45:
            new[place] ^= 1 << lot.randrange(8)
        else:
            width = lot.choice((1, 1, 2, 4, 8))
            value = lot.choice(SIZES + [lot.randrange(256), lot.randrange(len(new)) & ~7])
            part = (value % (1 << 8 * width)).to_bytes(width, "little")[:len(new) - place]
            new[place:place + len(part)] = part
    for at, end in structures:
        new[end:end + 4] = hash_of_hdf5(bytes(new[at:end])).to_bytes(4, "little")
    return bytes(new)


def page(lot, data):
    """What a page hands to its script; numbers may stand in base64."""
    if lot.random() < 0.15:
        blobs = list(re.finditer(rb"[A-Za-z0-9+/]{24,}={0,2}", data))
        if blobs:
            blob = lot.choice(blobs)
            letters = blob.group().rstrip(b"=")
            letters = letters[:len(letters) // 4 * 4]
            new = base64.b64encode(blind(lot, base64.b64decode(letters)))
            return data[:blob.start()] + new + data[blob.end():]
    return text(lot, data)


def gguf(lot, data):
    """Counts, kinds and lengths stand before the numbers."""
    return fields(lot, data, head=2048)


def png(lot, data):
    """Sizes, kinds and numbers of chunks are others, whose sums are right as a rule: what is behind them is read."""
    chunks, at = [], 8
    while at + 12 <= len(data):
        size, = struct.unpack(">I", data[at:at + 4])
        chunks.append([data[at + 4:at + 8], data[at + 8:at + 8 + size]])
        at += 12 + size
    for _ in range(lot.choice((1, 1, 2))):
        chunk = chunks[0] if lot.random() < 0.4 else lot.choice(chunks)
        kind = lot.randrange(6)
        if kind == 0 and chunk[0] == b"IHDR":
            field = lot.randrange(2) * 4
            chunk[1] = chunk[1][:field] + struct.pack(">I", lot.choice(SIZES[:19]) & 0xffffffff) + chunk[1][field + 4:]
        elif kind == 1:
            chunk[0] = lot.choice((b"IDAT", b"PLTE", b"tRNS", b"IEND", b"IHDR", b"eXIf", b"iCCP", b"acTL"))
        elif kind == 2:
            chunks.insert(lot.randrange(len(chunks) + 1), list(chunk))
        elif kind == 3 and len(chunks) > 1:
            chunks.remove(chunk)
        else:
            chunk[1] = blind(lot, chunk[1])
    told = b"".join(struct.pack(">I", len(body)) + name + body +
                    struct.pack(">I", zlib.crc32(name + body) if lot.random() < 0.95 else 0) for name, body in chunks)
    return data[:8] + told


STRUCTURED = {
    ".json": text, ".headlight": text, ".ipynb": text, ".html": page, ".safetensors": safetensors, ".npy": npy, ".npz": archive, ".pt": archive, ".pth": archive,
    ".bin": archive, ".pkl": pickle, ".h5": hdf5, ".gguf": gguf, ".conllu": lines, ".txt": lines, ".tsv": lines, ".model": fields, ".png": png,
}


def damage(lot, suffix, data):
    """Returns the way and the bytes."""
    way = STRUCTURED[suffix]
    if way is archive and not zipfile.is_zipfile(io.BytesIO(data)):
        way = pickle
    if lot.random() < 0.3:
        way = blind
    return way.__name__, way(lot, data)

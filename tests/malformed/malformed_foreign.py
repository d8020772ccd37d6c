# SPDX-License-Identifier: MIT
"""Files of NumPy and PyTorch, and pickles, that are damaged or want more than to be read."""

import io
import pickle
import struct
import zipfile

import numpy as np

from malformed_case import case

GOOD = np.full((2, 2, 3, 3), 1 / 3, np.float32)


def put(name, outcome, contains, why, content):
    """A case of these bytes, or of what a function makes."""

    @case(name, outcome, contains, why)
    def _(path):
        path.write_bytes(content() if callable(content) else content)


def error(name, contains, why, content):
    put(name, "error", contains, why, content)


def array(weights=GOOD):
    file = io.BytesIO()
    np.save(file, weights)
    return file.getvalue()


def archive(*members, method=zipfile.ZIP_STORED):
    """A zip file of (name or ZipInfo, bytes)."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as z:
        for name, content in members:
            info = name if isinstance(name, zipfile.ZipInfo) else zipfile.ZipInfo(name)
            info.create_system = 3
            z.writestr(info, content, method)
    return file.getvalue()


def central(data, offset, fmt, value, index=0):
    """Changes a field of an entry of the directory."""
    data = bytearray(data)
    at = -1
    for _ in range(index + 1):
        at = data.index(b"PK\1\2", at + 1)
    struct.pack_into(fmt, data, at + offset, value)
    return bytes(data)


# Zip files

ONE = archive(("attention.npy", array()))
PACKED = archive(("attention.npy", array()), method=zipfile.ZIP_DEFLATED)
TWO = archive(("attention.npy", array()), ("tokens.npy", array(np.array(["a", "b", "c"]))))

error("zip-truncated.npz", "directory", "cut off in the middle", ONE[:200])
error("zip-other.npz", "neither PyTorch nor NumPy", "a zip file of something else", archive(("word/document.xml", b"<x/>")))
error("zip-empty.npz", "neither PyTorch nor NumPy", "a zip file without members", archive())
error("zip-twice.npz", "two members “attention.npy”", "a name twice", lambda: _twice())


def _twice():
    data = archive(("attention.npy", array()), ("attentioX.npy", array()))
    return data.replace(b"attentioX.npy", b"attention.npy")


error("zip-overlap.npz", "overlap", "two members at one place", lambda: _overlap())


def _overlap():
    """The second entry of the directory points into the first member, where a header of its own was hidden."""
    inner = archive(("b.npy", array()))
    hidden = inner[: inner.index(b"PK\1\2")]
    data = archive(("attention.npy", array() + hidden), ("b.npy", array()))
    return central(data, 42, "<I", data.index(hidden), 1)


error("zip-link.npz", "is a link", "a member is a symbolic link", lambda: _link())


def _link():
    info = zipfile.ZipInfo("attention.npy")
    info.external_attr = 0o120777 << 16
    return archive((info, b"/etc/passwd"))


error("zip-outside-name.npz", "leads out", "a name with .. in it", archive(("../attention.npy", array())))
error("zip-outside.npz", "outside the file", "a member behind the end", central(ONE, 42, "<I", 0x7FFFFFFF))
error("zip-encrypted.npz", "encrypted", "says that it is encrypted", central(ONE, 8, "<H", 1))
error("zip-method.npz", "packed in a way", "packed with bzip2", archive(("attention.npy", array()), method=zipfile.ZIP_BZIP2))
error("zip-two-sizes.npz", "two sizes", "stored, with two sizes", central(ONE, 24, "<I", 5000))
error("zip-two-names.npz", "another name", "the name in front of the bytes is another one",
      lambda: ONE.replace(b"attention.npy", b"attentiom.npy", 1))
put("zip-longer.npz", "error", "announced", "packed bytes that unpack to more than announced",
    lambda: central(archive(("attention.npy", array() + bytes(100)), method=zipfile.ZIP_DEFLATED), 24, "<I", len(array())))
error("zip-shorter.npz", "breaks off", "an array that is shorter than its header says", archive(("attention.npy", array()[:-40])))
put("zip-packed-shorter.npz", "error", "announced", "packed bytes that unpack to less than announced",
    lambda: central(archive(("attention.npy", array()[:-40]), method=zipfile.ZIP_DEFLATED), 24, "<I", len(array())))
put("zip-checksum.npz", "error", "checksum", "packed bytes with a wrong checksum", central(PACKED, 16, "<I", 1))
error("zip-bomb-lie.npz", "cannot unpack", "a few bytes that announce a gigabyte", lambda: central(PACKED, 24, "<I", 1 << 30))
error("zip-bomb-sum.npz", "2 GiB", "members that announce three gigabytes", lambda: _bomb_sum())


def _bomb_sum():
    data = archive(("a.npy", array()), ("b.npy", array()), ("c.npy", array()), method=zipfile.ZIP_DEFLATED)
    for i in range(3):
        data = central(data, 24, "<I", 1 << 30, i)
    return data


# Arrays


def npy(descr="'<f4'", shape="(2, 2, 3, 3)", order="False", data=GOOD.tobytes(), version=1):
    header = f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(header)) + header + data


error("npy-structured.npy", "fields of several types", "a record of two fields", npy("[('a', '<f4'), ('b', '<i8')]"))
error("npy-complex.npy", "“<c8”", "complex numbers", npy("'<c8'"))
error("npy-integers.npy", "holds numbers of type int64", "integers", npy("'<i8'", "(2, 2)"))
error("npy-version.npy", "version 9", "a version that does not exist", npy(version=9))
error("npy-short.npy", "breaks off", "fewer bytes than elements", npy(data=b"1234"))
error("npy-huge.npy", "breaks off", "more elements than memory", npy(shape="(999999, 999999, 999999)"))
error("npy-overflow.npy", "damaged", "a size of 30 digits", npy(shape="(999999999999999999999999999999, 1)"))
error("npy-rank.npy", "more than 8 axes", "nine axes", npy(shape="(1, 1, 1, 1, 1, 1, 1, 1, 1)"))
error("npy-negative.npy", "damaged", "a negative size", npy(shape="(2, -2)"))
error("npy-code.npy", "damaged", "a header that is code", npy(descr="__import__('os').system('true')"))
error("npy-header.npy", "larger than", "a header of two gigabytes", b"\x93NUMPY\x02\x00\xff\xff\xff\x7f{")
error("npy-cut.npy", "breaks off in its header", "cut off in the header", npy()[:30])
error("npy-empty.npy", "there is no “attention”", "no elements", npy(shape="(2, 0, 3, 3)"))

# Pickles


def call(module, name, argument=b""):
    """What a __reduce__ makes: a function and its argument, called when Python unpickles it."""
    return b"\x80\x04}\x8c\tattention" + b"\x8c" + bytes([len(module)]) + module + b"\x8c" + bytes([len(name)]) + name + \
        b"\x93\x8c" + bytes([len(argument)]) + argument + b"\x85Rs."


for _name, _module, _function, _argument in (
    ("system", b"posix", b"system", b"touch /tmp/headlight-was-here"),
    ("os-system", b"os", b"system", b"touch /tmp/headlight-was-here"),
    ("eval", b"builtins", b"eval", b"1"),
    ("getattr", b"builtins", b"getattr", b"1"),
    ("popen", b"subprocess", b"Popen", b"true"),
    ("dotted", b"collections", b"OrderedDict.__init__.__globals__", b""),
    ("torch-load", b"torch.serialization", b"load", b"/etc/passwd"),
    ("own-class", b"__main__", b"Attention", b""),
):
    error(f"pickle-{_name}.pkl", f"“{_module.decode()}.{_function.decode()}”", f"wants {_function.decode()} to be called",
          call(_module, _function, _argument))

error("pickle-global-only.pkl", "“os.system”", "names a function without a call", b"\x80\x02cos\nsystem\n.")
error("pickle-inst.pkl", "“os.system”", "names a function as protocol 0 does", b"(S'true'\nios\nsystem\n.")
error("pickle-itself.pkl", "holds itself", "a list that holds itself", lambda: pickle.dumps(_itself()))


def _itself():
    data = []
    data.append({"attention": data})
    return data


error("pickle-laughs.pkl", "members", "lists of ten of the list before, thirty times",
      b"\x80\x04]\x94" + b"".join(b"](" + b"h" + bytes([i]) + b"".join(b"h" + bytes([i]) for _ in range(9)) + b"e\x94"
                                  for i in range(30)) + b".")
error("pickle-deep.pkl", "nested too deeply", "twenty thousand lists in one another", b"\x80\x02" + b"]" * 20000 + b"a" * 19999 + b".")
error("pickle-marks.pkl", "nested too deeply", "twenty thousand marks", b"\x80\x02" + b"(" * 20000 + b".")
error("pickle-memo.pkl", "damaged", "a memo that was never set", b"\x80\x02}h\x05.")
error("pickle-memo-huge.pkl", "values", "a memo of four thousand million", b"\x80\x02}r\xff\xff\xff\xff.")
error("pickle-cut.pkl", "breaks off", "cut off", pickle.dumps({"attention": GOOD.tolist()})[:100])
error("pickle-underflow.pkl", "damaged", "takes more than there is", b"\x80\x02}00000.")
error("pickle-odd.pkl", "damaged", "a key without a value", b"\x80\x02(X\x01\0\0\0ad.")
error("pickle-extension.pkl", "outside the file", "a code of the extension registry", b"\x80\x02\x82\x01.")
error("pickle-persistent.pkl", "damaged", "something outside that is no storage", b"\x80\x02X\x01\0\0\0aQ.")
error("pickle-long-text.pkl", "breaks off", "text of two exabytes", b"\x80\x04\x8d" + b"\xff" * 7 + b"\x1fabc.")
error("pickle-number.pkl", "there is no “attention”", "one number", pickle.dumps(5))
error("pickle-array-no-state.pkl", "has no numbers", "an array without a state",
      b"\x80\x02}X\x09\0\0\0attentioncnumpy.core.multiarray\n_reconstruct\n)Rs.")

# PyTorch


def number(value):
    return b"J" + struct.pack("<i", value) if -(2**31) <= value < 2**31 else b"\x8a\x08" + struct.pack("<q", value)


def tensor(shape=(2, 2, 3, 3), stride=(18, 9, 3, 1), offset=0, storage=b"FloatStorage", key=b"0"):
    tup = lambda values: b"(" + b"".join(v if isinstance(v, bytes) else number(v) for v in values) + b"t"
    return (b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n((X\x07\0\0\0storagectorch\n" + storage + b"\nX\x01\0\0\0" + key +
            b"X\x03\0\0\0cpuK\x24tQ" + number(offset) + tup(shape) + tup(stride) + b"\x89ccollections\nOrderedDict\n)RtR.")


def torch(pickled, data=GOOD.tobytes()):
    return archive(("archive/data.pkl", pickled), ("archive/data/0", data), ("archive/version", b"3\n"))


put("torch-good.pt", "opens", "", "what the others are made from", torch(tensor()))
error("torch-offset.pt", "reaches past the end", "begins behind its storage", torch(tensor(offset=1)))
error("torch-offset-huge.pt", "too large", "begins so far that it overflows", torch(tensor(offset=2**62)))
error("torch-stride.pt", "reaches past the end", "strides that leave the storage", torch(tensor(stride=(18, 9, 3, 100))))
error("torch-stride-negative.pt", "reaches past the end", "strides that go backwards", torch(tensor(stride=(18, 9, 3, -1))))
error("torch-stride-huge.pt", "too large", "strides that overflow", torch(tensor(stride=(2**62, 9, 3, 1))))
error("torch-size-negative.pt", "size that is not", "a negative size", torch(tensor(shape=(2, -2, 3, 3))))
error("torch-size-nan.pt", "size that is not", "a size that is not a number",
      torch(tensor(shape=(2, b"G\x7f\xf8\0\0\0\0\0\0", 3, 3))))
error("torch-size-huge.pt", "", "sizes whose product overflows", torch(tensor(shape=(2**40, 2**40, 3, 3), stride=(0, 0, 0, 0))))
error("torch-ranks.pt", "damaged", "more sizes than strides", torch(tensor(stride=(9, 3, 1))))
error("torch-rank.pt", "axes", "nine axes", torch(tensor(shape=(1,) * 9, stride=(1,) * 9)))
error("torch-no-storage.pt", "not in the file", "a storage that is not there", torch(tensor(key=b"7")))
error("torch-short-storage.pt", "reaches past the end", "a storage cut short", torch(tensor(), GOOD.tobytes()[:-1]))
error("torch-complex.pt", "complex64", "complex numbers", torch(tensor(storage=b"ComplexFloatStorage")))
error("torch-integers.pt", "holds numbers of type int32", "integers", torch(tensor(storage=b"IntStorage")))
error("torch-code.pt", "“os.system”", "a pickle that names a function", torch(b"\x80\x02cos\nsystem\n."))
error("torch-script.pt", "“__torch__.Model”", "a TorchScript program", torch(b"\x80\x02c__torch__\nModel\n)\x81."))

LEGACY = b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.\x80\x02M\xe9\x03.\x80\x02}X\x0d\0\0\0little_endian\x88s."


def legacy(pickled, keys=b"\x80\x02]X\x01\0\0\x000a.", data=struct.pack("<q", 36) + GOOD.tobytes()):
    return LEGACY + pickled + keys + data


put("torch-legacy-good.pt", "opens", "", "what the others are made from", legacy(tensor()))
error("torch-legacy-cut.pt", "breaks off", "cut off in the numbers", legacy(tensor())[:-3])
error("torch-legacy-count.pt", "breaks off", "announces more numbers than fit 64 bits",
      legacy(tensor(), data=struct.pack("<q", -1) + GOOD.tobytes()))
error("torch-legacy-key.pt", "type that is not read", "numbers of a storage nobody named", legacy(tensor(), b"\x80\x02]X\x01\0\0\0007a."))
error("torch-legacy-twice.pt", "type that is not read", "numbers of a storage twice",
      legacy(tensor(), b"\x80\x02](X\x01\0\0\x000X\x01\0\0\x000e."))
error("torch-legacy-pickles.pt", "breaks off", "ends after the first pickle", LEGACY)

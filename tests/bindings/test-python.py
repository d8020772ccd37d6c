#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The library from another language: what PyGObject reads is what h5py reads.

Usage: test-python.py SAMPLE README"""

import ctypes
import pathlib
import re
import sys
import tempfile

import gi
import h5py
import numpy

gi.require_version("Headlight", "1.0")
from gi.repository import Gio, GLib, Headlight  # noqa: E402

sample, readme = map(pathlib.Path, sys.argv[1:])
n = n_failed = 0
# The one that is in this process, of h5py and of Headlight.
hdf5 = ctypes.CDLL(next(line.split()[-1] for line in open("/proc/self/maps") if re.search(r"/libhdf5(_serial)?\.so", line)))
hdf5.H5Eget_auto2.argtypes = [ctypes.c_int64, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_void_p)]
hdf5.H5Eset_auto2.argtypes = [ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p]


def get_ways_of_hdf5():
    """Which plugins it loads, and how it tells of its errors."""
    plugins, function, data = ctypes.c_uint(), ctypes.c_void_p(), ctypes.c_void_p()
    assert hdf5.H5PLget_loading_state(ctypes.byref(plugins)) >= 0
    assert hdf5.H5Eget_auto2(0, ctypes.byref(function), ctypes.byref(data)) >= 0
    return plugins.value, function.value, data.value


def check(name, good, why=""):
    global n, n_failed
    n += 1
    n_failed += not good
    print(f"{'ok' if good else 'not ok'} {n} - {name}", flush=True)
    if not good:
        print(f"# {why}")


def read(source, layer, head):
    shape = [source.get_n(side) for side in (Headlight.Side.QUERIES, Headlight.Side.KEYS)]
    return numpy.frombuffer(source.read_head(layer, head).get_data(), "f4").reshape(shape)


# What another user of the library in this process has chosen: filters only, and errors told to a function. h5py sets the latter.
tell = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int64, ctypes.c_void_p)(lambda stack, data: 0)
assert hdf5.H5PLset_loading_state(1) >= 0 and hdf5.H5Eset_auto2(0, ctypes.cast(tell, ctypes.c_void_p), 17) >= 0
before = get_ways_of_hdf5()
assert before == (1, ctypes.cast(tell, ctypes.c_void_p).value, 17), before

document = Headlight.Document.load(Gio.File.new_for_path(str(sample)))
check("plugins and errors of HDF5 after a file was opened", get_ways_of_hdf5() == before, get_ways_of_hdf5())
example = document.get_example(0)
attention = example.get_attention(0)
source = attention.make_source()
with h5py.File(sample) as file:
    stored = file["attention"][:].astype("f4")
    tokens = [token.decode() for token in file["tokens"]]
check("container", document.get_container() == "HDF5", document.get_container())
check("kind", attention.get_kind() == Headlight.AttentionKind.SELF, attention.get_kind())
check("tokens", list(attention.get_tokens(Headlight.Side.KEYS)) == tokens, attention.get_tokens(Headlight.Side.KEYS))
check("sizes", (attention.get_n_layers(), attention.get_n_heads(0)) == stored.shape[:2], stored.shape)
maps = [[read(source, layer, head) for head in range(stored.shape[1])] for layer in range(stored.shape[0])]
difference = abs(numpy.array(maps) - stored).max()
check("weights of all heads", difference == 0, f"off by {difference}")
check("quantity", source.get_quantity() == "attention weight", source.get_quantity())
check("the checks are a list", all(isinstance(item.get_message(), str) for item in example.get_checks()))

try:
    Headlight.Document.load(Gio.File.new_for_path(str(sample.with_name("no such file.h5"))))
    check("a file that is not there", False, "it was opened")
except GLib.Error as error:
    check("a file that is not there", "no such file" in error.message.lower(), error.message)
try:
    Headlight.Document.load(Gio.File.new_for_path(__file__))
    check("what is no attention", False, "it was opened")
except GLib.Error as error:
    check("what is no attention", error.matches(Headlight.error_quark(), Headlight.Error.UNKNOWN_FORMAT), error.message)

# The lines that the README shows, as they stand there.
lines = re.search(r"```python\n(from gi[^`]*)```", readme.read_text()).group(1).replace("run.h5", str(sample))
space = {}
exec(compile(lines, "README.md", "exec"), space)
check("the lines of the README", abs(space["weights"] - stored[2, 8]).max() == 0, space["weights"])

# A filter that nobody has: h5py looks for it among the plugins, which runs what is in them, and Headlight does not, in one process.
c = ctypes.CDLL(None)
c.getenv.restype = ctypes.c_char_p
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder, "filter.h5")
    # Who writes it looks for the filter as well.
    hdf5.H5PLset_loading_state(0)
    with h5py.File(path, "w") as file:
        file["tokens"] = [token.encode() for token in tokens]
        properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        properties.set_chunk(stored.shape)
        properties.set_filter(32100, h5py.h5z.FLAG_OPTIONAL)
        dataset = h5py.h5d.create(file.id, b"attention", h5py.h5t.IEEE_F32LE, h5py.h5s.create_simple(stored.shape), properties)
        dataset.write_direct_chunk((0,) * stored.ndim, stored.tobytes())
    hdf5.H5PLset_loading_state(1)
    try:
        read(Headlight.Document.load(Gio.File.new_for_path(str(path))).get_example(0).get_attention(0).make_source(), 0, 0)
        check("a filter that nobody has", False, "it was read")
    except GLib.Error as error:
        check("a filter that nobody has", error.matches(Headlight.error_quark(), Headlight.Error.UNSUPPORTED), error)
    check("Headlight loads no plugin", c.getenv(b"HEADLIGHT_TEST_PLUGIN") is None)
    try:
        with h5py.File(path) as file:
            file["attention"][:]
        check("h5py has not the filter either", False, "it was read")
    except OSError as error:
        check("h5py has not the filter either", "filter" in str(error), error)
    check("h5py looks for it among the plugins", c.getenv(b"HEADLIGHT_TEST_PLUGIN") == b"loaded")
print(f"1..{n}")
sys.exit(n_failed > 0)

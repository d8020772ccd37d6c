#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The library from another language: what PyGObject reads is what h5py reads.

Usage: test-python.py SAMPLE README"""

import ctypes
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

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

# What other languages see of the library. Nothing may be in it that they cannot but call wrongly: they make a place for one
# number where an array is meant, keep nothing alive whose structures they hold, and know the size of a structure by those of its
# fields that they see.
CORE, C, TYPE = ("{http://www.gtk.org/introspection/%s/1.0}" % name for name in ("core", "c", "glib"))
space = xml.etree.ElementTree.parse(pathlib.Path(os.environ["GI_TYPELIB_PATH"], "Headlight-1.0.gir")).find(CORE + "namespace")


def get_seen(parent, *tags):
    return [child for child in parent for tag in tags if child.tag == CORE + tag and child.get("introspectable") != "0"]


def is_callable_wrongly(value):
    kind = value.find(CORE + "type")
    if value.get("caller-allocates") == "1":
        return True
    if kind is None or kind.get("name") == "none":
        return False
    depth = kind.get(C + "type").count("*") - (value.get("direction", "in") != "in")
    return kind.get("name") in {*bare, "gpointer", "GLib.Error"} or (kind.get("name").startswith("g") and depth > 0)


bare = {record.get("name") for record in space.iter(CORE + "record") if TYPE + "get-type" not in record.attrib}
types = get_seen(space, "class", "interface", "record")
wrong = [
    function.get(C + "identifier")
    for parent in (space, *types)
    for function in get_seen(parent, "function", "method", "constructor")
    if any(map(is_callable_wrongly, [*function.iter(CORE + "parameter"), *function.iter(CORE + "return-value")]))
]
check("functions for C alone are not for others", not wrong, wrong)
methods = [f"{parent.get('name')}.{method.get('name')}" for parent in types for method in get_seen(parent, "virtual-method")]
check("nobody else makes sources", not methods, methods)
fields = [f"{parent.get('name')}.{field.get('name')}" for parent in types for field in parent.findall(CORE + "field")
          if field.get("introspectable") == "0"]
check("structures have all their fields", not fields, fields)

# What somebody may call nevertheless, each in a process of its own: an error, a word on stderr or nothing, but no crash.
BEGIN = f"""
import ctypes, gi
gi.require_version("Headlight", "1.0")
from gi.repository import Gio, GLib, GObject, Headlight
document = Headlight.Document.load(Gio.File.new_for_path({str(sample)!r}))
attention = document.get_example(0).get_attention(0)
source = attention.make_source()
n = source.get_n(Headlight.Side.QUERIES)
c = ctypes.CDLL("libheadlight.so.0")
class Request(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint) for name in ("layer", "head")]
    _fields_ += [(name, ctypes.c_size_t) for name in "first_query n_queries first_key n_keys n_rows n_columns".split()]
    _fields_ += [(name, ctypes.c_int) for name in ("pooling", "marks_masked")]
def call(name, object, *arguments):
    function = getattr(c, "hl_" + name)
    function.restype = ctypes.c_void_p
    # The hash of an object is where it is.
    return function(ctypes.c_void_p(hash(object)), *arguments)
def read(request):
    return call("attention_source_read", source, ctypes.byref(request), (ctypes.c_float * (n * n + 2 * n))(), None, None)
"""
CALLS = {
    "a map into the place of a number": """
request = Headlight.AttentionRequest()
request.n_queries = request.n_keys = request.n_rows = request.n_columns = n
source.read(request, None)""",
    "extremes of all queries into the place of one": """
request = Headlight.AttentionRequest()
request.n_queries = request.n_keys = request.n_rows = request.n_columns = n
source.examine(request, None)""",
    "numbers of another type": "Headlight.dtype_convert_to_f32(Headlight.DType.F32, False, None, 4, 1.0, 4)",
    "what a derived attention is made of": "for i in range(20): Headlight.DerivedAttention.init(attention)",
    "an attention made of nothing": "Headlight.Attention.new(Headlight.AttentionInit())",
    "a source that says nothing": """
class Source(GObject.Object, Headlight.AttentionSource): pass
assert Source().get_n_layers() == Source().get_n(0) == Source().get_n_heads(0) == 0 and Source().get_quantity() == ""
assert not Source().is_signed() and Source().read_head(0, 0) is None""",
    "a source that says something": """
class Source(GObject.Object, Headlight.AttentionSource):
    def do_get_n_layers(self): return 1
    def do_get_n_heads(self, layer): return 1
    def do_get_n(self, side): return 3
    def do_read_rows(self, request, target, cancellable): return True
Source().read_head(0, 0)""",
    "what was loaded, of another task": """
task = Gio.Task.new(None, None, None)
task.return_boolean(True)
Headlight.Document.load_finish(task)""",
    "a document of an empty example": """
try:
    document = Headlight.Document.new(Gio.File.new_for_path("/"), "container", None, Headlight.Example(), None)
    document.get_example(0).get_attention(0)
except TypeError: pass""",
    "objects that were made of nothing": """
for kind in (Headlight.Attention, Headlight.Check, Headlight.Document, Headlight.Example, Headlight.Progress):
    for method in kind.__info__.get_methods():
        if method.is_method():
            print(method.get_symbol(), end="; ", flush=True)
            arguments = [None if argument.may_be_null() else 0 for argument in method.get_arguments()]
            try: getattr(GObject.new(kind), method.get_name())(*arguments)
            except (GLib.Error, TypeError): pass""",
    "a query whose number overflows": """
assert not read(Request(0, 0, 2**64 - 1, 2, 0, n, 2, n)) and read(Request(0, 0, n - 1, 1, 0, n, 1, n))""",
    "a key whose number overflows": """
assert not read(Request(0, 0, 0, n, 2**64 - 1, 2, n, 2)) and read(Request(0, 0, 0, n, n - 1, 1, n, 1))""",
    "the mask of a layer that is not there": """
assert call("attention_source_get_mask", source, 0) and not call("attention_source_get_mask", source, source.get_n_layers())""",
    "a document that somebody else's task made": """
task = Gio.Task.new(None, None, None)
task.return_boolean(True)
assert not call("document_load_finish", task, None)""",
}
for name, lines in CALLS.items():
    child = subprocess.run([sys.executable, "-c", BEGIN + lines], capture_output=True, text=True)
    missing = re.search(r"^AttributeError: .* has no attribute", child.stderr, re.M)
    check(name, child.returncode == 0 or missing, f"{child.returncode}: {(child.stdout + child.stderr)[-1000:]!r}")
print(f"1..{n}")
sys.exit(n_failed > 0)

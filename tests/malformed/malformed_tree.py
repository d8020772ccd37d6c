# SPDX-License-Identifier: MIT
"""HDF5 files whose links, groups, tokens, attributes, queries or keys are wrong."""

import h5py
import numpy as np
from h5py import h5s, h5t

from malformed_case import case
from malformed_hdf5 import TOKENS, UTF8, declare, hdf5, put, put_group, weights

# Links


@case("nothing.h5", "error", "attention", "tokens, but no attention of any name")
def _(path):
    with hdf5(path):
        pass


@case("nothing-at-all.h5", "error", "attention", "an HDF5 file without a single object")
def _(path):
    with hdf5(path, tokens=None):
        pass


def _external(name, target, why):
    @case(f"external-link{name}.h5", "error", "external", why)
    def _(path):
        with hdf5(path) as f:
            f["attention"] = h5py.ExternalLink(target, "/attention")


_external("", "other.h5", "attention is a link into another file")
_external("-absolute", "/etc/passwd", "attention is a link to /etc/passwd")
_external("-self", "external-link-self.h5", "attention is an external link to the file itself")


@case("external-link-layer.h5", "error", "external", "one layer of the group is in another file")
def _(path):
    with hdf5(path) as f:
        put(put_group(f, "attention"), "0", weights(2, 6, 6))
        f["attention/1"] = h5py.ExternalLink("other.h5", "/1")


@case("external-link-tokens.h5", "opens-with-warning", "", "only the tokens are in another file: "
      "never followed, positions are shown")
def _(path):
    with hdf5(path, tokens=None) as f:
        put(f, "attention", weights(2, 2, 6, 6))
        f["tokens"] = h5py.ExternalLink("/etc/passwd", "/tokens")


@case("external-link-unrelated.h5", "opens", "", "a link nobody asks for is not followed")
def _(path):
    with hdf5(path) as f:
        put(f, "attention", weights(2, 2, 6, 6))
        f["notes"] = h5py.ExternalLink("/etc/passwd", "/")


@case("soft-link.h5", "opens", "", "attention is a soft link to a dataset of the same file")
def _(path):
    with hdf5(path) as f:
        put(put_group(f, "layers"), "all", weights(2, 2, 6, 6))
        f["attention"] = h5py.SoftLink("/layers/all")


@case("soft-link-dangling.h5", "error", "attention", "attention is a soft link to nothing")
def _(path):
    with hdf5(path) as f:
        f["attention"] = h5py.SoftLink("/not/there")


@case("soft-link-cycle.h5", "error", "attention", "two soft links point at each other")
def _(path):
    with hdf5(path) as f:
        f["attention"] = h5py.SoftLink("/other")
        f["other"] = h5py.SoftLink("/attention")


@case("soft-link-via-external.h5", "error", "external", "a soft link leads through an external one")
def _(path):
    with hdf5(path) as f:
        f["door"] = h5py.ExternalLink("/etc/passwd", "/")
        f["attention"] = h5py.SoftLink("/door/attention")


@case("group-in-itself.h5", "error", "attention", "the group attention is its own layer 0")
def _(path):
    with hdf5(path) as f:
        group = put_group(f, "attention")
        group["0"] = group


@case("root-in-itself.h5", "opens", "", "a member nobody asks for is the root group again")
def _(path):
    with hdf5(path) as f:
        put(f, "attention", weights(2, 2, 6, 6))
        f["loop"] = f["/"]


@case("examples-cycle.h5", "error", "", "the only example is the root group again")
def _(path):
    with hdf5(path) as f:
        put_group(f, "examples")["again"] = f["/"]


@case("examples-in-itself.h5", "error", "", "the only example is the group of examples")
def _(path):
    with hdf5(path) as f:
        group = put_group(f, "examples")
        group["again"] = group


@case("examples-empty.h5", "error", "examples", "a group of examples with none in it")
def _(path):
    with hdf5(path) as f:
        put_group(f, "examples")


@case("examples-dataset.h5", "error", "examples", "examples is a dataset, not a group")
def _(path):
    with hdf5(path) as f:
        put(f, "examples", weights(2, 2, 6, 6))


@case("deep-groups.h5", "opens", "", "50 groups inside one another beside good attention")
def _(path):
    with hdf5(path) as f:
        put(f, "attention", weights(2, 2, 6, 6))
        put_group(f, "/".join(["g"] * 50))


@case("deep-attention.h5", "error", "attention", "attention/0/0/0/..., 50 groups and no dataset")
def _(path):
    with hdf5(path) as f:
        put_group(f, "attention/" + "/".join(["0"] * 50))


@case("named-type.h5", "error", "attention", "attention is a committed data type")
def _(path):
    # Old structures: new ones would keep the time at which the type was committed.
    with hdf5(path, old=True) as f:
        f["attention"] = np.dtype("f4")


# The group with a dataset a layer


def _group(name, contains, why, **layers):
    @case(f"group-{name}.h5", "error", contains, why)
    def _(path):
        with hdf5(path) as f:
            group = put_group(f, "attention")
            for layer, shape in layers.items():
                put(group, layer.strip("_"), weights(*shape))


_group("empty", "attention", "the group attention is empty")
_group("gap", "attention", "layers 0 and 2, no layer 1", _0=(2, 6, 6), _2=(2, 6, 6))
_group("from-one", "attention", "layers 1 and 2, no layer 0", _1=(2, 6, 6), _2=(2, 6, 6))
_group("names", "attention", "layers are named a and b", a=(2, 6, 6), b=(2, 6, 6))
_group("long-name", "ää…”; layers are to be named", "a layer has a name too long for a sentence, of two bytes a letter",
       **{"a" + "ä" * 70: (2, 6, 6)})
_group("leading-zeros", "attention", "layers 0 and 00", _0=(2, 6, 6), _00=(2, 6, 6))
_group("length-differs", "attention", "layer 1 has 5 positions, layer 0 has 6",
       _0=(2, 6, 6), _1=(2, 5, 5))
_group("rank-2", "rank 2", "layer 1 has two axes", _0=(2, 6, 6), _1=(6, 6))
_group("rank-5", "rank 5", "layer 1 has five axes", _0=(2, 6, 6), _1=(1, 1, 2, 6, 6))
_group("huge-name", "attention", "a layer is named 18446744073709551616 (2^64)",
       _0=(2, 6, 6), _18446744073709551616=(2, 6, 6))
_group("batch-differs", "attention", "layer 0 has two batch items, layer 1 three",
       _0=(2, 2, 6, 6), _1=(3, 2, 6, 6))


@case("group-of-groups.h5", "error", "attention", "layer 1 is a group, not a dataset")
def _(path):
    with hdf5(path) as f:
        put(put_group(f, "attention"), "0", weights(2, 6, 6))
        put(put_group(f, "attention/1"), "0", weights(6, 6))


@case("group-type.h5", "error", "attention", "layer 1 holds integers")
def _(path):
    with hdf5(path) as f:
        group = put_group(f, "attention")
        put(group, "0", weights(2, 6, 6))
        put(group, "1", np.zeros((2, 6, 6), np.int32))


# Tokens: attention is good, so it is shown with positions or mended tokens, and that is said


def _tokens(name, why, outcome="opens-with-warning"):
    def register(write):
        @case(f"tokens-{name}.h5", outcome, "", why)
        def _(path):
            with hdf5(path, tokens=None) as f:
                put(f, "attention", weights(2, 2, 6, 6))
                write(f)

        return write

    return register


@_tokens("rank-2", "tokens have two axes")
def _(f):
    put(f, "tokens", np.array([TOKENS, TOKENS], "S"))


@_tokens("integers", "tokens are integers (ids, perhaps), not strings")
def _(f):
    put(f, "tokens", np.arange(6))


@_tokens("floats", "tokens are numbers")
def _(f):
    put(f, "tokens", np.linspace(0, 1, 6))


@_tokens("scalar", "tokens are one string")
def _(f):
    put(f, "tokens", np.bytes_(" ".join(TOKENS)))


@_tokens("null", "tokens have a null dataspace")
def _(f):
    declare(f, "tokens", None, h5py.h5t.py_create(UTF8, logical=True), space=h5s.create(h5s.NULL))


@_tokens("group", "tokens are a group")
def _(f):
    put_group(f, "tokens/0")


@_tokens("billion", "a billion tokens are declared, none is stored")
def _(f):
    declare(f, "tokens", (10**9,), h5t.py_create(UTF8, logical=True), chunk=(1024,))


@_tokens("billion-long", "six tokens of a billion bytes each are declared, none is stored")
def _(f):
    kind = h5t.C_S1.copy()
    kind.set_size(10**9)
    declare(f, "tokens", (6,), kind)


@_tokens("unwritten", "six tokens are declared, none is stored")
def _(f):
    declare(f, "tokens", (6,), h5t.py_create(UTF8, logical=True), chunk=(6,))


@_tokens("invalid-utf8", "tokens are not UTF-8: stray, overlong, surrogate, cut off, Latin-1")
def _(f):
    bad = [b"ok", b"\xff\xfe", b"\xc0\xaf", b"\xed\xa0\x80", b"\xe6\x97", b"caf\xe9"]
    put(f, "tokens", np.array(bad, h5py.string_dtype("utf-8", 6)))


@_tokens("invalid-utf8-vlen", "the same as variable-length strings")
def _(f):
    bad = [b"ok", b"\xff\xfe", b"\xc0\xaf", b"\xed\xa0\x80", b"\xe6\x97", b"caf\xe9"]
    put(f, "tokens", np.array(bad, object), dtype=UTF8)


@_tokens("control", "tokens hold control, bidi-override and zero-width characters", "opens")
def _(f):
    bad = ["\x01\x1b[31m", "\u202egnp.exe", "\u200b", "a\u0300" * 40, "\ufdd0", "\ue000"]
    put(f, "tokens", bad, dtype=UTF8)


@_tokens("long", "one token has 2,000 characters", "opens")
def _(f):
    put(f, "tokens", ["x" * 2000, *TOKENS[1:]], dtype=UTF8)


@case("tokens-disagree.h5", "opens-with-warning", "", "cross attention has 4 queries, 3 "
      "decoder_tokens")
def _(path):
    with hdf5(path, tokens=None) as f:
        put(f, "cross_attention", weights(2, 2, 4, 6))
        put(f, "encoder_tokens", np.array(TOKENS, "S"))
        put(f, "decoder_tokens", np.array(TOKENS[:3], "S"))


# Attributes beside good attention


def _attribute(file_name, name, value, why, outcome="opens-with-warning"):
    @case(f"attribute-{file_name}.h5", outcome, "", why)
    def _(path):
        with hdf5(path) as f:
            put(f, "attention", weights(2, 2, 6, 6))
            f.attrs[name] = np.bytes_(value) if isinstance(value, str) else value


_attribute("causal-text", "causal", "yes", "causal is the word yes")
_attribute("causal-two", "causal", 2, "causal is 2")
_attribute("causal-untrue", "causal", 1, "causal is 1, but queries attend to later keys")
_attribute("causal-array", "causal", np.ones((2, 2), int), "causal is a matrix")
_attribute("split-negative", "sentence_b_start", -5, "sentence_b_start is -5")
_attribute("split-beyond", "sentence_b_start", 7, "sentence_b_start is 7 of 6 tokens")
_attribute("split-1e30", "sentence_b_start", 1e30, "sentence_b_start is 1e30")
_attribute("split-nan", "sentence_b_start", np.nan, "sentence_b_start is NaN")
_attribute("split-huge", "sentence_b_start", np.uint64(2**64 - 1), "sentence_b_start is 2^64 - 1")
_attribute("split-text", "sentence_b_start", "three", "sentence_b_start is a word")
_attribute("version-text", "version", "one", "version is a word")
_attribute("version-negative", "version", -1, "version is -1")
_attribute("format-other", "format", "something-else", "format names another format")
_attribute("model-number", "model", 42, "the name of the model is a number")
_attribute("model-utf8", "model", np.bytes_(b"caf\xe9"), "the name of the model is not UTF-8")
_attribute("model-null", "model", h5py.Empty("f"), "the name of the model is empty (null space)")
_attribute("text-array", "text", np.array(["a", "b"], "S1"), "text is a list of two strings")


_attribute("layers-other", "layers", 3, "layers is 3, beside maps of 2")
_attribute("layers-text", "layers", "some", "layers is a word")
_attribute("windows-few", "sliding_window", "1, 2, 3", "sliding_window has 3 numbers, for 2 layers")
_attribute("windows-text", "sliding_window", "4, all", "sliding_window is a number and a word")


def _lacking(file_name, layers, contains, why, members=(1, 3), outcome="error", shape=(2, 6, 6), **datasets):
    """Maps of some layers, and how many there are said to be."""
    @case(f"layers-{file_name}.h5", outcome, contains, why)
    def _(path):
        with hdf5(path) as f:
            for number in members:
                put(f, f"attention/{number}", weights(*shape, seed=int(number)))
            for name, data in datasets.items():
                put(f, name, data)
            if layers is not None:
                f.attrs["layers"] = np.bytes_(layers) if isinstance(layers, str) else layers


_lacking("good", 5, "", "layers 1 and 3 of 5", outcome="opens")
_lacking("spelled", "5", "", "the number of layers is text", outcome="opens")
_lacking("unsaid", None, "attention", "layers 1 and 3, and no number of layers")
_lacking("few", 3, "attention", "layer 3 of 3")
_lacking("zero", 0, "attention", "layers 1 and 3 of 0")
_lacking("negative", -4, "attention", "layers 1 and 3 of -4")
_lacking("fraction", 4.5, "attention", "layers 1 and 3 of 4.5")
_lacking("nan", np.nan, "attention", "layers 1 and 3 of NaN")
_lacking("huge", 2**40, "attention", "layers 1 and 3 of 2^40")
_lacking("many", 4096, "", "layers 1 and 3 of 4096, the most there can be", outcome="opens")
_lacking("word", "many", "attention", "layers 1 and 3 of a word")
_lacking("array", np.array([4, 4]), "attention", "layers 1 and 3 of a list")
_lacking("order", 5, "attention", "layers 1 and 03", members=("1", "03"))
_lacking("rank", 5, "", "maps without heads, so that a layer cannot have none", outcome="opens-with-warning",
         shape=(6, 6))
_lacking("sinks", 5, "", "sinks of 5 layers of which two have heads", outcome="opens",
         sinks=np.zeros((5, 2), np.float32))
_lacking("sinks-few", 5, "", "sinks of the two layers with heads alone", outcome="opens-with-warning",
         sinks=np.zeros((2, 2), np.float32))
_lacking("values", 5, "", "values of other layers than the maps", outcome="opens-with-warning",
         **{"values/0": np.ones((2, 6, 3), np.float32), "values/3": np.ones((2, 6, 3), np.float32)})


@case("values-infinite.h5", "opens-with-warning", "", "infinite, negative and huge weights")
def _(path):
    with hdf5(path) as f:
        w = weights(2, 2, 6, 6).astype(np.float64)
        w[0, 0, :4, 0] = np.inf, -np.inf, 1e300, -5
        put(f, "attention", w)


@case("values-all-nan.h5", "opens-with-warning", "", "every weight is NaN")
def _(path):
    with hdf5(path) as f:
        put(f, "attention", np.full((2, 2, 6, 6), np.nan, np.float32))


# Queries and keys


def _qk(name, contains, why, q, k, dtype=np.float32, beside={}, outcome="error", **attributes):
    @case(f"qk-{name}.h5", outcome, contains, why)
    def _(path):
        rng = np.random.default_rng(5)
        with hdf5(path) as f:
            for member, shape in (("queries", q), ("keys", k)):
                if shape:
                    put(f, member, rng.normal(0, 1, shape).astype(dtype))
            for member, value in beside.items():
                put(f, member, value)
            for attribute, value in attributes.items():
                f.attrs[attribute] = np.bytes_(value) if isinstance(value, str) else value


_GOOD = (2, 4, 6, 4)
_qk("no-keys", "keys", "queries without keys", _GOOD, None)
_qk("no-queries", "queries", "keys without queries", None, _GOOD)
_qk("heads", "heads", "4 query heads cannot share 3 key heads", _GOOD, (2, 3, 6, 4))
_qk("more-key-heads", "heads", "more key heads than query heads", _GOOD, (2, 8, 6, 4))
_qk("width", "keys", "queries are 4 wide, keys 3", _GOOD, (2, 4, 6, 3))
_qk("layers", "keys", "2 layers of queries, 3 of keys", _GOOD, (3, 4, 6, 4))
_qk("rank", "rank 3", "queries have three axes", (4, 6, 4), _GOOD)
_qk("no-width", "queries", "queries and keys are 0 wide", (2, 4, 6, 0), (2, 4, 6, 0))
_qk("no-key-heads", "keys", "no key heads at all", _GOOD, (2, 0, 6, 4))
_qk("integers", "queries", "queries and keys are integers", _GOOD, _GOOD, np.int32)
_qk("scale-nan", "scale", "scale is NaN", _GOOD, _GOOD, scale=np.nan)
_qk("scale-infinite", "scale", "scale is infinite", _GOOD, _GOOD, scale=np.inf)
_qk("scale-zero", "scale", "scale is 0", _GOOD, _GOOD, scale=0.0)
_qk("scale-text", "scale", "scale is a word", _GOOD, _GOOD, scale="big")
_qk("softcap-negative", "softcap", "softcap is -1", _GOOD, _GOOD, softcap=-1.0)
_qk("softcap-nan", "softcap", "softcap is NaN", _GOOD, _GOOD, softcap=np.nan)
_qk("window-negative", "sliding_window", "sliding_window is -3", _GOOD, _GOOD, sliding_window=-3)
_qk("windows-few", "sliding_window", "sliding_window has 3 numbers, for 2 layers", _GOOD, _GOOD, causal=1,
    sliding_window="1, 2, 3")
_qk("windows-text", "sliding_window", "sliding_window is a number and a word", _GOOD, _GOOD, causal=1,
    sliding_window="4, all")
_qk("windows-negative", "sliding_window", "a sliding_window is -1", _GOOD, _GOOD, causal=1, sliding_window="4, -1")
_qk("windows-not-causal", "sliding_window", "windows without causal, in version 1", _GOOD, _GOOD, sliding_window="0, 4", version=1)
_qk("scales-zero", "scale", "the scale of a layer is 0", _GOOD, _GOOD, scale="0.5, 0")
_qk("scales-nan", "scale", "the scale of a layer is NaN", _GOOD, _GOOD, scale="0.5, nan")
_qk("scales-empty", "scale", "the scale of a layer is missing", _GOOD, _GOOD, scale="0.5, ")
_qk("softcaps-infinite", "softcap", "the softcap of a layer is infinite", _GOOD, _GOOD, softcap="30, inf")
_qk("causal-text", "causal", "causal is a word, and the weights depend on it", _GOOD, _GOOD,
    causal="yes")


# What version 2 adds, of 6 queries and 6 keys in 2 layers of 4 heads.
_TABLE, _ROWS = np.ones((2, 4, 3, 4), np.float32), np.zeros(11, np.int32)
_qk("bias-few", "bias", "bias of 10 distances, of which there are 11", _GOOD, _GOOD,
    beside={"bias": np.ones((2, 4, 10), np.float32)})
_qk("bias-heads", "bias", "bias of 3 heads, for 4", _GOOD, _GOOD, beside={"bias": np.ones((3, 11), np.float32)})
_qk("bias-rank", "rank 1", "bias has one axis", _GOOD, _GOOD, beside={"bias": np.ones(11, np.float32)})
_qk("bias-nan", "bias", "a bias is NaN", _GOOD, _GOOD, beside={"bias": np.full((4, 11), np.nan, np.float32)},
    outcome="error-on-read")
_qk("distances-no-rows", "distance_rows", "distances without their rows", _GOOD, _GOOD, beside={"distance_keys": _TABLE})
_qk("distances-rows-few", "distance_rows", "rows of 10 distances, of which there are 11", _GOOD, _GOOD,
    beside={"distance_keys": _TABLE, "distance_rows": _ROWS[1:]})
_qk("distances-rows-beyond", "distance_rows", "row 3 of 3", _GOOD, _GOOD,
    beside={"distance_keys": _TABLE, "distance_rows": _ROWS + 3})
_qk("distances-heads", "distance_queries", "distances of 3 heads, for 4", _GOOD, _GOOD,
    beside={"distance_queries": _TABLE[:, :3], "distance_rows": _ROWS})
_qk("distances-capped", "softcap", "distances and a cap", _GOOD, _GOOD,
    beside={"distance_keys": _TABLE, "distance_rows": _ROWS}, softcap=3.0)
_qk("key-mask-few", "key_mask", "key_mask of 5 keys, for 6", _GOOD, _GOOD, beside={"key_mask": np.ones(5, np.uint8)})
_qk("key-mask-fraction", "key_mask", "key_mask of fractions", _GOOD, _GOOD, beside={"key_mask": np.full(6, 0.5)})
_qk("mask-bytes", "mask", "mask of two bytes for six keys", _GOOD, _GOOD, beside={"mask": np.ones((6, 2), np.uint8)})
_qk("mask-type", "mask", "mask of int32", _GOOD, _GOOD, beside={"mask": np.ones((6, 1), np.int32)})
_qk("mask-layers", "mask", "mask of 3 layers, for 2", _GOOD, _GOOD, beside={"mask": np.ones((3, 6, 1), np.uint8)})
_qk("offset-far", "query_offset", "query_offset is 2^40", _GOOD, _GOOD, query_offset=1 << 40)
_qk("chunk-negative", "chunk", "a chunk is -1", _GOOD, _GOOD, chunk=np.array([4, -1]))
_qk("scales-few", "scale", "an array of 3 scales, for 2 layers", _GOOD, _GOOD, scale=np.array([1.0, 2.0, 3.0]))


@case("qk-huge.h5", "error", "queries", "2^31 positions of queries and keys are declared")
def _(path):
    with hdf5(path) as f:
        for name in ("queries", "keys"):
            declare(f, name, (2**20, 2**20, 2**31, 64), chunk=(1, 1, 64, 64))

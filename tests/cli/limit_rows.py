# SPDX-License-Identifier: MIT
"""What lies at a limit of hl-limits.h and one past it: a row of ROWS makes it for any size, and says how headlight-cli is asked.

A row that is accepted is read at the limit without a word; another is refused there for some other reason, as a header of the right
length that holds nothing is. Past the limit both are refused with the words. What has no row is in ELSEWHERE, with the test that covers
it, or in UNTESTED, each with its reason.
"""

import io
import json
import math
import pathlib
import struct
import zipfile
from dataclasses import dataclass
from typing import Callable

import h5py
import numpy

CHECKPOINTS = pathlib.Path(__file__).parent.parent / "model" / "checkpoints"
VISION = CHECKPOINTS.parent / "vision"
TOKENIZERS = CHECKPOINTS.parent.parent / "tokenizer"
WEIGHTS = numpy.full((1, 1, 2, 2), 0.5, "float32")


@dataclass
class Row:
    limit: str
    reader: str
    make: Callable
    words: str  # a regular expression; {n} is the limit
    accepted: bool
    step: int  # to the next larger size that can be made
    refused: bool  # or read, and what of it is not is said


ROWS = []


def row(limit, reader, words=r"\b{n}\b", accepted=True, step=1, refused=True):
    def take(make):
        ROWS.append(Row(limit, reader, make, words, accepted, step, refused))
        return make
    return take


def write(folder, name, *parts, size=None):
    """A file of parts, and nothing but a hole up to its size."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(part if isinstance(part, bytes) else part.encode() for part in parts))
    if size is not None:
        with path.open("r+b") as file:
            file.truncate(size)
    return path


# Any file of attention

def write_hdf5(folder, fill, **options):
    path = folder / "limit.h5"
    with h5py.File(path, "w", **options) as file:
        fill(file)
    return path


def announce(folder, shape, **options):
    """A dataset that was never written: it takes no room."""
    return write_hdf5(folder, lambda file: file.create_dataset("attention", shape, "float32", **options))


@row("rank", "hdf5", words="at most {n} is read", accepted=False)
def make_rank(folder, n):
    return "info", announce(folder, (1,) * n)


@row("layers", "hdf5")
def make_layers(folder, n):
    return "info", announce(folder, (n, 1, 1, 2))


@row("heads", "hdf5")
def make_heads(folder, n):
    return "info", announce(folder, (1, n, 1, 2))


@row("all-heads", "hdf5", words="at most {n} can be shown", step=1024)
def make_all_heads(folder, n):
    """One layer more is past it."""
    return "info", announce(folder, (n // 1024, 1024, 1, 2))


@row("positions", "hdf5")
def make_positions(folder, n):
    return "info", announce(folder, (1, 1, 1, n))


@row("distance-products", "hdf5", words="which for 1024 keys and features is too much", step=1024)
def make_distances(folder, n):
    """What keys give with them would take a GiB: at the limit there are no distances to look them up."""
    def fill(file):
        for name in ("queries", "keys"):
            file.create_dataset(name, (1, 1, 1024, 1), "float32")
        file.create_dataset("distance_keys", (1, 1, n // 1024, 1), "float32")
        file["distance_rows"] = numpy.zeros(2047, "int32")
    return "info", write_hdf5(folder, fill)


@row("picture-pixels", "hdf5", words="more than {n} pixels in all", step=8192, refused=False)
def make_images(folder, n):
    """Two that were never written, of which each may be as large."""
    def fill(file):
        file.create_dataset("attention", (1, 1, 2, 2), "float32")
        file.create_dataset("images", (2, n // 8192, 4096, 3), "uint8", chunks=(1, 256, 4096, 3))
    return "info", write_hdf5(folder, fill)


@row("picture-grids", "hdf5", words="at most {n} are read", refused=False)
def make_grids(folder, n):
    """Each is one patch of the same image, beside those before."""
    def fill(file):
        file.create_dataset("attention", (1, 1, 1, n), "float32")
        file["key_image_tokens"] = numpy.array([[0, i, 1, 1, 1, i, 0, 1, 1] for i in range(n)], "float32")
    return "info", write_hdf5(folder, fill)


@row("ranks", "hdf5", words="whole number from 1 to {n}", accepted=False)
def make_ranks(folder, n):
    """The others are missing, which is said once it is known how many they are."""
    path = write_hdf5(folder, lambda file: file.attrs.update(rank=0, ranks=n, sharding="heads"))
    return "info", path.rename(folder / "limit.rank0.h5")


@row("announced", "hdf5", words="announces .*GiB .*--allow-expansion", step=4096)
def make_announced(folder, n):
    """A read of all weights would take seconds: what is asked for is a list of pairs, of the first head."""
    return "find-heads", announce(folder, (1, 1, 1 << 10, n // 4096)), "--pair=#0:#0"


@row("expansion", "hdf5", words="announces .*--allow-expansion")
def make_expansion(folder, n):
    """Behind the little that was written there is a hole, and all together are the n-th part of what is announced."""
    path = announce(folder, (1, 1, 1 << 14, 20000), chunks=(1, 1, 1, 20000))
    with h5py.File(path, "a") as file:
        file["attention"][0, 0, 0, 0] = 1
    return "find-heads", write(folder, "limit.h5", path.read_bytes(), size=(4 * 20000 << 14) // n), "--pair=#0:#0"


# HDF5

@row("hdf5-steps", "hdf5", words="more than {n} links")
def make_links(folder, n):
    """From “attention”, itself a link, so many lead on."""
    def fill(file):
        file["weights"] = WEIGHTS
        names = ["attention", *(f"link{i}" for i in range(n - 2))]
        for name, target in zip(names, [*names[1:], "weights"]):
            file[name] = h5py.SoftLink(target)
    return "info", write_hdf5(folder, fill)


@row("hdf5-gaps", "hdf5", words="more than {n} gaps", step=2)
def make_gaps(folder, n):
    """Of names one after another, every second one is taken out; what is left behind the last may be a gap, too."""
    def fill(file):
        file["attention"] = WEIGHTS
        for i in range(2 * n):
            file[f"a name that is long enough {i}"] = file["attention"]
        for i in range(n - 1):
            del file[f"a name that is long enough {2 * i + 1}"]
    return "info", write_hdf5(folder, fill)


@row("hdf5-packed-chunk", "hdf5", words="at most 512 MiB a chunk", step=4 << 13)
def make_packed_chunk(folder, n):
    shape = (1, 1, 1 << 13, n // (4 << 13))
    return "info", announce(folder, shape, chunks=shape)


@row("hdf5-chunk", "hdf5", words="at most 64 MiB a chunk", step=4)
def make_chunk(folder, n):
    """A dataset may grow to fill it."""
    return "info", announce(folder, (1, 1, 1, 1), maxshape=(None, 1, 1, 1), chunks=(n // 4, 1, 1, 1))


@row("hdf5-places", "hdf5", words="{n} can be looked for", step=1024)
def make_places(folder, n):
    """One of all those chunks was written."""
    path = announce(folder, (1, 1, 1024, n // 1024), chunks=(1, 1, 1, 1))
    with h5py.File(path, "a") as file:
        file["attention"][0, 0, 0, 0] = 1
    return "info", path


# JSON

def make_json(folder, *members):
    return "info", write(folder, "limit.json", "{", ", ".join(['"attention": [[[[1]]]]', *members]), "}")


@row("json-depth", "json")
def make_depth(folder, n):
    return make_json(folder, '"x": ' + "[" * (n - 1) + "]" * (n - 1))


@row("json-name", "json", words="more than the {n} bytes")
def make_long_name(folder, n):
    return "info", write(folder, "limit.json", '{"attention":[[[[1]]]],"', "n" * n, '":1}')


@row("members", "json", words="at most {n} are read")
def make_members(folder, n):
    return "info", write(folder, "limit.json", '{"attention":[[[[1]]]],', ",".join(f'"{i:x}":1' for i in range(n - 1)), "}")


@row("strings", "json", words="more than {n} strings", refused=False)
def make_strings(folder, n):
    return "info", write(folder, "limit.json", '{"attention":[[[[1]]]],"tokens":["t"', ',"t"' * (n - 1), "]}")


@row("strings", "json", words="more than {n} tokens", refused=False)
def make_split_text(folder, n):
    """One text in place of a list; what there is of blanks does not count."""
    return make_json(folder, f'"tokens": "{" " * n}{"t " * n}"')


@row("strings-text", "json", words="more than 32 MiB", refused=False)
def make_strings_text(folder, n):
    return "info", write(folder, "limit.json", '{"attention":[[[[1]]]],"tokens":["a","', "a" * (n - 1), '"]}')


@row("json-number", "json")
def make_number(folder, n):
    return make_json(folder, f'"x": 0.{"0" * (n - 3)}1')


@row("examples", "json")
def make_examples(folder, n):
    return "info", write(folder, "limit.json", '{"examples": {', ", ".join(f'"{i}": {{"attention": [[[[1]]]]}}' for i in range(n)), "}}")


@row("token-bytes", "json", words="64 KiB", refused=False)
def make_token(folder, n):
    """Not refused: cut, and that is said."""
    return make_json(folder, f'"tokens": ["{"a" * n}"]')


# What Python writes

def write_npy(folder, name, kind, shape, room=None, size=None):
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    text = text.ljust((room or 118) - 1) + "\n"
    return write(folder, name, b"\x93NUMPY\x02\x00", struct.pack("<I", len(text)), text, size=size)


@row("npy-header", "python", words="{n} bytes")
def make_npy(folder, n):
    """The header is all that lies before the numbers."""
    path = write_npy(folder, "limit.npy", "<f4", (1, 1, 2, 2), room=n - 12)
    path.write_bytes(path.read_bytes() + WEIGHTS.tobytes())
    return "info", path


def write_npz(folder, **members):
    path = folder / "limit.npz"
    with zipfile.ZipFile(path, "w") as file:
        for name, content in members.items():
            file.writestr(name + ".npy", content)
    return path


def pack_npy(array):
    file = io.BytesIO()
    numpy.save(file, array)
    return file.getvalue()


@row("zip-directory", "python", words="at most 100000", accepted=False)
def make_directory(folder, n):
    path = write(folder, "limit.npz", b"PK\3\4", size=n)
    with path.open("ab") as file:
        file.write(b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, n, 0, 0))
    return "info", path


def write_pickle(folder, *parts):
    """Attention, and what is beside it."""
    array = b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntU\1btR(I1\n(I1\nI1\nI2\nI2\ntcnumpy\ndtype\n(U\2f4I0\nI1\ntR" \
        b"(I3\nU\1<NNNI-1\nI-1\nI0\ntbI00\nU\x10" + WEIGHTS.tobytes() + b"tb"
    return write(folder, "limit.pkl", b"\x80\x02}(U\tattention", array, b"U\4more", *parts, b"u.")


@row("pickle-marks", "python", words="nested too deeply", accepted=False)
def make_marks(folder, n):
    return "info", write(folder, "limit.pkl", b"\x80\x02", b"(" * n, b".")


@row("pickle-depth", "python", words="nested too deeply", accepted=False)
def make_nested(folder, n):
    """Dictionaries inside the first, each the only member of the one around it."""
    return "info", write_pickle(folder, b"}U\1a" * (n - 2), b"}U\1aK\1s", b"s" * (n - 2))


@row("pickle-values", "python", words="more than {n} values", accepted=False)
def make_values(folder, n):
    return "info", write(folder, "limit.pkl", b"\x80\x02]", b"K\1a" * (n - 1), b".")


# Safetensors and GGUF

def write_safetensors(folder, header, numbers=b"\0\0\x80\x3f", length=None, size=None):
    return write(folder, "limit.safetensors", struct.pack("<Q", length or len(header)), header, numbers, size=size)


ENTRY = '{"dtype":"F32","shape":[1,1,1,1],"data_offsets":[0,4]}'


@row("safetensors-name", "safetensors")
def make_name(folder, n):
    return "info", write_safetensors(folder, f'{{"attention{"n" * (n - 9)}":{ENTRY}}}')


@row("safetensors-metadata", "safetensors")
def make_metadata(folder, n):
    return "info", write_safetensors(folder, f'{{"__metadata__":{{"a":"{"m" * n}"}},"attention":{ENTRY}}}')


@row("safetensors-entries", "safetensors", words="more than {n} tensors")
def make_entries(folder, n):
    empty = '{"dtype":"F32","shape":[0],"data_offsets":[4,4]}'
    return "info", write_safetensors(folder, f'{{"attention":{ENTRY},' + ",".join(f'"{i:x}":{empty}' for i in range(n - 1)) + "}")


def write_gguf(folder, keys=(), tensors=(), n_keys=None):
    text = b"".join(struct.pack("<Q", len(key)) + key + value for key, value in keys)
    text += b"".join(struct.pack("<Q", len(name)) + name + struct.pack("<IQIQ", 1, 1, 0, 0) for name in tensors)
    return write(folder, "limit.gguf", b"GGUF", struct.pack("<IQQ", 3, len(tensors), n_keys or len(keys)), text, bytes(64))


def pack_uint32(value):
    return struct.pack("<II", 4, value)


@row("gguf-key", "gguf", accepted=False)
def make_key(folder, n):
    return "info", write_gguf(folder, [(b"k" * n, pack_uint32(1))]), "--text=a"


@row("gguf-name", "gguf", accepted=False)
def make_tensor_name(folder, n):
    return "info", write_gguf(folder, tensors=[b"t" * n]), "--text=a"


@row("gguf-alignment", "gguf", accepted=False)
def make_alignment(folder, n):
    """Both are powers of two, or the second is none."""
    return "info", write_gguf(folder, [(b"general.alignment", pack_uint32(n))]), "--text=a"


@row("gguf-entries", "gguf", words="at most {n} of either", accepted=False)
def make_entries(folder, n):
    return "info", write_gguf(folder, n_keys=n), "--text=a"


# Lists and texts

def make_annotated(folder, lines, words=("a", "b")):
    dump = write(folder, "words.json", json.dumps({"tokens": list(words), "attention": [[[[1 / len(words)] * len(words)] * len(words)]]}))
    return "probe", dump, "--annotations=" + str(write(folder, "limit.conllu", "\n".join(lines), "\n\n"))


def depend(i, word="a", relation="dep", misc="_", head=0):
    return f"{i}\t{word}\t_\tX\t_\t_\t{head}\t{relation}\t_\t{misc}"


@row("line", "texts", words="longer than 1 MiB")
def make_line(folder, n):
    return make_annotated(folder, ["#" + "a" * (n - 1), depend(1), depend(2, "b", head=1)])


@row("pipe", "texts", words="256 MiB", accepted=False)
def make_pipe(folder, n):
    """A program writes it: nothing but zeros."""
    return "<", write(folder, "zeros", size=n), "probe", CHECKPOINTS / "bert", "--annotations=/dev/stdin"


@row("open-mentions", "texts", words="more than {n} mentions")
def make_open_mentions(folder, n):
    return make_annotated(folder, ["# global.Entity = eid", depend(1, misc="Entity=" + "".join(f"(e{i}" for i in range(n))),
                                   depend(2, "b", head=1, misc="Entity=" + "".join(f"e{i})" for i in reversed(range(n))))])


@row("relations", "texts", words="more than {n} relations")
def make_relations(folder, n):
    words = [f"w{i}" for i in range(n + 1)]
    return make_annotated(folder, [depend(i + 1, word, f"r{max(i, 1)}", head=i) for i, word in enumerate(words)], words)


@row("probe-words", "texts", words="the text has [0-9]+ words; at most {n} can")
def make_probe_words(folder, n):
    """Of a map that was never written."""
    def fill(file):
        file.create_dataset("attention", (1, 1, n, n), "float32")
        file["tokens"] = [b"a"] * n
    annotations = write(folder, "limit.conllu", "\n".join(depend(i + 1, head=i) for i in range(n)), "\n\n")
    return "probe", write_hdf5(folder, fill), f"--annotations={annotations}"


@row("annotation-words", "texts", words="more than {n} words", accepted=False)
def make_words(folder, n):
    return make_annotated(folder, [depend(i + 1, "a") for i in range(n)])


@row("pairs", "texts", words="more than {n} pairs")
def make_pairs(folder, n):
    path = write(folder, "pairs.txt", "#0:#1\n" * n)
    return "find-heads", write_hdf5(folder, lambda file: file.create_dataset("attention", data=WEIGHTS)), f"--pairs={path}"


@row("pair-list", "texts", words="1 MiB")
def make_pair_list(folder, n):
    path = write(folder, "pairs.txt", "#0:#1", "\n" * (n - 5))
    return "find-heads", write_hdf5(folder, lambda file: file.create_dataset("attention", data=WEIGHTS)), f"--pairs={path}"


@row("token-file", "texts", words="64 MiB", accepted=False)
def make_token_file(folder, n):
    path = write(folder, "tokens.txt", size=n)
    return "info", write_hdf5(folder, lambda file: file.create_dataset("attention", data=WEIGHTS)), f"--tokens={path}"


@row("set-items", "texts", words="hidden")
def make_set(folder, n):
    """Of which the first takes all that there is."""
    path = write_hdf5(folder, lambda file: file.create_dataset("attention", (1, 1, 2, 4097), "float32"))
    return "stats", path, "--hidden=" + ",".join(f"k{i % 4}" for i in range(n))


@row("session", "texts", words="16 MiB", accepted=False)
def make_session(folder, n):
    return "render", write(folder, "limit.headlight", "{", size=n), "-o", folder / "a.png"


# Models

def write_pixels(folder):
    return write(folder, "pixels.npy", pack_npy(numpy.zeros((3, 8, 8), "float32")))


def write_model(folder, family="gpt2", files=None, **config):
    """A checkpoint with some of its settings changed."""
    source = next(place / family for place in (CHECKPOINTS, VISION) if (place / family).exists())
    path = folder / "model"
    path.mkdir(exist_ok=True)
    for file in source.iterdir():
        if file.name not in ("config.json", *(files or ())) and not (path / file.name).exists():
            (path / file.name).symlink_to(file)
    for name, (content, size) in (files or {}).items():
        write(path, name, content, size=size)
    settings = json.loads((source / "config.json").read_text())
    settings.update(config)
    if "config.json" not in (files or {}):
        write(path, "config.json", json.dumps(settings))
    return path


@row("json-config", "model", words="config.json: the JSON is larger than 128 MiB", accepted=False)
def make_config(folder, n):
    return "info", write_model(folder, files={"config.json": ("{", n)}), "--ids=1"


@row("model-size", "model", words="at most {n}", accepted=False)
def make_size(folder, n):
    return "info", write_model(folder, vocab_size=n), "--ids=1"


@row("width", "model", words="at most {n}", accepted=False)
def make_width(folder, n):
    return "info", write_model(folder, n_inner=n), "--ids=1"


@row("layers", "model", words="at most {n}", accepted=False)
def make_model_layers(folder, n):
    return "info", write_model(folder, n_layer=n), "--ids=1"


@row("all-heads", "model", words="at most {n}", accepted=False, step=1024)
def make_model_heads(folder, n):
    """Of layers that share their weights, and heads of one feature."""
    return "info", write_model(folder, "albert", num_hidden_layers=n // 1024, num_attention_heads=1024, hidden_size=1024), "--ids=1"


def write_tokenizer(folder, **model):
    path = folder / "model"
    path.mkdir()
    write(path, "tokenizer.json", json.dumps({"model": model}))
    return "tokens", path, "--text=a"


@row("spelling", "model", words="longer than {n} bytes")
def make_spelling(folder, n):
    return write_tokenizer(folder, type="WordLevel", vocab={"a": 0, "b" * n: 1})


@row("vocabulary", "model", words="more than 32 MiB of text")
def make_vocabulary(folder, n):
    """A byte stands behind each."""
    vocab = {"a": 0, **{f"{i:04}".ljust(4095, "b"): i + 1 for i in range(n // 4096 - 1)}}
    vocab["c" * (n - 2 - 4096 * (n // 4096 - 1) - 1)] = len(vocab)
    return write_tokenizer(folder, type="WordLevel", vocab=vocab)


@row("beginnings", "model", words="more than {n} different beginnings")
def make_beginnings(folder, n):
    """Tokens that differ in their first letter, and two that fill up; the empty beginning counts."""
    vocab = {"a": 0, **{chr(0x4e00 + i).ljust(4094, "b"): i + 1 for i in range(n // 4096 - 1)}}

    def count():
        return 1 + sum(len({key.encode()[:i + 1] for key in vocab if len(key.encode()) > i}) for i in range(3)) + sum(
            max(len(key.encode()) - 3, 0) for key in vocab)
    vocab["c" * ((n - count()) // 2)] = len(vocab)
    vocab["d" * (n - count())] = len(vocab)
    return write_tokenizer(folder, type="WordPiece", unk_token="a", vocab=vocab)


@row("experts", "model", words="at most {n}", accepted=False)
def make_experts(folder, n):
    return "info", write_model(folder, "mixtral", num_local_experts=n), "--ids=1"


@row("all-experts", "model", words="at most {n}", accepted=False, step=64)
def make_all_experts(folder, n):
    return "info", write_model(folder, "mixtral", num_hidden_layers=64, num_local_experts=n // 64), "--ids=1"


@row("shards", "model", words="more than {n} files", accepted=False)
def make_shards(folder, n):
    index = {"weight_map": {f"t{i}": f"{i}.safetensors" for i in range(n)}}
    path = write_model(folder, files={"model.safetensors.index.json": (json.dumps(index), None)})
    (path / "model.safetensors").unlink(missing_ok=True)
    return "info", path, "--ids=1"


@row("image-side", "model", accepted=False)
def make_side(folder, n):
    return "info", write_model(folder, "vit", image_size=n), f"--pixels={write_pixels(folder)}"


@row("image-numbers", "model", words="1 to {n} numbers", accepted=False)
def make_image(folder, n):
    path = write_npy(folder, "pixels.npy", "|u1", (1, 1, n))
    return "info", VISION / "vit", "--pixels=" + str(write(folder, "pixels.npy", path.read_bytes(), size=n + 1000))


@row("channels", "model", words="at most {n}", accepted=False)
def make_channels(folder, n):
    return "info", write_model(folder, "vit", num_channels=n), f"--pixels={write_pixels(folder)}"


@row("patch-numbers", "model", words="at most {n}", accepted=False)
def make_patch(folder, n):
    """One channel more than fit into it."""
    return "info", write_model(folder, "vit", num_channels=16 + n % 2, patch_size=256, image_size=256), f"--pixels={write_pixels(folder)}"


@row("adapter-config", "model", words="at most {n} bytes", accepted=False)
def make_adapter(folder, n):
    return "info", write(folder, "adapter/adapter_config.json", "{", size=n).parent, "--ids=1"


@row("image-rules", "model", words="at most {n} bytes", accepted=False)
def make_image_rules(folder, n):
    rules = json.dumps({"size": {"height": 12, "width": 16}})
    path = write_model(folder, "vit", files={"preprocessor_config.json": (rules + " " * (n - len(rules)), None)})
    return "info", path, "--image=" + str(VISION.parent / "images" / "picture.png")


# Tokenizers

def tokenize(folder, text="a", size=None, **members):
    """With the tokenizer of words, some of it changed."""
    tokenizer = json.loads((TOKENIZERS / "words.json").read_text())
    tokenizer.update(members)
    path = write_model(folder, "bert", files={"tokenizer.json": (json.dumps(tokenizer), size), "vocab.txt": ("", None)})
    (path / "vocab.txt").unlink()
    return "tokens", path, f"--text={text}"


@row("tokenizer-file", "tokenizer", words="128 MiB", accepted=False)
def make_tokenizer(folder, n):
    return tokenize(folder, size=n)


@row("token-id", "tokenizer", words="larger than {n}")
def make_id(folder, n):
    return tokenize(folder, model={"type": "WordLevel", "unk_token": "a", "vocab": {"a": n}})


@row("pattern", "tokenizer", words="more than {n} bytes")
def make_pattern(folder, n):
    return tokenize(folder, pre_tokenizer={"type": "Split", "pattern": {"Regex": "[" + "a" * (n - 2) + "]"}, "behavior": "Isolated", "invert": False})


def nest(n, key, inner):
    return inner if n == 0 else {"type": "Sequence", key: [nest(n - 1, key, inner)]}


@row("component-depth", "tokenizer", words="more than {n} sequences")
def make_components(folder, n):
    return tokenize(folder, pre_tokenizer=nest(n, "pretokenizers", {"type": "Whitespace"}))


@row("components", "tokenizer", words="more than {n} steps")
def make_steps(folder, n):
    return tokenize(folder, pre_tokenizer={"type": "Sequence", "pretokenizers": [{"type": "Whitespace"}] * n})


@row("normalized-growth", "tokenizer", words="longer than 1 MiB")
def make_growth(folder, n):
    return tokenize(folder, text="~", pre_tokenizer={"type": "WhitespaceSplit"},
                    normalizer={"type": "Replace", "pattern": {"String": "~"}, "content": "~" * (n + 32)})


@row("special-tokens", "tokenizer", words="more than {n} entries", accepted=False)
def make_special(folder, n):
    return tokenize(folder, post_processor={
        "type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "x", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}], "pair": [],
        "special_tokens": {"x": {"id": "x", "ids": [1] * n, "tokens": ["e"] * n}}})


@row("piece-file", "tokenizer", words="64 MiB", accepted=False)
def make_pieces(folder, n):
    path = write_model(folder, "albert", files={"spiece.model": ("", n)})
    (path / "tokenizer.json").unlink(missing_ok=True)
    return "tokens", path, "--text=a"


# What is asked for, and what is computed

@row("predicted", "asked", accepted=False)
def make_predicted(folder, n):
    return "predict", "none", "--text=a", f"--top={n}"


@row("generated", "asked", accepted=False)
def make_generated(folder, n):
    return "generate", "none", "--text=a", f"--max-tokens={n}"


@row("figure-side", "asked", accepted=False)
def make_figure(folder, n):
    return "render", "none.h5", "-o", folder / "a.png", f"--width={n}", "--height=9"


@row("distant-heads", "asked", words="{n}", step=1024)
def make_distances(folder, n):
    return "render", announce(folder, (n // 1024, 1024, 1, 2)), "--view=chart", "--chart=scatter", "-o", folder / "a.svg"


def render(folder, path, *options):
    return "render", path, *options, "-o", folder / "limit.png"


def write_projections(folder, n_tokens, n_features):
    """Queries and keys of one head."""
    def fill(file):
        for name in ("queries", "keys"):
            file[name] = numpy.random.default_rng(1).normal(size=(1, 1, n_tokens, n_features)).astype("float32")
    return write_hdf5(folder, fill)


@row("plane-tokens", "asked", words="shows {n} queries and keys at most")
def make_plane_tokens(folder, n):
    return render(folder, write_projections(folder, n, 2), "--view=chart", "--chart=plane")


@row("head-view-lines", "asked", words=r"do not fit into 256\.0\sMiB", step=4 * 8192)
def make_head_view_lines(folder, n):
    """Nothing was written, so that there are no lines to be drawn."""
    return render(folder, announce(folder, (1, 1, 8192, n // (4 * 8192))), "--view=head-view")


@row("picture-map", "asked", words=r"does not fit into 256\.0\sMiB", step=4 * 8192)
def make_picture_map(folder, n):
    path = announce(folder, (1, 1, 8192, n // (4 * 8192)))
    with h5py.File(path, "a") as file:
        file["key_image_tokens"] = numpy.array([[0, 0, 1, 1, 1, 0, 0, 1, 1]], "float32")
    return render(folder, path, "--view=picture")


@row("layers-lines", "asked", words=r"the lines of all 4 layers .* do not fit into 512\.0\sMiB", step=4 * 8 * 8193)
def make_layers_lines(folder, n):
    """Each layer has those of its one head, and of all its heads together; queries are the keys of the next."""
    side = math.isqrt(n // (4 * 8))
    return render(folder, announce(folder, (4, 1, side, side)), "--view=layers")


@row("period", "asked", words="at most {n} tokens", accepted=False)
def make_period(folder, n):
    """Longer than what the model takes."""
    return "stats", CHECKPOINTS / "gpt2", "--ids=1", "--numbers=induction", f"--period={n}"


# Covered by a test of its own: the file, and what in it is about the limit.
ELSEWHERE = {
    "figure-lines": ("tests/draw/export/test-export.c", "HL_LIMIT_FIGURE_LINES + past", "at the limit are 50 MB of SVG"),
    "figure-texts": ("tests/draw/export/test-export.c", "HL_LIMIT_FIGURE_TEXTS + past", "at the limit are 30 MB of SVG"),
    "files-at-once": ("tests/app/window/test-tabs.c", "HL_LIMIT_FILES_AT_ONCE + past", "only the window opens many files"),
    "kept-values": ("tests/view/test-session-store.c", "HL_LIMIT_KEPT_VALUES + past", "only the window reads what programs left"),
    "kept": ("tests/view/test-session-store.c", "HL_LIMIT_KEPT - n_bytes", "only the window reads what programs left"),
    "picture-side": ("tests/core/document/test-picture.c", "HL_LIMIT_PICTURE_SIDE + 1", "at the limit are four gigabytes"),
    "pictures": ("tests/core/document/test-picture.c", "HL_LIMIT_PICTURES + 1", "as many images would have to be there"),
    "picture-file": ("tests/core/document/test-picture.c", "HL_LIMIT_PICTURE_FILE + past", "only models that see read one"),
    "kept-picture": ("tests/core/model/test-image-processor.c", "HL_LIMIT_KEPT_PICTURE + 1", "a larger image is kept smaller"),
    "picture-passes": ("tests/core/document/test-picture.c", "HL_LIMIT_PICTURE_PASSES / (n * n) + 1", "at the limit it takes seconds"),
    "adapter-module": ("tests/core/model/test-adapter.c", "HL_LIMIT_ADAPTER_MODULE, 'a'", "it takes an adapter of its own"),
    "adapter-tries": ("tests/core/model/test-adapter.c", "HL_LIMIT_ADAPTER_TRIES / n", "at the limit it takes seconds"),
    "adapter-rank": ("tests/core/model/test-adapter.c", "HL_LIMIT_ADAPTER_RANK + past", "a matrix of a file would be as large"),
    "hdf5-header": ("tests/malformed/malformed_hdf5.py", "continuation-of-1-gb.h5", "no library writes such headers"),
    "field-text": ("tests/app/live/test-text-field.c", "HL_LIMIT_FIELD_TEXT + 1", "only the window has a field"),
    "field-marks": ("tests/app/live/test-text-field.c", "HL_LIMIT_FIELD_MARKS + 1", "only the window has a field"),
    "json-tree": ("tests/core/tokenizer/test-tokenizer.c", "HL_LIMIT_JSON_TREE / 16", "what takes so much is not told to the byte"),
    "normalized-times": ("tests/core/tokenizer/test-tokenizer.c", "HL_LIMIT_NORMALIZED_TIMES + 1", "it is told with normalized-growth"),
    "plane-features": ("tests/core/analysis/test-plane.c", "HL_LIMIT_PLANE_FEATURES + 1", "at the limit it takes seconds"),
    "probe-counts": ("tests/core/analysis/test-probe.c", "64 relations are too many", "a map of so many heads would be read"),
    "listed-config": ("tests/cli/test-cli-models.py", "(1 << 20) + past", "only the list of models tells"),
    "flow-tokens": ("tests/core/source/test-quantity-layers.c", "at most 1024 tokens", "a row at the limit takes minutes"),
    "zip-ratio": ("tests/malformed/malformed_foreign.py", "zip-bomb-lie.npz", "no packer reaches the limit"),
    "zip-unpacked": ("tests/malformed/malformed_foreign.py", "zip-bomb-sum.npz", "at the limit 2 GiB would be unpacked"),
    "hub-files": ("tests/hub/test-hub-download.py", "20001", "it takes a hub"),
    "hub-bytes": ("tests/hub/test-hub-download.py", "1 << 60", "it takes a hub"),
    "hub-answer": ("tests/hub/test-hub-download.py", "17 << 20", "it takes a hub"),
    "hub-pages": ("tests/hub/test-hub-download.py", "the list of its files has no end", "it takes a hub"),
    "hub-redirections": ("tests/hub/test-hub-download.py", "without end", "it takes a hub"),
}

CACHE = "how much is kept: what is more is read or made anew, and nothing is refused"
MEMORY = "at the limit a gigabyte of memory would be taken"
LONG = "at the limit a file of tens of megabytes would be read entry by entry, for many seconds"
MODEL = "a model as large as that would have to be made"
SILENT = "a bound for a search: what lies beyond is not offered, and nothing is refused"

UNTESTED = {
    "parts": "no container that can be made in seconds has as many tensors in one group, see members",
    "batch-items": LONG,
    "example-members": LONG,
    "listed-members": LONG,
    "datasets": SILENT,
    "group-depth": SILENT,
    "safetensors-header": "what announces more is taken for another kind of file",
    "pickle-nodes": "members that count are found only where attention is looked for among them",
    "rollout-tokens": "at the limit maps of 256 MB would be multiplied",
    "hdf5-target": "what a link beyond leads to is not there for those who list it, and nothing is refused",
    "hdf5-attribute": "an attribute beyond is not read, and nothing is refused",
    "npy-string": "strings beyond are no tokens, and nothing is refused",
    "hdf5-headers": "no library writes a header of so many blocks",
    "hdf5-heap": MEMORY,
    "hdf5-text": MEMORY,
    "hdf5-expansion": "strings as long as that take hundreds of megabytes where they are read",
    "hdf5-chunks": CACHE,
    "json-numbers": MEMORY,
    "json-text": MEMORY,
    "npy-strings": MEMORY,
    "pickle-lists": "objects beyond are no array, and nothing is refused",
    "pickle-text": MEMORY,
    "gguf-shards": "as many files as the limit would have to be there",
    "notebook-output": "at the limit an output of 256 MiB would be written into a file",
    "texts": LONG,
    "sentences": LONG,
    "entities": LONG,
    "mentions": LONG,
    "token-ids": "an argument of a program is at most 128 KiB long on Linux, which is fewer",
    "modules": "a longer list is taken for none, and nothing is refused",
    "checkpoints": SILENT,
    "adapter-alphas": MODEL,
    "adapter-pattern": MODEL,
    "translated-pattern": "what a pattern becomes is not told to the byte",
    "text": "neither an argument nor a line of a list is as long",
    "normalized-text": MEMORY,
    "model-entries": "a folder of 50,000 models would have to be made",
    "hub-address": "no server of a test sends an address as long as that",
    "hub-token": "a longer token is taken for none",
    "head-map": MEMORY,
    "kept-heads": CACHE,
    "kept-head": CACHE,
    "computed-heads": CACHE,
    "rollout-maps": CACHE,
    "flow-memory": MEMORY,
    "norm-products": MEMORY,
    "pair-weights": "at the limit half a gigabyte of memory would be taken",
    "logits": MODEL,
    "candidates": MODEL,
    "csv-cells": "at the limit 200 MB would be copied to a clipboard",
    "figure-pixels": MEMORY,
    "page-numbers": "what does not fit is left out, and nothing is refused",
}
